/* SPDX-License-Identifier: Apache-2.0
 *
 * items.cuh: the items that schedules assign to threads, and the counters that they use.
 *
 * Items are a list of vertices, or all vertices. A schedule is a type with one function:
 *
 *     edges(team, rows, items, visit)     visit(on, from, to, edge) for each edge out of the items
 *
 * All lanes of a warp call visit together, lanes without an edge with `on` false, so that what they
 * find can be collected without asking which lanes are there.
 *
 * Where rows come piece by piece or in few bits, the number of an edge has to be computed: only
 * those schedules do it for which `gpu_numbers_edges` says so.
 */
#ifndef CFLRI_GPU_ITEMS_CUH
#define CFLRI_GPU_ITEMS_CUH

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

/* ---- edges ---- */

template <class Schedule>
static constexpr bool gpu_numbers_edges = false;

/* Edge e with its weight, unless this lane has none. */
static __device__ __forceinline__ cflri_row_edge gpu_edge_at(const cflri_rows *rows, bool on,
                                                             uint64_t e) {
    return cflri_row_edge{e, on && rows->weight ? cflri_read_once(&rows->weight[e]) : 0};
}

/* Edge e, out of `from`, unless this lane has none. */
template <class Team, class Visit>
static __device__ __forceinline__ void gpu_visit_edge(Team *m, const cflri_rows *rows, bool on,
                                                      uint32_t from, uint64_t e, Visit visit) {
    m->inspected += on;
    visit(on, from, on ? cflri_read_once(&rows->target[e]) : 0, gpu_edge_at(rows, on, e));
}

/* ---- sums over a warp, over a block ---- */

/* The sum of what lanes up to this one say. */
template <class Team, class T>
static __device__ __forceinline__ T gpu_warp_scan(const Team *m, T sum) {
    for (uint32_t apart = 1; apart < GPU_WARP; apart *= 2) {
        T other = __shfl_up_sync(~0u, sum, apart);
        if (m->lane() >= apart) sum += other;
    }
    return sum;
}

/* The sum of what threads before this one say; *all: of the whole block. */
template <class Team>
static __device__ __forceinline__ uint64_t gpu_block_scan(Team *m, uint64_t value, uint64_t *all) {
    uint64_t sum = gpu_warp_scan(m, value);
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

/* offset[i]: how many parts the items before i have, where item i has count(i) of them; the number
 * of all parts. All threads call it; two barriers. */
template <class Team, class Count>
static __device__ __forceinline__ uint64_t gpu_number_parts(Team *m, uint64_t n, Count count) {
    uint64_t share = (n + gridDim.x - 1) / gridDim.x;
    uint64_t begin = share * blockIdx.x, end = begin + share < n ? begin + share : n;
    uint64_t before = 0, all;
    for (uint64_t base = begin; base < end; base += GPU_THREADS) {
        uint64_t i = base + threadIdx.x;
        uint64_t at = gpu_block_scan(m, i < end ? count(i) : 0, &all);
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
    for (uint64_t i = begin + threadIdx.x; i < end; i += GPU_THREADS) m->state.offset[i] += mine;
    gpu_barrier();
    return all_blocks;
}

#endif
