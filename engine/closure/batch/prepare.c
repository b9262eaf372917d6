/* SPDX-License-Identifier: Apache-2.0
 *
 * prepare.c: preparing a batch: equations by what they read, ports, guards, places of nodes.
 */
#include <string.h>

#include "base/context.h"
#include "engine/closure/batch/rules.h"

enum { MOST_PLACES = 32, PLACE_PART = 16 };

/* ---- equations by what they read ---- */

/* The family is read in this stratum. */
static cflri_readers *reader_of(cflri_batch *b, uint32_t family) {
    cflri_readers *r = &b->readers[family];
    if (r->known) return r;
    r->known = cflri_vec_push(b->context, &b->reader, family);
    return r->known ? r : NULL;
}

static bool note_one(cflri_batch *b, uint32_t e) {
    const cflri_equation *equation = cflri_batch_equation(b, e);
    bool pair = equation->kind == CFLRI_PAIR;
    cflri_readers *r = reader_of(b, pair ? equation->by : equation->right);
    if (!r) return false;
    switch (equation->kind) {
        case CFLRI_COPY:
            return cflri_vec_push(b->context, &r->copy, e);
        case CFLRI_TURN:
            return cflri_vec_push(b->context, &r->turn, e);
        case CFLRI_GUARDS:
            return cflri_vec_push(b->context, &r->guards, e);
        case CFLRI_EDGE:
            return cflri_vec_push(b->context, &r->edge, e);
        case CFLRI_STEP:
            return cflri_vec_push(b->context, &r->step, e);
        case CFLRI_BETWEEN:
            return cflri_vec_push(b->context, &r->between, e);
        case CFLRI_PAIR:
            return cflri_vec_push(b->context, &r->pair_by, e);
        case CFLRI_DIAGONAL:
        case CFLRI_INPUT:
            break;
    }
    return true;
}

/* Equations are sorted, so each list comes out sorted as state.h says. */
static bool note_all(cflri_batch *b) {
    for (size_t e = b->stratum.first; e < b->stratum.end; e++) {
        cflri_equation_kind kind = cflri_batch_equation(b, (uint32_t)e)->kind;
        if (kind == CFLRI_DIAGONAL || kind == CFLRI_INPUT) continue;
        if (!b->stratum.loops && cflri_batch_unites(kind)) continue;
        if (!note_one(b, (uint32_t)e)) return false;
    }
    return true;
}

static void find_span(cflri_batch *b) {
    uint32_t n = b->problem->n_vertices;
    b->span = (cflri_span){.old_extra = b->store->extra.drawn};
    b->extra_draw = (cflri_draw){0}; /* what is left of the last one is old */
    for (uint32_t i = 0; i < b->at_place.n; i++) {
        if (b->equations->family.at[b->at_place.at[i]].stratum != b->number) continue;
        if (!b->span.n_placed) b->span.first_placed = i * n;
        b->span.n_placed += n;
    }
}

bool cflri_batch_begin(cflri_batch *b, uint32_t stratum) {
    b->number = stratum;
    b->stratum = b->equations->stratum.at[stratum];
    find_span(b);
    cflri_batch_works_for_all(b);
    return note_all(b);
}

void cflri_batch_finish(cflri_batch *b) {
    for (size_t i = 0; i < b->reader.n; i++) {
        cflri_readers *r = &b->readers[b->reader.at[i]];
        cflri_vec_free(b->context, &r->copy);
        cflri_vec_free(b->context, &r->turn);
        cflri_vec_free(b->context, &r->guards);
        cflri_vec_free(b->context, &r->step);
        cflri_vec_free(b->context, &r->pair_by);
        cflri_vec_free(b->context, &r->edge);
        cflri_vec_free(b->context, &r->between);
        *r = (cflri_readers){0};
    }
    b->reader.n = 0;
}

/* ---- ports and guards ---- */

typedef struct needs {
    bool *port[2];  /* by direction and ground symbol: whether somebody is going to ask */
    bool *guard[2]; /* the same: whether guarded rows are read there */
} needs;

static void need_ports(const cflri_batch *b, const cflri_equation *e, const needs *n) {
    bool products = !b->equations->stratum.at[e->stratum].loops;
    bool guarded = e->right != CFLRI_NO_SYMBOL && b->equations->family.at[e->right].guarded;
    if (e->kind == CFLRI_EDGE) {
        n->port[products ? cflri_port_ahead(e->by_back) : cflri_port_behind(e->by_back)][e->by] =
            true;
    } else if (e->kind == CFLRI_INPUT && products) {
        n->port[cflri_port_ahead(e->by_back)][e->by] = true;
    } else if (e->kind == CFLRI_STEP) {
        n->port[cflri_port_ahead(e->by_back)][e->by] = true;
        n->guard[cflri_port_ahead(e->by_back)][e->by] |= guarded;
    } else if (e->kind == CFLRI_BETWEEN) {
        n->port[cflri_port_behind(e->by_back)][e->by] = true;
        n->port[cflri_port_ahead(e->close_back)][e->close] = true;
        n->guard[cflri_port_ahead(e->close_back)][e->close] |= guarded;
    }
}

