/* SPDX-License-Identifier: Apache-2.0
 *
 * question.c: which pairs are asked for.
 */
#include "engine/closure/question.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/ids.h"
#include "base/vec.h"

#define MOST ((size_t)UINT32_MAX) /* of each list; files hold 32 bits */

/* ---- making ---- */

/* A sorted copy without repeats: *made is NULL when there is no list. */
static cflr_status copy_ids(cflr_context *context, const uint32_t *ids, size_t n,
                            uint32_t n_vertices, uint32_t **made, size_t *n_made,
                            cflr_error *error) {
    if (!ids) return CFLR_OK;
    *made = cflri_alloc_array(context, n, sizeof **made);
    if (!*made) return cflri_fail_memory(context, error);
    for (size_t i = 0; i < n; i++) {
        if (ids[i] >= n_vertices) {
            return cflri_fail(error, CFLR_ARGUMENT, NULL, "the graph has no vertex %" PRIu32,
                              ids[i]);
        }
        (*made)[i] = ids[i];
    }
    *n_made = cflri_ids_sort_once(*made, n);
    return CFLR_OK;
}

static cflr_status copy_pairs(cflr_context *context, const cflr_solve_opts *opts,
                              uint32_t n_vertices, cflri_question *q, cflr_error *error) {
    if (!opts->pairs) return CFLR_OK;
    q->pair = cflri_alloc_array(context, opts->n_pairs, sizeof *q->pair);
    if (!q->pair) return cflri_fail_memory(context, error);
    for (size_t i = 0; i < opts->n_pairs; i++) {
        cflr_pair pair = opts->pairs[i];
        uint32_t larger = pair.source > pair.target ? pair.source : pair.target;
        if (larger >= n_vertices) {
            return cflri_fail(error, CFLR_ARGUMENT, NULL, "the graph has no vertex %" PRIu32,
                              larger);
        }
        q->pair[i] = cflri_pair(pair.source, pair.target);
    }
    cflr_status st = cflri_sort_pairs(context, q->pair, opts->n_pairs, NULL, error);
    for (size_t i = 0; st == CFLR_OK && i < opts->n_pairs; i++) {
        if (!q->n_pairs || q->pair[q->n_pairs - 1] != q->pair[i])
            q->pair[q->n_pairs++] = q->pair[i];
    }
    return st;
}

cflr_status cflri_question_make(cflr_context *context, const cflr_solve_opts *opts,
                                uint32_t n_vertices, cflri_question *question, cflr_error *error) {
    cflr_status st = CFLR_OK;
    *question = (cflri_question){0};
    if (opts->pairs && (opts->from || opts->to)) {
        return cflri_fail(error, CFLR_ARGUMENT, NULL,
                          "a question is by pairs, or by sources and targets, not both");
    }
    if (opts->n_from > MOST || opts->n_to > MOST || opts->n_pairs > MOST) {
        return cflri_fail(error, CFLR_ARGUMENT, NULL, "too many vertices are asked for");
    }
    CFLR_TRY(copy_ids(context, opts->from, opts->n_from, n_vertices, &question->from,
                      &question->n_from, error));
    CFLR_TRY(
        copy_ids(context, opts->to, opts->n_to, n_vertices, &question->to, &question->n_to, error));
    CFLR_TRY(copy_pairs(context, opts, n_vertices, question, error));
out:
    if (st != CFLR_OK) cflri_question_free(context, question);
    return st;
}

void cflri_question_free(cflr_context *context, cflri_question *question) {
    cflri_free(context, question->from);
    cflri_free(context, question->to);
    cflri_free(context, question->pair);
    *question = (cflri_question){0};
}

/* ---- reading ---- */

static bool has_id(const uint32_t *ids, size_t n, uint32_t id) {
    uint64_t at = cflri_ids_seek(ids, n, id);
    return at < n && ids[at] == id;
}

static bool has_pair(const cflri_question *q, uint64_t pair) {
    uint64_t at = cflri_pairs_seek(q->pair, q->n_pairs, pair);
    return at < q->n_pairs && q->pair[at] == pair;
}

bool cflri_question_asks(const cflri_question *q, uint32_t source, uint32_t target) {
    if (q->pair) return has_pair(q, cflri_pair(source, target)); /* no vertex has that number */
    return (!q->from || has_id(q->from, q->n_from, source)) &&
           (!q->to || has_id(q->to, q->n_to, target));
}

bool cflri_question_names(const cflri_question *q, uint32_t source) {
    if (!q->pair) return !q->from || has_id(q->from, q->n_from, source);
    uint64_t at = cflri_pairs_seek(q->pair, q->n_pairs, cflri_pair(source, 0));
    return at < q->n_pairs && q->pair[at] >> 32 == source;
}

