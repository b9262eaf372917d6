/* SPDX-License-Identifier: Apache-2.0
 *
 * bag.h: numbers of things to do, which threads that have many hand to those that have none.
 *
 *     thread 0   own stack: 4 8 15 16 23 42 --- put ---> bag: 4 8 15
 *     thread 1   own stack: empty           <-- take --'
 *
 * A thread that finds the bag empty waits; when all threads do, nothing is left to do anywhere.
 */
#ifndef CFLRI_BAG_H
#define CFLRI_BAG_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/vec.h"

enum { CFLRI_BAG_HANDFUL = 64 }; /* items that are taken at once, at most */

typedef struct cflri_bag {
    cflr_context *context;
    uint32_t threads; /* that put and take */
    CFLRI_VEC(uint32_t) item;
    _Atomic uint32_t waiting; /* threads that have nothing to do */
    bool over;
    pthread_mutex_t lock;
    pthread_cond_t changed;
} cflri_bag;

void cflri_bag_init(cflri_bag *bag, cflr_context *context, uint32_t threads);
void cflri_bag_free(cflri_bag *bag);

/* Would a thread take what is put? */
static inline bool cflri_bag_is_wanted(const cflri_bag *bag) {
    return atomic_load_explicit(&bag->waiting, memory_order_relaxed) > 0;
}

/* Puts n items, one or more. False when memory is refused: nothing is put. What the thread did before, those
 * who take see. */
bool cflri_bag_put(cflri_bag *bag, const uint32_t *item, size_t n);

/* Takes up to CFLRI_BAG_HANDFUL items; waits for them if need be. 0: it is over, all threads had nothing to
 * do, or one has ended it. */
size_t cflri_bag_take(cflri_bag *bag, uint32_t item[CFLRI_BAG_HANDFUL]);

/* After it was over: now it is not. By one thread, while the others do not come here. */
void cflri_bag_begin(cflri_bag *bag);

/* Nobody gets anything from now on. */
void cflri_bag_end(cflri_bag *bag);

#endif
