/* SPDX-License-Identifier: Apache-2.0
 *
 * check_support.h: the messages of a function that validates a structure (base/fault.h).
 */
#ifndef TEST_ENGINE_CHECK_SUPPORT_H
#define TEST_ENGINE_CHECK_SUPPORT_H

#include "tests/support/support.h"

typedef bool validating(const void *what, FILE *to);
typedef void dumping(const void *what, FILE *to);

/* What a test breaks, and a part of what is to be told then. */
typedef struct breakage {
    void (*damage)(void *what);
    const char *tells;
} breakage;

static inline void must_be_right(validating *validate, const void *what) {
    char *text;
    size_t n;
    FILE *to = open_memstream(&text, &n);
    bool right = validate(what, to);
    fclose(to);
    cr_assert(right, "%s", text);
    cr_assert_eq(n, 0);
    free(text);
}

static inline void must_tell(validating *validate, const void *what, const char *tells) {
    char *text;
    size_t n;
    FILE *to = open_memstream(&text, &n);
    bool right = validate(what, to);
    fclose(to);
    cr_assert_not(right, "nothing is told of what should be '%s'", tells);
    cr_assert(strstr(text, tells), "'%s' is not in: %s", tells, text);
    free(text);
}

static inline void must_dump(dumping *dump, const void *what, const char *part) {
    char *text;
    size_t n;
    FILE *to = open_memstream(&text, &n);
    dump(what, to);
    fclose(to);
    cr_assert(strstr(text, part), "'%s' is not in: %s", part, text);
    free(text);
}

#endif
