/* SPDX-License-Identifier: Apache-2.0
 *
 * round.cu: how a stage begins, and how a round ends.
 *
 *     seed      the first bits of matrices, before any stage
 *     wake      everything that a stage reads is new in its first round
 *     merge     what a round has found is added to the rows
 *     clear     nodes of the delta that was read are free; the other delta is read from now on
 *
 * A round that was halted is not merged, or not wholly, and not cleared: it may be done again,
 * since what it has found stays in the delta that it writes.
 */
#include "gpu/closure/closure.cuh"

enum { ROUND_THREADS = 256, ROUND_BLOCKS = 8 };

static __global__ void begin_list(const __grid_constant__ gpu_closure p) {
    p.count->next = 0;
}

void gpu_launch_next(const gpu_closure &p, cudaStream_t stream) {
    begin_list<<<1, 1, 0, stream>>>(p);
}

/* ---- beginning ---- */

/* The node at a place that lanes of a warp may share: one of them makes it. */
static __device__ uint32_t shared_child(const gpu_closure &p, uint32_t *place) {
    uint32_t lanes = __match_any_sync(__activemask(), (unsigned long long)place);
    uint32_t first = __ffs(lanes) - 1, number = 0;
    if (gpu_lane() == first) number = gpu_child(p, place);
    return __shfl_sync(lanes, number, first);
}

static __global__ void seed_bits(const __grid_constant__ gpu_closure p, uint32_t matrix,
                                 const uint64_t *seed, uint64_t n) {
    const gpu_matrix &m = p.matrix[matrix];
    uint64_t first = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    for (uint64_t i = first; i < n; i += (uint64_t)gridDim.x * blockDim.x) {
        uint32_t u = (uint32_t)(seed[i] >> 32), column = (uint32_t)seed[i];
        uint32_t number = column / GPU_LEAF_IDS;
        uint32_t chunk = shared_child(p, &p.full[gpu_roots_of(m, u) + number / GPU_LANES]);
        uint32_t leaf = shared_child(p, &gpu_node(p, chunk)[number % GPU_LANES]);
        atomicOr(&gpu_node(p, leaf)[column % GPU_LEAF_IDS / 32], 1u << column % 32);
    }
}

void gpu_launch_seed(const gpu_closure &p, uint32_t matrix, const uint64_t *seed, uint64_t n,
                     cudaStream_t stream) {
    uint64_t blocks = (n + ROUND_THREADS - 1) / ROUND_THREADS;
    seed_bits<<<(uint32_t)(blocks < 4096 ? blocks : 4096), ROUND_THREADS, 0, stream>>>(p, matrix,
                                                                                       seed, n);
}

static __global__ void begin_stage(const __grid_constant__ gpu_closure p) {
    gpu_closure_counters *c = p.count;
    c->done = c->next = c->n_due[0] = c->n_due[1] = c->n_due[2] = c->ended = 0;
    c->aliased = 1;
}

/* A thread a row. */
static __global__ void wake_rows(const __grid_constant__ gpu_closure p, const uint8_t *reads) {
    uint32_t read = gpu_read(p), threads = gridDim.x * blockDim.x;
    for (uint64_t i = blockIdx.x * blockDim.x + threadIdx.x; i < p.end_row; i += threads) {
        uint32_t row = (uint32_t)i, matrix = p.matrix_of[row];
        if (!reads[matrix]) continue;
        const gpu_matrix &m = p.matrix[matrix];
        uint64_t roots = gpu_roots_of(m, row - m.first);
        bool has = false;
        for (uint32_t c = 0; c < m.chunks; c++) {
            uint32_t chunk = p.full[roots + c];
            p.delta[read][roots + c] = chunk;
            has |= chunk != 0;
        }
        if (has) gpu_note(p, m, row - m.first, read);
    }
}

void gpu_launch_wake(const gpu_closure &p, const gpu_shape &shape, const uint8_t *reads,
                     cudaStream_t stream) {
    begin_stage<<<1, 1, 0, stream>>>(p);
    wake_rows<<<(uint32_t)shape.processors * ROUND_BLOCKS, ROUND_THREADS, 0, stream>>>(p, reads);
}

/* ---- ending ---- */

