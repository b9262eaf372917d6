/* SPDX-License-Identifier: Apache-2.0
 *
 * test_cases.c: the grammars of tests/cases on their graphs, against expected.tsv, which an
 * independent program made (tests/cases/closure.py); tests/cases/README.md has the layout. A case
 * that comes in other tools' formats too must give the same pairs in each.
 *
 * The closure here is the slowest possible: every ground rule on sets of pairs until nothing
 * changes.
 */
#include <criterion/criterion.h>
#include <dirent.h>

#include "grammar/equations/ground.h"
#include "tests/support/support.h"

#define CASES CFLR_SOURCE_DIR "/tests/cases"

/* n x n bytes for each ground symbol. */
typedef struct pairs {
    uint32_t n;
    uint8_t *of;
} pairs;

static uint8_t *matrix(const pairs *p, uint32_t symbol) {
    return p->of + (size_t)symbol * p->n * p->n;
}

static bool add_pair(const pairs *p, uint32_t symbol, uint32_t u, uint32_t v) {
    uint8_t *cell = &matrix(p, symbol)[u * p->n + v];
    bool is_new = !*cell;
    *cell = 1;
    return is_new;
}

static void seed(const pairs *p, const cflri_ground *g) {
    for (uint32_t s = 0; s < g->n_symbols; s++) {
        uint64_t cursor = 0, count;
        uint32_t u;
        const uint32_t *row;
        if (g->symbol[s].label == CFLR_NO_LABEL) continue;
        while ((row = cflr_graph_next_row(g->graph, g->symbol[s].label, CFLR_OUT, &cursor, &u,
                                          &count))) {
            for (uint64_t i = 0; i < count; i++) add_pair(p, s, u, row[i]);
        }
    }
    for (uint32_t e = 0; e < g->n_epsilon; e++) {
        for (uint32_t v = 0; v < p->n; v++) add_pair(p, g->epsilon[e], v, v);
    }
}

static bool apply_pair(const pairs *p, const cflri_ground *g, const cflri_ground_rule *rule,
                       uint32_t u, uint32_t v) {
    if (g->grammar->rule[rule->rule].is_converse) return add_pair(p, rule->left, v, u);
    if (rule->right[1] == CFLRI_NO_SYMBOL) return add_pair(p, rule->left, u, v);
    bool changed = false;
    for (uint32_t w = 0; w < p->n; w++) {
        if (matrix(p, rule->right[1])[v * p->n + w]) changed |= add_pair(p, rule->left, u, w);
    }
    return changed;
}

static bool apply(const pairs *p, const cflri_ground *g, const cflri_ground_rule *rule) {
    bool changed = false;
    for (uint32_t u = 0; u < p->n; u++) {
        for (uint32_t v = 0; v < p->n; v++) {
            if (matrix(p, rule->right[0])[u * p->n + v]) changed |= apply_pair(p, g, rule, u, v);
        }
    }
    return changed;
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The author's nonterminals as expected.tsv has them; lines are malloc'ed. */
static char **result_lines(const pairs *p, const cflri_ground *g, size_t *n) {
    char **lines = NULL;
    *n = 0;
    for (uint32_t s = 0; s < g->n_symbols; s++) {
        const cflri_symbol *symbol = &g->grammar->symbol[g->symbol[s].symbol];
        const char *index = cflri_ground_index_text(g, s);
        if (symbol->kind != CFLRI_NONTERMINAL || symbol->converse_of != CFLRI_NO_SYMBOL) continue;
        for (uint32_t k = 0; k < p->n * p->n; k++) {
            cflr_vertex_info u, v;
            char text[3][64];
            if (!matrix(p, s)[k]) continue;
            cflr_graph_vertex(g->graph, k / p->n, &u);
            cflr_graph_vertex(g->graph, k % p->n, &v);
            snprintf(text[0], 64, "%u", k / p->n);
            snprintf(text[1], 64, "%u", k % p->n);
            lines = realloc(lines, (*n + 1) * sizeof *lines);
            cr_assert_geq(asprintf(&lines[*n], "%s\t%s\t%s%s%s%s\n", *u.name ? u.name : text[0],
                                   *v.name ? v.name : text[1], symbol->name, *index ? "[" : "",
                                   index, *index ? "]" : ""),
                          0);
            ++*n;
        }
    }
    if (*n) qsort(lines, *n, sizeof *lines, by_text);
    return lines;
}

static void check_rules(const cflr_grammar *grammar, const cflr_graph *graph, const char *name,
                        const char *grammar_file) {
    cflr_error error = {0};
    cflri_ground *g;
    char path[512];
    snprintf(path, sizeof path, "%s/%s/expected.tsv", CASES, name);
    MUST(cflri_ground_new(grammar, graph, &g, &error));
    pairs p = {.n = cflr_graph_vertices(graph)};
    p.of = calloc((size_t)g->n_symbols * p.n * p.n + 1, 1);
    seed(&p, g);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t r = 0; r < g->n_rules; r++) changed |= apply(&p, g, &g->rule[r]);
    }
    size_t n, size, at = 0;
    char **lines = result_lines(&p, g, &n), *expected = test_read_file(path, &size);
    for (size_t i = 0; i < n; i++) {
        size_t length = strlen(lines[i]);
        cr_expect(!strncmp(expected + at, lines[i], length), "%s/%s: %s is not expected", name,
                  grammar_file, lines[i]);
        at += length < size - at ? length : size - at;
        free(lines[i]);
    }
    cr_expect_eq(at, size, "%s/%s: more pairs are expected", name, grammar_file);
    free(lines);
    free(expected);
    free(p.of);
    cflri_ground_free(g);
}

/* The rules alone are applied here: what a filter keeps is asked of the engine
 * (tests/unit/engine/test_cases.c). */
static void check_case(const char *name, const char *grammar_file) {
    cflr_context *context = test_context();
    cflr_error error = {0};
    cflr_graph *graph;
    cflr_grammar *grammar;
    char path[2][512];
    const char *const files[] = {"graph.tsv", grammar_file};
    for (int i = 0; i < 2; i++) snprintf(path[i], 512, "%s/%s/%s", CASES, name, files[i]);
    MUST(cflr_graph_load(context, path[0], CFLR_GRAPH_TSV, &graph, &error));
    MUST(cflr_grammar_load(context, path[1], CFLR_GRAMMAR_AUTO, &grammar, &error));
    if (!grammar->filters.n) check_rules(grammar, graph, name, grammar_file);
    cflr_grammar_free(grammar);
    cflr_graph_free(graph);
    test_context_end(context);
}

/* All grammars of a case; returns how many there are. */
static unsigned check_folder(const char *name) {
    char path[512];
    unsigned n = 0;
    snprintf(path, sizeof path, "%s/%s", CASES, name);
    DIR *folder = opendir(path);
    cr_assert(folder != NULL, "%s", path);
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (strncmp(entry->d_name, "grammar.", 8) != 0) continue;
        check_case(name, entry->d_name);
        n++;
    }
    closedir(folder);
    cr_expect_geq(n, 1, "%s", name);
    return n;
}

Test(cases, all) {
    DIR *folder = opendir(CASES);
    unsigned n = 0, grammars = 0;
    cr_assert(folder != NULL);
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (strchr(entry->d_name, '.')) continue;
        grammars += check_folder(entry->d_name);
        n++;
    }
    closedir(folder);
    cr_expect_geq(n, 35);
    cr_expect_geq(grammars, 40);
}
