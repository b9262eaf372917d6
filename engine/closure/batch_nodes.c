/* SPDX-License-Identifier: Apache-2.0
 *
 * batch_nodes.c: preparing a batch, and finding nodes.
 */
#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "engine/closure/batch.h"

enum { DENSE_FAMILIES = 16, FIRST_HASH = 1024 };

/* ---- equations by what they read ---- */

static bool note(cflri_batch *b, uint32_t e) {
    const cflri_equation *equation = &b->equations->equation.at[e];
    cflr_context *context = b->context;
    if (equation->kind == CFLRI_DIAGONAL || equation->kind == CFLRI_INPUT) return true;
    cflri_readers *r = &b->readers[equation->right];
    switch (equation->kind) {
        case CFLRI_COPY:
            return cflri_vec_push(context, &r->copy, e);
        case CFLRI_TURN:
            return cflri_vec_push(context, &r->turn, e);
        case CFLRI_EDGE:
            return cflri_vec_push(context, &r->edge, e);
        case CFLRI_STEP:
            return cflri_vec_push(context, &r->step, e);
        case CFLRI_BETWEEN:
            return cflri_vec_push(context, &r->between, e);
        case CFLRI_PAIR:
            b->readers[equation->by].sources |= !equation->by_back;
            return cflri_vec_push(context, &r->pair_right, e) &&
                   cflri_vec_push(context, &b->readers[equation->by].pair_by, e);
        case CFLRI_DIAGONAL:
        case CFLRI_INPUT:
            break;
    }
    return true;
}

/* Equations are sorted, so each list comes out sorted as batch.h says. */
static bool note_all(cflri_batch *b) {
    for (size_t e = 0; e < b->equations->equation.n; e++) {
        if (!note(b, (uint32_t)e)) return false;
    }
    return true;
}

static cflr_status make_ports(cflri_batch *b) {
    uint32_t n = b->problem->ground->n_symbols;
    bool *needed[2];
    needed[0] = cflri_alloc_array_zero(b->context, (size_t)n + 1, 2 * sizeof **needed);
    if (!needed[0]) return cflri_fail_memory(b->context, b->error);
    needed[1] = needed[0] + n;
    for (size_t e = 0; e < b->equations->equation.n; e++) {
        const cflri_equation *equation = &b->equations->equation.at[e];
        if (equation->kind == CFLRI_EDGE || equation->kind == CFLRI_BETWEEN) {
            needed[cflri_port_behind(equation->by_back)][equation->by] = true;
        }
        if (equation->kind == CFLRI_STEP) {
            needed[cflri_port_ahead(equation->by_back)][equation->by] = true;
        }
        if (equation->kind == CFLRI_BETWEEN) {
            needed[cflri_port_ahead(equation->close_back)][equation->close] = true;
        }
    }
    cflr_status st = cflri_ports_init(&b->ports, b->problem,
                                      (const bool *const[2]){needed[0], needed[1]}, b->error);
    cflri_free(b->context, needed[0]);
    return st;
}

/* ---- places of nodes ---- */

/* Families that most equations fill get an array over the vertices. */
static bool make_places(cflri_batch *b) {
    uint32_t families = b->equations->n_rows; /* hubs are hashed */
    size_t vertices = b->problem->n_vertices;
    b->hash_mask = FIRST_HASH - 1;
    b->hashed = cflri_alloc_array(b->context, FIRST_HASH, sizeof *b->hashed);
    if (!b->hashed) return false;
    memset(b->hashed, 0xff, FIRST_HASH * sizeof *b->hashed);
    uint32_t *filled = cflri_alloc_array_zero(b->context, (size_t)families + 1, sizeof *filled);
    if (!filled) return false;
    for (size_t e = 0; e < b->equations->equation.n; e++) {
        filled[b->equations->equation.at[e].left]++;
    }
    bool made = true;
    for (int d = 0; made && d < DENSE_FAMILIES && (uint32_t)d < families; d++) {
        uint32_t best = 0;
        for (uint32_t f = 1; f < families; f++) {
            if (filled[f] > filled[best]) best = f;
        }
        filled[best] = 0;
        if (b->dense[best]) break;
        b->dense[best] = cflri_alloc_array(b->context, vertices + 1, sizeof **b->dense);
        made = b->dense[best] != NULL;
        if (made) memset(b->dense[best], 0xff, (vertices + 1) * sizeof **b->dense);
    }
    cflri_free(b->context, filled);
    for (uint32_t f = 0; made && f < families; f++) {
        if (!b->readers[f].sources) continue;
        b->sources[f] = cflri_alloc_array_zero(b->context, vertices + 1, sizeof **b->sources);
        made = b->sources[f] != NULL;
    }
    return made;
}

