/* SPDX-License-Identifier: Apache-2.0
 *
 * spill.h: a segment: a file that only grows, for data that does not fit into memory.
 *
 *     segment:   | extent | extent | extent | ...       extents lie one behind the other
 *
 * An extent is written once and never changed. Its owner keeps its place and checksum, and hands
 * these back to read it. Extents are gathered in a buffer of 1 MiB, which is the unit of writing.
 * The pages of what is written and read leave the page cache, so that a cgroup is not charged for
 * them; writing waits for the disk when it is some 64 MiB ahead. Nothing is mapped, and nothing is
 * interrupted by cancellation or time: a partial result may need what is here.
 *
 * All functions but create, open and free may be called from any thread.
 *
 * Failure. When a write fails, because the disk is full (CFLR_NO_SPACE) or broken (CFLR_IO), the
 * segment is given up: each later append or sync fails with the same cause, since the system counts
 * pages as written that it failed to write. Extents that were appended before can be read.
 */
#ifndef CFLRI_SPILL_H
#define CFLRI_SPILL_H

#include "base/alloc.h"

typedef struct cflri_spill cflri_spill;

/* A place in a segment. Plain numbers, which may be kept in files. */
typedef struct cflri_extent {
    uint64_t offset;   /* in the segment */
    uint64_t size;     /* bytes there */
    uint64_t plain;    /* bytes that were appended */
    uint64_t checksum; /* XXH3 of the bytes in the segment */
    uint32_t segment;  /* its number */
    uint32_t packed;   /* 1: the bytes are a zstd frame */
} cflri_extent;

/* Makes a file, which must not exist. The number is written into extents. */
cflr_status cflri_spill_create(cflr_context *context, const char *path, uint32_t number,
                               cflri_spill **spill, cflr_error *error);
/* Makes a file beside `path` that has no name: it is gone when the process ends, however that
 * happens. */
cflr_status cflri_spill_create_unnamed(cflr_context *context, const char *path, uint32_t number,
                                       cflri_spill **spill, cflr_error *error);
/* Opens the first `length` bytes of an existing segment, to be read. CFLR_FORMAT when the file is
 * not there or shorter. */
cflr_status cflri_spill_open(cflr_context *context, const char *path, uint32_t number,
                             uint64_t length, cflri_spill **spill, cflr_error *error);
/* Closes the file, without writing what is still in the buffer. NULL is a no-op. */
void cflri_spill_free(cflri_spill *spill);

/* Appends the bytes as one extent; `pack` has them packed, unless memory for that is refused. A
 * failure for lack of memory does not give up the segment. Not for a segment that was opened. */
cflr_status cflri_spill_append(cflri_spill *spill, const void *data, size_t size, bool pack,
                               cflri_extent *extent, cflr_error *error);

/* Reads an extent to `to`, which has extent->plain bytes. CFLR_FORMAT, with the file and the place,
 * when the segment does not hold it: no extent of it, cut short, a checksum that is wrong. A packed
 * one needs memory for its packed bytes. */
cflr_status cflri_spill_read(cflri_spill *spill, const cflri_extent *extent, void *to,
                             cflr_error *error);

/* The extent will be read soon: the system may begin to. Packed extents of 4 MiB are then read in
 * half to all of the time; plain ones that are read in order take longer, since the system reads
 * ahead of these by itself. */
void cflri_spill_prefetch(cflri_spill *spill, const cflri_extent *extent);

/* The extent will not be read any more: its blocks go back to the file system, where that can do
 * it. */
void cflri_spill_drop(cflri_spill *spill, const cflri_extent *extent);

/* Cuts off what the file of an opened segment has beyond its length, if that can be done. */
void cflri_spill_cut(cflri_spill *spill);

/* Waits until all that was appended lies on the disk. */
cflr_status cflri_spill_sync(cflri_spill *spill, cflr_error *error);

/* Has a write failed? */
bool cflri_spill_given_up(cflri_spill *spill);

/* Bytes of the segment, of which some may not yet be in the file. */
uint64_t cflri_spill_length(cflri_spill *spill);

/* Bytes that this process has written to the file, and read from it. */
typedef struct cflri_spill_bytes {
    uint64_t written, read;
} cflri_spill_bytes;

cflri_spill_bytes cflri_spill_count(cflri_spill *spill);

#endif
