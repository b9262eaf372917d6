/* SPDX-License-Identifier: Apache-2.0
 *
 * matrices.c: the first bits and the masks of matrices, and in which stages they are.
 *
 * The relation of a symbol may be a family read backwards. It is made by one rule more, TURN, in
 * the last stage.
 *
 * The stage of a stratum is behind those that it reads, so strata that do not need each other are
 * closed together; but those that a device can close in order, without rounds, apart from others.
 */
#include "engine/closure/bits/matrices.h"

#include <string.h>

#include "base/context.h"
#include "engine/closure/bits/edge_walk.h"
#include "engine/closure/bits/find_rows.h"

enum { WORD_BITS = 32 };

/* ---- matrices ---- */

/* A map from all vertices is worth its memory where so many have rows. */
enum { MAPPED = 16 };

static bool map_rows(cflri_bit_system *s, cflri_bit_matrix *matrix) {
    if (matrix->n_rows < s->n_vertices / MAPPED) return true;
    matrix->row = cflri_alloc_array(s->context, (size_t)s->n_vertices + 1, sizeof *matrix->row);
    if (!matrix->row) return false;
    memset(matrix->row, 0xff, s->n_vertices * sizeof *matrix->row);
    for (uint32_t r = 0; r < matrix->n_rows; r++) matrix->row[matrix->vertex[r]] = r;
    return true;
}

static cflr_status make_families(cflri_bit_system *s, const cflri_spine_plan *plan,
                                 cflr_error *error) {
    const cflri_equations *all = plan->equations;
    for (uint32_t i = 0; i < all->family.n; i++) {
        s->matrix[i].stage = s->stage_of[all->family.at[i].stratum];
        s->matrix[i].guarded = all->family.at[i].guarded;
        s->matrix[i].n_columns = s->matrix[i].guarded ? plan->n_guards : s->n_vertices;
    }
    cflr_status st = cflri_bit_find_rows(plan, s, error);
    for (uint32_t i = 0; st == CFLR_OK && i < all->family.n; i++) {
        if (!map_rows(s, &s->matrix[i])) st = cflri_fail_memory(s->context, error);
    }
    return st;
}

/* ---- homes that are turned ---- */

static bool is_turned(const cflri_spine_plan *plan, uint32_t symbol) {
    cflri_home home = plan->equations->home[symbol];
    return home.wanted && home.turned && home.rows != CFLRI_NO_SYMBOL;
}

static bool make_turned(cflri_bit_system *s, const cflri_spine_plan *plan) {
    uint32_t n = plan->reduced.problem.ground->n_symbols, at = (uint32_t)plan->equations->family.n;
    for (uint32_t symbol = 0; symbol < n; symbol++) {
        s->turned[symbol] = CFLRI_NO_SYMBOL;
        if (!is_turned(plan, symbol)) continue;
        cflri_bit_matrix *matrix = &s->matrix[at];
        *matrix = (cflri_bit_matrix){
            .stage = s->n_stages - 1, .n_rows = s->n_vertices, .n_columns = s->n_vertices};
        s->turned[symbol] = at++;
        matrix->vertex =
            cflri_alloc_array(s->context, (size_t)s->n_vertices + 1, sizeof *matrix->vertex);
        if (!matrix->vertex) return false;
        for (uint32_t v = 0; v < s->n_vertices; v++) matrix->vertex[v] = v;
        if (!map_rows(s, matrix)) return false;
    }
    return true;
}

/* ---- masks ---- */

typedef struct masking {
    const cflri_bit_system *system;
    const cflri_bit_matrix *matrix;
    const cflri_filter *filter;
} masking;

static void add_to_mask(const masking *m, uint32_t *bits, uint32_t vertex) {
    uint32_t column = cflri_bit_column_of(m->system, m->matrix, vertex);
    if (column != UINT32_MAX) bits[column / WORD_BITS] |= 1u << column % WORD_BITS;
}

