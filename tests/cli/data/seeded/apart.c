/* Locals that are apart for a time, and memory that one function has for itself: what is
 * marked `bug` fails in some run, nothing else does. */
#include <setjmp.h>
#include <stdlib.h>

struct item {
    struct item *next;
    int value;
};

static struct item last = {NULL, 2}, first = {&last, 1};

/* One for each section: of a function whose result few callers test less is thought. */
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
MAYBE(maybe_g)

static struct item *kept;
static int count;

static void drop(void) {
    if (count++ > 5) kept = NULL;
}

static void fill(struct item **to, int i) {
    *to = maybe_a(i);
}

/* ---- before the address is taken ---- */

static int taken_later(int i) {
    struct item *p = maybe_a(i);
    if (!p) return 0;
    drop();
    i = p->value;
    fill(&p, 1);
    return i;
}

static int taken_before(int i) {
    struct item *p = maybe_a(1), **at = &p;
    if (!p) return 0;
    *at = maybe_a(i);
    return p->value; /* bug */
}

static int taken_around(int n) {
    struct item *p = maybe_a(1), **at = NULL;
    int sum = 0;
    if (!p) return 0;
    for (int i = 0; i < 2; i++) {
        if (at) *at = maybe_a(n);
        sum += p->value; /* bug */
        at = &p;
    }
    return sum;
}

static int next_of(struct item *const *at) {
    return *at != NULL;
}

static int valid(const struct item *p) {
    if (!p) return 0;
    return p->value > 0;
}

static int member_taken(int i) {
    struct item *p = maybe_g(i);
    int good = valid(p);
    if (!good) return 0;
    return next_of(&p->next);
}

static int member_taken_untested(int i) {
    struct item *p = maybe_g(i), **at = &p->next;
    int good = valid(p) || i == 0;
    if (!good) return 0;
    i = p->value; /* guarded, and true */
    return i + (at == NULL);
}

/* ---- records ---- */

struct holder {
    struct item *p;
    int n;
};

static int record_beside(int i) {
    struct holder one = {NULL, i}, two;
    static struct item *p;
    p = maybe_b(i);
    if (!p) return 0;
    two = one;
    return p->value + two.n;
}

static int record_over(int i) {
    struct holder one = {&first, 1}, two = {maybe_b(i), 1}, *to = &one;
    if (!to->p) return 0;
    one = two;
    return to->p->value; /* bug */
}

/* ---- setjmp ---- */

static jmp_buf place;

static void jump(int i) {
    if (i < 2) longjmp(place, 1);
}

static int jumped(int i) {
    struct item *p = maybe_c(i);
    if (!p) return 0;
    if (setjmp(place)) return p->value;
    jump(i);
    return 0;
}

static int jumped_again(int i) {
    struct item *p = &first;
    if (setjmp(place) != 0) return p->value; /* bug */
    p = maybe_c(i);
    jump(i);
    return p == NULL;
}

static int jumped_written(int i) {
    struct item *p = NULL;
    if (setjmp(place) == 0) {
        p = maybe_c(i);
        if (!p) return 0;
        i += p->value;
    }
    return i;
}

static int jumped_early(int i) {
    struct item *p = &first;
    int n = setjmp(place);
    if (n == 0) {
        p = maybe_c(i);
        jump(i);
        if (!p) return 0;
    }
    return p->value; /* bug */
}

static int jumped_first(int i) {
    struct item *p = NULL;
    drop();
    p = &first;
    if (setjmp(place)) return p->value;
    jump(i);
    return p->value;
}

static int jumped_static(int i) {
    static struct item *p;
    p = maybe_d(i);
    if (!p) return 0;
    if (setjmp(place)) return p->value;
    p = &last;
    longjmp(place, 1);
}

static int jumped_static_null(int i) {
    static struct item *p;
    p = maybe_d(1);
    if (!p) return 0;
    if (setjmp(place)) return p->value; /* bug */
    p = maybe_d(i);
    longjmp(place, 1);
}

/* ---- stored, and tested at once ---- */

struct file {
    struct item *it;
    struct item *other;
    struct item *given;
    int n;
};

static int closed;

static void close_file(struct file *file) {
    closed += file->n;
    free(file);
}

static int value_in(struct file *file) {
    return file->it->value;
}

static int value_given(struct file *file) {
    return file->given->value; /* bug */
}

static struct file *open_file(int i) {
    struct file *file = calloc(1, sizeof *file);
    if (!file) exit(1);
    file->it = maybe_e(i);
    if (file->it == NULL) {
        close_file(file);
        return NULL;
    }
    return file;
}

static int stored(int i) {
    struct file *file = open_file(i);
    return file ? value_in(file) : 0;
}

static int other_in(struct file *file) {
    return file->other->value; /* bug */
}

static struct file *open_other(int i) {
    struct file *file = calloc(1, sizeof *file);
    if (!file) exit(1);
    file->other = maybe_e(i);
    if (file->n == 0) return file;
    if (file->other == NULL) exit(1);
    return file;
}

static int stored_and_returned(int i) {
    return other_in(open_other(i));
}

static int stored_null(int i) {
    static struct item *it;
    it = maybe_e(i);
    if (it == NULL) return it->value; /* bug */
    return 0;
}

static int stored_before(int i) {
    static struct item *it;
    it = maybe_f(i);
    i = it->value; /* bug */
    if (it == NULL) return 1;
    return i;
}

static int stored_given(int i) {
    struct file *file = open_file(1);
    if (!file) return 0;
    file->given = maybe_f(i);
    i = value_given(file);
    if (file->given == NULL) return 1;
    return i;
}

static int stored_for_local(int i) {
    struct item *it = NULL, *found = &first;
    if (i > 1) fill(&it, 1);
    if (it) return it->value;
    it = maybe_f(i);
    if (it == NULL) {
        free(it);
        return 0;
    }
    fill(&found, 1);
    return it->value + (found != NULL);
}

typedef int (*test)(int);

/* Runs one of them, by its number, with an argument. */
int main(int n, char **words) {
    static const test tests[] = {
        member_taken,  member_taken_untested, taken_later,  taken_before,
        taken_around,  record_beside,         record_over,  jumped,
        jumped_again,  jumped_written,        jumped_early, jumped_first,
        jumped_static, jumped_static_null,    stored,       stored_and_returned,
        stored_null,   stored_before,         stored_given, stored_for_local};
    if (n < 3) return (int)(sizeof tests / sizeof *tests);
    return tests[atoi(words[1])](atoi(words[2])) < 0;
}
