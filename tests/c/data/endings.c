/* Functions that never return, and those that may: what comes after a call of the former is not reached. */
#include <setjmp.h>
#include <stddef.h>
#include <stdlib.h>

#include "check.h"

static int x, never;
static jmp_buf back;
enum { NO, YES };

/* ---- which end ---- */

static void for_ever(void) {
    for (;;) x++;
}
static void while_true(int n) {
    while (YES) {
        if (n) continue;
        switch (n) {
            case 0:
                break; /* of the switch */
            default:
                x++;
        }
        for (int i = 0; i < 3; i++)
            if (x) break; /* of the inner loop */
        do {
            x--;
        } while (x);
    }
}
static int do_true(void) {
    do x++;
    while (1);
    return 0; /* never comes here */
}
static void jumps_back(int n) {
again:
    if (n) goto other;
    goto again;
other:
    goto again;
}
static void on_both_ways(int n) {
    if (n)
        exit(1);
    else
        for_ever();
}
static void on_each_case(int n) {
    switch (n) {
        case 1:
            exit(1);
        case 2:
            for_ever();
        default:
            abort();
    }
}
static void by_another(int n) {
    n ? on_both_ways(n) : for_ever();
    return;
}
static void jumps_out(void) {
    longjmp(back, 1);
}
static void unreachable(int n) {
    if (n) jumps_out();
    __builtin_unreachable();
}
_Noreturn static void declared(int n) {
    if (n) exit(1);
    for_ever();
}
static int with_result(int n) {
    if (n) return (exit(1), n);
    exit(2);
}

/* ---- which may return ---- */

static void one_break(int n) {
    for (;;) {
        if (n) break;
        x++;
    }
}
static void one_goto(int n) {
    while (1) {
        for (;;)
            if (n) goto out;
    }
out:;
}
static void one_return(int n) {
    for (;;)
        if (n) return;
}
static void one_case(int n) {
    switch (n) {
        case 1:
            exit(1);
        case 2:
            abort();
    }
}
static void one_way(int n) {
    if (n) exit(1);
}
static void only_inside(int n) {
    (void)(n && (exit(1), 1));
}
__attribute__((weak)) void replaced(void) {
    for (;;) x++;
}
static void takes(__attribute__((noreturn)) void (*handler)(void)) {
    if (!handler) x++;
}
typedef void quits(void) __attribute__((noreturn));
static quits *gives(void) {
    return for_ever;
}
static void loop_of_condition(int n) {
    while (n) n--;
}

/* ---- through pointers ---- */

struct operations {
    void (*__attribute__((noreturn)) die)(const char *);
    void (*say)(const char *);
    __attribute__((noreturn)) void (*table[2])(void);
};

static void by_pointers(struct operations *o, quits *fail, int *p, int *q, int *r, int *s, int *t) {
    if (!p) o->die("p");
    SOLID(p);
    if (!q) fail();
    SOLID(q);
    if (!r) (*o->die)("r");
    SOLID(r);
    if (!s) o->table[1]();
    SOLID(s);
    if (!t) o->say("t");
    NULLED(t);
}

static void end(int *a, int *b, int *c, int *d, int *e, int *f, int *g) {
    if (!a) for_ever();
    SOLID(a);
    if (!b) while_true(1);
    SOLID(b);
    if (!c) do_true();
    SOLID(c);
    if (!d) jumps_back(1);
    SOLID(d);
    if (!e) on_both_ways(1);
    SOLID(e);
    if (!f) on_each_case(1);
    SOLID(f);
    if (!g) by_another(1);
    SOLID(g);
}

static void end_too(int *a, int *b, int *c, int *d) {
    if (!a) jumps_out();
    SOLID(a);
    if (!b) unreachable(1);
    SOLID(b);
    if (!c) declared(1);
    SOLID(c);
    if (!d) x = with_result(1);
    SOLID(d);
}

static void return_(int *a, int *b, int *c, int *d, int *e, int *f, int *g) {
    if (!a) one_break(1);
    NULLED(a);
    if (!b) one_goto(1);
    NULLED(b);
    if (!c) one_return(1);
    NULLED(c);
    if (!d) one_case(0);
    NULLED(d);
    if (!e) one_way(0);
    NULLED(e);
    if (!f) only_inside(0);
    NULLED(f);
    if (!g) takes(NULL);
    NULLED(g);
}

static void return_too(int *a, int *b, int *c) {
    if (!a) gives();
    NULLED(a);
    if (!b) loop_of_condition(1);
    NULLED(b);
    if (!c) replaced();
    UNSURE(c);
}

static void says(const char *text) {
    if (!text) x++;
}

int main(void) {
    struct operations o = {NULL, says, {NULL, NULL}};
    by_pointers(&o, NULL, &x, &x, &x, &x, NULL);
    if (never) by_pointers(&o, NULL, NULL, NULL, NULL, NULL, NULL);
    end(&x, &x, &x, &x, &x, &x, &x);
    if (never) end(NULL, NULL, NULL, NULL, NULL, NULL, NULL);
    end_too(&x, &x, &x, &x);
    if (never) end_too(NULL, NULL, NULL, NULL);
    return_(NULL, NULL, NULL, NULL, NULL, NULL, NULL);
    return_too(NULL, NULL, &x);
    if (never) return_too(NULL, NULL, NULL);
    return CHECKED;
}