static uint64_t slot_of(const cflri_batch *b, uint32_t family, uint32_t vertex) {
    uint64_t key = cflri_pair(family, vertex) * UINT64_C(0x9E3779B97F4A7C15);
    uint64_t slot = (key ^ key >> 32) & b->hash_mask;
    while (b->hashed[slot] != CFLRI_NO_NODE) {
        const cflri_node *node = &b->node.at[b->hashed[slot]];
        if (node->family == family && node->vertex == vertex) break;
        slot = (slot + 1) & b->hash_mask;
    }
    return slot;
}

static bool grow_hash(cflri_batch *b) {
    uint32_t *old = b->hashed;
    uint64_t slots = 2 * (b->hash_mask + 1);
    uint32_t *grown = cflri_alloc_array(b->context, (size_t)slots, sizeof *grown);
    if (!grown) return false;
    memset(grown, 0xff, (size_t)slots * sizeof *grown);
    b->hashed = grown;
    b->hash_mask = slots - 1;
    for (uint64_t s = 0; s < slots / 2; s++) {
        if (old[s] == CFLRI_NO_NODE) continue;
        const cflri_node *node = &b->node.at[old[s]];
        b->hashed[slot_of(b, node->family, node->vertex)] = old[s];
    }
    cflri_free(b->context, old);
    return true;
}

uint32_t cflri_batch_find(const cflri_batch *b, uint32_t family, uint32_t vertex) {
    if (b->dense[family]) return b->dense[family][vertex];
    return b->hashed[slot_of(b, family, vertex)];
}

uint32_t cflri_batch_node(cflri_batch *b, uint32_t family, uint32_t vertex) {
    uint32_t found = cflri_batch_find(b, family, vertex);
    if (found != CFLRI_NO_NODE) return found;
    if (b->node.n == CFLRI_NO_NODE) return CFLRI_NO_NODE;
    if (!b->dense[family] && 3 * b->n_hashed >= 2 * b->hash_mask && !grow_hash(b)) {
        return CFLRI_NO_NODE;
    }
    cflri_node node = {.family = family, .vertex = vertex, .delta = CFLRI_NO_NODE};
    if (!cflri_vec_push(b->context, &b->node, node)) return CFLRI_NO_NODE;
    uint32_t number = (uint32_t)b->node.n - 1;
    if (b->dense[family]) {
        b->dense[family][vertex] = number;
    } else {
        b->hashed[slot_of(b, family, vertex)] = number;
        b->n_hashed++;
    }
    return number;
}

/* ---- hubs ---- */

/* A family of hubs for each PAIR that is not turned. How many families there are then; 0 when memory
 * is refused. */
static uint32_t number_hubs(cflri_batch *b) {
    const cflri_equations *all = b->equations;
    b->hub = cflri_alloc_array(b->context, all->equation.n + 1, sizeof *b->hub);
    b->hub_equation = cflri_alloc_array(b->context, all->equation.n + 1, sizeof *b->hub_equation);
    if (!b->hub || !b->hub_equation) return 0;
    uint32_t hubs = 0;
    for (uint32_t e = 0; e < all->equation.n; e++) {
        const cflri_equation *equation = &all->equation.at[e];
        b->hub[e] = CFLRI_NO_SYMBOL;
        if (equation->kind != CFLRI_PAIR || equation->by_back) continue;
        b->hub_equation[hubs] = e;
        b->hub[e] = all->n_rows + hubs++;
    }
    b->n_families = all->n_rows + hubs;
    return b->n_families;
}

static void count_copies(cflri_batch *b) {
    for (uint32_t s = 0; s < b->equations->n_symbols; s++) {
        uint32_t rows = b->equations->home[s].rows;
        if (rows != CFLRI_NO_SYMBOL && b->copies[rows] < UINT8_MAX) b->copies[rows]++;
    }
}

