/* SPDX-License-Identifier: Apache-2.0
 *
 * graph_build.c: collecting edges, and freezing them into rows.
 *
 *     builder:  chunk -> chunk -> chunk      edges as they came: source, target, label (12 bytes)
 *                 |
 *     freeze:   counted by label while they came, so one reading puts each pair in its label's part
 *
 *               [ label 0: pairs | label 1: pairs | ... ]        8 bytes a pair
 *                      | sort, drop duplicates
 *               out[0], out[1] ...  then in[l] = out[l] reversed
 *
 * Chunks are never moved while they grow and are freed as they are read, so the peak of freezing is
 * about 20 bytes an edge plus 8 for each edge of the most frequent label. Time O(edges).
 */
#include <assert.h>
#include <string.h>

#include "base/context.h"
#include "base/graph/graph.h"
#include "base/sized.h"

enum { FIRST_CHUNK = 256, LARGEST_CHUNK = 1 << 18 }; /* edges */

typedef struct edge {
    uint32_t source;
    uint32_t target;
    uint32_t label;
} edge;

typedef struct edge_chunk {
    struct edge_chunk *next;
    uint32_t n, capacity;
    edge edge[];
} edge_chunk;

struct cflr_graph_builder {
    cflr_context *context;
    cflri_strings strings;
    CFLRI_VEC(cflri_label) labels;
    CFLRI_VEC(uint64_t) label_edges; /* as many as labels */
    cflri_seen label_table;
    CFLRI_VEC(cflri_source) sources; /* of the first vertices */
    CFLRI_VEC(cflri_mention) mentions;
    cflri_calls calls;
    edge_chunk *chunk; /* the one being filled, the older ones behind it */
    uint64_t n_edges;
    uint32_t n_vertices;
};

/* ---- life ---- */

cflr_status cflr_graph_builder_new(cflr_context *context, cflr_graph_builder **builder,
                                   cflr_error *error) {
    *builder = NULL;
    cflr_graph_builder *made = cflri_alloc_zero(context, sizeof *made);
    if (!made) return cflri_fail_memory(context, error);
    made->context = context;
    cflr_status st = cflri_strings_init(&made->strings, context, error);
    if (st != CFLR_OK) {
        cflri_free(context, made);
        return st;
    }
    *builder = made;
    return CFLR_OK;
}

void cflr_graph_builder_free(cflr_graph_builder *builder) {
    if (!builder) return;
    cflr_context *context = builder->context;
    while (builder->chunk) {
        edge_chunk *chunk = builder->chunk;
        builder->chunk = chunk->next;
        cflri_free(context, chunk);
    }
    cflri_vec_free(context, &builder->labels);
    cflri_vec_free(context, &builder->label_edges);
    cflri_seen_free(context, &builder->label_table);
    cflri_vec_free(context, &builder->sources);
    cflri_vec_free(context, &builder->mentions);
    cflri_calls_free(context, &builder->calls);
    cflri_strings_free(&builder->strings);
    cflri_free(context, builder);
}

cflr_status cflri_graph_builder_string(cflr_graph_builder *builder, const char *text, uint32_t *id,
                                       cflr_error *error) {
    *id = 0;
    if (!text || !*text) return CFLR_OK;
    return cflri_intern(&builder->strings, text, strlen(text), id, error);
}

/* ---- labels ---- */

static cflr_status check_label(const char *name, const char *index, cflr_error *error) {
    const char *fault = name ? cflri_label_name_fault(name) : "is missing";
    if (fault) {
        return cflri_fail(error, CFLR_ARGUMENT, NULL, "label name '%.64s' %s", name ? name : "",
                          fault);
    }
    fault = index ? cflri_label_index_fault(index) : NULL;
    if (!fault) return CFLR_OK;
    return cflri_fail(error, CFLR_ARGUMENT, NULL, "index '%.64s' of label '%.64s' %s", index, name,
                      fault);
}

