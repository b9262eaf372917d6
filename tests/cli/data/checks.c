/* Checks of each kind: in a function with two callers, in a macro, one that cannot be asked. */
void may(const void *, const void *), same(const void *, const void *), apart();
#define DISJOINT(p, q) \
    do {               \
        apart(p, q);   \
        apart(q, p);   \
    } while (0)

static int x, y;
struct node {
    int *value;
    struct node *next;
};

static int *identity(int *p) {
    return p;
}

static void pair(int *p, int *q) {
    int own, *mine = &own;
    apart(p, q);
    same(mine, &own);
}

int main(void) {
    struct node second = {&y, 0}, first = {&x, &second};
    int *r = identity(&x), *s = identity(&y);
    apart(r, s);
    pair(&x, &y);
    pair(&y, &y);
    DISJOINT(first.value, first.next->value);
    may(first.next->value, s);
    may(&first, &second);
    apart(&x);
    return *r;
}
