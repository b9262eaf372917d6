/* Functions of the library that may return null: the summaries say which. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static void *wrap(size_t size) {
    void *p = malloc(size);
    return p;
}

static void *surely(size_t size) {
    void *p = malloc(size);
    if (!p) exit(1);
    return p;
}

static char *find(char *text, int c) {
    return strchr(text, c);
}

int main(void) {
    int *p = malloc(sizeof *p);
    UNSURE(p);
    if (!p) return 1;
    SOLID(p);
    int *q = wrap(sizeof *q), *r = surely(sizeof *r);
    UNSURE(q);
    SOLID(r);
    char text[] = "a=b", *at = find(text, '='), *none = find(text, '/');
    UNSURE(at);
    NULLED(none);
    if (at) SOLID(at);
    char *end = strcpy(text, "c");
    SOLID(end);
    char *(*search)(const char *, int) = strrchr;
    none = search(text, '/');
    NULLED(none);
    FILE *file = fopen("/nowhere/at/all", "r");
    NULLED(file);
    if (file != NULL) fclose(file);
    char *variable = getenv("NO_SUCH_VARIABLE_IS_THERE");
    NULLED(variable);
    free(p), free(q), free(r);
    SOLID(p);
    return CHECKED;
}
