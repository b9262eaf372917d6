/* Static tables: functions, strings, addresses of members, and one table in another. */
#include "check.h"

static int x, y;

struct op {
    const char *name;
    int *(*run)(int *);
    int *argument;
};
struct set {
    const struct op *ops;
    int **slot;
};

static int *left(int *p) { return p; }
static int *right(int *p) { return &y; }

static struct op ops[] = {
    {"left", left, &x},
    {.name = "right", .run = &right, .argument = 0},
};
static struct op single = {"single", left};
static const struct set all[2] = {[1] = {.ops = ops, .slot = &single.argument}};
static int *numbers[] = {&x, &y, (int *)0, &((int *)&x)[0]};
static int table[4] = {1, 2, 3, 4};
static int *end = &table[4], *begin = table + 1;

int main(void) {
    int *p = ops[0].run(ops[0].argument);
    INTO(p, x);
    int *q = all[1].ops[1].run(&x);
    INTO(q, y);
    single.argument = &y;
    SAME(*all[1].slot, single.argument);
    SAME(numbers[3], p);
    APART(begin, p);
    BLURRED(end, begin);
    const char *name = all[1].ops[0].name;
    SAME(name, ops[0].name);
    return CHECKED;
}
