# A null pointer and a test of it, with and without --data-flow; functions that may return one.
cat >lookup.c <<'END'
#include <stdlib.h>
int length(const char *text);
int main(int n, char **arguments) {
    const char *home = NULL;
    if (n > 1) home = arguments[1];
    n = length(home);
    if (home) n += length(home);
    return n + length(getenv("HOME"));
}
END
for flow in '' --data-flow; do
    cflr analyze -q $flow -g nullflow lookup.c -o nulls.cflr >/dev/null || exit
    for place in 6:16 7:27; do
        printf '%s ' "$place"
        cflr query nulls.cflr "flows main::NULL lookup.c:$place" | tail -1
    done
    cflr extract -q $flow lookup.c -o lookup.cflg && cflr info lookup.cflg | grep null
done
exit 0