/* Adds a chunk of the delta to the row. By a warp, alone. */
static __device__ void merge_chunk(const gpu_closure &p, gpu_hand *h, uint32_t fresh,
                                   uint64_t place) {
    uint32_t lane = gpu_lane(), full = p.full[place];
    uint32_t leaf = full ? gpu_node(p, full)[lane] : 0, more = gpu_node(p, fresh)[lane];
    uint32_t there = __ballot_sync(GPU_ALL_LANES, more);
    bool grows = false;
    if (!full && there) full = gpu_take_from_hand(p, h);
    if (!full) return;
    for (; there; there &= there - 1) {
        uint32_t i = __ffs(there) - 1, from = __shfl_sync(GPU_ALL_LANES, more, i);
        uint32_t to = __shfl_sync(GPU_ALL_LANES, leaf, i), word = gpu_node(p, from)[lane];
        if (to) {
            gpu_node(p, to)[lane] |= word;
            continue;
        }
        to = gpu_take_from_hand(p, h);
        if (!to) break;
        gpu_node(p, to)[lane] = word;
        if (lane == i) leaf = to;
        grows = true;
    }
    if (!grows) return;
    gpu_node(p, full)[lane] = leaf;
    if (lane == 0) p.full[place] = full;
}

/* Rows that are added to at once have all already, but where nodes ran out: `all`. */
static __global__ void merge_rows(const __grid_constant__ gpu_closure p, bool all) {
    gpu_hand hand = {};
    if (gpu_warp_halted(p)) return;
    uint32_t delta = gpu_read(p) ^ 1, n = p.count->n_changed[delta];
    uint32_t warps = gridDim.x * blockDim.x / GPU_LANES;
    for (uint32_t i = (blockIdx.x * blockDim.x + threadIdx.x) / GPU_LANES; i < n; i += warps) {
        uint32_t row = p.changed[delta][i];
        const gpu_matrix &m = p.matrix[p.matrix_of[row]];
        uint64_t roots = gpu_roots_of(m, row - m.first);
        if (gpu_is_direct(p, m) && !all) continue;
        for (uint32_t c = 0; c < m.chunks; c++) {
            uint32_t fresh = p.delta[delta][roots + c];
            if (fresh) merge_chunk(p, &hand, fresh, roots + c);
        }
    }
    gpu_empty_hand(p, hand);
}

/* Frees the leaves of a chunk, and the chunk. By a warp. */
static __device__ void free_chunk(const gpu_closure &p, uint32_t chunk, uint32_t at) {
    uint32_t leaf = gpu_node(p, chunk)[gpu_lane()];
    uint32_t there = __ballot_sync(GPU_ALL_LANES, leaf);
    if (leaf) p.freed[at + gpu_lanes_before(there)] = leaf;
    if (gpu_lane() == 0) p.freed[at + __popc(there)] = chunk;
}

/* The same for a chunk a lane, or 0. Room for all is taken at once: the counter is shared by
 * all warps. */
static __device__ void free_chunks(const gpu_closure &p, uint32_t chunk, uint32_t base) {
    uint32_t nodes = 0, all, first = 0, there = __ballot_sync(GPU_ALL_LANES, chunk);
    for (uint32_t left = there; left; left &= left - 1) {
        uint32_t i = __ffs(left) - 1, from = __shfl_sync(GPU_ALL_LANES, chunk, i);
        uint32_t leaves = __ballot_sync(GPU_ALL_LANES, gpu_node(p, from)[gpu_lane()]);
        if (gpu_lane() == i) nodes = __popc(leaves) + 1;
    }
    uint32_t at = gpu_sum_before(nodes, &all);
    if (gpu_lane() == 0) first = base + atomicAdd(&p.count->pushed, all);
    at += __shfl_sync(GPU_ALL_LANES, first, 0);
    for (uint32_t left = there; left; left &= left - 1) {
        uint32_t i = __ffs(left) - 1;
        free_chunk(p, __shfl_sync(GPU_ALL_LANES, chunk, i), __shfl_sync(GPU_ALL_LANES, at, i));
    }
}

