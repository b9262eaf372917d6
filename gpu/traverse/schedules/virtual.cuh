/* SPDX-License-Identifier: Apache-2.0
 *
 * virtual.cuh: vertices split into virtual ones of few edges (Tigr-V and Tigr-V+).
 *
 * A vertex of d edges counts as ceil(d / K) virtual ones, each with K edges or fewer and a thread
 * of its own; all of them stand for the same vertex, whose values they share, so that nothing has
 * to be kept alike and no step is added.
 *
 *     row, K = 3          0 1 2 3 4 5 6
 *     consecutive         a a a b b b c      neighbours read K apart
 *     strided             a b c a b c a      neighbours read what is side by side
 *
 * Virtual vertices are not stored: those of the items are numbered through, and a thread finds its
 * own by bisection, as dynamic mapping does in the paper. So a list's vertices alone have threads.
 * Equal within K edges, whatever the degrees.
 *
 * Source: A. H. Nodehi Sabet, J. Qiu, Z. Zhao, "Tigr: transforming irregular graphs for
 * GPU-friendly graph processing", ASPLOS 2018.
 */
#ifndef CFLRI_GPU_SCHEDULE_VIRTUAL_CUH
#define CFLRI_GPU_SCHEDULE_VIRTUAL_CUH

#include "gpu/traverse/schedules/items.cuh"

enum { GPU_SPLIT = 10 }; /* K */

template <bool strided>
struct gpu_split_schedule {
    static constexpr bool by_edge = false;

    /* The edges of virtual vertex k of `from`. */
    template <class Team, class Visit>
    static __device__ __forceinline__ void look(Team *m, const cflri_rows *rows, bool on,
                                                uint32_t from, uint64_t k, Visit visit) {
        uint64_t e = 0, end = 0, apart = 1;
        if (on) {
            e = rows->start[from];
            end = rows->start[from + 1];
            if (strided) {
                apart = (end - e + GPU_SPLIT - 1) / GPU_SPLIT;
                e += k;
            } else {
                e += k * GPU_SPLIT;
                if (end > e + GPU_SPLIT) end = e + GPU_SPLIT;
            }
        }
        for (; __any_sync(~0u, e < end); e += apart)
            gpu_visit_edge(m, rows, e < end, from, e, visit);
    }

    template <class Team, class Items, class Visit>
    static __device__ __forceinline__ void edges(Team *m, const cflri_rows *rows, Items items,
                                                 Visit visit) {
        uint64_t n = items.size();
        if (n == 0) return;
        uint64_t all = gpu_number_parts(m, n, [&](uint64_t i) {
            return (cflri_degree(rows, items[i]) + GPU_SPLIT - 1) / GPU_SPLIT;
        });
        const uint64_t *offset = m->state.offset;
        for (uint64_t base = (uint64_t)blockIdx.x * GPU_THREADS; base < all; base += m->threads()) {
            uint64_t end = base + GPU_THREADS < all ? base + GPU_THREADS : all, k = 0;
            uint64_t low = gpu_last_not_above(offset, n, base);
            uint64_t high = gpu_last_not_above(offset + low, n - low, end - 1) + low + 1;
            uint64_t at = base + threadIdx.x;
            uint32_t from = 0;
            if (at < end) {
                uint64_t i = low + gpu_last_not_above(offset + low, high - low, at);
                from = items[i];
                k = at - offset[i];
            }
            look(m, rows, at < end, from, k, visit);
        }
    }
};

typedef gpu_split_schedule<false> gpu_virtual_schedule;
typedef gpu_split_schedule<true> gpu_strided_schedule;

#endif
