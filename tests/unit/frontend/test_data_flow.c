/* SPDX-License-Identifier: Apache-2.0
 *
 * test_data_flow.c: the programs of tests/c/data/, extracted with data flow, as test_constructs.c
 * does those of tests/c/:
 *
 *     edges      the graph of NAME.c is, edge for edge, NAME.expected; CFLR_UPDATE=1 writes it anew
 *     meaning    the checks in NAME.c (tests/c/data/check.h) are questions to two closures: where
 *                null pointers go, which is the shipped grammar, and where the content of variables
 *                called `secret...` goes
 *     run        the same checks hold when NAME.c is compiled and run
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "construct_support.h"

/* pointer-fs, and what flows on from a value through its aliases. */
static const char taint[] =
    "%start Flow\n"
    "%terminal a nonnull data d f[n] b[n] around[n] s[k] call[i] ret[i]\n"
    "Flow   ::= M | Pass | Pass M | Flow Pass | Flow Pass M\n"
    "Pass   ::= Assign | data\n"
    "Assign ::= a | nonnull | call[i] | ret[i]\n"
    "Step   ::= Assign | Assign M | f[n] VB[n] | BV[n] f[n]\n"
    "M      ::= DV d\n"
    "DV     ::= ~d V\n"
    "Back   ::= ~Step Back | M | FV[n] f[n] | DB[n] Bk[n] | SV[k] s[k] | eps\n"
    "FV[n]  ::= ~f[n] V\n"
    "VB[n]  ::= V Bk[n]\n"
    "BV[n]  ::= b[n] V\n"
    "DB[n]  ::= ~Bk[n] V\n"
    "Bk[n]  ::= b[n] | around[n]\n"
    "SV[k]  ::= ~s[k] V\n"
    "V      ::= Back | V Step\n";

static cflr_graph *graph_of(cflr_context *context, const char *path, cflr_fields fields) {
    cflr_extract_opts opts;
    cflr_extract_opts_init(&opts);
    opts.fields = fields;
    opts.data_flow = true;
    return construct_graph_by(context, path, &opts);
}

/* ---- edges ---- */

Test(data_flow, edges) {
    construct_files *files = malloc(sizeof *files);
    cflr_context *context = construct_context();
    construct_list_in(files, "data");
    for (size_t i = 0; i < files->n; i++) {
        cflr_graph *graph = graph_of(context, files->path[i], CFLR_FIELDS_SENSITIVE);
        char *found = construct_edges(graph);
        construct_expect(files->path[i], found);
        free(found);
        cflr_graph_free(graph);
    }
    cflr_context_free(context);
    free(files);
}

/* ---- meaning ---- */

typedef struct check {
    const char *name;
    bool of_null;
    bool comes; /* what the closure must say */
} check;

static const check checks[] = {
    {"NULLED", true, true},   {"SOLID", true, false},  {"UNSURE", true, true},
    {"TAINTED", false, true}, {"CLEAN", false, false}, {"STAINED", false, true},
    {"LOST", false, false},
};

/* "SOLID(p);": its argument, which is cut off, and the column where it is written. */
static const check *read_check(char *line, char **argument, unsigned *column) {
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        char word[16];
        int length = snprintf(word, sizeof word, "%s(", checks[i].name);
        char *at = strstr(line, word);
        if (!at || strchr(line, '#')) continue;
        *argument = at + length;
        *column = (unsigned)(*argument - line) + 1;
        int depth = 0;
        char *end = *argument;
        for (; *end && !(*end == ')' && depth == 0); end++) depth += (*end == '(') - (*end == ')');
        cr_assert(*end, "%s", line);
        *end = '\0';
        return &checks[i];
    }
    return NULL;
}

static bool is_source(const cflr_graph *graph, uint32_t vertex, bool of_null) {
    cflr_vertex_info info;
    cflr_graph_vertex(graph, vertex, &info);
    return of_null ? info.kind == CFLR_VERTEX_NULL_VALUE : strncmp(info.name, "secret", 6) == 0;
}

/* Does it come from a source? What is a source itself is not asked about. */
static bool comes(const cflr_result *result, uint32_t vertex, bool of_null) {
    const cflr_graph *graph = cflr_result_graph(result);
    uint32_t label = cflr_result_find_label(result, of_null ? "Null" : "Flow");
    for (uint32_t v = 0; v < cflr_graph_vertices(graph); v++)
        if (is_source(graph, v, of_null) && cflr_result_has(result, label, v, vertex)) return true;
    return false;
}

