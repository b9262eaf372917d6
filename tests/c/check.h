/* SPDX-License-Identifier: Apache-2.0
 *
 * check.h: what is true of pointers at a line of C, said once and checked twice.
 *
 * Compiled with CHECK_RUN and run, each line below tests what really happens. Analysed without it,
 * the same line is a question to the analysis (tests/unit/frontend/test_constructs.c reads the
 * source for them).
 *
 *                      run: the pointers     analysis
 *     SAME(p, q)       are equal             must say that they may alias
 *     INTO(p, x)       p is inside x         must say that p may point to x
 *     APART(p, q)      differ                must know: never alias
 *     BLURRED(p, q)    differ                cannot know: an approximation, kept in view
 *     UNKNOWN(p, q)    are equal             must say that it does not know
 *     MISSED(p, q)     are equal             says no, by an assumption of docs/reference/constructs.md
 *
 * Arguments are expressions as cflr spells them: `s.next->m`, `a[i]`, `*p`, without casts. One check
 * a line. For the analysis they are read, and nothing is done with them.
 */
#ifndef CHECK_H
#define CHECK_H

#ifdef CHECK_RUN

#include <stddef.h>

#include "check_run.h"

static inline int check_inside(const void *p, const void *object, size_t size) {
    return (const char *)p >= (const char *)object && (const char *)p < (const char *)object + size;
}

#define CHECK_EQUAL(p, q) ((const void *)(p) == (const void *)(q))
#define SAME(p, q) check_that(CHECK_EQUAL(p, q), "SAME(" #p ", " #q ")", __LINE__)
#define MISSED(p, q) check_that(CHECK_EQUAL(p, q), "MISSED(" #p ", " #q ")", __LINE__)
#define UNKNOWN(p, q) check_that(CHECK_EQUAL(p, q), "UNKNOWN(" #p ", " #q ")", __LINE__)
#define APART(p, q) check_that(!CHECK_EQUAL(p, q), "APART(" #p ", " #q ")", __LINE__)
#define BLURRED(p, q) check_that(!CHECK_EQUAL(p, q), "BLURRED(" #p ", " #q ")", __LINE__)
#define INTO(p, x) check_that(check_inside((p), &(x), sizeof(x)), "INTO(" #p ", " #x ")", __LINE__)

#else

#define SAME(p, q) ((void)(p), (void)(q))
#define MISSED(p, q) ((void)(p), (void)(q))
#define UNKNOWN(p, q) ((void)(p), (void)(q))
#define APART(p, q) ((void)(p), (void)(q))
#define BLURRED(p, q) ((void)(p), (void)(q))
#define INTO(p, x) ((void)(p))
#define CHECKED 0

#endif
#endif
