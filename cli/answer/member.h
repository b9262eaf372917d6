/* SPDX-License-Identifier: Apache-2.0
 *
 * member.h: which member of an object a pointer points to.
 */
#ifndef CFLR_CLI_ANSWER_MEMBER_H
#define CFLR_CLI_ANSWER_MEMBER_H

#include "cli/run/run.h"

/* Facts about some pointers, those of one question. */
typedef struct members {
    const cflr_result *result;
    const uint32_t *pointer;
    size_t n_pointers;
    uint32_t alias; /* the relation that answers */
    uint32_t place; /* the symbol whose rows meet in it, or CFLR_NO_LABEL */
    uint32_t
        *label; /* f[n]: all members that they may point to are such a step away from something */
    size_t n_labels;
} members;

/* Looks at the aliases of the pointers, which must stay where they are. 0, or the exit code after a
 * message; free it in both cases. O(aliases of the pointers + labels). */
int members_find(const cflr_result *result, const uint32_t *pointer, size_t n, members *m);
void members_free(members *m);

enum { MEMBER_SIZE = 128 };

/* The one member of the object that they may point to, "in.x" or "[2]"; false: the object as a
 * whole, several members, or not known. */
bool members_one(const members *m, uint32_t object, char text[MEMBER_SIZE]);

#endif