static void fill_mask(const masking *m, uint32_t mask, uint32_t *bits) {
    const cflri_filter *filter = m->filter;
    for (uint64_t i = filter->start[mask - 1]; i < filter->start[mask]; i++) {
        uint32_t class = filter->class_of[i];
        if (filter->single) add_to_mask(m, bits, class);
        if (filter->single) continue;
        const uint32_t *vertex = cflri_relation_targets(&filter->classes, class);
        uint64_t n = cflri_relation_count(&filter->classes, class);
        for (uint64_t v = 0; v < n; v++) add_to_mask(m, bits, vertex[v]);
    }
}

static bool fill_masks(cflri_bit_system *s, cflri_bit_matrix *matrix, const cflri_filter *filter) {
    size_t words = (matrix->n_columns + (size_t)WORD_BITS - 1) / WORD_BITS;
    masking m = {s, matrix, filter};
    matrix->masks.bits =
        cflri_alloc_array_zero(s->context, filter->n_masks * words + 1, sizeof(uint32_t));
    for (uint32_t i = 1; matrix->masks.bits && i <= filter->n_masks; i++)
        fill_mask(&m, i, matrix->masks.bits + (i - 1) * words);
    return matrix->masks.bits;
}

/* `known`: by filter, the first matrix with its masks, of vertices and of guards. */
static bool make_masks_of(cflri_bit_system *s, cflri_bit_matrix *matrix, const cflri_filter *filter,
                          cflri_bit_matrix **known) {
    cflri_bit_masks *masks = &matrix->masks;
    masks->n = filter->n_masks;
    masks->of = cflri_alloc_array(s->context, (size_t)matrix->n_rows + 1, sizeof *masks->of);
    if (!masks->of) return false;
    for (uint32_t r = 0; r < matrix->n_rows; r++) masks->of[r] = filter->mask_of[matrix->vertex[r]];
    if (*known) {
        masks->bits = (*known)->masks.bits;
        masks->shared = true;
        return true;
    }
    *known = matrix;
    return fill_masks(s, matrix, filter);
}

static bool make_masks(cflri_bit_system *s, const cflri_spine_plan *plan) {
    const cflri_problem *problem = &plan->reduced.problem;
    if (!problem->filters || !problem->filters->n) return true;
    cflri_bit_matrix *(*known)[2] =
        cflri_alloc_array_zero(s->context, problem->filters->n, sizeof *known);
    bool made = known;
    for (uint32_t i = 0; made && i < plan->equations->family.n; i++) {
        const cflri_family *family = &plan->equations->family.at[i];
        if (!family->filtered) continue;
        const cflri_filter *filter = cflri_problem_filter(problem, family->symbol);
        size_t number = (size_t)(filter - problem->filters->filter);
        made = make_masks_of(s, &s->matrix[i], filter, &known[number][family->guarded]);
    }
    cflri_free(s->context, (void *)known);
    return made;
}

/* ---- first bits ---- */

static bool is_kept(const cflri_bit_matrix *matrix, uint32_t row, uint32_t column) {
    const cflri_bit_masks *masks = &matrix->masks;
    if (!masks->of || !masks->of[row]) return true;
    size_t words = (matrix->n_columns + (size_t)WORD_BITS - 1) / WORD_BITS;
    const uint32_t *bits = masks->bits + (masks->of[row] - 1) * words;
    return bits[column / WORD_BITS] >> column % WORD_BITS & 1;
}

typedef CFLRI_VEC(uint64_t) seeds;

static bool add_seed(cflri_bit_system *s, const cflri_bit_matrix *matrix, uint32_t from,
                     uint32_t to, seeds *made) {
    uint32_t row = cflri_bit_row_of(matrix, from), column = cflri_bit_column_of(s, matrix, to);
    if (column == UINT32_MAX || !is_kept(matrix, row, column)) return true;
    return cflri_vec_push(s->context, made, cflri_pair(row, column));
}

