/* SPDX-License-Identifier: Apache-2.0
 *
 * step.cu: rows that read one row of other matrices, through edges between columns (STEP, IMAGE).
 *
 * A warp takes a row that is due. It makes the image of what is new in the rows that it reads, in
 * shared memory, a chunk at a time: the first pass notes which other chunks get something, and as
 * neighbours have similar numbers, there are few. Then the chunk is added to the row.
 *
 * A leaf that is read has its bits listed first: so lanes have neighbouring bits, whose edges lie
 * together, and no lane waits for another one that has a full word.
 *
 * IMAGE makes passing rows, which are read in the same round: so this comes first in a round, and
 * writes them to the delta that the round reads.
 */
#include "gpu/closure/writer.cuh"

enum {
    STEP_THREADS = 128,
    STEP_WARPS = STEP_THREADS / GPU_LANES,
    TILES = 32, /* chunks that have a bit each; those behind share one */
};

/* What a warp has of shared memory. */
struct step_shared {
    uint32_t tiles;   /* chunks that have something */
    uint32_t touched; /* leaves of the chunk that have something */
    uint16_t bit[GPU_LEAF_IDS];
    uint32_t word[1]; /* the chunk, as many words as it has */
};

static size_t bytes_of_warp(uint32_t words) {
    return sizeof(step_shared) + words * sizeof(uint32_t);
}

/* ---- which rows are due ---- */

/* The row that a rule reads for row u, or GPU_NONE, and by which label. */
static __device__ __forceinline__ uint32_t row_read_by(const gpu_rule &rule, const gpu_matrix &m,
                                                       const gpu_matrix &right, uint32_t u,
                                                       uint32_t *label) {
    *label = 0;
    if (rule.kind == CFLRI_BITS_STEP) return gpu_row_of(right, m.vertex[u]);
    if (rule.edges.label) *label = rule.edges.label[u];
    return rule.edges.to[u];
}

/* A thread a row. */
static __global__ void find_due_steps(const __grid_constant__ gpu_closure p) {
    if (gpu_halted(p)) return;
    const uint32_t *changed = p.is_changed[gpu_read(p)];
    uint32_t threads = gridDim.x * blockDim.x, label;
    for (uint64_t i = p.first_row + blockIdx.x * blockDim.x + threadIdx.x; i < p.end_row;
         i += threads) {
        uint32_t row = (uint32_t)i;
        const gpu_matrix &m = p.matrix[p.matrix_of[row]];
        for (uint32_t k = m.step; k < m.step_end; k++) {
            const gpu_matrix &right = p.matrix[p.rule[k].right];
            uint32_t v = row_read_by(p.rule[k], m, right, row - m.first, &label);
            if (v == GPU_NONE || !gpu_has_bit(changed, right.first + v)) continue;
            p.due[2][atomicAdd(&p.count->n_due[2], 1)] = row;
            break;
        }
    }
}

/* ---- images ---- */

static __device__ __forceinline__ uint32_t tile_bit(uint32_t chunk) {
    return 1u << (chunk < TILES ? chunk : TILES - 1);
}

static __device__ __forceinline__ void mark(step_shared *s, uint32_t chunk, uint32_t column) {
    uint32_t tile = column / GPU_CHUNK_IDS, at = column % GPU_CHUNK_IDS / 32;
    if (tile != chunk) {
        if (!(s->tiles & tile_bit(tile))) atomicOr(&s->tiles, tile_bit(tile));
        return;
    }
    atomicOr(&s->word[at], 1u << column % 32);
    uint32_t leaf = 1u << at / GPU_LANES;
    if (!(s->touched & leaf)) atomicOr(&s->touched, leaf);
}

/* Marks what the bits of a leaf lead to in a chunk. */
static __device__ void image_leaf(step_shared *s, uint32_t chunk, const gpu_edges &edges,
                                  uint32_t label, uint32_t leaf, uint32_t word) {
    uint32_t all, at = gpu_sum_before(__popc(word), &all);
    __syncwarp();
    for (; word; word &= word - 1) s->bit[at++] = (uint16_t)(gpu_lane() * 32 + __ffs(word) - 1);
    __syncwarp();
    for (uint32_t i = gpu_lane(); i < all; i += GPU_LANES) {
        gpu_range to = gpu_edges_with(edges, leaf * GPU_LEAF_IDS + s->bit[i], label);
        for (uint64_t e = to.at; e < to.end; e++) mark(s, chunk, edges.to[e]);
    }
}

/* The same of all leaves of a row. A word is read while the one before is looked at. */
static __device__ void image_row(const gpu_closure &p, step_shared *s, uint32_t chunk,
                                 const gpu_edges &edges, uint32_t label, const gpu_matrix &m,
                                 uint32_t u) {
    const uint32_t *root = p.delta[gpu_read(p)] + gpu_roots_of(m, u);
    for (uint32_t c = 0; c < m.chunks; c++) {
        uint32_t node = root[c];
        if (!node) continue;
        uint32_t leaf = gpu_node(p, node)[gpu_lane()];
        uint32_t there = __ballot_sync(GPU_ALL_LANES, leaf), word = 0;
        if (there)
            word = gpu_node(p, __shfl_sync(GPU_ALL_LANES, leaf, __ffs(there) - 1))[gpu_lane()];
        while (there) {
            uint32_t i = __ffs(there) - 1, next = 0;
            there &= there - 1;
            if (there)
                next = gpu_node(p, __shfl_sync(GPU_ALL_LANES, leaf, __ffs(there) - 1))[gpu_lane()];
            image_leaf(s, chunk, edges, label, c * GPU_LANES + i, word);
            word = next;
        }
    }
}

