/* Memory that is copied in pieces: by characters, by words, through a variable. */
#include "check.h"
#include <stddef.h>
#include <string.h>

static int x, y, z;

struct pair {
    long n;
    int *first;
    int *second;
};

static void copy(void *to, const void *from, size_t n) {
    unsigned char *t = to;
    const unsigned char *f = from;
    while (n--) *t++ = *f++;
}

static void swap(void *a, void *b, size_t n) {
    char c, *s = a, *t = b;
    for (size_t i = 0; i < n; i++) {
        c = s[i];
        s[i] = t[i];
        t[i] = c;
    }
}

/* As sorting functions of C libraries do. */
static void swap_words(char *a, char *b, size_t n) {
    long *s = (long *)(void *)a, *t = (long *)(void *)b;
    for (size_t i = n / sizeof(long); i > 0; i--) {
        long word = *s;
        *s++ = *t;
        *t++ = word;
    }
}

static void exclusive(void *a, void *b, size_t n) {
    unsigned char *s = a, *t = b;
    for (size_t i = 0; i < n; i++) s[i] ^= t[i];
    for (size_t i = 0; i < n; i++) t[i] ^= s[i];
    for (size_t i = 0; i < n; i++) s[i] ^= t[i];
}

/* The same loop over text says nothing about pointers. */
static char *upper(char *to, const char *from) {
    char *start = to;
    while (*from) *to++ = (char)(*from++ & 0x5f);
    *to = 0;
    return start;
}

/* Pointers to bytes that lie in memory themselves. */
struct job {
    char *from, *to;
    size_t n;
};

static void run(const struct job *j) {
    for (size_t i = 0; i < j->n; i++) j->to[i] = j->from[i];
}

static void run_at_once(const struct job *j) {
    memcpy(j->to, j->from, j->n);
}

static void jobs(void) {
    struct pair p = {1, &x, &y}, q = {0}, r = {0};
    struct job first = {(char *)&p, (char *)&q, sizeof p}, second = {(char *)&p, 0, sizeof p};
    run(&first);
    SAME(q.second, p.second);
    second.to = (char *)&r;
    run_at_once(&second);
    SAME(r.second, p.second);
}

/* A buffer that its record points to, and that is read with another variable. */
struct ring {
    unsigned char *bytes;
    size_t size, in, out;
};

static void put(struct ring *to, const void *record, size_t n) {
    const unsigned char *b = record;
    size_t first = to->size - to->in < n ? to->size - to->in : n;
    memcpy(to->bytes + to->in, b, first);
    memcpy(to->bytes, b + first, n - first);
    to->in = (to->in + n) % to->size;
}

static void get(struct ring *of, void *record, size_t n) {
    unsigned char *b = record;
    size_t first = of->size - of->out < n ? of->size - of->out : n;
    memcpy(b, of->bytes + of->out, first);
    memcpy(b + first, of->bytes, n - first);
    of->out = (of->out + n) % of->size;
}

static void rings(void) {
    static unsigned char store[40];
    struct ring r = {store, sizeof store, 0, 0};
    struct pair p = {1, &x, &y}, q = {0};
    for (int i = 0; i < 3; i++) {
        put(&r, &p, sizeof p);
        get(&r, &q, sizeof q);
    }
    SAME(q.first, p.first);
    SAME(q.second, p.second);
}

/* A place in memory that is moved by whoever has the address of its variable, or gives it back. */
static void skip(char **at, int n) {
    *at += n;
}

static char *skipped(char *at, int n) {
    return at + n;
}

static void *last(void *record, size_t next) {
    for (void *n; (n = *(void **)((char *)record + next)) != NULL;) record = n;
    return record;
}

struct link {
    int *value;
    struct link *next;
};

static void moved(void) {
    struct pair p = {1, &x, &y};
    char *at = (char *)&p;
    skip(&at, offsetof(struct pair, second));
    int *value = *(int **)at;
    SAME(value, p.second);
    char *again = skipped((char *)&p, offsetof(struct pair, first));
    int *taken;
    memcpy(&taken, again + sizeof p.first, sizeof taken);
    SAME(taken, p.second);
    struct link a = {&x, NULL}, b = {&y, NULL};
    *(void **)((char *)last(&a, offsetof(struct link, next)) + offsetof(struct link, next)) = &b;
    SAME(a.next, &b);
    struct link *end = last(&a, offsetof(struct link, next));
    SAME(end->value, b.value);
}

int main(void) {
    jobs();
    rings();
    moved();
    struct pair p = {1, &x, &y}, q = {0}, r = {0}, s = {2, &z, 0}, t = {0};
    copy(&q, &p, sizeof q);
    SAME(q.second, p.second);
    BLURRED(q.first, p.second);
    swap(&q, &r, sizeof q);
    SAME(r.second, p.second);
    swap_words((char *)&r, (char *)&s, sizeof r);
    SAME(s.second, p.second);
    exclusive(&s, &t, sizeof s);
    SAME(t.second, p.second);
    struct pair u = {3, &x, &y}, v = {4, &z, &z};
    swap_words((char *)&u, (char *)&v, sizeof u);
    INTO(u.first, z);
    INTO(v.second, y);
    char text[6], *all = upper(text, "hello");
    INTO(all, text);
    return CHECKED || strcmp(text, "HELLO") != 0;
}
