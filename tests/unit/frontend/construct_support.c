/* SPDX-License-Identifier: Apache-2.0
 *
 * construct_support.c: the construct files of tests/c/ as graphs, and graphs as text.
 */
#include "construct_support.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int compare_paths(const void *a, const void *b) {
    return strcmp(a, b);
}

void construct_list(construct_files *files) {
    construct_list_in(files, ".");
}

void construct_list_in(construct_files *files, const char *inside) {
    char folder[CONSTRUCT_PATH / 2];
    bool here = strcmp(inside, ".") == 0;
    snprintf(folder, sizeof folder, "%s/tests/c%s%s", CFLR_SOURCE_DIR, here ? "" : "/",
             here ? "" : inside);
    DIR *d = opendir(folder);
    cr_assert(d, "%s cannot be read", folder);
    files->n = 0;
    for (struct dirent *entry; (entry = readdir(d));) {
        size_t length = strlen(entry->d_name);
        if (length < 3 || strcmp(entry->d_name + length - 2, ".c") != 0) continue;
        cr_assert_lt(files->n, CONSTRUCT_MOST_FILES);
        snprintf(files->path[files->n++], CONSTRUCT_PATH, "%s/%s", folder, entry->d_name);
    }
    closedir(d);
    cr_assert_gt(files->n, 0);
    qsort(files->path, files->n, sizeof *files->path, compare_paths);
}

cflr_context *construct_context(void) {
    cflr_context *context;
    cflr_error error = {0};
    cr_assert_eq(cflr_context_new(NULL, &context, &error), CFLR_OK, "%s", error.message);
    return context;
}

const char *construct_name(const char *path) {
    return strrchr(path, '/') + 1;
}

cflr_graph *construct_graph(cflr_context *context, const char *path, cflr_fields fields) {
    return construct_graph_with(context, path, fields, CFLR_CONTEXT_NONE);
}

cflr_graph *construct_graph_with(cflr_context *context, const char *path, cflr_fields fields,
                                 cflr_contexts contexts) {
    cflr_extract_opts opts;
    cflr_extract_opts_init(&opts);
    opts.fields = fields;
    opts.context = contexts;
    opts.world = CFLR_WORLD_CLOSED;
    return construct_graph_by(context, path, &opts);
}

cflr_graph *construct_graph_by(cflr_context *context, const char *path, cflr_extract_opts *opts) {
    static const char *const flags[] = {"-std=gnu11", "-w", "-fms-extensions"};
    cflr_error error = {0};
    cflr_graph *graph = NULL;
    opts->files = &path;
    opts->n_files = 1;
    opts->flags = flags;
    opts->n_flags = sizeof flags / sizeof *flags;
    cflr_status st = cflr_extract(context, opts, &graph, NULL, &error);
    cr_assert_eq(st, CFLR_OK, "%s: %s", path, error.message);
    return graph;
}

/* ---- graphs as text ---- */

typedef struct text {
    char *at;
    size_t n, capacity;
} text;

static void append(text *t, const char *string) {
    size_t length = strlen(string);
    if (t->n + length + 1 > t->capacity) {
        t->capacity = 2 * (t->n + length + 1);
        t->at = realloc(t->at, t->capacity);
        cr_assert(t->at);
    }
    memcpy(t->at + t->n, string, length + 1);
    t->n += length;
}

static bool has_own_name(cflr_vertex_kind kind) {
    return kind != CFLR_VERTEX_TEMPORARY && kind != CFLR_VERTEX_ALLOCATION &&
           kind != CFLR_VERTEX_NULL_VALUE && kind != CFLR_VERTEX_UNKNOWN;
}

static void vertex_text(const cflr_graph *graph, uint32_t vertex, char *buffer, size_t size) {
    cflr_vertex_info info;
    cflr_graph_vertex(graph, vertex, &info);
    const char *colons = *info.function ? "::" : "";
    if (has_own_name(info.kind))
        snprintf(buffer, size, "%s%s%s", info.function, colons, info.name);
    else if (strncmp(info.file, CFLR_SOURCE_DIR, strlen(CFLR_SOURCE_DIR)) == 0)
        snprintf(buffer, size, "%s%s%s(%s)@%u", info.function, colons,
                 cflr_vertex_kind_name(info.kind), info.name, info.line);
    else /* a line of a system header is not ours to expect */
        snprintf(buffer, size, "%s%s%s(%s)", info.function, colons,
                 cflr_vertex_kind_name(info.kind), info.name);
}

/* Puts `more` behind the text. */
static void extend(char **at, const char *more) {
    char buffer[700];
    snprintf(buffer, sizeof buffer, "%s%s", *at, more);
    free(*at);
    *at = strdup(buffer);
}

/* How many vertices before `vertex` have its text. */
static uint32_t same_before(char **texts, uint32_t vertex) {
    uint32_t same = 0;
    for (uint32_t u = 0; u < vertex; u++) same += strcmp(texts[u], texts[vertex]) == 0;
    return same;
}

