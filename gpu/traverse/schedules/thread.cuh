/* SPDX-License-Identifier: Apache-2.0
 *
 * thread.cuh: a thread a vertex.
 *
 * Nothing to prepare, and a warp waits for the longest of 32 rows: for vertices that have few edges
 * each. While there are more threads than vertices, a few lanes share one.
 *
 * Source: Y. Wang, "Gunrock: a programming model and implementation for graph analytics on GPUs",
 * PhD thesis, UC Davis 2016.
 */
#ifndef CFLRI_GPU_SCHEDULE_THREAD_CUH
#define CFLRI_GPU_SCHEDULE_THREAD_CUH

#include "gpu/traverse/schedules/items.cuh"

enum { GPU_LANES = 8 }; /* a vertex, while there are threads enough */

struct gpu_thread_schedule {
    static constexpr bool by_edge = false;

    /* A vertex's edges are looked at side by side: a level of a grid waits for memory once, not for
     * each edge. */
    template <class Team, class Items, class Visit>
    static __device__ __forceinline__ void few(Team *m, const cflri_rows *rows, Items items,
                                               Visit visit) {
        uint64_t i = m->self() / GPU_LANES, e = 0, end = 0;
        uint32_t v = 0, at = m->self() % GPU_LANES;
        if (i < items.size()) {
            v = items[i];
            e = rows->start[v] + at;
            end = rows->start[v + 1];
        }
        for (; __any_sync(~0u, e < end); e += GPU_LANES)
            gpu_visit_edge(m, rows, e < end, v, e, visit);
    }

    template <class Team, class Items, class Visit>
    static __device__ __forceinline__ void edges(Team *m, const cflri_rows *rows, Items items,
                                                 Visit visit) {
        uint64_t n = items.size();
        if (n <= m->threads() / GPU_LANES) {
            few(m, rows, items, visit);
            return;
        }
        for (uint64_t base = (uint64_t)blockIdx.x * GPU_THREADS; base < n; base += m->threads()) {
            uint64_t i = base + threadIdx.x, e = 0, end = 0;
            uint32_t v = 0;
            __syncthreads(); /* warps that stay together find each other's vertices in the cache */
            if (i < n) {
                v = items[i];
                e = rows->start[v];
                end = rows->start[v + 1];
            }
            m->inspected += end - e;
            for (; __any_sync(~0u, e < end); e++)
                visit(e < end, v, e < end ? cflri_read_once(&rows->target[e]) : 0,
                      gpu_edge_at(rows, e < end, e));
        }
    }
};

#endif
