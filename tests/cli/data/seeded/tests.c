/* Tests of pointers that are not plain locals: a `bug` fails in some run, nothing else does. */
#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
    struct item *next;
    const char *name;
    int value;
};

static struct item last = {NULL, "last", 2}, first = {&last, "first", 1};

/* One for each section: a result that few callers test counts less (docs/reference/rules.md). */
#define MAYBE(name)                   \
    static struct item *name(int i) { \
        return i ? &first : NULL;     \
    }
MAYBE(maybe)
MAYBE(maybe_a)
MAYBE(maybe_b)
MAYBE(maybe_c)
MAYBE(maybe_d)
MAYBE(maybe_e)
MAYBE(maybe_f)
MAYBE(maybe_g)
MAYBE(maybe_h)

static void fill(struct item **to, int i) {
    *to = i > 1 ? NULL : maybe(i);
}

/* ---- static locals, globals, locals whose address is taken ---- */

static int static_local(int i) {
    static struct item *kept;
    if (i == 1)
        kept = NULL;
    else if (kept && kept->value)
        return 1;
    if (!kept) return 0;
    return kept->value;
}

static int static_changed(int i) {
    static struct item *kept;
    if (!kept) return 0;
    kept = maybe_a(i);
    return kept->value; /* bug */
}

static int address_taken(int i) {
    struct item *p = NULL;
    fill(&p, i);
    if (!p) return 0;
    return p->value;
}

static int address_changed(int i) {
    struct item *p = NULL;
    fill(&p, i);
    if (!p) return 0;
    fill(&p, 2);
    return p->value; /* bug */
}

static int address_pointer(int i) {
    struct item *p = maybe_a(i), **q = &p;
    if (!p) return 0;
    *q = maybe_a(0);
    return p->value; /* bug */
}

static int address_loop(int n) {
    struct item *p = maybe_a(1), **q = &p;
    int sum = 0;
    if (!p) return 0;
    for (int i = 0; i < n; i++) {
        sum += p->value; /* bug */
        *q = maybe_a(n - 2 - i);
    }
    return sum;
}

/* ---- setjmp ---- */

static jmp_buf place;

static int with_setjmp(int i) {
    const char *error = NULL;
    char out[90] = "";
    if (setjmp(place)) error = "x";
    if (error) strcpy(out, error);
    return out[0] + i;
}

static int setjmp_untested(int i) {
    const char *volatile error = NULL;
    const char *text = NULL;
    if (i) text = "text";
    if (setjmp(place)) error = "x";
    return text[0] + (error != NULL); /* bug */
}

static int setjmp_between(int i) {
    struct item *volatile p = maybe_b(i);
    if (!p) return 0;
    if (setjmp(place)) return p->value; /* bug */
    p = NULL;
    longjmp(place, 1);
}

/* ---- pointers made of the tested one ---- */

static int derived(int n) {
    char *packet = n > 3 ? malloc((size_t)n) : NULL, *payload = &packet[2];
    if (!packet) return 0;
    payload[0] = 1;
    n = payload[0];
    free(packet);
    return n;
}

static int derived_twice(int n) {
    char *packet = n > 3 ? malloc((size_t)n) : NULL, *payload = &packet[2], *header = payload;
    if (!packet) return 0;
    header[0] = 1;
    n = header[0];
    free(packet);
    return n;
}

static int derived_member(int i) {
    struct item *p = maybe_c(i);
    const char **name = &p->name;
    if (p == NULL) return 0;
    return **name;
}

static int derived_again(int i) {
    struct item *p = maybe_c(i), *q = p;
    p = maybe_c(1);
    if (!p) return 0;
    return q->value; /* bug */
}

static int copied(int i) {
    struct item *p = maybe_c(i), *q = p;
    if (q) return p->value;
    return 0;
}

static int copied_back(int i) {
    struct item *p = maybe_c(i), *q = p;
    if (q) {
        p = maybe_c(0 * i);
        return p->value; /* bug */
    }
    return 0;
}

static int chosen(int i) {
    struct item *x = maybe_c(i);
    const char *name = x ? x->name : NULL;
    if (name) return x->value + name[0];
    return 0;
}