bool cflri_question_valid(const cflri_question *q, uint32_t n_vertices) {
    if (q->pair && (q->from || q->to)) return false;
    for (size_t i = 0; q->pair && i < q->n_pairs; i++) {
        uint32_t source = (uint32_t)(q->pair[i] >> 32), target = (uint32_t)q->pair[i];
        if (source >= n_vertices || target >= n_vertices) return false;
        if (i && q->pair[i - 1] >= q->pair[i]) return false;
    }
    return (!q->from || cflri_ids_ascend(q->from, q->n_from, n_vertices)) &&
           (!q->to || cflri_ids_ascend(q->to, q->n_to, n_vertices));
}

/* ---- as words ----
 *
 *     lists that there are (bits), n_from, n_to, n_pairs | from | to | sources of pairs | targets
 */

enum { HEADER = 4, HAS_FROM = 1, HAS_TO = 2, HAS_PAIRS = 4 };

cflr_status cflri_question_pack(cflr_context *context, const cflri_question *q, uint32_t **words,
                                size_t *n, cflr_error *error) {
    *n = HEADER + q->n_from + q->n_to + 2 * q->n_pairs;
    uint32_t *to = *words = cflri_alloc_array(context, *n, sizeof *to);
    if (!to) return cflri_fail_memory(context, error);
    *to++ = (q->from ? HAS_FROM : 0u) | (q->to ? HAS_TO : 0u) | (q->pair ? HAS_PAIRS : 0u);
    *to++ = (uint32_t)q->n_from;
    *to++ = (uint32_t)q->n_to;
    *to++ = (uint32_t)q->n_pairs;
    for (size_t i = 0; i < q->n_from; i++) *to++ = q->from[i];
    for (size_t i = 0; i < q->n_to; i++) *to++ = q->to[i];
    for (size_t i = 0; i < q->n_pairs; i++) *to++ = (uint32_t)(q->pair[i] >> 32);
    for (size_t i = 0; i < q->n_pairs; i++) *to++ = (uint32_t)q->pair[i];
    return CFLR_OK;
}

static uint32_t *unpack_ids(cflr_context *context, const uint32_t *words, size_t n) {
    uint32_t *ids = cflri_alloc_array(context, n, sizeof *ids);
    for (size_t i = 0; ids && i < n; i++) ids[i] = words[i];
    return ids;
}

static bool unpack_lists(cflr_context *context, const uint32_t *words, cflri_question *q) {
    const uint32_t *from = words + HEADER, *to = from + words[1];
    const uint32_t *source = to + words[2], *target = source + words[3];
    if (words[0] & HAS_FROM && !(q->from = unpack_ids(context, from, words[1]))) return false;
    if (words[0] & HAS_TO && !(q->to = unpack_ids(context, to, words[2]))) return false;
    q->n_from = words[1];
    q->n_to = words[2];
    if (!(words[0] & HAS_PAIRS)) return true;
    q->pair = cflri_alloc_array(context, words[3], sizeof *q->pair);
    if (!q->pair) return false;
    q->n_pairs = words[3];
    for (size_t i = 0; i < q->n_pairs; i++) q->pair[i] = cflri_pair(source[i], target[i]);
    return true;
}

cflr_status cflri_question_unpack(cflr_context *context, const uint32_t *words, size_t n,
                                  cflri_question *q, cflr_error *error) {
    *q = (cflri_question){0};
    bool right = n >= HEADER &&
                 n == (uint64_t)HEADER + words[1] + words[2] + 2 * (uint64_t)words[3] &&
                 words[0] != 0 && words[0] <= (HAS_FROM | HAS_TO | HAS_PAIRS) &&
                 (words[0] & HAS_FROM || !words[1]) && (words[0] & HAS_TO || !words[2]) &&
                 (words[0] & HAS_PAIRS || !words[3]);
    if (!right)
        return cflri_fail(error, CFLR_FORMAT, NULL, "damaged result: the question is wrong");
    if (unpack_lists(context, words, q)) return CFLR_OK;
    cflri_question_free(context, q);
    return cflri_fail_memory(context, error);
}

/* ---- where to start ---- */

/* Distinct sources or targets of the pairs, and how many pairs each has. */
static bool ends_of_pairs(cflr_context *context, const cflri_question *q, bool sources,
                          cflri_starts *s) {
    *s = (cflri_starts){.by_source = sources};
    s->vertex = cflri_alloc_array(context, q->n_pairs, sizeof *s->vertex);
    s->pairs = cflri_alloc_array_zero(context, q->n_pairs, sizeof *s->pairs);
    if (!s->vertex || !s->pairs) return false;
    for (size_t i = 0; i < q->n_pairs; i++) {
        s->vertex[i] = sources ? (uint32_t)(q->pair[i] >> 32) : (uint32_t)q->pair[i];
    }
    if (q->n_pairs && !sources) qsort(s->vertex, q->n_pairs, sizeof *s->vertex, cflri_ids_compare);
    for (size_t i = 0; i < q->n_pairs; i++) {
        if (!s->n || s->vertex[s->n - 1] != s->vertex[i]) s->vertex[s->n++] = s->vertex[i];
        s->pairs[s->n - 1]++;
    }
    return true;
}

