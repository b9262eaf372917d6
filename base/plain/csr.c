/* SPDX-License-Identifier: Apache-2.0
 *
 * csr.c: rows that are there: looking at them, reading them backwards, giving them weights.
 */
#include "base/plain/csr.h"

#include <string.h>

#include "base/context.h"
#include "base/plain/csr_mapped.h"
#include "base/sized.h"

/* ---- options ---- */

void cflr_csr_opts_init_sized(cflr_csr_opts *opts, size_t struct_size) {
    const cflr_csr_opts defaults = {.symmetric = false};
    CFLRI_GIVE_OPTS(opts, struct_size, defaults);
}

cflr_status cflri_csr_opts_take(cflr_csr_opts *chosen, const cflr_csr_opts *opts,
                                cflr_error *error) {
    cflr_csr_opts_init(chosen);
    return CFLRI_TAKE_OPTS(chosen, opts, "cflr_csr_opts", error);
}

/* ---- looking ---- */

void cflr_csr_free(cflr_csr *csr) {
    if (!csr) return;
    cflr_csr_free(csr->reverse);
    if (csr->mapped)
        cflri_mapped_close(csr->mapped);
    else
        cflri_free(csr->context, csr->start);
    cflri_free(csr->context, csr->mapped);
    cflri_free(csr->context, csr->target);
    cflri_free(csr->context, csr->weight);
    cflri_strings_free(&csr->names);
    cflri_free(csr->context, csr->note);
    cflri_free(csr->context, csr);
}

uint32_t cflr_csr_vertices(const cflr_csr *csr) {
    return csr->n_vertices;
}

uint64_t cflr_csr_edges(const cflr_csr *csr) {
    return csr->n_edges;
}

cflr_weights cflr_csr_weights(const cflr_csr *csr) {
    return csr->weights;
}

bool cflr_csr_symmetric(const cflr_csr *csr) {
    return csr->symmetric;
}

const uint64_t *cflr_csr_start(const cflr_csr *csr) {
    return csr->start;
}

const uint32_t *cflr_csr_target(const cflr_csr *csr) {
    return csr->target;
}

const void *cflr_csr_weight(const cflr_csr *csr) {
    return csr->weight;
}

/* ---- names ---- */

bool cflr_csr_has_names(const cflr_csr *csr) {
    return csr->names.context;
}

const char *cflr_csr_name(const cflr_csr *csr, uint32_t vertex) {
    return csr->names.context && vertex < csr->n_vertices ? cflri_string(&csr->names, vertex + 1)
                                                          : "";
}

uint32_t cflr_csr_find(const cflr_csr *csr, const char *name) {
    uint32_t id = csr->names.context && *name ? cflri_strings_find(&csr->names, name, strlen(name))
                                              : CFLRI_NO_STRING;
    return id == CFLRI_NO_STRING ? CFLR_NO_VERTEX : id - 1;
}

const char *cflr_csr_note(const cflr_csr *csr) {
    return csr->note ? csr->note : "";
}

cflr_status cflri_csr_describe(cflr_csr *csr, cflri_strings *names, const char *note,
                               cflr_error *error) {
    csr->names = *names;
    *names = (cflri_strings){0};
    if (!*note) return CFLR_OK;
    csr->note = cflri_copy_text(csr->context, note, strlen(note));
    return csr->note ? CFLR_OK : cflri_fail_memory(csr->context, error);
}

cflr_status cflri_csr_copy_names(const cflr_csr *csr, const uint32_t *vertex, cflr_csr *made,
                                 cflr_error *error) {
    cflr_status st = CFLR_OK;
    uint32_t id;
    if (!csr->names.context) return CFLR_OK;
    CFLR_TRY(cflri_strings_init(&made->names, csr->context, error));
    for (uint32_t i = 0; i < csr->n_vertices; i++) {
        const char *name = cflr_csr_name(csr, vertex[i]);
        CFLR_TRY(cflri_intern(&made->names, name, strlen(name), &id, error));
    }
out:
    return st;
}

