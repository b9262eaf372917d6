/* SPDX-License-Identifier: Apache-2.0
 *
 * ranks.h: what the library of MPI has for this one (engine/device/library.h).
 */
#ifndef CFLRI_RANKS_H
#define CFLRI_RANKS_H

#include "engine/spine/carrier.h"

typedef struct cflri_rank_opts {
    uint32_t expected; /* ranks */
    uint32_t each;     /* slices of a rank */
    uint32_t piece;    /* words of a message, at most; fewer than 2^31 bytes */
} cflri_rank_opts;

typedef struct cflri_rank_library {
    uint32_t version; /* CFLRI_RANK_VERSION, a digest of headers: cmake/library_version.cmake */
    /* Every rank calls it, once in a process. If no number of threads was asked for, the context
     * gets this rank's share of the processors. */
    cflr_status (*join)(cflr_context *context, const cflri_rank_opts *opts,
                        cflri_box_carrier **carrier, cflr_error *error);
    /* Likewise. */
    void (*leave)(cflri_box_carrier *carrier);
} cflri_rank_library;

/* The symbol of the library that is its cflri_rank_library. */
#define CFLRI_RANK_SYMBOL "cflr_mpi_ranks"

/* The table of the library; NULL, and why, where there is none. */
const cflri_rank_library *cflri_rank_library_load(char *why, size_t size);

#endif
