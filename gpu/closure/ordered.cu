/* SPDX-License-Identifier: Apache-2.0
 *
 * ordered.cu: stages whose rows are only united with one another, by panels of columns.
 *
 * A row of such a stage is the union of what it had and of the rows that it reads, and the host
 * knows an order in which each is evaluated once (engine/closure/bits/order.h). Columns do not
 * depend on each other: a block has a panel of 1,024 columns, and goes through all nodes for these
 * alone, level by level, a warp a node. It needs no other block, and between levels it waits for
 * its own threads only. A road network has 1,600 levels, of some dozen nodes each.
 *
 *              panel 0   panel 1   panel 2 ...
 *     node 0   | 32 words | ...                   level 0: reads no node
 *     node 1   | 32 words | ...                   level 1: reads nodes of level 0
 *     ...
 *
 * A node that reads thousands of others is evaluated by the whole block: one component of a
 * peer-to-peer network has 14,149 rows, and reads what all of these read.
 *
 * Panels are plain arrays, so a word is found without a tree. What they have goes back to the trees
 * in the end.
 */
#include "gpu/closure/ordered.cuh"

#ifndef GPU_LONG_NODE /* a node that reads more is for all warps of a block; a test has some */
#define GPU_LONG_NODE 512
#endif

enum {
    FILL_THREADS = 256,
    FILL_BLOCKS = 16,
    PANEL_THREADS = 512,
    PANEL_WARPS = PANEL_THREADS / GPU_LANES,
    AT_ONCE = 4,     /* nodes whose words a warp reads at once */
    LONG_NODES = 32, /* long ones of a level, at most; those behind are for one warp each */
};

static __device__ __forceinline__ uint32_t *word_of(const gpu_panels &o, uint32_t panel,
                                                    uint32_t node) {
    return o.word + ((uint64_t)panel * o.n + node) * GPU_LANES + gpu_lane();
}

static __device__ __forceinline__ uint64_t first_item() {
    return ((uint64_t)blockIdx.x * blockDim.x + threadIdx.x) / GPU_LANES;
}

static __device__ __forceinline__ uint32_t warps_of_all() {
    return gridDim.x * blockDim.x / GPU_LANES;
}

/* Which leaves of a chunk lie in the panels; a bit each. */
static __device__ __forceinline__ uint32_t leaves_within(const gpu_panels &o, uint32_t chunk) {
    uint32_t leaf = chunk * GPU_LANES + gpu_lane();
    bool within = leaf >= o.first_panel && leaf < o.first_panel + o.n_panels;
    return __ballot_sync(GPU_ALL_LANES, within);
}

