/* SPDX-License-Identifier: Apache-2.0
 *
 * bag.h: a bag of numbered work items. Threads that have many items hand some to threads that have
 * none.
 *
 *     thread 0   own stack: 4 8 15 16 23 42 --- share ---> bag: 4 8 15
 *     thread 1   own stack: empty           <--- take ---'
 *
 * A thread that finds the bag empty waits. When all threads wait, no work is left anywhere.
 */
#ifndef CFLRI_BAG_H
#define CFLRI_BAG_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/vec.h"

enum { CFLRI_BAG_HANDFUL = 64 }; /* most items that a thread takes at once */

typedef struct cflri_bag {
    cflr_context *context;
    uint32_t threads; /* number of threads that put and take */
    cflri_numbers item;
    _Atomic uint32_t waiting; /* number of threads that have nothing to do */
    bool over;
    pthread_mutex_t lock;
    pthread_cond_t changed;
} cflri_bag;

void cflri_bag_init(cflri_bag *bag, cflr_context *context, uint32_t threads);
void cflri_bag_free(cflri_bag *bag);

/* If other threads have nothing to do, puts half of the thread's own stack into the bag: the items
 * that it would come to last. A thread that takes an item sees all that the thread that shared it
 * did before. False when memory is refused: the stack stays as it is. */
bool cflri_bag_share(cflri_bag *bag, cflri_numbers *own);

/* A thread whose own stack is empty takes up to CFLRI_BAG_HANDFUL items, and waits for them if
 * necessary. If the stack is still empty, the work is over: all threads had nothing to do, or one
 * of them has ended it. False when memory is refused: nothing is taken. */
bool cflri_bag_take(cflri_bag *bag, cflri_numbers *own);

/* Begins new work after the old work was over. Called by one thread, while no other thread uses the
 * bag. */
void cflri_bag_begin(cflri_bag *bag);

/* Ends the work: no thread gets an item from now on. */
void cflri_bag_end(cflri_bag *bag);

#endif
