/* SPDX-License-Identifier: Apache-2.0
 *
 * disk.c: the disk of a call of cflr_solve: a work directory (ooc/work.h) that the caller has
 * named, or files without names, which are made when memory ends. A work directory belongs to one
 * problem (engine/closure/digest.h).
 */
#include "engine/disk.h"

#include "base/context.h"
#include "engine/closure/digest.h"

_Static_assert((int)CFLRI_DIGEST == (int)CFLRI_PROBLEM_DIGEST,
               "a work directory has the problem's digest");

static const double checkpoint_every = 60; /* seconds, when the caller has none */

static cflr_status make(cflri_shelf_maker *maker, cflri_shelf **shelf, cflr_error *error) {
    cflri_disk *d = (cflri_disk *)maker;
    cflr_status st = CFLR_OK;
    *shelf = NULL;
    if (d->path) {
        CFLR_TRY(cflri_work_open(d->context, d->path, d->digest, &d->work, error));
    } else {
        CFLR_TRY(cflri_work_make(d->context, NULL, &d->work, error));
    }
    CFLR_TRY(cflri_disk_shelf_new(d->context, d->work, d->resume, &d->shelf, error));
    d->shelf->commits = d->path;
    d->shelf->save_every = d->save_every;
    *shelf = d->shelf;
out:
    return cflri_name_subject(st, d->path ? d->path : "", error);
}

void cflri_disk_init(cflri_disk *d, const cflri_problem *problem, const cflr_solve_opts *opts) {
    *d = (cflri_disk){.maker.make = make,
                      .context = problem->context,
                      .path = opts->work,
                      .resume = opts->resume,
                      .save_every = opts->checkpoint > 0 ? opts->checkpoint : checkpoint_every};
    if (d->path) cflri_problem_digest(problem, d->digest);
}

void cflri_disk_free(cflri_disk *d, bool keep) {
    cflri_disk_shelf_free(d->shelf);
    cflri_work_close(d->work, keep && d->path);
    *d = (cflri_disk){0};
}
