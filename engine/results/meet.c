/* SPDX-License-Identifier: Apache-2.0
 *
 * meet.c: answers "S ~S", read off the rows of S.
 *
 * Two pointers alias when they may hold the address of one place. Where a grammar derives which
 * places that are (L), the pairs of L ~L are too many to be wanted: thousands of
 * pointers, each with each other, for every place. So they are not derived. One pair is there when
 * two rows meet; all partners of a vertex are the sources whose rows meet its own:
 *
 *     L    p: 3 5 9     q: 4 9     r: 4 6            p meets q in 9, and q meets r in 4
 *
 * Thousands of vertices share a set. What is known of it is kept in a small table by its number, in
 * which a newer set takes the place of an older one, so that nearly every set is read once.
 */
#include <string.h>

#include "base/context.h"
#include "engine/results/result.h"

enum { KNOWN_ROWS = 1 << 14 };

typedef struct meeting {
    cflr_context *context;
    const cflri_relation *relation;
    uint64_t *mark; /* a bit a vertex: targets of the sources */
    cflr_row row;
    struct known_set {
        uint32_t set;
        bool known, meets;
    } * known; /* KNOWN_ROWS of them */
} meeting;

static cflr_status mark_row(meeting *m, uint32_t source, cflr_error *error) {
    const cflr_row *row = &m->row;
    cflr_status st = cflri_relation_read_row(m->context, m->relation, source, &m->row, error);
    if (st != CFLR_OK) return st;
    for (uint64_t i = 0; i < row->count; i++)
        m->mark[row->target[i] / 64] |= UINT64_C(1) << row->target[i] % 64;
    return CFLR_OK;
}

static cflr_status look_at_row(meeting *m, uint32_t r, bool *meets, cflr_error *error) {
    const cflr_row *row = &m->row;
    cflr_status st = cflri_relation_read(m->context, m->relation, r, &m->row, error);
    *meets = false;
    if (st != CFLR_OK) return st;
    for (uint64_t i = 0; i < row->count && !*meets; i++)
        *meets = m->mark[row->target[i] / 64] >> row->target[i] % 64 & 1;
    return CFLR_OK;
}

static cflr_status row_meets(meeting *m, uint32_t r, bool *meets, cflr_error *error) {
    if (!m->relation->set) return look_at_row(m, r, meets, error);
    uint32_t set = m->relation->set[r];
    struct known_set *known = &m->known[set % KNOWN_ROWS];
    if (known->known && known->set == set) {
        *meets = known->meets;
        return CFLR_OK;
    }
    cflr_status st = look_at_row(m, r, meets, error);
    if (st == CFLR_OK) *known = (struct known_set){set, true, *meets};
    return st;
}

static cflr_status find_all(meeting *m, cflri_numbers *found, cflr_error *error) {
    for (uint32_t r = 0; r < m->relation->n_rows; r++) {
        bool meets;
        cflr_status st = row_meets(m, r, &meets, error);
        if (st != CFLR_OK) return st;
        if (meets && !cflri_vec_push(m->context, found, m->relation->row[r]))
            return cflri_fail_memory(m->context, error);
    }
    return CFLR_OK;
}

cflr_status cflri_meet_all(cflr_context *context, const cflri_relation *relation,
                           uint32_t n_vertices, const uint32_t *source, size_t n,
                           cflri_numbers *found, cflr_error *error) {
    meeting m = {.context = context, .relation = relation};
    m.mark = cflri_alloc_array_zero(context, (size_t)n_vertices / 64 + 1, sizeof *m.mark);
    m.known = cflri_alloc_array_zero(context, KNOWN_ROWS, sizeof *m.known);
    cflr_status st = CFLR_OK;
    if (!m.mark || !m.known) st = cflri_fail_memory(context, error);
    for (size_t s = 0; s < n && st == CFLR_OK; s++) st = mark_row(&m, source[s], error);
    if (st == CFLR_OK) st = find_all(&m, found, error);
    cflr_row_free(&m.row);
    cflri_free(context, m.known);
    cflri_free(context, m.mark);
    return st;
}
