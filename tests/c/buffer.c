/* Memory of any type in arrays of characters, and records that no text completes. */
#include "check.h"
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static int x, y;

struct message {
    int kind;
    void (*handler)(int **);
    int *argument;
};

/* A ring of bytes. */
static unsigned char ring[256];
static unsigned in, out;

static void put(const void *p, unsigned n) {
    const unsigned char *s = p;
    for (unsigned i = 0; i < n; i++) ring[(in + i) % 256] = s[i];
    in += n;
}

static void get(void *p, unsigned n) {
    unsigned char *d = p;
    for (unsigned i = 0; i < n; i++) d[i] = ring[(out + i) % 256];
    out += n;
}

static void handler(int **o) {
    *o = &y;
}

static void ring_of_bytes(void) {
    struct message m = {1, handler, &x}, r;
    put(&m, sizeof m);
    get(&r, sizeof r);
    SAME(r.argument, m.argument);
    int *o = 0;
    r.handler(&o);
    SAME(o, &y);
}

/* One in a record, which functions of the library fill. */
struct queue {
    unsigned n;
    char bytes[64];
};

static void push(struct queue *q, const void *p, size_t n) {
    memcpy(q->bytes + q->n, p, n);
    q->n += (unsigned)n;
}

static void pop(struct queue *q, void *p, size_t n) {
    q->n -= (unsigned)n;
    memcpy(p, q->bytes + q->n, n);
}

static void queue_of_bytes(void) {
    static struct queue q;
    struct message m = {2, handler, &y}, r;
    push(&q, &m, sizeof m);
    pop(&q, &r, sizeof r);
    SAME(r.argument, m.argument);
}

/* One in a record, filled byte by byte. */
static void store(struct queue *q, const void *p, size_t n) {
    const char *s = p;
    while (n--) q->bytes[q->n++] = *s++;
}

static void load(struct queue *q, void *p, size_t n) {
    char *d = (char *)p + n;
    while (n--) *--d = q->bytes[--q->n];
}

static void queue_by_bytes(void) {
    static struct queue q;
    struct message m = {3, handler, &x}, r;
    store(&q, &m, sizeof m);
    load(&q, &r, sizeof r);
    SAME(r.argument, m.argument);
}

/* A copy by characters that the library makes. */
static void characters(void *to, const void *from, size_t n) {
    unsigned char *t = to;
    const unsigned char *f = from;
    memcpy(t, f, n);
}

static void copied_characters(void) {
    struct message m = {4, handler, &x}, r;
    characters(&r, &m, sizeof m);
    SAME(r.argument, m.argument);
}

/* No text completes this one. */
typedef struct closed closed;
struct opened {
    int *first;
    long n;
    int *second;
};

static void copy_closed(closed *to, const closed *from, size_t n) {
    memcpy(to, from, n);
}

static void move_closed(closed *to, closed *from, size_t n) {
    memmove(to, from, n);
}

static closed *clone_closed(const closed *from, size_t n) {
    closed *to = malloc(n);
    memcpy(to, from, n);
    return to;
}

static void copies_of_closed(void) {
    struct opened a = {&x, 1, &y}, b, c;
    copy_closed((closed *)&b, (closed *)&a, sizeof a);
    SAME(b.second, a.second);
    move_closed((closed *)&c, (closed *)&b, sizeof b);
    SAME(c.first, a.first);
    struct opened *d = (struct opened *)clone_closed((closed *)&c, sizeof c);
    SAME(d->second, a.second);
    free(d);
}

/* The halves of complex numbers are places. */
static double _Complex number;

static double *half(double _Complex *c) {
    return &__imag__ *c;
}

static void halves(void) {
    double *real = &__real__ number, *imaginary = &__imag__ number;
    double *second = &((double *)&number)[1];
    SAME(second, imaginary);
    double *by_call = half(&number);
    SAME(by_call, imaginary);
    APART(real, imaginary);
    INTO(real, number);
}

/* By members of unions, by floating point and vectors, by records that hold no pointer. */
struct three {
    long n;
    int *first, *second;
};
union mixed {
    struct three record;
    unsigned char raw[sizeof(struct three)];
    struct {
        unsigned low, high;
    } halves;
};
struct eight {
    char bytes[8];
};
struct box {
    long n;
    unsigned char bytes[24];
};

static void in_unions(void) {
    static int x, y;
    union mixed from = {.record = {1, &x, &y}}, to;
    for (unsigned i = 0; i < sizeof from.raw; i++) to.raw[i] = from.raw[i];
    SAME(to.record.second, from.record.second);
    union {
        int *p;
        struct {
            unsigned low, high;
        } halves;
    } a = {&x}, b;
    b.halves.low = a.halves.low, b.halves.high = a.halves.high;
    MISSED(b.p, a.p);
}

static void by_words(void) {
    static int x, y;
    typedef long pair __attribute__((vector_size(16)));
    struct three from = {1, &x, &y}, by_double = {0}, by_record = {0}, by_wide = {0};
    double *d = (double *)&by_double, *s = (double *)&from;
    for (int i = 0; i < 3; i++) d[i] = s[i];
    SAME(by_double.second, from.second);
    struct eight *e = (struct eight *)&by_record, *f = (struct eight *)&from;
    for (int i = 0; i < 3; i++) e[i] = f[i];
    SAME(by_record.second, from.second);
    wmemcpy((wchar_t *)&by_wide, (wchar_t *)&from, sizeof from / sizeof(wchar_t));
    SAME(by_wide.first, from.first);
    _Alignas(16) int *v[2] = {&x, &y}, *w[2];
    pair both = *(pair *)v;
    *(pair *)w = both;
    INTO(w[1], y);
    int *p = &x, *q;
    double number = *(double *)&p;
    *(double *)&q = number;
    SAME(q, p);
}

static void put_bytes(struct box *b, const void *record, size_t n) {
    for (size_t i = 0; i < n; i++) b->bytes[i] = ((const unsigned char *)record)[i];
}

static void in_records(void) {
    static int x, y;
    struct three from = {1, &x, &y}, to;
    struct box first, second;
    put_bytes(&first, &from, sizeof from);
    second = first;
    for (size_t i = 0; i < sizeof to; i++) ((unsigned char *)&to)[i] = second.bytes[i];
    SAME(to.second, from.second);
}

int main(void) {
    in_unions();
    by_words();
    in_records();
    ring_of_bytes();
    queue_of_bytes();
    queue_by_bytes();
    copied_characters();
    copies_of_closed();
    halves();
    return CHECKED;
}
