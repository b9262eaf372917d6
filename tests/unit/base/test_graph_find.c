/* SPDX-License-Identifier: Apache-2.0
 *
 * Finding vertices by their names in the source, and what is said when that fails.
 */
#include "base/context.h"
#include "base/graph/graph.h"
#include "tests/support/fail_alloc.h"
#include "tests/support/support.h"

#define V CFLR_VERTEX_VARIABLE
#define D CFLR_VERTEX_DEREFERENCE
#define F CFLR_VERTEX_FUNCTION

static const cflr_vertex_info program[] = {
    /* 0 */ {V, 2, 7, "head", "node *", "", "src/list.c", ""},
    /* 1 */ {V, 12, 9, "p", "node *", "push", "src/list.c", ""},
    /* 2 */ {D, 13, 5, "p->next", "node *", "push", "src/list.c", ""},
    /* 3 */ {V, 30, 9, "p", "node *", "pop", "src/list.c", ""},
    /* 4 */ {V, 30, 9, "p", "node *", "pop", "src/list.c", "main:3"},
    /* 5 */ {V, 30, 9, "p", "node *", "pop", "src/list.c", "main:9"},
    /* 6 */ {F, 10, 6, "push", "void (int)", "", "src/list.c", ""},
    /* 7 */ {V, 5, 3, "argv", "char **", "main", "src/main.c", ""},
    /* 8 */ {D, 6, 3, "*argv", "char *", "main", "src/main.c", ""},
    /* 9 */ {V, 5, 3, "argv", "char **", "main", "test/main.c", ""},
    /* 10 */ {D, 14, 1, "a [ i + 1 ]", "int", "push", "src/list.c", ""},
    /* 11 */ {V, 1, 1, "12", "int", "", "odd.c", ""},
    /* 12 */ {V, 3, 1, "x", "int", "f", "odd.c:7", ""},
};
enum { VERTICES = sizeof program / sizeof *program };

static const struct {
    uint32_t vertex;
    cflr_mention at;
} mentions[] = {
    {0, {"src/list.c", 14, 0, NULL}},        {1, {"src/list.c", 14, 0, NULL}},
    {3, {"src/list.c", 31, 0, NULL}},        {4, {"src/list.c", 31, 0, NULL}},
    {5, {"src/list.c", 31, 0, NULL}},        {0, {"src/list.c", 31, 0, NULL}},
    {2, {"src/list.c", 15, 0, "(*p).next"}}, {7, {"src/main.c", 8, 0, NULL}},
    {9, {"test/main.c", 8, 0, NULL}},        {1, {"src/list.c", 40, 0, NULL}},
    {3, {"src/list.c", 40, 0, NULL}},        {0, {"src/list.c", 500, 5, NULL}},
    {1, {"src/list.c", 500, 12, NULL}},      {3, {"src/list.c", 500, 14, NULL}},
    {2, {"src/list.c", 500, 9, "5"}},        {4, {"src/list.c", 500, 14, "q"}},
    {1, {"src/list.c", 500, 14, NULL}},      {3, {"src/list.c", 510, 14, NULL}},
};

static cflr_graph *make_program(cflr_context *context, cflr_error *error) {
    cflr_graph_builder *builder = NULL;
    cflr_graph *graph = NULL;
    cflr_status st = CFLR_OK;
    uint32_t vertex;
    CFLR_TRY(cflr_graph_builder_new(context, &builder, error));
    for (uint32_t v = 0; v < VERTICES; v++) {
        CFLR_TRY(cflr_graph_builder_vertex(builder, &program[v], &vertex, error));
    }
    for (size_t i = 0; i < sizeof mentions / sizeof *mentions; i++) {
        CFLR_TRY(cflr_graph_builder_mention(builder, mentions[i].vertex, &mentions[i].at, error));
    }
    st = cflr_graph_builder_freeze(builder, &graph, error);
    builder = NULL;
out:
    cflr_graph_builder_free(builder);
    return graph;
}

