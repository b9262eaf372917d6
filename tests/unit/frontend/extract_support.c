/* SPDX-License-Identifier: Apache-2.0
 *
 * extract_support.c: small projects in a temporary folder.
 */
#include "extract_support.h"

#include <criterion/criterion.h>
#include <ftw.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "construct_support.h"

void project_begin(project *p) {
    cflr_error error = {0};
    memset(p, 0, sizeof *p);
    snprintf(p->folder, sizeof p->folder, "/tmp/cflr-project-XXXXXX");
    cr_assert(mkdtemp(p->folder) != NULL);
    cr_assert_eq(cflr_context_new(NULL, &p->context, &error), CFLR_OK, "%s", error.message);
}

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *at) {
    (void)info, (void)kind, (void)at;
    return remove(path);
}

static void forget(project *p) {
    cflr_graph_free(p->graph);
    cflr_extract_report_free(p->report);
    free(p->edges);
    p->graph = NULL;
    p->report = NULL;
    p->edges = NULL;
    memset(&p->error, 0, sizeof p->error);
    memset(&p->counts, 0, sizeof p->counts);
}

static void remember(project *p) {
    if (p->report) cflr_extract_get_counts(p->report, &p->counts);
    if (p->graph) p->edges = construct_edges(p->graph);
}

