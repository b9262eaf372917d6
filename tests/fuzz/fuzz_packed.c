/* SPDX-License-Identifier: Apache-2.0
 *
 * fuzz_packed.c: hostile files of packed rows.
 *
 * The first byte of the input says how the rest is read:
 *
 *     bit 0        the rest is a file as it is
 *     bits 1 to 3  symmetric, without loops, with parallel edges
 *
 * Without bit 0 the rest is a short form of a file: how many bytes are zeros between sections is
 * not left to chance, and all checksums are right, so that what is behind these is met.
 *
 *     2 bytes, how many bytes of `start`, and of `at`; the fields of the header; start; at; words
 *
 * Rows that come of it must be in order; written and read once more, they must be the same.
 */
#include <stdio.h>
#include <unistd.h>

#include "base/context.h"
#include "base/plain/csr_packed_layout.h"
#include "tests/fuzz/fuzz.h"

enum { MOST_MEMORY = 8 << 20, MOST_FILE = 1 << 17, HEAD = sizeof(cflri_packed_header) };

typedef struct input {
    const uint8_t *at;
    size_t n;
} input;

static void take(input *in, void *to, size_t room, size_t n) {
    size_t some = n < in->n ? n : in->n;
    if (some > room) some = room;
    if (some) memcpy(to, in->at, some);
    in->at += some;
    in->n -= some;
}

/* Of sections of one block, or none. */
static void put_sums_right(char *file, const cflri_packed_layout *l) {
    uint64_t n = 0, *sum = (uint64_t *)(void *)(file + l->begin[CFLRI_PACKED_SECTIONS]);
    for (int i = 0; i < CFLRI_PACKED_SECTIONS; i++)
        if (l->begin[i] < l->begin[i + 1])
            sum[n++] = XXH3_64bits(file + l->begin[i], l->begin[i + 1] - l->begin[i]);
    sum[n] = XXH3_64bits(sum, n * sizeof *sum);
    uint64_t header = XXH3_64bits(file, CFLRI_PACKED_PAGE - sizeof header);
    memcpy(file + CFLRI_PACKED_PAGE - sizeof header, &header, sizeof header);
}

/* The file that a short form tells of; NULL when it is too large. */
static char *unfold(input in, size_t *size) {
    uint16_t starts = 0, ats = 0;
    cflri_packed_header h = {.version = 0};
    take(&in, &starts, sizeof starts, sizeof starts);
    take(&in, &ats, sizeof ats, sizeof ats);
    take(&in, &h, sizeof h, sizeof h);
    if (h.n_vertices > MOST_FILE / 32 || h.n_words > MOST_FILE / 16) return NULL;
    cflri_packed_layout l = cflri_packed_layout_of(h.n_vertices, h.n_words);
    char *file = calloc(1, l.size);
    must(file && l.size < MOST_FILE);
    memcpy(file, &h, sizeof h);
    take(&in, file + l.begin[0], l.begin[1] - l.begin[0], starts);
    take(&in, file + l.begin[1], l.begin[2] - l.begin[1], ats);
    take(&in, file + l.begin[2], l.begin[3] - l.begin[2], in.n);
    put_sums_right(file, &l);
    *size = l.size;
    return file;
}

static void check_rows(const cflr_csr *csr) {
    must(csr->start[0] == 0 && csr->start[csr->n_vertices] == csr->n_edges);
    must(!csr->weights == !csr->weight);
    for (uint32_t v = 0; v < csr->n_vertices; v++) {
        must(csr->start[v] <= csr->start[v + 1]);
        for (uint64_t e = csr->start[v]; e < csr->start[v + 1]; e++)
            must(csr->target[e] < csr->n_vertices &&
                 (e == csr->start[v] || csr->target[e - 1] <= csr->target[e]));
    }
}

/* Is the edge there with its ends changed about? */
static bool has_other_way(const cflr_csr *csr, uint32_t v, uint64_t e) {
    const uint32_t *weight = csr->weight;
    for (uint64_t i = csr->start[csr->target[e]]; i < csr->start[csr->target[e] + 1]; i++)
        if (csr->target[i] == v && (!weight || weight[i] == weight[e])) return true;
    return false;
}

static void check_symmetric(const cflr_csr *csr) {
    for (uint32_t v = 0; v < csr->n_vertices; v++)
        for (uint64_t e = csr->start[v]; e < csr->start[v + 1]; e++) must(has_other_way(csr, v, e));
}

static void write_and_read(cflr_context *context, const cflr_csr *csr) {
    char path[64];
    cflr_csr_opts opts;
    cflr_csr *again;
    cflr_csr_opts_init(&opts);
    opts.keep_parallel = true;
    snprintf(path, sizeof path, "%s/cflr-fuzz-%d.cflp",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp", (int)getpid());
    if (cflr_csr_save_packed(csr, path, NULL) == CFLR_OK &&
        cflr_csr_load(context, path, NULL, &opts, &again, NULL) == CFLR_OK) {
        must(again->n_edges == csr->n_edges && again->symmetric == csr->symmetric);
        for (uint64_t e = 0; e < csr->n_edges; e++) must(again->target[e] == csr->target[e]);
        cflr_csr_free(again);
    }
    unlink(path);
}

static cflr_context *make_context(void) {
    cflr_context *context;
    cflr_context_opts opts;
    cflr_context_opts_init(&opts);
    opts.threads = 2;
    must(cflr_context_new(&opts, &context, NULL) == CFLR_OK);
    context->memory_limit = MOST_MEMORY; /* of its own, whatever the process occupies */
    return context;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static cflr_context *context;
    static unsigned long good;
    cflr_csr *csr;
    cflr_error error = {0};
    cflr_csr_opts opts;
    if (!context) context = make_context();
    if (size == 0) return 0;
    input in = {data + 1, size - 1};
    size_t n = in.n;
    char *file = data[0] & 1 ? malloc(n ? n : 1) : unfold(in, &n);
    if (!file) return 0;
    if (data[0] & 1) memcpy(file, in.at, n);
    cflr_csr_opts_init(&opts);
    opts.symmetric = data[0] & 2;
    opts.drop_loops = data[0] & 4;
    opts.keep_parallel = data[0] & 8;
    cflr_status st = cflri_csr_of_packed(context, file, n, "input", &opts, &csr, &error);
    must((st == CFLR_OK) == (csr != NULL) && (st == CFLR_OK || error.message[0]));
    if (csr) check_rows(csr);
    if (csr && csr->symmetric && csr->n_edges < 10000) check_symmetric(csr);
    if (csr && good++ % 64 == 0) write_and_read(context, csr);
    cflr_csr_free(csr);
    free(file);
    must(cflr_context_memory(context) == 0);
    return 0;
}
