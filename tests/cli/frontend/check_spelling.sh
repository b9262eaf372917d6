# Expressions are spelled so that the reader knows them again: sizes, offsets and numbers, and casts
# where elements differ.
cat >spelled.c <<'end'
#include <stddef.h>
void same(const void *, const void *);
struct hdr { int a; char *p; double z; };
#define SIZE(x) (sizeof(x) / sizeof((x)[0]))
#define AT(p, off) ((void *)((char *)(p) + (off)))
int main(int n, char **v) {
    struct hdr h, *q = &h;
    double z[4];
    char buf[64], *p = buf;
    same(p + sizeof(struct hdr), buf);
    same((char *)q + offsetof(struct hdr, z), q);
    same(&((double *)&z)[1], z);
    same(&((char **)q)[1], q);
    same(&buf[sizeof   buf - 1], buf);
    same(p + SIZE(z), buf);
    same(AT(q, sizeof *q), q);
    same(p + _Alignof(double), &z[n ? 1 : 2]);
    same(_Generic(n, int: p, default: buf), buf);
    same(((struct hdr *)buf)->p, buf);
    same(p + -1, buf + 0x10);
    same(p + 'a', buf + 3u);
    same(p + sizeof(struct { int a_member_with_a_long_name, and_one_more_of_these; }), buf);
    return 0;
}
end
cflr check -q spelled.c --must-alias same |
    sed 's/: [a-zA-Z]*: must-alias/:/; s/: \(may\|no\) alias.*//'
