/* SPDX-License-Identifier: Apache-2.0
 *
 * program.c: a result that was loaded, by places of its source.
 *
 * A place is looked up as `cflr query` does it, by the name `FILE:LINE:COLUMN`, with a finder that
 * is made when the result is loaded: O(strings + vertices), and then O(log) a place. The client
 * names files in its own way and a build in another, through links: both are known by what they
 * really are.
 *
 *     file    (/home/me/list.c  <-  "/build/../list.c")  ...       by the real path
 *     call    (list.c, 21, 17) ...                                 by place
 */
#include "cli/serve/program.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/answer/loading.h"

/* ---- files ---- */

static int compare_names(const void *left, const void *right) {
    const program_file *a = left, *b = right;
    return strcmp(a->name, b->name);
}

static int compare_real(const void *left, const void *right) {
    const program_file *a = left, *b = right;
    int order = strcmp(a->real, b->real);
    return order ? order : strcmp(a->name, b->name);
}

static void add_file(program *p, const char *name) {
    bool same = p->n_files && p->file[p->n_files - 1].name == name;
    if (!name[0] || same) return;
    if (!make_room(&p->file, &p->capacity, p->n_files, sizeof *p->file)) exit(fail_memory());
    p->file[p->n_files++] = (program_file){name, NULL};
}

/* The names of the list, each once. */
static void sort_files(program *p) {
    size_t kept = 0;
    if (p->n_files) qsort(p->file, p->n_files, sizeof *p->file, compare_names);
    for (size_t i = 0; i < p->n_files; i++)
        if (!kept || strcmp(p->file[kept - 1].name, p->file[i].name) != 0)
            p->file[kept++] = p->file[i];
    p->n_files = kept;
    for (size_t i = 0; i < p->n_files; i++) {
        char real[PATH_MAX];
        p->file[i].real = strdup(realpath(p->file[i].name, real) ? real : p->file[i].name);
        if (!p->file[i].real) exit(fail_memory());
    }
    if (p->n_files) qsort(p->file, p->n_files, sizeof *p->file, compare_real);
}

static void list_files(program *p) {
    for (uint32_t v = 0; v < cflr_graph_vertices(p->graph); v++) {
        cflr_vertex_info info;
        cflr_graph_vertex(p->graph, v, &info);
        add_file(p, info.file);
    }
    for (uint32_t i = 0; i < cflr_graph_functions(p->graph); i++) {
        cflr_function_info info;
        cflr_graph_function(p->graph, i, &info);
        add_file(p, info.file);
    }
    for (uint32_t i = 0; i < p->n_calls; i++) {
        cflr_call_info info;
        cflr_graph_call(p->graph, i, &info);
        add_file(p, info.file);
    }
    sort_files(p);
}

/* The first file that is not before this one. */
static size_t seek_file(const program *p, const char *real) {
    size_t low = 0, high = p->n_files;
    while (low < high) {
        size_t half = low + (high - low) / 2;
        if (strcmp(p->file[half].real, real) < 0)
            low = half + 1;
        else
            high = half;
    }
    return low;
}

/* The name of file `i` if it is this one; else NULL. */
static const char *name_of_file(const program *p, size_t i, const char *real) {
    return i < p->n_files && strcmp(p->file[i].real, real) == 0 ? p->file[i].name : NULL;
}

const char *program_real(const program *p, const char *name) {
    for (size_t i = 0; i < p->n_files; i++)
        if (p->file[i].name == name) return p->file[i].real;
    return name;
}

/* ---- loading ---- */

/* For qsort, which has no argument to pass on; one program is loaded at a time. */
static const cflr_graph *sorting;

static int compare_places(const char *file, uint32_t line, uint32_t column,
                          const cflr_call_info *call) {
    int order = strcmp(file, call->file);
    if (order) return order;
    if (line != call->line) return line < call->line ? -1 : 1;
    return (column > call->column) - (column < call->column);
}

static int compare_calls(const void *left, const void *right) {
    const uint32_t *a = left, *b = right;
    cflr_call_info x, y;
    cflr_graph_call(sorting, *a, &x);
    cflr_graph_call(sorting, *b, &y);
    int order = compare_places(x.file, x.line, x.column, &y);
    return order ? order : (*a > *b) - (*a < *b);
}

