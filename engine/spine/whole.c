/* SPDX-License-Identifier: Apache-2.0
 *
 * whole.c: relations of all targets, put together from their parts, with sets that rows share.
 *
 *     part 0        2: set 7        5: set 7        8: set 3
 *     part 1        2: set 4        5: set 4                       9: set 4
 *     whole         2: set 1        5: set 1        8: set 2       9: set 3
 *
 * A row is the concatenation of its pieces, since parts are ascending ranges of targets. Rows that
 * have the same sets in all parts are the same set. So the sets of pieces are remembered with the
 * set that they became, and each different list of them is read and united only once. Pieces of few
 * targets are not remembered: a list of pieces would take as much memory as their targets. The
 * store finds equal sets in any case (sets.h). So memory is bounded by sets and rows, not by pairs.
 */
#include "engine/spine/whole.h"

#include <string.h>

#include "base/context.h"

enum { FEW = 16 }; /* targets of a row whose pieces are not remembered */

cflr_status cflri_whole_init(cflri_whole *w, cflr_context *context, uint32_t universe, uint32_t n,
                             cflr_error *error) {
    *w = (cflri_whole){.context = context, .n = n};
    w->at = cflri_alloc_array(context, n, sizeof *w->at);
    w->sets = cflri_stored_sets_new(context);
    bool made = w->at && w->sets &&
                cflri_set_store_init(&w->sets->store, context, universe, CFLRI_KERNEL_BEST, 1);
    return made ? CFLR_OK : cflri_fail_memory(context, error);
}

void cflri_whole_free(cflri_whole *w) {
    if (!w->context) return;
    if (w->sets) w->sets->sets.free(w->context, &w->sets->sets);
    cflri_free(w->context, w->at);
    cflri_vec_free(w->context, &w->piece);
    cflri_vec_free(w->context, &w->known);
    cflri_vec_free(w->context, &w->united);
    cflri_vec_free(w->context, &w->ids);
    cflri_seen_free(w->context, &w->seen);
    cflr_row_free(&w->row);
    *w = (cflri_whole){0};
}

cflri_target_sets *cflri_whole_take(cflri_whole *w) {
    cflri_stored_sets *sets = w->sets;
    cflri_stored_sets_end(sets, NULL, 0);
    w->sets = NULL;
    return &sets->sets;
}

/* ---- pieces of a row ---- */

/* Finds the least source that is still to come. False when there is none. */
static bool next_source(const cflri_whole *w, const cflri_relation *const *part, uint32_t *source) {
    bool found = false;
    for (uint32_t i = 0; i < w->n; i++) {
        if (w->at[i] == part[i]->n_rows || (found && part[i]->row[w->at[i]] >= *source)) continue;
        *source = part[i]->row[w->at[i]];
        found = true;
    }
    return found;
}

/* Counts the rows of all parts together. */
static uint32_t count_rows(cflri_whole *w, const cflri_relation *const *part) {
    uint32_t n = 0, source = 0;
    memset(w->at, 0, w->n * sizeof *w->at);
    for (; next_source(w, part, &source); n++) {
        for (uint32_t i = 0; i < w->n; i++) {
            w->at[i] += w->at[i] < part[i]->n_rows && part[i]->row[w->at[i]] == source;
        }
    }
    return n;
}

/* Lists the pieces of a source's row, and moves on past them. Adds their targets to *n. False when
 * memory is refused. */
static bool list_pieces(cflri_whole *w, const cflri_relation *const *part, uint32_t source,
                        uint64_t *n) {
    w->piece.n = 0;
    for (uint32_t i = 0; i < w->n; i++) {
        uint32_t r = w->at[i];
        if (r == part[i]->n_rows || part[i]->row[r] != source) continue;
        if (!cflri_vec_push(w->context, &w->piece, (cflri_row_piece){i, r})) return false;
        *n += cflri_relation_count(part[i], r);
        w->at[i]++;
    }
    return true;
}

static cflr_status unite(cflri_whole *w, const cflri_relation *const *part, cflri_set_number *set,
                         cflr_error *error) {
    cflr_status st = CFLR_OK;
    w->ids.n = 0;
    for (size_t i = 0; i < w->piece.n; i++) {
        cflri_row_piece piece = w->piece.at[i];
        CFLR_TRY(cflri_relation_read(w->context, part[piece.part], piece.row, &w->row, error));
        if (!cflri_vec_reserve(w->context, &w->ids, w->row.count)) {
            return cflri_fail_memory(w->context, error);
        }
        memcpy(w->ids.at + w->ids.n, w->row.target, w->row.count * sizeof *w->ids.at);
        w->ids.n += w->row.count;
    }
    *set = cflri_sets_of(&w->sets->store.hand[0], w->ids.at, (uint32_t)w->ids.n);
    if (*set == CFLRI_NO_SET) st = cflri_fail_memory(w->context, error);
out:
    return st;
}

