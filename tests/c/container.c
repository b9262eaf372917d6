/* offsetof: from a record to a member, and from a member back to its record. */
#include "check.h"
#include <stddef.h>

static int x, y, z;

struct list {
    struct list *next;
    struct list *prev;
};
struct item {
    int key;
    struct list link;
    int *value;
    struct list other;
};
struct thing {
    int *data;
    struct list link;
};

#define container_of(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))
#define old_container(p, type, member) ((type *)((char *)(p) - (size_t) & ((type *)0)->member))

static void add(struct list *head, struct list *link) {
    link->next = head->next;
    head->next = link;
}

int main(void) {
    struct list head = {0};
    struct item a = {.value = &x};
    struct thing b = {&y};
    add(&head, &a.link);
    struct list *l = head.next;
    struct item *p = container_of(l, struct item, link);
    SAME(p, &a);
    SAME(p->value, a.value);
    struct thing *q = container_of(&b.link, struct thing, link);
    SAME(q->data, b.data);
    APART(q->data, p->value);
    struct item *r = old_container(&a.other.prev, struct item, other.prev);
    SAME(r, p);
    struct list *forward = (struct list *)((char *)&a + offsetof(struct item, other));
    SAME(forward, &a.other);
    APART(forward, l);
    struct item c = {.value = &z};
    struct item *s = container_of(&c.link, struct item, link);
    APART(s, p);
    return CHECKED;
}