static int sort_calls(program *p) {
    p->call = calloc((size_t)p->n_calls + 1, sizeof *p->call);
    if (!p->call) return fail_memory();
    for (uint32_t i = 0; i < p->n_calls; i++) p->call[i] = i;
    sorting = p->graph;
    qsort(p->call, p->n_calls, sizeof *p->call, compare_calls);
    return 0;
}

static cflr_status refuse(const char *path, const char *why, cflr_error *error) {
    *error = (cflr_error){.code = CFLR_ARGUMENT};
    snprintf(error->subject, sizeof error->subject, "%s", path);
    snprintf(error->message, sizeof error->message, "%s", why);
    return CFLR_ARGUMENT;
}

static cflr_status set_up(program *p, const char *path, cflr_error *error) {
    p->graph = cflr_result_graph(p->result);
    p->n_calls = cflr_graph_calls(p->graph);
    if (answering_label(p->result, "points-to") == CFLR_NO_LABEL)
        return refuse(path, "the result does not answer 'points-to'", error);
    if (!cflr_graph_has_sources(p->graph))
        return refuse(path, "the result does not know places: it is not made from C", error);
    list_files(p);
    if (asking_begin(&p->asking, p->result, true) || sort_calls(p))
        return refuse(path, "out of memory", error);
    return CFLR_OK;
}

cflr_status program_load(const char *path, program **loaded, cflr_error *error) {
    struct stat about;
    program *p = calloc(1, sizeof *p);
    *loaded = NULL;
    if (!p) exit(fail_memory());
    if (stat(path, &about) == 0) p->made = about.st_mtim;
    cflr_status st = cflr_result_load(session(), path, &p->result, error);
    if (st == CFLR_OK) st = set_up(p, path, error);
    if (st != CFLR_OK) {
        program_free(p);
        return st;
    }
    warn_of_result(p->result, path, "a pair that it does not have is unknown");
    *loaded = p;
    return CFLR_OK;
}

void program_free(program *p) {
    if (!p) return;
    if (p->has_calls) callgraph_end(&p->calls);
    free(p->by_callee);
    asking_end(&p->asking);
    cflr_result_free(p->result);
    for (size_t i = 0; i < p->n_files; i++) free(p->file[i].real);
    free(p->file);
    free(p->call);
    free(p);
}

/* ---- expressions ---- */

static int find_in(program *p, const char *file, const code_place *at, place_set *found) {
    char *spec;
    cflr_error error;
    int n = asprintf(&spec, "%s:%" PRIu32 ":%" PRIu32, file, at->line, at->column);
    if (n < 0) return fail_memory();
    cflr_status st = look_up(p->graph, p->asking.finder, spec, found, &error);
    free(spec);
    if (st == CFLR_NO_MEMORY) return fail(&error);
    if (st == CFLR_NOT_FOUND) found->n = 0;
    return 0;
}

static bool is_called(const program *p, uint32_t vertex, piece name) {
    cflr_vertex_info info;
    cflr_graph_vertex(p->graph, vertex, &info);
    return strlen(info.name) == name.n && memcmp(info.name, name.at, name.n) == 0;
}

/* A function is no value: of what stands where it is declared, what it returns. */
static void keep_values(const program *p, const code_place *at, place_set *found) {
    size_t kept = 0;
    bool declared = found->n && program_function(p, at);
    for (size_t i = 0; i < found->n; i++) {
        cflr_vertex_info info;
        cflr_graph_vertex(p->graph, found->vertex[i], &info);
        bool value = declared ? info.kind == CFLR_VERTEX_RETURN : info.kind != CFLR_VERTEX_FUNCTION;
        if (value) found->vertex[kept++] = found->vertex[i];
    }
    found->n = kept;
}

/* Of what begins there what the token names, if anything is called so. */
static void keep_named(const program *p, piece name, place_set *found) {
    size_t kept = 0;
    bool any = false;
    for (size_t i = 0; i < found->n; i++) any |= is_called(p, found->vertex[i], name);
    for (size_t i = 0; i < found->n; i++)
        if (!any || is_called(p, found->vertex[i], name)) found->vertex[kept++] = found->vertex[i];
    found->n = kept;
}

