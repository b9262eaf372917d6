/* SPDX-License-Identifier: Apache-2.0
 *
 * summary_digest.h: what the user's summaries say, as a number.
 */
#ifndef CFLRI_SUMMARY_DIGEST_H
#define CFLRI_SUMMARY_DIGEST_H

#include "frontend/facts/buffer.h"
#include "frontend/facts/digest.h"
#include "frontend/summaries/summary.h"

/* Are there any? */
bool cflri_summaries_of_user(const cflri_summaries *summaries);

/* Of all that they say, and where. */
cflri_digest cflri_summaries_digest(const cflri_summaries *summaries);

/* Appends the functions of a unit, by which its summaries are found: name and linker's name of
 * each, all ended by NUL. False when memory is refused. */
bool cflri_summary_names(const cflri_facts *facts, cflri_buffer *names);

/* Of what they say about these functions; zero when that is nothing. Equal digests mean equal
 * facts, as far as summaries go. False when the bytes are no such names. */
bool cflri_summaries_digest_names(const cflri_summaries *summaries, const char *names, size_t size,
                                  cflri_digest *digest);

#endif