/* Those of a graph whose vertices have nothing else, where each is there once. */
static cflr_status take_names(const cflr_graph *graph, cflr_csr *csr, cflr_error *error) {
    cflr_status st = CFLR_OK;
    cflr_vertex_info info;
    uint32_t id, expected = 1;
    if (cflr_graph_has_sources(graph) || !csr->n_vertices) return CFLR_OK;
    CFLR_TRY(cflri_strings_init(&csr->names, csr->context, error));
    for (uint32_t v = 0; v < csr->n_vertices; v++, expected++) {
        cflr_graph_vertex(graph, v, &info);
        CFLR_TRY(cflri_intern(&csr->names, info.name, strlen(info.name), &id, error));
        if (id == expected) continue;
        cflri_strings_free(&csr->names);
        csr->names = (cflri_strings){0};
        break;
    }
out:
    return st;
}

/* ---- edges on their way ---- */

bool cflri_edges_reserve(cflr_context *context, cflri_edges *edges, uint64_t n) {
    return cflri_vec_reserve(context, &edges->source, n) &&
           cflri_vec_reserve(context, &edges->target, n) &&
           (!edges->weights || cflri_vec_reserve(context, &edges->weight, n));
}

void cflri_edges_free(cflr_context *context, cflri_edges *edges) {
    cflri_vec_free(context, &edges->source);
    cflri_vec_free(context, &edges->target);
    cflri_vec_free(context, &edges->weight);
}

cflr_status cflri_edges_freeze(cflr_context *context, cflri_edges *edges, const cflr_csr_opts *opts,
                               cflr_csr **csr, cflr_error *error) {
    const cflr_edge_list list = {.n_vertices = edges->n_vertices,
                                 .n_edges = edges->source.n,
                                 .source = edges->source.at,
                                 .target = edges->target.at,
                                 .weights = edges->weights,
                                 .weight = edges->weight.at};
    cflr_status st = cflr_csr_new(context, &list, opts, csr, error);
    cflri_edges_free(context, edges);
    return st;
}

cflr_status cflr_csr_of_graph(cflr_context *context, const cflr_graph *graph, uint32_t label,
                              const cflr_csr_opts *opts, cflr_csr **csr, cflr_error *error) {
    cflri_edges edges = {.n_vertices = cflr_graph_vertices(graph)};
    uint64_t cursor = 0, count;
    uint32_t vertex;
    *csr = NULL;
    if (!cflri_edges_reserve(context, &edges, cflr_graph_label_edges(graph, label))) {
        cflri_edges_free(context, &edges);
        return cflri_fail_memory(context, error);
    }
    for (const uint32_t *row;
         (row = cflr_graph_next_row(graph, label, CFLR_OUT, &cursor, &vertex, &count));) {
        for (uint64_t i = 0; i < count; i++) {
            edges.source.at[edges.source.n++] = vertex;
            edges.target.at[edges.target.n++] = row[i];
        }
    }
    cflr_status st = cflri_edges_freeze(context, &edges, opts, csr, error);
    if (st == CFLR_OK) st = take_names(graph, *csr, error);
    if (st == CFLR_OK) return st;
    cflr_csr_free(*csr);
    *csr = NULL;
    return st;
}

/* ---- the same edges, seen otherwise ---- */

static void list_edges(const cflr_csr *csr, const uint32_t *number, bool backwards,
                       cflri_edges *edges) {
    uint32_t *from = backwards ? edges->target.at : edges->source.at;
    uint32_t *to = backwards ? edges->source.at : edges->target.at;
    edges->source.n = edges->target.n = csr->n_edges;
#pragma omp parallel for num_threads(cflr_context_threads(csr->context)) schedule(dynamic, 1024)
    for (uint64_t v = 0; v < csr->n_vertices; v++) {
        for (uint64_t e = csr->start[v]; e < csr->start[v + 1]; e++) {
            from[e] = number ? number[v] : (uint32_t)v;
            to[e] = number ? number[csr->target[e]] : csr->target[e];
        }
    }
    if (!edges->weights || csr->n_edges == 0) return;
    edges->weight.n = csr->n_edges;
    memcpy(edges->weight.at, csr->weight, csr->n_edges * sizeof *edges->weight.at);
}