static bool add_seeds(cflri_bit_system *s, const cflri_spine_plan *plan, const cflri_equation *e,
                      seeds *made) {
    const cflri_bit_matrix *matrix = &s->matrix[e->left];
    bool added = true;
    if (e->kind == CFLRI_DIAGONAL) {
        for (uint32_t r = 0; added && r < matrix->n_rows; r++)
            added = add_seed(s, matrix, matrix->vertex[r], matrix->vertex[r], made);
        return added;
    }
    cflri_edge_walk walk = cflri_edge_walk_of(plan, e->by, e->by_back);
    while (added && cflri_edge_walk_next(&walk))
        added = add_seed(s, matrix, walk.from, walk.to, made);
    return added;
}

static bool make_seeds(cflri_bit_system *s, const cflri_spine_plan *plan) {
    const cflri_equations *all = plan->equations;
    seeds *made = cflri_alloc_array_zero(s->context, all->family.n + 1, sizeof *made);
    bool added = made;
    for (size_t i = 0; added && i < all->equation.n; i++) {
        const cflri_equation *e = &all->equation.at[i];
        if (e->kind == CFLRI_DIAGONAL || e->kind == CFLRI_INPUT)
            added = add_seeds(s, plan, e, &made[e->left]);
    }
    for (uint32_t i = 0; made && i < all->family.n; i++) {
        s->matrix[i].seed = made[i].at;
        s->matrix[i].n_seeds = made[i].n;
    }
    cflri_free(s->context, made);
    return added;
}

/* ---- all ---- */

/* A family that the equation reads, 0 or 1; CFLRI_NO_SYMBOL: there is none. */
static uint32_t family_read(const cflri_equation *e, int which) {
    if (which == 0) return e->right;
    return e->kind == CFLRI_PAIR ? e->by : CFLRI_NO_SYMBOL;
}

/* Does the stratum read itself, and only along edges? Then its stage has an order (order.h). */
static bool is_in_order(const cflri_equations *all, uint32_t stratum) {
    const cflri_stratum *at = &all->stratum.at[stratum];
    for (size_t i = at->first; i < at->end; i++) {
        const cflri_equation *e = &all->equation.at[i];
        bool along = e->kind == CFLRI_EDGE || e->kind == CFLRI_COPY;
        if (all->family.at[e->left].filtered) return false;
        for (int which = 0; which < 2 && !along; which++) {
            uint32_t read = family_read(e, which);
            if (read != CFLRI_NO_SYMBOL && all->family.at[read].stratum == stratum) return false;
        }
    }
    return at->loops;
}

/* A stratum reads itself and those before it. Stages with an order have even numbers. */
static uint32_t stage_of_stratum(const cflri_bit_system *s, const cflri_equations *all,
                                 uint32_t stratum) {
    const cflri_stratum *at = &all->stratum.at[stratum];
    uint32_t stage = 0;
    for (size_t i = at->first; i < at->end; i++) {
        for (int which = 0; which < 2; which++) {
            uint32_t read = family_read(&all->equation.at[i], which);
            if (read == CFLRI_NO_SYMBOL) continue;
            uint32_t other = all->family.at[read].stratum;
            if (other != stratum && s->stage_of[other] >= stage) stage = s->stage_of[other] + 1;
        }
    }
    return stage + (stage % 2 == is_in_order(all, stratum));
}

/* Stages without a stratum have no number in the end. The last one is for homes that are turned. */
static bool make_stages(cflri_bit_system *s, const cflri_equations *all) {
    uint32_t most = 2 * (uint32_t)all->stratum.n + 2;
    uint32_t *number = cflri_alloc_array_zero(s->context, most, sizeof *number);
    s->stage_of = cflri_alloc_array(s->context, all->stratum.n + 1, sizeof *s->stage_of);
    bool made = number && s->stage_of;
    for (uint32_t t = 0; made && t < all->stratum.n; t++) {
        s->stage_of[t] = stage_of_stratum(s, all, t);
        number[s->stage_of[t]] = 1;
    }
    for (uint32_t stage = 0; made && stage < most; stage++) {
        bool used = number[stage];
        number[stage] = s->n_stages;
        s->n_stages += used;
    }
    for (uint32_t t = 0; made && t < all->stratum.n; t++) s->stage_of[t] = number[s->stage_of[t]];
    s->n_stages++;
    cflri_free(s->context, number);
    return made;
}

