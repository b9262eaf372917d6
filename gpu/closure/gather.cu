/* SPDX-License-Identifier: Apache-2.0
 *
 * gather.cu: rows that read others along edges (UNITE) or pairs (PAIR).
 *
 *     find_due      which rows have an input that changed: a thread a row, or a warp where a rule
 *                   of kind PAIR has to look through a row of `by`
 *     unite_rows    a warp a row: for each leaf that an input has new, the union of the inputs'
 *                   words, in a register a lane
 *     unite_pairs   a block a row: the vertices of its row of `by` are listed in shared memory;
 *                   then warps share the leaves
 *
 * A row has one writer in a kernel, so nothing here is atomic but the taking of nodes. A pair (u,v)
 * that is new in `by` gives row u the whole row v; an old one gives what is new in row v.
 */
#include "gpu/closure/writer.cuh"

enum { DUE_THREADS = 256, UNITE_THREADS = 128, PAIR_THREADS = 256 };

/* ---- which rows are due ---- */

/* A team is a thread, or a warp. */
template <uint32_t team>
static __device__ __forceinline__ bool any_of(bool mine) {
    return team == 1 ? mine : __any_sync(GPU_ALL_LANES, mine);
}

template <uint32_t team>
static __device__ bool is_due_by_edges(const gpu_closure &p, const gpu_matrix &m, uint32_t u,
                                       uint32_t self) {
    const uint32_t *changed = p.is_changed[gpu_read(p)];
    bool mine = false;
    for (uint32_t k = m.unite; k < m.unite_end; k++) {
        const gpu_rule &rule = p.rule[k];
        uint32_t first = p.matrix[rule.right].first;
        gpu_range edges = gpu_edges_from(rule.edges, u);
        for (uint64_t e = edges.at + self; e < edges.end && !mine; e += team)
            mine = gpu_has_bit(changed, first + rule.edges.to[e]);
        if (any_of<team>(mine)) return true;
    }
    return false;
}

/* Is there a vertex in the row of `by` whose row has changed? */
static __device__ bool reads_changed(const gpu_closure &p, const gpu_matrix &by, uint32_t y,
                                     const uint32_t *changed_at) {
    uint32_t lane = gpu_lane(), words = (p.n_vertices + 31) / 32;
    uint64_t roots = gpu_roots_of(by, y);
    for (uint32_t c = 0; c < by.chunks; c++) {
        uint32_t chunk = p.full[roots + c];
        if (!chunk) continue;
        uint32_t leaf = gpu_node(p, chunk)[lane];
        for (uint32_t there = __ballot_sync(GPU_ALL_LANES, leaf); there; there &= there - 1) {
            uint32_t i = __ffs(there) - 1, word = (c * GPU_LANES + i) * GPU_LANES + lane;
            uint32_t bits = gpu_node(p, __shfl_sync(GPU_ALL_LANES, leaf, i))[lane];
            bool met = word < words && (bits & changed_at[word]);
            if (__any_sync(GPU_ALL_LANES, met)) return true;
        }
    }
    return false;
}

static __device__ bool is_due_by_pairs(const gpu_closure &p, const gpu_matrix &m, uint32_t u) {
    uint32_t read = gpu_read(p);
    for (uint32_t k = m.pair; k < m.pair_end; k++) {
        const gpu_rule &rule = p.rule[k];
        const gpu_matrix &by = p.matrix[rule.by];
        uint32_t y = gpu_row_of(by, m.vertex[u]);
        if (y == GPU_NONE) continue;
        if (gpu_has_bit(p.is_changed[read], by.first + y)) return true;
        if (reads_changed(p, by, y, p.matrix[rule.right].changed_at[read])) return true;
    }
    return false;
}

