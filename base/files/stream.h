/* SPDX-License-Identifier: Apache-2.0
 *
 * stream.h: whole files in and out of memory, packed or not.
 *
 * A file is read as it was when it was opened, packed or not (.gz, .xz, .zst, recognised by their
 * first bytes); "-", pipes and devices are read to their end. Writing goes to a temporary file
 * beside the target, which replaces the target only when everything arrived: a reader never sees
 * half a file.
 */
#ifndef CFLRI_STREAM_H
#define CFLRI_STREAM_H

#include "base/error.h"
#include "cflr/output.h"

typedef struct cflri_input {
    cflr_context *context;
    const char *data; /* not NUL-terminated */
    size_t size;
    void *block; /* that holds them; NULL: owned by the caller, or none */
    bool left;   /* the bytes are left in the file: data is NULL */
    int fd;      /* of that file */
} cflri_input;

/* An empty file is fine; a directory, and a file that is cut short meanwhile, is CFLR_IO, damaged
 * packing CFLR_FORMAT; each failure names the file. May be interrupted. Memory: what the file
 * holds, counted; what has no size is read up to the memory limit, or to half of the machine's
 * memory (cflri_block_stretch). Always leaves *input in a state that may be closed, closing twice
 * included. */
cflr_status cflri_input_open(cflr_context *context, const char *path, cflri_input *input,
                             cflr_error *error);
void cflri_input_close(cflri_input *input);

/* The same, but a regular file that begins with the n bytes of `mark` is left where it is. */
cflr_status cflri_input_open_left(cflr_context *context, const char *path, const void *mark,
                                  size_t n, cflri_input *input, cflr_error *error);
/* Reads bytes of a file that was left. CFLR_FORMAT when it does not have them any more. Any
 * thread. */
cflr_status cflri_input_read(const cflri_input *input, uint64_t offset, void *to, size_t size,
                             const char *name, cflr_error *error);
/* Reads a file that was left into memory. */
cflr_status cflri_input_take(cflri_input *input, const char *name, cflr_error *error);

/* The writer of cflr/output.h, whose functions have these names here. Writing is not interrupted by
 * cancellation or time, since partial results must get out; but after either it no longer waits for
 * a reader that takes nothing from its pipe. */
typedef struct cflr_output cflri_output;

cflr_status cflri_output_open(cflr_context *context, const char *path, cflri_output **output,
                              cflr_error *error);
/* The output can be made again, so closing does not wait until it lies on the disk. */
void cflri_output_unsynced(cflri_output *output);
/* The name that messages use for this path. */
const char *cflri_output_name(const char *path);
void cflri_output_write(cflri_output *output, const void *data, size_t size);
void cflri_output_text(cflri_output *output, const char *text);
void cflri_output_printf(cflri_output *output, const char *format, ...) CFLRI_PRINTF(2, 3);
void cflri_output_u64(cflri_output *output, uint64_t number); /* decimal, fast */
/* Quoted and escaped as RFC 8259 wants, DEL and C1 too; bytes that are not UTF-8 become U+FFFD. */
void cflri_output_json(cflri_output *output, const char *text);

/* Flushes, renames and frees; the first error of the whole life is returned. */
cflr_status cflri_output_close(cflri_output *output, cflr_error *error);

/* Gives up: the temporary file is removed, the target stays as it was. NULL is a no-op. */
void cflri_output_abandon(cflri_output *output);

#endif