static int chosen_otherwise(int i) {
    struct item *x = maybe_c(i);
    const char *name = x ? x->name : "none";
    if (name) return x->value; /* guarded, and true */
    return 0;
}

/* ---- flags ---- */

static int flag(int i) {
    struct item *p = maybe_d(i);
    bool good = p != NULL && p->value;
    if (good) return p->value;
    return 0;
}

static int flag_of_failure(int i) {
    struct item *p = maybe_d(i);
    int failed = !p;
    if (failed) return -1;
    return p->value;
}

static int flag_either(int i) {
    struct item *p = maybe_d(i);
    bool good = p != NULL || i < 1;
    if (good) return p->value; /* guarded, and true */
    return 0;
}

static int flag_of_older(int n) {
    int sum = 0;
    bool good = false;
    for (int i = n; i >= 0; i--) {
        struct item *p = maybe_h(i);
        if (good) sum += p->value; /* guarded, and true */
        good = p != NULL;
    }
    return sum;
}

static int flag_changed(int i) {
    struct item *p = maybe_h(i);
    bool good = p != NULL;
    good |= i < 1;
    if (good) return p->value; /* guarded, and true */
    return 0;
}

static int flag_narrow(int i) {
    struct item *p = i < 300 ? maybe_h(i) : NULL;
    int null = p ? 0 : 256;
    if (!(char)null) return p->value; /* guarded, and true */
    return 0;
}

/* ---- functions that test ---- */

static int valid(struct item *p) {
    return p != NULL && p->value;
}

static inline bool valid_deep(const struct item *p) {
    if (p == NULL) return false;
    printf("%d", p->value);
    return true;
}

static bool is_missing(struct item *p) {
    return !p;
}

static void require(struct item *p) {
    if (!p) {
        puts("nothing");
        exit(0);
    }
}

static bool valid_wrong(struct item *p) {
    return p != NULL || puts("nothing") > 0;
}

static bool valid_other(struct item *p) {
    p = p ? p : maybe_e(1);
    return p != NULL;
}

static int helper(int i) {
    struct item *p = maybe_e(i);
    if (!valid(p)) return 0;
    return p->value;
}

static int helper_deep(int i) {
    struct item *p = maybe_e(i);
    return valid_deep(p) ? p->value : 0;
}

static int helper_missing(int i) {
    struct item *p = maybe_e(i);
    if (is_missing(p)) return 0;
    return p->value;
}

static int helper_required(int i) {
    struct item *p = maybe_e(i);
    if (i > 100) require(p);
    if (i <= 100) return 0;
    require(p);
    return p->value;
}

static int helper_wrong(int i) {
    struct item *p = maybe_e(i);
    if (!valid_wrong(p)) return 0;
    return p->value; /* guarded, and true */
}

static int helper_other(int i) {
    struct item *p = maybe_e(i);
    if (!valid_other(p)) return 0;
    return p->value; /* guarded, and true */
}

/* ---- members ---- */

struct pair {
    struct item *a, *b;
    int n;
};

static int member(int i) {
    struct pair s = {maybe_f(i), maybe_f(1), 0};
    if (s.a) return s.a->value;
    return 0;
}

static int member_behind(struct pair *s) {
    if (!s->a) return 0;
    s->n++;
    s->b = NULL;
    if (strcmp(s->a->name, "none") == 0) return 1;
    return s->a->value;
}

static int member_changed(struct pair *s, struct pair *t) {
    if (!s->a) return 0;
    t->a = NULL;
    return s->a->value; /* bug */
}

static int member_elsewhere(struct pair *s, struct pair *t) {
    if (!s->a) return 0;
    s = t;
    return s->a->value; /* bug */
}

static int member_by_pointer(struct pair *s, struct item **to) {
    if (!s->a) return 0;
    *to = NULL;
    return s->a->value; /* bug */
}

static int element(int i) {
    struct item *table[2] = {maybe_f(i), maybe_f(1)};
    for (int k = 0; k < 2; k++)
        if (table[k]) i += table[k]->value;
    return i;
}

static int element_next(int i) {
    struct item *table[3] = {maybe_f(1), maybe_f(i), NULL};
    int k = 0;
    if (!table[k]) return 0;
    k++;
    return table[k]->value; /* bug */
}

