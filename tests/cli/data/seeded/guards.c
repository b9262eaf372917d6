/* Null constants of locals and arguments: those that are read whatever happens are shown and marked
 * as a bug; those that are read under a condition are guarded, true or not. */
#include <stddef.h>
#include <stdlib.h>

struct item {
    struct item *next;
    int value;
};

static struct item items[3] = {{&items[1], 1}, {&items[2], 2}, {NULL, 3}};

/* ---- locals ---- */

static int list_of(int n) {
    struct item *head = NULL, *last = NULL;
    for (int i = 0; i < n; i++) {
        struct item *it = malloc(sizeof *it);
        if (!it) exit(1);
        it->value = i;
        it->next = NULL;
        if (!head)
            head = it;
        else
            last->next = it;
        last = it;
    }
    return head ? head->value : 0;
}

static int before_first(int n) {
    struct item *before = NULL;
    int sum = 0;
    for (int i = 0; i < n; i++) {
        sum += before->value; /* bug */
        before = &items[0];
    }
    return sum;
}

static int never_found(int n) {
    struct item *it = NULL;
    for (int i = 0; i < 3; i++)
        if (items[i].value == n) it = &items[i];
    return it->value; /* bug */
}

static int found_by_number(int n) {
    struct item *it = NULL;
    for (int i = 0; i < 3; i++)
        if (items[i].value == n) it = &items[i];
    if (n > 0 && n < 4) return it->value; /* guarded, and false */
    return 0;
}

static int chosen(int n) {
    struct item *it = n > 1 ? &items[0] : NULL;
    if (n > 2) return it->value; /* guarded, and false */
    return 0;
}

static int chosen_always(int n) {
    struct item *it = n > 1 ? &items[0] : NULL;
    n += it->value; /* bug */
    return n;
}

static int null_only(int n) {
    struct item *it = NULL;
    if (n > 1) return it->value; /* bug */
    return 0;
}

/* ---- arguments ---- */

static int sum_of(const int *numbers, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) sum += numbers[i]; /* guarded, and false */
    return sum;
}

static int first_of(const int *numbers, int n) {
    n += numbers[0]; /* bug */
    return n;
}

static int value_if(const struct item *it, int wanted) {
    if (wanted) return it->value; /* guarded, and true */
    return 0;
}

static struct item *none(int n) {
    return n ? &items[0] : NULL;
}

static int value_of_result(const struct item *it, int wanted) {
    if (wanted) return it->value; /* bug */
    return 0;
}

/* ---- what a function makes of a null argument ---- */

static const int *value_in(const struct item *it) {
    if (it == NULL) return NULL;
    return &it->value;
}

static const int *value_in_either(const struct item *it, int n) {
    if (it == NULL || n < 2) return NULL;
    return &it->value;
}

static struct item *next_of(const struct item *it) {
    return it ? it->next : NULL;
}

typedef int (*test)(int);

static int run_value_in(int n) {
    return *value_in(&items[n ? 0 : 1]) + next_of(&items[0])->value;
}
static int run_value_in_either(int n) {
    return *value_in_either(&items[0], n); /* bug */
}

static int run_sum_of(int n) {
    int one[] = {1};
    return n ? sum_of(one, 1) : sum_of(NULL, 0);
}
static int run_first_of(int n) {
    return first_of(NULL, n);
}
static int run_value_if(int n) {
    return value_if(NULL, n);
}
static int wanted_here;

static int value_if_wanted(const struct item *it) {
    if (wanted_here) return it->value; /* bug */
    return 0;
}

static int run_value_if_wanted(int n) {
    struct item *it;
    it = NULL;
    wanted_here = n;
    return value_if_wanted(it);
}
static int run_value_of_result(int n) {
    return value_of_result(none(n), 1);
}

/* Runs one of them, by its number, with an argument. */
int main(int n, char **words) {
    static const test tests[] = {
        list_of,      before_first,       never_found,         found_by_number,
        chosen,       null_only,          run_sum_of,          run_first_of,
        run_value_if, chosen_always,      run_value_of_result, run_value_if_wanted,
        run_value_in, run_value_in_either};
    if (n < 3) return (int)(sizeof tests / sizeof *tests);
    return tests[atoi(words[1])](atoi(words[2])) < 0;
}
