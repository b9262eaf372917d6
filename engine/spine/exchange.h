/* SPDX-License-Identifier: Apache-2.0
 *
 * exchange.h: the mailbox matrix, by which partitions pass edges to each other without a lock.
 *
 *                    from 0     from 1     from 2
 *         to 0     [        ] [ runs    ] [ runs    ]      box[to][from]
 *         to 1     [ runs   ] [         ] [ runs    ]      column p is written by partition p only,
 *         to 2     [ runs   ] [ runs    ] [         ]      row p is read by partition p only
 *
 * A box is a sequence of runs, each with a label, the vertex that the ids of the run share, and the
 * ids:
 *
 *     | label | vertex | n | id id id ... | label | vertex | n | ...        32-bit words
 *
 * No lock is necessary: writing and reading are separate phases, and the caller puts a barrier
 * between them. In the reading phase a partition takes whole boxes: it trades an emptied buffer for
 * a full one, and copies no word. Since a box consists of plain words, it can also be written to a
 * file, or sent to another device or process, and read there.
 */
#ifndef CFLRI_EXCHANGE_H
#define CFLRI_EXCHANGE_H

#include "base/vec.h"

typedef struct cflri_box {
    uint32_t *word;
    size_t n;
    size_t capacity;
    size_t last; /* place of the last run; meaningful when n > 0 */
} cflri_box;

typedef CFLRI_VEC(cflri_box) cflri_boxes;

typedef struct cflri_exchange {
    cflr_context *context;
    uint32_t to, from;            /* number of readers, and of writers */
    struct cflri_padded_box *box; /* to * from, each a cache line; they begin in `block` */
    char *block;
} cflri_exchange;

typedef struct cflri_run {
    uint32_t label;
    uint32_t vertex;
    uint32_t n;
    const uint32_t *id;
} cflri_run;

cflr_status cflri_exchange_init(cflri_exchange *exchange, cflr_context *context, uint32_t to,
                                uint32_t from, cflr_error *error);
void cflri_exchange_free(cflri_exchange *exchange);

/* Appends a run to box[to][from], or extends the last one if label and vertex are the same. False
 * when memory is refused; the box is then unchanged. */
bool cflri_exchange_put(cflri_exchange *exchange, uint32_t to, uint32_t from, cflri_run run);

/* Trades box[to][from] for `empty`, whose words are forgotten. */
void cflri_exchange_take(cflri_exchange *exchange, uint32_t to, uint32_t from, cflri_box *empty);

/* Reads the run at word *at, and moves *at to the next one. False at the end of the box. */
bool cflri_box_next(const cflri_box *box, size_t *at, cflri_run *run);

void cflri_box_free(cflr_context *context, cflri_box *box);
void cflri_boxes_free(cflr_context *context, cflri_boxes *boxes);

#endif
