/* SPDX-License-Identifier: Apache-2.0
 *
 * disk.h: the disk of a call of cflr_solve (disk.c).
 */
#ifndef CFLRI_DISK_H
#define CFLRI_DISK_H

#include "engine/spine/attempts.h"
#include "ooc/shelf.h"

typedef struct cflri_disk {
    cflri_shelf_maker maker;
    cflr_context *context;
    const char *path; /* of the work directory; NULL: files without names */
    bool resume;      /* from the last checkpoint there */
    double save_every;
    unsigned char digest[CFLRI_DIGEST];
    cflri_work *work;
    cflri_shelf *shelf;
} cflri_disk;

/* Prepares a disk for the problem. Nothing is made until a shelf is needed. With a path it costs
 * O(edges). */
void cflri_disk_init(cflri_disk *disk, const cflri_problem *problem, const cflr_solve_opts *opts);

/* With `keep` a work directory stays, and a later call can go on from its last checkpoint. */
void cflri_disk_free(cflri_disk *disk, bool keep);

#endif
