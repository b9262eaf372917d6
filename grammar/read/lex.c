/* SPDX-License-Identifier: Apache-2.0
 *
 * lex.c: from bytes to tokens, in one pass.
 *
 * White space and newlines separate tokens and mean nothing else; each token remembers whether it
 * is the first of its line, which is what ends rules and directives (parse.c). Columns count
 * characters, so that an editor finds them, and the text must be UTF-8.
 */
#include "grammar/read/lex.h"

#include <string.h>

#include "base/letters.h"
#include "grammar/read/text.h"

typedef struct lexer {
    cflr_context *context;
    const char *text;
    uint32_t size;
    uint32_t at;
    uint32_t line, column;
    bool first;
    const char *subject;
    cflri_tokens *tokens;
    cflr_error *error;
} lexer;

static bool more(const lexer *lex, uint32_t ahead) {
    return lex->size - lex->at > ahead;
}

static char peek(const lexer *lex, uint32_t ahead) {
    return more(lex, ahead) ? lex->text[lex->at + ahead] : '\0';
}

/* Moves over `n` bytes that hold no newline. */
static void advance(lexer *lex, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        if (((unsigned char)lex->text[lex->at + i] & 0xC0) != 0x80) lex->column++;
    }
    lex->at += n;
}

static cflr_status fault(const lexer *lex, const char *message) {
    return cflri_fail_at(lex->error, CFLR_SYNTAX, lex->subject, lex->line, lex->column, "%s",
                         message);
}

static cflr_status push(lexer *lex, cflri_token_kind kind, uint32_t skip, uint32_t length,
                        uint32_t whole) {
    cflri_token token = {.kind = (uint8_t)kind,
                         .first = lex->first,
                         .line = lex->line,
                         .column = lex->column,
                         .at = lex->at + skip,
                         .length = length};
    if (!cflri_vec_push(lex->context, &lex->tokens->list, token)) {
        return cflri_fail_memory(lex->context, lex->error);
    }
    lex->first = false;
    advance(lex, whole);
    return CFLR_OK;
}

static void skip_blank(lexer *lex) {
    while (more(lex, 0)) {
        char c = peek(lex, 0);
        if (c == '\n') {
            lex->at++;
            lex->line++;
            lex->column = 1;
            lex->first = true;
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
            advance(lex, 1);
        } else if (c == '#') {
            const char *end = memchr(lex->text + lex->at, '\n', lex->size - lex->at);
            lex->at = end ? (uint32_t)(end - lex->text) : lex->size;
        } else {
            return;
        }
    }
}

static uint32_t symbol_length(const lexer *lex, uint32_t from) {
    uint32_t n = from;
    while (more(lex, n) && cflri_symbol_goes_on(peek(lex, n))) {
        if (peek(lex, n) == '-' && peek(lex, n + 1) == '>') break;
        n++;
    }
    return n;
}

static cflr_status lex_symbol(lexer *lex) {
    uint32_t n = symbol_length(lex, 1);
    const char *text = lex->text + lex->at;
    for (uint32_t i = 0; i < n;) {
        size_t step = cflri_utf8_length(text + i, n - i);
        if (!step) {
            advance(lex, i);
            return fault(lex, "this byte is not UTF-8");
        }
        i += (uint32_t)step;
    }
    bool empty = cflri_is_empty_path(text, n);
    return push(lex, empty ? CFLRI_TOKEN_EPS : CFLRI_TOKEN_SYMBOL, 0, n, n);
}

static cflr_status lex_quoted(lexer *lex) {
    uint32_t n = 1;
    while (more(lex, n) && peek(lex, n) != '"') {
        if (peek(lex, n) == '\n') break;
        if (peek(lex, n) == '\\') {
            char escaped = peek(lex, n + 1);
            if (escaped != '"' && escaped != '\\') {
                advance(lex, n);
                return fault(lex, "only \\\" and \\\\ may follow a backslash");
            }
            n++;
        }
        n++;
    }
    if (peek(lex, n) != '"') return fault(lex, "the closing '\"' is missing on this line");
    if (memchr(lex->text + lex->at, '\0', n)) {
        return fault(lex, "a name cannot hold control characters");
    }
    return push(lex, CFLRI_TOKEN_QUOTED, 1, n - 1, n + 1);
}

