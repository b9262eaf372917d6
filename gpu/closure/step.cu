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
 *     leaves of a chunk -> words -> bits, listed -> edges -> tile -> row
 *                                                   \--> elsewhere, listed -> tiles -> row
 *
 * Leaves that have changed have few bits, in few words. Lanes that follow what they find by
 * themselves would wait for the one that finds most: of 32 lanes, four work then. So words with
 * bits are listed, then bits, and each lane follows one bit, an edge at a time.
 *
 * IMAGE makes passing rows, which are read in the same round: so this comes first in a round, and
 * writes them to the delta that the round reads.
 */
#include "gpu/closure/writer.cuh"

#ifndef GPU_ELSEWHERE /* columns elsewhere that are listed, at most; a test lists few */
#define GPU_ELSEWHERE 128
#endif

enum {
    STEP_THREADS = 128,
    STEP_WARPS = STEP_THREADS / GPU_LANES,
    BITS = GPU_LEAF_IDS, /* that are listed, at most: those of 32 words */
    TILES = 32,          /* tiles that have a bit each; those behind share one */
    READS = 8,           /* leaves that are read at once */
    ALONE = 32,          /* edges of a bit that a lane follows, at most */
};

/* What a warp has of shared memory. */
struct step_shared {
    uint32_t n_elsewhere;           /* more than GPU_ELSEWHERE: only so many are listed */
    uint32_t tiles;                 /* those of columns elsewhere */
    uint16_t word[GPU_CHUNK_WORDS]; /* of the chunk that is read, those with bits */
    uint16_t bit[BITS];             /* columns of the chunk that is read */
    uint32_t elsewhere[GPU_ELSEWHERE];
    uint32_t tile[1]; /* as many words as it has */
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

/* Returns the leaf of the tile that has it, as a bit. */
static __device__ __forceinline__ uint32_t mark(step_shared *s, uint32_t column) {
    uint32_t at = column % GPU_CHUNK_IDS / 32;
    atomicOr(&s->tile[at], 1u << column % 32);
    return 1u << at / GPU_LANES;
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

/* Marks a column, or lists it. Returns leaves as `mark`. */
static __device__ __forceinline__ uint32_t mark_or_list(step_shared *s, const step_image &to,
                                                        uint32_t column) {
    if (column / GPU_CHUNK_IDS == to.tile) return mark(s, column);
    if (to.lists) list_elsewhere(s, column);
    return 0;
}

/* Marks what n bits lead to that are listed. Lanes go from edge to edge together, and share those
 * of a bit with many. Returns leaves that the lane has marked. */
static __device__ __forceinline__ uint32_t follow_bits(step_shared *s, const step_image &to,
                                                       uint32_t n) {
    uint32_t leaves = 0;
    __syncwarp();
    for (uint32_t i = gpu_lane(); __any_sync(GPU_ALL_LANES, i < n); i += GPU_LANES) {
        gpu_edge_range edges = {0, 0};
        if (i < n) edges = gpu_edges_with(*to.edges, to.first + s->bit[i], to.label);
        const uint32_t *next = to.edges->to + edges.at;
        uint32_t left = (uint32_t)(edges.end - edges.at);
        uint32_t shared = __ballot_sync(GPU_ALL_LANES, left > ALONE);
        for (; shared; shared &= shared - 1) {
            uint32_t l = __ffs(shared) - 1, all = __shfl_sync(GPU_ALL_LANES, left, l);
            uint64_t first = __shfl_sync(GPU_ALL_LANES, edges.at, l);
            for (uint32_t e = gpu_lane(); e < all; e += GPU_LANES)
                leaves |= mark_or_list(s, to, to.edges->to[first + e]);
            if (gpu_lane() == l) left = 0;
        }
        uint32_t column = left ? *next : 0;
        for (; __any_sync(GPU_ALL_LANES, left); left -= left > 0) {
            uint32_t marked = column;
            column = left > 1 ? *++next : 0; /* is read while the one before is marked */
            if (left) leaves |= mark_or_list(s, to, marked);
        }
    }
    __syncwarp();
    return leaves;
}

/* Which words of the lane's leaf have bits, a bit each. The warp reads several leaves at once. */
static __device__ __forceinline__ uint32_t find_words(const gpu_closure &p, uint32_t leaf) {
    uint32_t words = 0, there = __ballot_sync(GPU_ALL_LANES, leaf);
    while (there) {
        uint32_t left = there, read[READS];
#pragma unroll
        for (uint32_t k = 0; k < READS; k++, left &= left - 1) {
            uint32_t from = __shfl_sync(GPU_ALL_LANES, leaf, left ? __ffs(left) - 1 : 0);
            read[k] = left ? gpu_node(p, from)[gpu_lane()] : 0;
        }
#pragma unroll
        for (uint32_t k = 0; k < READS; k++, there &= there - 1) {
            uint32_t some = __ballot_sync(GPU_ALL_LANES, read[k]);
            if (there && gpu_lane() == __ffs(there) - 1u) words = some;
        }
    }
    return words;
}

/* Lists the bits of the lane's word, which are first, first + 1 and so on, behind `at`. */
static __device__ __forceinline__ void list_bits(uint16_t *list, uint32_t at, uint32_t first,
                                                 uint32_t word) {
    for (; __any_sync(GPU_ALL_LANES, word); word &= word - 1)
        if (word) list[at++] = (uint16_t)(first + __ffs(word) - 1);
}

/* Marks the image of a chunk. Returns leaves that the lane has marked. */
static __device__ __forceinline__ uint32_t image_chunk(const gpu_closure &p, step_shared *s,
                                                       const step_image &to, uint32_t chunk) {
    uint32_t lane = gpu_lane(), leaf = gpu_node(p, chunk)[lane], words = find_words(p, leaf);
    uint32_t n, before = gpu_sum_before(__popc(words), &n), n_bits = 0, marked = 0;
    list_bits(s->word, before, lane * GPU_LANES, words);
    __syncwarp();
    for (uint32_t first = 0; first < n; first += GPU_LANES) {
        bool has = first + lane < n;
        uint32_t at = has ? s->word[first + lane] : 0, more;
        uint32_t from = __shfl_sync(GPU_ALL_LANES, leaf, at / GPU_LANES);
        uint32_t word = has ? gpu_node(p, from)[at % GPU_LANES] : 0;
        before = gpu_sum_before(__popc(word), &more);
        if (n_bits + more > BITS) {
            marked |= follow_bits(s, to, n_bits);
            n_bits = 0;
        }
        list_bits(s->bit, n_bits + before, at * 32, word);
        n_bits += more;
    }
    return marked | follow_bits(s, to, n_bits);
}

/* ---- rows ---- */

/* Takes a word of the tile. */
static __device__ __forceinline__ uint32_t take_word(step_shared *s, uint32_t leaf) {
    uint32_t *at = &s->tile[leaf * GPU_LANES + gpu_lane()], word = *at;
    *at = 0;
    return word;
}

/* Adds leaves of the tile to a row that has nothing there, and is not masked. */
static __device__ __forceinline__ void put_first(const gpu_closure &p, step_shared *s, gpu_hand *h,
                                                 const gpu_matrix &m, uint32_t u, uint64_t place,
                                                 uint32_t leaves) {
    uint32_t root = gpu_take_from_hand(p, h), n = __popc(leaves), lane = gpu_lane();
    gpu_fill_hand(p, h, n);
    uint32_t made = gpu_hand_node(*h, gpu_lanes_before(leaves));
    uint32_t leaf = leaves >> lane & 1 ? made : 0, delta = gpu_write(p, m);
    h->n -= n;
    for (; leaves; leaves &= leaves - 1) {
        uint32_t i = __ffs(leaves) - 1, to = __shfl_sync(GPU_ALL_LANES, leaf, i);
        uint32_t word = take_word(s, i);
        if (to) gpu_node(p, to)[lane] = word;
    }
    if (!root) return;
    gpu_node(p, root)[lane] = leaf;
    if (lane) return;
    p.delta[delta][place] = root;
    gpu_note(p, m, u, delta);
}

/* Adds leaves of the tile to any row. Returns what is at hand then. Not inlined: kernels whose code
 * is longer than the cache of instructions wait for it. */
static __device__ __noinline__ gpu_hand put_more(const gpu_closure &p, step_shared *s, gpu_hand h,
                                                 const gpu_matrix &m, uint32_t u, uint32_t tile,
                                                 uint32_t leaves) {
    gpu_writer w = gpu_begin_chunk(p, m, u, tile);
    while (leaves) {
        uint32_t some = 0, word[GPU_WRITES];
#pragma unroll
        for (uint32_t k = 0; k < GPU_WRITES; k++) {
            word[k] = leaves ? take_word(s, __ffs(leaves) - 1) : 0;
            some |= leaves & (0 - leaves);
            leaves &= leaves - 1;
        }
        gpu_put_leaves(p, &h, &w, some, word);
    }
    gpu_end_chunk(p, w);
    return h;
}

/* Adds leaves of the tile to the row, and empties them. */
static __device__ __forceinline__ void put_tile(const gpu_closure &p, step_shared *s, gpu_hand *h,
                                                const gpu_matrix &m, uint32_t u, uint32_t tile,
                                                uint32_t leaves) {
    uint64_t place = gpu_roots_of(m, u) + tile;
    __syncwarp();
    if (!leaves) return;
    if (m.passing && !m.mask_of && !p.delta[gpu_write(p, m)][place])
        put_first(p, s, h, m, u, place, leaves);
    else
        *h = put_more(p, s, *h, m, u, tile, leaves);
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
static __device__ __forceinline__ uint32_t image_sources(const gpu_closure &p, step_shared *s,
                                                         const step_sources &from, uint32_t c,
                                                         uint32_t tile, bool lists) {
    uint32_t chunk = c < from.chunks ? from.root[c] : 0, marked = 0;
    for (uint32_t there = __ballot_sync(GPU_ALL_LANES, chunk); there; there &= there - 1) {
        uint32_t k = __ffs(there) - 1;
        uint32_t label = __shfl_sync(GPU_ALL_LANES, from.label, k);
        step_image to = {&p.rule[from.first + k].image, label, c * GPU_CHUNK_IDS, tile, lists};
        marked |= image_chunk(p, s, to, __shfl_sync(GPU_ALL_LANES, chunk, k));
    }
    return marked;
}

/* Marks the columns of a tile among those that are listed. */
static __device__ __forceinline__ uint32_t mark_listed(step_shared *s, uint32_t tile) {
    uint32_t marked = 0;
    for (uint32_t i = gpu_lane(); i < s->n_elsewhere; i += GPU_LANES)
        if (s->elsewhere[i] / GPU_CHUNK_IDS == tile) marked |= mark(s, s->elsewhere[i]);
    return marked;
}

/* First each tile gets the image of the chunk with its number, the last one those of all behind,
 * and what has been listed; then each gets what has been listed since. One loop for both, since its
 * code is long. */
static __device__ void step_by(const gpu_closure &p, step_shared *s, gpu_hand *h,
                               const gpu_matrix &m, uint32_t u, const step_sources &from) {
    uint32_t own = min(m.chunks, from.most);
    for (uint32_t k = 0; k < own + m.chunks; k++) {
        bool is_own = k < own;
        uint32_t tile = is_own ? k : k - own, c = is_own ? k : 0, end = from.most, marked = 0;
        bool waits = s->tiles & tile_bit(tile), fits = s->n_elsewhere <= GPU_ELSEWHERE;
        if (!is_own && !waits) continue;
        if (is_own && k + 1 < own) end = k + 1;
        if (!is_own && fits) end = 0;
        if (waits && fits) marked = mark_listed(s, tile);
        __syncwarp();
        if (gpu_lane() == 0 && waits && fits && tile < TILES - 1) s->tiles &= ~tile_bit(tile);
        __syncwarp();
        for (; c < end; c++) marked |= image_sources(p, s, from, c, tile, is_own);
        put_tile(p, s, h, m, u, tile, __reduce_or_sync(GPU_ALL_LANES, marked));
    }
    __syncwarp(); /* lanes may still look at them */
    if (gpu_lane() == 0) s->n_elsewhere = s->tiles = 0;
    __syncwarp();
}

static __device__ __forceinline__ void step_row(const gpu_closure &p, step_shared *s, gpu_hand *h,
                                                const gpu_matrix &m, uint32_t u) {
    for (uint32_t first = m.step; first < m.step_end; first += GPU_LANES) {
        step_sources from = find_sources(p, m, u, first);
        step_by(p, s, h, m, u, from);
    }
}

static __global__ void __launch_bounds__(STEP_THREADS)
    step_rows(const __grid_constant__ gpu_closure p, uint32_t words) {
    extern __shared__ uint32_t memory[];
    uint32_t lane = gpu_lane(), n = p.count->n_due[2];
    uint32_t size = (uint32_t)(sizeof(step_shared) / sizeof(uint32_t)) + words;
    step_shared *s =
        reinterpret_cast<step_shared *>(memory + threadIdx.x / GPU_LANES * (size_t)size);
    gpu_hand hand = {};
    if (gpu_warp_halted(p)) return;
    for (uint32_t at = lane; at < words; at += GPU_LANES) s->tile[at] = 0;
    if (lane == 0) s->n_elsewhere = s->tiles = 0;
    __syncwarp();
    for (uint32_t i; (i = gpu_warp_next(p, n)) < n;) {
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
