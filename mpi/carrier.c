/* SPDX-License-Identifier: Apache-2.0
 *
 * carrier.c: boxes, totals and codes between ranks.
 *
 * Boxes wait until ranks agree. Then all ranks exchange theirs:
 *
 *     1  totals                         one reduction; if no box waits at any rank, that is all
 *     2  sizes of boxes                 all to all
 *     3  has every rank room for them?  one reduction
 *     4  boxes, in pieces               from each rank that has one to each that it is for
 *
 * All calls of MPI are non-blocking, and are waited for here: a rank that waits for slower ones
 * sleeps, where MPI would keep a processor busy, which other ranks may need. Counts of MPI are
 * `int`, so a box is sent in pieces. Pieces between two ranks arrive in order.
 *
 * An error of MPI itself ends all processes, with MPI's message.
 */
#include "mpi/carrier.h"

#include <sched.h>
#include <string.h>
#include <time.h>

#include "base/context.h"

/* ---- waiting ---- */

/* Waits for ranks that may still work: sleeps for a part of the time that it has waited. */
static void wait_for_ranks(MPI_Request *request) {
    static const double soon = 50e-6, longest = 5e-3;
    enum { PART = 16 };
    double begin = cflri_now();
    int done = 0;
    for (;;) {
        MPI_Test(request, &done, MPI_STATUS_IGNORE);
        if (done) return;
        double waited = cflri_now() - begin;
        double pause = waited / (double)PART < longest ? waited / (double)PART : longest;
        if (waited < soon) {
            sched_yield();
        } else {
            nanosleep(&(struct timespec){.tv_nsec = (long)(pause * 1e9)}, NULL);
        }
    }
}

/* Waits for messages. All of them move on while MPI is called for one. */
static void wait_for_messages(MPI_Request *request, size_t n) {
    for (size_t i = 0; i < n; i++) {
        int done = 0;
        while (!done) {
            MPI_Test(&request[i], &done, MPI_STATUS_IGNORE);
            if (!done) sched_yield();
        }
    }
}

static void add_up(const cflri_mpi_carrier *c, uint64_t *sum, int n) {
    MPI_Request request;
    MPI_Iallreduce(MPI_IN_PLACE, sum, n, MPI_UINT64_T, MPI_SUM, c->ranks, &request);
    wait_for_ranks(&request);
}

/* ---- boxes ---- */

static bool is_own(const cflri_mpi_carrier *c, uint32_t slice) {
    return slice / c->each == c->self;
}

static bool append(cflr_context *context, cflri_box *to, cflri_box *box) {
    if (to->capacity - to->n < box->n) {
        size_t capacity = to->n + box->n + to->n / 2;
        uint32_t *word = cflri_realloc(context, to->word, capacity * sizeof *word);
        if (!word) return false;
        to->word = word;
        to->capacity = capacity;
    }
    memcpy(to->word + to->n, box->word, box->n * sizeof *box->word);
    to->n += box->n;
    box->n = 0;
    return true;
}

static cflr_status send(cflri_box_carrier *carrier, uint32_t to, cflri_box *box,
                        cflr_error *error) {
    cflri_mpi_carrier *c = (cflri_mpi_carrier *)carrier;
    bool sent = true;
    if (is_own(c, to)) {
        sent = cflri_vec_push(c->context, &c->in[to % c->each], *box);
        if (sent) *box = (cflri_box){0};
    } else if (!c->out[to].n) {
        cflri_box empty = c->out[to];
        c->out[to] = *box;
        *box = empty;
    } else {
        sent = append(c->context, &c->out[to], box);
    }
    return sent ? CFLR_OK : cflri_fail_memory(c->context, error);
}

static bool receive(cflri_box_carrier *carrier, uint32_t to, cflri_box *box) {
    cflri_mpi_carrier *c = (cflri_mpi_carrier *)carrier;
    cflri_boxes *in = &c->in[to % c->each];
    if (!in->n) return false;
    cflri_box_free(c->context, box);
    *box = in->at[--in->n];
    return true;
}

static void drop_boxes(cflri_mpi_carrier *c) {
    for (uint32_t s = 0; s < c->n * c->each; s++) {
        cflri_box_free(c->context, &c->out[s]);
        cflri_box_free(c->context, &c->coming[s]);
    }
    for (uint32_t s = 0; s < c->each; s++) cflri_boxes_free(c->context, &c->in[s]);
}

/* ---- exchanging ---- */

static uint64_t waiting_words(const cflri_mpi_carrier *c) {
    uint64_t words = 0;
    for (uint32_t s = 0; s < c->n * c->each; s++) words += c->out[s].n;
    return words;
}

static void exchange_sizes(cflri_mpi_carrier *c) {
    MPI_Request request;
    for (uint32_t s = 0; s < c->n * c->each; s++) c->size_out[s] = c->out[s].n;
    MPI_Ialltoall(c->size_out, (int)c->each, MPI_UINT64_T, c->size_in, (int)c->each, MPI_UINT64_T,
                  c->ranks, &request);
    wait_for_messages(&request, 1);
}

static uint64_t pieces_of(const cflri_mpi_carrier *c, uint64_t words) {
    return (words + c->piece - 1) / c->piece;
}

