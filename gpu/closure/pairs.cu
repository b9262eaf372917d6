/* SPDX-License-Identifier: Apache-2.0
 *
 * pairs.cu: rows that read others along pairs (PAIR).
 *
 *     find_due      which rows have a new pair, or a pair that leads to a row that changed: a warp
 *                   a row looks through the row of `by`
 *     unite_pairs   a block a row: the vertices of its row of `by` are listed in shared memory;
 *                   then warps share the leaves
 *
 * A row has one writer, so nothing here is atomic but the taking of nodes. A pair (u,v) that is new
 * in `by` gives row u the whole row v; an old one gives what is new in row v.
 */
#include "gpu/closure/writer.cuh"

enum { DUE_THREADS = 256, PAIR_THREADS = 256 };

/* ---- which rows are due ---- */

/* Is there a vertex in the row of `by` whose row has changed? */
static __device__ bool reads_changed(const gpu_closure &p, const gpu_matrix &by, uint32_t y,
                                     const gpu_matrix &right) {
    uint32_t lane = gpu_lane(), words = (p.n_vertices + 31) / 32, read = gpu_read(p);
    uint64_t roots = gpu_roots_of(by, y);
    for (uint32_t c = 0; c < by.chunks; c++) {
        uint32_t leaves = right.changed_leaf[read][c], chunk = leaves ? p.full[roots + c] : 0;
        if (!chunk) continue;
        uint32_t leaf = gpu_node(p, chunk)[lane];
        for (uint32_t there = __ballot_sync(GPU_ALL_LANES, leaf) & leaves; there;
             there &= there - 1) {
            uint32_t i = __ffs(there) - 1, word = (c * GPU_LANES + i) * GPU_LANES + lane;
            uint32_t bits = gpu_node(p, __shfl_sync(GPU_ALL_LANES, leaf, i))[lane];
            bool met = word < words && (bits & right.changed_at[read][word]);
            if (__any_sync(GPU_ALL_LANES, met)) return true;
        }
    }
    return false;
}

static __device__ bool is_due(const gpu_closure &p, const gpu_matrix &m, uint32_t u) {
    uint32_t read = gpu_read(p);
    for (uint32_t k = m.pair; k < m.pair_end; k++) {
        const gpu_rule &rule = p.rule[k];
        const gpu_matrix &by = p.matrix[rule.by];
        uint32_t y = gpu_row_of(by, m.vertex[u]);
        if (y == GPU_NONE) continue;
        if (gpu_has_bit(p.is_changed[read], by.first + y)) return true;
        if (reads_changed(p, by, y, p.matrix[rule.right])) return true;
    }
    return false;
}

static __global__ void find_due(const __grid_constant__ gpu_closure p) {
    if (gpu_halted(p)) return;
    uint64_t warps = (uint64_t)gridDim.x * blockDim.x / GPU_LANES;
    uint64_t first = ((uint64_t)blockIdx.x * blockDim.x + threadIdx.x) / GPU_LANES;
    for (uint64_t row = p.first_row + first; row < p.end_row; row += warps) {
        const gpu_matrix &m = p.matrix[p.matrix_of[row]];
        if (m.pair == m.pair_end || !is_due(p, m, (uint32_t)row - m.first)) continue;
        if (gpu_lane() == 0) p.due[1][atomicAdd(&p.count->n_due[1], 1)] = (uint32_t)row;
    }
}

/* ---- rows ---- */

enum {
    PAIR_WARPS = PAIR_THREADS / GPU_LANES,
    LEAVES = PAIR_WARPS / 2,      /* of the row of `by`, that are listed together */
    LIST = LEAVES * GPU_LEAF_IDS, /* their ids, at most */
};
#define NEW_PAIR 0x80000000u

/* What a block shares. */
struct pair_shared {
    uint32_t id[LIST]; /* vertices of the row of `by`, or their rows; NEW_PAIR: the pair is new */
    uint32_t chunk[LIST];                       /* of their rows */
    uint32_t full[GPU_LANES], fresh[GPU_LANES]; /* leaves of the chunk that is written */
    uint32_t n, n_chunks, leaves, next, item, writes;
};

