# Where a null goes: asked in names of the source.
cat >null.c <<'end'
#include <stddef.h>
static char text[] = "x";
static char *find(int wanted) { return wanted ? text : NULL; }
int main(int n, char **arguments) {
    char *found = find(n), *first = arguments[0];
    return found[0] + first[0];
}
end
cflr analyze -q null.c -g nullflow -o null.cflr >/dev/null || exit
show cflr query null.cflr 'flows find::NULL main::found'
show cflr query null.cflr 'flows find::NULL main::first'
