/* SPDX-License-Identifier: Apache-2.0
 *
 * lost.c: answers that depend on values which the analysis does not follow.
 *
 * Such a value is a vertex of kind LOST. Four things can be said of it:
 *
 *     it comes to a pointer that is asked about         the answer is `unknown`, with its cause
 *     it comes to a pointer that is written through     any memory may have changed: the run says
 *                                                       once that a `no` may be a `yes`
 *     it comes nowhere                                  it stands for code that was not read: the
 *                                                       run says that once, too
 *     it comes to a sink of a rule                      there may be more findings: likewise
 */
#include "cli/answer/lost.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/answer/loading.h"
#include "cli/names/names.h"

uint32_t lost_among(const cflr_result *result, const uint32_t *pointers, size_t n) {
    for (size_t i = 0; i < n; i++) {
        uint32_t lost = cflr_result_lost(result, pointers[i]);
        if (lost != CFLR_NO_VERTEX) return lost;
    }
    return CFLR_NO_VERTEX;
}

/* The text of print_lost. */
static const char *cause(const cflr_graph *graph, uint32_t lost, char *text, size_t size) {
    cflr_vertex_info info;
    look_at(graph, lost, &info);
    size_t n = (size_t)snprintf(text, size, "%s", info.name);
    if (n < size && info.file[0])
        n += (size_t)snprintf(text + n, size - n, ", at %s", short_path(info.file));
    if (n < size && info.line) n += (size_t)snprintf(text + n, size - n, ":%" PRIu32, info.line);
    if (n < size && info.column) snprintf(text + n, size - n, ":%" PRIu32, info.column);
    return text;
}

enum { CAUSE_SIZE = 1024, MOST_NAMED = 3 };

void print_lost(FILE *file, const cflr_graph *graph, uint32_t lost) {
    char text[CAUSE_SIZE];
    fprintf(file, "a value is not followed: %s", cause(graph, lost, text, sizeof text));
}

/* ---- what a `no` rests on ---- */

/* An edge of the label to the vertex from another one, or from the vertex to another one. */
static bool has_edge(const cflr_graph *graph, const char *label, cflr_direction way,
                     uint32_t vertex) {
    uint64_t n;
    const uint32_t *row = edges_of(graph, label, NULL, way, vertex, &n);
    for (uint64_t i = 0; i < n; i++)
        if (row[i] != vertex) return true;
    return false;
}

static bool has_flow(const cflr_graph *graph, cflr_direction way, uint32_t vertex) {
    return has_edge(graph, "a", way, vertex) || has_edge(graph, "data", way, vertex) ||
           has_edge(graph, "nonnull", way, vertex);
}

static bool is_lost(const cflr_graph *graph, uint32_t vertex) {
    cflr_vertex_info info;
    cflr_graph_vertex(graph, vertex, &info);
    return info.kind == CFLR_VERTEX_LOST;
}

/* Vertices, of which the first are named. */
typedef struct some_lost {
    uint32_t first[MOST_NAMED];
    size_t n;
} some_lost;

static void add_lost(some_lost *some, uint32_t lost) {
    if (some->n < MOST_NAMED) some->first[some->n] = lost;
    some->n++;
}

/* Calls `tell`, unless there are none, with the causes of `most` of them and how many more there
 * are. */
static void tell_some(const cflr_graph *graph, const char *what, const some_lost *some, size_t most,
                      lost_told *tell, void *user) {
    char text[MOST_NAMED * (CAUSE_SIZE + 2) + 32], one[CAUSE_SIZE];
    size_t named = some->n < most ? some->n : most, n = 0;
    for (size_t i = 0; i < named; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", i ? "; " : "",
                              cause(graph, some->first[i], one, sizeof one));
    if (some->n > named) snprintf(text + n, sizeof text - n, " (and %zu more)", some->n - named);
    if (some->n) tell(user, what, text);
}

static void warn_of(void *user, const char *what, const char *causes) {
    (void)user;
    remark("warning: %s: %s", what, causes);
}

static void find_unread(const cflr_graph *graph, some_lost *found) {
    size_t n;
    const uint32_t *unknown = cflr_graph_unknowns(graph, &n);
    for (size_t i = 0; i < n; i++)
        if (is_lost(graph, unknown[i]) && !has_flow(graph, CFLR_OUT, unknown[i]))
            add_lost(found, unknown[i]);
}