static void mark_guards(cflri_batch *b, const cflri_relation *input, cflri_direction direction) {
    if (direction == CFLRI_OUT) {
        for (uint32_t r = 0; r < input->n_rows; r++) b->guard_of[input->row[r]] = 0;
    } else {
        for (uint64_t p = 0; p < input->n_pairs; p++) b->guard_of[input->target[p]] = 0;
    }
}

/* Guards are numbered in the order of their vertices, so that neighbours stay neighbours. */
static bool make_guards(cflri_batch *b, const needs *n) {
    uint32_t vertices = b->problem->n_vertices;
    bool any = false;
    for (size_t f = 0; f < b->equations->family.n; f++) any |= b->equations->family.at[f].guarded;
    if (!any) return true;
    b->guard_of = cflri_alloc_array(b->context, (size_t)vertices + 1, sizeof *b->guard_of);
    if (!b->guard_of) return false;
    memset(b->guard_of, 0xff, (size_t)vertices * sizeof *b->guard_of);
    for (uint32_t s = 0; s < b->problem->ground->n_symbols; s++) {
        if (!b->problem->input[s]) continue;
        if (n->guard[CFLRI_OUT][s]) mark_guards(b, b->problem->input[s], CFLRI_OUT);
        if (n->guard[CFLRI_IN][s]) mark_guards(b, b->problem->input[s], CFLRI_IN);
    }
    for (uint32_t v = 0; v < vertices; v++) {
        if (b->guard_of[v] != CFLRI_NO_GUARD) b->guard_of[v] = b->n_guards++;
    }
    b->guard = cflri_alloc_array(b->context, (size_t)b->n_guards + 1, sizeof *b->guard);
    if (!b->guard) return false;
    for (uint32_t v = 0; v < vertices; v++) {
        if (b->guard_of[v] != CFLRI_NO_GUARD) b->guard[b->guard_of[v]] = v;
    }
    return true;
}

static cflr_status make_ports(cflri_batch *b) {
    uint32_t symbols = b->problem->ground->n_symbols;
    bool *all = cflri_alloc_array_zero(b->context, (size_t)symbols + 1, 4 * sizeof *all);
    if (!all) return cflri_fail_memory(b->context, b->error);
    needs n = {{all, all + symbols}, {all + 2 * (size_t)symbols, all + 3 * (size_t)symbols}};
    for (size_t e = 0; e < b->equations->equation.n; e++) {
        need_ports(b, &b->equations->equation.at[e], &n);
    }
    cflr_status st = cflri_ports_init(&b->ports, b->problem,
                                      (const bool *const[2]){n.port[0], n.port[1]}, b->error);
    if (st == CFLR_OK && !make_guards(b, &n)) st = cflri_fail_memory(b->context, b->error);
    cflri_free(b->context, all);
    return st;
}

/* ---- places of nodes ---- */

/* About how many nodes a family is going to have by one equation. */
static uint64_t likely_nodes(const cflri_batch *b, const cflri_equation *e,
                             const uint64_t *likely) {
    const cflri_relation *by = NULL;
    uint64_t vertices = b->problem->n_vertices;
    if (e->kind == CFLRI_INPUT || e->kind == CFLRI_EDGE || e->kind == CFLRI_BETWEEN) {
        by = b->problem->input[e->by];
        return !by ? 0 : e->by_back ? by->n_pairs : by->n_rows;
    }
    if (e->kind == CFLRI_COPY || e->kind == CFLRI_STEP || e->kind == CFLRI_GUARDS) {
        return likely[e->right];
    }
    return vertices;
}

/* Those of a stratum stand together. */
static void sort_places(cflri_batch *b) {
    const cflri_family *family = b->equations->family.at;
    for (size_t i = 1; i < b->at_place.n; i++) {
        uint32_t moved = b->at_place.at[i];
        size_t at = i;
        for (; at && family[b->at_place.at[at - 1]].stratum > family[moved].stratum; at--) {
            b->at_place.at[at] = b->at_place.at[at - 1];
        }
        b->at_place.at[at] = moved;
    }
    for (uint32_t p = 0; p < b->at_place.n; p++) b->place[b->at_place.at[p]] = p;
}

/* Families that most vertices have get a place for each vertex. */
static bool make_places(cflri_batch *b) {
    uint32_t families = (uint32_t)b->equations->family.n;
    uint64_t vertices = b->problem->n_vertices;
    uint64_t *likely = cflri_alloc_array_zero(b->context, (size_t)families + 1, sizeof *likely);
    if (!likely) return false;
    for (size_t e = 0; e < b->equations->equation.n; e++) {
        const cflri_equation *equation = cflri_batch_equation(b, (uint32_t)e);
        likely[equation->left] += likely_nodes(b, equation, likely);
    }
    bool made = true;
    while (made && families && b->at_place.n < MOST_PLACES &&
           (b->at_place.n + 1) * vertices < CFLRI_NO_NODE / 2) {
        uint32_t best = 0;
        for (uint32_t f = 1; f < families; f++) {
            if (likely[f] > likely[best]) best = f;
        }
        if (!likely[best] || likely[best] < vertices / PLACE_PART) break;
        likely[best] = 0;
        made = cflri_vec_push(b->context, &b->at_place, best);
    }
    cflri_free(b->context, likely);
    sort_places(b);
    b->n_placed = (uint32_t)(b->at_place.n * vertices);
    return made && cflri_segments_reach(&b->store->value, b->n_placed);
}

