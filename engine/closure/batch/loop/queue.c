/* SPDX-License-Identifier: Apache-2.0
 *
 * queue.c: a list for each rank, and a bit for each group of ranks that may have a node.
 *
 * A thread that puts a node links it first, and then makes sure that the bit is set. A thread that
 * takes nodes clears the bit first, and then takes the lists. So when a node is linked too late to
 * be taken, its bit is set again. A bit may be set although no node is left.
 */
#include "engine/closure/batch/loop/queue.h"

enum { GROUPS = 64 }; /* groups in a word of bits */

bool cflri_queue_begin(cflri_queue *queue, cflr_context *context, uint32_t n_ranks, bool shared) {
    uint32_t n_groups = n_ranks / CFLRI_QUEUE_GROUP + 1;
    size_t places = (size_t)n_groups * CFLRI_QUEUE_GROUP;
    cflri_queue_free(queue, context);
    queue->first = cflri_alloc_array_zero(context, places, sizeof *queue->first);
    queue->some = cflri_alloc_array_zero(context, n_groups / GROUPS + 1, sizeof *queue->some);
    if (!queue->first || !queue->some) return false;
    queue->n_groups = n_groups;
    queue->shared = shared;
    return true;
}

void cflri_queue_free(cflri_queue *queue, cflr_context *context) {
    cflri_free(context, (void *)queue->first);
    cflri_free(context, (void *)queue->some);
    *queue = (cflri_queue){0};
}

static uint64_t bit_of(uint32_t group) {
    return UINT64_C(1) << group % GROUPS;
}

void cflri_queue_put(cflri_queue *queue, uint32_t rank, uint32_t node, uint32_t *link) {
    uint32_t group = rank / CFLRI_QUEUE_GROUP;
    _Atomic uint32_t *first = &queue->first[rank];
    _Atomic uint64_t *some = &queue->some[group / GROUPS];
    uint32_t before = *link = atomic_load_explicit(first, memory_order_relaxed);
    if (!queue->shared) {
        uint64_t bits = atomic_load_explicit(some, memory_order_relaxed);
        atomic_store_explicit(first, node + 1, memory_order_relaxed);
        atomic_store_explicit(some, bits | bit_of(group), memory_order_relaxed);
        return;
    }
    while (!atomic_compare_exchange_weak(first, &before, node + 1)) *link = before;
    if (!(atomic_load(some) & bit_of(group))) atomic_fetch_or(some, bit_of(group));
}

uint32_t cflri_queue_next(const cflri_queue *queue, uint32_t group, uint32_t end) {
    while (group < end) {
        uint64_t bits = atomic_load_explicit(&queue->some[group / GROUPS], memory_order_relaxed);
        bits >>= group % GROUPS;
        if (bits) {
            group += (uint32_t)__builtin_ctzll(bits);
            return group < end ? group : end;
        }
        group += GROUPS - group % GROUPS;
    }
    return end;
}

void cflri_queue_open(cflri_queue *queue, uint32_t group) {
    _Atomic uint64_t *some = &queue->some[group / GROUPS];
    if (queue->shared) {
        atomic_fetch_and(some, ~bit_of(group));
    } else {
        uint64_t bits = atomic_load_explicit(some, memory_order_relaxed);
        atomic_store_explicit(some, bits & ~bit_of(group), memory_order_relaxed);
    }
}

uint32_t cflri_queue_take(cflri_queue *queue, uint32_t rank) {
    _Atomic uint32_t *first = &queue->first[rank];
    uint32_t taken = atomic_load(first);
    if (!taken) return 0;
    if (queue->shared) return atomic_exchange(first, 0);
    atomic_store_explicit(first, 0, memory_order_relaxed);
    return taken;
}
