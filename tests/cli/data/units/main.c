/* Whether the functions of another unit return is known when it is linked. */
#include <stdio.h>
#include <stdlib.h>

#include "die.h"

static int ends(void) {
    int *p = malloc(sizeof *p);
    if (!p) die("memory");
    return *p;
}

static int returns(void) {
    int *p = malloc(sizeof *p);
    if (!p) perhaps(NULL);
    return *p; /* bug */
}

static int in_a_block(int n) {
    const char *q = n ? getenv("X") : NULL;
    if (q == NULL) {
        puts("no");
        die("x");
    }
    return *q;
}

static int with_more_behind(void) {
    FILE *file = fopen("x", "r");
    if (!file) {
        die("y");
        puts("z");
    }
    return fgetc(file);
}

static int by_another(void) {
    int *p = malloc(sizeof *p);
    if (!p) twice("memory");
    return *p;
}

static int before_all(int n) {
    int *p = malloc(sizeof *p);
    if (n) die("n");
    perhaps(NULL);
    if (p) n += *p;
    return *p; /* bug */
}

int main(int n, char **argument) {
    (void)argument;
    return ends() + returns() + in_a_block(n) + with_more_behind() + by_another() + before_all(n);
}
