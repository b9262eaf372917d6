/* SPDX-License-Identifier: Apache-2.0
 *
 * csr_packed_save.c: a graph into a file of packed rows (csr_packed_file.h).
 *
 *     measure -> header | start | at | words, piece by piece | sums
 *
 * Rows are packed by all threads into a piece of 16 MiB, or one that the longest row needs, which
 * is then written: so the packed graph is never in memory as a whole. Each byte goes through the
 * checksum of its block on its way.
 *
 * O(n + m); memory: 8 bytes a vertex, and a piece.
 */
#include "base/context.h"
#include "base/plain/csr_packed_layout.h"

enum { PIECE = 1 << 22 /* words */ };

typedef struct saving {
    const cflr_csr *csr;
    cflri_plain_rows rows;
    cflri_row_code code;
    cflri_packed_layout layout;
    uint64_t *at;
    uint64_t *sum; /* of each block, and of all sums */
    uint32_t *piece;
    uint64_t piece_words;
    cflri_output *output;
    uint64_t written, blocks;
    XXH3_state_t hash; /* of the block that is being written */
    cflr_status st;    /* the first failure; nothing is written after it */
    bool stopped;      /* by cancellation or time, not by the output */
    cflr_error *error;
} saving;

/* ---- bytes ---- */

/* The output tells at its end why it failed; here it is enough to stop. */
static void end_block(saving *s) {
    s->sum[s->blocks++] = XXH3_64bits_digest(&s->hash);
    XXH3_64bits_reset(&s->hash);
    s->st = cflr_output_flush(s->output);
    if (s->st != CFLR_OK) return;
    s->st = cflri_tick(s->csr->context, "write", s->written, s->layout.size);
    s->stopped = s->st != CFLR_OK;
    if (s->stopped) s->st = cflri_fail_interrupted(s->csr->context, s->st, s->error);
}

/* `begin` is that of the section. */
static void put(saving *s, uint64_t begin, const void *data, uint64_t size) {
    const char *at = data;
    while (size && s->st == CFLR_OK) {
        uint64_t rest = CFLRI_PACKED_FILE_BLOCK - (s->written - begin) % CFLRI_PACKED_FILE_BLOCK;
        uint64_t some = size < rest ? size : rest;
        XXH3_64bits_update(&s->hash, at, some);
        cflri_output_write(s->output, at, some);
        s->written += some;
        at += some;
        size -= some;
        if (some == rest) end_block(s);
    }
}

/* Zeros up to the next section. */
static void end_section(saving *s, int section) {
    static const char zeros[CFLRI_PACKED_PAGE];
    uint64_t begin = s->layout.begin[section], end = s->layout.begin[section + 1];
    if (s->st != CFLR_OK) return;
    put(s, begin, zeros, end - s->written);
    if ((end - begin) % CFLRI_PACKED_FILE_BLOCK && s->st == CFLR_OK) end_block(s);
}

/* ---- sections ---- */

static void put_header(saving *s) {
    char page[CFLRI_PACKED_PAGE] = "";
    const cflr_csr *csr = s->csr;
    cflri_packed_header h = {.version = CFLRI_PACKED_FILE_VERSION,
                             .flags = (csr->symmetric ? CFLRI_PACKED_SYMMETRIC : 0) |
                                      (csr->has_parallel ? CFLRI_PACKED_PARALLEL : 0),
                             .weights = (uint32_t)csr->weights,
                             .n_vertices = csr->n_vertices,
                             .first_bits = s->code.first_bits,
                             .step = s->code.step,
                             .weight_bits = s->code.weight_bits,
                             .least_weight = s->code.least_weight,
                             .n_edges = csr->n_edges,
                             .n_words = s->at[csr->n_vertices] + CFLRI_PACKED_PAD};
    memcpy(h.magic, cflri_packed_magic, sizeof h.magic);
    memcpy(page, &h, sizeof h);
    uint64_t sum = XXH3_64bits(page, sizeof page - sizeof sum);
    memcpy(page + sizeof page - sizeof sum, &sum, sizeof sum);
    cflri_output_write(s->output, page, sizeof page);
    s->written = sizeof page;
}

