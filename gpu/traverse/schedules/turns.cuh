/* SPDX-License-Identifier: Apache-2.0
 *
 * turns.cuh: threads of a block that have long rows have their tile look at them, one row after
 * another.
 *
 * A tile is `size` threads side by side, of more than one warp each. In each turn, every tile of
 * the block takes a row of one of its threads, if any has one that is long enough, and all of its
 * threads look at that one's edges.
 *
 *     before the turn     threads that have enough put themselves forward; the first of each tile
 *                         is chosen
 *     barrier             does any thread want a turn? Otherwise it is over
 *     chosen              says which edges
 *     barrier             its tile looks at them
 *
 * The chosen thread is kept in two places that take turns too: the one of this turn is put back
 * behind the second barrier, and not used before there has been another one. All threads of the
 * block meet in both: barriers of one tile would not make others wait, but with these NVIDIA's
 * racecheck reported a race at every row that a tile looked at.
 */
#ifndef CFLRI_GPU_SCHEDULE_TURNS_CUH
#define CFLRI_GPU_SCHEDULE_TURNS_CUH

#include "gpu/traverse/schedules/items.cuh"

/* The row of item i, which may be behind the last one. */
template <class Items>
static __device__ __forceinline__ gpu_slice gpu_row(const cflri_rows *rows, Items items,
                                                    uint64_t i) {
    gpu_slice s = {0, 0, 0};
    if (i >= items.size()) return s;
    s.from = items[i];
    s.begin = rows->start[s.from];
    s.n = cflri_degree(rows, s.from);
    return s;
}

/* take(n): how many of a thread's n edges a turn takes; 0: they are not enough for one. */
template <class Team, class Take, class Visit>
static __device__ __forceinline__ void gpu_by_turns(Team *m, const cflri_rows *rows, uint32_t size,
                                                    gpu_slice *s, Take take, Visit visit) {
    uint32_t tile = threadIdx.x / size, rank = threadIdx.x % size;
    gpu_slice *taken = &m->shared->taken[tile];
    for (uint32_t turn = 0;; turn ^= 1) {
        uint32_t *chosen = &m->shared->chosen[turn][tile];
        uint64_t mine = take(s->n);
        if (mine) atomicMin(chosen, threadIdx.x);
        if (!__syncthreads_or(mine != 0)) return;
        uint32_t who = *chosen;
        if (who == threadIdx.x) {
            *taken = {s->begin, mine, s->from};
            s->begin += mine;
            s->n -= mine;
        }
        __syncthreads();
        if (rank == 0) *chosen = CFLRI_NONE;
        if (who == CFLRI_NONE) continue;
        gpu_slice all = *taken;
        for (uint64_t i = rank; i - rank < all.n; i += size)
            gpu_visit_edge(m, rows, i < all.n, all.from, all.begin + i, visit);
    }
}

#endif
