/* SPDX-License-Identifier: Apache-2.0
 *
 * twc.cuh: a thread, a warp or a block a vertex, by its degree.
 *
 * Each thread of a block has a vertex. Vertices of very many edges have the whole block one after another, then those of
 * many edges the warp, then each thread looks at its own few. No lane waits for a long row; the three passes wait for
 * each other.
 *
 * Source: D. Merrill, M. Garland, A. Grimshaw, "Scalable GPU graph traversal", PPoPP 2012.
 */
#ifndef CFLRI_GPU_SCHEDULE_TWC_CUH
#define CFLRI_GPU_SCHEDULE_TWC_CUH

#include "gpu/traverse/schedules/items.cuh"

enum { GPU_WARP_ROW = 32, GPU_BLOCK_ROW = 1024 }; /* edges that are worth that many threads */

struct gpu_twc_schedule {
    static constexpr bool by_edge = false;

    /* Vertices that have the whole block: who wants it puts itself forward, one of them is taken. */
    template <class Team, class Visit>
    static __device__ __forceinline__ void by_block(Team *m, const cflri_rows *rows, uint32_t v,
                                                    bool *mine, Visit visit) {
        uint32_t *chosen = &m->shared->chosen[0], *taken = &m->shared->taken[0].from;
        while (__syncthreads_or(*mine)) {
            if (*mine) atomicMin(chosen, threadIdx.x);
            __syncthreads();
            if (*mine && *chosen == threadIdx.x) {
                *taken = v;
                *mine = false;
            }
            __syncthreads();
            uint32_t from = *taken;
            if (threadIdx.x == 0) *chosen = CFLRI_NONE;
            uint64_t begin = rows->start[from], end = rows->start[from + 1];
            for (uint64_t base = begin; base < end; base += GPU_THREADS) {
                uint64_t e = base + threadIdx.x;
                m->inspected += e < end;
                visit(e < end, from, e < end ? cflri_read_once(&rows->target[e]) : 0, e);
            }
        }
    }

    template <class Team, class Visit>
    static __device__ __forceinline__ void by_warp(Team *m, const cflri_rows *rows, uint32_t v,
                                                   bool mine, Visit visit) {
        for (uint32_t left = __ballot_sync(~0u, mine); left; left &= left - 1) {
            uint32_t from = __shfl_sync(~0u, v, __ffs(left) - 1);
            uint64_t begin = rows->start[from], end = rows->start[from + 1];
            for (uint64_t base = begin; base < end; base += GPU_WARP) {
                uint64_t e = base + m->lane();
                m->inspected += e < end;
                visit(e < end, from, e < end ? cflri_read_once(&rows->target[e]) : 0, e);
            }
        }
    }

    template <class Team, class Items, class Visit>
    static __device__ __forceinline__ void edges(Team *m, const cflri_rows *rows, Items items,
                                                 Visit visit) {
        uint64_t n = items.size();
        for (uint64_t base = (uint64_t)blockIdx.x * GPU_THREADS; base < n; base += m->threads()) {
            uint64_t i = base + threadIdx.x, e = 0, end = 0;
            uint32_t v = 0;
            if (i < n) {
                v = items[i];
                e = rows->start[v];
                end = rows->start[v + 1];
            }
            bool block = end - e > GPU_BLOCK_ROW, warp = !block && end - e > GPU_WARP_ROW;
            by_block(m, rows, v, &block, visit);
            by_warp(m, rows, v, warp, visit);
            if (end - e > GPU_WARP_ROW) e = end;
            m->inspected += end - e;
            for (; __any_sync(~0u, e < end); e++)
                visit(e < end, v, e < end ? cflri_read_once(&rows->target[e]) : 0, e);
        }
    }
};

#endif
