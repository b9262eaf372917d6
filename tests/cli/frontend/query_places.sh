# A place means what stands there, and the answer says what that is; where several expressions with
# different answers stand, the question is refused with how to ask for each.
cat >places.c <<'end'
#include <stdlib.h>
#include <string.h>
struct s { char *a; struct s *next; };
static char *pass(char *s) { return s; }
static char *second(char *s, char *t) { return s ? t : t; }
#define PASS(a, s) (pass(s))
#define TWICE(s) pass(PASS(0, s))
#define MEMBER(r) ((r)->next->a)
#define SAME(r) second((r)->a, (r)->a)
static int never(char *L) { return system(PASS(L, L)); }
char *(*chosen)(char *, char *) = second;
int main(int argc, char **argv) {
    char buf[4] = "x", *with_blank = buf + argc;
    struct s r = { argv[1], 0 }, *q = &r;
    r.next = q;
    char *one = TWICE(pass(argv[1]));
    char *two = second(one, MEMBER(q)), *three = SAME(q);
    char *four = chosen(two, (char *)buf);
    (void)never;
    return strlen(four) + strlen(three) + *with_blank;
}
end
cflr analyze places.c -q -o r.cflr -- -w >/dev/null || exit
ask() {
    for question; do
        echo "# $question"
        cflr query r.cflr "$question" 2>&1 | short_paths
    done
}
echo '## of a call: where it begins, its brackets, and the argument of a macro'
ask 'points-to places.c:10:43' 'points-to places.c:10:52' 'points-to places.c:10:51' \
    'points-to places.c:4:37'
echo '## declarations'
ask 'points-to places.c:10:24' 'points-to places.c:11:9' 'points-to places.c:13:10' \
    'points-to places.c:13:10:buf' 'points-to places.c:14:14' 'points-to places.c:16:11:one' \
    'points-to places.c:5:14' 'points-to places.c:5:14:second' 'points-to second' \
    'points-to places.c:10:12' 'points-to places.c:11:8'
echo '## several expressions'
ask 'points-to places.c:16:17' 'points-to places.c:16:17:pass()' 'points-to places.c:17:29' \
    'points-to places.c:18:18' 'points-to places.c:18:18:chosen()' \
    'points-to places.c:18:18:chosen' \
    'alias places.c:18:18 places.c:17:29'
echo '## several with one answer'
ask 'points-to places.c:17:50' 'alias places.c:17:50 main::argv'
echo '## a call without a pointer'
ask 'points-to places.c:10:36'
echo '## names that are not there'
ask 'points-to places.c:16' 'points-to places.c:16:' 'points-to places.c:16:one:' \
    'points-to main::' \
    'points-to ""' 'points-to places.c:16:18' 'points-to places.c:16:17:two'
echo '## explained'
for question in 'points-to places.c:10:43' 'points-to places.c:16:17' \
    'alias places.c:13:10 main::with_blank' 'points-to places.c:18:18' \
    'places.c:18:18 calls second' 'places.c:18:41 calls second' 'places.c:17:17 calls second'; do
    echo "# $question"
    cflr explain -q r.cflr "$question" 2>&1 | short_paths
done
echo '## calls through the same pointer: each begins where it is'
cat >again.c <<'end'
static int x;
static int *pick(int a) { return a ? &x : 0; }
static int *(*fp)(int) = pick;
static int *(*tab[2])(int) = {pick, pick};
int main(int n, char **v) {
    int *a = fp(n), *b = (*fp)(n);
    int *c = fp(n + 1);
    int *d = tab[0](n);
    int *e = tab[0](n + 1), *f = (fp)(n);
    (void)v;
    return *a + *b + *c + *d + *e + *f;
}
end
cflr analyze again.c -q -o again.cflr -- -w >/dev/null || exit
for place in 6:14 6:26 7:14 '7:14:fp()' 7:22 8:14 9:14 '9:14:tab[0]()' 9:34; do
    echo "# $place"
    cflr query again.cflr "points-to again.c:$place" 2>&1 | short_paths
done
echo '## JSON'
cflr query -q r.cflr 'alias places.c:10:43 places.c:16:17:pass()' --format json |
    grep -E '"(asked|name|alike|answer)"'
cflr explain -q r.cflr 'points-to places.c:16:17:pass()' --format json | grep -E '"(asked|alike)"'
cflr query -q r.cflr 'points-to places.c:18:18' --format json
echo "exit code $?"
