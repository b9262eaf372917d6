/* SPDX-License-Identifier: Apache-2.0
 *
 * shelf.c: a shelf on disk: the states of slices as extents of a work directory.
 *
 *     slice 0     extent extent extent         blocks of the state, packed
 *     slice 1     extent extent
 *     former      the same, of the attempt before; dropped when this attempt has committed
 *
 * All extents of a process lie in one segment, which only grows; the blocks of what was dropped go
 * back to the file system. The state of a checkpoint (work.h) has, in 32-bit and 64-bit words:
 *
 *     LAYOUT | slices | stratum | 0 | for each slice: number of extents, extents
 */
#include "ooc/shelf.h"

#include <stdlib.h>
#include <string.h>

#include "base/context.h"

enum { LAYOUT = 1 };

typedef CFLRI_VEC(cflri_extent) extents;

typedef struct states {
    extents *of; /* by slice */
    uint32_t slices;
} states;

typedef struct head {
    uint32_t layout, slices, stratum, zero;
} head;

typedef struct disk_shelf {
    cflri_shelf shelf;
    cflr_context *context;
    cflri_work *work;
    cflri_spill *segment;
    states former, now;
    bool whole; /* `now` has all states */
    uint32_t stratum;
} disk_shelf;

/* ---- states ---- */

static void drop_state(disk_shelf *s, extents *state) {
    for (size_t i = 0; i < state->n; i++) cflri_work_drop(s->work, &state->at[i]);
    state->n = 0;
}

static void free_states(disk_shelf *s, states *all, bool drop) {
    for (uint32_t i = 0; all->of && i < all->slices; i++) {
        if (drop) drop_state(s, &all->of[i]);
        cflri_vec_free(s->context, &all->of[i]);
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

static void clear(cflri_shelf *shelf, uint32_t slice) {
    disk_shelf *s = (disk_shelf *)shelf;
    drop_state(s, &s->now.of[slice]);
    s->whole = false;
}

static cflr_status put(cflri_shelf *shelf, uint32_t slice, const void *data, size_t size,
                       cflr_error *error) {
    disk_shelf *s = (disk_shelf *)shelf;
    cflri_extent extent;
    cflr_status st = CFLR_OK;
    if (!s->segment) CFLR_TRY(cflri_work_segment(s->work, &s->segment, error));
    CFLR_TRY(cflri_spill_append(s->segment, data, size, true, &extent, error));
    if (!cflri_vec_push(s->context, &s->now.of[slice], extent)) {
        st = cflri_fail_memory(s->context, error);
    }
out:
    return st;
}

static cflr_status get(cflri_shelf *shelf, bool former, uint32_t slice, size_t at, void **data,
                       size_t *size, cflr_error *error) {
    disk_shelf *s = (disk_shelf *)shelf;
    const extents *state = former ? &s->former.of[slice] : &s->now.of[slice];
    *data = NULL;
    if (at == state->n) return CFLR_OK;
    const cflri_extent *extent = &state->at[at];
    if (at + 1 < state->n) cflri_work_prefetch(s->work, extent + 1);
    *size = extent->plain;
    *data = cflri_alloc(s->context, *size);
    if (!*data) return cflri_fail_memory(s->context, error);
    cflr_status st = cflri_work_read(s->work, extent, *data, error);
    if (st == CFLR_OK) return st;
    cflri_free(s->context, *data);
    *data = NULL;
    return st;
}

typedef CFLRI_VEC(char) bytes;

static bool append(disk_shelf *s, bytes *to, const void *data, size_t size) {
    if (!cflri_vec_reserve(s->context, to, size)) return false;
    if (size) memcpy(to->at + to->n, data, size);
    to->n += size;
    return true;
}

static bool write_states(disk_shelf *s, bytes *to) {
    head h = {LAYOUT, s->now.slices, s->stratum, 0};
    bool written = append(s, to, &h, sizeof h);
    for (uint32_t i = 0; written && i < s->now.slices; i++) {
        uint64_t n = s->now.of[i].n;
        written = append(s, to, &n, sizeof n) &&
                  append(s, to, s->now.of[i].at, n * sizeof *s->now.of[i].at);
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

static cflr_status read_state(disk_shelf *s, const char **from, const char *end, uint32_t slice,
                              cflr_error *error) {
    uint64_t n;
    extents *state = &s->former.of[slice];
    if ((size_t)(end - *from) < sizeof n) return damaged(error);
    memcpy(&n, *from, sizeof n);
    *from += sizeof n;
    if (n > (uint64_t)(end - *from) / sizeof *state->at) return damaged(error);
    if (!cflri_vec_reserve(s->context, state, n)) return cflri_fail_memory(s->context, error);
    if (n) memcpy(state->at, *from, n * sizeof *state->at);
    state->n = n;
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
    if (h.layout != LAYOUT || !h.slices || h.slices > size) return damaged(error);
    CFLR_TRY(make_states(s, &s->former, h.slices, error));
    for (uint32_t i = 0; i < h.slices; i++) CFLR_TRY(read_state(s, &from, end, i, error));
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
        .shelf = {.begin = begin, .clear = clear, .put = put, .get = get, .commit = commit},
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
