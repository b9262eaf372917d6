/* Second names of functions and variables, in all the ways that gcc and clang have. */
#include "check.h"

static int x, y, z;

static int *impl(void) {
    return &x;
}
int *plain(void) __attribute__((alias("impl")));
extern __typeof(impl) hidden __attribute__((alias("impl"), visibility("hidden")));
#define weak_alias(old, new) extern __typeof(old) new __attribute__((__weak__, __alias__(#old)))
weak_alias(impl, weak);
int *chain(void) __attribute__((alias("weak")));
static int *local(void) __attribute__((alias("impl"), unused));
int *label(void) __asm__("impl");

int *early(int *p); /* said to be an alias behind its first use */
int *use_early(int *p) {
    return early(p);
}
int *outer(int *p) {
    return p;
}
int *early(int *p) __attribute__((alias("outer")));

#pragma weak by_pragma = outer
int *by_pragma(int *p);
_Pragma("weak by_operator = outer") int *by_operator(int *p);
extern int *renamed(int *p);
#pragma redefine_extname renamed outer
static __typeof(outer) referred __attribute__((weakref("outer")));
__asm__(".globl by_set\n\t.set by_set, outer");
int *by_set(int *p);
__asm__(".globl by_sign; by_sign = outer\n");
int *by_sign(int *p);
int *written(int *p) __asm__("lettered");
int *written(int *p) {
    return p;
}
int *to_label(int *p) __attribute__((alias("lettered")));

int *variable = &x;
extern int *other __attribute__((alias("variable")));
#pragma weak third = variable
extern int *third;
static struct {
    int n;
    int *p;
} record;
extern __typeof(record) same_record __attribute__((alias("record")));

struct pair {
    int *a, *b;
};
static struct pair swap(struct pair given) {
    return (struct pair){given.b, given.a};
}
static int *first_of(struct pair *p, ...) {
    __builtin_va_list list;
    __builtin_va_start(list, p);
    int *q = __builtin_va_arg(list, int *);
    __builtin_va_end(list);
    return p->a ? p->a : q;
}
static void *choose_swap(void) {
    return swap;
}
struct pair chosen(struct pair given) __attribute__((ifunc("choose_swap")));
static int *(*choose_first(void))(struct pair *, ...) {
    return first_of;
}
int *first(struct pair *p, ...) __attribute__((ifunc("choose_first")));

int main(void) {
    int *p = &y;
    int *q = plain();
    INTO(q, x);
    int *(*f)(void) = plain;
    int *(*h)(void) = impl;
    SAME(f, h);
    q = f();
    INTO(q, x);
    q = hidden();
    INTO(q, x);
    q = weak();
    INTO(q, x);
    q = chain();
    INTO(q, x);
    q = local();
    INTO(q, x);
    q = label();
    INTO(q, x);
    APART(q, p);
    int *r = use_early(p);
    SAME(r, p);
    r = by_pragma(p);
    SAME(r, p);
    r = by_operator(p);
    SAME(r, p);
    r = renamed(p);
    SAME(r, p);
    r = referred(p);
    SAME(r, p);
    r = by_set(p);
    SAME(r, p);
    r = by_sign(p);
    SAME(r, p);
    r = to_label(p);
    SAME(r, p);
    APART(r, q);
    int *(*g)(int *) = by_set;
    r = g(p);
    SAME(r, p);
    other = p;
    SAME(variable, p);
    SAME(third, p);
    record.p = &z;
    int *s = same_record.p;
    INTO(s, z);
    APART(s, p);
    struct pair in = {&x, &y}, out = chosen(in);
    s = out.a;
    SAME(s, p);
    APART(s, in.a);
    s = first(&in, p);
    SAME(s, in.a);
    in.a = 0;
    s = first(&in, &z);
    INTO(s, z);
    return CHECKED;
}