enum { MOST_VERTICES = 64 };

/* Does anything come that is read in this column? *n grows by what is. */
static bool comes_to(const cflr_result *result, const char *spec, bool of_null, size_t *n) {
    uint32_t found[MOST_VERTICES];
    size_t here = 0;
    cflr_error error = {0};
    bool any = false;
    cflr_status st =
        cflr_graph_find(cflr_result_graph(result), spec, found, MOST_VERTICES, &here, &error);
    if (st != CFLR_OK && st != CFLR_AMBIGUOUS) return false;
    for (size_t i = 0; i < here; i++) any |= comes(result, found[i], of_null);
    *n += here;
    return any;
}

/* All that is read in the argument. */
static void ask(const cflr_result *result, const check *c, const char *file, unsigned line,
                unsigned column, const char *argument) {
    size_t n = 0;
    char spec[400];
    bool any = false;
    for (unsigned k = 0; k < strlen(argument); k++) {
        snprintf(spec, sizeof spec, "%s:%u:%u", file, line, column + k);
        any |= comes_to(result, spec, c->of_null, &n);
    }
    cr_expect(n > 0 || !(c->comes || c->of_null), "%s:%u: nothing is read", file, line);
    cr_expect_eq(any, c->comes, "%s:%u: %s(%s)", file, line, c->name, argument);
}

static unsigned ask_all(const cflr_result *result, const char *path, bool of_null) {
    char *source = construct_read(path);
    unsigned asked = 0, number = 1;
    cr_assert(source);
    for (char *line = source, *end; line; line = end, number++) {
        char *argument;
        unsigned column;
        end = strchr(line, '\n');
        if (end) *end++ = '\0';
        const check *c = read_check(line, &argument, &column);
        if (!c || c->of_null != of_null) continue;
        ask(result, c, construct_name(path), number, column, argument);
        asked++;
    }
    free(source);
    return asked;
}

static cflr_grammar *load_grammar(cflr_context *context, bool of_null) {
    cflr_grammar *grammar;
    cflr_error error = {0};
    cflr_status st =
        of_null ? cflr_grammar_load(context, "nullflow", CFLR_GRAMMAR_AUTO, &grammar, &error)
                : cflr_grammar_parse(context, taint, sizeof taint - 1, "taint", CFLR_GRAMMAR_AUTO,
                                     &grammar, &error);
    cr_assert_eq(st, CFLR_OK, "%s", error.message);
    return grammar;
}

static void check_meaning(bool of_null, cflr_fields fields, unsigned least) {
    construct_files *files = malloc(sizeof *files);
    cflr_context *context = construct_context();
    cflr_grammar *grammar = load_grammar(context, of_null);
    unsigned asked = 0;
    construct_list_in(files, "data");
    for (size_t i = 0; i < files->n; i++) {
        cflr_result *result;
        cflr_error error = {0};
        cflr_graph *graph = graph_of(context, files->path[i], fields);
        cflr_status st = cflr_solve(graph, grammar, NULL, &result, &error);
        cr_assert_eq(st, CFLR_OK, "%s: %s", files->path[i], error.message);
        asked += ask_all(result, files->path[i], of_null);
        cflr_result_free(result);
        cflr_graph_free(graph);
    }
    cr_expect_geq(asked, least);
    cflr_grammar_free(grammar);
    cflr_context_free(context);
    free(files);
}

Test(data_flow, null_goes_where_it_can) {
    check_meaning(true, CFLR_FIELDS_SENSITIVE, 70);
}

Test(data_flow, numbers_and_text_go_where_they_can) {
    check_meaning(false, CFLR_FIELDS_SENSITIVE, 70);
}

/* ---- run ---- */

Test(data_flow, run) {
    construct_files *files = malloc(sizeof *files);
    construct_list_in(files, "data");
    construct_run(files);
    free(files);
}

/* ---- documentation ---- */

Test(data_flow, documented) {
    construct_files *files = malloc(sizeof *files);
    construct_list_in(files, "data");
    construct_documented(files);
    free(files);
}
