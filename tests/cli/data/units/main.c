/* Whether the functions of another unit return, and what they show of their arguments, is known
 * when it is linked. */
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

static int tested(void) {
    int *p = calloc(1, sizeof *p);
    if (!valid(p)) return 0;
    return *p;
}

static int tested_otherwise(void) {
    int *p = calloc(1, sizeof *p);
    if (valid(p)) return 0;
    return *p; /* bug */
}

static int tested_missing(void) {
    int *p = calloc(1, sizeof *p);
    if (missing(p)) return 0;
    return *p;
}

static int tested_narrow(void) {
    int *p = calloc(1, sizeof *p);
    if ((char)strange(p)) return 0;
    return *p; /* bug */
}

static int tested_second(int n) {
    int *p = calloc(1, sizeof *p), *q = calloc(1, sizeof *q);
    if (valid_second(n, p)) return *p;
    if (valid_second(n, q) == 0 || !p) return 0;
    return *q + *p;
}

static int tested_first(int n) {
    int *p = calloc(1, sizeof *p);
    if (valid_second(*p, &n)) return *p; /* bug above */
    return 0;
}

static int tested_not(void) {
    int *p = calloc(1, sizeof *p);
    if (!valid_or_not(p)) return 0;
    return *p; /* bug */
}

static int tested_older(int n) {
    int *p = calloc(1, sizeof *p);
    for (int good = 0; n > 0; n--) {
        if (good) return *p; /* bug */
        if (!valid(p)) return 0;
        p = malloc(sizeof *p);
        good = 1;
    }
    return 0;
}

static int tested_by_pointer(void) {
    int *p = calloc(1, sizeof *p);
    if (same_or_null(p)) return *p;
    return 0;
}

static int tested_twice(void) {
    int *p = calloc(1, sizeof *p);
    if (!valid_or_not(p) || !valid(p)) return 0;
    return *p;
}

static int tested_either(int n) {
    int *p = calloc(1, sizeof *p);
    if (n ? !valid(p) : !p) return 0;
    return *p;
}

static int tested_sometimes(int n) {
    int *p = calloc(1, sizeof *p);
    if (n && !valid(p)) return 0;
    return *p; /* bug */
}

int main(int n, char **argument) {
    (void)argument;
    n += tested() + tested_otherwise() + tested_missing() + tested_narrow() + tested_second(n);
    n += tested_first(n) + tested_not() + tested_older(n) + tested_by_pointer() + tested_twice();
    n += tested_either(n) + tested_sometimes(n);
    return ends() + returns() + in_a_block(n) + with_more_behind() + by_another() + before_all(n);
}
