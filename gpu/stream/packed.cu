/* SPDX-License-Identifier: Apache-2.0
 *
 * packed.cu: packed rows, and which of their chunks are on the device.
 */
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

/* The chunks that `bytes` at `room` have place for, and the table of all. */
static cflr_status place_chunks(gpu_run *r, int side, uint64_t words, char *room, uint64_t bytes,
                                const uint32_t **table, uint64_t *taken, cflr_error *error) {
    uint64_t all = (words * 4 + CHUNK - 1) / CHUNK, here = bytes / CHUNK, at = 0;
    const gpu_pinned *host = &r->words[side];
    std::vector<const uint32_t *> base(all, static_cast<const uint32_t *>(host->device));
    if (words * 4 <= bytes) here = all;
    if (here < all) r->state.stage.is_far = true;
    for (uint64_t c = 0; c < all; c++) {
        if (!is_here(c, here, all)) continue;
        uint64_t begin = c * CHUNK, size = begin + CHUNK < words * 4 ? CHUNK : words * 4 - begin;
        GPU_TRY(cudaMemcpyAsync(room + at, host->at<char>() + begin, size, cudaMemcpyHostToDevice,
                                r->stream),
                "copying rows");
        base[c] = reinterpret_cast<const uint32_t *>((uintptr_t)room + at - begin);
        at += size;
    }
    *taken = at;
    GPU_TRY(
        cudaMemcpyAsync(table, base.data(), all * sizeof *table, cudaMemcpyHostToDevice, r->stream),
        "copying the table of chunks");
    GPU_TRY(cudaStreamSynchronize(r->stream), "copying rows");
    return CFLR_OK;
}

static cflr_status pack_rows(const cflr_traversal *t, gpu_run *r, int side, uint64_t *words,
                             cflr_error *error) {
    const cflri_services *services = r->services;
    cflri_rows *to = side ? &r->common()->in : &r->common()->out;
    const cflri_rows *from = &r->rows[side];
    int threads = services->threads(t->context);
    cflri_plain_rows rows = {from->n, from->start, from->target, from->weight};
    std::vector<uint64_t> at(from->n + 1ull);
    cflri_row_code how = services->row_code_of(&rows, t->csr->weights, threads);
    services->packed_measure(&rows, &how, threads, at.data());
    *words = at[from->n] + CFLRI_PACKED_PAD;
    GPU_TRY(r->words[side].make(*words * sizeof(uint32_t)), "taking memory for packed rows");
    services->packed_write(&rows, &how, threads, at.data(), r->words[side].at<uint32_t>());
    GPU_TRY(cudaMemcpy(const_cast<uint64_t *>(to->packed.at), at.data(), at.size() * sizeof at[0],
                       cudaMemcpyHostToDevice),
            "copying where rows begin");
    to->packed.first_bits = how.first_bits;
    to->packed.step = how.step;
    to->packed.weight_bits = how.weight_bits;
    to->packed.least_weight = how.least_weight;
    if (from->weight) to->weight = reinterpret_cast<const uint32_t *>(to->start);
    return CFLR_OK;
}

/* Both forms of the rows have their share of the room. */
cflr_status gpu_prepare_packed(cflr_traversal *t, gpu_run *r, uint64_t room, cflr_error *error) {
    cflri_primitive_task *task = r->common();
    bool both = r->has_both();
    uint64_t words[2] = {0, 0}, chunks = 0, all = 0;
    for (int side = 0; side < 1 + both; side++) {
        cflr_status st = pack_rows(t, r, side, &words[side], error);
        if (st != CFLR_OK) return st;
        chunks += words[side] * 4 / CHUNK + 1;
    }
    r->tables_bytes = chunks * sizeof(uint32_t *);
    uint64_t most = (words[0] + words[1]) * 4 + 2 * CHUNK;
    if (room > most) room = most;
    GPU_TRY(cudaMalloc(reinterpret_cast<void **>(&r->room), room), "taking memory for edges");
    GPU_TRY(cudaMalloc(reinterpret_cast<void **>(&r->tables), r->tables_bytes),
            "taking memory for the table of chunks");
    const uint32_t **table = reinterpret_cast<const uint32_t **>(r->tables);
    for (int side = 0; side < 1 + both; side++) {
        uint64_t taken = 0, share = room - all;
        if (both && side == 0)
            share = (uint64_t)((double)room * (double)words[0] / (double)(words[0] + words[1]));
        cflr_status st =
            place_chunks(r, side, words[side], r->room + all, share, table, &taken, error);
        if (st != CFLR_OK) return st;
        (side ? task->in : task->out).packed.chunk = table;
        table += words[side] * 4 / CHUNK + 1;
        all += (taken + GPU_ALIGN - 1) / GPU_ALIGN * GPU_ALIGN;
        if (all > room) all = room;
    }
    if (!both) task->in = task->out;
    t->stats.device_rows = all;
    return CFLR_OK;
}
