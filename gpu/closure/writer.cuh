/* SPDX-License-Identifier: Apache-2.0
 *
 * writer.cuh: a warp that adds to a row.
 *
 * A row that has no other writer meanwhile has a gpu_writer. This has one chunk of the row at a
 * time; a lane has the leaves of its own number. Several leaves are added to at once: their words
 * are read together, so that a warp waits for memory a few times only. The nodes that they need
 * come from the warp's hand.
 */
#ifndef CFLRI_GPU_WRITER_CUH
#define CFLRI_GPU_WRITER_CUH

#include "gpu/closure/closure.cuh"

enum { GPU_WRITES = 8 }; /* leaves that are added to at once, at most */

struct gpu_writer {
    const gpu_matrix *m;
    uint32_t u, chunk, delta;
    uint64_t place;      /* of the roots */
    uint32_t full_root;  /* nodes of the chunk, or 0 */
    uint32_t fresh_root; /* the same in the delta that is written */
    uint32_t full;       /* the lane's leaf, or 0 */
    uint32_t fresh;      /* the same in the delta */
    bool direct;         /* what is new is added to `full`, too */
    bool grows, writes;  /* a leaf is new in `full`; the delta is written */
};

static __device__ __forceinline__ gpu_writer gpu_begin_chunk(const gpu_closure &p,
                                                             const gpu_matrix &m, uint32_t u,
                                                             uint32_t chunk) {
    gpu_writer w = {};
    w.m = &m;
    w.u = u;
    w.chunk = chunk;
    w.delta = gpu_write(p, m);
    w.place = gpu_roots_of(m, u) + chunk;
    w.full_root = p.full[w.place];
    w.fresh_root = p.delta[w.delta][w.place];
    w.full = w.full_root ? gpu_node(p, w.full_root)[gpu_lane()] : 0;
    w.fresh = w.fresh_root ? gpu_node(p, w.fresh_root)[gpu_lane()] : 0;
    w.direct = gpu_is_direct(p, m);
    return w;
}

/* Finds nodes for leaves with new bits, and for the chunks above them. Returns which of them are
 * new in the delta, and in `full`. A leaf without a node in the delta has none in `full`, so that
 * nothing is there that the delta has not. */
static __device__ __forceinline__ uint2 gpu_find_nodes(const gpu_closure &p, gpu_hand *h,
                                                       gpu_writer *w, uint32_t news) {
    uint32_t made = news & ~__ballot_sync(GPU_ALL_LANES, w->fresh);
    uint32_t grown = w->direct ? news & ~__ballot_sync(GPU_ALL_LANES, w->full) : 0;
    uint32_t roots = !w->fresh_root + (w->direct && !w->full_root), lane = gpu_lane();
    uint32_t n = roots + __popc(made) + __popc(grown);
    gpu_fill_hand(p, h, n);
    uint32_t root = gpu_hand_node(*h, 0), other = gpu_hand_node(*h, roots - 1);
    uint32_t fresh = gpu_hand_node(*h, roots + gpu_lanes_before(made));
    uint32_t full = gpu_hand_node(*h, roots + __popc(made) + gpu_lanes_before(grown));
    h->n -= n;
    if (!w->fresh_root) w->fresh_root = root;
    if (w->direct && !w->full_root) w->full_root = other;
    if (!w->fresh_root) return {0, 0};
    if (made >> lane & 1) w->fresh = fresh;
    if (grown >> lane & 1 && w->fresh && w->full_root) w->full = full;
    w->writes = true;
    w->grows |= grown && w->full_root;
    return {made, grown};
}

static __device__ __forceinline__ void gpu_add_word(const gpu_closure &p, uint32_t node,
                                                    bool is_empty, uint32_t word) {
    uint32_t *to = gpu_node(p, node) + gpu_lane();
    *to = is_empty ? word : *to | word;
}

/* Adds a word a lane to each of these leaves of the chunk, GPU_WRITES at most; word[k] is for the
 * k-th of them. */
