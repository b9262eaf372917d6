/* SPDX-License-Identifier: Apache-2.0
 *
 * work.h: a work directory: the data of a closure that does not fit into memory, and checkpoints of
 * it, from which a later run goes on.
 *
 *     DIR/cflr.lock       which process works here; held locked
 *     DIR/segment-0000    extents (base/files/spill.h)
 *     DIR/manifest        the last checkpoint: segments, their lengths, the caller's state
 *     DIR/manifest.old    the one before
 *
 *     cflri_work_open            or cflri_work_make: without a directory, and without checkpoints
 *     cflri_work_resume          or cflri_work_clear, to begin anew
 *     cflri_work_segment         a segment to append to; any number of them
 *       cflri_spill_append, cflri_work_read, cflri_work_drop
 *       cflri_work_commit        from time to time: a checkpoint
 *     cflri_work_close
 *
 * What a checkpoint names stays on the disk until two later ones are there: at any moment, whatever
 * happens to the process or the machine, a run that resumes finds the last checkpoint, whole. If
 * that is damaged later, it finds the one before. A run never finds anything else.
 *
 * One thread at a time calls these functions. Segments are for all threads (spill.h).
 */
#ifndef CFLRI_WORK_H
#define CFLRI_WORK_H

#include "base/files/spill.h"
#include "ooc/manifest.h"

typedef struct cflri_work cflri_work;

/* Makes the directory, or takes one that is empty or a work directory. The digest is of all that
 * decides what the state means: graph, grammar, options. CFLR_IO when another process works there,
 * with its number and since when; CFLR_ARGUMENT when the directory holds files of others. A path
 * that is relative must mean the same until the work is closed. */
cflr_status cflri_work_open(cflr_context *context, const char *path,
                            const unsigned char digest[CFLRI_DIGEST], cflri_work **work,
                            cflr_error *error);

/* Work for this process alone. Segments have no names: they lie beside `near_path`, or in $TMPDIR
 * or /var/tmp when it is NULL, "-" or a device, and are gone when the process ends, however that
 * happens. Resume finds nothing, and commit does nothing. */
cflr_status cflri_work_make(cflr_context *context, const char *near_path, cflri_work **work,
                            cflr_error *error);

/* Reads the last checkpoint: the caller's state in a new block, freed with cflri_free, whose
 * extents can be read; NULL when there is no checkpoint. What the checkpoint does not name is
 * removed. To be called before any segment is made. CFLR_FORMAT for damage, of the last two
 * checkpoints; CFLR_UNSUPPORTED for another version; CFLR_ARGUMENT for another digest. After a
 * failure the checkpoints are as they were, and the work can only be cleared, or closed and kept. */
cflr_status cflri_work_resume(cflri_work *work, void **state, size_t *size, cflr_error *error);

/* Removes what the directory has of former runs. */
cflr_status cflri_work_clear(cflri_work *work, cflr_error *error);

/* Makes a segment, which belongs to the work. Each has an open descriptor and, until it is removed
 * or the work closed, a buffer. */
cflr_status cflri_work_segment(cflri_work *work, cflri_spill **segment, cflr_error *error);

/* The segment of that number, or NULL. */
cflri_spill *cflri_work_find(const cflri_work *work, uint32_t number);

/* As the functions of spill.h, for an extent of any segment; CFLR_FORMAT when there is no such
 * segment. What is dropped stays on the disk while a checkpoint may need it. */
cflr_status cflri_work_read(cflri_work *work, const cflri_extent *extent, void *to,
                            cflr_error *error);
void cflri_work_prefetch(cflri_work *work, const cflri_extent *extent);
void cflri_work_drop(cflri_work *work, const cflri_extent *extent);

/* The state needs no extent of the segment any more: later checkpoints do not name it, and the file
 * goes when no checkpoint does. Its extents cannot be read any more. */
void cflri_work_remove(cflri_work *work, uint32_t segment);

/* Makes a checkpoint of the state and all that was appended, and waits until it lies on the disk.
 * After a failure the former checkpoint counts. When it is of a segment that was given up, the
 * caller may append anew what it needs of that, to another segment, remove it, and commit again. */
cflr_status cflri_work_commit(cflri_work *work, const void *state, size_t size, cflr_error *error);

/* Of all segments. */
cflri_spill_bytes cflri_work_count(const cflri_work *work);

/* Leaves the directory with the last checkpoint, or removes all that runs have made there; the
 * directory too, if a run has made it and nothing else is in it. NULL is a no-op. */
void cflri_work_close(cflri_work *work, bool keep);

#endif
