/* SPDX-License-Identifier: Apache-2.0
 *
 * tiles.cuh: threads in tiles that are halved and halved again (SAGE).
 *
 * A tile is a group of threads that looks at edges of one row side by side. Each thread of a block
 * has a row, or what is left of one. The whole block takes rows of as many edges as it has threads,
 * as often as they fill it; then each half of it those that fill a half; down to tiles of eight.
 * The lanes of a warp share the rest of each row, which is fewer than eight edges.
 *
 *     block of 16, rows of 34, 27, 3 edges
 *     tile of 16: 34 -> 2, 27 -> 11     tiles of 8: 11 -> 3     left: 2, 3, 3
 *
 * So every round but the last ones has work for all of its threads, whatever the degrees.
 *
 * With `steal`, rows are cut into such tiles first, for all blocks together: tile j of a row
 * follows from its degree, so the tiles of the items are numbered through and each thread of each
 * block takes one that some other block may have the next one of. A row of a million edges is then
 * looked at by the whole GPU. In the paper tiles are kept from step to step; there is nothing to
 * keep of what is a few instructions of arithmetic.
 *
 * Source: M. Sha, Y. Li, K.-L. Tan, "Self-adaptive graph traversal on GPUs", SIGMOD 2021.
 */
#ifndef CFLRI_GPU_SCHEDULE_TILES_CUH
#define CFLRI_GPU_SCHEDULE_TILES_CUH

#include "gpu/traverse/schedules/turns.cuh"
#include "gpu/traverse/schedules/warp.cuh"

enum { GPU_LEAST_TILE = 8 };

/* ---- how a row is cut ---- */

static __device__ __forceinline__ uint64_t gpu_tiles_of(uint64_t degree) {
    return degree / GPU_THREADS + __popc((uint32_t)(degree % GPU_THREADS) / GPU_LEAST_TILE) +
           (degree % GPU_LEAST_TILE != 0);
}

/* Tile j: whole blocks first, then a tile for each bit of what is left, then the few edges
 * behind. */
static __device__ __forceinline__ gpu_slice gpu_tile(const cflri_rows *rows, uint32_t from,
                                                     uint64_t j) {
    uint64_t degree = cflri_degree(rows, from), whole = degree / GPU_THREADS;
    gpu_slice s = {rows->start[from] + j * GPU_THREADS, GPU_THREADS, from};
    if (j < whole) return s;
    uint32_t left = (uint32_t)(degree % GPU_THREADS), size = GPU_THREADS / 2;
    s.begin = rows->start[from] + whole * GPU_THREADS;
    for (j -= whole;; size /= 2) {
        if (size < GPU_LEAST_TILE) {
            s.n = left;
            return s;
        }
        if (left < size) continue;
        if (j-- == 0) break;
        s.begin += size;
        left -= size;
    }
    s.n = size;
    return s;
}

/* ---- a block's threads at work ---- */

/* Tiles of a warp, a half and a quarter: at most one round for each thread. */
template <class Team, class Visit>
static __device__ __forceinline__ void gpu_by_small_tiles(Team *m, const cflri_rows *rows,
                                                          uint32_t size, gpu_slice *s,
                                                          Visit visit) {
    uint32_t tile = m->lane() / size, rank = m->lane() % size;
    uint32_t lanes = (size == GPU_WARP ? ~0u : (1u << size) - 1) << tile * size;
    for (;;) {
        uint32_t all = __ballot_sync(~0u, s->n >= size), mine = all & lanes;
        if (!all) return;
        int who = mine ? __ffs(mine) - 1 : 0;
        uint32_t from = __shfl_sync(~0u, s->from, who);
        uint64_t begin = __shfl_sync(~0u, s->begin, who);
        gpu_visit_edge(m, rows, mine != 0, from, begin + rank, visit);
        if (mine && m->lane() == (uint32_t)who) {
            s->begin += size;
            s->n -= size;
        }
    }
}

template <class Team, class Visit>
static __device__ __forceinline__ void gpu_by_tiles(Team *m, const cflri_rows *rows, gpu_slice s,
                                                    Visit visit) {
    for (uint32_t size = GPU_THREADS; size > GPU_WARP; size /= 2)
        gpu_by_turns(
            m, rows, size, &s, [size](uint64_t n) { return n & ~(uint64_t)(size - 1); }, visit);
    for (uint32_t size = GPU_WARP; size >= GPU_LEAST_TILE; size /= 2)
        gpu_by_small_tiles(m, rows, size, &s, visit);
    gpu_by_lanes(m, rows, s.from, s.begin, (uint32_t)s.n, visit);
}

/* ---- the two schedules ---- */

struct gpu_tiles_schedule {
    static constexpr bool by_edge = false;

    template <class Team, class Items, class Visit>
    static __device__ __forceinline__ void edges(Team *m, const cflri_rows *rows, Items items,
                                                 Visit visit) {
        uint64_t n = items.size();
        for (uint64_t base = (uint64_t)blockIdx.x * GPU_THREADS; base < n; base += m->threads()) {
            gpu_slice s = gpu_row(rows, items, base + threadIdx.x);
            gpu_by_tiles(m, rows, s, visit);
        }
    }
};

struct gpu_steal_schedule {
    static constexpr bool by_edge = false;

    /* Tiles that follow one another go to blocks that do. */
    template <class Team, class Items, class Visit>
    static __device__ __forceinline__ void edges(Team *m, const cflri_rows *rows, Items items,
                                                 Visit visit) {
        uint64_t n = items.size();
        if (n == 0) return;
        uint64_t all = gpu_number_parts(
            m, n, [&](uint64_t i) { return gpu_tiles_of(cflri_degree(rows, items[i])); });
        for (uint64_t base = 0; base < all; base += m->threads()) {
            uint64_t at = base + (uint64_t)threadIdx.x * gridDim.x + blockIdx.x;
            gpu_slice s = {0, 0, 0};
            if (at < all) {
                uint64_t i = gpu_last_not_above(m->state.offset, n, at);
                s = gpu_tile(rows, items[i], at - m->state.offset[i]);
            }
            gpu_by_tiles(m, rows, s, visit);
        }
    }
};

#endif
