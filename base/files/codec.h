/* SPDX-License-Identifier: Apache-2.0
 *
 * codec.h: packing and unpacking bytes: zstd both ways, gzip and xz to read.
 *
 * The packing libraries take their memory from our allocator, so that a packed file cannot pass the
 * context's limit. No size that a packed file declares is believed before it was checked.
 */
#ifndef CFLRI_CODEC_H
#define CFLRI_CODEC_H

#include "base/alloc.h"

typedef struct cflri_bytes {
    char *data; /* from cflri_alloc */
    size_t size;
} cflri_bytes;

typedef enum cflri_packing {
    CFLRI_PACKING_NONE,
    CFLRI_PACKING_GZIP,
    CFLRI_PACKING_XZ,
    CFLRI_PACKING_ZSTD,
} cflri_packing;

/* By the first bytes. */
cflri_packing cflri_packing_of(const char *data, size_t size);

/* How much of a file's name is before `.gz`, `.xz` or `.zst`; all of it when it ends in none. */
size_t cflri_unpacked_length(const char *path);

/* Unpacks a whole .gz, .xz or .zst file (concatenated members and frames too) into a new block.
 * CFLR_FORMAT for damaged or truncated data, CFLR_LIMIT or CFLR_NO_MEMORY when it does not fit; may
 * be interrupted. `data` must have a packing. */
cflr_status cflri_unpack(cflr_context *context, const char *data, size_t size, const char *subject,
                         cflri_bytes *plain, cflr_error *error);

/* ---- zstd ---- */

/* Takes packed bytes as they come. */
typedef void (*cflri_sink)(void *user, const void *data, size_t size);

/* One zstd frame being made: one thread, so that the bytes depend on the input only. */
typedef struct cflri_packer cflri_packer;

/* plain_size: of the whole frame, recorded in it; UINT64_MAX when it is not known yet. Such a frame
 * is a file of its own and has a checksum; others are parts of a container, which has one for each.
 */
cflr_status cflri_packer_new(cflr_context *context, uint64_t plain_size, cflri_packer **packer,
                             cflr_error *error);
void cflri_packer_free(cflri_packer *packer); /* NULL is a no-op */

/* Packs some more, or all the rest when `last`; the sink is called any number of times. */
cflr_status cflri_packer_write(cflri_packer *packer, const void *data, size_t size, bool last,
                               cflri_sink sink, void *user, cflr_error *error);

/* Does `packed` hold exactly one zstd frame that declares `plain_size` bytes, and could it hold
 * that many? Cheap: looks at headers only. */
bool cflri_zstd_frame_is(const void *packed, size_t packed_size, uint64_t plain_size);

/* Could so many packed bytes be that many plain ones? */
bool cflri_zstd_may_hold(size_t packed_size, uint64_t plain_size);

/* Unpacks one frame that passed cflri_zstd_frame_is into `plain`, which has plain_size bytes. */
cflr_status cflri_zstd_unpack(cflr_context *context, const void *packed, size_t packed_size,
                              void *plain, size_t plain_size, cflr_error *error);

#endif
