/* SPDX-License-Identifier: Apache-2.0
 *
 * digest.h: a digest of a problem, by which runs that share their work know that they have the same
 * one: ranks, parts of a result, a run that goes on from a checkpoint.
 */
#ifndef CFLRI_CLOSURE_DIGEST_H
#define CFLRI_CLOSURE_DIGEST_H

#include "engine/closure/model.h"

enum { CFLRI_PROBLEM_DIGEST = 16 };

/* Digests all that decides which rows there are, and how they are numbered: the edges, the ground
 * grammar, its filters, the symbols that are asked for, and the techniques; neither the number of
 * threads nor that of slices. O(edges + rules + filters). */
void cflri_problem_digest(const cflri_problem *problem, unsigned char digest[CFLRI_PROBLEM_DIGEST]);

#endif
