/* SPDX-License-Identifier: Apache-2.0
 *
 * documents.c: what the client has open, beside what was analysed.
 *
 *     analysis        mmmmmmmmmmmm              .cflr: places of these texts
 *     file                            w         written later: not what was analysed
 *     time      ------begun--------------->
 *
 * A result knows the names of files and no digests of them. So a file is what was analysed when it
 * was not changed after the analysis began, as far as the times say which the system keeps: when
 * its content was written and when its entry was (a file that is moved here keeps the former). The
 * text is read while that is so, and stays when the file is saved: positions are carried over by
 * lines (alignment.c).
 */
#include "cli/serve/documents.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/alerts/tree.h"

/* ---- URIs ---- */

bool path_of_uri(const char *uri, char path[PATH_MAX]) {
    char named[PATH_MAX];
    if (strncmp(uri, "file:///", 8) != 0 || !tree_of_uri(uri, named, sizeof named)) return false;
    if (!realpath(named, path)) strcpy(path, named);
    return true;
}

/* ---- the list ---- */

static void free_document(document *at) {
    free(at->uri);
    free(at->path);
    text_free(&at->now);
    text_free(&at->then);
    alignment_free(&at->lines);
    free(at);
}

void documents_free(documents *d) {
    for (size_t i = 0; i < d->n; i++) free_document(d->at[i]);
    free(d->at);
}

document *document_find(const documents *d, const char *uri) {
    for (size_t i = 0; i < d->n; i++)
        if (strcmp(d->at[i]->uri, uri) == 0) return d->at[i];
    return NULL;
}

document *document_of_path(const documents *d, const char *path) {
    for (size_t i = 0; i < d->n; i++)
        if (strcmp(d->at[i]->path, path) == 0) return d->at[i];
    return NULL;
}

document *document_open(documents *d, const char *uri, const char *text, size_t n) {
    char path[PATH_MAX];
    if (!path_of_uri(uri, path)) return NULL;
    document_close(d, uri);
    document *made = calloc(1, sizeof *made);
    if (!made || !(made->uri = strdup(uri)) || !(made->path = strdup(path)) ||
        !make_room(&d->at, &d->capacity, d->n, sizeof *d->at))
        exit(fail_memory());
    text_replace(&made->now, 0, 0, text, n);
    d->at[d->n++] = made;
    return made;
}

void document_close(documents *d, const char *uri) {
    for (size_t i = 0; i < d->n; i++) {
        if (strcmp(d->at[i]->uri, uri) != 0) continue;
        free_document(d->at[i]);
        d->at[i] = d->at[--d->n];
        return;
    }
}

/* ---- changes ---- */

static size_t byte_of(lined_text *t, encoding in, const position *at) {
    if (at->line >= text_lines(t)) return t->n;
    piece line = text_line(t, at->line);
    return t->start[at->line] + units_to_bytes(line, at->character, in);
}

void document_change(document *at, encoding in, const position *begin, const position *end,
                     const char *text, size_t n) {
    size_t from = begin ? byte_of(&at->now, in, begin) : 0;
    size_t to = begin ? byte_of(&at->now, in, end) : at->now.n;
    text_replace(&at->now, from, to < from ? from : to, text, n);
    at->aligned = false;
}

/* ---- what was analysed ---- */

/* The clock of files is behind that of the system by up to this. */
enum { CLOCK_STEP_NS = 20000000 };

static bool is_after(const struct timespec *a, const struct timespec *b) {
    double ns = 1e9 * ((double)a->tv_sec - (double)b->tv_sec) + (double)(a->tv_nsec - b->tv_nsec);
    return ns > -CLOCK_STEP_NS;
}

void document_remember(document *at, const struct timespec *made) {
    struct stat about;
    at->aligned = false;
    at->knows_then = stat(at->path, &about) == 0 && !is_after(&about.st_mtim, made) &&
                     !is_after(&about.st_ctim, made) && text_read(&at->then, at->path);
}

static void align(document *at) {
    if (!at->aligned && at->knows_then) alignment_make(&at->lines, &at->now, &at->then);
    at->aligned = true;
}

bool document_is_analysed(document *at) {
    align(at);
    bool same = at->knows_then && text_lines(&at->now) == text_lines(&at->then);
    for (size_t i = 0; same && i < at->lines.n; i++) same = at->lines.then[i] == i;
    return same;
}

size_t document_then(document *at, size_t line) {
    align(at);
    return at->knows_then ? line_then(&at->lines, line) : NO_LINE;
}

size_t document_now(document *at, size_t line) {
    align(at);
    return at->knows_then ? line_now(&at->lines, line) : NO_LINE;
}
