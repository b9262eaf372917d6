/* SPDX-License-Identifier: Apache-2.0
 *
 * comments.c: suppressions in the comments of C.
 *
 *     use(p); // cflr: ignore null -- REASON         the line of the comment, if code is before it
 *
 *     // cflr: ignore null format -- REASON          else the next statement: from the first line
 *     use(p,                                         of code behind the comment to the first one
 *         q);                                        with `;`, `{` or `}`
 *
 *     // cflr: ignore-begin null -- REASON           all lines up to `cflr: ignore-end`
 *     // cflr: ignore-file null -- REASON            all lines of the file
 *
 * One pass over the bytes knows comments, strings and characters, as the first phases of a compiler
 * do; what the preprocessor leaves out counts as well. A comment waits in a list until the lines
 * that it is about are known. O(bytes), and most files are only searched for the mark.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/alerts/suppressions.h"
#include "cli/alerts/tree.h"

static const char mark[] = "cflr: ignore";

typedef struct waiting {
    found_comment comment;
    enum { WAITS_FOR_CODE, WAITS_FOR_END_OF_STATEMENT, WAITS_FOR_END_OF_BLOCK } until;
} waiting;

typedef struct scanner {
    const char *path;
    const char *at, *end;
    uint32_t line;
    bool code; /* on this line, before `at` */
    waiting *list;
    size_t n, capacity;
    int (*found)(void *user, const found_comment *comment);
    void *user;
    int code_returned;
} scanner;

static void warn(const scanner *s, uint32_t line, const char *what) {
    remark("%s:%u: warning: %s", shown(short_path(s->path)), line, what);
}

static void tell(scanner *s, const found_comment *comment) {
    if (!s->code_returned) s->code_returned = s->found(s->user, comment);
}

/* Tells those that wait for this up to the line, and drops them. */
static void settle(scanner *s, size_t at, uint32_t last) {
    s->list[at].comment.last = last;
    tell(s, &s->list[at].comment);
    s->list[at] = s->list[--s->n];
}

/* ---- one comment ---- */

static const char *skip_blanks(const char *at, const char *end) {
    while (at < end && strchr(" \t", *at)) at++;
    return at;
}

/* The length without blanks at the end, and without the end of the comment. */
static size_t trimmed(const char *at, const char *end) {
    for (int k = 0; k < 2; k++) {
        while (end > at && strchr(" \t\r\n", end[-1])) end--;
        if (end - at >= 2 && end[-2] == '*' && end[-1] == '/') end -= 2;
    }
    return (size_t)(end - at);
}

static void wait_with(scanner *s, const waiting *w) {
    if (!make_room(&s->list, &s->capacity, s->n, sizeof *s->list)) {
        s->code_returned = fail_memory();
        return;
    }
    s->list[s->n++] = *w;
}

static void end_block(scanner *s, uint32_t line) {
    size_t last = s->n;
    while (last > 0 && s->list[last - 1].until != WAITS_FOR_END_OF_BLOCK) last--;
    if (last > 0)
        settle(s, last - 1, line);
    else
        warn(s, line, "nothing is open that `cflr: ignore-end` could end");
}

/* Behind the mark and what follows it at once: the rules, "--" and the reason, on one line. */
static bool read_rules(const scanner *s, const char *at, const char *end, found_comment *c) {
    const char *newline = at, *dashes = at;
    while (newline < end && *newline != '\n') newline++;
    end = newline;
    while (dashes < end && !(dashes[0] == '-' && dashes + 1 < end && dashes[1] == '-')) dashes++;
    c->rules = skip_blanks(at, end);
    c->n_rules = trimmed(c->rules, dashes);
    c->reason = dashes < end ? skip_blanks(dashes + 2, end) : end;
    c->n_reason = trimmed(c->reason, end);
    if (c->n_rules == 0)
        warn(s, c->line,
             "this comment has no rule, and does not count: `/* cflr: ignore RULE -- why */`");
    else if (c->n_reason == 0)
        warn(s, c->line,
             "this comment has no reason, and does not count: `/* cflr: ignore RULE -- why */`");
    return c->n_rules > 0 && c->n_reason > 0;
}

static bool takes(const char **at, const char *end, const char *word) {
    size_t n = strlen(word);
    bool there = (size_t)(end - *at) >= n && memcmp(*at, word, n) == 0;
    if (there) *at += n;
    return there;
}