/* A finder, which was asked something else before, gives the same answers. */
static cflr_status find_both(const cflr_graph *graph, const char *spec, uint32_t *found,
                             size_t capacity, size_t *count, cflr_error *error) {
    cflr_finder *finder;
    cflr_error other = {0}, ignored;
    uint32_t also[VERTICES];
    size_t n = 98;
    cflr_status st = cflr_graph_find(graph, spec, found, capacity, count, error);
    cr_assert_eq(cflr_finder_new(graph, &finder, &other), CFLR_OK);
    cflr_finder_find(finder, "push::p->next", also, VERTICES, &n, &ignored);
    cflr_finder_find(finder, "x.c:1:p", also, VERTICES, &n, &ignored);
    for (int again = 0; again < 2; again++) {
        cr_assert_eq(cflr_finder_find(finder, spec, also, VERTICES, &n, &other), st, "'%s'", spec);
        cr_assert_eq(n, *count, "'%s': %zu and %zu", spec, *count, n);
        if (st != CFLR_OK) cr_assert_str_eq(other.message, error->message);
        for (size_t i = 0; i < n && i < capacity && i < VERTICES; i++) {
            cr_assert_eq(also[i], found[i], "'%s'", spec);
        }
    }
    cflr_finder_free(finder);
    return st;
}

/* `expected` lists ids, ended by -1. */
static void must_find(const cflr_graph *graph, const char *spec, cflr_status expected_st,
                      const int *expected) {
    cflr_error error = {0};
    uint32_t found[VERTICES];
    size_t count = 99, n = 0;
    cflr_status st = find_both(graph, spec, found, VERTICES, &count, &error);
    cr_assert_eq(st, expected_st, "'%s': %s: %s", spec, cflr_status_name(st), error.message);
    while (expected[n] >= 0) n++;
    cr_assert_eq(count, n, "'%s': %zu found", spec, count);
    for (size_t i = 0; i < n; i++) cr_assert_eq(found[i], (uint32_t)expected[i], "'%s'", spec);
    if (st != CFLR_OK) {
        cr_assert_eq(error.code, st);
        cr_assert_neq(error.message[0], '\0');
    }
}

#define IDS(...) ((const int[]){__VA_ARGS__, -1})
#define NONE ((const int[]){-1})

