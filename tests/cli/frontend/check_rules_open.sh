# Rules read a library as closed, unless an option says more: what a function without model is given
# it may return. In an open program no finding goes through code outside, and a warning says so.
cat >library.c <<'end'
#include <stddef.h>
int *hook(int *p);
void apart(const void *p, const void *q);
int first(int *given) {
    int *none = NULL, *got = hook(none);
    apart(given, got);
    return *got;
}
int second(void) {
    int *none = NULL;
    return *none;
}
end
show cflr check library.c --rules null --findings all
show cflr check library.c --rules null --findings all --world open
show cflr check library.c --rules null --findings all --no-alias apart
show cflr check -q library.c --rules null --findings all --no-alias apart --world closed
# Sources and sinks are the same edges in both worlds, also where a function without model is called
# through a pointer.
cat >through.c <<'end'
char *hook(char *in, char **out), *other(char *);
char *(*through)(char *, char **);
char *first(char *a, char **b) {
    char *r = hook(a, b);
    through = hook;
    other(r);
    return through(r, b);
}
end
cat >own.txt <<'end'
rule own "m"
    source hook: *ret
    source hook: *arg1
    sink hook other: *arg0
    sink hook: **arg1
end
for world in closed open; do
    cflr extract -q --world $world --rules own.txt through.c --to tsv | cut -f 3 |
        grep -e '^source' -e '^sink' | sort | uniq -c
done
