/* The ways to write a pointer plus or minus offsetof, and what does not count as one. */
#include "check.h"
#include <stddef.h>
#include <stdint.h>

static int x, y, z;

struct list {
    struct list *next;
    struct list *prev;
};
struct inner {
    int key;
    struct list link;
};
struct outer {
    struct inner first;
    int *value;
};
struct item {
    int key;
    struct list link;
    int *value;
    struct list other;
};

static struct list head;

static void in_typeof(void) {
    struct item a = {.value = &x}, *p;
    head.next = &a.other;
    p = (typeof(*p) *)((char *)head.next - offsetof(typeof(*p), other));
    SAME(p->value, a.value);
    struct item *q = (void *)((char *)head.next - offsetof(__typeof__(a), other));
    SAME(q->value, p->value);
    struct list *l = (struct list *)((char *)p + offsetof(typeof(*p), link));
    SAME(l, &a.link);
}

/* The offset of a member of a record at offset 0. */
static void at_the_start(void) {
    struct outer o = {.value = &y};
    struct list *l = &o.first.link;
    struct outer *p = (struct outer *)((char *)l - offsetof(struct outer, first.link));
    SAME(p->value, o.value);
}

/* Forward makes a pointer to a member, from which there is a way back. */
static void there_and_back(void) {
    struct item b = {.value = &z};
    struct list *l = (struct list *)((char *)&b + offsetof(struct item, link));
    struct item *p = (struct item *)((char *)l - offsetof(struct item, link));
    SAME(p->value, b.value);
}

static void as_subscript(void) {
    struct item c = {.value = &x};
    struct list *l = (struct list *)&((char *)&c)[offsetof(struct item, link)];
    SAME(l, &c.link);
    struct item *p = (struct item *)&((char *)l)[-(ptrdiff_t)offsetof(struct item, link)];
    SAME(p->value, c.value);
    struct item *q = (struct item *)((char *)l + -(ptrdiff_t)offsetof(struct item, link));
    SAME(q->value, p->value);
}

static void in_integers(void) {
    struct item d = {.value = &y};
    struct list *l = (struct list *)((uintptr_t)&d + offsetof(struct item, link));
    SAME(l, &d.link);
    struct item *p = (struct item *)((uintptr_t)l - offsetof(struct item, link));
    SAME(p->value, d.value);
    struct list *m = (struct list *)(offsetof(struct item, other) + (uintptr_t)p);
    SAME(m, &d.other);
    APART(m, l);
}

static void written_out(void) {
    struct item e = {.value = &z};
    struct list *l = &e.link;
    struct item *p = (void *)((char *)l - ((char *)&((struct item *)0)->link - (char *)0));
    SAME(p->value, e.value);
}

/* An offset that was a number before. */
static void by_numbers(void) {
    static const struct {
        const char *name;
        size_t offset;
    } table[] = {{"value", offsetof(struct item, value)}};
    struct item f = {.value = &x};
    size_t offset = offsetof(struct item, other);
    struct list *l = &f.other;
    struct item *p = (struct item *)((char *)l - offset);
    SAME(p, &f);
    int **q = (int **)((char *)&f + table[0].offset);
    SAME(*q, f.value);
}

int main(void) {
    in_typeof();
    at_the_start();
    there_and_back();
    as_subscript();
    in_integers();
    written_out();
    by_numbers();
    return CHECKED;
}
