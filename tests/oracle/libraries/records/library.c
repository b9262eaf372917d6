/* SPDX-License-Identifier: Apache-2.0 */
/* Records by value, members of records, variable arguments, parameters whose address is taken. */
#include <stdarg.h>
#include <stddef.h>

struct pair {
    int *first, *second;
};

struct link {
    struct link *next;
};

struct item {
    int *what;
    struct link in;
};

static struct link ring = {&ring};

struct pair swap(struct pair p) {
    struct pair q = {p.second, p.first};
    return q;
}

int *nth(int n, ...) {
    va_list list;
    int *p = NULL;
    va_start(list, n);
    while (n-- > 0) p = va_arg(list, int *);
    va_end(list);
    return p;
}

void enter(struct link *l) {
    l->next = ring.next;
    ring.next = l;
}

int *what_of_first(void) {
    struct link *l = ring.next;
    struct item *i = (struct item *)((char *)l - offsetof(struct item, in));
    return i->what;
}

int **exchange(int *p, int **with) {
    int **place = &p, *old = *with;
    *with = *place;
    *place = old;
    return p == old ? with : NULL;
}
