/* SPDX-License-Identifier: Apache-2.0
 *
 * exchange.c: the mailbox matrix.
 *
 * A box fills a cache line of its own, because different threads write the boxes of one row at the
 * same time. A buffer that was traded away is reused by the partition that got it, unless it has
 * grown far beyond the needs of a round (KEEP_WORDS).
 */
#include "engine/spine/exchange.h"

#include <assert.h>
#include <string.h>

enum { CACHE_LINE = 64, HEAD = 3, FIRST_WORDS = 256, KEEP_WORDS = 1 << 22 };

typedef struct cflri_padded_box {
    cflri_box box;
    char unused[CACHE_LINE - sizeof(cflri_box)];
} padded_box;

_Static_assert(sizeof(padded_box) == CACHE_LINE, "a box fills a cache line");

cflr_status cflri_exchange_init(cflri_exchange *exchange, cflr_context *context, uint32_t to,
                                uint32_t from, cflr_error *error) {
    *exchange = (cflri_exchange){.context = context, .to = to, .from = from};
    size_t boxes = (size_t)to * from;
    exchange->block = cflri_alloc_array_zero(context, boxes + 1, CACHE_LINE);
    if (!exchange->block) return cflri_fail_memory(context, error);
    uintptr_t past = (uintptr_t)exchange->block % CACHE_LINE;
    exchange->box = (padded_box *)(void *)(exchange->block + (past ? CACHE_LINE - past : 0));
    return CFLR_OK;
}

void cflri_box_free(cflr_context *context, cflri_box *box) {
    cflri_free(context, box->word);
    *box = (cflri_box){0};
}

void cflri_boxes_free(cflr_context *context, cflri_boxes *boxes) {
    for (size_t i = 0; i < boxes->n; i++) cflri_box_free(context, &boxes->at[i]);
    cflri_vec_free(context, boxes);
}

void cflri_exchange_free(cflri_exchange *exchange) {
    if (!exchange->box) return;
    size_t boxes = (size_t)exchange->to * exchange->from;
    for (size_t b = 0; b < boxes; b++) {
        cflri_box_free(exchange->context, &exchange->box[b].box);
    }
    cflri_free(exchange->context, exchange->block);
    exchange->block = NULL;
    exchange->box = NULL;
}

static cflri_box *box_of(cflri_exchange *exchange, uint32_t to, uint32_t from) {
    assert(to < exchange->to && from < exchange->from);
    return &exchange->box[(size_t)to * exchange->from + from].box;
}

static bool reserve(cflr_context *context, cflri_box *box, size_t words) {
    if (box->capacity - box->n >= words) return true;
    size_t capacity = box->capacity ? box->capacity : FIRST_WORDS;
    while (capacity < box->n + words) capacity += capacity / 2;
    uint32_t *word = cflri_realloc(context, box->word, capacity * sizeof *word);
    if (!word) return false;
    box->word = word;
    box->capacity = capacity;
    return true;
}

/* Can `run` be appended to the last run of the box? */
static bool continues(const cflri_box *box, const cflri_run *run) {
    if (!box->n) return false;
    const uint32_t *head = box->word + box->last;
    return head[0] == run->label && head[1] == run->vertex && head[2] <= UINT32_MAX - run->n;
}

bool cflri_exchange_put(cflri_exchange *exchange, uint32_t to, uint32_t from, cflri_run run) {
    cflri_box *box = box_of(exchange, to, from);
    if (!reserve(exchange->context, box, (size_t)run.n + HEAD)) return false;
    if (continues(box, &run)) {
        box->word[box->last + 2] += run.n;
    } else {
        box->last = box->n;
        box->word[box->n++] = run.label;
        box->word[box->n++] = run.vertex;
        box->word[box->n++] = run.n;
    }
    memcpy(box->word + box->n, run.id, run.n * sizeof *run.id);
    box->n += run.n;
    return true;
}

void cflri_exchange_take(cflri_exchange *exchange, uint32_t to, uint32_t from, cflri_box *empty) {
    cflri_box *box = box_of(exchange, to, from);
    cflri_box taken = *box;
    if (empty->capacity > KEEP_WORDS) cflri_box_free(exchange->context, empty);
    *box = (cflri_box){.word = empty->word, .capacity = empty->capacity};
    *empty = taken;
}

bool cflri_box_next(const cflri_box *box, size_t *at, cflri_run *run) {
    if (*at == box->n) return false;
    const uint32_t *head = box->word + *at;
    *run = (cflri_run){.label = head[0], .vertex = head[1], .n = head[2], .id = head + HEAD};
    *at += HEAD + (size_t)run->n;
    assert(*at <= box->n);
    return true;
}