/* Makes room for all that this rank is to receive. False when memory is refused. */
static bool make_room(cflri_mpi_carrier *c) {
    uint64_t pieces = 0;
    for (uint32_t s = 0; s < c->n * c->each; s++) {
        uint64_t words = c->size_in[s];
        pieces += pieces_of(c, words) + pieces_of(c, c->size_out[s]);
        if (!words) continue;
        cflri_box *box = &c->coming[s];
        box->word = cflri_alloc_array(c->context, words, sizeof *box->word);
        box->n = box->capacity = words;
        if (!box->word || !cflri_vec_reserve(c->context, &c->in[s % c->each], c->n)) return false;
    }
    c->request.n = 0;
    return cflri_vec_reserve(c->context, &c->request, pieces);
}

/* Starts to move the words of a box from or to a rank. There is room for the requests. */
static void move_words(cflri_mpi_carrier *c, const cflri_box *box, bool away, uint32_t rank,
                       uint32_t slice) {
    for (size_t at = 0; at < box->n; at += c->piece) {
        int words = (int)(box->n - at < c->piece ? box->n - at : c->piece);
        MPI_Request *request = &c->request.at[c->request.n++];
        if (away) {
            MPI_Isend(box->word + at, words, MPI_UINT32_T, (int)rank, (int)slice, c->ranks,
                      request);
        } else {
            MPI_Irecv(box->word + at, words, MPI_UINT32_T, (int)rank, (int)slice, c->ranks,
                      request);
        }
    }
}

static void move_boxes(cflri_mpi_carrier *c) {
    for (uint32_t s = 0; s < c->n * c->each; s++) {
        move_words(c, &c->coming[s], false, s / c->each, s % c->each);
    }
    for (uint32_t s = 0; s < c->n * c->each; s++) {
        move_words(c, &c->out[s], true, s / c->each, s % c->each);
    }
    wait_for_messages(c->request.at, c->request.n);
    for (uint32_t s = 0; s < c->n * c->each; s++) {
        cflri_boxes *in = &c->in[s % c->each];
        if (c->coming[s].n) in->at[in->n++] = c->coming[s];
        c->coming[s] = (cflri_box){0};
        cflri_box_free(c->context, &c->out[s]);
    }
}

/* Returns the number of ranks that have no room; if there is one, no box moves. */
static uint64_t exchange(cflri_mpi_carrier *c, cflr_status *st, cflr_error *error) {
    exchange_sizes(c);
    if (!make_room(c)) *st = cflri_fail_memory(c->context, error);
    uint64_t failed = *st != CFLR_OK;
    add_up(c, &failed, 1);
    if (!failed) move_boxes(c);
    return failed;
}

static cflr_status agree(cflri_box_carrier *carrier, cflri_totals *totals, cflr_error *error) {
    cflri_mpi_carrier *c = (cflri_mpi_carrier *)carrier;
    enum { NUMBERS = sizeof *totals / sizeof(uint64_t) };
    uint64_t sum[NUMBERS + 1];
    cflr_status st = CFLR_OK;
    memcpy(sum, totals, sizeof *totals);
    sum[NUMBERS] = waiting_words(c);
    add_up(c, sum, NUMBERS + 1);
    memcpy(totals, sum, sizeof *totals);
    if (!totals->failed && sum[NUMBERS]) totals->failed = exchange(c, &st, error);
    if (totals->failed) drop_boxes(c);
    return st;
}

static uint32_t settle(cflri_box_carrier *carrier, int *code, void *bytes, size_t size) {
    const cflri_mpi_carrier *c = (const cflri_mpi_carrier *)carrier;
    uint32_t first = *code ? c->self : c->n;
    MPI_Request request[2];
    MPI_Iallreduce(MPI_IN_PLACE, &first, 1, MPI_UINT32_T, MPI_MIN, c->ranks, request);
    wait_for_ranks(request);
    if (first == c->n) return 0;
    MPI_Ibcast(code, 1, MPI_INT, (int)first, c->ranks, &request[0]);
    MPI_Ibcast(bytes, (int)size, MPI_BYTE, (int)first, c->ranks, &request[1]);
    wait_for_messages(request, 2);
    return first;
}

/* ---- making ---- */

cflr_status cflri_mpi_carrier_init(cflri_mpi_carrier *c, cflr_error *error) {
    uint32_t slices = c->n * c->each;
    c->carrier = (cflri_box_carrier){c->self * c->each, c->each, send, receive, agree, settle};
    c->out = cflri_alloc_array_zero(c->context, slices, sizeof *c->out);
    c->in = cflri_alloc_array_zero(c->context, c->each, sizeof *c->in);
    c->coming = cflri_alloc_array_zero(c->context, slices, sizeof *c->coming);
    c->size_out = cflri_alloc_array(c->context, slices, sizeof *c->size_out);
    c->size_in = cflri_alloc_array(c->context, slices, sizeof *c->size_in);
    bool made = c->out && c->in && c->coming && c->size_out && c->size_in;
    return made ? CFLR_OK : cflri_fail_memory(c->context, error);
}

void cflri_mpi_carrier_free(cflri_mpi_carrier *c) {
    if (c->out && c->in && c->coming) drop_boxes(c);
    cflri_free(c->context, c->out);
    cflri_free(c->context, c->in);
    cflri_free(c->context, c->coming);
    cflri_free(c->context, c->size_out);
    cflri_free(c->context, c->size_in);
    cflri_vec_free(c->context, &c->request);
}
