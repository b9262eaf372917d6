/* SPDX-License-Identifier: Apache-2.0
 *
 * temporaries.h: temporaries that are never read.
 */
#ifndef CFLRI_TEMPORARIES_H
#define CFLRI_TEMPORARIES_H

#include "frontend/program/link.h"

/* Drops the assignments into temporaries that flow nowhere, that nothing is derived from and that
 * neither a mention nor a check names: results that are thrown away, and records of which the
 * address of a member was taken (container.c) though nothing goes back from it. To be called by
 * closing. O(program). */
cflr_status cflri_drop_idle_temporaries(cflri_program *program, cflr_error *error);

#endif
