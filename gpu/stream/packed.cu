/* SPDX-License-Identifier: Apache-2.0
 *
 * packed.cu: packed rows, and which of their chunks are on the device.
 *
 *     rows in memory   packed into memory that the device can read; chunks are copied from there
 *     rows in a file   chunks are copied from the file; only the others take memory
 */
#include <algorithm>
#include <cstring>
#include <vector>

#include "base/plain/csr_mapped.h"
#include "gpu/stream/packed.cuh"
#include "gpu/traverse/run.cuh"

static uint64_t long_groups_of(const cflri_rows *rows) {
    uint64_t n = 0;
    for (uint32_t v = 0; v < rows->n; v++) {
        uint64_t degree = rows->start[v + 1] - rows->start[v];
        if (degree > CFLRI_PACKED_GROUP)
            n += (degree + CFLRI_PACKED_GROUP - 1) / CFLRI_PACKED_GROUP;
    }
    return n;
}

uint64_t gpu_long_groups(const gpu_run *r) {
    uint64_t out = long_groups_of(&r->rows[0]);
    uint64_t in = r->has_both() ? long_groups_of(&r->rows[1]) : 0;
    return out > in ? out : in;
}

/* ---- chunks ---- */

static const uint64_t CHUNK = UINT64_C(4) << GPU_CHUNK_SHIFT; /* bytes */

/* Which chunks are on the device, `here` of all: a quarter of these are the first ones, those of
 * the vertices of most edges where these come first; the others are spread over the rest, so that
 * at any time some warps read from the device while others wait for the host. */
static bool is_here(uint64_t c, uint64_t here, uint64_t all) {
    uint64_t first = here / 4, spread = here - first, rest = all - first;
    if (here == all || c < first) return true;
    c -= first;
    return (c + 1) * spread / rest > c * spread / rest;
}

/* Words of packed rows, and where they are. */
struct packed_words {
    const char *at;
    uint64_t n;
    bool in_file;
    uint64_t bytes() const { return n * sizeof(uint32_t); }
    uint64_t chunks() const { return (bytes() + CHUNK - 1) / CHUNK; }
    uint64_t size_of(uint64_t c) const {
        return (c + 1) * CHUNK < bytes() ? CHUNK : bytes() - c * CHUNK;
    }
};

/* What a kernel adds the number of a word to, whose chunk c lies at `at`. */
static const uint32_t *base_of(const void *at, uint64_t c) {
    return reinterpret_cast<const uint32_t *>((uintptr_t)at - c * CHUNK);
}

/* Chunks of a file on their way to memory of the host, side by side there; a job of all threads. */
struct chunk_copies {
    const packed_words *words;
    char *to;
    const uint64_t *chunk;
    uint64_t n;
};

static void copy_share(void *what, uint32_t self, uint32_t threads) {
    const chunk_copies *j = static_cast<const chunk_copies *>(what);
    for (uint64_t i = self; i < j->n; i += threads)
        std::memcpy(j->to + i * CHUNK, j->words->at + j->chunk[i] * CHUNK,
                    j->words->size_of(j->chunk[i]));
}

enum { CHUNKS_AT_ONCE = 1 << 12 }; /* between two looks at whether the run is still wanted */

static cflr_status copy_chunks(gpu_run *r, cflr_context *context, const packed_words &words,
                               const std::vector<uint64_t> &chunk, char *to, cflr_error *error) {
    for (uint64_t done = 0; done < chunk.size(); done += CHUNKS_AT_ONCE) {
        uint64_t n = std::min<uint64_t>(CHUNKS_AT_ONCE, chunk.size() - done);
        chunk_copies job = {&words, to + done * CHUNK, chunk.data() + done, n};
        r->services->run_by_all(context, copy_share, &job);
        cflr_status st = r->services->tick(context);
        if (st != CFLR_OK) return gpu_fail(error, st, "stopped while rows were read");
    }
    return CFLR_OK;
}

/* The chunks that stay with the host: those of a file are copied to memory that the device can
 * read. */
static cflr_status place_far(const cflr_traversal *t, gpu_run *r, int side,
                             const packed_words &words, uint64_t here,
                             std::vector<const uint32_t *> *base, cflr_error *error) {
    gpu_pinned *host = &r->words[side];
    uint64_t all = words.chunks();
    std::vector<uint64_t> far;
    if (!words.in_file) {
        base->assign(all, static_cast<const uint32_t *>(host->device));
        return CFLR_OK;
    }
    base->assign(all, nullptr);
    for (uint64_t c = 0; c < all; c++)
        if (!is_here(c, here, all)) far.push_back(c);
    if (far.empty()) return CFLR_OK;
    GPU_TRY(host->make(far.size() * CHUNK), "taking memory for packed rows");
    for (uint64_t i = 0; i < far.size(); i++)
        (*base)[far[i]] = base_of(static_cast<char *>(host->device) + i * CHUNK, far[i]);
    return copy_chunks(r, t->context, words, far, host->at<char>(), error);
}

