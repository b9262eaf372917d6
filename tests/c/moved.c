/* Pointers that are moved by numbers: from member to member, behind headers and back, by offsets that a variable, a
 * table or an argument holds. */
#include "check.h"
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static int x, y, z;

struct node {
    struct node *left, *right;
};
struct item {
    int *value;
    long key;
    struct node node;
};
struct other {
    struct node node;
    int *value;
};
struct tree {
    struct node *root;
    size_t offset;
};

/* A tree that knows where in its records the nodes are. */
static void insert(struct tree *t, void *record) {
    struct node *n = (struct node *)((char *)record + t->offset);
    n->left = t->root;
    t->root = n;
}

static void *record_of(const struct tree *t, struct node *n) {
    return (char *)n - t->offset;
}

static void offsets_in_members(void) {
    struct tree t = {0, offsetof(struct item, node)};
    struct item a = {&x, 1, {0, 0}}, b = {&y, 2, {0, 0}};
    insert(&t, &a);
    insert(&t, &b);
    struct item *found = record_of(&t, t.root->left);
    SAME(t.root->left, &a.node);
    SAME(found, &a);
    SAME(found->value, a.value);
}

static void offsets_in_variables(size_t n) {
    struct item c = {&z, 3, {0, 0}};
    size_t offset = offsetof(struct item, node);
    struct node *l = (struct node *)((char *)&c + offset);
    SAME(l, &c.node);
    struct item *back = (struct item *)((char *)l - offset);
    SAME(back->value, c.value);
    char *walk = (char *)&c;
    walk += n;
    struct node *m = (struct node *)walk;
    SAME(m, &c.node);
    struct item *same = (struct item *)((uintptr_t)m - n);
    SAME(same->value, c.value);
}

static void differences(void) {
    struct other d = {{0, 0}, &x};
    ptrdiff_t distance = (char *)&d.value - (char *)&d;
    int **v = (int **)((char *)&d + distance);
    SAME(*v, d.value);
    struct other *o = (struct other *)((char *)v - distance);
    SAME(o, &d);
}

/* Headers in front of what callers get. */
struct head {
    size_t size;
    int *owner;
    char payload[];
};

static void *allocate(size_t n) {
    struct head *h = malloc(sizeof *h + n);
    h->owner = &y;
    return h->payload;
}

static char *allocate_text(size_t n) {
    struct head *h = malloc(sizeof *h + n);
    h->owner = &z;
    return (char *)(h + 1);
}

static struct head *head_of(void *payload) {
    return (struct head *)payload - 1;
}

static void headers(void) {
    char *p = allocate(8), *q = allocate_text(8);
    struct head *first = (struct head *)(p - sizeof(struct head));
    SAME(first->owner, &y);
    int *by_index = ((struct head *)p)[-1].owner;
    SAME(by_index, &y);
    int *by_call = head_of(p)->owner;
    SAME(by_call, &y);
    struct head *h = (struct head *)(void *)p;
    h--;
    SAME(h->owner, &y);
    int *behind = head_of(q)->owner;
    SAME(behind, &z);
    int *by_mask = ((struct head *)((uintptr_t)(p - sizeof(struct head)) & ~(uintptr_t)7))->owner;
    SAME(by_mask, &y);
    free(head_of(p));
    free(head_of(q));
}

/* Parts of records. */
static void parts(void) {
    struct item from = {&x, 1, {0, 0}}, to = {0}, last = {0};
    from.node.right = &from.node;
    memcpy((char *)&to + 8, (char *)&from + 8, sizeof from - 8);
    SAME(to.node.right, from.node.right);
    char *d = (char *)&last;
    memcpy(d + offsetof(struct item, node.right), &from.node.right, sizeof from.node.right);
    SAME(last.node.right, from.node.right);
    int **v = (int **)((char *)&from + 0);
    SAME(*v, from.value);
    long *words = (long *)((char *)&last + 16);
    words[1] = (long)&y;
    int *word = (int *)last.node.right;
    SAME(word, &y);
}

/* Elements of an array stay where they are. */
static void elements(size_t n) {
    struct item list[2] = {{&x, 1, {0, 0}}, {&y, 2, {0, 0}}};
    struct item *p = (struct item *)((char *)list + n * sizeof *list);
    SAME(p->value, list[1].value);
    char text[8] = "moved", *t = text;
    t += n;
    INTO(t, text);
}

/* Integers that were pointers, and moved without a cast. */
static void integers(size_t n) {
    struct item a = {&x, 1, {0, 0}};
    a.node.right = &a.node;
    uintptr_t u = (uintptr_t)&a;
    struct node **right = (struct node **)(offsetof(struct item, node.right) + u);
    SAME(*right, a.node.right);
    struct node *by_constant = (struct node *)(u + 16);
    SAME(by_constant, &a.node);
    struct node *by_variable = (struct node *)(n + u);
    SAME(by_variable, &a.node);
    u += n;
    struct node *later = (struct node *)u;
    SAME(later, &a.node);
    u -= n;
    struct item *back = (struct item *)u;
    SAME(back->value, &x);
}

/* By numbers that are less than 0. */
struct part {
    const int *to_top;
};
struct whole {
    int *value;
    struct part first;
    long between;
    struct part second;
};

static void *top(const struct part *p) {
    return (char *)p + *p->to_top;
}

static void less_than_0(void) {
    static const int one = -(int)offsetof(struct whole, first);
    static const int two = -(int)offsetof(struct whole, second);
    struct whole w = {&z, {&one}, 0, {&two}};
    struct whole *found = top(&w.second);
    SAME(found, &w);
    SAME(found->value, w.value);
    ptrdiff_t distance = (char *)&w.value - (char *)&w.between;
    int **v = (int **)((char *)&w.between + distance);
    SAME(*v, w.value);
    unsigned up = sizeof w - sizeof w.second;
    int **again = (int **)((char *)&w.second - up);
    SAME(*again, w.value);
}

/* From the address of a member to another one. */
struct row {
    int *first, *second, *third;
};

static void members(int n) {
    struct row r = {&x, &y, &z}, *p = &r;
    SAME((&r.first)[1], r.second);
    int *third = *(&p->first + 2);
    SAME(third, r.third);
    int *before = (&p->third)[-1];
    SAME(before, r.second);
    APART(before, r.third);
    int *any = (&r.first)[n];
    SAME(any, r.third);
}

/* Records behind a header, and two headers. */
static void more_headers(void) {
    struct header {
        size_t n;
        int *owner;
    } *h = malloc(sizeof *h + sizeof(struct row));
    h->owner = &x;
    struct row *r = (struct row *)(h + 1);
    r->first = &y, r->second = &z;
    struct row *same = (struct row *)(void *)((char *)h + sizeof *h);
    SAME(same->second, r->second);
    int *owner = ((struct header *)r)[-1].owner;
    SAME(owner, h->owner);
    free(h);
    struct header *two = malloc(2 * sizeof *two + 8), *second = (void *)((char *)two + sizeof *two);
    two->owner = &x, second->owner = &y;
    char *text = (char *)(second + 1);
    int *first_owner = ((struct header *)text)[-2].owner;
    SAME(first_owner, two->owner);
    free(two);
}

int main(void) {
    integers(offsetof(struct item, node));
    less_than_0();
    members(2);
    more_headers();
    offsets_in_members();
    offsets_in_variables(offsetof(struct item, node));
    differences();
    headers();
    parts();
    elements(1);
    return CHECKED;
}
