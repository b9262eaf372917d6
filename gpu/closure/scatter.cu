/* SPDX-License-Identifier: Apache-2.0
 *
 * scatter.cu: rows that have changed give others something (TURN, SPREAD).
 *
 * A block takes a row of the delta, and applies the rules that read it: TURN by a thread a bit, and
 * for SPREAD a warp copies the row to another one, for each pair. Many rows give to the same one at
 * once: the nodes of the delta are made and added to by atomics.
 */
#include "gpu/closure/writer.cuh"

enum { SCATTER_THREADS = 128, SCATTER_WARPS = SCATTER_THREADS / GPU_LANES };

/* ---- adding ---- */

/* Adds a bit. By a thread. */
static __device__ void put_bit(const gpu_closure &p, const gpu_matrix &m, uint32_t u,
                               uint32_t column) {
    uint32_t delta = gpu_read(p) ^ 1, number = column / GPU_LEAF_IDS, i = number % GPU_LANES;
    uint32_t word = column % GPU_LEAF_IDS / 32, bit = 1u << column % 32;
    uint64_t place = gpu_roots_of(m, u) + number / GPU_LANES;
    uint32_t full = p.full[place], leaf = full ? gpu_node(p, full)[i] : 0;
    if (leaf && gpu_node(p, leaf)[word] & bit) return;
    if (!(gpu_mask_word(m, u, column / 32) & bit)) return;
    uint32_t chunk = gpu_child(p, &p.delta[delta][place]);
    uint32_t to = chunk ? gpu_child(p, &gpu_node(p, chunk)[i]) : 0;
    if (!to) return;
    atomicOr(&gpu_node(p, to)[word], bit);
    gpu_note(p, m, u, delta);
}

/* ---- visiting the bits of a row ---- */

/* Calls each(leaf's number, the lane's word) for the leaves of a row, by the warps of a block. */
template <class visit>
static __device__ void visit_leaves(const gpu_closure &p, const uint32_t *root, const gpu_matrix &m,
                                    uint32_t u, visit each) {
    uint64_t roots = gpu_roots_of(m, u);
    for (uint32_t c = 0; c < m.chunks; c++) {
        uint32_t chunk = root[roots + c];
        if (!chunk) continue;
        for (uint32_t i = threadIdx.x / GPU_LANES; i < GPU_LANES; i += SCATTER_WARPS) {
            uint32_t leaf = gpu_node(p, chunk)[i];
            if (leaf) each(c * GPU_LANES + i, gpu_node(p, leaf)[gpu_lane()]);
        }
    }
}

/* ---- TURN ---- */

static __device__ void turn_row(const gpu_closure &p, const gpu_matrix &m, uint32_t u,
                                const gpu_rule &rule) {
    const gpu_matrix &left = p.matrix[rule.left];
    uint32_t column = left.guarded ? p.guard_of[m.vertex[u]] : m.vertex[u];
    if (column == GPU_NONE) return;
    visit_leaves(p, p.delta[gpu_read(p)], m, u, [&](uint32_t leaf, uint32_t bits) {
        uint32_t first = (leaf * GPU_LANES + gpu_lane()) * 32;
        for (; bits; bits &= bits - 1) {
            uint32_t to = gpu_row_of(left, first + __ffs(bits) - 1);
            if (to != GPU_NONE) put_bit(p, left, to, column);
        }
        __syncwarp();
    });
}

/* ---- SPREAD ---- */

/* Adds a row of one matrix to that of another. By a warp. */
static __device__ void put_row(const gpu_closure &p, const uint32_t *root, const gpu_matrix &from,
                               uint32_t v, const gpu_matrix &m, uint32_t u) {
    for (uint32_t c = 0; c < from.chunks; c++) {
        uint32_t chunk = root[gpu_roots_of(from, v) + c];
        uint32_t leaf = chunk ? gpu_node(p, chunk)[gpu_lane()] : 0;
        for (uint32_t there = __ballot_sync(GPU_ALL_LANES, leaf); there; there &= there - 1) {
            uint32_t i = __ffs(there) - 1, at = __shfl_sync(GPU_ALL_LANES, leaf, i);
            gpu_put_shared_leaf(p, m, u, c * GPU_LANES + i, gpu_node(p, at)[gpu_lane()]);
        }
    }
}

/* The row, or what is new in it, goes to all rows of which its vertex's row of `by` has the vertex,
 * or has it newly. */
static __device__ void spread_row(const gpu_closure &p, const gpu_matrix &m, uint32_t u,
                                  const gpu_rule &rule, bool is_by) {
    const gpu_matrix &by = p.matrix[rule.by], &right = p.matrix[rule.right];
    const gpu_matrix &left = p.matrix[rule.left];
    const uint32_t *fresh = p.delta[gpu_read(p)];
    uint32_t y = is_by ? u : gpu_row_of(by, m.vertex[u]);
    uint32_t v = is_by ? gpu_row_of(right, m.vertex[u]) : u;
    if (y == GPU_NONE || v == GPU_NONE) return;
    visit_leaves(p, is_by ? fresh : p.full, by, y, [&](uint32_t leaf, uint32_t word) {
        for (uint32_t lanes = __ballot_sync(GPU_ALL_LANES, word); lanes; lanes &= lanes - 1) {
            uint32_t j = __ffs(lanes) - 1, bits = __shfl_sync(GPU_ALL_LANES, word, j);
            for (; bits; bits &= bits - 1) {
                uint32_t x = (leaf * GPU_LANES + j) * 32 + __ffs(bits) - 1;
                uint32_t to = gpu_row_of(left, x);
                if (to != GPU_NONE) put_row(p, is_by ? p.full : fresh, right, v, left, to);
            }
        }
    });
}

/* ---- rows ---- */

static __global__ void __launch_bounds__(SCATTER_THREADS)
    scatter_rows(const __grid_constant__ gpu_closure p) {
    __shared__ uint32_t item;
    uint32_t n = p.count->n_changed[gpu_read(p)];
    if (__syncthreads_or(gpu_halted(p))) return;
    for (;;) {
        __syncthreads();
        if (threadIdx.x == 0) item = gpu_next(p, n);
        __syncthreads();
        if (item >= n) return;
        uint32_t row = p.changed[gpu_read(p)][item];
        const gpu_matrix &m = p.matrix[p.matrix_of[row]];
        uint32_t u = row - m.first;
        for (uint32_t k = m.role; k < m.role_end; k++) {
            const gpu_rule &rule = p.rule[p.role[k].rule];
            if (rule.kind == CFLRI_BITS_TURN) turn_row(p, m, u, rule);
            if (rule.kind == CFLRI_BITS_SPREAD) spread_row(p, m, u, rule, p.role[k].is_by);
        }
    }
}

void gpu_launch_scatter(const gpu_closure &p, const gpu_shape &shape, cudaStream_t stream) {
    enum { BLOCKS = 16 };
    if (!shape.scatters) return;
    gpu_launch_next(p, stream);
    scatter_rows<<<(uint32_t)shape.processors * BLOCKS, SCATTER_THREADS, 0, stream>>>(p);
}