/* A leaf of the row of `by`, by a warp. */
static __device__ void list_leaf(const gpu_closure &p, pair_shared *s, const gpu_matrix &right,
                                 uint32_t first, uint32_t full, uint32_t fresh) {
    uint32_t lane = gpu_lane(), words = (p.n_vertices + 31) / 32, word = first + lane;
    uint32_t all = gpu_node(p, full)[lane], more = fresh ? gpu_node(p, fresh)[lane] : 0;
    uint32_t old = word < words ? all & ~more & right.changed_at[gpu_read(p)][word] : 0;
    uint32_t n = __popc(more) + __popc(old), at = n ? atomicAdd(&s->n, n) : 0;
    for (; more; more &= more - 1) s->id[at++] = (word * 32 + __ffs(more) - 1) | NEW_PAIR;
    for (; old; old &= old - 1) s->id[at++] = word * 32 + __ffs(old) - 1;
}

/* Adds a word a lane to leaf i, which is `full` in the row and `fresh` in the delta. Returns the
 * leaf of the delta, or 0 when it has none still. */
static __device__ uint32_t put_leaf(const gpu_closure &p, gpu_hand *h, const gpu_matrix &m,
                                    uint32_t u, uint32_t number, uint32_t full, uint32_t fresh,
                                    uint32_t word) {
    uint32_t lane = gpu_lane();
    if (full) word &= ~gpu_node(p, full)[lane];
    word &= gpu_mask_word(m, u, number * GPU_LANES + lane);
    if (!__any_sync(GPU_ALL_LANES, word)) return fresh;
    if (fresh) {
        gpu_node(p, fresh)[lane] |= word;
        return fresh;
    }
    fresh = gpu_take_from_hand(p, h);
    if (fresh) gpu_node(p, fresh)[lane] = word;
    return fresh;
}

/* Adds chunk c of the rows that are listed. By the block. */
static __device__ void unite_listed(const gpu_closure &p, pair_shared *s, gpu_hand *h,
                                    const gpu_matrix &m, uint32_t u, const gpu_matrix &right,
                                    uint32_t c) {
    uint32_t lane = gpu_lane(), warp = threadIdx.x / GPU_LANES, delta = gpu_read(p) ^ 1;
    uint64_t place = gpu_roots_of(m, u) + c;
    __syncthreads();
    if (threadIdx.x == 0) s->n_chunks = s->leaves = s->next = s->writes = 0;
    if (warp == 0) {
        uint32_t full = p.full[place], fresh = p.delta[delta][place];
        s->full[lane] = full ? gpu_node(p, full)[lane] : 0;
        s->fresh[lane] = fresh ? gpu_node(p, fresh)[lane] : 0;
    }
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < s->n; i += PAIR_THREADS) {
        uint32_t v = s->id[i] & ~NEW_PAIR;
        if (s->id[i] == GPU_NONE) continue;
        const uint32_t *root = s->id[i] & NEW_PAIR ? p.full : p.delta[delta ^ 1];
        uint32_t chunk = root[gpu_roots_of(right, v) + c];
        if (chunk) s->chunk[atomicAdd(&s->n_chunks, 1)] = chunk;
    }
    __syncthreads();
    uint32_t leaves = 0;
    for (uint32_t i = warp; i < s->n_chunks; i += PAIR_WARPS)
        leaves |= __ballot_sync(GPU_ALL_LANES, gpu_node(p, s->chunk[i])[lane]);
    if (lane == 0 && leaves) atomicOr(&s->leaves, leaves);
    __syncthreads();
    for (uint32_t i = warp; i < GPU_LANES; i += PAIR_WARPS) {
        if (!(s->leaves >> i & 1)) continue;
        uint32_t word = gpu_unite_leaf(p, s->chunk, s->n_chunks, i), before = s->fresh[i];
        uint32_t fresh = put_leaf(p, h, m, u, c * GPU_LANES + i, s->full[i], before, word);
        __syncwarp();
        if (fresh == before || lane) continue;
        s->fresh[i] = fresh;
        s->writes = 1;
    }
    __syncthreads();
    if (warp || !s->writes) return;
    uint32_t node = p.delta[delta][place];
    if (!node) node = gpu_take_from_hand(p, h);
    if (!node) return;
    gpu_node(p, node)[lane] = s->fresh[lane];
    if (lane == 0) {
        p.delta[delta][place] = node;
        gpu_note(p, m, u, delta);
    }
}

