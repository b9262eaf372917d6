/* SPDX-License-Identifier: Apache-2.0
 *
 * result_export.c: pairs of a result in every format that a graph can be written in.
 *
 * A relation of a result and a label of a graph are the same thing, so the chosen relations are
 * dressed up as a graph: strings are copied (ids of the vertices' sources stay valid), relations
 * and sources are borrowed. Writers read rows by source only, so the reversed relations are left
 * out.
 */
#include <string.h>

#include "engine/result.h"

/* Copies the graph's strings in order, so that their numbers stay the same. */
static cflr_status copy_strings(const cflr_graph *from, cflr_graph *to, cflr_error *error) {
    cflr_status st = CFLR_OK;
    CFLR_TRY(cflri_strings_init(&to->strings, to->context, error));
    for (size_t i = 0; i < from->strings.text.n; i++) {
        const char *text = from->strings.text.at[i];
        uint32_t id;
        CFLR_TRY(cflri_intern(&to->strings, text, strlen(text), &id, error));
    }
out:
    return st;
}

static cflr_status add_text(cflr_graph *dressed, const char *text, uint32_t *id,
                            cflr_error *error) {
    return cflri_intern(&dressed->strings, text, strlen(text), id, error);
}

static cflr_status add_label(const cflr_result *result, uint32_t label, cflr_graph *dressed,
                             cflr_error *error) {
    cflr_status st = CFLR_OK;
    const cflri_result_label *record = &result->label[label];
    for (uint32_t i = 0; i < record->n_instances; i++) {
        uint32_t instance = record->first_instance + i, at = dressed->n_labels;
        const char *name = cflri_string(&result->strings, record->name);
        const char *index = cflri_string(&result->strings, result->instance_index[instance]);
        CFLR_TRY(add_text(dressed, name, &dressed->label[at].name, error));
        CFLR_TRY(add_text(dressed, index, &dressed->label[at].index, error));
        dressed->out[at] = result->instance[instance];
        dressed->n_edges += result->instance[instance].n_pairs;
        dressed->n_labels++;
    }
out:
    return st;
}

static cflr_status check_labels(const cflr_result *result, const uint32_t *labels, size_t n,
                                size_t *n_instances, cflr_error *error) {
    *n_instances = 0;
    for (size_t i = 0; i < n; i++) {
        if (labels[i] >= result->n_labels) {
            return cflri_fail(error, CFLR_ARGUMENT, NULL, "the result has no label number %u",
                              labels[i]);
        }
        for (size_t k = 0; k < i; k++) {
            if (labels[k] != labels[i]) continue;
            return cflri_fail(error, CFLR_ARGUMENT, NULL, "label number %u is asked for twice",
                              labels[i]);
        }
        *n_instances += result->label[labels[i]].n_instances;
    }
    return CFLR_OK;
}

cflr_status cflr_result_export(const cflr_result *result, const uint32_t *labels, size_t n,
                               const char *path, cflr_graph_format format, cflr_error *error) {
    cflr_context *context = result->context;
    const cflr_graph *graph = result->graph;
    cflr_graph dressed = {.context = context,
                          .n_vertices = graph->n_vertices,
                          .source = graph->source,
                          .n_mentions = graph->n_mentions,
                          .mention = graph->mention};
    cflr_status st = CFLR_OK;
    size_t n_instances;
    if (!labels) {
        labels = &result->start;
        n = result->start != CFLR_NO_LABEL;
    }
    CFLR_TRY(check_labels(result, labels, n, &n_instances, error));
    CFLR_TRY(copy_strings(graph, &dressed, error));
    dressed.label = cflri_alloc_array(context, n_instances, sizeof *dressed.label);
    dressed.out = cflri_alloc_array(context, n_instances, sizeof *dressed.out);
    if (!dressed.label || !dressed.out) {
        st = cflri_fail_memory(context, error);
        goto out;
    }
    for (size_t i = 0; i < n; i++) CFLR_TRY(add_label(result, labels[i], &dressed, error));
    CFLR_TRY(cflr_graph_save(&dressed, path, format, error));
out:
    cflri_free(context, dressed.label);
    cflri_free(context, dressed.out);
    cflri_strings_free(&dressed.strings);
    return st;
}
