/* SPDX-License-Identifier: Apache-2.0
 *
 * row_sum.c: where rows are added up.
 */
#include "base/row_sum.h"

#include <string.h>

#include "base/context.h"

/* ---- kernels: n blocks, of which block i goes to all[key[i]] ---- */

typedef struct cflri_row_kernels {
    void (*add)(cflri_block *all, const uint32_t *key, const cflri_block *block, uint32_t n);
    void (*remove)(cflri_block *all, const uint32_t *key, const cflri_block *block, uint32_t n);
    uint32_t (*count)(const cflri_block *block);
} kernels;

#define INLINE static inline __attribute__((always_inline))

INLINE void add_blocks(cflri_block *all, const uint32_t *key, const cflri_block *block,
                       uint32_t n) {
    for (uint32_t b = 0; b < n; b++) {
        uint64_t *to = all[key[b]].word;
        for (int w = 0; w < CFLRI_BLOCK_WORDS; w++) to[w] |= block[b].word[w];
    }
}

INLINE void remove_blocks(cflri_block *all, const uint32_t *key, const cflri_block *block,
                          uint32_t n) {
    for (uint32_t b = 0; b < n; b++) {
        uint64_t *to = all[key[b]].word;
        for (int w = 0; w < CFLRI_BLOCK_WORDS; w++) to[w] &= ~block[b].word[w];
    }
}

INLINE uint32_t count_bits(const cflri_block *block) {
    uint64_t n = 0;
    for (int w = 0; w < CFLRI_BLOCK_WORDS; w++) n += (uint64_t)__builtin_popcountll(block->word[w]);
    return (uint32_t)n;
}

/* The three for one kind of processor. */
#define KERNELS(name, target)                                                                      \
    target static void add_##name(cflri_block *all, const uint32_t *key, const cflri_block *block, \
                                  uint32_t n) {                                                    \
        add_blocks(all, key, block, n);                                                            \
    }                                                                                              \
    target static void remove_##name(cflri_block *all, const uint32_t *key,                        \
                                     const cflri_block *block, uint32_t n) {                       \
        remove_blocks(all, key, block, n);                                                         \
    }                                                                                              \
    target static uint32_t count_##name(const cflri_block *block) {                                \
        return count_bits(block);                                                                  \
    }                                                                                              \
    static const kernels kernels_##name = {add_##name, remove_##name, count_##name}

KERNELS(plain, );
#ifdef __x86_64__
KERNELS(avx2, __attribute__((target("avx2,popcnt"))));
KERNELS(avx512, __attribute__((target("avx512f,avx512vpopcntdq,popcnt"))));
#endif

static const kernels *kernels_for(cflri_row_kernel kernel) {
#ifdef __x86_64__
    bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vpopcntdq");
    bool avx2 = __builtin_cpu_supports("avx2");
    bool best = kernel == CFLRI_KERNEL_BEST;
    if (avx512 && (best || kernel == CFLRI_KERNEL_AVX512)) return &kernels_avx512;
    if (avx2 && kernel != CFLRI_KERNEL_PLAIN) return &kernels_avx2;
#else
    (void)kernel;
#endif
    return &kernels_plain;
}

/* ---- sums ---- */

bool cflri_row_sum_init(cflri_row_sum *sum, cflr_context *context, uint32_t universe,
                        cflri_row_kernel kernel) {
    uint32_t blocks = universe / CFLRI_BLOCK_IDS + 1, words = blocks / 64 + 1;
    *sum = (cflri_row_sum){.context = context,
                           .kernels = kernels_for(kernel),
                           .block = cflri_alloc_array_zero(context, blocks, sizeof(cflri_block)),
                           .touched = cflri_alloc_array_zero(context, words, sizeof(uint64_t)),
                           .n_words = words,
                           .low = words};
    return sum->block && sum->touched;
}

void cflri_row_sum_free(cflri_row_sum *sum) {
    if (!sum->context) return;
    cflri_free(sum->context, sum->block);
    cflri_free(sum->context, sum->touched);
    *sum = (cflri_row_sum){0};
}

static inline void touch(cflri_row_sum *sum, uint32_t block) {
    uint32_t word = block / 64;
    sum->touched[word] |= (uint64_t)1 << block % 64;
    if (word < sum->low) sum->low = word;
    if (word >= sum->high) sum->high = word + 1;
}

