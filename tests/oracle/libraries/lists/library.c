/* SPDX-License-Identifier: Apache-2.0 */
/* A list that callers fill: what they give, what the library makes, what it keeps to itself. */
#include <stdlib.h>

struct node {
    int *value;
    struct node *next;
};

static struct node *newest;
static int hidden;

struct node *push(struct node *list, int *value) {
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->next = list;
    newest = n;
    return n;
}

int *find(struct node *list, int *value) {
    for (struct node *n = list; n; n = n->next)
        if (n->value == value) return n->value;
    return NULL;
}

int **slot_of_newest(void) {
    return &newest->value;
}

int *value_of_newest(void) {
    int *mine = &hidden, **to = &mine;
    **to = 1;
    return newest->value;
}

void drop(struct node *list) {
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
}