/* The node of row i of all nodes. */
static __device__ __forceinline__ uint32_t node_of(const gpu_panels &o, uint32_t i) {
    uint32_t low = 0, high = o.n;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (o.first[middle] <= i)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Adds a row to its node. By a warp: a node has one row, or ten thousand. */
static __device__ void fill_from(const gpu_closure &p, const gpu_panels &o, uint32_t i) {
    uint32_t row = o.row[i], node = node_of(o, i);
    const gpu_matrix &m = p.matrix[p.matrix_of[row]];
    uint64_t roots = gpu_roots_of(m, row - m.first);
    for (uint32_t c = 0; c < m.chunks; c++) {
        uint32_t chunk = p.full[roots + c];
        uint32_t leaf = chunk ? gpu_node(p, chunk)[gpu_lane()] : 0;
        uint32_t there = __ballot_sync(GPU_ALL_LANES, leaf) & leaves_within(o, c);
        for (; there; there &= there - 1) {
            uint32_t l = __ffs(there) - 1, at = __shfl_sync(GPU_ALL_LANES, leaf, l);
            uint32_t panel = c * GPU_LANES + l - o.first_panel, word = gpu_node(p, at)[gpu_lane()];
            if (word) atomicOr(word_of(o, panel, node), word);
        }
    }
}

static __global__ void fill_panels(const __grid_constant__ gpu_closure p, const gpu_panels o) {
    for (uint64_t i = first_item(); i < o.n_rows; i += warps_of_all()) fill_from(p, o, (uint32_t)i);
}

/* The union of nodes, in a panel: of those from `at` to `end` in the list of what nodes read. */
static __device__ uint32_t unite_nodes(const gpu_panels &o, uint32_t panel, uint64_t at,
                                       uint64_t end) {
    uint32_t lane = gpu_lane(), word = 0;
    for (; at < end; at += GPU_LANES) {
        uint32_t n = (uint32_t)min((uint64_t)GPU_LANES, end - at);
        uint32_t mine = o.to[at + min(lane, n - 1)]; /* lanes behind have the last once more */
        for (uint32_t i = 0; i < n; i += AT_ONCE) {
            uint32_t read[AT_ONCE];
#pragma unroll
            for (uint32_t k = 0; k < AT_ONCE; k++) {
                uint32_t from = __shfl_sync(GPU_ALL_LANES, mine, (i + k) % GPU_LANES);
                read[k] = i + k < n ? *word_of(o, panel, from) : 0;
            }
#pragma unroll
            for (uint32_t k = 0; k < AT_ONCE; k++) word |= read[k];
        }
    }
    return word;
}

/* Memory that a block shares: long nodes of a level, which all its warps evaluate together. */
struct panel_shared {
    uint32_t n_long, node[LONG_NODES];
    uint32_t word[GPU_LANES];
};

/* Evaluates the node, or lists it for the block, and returns true. By a warp. */
static __device__ bool close_node(const gpu_panels &o, panel_shared *s, uint32_t panel,
                                  uint32_t node) {
    uint64_t at = o.start[node], end = o.start[node + 1];
    uint32_t i = LONG_NODES;
    if (end - at > GPU_LONG_NODE) {
        if (gpu_lane() == 0) i = atomicAdd(&s->n_long, 1);
        i = __shfl_sync(GPU_ALL_LANES, i, 0);
        if (i < LONG_NODES && gpu_lane() == 0) s->node[i] = node;
    }
    if (i < LONG_NODES) return true;
    uint32_t word = unite_nodes(o, panel, at, end);
    if (word) *word_of(o, panel, node) |= word;
    return false;
}

/* Each warp has a part of what the node reads. By the block. */
static __device__ void close_long_node(const gpu_panels &o, panel_shared *s, uint32_t panel,
                                       uint32_t node) {
    uint32_t warp = threadIdx.x / GPU_LANES;
    uint64_t first = o.start[node], n = o.start[node + 1] - first;
    uint32_t word =
        unite_nodes(o, panel, first + n * warp / PANEL_WARPS, first + n * (warp + 1) / PANEL_WARPS);
    if (word) atomicOr(&s->word[gpu_lane()], word);
    __syncthreads();
    if (warp == 0) {
        *word_of(o, panel, node) |= s->word[gpu_lane()];
        s->word[gpu_lane()] = 0;
    }
    __syncthreads();
}

static __global__ void __launch_bounds__(PANEL_THREADS) close_panels(const gpu_panels o) {
    __shared__ panel_shared shared;
    uint32_t panel = blockIdx.x, warp = threadIdx.x / GPU_LANES;
    if (threadIdx.x == 0) shared.n_long = 0;
    if (threadIdx.x < GPU_LANES) shared.word[threadIdx.x] = 0;
    __syncthreads();
    for (uint32_t l = 1; l < o.n_levels; l++) {
        uint32_t end = o.level[l + 1];
        bool listed = false;
        for (uint32_t k = o.level[l] + warp; k < end; k += PANEL_WARPS)
            listed |= close_node(o, &shared, panel, k);
        if (!__syncthreads_or(listed)) continue;
        uint32_t n = min(shared.n_long, (uint32_t)LONG_NODES);
        for (uint32_t i = 0; i < n; i++) close_long_node(o, &shared, panel, shared.node[i]);
        if (threadIdx.x == 0) shared.n_long = 0;
        __syncthreads();
    }
}

void gpu_launch_panels(const gpu_closure &p, const gpu_panels &o, const gpu_shape &shape,
                       cudaStream_t stream) {
    cudaMemsetAsync(o.word, 0, o.n_panels * gpu_panel_bytes(o.n), stream);
    fill_panels<<<(uint32_t)shape.processors * FILL_BLOCKS, FILL_THREADS, 0, stream>>>(p, o);
    close_panels<<<o.n_panels, PANEL_THREADS, 0, stream>>>(o);
}

/* ---- back to rows ---- */

/* Adds a chunk of a node to a row. By a warp: lane i has leaf i. */
static __device__ void put_chunk(const gpu_closure &p, gpu_hand *h, const gpu_panels &o,
                                 uint32_t node, uint64_t place, uint32_t c) {
    uint32_t lane = gpu_lane(), chunk = p.full[place], news = 0;
    uint32_t leaf = chunk ? gpu_node(p, chunk)[lane] : 0;
    for (uint32_t within = leaves_within(o, c); within; within &= within - 1) {
        uint32_t l = __ffs(within) - 1, at = __shfl_sync(GPU_ALL_LANES, leaf, l);
        uint32_t word = *word_of(o, c * GPU_LANES + l - o.first_panel, node);
        if (at && word) gpu_node(p, at)[lane] |= word;
        if (!at && __any_sync(GPU_ALL_LANES, word)) news |= 1u << l;
    }
    if (!news) return;
    if (!chunk) chunk = gpu_take_from_hand(p, h);
    if (!chunk) return;
    gpu_fill_hand(p, h, __popc(news));
    uint32_t made = gpu_hand_node(*h, gpu_lanes_before(news));
    h->n -= __popc(news);
    if (news >> lane & 1) leaf = made;
    for (; news; news &= news - 1) {
        uint32_t l = __ffs(news) - 1, at = __shfl_sync(GPU_ALL_LANES, leaf, l);
        uint32_t word = *word_of(o, c * GPU_LANES + l - o.first_panel, node);
        if (at) gpu_node(p, at)[lane] = word;
    }
    gpu_node(p, chunk)[lane] = leaf;
    if (lane == 0) p.full[place] = chunk;
}

/* A warp a row. */
static __global__ void panels_to_rows(const __grid_constant__ gpu_closure p, const gpu_panels o) {
    gpu_hand hand = {};
    if (gpu_warp_halted(p)) return;
    for (uint64_t i = first_item(); i < o.n_rows; i += warps_of_all()) {
        uint32_t row = o.row[i], node = node_of(o, (uint32_t)i);
        const gpu_matrix &m = p.matrix[p.matrix_of[row]];
        uint64_t roots = gpu_roots_of(m, row - m.first);
        for (uint32_t c = o.first_panel / GPU_LANES;
             c < m.chunks && c * GPU_LANES < o.first_panel + o.n_panels; c++)
            put_chunk(p, &hand, o, node, roots + c, c);
    }
    gpu_empty_hand(p, hand);
}

void gpu_launch_panels_to_rows(const gpu_closure &p, const gpu_panels &o, const gpu_shape &shape,
                               cudaStream_t stream) {
    panels_to_rows<<<(uint32_t)shape.processors * FILL_BLOCKS, FILL_THREADS, 0, stream>>>(p, o);
}