/* The chunks that `bytes` at `room` have place for, and the table of all. */
static cflr_status place_chunks(const cflr_traversal *t, gpu_run *r, int side,
                                const packed_words &words, char *room, uint64_t bytes,
                                const uint32_t **table, uint64_t *taken, cflr_error *error) {
    uint64_t all = words.chunks(), here = words.bytes() <= bytes ? all : bytes / CHUNK, at = 0;
    std::vector<const uint32_t *> base;
    if (here < all) r->state.stage.is_far = true;
    cflr_status st = place_far(t, r, side, words, here, &base, error);
    if (st != CFLR_OK) return st;
    for (uint64_t c = 0; c < all; c++) {
        if (!is_here(c, here, all)) continue;
        GPU_TRY(cudaMemcpyAsync(room + at, words.at + c * CHUNK, words.size_of(c),
                                cudaMemcpyHostToDevice, r->stream),
                "copying rows");
        base[c] = base_of(room + at, c);
        at += words.size_of(c);
    }
    *taken = at;
    GPU_TRY(
        cudaMemcpyAsync(table, base.data(), all * sizeof *table, cudaMemcpyHostToDevice, r->stream),
        "copying the table of chunks");
    GPU_TRY(cudaStreamSynchronize(r->stream), "copying rows");
    return CFLR_OK;
}

/* Into memory that the device can read. */
static cflr_status pack_rows(const cflr_traversal *t, gpu_run *r, int side, cflri_row_code *how,
                             std::vector<uint64_t> *at, packed_words *words, cflr_error *error) {
    const cflri_services *services = r->services;
    const cflri_rows *from = &r->rows[side];
    int threads = services->threads(t->context);
    cflri_plain_rows rows = {from->n, from->start, from->target, from->weight};
    at->resize(from->n + 1ull);
    *how = services->row_code_of(&rows, t->csr->weights, threads);
    services->packed_measure(&rows, how, threads, at->data());
    words->n = (*at)[from->n] + CFLRI_PACKED_PAD;
    GPU_TRY(r->words[side].make(words->bytes()), "taking memory for packed rows");
    services->packed_write(&rows, how, threads, at->data(), r->words[side].at<uint32_t>());
    words->at = r->words[side].at<char>();
    return CFLR_OK;
}

static cflr_status make_words(const cflr_traversal *t, gpu_run *r, int side, packed_words *words,
                              cflr_error *error) {
    cflri_rows *to = side ? &r->common()->in : &r->common()->out;
    cflri_row_code how;
    std::vector<uint64_t> made;
    *words = {};
    words->in_file = cflri_csr_is_mapped(t->csr);
    const uint64_t *at = nullptr;
    if (words->in_file) {
        const cflri_packed_view *view = &t->csr->mapped->view;
        how = view->code;
        at = view->at;
        words->at = reinterpret_cast<const char *>(view->words);
        words->n = view->n_words;
    } else {
        cflr_status st = pack_rows(t, r, side, &how, &made, words, error);
        if (st != CFLR_OK) return st;
        at = made.data();
    }
    GPU_TRY(
        cudaMemcpyAsync(const_cast<uint64_t *>(to->packed.at), at,
                        (r->rows[side].n + 1ull) * sizeof *at, cudaMemcpyHostToDevice, r->stream),
        "copying where rows begin");
    GPU_TRY(cudaStreamSynchronize(r->stream), "copying where rows begin");
    to->packed.first_bits = how.first_bits;
    to->packed.step = how.step;
    to->packed.weight_bits = how.weight_bits;
    to->packed.least_weight = how.least_weight;
    if (r->rows[side].weight) to->weight = reinterpret_cast<const uint32_t *>(to->start);
    return CFLR_OK;
}

/* Both forms of the rows have their share of the room. */
cflr_status gpu_prepare_packed(cflr_traversal *t, gpu_run *r, uint64_t room, cflr_error *error) {
    cflri_primitive_task *task = r->common();
    bool both = r->has_both();
    packed_words words[2] = {};
    uint64_t chunks = 0, all = 0;
    for (int side = 0; side < 1 + both; side++) {
        cflr_status st = make_words(t, r, side, &words[side], error);
        if (st != CFLR_OK) return st;
        chunks += words[side].chunks();
    }
    r->tables_bytes = chunks * sizeof(uint32_t *);
    uint64_t bytes = words[0].bytes() + words[1].bytes(), most = bytes + 2 * CHUNK;
    if (room > most) room = most;
    GPU_TRY(cudaMalloc(reinterpret_cast<void **>(&r->room), room), "taking memory for edges");
    GPU_TRY(cudaMalloc(reinterpret_cast<void **>(&r->tables), r->tables_bytes),
            "taking memory for the table of chunks");
    const uint32_t **table = reinterpret_cast<const uint32_t **>(r->tables);
    for (int side = 0; side < 1 + both; side++) {
        uint64_t taken = 0, share = room - all;
        if (both && side == 0)
            share = (uint64_t)((double)room * (double)words[0].bytes() / (double)bytes);
        cflr_status st =
            place_chunks(t, r, side, words[side], r->room + all, share, table, &taken, error);
        if (st != CFLR_OK) return st;
        (side ? task->in : task->out).packed.chunk = table;
        table += words[side].chunks();
        all += (taken + GPU_ALIGN - 1) / GPU_ALIGN * GPU_ALIGN;
        if (all > room) all = room;
    }
    if (!both) task->in = task->out;
    t->stats.device_rows = all;
    return CFLR_OK;
}
