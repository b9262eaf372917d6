/* SPDX-License-Identifier: Apache-2.0
 *
 * graph_places.c: the vertices whose own place is the one that is asked for.
 *
 *     char *name = pass(list[1]);
 *           |      |    |             declared: name    begins: pass()    begins: list[1]
 *                           | |       mentioned, where their brackets close: list[1], pass()
 *
 * A mention has the place of an expression's own token. A vertex has a place, too: of its
 * declaration, or of where its first expression begins. Answers show these, so they can be asked
 * for. What *stands* at its place is what is declared there, and each expression that is written:
 * what an address leads to, for example, has the place of the address, but stands there only if it
 * is mentioned somewhere. The address of a variable has the place of the variable, and never
 * stands; nor do objects, which are not what an expression holds.
 *
 * One query reads all vertices, O(vertices + mentions); a finder knows them by a hash of the place.
 */
#include "base/context.h"
#include "base/graph/graph_find.h"
#include "base/ids.h"

enum { WORD_BITS = 64 };

bool cflri_is_declared(const cflri_source *source) {
    switch (source->kind) {
        case CFLR_VERTEX_OTHER:
        case CFLR_VERTEX_VARIABLE:
        case CFLR_VERTEX_PARAMETER:
        case CFLR_VERTEX_RETURN:
        case CFLR_VERTEX_FUNCTION:
            return true;
        default:
            return false;
    }
}

static bool is_expression(const cflri_source *source) {
    switch (source->kind) {
        case CFLR_VERTEX_DEREFERENCE:
        case CFLR_VERTEX_FIELD:
        case CFLR_VERTEX_TEMPORARY:
        case CFLR_VERTEX_NULL_VALUE:
            return true;
        default:
            return false;
    }
}

/* ---- what is written ---- */

static cflr_status find_written(const cflr_graph *graph, uint64_t **written, cflr_error *error) {
    size_t words = graph->n_vertices / WORD_BITS + 1;
    *written = cflri_alloc_array_zero(graph->context, words, sizeof **written);
    if (!*written) return cflri_fail_memory(graph->context, error);
    for (uint64_t i = 0; i < graph->n_mentions; i++) {
        uint32_t v = graph->mention[i].vertex;
        (*written)[v / WORD_BITS] |= UINT64_C(1) << v % WORD_BITS;
    }
    return CFLR_OK;
}

static bool stands(const cflri_finder *finder, uint32_t v) {
    const cflri_source *source = &finder->graph->source[v];
    bool written = finder->places.written[v / WORD_BITS] >> v % WORD_BITS & 1;
    return cflri_is_declared(source) || (is_expression(source) && written);
}

/* ---- by place ---- */

static uint32_t hash_place(uint32_t file, uint32_t line, uint32_t column) {
    uint32_t hash = (file * UINT32_C(2654435761) ^ line) * UINT32_C(2246822519);
    return (hash ^ column) * UINT32_C(3266489917);
}

static bool fits(const cflri_finder *finder, uint32_t v, bool any) {
    const cflri_source *s = &finder->graph->source[v];
    bool there = s->line == finder->spec.number && s->column == finder->spec.column &&
                 (finder->fits[s->file] & CFLRI_FITS_FILE);
    return there && cflri_vertex_named(finder, v) && (any || stands(finder, v));
}

static bool collect(cflri_finder *finder, uint32_t v, bool any) {
    return !fits(finder, v, any) || cflri_vec_push(finder->graph->context, &finder->found, v);
}

static bool collect_by_index(cflri_finder *finder, bool any) {
    const cflri_place_index *places = &finder->places;
    uint32_t line = (uint32_t)finder->spec.number, column = (uint32_t)finder->spec.column;
    for (size_t m = 0; m < finder->marked.n; m++) {
        uint32_t file = finder->marked.at[m], hash = hash_place(file, line, column);
        if (!(finder->fits[file] & CFLRI_FITS_FILE)) continue;
        for (size_t i = cflri_pairs_seek(places->at, places->n, cflri_pair(hash, 0));
             i < places->n && places->at[i] >> 32 == hash; i++) {
            uint32_t v = (uint32_t)places->at[i];
            if (finder->graph->source[v].file == file && !collect(finder, v, any)) return false;
        }
    }
    return true;
}

bool cflri_collect_placed(cflri_finder *finder, bool any) {
    const cflr_graph *graph = finder->graph;
    cflr_error ignored;
    if (!graph->source || !finder->spec.column) return true;
    if (finder->index) return collect_by_index(finder, any);
    if (!finder->places.written &&
        find_written(graph, &finder->places.written, &ignored) != CFLR_OK)
        return false;
    for (uint32_t v = 0; v < graph->n_vertices; v++)
        if (!collect(finder, v, any)) return false;
    return true;
}

/* ---- many queries ---- */

cflr_status cflri_place_index_make(const cflr_graph *graph, cflri_place_index *places,
                                   cflr_error *error) {
    cflr_status st = CFLR_OK;
    uint32_t n = graph->source ? graph->n_vertices : 0;
    places->at = cflri_alloc_array(graph->context, n, sizeof *places->at);
    if (!places->at) return cflri_fail_memory(graph->context, error);
    for (uint32_t v = 0; v < n; v++) {
        const cflri_source *s = &graph->source[v];
        if (!s->column) continue;
        places->at[places->n++] = cflri_pair(hash_place(s->file, s->line, s->column), v);
    }
    st = cflri_sort_pairs(graph->context, places->at, places->n, NULL, error);
    return st == CFLR_OK ? find_written(graph, &places->written, error) : st;
}

void cflri_place_index_free(const cflr_graph *graph, cflri_place_index *places) {
    cflri_free(graph->context, places->at);
    cflri_free(graph->context, places->written);
}
