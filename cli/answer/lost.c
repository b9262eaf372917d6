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

enum { CAUSE_SIZE = 1024 };

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

/* `count` vertices of which this is the first; none if it is CFLR_NO_VERTEX. */
static void warn_of(const cflr_graph *graph, const char *what, uint32_t lost, size_t count) {
    char text[CAUSE_SIZE], more[48] = "";
    if (lost == CFLR_NO_VERTEX) return;
    if (count > 1) snprintf(more, sizeof more, " (and %zu more)", count - 1);
    remark("warning: %s: %s%s", what, cause(graph, lost, text, sizeof text), more);
}

void warn_unread(const cflr_graph *graph, const char *what) {
    size_t n, count = 0;
    const uint32_t *unknown = cflr_graph_unknowns(graph, &n);
    uint32_t first = CFLR_NO_VERTEX;
    for (size_t i = 0; i < n; i++) {
        bool unread = is_lost(graph, unknown[i]) && !has_flow(graph, CFLR_OUT, unknown[i]);
        if (unread && count++ == 0) first = unknown[i];
    }
    warn_of(graph, what, first, count);
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

static void warn_of_writes(const cflr_result *result) {
    const cflr_graph *graph = cflr_result_graph(result);
    uint32_t alias = answering_label(result, "alias"), first = CFLR_NO_VERTEX;
    size_t n, count = 0;
    const uint32_t *unknown = cflr_graph_unknowns(graph, &n);
    for (size_t i = 0; i < n && alias != CFLR_NO_LABEL; i++)
        if (is_lost(graph, unknown[i]) && is_written_through(result, alias, unknown[i]) &&
            count++ == 0)
            first = unknown[i];
    warn_of(graph, "a 'no' may be a 'yes': memory is written through a value that is not followed",
            first, count);
}

void warn_lost(const cflr_result *result) {
    warn_unread(cflr_result_graph(result), "a 'no' may be a 'yes'");
    warn_of_writes(result);
}

/* ---- findings ---- */

void warn_lost_sinks(const cflr_graph *graph, const cflr_findings_counts *counts) {
    warn_of(graph, "there may be more findings: a value is not followed that comes to a sink",
            counts->a_lost, counts->lost);
}
