/* SPDX-License-Identifier: Apache-2.0
 *
 * aligned.cuh: a warp a vertex, whole lines of memory.
 *
 *     lines     |. . . a a a a a|a a a a a a a a|a a a . . . . .|
 *     warp       first look       second look     third look
 *
 * The lanes of a warp look at the 32 edges of a line of 128 bytes, from the line on that the row
 * begins in; lanes before its begin and behind its end have none. So a look is one request where
 * rows are in the memory of the host, and never two for parts of lines. Long rows are in pieces of
 * whole lines, which all warps share after a barrier.
 *
 * Vertices of few edges leave most lanes without one: for rows that are read over a link, whose
 * requests cost more than lanes.
 *
 * Source: S. W. Min and others, "EMOGI: efficient memory-access for out-of-memory graph-traversal
 * in GPUs", VLDB 2020.
 */
#ifndef CFLRI_GPU_SCHEDULE_ALIGNED_CUH
#define CFLRI_GPU_SCHEDULE_ALIGNED_CUH

#include "gpu/traverse/schedules/warp.cuh"

struct gpu_aligned_schedule {
    static constexpr bool by_edge = false;

    /* How far behind the begin of a line edge e lies. */
    static __device__ __forceinline__ uint32_t into_line(const cflri_rows *rows, uint64_t e) {
        return (uint32_t)(((uintptr_t)(rows->target + e) / sizeof *rows->target) % GPU_WARP);
    }

    /* Edges from .. end-1 of v, of which those before `begin` are of others; `from` begins a
     * line. */
    template <class Team, class Visit>
    static __device__ __forceinline__ void by_lines(Team *m, const cflri_rows *rows, uint32_t v,
                                                    int64_t from, uint64_t begin, uint64_t end,
                                                    Visit visit) {
        for (int64_t e = from + m->lane(); e - m->lane() < (int64_t)end; e += GPU_WARP)
            gpu_visit_edge(m, rows, e >= (int64_t)begin && e < (int64_t)end, v, (uint64_t)e, visit);
    }

    template <class Team, class Visit>
    static __device__ __forceinline__ void by_pieces(Team *m, const cflri_rows *rows, Visit visit) {
        gpu_warp_schedule::each_piece(m, [&](uint32_t v, uint32_t k) {
            uint64_t begin = rows->start[v], end = rows->start[v + 1];
            int64_t line = (int64_t)(begin + (uint64_t)k * GPU_PIECE) - into_line(rows, begin);
            if (end > (uint64_t)(line + GPU_PIECE)) end = (uint64_t)(line + GPU_PIECE);
            by_lines(m, rows, v, line, begin, end, visit);
        });
    }

    template <class Team, class Items, class Visit>
    static __device__ __forceinline__ void edges(Team *m, const cflri_rows *rows, Items items,
                                                 Visit visit) {
        for (uint64_t i = m->warp(); i < items.size(); i += m->warps()) {
            uint32_t v = items[i];
            uint64_t begin = rows->start[v], end = rows->start[v + 1];
            uint32_t before = into_line(rows, begin);
            if (end - begin > GPU_PIECE) {
                uint64_t pieces = (end - begin + before + GPU_PIECE - 1) / GPU_PIECE;
                gpu_warp_schedule::cut(m, v, m->lane() == 0 ? (uint32_t)pieces : 0);
            } else {
                by_lines(m, rows, v, (int64_t)begin - before, begin, end, visit);
            }
        }
        if (m->state.has_long_rows) by_pieces(m, rows, visit);
    }
};

#endif
