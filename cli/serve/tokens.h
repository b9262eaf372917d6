/* SPDX-License-Identifier: Apache-2.0
 *
 * tokens.h: the token of C at a place of a text.
 */
#ifndef CFLR_CLI_SERVE_TOKENS_H
#define CFLR_CLI_SERVE_TOKENS_H

#include "cli/serve/lined_text.h"

typedef struct token {
    size_t begin, end; /* bytes of the line */
    bool is_name;      /* an identifier that is no keyword */
} token;

/* The token that the byte is in; behind a name, the name. False: it is white space or a comment. */
bool token_at(piece line, size_t byte, token *t);

/* A byte of a text. */
typedef struct text_place {
    size_t line, byte;
} text_place;

/* Where the expression that the token begins, or belongs to, has its vertex
 * (cflr_graph_builder_mention): of a bracket that opens a subscript or a call, its end; of `.` and
 * `->`, the name of the member; of all else, the token itself. False: it is not there, or far
 * away. */
bool token_place(lined_text *t, size_t line, token at, text_place *place);

#endif
