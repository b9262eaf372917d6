/* SPDX-License-Identifier: Apache-2.0
 *
 * shelf.c: a shelf on disk: the states of slices as blocks in a work directory.
 *
 *     slice 0     block block block            extents of a segment, packed (ooc/blocks.h)
 *     slice 1     block block
 *     former      the same, of the attempt before; dropped when this attempt has committed
 *
 * All blocks of a process lie in one segment, which only grows; what was dropped goes back to the
 * file system. The state of a checkpoint (work.h) has, in 32-bit and 64-bit words:
 *
 *     slices | stratum | for each slice: number of blocks, blocks
 */
#include "ooc/shelf.h"

#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "ooc/blocks.h"

typedef struct states {
    cflri_work_sink *of; /* by slice, with the blocks */
    uint32_t slices;
} states;

typedef struct head {
    uint32_t slices, stratum;
} head;

typedef struct disk_shelf {
    cflri_shelf shelf;
    cflr_context *context;
    cflri_work *work;
    cflri_spill *segment;
    states former, now;
    cflri_work_source source; /* that was returned last */
    bool whole;               /* `now` has all states */
    uint32_t stratum;
} disk_shelf;

/* ---- states ---- */

static void drop_state(disk_shelf *s, cflri_work_blocks *state) {
    for (size_t i = 0; i < state->n; i++) cflri_work_drop(s->work, &state->at[i].extent);
    cflri_vec_free(s->context, state);
}

static void free_states(disk_shelf *s, states *all, bool drop) {
    for (uint32_t i = 0; all->of && i < all->slices; i++) {
        if (drop) drop_state(s, &all->of[i].blocks);
        cflri_vec_free(s->context, &all->of[i].blocks);
    }
    cflri_free(s->context, all->of);
    *all = (states){0};
}

static cflr_status make_states(disk_shelf *s, states *all, uint32_t slices, cflr_error *error) {
    all->of = cflri_alloc_array_zero(s->context, slices, sizeof *all->of);
    if (!all->of) return cflri_fail_memory(s->context, error);
    all->slices = slices;
    return CFLR_OK;
}

/* The states of this attempt take the place of the former ones. */
static void turn(disk_shelf *s) {
    if (!s->whole) {
        free_states(s, &s->now, true);
        return;
    }
    free_states(s, &s->former, true);
    s->former = s->now;
    s->now = (states){0};
    s->shelf.former = (cflri_progress){s->former.slices, s->stratum};
    s->whole = false;
}

/* ---- the functions of a shelf ---- */

static cflr_status begin(cflri_shelf *shelf, uint32_t slices, cflr_error *error) {
    disk_shelf *s = (disk_shelf *)shelf;
    turn(s);
    return make_states(s, &s->now, slices, error);
}

static cflri_block_sink *write_state(cflri_shelf *shelf, uint32_t slice) {
    disk_shelf *s = (disk_shelf *)shelf;
    cflri_work_sink *state = &s->now.of[slice];
    drop_state(s, &state->blocks);
    s->whole = false;
    *state = cflri_sink_of_work(s->context, s->work, &s->segment);
    return &state->sink;
}

static const cflri_block_source *read_state(cflri_shelf *shelf, bool former, uint32_t slice) {
    disk_shelf *s = (disk_shelf *)shelf;
    const cflri_work_blocks *state = &(former ? &s->former : &s->now)->of[slice].blocks;
    s->source = cflri_source_of_work(s->work, state->at, state->n, "work directory");
    return &s->source.source;
}

/* ---- checkpoints ---- */

typedef CFLRI_VEC(char) bytes;

static bool append(disk_shelf *s, bytes *to, const void *data, size_t size) {
    if (!cflri_vec_reserve(s->context, to, size)) return false;
    if (size) memcpy(to->at + to->n, data, size);
    to->n += size;
    return true;
}