/* Rows from `first` on that a piece takes, one at least. */
static uint32_t piece_end(const saving *s, uint32_t first) {
    uint32_t end = first + 1;
    while (end < s->rows.n && s->at[end + 1] - s->at[first] <= s->piece_words) end++;
    return end;
}

static void put_words(saving *s) {
    static const uint32_t pad[CFLRI_PACKED_PAD];
    uint64_t begin = s->layout.begin[CFLRI_PACKED_WORDS];
    int threads = cflr_context_threads(s->csr->context);
    for (uint32_t first = 0, end; first < s->rows.n && s->st == CFLR_OK; first = end) {
        end = piece_end(s, first);
        cflri_packed_write_some(&s->rows, &s->code, threads, s->at, first, end, s->piece);
        put(s, begin, s->piece, (s->at[end] - s->at[first]) * sizeof *s->piece);
    }
    put(s, begin, pad, sizeof pad);
}

static void put_sections(saving *s) {
    uint64_t bytes = (s->rows.n + UINT64_C(1)) * sizeof *s->at;
    XXH3_64bits_reset(&s->hash);
    put_header(s);
    put(s, s->layout.begin[CFLRI_PACKED_START], s->csr->start, bytes);
    end_section(s, CFLRI_PACKED_START);
    put(s, s->layout.begin[CFLRI_PACKED_AT], s->at, bytes);
    end_section(s, CFLRI_PACKED_AT);
    put_words(s);
    end_section(s, CFLRI_PACKED_WORDS);
    s->sum[s->blocks] = XXH3_64bits(s->sum, s->blocks * sizeof *s->sum);
    cflri_output_write(s->output, s->sum, (s->blocks + 1) * sizeof *s->sum);
}

/* ---- the file ---- */

static cflr_status write_file(saving *s, const char *path) {
    cflr_status st = cflri_output_open(s->csr->context, path, &s->output, s->error);
    if (st != CFLR_OK) return st;
    put_sections(s);
    if (!s->stopped) return cflri_output_close(s->output, s->error);
    cflri_output_abandon(s->output);
    return s->st;
}

static uint64_t longest_row(const saving *s) {
    uint64_t most = 0;
    for (uint32_t v = 0; v < s->rows.n; v++)
        if (s->at[v + 1] - s->at[v] > most) most = s->at[v + 1] - s->at[v];
    return most;
}

static cflr_status plan(saving *s) {
    uint32_t n = s->csr->n_vertices;
    int threads = cflr_context_threads(s->csr->context);
    s->at = cflri_alloc_array(s->csr->context, n + UINT64_C(1), sizeof *s->at);
    if (!s->at) return cflri_fail_memory(s->csr->context, s->error);
    s->code = cflri_row_code_of(&s->rows, s->csr->weights, threads);
    cflri_packed_measure(&s->rows, &s->code, threads, s->at);
    s->layout = cflri_packed_layout_of(n, s->at[n] + CFLRI_PACKED_PAD);
    uint64_t longest = longest_row(s), all = s->at[n];
    if (longest > UINT32_MAX)
        return cflri_fail(s->error, CFLR_UNSUPPORTED, NULL, "a vertex has too many edges to pack");
    s->piece_words = all < PIECE ? all : longest < PIECE ? PIECE : longest;
    s->piece = cflri_alloc_array(s->csr->context, s->piece_words, sizeof *s->piece);
    s->sum = cflri_alloc_array(s->csr->context, s->layout.block[CFLRI_PACKED_SECTIONS] + 1,
                               sizeof *s->sum);
    return s->piece && s->sum ? CFLR_OK : cflri_fail_memory(s->csr->context, s->error);
}

cflr_status cflr_csr_save_packed(const cflr_csr *csr, const char *path, cflr_error *error) {
    cflr_status st = CFLR_OK;
    saving s = {.csr = csr,
                .rows = {csr->n_vertices, csr->start, csr->target, csr->weight},
                .error = error};
    CFLR_TRY(cflri_csr_need_rows(csr, error));
    CFLR_TRY(plan(&s));
    CFLR_TRY(write_file(&s, path));
out:
    cflri_free(csr->context, s.at);
    cflri_free(csr->context, s.piece);
    cflri_free(csr->context, s.sum);
    return cflri_name_subject(st, cflri_output_name(path), error);
}
