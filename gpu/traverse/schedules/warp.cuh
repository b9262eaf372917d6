/* SPDX-License-Identifier: Apache-2.0
 *
 * warp.cuh: a warp for 32 vertices, long rows in pieces.
 *
 * A warp takes up to 32 vertices and its lanes share the edges of all of these: an edge's vertex is
 * found by bisection among lanes, and nothing is written. Rows longer than a piece go to a list of
 * pieces, which all warps share after a barrier.
 *
 *     lanes' rows     a: 3 edges   b: 700 edges   c: 2 edges   d: 30 edges
 *     shared          a a a c c d d d d ...       32 at a time
 *     pieces          b 0..255, b 256..511, b 512..699
 *
 * Equal within warps, and no block waits for itself. The target of the edge that is looked at next
 * is on its way while the one before is looked at.
 */
#ifndef CFLRI_GPU_SCHEDULE_WARP_CUH
#define CFLRI_GPU_SCHEDULE_WARP_CUH

#include "gpu/traverse/schedules/items.cuh"

/* The target of edge e, which is looked at next; it comes from far. */
static __device__ __forceinline__ uint32_t gpu_fetch(const cflri_rows *rows, bool on, uint64_t e) {
    return on ? cflri_read_once(&rows->target[e]) : 0;
}

/* Which lane has edge `at` of all; `sum` is how many the lanes up to each have. */
static __device__ __forceinline__ uint32_t gpu_lane_of(uint32_t sum, uint32_t at) {
    uint32_t k = 0;
#pragma unroll
    for (uint32_t step = GPU_WARP / 2; step; step /= 2)
        if (__shfl_sync(~0u, sum, k + step - 1) <= at) k += step;
    return k;
}

/* Edge e of the row of lane k, whose number is e + `apart`. */
template <class Team>
static __device__ __forceinline__ cflri_row_edge gpu_edge_of_lane(const Team *m,
                                                                  const cflri_rows *rows, bool on,
                                                                  uint64_t e, uint32_t k,
                                                                  uint64_t apart) {
    (void)m;
    cflri_row_edge edge = gpu_edge_at(rows, on, e);
    if constexpr (gpu_numbers_edges<typename Team::schedule>)
        edge.number += __shfl_sync(~0u, apart, k);
    return edge;
}

/* The lanes of a warp share the edges of all: each has n of them from `begin` on, out of v. In the
 * graph edge e is number e + `apart`. */
template <class Team, class Visit>
static __device__ __forceinline__ void gpu_by_lanes(Team *m, const cflri_rows *rows, uint32_t v,
                                                    uint64_t begin, uint32_t n, Visit visit,
                                                    uint64_t apart = 0) {
    uint32_t sum = gpu_warp_scan(m, n), all = __shfl_sync(~0u, sum, GPU_WARP - 1);
    m->inspected += n;
    if (all == 0) return;
    begin -= sum - n; /* so that begin + place is the edge */
    uint32_t at = m->lane(), k = gpu_lane_of(sum, at < all ? at : all - 1);
    uint64_t e = __shfl_sync(~0u, begin, k) + at;
    uint32_t from = __shfl_sync(~0u, v, k), to = gpu_fetch(rows, at < all, e);
    for (uint32_t p = 0; p < all; p += GPU_WARP) {
        uint32_t after = at + GPU_WARP, next = 0, next_from = 0, here = k;
        uint64_t next_e = 0;
        if (p + GPU_WARP < all) {
            k = gpu_lane_of(sum, after < all ? after : all - 1);
            next_e = __shfl_sync(~0u, begin, k) + after;
            next_from = __shfl_sync(~0u, v, k);
            next = gpu_fetch(rows, after < all, next_e);
        }
        visit(at < all, from, to, gpu_edge_of_lane(m, rows, at < all, e, here, apart));
        at = after;
        from = next_from;
        to = next;
        e = next_e;
    }
}

struct gpu_warp_schedule {
    static constexpr bool by_edge = false;

    /* Leaves rows to all warps, those of lanes that have any pieces. */
    template <class Team>
    static __device__ __forceinline__ void cut(Team *m, uint32_t v, uint32_t pieces) {
        uint32_t sum = gpu_warp_scan(m, pieces), all = __shfl_sync(~0u, sum, GPU_WARP - 1);
        unsigned long long at = 0;
        if (all == 0) return;
        if (m->lane() == 0) at = atomicAdd(&m->counters()->pieces, (unsigned long long)all);
        at = __shfl_sync(~0u, at, 0) + sum - pieces;
        for (uint32_t left = __ballot_sync(~0u, pieces > 0); left; left &= left - 1) {
            int who = __ffs(left) - 1;
            uint64_t row = (uint64_t)__shfl_sync(~0u, v, who) << 32;
            uint64_t *to = m->state.piece + __shfl_sync(~0u, at, who);
            uint32_t n = __shfl_sync(~0u, pieces, who);
            for (uint32_t k = m->lane(); k < n; k += GPU_WARP) to[k] = row | k;
        }
    }

    /* f(v, k): piece k of v's row, a warp each. */
    template <class Team, class Call>
    static __device__ __forceinline__ void each_piece(Team *m, Call f) {
        gpu_barrier();
        uint64_t pieces = *(volatile unsigned long long *)&m->counters()->pieces;
        for (uint64_t p = m->warp(); p < pieces; p += m->warps()) {
            uint64_t piece = __ldcg(&m->state.piece[p]);
            f((uint32_t)(piece >> 32), (uint32_t)piece);
        }
    }

    template <class Team, class Visit>
    static __device__ __forceinline__ void by_pieces(Team *m, const cflri_rows *rows, Visit visit) {
        each_piece(m, [&](uint32_t v, uint32_t k) {
            uint64_t e = rows->start[v] + (uint64_t)k * GPU_PIECE;
            uint64_t end = rows->start[v + 1];
            if (end > e + GPU_PIECE) end = e + GPU_PIECE;
            m->inspected += m->lane() == 0 ? end - e : 0;
            e += m->lane();
            uint32_t to = gpu_fetch(rows, e < end, e);
            while (__any_sync(~0u, e < end)) {
                uint32_t next = gpu_fetch(rows, e + GPU_WARP < end, e + GPU_WARP);
                visit(e < end, v, to, gpu_edge_at(rows, e < end, e));
                to = next;
                e += GPU_WARP;
            }
        });
    }

    template <class Team, class Items, class Visit>
    static __device__ __forceinline__ void edges(Team *m, const cflri_rows *rows, Items items,
                                                 Visit visit) {
        uint64_t n = items.size(), take = (n + m->warps() - 1) / m->warps();
        if (take > GPU_WARP) take = GPU_WARP; /* few vertices are spread over all warps */
        for (uint64_t base = m->warp() * take; base < n; base += m->warps() * take) {
            uint64_t i = base + m->lane(), begin = 0, degree = 0;
            uint32_t v = 0, pieces = 0;
            if (m->lane() < take && i < n) {
                v = items[i];
                begin = rows->start[v];
                degree = rows->start[v + 1] - begin;
            }
            if (degree > GPU_PIECE) {
                pieces = (uint32_t)((degree + GPU_PIECE - 1) / GPU_PIECE);
                degree = 0;
            }
            cut(m, v, pieces);
            gpu_by_lanes(m, rows, v, begin, (uint32_t)degree, visit);
        }
        if (m->state.has_long_rows) by_pieces(m, rows, visit);
    }
};

#endif
