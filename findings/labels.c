/* SPDX-License-Identifier: Apache-2.0
 *
 * labels.c: a table of names, looked up once for each label of a graph.
 *
 *     label      0: a     1: d        2: f[8]    3: call[i]   4: f[16]
 *     meaning    FLOW     CONTENT     MEMBER     NOTHING      MEMBER        of[MEMBER]: 2 4
 *
 * O(labels).
 */
#include "findings/labels.h"

#include <string.h>

#include "base/graph/graph.h"

static const struct {
    const char *name;
    bool plain; /* without index */
} names[CFLRI_MEANINGS] = {
    [CFLRI_MEANS_FLOW] = {"a", true},        [CFLRI_MEANS_TEST] = {"nonnull", true},
    [CFLRI_MEANS_NULL] = {"null", true},     [CFLRI_MEANS_CONTENT] = {"d", true},
    [CFLRI_MEANS_ADDRESS] = {"alloc", true}, [CFLRI_MEANS_MEMBER] = {"f", false},
    [CFLRI_MEANS_SLOT] = {"s", false},       [CFLRI_MEANS_SOURCE] = {"source", false},
    [CFLRI_MEANS_BYTES] = {"bytes", false},  [CFLRI_MEANS_SINK] = {"sink", false},
};

static cflri_meaning meaning_of(const cflr_graph *graph, uint32_t label) {
    const char *name = cflr_graph_label_name(graph, label);
    bool plain = !cflr_graph_label_index(graph, label)[0];
    for (int m = CFLRI_MEANS_NOTHING + 1; m < CFLRI_MEANINGS; m++)
        if (strcmp(names[m].name, name) == 0 && (plain || !names[m].plain)) return (cflri_meaning)m;
    return CFLRI_MEANS_NOTHING;
}

bool cflri_labels_make(const cflr_graph *graph, cflri_labels *labels) {
    uint32_t n = cflr_graph_labels(graph);
    *labels = (cflri_labels){.graph = graph};
    labels->meaning = cflri_alloc(graph->context, n);
    bool good = labels->meaning;
    for (uint32_t label = 0; label < n && good; label++) {
        cflri_meaning meaning = meaning_of(graph, label);
        labels->meaning[label] = (uint8_t)meaning;
        if (meaning != CFLRI_MEANS_NOTHING)
            good = cflri_vec_push(graph->context, &labels->of[meaning], label);
    }
    return good;
}

void cflri_labels_free(cflri_labels *labels) {
    if (!labels->graph) return;
    cflr_context *context = labels->graph->context;
    cflri_free(context, labels->meaning);
    for (int m = 0; m < CFLRI_MEANINGS; m++) cflri_vec_free(context, &labels->of[m]);
    *labels = (cflri_labels){0};
}

const uint32_t *cflri_labels_row(const cflri_labels *labels, cflri_meaning meaning,
                                 cflr_direction direction, uint32_t vertex, uint64_t *n) {
    *n = 0;
    if (labels->of[meaning].n == 0) return NULL;
    return cflr_graph_row(labels->graph, labels->of[meaning].at[0], direction, vertex, n);
}

uint64_t cflri_labels_degree(const cflri_labels *labels, cflri_meaning meaning,
                             cflr_direction direction, uint32_t vertex) {
    uint64_t n;
    cflri_labels_row(labels, meaning, direction, vertex, &n);
    return n;
}

bool cflri_labels_neighbour(const cflri_labels *labels, cflri_meaning meaning,
                            cflr_direction direction, uint32_t vertex, uint32_t *other) {
    for (size_t i = 0; i < labels->of[meaning].n; i++) {
        uint64_t n;
        const uint32_t *row =
            cflr_graph_row(labels->graph, labels->of[meaning].at[i], direction, vertex, &n);
        if (n == 0) continue;
        *other = row[0];
        return true;
    }
    return false;
}

uint32_t cflri_answering(const cflr_result *result, const char *question) {
    const char *name = cflr_result_answer(result, question);
    return name[0] ? cflr_result_find_label(result, name) : CFLR_NO_LABEL;
}
