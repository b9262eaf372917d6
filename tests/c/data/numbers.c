/* Numbers and characters: what is computed of a secret is one. */
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include "check.h"

static int secret = 7;
static char secret_text[] = "key";
static double secret_share = 0.5;
static unsigned long secret_id = 9;
static int open_;

enum kind { NONE, SOME };

struct entry {
    char letter;
    short number;
    unsigned flag : 3, rest : 5;
    double share;
    char name[8];
    struct entry *next;
};

static int same(int n) {
    return n;
}
static int other(int n) {
    return n;
}
static void put(int *to, int n) {
    *to = n;
}
static int sum(int n, ...) {
    va_list list;
    int all = 0;
    va_start(list, n);
    while (n-- > 0) all += va_arg(list, int);
    va_end(list);
    return all;
}

static void scalars(void) {
    int n = secret, zero = 0;
    TAINTED(n);
    CLEAN(zero);
    char c = n;
    TAINTED(c);
    float f = secret_share;
    TAINTED(f);
    enum kind kind = (enum kind)secret;
    TAINTED(kind);
    bool flag = secret;
    TAINTED(flag);
    long wide = secret_id;
    TAINTED(wide);
    int narrow = (int)wide;
    TAINTED(narrow);
    zero = open_;
    CLEAN(zero);
}

static void arithmetic(void) {
    int a = secret + 1, b = open_ - secret, c = 2 * secret, d = secret / 2;
    TAINTED(a);
    TAINTED(b);
    TAINTED(c);
    TAINTED(d);
    int e = secret % 4, f = secret << 1, g = 1 << secret, h = ~secret, i = -secret;
    TAINTED(e);
    TAINTED(f);
    TAINTED(g);
    TAINTED(h);
    TAINTED(i);
    int j = open_;
    j += secret;
    TAINTED(j);
    int k = secret;
    k++;
    TAINTED(k);
    int l = open_ ? open_ : secret;
    TAINTED(l);
    int m = (open_, secret);
    TAINTED(m);
    int compared = secret == 1, negated = !secret, both = secret && open_;
    CLEAN(compared);
    CLEAN(negated);
    CLEAN(both);
    int size = sizeof secret - sizeof(int);
    CLEAN(size);
    int controlled = 0;
    if (secret) controlled = open_;
    CLEAN(controlled);
    int n[2] = {0, 0};
    int indexed = n[secret - secret];
    CLEAN(indexed);
}

static void functions(void) {
    int a = same(secret), b = other(open_);
    TAINTED(a);
    CLEAN(b);
    int (*f)(int) = same;
    int c = f(open_);
    STAINED(c);
    int d = 0, e = 0;
    put(&d, secret);
    TAINTED(d);
    STAINED(e);
    put(&e, open_);
    int g = sum(2, open_, secret);
    TAINTED(g);
}

static void memory(void) {
    struct entry entry = {.letter = 0}, copy, apart;
    entry.letter = secret_text[0];
    entry.share = secret_share;
    char letter = entry.letter;
    TAINTED(letter);
    double share = entry.share;
    TAINTED(share);
    short number = entry.number;
    CLEAN(number);
    copy = entry;
    letter = copy.letter;
    TAINTED(letter);
    number = copy.number;
    CLEAN(number);
    memcpy(&apart, &entry, sizeof apart);
    share = apart.share;
    TAINTED(share);
    number = apart.number;
    CLEAN(number);
    struct entry *p = &entry;
    p->flag = secret;
    int flag = p->flag;
    TAINTED(flag);
    int table[3] = {0, 0, 0}, *at = table;
    at[1] = secret;
    int element = table[1];
    TAINTED(element);
    int first = table[0];
    STAINED(first);
    int moved[3];
    memcpy(moved, table, sizeof moved);
    element = moved[1];
    TAINTED(element);
}

static void text(void) {
    char buffer[8] = {0}, other_buffer[8] = {0}, *to = buffer;
    const char *from = secret_text;
    while (*from) *to++ = *from++;
    char c = buffer[0];
    TAINTED(c);
    char d = other_buffer[0];
    STAINED(d);
    for (int i = 0; i < 3; i++) other_buffer[i] = buffer[i];
    d = other_buffer[1];
    TAINTED(d);
    int digits = 0;
    for (const char *s = secret_text; *s; s++) digits = 10 * digits + (*s - '0');
    TAINTED(digits);
    char copied[8];
    memcpy(copied, secret_text, sizeof secret_text);
    c = copied[0];
    TAINTED(c);
    const char *literal = "";
    c = *literal;
    CLEAN(c);
    int n = secret, zeros[8] = {0};
    n = zeros[0];
    CLEAN(n);
    n += secret;
    TAINTED(n);
}

int main(void) {
    scalars();
    arithmetic();
    functions();
    memory();
    text();
    return CHECKED;
}
