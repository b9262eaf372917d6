/* With --arrays constant: initialisers put each value into its element. */
#include "../check.h"

static int x, y, z, u;

struct pair {
    int *key;
    int *value;
};

struct table {
    int n;
    int *slot[3];
    struct pair in[2];
    int *end;
};

static int *list[] = {&x, &y, &z};
static int *m[2][2] = {{&x, &y}, {&z, &u}};
static int *flat[2][2] = {&x, &y, &z, &u};
static struct table braces = {1, {&x, &y, &z}, {{&x, &y}, {&z, &u}}, &x};
static struct table none = {1, &x, &y, &z, &x, &y, &z, &u, &x};
static struct pair pairs[3] = {[1].value = &x, &y, [0] = {&z, &u}};

extern int *later[];

static int *from_later(void) {
    return later[1];
}

int *later[3] = {&x, &y, &z};

static void plain(void) {
    INTO(list[1], y);
    APART(list[0], list[1]);
    APART(m[0][1], m[1][0]);
    INTO(m[1][0], z);
    INTO(flat[1][1], u);
    APART(flat[1][1], flat[1][0]);
}

static void members(void) {
    INTO(braces.slot[2], z);
    APART(braces.slot[2], braces.slot[1]);
    APART(braces.in[0].value, braces.in[1].value);
    INTO(braces.end, x);
    INTO(none.slot[2], z);
    SAME(none.in[1].value, braces.in[1].value);
    APART(none.in[0].value, none.in[1].value);
    SAME(none.end, braces.end);
}

static void designators(void) {
    int *a[4] = {[2] = &x, &y, [0] = &z};
    INTO(a[2], x);
    INTO(a[3], y);
    APART(a[2], a[3]);
    APART(a[0], a[2]);
    INTO(pairs[1].value, x);
    INTO(pairs[2].key, y);
    INTO(pairs[0].value, u);
    APART(pairs[0].value, pairs[1].value);
    struct table t = {.slot[1] = &x, &y, .in[1].key = &z, &u};
    INTO(t.slot[2], y);
    INTO(t.in[1].value, u);
    APART(t.slot[1], t.slot[2]);
}

/* An item for several elements may go to any. */
static void ranges(void) {
    int *a[4] = {[1 ... 2] = &x, &y};
    struct pair t[3] = {[0 ... 1] = {&x, &y}, {&z, &u}};
    INTO(a[1], x);
    INTO(a[2], x);
    INTO(a[3], y);
    BLURRED(a[2], a[3]);
    INTO(t[1].value, y);
    INTO(t[2].key, z);
    APART(t[1].key, t[1].value);
}

static void literals(void) {
    int **p = (int *[]){&x, &y};
    struct table t = (struct table){.slot = {&x, &y}, .end = &z};
    INTO(p[1], y);
    INTO(t.slot[1], y);
    APART(t.slot[1], t.slot[0]);
}

static void elsewhere(void) {
    int *seen = from_later();
    INTO(seen, y);
    APART(later[0], later[1]);
}

int main(void) {
    plain();
    members();
    designators();
    ranges();
    literals();
    elsewhere();
    return CHECKED;
}
