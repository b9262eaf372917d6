/* SPDX-License-Identifier: Apache-2.0
 *
 * closure.cuh: a system of bit matrices on a GPU, as kernels have it.
 *
 * A row is a tree of nodes of 32 words, so that a node is what a warp reads at once. Its leaves
 * have 1,024 bits; above them, a chunk has the numbers of 32 leaves; and the chunks of a row are
 * its roots, which lie in an array. What is empty has no node, and the number 0.
 *
 *     root[base + row * chunks + c] -> | leaf  0  leaf  leaf ... |     a chunk: 32,768 columns
 *                                         |
 *                                         v
 *                                      | word word word ... |          a leaf: 1,024 columns
 *
 * A matrix is there three times: `full` has its bits, `delta` has those that the round before has
 * found, and those that this round finds. A round reads the first two and writes the third: so a
 * thread never reads what another one writes. Then `merge` adds what is new to `full`, and `clear`
 * frees the nodes of the round before (round.cu). Two kinds of matrices differ:
 *
 *     direct     no rule of the stage reads whole rows of it, and each has one writer, which adds
 *                what is new to `full` at once
 *     passing    rows are made and read in one round, in the delta that it reads
 *
 * A bit is in the delta before it is in `full`. So a round that had to stop, because nodes ran out,
 * is done again, and no bit is lost.
 *
 * In the first round of a stage everything that its rules read is new: the roots of `delta` are
 * those of `full`, and their nodes are not freed. Therefore no matrix is direct in that round.
 */
#ifndef CFLRI_GPU_CLOSURE_CUH
#define CFLRI_GPU_CLOSURE_CUH

#include <cstdint>

#include "engine/closure/bits/device.h"

enum {
    GPU_LANES = 32,                           /* threads of a warp, words of a node */
    GPU_LEAF_IDS = GPU_LANES * 32,            /* columns of a leaf */
    GPU_CHUNK_IDS = GPU_LANES * GPU_LEAF_IDS, /* columns of a chunk */
    GPU_CHUNK_WORDS = GPU_CHUNK_IDS / 32,
};

#ifndef GPU_LONG_ROW /* a row that reads more by a rule is cut into pieces; a test has some */
#define GPU_LONG_ROW 128
#endif

enum { GPU_MOST_LOST = 1 << 21 }; /* those behind are not used again before the closure ends */

#define GPU_ALL_LANES 0xffffffffu
#define GPU_NONE UINT32_MAX

/* Why kernels do nothing more. */
enum gpu_halt { GPU_GOING, GPU_FULL, GPU_STOPPED };

/* Counters that kernels share; each is of one thing, and on a line of its own where many threads
 * add to it. */
struct gpu_closure_counters {
    uint32_t halt; /* gpu_halt */
    uint32_t stop; /* the host wants an end */
    uint32_t round, done;
    uint32_t aliased;                   /* nodes of the delta that is read are those of `full` */
    alignas(128) uint32_t bump;         /* nodes from this one on were never used */
    uint32_t n_freed;                   /* free nodes, before this round */
    alignas(128) uint32_t popped;       /* of these, taken in this round */
    alignas(128) uint32_t pushed;       /* nodes that `clear` has freed in this round */
    alignas(128) uint32_t n_lost;       /* nodes that were made in vain in this round */
    alignas(128) uint32_t next;         /* item of a list that a warp or a block takes */
    alignas(128) uint32_t n_due[3];     /* rows with an input that changed, as `due` */
    alignas(128) uint32_t n_changed[2]; /* rows of the deltas */
    alignas(128) uint32_t ended;        /* blocks that have done their share of a kernel */
};

struct gpu_edges {
    uint32_t n_sources;
    const uint32_t *source;
    const uint64_t *start;
    const uint32_t *label, *to;
};

struct gpu_rule {
    uint32_t kind, left, right, by;
    gpu_edges edges, image;
};

/* A rule that is applied to rows that have changed, rather than to rows that it adds to. */
struct gpu_role {
    uint32_t rule;
    uint32_t is_by; /* SPREAD: the row is of `by` rather than of `right` */
};