Test(graph_find, names_of_every_form) {
    cflr_context *context = test_context();
    cflr_error error;
    cflr_graph *graph = make_program(context, &error);
    cr_assert_not_null(graph);
    static const struct {
        const char *spec;
        int st;
        int ids[6];
    } cases[] = {
        /* numbers, which are not names when the graph knows places */
        {"0", CFLR_OK, {0, -1}},
        {"12", CFLR_OK, {12, -1}},
        {" 3 ", CFLR_OK, {3, -1}},
        {"13", CFLR_NOT_FOUND, {-1}},
        {"4294967296", CFLR_NOT_FOUND, {-1}},
        {"99999999999999999999999999", CFLR_NOT_FOUND, {-1}},
        /* plain names */
        {"head", CFLR_OK, {0, -1}},
        {"push", CFLR_OK, {6, -1}},
        {"*argv", CFLR_OK, {8, -1}},
        {" * argv ", CFLR_OK, {8, -1}},
        {"p->next", CFLR_OK, {2, -1}},
        {"p -> next", CFLR_OK, {2, -1}},
        {"(*p).next", CFLR_OK, {2, -1}},
        {"a[i+1]", CFLR_OK, {10, -1}},
        {"argv", CFLR_AMBIGUOUS, {7, 9, -1}},
        {"p", CFLR_AMBIGUOUS, {1, 3, 4, 5, -1}},
        {"P", CFLR_NOT_FOUND, {-1}},
        {"", CFLR_NOT_FOUND, {-1}},
        {"   ", CFLR_NOT_FOUND, {-1}},
        {"p->nex", CFLR_NOT_FOUND, {-1}},
        /* functions; the clones of one p are one thing */
        {"push::p", CFLR_OK, {1, -1}},
        {"push::p->next", CFLR_OK, {2, -1}},
        {"push::(*p).next", CFLR_OK, {2, -1}},
        {"pop::p", CFLR_OK, {3, 4, 5, -1}},
        {"pop::(*p).next", CFLR_NOT_FOUND, {-1}},
        {"main::argv", CFLR_AMBIGUOUS, {7, 9, -1}},
        {"pop::head", CFLR_NOT_FOUND, {-1}},
        {"none::p", CFLR_NOT_FOUND, {-1}},
        {"push::", CFLR_NOT_FOUND, {-1}},
        {"::p", CFLR_NOT_FOUND, {-1}},
        /* lines: mentions, then declarations; ends of paths at a '/' */
        {"list.c:14:head", CFLR_OK, {0, -1}},
        {"src/list.c:14:p", CFLR_OK, {1, -1}},
        {"./src/list.c:14:p", CFLR_OK, {1, -1}},
        {"list.c:31:p", CFLR_OK, {3, 4, 5, -1}},
        {"list.c:15:(*p).next", CFLR_OK, {2, -1}},
        {"list.c:13:p->next", CFLR_OK, {2, -1}},
        {"list.c:2:head", CFLR_OK, {0, -1}},
        {"list.c:40:p", CFLR_AMBIGUOUS, {1, 3, -1}},
        {"main.c:8:argv", CFLR_AMBIGUOUS, {7, 9, -1}},
        {"src/main.c:8:argv", CFLR_OK, {7, -1}},
        {"src/main.c:5:argv", CFLR_OK, {7, -1}},
        {"ist.c:14:p", CFLR_NOT_FOUND, {-1}},
        {"/list.c:14:p", CFLR_NOT_FOUND, {-1}},
        {"list.c:14:q", CFLR_NOT_FOUND, {-1}},
        {"list.c:15:p", CFLR_NOT_FOUND, {-1}},
        {"list.c:14", CFLR_NOT_FOUND, {-1}},
        {"list.c:14:", CFLR_NOT_FOUND, {-1}},
        {"list.c:4294967310:p", CFLR_NOT_FOUND, {-1}},
        {"odd.c:7:3:x", CFLR_NOT_FOUND, {-1}}, /* the first number is the line */
        {":14:p", CFLR_NOT_FOUND, {-1}},
        /* columns; a name comes first */
        {"list.c:500:12", CFLR_OK, {1, -1}},
        {"list.c:500:012", CFLR_OK, {1, -1}},
        {"list.c:500:5", CFLR_OK, {2, -1}},
        {"list.c:500:9:5", CFLR_OK, {2, -1}},
        {"list.c:500:5:head", CFLR_OK, {0, -1}},
        {"list.c:500:14", CFLR_AMBIGUOUS, {1, 3, 4, -1}},
        {"list.c:510:14", CFLR_OK, {3, -1}},
        {"list.c:500:14:q", CFLR_OK, {4, -1}},
        {"list.c:500:14:p", CFLR_AMBIGUOUS, {1, 3, 4, -1}}, /* one is spelled q, and called p */
        {"list.c:500:14:", CFLR_AMBIGUOUS, {1, 3, 4, -1}},
        {"list.c:500:13", CFLR_NOT_FOUND, {-1}},
        {"list.c:500:12:q", CFLR_NOT_FOUND, {-1}},
        {"list.c:500:0", CFLR_NOT_FOUND, {-1}},
        {"list.c:500:4294967308", CFLR_NOT_FOUND, {-1}},
        {"none.c:500:12", CFLR_NOT_FOUND, {-1}},
        /* places of vertices */
        {"list.c:12:9", CFLR_OK, {1, -1}},
        {"list.c:12:9:p", CFLR_OK, {1, -1}},
        {"list.c:12:9:q", CFLR_NOT_FOUND, {-1}},
        {"list.c:12:8", CFLR_NOT_FOUND, {-1}},
        {"list.c:30:9", CFLR_OK, {3, 4, 5, -1}},
        {"list.c:10:6", CFLR_OK, {6, -1}},
        {"list.c:13:5", CFLR_OK, {2, -1}},
        {"main.c:5:3", CFLR_AMBIGUOUS, {7, 9, -1}},
        {"src/main.c:5:3:argv", CFLR_OK, {7, -1}},
        {"src/main.c:6:3", CFLR_OK, {8, -1}}, /* not written, but all that is there */
        {"src/main.c:6:0", CFLR_NOT_FOUND, {-1}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        must_find(graph, cases[i].spec, (cflr_status)cases[i].st, cases[i].ids);
    }
    cflr_graph_free(graph);
    test_context_end(context);
}

/* What is declared, and what is written, stands at its place; addresses, objects and what is
 * implied are asked for by their names. */
Test(graph_find, what_stands_at_a_place) {
    static const cflr_vertex_info at_one_place[] = {
        {V, 3, 9, "x", "char [4]", "f", "a.c", ""},
        {CFLR_VERTEX_ADDRESS, 3, 9, "&x", "", "f", "a.c", ""},
        {CFLR_VERTEX_TEMPORARY, 3, 9, "g()", "char *", "f", "a.c", ""},
        {D, 3, 9, "*g()", "char", "f", "a.c", ""},
        {CFLR_VERTEX_ALLOCATION, 3, 9, "g()", "", "f", "a.c", ""},
        {CFLR_VERTEX_TEMPORARY, 3, 19, "h()", "char *", "f", "a.c", ""},
        {CFLR_VERTEX_ALLOCATION, 3, 19, "h()", "", "f", "a.c", ""},
    };
    cflr_context *context = test_context();
    cflr_error error;
    cflr_graph_builder *builder;
    cflr_graph *graph;
    uint32_t v;
    MUST(cflr_graph_builder_new(context, &builder, &error));
    for (size_t i = 0; i < sizeof at_one_place / sizeof *at_one_place; i++)
        MUST(cflr_graph_builder_vertex(builder, &at_one_place[i], &v, &error));
    MUST(cflr_graph_builder_mention(builder, 1, &(cflr_mention){"a.c", 4, 1, "x"}, &error));
    MUST(cflr_graph_builder_mention(builder, 2, &(cflr_mention){"a.c", 3, 14, NULL}, &error));
    MUST(cflr_graph_builder_freeze(builder, &graph, &error));
    must_find(graph, "a.c:3:9", CFLR_AMBIGUOUS, IDS(0, 2));
    must_find(graph, "a.c:3:9:x", CFLR_OK, IDS(0));
    must_find(graph, "a.c:3:9:&x", CFLR_OK, IDS(1));
    must_find(graph, "a.c:3:9:g()", CFLR_OK, IDS(2));
    must_find(graph, "a.c:3:9:*g()", CFLR_OK, IDS(3));
    must_find(graph, "a.c:3:14", CFLR_OK, IDS(2));
    must_find(graph, "a.c:4:1", CFLR_OK, IDS(1));
    must_find(graph, "a.c:3:19", CFLR_AMBIGUOUS, IDS(5, 6)); /* nothing there is written */
    must_find(graph, "a.c:3:9:h()", CFLR_NOT_FOUND, NONE);
    cflr_graph_free(graph);
    test_context_end(context);
}

Test(graph_find, counts_beyond_the_capacity) {
    cflr_context *context = test_context();
    cflr_error error;
    cflr_graph *graph = make_program(context, &error);
    uint32_t found[2] = {77, 77};
    size_t count;
    MUST(find_both(graph, "pop::p", found, 1, &count, &error));
    cr_assert_eq(count, 3);
    cr_assert_eq(found[0], 3);
    cr_assert_eq(found[1], 77);
    MUST(find_both(graph, "pop::p", NULL, 0, &count, &error));
    cr_assert_eq(count, 3);
    cflr_graph_free(graph);
    test_context_end(context);
}

Test(graph_find, messages_tell_what_is_near) {
    static const struct {
        const char *spec, *says;
    } cases[] = {
        {"p", "'p' may be p (src/list.c:12:9, push), p (src/list.c:30:9, pop)"},
        {"argv", "'argv' may be argv (src/main.c:5:3, main), argv (test/main.c:5:3, main)"},
        {"heap", "no 'heap' in the graph; spelled alike: head"},
        {"Head2", "no 'Head2' in the graph; spelled alike: head"},
        {"nothing", "no 'nothing' in the graph"},
        {"pusch::p", "the graph knows no function 'pusch'; spelled alike: push"},
        {"pop::head", "no 'head' in function 'pop'; elsewhere: head (src/list.c:2:7)"},
        {"pop::(*p).next", "no '(*p).next' in function 'pop'; elsewhere: src/list.c:15:(*p).next"},
        {"pop::hea", "no 'hea' in function 'pop'; spelled alike: head"},
        {"lists.c:3:p", "the graph knows no file 'lists.c'; spelled alike: src/list.c"},
        {"x/lists.c:3:p", "the graph knows no file 'x/lists.c'; spelled alike: src/list.c"},
        {"list.c:33:p",
         "no 'p' at list.c:33; nearest in the file: line 31, line 30, line 40, line 14, line 12"},
        {"list.c:14:argv", "no 'argv' at list.c:14; on that line: head, p"},
        {"list.c:500:13",
         "nothing at list.c:500:13; on that line: head (column 5), p (column 12), p (column 14), 5 "
         "(column 9), q (column 14)"},
        {"list.c:99:argv",
         "no 'argv' at list.c:99; elsewhere: argv (src/main.c:5:3, main), argv (test/main.c:5:3, "
         "main)"},
        {"list.c:99:zzz", "no 'zzz' at list.c:99"},
        {"list.c:12:8", "nothing at list.c:12:8; on that line: p (column 9)"},
        {"list.c:30",
         "list.c:30 is a line, and a name or a column of it is missing; on that line: p"},
        {"list.c:14:",
         "list.c:14 is a line, and a name or a column of it is missing; on that line: head, p"},
        {"push::", "a name is missing behind 'push::'"},
        {" ", "a name is empty"},
        {"13", "no vertex 13: the graph has 13"},
    };
    cflr_context *context = test_context();
    cflr_error error;
    cflr_graph *graph = make_program(context, &error);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t count;
        memset(&error, 0, sizeof error);
        cr_assert_neq(find_both(graph, cases[i].spec, NULL, 0, &count, &error), CFLR_OK);
        cr_assert_str_eq(error.message, cases[i].says);
    }
    cflr_graph_free(graph);
    test_context_end(context);
}

