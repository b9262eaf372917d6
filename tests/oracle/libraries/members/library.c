/* SPDX-License-Identifier: Apache-2.0 */
/* Objects of which code outside gets the address of a member, and reads and writes the rest. */
#include <stddef.h>
#include <stdlib.h>

struct link {
    int *label;
    struct link *next;
};

struct item {
    int *what;
    struct {
        int *left, *right;
    } sides;
    struct link in;
    int *many[3];
};

void visit(struct link *l, int **out);
void visit_right(int **right, int **out);
void visit_many(int **many, int **out);
struct link **list_of_theirs(void);
void visit_theirs(void);

static struct item global, rows[2], stepped;
static int one = 1, two = 2, three = 3, four = 4, five = 5, six = 6;

/* The member of an allocated record, under a second name. */
int by_heap(void) {
    struct item *same = malloc(sizeof *same), *item = same;
    int *out = NULL;
    if (!item) return 0;
    same->what = &one;
    visit(&item->in, &out);
    int *found = same->many[0], sum = found == out ? *found : 0;
    free(item);
    return sum;
}

int by_global(void) {
    int *out = NULL;
    global.what = &two;
    visit_right(&global.sides.right, &out);
    return global.sides.left == out ? *global.sides.left : 0;
}

int by_element(int i) {
    struct item local = {.what = &three};
    int *out = NULL;
    visit_many(&local.many[i], &out);
    int *found = local.sides.left;
    return found == out ? *found : 0;
}

/* A member of a member of what a member of an allocated record points to. */
int by_nested(void) {
    struct {
        int *first;
        struct item *inner;
    } *outer = malloc(sizeof *outer);
    int *out = NULL;
    if (!outer) return 0;
    struct item *inner = outer->inner = calloc(1, sizeof *inner);
    if (!inner) return 0;
    inner->what = &four;
    visit_right(&outer->inner->sides.right, &out);
    int sum = inner->sides.left == out ? *inner->sides.left : 0;
    free(inner);
    free(outer);
    return sum;
}

/* Steps back to the record, and forth to another member. */
int by_step_back(void) {
    int **right = &stepped.sides.right, *out = NULL;
    stepped.what = &five;
    struct item *again = (struct item *)((char *)right - offsetof(struct item, sides.right));
    visit(&again->in, &out);
    return stepped.many[0] == out ? *stepped.many[0] : 0;
}

/* Stored in memory of the outside. */
int by_storing(void) {
    struct item *item = &rows[1];
    item->what = &six;
    *list_of_theirs() = &item->in;
    visit_theirs();
    return *rows[1].many[0];
}
