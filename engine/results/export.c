/* SPDX-License-Identifier: Apache-2.0
 *
 * export.c: pairs of a result in every format that a graph can be written in.
 *
 * A relation of a result and a label of a graph are the same thing, so the chosen relations are
 * dressed up as a graph. Everything is borrowed: relations from the result, sources and names from
 * the graph. A name of the result that the graph does not have gets a number behind the graph's:
 *
 *     strings    0 "" ... the graph's ... n-1 | n "V"  n+1 "%3"       pointers only
 *
 * Writers read strings by number and rows by source only, so the table of strings and the reversed
 * relations are left out.
 */
#include <assert.h>
#include <string.h>

#include "base/formats/io.h"
#include "engine/results/result.h"

/* ---- what formats cannot hold ---- */

/* Symbols of a grammar may have any name, labels of graphs and most files of them may not. */
static cflr_status check_name(const cflr_result *result, uint32_t label, const char *path,
                              cflr_graph_format format, cflr_error *error) {
    const char *name = cflri_string(&result->strings, result->label[label].name);
    const cflri_format *known = cflri_format_to_write(path, format);
    bool converse = name[0] == '~';
    if (converse && known && known->no_converses) {
        return cflri_fail(error, CFLR_UNSUPPORTED, path,
                          "format %s holds no converses: '%.60s' can be written as '%.60s'",
                          cflri_format_word(known->format), name, name + 1);
    }
    const char *fault = cflri_label_name_fault(name + converse);
    if (!fault || (known && known->any_name)) return CFLR_OK;
    return cflri_fail(error, CFLR_UNSUPPORTED, path, "the name of symbol '%.60s' %s", name, fault);
}

/* `asked` has a place for each label of the result, all false. */
static cflr_status check_labels(const cflr_result *result, const uint32_t *labels, size_t n,
                                bool *asked, cflr_error *error) {
    for (size_t i = 0; i < n; i++) {
        if (labels[i] >= result->n_labels) {
            return cflri_fail(error, CFLR_ARGUMENT, NULL, "the result has no label number %u",
                              labels[i]);
        }
        if (asked[labels[i]]) {
            return cflri_fail(error, CFLR_ARGUMENT, NULL, "label number %u is asked for twice",
                              labels[i]);
        }
        asked[labels[i]] = true;
    }
    return CFLR_OK;
}

/* ---- dressing up ---- */

typedef struct dresser {
    const cflr_result *result;
    cflr_graph graph;   /* what is to be written */
    uint32_t *number;   /* string of the result -> string of `graph`, CFLRI_NO_STRING: none yet */
    size_t n_instances; /* of all chosen labels */
} dresser;

static cflr_status make_room(dresser *d, cflr_error *error) {
    cflr_context *context = d->result->context;
    const cflri_strings *known = &d->result->graph->strings, *more = &d->result->strings;
    cflr_graph *graph = &d->graph;
    graph->strings.context = context;
    d->number = cflri_alloc_array(context, more->text.n, sizeof *d->number);
    graph->label = cflri_alloc_array(context, d->n_instances, sizeof *graph->label);
    graph->out = cflri_alloc_array(context, d->n_instances, sizeof *graph->out);
    if (!d->number || !graph->label || !graph->out ||
        !cflri_vec_reserve(context, &graph->strings.text, known->text.n + more->text.n)) {
        return cflri_fail_memory(context, error);
    }
    memset(d->number, 0xff, more->text.n * sizeof *d->number);
    memcpy(graph->strings.text.at, known->text.at, known->text.n * sizeof *known->text.at);
    graph->strings.text.n = known->text.n;
    return CFLR_OK;
}

/* The number in the dressed graph of a string of the result. */
static uint32_t string_number(dresser *d, uint32_t id) {
    const char *text = cflri_string(&d->result->strings, id);
    if (d->number[id] == CFLRI_NO_STRING) {
        d->number[id] = cflri_strings_find(&d->result->graph->strings, text, strlen(text));
    }
    if (d->number[id] == CFLRI_NO_STRING) {
        d->number[id] = (uint32_t)d->graph.strings.text.n;
        d->graph.strings.text.at[d->graph.strings.text.n++] = text;
    }
    return d->number[id];
}

static void add_label(dresser *d, uint32_t label) {
    const cflri_result_label *record = &d->result->label[label];
    cflr_graph *graph = &d->graph;
    for (uint32_t i = 0; i < record->n_instances; i++) {
        uint32_t instance = record->first_instance + i;
        graph->label[graph->n_labels] =
            (cflri_label){.name = string_number(d, record->name),
                          .index = string_number(d, d->result->instance_index[instance])};
        graph->out[graph->n_labels++] = d->result->instance[instance];
        graph->n_edges += d->result->instance[instance].n_pairs;
    }
}

static dresser dresser_of(const cflr_result *result) {
    const cflr_graph *graph = result->graph;
    return (dresser){.result = result,
                     .graph = {.context = result->context,
                               .n_vertices = graph->n_vertices,
                               .source = graph->source,
                               .has_sources = graph->has_sources,
                               .n_mentions = graph->n_mentions,
                               .mention = graph->mention}};
}

static void dresser_free(dresser *d) {
    cflr_context *context = d->result->context;
    cflri_free(context, d->number);
    cflri_free(context, d->graph.label);
    cflri_free(context, d->graph.out);
    cflri_vec_free(context, &d->graph.strings.text);
}

cflr_status cflr_result_export(const cflr_result *result, const uint32_t *labels, size_t n,
                               const char *path, cflr_graph_format format, cflr_error *error) {
    assert(result && path);
    dresser d = dresser_of(result);
    cflri_allowance allowance = cflri_result_allowance(result);
    cflr_status st = CFLR_OK;
    d.graph.allowance = &allowance;
    bool *asked = cflri_alloc_array_zero(result->context, result->n_labels, sizeof *asked);
    if (!asked) return cflri_fail_memory(result->context, error);
    if (!labels) {
        labels = &result->start;
        n = result->start != CFLR_NO_LABEL;
    }
    CFLR_TRY(check_labels(result, labels, n, asked, error));
    for (size_t i = 0; i < n; i++) {
        CFLR_TRY(check_name(result, labels[i], path, format, error));
        d.n_instances += result->label[labels[i]].n_instances;
    }
    CFLR_TRY(make_room(&d, error));
    for (size_t i = 0; i < n; i++) add_label(&d, labels[i]);
    CFLR_TRY(cflr_graph_save(&d.graph, path, format, error));
    if (allowance.st != CFLR_OK) st = cflri_result_part(&allowance, path, "pairs", error);
out:
    cflri_free(result->context, asked);
    dresser_free(&d);
    return st;
}
