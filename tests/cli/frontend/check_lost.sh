# Answers that depend on a value which is not followed say so, and tell the cause and the place.
cat >lost.c <<'end'
#include <unistd.h>
void apart(const void *, const void *);
void same(const void *, const void *);
int *first(void), *second(void);
static int x, y;
static int *receive(int file) {
    int *p;
    return read(file, &p, sizeof p) > 0 ? p : &y;
}
int main(int c, char **v) {
    int *got = receive(0), *own = &x, *other = &y, *a = first(), *b = second();
    apart(got, own);
    same(got, own);
    same(got, other);
    apart(own, other);
    same(a, b);
    apart(a, own);
    return 0;
}
end
cat >place.c <<'end'
#include <unistd.h>
static int *x, y, z;
int main(void) {
    int **place, *p = &y, *q = &z;
    read(0, &place, sizeof place);
    *place = q;
    return *x + *p;
}
end
cflr check -q lost.c --may-alias same --no-alias apart
echo "exit code $?"
cflr check -q lost.c --may-alias same
echo "exit code $?"
grep -v 'apart(\|same(' lost.c >plain.c # which are functions without model for all other commands
cflr analyze -q plain.c -o lost.cflr >/dev/null
for question in 'alias main::got main::own' 'alias main::got receive::p' \
        'alias main::own main::other' \
    'alias main::a main::b' 'points-to main::got' 'aliases main::got'; do
    echo "# $question"
    cflr query lost.cflr "$question" || echo "exit code $?"
done 2>&1 | short_paths
cflr query lost.cflr 'alias main::got main::own' 'alias main::a main::b' --format json |
    grep -E '"(answer|through|name)"'

# A store through such a value may be one to anything, which is printed with each answer.
cflr analyze -q place.c -o place.cflr >/dev/null
cflr query place.cflr 'alias main::p main::q' 2>&1 | short_paths

# A pointer that is put into narrower integers and made of these again.
cflr check -q narrow.c --no-alias apart

# What was not read is printed with each no.
printf '#include "gone.h"\nint x, y;\nint main(void) { int *p = &x, *q = &y; return *p + *q; }\n' \
    >degraded.c
cflr analyze -q degraded.c -o degraded.cflr >/dev/null
cflr query degraded.cflr 'alias main::p main::q' 2>&1 | short_paths
cflr check degraded.c --rules command 2>&1 | short_paths

# Aliases alone tell that a value is lost, too.
cflr extract -q narrow.c -o narrow.cflg >/dev/null
cflr solve -q -g pointer-fs narrow.cflg --from get::return -o part.cflr >/dev/null
cflr query part.cflr 'alias get::return put::p' 2>&1 | short_paths