/* Teams of one thread look at rows without pairs, warps at the others. */
template <uint32_t team>
static __global__ void find_due(const __grid_constant__ gpu_closure p) {
    if (gpu_halted(p)) return;
    uint32_t self = team == 1 ? 0 : gpu_lane();
    uint64_t teams = (uint64_t)gridDim.x * blockDim.x / team;
    uint64_t first = ((uint64_t)blockIdx.x * blockDim.x + threadIdx.x) / team;
    for (uint64_t row = p.first_row + first; row < p.end_row; row += teams) {
        const gpu_matrix &m = p.matrix[p.matrix_of[row]];
        uint32_t u = (uint32_t)row - m.first;
        bool pairs = m.pair < m.pair_end;
        if (pairs != (team > 1)) continue;
        if (is_due_by_edges<team>(p, m, u, self) && self == 0)
            p.due[0][atomicAdd(&p.count->n_due[0], 1)] = (uint32_t)row;
        if (pairs && is_due_by_pairs(p, m, u) && self == 0)
            p.due[1][atomicAdd(&p.count->n_due[1], 1)] = (uint32_t)row;
    }
}

/* ---- along edges ---- */

/* Adds the leaves of 32 chunks, or fewer: lane j has that of source j, or 0. Words of several
 * leaves are united before they are added. */
static __device__ void unite_chunks(const gpu_closure &p, gpu_hand *h, uint32_t chunk,
                                    gpu_writer *w) {
    uint32_t lane = gpu_lane(), leaves = 0;
    uint32_t there = __ballot_sync(GPU_ALL_LANES, chunk);
    for (uint32_t left = there; left; left &= left - 1) {
        uint32_t from = __shfl_sync(GPU_ALL_LANES, chunk, __ffs(left) - 1);
        leaves |= __ballot_sync(GPU_ALL_LANES, gpu_node(p, from)[lane]);
    }
    while (leaves) {
        uint32_t some = 0, leaf[GPU_WRITES], word[GPU_WRITES];
#pragma unroll
        for (uint32_t k = 0; k < GPU_WRITES; k++, leaves &= leaves - 1) {
            leaf[k] = chunk && leaves ? gpu_node(p, chunk)[__ffs(leaves) - 1] : 0;
            some |= leaves & (0 - leaves);
        }
#pragma unroll
        for (uint32_t k = 0; k < GPU_WRITES; k++) {
            uint32_t with = __ballot_sync(GPU_ALL_LANES, leaf[k]);
            word[k] = 0;
            for (; with; with &= with - 1)
                word[k] |= gpu_node(p, __shfl_sync(GPU_ALL_LANES, leaf[k], __ffs(with) - 1))[lane];
        }
        gpu_put_leaves(p, h, w, some, word);
    }
}

/* Lane j has a chunk of source j / chunks, or 0: which one is j % chunks, behind the first. */
static __device__ void unite_some(const gpu_closure &p, gpu_hand *h, const gpu_matrix &m,
                                  uint32_t u, uint32_t first, uint32_t chunks, uint32_t chunk) {
    for (uint32_t c = 0; c < chunks; c++) {
        uint32_t mine = gpu_lane() % chunks == c ? chunk : 0;
        if (!__any_sync(GPU_ALL_LANES, mine)) continue;
        gpu_writer w = gpu_begin_chunk(p, m, u, first + c);
        unite_chunks(p, h, mine, &w);
        gpu_end_chunk(p, w);
        __syncwarp();
    }
}

/* The chunks of so many sources are looked at together as there are lanes for. */
static __device__ void unite_row(const gpu_closure &p, gpu_hand *h, const gpu_matrix &m,
                                 uint32_t u) {
    uint32_t read = gpu_read(p), lane = gpu_lane();
    for (uint32_t k = m.unite; k < m.unite_end; k++) {
        const gpu_rule &rule = p.rule[k];
        const gpu_matrix &right = p.matrix[rule.right];
        gpu_range edges = gpu_edges_from(rule.edges, u);
        for (uint32_t first = 0; first < m.chunks; first += GPU_LANES) {
            uint32_t chunks = min(m.chunks - first, (uint32_t)GPU_LANES);
            uint32_t sources = GPU_LANES / chunks;
            for (uint64_t at = edges.at; at < edges.end; at += sources) {
                uint64_t e = at + lane / chunks;
                uint32_t chunk = 0;
                if (lane / chunks < sources && e < edges.end) {
                    uint32_t v = rule.edges.to[e];
                    if (gpu_has_bit(p.is_changed[read], right.first + v))
                        chunk = p.delta[read][gpu_roots_of(right, v) + first + lane % chunks];
                }
                if (__any_sync(GPU_ALL_LANES, chunk)) unite_some(p, h, m, u, first, chunks, chunk);
            }
        }
    }
}

