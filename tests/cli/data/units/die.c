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
