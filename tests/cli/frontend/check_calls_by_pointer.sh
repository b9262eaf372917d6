# Values that go into and out of functions by calls through pointers, in words.
cat >hook.c <<'end'
#include <stdlib.h>
struct hooks { void *(*allocate)(size_t); void (*keep)(int *p); };
static void keep(int *p) { *p = 1; }
static struct hooks hooks = {malloc, keep};
int f(struct hooks *h) {
    int *p = h->allocate(4);
    return *p;
}
void g(struct hooks *h) { h->keep(NULL); }
int main(void) {
    g(&hooks);
    return f(&hooks);
}
end
cflr check -q hook.c --rules null | sed 's|/usr/.*:[0-9]*:[0-9]*:|stdlib.h:|'
# A local that is one variable before and behind a test is assigned to once; a path has no `..`.
mkdir tests
cat >tests/again.c <<'end'
#include "../again.h"
int main(int n, char **v) {
    int *p = v[0] ? again() : again();
    if (!p) fail();
    return *p + n;
}
end
printf 'int *again(void) { return 0; }\nvoid fail(void);\nint bad(void) { return nope; }\n' >again.h
show cflr check tests/again.c --rules null --findings all
