/* SPDX-License-Identifier: Apache-2.0
 *
 * kept_nodes.c: nodes of trees that were read, where pieces do not fit into memory.
 */
#include "engine/sets/kept_nodes.h"

#include <pthread.h>
#include <string.h>

enum { LOCKS = 64, LEAST = 16 }; /* nodes */

typedef struct kept_node {
    uint32_t number; /* plus 1; 0: none */
    uint32_t word[CFLRI_NODE_WORDS];
} kept_node;

struct cflri_kept_nodes {
    pthread_mutex_t lock[LOCKS]; /* for the places that leave this rest */
    uint32_t n;
    kept_node *at;
};

cflri_kept_nodes *cflri_kept_nodes_new(cflr_context *context, uint64_t memory) {
    uint64_t most = memory / sizeof(kept_node);
    uint32_t n = most < UINT32_MAX ? (uint32_t)most : UINT32_MAX;
    if (n < LEAST) return NULL;
    cflri_kept_nodes *made = cflri_alloc(context, sizeof *made);
    kept_node *at = cflri_alloc_array_zero(context, n, sizeof *at);
    if (!made || !at) {
        cflri_free(context, made);
        cflri_free(context, at);
        return NULL;
    }
    made->n = n;
    made->at = at;
    for (int i = 0; i < LOCKS; i++) pthread_mutex_init(&made->lock[i], NULL);
    return made;
}

void cflri_kept_nodes_free(cflr_context *context, cflri_kept_nodes *kept) {
    if (!kept) return;
    for (int i = 0; i < LOCKS; i++) pthread_mutex_destroy(&kept->lock[i]);
    cflri_free(context, kept->at);
    cflri_free(context, kept);
}

static uint32_t place_of(const cflri_kept_nodes *kept, uint32_t number) {
    uint64_t mixed = number * UINT64_C(0x9E3779B97F4A7C15) >> 32;
    return (uint32_t)(mixed * kept->n >> 32);
}

bool cflri_kept_nodes_find(cflri_kept_nodes *kept, uint32_t number,
                           uint32_t word[CFLRI_NODE_WORDS]) {
    uint32_t place = place_of(kept, number);
    pthread_mutex_t *lock = &kept->lock[place % LOCKS];
    pthread_mutex_lock(lock);
    bool found = kept->at[place].number == number + 1;
    if (found) memcpy(word, kept->at[place].word, sizeof kept->at[place].word);
    pthread_mutex_unlock(lock);
    return found;
}

void cflri_kept_nodes_keep(cflri_kept_nodes *kept, uint32_t number, const uint32_t *word,
                           uint32_t n) {
    uint32_t place = place_of(kept, number);
    pthread_mutex_t *lock = &kept->lock[place % LOCKS];
    pthread_mutex_lock(lock);
    if (kept->at[place].number != number + 1) {
        kept->at[place].number = number + 1;
        memcpy(kept->at[place].word, word, n * sizeof *word);
    }
    pthread_mutex_unlock(lock);
}
