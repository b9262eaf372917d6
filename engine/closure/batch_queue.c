/* SPDX-License-Identifier: Apache-2.0
 *
 * batch_queue.c: lists by rank, and a bit for each that tells where to look.
 *
 * Who puts a node links it, then sets the bit; who takes clears the bit, then takes the list. So a node that is
 * linked too late to be taken has its bit set again. A bit may be set where nothing is left.
 */
#include "engine/closure/batch_queue.h"

static size_t words(uint32_t n_ranks) {
    return (size_t)n_ranks / 64 + 1;
}

bool cflri_queue_begin(cflri_queue *queue, cflr_context *context, uint32_t n_ranks, bool shared) {
    cflri_queue_free(queue, context);
    queue->first = cflri_alloc_array_zero(context, (size_t)n_ranks + 1, sizeof *queue->first);
    queue->some = cflri_alloc_array_zero(context, words(n_ranks), sizeof *queue->some);
    if (!queue->first || !queue->some) return false;
    queue->n_ranks = n_ranks;
    queue->shared = shared;
    return true;
}

void cflri_queue_free(cflri_queue *queue, cflr_context *context) {
    cflri_free(context, (void *)queue->first);
    cflri_free(context, (void *)queue->some);
    *queue = (cflri_queue){0};
}

static uint64_t bit_of(uint32_t rank) {
    return UINT64_C(1) << rank % 64;
}

void cflri_queue_put(cflri_queue *queue, uint32_t rank, uint32_t node, uint32_t *link) {
    _Atomic uint32_t *first = &queue->first[rank];
    _Atomic uint64_t *some = &queue->some[rank / 64];
    uint32_t before = *link = atomic_load_explicit(first, memory_order_relaxed);
    if (!queue->shared) {
        uint64_t bits = atomic_load_explicit(some, memory_order_relaxed);
        atomic_store_explicit(first, node + 1, memory_order_relaxed);
        atomic_store_explicit(some, bits | bit_of(rank), memory_order_relaxed);
        return;
    }
    while (!atomic_compare_exchange_weak(first, &before, node + 1)) *link = before;
    atomic_fetch_or(some, bit_of(rank));
}

uint32_t cflri_queue_take(cflri_queue *queue, uint32_t rank) {
    _Atomic uint32_t *first = &queue->first[rank];
    _Atomic uint64_t *some = &queue->some[rank / 64];
    if (!queue->shared) {
        uint64_t bits = atomic_load_explicit(some, memory_order_relaxed);
        uint32_t taken = atomic_load_explicit(first, memory_order_relaxed);
        atomic_store_explicit(first, 0, memory_order_relaxed);
        atomic_store_explicit(some, bits & ~bit_of(rank), memory_order_relaxed);
        return taken;
    }
    atomic_fetch_and(some, ~bit_of(rank));
    return atomic_exchange(first, 0);
}

uint32_t cflri_queue_next(const cflri_queue *queue, uint32_t rank, uint32_t end) {
    while (rank < end) {
        uint64_t bits = atomic_load_explicit(&queue->some[rank / 64], memory_order_relaxed);
        bits >>= rank % 64;
        if (bits) {
            rank += (uint32_t)__builtin_ctzll(bits);
            return rank < end ? rank : end;
        }
        rank += 64 - rank % 64;
    }
    return end;
}
