/* Null pointers that go with an answer of a call, and what is stored and used at once. */
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct conn {
    int fd;
    char *name, *in, *out;
    struct conn *next;
    FILE *log;
};
static struct conn *all;

/* ---- summaries: what is not null whatever is given ---- */

static size_t directory(const char *path) {
    char *copy = strdup(path), *name = strdup(path);
    size_t n = strlen(dirname(copy)) + strlen(basename(name));
    free(copy);
    return n;
}

static int compare(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}

static void sort(size_t n) {
    int *list = NULL, key = 1;
    if (n > 0) list = calloc(n, sizeof *list);
    if (n > 0 && !list) return;
    qsort(list, n, sizeof *list, compare);
    bsearch(&key, list, n, sizeof *list, compare);
    free(list);
}

/* ---- chains of assignments ---- */

static int chained(struct conn *c, int more) {
    char *made = NULL, *name = c->name;
    if (!name || more) {
        name = made = malloc(8);
        if (!made) return 0;
    }
    return name[0];
}

static int chained_wrongly(int more) {
    char *made, *name;
    name = made = malloc(8);
    if (more && !made) return 0;
    return name[0]; /* bug */
}

/* ---- the same search again ---- */

static int searched(char *text) {
    if (strrchr(text, '/') != NULL) text = strrchr(text, '/') + 1;
    if (strchr(text, '\n')) *(strchr(text, '\n')) = '\0';
    return strchr(text, '.') ? strrchr(text, '.')[1] : text[0];
}

static int other_character(char *text) {
    return strchr(text, '.') ? strrchr(text, ':')[1] : 0; /* bug */
}

static int other_text(char *text, char *more) {
    return strchr(text, '.') ? strchr(more, '.')[1] : 0; /* bug */
}

static int changed_text(char *text) {
    if (!strchr(text, '.')) return 0;
    text[2] = 0;
    return strchr(text, '.')[1]; /* bug */
}

static int changed_words(char *text) {
    int *words = (int *)text;
    if (!strchr(text, '.')) return 0;
    words[0] = 0;
    return strchr(text, '.')[1]; /* bug */
}

static int moved_text(char *text) {
    if (!strchr(text, '.')) return 0;
    text++;
    return strchr(text, '.')[1]; /* bug */
}

/* ---- what a call tells by its result ---- */

static int open_conn(int fd, struct conn **out) {
    struct conn *c = malloc(sizeof *c);
    if (!c) {
        *out = NULL;
        return 1;
    }
    c->fd = fd;
    *out = c;
    return 0;
}

static int told(int fd) {
    struct conn *c;
    int failed = open_conn(fd, &c);
    if (failed) return failed;
    return c->fd;
}

static int told_at_once(int fd) {
    struct conn *c;
    if (open_conn(fd, &c) != 0) return 1;
    return c->fd;
}

static int untold(int fd) {
    struct conn *c;
    open_conn(fd, &c);
    return c->fd; /* bug */
}

static int told_something_else(int fd) {
    struct conn *c;
    open_conn(fd, &c);
    if (fd < 0) return 0;
    return c->fd; /* bug */
}

/* ---- which function is called goes with what it is given ---- */

typedef int visit(struct conn *c, void *user);

static int each(visit *f, void *user) {
    int n = 0;
    for (struct conn *c = all; c; c = c->next) n += f(c, user);
    return n;
}

static int find(struct conn *c, void *user) {
    const struct conn *wanted = user;
    return c->fd == wanted->fd;
}

static int count(struct conn *c, void *user) {
    (void)user;
    return c->fd > 0;
}

static int visit_once(visit *f, void *user) {
    return f(all, user);
}

static int compare_fd(struct conn *c, void *user) {
    const struct conn *wanted = user;
    return c->fd == wanted->fd; /* bug */
}

static int visits(void) {
    struct conn wanted = {.fd = 2};
    return each(find, &wanted) + each(count, NULL) + visit_once(compare_fd, NULL);
}

/* ---- no memory of size 0 ---- */

