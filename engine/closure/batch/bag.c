/* SPDX-License-Identifier: Apache-2.0
 *
 * bag.c: a stack behind a lock. A thread uses it only when its own stack is empty, or when other
 * threads wait.
 */
#include "engine/closure/batch/bag.h"

#include <string.h>

void cflri_bag_init(cflri_bag *bag, cflr_context *context, uint32_t threads) {
    *bag = (cflri_bag){.context = context, .threads = threads};
    pthread_mutex_init(&bag->lock, NULL);
    pthread_cond_init(&bag->changed, NULL);
}

void cflri_bag_free(cflri_bag *bag) {
    if (!bag->context) return;
    cflri_vec_free(bag->context, &bag->item);
    pthread_cond_destroy(&bag->changed);
    pthread_mutex_destroy(&bag->lock);
    bag->context = NULL;
}

static bool put(cflri_bag *bag, const uint32_t *item, size_t n) {
    pthread_mutex_lock(&bag->lock);
    bool room = cflri_vec_reserve(bag->context, &bag->item, n);
    if (room) {
        memcpy(bag->item.at + bag->item.n, item, n * sizeof *item);
        bag->item.n += n;
        pthread_cond_broadcast(&bag->changed);
    }
    pthread_mutex_unlock(&bag->lock);
    return room;
}

bool cflri_bag_share(cflri_bag *bag, cflri_numbers *own) {
    size_t half = own->n / 2;
    bool wanted = atomic_load_explicit(&bag->waiting, memory_order_relaxed) > 0;
    if (!half || !wanted) return true;
    if (!put(bag, own->at, half)) return false;
    own->n -= half;
    memmove(own->at, own->at + half, own->n * sizeof *own->at);
    return true;
}

static void end(cflri_bag *bag) {
    bag->over = true;
    pthread_cond_broadcast(&bag->changed);
}

/* Called with the lock held. */
static void wait_for_items(cflri_bag *bag) {
    if (atomic_fetch_add(&bag->waiting, 1) + 1 == bag->threads) end(bag);
    while (!bag->over && !bag->item.n) pthread_cond_wait(&bag->changed, &bag->lock);
    atomic_fetch_sub(&bag->waiting, 1);
}

bool cflri_bag_take(cflri_bag *bag, cflri_numbers *own) {
    if (!cflri_vec_reserve(bag->context, own, CFLRI_BAG_HANDFUL)) return false;
    pthread_mutex_lock(&bag->lock);
    if (!bag->item.n && !bag->over) wait_for_items(bag);
    size_t n = bag->over ? 0 : bag->item.n;
    if (n > CFLRI_BAG_HANDFUL) n = CFLRI_BAG_HANDFUL;
    if (n) memcpy(own->at, bag->item.at + bag->item.n - n, n * sizeof *own->at);
    bag->item.n -= n;
    own->n = n;
    pthread_mutex_unlock(&bag->lock);
    return true;
}

void cflri_bag_begin(cflri_bag *bag) {
    bag->over = false;
}

void cflri_bag_end(cflri_bag *bag) {
    pthread_mutex_lock(&bag->lock);
    end(bag);
    pthread_mutex_unlock(&bag->lock);
}
