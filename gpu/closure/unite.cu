/* SPDX-License-Identifier: Apache-2.0
 *
 * unite.cu: rows that read others along edges (UNITE).
 *
 *     find_due       which rows have an input that changed: a thread a row
 *     unite_rows     a warp a row: for each leaf that an input has new, the union of the inputs'
 *                    words, in a register a lane
 *     unite_pieces   rows that read thousands by a rule: a warp a piece of what such a row reads
 *
 * A row has one writer in unite_rows, so nothing there is atomic but the taking of nodes. Pieces of
 * a row have many, and add to it by atomics. The host has cut rows into pieces once, and all are
 * looked at in every round: that is not more than a scan of the edges.
 */
#include "gpu/closure/writer.cuh"

enum { DUE_THREADS = 256, UNITE_THREADS = 128, PIECE_THREADS = 256 };

/* ---- which rows are due ---- */

static __device__ __forceinline__ bool is_long(const gpu_edge_range &edges) {
    return edges.end - edges.at > GPU_LONG_ROW;
}

static __device__ bool is_due(const gpu_closure &p, const gpu_matrix &m, uint32_t u) {
    const uint32_t *changed = p.is_changed[gpu_read(p)];
    for (uint32_t k = m.unite; k < m.unite_end; k++) {
        const gpu_rule &rule = p.rule[k];
        uint32_t first = p.matrix[rule.right].first;
        gpu_edge_range edges = gpu_edges_from(rule.edges, u);
        if (is_long(edges)) continue;
        for (uint64_t e = edges.at; e < edges.end; e++)
            if (gpu_has_bit(changed, first + rule.edges.to[e])) return true;
    }
    return false;
}

static __global__ void find_due(const __grid_constant__ gpu_closure p) {
    if (gpu_halted(p)) return;
    uint32_t threads = gridDim.x * blockDim.x;
    for (uint64_t i = p.first_row + blockIdx.x * blockDim.x + threadIdx.x; i < p.end_row;
         i += threads) {
        uint32_t row = (uint32_t)i;
        const gpu_matrix &m = p.matrix[p.matrix_of[row]];
        if (is_due(p, m, row - m.first)) p.due[0][atomicAdd(&p.count->n_due[0], 1)] = row;
    }
}

/* ---- rows ---- */

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
        gpu_edge_range edges = gpu_edges_from(rule.edges, u);
        if (is_long(edges)) continue;
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
    uint32_t n = p.count->n_due[0];
    gpu_hand hand = {};
    if (gpu_warp_halted(p)) return;
    for (uint32_t i; (i = gpu_warp_next(p, n)) < n;) {
        uint32_t row = p.due[0][i];
        const gpu_matrix &m = p.matrix[p.matrix_of[row]];
        unite_row(p, &hand, m, row - m.first);
    }
    gpu_empty_hand(p, hand);
}

/* ---- pieces of long rows ---- */

/* What a warp has of shared memory. */
struct piece_shared {
    uint32_t row[GPU_LONG_ROW]; /* of what is read, those that have changed */
    uint32_t chunk[GPU_LONG_ROW];
};

struct piece_block {
    piece_shared warp[PIECE_THREADS / GPU_LANES];
};

/* Lists the rows of a piece that have changed, and returns how many. */
static __device__ uint32_t list_changed(const gpu_closure &p, piece_shared *s,
                                        const gpu_row_piece &piece) {
    const gpu_rule &rule = p.rule[piece.rule];
    uint32_t first = p.matrix[rule.right].first, n = 0;
    for (uint32_t i = 0; i < piece.n; i += GPU_LANES) {
        bool within = i + gpu_lane() < piece.n;
        uint32_t v = within ? rule.edges.to[piece.at + i + gpu_lane()] : 0;
        bool has = within && gpu_has_bit(p.is_changed[gpu_read(p)], first + v);
        uint32_t lanes = __ballot_sync(GPU_ALL_LANES, has);
        if (has) s->row[n + gpu_lanes_before(lanes)] = v;
        n += __popc(lanes);
    }
    __syncwarp();
    return n;
}

/* Lists what the rows have of chunk c, and returns how many have something. *leaves: which ones. */
static __device__ uint32_t list_chunks(const gpu_closure &p, piece_shared *s,
                                       const gpu_matrix &right, uint32_t rows, uint32_t c,
                                       uint32_t *leaves) {
    uint32_t n = 0;
    *leaves = 0;
    for (uint32_t i = 0; i < rows; i += GPU_LANES) {
        bool within = i + gpu_lane() < rows;
        uint64_t place = within ? gpu_roots_of(right, s->row[i + gpu_lane()]) + c : 0;
        uint32_t chunk = within ? p.delta[gpu_read(p)][place] : 0;
        uint32_t lanes = __ballot_sync(GPU_ALL_LANES, chunk);
        if (chunk) s->chunk[n + gpu_lanes_before(lanes)] = chunk;
        n += __popc(lanes);
    }
    __syncwarp();
    for (uint32_t i = 0; i < n; i++)
        *leaves |= __ballot_sync(GPU_ALL_LANES, gpu_node(p, s->chunk[i])[gpu_lane()]);
    return n;
}

static __device__ void unite_piece(const gpu_closure &p, piece_shared *s,
                                   const gpu_row_piece &piece) {
    const gpu_rule &rule = p.rule[piece.rule];
    const gpu_matrix &m = p.matrix[rule.left], &right = p.matrix[rule.right];
    uint32_t rows = list_changed(p, s, piece);
    for (uint32_t c = 0; rows && c < right.chunks; c++) {
        uint32_t leaves, n = list_chunks(p, s, right, rows, c, &leaves);
        for (; leaves; leaves &= leaves - 1) {
            uint32_t i = __ffs(leaves) - 1, word = gpu_unite_leaf(p, s->chunk, n, i);
            gpu_put_shared_leaf(p, m, piece.row, c * GPU_LANES + i, word);
        }
        __syncwarp();
    }
}

static __global__ void __launch_bounds__(PIECE_THREADS)
    unite_pieces(const __grid_constant__ gpu_closure p) {
    __shared__ piece_block shared;
    if (gpu_warp_halted(p)) return;
    for (uint32_t i; (i = gpu_warp_next(p, p.n_pieces)) < p.n_pieces;)
        unite_piece(p, &shared.warp[threadIdx.x / GPU_LANES], p.piece[i]);
}

/* ---- launching ---- */

void gpu_launch_unite(const gpu_closure &p, const gpu_shape &shape, cudaStream_t stream) {
    enum { BLOCKS_OF_DUE = 8, BLOCKS_OF_ROWS = 16, BLOCKS_OF_PIECES = 8 };
    uint32_t n = (uint32_t)shape.processors;
    if (!shape.unites) return;
    find_due<<<n * BLOCKS_OF_DUE, DUE_THREADS, 0, stream>>>(p);
    gpu_launch_next(p, stream);
    unite_rows<<<n * BLOCKS_OF_ROWS, UNITE_THREADS, 0, stream>>>(p);
    if (!p.n_pieces) return;
    gpu_launch_next(p, stream);
    unite_pieces<<<n * BLOCKS_OF_PIECES, PIECE_THREADS, 0, stream>>>(p);
}
