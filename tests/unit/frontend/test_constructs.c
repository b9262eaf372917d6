/* SPDX-License-Identifier: Apache-2.0
 *
 * test_constructs.c: the C constructs of tests/c/, each three ways.
 *
 *     edges      the graph of NAME.c is, edge for edge, NAME.expected
 *     meaning    the checks in NAME.c (tests/c/check.h) are questions to the closed graph
 *     run        the same checks hold when NAME.c is compiled and run
 *
 * So an expectation that is wrong about C fails in `run`, one that the analysis does not meet in
 * `meaning`, and any change of the graph shows in `edges`. CFLR_UPDATE=1 writes the expected files
 * anew; each is to be read before it is kept. A file whose first line says "not run" is left out of
 * `run`. Those of tests/c/arrays/ are read with elements of arrays apart.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "construct_support.h"

/* ---- edges ---- */

static char *edges_of(cflr_context *context, const char *path, cflr_fields fields) {
    cflr_graph *graph = construct_graph(context, path, fields);
    char *edges = construct_edges(graph);
    cflr_graph_free(graph);
    return edges;
}

/* Both levels of fields as one text; a level that says the same is not repeated. */
static char *both_levels(cflr_context *context, const char *path) {
    char *fields = edges_of(context, path, CFLR_FIELDS_SENSITIVE);
    char *none = edges_of(context, path, CFLR_FIELDS_INSENSITIVE);
    size_t size = strlen(fields) + strlen(none) + 64;
    char *both = malloc(size);
    cr_assert(both);
    if (strcmp(fields, none) == 0)
        snprintf(both, size, "with and without fields:\n%s", fields);
    else
        snprintf(both, size, "with fields:\n%s\nwithout fields:\n%s", fields, none);
    free(fields);
    free(none);
    return both;
}

Test(constructs, edges) {
    construct_files *files = malloc(sizeof *files);
    cflr_context *context = construct_context();
    construct_list(files);
    for (size_t i = 0; i < files->n; i++) {
        char *found = both_levels(context, files->path[i]);
        construct_expect(files->path[i], found);
        free(found);
    }
    cflr_context_free(context);
    free(files);
}

Test(constructs, edges_of_elements) {
    construct_files *files = malloc(sizeof *files);
    cflr_context *context = construct_context();
    construct_list_in(files, "arrays");
    for (size_t i = 0; i < files->n; i++) {
        cflr_extract_opts opts;
        cflr_extract_opts_init(&opts);
        opts.arrays = CFLR_ARRAYS_CONSTANT;
        cflr_graph *graph = construct_graph_by(context, files->path[i], &opts);
        char *found = construct_edges(graph);
        construct_expect(files->path[i], found);
        free(found);
        cflr_graph_free(graph);
    }
    cflr_context_free(context);
    free(files);
}

/* ---- meaning ---- */

typedef struct question {
    char what[16];
    char first[128];
    char second[128];
    unsigned line;
} question;

/* "SAME(p, f(a, b).m)": the comma that is not inside parentheses or brackets. */
static bool read_question(const char *text, unsigned line, question *q) {
    static const char *const kinds[] = {"SAME", "INTO", "APART", "BLURRED", "MISSED", "UNKNOWN"};
    text += strspn(text, " ");
    size_t length = strcspn(text, "(");
    bool known = false;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        known |= strlen(kinds[i]) == length && strncmp(text, kinds[i], length) == 0;
    if (!known || text[length] != '(') return false;
    const char *first = text + length + 1;
    const char *comma = NULL;
    int depth = 0;
    const char *end = first;
    for (; *end && !(*end == ')' && depth == 0); end++) {
        if (strchr("([", *end)) depth++;
        if (strchr(")]", *end)) depth--;
        if (*end == ',' && depth == 0) comma = end;
    }
    cr_assert(comma && *end == ')', "line %u: %s", line, text);
    snprintf(q->what, sizeof q->what, "%.*s", (int)length, text);
    snprintf(q->first, sizeof q->first, "%.*s", (int)(comma - first), first);
    comma += 1 + strspn(comma + 1, " ");
    snprintf(q->second, sizeof q->second, "%.*s", (int)(end - comma), comma);
    q->line = line;
    return true;
}

enum { MOST_VERTICES = 64 };

typedef struct vertices {
    size_t n;
    uint32_t at[MOST_VERTICES];
} vertices;

