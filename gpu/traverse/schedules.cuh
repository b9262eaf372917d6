/* SPDX-License-Identifier: Apache-2.0
 *
 * schedules.cuh: how the edges of a set of vertices are dealt out to threads.
 *
 *     thread   a thread a vertex                                          even degrees; nothing to prepare
 *     twc      a thread, a warp or a block a vertex, by its degree        no lane waits long; three passes
 *     input    a block takes as many vertices as it has threads, and      equal within blocks
 *              these share the edges of all of them
 *     output   edges are numbered through, each block takes equal shares  equal everywhere; a scan before
 *     warp     a warp takes 32 vertices, its lanes share the edges of all  equal within warps, and no block waits for itself;
 *              of these; long rows are cut into pieces first                 a barrier where there are long rows
 *
 * A schedule is a type with one function, `edges`, that calls visit(on, from, to, edge) for each edge out of the items. All lanes
 * of a warp call it together, those that have no edge with `on` false, so that what they find can be collected without
 * asking who is there. Items are a list of vertices, or all vertices.
 *
 * Sources: D. Merrill, M. Garland, A. Grimshaw, "Scalable GPU graph traversal", PPoPP 2012 (twc); A. Davidson, S. Baxter,
 * M. Garland, J. Owens, IPDPS 2014 (input, output); Y. Wang, "Gunrock", PhD thesis, UC Davis 2016 (all as one model).
 */
#ifndef CFLRI_GPU_SCHEDULES_CUH
#define CFLRI_GPU_SCHEDULES_CUH

#include "gpu/traverse/team.cuh"

/* ---- items ---- */

struct gpu_all {
    uint64_t n;
    __device__ __forceinline__ uint64_t size() const { return n; }
    __device__ __forceinline__ uint32_t operator[](uint64_t i) const { return (uint32_t)i; }
};

struct gpu_list {
    const uint32_t *at;
    uint64_t n;
    __device__ __forceinline__ uint64_t size() const { return n; }
    __device__ __forceinline__ uint32_t operator[](uint64_t i) const { return __ldcg(&at[i]); }
};

/* ---- a thread a vertex ---- */

enum { GPU_LANES = 8 }; /* a vertex, while there are threads enough */

struct gpu_thread_schedule {
    /* A vertex's edges are looked at side by side: a level of a grid waits for memory once, not for each edge. */
    template <class Team, class Items, class Visit>
    static __device__ __forceinline__ void by_lanes(Team *m, const cflri_rows *rows, Items items,
                                                    Visit visit) {
        uint64_t i = m->self() / GPU_LANES, e = 0, end = 0;
        uint32_t v = 0, at = m->self() % GPU_LANES;
        if (i < items.size()) {
            v = items[i];
            e = rows->start[v] + at;
            end = rows->start[v + 1];
        }
        for (; __any_sync(~0u, e < end); e += GPU_LANES) {
            m->inspected += e < end;
            visit(e < end, v, e < end ? cflri_read_once(&rows->target[e]) : 0, e);
        }
    }

    template <class Team, class Items, class Visit>
    static __device__ __forceinline__ void edges(Team *m, const cflri_rows *rows, Items items,
                                                 Visit visit) {
        uint64_t n = items.size();
        if (n <= m->threads() / GPU_LANES) {
            by_lanes(m, rows, items, visit);
            return;
        }
        for (uint64_t base = (uint64_t)m->warp() * GPU_WARP; base < n; base += m->threads()) {
            uint64_t i = base + m->lane(), e = 0, end = 0;
            uint32_t v = 0;
            if (i < n) {
                v = items[i];
                e = rows->start[v];
                end = rows->start[v + 1];
            }
            m->inspected += end - e;
            for (; __any_sync(~0u, e < end); e++)
                visit(e < end, v, e < end ? rows->target[e] : 0, e);
        }
    }
};

/* ---- a thread, a warp or a block a vertex ---- */

enum { GPU_WARP_ROW = 32, GPU_BLOCK_ROW = 1024 }; /* edges that are worth that many threads */

