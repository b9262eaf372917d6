/* SPDX-License-Identifier: Apache-2.0
 *
 * lex.h: tokens of the grammar syntax.
 */
#ifndef CFLRI_LEX_H
#define CFLRI_LEX_H

#include "base/vec.h"

/* X(name, how a message calls it) */
#define CFLRI_TOKEN_LIST(X)       \
    X(END, "the end of the text") \
    X(SYMBOL, "a symbol")         \
    X(QUOTED, "a quoted symbol")  \
    X(EPS, "'eps'")               \
    X(DIRECTIVE, "a directive")   \
    X(DEFINE, "'::='")            \
    X(BAR, "'|'")                 \
    X(SEMICOLON, "';'")           \
    X(OPEN, "'('")                \
    X(CLOSE, "')'")               \
    X(INDEX_OPEN, "'['")          \
    X(INDEX_CLOSE, "']'")         \
    X(QUESTION, "'?'")            \
    X(STAR, "'*'")                \
    X(PLUS, "'+'")                \
    X(TILDE, "'~'")

typedef enum cflri_token_kind {
#define CFLRI_TOKEN_ENUM(name, text) CFLRI_TOKEN_##name,
    CFLRI_TOKEN_LIST(CFLRI_TOKEN_ENUM)
#undef CFLRI_TOKEN_ENUM
} cflri_token_kind;

typedef struct cflri_token {
    uint8_t kind;    /* cflri_token_kind */
    bool first;      /* of its line */
    uint32_t line;   /* from 1 */
    uint32_t column; /* from 1, in characters */
    uint32_t at;     /* offset of the first byte; of QUOTED: after the quote */
    uint32_t length; /* in bytes; of QUOTED: without the quotes */
} cflri_token;

typedef struct cflri_tokens {
    CFLRI_VEC(cflri_token) list; /* ends with one END */
} cflri_tokens;

/* Cuts the whole text; *tokens must be zero before, and is freed with cflri_tokens_free on failure
 * too. */
cflr_status cflri_lex(cflr_context *context, const char *text, size_t length, const char *subject,
                      cflri_tokens *tokens, cflr_error *error);
void cflri_tokens_free(cflr_context *context, cflri_tokens *tokens);

#endif