void project_end(project *p) {
    forget(p);
    cr_expect_eq(cflr_context_memory(p->context), 0);
    cflr_context_free(p->context);
    for (size_t i = 0; i < p->n_sources; i++) free((char *)p->source[i]);
    nftw(p->folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

char *project_path(const project *p, const char *path, char buffer[PROJECT_PATH * 2]) {
    snprintf(buffer, PROJECT_PATH * 2, "%s/%s", p->folder, path);
    return buffer;
}

void project_write(project *p, const char *path, const char *text) {
    char whole[PROJECT_PATH * 2];
    project_path(p, path, whole);
    for (char *slash = whole + strlen(p->folder) + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        mkdir(whole, 0777);
        *slash = '/';
    }
    FILE *file = fopen(whole, "w");
    cr_assert(file != NULL, "%s", whole);
    fputs(text, file);
    cr_assert_eq(fclose(file), 0);
    cr_assert_lt(p->n_files, PROJECT_MOST_FILES);
    snprintf(p->file[p->n_files++], PROJECT_PATH, "%s", path);
    if (strcmp(path + strlen(path) - 2, ".c") == 0) p->source[p->n_sources++] = strdup(whole);
}

void project_write_named(project *p, const char *path, const char *text, const char *name) {
    char named[1000];
    const char *at = strstr(text, "NAME");
    cr_assert(at);
    int length = snprintf(named, sizeof named, "%.*s%s%s", (int)(at - text), text, name,
                          at + strlen("NAME"));
    cr_assert_lt(length, (int)sizeof named);
    project_write(p, path, named);
}

void project_try(project *p, const cflr_extract_opts *opts) {
    cflr_extract_opts chosen;
    cflr_extract_opts_init(&chosen);
    chosen.world = CFLR_WORLD_CLOSED;
    if (opts) chosen = *opts;
    if (!chosen.database && chosen.n_files == 0) {
        chosen.files = p->source;
        chosen.n_files = p->n_sources;
    }
    forget(p);
    p->status = cflr_extract(p->context, &chosen, &p->graph, &p->report, &p->error);
    remember(p);
}

void project_link(project *p, const char *const *paths, size_t n, const cflr_extract_opts *opts) {
    cflr_extract_opts chosen;
    cflr_extract_opts_init(&chosen);
    if (opts) chosen = *opts;
    forget(p);
    p->status = cflr_link(p->context, paths, n, &chosen, &p->graph, &p->report, &p->error);
    remember(p);
}

void project_extract(project *p, const cflr_extract_opts *opts) {
    project_try(p, opts);
    cr_assert_eq(p->status, CFLR_OK, "%s: %s", p->error.subject, p->error.message);
    cr_assert(p->graph && p->report);
}

bool project_has_edge(const project *p, const char *edge) {
    size_t length = strlen(edge);
    for (const char *at = p->edges; (at = strstr(at, edge)); at++) {
        bool begins = at == p->edges || at[-1] == '\n';
        if (begins && (at[length] == '\n' || at[length] == '\0')) return true;
    }
    return false;
}

unsigned project_named(const project *p, const char *name) {
    unsigned n = 0;
    for (uint32_t v = 0; v < cflr_graph_vertices(p->graph); v++) {
        cflr_vertex_info info;
        cflr_graph_vertex(p->graph, v, &info);
        n += strcmp(info.name, name) == 0;
    }
    return n;
}

const cflr_note *project_note(const project *p, cflr_note_kind kind, const char *part) {
    const cflr_note *note;
    for (size_t i = 0; (note = cflr_extract_note(p->report, i)); i++)
        if (note->kind == kind && strstr(note->text, part)) return note;
    return NULL;
}

/* ---- all that was given ---- */

char *project_read_bytes(const char *path, size_t *size) {
    struct stat info;
    cr_assert_eq(stat(path, &info), 0);
    *size = (size_t)info.st_size;
    char *data = malloc(*size + 1);
    FILE *file = fopen(path, "rb");
    cr_assert(file && fread(data, 1, *size, file) == *size);
    fclose(file);
    data[*size] = '\0';
    return data;
}

static void tell_check(FILE *to, const cflr_check *check) {
    fprintf(to, "check %d %s(%s, %s) %s:%u:%u %s %s", (int)check->kind, check->callee,
            check->expression[0], check->expression[1], check->file, check->line, check->column,
            check->function, check->problem);
    for (size_t i = 0; i < check->n; i++)
        fprintf(to, " %u-%u", check->vertex[0][i], check->vertex[1][i]);
    fputc('\n', to);
}

static void tell_counts(FILE *to, const cflr_extract_counts *c) {
    fprintf(to,
            "%u %u %u %u %u %" PRIu64 " %u %u %u %u %u %u %" PRIu64
            " %d %u %u %u %u %d %u %u %u %d\n",
            c->units, c->units_lost, c->units_degraded, c->duplicates, c->other_languages, c->lines,
            c->functions, c->pointers, c->calls_direct, c->calls_indirect, c->calls_unmodelled,
            c->assumptions, c->clones, c->clone_limit_hit, c->redefined, c->untold, c->programs,
            c->left_out, c->open, c->functions_entered, c->variables_entered, c->units_limited,
            c->strict);
    /* a count that is added is printed, too; seven bytes of padding end the struct */
    cr_assert_eq(offsetof(cflr_extract_counts, strict), sizeof *c - 8);
}

static void tell_rules(FILE *to, const cflr_extract_report *report) {
    size_t n;
    const cflr_rule *rule = cflr_extract_rules(report, &n);
    for (size_t i = 0; i < n; i++) {
        fprintf(to, "rule %s %s %d %d %s", rule[i].name, rule[i].message, rule[i].follows_null,
                (int)rule[i].level, rule[i].help);
        for (size_t k = 0; k < rule[i].n_cwe; k++) fprintf(to, " %u", rule[i].cwe[k]);
        fprintf(to, "\n");
    }
    const cflr_flow *flow = cflr_extract_flows(report, &n);
    for (size_t i = 0; i < n; i++)
        fprintf(to, "flow %u %u %s:%u:%u\n", flow[i].source, flow[i].target, flow[i].place.file,
                flow[i].place.line, flow[i].place.column);
}

char *project_told(const project *p, size_t *size) {
    char *text = NULL, path[PROJECT_PATH * 2];
    size_t graph_size;
    const cflr_note *note;
    const cflr_unmodelled *function;
    const cflr_check *check;
    const cflr_target *target;
    FILE *to = open_memstream(&text, size);
    tell_counts(to, &p->counts);
    for (size_t i = 0; (note = cflr_extract_note(p->report, i)); i++)
        fprintf(to, "note %d %" PRIu64 " %s:%u %s\n", (int)note->kind, note->count, note->file,
                note->line, note->text);
    for (size_t i = 0; (function = cflr_extract_unmodelled(p->report, i)); i++)
        fprintf(to, "%s %s %" PRIu64 " %" PRIu64 " %s:%u:%u\n", function->name, function->prototype,
                function->calls, function->values, function->file, function->line,
                function->column);
    for (size_t i = 0; (check = cflr_extract_check(p->report, i)); i++) tell_check(to, check);
    for (size_t i = 0; (target = cflr_extract_target(p->report, i)); i++)
        fprintf(to, "target %s %u %d %d\n", target->name, target->units, target->program,
                target->linked);
    tell_rules(to, p->report);
    project_path(p, "graph.cflg", path);
    cr_assert_eq(cflr_graph_save(p->graph, path, CFLR_GRAPH_CFLG, NULL), CFLR_OK);
    char *graph = project_read_bytes(path, &graph_size);
    fwrite(graph, 1, graph_size, to);
    fclose(to);
    free(graph);
    return text;
}