/* A piece of what a row reads by a rule of kind UNITE, where that is much. */
struct gpu_row_piece {
    uint32_t rule, row; /* of the rule's left */
    uint64_t at;        /* in the rule's edges */
    uint32_t n;         /* GPU_LONG_ROW, or fewer */
};

struct gpu_matrix {
    uint32_t n_rows, n_columns, first, chunks;
    uint64_t root; /* of its first row, among all roots */
    const uint32_t *vertex, *row;
    uint32_t guarded;
    uint32_t mask_words; /* of a mask */
    const uint32_t *mask_of, *mask;
    uint32_t *changed_at[2]; /* by delta: a bit for each vertex whose row is in it; NULL: no rule of
                                kind PAIR reads the matrix */
    uint32_t *changed_leaf[2]; /* the same for 1,024 vertices, those of a leaf */
    /* Of the stage: */
    uint32_t unite, unite_end, pair, pair_end, step, step_end; /* rules that add to its rows */
    uint32_t role, role_end;
    bool passing; /* rows are made for one round */
    bool direct;  /* rows have one writer, and no other thread reads them in `full` */
};

struct gpu_closure {
    gpu_closure_counters *count;
    uint32_t *node; /* 32 words each; number 0 stays empty */
    uint32_t capacity;
    uint32_t *freed;                      /* a stack of free nodes */
    uint32_t *lost;                       /* nodes that were made in vain */
    uint32_t *full, *delta[2];            /* roots */
    uint32_t *is_changed[2], *changed[2]; /* by delta: a bit for each row; a list of rows */
    const uint32_t *matrix_of;            /* by row */
    gpu_matrix *matrix;
    const gpu_rule *rule;
    const gpu_role *role;
    const gpu_row_piece *piece; /* of the stage */
    uint32_t n_pieces;
    const uint32_t *guard_of;
    uint32_t n_vertices;
    uint32_t *due[3];            /* lists of rows: by UNITE, by PAIR, by STEP */
    uint32_t first_row, end_row; /* of the stage */
};

/* ---- rows and edges ---- */

static __device__ __forceinline__ uint32_t gpu_lane() {
    return threadIdx.x % GPU_LANES;
}

/* How many lanes before this one are among those of a mask. */
static __device__ __forceinline__ uint32_t gpu_lanes_before(uint32_t lanes) {
    return __popc(lanes & ((1u << gpu_lane()) - 1));
}

/* The sum of what the lanes before this one have; *all: of what all have. */
static __device__ __forceinline__ uint32_t gpu_sum_before(uint32_t n, uint32_t *all) {
    uint32_t sum = n;
    for (uint32_t other = 1; other < GPU_LANES; other *= 2) {
        uint32_t more = __shfl_up_sync(GPU_ALL_LANES, sum, other);
        if (gpu_lane() >= other) sum += more;
    }
    *all = __shfl_sync(GPU_ALL_LANES, sum, GPU_LANES - 1);
    return sum - n;
}

