/* SPDX-License-Identifier: Apache-2.0
 *
 * intersect.cuh: what the rows of both ends of an edge share, on a GPU.
 *
 * Vertices are numbered by degree, those of most edges first, unless all have about as many; each
 * edge is in the row of its end of greater number, and rows ascend. So what the rows of v and of
 * its target number j share is among the targets of v before j.
 *
 *     row of v      2 5 9 40 ...           targets before 40: 2 5 9
 *     row of 40     1 2 5 7 30             shared: 2 5
 *
 * There are two ways to count them. Search: the targets of the one are looked up in the row of the
 * other, which takes as many reads, one after the other, as the length of the longer row has bits.
 * Marks: a block has a bit for each of the first vertices in its shared memory, sets those of v's
 * row, and reads the rows of v's targets once, side by side. Rows of few edges have a warp each and
 * search; the others have a block, which searches where the row of the target is much longer than
 * what comes before it. Vertices behind the first ones, which few edges lead to, are looked up.
 *
 * Sources: the order is that of T. Schank, D. Wagner, "Finding, counting and listing all triangles
 * in large graphs", WEA 2005; a set of bits for one end, M. Bisson, M. Fatica, "High performance
 * exact triangle counting on GPUs", IEEE TPDS 28(12), 2017.
 */
#ifndef CFLRI_GPU_INTERSECT_CUH
#define CFLRI_GPU_INTERSECT_CUH

#include "gpu/traverse/operators.cuh"

enum {
    GPU_ROW_OF_BLOCK = 64, /* edges of a row that is worth a block */
    GPU_SEARCH_COST = 6,   /* of looking one target up, in targets that are read side by side */
};

/* Targets begin .. end-1, which ascend. */
struct gpu_targets {
    uint64_t begin, end;
    __device__ __forceinline__ uint64_t size() const { return end - begin; }
};

CFLRI_GPU bool gpu_has_target(const cflri_rows *rows, gpu_targets in, uint32_t target) {
    while (in.begin < in.end) {
        uint64_t middle = in.begin + in.size() / 2;
        uint32_t there = rows->target[middle];
        if (there == target) return true;
        if (there < target)
            in.begin = middle + 1;
        else
            in.end = middle;
    }
    return false;
}

/* How many targets two rows share, those of the shorter one looked up by a warp: each lane returns
 * its part. */
template <class Team>
CFLRI_GPU uint32_t gpu_search(Team *m, const cflri_rows *rows, gpu_targets a, gpu_targets b) {
    gpu_targets few = a.size() < b.size() ? a : b, many = a.size() < b.size() ? b : a;
    uint32_t shared = 0;
    for (uint64_t at = few.begin + m->lane(); at < few.end; at += GPU_WARP) {
        shared += gpu_has_target(rows, many, rows->target[at]);
        m->inspected++;
    }
    return shared;
}

/* The same of a row that is marked. */
template <class Team>
CFLRI_GPU uint32_t gpu_look_for_marks(Team *m, const cflri_rows *rows, gpu_targets marked,
                                      gpu_targets row) {
    const uint32_t *marks = m->shared->marks;
    uint32_t shared = 0;
#pragma unroll 4
    for (uint64_t at = row.begin + m->lane(); at < row.end; at += GPU_WARP) {
        uint32_t to = rows->target[at];
        if (to < GPU_MARKS)
            shared += marks[to / GPU_WARP] >> to % GPU_WARP & 1;
        else
            shared += gpu_has_target(rows, marked, to);
        m->inspected++;
    }
    return shared;
}

/* A block: the bits of a row are set, or those of all its words are cleared. */
CFLRI_GPU void gpu_mark_row(uint32_t *marks, const cflri_rows *rows, gpu_targets row, bool set) {
    for (uint64_t at = row.begin + threadIdx.x; at < row.end; at += GPU_THREADS) {
        uint32_t to = rows->target[at];
        if (to >= GPU_MARKS) break;
        if (set)
            atomicOr(&marks[to / GPU_WARP], 1u << to % GPU_WARP);
        else
            marks[to / GPU_WARP] = 0;
    }
    __syncthreads();
}

template <auto take, class Team>
CFLRI_GPU void gpu_take_shared(Team *m, void *task, uint32_t v, uint32_t to, uint64_t e,
                               uint32_t shared) {
    shared = gpu_warp_sum(shared);
    if (m->lane() == 0 && shared) take(&m->tally, task, v, to, e, shared);
}

/* A block, each warp other targets of v. */
template <auto take, class Team>
CFLRI_GPU void gpu_intersect_long(Team *m, const cflri_rows *rows, uint32_t v, void *task) {
    gpu_targets all = {rows->start[v], rows->start[v + 1]};
    gpu_mark_row(m->shared->marks, rows, all, true);
    for (uint64_t e = all.begin + m->warp_of_block(); e < all.end; e += GPU_WARPS) {
        uint32_t to = rows->target[e], shared;
        gpu_targets before = {all.begin, e}, row = {rows->start[to], rows->start[to + 1]};
        if (before.size() * GPU_SEARCH_COST < row.size())
            shared = gpu_search(m, rows, before, row);
        else
            shared = gpu_look_for_marks(m, rows, before, row);
        gpu_take_shared<take>(m, task, v, to, e, shared);
    }
    __syncthreads();
    gpu_mark_row(m->shared->marks, rows, all, false);
}

/* Rows by degree. Long ones are left to blocks: `offset` is room for a list of them. */
template <auto take, class Team>
CFLRI_GPU void gpu_intersect(Team *m, const cflri_rows *rows, void *task) {
    for (uint64_t v = m->warp(); v < rows->n; v += m->warps()) {
        uint64_t begin = rows->start[v], end = rows->start[v + 1];
        if (end - begin >= GPU_ROW_OF_BLOCK) {
            if (m->lane() == 0) m->state.offset[atomicAdd(&m->counters()->pieces, 1ull)] = v;
            continue;
        }
        for (uint64_t e = begin + 1; e < end; e++) {
            uint32_t to = rows->target[e];
            uint32_t shared = gpu_search(m, rows, gpu_targets{begin, e},
                                         gpu_targets{rows->start[to], rows->start[to + 1]});
            gpu_take_shared<take>(m, task, (uint32_t)v, to, e, shared);
        }
    }
    for (uint32_t w = threadIdx.x; w < GPU_MARKS / GPU_WARP; w += GPU_THREADS)
        m->shared->marks[w] = 0;
    gpu_barrier();
    uint64_t n = *(volatile unsigned long long *)&m->counters()->pieces;
    for (uint64_t i = blockIdx.x; i < n; i += gridDim.x)
        gpu_intersect_long<take>(m, rows, (uint32_t)__ldcg(&m->state.offset[i]), task);
    cflri_step_end(m);
}
#define cflri_intersect(m, rows, task, take) gpu_intersect<take>(m, rows, task)

#endif
