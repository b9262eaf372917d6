/* A null pointer that is followed, in each rank. */
#include <stdlib.h>

struct item {
    int value;
    struct item *next;
};

/* direct: by argument and result; twice, from one source */
static struct item *find(struct item *list, int value) {
    for (; list; list = list->next)
        if (list->value == value) return list;
    return NULL;
}

static int show(struct item *item) {
    return item->value;
}

static int direct(struct item *list) {
    struct item *one = find(list, 1), *two = find(list, 2);
    return show(one) + two->next->value;
}

/* variable: what main stored there */
struct holder {
    int *kept;
};

static int variable(const struct holder *holder) {
    return *holder->kept;
}

/* untested: the allocator ends the program, and its callers know that */
static void (*out_of_memory)(void) = abort;

static void *allocate(size_t size) {
    void *memory = malloc(size);
    if (!memory) {
        out_of_memory();
        return NULL;
    }
    return memory;
}

static struct item *make(int value, struct item *next) {
    struct item *item = allocate(sizeof *item);
    item->value = value;
    item->next = next;
    return item;
}

static int *number(void) {
    int *n = allocate(sizeof *n);
    *n = 1;
    return n;
}

static char *letter(void) {
    char *c = allocate(1);
    *c = 'a';
    return c;
}

static double *real(void) {
    double *d = allocate(sizeof *d);
    *d = 1;
    return d;
}

/* calls: one caller's null comes back to another */
static int *either(int *first, int *second) {
    return first ? first : second;
}

static int calls(int *n) {
    return *either(n, n);
}

/* object: the end of a list of one kind of items */
static int object(const struct item *list) {
    return list->next->value;
}

/* initial: null at first only, and no test shows that */
static struct holder late;

static int initial(void) {
    return *late.kept;
}

/* memory: one of many values */
static struct holder any;

static int memory(void) {
    return *any.kept;
}

int main(void) {
    struct holder holder;
    struct item *list = make(1, make(2, NULL));
    int one = 1, two = 2, three = 3, four = 4, *n = &one;
    late.kept = NULL;
    late.kept = n;
    any.kept = malloc(sizeof *any.kept);
    any.kept = n;
    any.kept = &two;
    any.kept = &three;
    any.kept = &four;
    holder.kept = malloc(sizeof *holder.kept);
    if (either(n, NULL) != n) return 1;
    return direct(list) + variable(&holder) + *letter() + (int)*real() + *number() + calls(n) +
           object(list) + initial() + memory();
}
