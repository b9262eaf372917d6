/* SPDX-License-Identifier: Apache-2.0
 *
 * step.cu: rows that read one row of other matrices, through edges between columns (STEP, IMAGE).
 *
 * A warp takes a row that is due, and makes the image of what is new in the rows that it reads. The
 * image of a chunk lies for the most part in the chunk of the same number, since neighbours have
 * similar numbers. So the warp goes through the chunks, and has one of the image at a time in
 * shared memory, its tile; what lies elsewhere is listed, and comes in the end. When that is more
 * than the list holds, the whole image is made once more for each tile that gets something.
 *
 *     leaves of a chunk -> bits, listed -> edges -> tile -> row
 *                                            \--> elsewhere, listed -> tiles -> row
 *
 * Leaves that have changed have few bits. So the bits of many are listed first, and each lane
 * follows the edges of one: neighbouring lanes have neighbouring bits, whose edges lie together.
 *
 * IMAGE makes passing rows, which are read in the same round: so this comes first in a round, and
 * writes them to the delta that the round reads.
 */
#include "gpu/closure/writer.cuh"

#ifndef GPU_ELSEWHERE /* columns elsewhere that are listed, at most; a test lists few */
#define GPU_ELSEWHERE 256
#endif

enum {
    STEP_THREADS = 128,
    STEP_WARPS = STEP_THREADS / GPU_LANES,
    BITS = GPU_LEAF_IDS, /* that are listed, at most: those of a full leaf */
    TILES = 32,          /* tiles that have a bit each; those behind share one */
};

/* What a warp has of shared memory. */
struct step_shared {
    uint32_t n_bits;
    uint32_t n_elsewhere; /* more than GPU_ELSEWHERE: only so many are listed */
    uint32_t tiles;       /* those of columns elsewhere */
    uint32_t touched;     /* leaves of the tile that have something */
    uint16_t bit[BITS];   /* columns of the chunk that is read */
    uint32_t elsewhere[GPU_ELSEWHERE];
    uint32_t word[1]; /* the tile, as many words as it has */
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

static __device__ __forceinline__ uint32_t tile_bit(uint32_t tile) {
    return 1u << (tile < TILES ? tile : TILES - 1);
}

static __device__ __forceinline__ void mark(step_shared *s, uint32_t column) {
    uint32_t at = column % GPU_CHUNK_IDS / 32, leaf = 1u << at / GPU_LANES;
    atomicOr(&s->word[at], 1u << column % 32);
    if (!(s->touched & leaf)) atomicOr(&s->touched, leaf);
}

static __device__ __forceinline__ void list_elsewhere(step_shared *s, uint32_t column) {
    uint32_t i = atomicAdd(&s->n_elsewhere, 1), bit = tile_bit(column / GPU_CHUNK_IDS);
    if (i < GPU_ELSEWHERE) s->elsewhere[i] = column;
    if (!(s->tiles & bit)) atomicOr(&s->tiles, bit);
}

/* How a warp follows bits: the edges, and the tile that it marks. */
struct step_image {
    const gpu_edges *edges;
    uint32_t label;
    uint32_t first; /* column of the chunk that is read */
    uint32_t tile;
    bool lists; /* what lies elsewhere is listed, or left out */
};

/* Marks what the bits lead to that are listed, and lists none. */
static __device__ void follow_bits(step_shared *s, const step_image &to) {
    __syncwarp();
    uint32_t n = s->n_bits;
    for (uint32_t i = gpu_lane(); i < n; i += GPU_LANES) {
        gpu_range edges = gpu_edges_with(*to.edges, to.first + s->bit[i], to.label);
        for (uint64_t e = edges.at; e < edges.end; e++) {
            uint32_t column = to.edges->to[e];
            if (column / GPU_CHUNK_IDS == to.tile)
                mark(s, column);
            else if (to.lists)
                list_elsewhere(s, column);
        }
    }
    __syncwarp();
    if (gpu_lane() == 0) s->n_bits = 0;
    __syncwarp();
}

/* Lists the bits of leaf i of the chunk. */
static __device__ __forceinline__ void list_bits(step_shared *s, const step_image &to, uint32_t i,
                                                 uint32_t word) {
    uint32_t before = s->n_bits, n = __popc(word), all = __reduce_add_sync(GPU_ALL_LANES, n);
    uint32_t first = (i * GPU_LANES + gpu_lane()) * 32;
    if (before + all > BITS) follow_bits(s, to);
    uint32_t at = n ? atomicAdd(&s->n_bits, n) : 0;
    for (; word; word &= word - 1) s->bit[at++] = (uint16_t)(first + __ffs(word) - 1);
    __syncwarp();
}

/* The lane's word of the next leaf of a chunk, whose leaves the lanes have; 0: none is left. */
static __device__ __forceinline__ uint32_t next_word(const gpu_closure &p, uint32_t leaf,
                                                     uint32_t there) {
    uint32_t from = __shfl_sync(GPU_ALL_LANES, leaf, there ? __ffs(there) - 1 : 0);
    return there ? gpu_node(p, from)[gpu_lane()] : 0;
}

/* Marks the image of a chunk. A leaf is read while the one before is listed. */
static __device__ void image_chunk(const gpu_closure &p, step_shared *s, const step_image &to,
                                   uint32_t chunk) {
    uint32_t leaf = gpu_node(p, chunk)[gpu_lane()];
    uint32_t there = __ballot_sync(GPU_ALL_LANES, leaf), word = next_word(p, leaf, there);
    while (there) {
        uint32_t i = __ffs(there) - 1, next = next_word(p, leaf, there & (there - 1));
        list_bits(s, to, i, word);
        there &= there - 1;
        word = next;
    }
    follow_bits(s, to);
}

/* ---- rows ---- */

/* Adds the tile to the row, and empties it. */
static __device__ void put_tile(const gpu_closure &p, step_shared *s, gpu_hand *h,
                                const gpu_matrix &m, uint32_t u, uint32_t tile) {
    uint32_t lane = gpu_lane(), leaves = s->touched;
    __syncwarp();
    if (!leaves) return;
    if (lane == 0) s->touched = 0;
    gpu_writer w = gpu_begin_chunk(p, m, u, tile);
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
        gpu_put_leaves(p, h, &w, some, word);
    }
    gpu_end_chunk(p, w);
    __syncwarp();
}

