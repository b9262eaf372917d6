/* A shop with two mistakes: an old one, which null.baseline knows, and a new one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
    const char *name;
    int price;
};

static const struct item items[] = {{"tea", 3}, {"rice", 2}};

static const struct item *find(const char *name) {
    for (size_t i = 0; i < sizeof items / sizeof *items; i++) {
        if (strcmp(items[i].name, name) == 0) return &items[i];
    }
    return NULL;
}

/* The old mistake: what the shop does not have has no price. */
static int price(const char *name) {
    return find(name)->price;
}

/* The new one: there may be no memory. */
static void order(const char *name) {
    struct item *ordered = malloc(sizeof *ordered);
    ordered->name = name;
    printf("%s costs %d\n", ordered->name, price(name));
    free(ordered);
}

int main(int argc, char **argv) {
    if (argc > 1) order(argv[1]);
    return 0;
}