/* "%start" is a directive, "%7" a symbol: the name of an auxiliary, as `show` prints it. */
static cflr_status lex_percent(lexer *lex) {
    char next = peek(lex, 1);
    uint32_t n = 1;
    if (next >= '0' && next <= '9') {
        while (peek(lex, n) >= '0' && peek(lex, n) <= '9') n++;
        return push(lex, CFLRI_TOKEN_SYMBOL, 0, n, n);
    }
    while (peek(lex, n) >= 'a' && peek(lex, n) <= 'z') n++;
    if (n == 1) return fault(lex, "'%' must be followed by the name of a directive");
    return push(lex, CFLRI_TOKEN_DIRECTIVE, 0, n, n);
}

static cflr_status lex_other(lexer *lex) {
    static const struct {
        char sign;
        uint8_t kind;
    } signs[] = {{'|', CFLRI_TOKEN_BAR},        {';', CFLRI_TOKEN_SEMICOLON},
                 {'(', CFLRI_TOKEN_OPEN},       {')', CFLRI_TOKEN_CLOSE},
                 {'[', CFLRI_TOKEN_INDEX_OPEN}, {']', CFLRI_TOKEN_INDEX_CLOSE},
                 {'?', CFLRI_TOKEN_QUESTION},   {'*', CFLRI_TOKEN_STAR},
                 {'+', CFLRI_TOKEN_PLUS},       {'~', CFLRI_TOKEN_TILDE}};
    char c = peek(lex, 0);
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        if (signs[i].sign == c) return push(lex, signs[i].kind, 0, 1, 1);
    }
    if (c == ':' && peek(lex, 1) == ':' && peek(lex, 2) == '=') {
        return push(lex, CFLRI_TOKEN_DEFINE, 0, 3, 3);
    }
    if (c == ':' || c == '=' || (c == '-' && peek(lex, 1) == '>')) {
        return fault(lex, "a rule is written with '::='");
    }
    if ((unsigned char)c < 0x20 || c == 0x7F) {
        return cflri_fail_at(lex->error, CFLR_SYNTAX, lex->subject, lex->line, lex->column,
                             "control character 0x%02X", (unsigned char)c);
    }
    return cflri_fail_at(lex->error, CFLR_SYNTAX, lex->subject, lex->line, lex->column,
                         "'%c' has no meaning here; a symbol with it must be quoted", c);
}

static cflr_status lex_token(lexer *lex) {
    char c = peek(lex, 0);
    if (cflri_symbol_begins(c)) return lex_symbol(lex);
    if (c == '"') return lex_quoted(lex);
    if (c == '%') return lex_percent(lex);
    return lex_other(lex);
}

cflr_status cflri_lex(cflr_context *context, const char *text, size_t length, const char *subject,
                      cflri_tokens *tokens, cflr_error *error) {
    cflr_status st = CFLR_OK;
    if (length > UINT32_MAX / 2) {
        return cflri_fail(error, CFLR_UNSUPPORTED, subject, "a grammar of more than 2 GiB");
    }
    lexer lex = {.context = context,
                 .text = text,
                 .size = (uint32_t)length,
                 .line = 1,
                 .column = 1,
                 .first = true,
                 .subject = subject,
                 .tokens = tokens,
                 .error = error};
    if (length >= 3 && !memcmp(text, "\xEF\xBB\xBF", 3)) lex.at = 3;
    skip_blank(&lex);
    while (more(&lex, 0)) {
        CFLR_TRY(lex_token(&lex));
        skip_blank(&lex);
    }
    lex.first = true;
    CFLR_TRY(push(&lex, CFLRI_TOKEN_END, 0, 0, 0));
out:
    return st;
}

void cflri_tokens_free(cflr_context *context, cflri_tokens *tokens) {
    cflri_vec_free(context, &tokens->list);
}
