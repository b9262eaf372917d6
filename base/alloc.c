/* SPDX-License-Identifier: Apache-2.0
 *
 * alloc.c: counted memory.
 *
 *     [ size : 8 | unused : 8 ][ the block that the caller sees ... ]
 *
 * The count is claimed before the block is asked for and released when that fails, so the sum over
 * all threads never passes the limit. Relaxed order suffices: the count guards no other memory.
 */
#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#ifdef __linux__
#include <sys/mman.h>
#endif

#include "base/context.h"

typedef struct header {
    size_t size;
    size_t unused; /* keeps the block aligned to 16 */
} header;

_Static_assert(sizeof(header) == 16, "blocks must stay aligned to 16 bytes");

/* Notes whether the limit or the system refused memory last: an error will say which. */
static void note_refusal(cflr_context *context, bool by_limit) {
    atomic_store_explicit(&context->limit_hit, by_limit, memory_order_relaxed);
}

static bool claim(cflr_context *context, uint64_t size) {
    uint64_t before = atomic_fetch_add_explicit(&context->memory, size, memory_order_relaxed);
    if (before + size <= context->memory_limit) return true;
    atomic_fetch_sub_explicit(&context->memory, size, memory_order_relaxed);
    note_refusal(context, true);
    return false;
}

/* After a claim that the allocator honoured: a request that fails is no peak. */
static void note_peak(cflr_context *context) {
    uint64_t now = atomic_load_explicit(&context->memory, memory_order_relaxed);
    uint64_t peak = atomic_load_explicit(&context->memory_peak, memory_order_relaxed);
    while (now > peak &&
           !atomic_compare_exchange_weak_explicit(&context->memory_peak, &peak, now,
                                                  memory_order_relaxed, memory_order_relaxed)) {
    }
}

static void give_back(cflr_context *context, uint64_t size) {
    atomic_fetch_sub_explicit(&context->memory, size, memory_order_relaxed);
}

/* Large blocks are read in no order, mostly: with large pages it costs less to find their pages,
 * and to get them in the first place. Not while little memory is in use: then they would only take
 * more of it.
 *
 * All pages of the block have the hint, those at its ends too: a mapping of which a part is unlike
 * the rest cannot be moved as one, and growing such a block would copy it. */
static void hint_large_pages(const cflr_context *context, void *block, size_t size) {
#ifdef MADV_HUGEPAGE
    enum { PAGE = 4096, LARGE_PAGE = 1 << 21, WORTH = 64 << 20 };
    if (size < LARGE_PAGE || !context->default_allocator) return;
    if (cflr_context_memory(context) < WORTH) return;
    uintptr_t begin = (uintptr_t)block & -(uintptr_t)PAGE;
    uintptr_t end = ((uintptr_t)block + size + PAGE - 1) & -(uintptr_t)PAGE;
    madvise((void *)begin, end - begin, MADV_HUGEPAGE); /* a hint: it may be refused */
#else
    (void)context;
    (void)block;
    (void)size;
#endif
}

static void *allocate(cflr_context *context, size_t size, bool zero) {
    if (size > SIZE_MAX / 2) return NULL;
    size_t whole = size + sizeof(header);
    if (!claim(context, whole)) return NULL;
    header *block;
    if (zero && context->default_allocator) {
        block = calloc(1, whole);
    } else {
        block = context->allocator.allocate(context->allocator.user, whole);
        if (block && zero) memset(block, 0, whole);
    }
    if (!block) {
        give_back(context, whole);
        note_refusal(context, false);
        return NULL;
    }
    note_peak(context);
    hint_large_pages(context, block, whole);
    block->size = whole;
    return block + 1;
}

void *cflri_alloc(cflr_context *context, size_t size) {
    return allocate(context, size, false);
}

void *cflri_alloc_zero(cflr_context *context, size_t size) {
    return allocate(context, size, true);
}

void *cflri_alloc_array(cflr_context *context, size_t count, size_t size) {
    if (size && count > SIZE_MAX / 2 / size) return NULL;
    return allocate(context, count * size, false);
}

void *cflri_alloc_array_zero(cflr_context *context, size_t count, size_t size) {
    if (size && count > SIZE_MAX / 2 / size) return NULL;
    return allocate(context, count * size, true);
}

void *cflri_realloc(cflr_context *context, void *block, size_t size) {
    if (!block) return cflri_alloc(context, size);
    if (size > SIZE_MAX / 2) return NULL;
    header *old = (header *)block - 1;
    size_t before = old->size;
    size_t whole = size + sizeof(header);
    if (whole > before && !claim(context, whole - before)) return NULL;
    header *moved = context->allocator.reallocate(context->allocator.user, old, whole);
    if (!moved) {
        if (whole > before) give_back(context, whole - before);
        note_refusal(context, false);
        return NULL;
    }
    if (whole < before) give_back(context, before - whole);
    if (whole > before) {
        note_peak(context);
        hint_large_pages(context, moved, whole);
    }
    moved->size = whole;
    return moved + 1;
}

void cflri_free(cflr_context *context, void *block) {
    if (!block) return;
    header *head = (header *)block - 1;
    give_back(context, head->size);
    context->allocator.release(context->allocator.user, head);
}

size_t cflri_block_bytes(const void *block) {
    return block ? ((const header *)block - 1)->size : 0;
}

void cflri_return_pages(const cflr_context *context) {
#ifdef __GLIBC__
    if (context->default_allocator) malloc_trim(0);
#else
    (void)context;
#endif
}

char *cflri_copy_text(cflr_context *context, const char *text, size_t length) {
    char *copy = cflri_alloc(context, length + 1);
    if (!copy) return NULL;
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

bool cflri_claim(cflr_context *context, uint64_t bytes) {
    bool claimed = claim(context, bytes);
    if (claimed) note_peak(context);
    return claimed;
}

void cflri_unclaim(cflr_context *context, uint64_t bytes) {
    give_back(context, bytes);
}
