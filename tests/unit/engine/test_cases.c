/* SPDX-License-Identifier: Apache-2.0
 *
 * Every case of tests/cases on every model and number of threads: all pairs of all nonterminals
 * must be those of expected.tsv, which a program that shares nothing with the engine has made
 * (tests/cases/closure.py).
 */
#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "sliced.h"

enum { LONGEST_LINE = 160, MOST_THREADS = 3, MOST_SLICES = 7 };

/* Lines of text, to be compared as sets. */
typedef struct lines {
    size_t n, capacity;
    char (*at)[LONGEST_LINE];
} lines;

static char *add_line(lines *l) {
    if (l->n == l->capacity) {
        l->capacity = l->capacity ? 2 * l->capacity : 64;
        l->at = realloc(l->at, l->capacity * sizeof *l->at);
        cr_assert_not_null(l->at);
    }
    return l->at[l->n++];
}

static int by_text(const void *a, const void *b) {
    return strcmp(a, b);
}

static void sort_lines(lines *l) {
    if (l->n) qsort(l->at, l->n, sizeof *l->at, by_text);
}

static lines read_lines(const char *path) {
    lines read = {0};
    size_t size;
    char *text = test_read_file(path, &size), *rest = text;
    for (char *line; (line = strsep(&rest, "\n"));) {
        if (!*line) continue;
        cr_assert_lt(strlen(line), LONGEST_LINE);
        strcpy(add_line(&read), line);
    }
    free(text);
    sort_lines(&read);
    return read;
}

static void vertex_name(const cflr_graph *graph, uint32_t vertex, char name[64]) {
    cflr_vertex_info info;
    cflr_graph_vertex(graph, vertex, &info);
    if (info.name && info.name[0]) {
        snprintf(name, 64, "%s", info.name);
    } else {
        snprintf(name, 64, "%u", vertex);
    }
}

static void add_row(lines *l, const cflr_graph *graph, uint32_t source, uint32_t target,
                    const char *symbol) {
    char from[64], to[64];
    vertex_name(graph, source, from);
    vertex_name(graph, target, to);
    int n = snprintf(add_line(l), LONGEST_LINE, "%s\t%s\t%s", from, to, symbol);
    cr_assert_lt(n, LONGEST_LINE);
}

static void add_instance(lines *l, const cflr_result *result, uint32_t label, const char *name,
                         uint32_t i) {
    char symbol[64];
    const char *index = cflr_result_label_index(result, label, i);
    cflr_row row = {0};
    cflr_error error;
    uint64_t cursor = 0;
    snprintf(symbol, sizeof symbol, index[0] ? "%s[%s]" : "%s", name, index);
    do {
        MUST(cflr_result_next_row(result, label, i, &cursor, &row, &error));
        for (uint64_t k = 0; k < row.count; k++) {
            add_row(l, cflr_result_graph(result), row.vertex, row.target[k], symbol);
        }
    } while (row.count);
    cflr_row_free(&row);
}

/* All pairs of all nonterminals of the grammar, converses left out. */
static lines lines_of(const cflr_result *result) {
    lines made = {0};
    for (uint32_t label = 0; label < cflr_result_labels(result); label++) {
        cflr_result_label info;
        cflr_result_get_label(result, label, &info);
        if (info.kind != CFLR_SYMBOL_NONTERMINAL || info.name[0] == '~') continue;
        for (uint32_t i = 0; i < info.indexes; i++) {
            add_instance(&made, result, label, info.name, i);
        }
    }
    sort_lines(&made);
    return made;
}

static void compare(const lines *expected, const lines *found, const char *what) {
    for (size_t i = 0; i < expected->n && i < found->n; i++) {
        cr_assert_str_eq(found->at[i], expected->at[i], "%s: %s, expected %s", what, found->at[i],
                         expected->at[i]);
    }
    cr_assert_eq(found->n, expected->n, "%s: %zu pairs, expected %zu", what, found->n, expected->n);
}

static void solve_case(world *w, const lines *expected, const char *name) {
    for (size_t m = 0; m < TEST_MODELS; m++) {
        for (int threads = 1; threads <= MOST_THREADS; threads++) {
            char what[128];
            snprintf(what, sizeof what, "%s, %s, %d threads", name, cflr_model_name(test_models[m]),
                     threads);
            w->context->threads = threads;
            world_solve(w, test_models[m]);
            lines found = lines_of(w->result);
            compare(expected, &found, what);
            free(found.at);
            world_forget_result(w);
        }
    }
}

static void solve_in(world *w, const lines *expected, const char *name, slicing how) {
    char what[128];
    snprintf(what, sizeof what, "%s, %u slices%s", name, how.slices, how.parks ? ", parked" : "");
    world_solve_sliced(w, how);
    lines found = lines_of(w->result);
    compare(expected, &found, what);
    free(found.at);
    world_forget_result(w);
}

static void solve_in_slices(world *w, const lines *expected, const char *name) {
    w->context->threads = 1;
    for (uint32_t n = 2; n <= MOST_SLICES; n++) {
        solve_in(w, expected, name, (slicing){.slices = n, .grain = 1, .fake = n % 2 * n});
        solve_in(w, expected, name, (slicing){.slices = n, .grain = 1, .parks = true});
    }
}

static void run_case(const char *directory, const char *name) {
    char path[1024];
    cflr_error error;
    world w;
    world_begin(&w, 1);
    snprintf(path, sizeof path, "%s/%s/graph.tsv", directory, name);
    MUST(cflr_graph_load(w.context, path, CFLR_GRAPH_TSV, &w.graph, &error));
    snprintf(path, sizeof path, "%s/%s/grammar.cfg", directory, name);
    MUST(cflr_grammar_load(w.context, path, CFLR_GRAMMAR_CFLR, &w.grammar, &error));
    snprintf(path, sizeof path, "%s/%s/expected.tsv", directory, name);
    lines expected = read_lines(path);
    solve_case(&w, &expected, name);
    solve_in_slices(&w, &expected, name);
    free(expected.at);
    world_end(&w);
}

static bool is_case(const char *directory, const char *name) {
    char path[1024];
    struct stat about;
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return name[0] != '.' && stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

Test(cases, every_case_on_every_model) {
    const char *directory = CFLR_SOURCE_DIR "/tests/cases";
    int cases = 0;
    DIR *list = opendir(directory);
    cr_assert_not_null(list, "%s", directory);
    for (struct dirent *entry; (entry = readdir(list));) {
        if (!is_case(directory, entry->d_name)) continue;
        run_case(directory, entry->d_name);
        cases++;
    }
    closedir(list);
    cr_assert_geq(cases, 20);
}