static void *make(size_t n) {
    void *made;
    if (n == 0) return NULL;
    made = malloc(n);
    if (!made) abort();
    return made;
}

static int sized(void) {
    struct conn *c = make(sizeof *c);
    return c->fd;
}

static int size_of_local(size_t n) {
    struct conn *c, kept = {.fd = 3};
    if (n == 0)
        c = NULL;
    else
        c = &kept;
    return c->fd; /* bug */
}

static void *make_if(int wanted) {
    void *made;
    if (wanted == 0) return NULL;
    made = malloc(sizeof(struct conn));
    if (!made) abort();
    return made;
}

static int flagged(void) {
    struct conn *c = make_if(0);
    return c->fd; /* bug */
}

/* ---- records apart ---- */

struct ops {
    void (*attach)(int), (*detach)(int);
};
struct saved {
    const char *data;
    int depth;
};
static void stop(int fd) {
    (void)fd;
}
static const struct ops one = {NULL, stop}, two = {stop, NULL};
static const struct ops *ops = &one;

static void attach(int fd, const struct saved *from) {
    struct saved now;
    if (ops->attach) {
        now = *from;
        now.data = NULL;
        ops->attach(fd);
        (void)now;
    }
}

/* ---- stored and used at once ---- */

static size_t store(struct conn *c, const char *name) {
    c->name = strdup(name);
    return strlen(c->name); /* bug */
}

static size_t store_and_test(struct conn *c, const char *name, int more) {
    c->name = strdup(name);
    if (more && !c->name) return 0;
    return strlen(c->name); /* bug */
}

static size_t store_another(struct conn *c, const char *name) {
    c->name = strdup(name);
    c->name = "none";
    return strlen(c->name);
}

static size_t store_elsewhere(struct conn *c, const char *name) {
    c->name = strdup(name);
    c = c->next;
    return strlen(c->name);
}

static int is_good(struct conn *c) {
    return c->name != NULL;
}

static size_t store_and_ask(struct conn *c, const char *name) {
    c->name = strdup(name);
    if (!is_good(c)) return 0;
    return strlen(c->name);
}

static int store_in_global(const char *name) {
    all->log = fopen(name, "r");
    return fgetc(all->log); /* bug */
}

/* ---- one condition for several ---- */

static int store_two(struct conn *c) {
    c->in = malloc(8);
    c->out = malloc(8);
    if (c->in == NULL || c->out == NULL) {
        free(c->in);
        free(c->out);
        return -1;
    }
    return 0;
}

static int first(void) {
    static struct conn apart;
    return store_two(&apart) ? 0 : apart.in[0] + apart.out[0];
}

static struct conn some;

static int store_some(int more) {
    some.in = malloc(8);
    if (more && some.in == NULL) return -1;
    return 0;
}

static int second(void) {
    return some.in[0]; /* bug */
}

int main(int argc, char **argv) {
    struct conn *c = calloc(1, sizeof *c), *d = calloc(1, sizeof *d);
    const struct saved from = {argv[0], 1};
    if (!c || !d) return 1;
    all = c;
    c->next = d;
    c->name = argv[0];
    d->name = argv[1];
    if (argc > 2) ops = &two;
    sort((size_t)argc);
    attach(argc, &from);
    store_some(argc);
    for (struct conn *i = all; i; i = i->next)
        argc +=
            (int)(store(i, argv[1]) + store_and_test(i, argv[1], argc) + store_another(i, argv[1]) +
                  store_elsewhere(i, argv[1]) + store_and_ask(i, argv[1]));
    return (int)directory(argv[1]) + chained(c, argc) + chained_wrongly(argc) + searched(argv[1]) +
           other_character(argv[1]) + other_text(argv[1], argv[2]) + changed_text(argv[1]) +
           changed_words(argv[1]) + moved_text(argv[1]) + told(1) + told_at_once(1) + untold(1) +
           told_something_else(argc) + visits() + sized() + size_of_local((size_t)argc) +
           flagged() + store_in_global(argv[1]) + first() + second();
}
