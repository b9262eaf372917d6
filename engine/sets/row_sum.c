/* SPDX-License-Identifier: Apache-2.0
 *
 * row_sum.c: collects ids into a set.
 */
#include "engine/sets/row_sum.h"

#include <string.h>

#include "base/context.h"

/* ---- kernels ---- */

typedef uint32_t kernel_of_count(const cflri_bit_block *block);

static inline __attribute__((always_inline)) uint32_t count_bits(const cflri_bit_block *block) {
    uint64_t n = 0;
    for (int w = 0; w < CFLRI_BLOCK_WORDS; w++) n += (uint64_t)__builtin_popcountll(block->word[w]);
    return (uint32_t)n;
}

/* Compiles the kernel for one kind of processor. */
#define KERNEL(name, target)                                    \
    target static uint32_t name(const cflri_bit_block *block) { \
        return count_bits(block);                               \
    }

KERNEL(count_plain, )
#ifdef __x86_64__
KERNEL(count_avx2, __attribute__((target("avx2,popcnt"))))
KERNEL(count_avx512, __attribute__((target("avx512f,avx512vpopcntdq,popcnt"))))
#endif

static kernel_of_count *count_for(cflri_row_kernel kernel) {
#ifdef __x86_64__
    bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vpopcntdq");
    bool avx2 = __builtin_cpu_supports("avx2");
    bool best = kernel == CFLRI_KERNEL_BEST;
    if (avx512 && (best || kernel == CFLRI_KERNEL_AVX512)) return count_avx512;
    if (avx2 && kernel != CFLRI_KERNEL_PLAIN) return count_avx2;
#else
    (void)kernel;
#endif
    return count_plain;
}

/* ---- sums ---- */

bool cflri_row_sum_init(cflri_row_sum *sum, cflr_context *context, uint32_t universe,
                        cflri_row_kernel kernel) {
    uint32_t blocks = universe / CFLRI_BLOCK_IDS + 1, words = blocks / 64 + 1;
    *sum =
        (cflri_row_sum){.context = context,
                        .count = count_for(kernel),
                        .block = cflri_alloc_array_zero(context, blocks, sizeof(cflri_bit_block)),
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

void cflri_row_sum_add(cflri_row_sum *sum, const uint32_t *ids, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) cflri_row_sum_add_id(sum, ids[i]);
}

void cflri_row_sum_add_block(cflri_row_sum *sum, uint32_t block, const uint64_t *word,
                             size_t stride) {
    uint64_t some = 0, *to = sum->block[block].word;
    for (uint32_t w = 0; w < CFLRI_BLOCK_WORDS; w++) {
        some |= word[w * stride];
        to[w] |= word[w * stride];
    }
    if (some) touch(sum, block);
}

/* For each block that was touched, `key` is its number. */
#define EACH_TOUCHED(sum, key)                                                     \
    for (uint32_t word_ = (sum)->low, key; word_ < (sum)->high; word_++)           \
        for (uint64_t left_ = (sum)->touched[word_];                               \
             left_ && (key = word_ * 64 + (uint32_t)__builtin_ctzll(left_), true); \
             left_ &= left_ - 1)

cflri_row_extent cflri_row_sum_extent(const cflri_row_sum *sum) {
    cflri_row_extent extent = {0};
    EACH_TOUCHED(sum, key) {
        if (!extent.blocks++) extent.first = key;
        extent.last = key;
        extent.n += sum->count(&sum->block[key]);
    }
    return extent;
}

void cflri_row_sum_clear(cflri_row_sum *sum) {
    EACH_TOUCHED(sum, key) memset(&sum->block[key], 0, sizeof sum->block[key]);
    if (sum->low < sum->high) {
        memset(sum->touched + sum->low, 0, (sum->high - sum->low) * sizeof *sum->touched);
    }
    sum->low = sum->n_words;
    sum->high = 0;
}

void cflri_row_sum_write(cflri_row_sum *sum, uint32_t *id) {
    EACH_TOUCHED(sum, key) {
        for (uint32_t w = 0; w < CFLRI_BLOCK_WORDS; w++) {
            uint32_t base = key * CFLRI_BLOCK_IDS + w * 64;
            for (uint64_t left = sum->block[key].word[w]; left; left &= left - 1) {
                *id++ = base + (uint32_t)__builtin_ctzll(left);
            }
        }
    }
    cflri_row_sum_clear(sum);
}

/* Was a block touched in this part of the level? */
static bool is_touched(const cflri_row_sum *sum, uint32_t level, uint32_t key) {
    uint32_t bits = CFLRI_BRANCH_BITS * level, first = key << bits;
    if (bits < 6) {
        uint64_t some = ((uint64_t)1 << (1u << bits)) - 1;
        uint32_t word = first / 64;
        return word < sum->n_words && sum->touched[word] >> first % 64 & some;
    }
    uint32_t begin = first / 64, end = begin + (1u << (bits - 6));
    if (begin < sum->low) begin = sum->low;
    if (end > sum->high) end = sum->high;
    while (begin < end && !sum->touched[begin]) begin++;
    return begin < end;
}

/* Makes the node of this part. The recursion is as deep as the tree. */
static uint32_t take_node(const cflri_row_sum *sum, cflri_radix_hand *hand, uint32_t level,
                          uint32_t key) {
    if (!is_touched(sum, level, key)) return 0;
    if (!level) return cflri_radix_tree_leaf(hand, sum->block[key].word);
    cflri_radix_node made = {.level = level & 0xff};
    for (uint32_t c = 0; c < CFLRI_BRANCHES; c++) {
        uint32_t child = take_node(sum, hand, level - 1, key * CFLRI_BRANCHES + c);
        if (child == CFLRI_NO_RADIX_NODE) return child;
        cflri_radix_tree_put_child(hand->trees, &made, c, child);
    }
    return cflri_radix_tree_inner(hand, &made);
}

bool cflri_row_sum_take(cflri_row_sum *sum, cflri_pool *pool, cflri_radix_hand *hand,
                        cflri_row *row) {
    cflri_row_extent extent = cflri_row_sum_extent(sum);
    bool made;
    if (cflri_row_is_tree(extent.n, extent.blocks)) {
        cflri_radix_tree tree = cflri_radix_tree_over(extent.first, extent.last);
        tree.node = take_node(sum, hand, tree.level, tree.key);
        made = cflri_row_of_tree(pool, hand->trees, tree, row);
    } else {
        made = cflri_row_make(pool, extent.n, row);
        if (made) cflri_row_sum_write(sum, cflri_row_room(row));
    }
    cflri_row_sum_clear(sum);
    return made;
}