/* A graph read from text: names may look like anything, and a name goes before a number. */
Test(graph_find, names_without_places) {
    static const char *const names[] = {"main::x", "a.c:3:p", "7", "n 1", "dup", "dup", "1::"};
    cflr_context *context = test_context();
    cflr_error error;
    cflr_graph_builder *builder;
    cflr_graph *graph;
    uint32_t vertex;
    MUST(cflr_graph_builder_new(context, &builder, &error));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        cflr_vertex_info info = {.name = names[i]};
        MUST(cflr_graph_builder_vertex(builder, &info, &vertex, &error));
    }
    MUST(cflr_graph_builder_freeze(builder, &graph, &error));
    must_find(graph, "main::x", CFLR_OK, IDS(0));
    must_find(graph, "a.c:3:p", CFLR_OK, IDS(1));
    must_find(graph, "7", CFLR_OK, IDS(2));
    must_find(graph, "5", CFLR_OK, IDS(5));
    must_find(graph, "n1", CFLR_OK, IDS(3));
    must_find(graph, "1::", CFLR_OK, IDS(6));
    must_find(graph, "8", CFLR_NOT_FOUND, NONE);
    cflr_graph_free(graph);
    test_context_end(context);
}

Test(graph_find, graphs_of_numbers) {
    cflr_context *context = test_context();
    cflr_error error;
    cflr_graph_builder *builder;
    cflr_graph *graph;
    uint32_t a;
    MUST(cflr_graph_builder_new(context, &builder, &error));
    MUST(cflr_graph_builder_label(builder, "a", NULL, &a, &error));
    MUST(cflr_graph_builder_edge(builder, 3, 1, a, &error));
    /* spelled, though no vertex has a source */
    MUST(cflr_graph_builder_mention(builder, 1, &(cflr_mention){"x.c", 1, 1, "p"}, &error));
    MUST(cflr_graph_builder_mention(builder, 2, &(cflr_mention){"x.c", 1, 2, "p"}, &error));
    MUST(cflr_graph_builder_freeze(builder, &graph, &error));
    must_find(graph, "3", CFLR_OK, IDS(3));
    must_find(graph, "4", CFLR_NOT_FOUND, NONE);
    must_find(graph, "a", CFLR_NOT_FOUND, NONE);
    must_find(graph, "x.c:1:p", CFLR_AMBIGUOUS, IDS(1, 2));
    must_find(graph, "p", CFLR_AMBIGUOUS, IDS(1, 2));
    must_find(graph, "f::p", CFLR_NOT_FOUND, NONE);
    cflr_graph_free(graph);
    test_context_end(context);
}