int program_find(program *p, const code_place *at, piece name, place_set *found) {
    const char *file;
    *found = (place_set){0};
    for (size_t i = seek_file(p, at->file); (file = name_of_file(p, i, at->file)); i++) {
        free(found->vertex);
        *found = (place_set){0};
        int code = find_in(p, file, at, found);
        if (code) return code;
        if (found->n) break;
    }
    keep_values(p, at, found);
    keep_named(p, name, found);
    return sort_things(p->graph, found);
}

/* ---- calls ---- */

/* The first call that does not begin before the place. */
static uint32_t seek_call(const program *p, const char *file, uint32_t line, uint32_t column) {
    uint32_t low = 0, high = p->n_calls;
    while (low < high) {
        uint32_t half = low + (high - low) / 2;
        cflr_call_info call;
        cflr_graph_call(p->graph, p->call[half], &call);
        if (compare_places(file, line, column, &call) > 0)
            low = half + 1;
        else
            high = half;
    }
    return low;
}

static bool goes_through(const cflr_call_info *call, const place_set *values) {
    for (size_t i = 0; i < call->n; i++)
        for (size_t k = 0; k < values->n; k++)
            if (call->vertex[i] == values->vertex[k]) return true;
    return false;
}

bool program_call(const program *p, const code_place *at, const place_set *values, uint32_t *call) {
    enum { MOST_CALLS = 64, MOST_LINES = 8 };
    const char *name;
    for (size_t i = seek_file(p, at->file); (name = name_of_file(p, i, at->file)); i++) {
        uint32_t first = seek_call(p, name, at->line, at->column + 1);
        for (uint32_t k = first; k > 0 && first - k < MOST_CALLS; k--) {
            cflr_call_info info;
            cflr_graph_call(p->graph, p->call[k - 1], &info);
            if (strcmp(info.file, name) != 0 || info.line + MOST_LINES < at->line) break;
            if (!info.expression[0] || !goes_through(&info, values)) continue;
            *call = p->call[k - 1];
            return true;
        }
    }
    return false;
}

uint32_t program_called(const program *p, const code_place *at) {
    const char *name;
    for (size_t i = seek_file(p, at->file); (name = name_of_file(p, i, at->file)); i++) {
        uint32_t first = seek_call(p, name, at->line, at->column);
        for (uint32_t k = first; k < p->n_calls; k++) {
            cflr_call_info info;
            cflr_graph_call(p->graph, p->call[k], &info);
            if (compare_places(name, at->line, at->column, &info) != 0) break;
            if (info.callee) return info.callee;
        }
    }
    return 0;
}

uint32_t program_function(const program *p, const code_place *at) {
    for (uint32_t i = 1; i < cflr_graph_functions(p->graph); i++) {
        cflr_function_info info;
        cflr_graph_function(p->graph, i, &info);
        bool here = info.line == at->line && info.column == at->column && info.file[0];
        if (here && strcmp(program_real(p, info.file), at->file) == 0) return i;
    }
    return 0;
}

/* Edges are sorted by caller: those to one callee stay so. */
static int sort_callees(program *p) {
    uint32_t n = (uint32_t)p->calls.n, n_functions = p->calls.n_functions;
    uint32_t *start = calloc((size_t)n_functions + 1, sizeof *start);
    p->by_callee = calloc((size_t)n + 1, sizeof *p->by_callee);
    if (!start || !p->by_callee) {
        free(start);
        return fail_memory();
    }
    for (uint32_t i = 0; i < n; i++) start[p->calls.edge[i].callee + 1]++;
    for (uint32_t i = 0; i < n_functions; i++) start[i + 1] += start[i];
    for (uint32_t i = 0; i < n; i++) p->by_callee[start[p->calls.edge[i].callee]++] = i;
    free(start);
    return 0;
}

int program_make_calls(program *p) {
    if (p->has_calls) return 0;
    int code = callgraph_begin(&p->calls, p->result);
    p->has_calls = true;
    if (!code) code = callgraph_collect(&p->calls);
    if (!code) code = sort_callees(p);
    return code;
}
