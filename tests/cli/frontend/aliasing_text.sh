# Which copies of characters carry pointers with --aliasing text, and what a `no` rests on.
cat >text.c <<'END'
#include <stddef.h>
#include <string.h>
#include <unistd.h>
struct r { char name[16]; int *a; };
struct line { char *text; };
struct queue { char *bytes; };
int x, y, z, w;
char kept[64];
struct line one = {kept}, other = {kept};
struct queue queue = {kept};
static void loop(void *to, const void *from, size_t n) {
    unsigned char *t = to;
    const unsigned char *f = from;
    while (n--) *t++ = *f++;
}
static void bytes(char *to, const char *from, size_t n) { memcpy(to, from, n); }
static void put(struct queue *q, const void *item, size_t n) { memcpy(q->bytes, item, n); }
static void text(struct line *to, const struct line *from) { memcpy(to->text, from->text, 8); }
static int *parameter(struct r v) {
    struct r copied;
    loop(&copied, &v, sizeof v);
    return copied.a;
}
int main(int argc, char **argv) {
    struct r from_x = {"", &x}, from_y = {"", &y}, from_z = {"", &z};
    struct r by_loop, by_bytes, by_local, by_name, taken;
    loop(&by_loop, &from_x, sizeof by_loop);                        /* made by the function */
    bytes((char *)&by_bytes, (char *)&from_y, sizeof by_bytes);     /* handed over */
    char *local = (char *)&by_local;
    memcpy(local, (char *)&from_z, sizeof by_local);                /* made of a record here */
    put(&queue, &from_x, sizeof from_x);                            /* handed over as a void * */
    memcpy(by_name.name, argv[0], 3);                               /* text that begins a record */
    one.text = (char *)&from_y;
    other.text = (char *)&taken;
    text(&other, &one);                                             /* members: taken for text */
    int *a = by_loop.a, *b = by_bytes.a, *c = by_local.a, *d = taken.a, *e = by_name.a;
    int *f = parameter(from_z);
    return f == a || a == b || c == d || e == &w;
}
END
for how in strict text; do
    cflr analyze -q --aliasing "$how" text.c -o "$how.cflr" | grep aliasing
    for p in a b c d e f; do show cflr query "$how.cflr" "points-to main::$p"; done
done
show cflr query text.cflr 'alias main::d main::a' 'alias main::d argv' --format json