bool cflri_bit_matrices_number(cflri_bit_system *s) {
    uint64_t rows = 0;
    for (uint32_t t = 0; t <= s->n_stages; t++) s->first_row[t] = 0;
    for (uint32_t i = 0; i < s->n_matrices; i++) {
        s->matrix[i].first = s->first_row[s->matrix[i].stage];
        s->first_row[s->matrix[i].stage] += s->matrix[i].n_rows;
        rows += s->matrix[i].n_rows;
        if (rows >= CFLRI_NO_BIT_ROW) return false;
    }
    rows = 0;
    for (uint32_t t = 0; t <= s->n_stages; t++) {
        uint32_t n = s->first_row[t];
        s->first_row[t] = (uint32_t)rows;
        rows += n;
    }
    for (uint32_t i = 0; i < s->n_matrices; i++)
        s->matrix[i].first += s->first_row[s->matrix[i].stage];
    return true;
}

/* There is room for a passing matrix for each equation of kind BETWEEN. */
static uint32_t most_passing(const cflri_equations *all) {
    uint32_t n = 0;
    for (size_t i = 0; i < all->equation.n; i++) n += all->equation.at[i].kind == CFLRI_BETWEEN;
    return n;
}

static bool make_arrays(cflri_bit_system *s, const cflri_spine_plan *plan) {
    uint32_t n = plan->reduced.problem.ground->n_symbols;
    s->n_vertices = plan->reduced.problem.n_vertices;
    s->n_guards = plan->n_guards;
    s->guard_of = plan->guard_of;
    s->n_matrices = (uint32_t)plan->equations->family.n;
    for (uint32_t symbol = 0; symbol < n; symbol++) s->n_matrices += is_turned(plan, symbol);
    if (!make_stages(s, plan->equations)) return false;
    size_t most = (size_t)s->n_matrices + most_passing(plan->equations);
    s->matrix = cflri_alloc_array_zero(s->context, most + 1, sizeof *s->matrix);
    s->first_row = cflri_alloc_array_zero(s->context, s->n_stages + (size_t)1, sizeof(uint32_t));
    s->first_rule = cflri_alloc_array_zero(s->context, s->n_stages + (size_t)1, sizeof(uint32_t));
    s->turned = cflri_alloc_array(s->context, (size_t)n + 1, sizeof *s->turned);
    return s->matrix && s->first_row && s->first_rule && s->turned;
}

cflr_status cflri_bit_matrices_make(const cflri_spine_plan *plan, cflri_bit_system *s,
                                    cflr_error *error) {
    cflr_status st = CFLR_OK;
    if (!make_arrays(s, plan)) return cflri_fail_memory(s->context, error);
    CFLR_TRY(make_families(s, plan, error));
    if (!make_turned(s, plan) || !make_masks(s, plan) || !make_seeds(s, plan))
        CFLR_TRY(cflri_fail_memory(s->context, error));
out:
    return st;
}

void cflri_bit_matrices_free(cflri_bit_system *s) {
    for (uint32_t i = 0; s->matrix && i < s->n_matrices; i++) {
        cflri_bit_matrix *matrix = &s->matrix[i];
        cflri_free(s->context, matrix->vertex);
        cflri_free(s->context, matrix->row);
        cflri_free(s->context, matrix->seed);
        cflri_free(s->context, matrix->masks.of);
        if (!matrix->masks.shared) cflri_free(s->context, matrix->masks.bits);
    }
    cflri_free(s->context, s->matrix);
    cflri_free(s->context, s->stage_of);
    cflri_free(s->context, s->first_row);
    cflri_free(s->context, s->first_rule);
    cflri_free(s->context, s->turned);
}
