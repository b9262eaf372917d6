/* SPDX-License-Identifier: Apache-2.0
 *
 * output.h: a file that is written whole or not at all.
 *
 * The library writes graphs and results in this way, and programs may write theirs: under another
 * name in the same directory, which becomes the target when everything arrived and lies on the
 * disk. Until then, and after any failure, the target is what it was. A symbolic link stays one, a
 * file keeps its permissions, a device or a pipe is written as it is. A path that ends in .zst is
 * packed; "-" is standard output.
 *
 * A full disk and a limit of file sizes are CFLR_NO_SPACE, a reader that left is CFLR_IO with
 * system_error EPIPE; no signal ends the process, whatever it does about SIGXFSZ and SIGPIPE. */
#ifndef CFLR_OUTPUT_H
#define CFLR_OUTPUT_H

#include "cflr/context.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Belongs to one thread at a time. The first failure is kept: what is written after it is
 * dropped. */
typedef struct cflr_output cflr_output;

/* *output is NULL after a failure. */
CFLR_API cflr_status cflr_output_open(cflr_context *context, const char *path, cflr_output **output,
                                      cflr_error *error);
CFLR_API void cflr_output_write(cflr_output *output, const void *data, size_t size);

/* Hands over what is still here, so that the reader of a pipe has it; returns the first failure. */
CFLR_API cflr_status cflr_output_flush(cflr_output *output);

/* Puts the file in its place and frees the output; returns the first failure, after which the
 * target is what it was. */
CFLR_API cflr_status cflr_output_close(cflr_output *output, cflr_error *error);

/* Gives up: the target is what it was, and nothing is left beside it. NULL is a no-op. */
CFLR_API void cflr_output_abandon(cflr_output *output);

/* For a signal handler of a program that is going to end at once: removes the files that are being
 * written, of all outputs of the process (but of a folder of facts). Their targets are what they
 * were. */
CFLR_API void cflr_output_drop_all(void);

#ifdef __cplusplus
}
#endif
#endif
