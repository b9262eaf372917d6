/* Tests of local pointers: what they show holds where they decide. */
#include <stddef.h>
#include <stdlib.h>

#include "check.h"

static int x;

struct node {
    struct node *next;
    int *value;
};

static struct node tail = {NULL, NULL}, head = {&tail, &x};

static void die(void) __attribute__((noreturn));
static void die(void) {
    exit(1);
}
_Noreturn static void end(void) {
    exit(1);
}


/* Nobody says so of these, but for their bodies. */
static void fail(const char *why) {
    if (why) x++;
    exit(1);
}
static void complain(void) {
    fail("no");
}
static void perhaps(int n) {
    if (n == 0) return;
    exit(1);
}
static void again(int n) {
    if (n == 0) again(n - 1);
    again(n);
}

static void bodies(int *p, int *q, int *r, int *s) {
    if (!p) fail(NULL);
    SOLID(p);
    if (!q) complain();
    SOLID(q);
    if (!r) perhaps(0);
    NULLED(r);
    if (!s && x) again(1);
    UNSURE(s);
}

/* What is read where nothing comes changes nothing. */
static void unreached(int *p, int *q, int *r) {
    if (!p) return;
    if (0) *p = 1;
    SOLID(p);
    if (!q) {
        fail(NULL);
        q = r;
        x = *q;
    }
    SOLID(q);
    while (1) {
        if (!r) return;
        SOLID(r);
        if (x < 0) continue;
        break;
        r = r + *r;
    }
    SOLID(r);
}

static void branches(int *p, int *q) {
    NULLED(p);
    UNSURE(q);
    if (p) SOLID(p);
    if (q) SOLID(q);
    if (q != NULL) SOLID(q);
    if (NULL != q) SOLID(q);
    if (!!q) SOLID(q);
    if (!(q == 0)) SOLID(q);
    if (__builtin_expect(q != NULL, 1)) SOLID(q);
    if (!p) {
        NULLED(p);
    } else {
        SOLID(p);
    }
    if (p == NULL) p = &x;
    SOLID(p);
    if (q) SOLID(q);
    UNSURE(q);
    q ? (void)0 : die();
    SOLID(q);
}

/* What a macro makes of a test, and tests that assign. */
static int *found(int *p, int *q, int *r) {
    int *slot;
    if ((p != NULL) != 0) SOLID(p);
    if (__builtin_expect(((p == NULL) != 0), 0)) NULLED(p);
    if ((q == NULL) == 0) SOLID(q);
    if (0 != (q == NULL)) return NULL;
    SOLID(q);
    if (0 == !!r) return NULL;
    SOLID(r);
    if (x == 0) UNSURE(p);
    if (x ? 0 : p != NULL) SOLID(p);
    if (x ? (slot = NULL, 0) : (slot = p, slot != NULL)) SOLID(slot);
    if (x ? (slot = q, 1) : (slot = NULL, 0)) SOLID(slot);
    if (!(x ? p == NULL : p == NULL)) SOLID(p);
    if (x ? p != NULL : x == 0) UNSURE(p);
    return q;
}

static void leaving(int *p, int *q, int *r, int *s, int *t) {
    if (!p) return;
    SOLID(p);
    if (q == NULL) die();
    SOLID(q);
    if (NULL == r) end();
    SOLID(r);
    if (!s) {
        x++;
        abort();
    }
    SOLID(s);
    while (1) {
        if (t) break;
        t = p;
        SOLID(t);
    }
    SOLID(t);
}

static void connected(int *p, int *q, int *none) {
    if (p && q) SOLID(p);
    if (p && q) SOLID(q);
    if (p || q) UNSURE(p);
    if (!p || !q) return;
    SOLID(p);
    SOLID(q);
    if (none && x) SOLID(none);
    if (none || p) NULLED(none);
    if ((p && x) || (q && p)) SOLID(p);
    int *chosen = none ? none : p;
    SOLID(chosen);
    chosen = none ?: q;
    SOLID(chosen);
    if (x, p) SOLID(p);
    int both = none && (SOLID(none), *none);
    x = both;
}

static void loops(struct node *list, struct node *other, int *p) {
    while (list) {
        SOLID(list);
        list = list->next;
    }
    NULLED(list);
    for (struct node *n = &head; n; n = n->next) SOLID(n);
    for (struct node *n = &head; n != NULL && n->next; n = n->next) SOLID(n);
    do {
        SOLID(other);
        other = other->next;
    } while (other != NULL);
    while (!p) p = &x;
    SOLID(p);
    while (p) {
        SOLID(p);
        if (x == 0) break;
    }
}

static int *give(int full) {
    return full ? &x : NULL;
}

static void assigned(int *q) {
    int *p, *r, n = 1;
    if ((p = give(1))) SOLID(p);
    if ((p = give(1)) != NULL) SOLID(p);
    if (!(p = give(1))) return;
    SOLID(p);
    p = give(0);
    NULLED(p);
    if ((p = r = q)) SOLID(p);
    if ((p = r = q)) SOLID(r);
    if ((p = r = q)) SOLID(q);
    while ((r = give(n-- > 0)) != NULL) SOLID(r);
    if (q && (q = give(0)) == NULL) NULLED(q);
}

/* What may change between the test and the use, others see. */
static int *global = &x;

static void limits(struct node *n) {
    int *taken = give(1), **at = &taken;
    if (global) UNSURE(global);
    if (n->value) UNSURE(n->value);
    if (taken) UNSURE(taken);
    *at = NULL;
    NULLED(taken);
    if (n->value == NULL) return;
    int *copy = n->value;
    SOLID(copy);
    n = &head;
    copy = n->value;
    UNSURE(copy);
    if (copy) SOLID(copy);
}

static void elsewhere(void) {
    global = NULL;
    head.value = NULL;
}

static void jumps(int *p, int n) {
    switch (n) {
        case 0:
            if (!p) break;
            SOLID(p);
            goto out;
        default:
            UNSURE(p);
    }
    return;
out:
    SOLID(p);
}

int main(void) {
    branches(NULL, &x);
    if (x) branches(&x, NULL);
    bodies(&x, &x, NULL, &x);
    if (x) bodies(NULL, NULL, NULL, NULL);
    unreached(&x, &x, &x);
    if (x) unreached(NULL, NULL, NULL);
    found(&x, &x, &x);
    found(NULL, &x, NULL);
    if (x) found(&x, NULL, NULL);
    leaving(&x, &x, &x, &x, NULL);
    if (x) leaving(NULL, NULL, NULL, NULL, NULL);
    connected(&x, &x, NULL);
    if (x) connected(NULL, NULL, NULL);
    loops(&head, &head, NULL);
    assigned(&x);
    if (x) assigned(NULL);
    limits(&head);
    elsewhere();
    jumps(&x, 0);
    jumps(&x, 1);
    if (x) jumps(NULL, 0);
    return CHECKED;
}
