/* SPDX-License-Identifier: Apache-2.0
 *
 * bag.h: numbers of things to do, which threads that have many hand to those that have none.
 *
 *     thread 0   own stack: 4 8 15 16 23 42 --- share ---> bag: 4 8 15
 *     thread 1   own stack: empty           <--- take ---'
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
    cflri_numbers item;
    _Atomic uint32_t waiting; /* threads that have nothing to do */
    bool over;
    pthread_mutex_t lock;
    pthread_cond_t changed;
} cflri_bag;

void cflri_bag_init(cflri_bag *bag, cflr_context *context, uint32_t threads);
void cflri_bag_free(cflri_bag *bag);

/* If others have nothing to do, half of a thread's own stack goes to the bag: what it would come to
 * last. What the thread did before, those who take see. False when memory is refused: the stack
 * stays as it is. */
bool cflri_bag_share(cflri_bag *bag, cflri_numbers *own);

/* A thread whose own stack is empty takes up to CFLRI_BAG_HANDFUL items; waits for them if need be.
 * Still empty: it is over, all threads had nothing to do, or one has ended it. False when memory is
 * refused: nothing is taken. */
bool cflri_bag_take(cflri_bag *bag, cflri_numbers *own);

/* After it was over: now it is not. By one thread, while the others do not come here. */
void cflri_bag_begin(cflri_bag *bag);

/* Nobody gets anything from now on. */
void cflri_bag_end(cflri_bag *bag);

#endif
