/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

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

int by_heap(void);
int by_global(void);
int by_element(int i);
int by_nested(void);
int by_step_back(void);
int by_storing(void);

static struct link *theirs;

/* Puts what the record holds into another member of it, and hands it back. */
static void pass_on(struct item *item, int **to, int **out) {
    *to = item->what;
    *out = *to;
}

void visit(struct link *l, int **out) {
    struct item *item = (struct item *)((char *)l - offsetof(struct item, in));
    pass_on(item, &item->many[0], out);
}

void visit_right(int **right, int **out) {
    struct item *item = (struct item *)((char *)right - offsetof(struct item, sides.right));
    pass_on(item, &item->sides.left, out);
}

void visit_many(int **many, int **out) {
    struct item *item = (struct item *)((char *)many - offsetof(struct item, many[1]));
    pass_on(item, &item->sides.left, out);
}

struct link **list_of_theirs(void) {
    return &theirs;
}

void visit_theirs(void) {
    int *out;
    visit(theirs, &out);
}

int main(void) {
    int sum = by_heap() + by_global() + by_element(1) + by_nested() + by_step_back() + by_storing();
    return sum == 1 + 2 + 3 + 4 + 5 + 6 ? 0 : 1;
}