/* Long names, long paths and many candidates never overflow a message. */
Test(graph_find, messages_of_extremes) {
    enum { MANY = 60 };
    cflr_context *context = test_context();
    cflr_error error;
    cflr_graph_builder *builder;
    cflr_graph *graph;
    char path[400], name[300], spec[700];
    uint32_t vertex;
    memset(path, 'd', sizeof path);
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    MUST(cflr_graph_builder_new(context, &builder, &error));
    for (int i = 0; i < MANY; i++) {
        snprintf(path + 350, 50, "/file%02d.c", i);
        cflr_vertex_info info = {V, 1, 1, i % 2 ? name : "q", "int", name, path, ""};
        MUST(cflr_graph_builder_vertex(builder, &info, &vertex, &error));
    }
    MUST(cflr_graph_builder_freeze(builder, &graph, &error));
    size_t count;
    MUST_FAIL(find_both(graph, "q", NULL, 0, &count, &error), CFLR_AMBIGUOUS);
    cr_assert_eq(count, MANY / 2);
    cr_assert_not_null(strstr(error.message, "more"));
    MUST_FAIL(find_both(graph, name, NULL, 0, &count, &error), CFLR_AMBIGUOUS);
    snprintf(spec, sizeof spec, "%s::%s", name, name);
    MUST_FAIL(find_both(graph, spec, NULL, 0, &count, &error), CFLR_AMBIGUOUS);
    snprintf(spec, sizeof spec, "%sx::%s", name, name);
    MUST_FAIL(find_both(graph, spec, NULL, 0, &count, &error), CFLR_NOT_FOUND);
    snprintf(spec, sizeof spec, "%sx.c:1:%s", name, name);
    MUST_FAIL(find_both(graph, spec, NULL, 0, &count, &error), CFLR_NOT_FOUND);
    snprintf(spec, sizeof spec, "file01.c:9:%s;;", name);
    MUST_FAIL(find_both(graph, spec, NULL, 0, &count, &error), CFLR_NOT_FOUND);
    cflr_graph_free(graph);
    test_context_end(context);
}

