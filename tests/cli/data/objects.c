/* Objects of every kind to which one pointer may point, for `cflr explain`. */
#include <stdlib.h>
#include <string.h>

struct in {
    int m, n;
};
struct x {
    struct in in;
    int *made;
    struct x *next;
};

static struct x x, rest, alone;
static void *held;
static int *count;
static char *line;
static void (*call)(void);

static void *wrapped(size_t size) {
    void *p = malloc(size);
    return p;
}
static void enter(void) {}
static void leave(void) {}

#define BOTH(p, q)     \
    do {               \
        p = malloc(4); \
        q = malloc(8); \
    } while (0)

int main(int argc, char **argv) {
    struct x own = {.made = malloc(sizeof(int)), .next = &(struct x){.in = {1, 2}}};
    int *left, *right;
    char *big = malloc(8), *words[] = {"look, at me", "a b", "a (b), escapes", strdup(*argv)};
    int *n = &x.in.n;
    BOTH(left, right);
    call = argc > 1 ? enter : leave;
    line = argc > 2 ? words[argc] : big;
    count = argc > 3 ? n : argc > 4 ? own.made : wrapped(4);
    count = argc > 5 ? left : argc > 6 ? right : count;
    held = argc > 7   ? (void *)count
           : argc > 8 ? (void *)line
           : argc > 9 ? (void *)own.next
                      : &rest.in.n;
    int member = x.in.m + alone.in.m;
    return member + *count + (held == line) + (line == NULL);
}