static __device__ __forceinline__ void gpu_put_leaves(const gpu_closure &p, gpu_hand *h,
                                                      gpu_writer *w, uint32_t leaves,
                                                      uint32_t (&word)[GPU_WRITES]) {
    uint32_t lane = gpu_lane(), news = 0, left = leaves, old[GPU_WRITES];
#pragma unroll
    for (uint32_t k = 0; k < GPU_WRITES; k++, left &= left - 1) {
        uint32_t node = __shfl_sync(GPU_ALL_LANES, w->full, left ? __ffs(left) - 1 : 0);
        old[k] = left && node ? gpu_node(p, node)[lane] : 0;
    }
    left = leaves;
#pragma unroll
    for (uint32_t k = 0; k < GPU_WRITES; k++, left &= left - 1) {
        if (!left) continue;
        uint32_t i = __ffs(left) - 1, leaf = w->chunk * GPU_LANES + i;
        word[k] &= ~old[k] & gpu_mask_word(*w->m, w->u, leaf * GPU_LANES + lane);
        if (__any_sync(GPU_ALL_LANES, word[k])) news |= 1u << i;
    }
    if (!news) return;
    uint2 empty = gpu_find_nodes(p, h, w, news);
    if (!w->fresh_root) return;
    left = leaves;
#pragma unroll
    for (uint32_t k = 0; k < GPU_WRITES; k++, left &= left - 1) {
        uint32_t i = left ? __ffs(left) - 1 : 0;
        uint32_t fresh = __shfl_sync(GPU_ALL_LANES, w->fresh, i);
        uint32_t full = __shfl_sync(GPU_ALL_LANES, w->full, i);
        if (!left || !(news >> i & 1) || !fresh) continue;
        gpu_add_word(p, fresh, empty.x >> i & 1, word[k]);
        if (w->direct && full) gpu_add_word(p, full, empty.y >> i & 1, word[k]);
    }
}

static __device__ __forceinline__ void gpu_end_chunk(const gpu_closure &p, const gpu_writer &w) {
    if (!w.writes) return;
    gpu_node(p, w.fresh_root)[gpu_lane()] = w.fresh;
    if (w.grows) gpu_node(p, w.full_root)[gpu_lane()] = w.full;
    if (gpu_lane()) return;
    p.delta[w.delta][w.place] = w.fresh_root;
    if (w.grows) p.full[w.place] = w.full_root;
    gpu_note(p, *w.m, w.u, w.delta);
}

/* ---- leaves ---- */

/* The union of leaf i of n chunks, a word a lane. By a warp. */
static __device__ __forceinline__ uint32_t gpu_unite_leaf(const gpu_closure &p,
                                                          const uint32_t *chunk, uint32_t n,
                                                          uint32_t i) {
    enum { AT_ONCE = 8 }; /* leaves that are read at once */
    uint32_t lane = gpu_lane(), word = 0;
    for (uint32_t at = 0; at < n; at += GPU_LANES) {
        uint32_t leaf = at + lane < n ? gpu_node(p, chunk[at + lane])[i] : 0;
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

/* ---- many writers ---- */

/* Adds a word a lane to a leaf of a row that others may add to. By a warp. */
static __device__ __forceinline__ void gpu_put_shared_leaf(const gpu_closure &p,
                                                           const gpu_matrix &m, uint32_t u,
                                                           uint32_t number, uint32_t word) {
    uint32_t lane = gpu_lane(), delta = gpu_write(p, m), i = number % GPU_LANES;
    uint64_t place = gpu_roots_of(m, u) + number / GPU_LANES;
    uint32_t full = p.full[place], leaf = full ? gpu_node(p, full)[i] : 0;
    if (leaf) word &= ~gpu_node(p, leaf)[lane];
    word &= gpu_mask_word(m, u, number * GPU_LANES + lane);
    if (!__any_sync(GPU_ALL_LANES, word)) return;
    uint32_t chunk = gpu_warp_child(p, &p.delta[delta][place]);
    uint32_t to = chunk ? gpu_warp_child(p, &gpu_node(p, chunk)[i]) : 0;
    if (!to) return;
    if (word) atomicOr(&gpu_node(p, to)[lane], word);
    if (lane == 0) gpu_note(p, m, u, delta);
    if (!gpu_is_direct(p, m)) return;
    full = gpu_warp_child(p, &p.full[place]);
    leaf = full ? gpu_warp_child(p, &gpu_node(p, full)[i]) : 0;
    if (leaf && word) atomicOr(&gpu_node(p, leaf)[lane], word);
}

#endif
