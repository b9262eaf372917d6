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

int main(void) {
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
