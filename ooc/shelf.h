/* SPDX-License-Identifier: Apache-2.0
 *
 * shelf.h: a shelf (engine/spine/shelf.h) on disk.
 */
#ifndef CFLRI_DISK_SHELF_H
#define CFLRI_DISK_SHELF_H

#include "engine/spine/shelf.h"
#include "ooc/work.h"

/* Makes a shelf in a work directory, which belongs to the caller and lives longer. With `resume`
 * its former states are those of the last checkpoint, if there is one; otherwise the directory is
 * cleared. */
cflr_status cflri_disk_shelf_new(cflr_context *context, cflri_work *work, bool resume,
                                 cflri_shelf **shelf, cflr_error *error);
void cflri_disk_shelf_free(cflri_shelf *shelf); /* NULL is a no-op */

#endif