/* A row a lane; GPU_NONE: none. */
static __device__ void clear_some(const gpu_closure &p, uint32_t row, uint32_t delta,
                                  uint32_t base) {
    bool is_row = row != GPU_NONE;
    const gpu_matrix *m = is_row ? &p.matrix[p.matrix_of[row]] : nullptr;
    uint64_t roots = is_row ? gpu_roots_of(*m, row - m->first) : 0;
    uint32_t chunks = is_row ? m->chunks : 0, most = __reduce_max_sync(GPU_ALL_LANES, chunks);
    bool frees = is_row && !(p.count->aliased && !m->passing);
    for (uint32_t c = 0; c < most; c++) {
        uint32_t chunk = c < chunks ? p.delta[delta][roots + c] : 0;
        if (chunk) p.delta[delta][roots + c] = 0;
        if (__any_sync(GPU_ALL_LANES, chunk && frees)) free_chunks(p, frees ? chunk : 0, base);
    }
    if (!is_row) return;
    atomicAnd(&p.is_changed[delta][row / 32], ~(1u << row % 32));
    if (m->changed_at[delta]) {
        uint32_t v = m->vertex[row - m->first];
        atomicAnd(&m->changed_at[delta][v / 32], ~(1u << v % 32));
        m->changed_leaf[delta][v / GPU_CHUNK_IDS] = 0; /* all rows are cleared */
    }
}

/* By the last thread that ends. */
static __device__ void turn_over(gpu_closure_counters *c, uint32_t base) {
    uint32_t read = c->round & 1;
    c->n_freed = base + c->pushed;
    c->popped = c->pushed = c->next = c->ended = c->aliased = 0;
    c->n_due[0] = c->n_due[1] = c->n_due[2] = c->n_lost = 0;
    c->n_changed[read] = 0;
    c->done = c->n_changed[read ^ 1] == 0;
    c->round++;
}

/* Nodes that were made in vain are free again, and those of the rows. A warp takes several rows
 * where there are more than warps. */
static __global__ void clear_rows(const __grid_constant__ gpu_closure p) {
    gpu_closure_counters *c = p.count;
    __shared__ bool last;
    if (gpu_halted(p)) return;
    uint32_t delta = gpu_read(p), n = c->n_changed[delta], lane = gpu_lane();
    uint32_t base = c->n_freed > c->popped ? c->n_freed - c->popped : 0;
    uint32_t lost = min(c->n_lost, (uint32_t)GPU_MOST_LOST);
    uint32_t first = blockIdx.x * blockDim.x + threadIdx.x;
    for (uint32_t i = first; i < lost; i += gridDim.x * blockDim.x) p.freed[base + i] = p.lost[i];
    base += lost;
    uint32_t warps = gridDim.x * blockDim.x / GPU_LANES;
    uint32_t rows = min(n / warps + 1, (uint32_t)GPU_LANES);
    uint64_t at = (uint64_t)first / GPU_LANES * rows;
    for (; at < n; at += (uint64_t)warps * rows) {
        bool is_row = lane < rows && at + lane < n;
        clear_some(p, is_row ? p.changed[delta][at + lane] : GPU_NONE, delta, base);
    }
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) last = atomicAdd(&c->ended, 1) + 1 == gridDim.x;
    __syncthreads();
    if (last && threadIdx.x == 0) {
        __threadfence();
        turn_over(c, base);
    }
}

void gpu_launch_clear(const gpu_closure &p, const gpu_shape &shape, cudaStream_t stream) {
    uint32_t blocks = (uint32_t)shape.processors * ROUND_BLOCKS;
    clear_rows<<<blocks, ROUND_THREADS, 0, stream>>>(p);
}

void gpu_launch_merge(const gpu_closure &p, const gpu_shape &shape, cudaStream_t stream) {
    uint32_t blocks = (uint32_t)shape.processors * ROUND_BLOCKS;
    merge_rows<<<blocks, ROUND_THREADS, 0, stream>>>(p, false);
    gpu_launch_clear(p, shape, stream);
}

/* A round that halted is to be done again, or what it has found is to be merged alone. */
static __global__ void resume_round(const __grid_constant__ gpu_closure p, uint32_t capacity) {
    gpu_closure_counters *c = p.count;
    if (c->bump > capacity) c->bump = capacity;
    c->halt = c->stop = c->next = c->ended = 0;
    c->n_due[0] = c->n_due[1] = c->n_due[2] = 0;
}

void gpu_launch_resume(const gpu_closure &p, uint32_t capacity, cudaStream_t stream) {
    resume_round<<<1, 1, 0, stream>>>(p, capacity);
}

void gpu_launch_rescue(const gpu_closure &p, const gpu_shape &shape, cudaStream_t stream) {
    merge_rows<<<(uint32_t)shape.processors * ROUND_BLOCKS, ROUND_THREADS, 0, stream>>>(p, true);
}
