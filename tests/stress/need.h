/* SPDX-License-Identifier: Apache-2.0
 *
 * need.h: a check for plain programs: says what is wrong, and ends.
 */
#ifndef CFLRI_STRESS_NEED_H
#define CFLRI_STRESS_NEED_H

#include <stdio.h>
#include <stdlib.h>

#define NEED(condition, ...)                                \
    do {                                                    \
        if (!(condition)) {                                 \
            fprintf(stderr, "%s:%d: ", __FILE__, __LINE__); \
            fprintf(stderr, __VA_ARGS__);                   \
            fputc('\n', stderr);                            \
            exit(1);                                        \
        }                                                   \
    } while (0)

#endif
