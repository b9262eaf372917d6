/* SPDX-License-Identifier: Apache-2.0
 *
 * library.c: stdlib.h, search.h, stdio.h, getopt.h, and the functions they call back.
 */
#include <getopt.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"

typedef struct item {
    int key;
    int *value;
} item;

static int one, two;

/* ---- numbers ---- */

static void numbers(void) {
    char text[32] = "12 34 5.5";
    char *a, *b, *c, *d;
    if (strtol(text, &a, 10) != 12) return;
    if (strtoul(a, &b, 10) != 34) return;
    if (strtod(b, &c) < 5) return;
    if (strtoll(text, &d, 10) != 12) return;
    POINTS_TO(a, text);
    POINTS_TO(b, text);
    POINTS_TO(c, text);
    POINTS_TO(d, text);
    SAME(a, d);
}

/* ---- sorting and searching ---- */

static const item *compared;
static const void *passed;

static int compare(const void *a, const void *b) {
    const item *x = a, *y = b;
    compared = x;
    return (x->key > y->key) - (x->key < y->key);
}

static int compare_with(const void *a, const void *b, void *user) {
    passed = user;
    return compare(a, b);
}

static const void *searched, *sought;

static int search(const void *a, const void *b) {
    searched = a;
    sought = b;
    const item *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

static const void *found_in;

static int find(const void *a, const void *b) {
    found_in = b;
    return search(a, b);
}

static void sorting(void) {
    static item items[2];
    items[0] = (item){2, &two};
    items[1] = (item){1, &one};
    int extra = 0;
    qsort(items, 2, sizeof *items, compare);
    const item *a = compared;
    int *b = compared->value, *again = compared->value;
    POINTS_TO(a, items);
    SAME(b, again);
    qsort_r(items, 2, sizeof *items, compare_with, &extra);
    const void *c = passed;
    POINTS_TO(c, extra);
    item key = {1, NULL};
    item *d = bsearch(&key, items, 2, sizeof *items, search);
    POINTS_TO(d, items);
    size_t n = 2;
    item *e = lfind(&key, items, &n, sizeof *items, find);
    POINTS_TO(e, items);
    SAME(d, e);
    const void *f = searched, *g = sought, *h = found_in;
    POINTS_TO(f, key);
    POINTS_TO(g, items);
    POINTS_TO(h, items);
}

static const int *visited;

static int compare_ints(const void *a, const void *b) {
    const int *x = a, *y = b;
    visited = x;
    return (*x > *y) - (*x < *y);
}

static const int *walked_to, *freed;

static void walk(const void *node, VISIT which, int depth) {
    (void)which;
    (void)depth;
    walked_to = *(const int *const *)node;
}

static void forget(void *key) {
    freed = key;
}

static void trees(void) {
    static int key = 1, same = 1;
    void *root = NULL;
    int **a = tsearch(&key, &root, compare_ints);
    int **b = tfind(&same, &root, compare_ints);
    SAME(a, b);
    FRESH(a);
    int *c = *b;
    POINTS_TO(c, key);
    const int *d = visited;
    POINTS_TO(d, same);
    twalk(root, walk);
    const int *e = walked_to;
    POINTS_TO(e, key);
    tdestroy(root, forget);
    const int *f = freed;
    POINTS_TO(f, key);
}

static void growing_tables(void) {
    static int *table[4];
    static int wanted, *key = &wanted;
    size_t n = 0;
    int **a = lsearch(&key, table, &n, sizeof *table, compare_ints);
    POINTS_TO(a, table);
    int *b = table[0];
    POINTS_TO(b, wanted);
}

static void queues(void) {
    static struct qelem first, second, third;
    insque(&first, NULL);
    insque(&third, &first);
    insque(&second, &first);
    struct qelem *a = first.q_forw;
    struct qelem *b = second.q_back;
    struct qelem *c = second.q_forw;
    struct qelem *d = third.q_back;
    POINTS_TO(a, second);
    POINTS_TO(b, first);
    POINTS_TO(c, third);
    POINTS_TO(d, second);
}

static void tables(void) {
    static char name[] = "name";
    static int data;
    hcreate(4);
    ENTRY entry = {name, &data};
    ENTRY *a = hsearch(entry, ENTER);
    ENTRY *b = hsearch((ENTRY){name, NULL}, FIND);
    SAME(a, b);
    char *c = a->key;
    void *d = b->data;
    POINTS_TO(c, name);
    POINTS_TO(d, data);
    hdestroy();
}

/* ---- the environment and options ---- */

static void environment(void) {
    static char setting[] = "CFLR_EXPECT=1";
    putenv(setting);
    char *a = getenv("CFLR_EXPECT");
    POINTS_TO(a, setting);
    char *b = secure_getenv("CFLR_EXPECT");
    SAME(a, b);
    char *c = getenv("PATH");
    KNOWN(c);
    unsetenv("CFLR_EXPECT");
}

static void options(void) {
    static char program[] = "p", flag[] = "-o", file[] = "file";
    char *words[] = {program, flag, file, NULL};
    optind = 0;
    if (getopt(3, words, "o:") != 'o') return;
    char *a = optarg;
    POINTS_TO(a, file);
    static char list[] = "x=1";
    char name[] = "x";
    char *names[] = {name, NULL};
    char *at = list, *value = NULL;
    getsubopt(&at, names, &value);
    POINTS_TO(value, list);
}

/* ---- what is called at the end ---- */

static void *left;

static void leave(int status, void *user) {
    (void)status;
    left = user;
}

static void leaving(void) {
    static int state;
    on_exit(leave, &state);
    void *a = left;
    WILL_POINT_TO(a, state);
}

/* ---- streams ---- */

static void *cookie_read, *cookie_closed, *cookie_written;
static const char *written;
static char *reading;

static ssize_t read_cookie(void *cookie, char *buffer, size_t size) {
    cookie_read = cookie;
    reading = buffer;
    return size ? 0 : -1;
}

static ssize_t write_cookie(void *cookie, const char *buffer, size_t size) {
    cookie_written = cookie;
    written = buffer;
    return (ssize_t)size;
}

static int close_cookie(void *cookie) {
    cookie_closed = cookie;
    return 0;
}

static void cookies(void) {
    static int state;
    cookie_io_functions_t functions = {
        .read = read_cookie, .write = write_cookie, .close = close_cookie};
    FILE *stream = fopencookie(&state, "r+", functions);
    FRESH(stream);
    getc(stream);
    rewind(stream);
    putc('x', stream);
    fclose(stream);
    void *a = cookie_read, *b = cookie_written, *c = cookie_closed;
    const char *d = written, *e = reading;
    POINTS_TO(a, state);
    POINTS_TO(b, state);
    POINTS_TO(c, state);
    KNOWN(d);
    KNOWN(e);
}

static void streams(void) {
    char buffer[32] = "line\nmore\n", space[16];
    FILE *memory = fmemopen(buffer, 10, "r");
    FILE *scratch = tmpfile();
    FRESH(memory);
    FRESH(scratch);
    APART(memory, scratch);
    char *a = fgets(space, sizeof space, memory);
    POINTS_TO(a, space);
    char *line = NULL;
    size_t size = 0;
    if (getline(&line, &size, memory) < 0) return;
    FRESH(line);
    char *text = NULL;
    size_t length = 0;
    FILE *writer = open_memstream(&text, &length);
    FRESH(writer);
    fputs("x", writer);
    fclose(writer);
    FRESH(text);
    APART(text, line);
    char *printed = NULL;
    if (asprintf(&printed, "%d", 1) < 0) return;
    FRESH(printed);
    char *word = NULL;
    const char *made = "%ms";
    if (sscanf("word", made, &word) != 1) return;
    FRESH(word);
    FILE *reopened = freopen("/dev/null", "r", scratch);
    SAME(reopened, scratch);
    fclose(memory);
    fclose(reopened);
    free(line);
    free(text);
    free(printed);
    free(word);
}

static void paths(void) {
    char space[4096], pattern[] = "/tmp/cflrXXXXXX";
    char *a = realpath("/", space);
    POINTS_TO(a, space);
    char *b = realpath("/", NULL);
    FRESH(b);
    char *c = canonicalize_file_name("/");
    FRESH(c);
    APART(b, c);
    char *d = mkdtemp(pattern);
    if (d) remove(d);
    char *e = pattern;
    SAME(d, e);
    char digits[32];
    char *f = gcvt(1.5, 3, digits);
    POINTS_TO(f, digits);
    free(b);
    free(c);
}

void run_library(void);
void run_library(void) {
    numbers();
    sorting();
    trees();
    growing_tables();
    queues();
    tables();
    environment();
    options();
    leaving();
    cookies();
    streams();
    paths();
}