static cflr_status add_label(cflr_graph_builder *builder, cflri_label label, uint32_t *number,
                             cflr_error *error) {
    cflr_context *context = builder->context;
    size_t n = builder->labels.n;
    if (n >= CFLR_NO_LABEL) {
        return cflri_fail(error, CFLR_UNSUPPORTED, NULL, "more than %u labels", CFLR_NO_LABEL);
    }
    if (!cflri_vec_reserve(context, &builder->label_edges, 1) ||
        !cflri_vec_push(context, &builder->labels, label)) {
        return cflri_fail_memory(context, error);
    }
    if (!cflri_label_add(context, &builder->label_table, builder->labels.at, (uint32_t)n)) {
        builder->labels.n = n;
        return cflri_fail_memory(context, error);
    }
    builder->label_edges.at[builder->label_edges.n++] = 0;
    *number = (uint32_t)n;
    return CFLR_OK;
}

cflr_status cflr_graph_builder_label(cflr_graph_builder *builder, const char *name,
                                     const char *index, uint32_t *label, cflr_error *error) {
    cflr_status st = CFLR_OK;
    cflri_label key;
    CFLR_TRY(check_label(name, index, error));
    CFLR_TRY(cflri_graph_builder_string(builder, name, &key.name, error));
    CFLR_TRY(cflri_graph_builder_string(builder, index, &key.index, error));
    *label = cflri_label_find(&builder->label_table, builder->labels.at, key);
    if (*label == CFLR_NO_LABEL) st = add_label(builder, key, label, error);
out:
    return st;
}

/* ---- vertices ---- */

static cflr_status fail_too_many_vertices(cflr_error *error) {
    return cflri_fail(error, CFLR_UNSUPPORTED, NULL, "more than %u vertices", CFLR_MAX_VERTICES);
}

/* Gives the vertices that only edges know an empty record each. */
static cflr_status fill_sources(cflr_graph_builder *builder, size_t extra, cflr_error *error) {
    size_t missing = builder->n_vertices - builder->sources.n;
    if (!cflri_vec_reserve(builder->context, &builder->sources, missing + extra)) {
        return cflri_fail_memory(builder->context, error);
    }
    if (missing) {
        memset(builder->sources.at + builder->sources.n, 0, missing * sizeof(cflri_source));
        builder->sources.n = builder->n_vertices;
    }
    return CFLR_OK;
}

cflr_status cflr_graph_builder_vertex_sized(cflr_graph_builder *builder,
                                            const cflr_vertex_info *info, size_t struct_size,
                                            uint32_t *vertex, cflr_error *error) {
    cflr_status st = CFLR_OK;
    cflr_vertex_info known;
    cflri_give(&known, sizeof known, info, struct_size);
    cflri_source source = {.kind = known.kind, .line = known.line, .column = known.column};
    CFLR_TRY(cflri_graph_builder_string(builder, known.name, &source.name, error));
    CFLR_TRY(cflri_graph_builder_string(builder, known.type, &source.type, error));
    CFLR_TRY(cflri_graph_builder_string(builder, known.function, &source.function, error));
    CFLR_TRY(cflri_graph_builder_string(builder, known.file, &source.file, error));
    CFLR_TRY(cflri_graph_builder_string(builder, known.context, &source.context, error));
    st = cflri_graph_builder_vertex(builder, &source, vertex, error);
out:
    return st;
}

cflr_status cflri_graph_builder_expect(cflr_graph_builder *builder, uint64_t vertices,
                                       uint64_t mentions, cflr_error *error) {
    if (vertices > CFLR_MAX_VERTICES) return fail_too_many_vertices(error);
    if (cflri_vec_reserve(builder->context, &builder->sources, vertices) &&
        cflri_vec_reserve(builder->context, &builder->mentions, mentions))
        return CFLR_OK;
    return cflri_fail_memory(builder->context, error);
}

cflr_status cflri_graph_builder_vertex(cflr_graph_builder *builder, const cflri_source *source,
                                       uint32_t *vertex, cflr_error *error) {
    if (!cflr_vertex_kind_name((cflr_vertex_kind)source->kind)) {
        return cflri_fail(error, CFLR_ARGUMENT, NULL, "%d is no kind of vertex", (int)source->kind);
    }
    if (builder->n_vertices >= CFLR_MAX_VERTICES) return fail_too_many_vertices(error);
    cflr_status st = fill_sources(builder, 1, error);
    if (st != CFLR_OK) return st;
    builder->sources.at[builder->sources.n++] = *source;
    *vertex = builder->n_vertices++;
    assert(builder->sources.n == builder->n_vertices);
    return CFLR_OK;
}

/* ---- edges ---- */

