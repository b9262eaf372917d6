/* SPDX-License-Identifier: Apache-2.0
 *
 * io_walk.c: all edges of a graph in the order in which files hold them.
 *
 * Labels are numbered in order of first use, which depends on how a graph was made; files are to
 * depend on the graph alone, so they go by the texts of labels. O(L log L) to begin, O(1) an edge.
 */
#include <stdlib.h>
#include <string.h>

#include "base/allowance.h"
#include "base/formats/io.h"

/* Between two looks at the clock. */
enum { EDGES_A_LOOK = 1 << 12 };

static int by_text(const void *left, const void *right, void *user) {
    const cflr_graph *graph = user;
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    int order = strcmp(cflri_label_name(graph, a), cflri_label_name(graph, b));
    return order ? order : strcmp(cflri_label_index(graph, a), cflri_label_index(graph, b));
}

cflr_status cflri_walk_begin(cflri_walk *walk, const cflr_graph *graph, cflr_error *error) {
    *walk = (cflri_walk){.graph = graph};
    walk->order = cflri_alloc_array(graph->context, graph->n_labels, sizeof *walk->order);
    if (!walk->order) return cflri_fail_memory(graph->context, error);
    for (uint32_t i = 0; i < graph->n_labels; i++) walk->order[i] = i;
    qsort_r(walk->order, graph->n_labels, sizeof *walk->order, by_text, (void *)(uintptr_t)graph);
    return CFLR_OK;
}

cflr_status cflri_write_on(const cflr_graph *graph, uint64_t done) {
    return graph->allowance ? cflri_allowance_left(graph->allowance)
                            : cflri_tick(graph->context, "write", done, graph->n_edges);
}

cflr_status cflri_walk_stopped(const cflri_walk *walk, bool part, cflr_error *error) {
    bool in_time = walk->st != CFLR_LIMIT && walk->st != CFLR_CANCELLED;
    if (walk->st != CFLR_OK && in_time) {
        if (error) *error = walk->error;
        return walk->st;
    }
    if (in_time || (part && walk->graph->allowance)) return CFLR_OK;
    return cflri_fail_interrupted(walk->graph->context, walk->st, error);
}

bool cflri_walk_next(cflri_walk *walk) {
    const cflr_graph *graph = walk->graph;
    if (walk->done++ % EDGES_A_LOOK == 0) walk->st = cflri_write_on(graph, walk->done);
    if (walk->st != CFLR_OK) return false;
    for (; walk->at < graph->n_labels; walk->at++, walk->row = 0, walk->pair = 0) {
        const cflri_relation *out = &graph->out[walk->order[walk->at]];
        if (walk->pair == out->n_pairs) continue;
        if (walk->pair == out->start[walk->row]) {
            walk->st =
                cflri_relation_read(graph->context, out, walk->row, &walk->ids, &walk->error);
            if (walk->st != CFLR_OK) return false;
        }
        walk->label = walk->order[walk->at];
        walk->source = out->row[walk->row];
        walk->target = walk->ids.target[walk->pair - out->start[walk->row]];
        if (++walk->pair == out->start[walk->row + 1]) walk->row++;
        return true;
    }
    return false;
}

void cflri_walk_end(cflri_walk *walk) {
    if (walk->graph) {
        cflri_free(walk->graph->context, walk->order);
        cflr_row_free(&walk->ids);
    }
    *walk = (cflri_walk){0};
}

/* The edges of labels `a` and `b` do not go into one list. Labels may differ in their index
 * only. */
static cflr_status fail_labels(const cflr_graph *graph, const char *word, uint32_t a, uint32_t b,
                               cflr_error *error) {
    const char *x = cflri_label_index(graph, a), *y = cflri_label_index(graph, b);
    return cflri_fail(error, CFLR_UNSUPPORTED, NULL,
                      "format %s has one label, the graph has more: '%.50s%s%.20s%s' and "
                      "'%.50s%s%.20s%s'",
                      word, cflri_label_name(graph, a), *x ? "[" : "", x, *x ? "]" : "",
                      cflri_label_name(graph, b), *y ? "[" : "", y, *y ? "]" : "");
}

cflr_status cflri_only_label(const cflr_graph *graph, const char *word, cflr_error *error) {
    uint32_t first = CFLR_NO_LABEL;
    for (uint32_t i = 0; i < graph->n_labels; i++) {
        if (!graph->out[i].n_pairs) continue;
        if (first != CFLR_NO_LABEL) {
            return fail_labels(graph, word, first, i, error);
        }
        first = i;
    }
    return CFLR_OK;
}
