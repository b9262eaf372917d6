/* SPDX-License-Identifier: Apache-2.0
 *
 * fingerprint.h: names of places in the source that stay from one state of it to the next.
 *
 * A fingerprint is a hash of texts that do not change when lines move, and the number of earlier
 * things with the same hash, which keeps fingerprints of one run different:
 *
 *     hash("null", "list.c", "find", "NULL", ...) = 1f0c3a5b9d2e4f60        1f0c3a5b9d2e4f60-0
 *     the same once more, further down                                      1f0c3a5b9d2e4f60-1
 *
 * Files compare fingerprints of different versions of cflr: what is hashed, and the hash (FNV-1a),
 * may only change together with the name under which reports give it ("cflr/v1").
 */
#ifndef CFLRI_FINGERPRINT_H
#define CFLRI_FINGERPRINT_H

#include "base/error.h"

#define CFLRI_FINGERPRINT_BEGIN UINT64_C(0xcbf29ce484222325)

/* The hash with one more text, whose end counts. */
uint64_t cflri_fingerprint_text(uint64_t hash, const char *text);
/* The same with the last part of a path: directories may be renamed, and differ by machine. */
uint64_t cflri_fingerprint_file(uint64_t hash, const char *path);

/* Writes the fingerprints of n hashes. The first one goes to `text`, and each other so many bytes
 * behind the one before it, 24 bytes each. O(n log n). */
cflr_status cflri_fingerprints_write(cflr_context *context, const uint64_t *hash, size_t n,
                                     char *text, size_t stride, cflr_error *error);

#endif
