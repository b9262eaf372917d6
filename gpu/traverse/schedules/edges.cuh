/* SPDX-License-Identifier: Apache-2.0
 *
 * edges.cuh: a thread an edge, all edges in every step (WolfGraph).
 *
 * The graph is a list of edges, each with both of its ends, read from its begin to its end by as
 * many threads as there are: no degrees, nothing to search for, nothing to balance, and every read
 * of an edge beside the one before. An edge counts when its source is one of the items, which a bit
 * says. It pays where most vertices are in every step, and not at all where few are.
 *
 * In the paper a block first brings together in its own memory what its edges have for one target,
 * and then once to the GPU's. That is what an advance that adds does here, too (gpu_add_edges): its
 * targets are looked up in a table of the block.
 *
 *     edges of a block   a>x a>y b>x c>x d>z table x: a + b + c y: a z: d three additions, not five
 *
 * What is compared before it is changed (BFS, paths, components) is not worth a table: most edges
 * have nothing to change.
 *
 * Source: H. Zhu, L. He, M. Leeke, R. Mao, "WolfGraph: the edge-centric graph processing on GPU",
 * Future Generation Computer Systems 2020.
 */
#ifndef CFLRI_GPU_SCHEDULE_EDGES_CUH
#define CFLRI_GPU_SCHEDULE_EDGES_CUH

#include "gpu/traverse/schedules/items.cuh"

/* ---- additions, brought together in a block ---- */

/* Adds what f says of each edge to its target's element. */
template <auto f, class Team>
static __device__ __forceinline__ void gpu_add_edges(Team *m, const cflri_rows *rows, void *task,
                                                     double *into) {
    gpu_table *table = &m->shared->table;
    for (uint64_t base = (uint64_t)blockIdx.x * GPU_THREADS; base < rows->m; base += m->threads()) {
        uint64_t e = base + threadIdx.x;
        for (uint32_t s = threadIdx.x; s < GPU_SLOTS; s += GPU_THREADS) {
            table->target[s] = CFLRI_NONE;
            table->sum[s] = 0;
        }
        __syncthreads();
        if (e < rows->m) {
            uint32_t to = cflri_read_once(&rows->target[e]);
            uint32_t s = to * UINT32_C(2654435761) / (UINT32_MAX / GPU_SLOTS + 1), there;
            while ((there = atomicCAS(&table->target[s], CFLRI_NONE, to)) != CFLRI_NONE &&
                   there != to)
                s = (s + 1) % GPU_SLOTS;
            atomicAdd(&table->sum[s], *f(task, cflri_read_once(&rows->source[e]), e));
            m->inspected++;
        }
        __syncthreads();
        for (uint32_t s = threadIdx.x; s < GPU_SLOTS; s += GPU_THREADS)
            if (table->target[s] != CFLRI_NONE && table->sum[s] != 0)
                atomicAdd(&into[table->target[s]], table->sum[s]);
        __syncthreads();
    }
}

/* ---- the schedule ---- */

struct gpu_edges_schedule {
    static constexpr bool by_edge = true;

    /* `is_on` of an edge's source. */
    template <class Team, class Test, class Visit>
    static __device__ __forceinline__ void sweep(Team *m, const cflri_rows *rows, Test is_on,
                                                 Visit visit) {
        for (uint64_t base = (uint64_t)m->warp() * GPU_WARP; base < rows->m; base += m->threads()) {
            uint64_t e = base + m->lane();
            uint32_t from = 0, to = 0;
            bool on = e < rows->m;
            m->inspected += on;
            if (on) {
                from = cflri_read_once(&rows->source[e]);
                to = cflri_read_once(&rows->target[e]);
                on = is_on(from);
            }
            visit(on, from, to, gpu_edge_at(rows, on, e));
        }
    }

    template <class Team, class Visit>
    static __device__ __forceinline__ void edges(Team *m, const cflri_rows *rows, gpu_list items,
                                                 Visit visit) {
        cflri_shared_word *member = m->state.member;
        for (uint64_t i = m->self(); i < items.n; i += m->threads())
            cflri_add_bit(member, items[i]);
        gpu_barrier();
        sweep(
            m, rows, [&](uint32_t from) { return cflri_has_bit(member, from); }, visit);
        gpu_barrier();
        for (uint64_t i = m->self(); i < items.n; i += m->threads())
            member[items[i] / CFLRI_WORD_BITS] = 0;
    }

    template <class Team, class Visit>
    static __device__ __forceinline__ void edges(Team *m, const cflri_rows *rows, gpu_all,
                                                 Visit visit) {
        sweep(
            m, rows, [](uint32_t) { return true; }, visit);
    }
};

#endif
