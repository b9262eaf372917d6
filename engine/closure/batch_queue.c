/* SPDX-License-Identifier: Apache-2.0
 *
 * batch_queue.c: room for ranks, and the search for the least, which goes on where it has been.
 */
#include "engine/closure/batch_queue.h"

static void empty(cflri_queue *queue, uint32_t wave) {
    uint32_t rank;
    while ((rank = cflri_queue_least(queue, wave)) != CFLRI_NO_RANK) {
        cflri_queue_take(queue, wave, rank);
    }
}

bool cflri_queue_begin(cflri_queue *queue, cflr_context *context, uint32_t n_ranks) {
    if (n_ranks <= queue->n_ranks) {
        empty(queue, 0);
        empty(queue, 1);
        return true;
    }
    cflri_queue_free(queue, context);
    bool begun = true;
    for (int i = 0; i < 2; i++) {
        queue->first[i] = cflri_alloc_array_zero(context, n_ranks, sizeof *queue->first[i]);
        queue->some[i] = cflri_alloc_array_zero(context, n_ranks / 64 + 1, sizeof *queue->some[i]);
        begun &= queue->first[i] && queue->some[i];
    }
    queue->n_ranks = begun ? n_ranks : 0;
    return begun;
}

void cflri_queue_free(cflri_queue *queue, cflr_context *context) {
    for (int i = 0; i < 2; i++) {
        cflri_free(context, queue->first[i]);
        cflri_free(context, queue->some[i]);
    }
    *queue = (cflri_queue){0};
}

uint32_t cflri_queue_least(cflri_queue *queue, uint32_t wave) {
    const uint64_t *some = queue->some[wave & 1];
    uint32_t *low = &queue->low[wave & 1];
    while (*low < queue->n_ranks) {
        uint64_t bits = some[*low / 64] >> *low % 64;
        if (bits) return *low += (uint32_t)__builtin_ctzll(bits);
        *low += 64 - *low % 64;
    }
    return CFLRI_NO_RANK;
}