/* Turns the vertices that are listed into rows of `right`; GPU_NONE: it has none. */
static __device__ void find_rows(pair_shared *s, const gpu_matrix &right) {
    for (uint32_t i = threadIdx.x; i < s->n; i += PAIR_THREADS) {
        uint32_t row = gpu_row_of(right, s->id[i] & ~NEW_PAIR);
        s->id[i] = row == GPU_NONE ? GPU_NONE : row | (s->id[i] & NEW_PAIR);
    }
}

static __device__ void unite_by(const gpu_closure &p, pair_shared *s, gpu_hand *h,
                                const gpu_matrix &m, uint32_t u, const gpu_rule &rule) {
    const gpu_matrix &by = p.matrix[rule.by], &right = p.matrix[rule.right];
    uint32_t y = gpu_row_of(by, m.vertex[u]), warp = threadIdx.x / GPU_LANES, read = gpu_read(p);
    if (y == GPU_NONE) return;
    bool more = gpu_has_bit(p.is_changed[read], by.first + y);
    uint64_t roots = gpu_roots_of(by, y);
    for (uint32_t c = 0; c < by.chunks; c++) {
        uint32_t full = p.full[roots + c], fresh = more ? p.delta[read][roots + c] : 0;
        if (!full) continue;
        for (uint32_t first = 0; first < GPU_LANES; first += LEAVES) {
            uint32_t i = first + warp, leaf = warp < LEAVES ? gpu_node(p, full)[i] : 0;
            __syncthreads();
            if (threadIdx.x == 0) s->n = 0;
            __syncthreads();
            if (leaf)
                list_leaf(p, s, right, (c * GPU_LANES + i) * GPU_LANES, leaf,
                          fresh ? gpu_node(p, fresh)[i] : 0);
            __syncthreads();
            if (!s->n) continue;
            find_rows(s, right);
            for (uint32_t t = 0; t < right.chunks; t++) unite_listed(p, s, h, m, u, right, t);
        }
    }
}

static __global__ void __launch_bounds__(PAIR_THREADS)
    unite_pairs(const __grid_constant__ gpu_closure p) {
    extern __shared__ uint32_t memory[];
    pair_shared *s = reinterpret_cast<pair_shared *>(memory);
    uint32_t n = p.count->n_due[1];
    gpu_hand hand = {};
    if (__syncthreads_or(gpu_halted(p))) return;
    for (;;) {
        __syncthreads();
        if (threadIdx.x == 0) s->item = gpu_next(p, n);
        __syncthreads();
        if (s->item >= n) break;
        uint32_t row = p.due[1][s->item];
        const gpu_matrix &m = p.matrix[p.matrix_of[row]];
        for (uint32_t k = m.pair; k < m.pair_end; k++)
            unite_by(p, s, &hand, m, row - m.first, p.rule[k]);
    }
    gpu_empty_hand(p, hand);
}

/* ---- launching ---- */

void gpu_launch_pairs(const gpu_closure &p, const gpu_shape &shape, cudaStream_t stream) {
    enum { BLOCKS_OF_DUE = 8, BLOCKS_OF_PAIRS = 5 };
    uint32_t n = (uint32_t)shape.processors;
    if (!shape.pairs) return;
    find_due<<<n * BLOCKS_OF_DUE, DUE_THREADS, 0, stream>>>(p);
    cudaFuncSetAttribute(unite_pairs, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         (int)sizeof(pair_shared));
    gpu_launch_next(p, stream);
    unite_pairs<<<n * BLOCKS_OF_PAIRS, PAIR_THREADS, sizeof(pair_shared), stream>>>(p);
}