static cflr_status remake(const cflr_csr *csr, const uint32_t *number, bool backwards,
                          const cflr_csr_opts *opts, cflr_csr **made, cflr_error *error) {
    cflri_edges edges = {.n_vertices = csr->n_vertices, .weights = csr->weights};
    if (opts->drop_weights) edges.weights = CFLR_WEIGHTS_NONE;
    *made = NULL;
    if (!cflri_edges_reserve(csr->context, &edges, csr->n_edges)) {
        cflri_edges_free(csr->context, &edges);
        return cflri_fail_memory(csr->context, error);
    }
    list_edges(csr, number, backwards, &edges);
    cflr_status st = cflri_edges_freeze(csr->context, &edges, opts, made, error);
    if (st == CFLR_OK) (*made)->symmetric = csr->symmetric || opts->symmetric;
    return st;
}

cflr_status cflri_csr_remake(const cflr_csr *csr, const uint32_t *number, bool backwards,
                             cflr_csr **made, cflr_error *error) {
    cflr_csr_opts opts;
    cflr_csr_opts_init(&opts);
    opts.keep_parallel = true;
    cflr_status st = remake(csr, number, backwards, &opts, made, error);
    if (st == CFLR_OK) (*made)->keeps_parallel = csr->keeps_parallel;
    return st;
}

cflr_status cflri_csr_change(const cflr_csr *csr, const cflr_csr_opts *opts, cflr_csr **made,
                             cflr_error *error) {
    cflr_csr_opts own = *opts;
    own.symmetric = opts->symmetric && !csr->symmetric; /* it has both ways already */
    return remake(csr, NULL, false, &own, made, error);
}

cflr_status cflr_csr_reverse(cflr_csr *csr, const cflr_csr **reverse, cflr_error *error) {
    cflr_status st = CFLR_OK;
    *reverse = csr;
    if (csr->symmetric) return CFLR_OK;
    if (!csr->reverse) st = cflr_csr_read_rows(csr, error);
    if (!csr->reverse && st == CFLR_OK)
        st = cflri_csr_remake(csr, NULL, true, &csr->reverse, error);
    *reverse = csr->reverse;
    return st;
}

/* ---- weights ---- */

static int32_t draw(uint32_t a, uint32_t b, int32_t least, uint64_t range, uint64_t seed) {
    uint64_t pair = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
    uint64_t bits = cflri_csr_mix(pair + cflri_csr_mix(seed + UINT64_C(0x9e3779b97f4a7c15)));
    return (int32_t)(least + (int64_t)((bits >> 32) * range >> 32));
}

cflr_status cflr_csr_draw_weights(cflr_csr *csr, int32_t least, int32_t most, uint64_t seed,
                                  cflr_error *error) {
    if (least > most)
        return cflri_fail(error, CFLR_ARGUMENT, NULL, "weights from %d to %d are none", least,
                          most);
    cflr_status st = cflr_csr_read_rows(csr, error);
    if (st != CFLR_OK) return st;
    uint64_t range = (uint64_t)((int64_t)most - least) + 1;
    int32_t *weight = cflri_alloc_array(csr->context, csr->n_edges, sizeof *weight);
    if (!weight) return cflri_fail_memory(csr->context, error);
#pragma omp parallel for num_threads(cflr_context_threads(csr->context)) schedule(dynamic, 1024)
    for (uint64_t v = 0; v < csr->n_vertices; v++)
        for (uint64_t e = csr->start[v]; e < csr->start[v + 1]; e++)
            weight[e] = draw((uint32_t)v, csr->target[e], least, range, seed);
    cflri_free(csr->context, csr->weight);
    csr->weight = weight;
    csr->weights = CFLR_WEIGHTS_INT32;
    cflr_csr_free(csr->reverse); /* it has the weights of before */
    csr->reverse = NULL;
    return CFLR_OK;
}
