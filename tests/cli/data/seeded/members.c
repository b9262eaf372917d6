/* Members of null pointers: the address of one is no object. Each `bug` follows one, and fails. */
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct in {
    char c;
    int x, y[3];
};

struct s {
    long first;
    int n;
    struct in in;
    char name[8];
    pthread_mutex_t lock;
    struct s *next;
};

static struct s *none(void) {
    return NULL;
}

static int *to_n(struct s *p) {
    return &p->n;
}

static int read_it(const int *p) {
    return *p; /* bug */
}

static int passed_on(const int *p) {
    return read_it(p);
}

static int returned(void) {
    struct s *p = none();
    return *to_n(p); /* bug */
}

static int through(void) {
    struct s *p = none();
    return passed_on(&p->in.x);
}

static int record_in_record(void) {
    struct s *p = none();
    struct in *in = &p->in;
    return in->y[1]; /* bug */
}

static int array(void) {
    struct s *p = none();
    int *y = p->in.y;
    return y[1]; /* bug */
}

static int library(void) {
    struct s *p = none();
    return pthread_mutex_lock(&p->lock); /* bug */
}

static int text(void) {
    struct s *p = none();
    return *strcpy(p->name, "x"); /* bug */
}

static int element(void) {
    struct s *p = none(), *q = &p[1];
    return q->n; /* bug */
}

static int pointer(void) {
    struct s *p = none(), **next = &p->next;
    return *next == NULL; /* bug */
}

/* An offset that is written by hand is none, and neither is a member behind a test. */
#define OFFSET(type, member) ((size_t) & ((type *)0)->member)
#define RECORD(p, type, member) ((type *)((char *)(p) - (uintptr_t) & ((type *)NULL)->member))

static int right(struct s *p, struct s *q) {
    int *n = &p->n, *x = (int *)((char *)p + OFFSET(struct s, in.x));
    if (q) n = &q->n;
    const int *y = q ? q->in.y : &p->in.x;
    return *n + *x + *y + RECORD(n, struct s, n)->n + RECORD(&p->in, struct s, in)->n;
}

int main(int n, char **argument) {
    static int (*const all[])(void) = {returned, through, record_in_record, array,
                                       library,  text,    element,          pointer};
    struct s s = {.n = 1};
    return n > 1 ? all[atoi(argument[1])]() : right(&s, NULL) == 0;
}