struct gpu_twc_schedule {
    /* Vertices that have the whole block: who wants it writes its number, one of them wins. */
    template <class Team, class Visit>
    static __device__ __forceinline__ void by_block(Team *m, const cflri_rows *rows, uint32_t v,
                                                    bool *mine, Visit visit) {
        while (__syncthreads_or(*mine)) {
            if (*mine) m->shared->number[0] = threadIdx.x;
            __syncthreads();
            if (*mine && m->shared->number[0] == threadIdx.x) {
                m->shared->number[1] = v;
                *mine = false;
            }
            __syncthreads();
            uint32_t from = m->shared->number[1];
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

/* ---- sums over a block ---- */

/* The sum of what threads before this one say; *all: of the whole block. */
template <class Team>
static __device__ __forceinline__ uint64_t gpu_block_scan(Team *m, uint64_t value, uint64_t *all) {
    uint64_t sum = value;
    for (int apart = 1; apart < GPU_WARP; apart *= 2) {
        uint64_t other = __shfl_up_sync(~0u, sum, apart);
        if (m->lane() >= (uint32_t)apart) sum += other;
    }
    if (m->lane() == GPU_WARP - 1) m->shared->word[m->warp_of_block()] = sum;
    __syncthreads();
    uint64_t before = 0, whole = 0;
    for (uint32_t w = 0; w < GPU_WARPS; w++) {
        uint64_t here = m->shared->word[w];
        if (w < m->warp_of_block()) before += here;
        whole += here;
    }
    __syncthreads();
    *all = whole;
    return before + sum - value;
}

/* The last of at[0] .. at[n - 1], which ascend, that is not above `key`; at[0] is not. */
static __device__ __forceinline__ uint64_t gpu_last_not_above(const uint64_t *at, uint64_t n,
                                                              uint64_t key) {
    uint64_t low = 0, high = n;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (at[middle] <= key)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* ---- equal shares of the input ---- */

struct gpu_input_schedule {
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
                visit(on, from, to, e);
            }
            __syncthreads();
        }
    }
};

/* ---- equal shares of the output ---- */

struct gpu_output_schedule {
    /* offset[i]: how many edges the items before i have; the number of all edges. Two barriers. */
    template <class Team, class Items>
    static __device__ __forceinline__ uint64_t number_edges(Team *m, const cflri_rows *rows,
                                                            Items items) {
        uint64_t n = items.size(), share = (n + gridDim.x - 1) / gridDim.x;
        uint64_t begin = share * blockIdx.x, end = begin + share < n ? begin + share : n;
        uint64_t before = 0, all;
        for (uint64_t base = begin; base < end; base += GPU_THREADS) {
            uint64_t i = base + threadIdx.x, degree = 0;
            if (i < end) degree = cflri_degree(rows, items[i]);
            uint64_t at = gpu_block_scan(m, degree, &all);
            if (i < end) m->state.offset[i] = before + at;
            before += all;
        }
        if (threadIdx.x == 0) m->state.block_sum[blockIdx.x] = before;
        gpu_barrier();
        uint64_t mine = 0, whole = 0, all_blocks;
        for (uint32_t b = threadIdx.x; b < gridDim.x; b += GPU_THREADS) {
            uint64_t here = __ldcg(&m->state.block_sum[b]);
            if (b < blockIdx.x) mine += here;
            whole += here;
        }
        gpu_block_scan(m, mine, &mine);
        gpu_block_scan(m, whole, &all_blocks);
        for (uint64_t i = begin + threadIdx.x; i < end; i += GPU_THREADS)
            m->state.offset[i] += mine;
        gpu_barrier();
        return all_blocks;
    }

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
                visit(on, from, to, e);
            }
        }
    }

    template <class Team, class Visit>
    static __device__ __forceinline__ void edges(Team *m, const cflri_rows *rows, gpu_list items,
                                                 Visit visit) {
        if (items.n == 0) return;
        uint64_t all = number_edges(m, rows, items);
        shares(m, rows, items, m->state.offset, all, visit);
    }

    /* The rows themselves say how many edges are before a vertex. */
    template <class Team, class Visit>
    static __device__ __forceinline__ void edges(Team *m, const cflri_rows *rows, gpu_all items,
                                                 Visit visit) {
        shares(m, rows, items, rows->start, rows->m, visit);
    }
};

