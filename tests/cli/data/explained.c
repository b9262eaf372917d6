/* Values in a list, a record, copies of the library; and one that code without a model returns. */
#include <stdlib.h>
#include <string.h>

struct node {
    int *value;
    struct node *next;
};
static struct node *list;
int x, y, z;
int *last;
int *fetch(const char *key);

static void push(int *value) {
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->next = list;
    list = n;
}

static int *first(void) {
    return list->next->value;
}

static void show(int *p) {
    last = p;
}

int main(void) {
    void (*print)(int *) = show;
    int *copy, *other = &y, *given = fetch("x");
    struct node one = {&z, 0};
    push(&x);
    last = first();
    memcpy(&copy, &last, sizeof copy);
    print(copy);
    return *other + *given + *one.value;
}
