/* SPDX-License-Identifier: Apache-2.0
 *
 * batch_collect.c: from the rows of a batch to the relations of a closure.
 *
 *     nodes by (family, vertex)  ->  rows of each family, vertices ascending  ->  relations
 *
 * A symbol whose pairs are those of another read backwards, or the same, gets a relation of its own.
 * Where not all fits the memory limit, rows of the first vertices are kept.
 */
#include <string.h>

#include "base/context.h"
#include "engine/closure/batch.h"

/* Nodes that hold something, by family and then by vertex. */
typedef struct order {
    uint64_t *start; /* n families + 1 */
    uint64_t *node;  /* packed (vertex, node) */
} order;

static bool make_order(const cflri_batch *b, order *o) {
    uint32_t families = b->n_families;
    *o = (order){cflri_alloc_array_zero(b->context, (size_t)families + 2, sizeof *o->start),
                 cflri_alloc_array(b->context, b->node.n + 1, sizeof *o->node)};
    if (!o->start || !o->node) return false;
    for (size_t i = 0; i < b->node.n; i++) {
        if (b->node.at[i].all.n) o->start[b->node.at[i].family + 1]++;
    }
    for (uint32_t f = 0; f < families; f++) o->start[f + 1] += o->start[f];
    for (size_t i = 0; i < b->node.n; i++) {
        const cflri_node *node = &b->node.at[i];
        if (node->all.n) o->node[o->start[node->family]++] = cflri_pair(node->vertex, (uint32_t)i);
    }
    memmove(o->start + 1, o->start, families * sizeof *o->start);
    o->start[0] = 0;
    for (uint32_t f = 0; f < families; f++) {
        uint64_t n = o->start[f + 1] - o->start[f];
        if (cflri_sort_pairs(b->context, o->node + o->start[f], n, NULL, NULL) != CFLR_OK) {
            return false;
        }
    }
    return true;
}

static void free_order(const cflri_batch *b, order *o) {
    cflri_free(b->context, o->start);
    cflri_free(b->context, o->node);
}

/* One family, vertices below `bound`. False when memory is refused. */
static bool build_family(const cflri_batch *b, const order *o, uint32_t family, uint32_t bound,
                         cflri_relation *relation) {
    uint64_t first = o->start[family], end = o->start[family + 1], at = 0;
    while (end > first && o->node[end - 1] >> 32 >= bound) end--;
    *relation = (cflri_relation){.n_rows = (uint32_t)(end - first)};
    for (uint64_t i = first; i < end; i++) {
        relation->n_pairs += b->node.at[(uint32_t)o->node[i]].all.n;
    }
    if (!relation->n_rows) return true;
    if (cflri_relation_allocate(b->context, relation, NULL) != CFLR_OK) return false;
    for (uint64_t i = first; i < end; i++) {
        const cflri_node *node = &b->node.at[(uint32_t)o->node[i]];
        relation->row[i - first] = node->vertex;
        relation->start[i - first] = at;
        cflri_row_write(&node->all, relation->target + at);
        at += node->all.n;
    }
    relation->start[relation->n_rows] = at;
    return true;
}

static bool build_symbol(const cflri_batch *b, const order *o, uint32_t symbol, uint32_t bound,
                         cflri_relation *relation) {
    cflri_home home = b->equations->home[symbol];
    if (home.rows == CFLRI_NO_SYMBOL) {
        const cflri_relation *input = b->problem->input[home.input];
        if (!home.turned) return cflri_relation_copy(b->context, input, relation, NULL) == CFLR_OK;
        return cflri_relation_reverse(b->context, input, relation, NULL) == CFLR_OK;
    }
    if (!home.turned) return build_family(b, o, home.rows, bound, relation);
    cflri_relation ahead;
    bool built = build_family(b, o, home.rows, bound, &ahead) &&
                 cflri_relation_reverse(b->context, &ahead, relation, NULL) == CFLR_OK;
    cflri_relation_free(b->context, &ahead);
    return built;
}

static bool build(const cflri_batch *b, const order *o, uint32_t bound, cflri_closure *closure) {
    uint32_t n = b->problem->ground->n_symbols;
    *closure = (cflri_closure){.n_symbols = n};
    closure->relation = cflri_alloc_array_zero(b->context, (size_t)n + 1, sizeof(cflri_relation));
    if (!closure->relation) return false;
    for (uint32_t s = 0; s < n; s++) {
        if (!build_symbol(b, o, s, bound, &closure->relation[s])) return false;
    }
    return true;
}

cflr_status cflri_batch_collect(cflri_batch *b, cflri_closure *closure) {
    cflr_status ended = b->end;
    if (ended != CFLR_OK && ended != CFLR_LIMIT && ended != CFLR_CANCELLED) return ended;
    cflri_batch_end_solving(b);
    cflri_return_pages(b->context); /* lists of sources lay between rows */
    order o;
    uint32_t bound = b->problem->n_vertices;
    bool built = make_order(b, &o);
    while (built && !build(b, &o, bound, closure)) {
        cflri_closure_free(b->context, closure);
        if (ended == CFLR_OK) ended = cflri_fail_memory(b->context, b->error);
        built = ended != CFLR_NO_MEMORY && bound;
        bound /= 2;
    }
    free_order(b, &o);
    if (!built) {
        if (ended == CFLR_OK) ended = cflri_fail_memory(b->context, b->error);
        cflri_batch_drop_rows(b);
        ended = cflri_closure_empty(b->problem, ended, closure, b->error);
    }
    closure->rounds = b->rounds;
    closure->derivations = b->derivations;
    return ended;
}