static bool write_states(disk_shelf *s, bytes *to) {
    head h = {s->now.slices, s->stratum};
    bool written = append(s, to, &h, sizeof h);
    for (uint32_t i = 0; written && i < s->now.slices; i++) {
        const cflri_work_blocks *state = &s->now.of[i].blocks;
        uint64_t n = state->n;
        written = append(s, to, &n, sizeof n) && append(s, to, state->at, n * sizeof *state->at);
    }
    return written;
}

static cflr_status commit(cflri_shelf *shelf, uint32_t stratum, cflr_error *error) {
    disk_shelf *s = (disk_shelf *)shelf;
    bytes state = {0};
    s->stratum = stratum;
    cflr_status st = write_states(s, &state) ? cflri_work_commit(s->work, state.at, state.n, error)
                                             : cflri_fail_memory(s->context, error);
    cflri_vec_free(s->context, &state);
    s->whole = st == CFLR_OK;
    if (s->whole) free_states(s, &s->former, true);
    if (s->whole) s->shelf.former = (cflri_progress){0};
    return st;
}

/* ---- resuming ---- */

static cflr_status damaged(cflr_error *error) {
    return cflri_fail(error, CFLR_FORMAT, NULL, "damaged work directory: its state");
}

static cflr_status read_blocks(disk_shelf *s, const char **from, const char *end, uint32_t slice,
                               cflr_error *error) {
    uint64_t n;
    cflri_work_blocks *state = &s->former.of[slice].blocks;
    if ((size_t)(end - *from) < sizeof n) return damaged(error);
    memcpy(&n, *from, sizeof n);
    *from += sizeof n;
    if (n > (uint64_t)(end - *from) / sizeof *state->at) return damaged(error);
    if (!cflri_vec_reserve(s->context, state, n)) return cflri_fail_memory(s->context, error);
    if (n) memcpy(state->at, *from, n * sizeof *state->at);
    state->n = n;
    for (size_t i = 0; i < n; i++) state->at[i].tag[CFLRI_TAG - 1] = '\0';
    *from += n * sizeof *state->at;
    return CFLR_OK;
}

static cflr_status read_states(disk_shelf *s, const char *from, size_t size, cflr_error *error) {
    cflr_status st = CFLR_OK;
    const char *end = from + size;
    head h;
    if (size < sizeof h) return damaged(error);
    memcpy(&h, from, sizeof h);
    from += sizeof h;
    if (!h.slices || h.slices > size) return damaged(error);
    CFLR_TRY(make_states(s, &s->former, h.slices, error));
    for (uint32_t i = 0; i < h.slices; i++) CFLR_TRY(read_blocks(s, &from, end, i, error));
    s->shelf.former = (cflri_progress){h.slices, h.stratum};
out:
    return st;
}

static cflr_status resume(disk_shelf *s, cflr_error *error) {
    void *state = NULL;
    size_t size = 0;
    cflr_status st = cflri_work_resume(s->work, &state, &size, error);
    if (st == CFLR_OK && state) st = read_states(s, state, size, error);
    cflri_free(s->context, state);
    return st;
}

/* ---- all ---- */

cflr_status cflri_disk_shelf_new(cflr_context *context, cflri_work *work, bool goes_on,
                                 cflri_shelf **shelf, cflr_error *error) {
    disk_shelf *s = cflri_alloc_zero(context, sizeof *s);
    *shelf = NULL;
    if (!s) return cflri_fail_memory(context, error);
    *s = (disk_shelf){
        .shelf = {.begin = begin, .write = write_state, .read = read_state, .commit = commit},
        .context = context,
        .work = work};
    cflr_status st = goes_on ? resume(s, error) : cflri_work_clear(work, error);
    if (st == CFLR_OK) {
        *shelf = &s->shelf;
    } else {
        cflri_disk_shelf_free(&s->shelf);
    }
    return st;
}

void cflri_disk_shelf_free(cflri_shelf *shelf) {
    disk_shelf *s = (disk_shelf *)shelf;
    if (!s) return;
    free_states(s, &s->former, false);
    free_states(s, &s->now, false);
    cflri_free(s->context, s);
}
