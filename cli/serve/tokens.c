/* SPDX-License-Identifier: Apache-2.0
 *
 * tokens.c: the token of C at a place of a text.
 *
 * A line is read from its beginning, so that what lies in a text or a comment is not taken for
 * code. A comment that began on an earlier line is not noticed; no expression is there, so nothing
 * is found, or else what follows it on its last line may be missed.
 */
#include "cli/serve/tokens.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *const keywords[] = {
    "auto",    "break",  "case",     "char",   "const",    "continue", "default",
    "do",      "double", "else",     "enum",   "extern",   "float",    "for",
    "goto",    "if",     "inline",   "int",    "long",     "register", "restrict",
    "return",  "short",  "signed",   "sizeof", "static",   "struct",   "switch",
    "typedef", "union",  "unsigned", "void",   "volatile", "while"};

static int compare_words(const void *key, const void *word) {
    const piece *p = key;
    const char *text = *(const char *const *)word;
    int order = strncmp(p->at, text, p->n);
    return order ? order : text[p->n] ? -1 : 0;
}

static bool is_keyword(const char *at, size_t n) {
    const piece key = {at, n};
    return bsearch(&key, keywords, sizeof keywords / sizeof *keywords, sizeof *keywords,
                   compare_words);
}

static bool is_letter(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

/* The end of what is quoted; of a quote that is not closed, behind it. */
static size_t end_of_quote(piece line, size_t at) {
    for (size_t i = at + 1; i < line.n; i++) {
        if (line.at[i] == '\\')
            i++;
        else if (line.at[i] == line.at[at])
            return i + 1;
    }
    return at + 1;
}

static size_t end_of_comment(piece line, size_t at) {
    if (line.at[at + 1] == '/') return line.n;
    const char *end = memmem(line.at + at + 2, line.n - at - 2, "*/", 2);
    return end ? (size_t)(end - line.at) + 2 : line.n;
}

static size_t end_of_operator(piece line, size_t at) {
    static const char *const operators[] = {"<<=", ">>=", "->", "++", "--", "<<", ">>",
                                            "<=",  ">=",  "==", "!=", "&&", "||", "+=",
                                            "-=",  "*=",  "/=", "%=", "&=", "|=", "^="};
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        size_t n = strlen(operators[i]);
        if (n <= line.n - at && memcmp(line.at + at, operators[i], n) == 0) return at + n;
    }
    return at + 1;
}

static bool begins_comment(piece line, size_t at) {
    return at + 1 < line.n && line.at[at] == '/' &&
           (line.at[at + 1] == '/' || line.at[at + 1] == '*');
}

/* What begins at the byte `at` ends there; *blank: it is no token. */
static size_t end_of_token(piece line, size_t at, bool *blank) {
    char c = line.at[at];
    *blank = isspace((unsigned char)c) || begins_comment(line, at);
    if (begins_comment(line, at)) return end_of_comment(line, at);
    if (*blank) return at + 1;
    if (c == '"' || c == '\'') return end_of_quote(line, at);
    size_t end = at;
    while (end < line.n && is_letter(line.at[end])) end++;
    return end > at ? end : end_of_operator(line, at);
}

bool token_at(piece line, size_t byte, token *t) {
    bool any = false, blank;
    for (size_t at = 0, end; at < line.n && at <= byte; at = end) {
        end = end_of_token(line, at, &blank);
        if (blank) continue;
        bool name = is_letter(line.at[at]) && !isdigit((unsigned char)line.at[at]) &&
                    !is_keyword(line.at + at, end - at);
        *t = (token){at, end, name};
        any = true;
    }
    return any && (t->end > byte || (t->is_name && t->end == byte));
}

/* ---- where its vertex is ---- */

enum { MOST_LINES = 400 /* that a call is looked through for its end */ };

/* The next token behind a place; false: the text ends, or it is far away. */
static bool next_token(lined_text *t, text_place *at, size_t last, token *found) {
    for (; at->line <= last; at->line++, at->byte = 0) {
        piece line = text_line(t, at->line);
        for (bool blank = true; at->byte < line.n; at->byte = found->end) {
            *found = (token){.begin = at->byte, .end = end_of_token(line, at->byte, &blank)};
            if (!blank) return true;
        }
    }
    return false;
}

/* From behind a bracket to the one that closes it. */
static bool closing(lined_text *t, text_place at, size_t last, text_place *place) {
    token found;
    for (size_t depth = 1; next_token(t, &at, last, &found); at.byte = found.end) {
        char c = text_line(t, at.line).at[found.begin];
        depth += c == '(' || c == '[' || c == '{';
        depth -= c == ')' || c == ']' || c == '}';
        *place = (text_place){at.line, found.begin};
        if (depth == 0) return true;
    }
    return false;
}

bool token_place(lined_text *t, size_t line, token at, text_place *place) {
    piece whole = text_line(t, line);
    char c = whole.at[at.begin];
    size_t last = line + MOST_LINES < text_lines(t) ? line + MOST_LINES : text_lines(t) - 1;
    text_place behind = {line, at.end};
    token found;
    bool arrow = at.end - at.begin == 2 && memcmp(whole.at + at.begin, "->", 2) == 0;
    *place = (text_place){line, at.begin};
    if (c == '(' || c == '[') return closing(t, behind, last, place);
    if (c != '.' && !arrow) return true;
    if (!next_token(t, &behind, last, &found)) return false;
    *place = (text_place){behind.line, found.begin};
    return true;
}