union both {
    struct item *a, *b;
    long number;
};

static int member_as_number(union both *u) {
    if (!u->a) return 0;
    u->number = 0;
    return u->a->value; /* bug */
}

static int member_of_union(union both *u) {
    if (!u->a) return 0;
    u->b = NULL;
    return u->a->value; /* bug */
}

/* ---- with a call between ---- */

static struct item *shared;

static void drop(void) {
    shared = NULL;
}

static int global_pure(int i) {
    shared = maybe_g(i);
    if (!shared) return 0;
    printf("%zu", strlen(shared->name));
    return shared->value;
}

static int global_called(int i) {
    shared = maybe_g(i);
    if (!shared) return 0;
    drop();
    return shared->value; /* unlikely, and true */
}

static int member_given(struct pair *s) {
    if (!s->a) return 0;
    fill(&s->a, 2);
    return s->a->value; /* bug */
}

static void empty(struct pair *s) {
    s->a = NULL;
}

static int member_emptied(struct pair *s) {
    if (!s->a) return 0;
    empty(s);
    return s->a->value; /* bug */
}

static int byte_written(int i) {
    char bytes[2], *byte = &bytes[i & 1];
    struct item *p = NULL;
    fill(&p, i);
    if (!p) return 0;
    *byte = 1;
    return p->value + bytes[i & 1]; /* unlikely, and false */
}

static int member_called(struct pair *s) {
    if (!s->a) return 0;
    drop();
    return s->a->value; /* unlikely, and false */
}

static int run_member_given(int i) {
    struct pair s = {maybe_g(i), NULL, 0};
    return member_given(&s);
}
static int run_member_emptied(int i) {
    struct pair s = {maybe_g(i), NULL, 0};
    return member_emptied(&s);
}
static int run_member_called(int i) {
    struct pair s = {maybe_g(i), NULL, 0};
    return member_called(&s);
}

typedef int (*test)(int);

static int run_member_behind(int i) {
    struct pair s = {maybe_g(i), NULL, 0};
    return member_behind(&s);
}
static int run_member_changed(int i) {
    struct pair s = {maybe_g(i), NULL, 0};
    return member_changed(&s, &s);
}
static int run_member_elsewhere(int i) {
    struct pair s = {maybe_g(1), NULL, 0}, t = {maybe_g(i), NULL, 0};
    return member_elsewhere(&s, &t);
}
static int run_member_by_pointer(int i) {
    struct pair s = {maybe_g(i), NULL, 0};
    return member_by_pointer(&s, &s.a);
}
static int run_member_as_number(int i) {
    union both u = {maybe_g(i)};
    return member_as_number(&u);
}
static int run_member_of_union(int i) {
    union both u = {maybe_g(i)};
    return member_of_union(&u);
}

/* Runs one of them, by its number, with an argument. */
int main(int n, char **words) {
    static const test tests[] = {static_local,
                                 static_changed,
                                 address_taken,
                                 address_changed,
                                 address_pointer,
                                 address_loop,
                                 with_setjmp,
                                 setjmp_untested,
                                 setjmp_between,
                                 derived,
                                 derived_twice,
                                 derived_member,
                                 derived_again,
                                 copied,
                                 copied_back,
                                 chosen,
                                 chosen_otherwise,
                                 flag,
                                 flag_of_failure,
                                 flag_either,
                                 flag_of_older,
                                 flag_changed,
                                 flag_narrow,
                                 helper,
                                 helper_deep,
                                 helper_missing,
                                 helper_required,
                                 helper_wrong,
                                 helper_other,
                                 member,
                                 run_member_behind,
                                 run_member_changed,
                                 run_member_elsewhere,
                                 run_member_by_pointer,
                                 element,
                                 element_next,
                                 run_member_of_union,
                                 global_pure,
                                 global_called,
                                 run_member_given,
                                 run_member_emptied,
                                 run_member_called,
                                 byte_written,
                                 run_member_as_number};
    if (n < 3) return (int)(sizeof tests / sizeof *tests);
    test t = tests[atoi(words[1])];
    int sum = 0;
    for (int i = 0; i < 2; i++) sum += t(atoi(words[2]));
    return sum < 0;
}
