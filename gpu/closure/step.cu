/* SPDX-License-Identifier: Apache-2.0
 *
 * step.cu: rows that read one row of other matrices, through edges between columns (STEP, IMAGE).
 *
 * A block takes a row that is due. It makes the image of what is new in the rows that it reads,
 * and adds that to the row, chunk by chunk: a warp has eight leaves of it, whose words it reads at
 * once. As in gather.cu, a row has one writer.
 *
 * IMAGE makes passing rows, which are read in the same round: so this comes first in a round, and
 * writes them to the delta that the round reads.
 */
#include "gpu/closure/image.cuh"

enum { LEAVES_OF_WARP = GPU_LANES / IMAGE_WARPS };

/* The row that a rule reads for row u, or GPU_NONE, and by which label. */
static __device__ __forceinline__ uint32_t row_read_by(const gpu_rule &rule, const gpu_matrix &m,
                                                       const gpu_matrix &right, uint32_t u,
                                                       uint32_t *label) {
    *label = 0;
    if (rule.kind == CFLRI_BITS_STEP) return gpu_row_of(right, m.vertex[u]);
    if (rule.edges.label) *label = rule.edges.label[u];
    return rule.edges.to[u];
}

/* Rows with an input that changed. A thread a row. */
static __global__ void find_due_steps(const __grid_constant__ gpu_closure p) {
    if (gpu_halted(p)) return;
    const uint32_t *changed = p.is_changed[gpu_read(p)];
    uint32_t threads = gridDim.x * blockDim.x;
    for (uint64_t i = p.first_row + blockIdx.x * blockDim.x + threadIdx.x; i < p.end_row;
         i += threads) {
        uint32_t row = (uint32_t)i, label;
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

/* A chunk of a row that is added to. */
struct step_chunk {
    const gpu_matrix *m;
    uint32_t u, number;
    uint64_t place;       /* of the roots */
    uint32_t full, fresh; /* nodes of the chunk, or 0 */
};

/* Finds nodes for leaves that have new bits, and for the chunks above them: lane i for leaf i. By
 * one warp. A leaf without a node for the delta is left as it is, so that nothing is in `full` that
 * the delta has not. */
static __device__ void find_nodes(const gpu_closure &p, image_shared *s, step_chunk *c,
                                  uint32_t full_leaf, uint32_t fresh_leaf) {
    uint32_t lane = gpu_lane(), all, delta = gpu_write(p, *c->m);
    bool is_new = s->news >> lane & 1, root = lane == 0, direct = gpu_is_direct(p, *c->m);
    uint32_t for_delta = (is_new && !fresh_leaf) + (root && !c->fresh);
    uint32_t for_full = direct ? (is_new && !full_leaf) + (root && !c->full) : 0;
    uint32_t at = image_before(for_delta + for_full, &all);
    gpu_taken taken = gpu_warp_take_nodes(p, all);
    if (root && !c->fresh) c->fresh = gpu_taken_node(p, taken, at++);
    bool is_made = is_new && !fresh_leaf, is_grown = direct && is_new && !full_leaf;
    if (is_made) fresh_leaf = gpu_taken_node(p, taken, at++);
    if (root && direct && !c->full) c->full = gpu_taken_node(p, taken, at++);
    if (is_grown) full_leaf = gpu_taken_node(p, taken, at++);
    c->fresh = __shfl_sync(GPU_ALL_LANES, c->fresh, 0);
    c->full = __shfl_sync(GPU_ALL_LANES, c->full, 0);
    if (is_grown && !(c->fresh && fresh_leaf)) full_leaf = 0;
    if (direct && c->full) gpu_node(p, c->full)[lane] = full_leaf;
    s->full[lane] = direct && c->full ? full_leaf : 0;
    s->fresh[lane] = c->fresh ? fresh_leaf : 0;
    s->made = __ballot_sync(GPU_ALL_LANES, is_made);
    s->grown = __ballot_sync(GPU_ALL_LANES, is_grown);
    if (!c->fresh) return;
    gpu_node(p, c->fresh)[lane] = fresh_leaf;
    if (lane) return;
    p.delta[delta][c->place] = c->fresh;
    if (direct && c->full) p.full[c->place] = c->full;
    gpu_note(p, *c->m, c->u, delta);
}

static __device__ __forceinline__ void add_word(const gpu_closure &p, uint32_t node, bool is_empty,
                                                uint32_t word) {
    uint32_t *to = gpu_node(p, node) + gpu_lane();
    *to = is_empty ? word : *to | word;
}

/* Leaves of a chunk of the tile: adds them to the row, and empties them. By the block; `first` is
 * the first word of the chunk in the tile. */
static __device__ void put_chunk(const gpu_closure &p, image_shared *s, step_chunk c,
                                 uint32_t first, uint32_t touched) {
    uint32_t lane = gpu_lane(), warp = threadIdx.x / GPU_LANES, news = 0;
    uint32_t full_leaf = c.full ? gpu_node(p, c.full)[lane] : 0;
    uint32_t fresh_leaf = warp == 0 && c.fresh ? gpu_node(p, c.fresh)[lane] : 0;
    uint32_t word[LEAVES_OF_WARP];
#pragma unroll
    for (uint32_t k = 0; k < LEAVES_OF_WARP; k++) {
        uint32_t i = warp * LEAVES_OF_WARP + k, at = first + i * GPU_LANES + lane;
        uint32_t leaf = __shfl_sync(GPU_ALL_LANES, full_leaf, i);
        bool there = touched >> i & 1;
        word[k] = there ? s->word[at] : 0;
        if (there) s->word[at] = 0;
        if (there && leaf) word[k] &= ~gpu_node(p, leaf)[lane];
    }
#pragma unroll
    for (uint32_t k = 0; k < LEAVES_OF_WARP; k++) {
        uint32_t i = warp * LEAVES_OF_WARP + k;
        word[k] &= gpu_mask_word(*c.m, c.u, (c.number * GPU_LANES + i) * GPU_LANES + lane);
        if (__any_sync(GPU_ALL_LANES, word[k])) news |= 1u << i;
    }
    if (lane == 0 && news) atomicOr(&s->news, news);
    __syncthreads();
    if (!s->news) return;
    if (warp == 0) find_nodes(p, s, &c, full_leaf, fresh_leaf);
    __syncthreads();
#pragma unroll
    for (uint32_t k = 0; k < LEAVES_OF_WARP; k++) {
        uint32_t i = warp * LEAVES_OF_WARP + k;
        if (!(news >> i & 1) || !s->fresh[i]) continue;
        add_word(p, s->fresh[i], s->made >> i & 1, word[k]);
        if (s->full[i]) add_word(p, s->full[i], s->grown >> i & 1, word[k]);
    }
}

static __device__ void put_tile(const gpu_closure &p, image_shared *s, image_tile t,
                                const gpu_matrix &m, uint32_t u) {
    uint32_t chunks = (t.words + GPU_CHUNK_WORDS - 1) / GPU_CHUNK_WORDS, delta = gpu_write(p, m);
    for (uint32_t k = 0; k < chunks; k++) {
        uint32_t touched = s->touched[k];
        if (!touched) continue;
        __syncthreads();
        if (threadIdx.x == 0) s->news = s->touched[k] = 0;
        __syncthreads();
        step_chunk c = {&m, u, t.number * chunks + k, 0, 0, 0};
        c.place = gpu_roots_of(m, u) + c.number;
        c.full = p.full[c.place];
        c.fresh = p.delta[delta][c.place];
        put_chunk(p, s, c, k * GPU_CHUNK_WORDS, touched);
    }
    __syncthreads();
}

static __global__ void __launch_bounds__(IMAGE_THREADS)
    step_rows(const __grid_constant__ gpu_closure p, uint32_t words) {
    extern __shared__ uint32_t memory[];
    image_shared *s = reinterpret_cast<image_shared *>(memory);
    uint32_t n = p.count->n_due[2], read = gpu_read(p);
    if (__syncthreads_or(gpu_halted(p))) return;
    image_begin(s, words);
    for (;;) {
        __syncthreads();
        if (threadIdx.x == 0) s->item = gpu_stops(p) ? n : atomicAdd(&p.count->next, 1);
        __syncthreads();
        if (s->item >= n) return;
        uint32_t row = p.due[2][s->item];
        const gpu_matrix &m = p.matrix[p.matrix_of[row]];
        uint32_t u = row - m.first, label;
        image_first_tile(s);
        for (image_tile t = {0, words}; t.number < image_tiles(m, words); t.number++) {
            if (!image_has_tile(s, t.number)) continue;
            for (uint32_t k = m.step; k < m.step_end; k++) {
                const gpu_matrix &right = p.matrix[p.rule[k].right];
                uint32_t v = row_read_by(p.rule[k], m, right, u, &label);
                if (v == GPU_NONE || !gpu_has_bit(p.is_changed[read], right.first + v)) continue;
                image_row(p, s, t, p.rule[k].image, label, p.delta[read], right, v);
            }
            __syncthreads();
            put_tile(p, s, t, m, u);
        }
    }
}

void gpu_launch_steps(const gpu_closure &p, const gpu_shape &shape, cudaStream_t stream) {
    enum { DUE_BLOCKS = 8, DUE_THREADS = 256 };
    if (!shape.steps) return;
    size_t bytes = sizeof(image_shared) + shape.image_words * sizeof(uint32_t);
    int blocks = 0;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, step_rows, IMAGE_THREADS, bytes);
    find_due_steps<<<(uint32_t)shape.processors * DUE_BLOCKS, DUE_THREADS, 0, stream>>>(p);
    gpu_launch_next(p, stream);
    step_rows<<<(uint32_t)(blocks * shape.processors), IMAGE_THREADS, bytes, stream>>>(
        p, shape.image_words);
}
