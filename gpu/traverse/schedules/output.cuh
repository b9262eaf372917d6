/* SPDX-License-Identifier: Apache-2.0
 *
 * output.cuh: equal shares of the edges.
 *
 * The edges of all items are numbered through, and each block takes the same number of them; each
 * thread finds its vertex by bisection among those of the block's share. Equal everywhere, for a
 * scan of the items and a bisection for each edge.
 *
 * Source: A. Davidson, S. Baxter, M. Garland, J. Owens, "Work-efficient parallel GPU methods for
 * single-source shortest paths", IPDPS 2014.
 */
#ifndef CFLRI_GPU_SCHEDULE_OUTPUT_CUH
#define CFLRI_GPU_SCHEDULE_OUTPUT_CUH

#include "gpu/traverse/schedules/items.cuh"

struct gpu_output_schedule {
    static constexpr bool by_edge = false;

    template <class Team, class Items, class Visit>
    static __device__ __forceinline__ void shares(Team *m, const cflri_rows *rows, Items items,
                                                  const uint64_t *offset, uint64_t all,
                                                  Visit visit) {
        uint64_t n = items.size();
        for (uint64_t base = (uint64_t)blockIdx.x * GPU_TILE; base < all;
             base += (uint64_t)gridDim.x * GPU_TILE) {
            uint64_t end = base + GPU_TILE < all ? base + GPU_TILE : all;
            uint64_t low = gpu_last_not_above(offset, n, base);
            uint64_t high = gpu_last_not_above(offset + low, n - low, end - 1) + low + 1;
            for (uint64_t p = base; p < end; p += GPU_THREADS) {
                uint64_t at = p + threadIdx.x, e = 0;
                uint32_t from = 0, to = 0;
                bool on = at < end;
                if (on) {
                    uint64_t k = low + gpu_last_not_above(offset + low, high - low, at);
                    from = items[k];
                    e = rows->start[from] + (at - offset[k]);
                    to = cflri_read_once(&rows->target[e]);
                }
                m->inspected += on;
                visit(on, from, to, gpu_edge_at(rows, on, e));
            }
        }
    }

    template <class Team, class Visit>
    static __device__ __forceinline__ void edges(Team *m, const cflri_rows *rows, gpu_list items,
                                                 Visit visit) {
        if (items.n == 0) return;
        uint64_t all =
            gpu_number_parts(m, items.n, [&](uint64_t i) { return cflri_degree(rows, items[i]); });
        shares(m, rows, items, m->state.offset, all, visit);
    }

    /* The rows themselves say how many edges are before a vertex. */
    template <class Team, class Visit>
    static __device__ __forceinline__ void edges(Team *m, const cflri_rows *rows, gpu_all items,
                                                 Visit visit) {
        shares(m, rows, items, rows->start, rows->m, visit);
    }
};

#endif
