/* SPDX-License-Identifier: Apache-2.0
 *
 * embedded.h: texts that are compiled into the libraries (cmake/embed.cmake), by file name without
 * extension, sorted, ended by a NULL name.
 */
#ifndef CFLRI_EMBEDDED_H
#define CFLRI_EMBEDDED_H

typedef struct cflri_embedded {
    const char *name;
    const char *text;
} cflri_embedded;

extern const cflri_embedded cflri_shipped_grammars[]; /* grammars/<name>.cfg, in cflr */
extern const cflri_embedded cflri_summary_texts[];    /* frontend/summaries/<name>.txt */
extern const cflri_embedded cflri_rule_texts[];       /* frontend/rules/<name>.txt */

#endif