/* What an expression at a line means; several vertices when it has several sources. */
static void find(const cflr_graph *graph, const char *file, unsigned line, const char *name,
                 vertices *found) {
    char spec[400];
    cflr_error error = {0};
    snprintf(spec, sizeof spec, "%s:%u:%s", file, line, name);
    cflr_status st = cflr_graph_find(graph, spec, found->at, MOST_VERTICES, &found->n, &error);
    cr_expect(st == CFLR_OK || st == CFLR_AMBIGUOUS, "%s: %s", spec, error.message);
    if (st != CFLR_OK && st != CFLR_AMBIGUOUS) found->n = 0;
}

/* Of all pairs the surest. */
static cflr_through alias_through(const cflr_result *result, const vertices *a, const vertices *b) {
    cflr_through best = CFLR_THROUGH_NOTHING;
    for (size_t i = 0; i < a->n; i++) {
        for (size_t j = 0; j < b->n; j++) {
            cflr_through through = a->at[i] == b->at[j]
                                       ? CFLR_THROUGH_PROGRAM
                                       : cflr_result_alias(result, a->at[i], b->at[j]);
            bool better = best == CFLR_THROUGH_NOTHING || through < best;
            if (through != CFLR_THROUGH_NOTHING && better) best = through;
        }
    }
    return best;
}

static const char *answer_word(cflr_through through) {
    switch (through) {
        case CFLR_THROUGH_NOTHING:
            return "no";
        case CFLR_THROUGH_UNKNOWN:
        case CFLR_THROUGH_LOST:
            return "unknown";
        default:
            return "yes";
    }
}

static const char *expected_word(const char *what) {
    if (strcmp(what, "UNKNOWN") == 0) return "unknown";
    return strcmp(what, "SAME") == 0 || strcmp(what, "BLURRED") == 0 ? "yes" : "no";
}

static bool may_point_to(cflr_context *context, const cflr_result *result, const vertices *pointers,
                         const char *name) {
    uint32_t label = cflr_result_find_label(result, cflr_result_answer(result, "points-to"));
    cflr_vertex_list objects = {0};
    cflr_error error = {0};
    cflr_status st =
        cflr_result_targets(result, label, pointers->at, pointers->n, &objects, &error);
    cr_assert_eq(st, CFLR_OK, "%s", error.message);
    bool found = false;
    for (size_t i = 0; i < objects.count; i++) {
        cflr_vertex_info info;
        cflr_graph_vertex(cflr_result_graph(result), objects.vertices[i], &info);
        found |= strcmp(info.name, name) == 0;
    }
    cflr_vertex_list_free(context, &objects);
    return found;
}

/* `sharper`: the answers are those without contexts and data flow or sharper. */
static void ask(cflr_context *context, const cflr_result *result, const char *file,
                const question *q, bool sharper) {
    const cflr_graph *graph = cflr_result_graph(result);
    vertices first, second;
    find(graph, file, q->line, q->first, &first);
    if (strcmp(q->what, "INTO") == 0) {
        cr_expect(may_point_to(context, result, &first, q->second), "%s:%u: %s should point to %s",
                  file, q->line, q->first, q->second);
        return;
    }
    find(graph, file, q->line, q->second, &second);
    const char *answer = answer_word(alias_through(result, &first, &second));
    if (sharper && strcmp(q->what, "BLURRED") == 0) return;
    cr_expect_str_eq(answer, expected_word(q->what), "%s:%u: %s(%s, %s): %s", file, q->line,
                     q->what, q->first, q->second, answer);
}

static unsigned ask_all(cflr_context *context, const cflr_result *result, const char *path,
                        bool sharper) {
    char *source = construct_read(path);
    unsigned asked = 0;
    unsigned line = 1;
    cr_assert(source);
    for (char *at = source; *at; line++) {
        size_t length = strcspn(at, "\n");
        bool last = at[length] == '\0';
        question q;
        at[length] = '\0';
        if (read_question(at, line, &q)) {
            ask(context, result, construct_name(path), &q, sharper);
            asked++;
        }
        if (last) break;
        at += length + 1;
    }
    free(source);
    return asked;
}

/* `apart`: the files are those that show elements of arrays apart; any other is as sharp with them
 * or more. */