/* ---- rows ---- */

/* The first chunk of the rows that row u reads, where the image is likely to have something. */
static __device__ uint32_t first_chunk(const gpu_closure &p, const gpu_matrix &m, uint32_t u) {
    uint32_t read = gpu_read(p), label;
    for (uint32_t k = m.step; k < m.step_end; k++) {
        const gpu_matrix &right = p.matrix[p.rule[k].right];
        uint32_t v = row_read_by(p.rule[k], m, right, u, &label);
        if (v == GPU_NONE || !gpu_has_bit(p.is_changed[read], right.first + v)) continue;
        const uint32_t *root = p.delta[read] + gpu_roots_of(right, v);
        for (uint32_t c = 0; c < right.chunks && c < m.chunks; c++)
            if (root[c]) return c;
    }
    return 0;
}

/* Adds the image that lies in a chunk of the row. */
static __device__ void step_chunk(const gpu_closure &p, step_shared *s, const gpu_matrix &m,
                                  uint32_t u, uint32_t chunk) {
    uint32_t read = gpu_read(p), lane = gpu_lane(), label;
    for (uint32_t k = m.step; k < m.step_end; k++) {
        const gpu_matrix &right = p.matrix[p.rule[k].right];
        uint32_t v = row_read_by(p.rule[k], m, right, u, &label);
        if (v == GPU_NONE || !gpu_has_bit(p.is_changed[read], right.first + v)) continue;
        image_row(p, s, chunk, p.rule[k].image, label, right, v);
    }
    __syncwarp();
    uint32_t leaves = s->touched;
    __syncwarp();
    if (!leaves) return;
    if (lane == 0) s->touched = 0;
    gpu_writer w = gpu_begin_chunk(p, m, u, chunk);
    while (leaves) {
        uint32_t some = 0, word[GPU_WRITES];
#pragma unroll
        for (uint32_t k = 0; k < GPU_WRITES; k++) {
            uint32_t i = leaves ? __ffs(leaves) - 1 : 0, at = i * GPU_LANES + lane;
            word[k] = leaves ? s->word[at] : 0;
            if (leaves) s->word[at] = 0;
            some |= leaves & (0 - leaves);
            leaves &= leaves - 1;
        }
        gpu_put_leaves(p, &w, some, word);
    }
    gpu_end_chunk(p, w);
    __syncwarp();
}

static __device__ void step_row(const gpu_closure &p, step_shared *s, const gpu_matrix &m,
                                uint32_t u) {
    uint32_t first = first_chunk(p, m, u);
    step_chunk(p, s, m, u, first);
    uint32_t tiles = s->tiles;
    __syncwarp();
    if (!tiles) return;
    for (uint32_t c = 0; c < m.chunks; c++)
        if (c != first && tiles & tile_bit(c)) step_chunk(p, s, m, u, c);
    if (gpu_lane() == 0) s->tiles = 0;
    __syncwarp();
}

static __global__ void __launch_bounds__(STEP_THREADS)
    step_rows(const __grid_constant__ gpu_closure p, uint32_t words) {
    extern __shared__ uint32_t memory[];
    uint32_t lane = gpu_lane(), n = p.count->n_due[2], i = 0;
    uint32_t size = (uint32_t)(sizeof(step_shared) / sizeof(uint32_t)) + words;
    step_shared *s =
        reinterpret_cast<step_shared *>(memory + threadIdx.x / GPU_LANES * (size_t)size);
    if (gpu_warp_halted(p)) return;
    for (uint32_t at = lane; at < words; at += GPU_LANES) s->word[at] = 0;
    if (lane == 0) s->tiles = s->touched = 0;
    __syncwarp();
    for (;;) {
        if (lane == 0) i = gpu_stops(p) ? n : atomicAdd(&p.count->next, 1);
        i = __shfl_sync(GPU_ALL_LANES, i, 0);
        if (i >= n) return;
        uint32_t row = p.due[2][i];
        const gpu_matrix &m = p.matrix[p.matrix_of[row]];
        step_row(p, s, m, row - m.first);
    }
}

void gpu_launch_steps(const gpu_closure &p, const gpu_shape &shape, cudaStream_t stream) {
    enum { DUE_BLOCKS = 8, DUE_THREADS = 256 };
    if (!shape.steps) return;
    size_t bytes = STEP_WARPS * bytes_of_warp(shape.image_words);
    int blocks = 0;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, step_rows, STEP_THREADS, bytes);
    find_due_steps<<<(uint32_t)shape.processors * DUE_BLOCKS, DUE_THREADS, 0, stream>>>(p);
    gpu_launch_next(p, stream);
    step_rows<<<(uint32_t)(blocks * shape.processors), STEP_THREADS, bytes, stream>>>(
        p, shape.image_words);
}