/* ---- all ---- */

static void count_copies(cflri_batch *b) {
    for (uint32_t s = 0; s < b->equations->n_symbols; s++) {
        uint32_t rows = b->equations->home[s].rows;
        if (rows != CFLRI_NO_SYMBOL && b->copies[rows] < UINT8_MAX) b->copies[rows]++;
    }
}

static bool make_families(cflri_batch *b) {
    size_t n = b->equations->family.n + 1;
    b->copies = cflri_alloc_array_zero(b->context, n, sizeof *b->copies);
    b->readers = cflri_alloc_array_zero(b->context, n, sizeof *b->readers);
    b->place = cflri_alloc_array(b->context, n, sizeof *b->place);
    b->masks = cflri_alloc_array_zero(b->context, n, sizeof *b->masks);
    b->store->first_extra = cflri_alloc_array_zero(b->context, n, sizeof *b->store->first_extra);
    if (!b->copies || !b->readers || !b->place || !b->masks || !b->store->first_extra) {
        return false;
    }
    memset(b->place, 0xff, n * sizeof *b->place);
    count_copies(b);
    return true;
}

static bool make_store(cflri_batch *b) {
    cflri_batch_store *store = b->store = cflri_alloc_zero(b->context, sizeof *b->store);
    if (!store) return false;
    cflri_segments_init(&store->value, b->context, sizeof(_Atomic cflri_set_number));
    cflri_segments_init(&store->extra, b->context, sizeof(cflri_extra));
    cflri_shards_init(&store->extras, b->context);
    bool made = cflri_cache_init(&b->steps, b->context) &&
                cflri_set_store_init(&store->sets, b->context, b->problem->n_vertices,
                                     CFLRI_KERNEL_BEST, b->threads);
    if (!made || !cflri_segments_reach(&store->extra, 1)) return false;
    cflri_segment_at(&store->extra, cflri_extra, 0)->family = CFLRI_NO_NODE;
    b->sets = &store->sets.hand[0];
    return true;
}

/* What is left of it when solving has ended. */
static void free_store(cflri_batch *b) {
    cflri_batch_store *store = b->store;
    if (!store) return;
    cflri_set_store_free(&store->sets);
    cflri_segments_free(&store->value);
    cflri_segments_free(&store->extra);
    cflri_free(b->context, (void *)store->first_extra);
    cflri_free(b->context, store);
}

cflr_status cflri_batch_init(cflri_batch *b, const cflri_reduced *reduced, cflr_error *error) {
    const cflri_problem *problem = &reduced->problem;
    cflr_context *context = problem->context;
    cflr_status st = CFLR_OK;
    *b = (cflri_batch){.reduced = reduced,
                       .problem = problem,
                       .context = context,
                       .threads = cflri_threads_worth(problem),
                       .error = error};
    cflri_input *input = cflri_inputs_of(problem->ground);
    if (!input) return cflri_fail_memory(context, error);
    CFLR_TRY(cflri_equations_new(problem->ground, input, problem->wanted, context->techniques,
                                 &b->equations, error));
    if (!make_store(b) || !make_families(b) || !make_places(b)) {
        st = cflri_fail_memory(context, error);
        goto out;
    }
    CFLR_TRY(make_ports(b));
    if (problem->stats) {
        b->tallied = (uint32_t)b->equations->equation.n; /* the first stratum, if there is one */
        if (!cflri_batch_make_tallies(b)) st = cflri_fail_memory(context, error);
    }
out:
    cflri_free(context, input);
    return st;
}

void cflri_batch_end_solving(cflri_batch *b) {
    if (b->readers) cflri_batch_finish(b);
    cflri_vec_free(b->context, &b->reader);
    cflri_free(b->context, b->readers);
    cflri_free(b->context, b->guard_of);
    cflri_free(b->context, b->guard);
    cflri_cache_free(&b->steps, b->context);
    cflri_ports_free(&b->ports);
    if (b->store) {
        cflri_set_store_end(&b->store->sets);
        cflri_shards_free(&b->store->extras);
    }
    b->readers = NULL;
    b->guard_of = b->guard = NULL;
}

void cflri_batch_free(cflri_batch *b) {
    cflri_batch_end_solving(b);
    free_store(b);
    cflri_free(b->context, b->place);
    cflri_free(b->context, b->masks);
    cflri_free(b->context, b->copies);
    cflri_free(b->context, b->tally);
    cflri_vec_free(b->context, &b->at_place);
    cflri_equations_free(b->equations);
}
