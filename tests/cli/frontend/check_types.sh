# What a wrapper of malloc returns is one object, or one for each type that callers make of it: a
# context that findings name.
cat >wrapper.c <<'end'
#include <stdlib.h>
void apart(void *, void *);
struct list { struct list *next; } *l, *m;
struct tree { struct tree *left; } *t;
static void *checked(void *p) { apart(p, l); return p; }
static void *get(size_t n) { return checked(malloc(n)); }
int main(void) {
    l = get(sizeof *l);
    m = get(sizeof *m);
    t = get(sizeof *t);
    apart(l, t);
    apart(l, m);
}
end
show cflr check -q wrapper.c --no-alias apart --aliasing any
show cflr check -q wrapper.c --no-alias apart --aliasing any --context types
cflr analyze -q wrapper.c --aliasing any --context types -o wrapper.cflr >/dev/null
cflr query -q wrapper.cflr 'points-to l'
cflr query -q wrapper.cflr 'alias l t'
