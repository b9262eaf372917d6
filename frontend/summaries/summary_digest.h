/* SPDX-License-Identifier: Apache-2.0
 *
 * summary_digest.h: what the user's summaries and rules say, as a number.
 */
#ifndef CFLRI_SUMMARY_DIGEST_H
#define CFLRI_SUMMARY_DIGEST_H

#include "base/digest.h"
#include "frontend/facts/buffer.h"
#include "frontend/summaries/summary.h"

/* Are there any of the user, or rules? */
bool cflri_summaries_of_user(const cflri_summaries *summaries);

/* Of all that summaries say, and where, and the names of the rules: what is looked at after reading. */
cflri_digest cflri_summaries_digest(const cflri_summaries *summaries);

/* Appends the names by which what is said of a unit's functions and variables is found, those of
 * linkers included, each ended by NUL. The facts are as reading has left them. False when memory is
 * refused. */
bool cflri_summary_names(const cflri_facts *facts, cflri_buffer *names);

/* Of what they say about these names; zero when that is nothing. Equal digests mean equal facts, as
 * far as summaries and rules go. False when the bytes are no such names. */
bool cflri_summaries_digest_names(const cflri_summaries *summaries, const char *names, size_t size,
                                  cflri_digest *digest);

#endif
