/* SPDX-License-Identifier: Apache-2.0
 *
 * alignment.h: which line of a text is which line of an older one.
 */
#ifndef CFLR_CLI_SERVE_ALIGNMENT_H
#define CFLR_CLI_SERVE_ALIGNMENT_H

#include "cli/serve/lined_text.h"

#define NO_LINE SIZE_MAX

/* Lines that are equal in both texts, in the order of both. Zero bytes are one of empty texts. */
typedef struct alignment {
    size_t *then; /* by line of the newer text: that of the older one, or NO_LINE */
    size_t n;
} alignment;

/* O(lines log lines). The older text says how characters are compared (lined_text.h). */
void alignment_make(alignment *a, lined_text *now, lined_text *then);
void alignment_free(alignment *a);

/* NO_LINE: the line is new, or is not there any more. */
size_t line_then(const alignment *a, size_t now);
size_t line_now(const alignment *a, size_t then);

#endif
