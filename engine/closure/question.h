/* SPDX-License-Identifier: Apache-2.0
 *
 * question.h: which pairs are asked for.
 *
 *     from          to            pair           asked
 *     --            --            --             all
 *     3 9           --            --             (3,*) (9,*)
 *     --            4             --             (*,4)
 *     3 9           4             --             (3,4) (9,4)
 *     --            --            (3,4) (9,1)    these
 *
 * A list that is not there (NULL) asks for every vertex; an empty one for none.
 */
#ifndef CFLRI_QUESTION_H
#define CFLRI_QUESTION_H

#include "base/graph/relation.h"
#include "cflr/solve.h"

typedef struct cflri_question {
    uint32_t *from, *to; /* ascending */
    size_t n_from, n_to;
    uint64_t *pair; /* cflri_pair, ascending; then `from` and `to` are NULL */
    size_t n_pairs;
} cflri_question;

/* The question of the options, whose vertices are to be below n_vertices: CFLR_ARGUMENT when they
 * are not, or when pairs are asked for beside vertices. *question is empty after a failure. */
cflr_status cflri_question_make(cflr_context *context, const cflr_solve_opts *opts,
                                uint32_t n_vertices, cflri_question *question, cflr_error *error);
void cflri_question_free(cflr_context *context, cflri_question *question);

static inline bool cflri_question_is_all(const cflri_question *question) {
    return !question->from && !question->to && !question->pair;
}

/* Is the pair asked for? CFLR_ANY_VERTEX: with every vertex on that side. O(log). */
bool cflri_question_asks(const cflri_question *question, uint32_t source, uint32_t target);

/* Is a pair with this source asked for? O(log). */
bool cflri_question_names(const cflri_question *question, uint32_t source);

/* Where a search for the answers starts: at sources, or backwards at targets, whichever are
 * fewer. */
typedef struct cflri_starts {
    bool by_source;
    size_t n;
    uint32_t *vertex; /* ascending */
    uint64_t *pairs;  /* that are asked for at each; CFLRI_EVERY_PAIR: with every vertex */
} cflri_starts;

#define CFLRI_EVERY_PAIR UINT64_MAX

/* The question must not be for all. */
cflr_status cflri_starts_make(cflr_context *context, const cflri_question *question,
                              cflri_starts *starts, cflr_error *error);
void cflri_starts_free(cflr_context *context, cflri_starts *starts);

/* Leaves only pairs that are asked for; *relation may share its targets, and has its own
 * afterwards. O(rows + pairs asked for and found). On failure it is as it was. */
cflr_status cflri_question_cut(cflr_context *context, const cflri_question *question,
                               cflri_relation *relation, cflr_error *error);

/* As bytes, for files; *words is freed with cflri_free. */
cflr_status cflri_question_pack(cflr_context *context, const cflri_question *question,
                                uint32_t **words, size_t *n, cflr_error *error);
/* CFLR_FORMAT when the words are none of a question. Whether lists ascend is left to
 * cflri_question_valid. *question is empty after a failure. */
cflr_status cflri_question_unpack(cflr_context *context, const uint32_t *words, size_t n,
                                  cflri_question *question, cflr_error *error);

/* Lists that ascend, vertices below n_vertices, in one of the forms above? Reads only what counts
 * allow. */
bool cflri_question_valid(const cflri_question *question, uint32_t n_vertices);

#endif