static bool add_chunk(cflr_graph_builder *builder) {
    uint32_t capacity = builder->chunk ? builder->chunk->capacity * 2 : FIRST_CHUNK;
    if (capacity > LARGEST_CHUNK) capacity = LARGEST_CHUNK;
    edge_chunk *chunk =
        cflri_alloc(builder->context, sizeof *chunk + capacity * sizeof *chunk->edge);
    if (!chunk) return false;
    chunk->next = builder->chunk;
    chunk->n = 0;
    chunk->capacity = capacity;
    builder->chunk = chunk;
    return true;
}

cflr_status cflr_graph_builder_edge(cflr_graph_builder *builder, uint32_t source, uint32_t target,
                                    uint32_t label, cflr_error *error) {
    uint32_t larger = source > target ? source : target;
    if (larger >= CFLR_MAX_VERTICES) return fail_too_many_vertices(error);
    if (label >= builder->labels.n) {
        return cflri_fail(error, CFLR_ARGUMENT, NULL, "label %u of an edge was never made", label);
    }
    if (!builder->chunk || builder->chunk->n == builder->chunk->capacity) {
        if (!add_chunk(builder)) return cflri_fail_memory(builder->context, error);
    }
    builder->chunk->edge[builder->chunk->n++] = (edge){source, target, label};
    builder->label_edges.at[label]++;
    builder->n_edges++;
    if (larger >= builder->n_vertices) builder->n_vertices = larger + 1;
    return CFLR_OK;
}

cflr_status cflr_graph_builder_edges(cflr_graph_builder *builder, uint64_t n,
                                     const uint32_t *source, const uint32_t *target,
                                     const uint32_t *label, cflr_error *error) {
    cflr_status st = CFLR_OK;
    for (uint64_t i = 0; st == CFLR_OK && i < n; i++)
        st = cflr_graph_builder_edge(builder, source[i], target[i], label[i], error);
    return st;
}

/* ---- mentions ---- */

cflr_status cflr_graph_builder_mention(cflr_graph_builder *builder, uint32_t vertex,
                                       const cflr_mention *at, cflr_error *error) {
    cflr_status st = CFLR_OK;
    cflri_mention mention = {.line = at->line, .column = at->column, .vertex = vertex};
    CFLR_TRY(cflri_graph_builder_string(builder, at->file, &mention.file, error));
    CFLR_TRY(cflri_graph_builder_string(builder, at->name, &mention.name, error));
    if (!at->name && vertex < builder->sources.n) mention.name = builder->sources.at[vertex].name;
    st = cflri_graph_builder_mention(builder, &mention, error);
out:
    return st;
}

cflr_status cflri_graph_builder_mention(cflr_graph_builder *builder, const cflri_mention *mention,
                                        cflr_error *error) {
    if (mention->vertex >= builder->n_vertices) {
        return cflri_fail(error, CFLR_ARGUMENT, NULL, "vertex %u of a mention was never made",
                          mention->vertex);
    }
    size_t n = builder->mentions.n;
    bool repeated = n && cflri_mention_compare(&builder->mentions.at[n - 1], mention) == 0;
    if (!mention->name || repeated) return CFLR_OK; /* it cannot be asked for, or was just added */
    if (cflri_vec_push(builder->context, &builder->mentions, *mention)) return CFLR_OK;
    return cflri_fail_memory(builder->context, error);
}

cflri_calls *cflri_graph_builder_calls(cflr_graph_builder *builder) {
    return &builder->calls;
}

/* ---- freezing ---- */

/* Puts the pairs of each label together, in the parts that begin at place[label], and frees the
 * chunks on the way. On return place[label] is where the part ends. */
static void part_by_label(cflr_graph_builder *builder, uint64_t *pairs, uint64_t *place) {
    while (builder->chunk) {
        edge_chunk *chunk = builder->chunk;
        for (uint32_t i = 0; i < chunk->n; i++) {
            edge e = chunk->edge[i];
            pairs[place[e.label]++] = cflri_pair(e.source, e.target);
        }
        builder->chunk = chunk->next;
        cflri_free(builder->context, chunk);
    }
}

/* Turns counts into places; returns the largest count. */
static uint64_t place_labels(uint64_t *count, size_t n) {
    uint64_t at = 0, largest = 0;
    for (size_t l = 0; l < n; l++) {
        uint64_t here = count[l];
        if (here > largest) largest = here;
        count[l] = at;
        at += here;
    }
    return largest;
}

