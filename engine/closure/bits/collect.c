/* SPDX-License-Identifier: Apache-2.0
 *
 * collect.c: makes the relations of a closure from the rows of a device.
 *
 *     rows on the device -- equal ones once, ids or blocks of bits --> packed rows (engine/sets)
 *     row of a matrix    -- the number of its set -----------------> row of a relation
 *
 * Ids are those of the reduced problem (spine/reduce.h), and become vertices of the graph when a
 * row is read.
 */
#include "engine/closure/bits/collect.h"

#include <assert.h>

#include "base/context.h"
#include "engine/sets/packed_rows.h"
#include "engine/spine/left_out.h"

typedef struct collecting {
    const cflri_bits_collecting *how;
    cflri_closure *closure;
    cflri_left_out left_out;
    uint32_t *set; /* by row of all matrices */
    cflri_packed_sets *packed;
    CFLRI_VEC(uint64_t) row; /* (vertex, set) of a relation, ascending */
} collecting;

static uint32_t matrix_of(const cflri_bits_collecting *how, uint32_t symbol) {
    uint32_t turned = how->system->turned[symbol];
    return turned != CFLRI_NO_SYMBOL ? turned : how->plan->equations->home[symbol].rows;
}

static bool has_rows(const cflri_bits_collecting *how, uint32_t symbol) {
    cflri_home home = how->plan->equations->home[symbol];
    return home.wanted && home.rows != CFLRI_NO_SYMBOL;
}

/* ---- from the device ---- */

static cflr_status fetch(collecting *c, cflr_error *error) {
    const cflri_bits_collecting *how = c->how;
    const cflri_bit_system *s = how->system;
    cflr_context *context = s->context;
    cflr_status st = CFLR_OK;
    uint32_t n_sets = 0;
    uint64_t n_words = 0;
    bool *wanted = cflri_alloc_array_zero(context, s->n_matrices + (size_t)1, sizeof *wanted);
    c->set = cflri_alloc_array(context, s->first_row[s->n_stages] + (size_t)1, sizeof *c->set);
    c->packed = cflri_packed_rows_new(context);
    if (!wanted || !c->set || !c->packed) CFLR_TRY(cflri_fail_memory(context, error));
    for (uint32_t i = 0; i < how->plan->equations->n_symbols; i++)
        if (has_rows(how, i)) wanted[matrix_of(how, i)] = true;
    CFLR_TRY(how->device->measure(how->state, wanted, &n_sets, &n_words, error));
    if (!cflri_packed_rows_reserve(context, c->packed, n_sets + 1, n_words)) /* and the empty one */
        CFLR_TRY(cflri_fail_memory(context, error));
    CFLR_TRY(how->device->fetch(how->state, c->set, c->packed->start, c->packed->word, error));
    assert(cflri_packed_rows_valid(c->packed, s->n_vertices));
out:
    cflri_free(context, wanted);
    return st;
}

static bool hand_over(collecting *c) {
    const cflri_reduced *reduced = &c->how->plan->reduced;
    uint32_t n = reduced->problem.n_vertices;
    if (!cflri_packed_rows_end(reduced->problem.context, c->packed, reduced->vertex, n,
                               reduced->reordered ? reduced->original->n_vertices : 0))
        return false;
    c->closure->sets = &c->packed->sets;
    c->packed = NULL;
    return true;
}

/* ---- relations ---- */

static uint32_t vertex_of(const collecting *c, uint32_t vertex) {
    return cflri_reduced_vertex(&c->how->plan->reduced, vertex);
}