size_t unread_code(const cflr_graph *graph) {
    some_lost found = {.n = 0};
    find_unread(graph, &found);
    return found.n;
}

void warn_unread(const cflr_graph *graph, const char *what) {
    some_lost found = {.n = 0};
    find_unread(graph, &found);
    tell_some(graph, what, &found, 1, warn_of, NULL);
}

/* Is something written to what the pointer points to? */
static bool is_written(const cflr_graph *graph, uint32_t pointer) {
    static const char *const contents[] = {"d", "store"};
    for (size_t k = 0; k < sizeof contents / sizeof *contents; k++) {
        uint64_t n;
        const uint32_t *row = edges_of(graph, contents[k], NULL, CFLR_OUT, pointer, &n);
        for (uint64_t i = 0; i < n; i++)
            if (row[i] != pointer && has_flow(graph, CFLR_IN, row[i])) return true;
    }
    return false;
}

enum { NEAR = 64 };

/* The same, where the result does not know all aliases, by assignments alone: it may be so, too,
 * when the value goes far, or into memory. */
static bool may_be_written_through(const cflr_graph *graph, uint32_t lost) {
    uint32_t near[NEAR] = {lost}, n = 1;
    for (uint32_t at = 0; at < n; at++) {
        uint64_t count;
        const uint32_t *to = edges_of(graph, "a", NULL, CFLR_OUT, near[at], &count);
        bool stored = has_edge(graph, "d", CFLR_IN, near[at]);
        if (at && (stored || is_written(graph, near[at]))) return true;
        for (uint64_t i = 0; i < count; i++) {
            uint32_t k = 0;
            while (k < n && near[k] != to[i]) k++;
            if (k == NEAR) return true;
            if (k == n) near[n++] = to[i];
        }
    }
    return false;
}

/* Is something written through a pointer that may hold the lost value? */
static bool is_written_through(const cflr_result *result, uint32_t alias, uint32_t lost) {
    cflr_vertex_list list;
    cflr_error error;
    bool written = false;
    if (cflr_result_targets(result, alias, &lost, 1, &list, &error) != CFLR_OK)
        return may_be_written_through(cflr_result_graph(result), lost);
    for (size_t i = 0; i < list.count && !written; i++)
        written =
            list.vertices[i] != lost && is_written(cflr_result_graph(result), list.vertices[i]);
    cflr_vertex_list_free(session(), &list);
    return written;
}

static void find_writes(const cflr_result *result, some_lost *found) {
    const cflr_graph *graph = cflr_result_graph(result);
    uint32_t alias = answering_label(result, "alias");
    size_t n;
    const uint32_t *unknown = cflr_graph_unknowns(graph, &n);
    for (size_t i = 0; i < n && alias != CFLR_NO_LABEL; i++)
        if (is_lost(graph, unknown[i]) && is_written_through(result, alias, unknown[i]))
            add_lost(found, unknown[i]);
}

static const char may_be_yes[] = "a 'no' may be a 'yes'";

static void tell_writes(const cflr_result *result, size_t most, lost_told *tell, void *user) {
    some_lost written = {.n = 0};
    find_writes(result, &written);
    tell_some(cflr_result_graph(result),
              "a 'no' may be a 'yes': memory is written through a value that is not followed",
              &written, most, tell, user);
}

void tell_lost(const cflr_result *result, lost_told *tell, void *user) {
    some_lost unread = {.n = 0};
    find_unread(cflr_result_graph(result), &unread);
    tell_some(cflr_result_graph(result), may_be_yes, &unread, MOST_NAMED, tell, user);
    tell_writes(result, MOST_NAMED, tell, user);
}

void warn_lost_writes(const cflr_result *result) {
    tell_writes(result, 1, warn_of, NULL);
}

void warn_lost(const cflr_result *result) {
    warn_unread(cflr_result_graph(result), may_be_yes);
    warn_lost_writes(result);
}

/* ---- findings ---- */

void warn_lost_sinks(const cflr_graph *graph, const cflr_findings_counts *counts) {
    const some_lost some = {.first = {counts->a_lost}, .n = counts->lost};
    tell_some(graph, "there may be more findings: a value is not followed that comes to a sink",
              &some, 1, warn_of, NULL);
}