static __global__ void __launch_bounds__(UNITE_THREADS)
    unite_rows(const __grid_constant__ gpu_closure p) {
    uint32_t lane = gpu_lane(), n = p.count->n_due[0], i = 0;
    gpu_hand hand = {};
    if (gpu_warp_halted(p)) return;
    for (;;) {
        if (lane == 0) i = gpu_stops(p) ? n : atomicAdd(&p.count->next, 1);
        i = __shfl_sync(GPU_ALL_LANES, i, 0);
        if (i >= n) break;
        uint32_t row = p.due[0][i];
        const gpu_matrix &m = p.matrix[p.matrix_of[row]];
        unite_row(p, &hand, m, row - m.first);
    }
    gpu_empty_hand(p, hand);
}

/* ---- along pairs ---- */

enum {
    PAIR_WARPS = PAIR_THREADS / GPU_LANES,
    LEAVES = PAIR_WARPS / 2,      /* of the row of `by`, that are listed together */
    LIST = LEAVES * GPU_LEAF_IDS, /* their ids, at most */
    AT_ONCE = 8,                  /* leaves that a warp reads at once */
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

/* The union of leaf i of all chunks that are listed, a word a lane. */
static __device__ uint32_t unite_leaf(const gpu_closure &p, const pair_shared *s, uint32_t i) {
    uint32_t lane = gpu_lane(), word = 0;
    for (uint32_t at = 0; at < s->n_chunks; at += GPU_LANES) {
        uint32_t leaf = at + lane < s->n_chunks ? gpu_node(p, s->chunk[at + lane])[i] : 0;
        uint32_t there = __ballot_sync(GPU_ALL_LANES, leaf);
        while (there) {
            uint32_t read[AT_ONCE];
#pragma unroll
            for (int k = 0; k < AT_ONCE; k++) {
                uint32_t from = there ? __shfl_sync(GPU_ALL_LANES, leaf, __ffs(there) - 1) : 0;
                read[k] = there ? gpu_node(p, from)[lane] : 0;
                there &= there - 1;
            }
#pragma unroll
            for (int k = 0; k < AT_ONCE; k++) word |= read[k];
        }
    }
    return word;
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
        uint32_t word = unite_leaf(p, s, i), before = s->fresh[i];
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
        if (threadIdx.x == 0) s->item = gpu_stops(p) ? n : atomicAdd(&p.count->next, 1);
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

enum { BLOCKS_OF_DUE = 8, BLOCKS_OF_UNITE = 16, BLOCKS_OF_PAIRS = 5 };

void gpu_launch_gather(const gpu_closure &p, const gpu_shape &shape, cudaStream_t stream) {
    uint32_t n = (uint32_t)shape.processors;
    if (shape.unites) find_due<1><<<n * BLOCKS_OF_DUE, DUE_THREADS, 0, stream>>>(p);
    if (shape.pairs) find_due<GPU_LANES><<<n * BLOCKS_OF_DUE, DUE_THREADS, 0, stream>>>(p);
    if (shape.unites) gpu_launch_next(p, stream);
    if (shape.unites) unite_rows<<<n * BLOCKS_OF_UNITE, UNITE_THREADS, 0, stream>>>(p);
    if (!shape.pairs) return;
    cudaFuncSetAttribute(unite_pairs, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         (int)sizeof(pair_shared));
    gpu_launch_next(p, stream);
    unite_pairs<<<n * BLOCKS_OF_PAIRS, PAIR_THREADS, sizeof(pair_shared), stream>>>(p);
}
