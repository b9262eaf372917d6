/* SPDX-License-Identifier: Apache-2.0
 *
 * input.cuh: equal shares of the vertices.
 *
 * A block takes as many vertices as it has threads, numbers their edges through, and its threads
 * take these in turn; each finds its vertex by bisection. Equal within blocks, not among them.
 *
 * Source: A. Davidson, S. Baxter, M. Garland, J. Owens, "Work-efficient parallel GPU methods for
 * single-source shortest paths", IPDPS 2014.
 */
#ifndef CFLRI_GPU_SCHEDULE_INPUT_CUH
#define CFLRI_GPU_SCHEDULE_INPUT_CUH

#include "gpu/traverse/schedules/items.cuh"

struct gpu_input_schedule {
    static constexpr bool by_edge = false;

    template <class Team, class Items, class Visit>
    static __device__ __forceinline__ void edges(Team *m, const cflri_rows *rows, Items items,
                                                 Visit visit) {
        uint64_t n = items.size();
        for (uint64_t base = (uint64_t)blockIdx.x * GPU_THREADS; base < n; base += m->threads()) {
            uint64_t i = base + threadIdx.x, degree = 0, all;
            uint32_t v = 0;
            if (i < n) {
                v = items[i];
                degree = rows->start[v + 1] - rows->start[v];
            }
            m->shared->offset[threadIdx.x] = gpu_block_scan(m, degree, &all);
            m->shared->item[threadIdx.x] = v;
            __syncthreads();
            for (uint64_t p = 0; p < all; p += GPU_THREADS) {
                uint64_t at = p + threadIdx.x, e = 0;
                uint32_t from = 0, to = 0;
                bool on = at < all;
                if (on) {
                    uint64_t k = gpu_last_not_above(m->shared->offset, GPU_THREADS, at);
                    from = m->shared->item[k];
                    e = rows->start[from] + (at - m->shared->offset[k]);
                    to = cflri_read_once(&rows->target[e]);
                }
                m->inspected += on;
                visit(on, from, to, gpu_edge_at(rows, on, e));
            }
            __syncthreads();
        }
    }
};

#endif
