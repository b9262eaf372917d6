/* SPDX-License-Identifier: Apache-2.0
 *
 * expect.h: what library functions do with pointers, said once and checked twice.
 *
 * Run, a line below checks what the C library of this machine really did. Analysed, the same line
 * is a question to the analysis (tests/unit/frontend/test_summary_flow.c reads the sources for
 * them), whose answer must contain what can be observed.
 *
 *     POINTS_TO(p, x)    p points into the variable x
 *     SAME(p, q)         p and q are equal
 *     FRESH(p)           p points to an object that was made by a call, and to no variable
 *     KNOWN(p)           p points to something
 *     APART(p, q)        p and q differ, always: the analysis must not mix them up either
 *
 *     WILL_POINT_TO(p, x)   p points into x, but only after this program has ended or elsewhere:
 *                           analysed, not run
 *
 * Arguments are names of variables, one line a check.
 */
#ifndef EXPECT_H
#define EXPECT_H

#include <stdbool.h>
#include <stddef.h>

/* Defined by whoever runs the file. */
void expect_true(bool holds, const char *what, const char *file, int line);

static inline bool expect_inside(const void *p, const void *object, size_t size) {
    return (const char *)p >= (const char *)object &&
           (const char *)p <= (const char *)object + size;
}

#define POINTS_TO(p, x) \
    expect_true(expect_inside((p), &(x), sizeof(x)), #p " points to " #x, __FILE__, __LINE__)
#define SAME(p, q) expect_true((p) == (q), #p " is " #q, __FILE__, __LINE__)
#define FRESH(p) expect_true((p) != NULL, #p " is fresh", __FILE__, __LINE__)
#define KNOWN(p) expect_true((p) != NULL, #p " is known", __FILE__, __LINE__)
#define WILL_POINT_TO(p, x) \
    expect_true((p) != (const void *)&(x), #p " is not " #x " yet", __FILE__, __LINE__)
#define APART(p, q) expect_true((p) != (q), #p " is not " #q, __FILE__, __LINE__)

#endif