/* Anything may be asked; answers are ids of the graph, or a message. */
Test(graph_find, random_specs) {
    static const char alphabet[] = "::::pushlist.c/main0123456789 *->[]+();\t";
    cflr_context *context = test_context();
    cflr_error error;
    cflr_graph *graph = make_program(context, &error);
    uint64_t state = 14;
    unsigned found = 0;
    for (unsigned round = 0; round < 20000; round++) {
        char spec[24];
        uint32_t ids[VERTICES], n = test_random_below(&state, sizeof spec);
        size_t count;
        for (uint32_t i = 0; i < n; i++) {
            spec[i] = alphabet[test_random_below(&state, sizeof alphabet - 1)];
        }
        spec[n] = '\0';
        memset(&error, 0, sizeof error);
        cflr_status st = find_both(graph, spec, ids, VERTICES, &count, &error);
        cr_assert(st == CFLR_OK || st == CFLR_NOT_FOUND || st == CFLR_AMBIGUOUS, "'%s'", spec);
        cr_assert_eq(st == CFLR_NOT_FOUND, count == 0);
        cr_assert_eq(st == CFLR_OK, error.message[0] == '\0');
        cr_assert_leq(count, VERTICES);
        for (size_t i = 0; i < count; i++) cr_assert_lt(ids[i], VERTICES);
        found += count > 0;
    }
    cr_assert_gt(found, 100);
    cflr_graph_free(graph);
    test_context_end(context);
}

static cflr_status build_and_find(cflr_context *context, void *user, cflr_error *error) {
    size_t count;
    cflr_graph *graph = make_program(context, error);
    if (!graph) return error->code;
    cflr_finder *finder = NULL;
    cflr_status st = cflr_graph_find(graph, user, NULL, 0, &count, error);
    bool known = st == CFLR_OK || st == CFLR_NOT_FOUND || st == CFLR_AMBIGUOUS;
    if (known) st = cflr_finder_new(graph, &finder, error);
    if (known && st == CFLR_OK) st = cflr_finder_find(finder, user, NULL, 0, &count, error);
    cflr_finder_free(finder);
    cflr_graph_free(graph);
    return st == CFLR_NOT_FOUND || st == CFLR_AMBIGUOUS ? CFLR_OK : st;
}

Test(graph_find, allocation_failures) {
    static const char *const specs[] = {
        "p", "3", "pop::p", "list.c:31:p", "list.c:99:argv", "x", "list.c:12:9"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        fail_alloc_sweep(build_and_find, (void *)(uintptr_t)specs[i]);
    }
}