/* ---- pieces that were united before ---- */

/* Puts the sets of the pieces behind `known`. False when memory is refused. */
static bool note_pieces(cflri_whole *w, const cflri_relation *const *part) {
    if (!cflri_vec_reserve(w->context, &w->known, w->piece.n)) return false;
    for (size_t i = 0; i < w->piece.n; i++) {
        cflri_row_piece piece = w->piece.at[i];
        w->known.at[w->known.n + i] = cflri_pair(piece.part, part[piece.part]->set[piece.row]);
    }
    return true;
}

static uint32_t hash_of_noted(const cflri_whole *w) {
    uint64_t hash = 0;
    for (size_t i = 0; i < w->piece.n; i++) {
        uint64_t piece = w->known.at[w->known.n + i];
        hash = cflri_seen_mix(hash, (uint32_t)(piece >> 32), (uint32_t)piece);
    }
    return (uint32_t)hash;
}

/* Returns the number of the pieces that are noted, or CFLRI_NOT_SEEN. */
static uint32_t find_noted(const cflri_whole *w, uint32_t hash) {
    size_t at = cflri_seen_first(&w->seen, hash), bytes = w->piece.n * sizeof *w->known.at;
    uint32_t number;
    while ((number = cflri_seen_next(&w->seen, hash, &at)) != CFLRI_NOT_SEEN) {
        const cflri_united *united = &w->united.at[number];
        const uint64_t *known = w->known.at;
        if (united->n != w->piece.n) continue;
        if (memcmp(known + united->first, known + w->known.n, bytes) == 0) break;
    }
    return number;
}

static cflr_status unite_once(cflri_whole *w, const cflri_relation *const *part,
                              cflri_set_number *set, cflr_error *error) {
    if (!note_pieces(w, part)) return cflri_fail_memory(w->context, error);
    uint32_t hash = hash_of_noted(w), number = find_noted(w, hash);
    if (number != CFLRI_NOT_SEEN) {
        *set = w->united.at[number].set;
        return CFLR_OK;
    }
    cflr_status st = unite(w, part, set, error);
    if (st != CFLR_OK) return st;
    cflri_united made = {w->known.n, *set, (uint32_t)w->piece.n};
    if (!cflri_vec_push(w->context, &w->united, made) ||
        !cflri_seen_add(w->context, &w->seen, hash, (uint32_t)w->united.n - 1)) {
        return cflri_fail_memory(w->context, error);
    }
    w->known.n += w->piece.n;
    return CFLR_OK;
}

/* ---- relations ---- */

static bool have_sets(const cflri_whole *w, const cflri_relation *const *part) {
    for (size_t i = 0; i < w->piece.n; i++) {
        if (!part[w->piece.at[i].part]->set) return false;
    }
    return true;
}

static cflr_status add_row(cflri_whole *w, const cflri_relation *const *part, uint32_t source,
                           cflri_set_number *set, uint64_t *n, cflr_error *error) {
    uint64_t before = *n;
    if (!list_pieces(w, part, source, n)) return cflri_fail_memory(w->context, error);
    bool once = *n - before > FEW && have_sets(w, part);
    return once ? unite_once(w, part, set, error) : unite(w, part, set, error);
}

cflr_status cflri_whole_add(cflri_whole *w, const cflri_relation *const *part, cflri_relation *made,
                            cflr_error *error) {
    uint32_t n = count_rows(w, part), source = 0;
    cflr_status st = CFLR_OK;
    *made = (cflri_relation){0};
    if (!n) return CFLR_OK;
    CFLR_TRY(cflri_relation_allocate_shared(w->context, n, &w->sets->sets, made, error));
    memset(w->at, 0, w->n * sizeof *w->at);
    for (uint32_t r = 0; r < n && next_source(w, part, &source); r++) {
        made->row[r] = source;
        made->start[r] = made->n_pairs;
        CFLR_TRY(add_row(w, part, source, &made->set[r], &made->n_pairs, error));
    }
    made->start[n] = made->n_pairs;
out:
    if (st != CFLR_OK) cflri_relation_free(w->context, made);
    return st;
}
