/* SPDX-License-Identifier: Apache-2.0
 *
 * image.cuh: the image of a row by edges between columns, made in shared memory.
 *
 * A warp takes a leaf of the row, and lists its bits: so lanes have neighbouring bits, whose edges
 * lie together, and no lane waits for another one that has a full word. A row of millions of
 * columns has its image made tile by tile: the first pass over the row notes which other tiles get
 * something.
 */
#ifndef CFLRI_GPU_IMAGE_CUH
#define CFLRI_GPU_IMAGE_CUH

#include "gpu/closure/closure.cuh"

enum {
    IMAGE_THREADS = 128,
    IMAGE_WARPS = IMAGE_THREADS / GPU_LANES,
    IMAGE_TILES = 32, /* that have a bit each; those behind share one */
};

struct image_shared {
    uint32_t item;
    uint32_t tiles;              /* that have something */
    uint32_t touched[GPU_LANES]; /* leaves of the tile that have something; a bit each */
    uint32_t full[GPU_LANES], fresh[GPU_LANES]; /* leaves of the chunk that is written */
    uint32_t news, made, grown;              /* of these: have new bits; are new; likewise full */
    uint16_t bit[IMAGE_WARPS][GPU_LEAF_IDS]; /* of the leaf that a warp looks at */
    uint32_t word[1];                        /* the tile, as many words as it has */
};

/* Which tile, and how many words one has. */
struct image_tile {
    uint32_t number, words;
};

static __device__ __forceinline__ bool image_has_tile(const image_shared *s, uint32_t tile) {
    return s->tiles >> (tile < IMAGE_TILES ? tile : IMAGE_TILES - 1) & 1;
}

/* Empties what a block shares. By the block, once. */
static __device__ __forceinline__ void image_begin(image_shared *s, uint32_t words) {
    for (uint32_t i = threadIdx.x; i < words; i += IMAGE_THREADS) s->word[i] = 0;
    if (threadIdx.x < GPU_LANES) s->touched[threadIdx.x] = 0;
}

static __device__ __forceinline__ void image_mark(image_shared *s, image_tile t, uint32_t column) {
    uint32_t word = column / 32, tile = word / t.words;
    if (tile == t.number) {
        uint32_t at = word - tile * t.words, leaf = at / GPU_LANES;
        atomicOr(&s->word[at], 1u << column % 32);
        if (!gpu_has_bit(s->touched, leaf)) atomicOr(&s->touched[leaf / 32], 1u << leaf % 32);
    } else {
        uint32_t bit = 1u << (tile < IMAGE_TILES ? tile : IMAGE_TILES - 1);
        if (!(s->tiles & bit)) atomicOr(&s->tiles, bit);
    }
}

/* Where the ones of the lanes before end. */
static __device__ __forceinline__ uint32_t image_before(uint32_t n, uint32_t *all) {
    uint32_t sum = n;
    for (uint32_t other = 1; other < GPU_LANES; other *= 2) {
        uint32_t more = __shfl_up_sync(GPU_ALL_LANES, sum, other);
        if (gpu_lane() >= other) sum += more;
    }
    *all = __shfl_sync(GPU_ALL_LANES, sum, GPU_LANES - 1);
    return sum - n;
}

/* Marks what the bits of a leaf lead to, by edges with the label. By a warp. */
static __device__ __forceinline__ void image_leaf(image_shared *s, image_tile t,
                                                  const gpu_edges &edges, uint32_t label,
                                                  uint32_t leaf, uint32_t word) {
    uint16_t *bit = s->bit[threadIdx.x / GPU_LANES];
    uint32_t all, at = image_before(__popc(word), &all);
    __syncwarp();
    for (; word; word &= word - 1) bit[at++] = (uint16_t)(gpu_lane() * 32 + __ffs(word) - 1);
    __syncwarp();
    for (uint32_t i = gpu_lane(); i < all; i += GPU_LANES) {
        gpu_range to = gpu_edges_with(edges, leaf * GPU_LEAF_IDS + bit[i], label);
        for (uint64_t e = to.at; e < to.end; e++) image_mark(s, t, edges.to[e]);
    }
}

/* The same of all leaves of a row. By the block. */
static __device__ __forceinline__ void image_row(const gpu_closure &p, image_shared *s,
                                                 image_tile t, const gpu_edges &edges,
                                                 uint32_t label, const uint32_t *root,
                                                 const gpu_matrix &m, uint32_t u) {
    uint64_t roots = gpu_roots_of(m, u);
    uint32_t warp = threadIdx.x / GPU_LANES, lane = gpu_lane(), seen = 0;
    for (uint32_t c = 0; c < m.chunks; c++) {
        uint32_t chunk = root[roots + c];
        if (!chunk) continue;
        uint32_t leaf = gpu_node(p, chunk)[lane];
        for (uint32_t there = __ballot_sync(GPU_ALL_LANES, leaf); there; there &= there - 1) {
            if (seen++ % IMAGE_WARPS != warp) continue;
            uint32_t i = __ffs(there) - 1, at = __shfl_sync(GPU_ALL_LANES, leaf, i);
            image_leaf(s, t, edges, label, c * GPU_LANES + i, gpu_node(p, at)[lane]);
        }
    }
}

/* Tiles are not looked at by slower threads any more, and the first one is to be made. */
static __device__ __forceinline__ void image_first_tile(image_shared *s) {
    __syncthreads();
    if (threadIdx.x == 0) s->tiles = 1;
    __syncthreads();
}

static __device__ __forceinline__ uint32_t image_tiles(const gpu_matrix &left, uint32_t words) {
    return (left.mask_words + words - 1) / words;
}

#endif
