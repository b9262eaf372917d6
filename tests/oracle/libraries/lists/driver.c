/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

struct node {
    int *value;
    struct node *next;
};

struct node *push(struct node *list, int *value);
int *find(struct node *list, int *value);
int **slot_of_newest(void);
int *value_of_newest(void);
void drop(struct node *list);

int main(void) {
    int a = 1, b = 2, c = 3;
    struct node own = {&a, NULL};
    struct node *list = push(&own, &b);
    list = push(list, &c);
    int *found = find(list, &a);
    *slot_of_newest() = found;
    int *got = value_of_newest();
    list->next->next = NULL;
    drop(list);
    return *got - 1;
}
