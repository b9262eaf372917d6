/* SPDX-License-Identifier: Apache-2.0
 *
 * for_parts.c: which parts a `for` has.
 *
 * libclang leaves out the missing parts without saying which are missing: `for (p = a;; p = b)` and
 * `for (p = a; p = b;)` are one tree. The text knows. Its tokens from `for` to the body are read
 * for the two semicolons in the outer parentheses, and a part belongs where it begins:
 *
 *     for (p = a;; p = b) body        part 0 before the first semicolon, part 2 behind the second
 *
 * Of a loop that a macro makes the text is not at hand, and its parts stay unknown.
 */
#include <string.h>

#include "frontend/walk/walk.h"

typedef struct header {
    uint32_t depth;
    uint32_t n; /* semicolons found */
    unsigned semicolon[2];
} header;

static unsigned offset_of(CXSourceLocation location) {
    unsigned offset = 0;
    cflri_clang_getExpansionLocation(location, NULL, NULL, NULL, &offset);
    return offset;
}

static unsigned start_of(const cflri_walk *w, uint32_t e) {
    return offset_of(
        cflri_clang_getRangeStart(cflri_clang_getCursorExtent(cflri_tree_cursor(&w->tree, e))));
}

static void read_token(header *h, const char *text, unsigned offset) {
    if (strcmp(text, "(") == 0) h->depth++;
    if (strcmp(text, ")") == 0 && h->depth > 0) h->depth--;
    if (strcmp(text, ";") != 0 || h->depth != 1) return;
    if (h->n < 2) h->semicolon[h->n] = offset;
    h->n++;
}

/* Finds the semicolons; false when the text is not that of a loop. */
static bool read_header(const cflri_walk *w, uint32_t e, uint32_t body, header *h) {
    CXSourceRange whole = cflri_clang_getCursorExtent(cflri_tree_cursor(&w->tree, e));
    CXSourceRange inner = cflri_clang_getCursorExtent(cflri_tree_cursor(&w->tree, body));
    CXSourceRange range =
        cflri_clang_getRange(cflri_clang_getRangeStart(whole), cflri_clang_getRangeStart(inner));
    CXToken *tokens = NULL;
    unsigned n = 0, end = start_of(w, body);
    bool loop = false;
    cflri_clang_tokenize(w->unit, range, &tokens, &n);
    for (unsigned i = 0; i < n; i++) {
        CXString string = cflri_clang_getTokenSpelling(w->unit, tokens[i]);
        const char *text = cflri_clang_getCString(string);
        unsigned offset = offset_of(cflri_clang_getTokenLocation(w->unit, tokens[i]));
        if (i == 0) loop = strcmp(text, "for") == 0;
        if (offset < end) read_token(h, text, offset);
        cflri_clang_disposeString(string);
    }
    cflri_clang_disposeTokens(w->unit, tokens, n);
    return loop && h->n == 2;
}

bool cflri_for_parts(const cflri_walk *w, uint32_t e, uint32_t parts[3]) {
    header h = {0};
    uint32_t body = cflri_tree_last(&w->tree, e);
    memset(parts, 0, 3 * sizeof *parts); /* CFLRI_NO_CHILD */
    if (!read_header(w, e, body, &h)) return false;
    for (uint32_t c = cflri_tree_first(&w->tree, e); c != body; c = cflri_tree_next(&w->tree, c)) {
        unsigned at = start_of(w, c);
        uint32_t part = (at > h.semicolon[0]) + (at > h.semicolon[1]);
        if (parts[part] != CFLRI_NO_CHILD) return false;
        parts[part] = c;
    }
    return true;
}
