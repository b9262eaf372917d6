/* SPDX-License-Identifier: Apache-2.0
 *
 * stages.cu: what the host finds out about the stages of a system.
 *
 *     pieces    of rows that read much by a rule: unite.cu
 *     roles     rules that are applied to rows that have changed
 *     direct    closure.cuh
 */
#include "gpu/closure/stages.cuh"

#include <algorithm>

/* ---- rules of a stage ---- */

static bool is_scattered(const cflri_bit_rule &rule) {
    return rule.kind != CFLRI_BITS_UNITE && rule.kind != CFLRI_BITS_PAIR &&
           rule.kind != CFLRI_BITS_STEP && rule.kind != CFLRI_BITS_IMAGE;
}

/* Rules that are applied to rows that have changed, by matrix. */
static void find_roles(gpu_stages *g, uint32_t first, uint32_t end) {
    const cflri_bit_system *s = g->system;
    std::vector<uint32_t> at(s->n_matrices + 1);
    for (uint32_t i = first; i < end; i++) {
        if (!is_scattered(s->rule[i])) continue;
        at[s->rule[i].right + 1]++;
        if (s->rule[i].kind == CFLRI_BITS_SPREAD) at[s->rule[i].by + 1]++;
    }
    for (uint32_t m = 0; m < s->n_matrices; m++) {
        at[m + 1] += at[m];
        g->matrix[m].role = g->matrix[m].role_end = at[m];
    }
    g->role.assign(at[s->n_matrices], gpu_role());
    for (uint32_t i = first; i < end; i++) {
        if (!is_scattered(s->rule[i])) continue;
        g->role[g->matrix[s->rule[i].right].role_end++] = {i, 0};
        if (s->rule[i].kind == CFLRI_BITS_SPREAD)
            g->role[g->matrix[s->rule[i].by].role_end++] = {i, 1};
    }
}

static void add_to_range(uint32_t i, uint32_t *first, uint32_t *end) {
    if (*first == *end) *first = i;
    *end = i + 1;
}

/* Rules that add to the rows of a matrix stand together, kind by kind. */
static void find_gathers(gpu_stages *g, uint32_t first, uint32_t end) {
    const cflri_bit_system *s = g->system;
    for (gpu_matrix &m : g->matrix)
        m.unite = m.unite_end = m.pair = m.pair_end = m.step = m.step_end = 0;
    for (uint32_t i = first; i < end; i++) {
        gpu_matrix &m = g->matrix[s->rule[i].left];
        uint32_t kind = s->rule[i].kind;
        if (kind == CFLRI_BITS_UNITE) add_to_range(i, &m.unite, &m.unite_end);
        if (kind == CFLRI_BITS_PAIR) add_to_range(i, &m.pair, &m.pair_end);
        if (kind == CFLRI_BITS_STEP || kind == CFLRI_BITS_IMAGE)
            add_to_range(i, &m.step, &m.step_end);
    }
}

/* Rules that read the whole rows of a matrix, or have several writers for one of its rows. */
static void find_direct(gpu_stages *g, uint32_t first, uint32_t end) {
    const cflri_bit_system *s = g->system;
    for (gpu_matrix &m : g->matrix) m.direct = true;
    for (uint32_t i = first; i < end; i++) {
        const cflri_bit_rule &rule = s->rule[i];
        bool pairs = rule.kind == CFLRI_BITS_PAIR || rule.kind == CFLRI_BITS_SPREAD;
        if (pairs) g->matrix[rule.right].direct = g->matrix[rule.by].direct = false;
        if (rule.kind != CFLRI_BITS_UNITE && rule.kind != CFLRI_BITS_STEP)
            g->matrix[rule.left].direct = false;
    }
}

/* Of the image of a row with so many words, in one chunk. */
static uint32_t image_words(uint32_t words) {
    words = (words + GPU_LANES - 1) / GPU_LANES * GPU_LANES;
    return std::min<uint32_t>(words, GPU_CHUNK_WORDS);
}

static void find_shape(gpu_stages *g, uint32_t first, uint32_t end) {
    const cflri_bit_system *s = g->system;
    gpu_shape shape = {};
    shape.processors = g->shape.processors;
    g->reads.assign(s->n_matrices, 0);
    for (uint32_t i = first; i < end; i++) {
        const cflri_bit_rule &rule = s->rule[i];
        uint32_t words = image_words(g->matrix[rule.left].mask_words);
        bool steps = rule.kind == CFLRI_BITS_STEP || rule.kind == CFLRI_BITS_IMAGE;
        g->reads[rule.right] = 1;
        if (rule.kind == CFLRI_BITS_PAIR || rule.kind == CFLRI_BITS_SPREAD) g->reads[rule.by] = 1;
        shape.unites |= rule.kind == CFLRI_BITS_UNITE;
        shape.pairs |= rule.kind == CFLRI_BITS_PAIR;
        shape.steps |= steps;
        shape.scatters |= is_scattered(rule);
        if (steps) shape.image_words = std::max(shape.image_words, words);
    }
    g->shape = shape;
}

/* ---- long rows ---- */

/* Cuts rows of a stage that read much by a rule. */
static void cut_rows(gpu_stages *g, uint32_t rule) {
    const cflri_bit_edges &e = g->system->rule[rule].edges;
    if (g->system->rule[rule].kind != CFLRI_BITS_UNITE || !e.start) return;
    for (uint32_t i = 0; i < e.n_sources; i++) {
        if (e.start[i + 1] - e.start[i] <= GPU_LONG_ROW) continue;
        for (uint64_t at = e.start[i]; at < e.start[i + 1]; at += GPU_LONG_ROW) {
            uint64_t n = std::min<uint64_t>(GPU_LONG_ROW, e.start[i + 1] - at);
            g->piece.push_back({rule, e.source ? e.source[i] : i, at, (uint32_t)n});
        }
    }
}

static void find_pieces(gpu_stages *g) {
    const cflri_bit_system *s = g->system;
    for (uint32_t t = 0; t < s->n_stages; t++) {
        g->first_piece.push_back((uint32_t)g->piece.size());
        for (uint32_t i = s->first_rule[t]; i < s->first_rule[t + 1]; i++) cut_rows(g, i);
    }
    g->first_piece.push_back((uint32_t)g->piece.size());
}

/* ---- all ---- */

void gpu_stages_make(gpu_stages *g, const cflri_bit_system *system) {
    g->system = system;
    g->matrix.resize(system->n_matrices);
    find_pieces(g);
}

void gpu_stages_begin(gpu_stages *g, uint32_t stage) {
    uint32_t first = g->system->first_rule[stage], end = g->system->first_rule[stage + 1];
    find_roles(g, first, end);
    find_gathers(g, first, end);
    find_direct(g, first, end);
    find_shape(g, first, end);
}