static __device__ __forceinline__ uint32_t gpu_seek(const uint32_t *ids, uint32_t n, uint32_t id) {
    uint32_t low = 0, high = n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (ids[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < n && ids[low] == id ? low : GPU_NONE;
}

/* The row of a vertex in the matrix, or GPU_NONE. */
static __device__ __forceinline__ uint32_t gpu_row_of(const gpu_matrix &m, uint32_t vertex) {
    return m.row ? m.row[vertex] : gpu_seek(m.vertex, m.n_rows, vertex);
}

/* Where the roots of a row begin. */
static __device__ __forceinline__ uint64_t gpu_roots_of(const gpu_matrix &m, uint32_t u) {
    return m.root + (uint64_t)u * m.chunks;
}

struct gpu_edge_range {
    uint64_t at, end;
};

static __device__ __forceinline__ gpu_edge_range gpu_edges_from(const gpu_edges &e,
                                                                uint32_t number) {
    if (!e.n_sources) return {0, 0};
    uint32_t i = e.source ? gpu_seek(e.source, e.n_sources, number) : number;
    if (i == GPU_NONE) return {0, 0};
    return {e.start[i], e.start[i + 1]};
}

/* Those with the label. */
static __device__ __forceinline__ gpu_edge_range gpu_edges_with(const gpu_edges &e, uint32_t number,
                                                                uint32_t label) {
    gpu_edge_range all = gpu_edges_from(e, number);
    if (!e.label) return all;
    for (uint64_t end = all.end; all.at < end;) {
        uint64_t middle = all.at + (end - all.at) / 2;
        if (e.label[middle] < label)
            all.at = middle + 1;
        else
            end = middle;
    }
    uint64_t end = all.at;
    while (end < all.end && e.label[end] == label) end++;
    all.end = end;
    return all;
}

/* ---- rounds ---- */

static __device__ __forceinline__ uint32_t gpu_halted(const gpu_closure &p) {
    const volatile gpu_closure_counters *c = p.count;
    return c->halt | c->done;
}

/* The same for a warp of a kernel that may halt others: its lanes must not see different things. */
static __device__ __forceinline__ bool gpu_warp_halted(const gpu_closure &p) {
    return __any_sync(GPU_ALL_LANES, gpu_halted(p));
}

/* To be asked now and then by one thread of a block. */
static __device__ __forceinline__ bool gpu_stops(const gpu_closure &p) {
    volatile gpu_closure_counters *c = p.count;
    if (c->stop && !c->halt) c->halt = GPU_STOPPED;
    return c->halt;
}

/* The next item of a list of n; n or more where none is left, or kernels are to stop. By one
 * thread. */
static __device__ __forceinline__ uint32_t gpu_next(const gpu_closure &p, uint32_t n) {
    return gpu_stops(p) ? n : atomicAdd(&p.count->next, 1);
}

/* The same by a warp. */
static __device__ __forceinline__ uint32_t gpu_warp_next(const gpu_closure &p, uint32_t n) {
    uint32_t i = 0;
    if (gpu_lane() == 0) i = gpu_next(p, n);
    return __shfl_sync(GPU_ALL_LANES, i, 0);
}

/* The delta that is read in this round; the other one is written. */
static __device__ __forceinline__ uint32_t gpu_read(const gpu_closure &p) {
    return p.count->round & 1;
}

static __device__ __forceinline__ bool gpu_has_bit(const uint32_t *bits, uint32_t i) {
    return bits[i / 32] >> i % 32 & 1;
}

/* The delta to which rows of a matrix are written: passing ones are read in this round. */
static __device__ __forceinline__ uint32_t gpu_write(const gpu_closure &p, const gpu_matrix &m) {
    return gpu_read(p) ^ !m.passing;
}

/* Is what is new in a row added to `full` at once? Not in the first round of a stage, where others
 * read that. */
static __device__ __forceinline__ bool gpu_is_direct(const gpu_closure &p, const gpu_matrix &m) {
    return m.direct && !p.count->aliased;
}

/* ---- nodes ---- */

static __device__ __forceinline__ uint32_t *gpu_node(const gpu_closure &p, uint32_t number) {
    return p.node + (uint64_t)number * GPU_LANES;
}

/* Takes a free node, whose words may have anything. By one thread; 0: there is none. */
static __device__ __forceinline__ uint32_t gpu_take_node(const gpu_closure &p) {
    gpu_closure_counters *c = p.count;
    uint32_t i = atomicAdd(&c->popped, 1);
    if (i < c->n_freed) return p.freed[c->n_freed - 1 - i];
    if (*(volatile uint32_t *)&c->bump < p.capacity) {
        uint32_t number = atomicAdd(&c->bump, 1);
        if (number < p.capacity) return number;
    }
    *(volatile uint32_t *)&c->halt = GPU_FULL;
    return 0;
}

/* The same by a warp. */
static __device__ __forceinline__ uint32_t gpu_warp_take_node(const gpu_closure &p) {
    uint32_t number = 0;
    if (gpu_lane() == 0) number = gpu_take_node(p);
    return __shfl_sync(GPU_ALL_LANES, number, 0);
}

/* Free nodes that a warp has at hand, those of lanes before n. All warps share the counters of free
 * nodes, so a warp takes many at once. */
struct gpu_hand {
    uint32_t node, n;
};

/* Has so many at hand, 32 at most; those that there are not are 0. */
static __device__ __forceinline__ void gpu_fill_hand(const gpu_closure &p, gpu_hand *h,
                                                     uint32_t n) {
    gpu_closure_counters *c = p.count;
    uint32_t wanted = GPU_LANES - h->n, first = 0, freed = 0, bump = 0;
    if (h->n >= n) return;
    if (gpu_lane() == 0) {
        first = atomicAdd(&c->popped, wanted);
        freed = first < c->n_freed ? min(wanted, c->n_freed - first) : 0;
        if (freed < wanted) bump = atomicAdd(&c->bump, wanted - freed);
        if (freed < wanted && bump + (wanted - freed) > p.capacity)
            *(volatile uint32_t *)&c->halt = GPU_FULL;
    }
    first = __shfl_sync(GPU_ALL_LANES, first, 0);
    freed = __shfl_sync(GPU_ALL_LANES, freed, 0);
    bump = __shfl_sync(GPU_ALL_LANES, bump, 0);
    if (gpu_lane() >= h->n) {
        uint32_t i = gpu_lane() - h->n, number = bump + (i - freed);
        h->node = number < p.capacity ? number : 0;
        if (i < freed) h->node = p.freed[c->n_freed - 1 - (first + i)];
    }
    h->n = GPU_LANES;
}

/* Node i of the hand, from its end; each lane may ask for another one. */
static __device__ __forceinline__ uint32_t gpu_hand_node(const gpu_hand &h, uint32_t i) {
    return __shfl_sync(GPU_ALL_LANES, h.node, (h.n - 1 - i) % GPU_LANES);
}

static __device__ __forceinline__ uint32_t gpu_take_from_hand(const gpu_closure &p, gpu_hand *h) {
    gpu_fill_hand(p, h, 1);
    uint32_t number = gpu_hand_node(*h, 0);
    h->n--;
    return number;
}

/* Nodes that a warp has at hand in the end are free after the round. */
static __device__ __forceinline__ void gpu_empty_hand(const gpu_closure &p, const gpu_hand &h) {
    bool has = gpu_lane() < h.n && h.node;
    uint32_t lanes = __ballot_sync(GPU_ALL_LANES, has), at = 0;
    if (!lanes) return;
    if (gpu_lane() == 0) at = atomicAdd(&p.count->n_lost, __popc(lanes));
    at = __shfl_sync(GPU_ALL_LANES, at, 0) + gpu_lanes_before(lanes);
    if (has && at < GPU_MOST_LOST) p.lost[at] = h.node;
}

/* Another thread was faster. */
static __device__ __forceinline__ void gpu_lose_node(const gpu_closure &p, uint32_t number) {
    uint32_t i = atomicAdd(&p.count->n_lost, 1);
    if (i < GPU_MOST_LOST) p.lost[i] = number;
}

/* The node at a place that other warps may fill at the same time, made if there is none. By a warp;
 * 0: there is no free node. */
static __device__ __forceinline__ uint32_t gpu_warp_child(const gpu_closure &p, uint32_t *place) {
    uint32_t number = 0;
    if (gpu_lane() == 0) number = *(volatile uint32_t *)place; /* or lanes may see different ones */
    number = __shfl_sync(GPU_ALL_LANES, number, 0);
    if (number) return number;
    uint32_t mine = gpu_warp_take_node(p);
    if (!mine) return 0;
    gpu_node(p, mine)[gpu_lane()] = 0;
    __threadfence();
    __syncwarp();
    if (gpu_lane() == 0) {
        number = atomicCAS(place, 0, mine);
        if (number) gpu_lose_node(p, mine);
    }
    number = __shfl_sync(GPU_ALL_LANES, number, 0);
    return number ? number : mine;
}

/* The same by one thread. */
static __device__ __forceinline__ uint32_t gpu_child(const gpu_closure &p, uint32_t *place) {
    uint32_t number = *(volatile uint32_t *)place;
    if (number) return number;
    uint32_t mine = gpu_take_node(p);
    if (!mine) return 0;
    for (uint32_t i = 0; i < GPU_LANES; i++) gpu_node(p, mine)[i] = 0;
    __threadfence();
    number = atomicCAS(place, 0, mine);
    if (number) gpu_lose_node(p, mine);
    return number ? number : mine;
}

/* ---- changed rows ---- */

/* Notes that the delta which is written has a bit of the row. By one thread. */
static __device__ __forceinline__ void gpu_note(const gpu_closure &p, const gpu_matrix &m,
                                                uint32_t u, uint32_t delta) {
    uint32_t row = m.first + u, bit = 1u << row % 32;
    uint32_t *word = &p.is_changed[delta][row / 32];
    if (*(volatile uint32_t *)word & bit) return;
    if (atomicOr(word, bit) & bit) return;
    p.changed[delta][atomicAdd(&p.count->n_changed[delta], 1)] = row;
    if (m.changed_at[delta]) {
        uint32_t v = m.vertex[u], leaf = v / GPU_LEAF_IDS;
        atomicOr(&m.changed_at[delta][v / 32], 1u << v % 32);
        atomicOr(&m.changed_leaf[delta][leaf / 32], 1u << leaf % 32);
    }
}

/* The word of a lane in the mask of a row, for a leaf. */
static __device__ __forceinline__ uint32_t gpu_mask_word(const gpu_matrix &m, uint32_t u,
                                                         uint32_t word) {
    if (!m.mask_of || !m.mask_of[u]) return GPU_ALL_LANES;
    if (word >= m.mask_words) return 0;
    return m.mask[(uint64_t)(m.mask_of[u] - 1) * m.mask_words + word];
}

/* ---- launching ---- */

/* What a stage has to do in its rounds. */
struct gpu_shape {
    int processors;
    bool unites, pairs, steps, scatters;
    uint32_t image_words; /* of shared memory, for the image of a row */
};

/* Each puts the kernels of its part of a round into the stream. */
void gpu_launch_next(const gpu_closure &p, cudaStream_t stream); /* the next list begins */
void gpu_launch_unite(const gpu_closure &p, const gpu_shape &shape, cudaStream_t stream);
void gpu_launch_pairs(const gpu_closure &p, const gpu_shape &shape, cudaStream_t stream);
void gpu_launch_steps(const gpu_closure &p, const gpu_shape &shape, cudaStream_t stream);
void gpu_launch_scatter(const gpu_closure &p, const gpu_shape &shape, cudaStream_t stream);
void gpu_launch_merge(const gpu_closure &p, const gpu_shape &shape, cudaStream_t stream);

/* Sets first bits, row << 32 | column each. */
void gpu_launch_seed(const gpu_closure &p, uint32_t matrix, const uint64_t *seed, uint64_t n,
                     cudaStream_t stream);
/* Frees the nodes of the delta that is read, and goes on to the next round. */
void gpu_launch_clear(const gpu_closure &p, const gpu_shape &shape, cudaStream_t stream);
/* Begins a stage: rows of the matrices that it reads are new. */
void gpu_launch_wake(const gpu_closure &p, const gpu_shape &shape, const uint8_t *reads,
                     cudaStream_t stream);
/* A round that was halted is to be done again, with so many nodes. */
void gpu_launch_resume(const gpu_closure &p, uint32_t capacity, cudaStream_t stream);
/* What a round that was halted has found is added to the rows, as far as there are nodes. */
void gpu_launch_rescue(const gpu_closure &p, const gpu_shape &shape, cudaStream_t stream);

#endif