void cflri_row_sum_add_id(cflri_row_sum *sum, uint32_t id) {
    uint32_t block = id / CFLRI_BLOCK_IDS, bit = id % CFLRI_BLOCK_IDS;
    sum->block[block].word[bit / 64] |= (uint64_t)1 << bit % 64;
    touch(sum, block);
}

void cflri_row_sum_add(cflri_row_sum *sum, const cflri_row *row) {
    if (row->shape == CFLRI_ROW_BLOCKS) {
        sum->kernels->add(sum->block, row->keys, row->blocks, row->n_blocks);
        for (uint32_t k = 0; k < row->n_blocks; k++) touch(sum, row->keys[k]);
        return;
    }
    const uint32_t *ids = cflri_row_ids(row);
    for (uint32_t i = 0; i < row->n; i++) cflri_row_sum_add_id(sum, ids[i]);
}

void cflri_row_sum_remove(cflri_row_sum *sum, const cflri_row *row) {
    if (row->shape == CFLRI_ROW_BLOCKS) {
        sum->kernels->remove(sum->block, row->keys, row->blocks, row->n_blocks);
        return;
    }
    const uint32_t *ids = cflri_row_ids(row);
    for (uint32_t i = 0; i < row->n; i++) {
        uint32_t bit = ids[i] % CFLRI_BLOCK_IDS;
        sum->block[ids[i] / CFLRI_BLOCK_IDS].word[bit / 64] &= ~((uint64_t)1 << bit % 64);
    }
}

/* For each block that was touched, `key` its number. */
#define EACH_TOUCHED(sum, key)                                                     \
    for (uint32_t word_ = (sum)->low, key; word_ < (sum)->high; word_++)           \
        for (uint64_t left_ = (sum)->touched[word_];                               \
             left_ && (key = word_ * 64 + (uint32_t)__builtin_ctzll(left_), true); \
             left_ &= left_ - 1)

uint32_t cflri_row_sum_count(const cflri_row_sum *sum, uint32_t *blocks) {
    uint32_t n = 0;
    *blocks = 0;
    EACH_TOUCHED(sum, key) {
        uint32_t here = sum->kernels->count(&sum->block[key]);
        n += here;
        *blocks += here > 0;
    }
    return n;
}

void cflri_row_sum_clear(cflri_row_sum *sum) {
    EACH_TOUCHED(sum, key) memset(&sum->block[key], 0, sizeof sum->block[key]);
    if (sum->low < sum->high) {
        memset(sum->touched + sum->low, 0, (sum->high - sum->low) * sizeof *sum->touched);
    }
    sum->low = sum->n_words;
    sum->high = 0;
}

static void take_blocks(const cflri_row_sum *sum, cflri_row *row) {
    uint32_t at = 0;
    EACH_TOUCHED(sum, key) {
        uint64_t any = 0;
        for (int w = 0; w < CFLRI_BLOCK_WORDS; w++) any |= sum->block[key].word[w];
        if (!any) continue;
        row->keys[at] = key;
        row->blocks[at++] = sum->block[key];
    }
}

static void take_ids(const cflri_row_sum *sum, uint32_t *id) {
    EACH_TOUCHED(sum, key) {
        for (uint32_t w = 0; w < CFLRI_BLOCK_WORDS; w++) {
            uint32_t base = key * CFLRI_BLOCK_IDS + w * 64;
            for (uint64_t left = sum->block[key].word[w]; left; left &= left - 1) {
                *id++ = base + (uint32_t)__builtin_ctzll(left);
            }
        }
    }
}

bool cflri_row_sum_take(cflri_row_sum *sum, cflri_pool *pool, cflri_row *row) {
    uint32_t blocks, n = cflri_row_sum_count(sum, &blocks);
    bool made = cflri_row_make(pool, n, blocks, row);
    if (made && row->shape == CFLRI_ROW_BLOCKS) {
        take_blocks(sum, row);
    } else if (made) {
        take_ids(sum, row->shape == CFLRI_ROW_FEW ? row->few : row->list);
    }
    cflri_row_sum_clear(sum);
    return made;
}
