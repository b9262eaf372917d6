/* Two pointers and the objects that both may point to; ways through many functions. */
#include <stdlib.h>

char *mk(void) {
    char *p = 0;
    while (1) {
        p = realloc(p, 10);
        if (p) return p;
    }
}

struct node {
    struct node *next;
    int *value;
};
static int one, two, three;
static struct node *list;
int *far;

static int *a(int *v) {
    return v;
}
static int *b(int *v) {
    return a(v);
}
static int *c(int *v) {
    return b(v);
}
static int *d(int *v) {
    return c(v);
}

static void push(int *value) {
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->next = list;
    list = n;
}

static struct node *skip(struct node *from) {
    struct node *kept = from->next;
    struct node **at = &kept->next, *found = (*at)->next;
    return found->next->next;
}

struct pair {
    int first, second;
};

int main(int argc, char **argv) {
    static struct pair both;
    char *q = mk();
    char *r = q;
    int *same = argc > 1 ? &one : argc > 2 ? &two : &three;
    int *other = argc > 3 ? &two : &three;
    int *apart = &both.first, *second = &both.second, *again = &both.second;
    int *unset;
    int *copy = unset;
    push(&one);
    push(other);
    far = d(skip(list)->value);
    free(r);
    return *same + *copy + *apart + *second + *again + argv[1][0];
}
