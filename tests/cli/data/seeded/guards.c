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
    if (wanted) return it->value; /* guarded, and true */
    return 0;
}

/* ---- what a function answers ---- */

/* Two, since a function whose result few callers test is thought less of. */
static struct item *find(int n) {
    for (int i = 0; i < 3; i++)
        if (items[i].value == n) return &items[i];
    return NULL;
}

static struct item *find_next(int n) {
    for (int i = 0; i < 2; i++)
        if (items[i].value == n) return items[i].next;
    return NULL;
}

static struct item *copy(int n) {
    struct item *it = n > 2 ? NULL : malloc(sizeof *it);
    if (!it) return NULL;
    it->value = n;
    return it;
}

static struct item *copy_by_call(int n) {
    struct item *it = copy(n);
    if (!it) return NULL;
    it->value++;
    return it;
}

static int get(int n, struct item **to) {
    *to = NULL;
    if (n > 2) return -1;
    *to = &items[n];
    return 0;
}

static int find_known(int n) {
    struct item *it = find(n);
    if (n < 1 || n > 3) return 0;
    return it->value; /* guarded, and false */
}

static int find_always(int n) {
    struct item *it = find(n);
    n += it->value; /* bug */
    return n;
}

static int find_null(int n) {
    struct item *it;
    if ((it = find_next(n)) != NULL || it->value > 0) return 1; /* bug */
    return 0;
}

static int find_behind_null(int n) {
    struct item *it = find_next(n);
    if (n > 4) return 0;
    if (it == NULL) n++;
    return it->value + n; /* bug */
}

static int copy_failed(int n) {
    struct item *it = copy_by_call(n);
    if (n > 1) return it->value; /* bug */
    free(it);
    return 0;
}

static int get_asked(int n) {
    struct item *it;
    if (get(n, &it) != 0) return 0;
    return it->value; /* guarded, and false */
}

static int get_always(int n) {
    struct item *it;
    get(n, &it);
    return it->value; /* bug */
}

static int nulled_in_a_row(int n) {
    struct item *one, *two;
    one = two = NULL;
    if (n > 1) one = two = &items[0];
    if (n > 2) return one->value; /* guarded, and false */
    return two != NULL;
}

static int nulled_argument(struct item *it, int n) {
    if (n > 1) it = NULL;
    if (n > 2) return 0;
    return it->value; /* guarded, and true */
}

static int run_nulled_argument(int n) {
    return nulled_argument(&items[0], n);
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
        list_of,      before_first,        never_found,         found_by_number,
        chosen,       null_only,           run_sum_of,          run_first_of,
        run_value_if, chosen_always,       run_value_of_result, run_value_if_wanted,
        run_value_in, run_value_in_either, find_known,          find_always,
        find_null,    find_behind_null,    copy_failed,         get_asked,
        get_always,   nulled_in_a_row,     run_nulled_argument};
    if (n < 3) return (int)(sizeof tests / sizeof *tests);
    return tests[atoi(words[1])](atoi(words[2])) < 0;
}
