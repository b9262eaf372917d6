# Values that nothing but null ever comes to. One function hands out all memory, and what is read
# from a table that nothing fills is written over the first member of a record: with one object for
# the memory of both lists it comes back as the next element of the other list, with an object for
# each type, or each call, it does not.
cat >never.c <<'end'
#include <stdlib.h>
void apart(const void *, const void *);
struct line { struct line *below; };
struct entry { char *label; struct entry *older; };
static struct { char *label; struct entry *newest; } table[8];
static void *memory(size_t n) { return malloc(n < 64 ? 64 : n); }
static void turn(void) {
    struct line *top = NULL, *line = memory(sizeof *line), *below;
    line->below = NULL;
    for (; line; line = below) {
        below = line->below;
        line->below = top;
        top = line;
    }
    apart(table[0].label, line);
    apart(table[0].label, top);
}
static void label(int i) {
    table[i].newest = memory(sizeof(struct entry));
    table[i].newest->older = NULL;
    for (struct entry *e = table[i].newest; e; e = e->older) e->label = table[i].label;
}
int main(void) {
    turn();
    label(3);
}
end
show cflr check -q never.c --no-alias apart --aliasing any
show cflr check -q never.c --no-alias apart --aliasing any --context types
show cflr check -q never.c --no-alias apart --aliasing any --context heap
# A pointer that nothing is ever stored in is followed: what is stored behind it is what is read
# behind it. No run comes there, so that the check holds in all of them, and fails here.
cat >unset.c <<'end'
#include <stdlib.h>
void apart(const void *, const void *);
struct store { void **first; };
static struct store *store;
static void work(void) {}
static void fill(void) {
    void **cell = calloc(1, sizeof *cell);
    if (store) {
        store->first = cell;
        *store->first = (void *)work;
    }
}
static void *take(void) { return store ? *store->first : NULL; }
int main(void) {
    fill();
    apart(take(), (void *)work);
}
end
show cflr check -q unset.c --no-alias apart --aliasing any