/* Lists the rows of a matrix, and of vertices that were left out, in order. */
static bool list_rows(collecting *c, uint32_t matrix, bool untouched) {
    cflr_context *context = c->how->system->context;
    const cflri_bit_matrix *m = &c->how->system->matrix[matrix];
    uint32_t n = c->how->plan->reduced.original->n_vertices;
    c->row.n = 0;
    for (uint32_t r = 0; r < m->n_rows; r++) {
        uint32_t set = c->set[m->first + r];
        if (!set) continue;
        if (set & CFLRI_ONE_TARGET) set = CFLRI_ONE_TARGET | vertex_of(c, set & ~CFLRI_ONE_TARGET);
        uint64_t one = cflri_pair(vertex_of(c, m->vertex[r]), set);
        if (!cflri_vec_push(context, &c->row, one)) return false;
    }
    for (uint32_t v = 0; untouched && v < n; v++) {
        if (c->left_out.touched[v]) continue;
        if (!cflri_vec_push(context, &c->row, cflri_pair(v, CFLRI_ONE_TARGET | v))) return false;
    }
    bool ordered = !untouched && !c->how->plan->reduced.reordered;
    return ordered || cflri_sort_pairs(context, c->row.at, c->row.n, NULL, NULL) == CFLR_OK;
}

static bool build_matrix(collecting *c, uint32_t matrix, bool untouched, cflri_relation *relation) {
    const cflri_target_sets *sets = c->closure->sets;
    *relation = (cflri_relation){0};
    if (!list_rows(c, matrix, untouched)) return false;
    if (!c->row.n) return true;
    if (cflri_relation_allocate_shared(c->how->system->context, (uint32_t)c->row.n, sets, relation,
                                       NULL) != CFLR_OK)
        return false;
    relation->n_pairs = 0;
    for (uint32_t r = 0; r < relation->n_rows; r++) {
        uint32_t set = (uint32_t)c->row.at[r];
        relation->row[r] = (uint32_t)(c->row.at[r] >> 32);
        relation->start[r] = relation->n_pairs;
        relation->set[r] = set;
        relation->n_pairs += set & CFLRI_ONE_TARGET ? 1 : sets->count(sets, set);
    }
    relation->start[relation->n_rows] = relation->n_pairs;
    return true;
}

static bool build_symbol(collecting *c, uint32_t symbol) {
    const cflri_spine_plan *plan = c->how->plan;
    cflri_home home = plan->equations->home[symbol];
    cflri_relation *relation = &c->closure->relation[symbol];
    if (!home.wanted) return true;
    if (home.rows != CFLRI_NO_SYMBOL) {
        bool untouched = c->left_out.nullable[home.rows];
        return build_matrix(c, matrix_of(c->how, symbol), untouched, relation);
    }
    cflri_relation ahead = cflri_relation_borrow(plan->reduced.original->input[home.input]);
    if (home.turned)
        return cflri_relation_reverse(c->how->system->context, &ahead,
                                      (uint32_t)plan->reduced.problem.threads, relation,
                                      NULL) == CFLR_OK;
    *relation = ahead;
    return true;
}

static bool build(collecting *c) {
    cflri_closure *closure = c->closure;
    cflr_context *context = c->how->system->context;
    uint32_t n = c->how->plan->equations->n_symbols;
    closure->n_symbols = n;
    closure->relation = cflri_alloc_array_zero(context, (size_t)n + 1, sizeof(cflri_relation));
    bool built =
        closure->relation && cflri_left_out_init(&c->left_out, c->how->plan, false) && hand_over(c);
    for (uint32_t s = 0; built && s < n; s++) built = build_symbol(c, s);
    cflri_left_out_free(&c->left_out);
    cflri_vec_free(context, &c->row);
    return built;
}

cflr_status cflri_bits_collect(const cflri_bits_collecting *how, cflr_status ended,
                               cflri_closure *closure, cflr_error *error) {
    cflr_context *context = how->system->context;
    collecting c = {.how = how, .closure = closure};
    bool partial = ended == CFLR_LIMIT || ended == CFLR_CANCELLED;
    *closure = (cflri_closure){0};
    if (ended != CFLR_OK && !partial) return ended;
    cflr_status st = fetch(&c, error);
    if (st == CFLR_OK && !build(&c)) st = cflri_fail_memory(context, error);
    if (st != CFLR_OK) {
        cflri_closure_free(context, closure);
        ended = ended == CFLR_OK ? st : ended;
        if (ended == CFLR_LIMIT || ended == CFLR_CANCELLED)
            ended = cflri_closure_empty(how->plan->reduced.original, ended, closure, error);
    }
    if (c.packed) c.packed->sets.free(context, &c.packed->sets);
    cflri_free(context, c.set);
    closure->threads = 1;
    return ended;
}
