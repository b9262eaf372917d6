/* SPDX-License-Identifier: Apache-2.0
 *
 * graph_check.c: is a frozen graph what graph.h promises?
 *
 * The check of untrusted files after loading, and of our own work in tests. Nothing is believed
 * that was not looked at before: ids before strings, shapes of relations before their contents.
 *
 *     strings     0 is ""; all are there; the table finds each text at its own number
 *     labels      string ids in range, names that a builder would take, no two alike
 *     relations   valid, and in[l] is out[l] read backwards; n_edges is their sum
 *     sources     kinds of the list, string ids in range
 *     mentions    ids in range, strictly ascending
 *
 * O(V + E) time; memory for one reversed relation.
 */
#include <string.h>

#include "base/context.h"
#include "base/graph/graph.h"

static cflr_status check_strings(const cflr_graph *graph, cflr_error *error) {
    const cflri_strings *strings = &graph->strings;
    if (!strings->text.n) return cflri_fail(error, CFLR_FORMAT, NULL, "the graph has no strings");
    for (size_t i = 0; i < strings->text.n; i++) {
        const char *text = strings->text.at[i];
        if (!text || cflri_strings_find(strings, text, strlen(text)) != i) {
            return cflri_fail(error, CFLR_FORMAT, NULL, "string %zu is damaged", i);
        }
    }
    if (*strings->text.at[0]) return cflri_fail(error, CFLR_FORMAT, NULL, "string 0 is not empty");
    return CFLR_OK;
}

static cflr_status check_label(const cflr_graph *graph, uint32_t l, cflr_error *error) {
    cflri_label label = graph->label[l];
    if (!cflri_graph_has_string(graph, label.name) || !cflri_graph_has_string(graph, label.index)) {
        return cflri_fail(error, CFLR_FORMAT, NULL, "label %u has no name", l);
    }
    const char *fault = cflri_label_name_fault(cflri_string(&graph->strings, label.name));
    if (fault) return cflri_fail(error, CFLR_FORMAT, NULL, "the name of label %u %s", l, fault);
    fault = cflri_label_index_fault(cflri_string(&graph->strings, label.index));
    if (fault) return cflri_fail(error, CFLR_FORMAT, NULL, "the index of label %u %s", l, fault);
    if (cflri_label_find(&graph->label_table, graph->label, label) != l) {
        return cflri_fail(error, CFLR_FORMAT, NULL, "label %u is there twice", l);
    }
    return CFLR_OK;
}

static bool same_ids(const uint32_t *a, const uint32_t *b, uint64_t n) {
    return n == 0 || memcmp(a, b, n * sizeof *a) == 0;
}

static bool same_relation(const cflri_relation *a, const cflri_relation *b) {
    if (a->n_rows != b->n_rows || a->n_pairs != b->n_pairs) return false;
    if (!a->n_rows) return true;
    return same_ids(a->row, b->row, a->n_rows) && same_ids(a->target, b->target, a->n_pairs) &&
           memcmp(a->start, b->start, ((size_t)a->n_rows + 1) * sizeof *a->start) == 0;
}

static cflr_status check_relations(const cflr_graph *graph, uint32_t l, cflr_error *error) {
    if (!cflri_relation_valid(&graph->out[l], graph->n_vertices) ||
        !cflri_relation_valid(&graph->in[l], graph->n_vertices)) {
        return cflri_fail(error, CFLR_FORMAT, NULL, "the edges of label %u are damaged", l);
    }
    cflri_relation reversed;
    cflr_status st = cflri_relation_reverse(graph->context, &graph->out[l], 1, &reversed, error);
    if (st != CFLR_OK) return st;
    if (!same_relation(&reversed, &graph->in[l])) {
        st = cflri_fail(error, CFLR_FORMAT, NULL,
                        "the edges of label %u are not the same in both directions", l);
    }
    cflri_relation_free(graph->context, &reversed);
    return st;
}

static cflr_status check_labels(const cflr_graph *graph, cflr_error *error) {
    uint64_t edges = 0;
    if (graph->n_labels && (!graph->label || !graph->out || !graph->in)) {
        return cflri_fail(error, CFLR_FORMAT, NULL, "the graph has labels without edges");
    }
    for (uint32_t l = 0; l < graph->n_labels; l++) {
        cflr_status st = check_label(graph, l, error);
        if (st == CFLR_OK) st = check_relations(graph, l, error);
        if (st != CFLR_OK) return st;
        edges += graph->out[l].n_pairs;
    }
    if (edges == graph->n_edges) return CFLR_OK;
    return cflri_fail(error, CFLR_FORMAT, NULL, "%llu edges are there in place of %llu",
                      (unsigned long long)edges, (unsigned long long)graph->n_edges);
}

static cflr_status check_sources(const cflr_graph *graph, cflr_error *error) {
    for (uint32_t v = 0; graph->source && v < graph->n_vertices; v++) {
        const cflri_source *s = &graph->source[v];
        if (!cflr_vertex_kind_name((cflr_vertex_kind)s->kind)) {
            return cflri_fail(error, CFLR_FORMAT, NULL, "vertex %u is of the unknown kind %u", v,
                              s->kind);
        }
        if (!cflri_graph_has_string(graph, s->name) || !cflri_graph_has_string(graph, s->type) ||
            !cflri_graph_has_string(graph, s->function) ||
            !cflri_graph_has_string(graph, s->file) || !cflri_graph_has_string(graph, s->context)) {
            return cflri_fail(error, CFLR_FORMAT, NULL, "the source of vertex %u is damaged", v);
        }
    }
    return CFLR_OK;
}

static cflr_status check_mentions(const cflr_graph *graph, cflr_error *error) {
    if (graph->n_mentions && !graph->mention) {
        return cflri_fail(error, CFLR_FORMAT, NULL, "the mentions are missing");
    }
    for (uint64_t i = 0; i < graph->n_mentions; i++) {
        const cflri_mention *m = &graph->mention[i];
        if (!cflri_graph_has_string(graph, m->file) || !cflri_graph_has_string(graph, m->name) ||
            m->vertex >= graph->n_vertices || (i && cflri_mention_compare(m - 1, m) >= 0)) {
            return cflri_fail(error, CFLR_FORMAT, NULL, "mention %llu is damaged",
                              (unsigned long long)i);
        }
    }
    return CFLR_OK;
}

cflr_status cflr_graph_validate(const cflr_graph *graph, cflr_error *error) {
    if (graph->n_vertices > CFLR_MAX_VERTICES) {
        return cflri_fail(error, CFLR_FORMAT, NULL, "more than %u vertices", CFLR_MAX_VERTICES);
    }
    cflr_status st = check_strings(graph, error);
    if (st == CFLR_OK) st = check_labels(graph, error);
    if (st == CFLR_OK) st = check_sources(graph, error);
    if (st == CFLR_OK) st = check_mentions(graph, error);
    if (st == CFLR_OK && !cflri_calls_valid(graph))
        st = cflri_fail(error, CFLR_FORMAT, NULL, "the calls are damaged");
    return st;
}