typedef struct reading {
    cflr_contexts contexts;
    bool data_flow;
    cflr_arrays arrays;
    bool apart;
} reading;

static void check_meaning(reading how) {
    construct_files *files = malloc(sizeof *files);
    cflr_context *context = construct_context();
    cflr_grammar *grammar;
    cflr_error error = {0};
    unsigned asked = 0;
    bool sharper = how.contexts != CFLR_CONTEXT_NONE || how.data_flow ||
                   (how.arrays == CFLR_ARRAYS_CONSTANT && !how.apart);
    construct_list_in(files, how.apart ? "arrays" : ".");
    cflr_status st = cflr_grammar_load(context, "pointer-fs", CFLR_GRAMMAR_AUTO, &grammar, &error);
    cr_assert_eq(st, CFLR_OK, "%s", error.message);
    for (size_t i = 0; i < files->n; i++) {
        cflr_result *result;
        cflr_extract_opts opts;
        cflr_extract_opts_init(&opts);
        opts.context = how.contexts;
        opts.data_flow = how.data_flow;
        opts.arrays = how.arrays;
        cflr_graph *graph = construct_graph_by(context, files->path[i], &opts);
        st = cflr_solve(graph, grammar, NULL, &result, &error);
        cr_assert_eq(st, CFLR_OK, "%s: %s", files->path[i], error.message);
        asked += ask_all(context, result, files->path[i], sharper);
        cflr_result_free(result);
        cflr_graph_free(graph);
    }
    cr_expect_gt(asked, 100);
    cflr_grammar_free(grammar);
    cflr_context_free(context);
    free(files);
}

Test(constructs, meaning) {
    check_meaning((reading){0});
}

Test(constructs, meaning_with_contexts) {
    check_meaning((reading){.contexts = CFLR_CONTEXT_CLONE});
}

Test(constructs, meaning_with_contexts_by_types) {
    check_meaning((reading){.contexts = CFLR_CONTEXT_TYPES});
}

Test(constructs, meaning_with_data_flow) {
    check_meaning((reading){.data_flow = true});
}

Test(constructs, meaning_with_arrays) {
    check_meaning((reading){.arrays = CFLR_ARRAYS_CONSTANT});
    check_meaning((reading){
        .arrays = CFLR_ARRAYS_CONSTANT, .contexts = CFLR_CONTEXT_CLONE, .data_flow = true});
}

Test(constructs, meaning_of_elements) {
    check_meaning((reading){.arrays = CFLR_ARRAYS_CONSTANT, .apart = true});
    check_meaning((reading){.arrays = CFLR_ARRAYS_CONSTANT,
                            .apart = true,
                            .contexts = CFLR_CONTEXT_CLONE,
                            .data_flow = true});
}

/* ---- run ---- */

Test(constructs, run) {
    construct_files *files = malloc(sizeof *files);
    construct_list(files);
    construct_run(files);
    construct_list_in(files, "arrays");
    construct_run(files);
    free(files);
}

/* ---- flags ---- */

static char *edges_with_flag(cflr_context *context, const char *path, const char *flag) {
    cflr_extract_opts opts;
    cflr_graph *graph;
    cflr_error error = {0};
    cflr_extract_opts_init(&opts);
    opts.world = CFLR_WORLD_CLOSED;
    opts.files = &path;
    opts.n_files = 1;
    opts.flags = &flag;
    opts.n_flags = 1;
    cflr_status st = cflr_extract(context, &opts, &graph, NULL, &error);
    cr_assert_eq(st, CFLR_OK, "%s: %s", path, error.message);
    char *edges = construct_edges(graph);
    cflr_graph_free(graph);
    return edges;
}

Test(constructs, openmp_changes_nothing) {
    static const char path[] = CFLR_SOURCE_DIR "/tests/c/openmp.c";
    cflr_context *context = construct_context();
    char *with = edges_with_flag(context, path, "-fopenmp");
    char *without = edges_with_flag(context, path, "-DNONE");
    cr_expect_str_eq(with, without);
    cr_expect(strstr(with, "&x -a-> loops::q"), "%s", with);
    free(with);
    free(without);
    cflr_context_free(context);
}

/* ---- documentation ---- */

Test(constructs, documented) {
    construct_files *files = malloc(sizeof *files);
    construct_list(files);
    construct_documented(files);
    construct_list_in(files, "arrays");
    construct_documented(files);
    free(files);
}