/* Texts that several vertices have get the place behind, and versions of one local a number. */
static char **vertex_texts(const cflr_graph *graph) {
    uint32_t n = cflr_graph_vertices(graph);
    char **texts = calloc(n + 1, sizeof *texts);
    bool *shared = calloc(n + 1, sizeof *shared);
    uint32_t *ordinal = calloc(n + 1, sizeof *ordinal);
    char buffer[600];
    cr_assert(texts && shared && ordinal);
    for (uint32_t v = 0; v < n; v++) {
        vertex_text(graph, v, buffer, sizeof buffer);
        texts[v] = strdup(buffer);
        for (uint32_t u = 0; u < v; u++)
            if (strcmp(texts[u], texts[v]) == 0) shared[u] = shared[v] = true;
    }
    for (uint32_t v = 0; v < n; v++) {
        if (!shared[v]) continue;
        cflr_vertex_info info;
        cflr_graph_vertex(graph, v, &info);
        snprintf(buffer, sizeof buffer, "@%u:%u", info.line, info.column);
        extend(&texts[v], buffer);
    }
    for (uint32_t v = 0; v < n; v++) ordinal[v] = same_before(texts, v);
    for (uint32_t v = 0; v < n; v++) {
        if (ordinal[v] == 0) continue;
        snprintf(buffer, sizeof buffer, "#%u", ordinal[v]);
        extend(&texts[v], buffer);
    }
    free(ordinal);
    free(shared);
    return texts;
}

static int compare_lines(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static char *sorted_lines(char **lines, size_t n) {
    text all = {0};
    append(&all, "");
    qsort(lines, n, sizeof *lines, compare_lines);
    for (size_t i = 0; i < n; i++) {
        append(&all, lines[i]);
        append(&all, "\n");
        free(lines[i]);
    }
    free(lines);
    return all.at;
}

char *construct_edges(const cflr_graph *graph) {
    char **name = vertex_texts(graph);
    char **lines = calloc(cflr_graph_edges(graph) + 1, sizeof *lines);
    size_t n = 0;
    cr_assert(lines);
    for (uint32_t label = 0; label < cflr_graph_labels(graph); label++) {
        const char *index = cflr_graph_label_index(graph, label);
        uint64_t cursor = 0, count;
        uint32_t source;
        const uint32_t *row;
        while ((row = cflr_graph_next_row(graph, label, CFLR_OUT, &cursor, &source, &count))) {
            for (uint64_t i = 0; i < count; i++) {
                char line[1400];
                snprintf(line, sizeof line, "%s -%s%s%s%s-> %s", name[source],
                         cflr_graph_label_name(graph, label), *index ? "[" : "", index,
                         *index ? "]" : "", name[row[i]]);
                lines[n++] = strdup(line);
            }
        }
    }
    for (uint32_t v = 0; v < cflr_graph_vertices(graph); v++) free(name[v]);
    free(name);
    return sorted_lines(lines, n);
}

/* ---- files ---- */

char *construct_read(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    text all = {0};
    char buffer[4096];
    append(&all, "");
    for (size_t n; (n = fread(buffer, 1, sizeof buffer - 1, file)) > 0;) {
        buffer[n] = '\0';
        append(&all, buffer);
    }
    fclose(file);
    return all.at;
}

char *construct_sibling(const char *path, const char *ending, char buffer[CONSTRUCT_PATH]) {
    size_t stem = strlen(path) - strlen(".c");
    snprintf(buffer, CONSTRUCT_PATH, "%.*s%s", (int)stem, path, ending);
    return buffer;
}

/* ---- what all construct files must meet ---- */

static void write_text(const char *path, const char *content) {
    FILE *file = fopen(path, "wb");
    cr_assert(file, "%s cannot be written", path);
    fputs(content, file);
    cr_assert_eq(fclose(file), 0);
}

/* The first line that differs tells enough to find the rest. */
static void expect_text(const char *path, const char *found, const char *expected) {
    unsigned line = 1;
    size_t i = 0;
    size_t start = 0;
    for (; found[i] && found[i] == expected[i]; i++) {
        if (found[i] != '\n') continue;
        line++;
        start = i + 1;
    }
    cr_expect(found[i] == expected[i], "%s: line %u is\n  %.*s\nand should be\n  %.*s", path, line,
              (int)strcspn(found + start, "\n"), found + start,
              (int)strcspn(expected + start, "\n"), expected + start);
}

void construct_expect(const char *path, const char *found) {
    char of[CONSTRUCT_PATH];
    construct_sibling(path, ".expected", of);
    if (getenv("CFLR_UPDATE")) write_text(of, found);
    char *expected = construct_read(of);
    cr_expect(expected, "%s is missing", of);
    if (expected) expect_text(construct_name(path), found, expected);
    free(expected);
}

static bool is_run(const char *path) {
    char *source = construct_read(path);
    cr_assert(source);
    source[strcspn(source, "\n")] = '\0';
    bool run = strstr(source, "not run") == NULL;
    free(source);
    return run;
}

static void run_one(const char *path, const char *program) {
    char command[2 * CONSTRUCT_PATH];
    snprintf(command, sizeof command, "cc -std=gnu11 -w -fms-extensions -DCHECK_RUN -o %s %s -lm",
             program, path);
    bool compiles = system(command) == 0;
    cr_expect(compiles, "%s does not compile", path);
    if (!compiles) return;
    snprintf(command, sizeof command, "%s </dev/null", program);
    cr_expect_eq(system(command), 0, "%s: a check fails when run", construct_name(path));
}

void construct_run(const construct_files *files) {
    if (system("cc --version >/dev/null 2>&1") != 0) cr_skip_test("no C compiler to run them with");
    char program[] = "/tmp/cflr-construct-XXXXXX";
    int fd = mkstemp(program);
    cr_assert_geq(fd, 0);
    close(fd);
    for (size_t i = 0; i < files->n; i++)
        if (is_run(files->path[i])) run_one(files->path[i], program);
    unlink(program);
}

void construct_documented(const construct_files *files) {
    char *table = construct_read(CFLR_SOURCE_DIR "/docs/reference/constructs.md");
    cr_assert(table, "docs/reference/constructs.md is missing");
    for (size_t i = 0; i < files->n; i++) {
        const char *name = construct_name(files->path[i]);
        cr_expect(strstr(table, name), "docs/reference/constructs.md does not name %s", name);
    }
    free(table);
}