static void free_hubs(cflri_batch *b, uint32_t family) {
    for (size_t g = 0; g < b->hubs[family].group.n; g++) {
        cflri_vec_free(b->context, &b->hubs[family].group.at[g].member);
    }
    cflri_vec_free(b->context, &b->hubs[family].group);
}

/* ---- all ---- */

cflr_status cflri_batch_init(cflri_batch *b, const cflri_problem *problem, cflr_error *error) {
    cflr_context *context = problem->context;
    cflr_status st = CFLR_OK;
    *b = (cflri_batch){
        .problem = problem, .context = context, .spare_delta = CFLRI_NO_NODE, .error = error};
    cflri_rows_init(&b->rows, context, CFLRI_KERNEL_BEST);
    cflri_input *input = cflri_inputs_of(problem->ground);
    if (!input) return cflri_fail_memory(context, error);
    CFLR_TRY(cflri_equations_new(problem->ground, input, NULL, context->rewritings, &b->equations,
                                 error));
    size_t families = number_hubs(b) + (size_t)1;
    if (families == 1 && b->equations->n_rows) {
        st = cflri_fail_memory(context, error);
        goto out;
    }
    b->hubs = cflri_alloc_array_zero(context, families, sizeof *b->hubs);
    b->copies = cflri_alloc_array_zero(context, families, sizeof *b->copies);
    b->readers = cflri_alloc_array_zero(context, families, sizeof *b->readers);
    b->dense = cflri_alloc_array_zero(context, families, sizeof *b->dense);
    b->sources = cflri_alloc_array_zero(context, families, sizeof *b->sources);
    if (!b->hubs || !b->copies || !b->readers || !b->dense || !b->sources || !note_all(b) ||
        !make_places(b)) {
        st = cflri_fail_memory(context, error);
        goto out;
    }
    count_copies(b);
    for (uint32_t f = 0; f < b->n_families; f++) b->hubs[f].patience = context->patience;
    CFLR_TRY(make_ports(b));
out:
    cflri_free(context, input);
    return st;
}

static void free_readers(cflr_context *context, cflri_readers *r) {
    cflri_vec_free(context, &r->copy);
    cflri_vec_free(context, &r->turn);
    cflri_vec_free(context, &r->step);
    cflri_vec_free(context, &r->pair_right);
    cflri_vec_free(context, &r->pair_by);
    cflri_vec_free(context, &r->edge);
    cflri_vec_free(context, &r->between);
}

static void free_sources(cflri_batch *b, uint32_t family) {
    for (uint32_t v = 0; b->sources[family] && v < b->problem->n_vertices; v++) {
        cflri_vec_free(b->context, &b->sources[family][v].vertex);
        cflri_vec_free(b->context, &b->sources[family][v].group);
    }
    cflri_free(b->context, b->sources[family]);
}

void cflri_batch_end_solving(cflri_batch *b) {
    for (uint32_t f = 0; f < b->n_families; f++) {
        if (b->hubs) free_hubs(b, f);
        if (b->readers) free_readers(b->context, &b->readers[f]);
        if (b->dense) cflri_free(b->context, b->dense[f]);
        if (b->sources) free_sources(b, f);
    }
    cflri_free(b->context, b->hubs);
    cflri_free(b->context, b->hub);
    cflri_free(b->context, b->hub_equation);
    cflri_free(b->context, b->copies);
    cflri_free(b->context, b->readers);
    cflri_free(b->context, b->dense);
    cflri_free(b->context, b->sources);
    cflri_free(b->context, b->hashed);
    b->hubs = NULL;
    b->hub = NULL;
    b->hub_equation = NULL;
    b->copies = NULL;
    b->readers = NULL;
    b->dense = NULL;
    b->sources = NULL;
    b->hashed = NULL;
    cflri_vec_free(b->context, &b->delta);
    cflri_vec_free(b->context, &b->queue);
    cflri_ports_free(&b->ports);
}

void cflri_batch_drop_rows(cflri_batch *b) {
    cflri_vec_free(b->context, &b->node);
    cflri_rows_free(&b->rows);
}

void cflri_batch_free(cflri_batch *b) {
    cflri_batch_end_solving(b);
    cflri_batch_drop_rows(b);
    cflri_equations_free(b->equations);
}