/* Rows that a row reads by 32 rules, or fewer: each lane has the row of its rule. */
struct step_sources {
    uint32_t first;  /* the rule of lane 0 */
    uint32_t label;  /* of the lane */
    uint32_t chunks; /* of the row that the lane's rule reads; 0: nothing is new in it */
    uint32_t most;   /* of all lanes */
    const uint32_t *root;
};

static __device__ step_sources find_sources(const gpu_closure &p, const gpu_matrix &m, uint32_t u,
                                            uint32_t first) {
    uint32_t read = gpu_read(p), k = first + gpu_lane();
    step_sources from = {first, 0, 0, 0, nullptr};
    if (k < m.step_end) {
        const gpu_matrix &right = p.matrix[p.rule[k].right];
        uint32_t v = row_read_by(p.rule[k], m, right, u, &from.label);
        if (v != GPU_NONE && gpu_has_bit(p.is_changed[read], right.first + v)) {
            from.chunks = right.chunks;
            from.root = p.delta[read] + gpu_roots_of(right, v);
        }
    }
    from.most = __reduce_max_sync(GPU_ALL_LANES, from.chunks);
    return from;
}

/* Marks the image of chunk c of all sources, in a tile. */
static __device__ void image_sources(const gpu_closure &p, step_shared *s, const step_sources &from,
                                     uint32_t c, uint32_t tile, bool lists) {
    uint32_t chunk = c < from.chunks ? from.root[c] : 0;
    for (uint32_t there = __ballot_sync(GPU_ALL_LANES, chunk); there; there &= there - 1) {
        uint32_t k = __ffs(there) - 1;
        uint32_t label = __shfl_sync(GPU_ALL_LANES, from.label, k);
        step_image to = {&p.rule[from.first + k].image, label, c * GPU_CHUNK_IDS, tile, lists};
        image_chunk(p, s, to, __shfl_sync(GPU_ALL_LANES, chunk, k));
    }
}

/* Adds what lies elsewhere, tile by tile. */
static __device__ void put_elsewhere(const gpu_closure &p, step_shared *s, gpu_hand *h,
                                     const gpu_matrix &m, uint32_t u, const step_sources &from) {
    uint32_t n = s->n_elsewhere, tiles = s->tiles;
    __syncwarp();
    if (!n) return;
    for (uint32_t tile = 0; tile < m.chunks; tile++) {
        if (!(tiles & tile_bit(tile))) continue;
        for (uint32_t i = gpu_lane(); n <= GPU_ELSEWHERE && i < n; i += GPU_LANES)
            if (s->elsewhere[i] / GPU_CHUNK_IDS == tile) mark(s, s->elsewhere[i]);
        for (uint32_t c = 0; n > GPU_ELSEWHERE && c < from.most; c++)
            image_sources(p, s, from, c, tile, false);
        __syncwarp();
        put_tile(p, s, h, m, u, tile);
    }
    if (gpu_lane() == 0) s->n_elsewhere = s->tiles = 0;
    __syncwarp();
}

static __device__ void step_row(const gpu_closure &p, step_shared *s, gpu_hand *h,
                                const gpu_matrix &m, uint32_t u) {
    for (uint32_t first = m.step; first < m.step_end; first += GPU_LANES) {
        step_sources from = find_sources(p, m, u, first);
        for (uint32_t c = 0; c < from.most; c++) {
            uint32_t tile = min(c, m.chunks - 1);
            image_sources(p, s, from, c, tile, true);
            if (tile == c) put_tile(p, s, h, m, u, tile);
        }
        put_tile(p, s, h, m, u, m.chunks - 1);
        put_elsewhere(p, s, h, m, u, from);
    }
}

static __global__ void __launch_bounds__(STEP_THREADS)
    step_rows(const __grid_constant__ gpu_closure p, uint32_t words) {
    extern __shared__ uint32_t memory[];
    uint32_t lane = gpu_lane(), n = p.count->n_due[2], i = 0;
    uint32_t size = (uint32_t)(sizeof(step_shared) / sizeof(uint32_t)) + words;
    step_shared *s =
        reinterpret_cast<step_shared *>(memory + threadIdx.x / GPU_LANES * (size_t)size);
    gpu_hand hand = {};
    if (gpu_warp_halted(p)) return;
    for (uint32_t at = lane; at < words; at += GPU_LANES) s->word[at] = 0;
    if (lane == 0) s->n_bits = s->n_elsewhere = s->tiles = s->touched = 0;
    __syncwarp();
    for (;;) {
        if (lane == 0) i = gpu_stops(p) ? n : atomicAdd(&p.count->next, 1);
        i = __shfl_sync(GPU_ALL_LANES, i, 0);
        if (i >= n) break;
        uint32_t row = p.due[2][i];
        const gpu_matrix &m = p.matrix[p.matrix_of[row]];
        step_row(p, s, &hand, m, row - m.first);
    }
    gpu_empty_hand(p, hand);
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