static bool start_pairs(cflr_context *context, const cflri_question *q, cflri_starts *starts) {
    cflri_starts backwards = {0};
    if (!ends_of_pairs(context, q, true, starts)) return false;
    bool done = ends_of_pairs(context, q, false, &backwards);
    if (done && backwards.n < starts->n) {
        cflri_starts_free(context, starts);
        *starts = backwards;
    } else {
        cflri_starts_free(context, &backwards);
    }
    return done;
}

static bool start_vertices(cflr_context *context, const cflri_question *q, cflri_starts *starts) {
    bool by_source = q->from && (!q->to || q->n_from <= q->n_to);
    bool both = q->from && q->to;
    const uint32_t *vertex = by_source ? q->from : q->to;
    *starts = (cflri_starts){.by_source = by_source, .n = by_source ? q->n_from : q->n_to};
    starts->vertex = cflri_alloc_array(context, starts->n, sizeof *starts->vertex);
    starts->pairs = cflri_alloc_array(context, starts->n, sizeof *starts->pairs);
    if (!starts->vertex || !starts->pairs) return false;
    for (size_t i = 0; i < starts->n; i++) {
        starts->vertex[i] = vertex[i];
        starts->pairs[i] = !both ? CFLRI_EVERY_PAIR : by_source ? q->n_to : q->n_from;
    }
    return true;
}

cflr_status cflri_starts_make(cflr_context *context, const cflri_question *question,
                              cflri_starts *starts, cflr_error *error) {
    bool made = question->pair ? start_pairs(context, question, starts)
                               : start_vertices(context, question, starts);
    if (made) return CFLR_OK;
    cflri_starts_free(context, starts);
    return cflri_fail_memory(context, error);
}

void cflri_starts_free(cflr_context *context, cflri_starts *starts) {
    cflri_free(context, starts->vertex);
    cflri_free(context, starts->pairs);
    *starts = (cflri_starts){0};
}

/* ---- cutting ---- */

typedef struct cutting {
    cflr_context *context;
    const cflri_question *question;
    CFLRI_VEC(uint64_t) kept;
    cflr_row row;
} cutting;

/* The pairs of a row that are among the targets asked for, whichever are fewer looked up in the
 * others. */
static bool cut_to(cutting *c, const uint32_t *row, uint64_t n, uint32_t source, const uint32_t *to,
                   uint64_t n_to) {
    const uint32_t *few = n < n_to ? row : to, *many = n < n_to ? to : row;
    uint64_t n_few = n < n_to ? n : n_to, n_many = n < n_to ? n_to : n;
    for (uint64_t i = 0; i < n_few; i++) {
        if (!has_id(many, n_many, few[i])) continue;
        if (!cflri_vec_push(c->context, &c->kept, cflri_pair(source, few[i]))) return false;
    }
    return true;
}

static cflr_status cut_row(cutting *c, const cflri_relation *relation, uint32_t r,
                           cflr_error *error) {
    const cflri_question *q = c->question;
    uint32_t source = relation->row[r];
    if (q->from && !has_id(q->from, q->n_from, source)) return CFLR_OK;
    cflr_status st = cflri_relation_read(c->context, relation, r, &c->row, error);
    if (st != CFLR_OK) return st;
    const uint32_t *target = c->row.target;
    bool kept = true;
    if (q->to) kept = cut_to(c, target, c->row.count, source, q->to, q->n_to);
    for (uint64_t i = 0; !q->to && kept && i < c->row.count; i++) {
        kept = cflri_vec_push(c->context, &c->kept, cflri_pair(source, target[i]));
    }
    return kept ? CFLR_OK : cflri_fail_memory(c->context, error);
}

static cflr_status cut_pairs(cutting *c, const cflri_relation *relation, cflr_error *error) {
    cflri_failure failure = {.st = CFLR_OK};
    for (size_t i = 0; i < c->question->n_pairs; i++) {
        uint64_t pair = c->question->pair[i];
        if (!cflri_relation_has(relation, (uint32_t)(pair >> 32), (uint32_t)pair, &failure))
            continue;
        if (!cflri_vec_push(c->context, &c->kept, pair)) {
            return cflri_fail_memory(c->context, error);
        }
    }
    return cflri_tell_failure(&failure, error);
}

cflr_status cflri_question_cut(cflr_context *context, const cflri_question *question,
                               cflri_relation *relation, cflr_error *error) {
    cutting c = {.context = context, .question = question};
    cflri_relation cut = {0};
    cflr_status st = CFLR_OK;
    if (question->pair) CFLR_TRY(cut_pairs(&c, relation, error));
    for (uint32_t r = 0; !question->pair && r < relation->n_rows; r++) {
        CFLR_TRY(cut_row(&c, relation, r, error));
    }
    CFLR_TRY(cflri_relation_build_sorted(context, c.kept.at, c.kept.n, &cut, error));
    cflri_relation_free(context, relation);
    *relation = cut;
out:
    cflri_vec_free(context, &c.kept);
    cflr_row_free(&c.row);
    return st;
}
