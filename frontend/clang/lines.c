/* SPDX-License-Identifier: Apache-2.0
 *
 * lines.c: line and column of an offset in a file.
 *
 *     int f;\n\nint g;      start: 0 7 8        offset 12 is line 3, column 5
 *
 * libclang knows both, but searches its files for them each time, and the front end asks at every
 * name. The questions mostly follow the source: the line that was asked for last and the few after
 * it are tried first, then there is a search by halves. Lines end where clang ends them: at \n, \r,
 * or both; the \n of both is in the column of its \r.
 *
 * O(size) once, then nearly O(1).
 */
#include "frontend/clang/lines.h"

#include <string.h>

#include "base/ids.h"

enum { TRIED = 8 };

/* `returns`: may the text hold a \r? Few do. */
static const char *end_of_line(const char *at, const char *end, bool returns) {
    const char *feed = memchr(at, '\n', (size_t)(end - at));
    const char *limit = feed ? feed : end;
    const char *carriage = returns ? memchr(at, '\r', (size_t)(limit - at)) : NULL;
    if (!carriage || carriage + 1 == feed) return feed;
    return carriage;
}

bool cflri_lines_make(cflr_context *context, cflri_lines *lines, const char *text, size_t size) {
    const char *end = text + size;
    bool returns = size > 0 && memchr(text, '\r', size);
    lines->text = text;
    for (const char *at = text;;) {
        if (!cflri_vec_push(context, &lines->start, (uint32_t)(at - text))) return false;
        at = end_of_line(at, end, returns);
        if (!at) return true;
        at++;
    }
}

void cflri_lines_free(cflr_context *context, cflri_lines *lines) {
    cflri_vec_free(context, &lines->start);
}

/* Is the offset in this line, or behind it? */
static bool reaches(const cflri_lines *lines, size_t line, uint32_t offset) {
    return line < lines->start.n && lines->start.at[line] <= offset;
}

static size_t search(const cflri_lines *lines, uint32_t offset) {
    size_t i;
    CFLRI_BISECT(i, 1, lines->start.n, reaches(lines, i, offset));
    return i - 1;
}

void cflri_lines_find(cflri_lines *lines, uint32_t offset, uint32_t *line, uint32_t *column) {
    size_t at = lines->last;
    for (int i = 0; i < TRIED && reaches(lines, at + 1, offset); i++) at++;
    if (!reaches(lines, at, offset) || reaches(lines, at + 1, offset)) at = search(lines, offset);
    uint32_t start = lines->start.at[at];
    lines->last = at;
    if (reaches(lines, at + 1, offset + 1) && offset > start && lines->text[offset - 1] == '\r')
        offset--;
    *line = (uint32_t)at + 1;
    *column = offset - start + 1;
}
