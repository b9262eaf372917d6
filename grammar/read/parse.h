/* SPDX-License-Identifier: Apache-2.0
 *
 * parse.h: the readers, one for each grammar format; each fills an empty tree.
 *
 * `text` may hold any byte. Readers trust nothing, and fail with the place of the first fault.
 */
#ifndef CFLRI_PARSE_H
#define CFLRI_PARSE_H

#include "grammar/read/ast.h"

cflr_status cflri_parse_cflr(const char *text, size_t length, struct cflri_ast *ast,
                             cflr_error *error);
cflr_status cflri_parse_pocr(const char *text, size_t length, struct cflri_ast *ast,
                             cflr_error *error);
cflr_status cflri_parse_gracfl(const char *text, size_t length, struct cflri_ast *ast,
                               cflr_error *error);
cflr_status cflri_parse_svf(const char *text, size_t length, struct cflri_ast *ast,
                            cflr_error *error);
cflr_status cflri_parse_cfpq(const char *text, size_t length, struct cflri_ast *ast,
                             cflr_error *error);

/* The format that the text looks like; never AUTO. */
cflr_grammar_format cflri_grammar_detect(const char *text, size_t length);

#endif
