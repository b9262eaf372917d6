/* SPDX-License-Identifier: Apache-2.0
 *
 * carrier.h: a carrier whose ends are processes (engine/spine/carrier.h).
 */
#ifndef CFLRI_MPI_CARRIER_H
#define CFLRI_MPI_CARRIER_H

#include <mpi.h>

#include "base/vec.h"
#include "engine/spine/ranks.h"

typedef struct cflri_mpi_carrier {
    cflri_box_carrier carrier;
    cflr_context *context;
    MPI_Comm ranks;
    uint32_t self, n;   /* this rank, number of ranks */
    uint32_t each;      /* slices of a rank */
    uint32_t piece;     /* words of a message */
    cflri_box *out;     /* by slice: words to be sent to it */
    cflri_boxes *in;    /* by slice of this rank: boxes that have arrived */
    cflri_box *coming;  /* by rank and slice of this rank: being received */
    uint64_t *size_out; /* as out: words */
    uint64_t *size_in;  /* as coming */
    CFLRI_VEC(MPI_Request) request;
    bool began; /* MPI, so it has to end it */
} cflri_mpi_carrier;

/* Makes room for boxes; the rest has been filled in. */
cflr_status cflri_mpi_carrier_init(cflri_mpi_carrier *carrier, cflr_error *error);
void cflri_mpi_carrier_free(cflri_mpi_carrier *carrier);

#endif