static cflr_status loaded(cflr_graph *graph, uint64_t pairs, uint64_t of, cflr_error *error) {
    cflr_status st = cflri_tick(graph->context, "load", pairs, of);
    return st == CFLR_OK ? st : cflri_fail_interrupted(graph->context, st, error);
}

static cflr_status build_relations(cflr_graph *graph, uint64_t *pairs, const uint64_t *end,
                                   uint64_t *scratch, cflr_error *error) {
    uint64_t from = 0, all = graph->n_labels ? end[graph->n_labels - 1] : 0;
    cflr_status st = CFLR_OK;
    for (uint32_t l = 0; l < graph->n_labels; l++) {
        uint64_t *part = pairs + from;
        uint64_t n = end[l] - from;
        CFLR_TRY(loaded(graph, from, all, error));
        CFLR_TRY(cflri_sort_pairs_in_time(graph->context, part, n, scratch, error));
        CFLR_TRY(cflri_relation_build_sorted(graph->context, part, n, &graph->out[l], error));
        from = end[l];
    }
    CFLR_TRY(loaded(graph, from, all, error));
out:
    return st;
}

static cflr_status freeze_edges(cflr_graph_builder *builder, cflr_graph *graph, cflr_error *error) {
    cflr_context *context = builder->context;
    uint64_t *place = builder->label_edges.at;
    uint64_t largest = place_labels(place, graph->n_labels);
    uint64_t *scratch = NULL;
    uint64_t *pairs = cflri_alloc_array(context, builder->n_edges, sizeof *pairs);
    cflr_status st = CFLR_OK;
    graph->out = cflri_alloc_array_zero(context, graph->n_labels, sizeof *graph->out);
    if (!pairs || !graph->out) {
        st = cflri_fail_memory(context, error);
        goto out;
    }
    part_by_label(builder, pairs, place);
    scratch = cflri_alloc_array(context, largest, sizeof *scratch);
    if (!scratch) {
        st = cflri_fail_memory(context, error);
        goto out;
    }
    CFLR_TRY(build_relations(graph, pairs, place, scratch, error));
out:
    cflri_free(context, pairs);
    cflri_free(context, scratch);
    return st;
}

/* Releases the spare capacity of a vector that grows no more; one that cannot shrink stays. */
static void *trim(cflr_context *context, void *at, size_t size) {
    void *smaller = at ? cflri_realloc(context, at, size) : NULL;
    return smaller ? smaller : at;
}

/* Hands over what needs no work: the builder must not free it any more. */
static void move_tables(cflr_graph_builder *builder, cflr_graph *graph) {
    cflr_context *context = builder->context;
    graph->n_vertices = builder->n_vertices;
    graph->n_labels = (uint32_t)builder->labels.n;
    graph->label = trim(context, builder->labels.at, builder->labels.n * sizeof *graph->label);
    graph->strings = builder->strings;
    graph->source = trim(context, builder->sources.at, builder->sources.n * sizeof *graph->source);
    graph->mention =
        trim(context, builder->mentions.at, builder->mentions.n * sizeof *graph->mention);
    graph->n_mentions = builder->mentions.n;
    graph->calls = builder->calls;
    builder->labels.at = NULL;
    builder->strings = (cflri_strings){0};
    builder->sources.at = NULL;
    builder->mentions.at = NULL;
    builder->calls = (cflri_calls){0};
}

cflr_status cflr_graph_builder_freeze(cflr_graph_builder *builder, cflr_graph **graph,
                                      cflr_error *error) {
    cflr_status st = CFLR_OK;
    cflr_context *context = builder->context;
    *graph = NULL;
    cflr_graph *made = cflri_alloc_zero(context, sizeof *made);
    if (!made) {
        st = cflri_fail_memory(context, error);
        goto out;
    }
    made->context = context;
    if (builder->sources.n) CFLR_TRY(fill_sources(builder, 0, error));
    move_tables(builder, made);
    CFLR_TRY(freeze_edges(builder, made, error));
    CFLR_TRY(cflri_mentions_sort(context, made->mention, &made->n_mentions, error));
    CFLR_TRY(cflri_graph_complete(made, error));
    *graph = made;
    made = NULL;
out:
    cflr_graph_free(made);
    cflr_graph_builder_free(builder);
    return st;
}
