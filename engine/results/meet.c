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
 * Thousands of vertices share a row. What is known of it is kept in a small table by where its
 * targets lie, in which a newer row takes the place of an older one, so that nearly every row is
 * read once.
 */
#include <string.h>

#include "base/context.h"
#include "engine/results/result.h"

bool cflri_meets(const cflri_relation *relation, uint32_t p, uint32_t q) {
    uint64_t n, m, i = 0, k = 0;
    const uint32_t *a = cflri_relation_row(relation, p, &n);
    const uint32_t *b = cflri_relation_row(relation, q, &m);
    if (a == b) return n > 0;
    while (i < n && k < m && a[i] != b[k]) {
        if (a[i] < b[k])
            i++;
        else
            k++;
    }
    return i < n && k < m;
}

enum { KNOWN_ROWS = 1 << 14 };

typedef struct meeting {
    const cflri_relation *relation;
    uint64_t *mark; /* a bit a vertex: targets of the sources */
    struct known_row {
        const uint32_t *at;
        uint64_t n;
        bool meets;
    } * known; /* KNOWN_ROWS of them */
} meeting;

static void mark_row(meeting *m, uint32_t source) {
    uint64_t n;
    const uint32_t *target = cflri_relation_row(m->relation, source, &n);
    for (uint64_t i = 0; i < n; i++) m->mark[target[i] / 64] |= UINT64_C(1) << target[i] % 64;
}

static bool row_meets(const meeting *m, uint32_t r) {
    const uint32_t *target = cflri_relation_targets(m->relation, r);
    uint64_t n = cflri_relation_count(m->relation, r);
    struct known_row *known = &m->known[((uintptr_t)target / sizeof *target) % KNOWN_ROWS];
    if (known->at == target && known->n == n) return known->meets;
    *known = (struct known_row){.at = target, .n = n};
    for (uint64_t i = 0; i < n && !known->meets; i++)
        known->meets = m->mark[target[i] / 64] >> target[i] % 64 & 1;
    return known->meets;
}

static cflr_status find_all(meeting *m, cflr_context *context, cflri_numbers *found,
                            cflr_error *error) {
    for (uint32_t r = 0; r < m->relation->n_rows; r++) {
        if (!row_meets(m, r)) continue;
        if (!cflri_vec_push(context, found, m->relation->row[r]))
            return cflri_fail_memory(context, error);
    }
    return CFLR_OK;
}

cflr_status cflri_meet_all(cflr_context *context, const cflri_relation *relation,
                           uint32_t n_vertices, const uint32_t *source, size_t n,
                           cflri_numbers *found, cflr_error *error) {
    meeting m = {.relation = relation};
    m.mark = cflri_alloc_array_zero(context, (size_t)n_vertices / 64 + 1, sizeof *m.mark);
    m.known = cflri_alloc_array_zero(context, KNOWN_ROWS, sizeof *m.known);
    cflr_status st = CFLR_OK;
    if (!m.mark || !m.known) st = cflri_fail_memory(context, error);
    for (size_t s = 0; s < n && st == CFLR_OK; s++) mark_row(&m, source[s]);
    if (st == CFLR_OK) st = find_all(&m, context, found, error);
    cflri_free(context, m.known);
    cflri_free(context, m.mark);
    return st;
}
