/* SPDX-License-Identifier: Apache-2.0
 *
 * library.h: libraries that are loaded when something asks for them, so that one program runs with
 * and without what they need.
 *
 * Such a library exports a table of functions for each kind of work (traverse/device.h has that of
 * traversals). A table begins with its version: a digest of the headers that both sides share
 * (cmake/library_version.cmake). That a library loads does not mean that there is a device: its
 * functions ask the driver, and say CFLR_UNAVAILABLE.
 */
#ifndef CFLRI_LIBRARY_H
#define CFLRI_LIBRARY_H

#include <stddef.h>
#include <stdint.h>

#define CFLRI_CUDA_LIBRARY "libcflr_cuda.so"

/* The table that the library exports as `symbol`, the same one whenever it is asked for; the
 * library stays loaded. NULL, and why, when there is no such library, or it is of another version.
 * Any thread. */
const void *cflri_library_table(const char *file, const char *symbol, uint32_t version, char *why,
                                size_t size);

#endif
