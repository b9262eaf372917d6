#include "die.h"

#include <stdio.h>
#include <stdlib.h>

void die(const char *why) {
    fprintf(stderr, "%s\n", why);
    exit(1);
}

void perhaps(const char *why) {
    if (why) exit(1);
}

void twice(const char *why) {
    die(why);
}

int valid(const int *p) {
    return p != NULL && *p >= 0;
}

int missing(const int *p) {
    return p ? 0 : 1;
}

int strange(const int *p) {
    return p ? 0 : 256;
}

int valid_second(int n, const int *p) {
    if (!p) return 0;
    return *p >= n;
}

int valid_or_not(const int *p) {
    return p != NULL || puts("not");
}

const int *same_or_null(const int *p) {
    return p && *p ? p : NULL;
}
