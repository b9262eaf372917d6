/* Flags that go with pointers, and pointers that are the same: what is marked as a bug, or as
 * guarded (docs/reference/rules.md, Ranks), fails in some run, and nothing else does. */
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

/* Few callers for each: of a function whose result few callers test less is thought
 * (docs/reference/rules.md, Ranks). */
#define MAYBE(name)                   \
    static struct item *name(int i) { \
        return i ? &first : NULL;     \
    }
MAYBE(maybe_a)
MAYBE(maybe_b)
MAYBE(maybe_c)
MAYBE(maybe_d)
MAYBE(maybe_e)
MAYBE(maybe_f)

/* ---- flags that are set in several places ---- */

static int places(int i) {
    struct item *p = maybe_a(i);
    bool good = false;
    if (p) good = true;
    if (good) return p->value;
    return 0;
}

static int places_more(int i) {
    struct item *p = maybe_a(i);
    bool good = false;
    if (p) good = true;
    if (i == 0) good = true;
    if (good) return p->value; /* guarded, and true */
    return 0;
}

static int places_late(int i) {
    struct item *p = maybe_a(1);
    bool good = false;
    if (p) good = true;
    p = maybe_a(i);
    if (good) return p->value; /* guarded, and true */
    return 0;
}

enum code { FINE, NO_MEMORY = 7, WRAPS = 256 };

static int code(int i) {
    struct item *p = maybe_b(i);
    int status = FINE;
    if (p == NULL) status = NO_MEMORY;
    if (status == FINE) return p->value;
    return 0;
}

static int code_again(int i) {
    struct item *p = maybe_b(i);
    int status = FINE;
    if (p == NULL) status = NO_MEMORY;
    if (status != FINE && i == 0) status = FINE;
    if (status == FINE) return p->value; /* guarded, and true */
    return 0;
}

static int code_narrow(int i) {
    struct item *p = maybe_f(i);
    char status = FINE;
    if (p == NULL) status = (char)WRAPS;
    if (!status) return p->value; /* guarded, and true */
    return 0;
}

static int code_chosen(int i) {
    struct item *p = maybe_f(i);
    char status = (char)(p ? FINE : WRAPS);
    if (!status) return p->value; /* guarded, and true */
    return 0;
}

static int found(int i) {
    static struct item table[2] = {{NULL, "a", 1}, {NULL, "b", 2}};
    struct item *p = NULL;
    bool any = false;
    for (int k = 0; k < 2; k++) {
        if (table[k].value != i) continue;
        p = &table[k];
        any = true;
    }
    if (any) return p->value;
    return 0;
}

static int found_none(int i) {
    static struct item table[2] = {{NULL, "a", 1}, {NULL, "b", 2}};
    struct item *p = NULL;
    bool any = false;
    for (int k = 0; k < 2; k++) {
        if (table[k].value == i) p = &table[k];
        any = true;
    }
    if (any) return p->value; /* guarded, and true */
    return 0;
}

/* ---- several flags ---- */

static int both(int i) {
    struct item *p = maybe_c(i), *q = maybe_c(1);
    int has_p = p != NULL, has_q = q != NULL;
    if (has_p && has_q) return p->value + q->value;
    return 0;
}

static int either(int i) {
    struct item *p = maybe_c(i), *q = maybe_c(1);
    int has_p = p != NULL, has_q = q != NULL;
    if (has_p || has_q) return p->value; /* guarded, and true */
    return 0;
}

static int through_two(int i) {
    struct item *p = maybe_c(i);
    int has = p != NULL, ready = has;
    if (ready) return p->value;
    return 0;
}

/* ---- pointers that go with one another ---- */

static int beside(const char *name) {
    char buffer[8] = "buffer", *text;
    if (name)
        text = buffer;
    else
        text = NULL;
    if (name && text[0]) return 1;
    return 0;
}

static int beside_other(const char *name) {
    char buffer[8] = "buffer", *text;
    if (name)
        text = buffer;
    else
        text = NULL;
    name = "other";
    if (name && text[0]) return 1; /* guarded, and true */
    return 0;
}

static int behind(struct item **to) {
    struct item *it = NULL;
    if (to) it = *to;
    if (it) *to = it->next;
    return it != NULL;
}

static int behind_other(struct item **to) {
    struct item *it = &last;
    if (to) it = *to;
    if (it) *to = it->next; /* guarded, and true */
    return it != NULL;
}

static int run_beside(int i) {
    return beside(i ? "name" : NULL);
}
static int run_beside_other(int i) {
    return beside_other(i ? "name" : NULL);
}
static int run_behind(int i) {
    struct item *it = &first;
    return behind(i ? &it : NULL);
}
static int run_behind_other(int i) {
    struct item *it = &first;
    return behind_other(i ? &it : NULL);
}

/* ---- the same pointer ---- */

static int same(int i) {
    struct item *p = maybe_d(i), *q = maybe_d(1);
    if (!q) return 0;
    if (p == q) return p->value;
    return 0;
}

static int same_not(int i) {
    struct item *p = maybe_d(i), *q = maybe_d(1);
    if (!q) return 0;
    if (p != q) return p->value; /* guarded, and true */
    return 0;
}

static int same_null(int i) {
    struct item *p = maybe_d(i), *q = maybe_d(i);
    if (p == q) return p->value; /* guarded, and true */
    return 0;
}

static int same_later(int i) {
    struct item *p = maybe_d(i), *q = maybe_d(i);
    if (p != q) return 0;
    if (!q) return 0;
    return p->value;
}

static int same_address(int i) {
    struct item *p = maybe_e(i);
    return p == &first ? p->value : 0;
}

static int same_address_not(int i) {
    struct item *p = maybe_e(i);
    return p != &first ? p->value : 0; /* guarded, and true */
}

static int same_member(int i) {
    struct item **p = i > 1 ? &first.next : NULL;
    struct item *q = i > 2 ? &first : NULL;
    if (p == &q->next) return q->value; /* guarded, and true */
    return 0;
}

typedef int (*test)(int);

/* Runs one of them, by its number, with an argument. */
int main(int n, char **words) {
    static const test tests[] = {places,
                                 places_more,
                                 places_late,
                                 code,
                                 code_again,
                                 code_narrow,
                                 code_chosen,
                                 found,
                                 found_none,
                                 both,
                                 either,
                                 through_two,
                                 run_beside,
                                 run_behind,
                                 run_beside_other,
                                 run_behind_other,
                                 same,
                                 same_not,
                                 same_null,
                                 same_later,
                                 same_address,
                                 same_address_not,
                                 same_member};
    if (n < 3) return (int)(sizeof tests / sizeof *tests);
    return tests[atoi(words[1])](atoi(words[2])) < 0;
}
