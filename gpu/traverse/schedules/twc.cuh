/* SPDX-License-Identifier: Apache-2.0
 *
 * twc.cuh: a thread, a warp or a block a vertex, by its degree.
 *
 * Each thread of a block has a vertex. Vertices of very many edges have the whole block one after
 * another, then those of many edges the warp, then each thread looks at its own few. No lane waits
 * for a long row; the three passes wait for each other.
 *
 * Source: D. Merrill, M. Garland, A. Grimshaw, "Scalable GPU graph traversal", PPoPP 2012.
 */
#ifndef CFLRI_GPU_SCHEDULE_TWC_CUH
#define CFLRI_GPU_SCHEDULE_TWC_CUH

#include "gpu/traverse/schedules/turns.cuh"

enum { GPU_WARP_ROW = 32, GPU_BLOCK_ROW = 1024 }; /* edges that are worth that many threads */

struct gpu_twc_schedule {
    static constexpr bool by_edge = false;

    template <class Team, class Visit>
    static __device__ __forceinline__ void by_warp(Team *m, const cflri_rows *rows, gpu_slice *s,
                                                   Visit visit) {
        for (uint32_t left = __ballot_sync(~0u, s->n > GPU_WARP_ROW); left; left &= left - 1) {
            int who = __ffs(left) - 1;
            uint32_t from = __shfl_sync(~0u, s->from, who);
            uint64_t begin = __shfl_sync(~0u, s->begin, who), n = __shfl_sync(~0u, s->n, who);
            for (uint64_t i = m->lane(); i - m->lane() < n; i += GPU_WARP)
                gpu_visit_edge(m, rows, i < n, from, begin + i, visit);
        }
        if (s->n > GPU_WARP_ROW) s->n = 0;
    }

    template <class Team, class Items, class Visit>
    static __device__ __forceinline__ void edges(Team *m, const cflri_rows *rows, Items items,
                                                 Visit visit) {
        uint64_t n = items.size();
        for (uint64_t base = (uint64_t)blockIdx.x * GPU_THREADS; base < n; base += m->threads()) {
            gpu_slice s = gpu_row(rows, items, base + threadIdx.x);
            gpu_by_turns(
                m, rows, GPU_THREADS, &s, [](uint64_t n) { return n > GPU_BLOCK_ROW ? n : 0; },
                visit);
            by_warp(m, rows, &s, visit);
            for (uint64_t k = 0; __any_sync(~0u, k < s.n); k++)
                gpu_visit_edge(m, rows, k < s.n, s.from, s.begin + k, visit);
        }
    }
};

#endif