/* A comment of the lines from `line` on; s->line is its last one. */
static void read_comment(scanner *s, const char *at, const char *end, uint32_t line) {
    const char *begin = memmem(at, (size_t)(end - at), mark, sizeof mark - 1);
    if (!begin) return;
    for (; at < begin; at++) line += *at == '\n';
    at = begin + sizeof mark - 1;
    waiting w = {.comment = {.line = line, .first = line, .last = line}};
    if (takes(&at, end, "-end")) {
        end_block(s, line);
        return;
    }
    bool block = takes(&at, end, "-begin"), file = !block && takes(&at, end, "-file");
    if (at < end && !strchr(" \t\r\n*", *at)) {
        warn(s, line, "there are ignore, ignore-begin, ignore-end and ignore-file behind `cflr:`");
        return;
    }
    if (!read_rules(s, at, end, &w.comment)) return;
    if (file) {
        w.comment.first = 1;
        w.comment.last = UINT32_MAX;
    }
    w.until = block ? WAITS_FOR_END_OF_BLOCK : WAITS_FOR_CODE;
    if (file || (!block && s->code))
        tell(s, &w.comment);
    else
        wait_with(s, &w);
}

/* ---- all bytes ---- */

static void skip_line_comment(scanner *s) {
    const char *begin = s->at;
    uint32_t line = s->line, lines = 0;
    while (s->at < s->end && (*s->at != '\n' || s->at[-1] == '\\')) lines += *s->at++ == '\n';
    read_comment(s, begin, s->at, line);
    s->line += lines;
}

static void skip_block_comment(scanner *s) {
    const char *begin = s->at;
    uint32_t line = s->line, lines = 0;
    const char *end = memmem(begin + 2, (size_t)(s->end - begin - 2), "*/", 2);
    end = end ? end + 2 : s->end;
    for (const char *at = begin; at < end; at++) lines += *at == '\n';
    s->line += lines; /* code that follows on its last line comes behind it */
    read_comment(s, begin, end, line);
    if (lines > 0) s->code = false;
    s->at = end;
}

static void skip_quoted(scanner *s, char quote) {
    for (s->at++; s->at < s->end && *s->at != quote && *s->at != '\n'; s->at++) {
        if (*s->at != '\\' || s->end - s->at < 2) continue;
        s->at++;
        s->line += *s->at == '\n';
    }
    if (s->at < s->end && *s->at == quote) s->at++;
}

/* A byte of code: statements begin and end. */
static void note_code(scanner *s, char byte) {
    bool ends = byte == ';' || byte == '{' || byte == '}';
    for (size_t i = s->n; i-- > 0;) {
        waiting *w = &s->list[i];
        if (w->until == WAITS_FOR_CODE) {
            w->comment.first = s->line;
            w->until = WAITS_FOR_END_OF_STATEMENT;
        }
        if (w->until == WAITS_FOR_END_OF_STATEMENT && ends) settle(s, i, s->line);
    }
    s->code = true;
}

static void scan(scanner *s) {
    while (s->at < s->end && !s->code_returned) {
        char byte = *s->at, next = s->at + 1 < s->end ? s->at[1] : '\0';
        if (byte == '/' && next == '/') {
            skip_line_comment(s);
        } else if (byte == '/' && next == '*') {
            skip_block_comment(s);
        } else if (byte == '\n') {
            s->line++;
            s->code = false;
            s->at++;
        } else if (strchr(" \t\r\f\v", byte)) {
            s->at++;
        } else {
            note_code(s, byte);
            if (byte == '"' || byte == '\'')
                skip_quoted(s, byte);
            else
                s->at++;
        }
    }
    while (s->n > 0) {
        const waiting *w = &s->list[s->n - 1];
        if (w->until == WAITS_FOR_END_OF_BLOCK)
            warn(s, w->comment.line,
                 "no `cflr: ignore-end` follows: this is about all that follows");
        settle(s, s->n - 1, UINT32_MAX);
    }
}

/* The bytes of a file, to be freed; NULL when it cannot be read, which is not told: libclang has
 * read it, or said why not. */
static char *read_bytes(const char *path, size_t *n) {
    enum { STEP = 1 << 16 };
    FILE *file = fopen(path, "r");
    char *bytes = NULL;
    size_t capacity = 0, got = 1;
    *n = 0;
    while (file && got > 0) {
        char *grown = realloc(bytes, capacity += capacity + STEP);
        if (!grown) break;
        bytes = grown;
        got = fread(bytes + *n, 1, capacity - *n, file);
        *n += got;
    }
    if (file) fclose(file);
    return bytes;
}

int comments_scan(const char *path, int (*found)(void *user, const found_comment *comment),
                  void *user) {
    size_t n;
    char *bytes = read_bytes(path, &n);
    scanner s = {.path = path, .line = 1, .found = found, .user = user};
    if (bytes && memmem(bytes, n, mark, sizeof mark - 1)) {
        s.at = bytes;
        s.end = bytes + n;
        scan(&s);
    }
    free(s.list);
    free(bytes);
    return s.code_returned;
}
