/* SPDX-License-Identifier: Apache-2.0
 *
 * tables.c: trees, tables and queues, obstacks, and options of programs (search.h, obstack.h,
 * getopt.h, argp.h).
 */
#include <argp.h>
#include <getopt.h>
#include <obstack.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "expect.h"

int __posix_getopt(int n, char *const words[], const char *letters);

/* ---- search.h ---- */

static const int *compared;

static int compare(const void *a, const void *b) {
    const int *x = a, *y = b;
    compared = y;
    return (*x > *y) - (*x < *y);
}

static const int *walked_to;
static const void *walked_with;

static void walk(const void *node, VISIT which, void *user) {
    (void)which;
    walked_to = *(const int *const *)node;
    walked_with = user;
}

static void trees(void) {
    static int one = 1, two = 2, three = 3, user;
    void *root = NULL;
    tsearch(&two, &root, compare);
    tsearch(&one, &root, compare);
    tsearch(&three, &root, compare);
    twalk_r(root, walk, &user);
    const int *a = walked_to;
    const void *b = walked_with;
    POINTS_TO(a, two);
    POINTS_TO(b, user);
    compared = NULL;
    int **c = tdelete(&one, &root, compare);
    const int *d = compared, *e = *c;
    FRESH(c);
    POINTS_TO(d, one);
    POINTS_TO(e, two);
    tdelete(&two, &root, compare);
    int **f = root;
    const int *g = *f;
    FRESH(f);
    POINTS_TO(g, three);
    tdelete(&three, &root, compare);
}

static void tables(void) {
    static char name[] = "name";
    static int data;
    struct hsearch_data table = {0};
    if (!hcreate_r(4, &table)) return;
    ENTRY *a = NULL, *b = NULL;
    hsearch_r((ENTRY){name, &data}, ENTER, &a, &table);
    hsearch_r((ENTRY){name, NULL}, FIND, &b, &table);
    SAME(a, b);
    char *c = b->key;
    void *d = b->data;
    POINTS_TO(c, name);
    POINTS_TO(d, data);
    hdestroy_r(&table);
}

static void queues(void) {
    static struct qelem first, second, third;
    first.q_forw = &second;
    second.q_back = &first;
    second.q_forw = &third;
    third.q_back = &second;
    remque(&second);
    struct qelem *a = first.q_forw;
    struct qelem *b = third.q_back;
    POINTS_TO(a, third);
    POINTS_TO(b, first);
}

/* ---- obstacks: the macros call functions that take blocks from the program's ---- */

static void *freed;

static void *take(size_t size) {
    return malloc(size);
}

static void give(void *block) {
    freed = block;
    free(block);
}

static char arena[1 << 16];
static size_t arena_used;
static void *arena_user, *arena_freed;

static void *take_from(void *user, size_t size) {
    arena_user = user;
    arena_used += (size + 15) / 16 * 16;
    if (arena_used > sizeof arena) abort();
    return arena + arena_used - (size + 15) / 16 * 16;
}

static void give_to(void *user, void *block) {
    arena_user = user;
    arena_freed = block;
}

#define obstack_chunk_alloc take
#define obstack_chunk_free give

static void stacks(void) {
    struct obstack stack;
    obstack_init(&stack);
    char *a = obstack_alloc(&stack, 10);
    char *b = obstack_copy0(&stack, "text", 4);
    char *c = obstack_alloc(&stack, 8192);
    FRESH(a);
    FRESH(b);
    FRESH(c);
    obstack_grow(&stack, "grown", 5);
    char *d = obstack_base(&stack);
    char *e = obstack_finish(&stack);
    FRESH(d);
    FRESH(e);
    SAME(d, e);
    obstack_free(&stack, b);
    void *f = freed;
    FRESH(f);
    char *g = obstack_alloc(&stack, 5);
    SAME(g, b);
    (obstack_free)(&stack, a);
    char *h = obstack_alloc(&stack, 5);
    SAME(h, a);
    obstack_free(&stack, NULL);
}

static void own_stacks(void) {
    static int user;
    struct obstack stack;
    obstack_specify_allocation_with_arg(&stack, 256, 16, take_from, give_to, &user);
    char *a = obstack_alloc(&stack, 10);
    void *b = arena_user;
    POINTS_TO(a, arena);
    POINTS_TO(b, user);
    char *c = obstack_alloc(&stack, 1000);
    POINTS_TO(c, arena);
    obstack_free(&stack, a);
    void *d = arena_freed;
    POINTS_TO(d, arena);
}

/* ---- options ---- */

static void options(void) {
    static char program[] = "p", flag[] = "-o", file[] = "file";
    static char longer[] = "--out=file", single[] = "-out=file";
    static const struct option known[] = {{"out", required_argument, NULL, 'o'}, {0}};
    char *words[] = {program, flag, file, NULL};
    char *long_words[] = {program, longer, NULL};
    char *single_words[] = {program, single, NULL};
    optind = 0;
    if (__posix_getopt(3, words, "o:") != 'o') return;
    char *a = optarg;
    POINTS_TO(a, file);
    optind = 0;
    if (getopt_long(2, long_words, "o:", known, NULL) != 'o') return;
    char *b = optarg;
    POINTS_TO(b, longer);
    optind = 0;
    if (getopt_long_only(2, single_words, "o:", known, NULL) != 'o') return;
    char *c = optarg;
    POINTS_TO(c, single);
}

static char *parsed_argument;
static struct argp_state *parsed_state;
static void *parsed_input;

static error_t parse(int option, char *argument, struct argp_state *state) {
    if (option == ARGP_KEY_INIT) parsed_input = state->input;
    if (option != 'o') return ARGP_ERR_UNKNOWN;
    parsed_argument = argument;
    parsed_state = state;
    return 0;
}

static void parsing(void) {
    static char program[] = "p", longer[] = "--out=file", word[] = "rest";
    static int input;
    static const struct argp_option known[] = {{"out", 'o', "FILE", 0, "output", 0}, {0}};
    static const struct argp parser = {.options = known, .parser = parse};
    char *words[] = {program, longer, word, NULL};
    if (argp_parse(&parser, 3, words, ARGP_NO_EXIT | ARGP_NO_ERRS | ARGP_NO_ARGS, NULL, &input))
        return;
    char *a = parsed_argument;
    struct argp_state *b = parsed_state;
    void *c = parsed_input;
    POINTS_TO(a, longer);
    KNOWN(b);
    POINTS_TO(c, input);
}

void run_tables(void);
void run_tables(void) {
    trees();
    tables();
    queues();
    stacks();
    own_stacks();
    options();
    parsing();
}