/* ---- equal shares of 32 vertices at a time ---- */

struct gpu_warp_schedule {
    /* Leaves the row to all warps. */
    template <class Team>
    static __device__ __forceinline__ void cut(Team *m, uint32_t v, uint64_t degree) {
        uint64_t pieces = (degree + GPU_PIECE - 1) / GPU_PIECE;
        uint64_t at = atomicAdd(&m->counters()->pieces, (unsigned long long)pieces);
        for (uint64_t k = 0; k < pieces; k++) m->state.piece[at + k] = (uint64_t)v << 32 | k;
    }

    template <class Team, class Visit>
    static __device__ __forceinline__ void by_pieces(Team *m, const cflri_rows *rows, Visit visit) {
        gpu_barrier();
        uint64_t pieces = *(volatile unsigned long long *)&m->counters()->pieces;
        for (uint64_t p = m->warp(); p < pieces; p += m->warps()) {
            uint64_t piece = __ldcg(&m->state.piece[p]);
            uint32_t v = (uint32_t)(piece >> 32);
            uint64_t begin = rows->start[v] + (uint64_t)(uint32_t)piece * GPU_PIECE;
            uint64_t end = rows->start[v + 1];
            if (end > begin + GPU_PIECE) end = begin + GPU_PIECE;
            for (uint64_t base = begin; base < end; base += GPU_WARP) {
                uint64_t e = base + m->lane();
                m->inspected += e < end;
                visit(e < end, v, e < end ? cflri_read_once(&rows->target[e]) : 0, e);
            }
        }
    }

    /* Which lane's vertex has edge `at` of all; `sum` is that of the degrees of the lanes up to each. */
    static __device__ __forceinline__ uint32_t lane_of(uint32_t sum, uint32_t at) {
        uint32_t k = 0;
#pragma unroll
        for (uint32_t step = GPU_WARP / 2; step; step /= 2)
            if (__shfl_sync(~0u, sum, k + step - 1) <= at) k += step;
        return k;
    }

    template <class Team, class Items, class Visit>
    static __device__ __forceinline__ void edges(Team *m, const cflri_rows *rows, Items items,
                                                 Visit visit) {
        uint64_t n = items.size(), take = (n + m->warps() - 1) / m->warps();
        if (take > GPU_WARP) take = GPU_WARP; /* few vertices are spread over all warps */
        for (uint64_t base = m->warp() * take; base < n; base += m->warps() * take) {
            uint64_t i = base + m->lane(), begin = 0, degree = 0;
            uint32_t v = 0;
            if (m->lane() < take && i < n) {
                v = items[i];
                begin = rows->start[v];
                degree = rows->start[v + 1] - begin;
            }
            if (degree > GPU_PIECE) {
                cut(m, v, degree);
                degree = 0;
            }
            uint32_t sum = (uint32_t)degree;
            for (uint32_t apart = 1; apart < GPU_WARP; apart *= 2) {
                uint32_t other = __shfl_up_sync(~0u, sum, apart);
                if (m->lane() >= apart) sum += other;
            }
            uint32_t all = __shfl_sync(~0u, sum, GPU_WARP - 1);
            begin -= sum - (uint32_t)degree; /* so that begin + place is the edge */
            m->inspected += degree;
            for (uint32_t p = 0; p < all; p += GPU_WARP) {
                uint32_t at = p + m->lane(), k = lane_of(sum, at < all ? at : all - 1);
                uint64_t e = __shfl_sync(~0u, begin, k) + at;
                uint32_t from = __shfl_sync(~0u, v, k);
                visit(at < all, from, at < all ? cflri_read_once(&rows->target[e]) : 0, e);
            }
        }
        if (m->state.has_long_rows) by_pieces(m, rows, visit);
    }
};

#endif
