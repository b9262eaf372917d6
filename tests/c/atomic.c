/* Atomics: _Atomic objects, the C11 functions, __atomic and __sync builtins. */
#include "check.h"
#include <stdatomic.h>
#include <stdint.h>

static int x, y, z;

struct node {
    int tag;
    _Atomic(struct node *) next;
    int *value;
};

static void plain(void) {
    _Atomic(int *) a = &x;
    int *p = a;
    INTO(p, x);
    a = &y;
    int *q = a;
    INTO(q, y);
}

static void standard(void) {
    struct node n = {.value = &z};
    struct node m;
    atomic_init(&m.next, &n);
    struct node *p = atomic_load(&m.next);
    SAME(p->value, n.value);
    struct node *q = atomic_exchange(&m.next, (struct node *)0);
    SAME(q, p);
    struct node *expected = 0;
    atomic_compare_exchange_strong(&m.next, &expected, &m);
    struct node *r = atomic_load_explicit(&m.next, memory_order_acquire);
    SAME(r, &m);
}

static void builtins(void) {
    int *a = &x;
    int *b = __atomic_load_n(&a, __ATOMIC_SEQ_CST);
    INTO(b, x);
    __atomic_store_n(&a, &y, __ATOMIC_SEQ_CST);
    int *c = __atomic_exchange_n(&a, &z, __ATOMIC_SEQ_CST);
    INTO(c, y);
    int *d;
    __atomic_load(&a, &d, __ATOMIC_SEQ_CST);
    INTO(d, z);
    int *e = &y;
    int *f = &z;
    __atomic_compare_exchange_n(&a, &f, e, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    INTO(a, y);
    int n = 0;
    __atomic_fetch_add(&n, 1, __ATOMIC_SEQ_CST);
}

static void old_builtins(void) {
    int *a = &x;
    int *b = __sync_val_compare_and_swap(&a, a, &y);
    INTO(b, x);
    INTO(a, y);
    int *c = __sync_lock_test_and_set(&a, &z);
    INTO(c, y);
    __sync_synchronize();
    __sync_bool_compare_and_swap(&a, a, b);
    INTO(a, x);
}

int main(void) {
    plain();
    standard();
    builtins();
    old_builtins();
    return CHECKED;
}
