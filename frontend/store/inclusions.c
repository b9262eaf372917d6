/* SPDX-License-Identifier: Apache-2.0
 *
 * inclusions.c: the files of a parsed unit.
 *
 * libclang visits every inclusion, so a file that is included many times (tables of macros are)
 * comes as often; the bytes are those that it parsed, not those that the file has by now. A name is
 * what the file was opened by: a directory of the search and what the source wrote, joined. It
 * stays that way, since ".." behind a symbolic link is not what it looks like.
 */
#include "frontend/store/inclusions.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

typedef struct collector {
    cflri_inclusions *to;
    cflr_context *context;
    CXTranslationUnit parsed;
    const char *directory;
    bool refused;
} collector;

static void add_file(collector *c, CXFile file, const char *name) {
    char path[PATH_MAX];
    uint32_t id;
    size_t size = 0;
    int length = name[0] == '/' ? snprintf(path, sizeof path, "%s", name)
                                : snprintf(path, sizeof path, "%s/%s", c->directory, name);
    if (length < 0 || length >= PATH_MAX) length = PATH_MAX - 1; /* never found again: no harm */
    if (cflri_intern(&c->to->paths, path, (size_t)length, &id, NULL) != CFLR_OK) c->refused = true;
    if (c->refused || id < c->to->content.n) return;
    const char *text = cflri_clang_getFileContents(c->parsed, file, &size);
    cflri_digest content = cflri_digest_of(text ? text : "", text ? size : 0);
    c->refused = !cflri_vec_push(c->context, &c->to->content, content);
}

static void visit(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData user) {
    (void)stack, (void)depth;
    collector *c = user;
    CXString name = cflri_clang_getFileName(file);
    const char *text = cflri_clang_getCString(name);
    if (text && *text && !c->refused) add_file(c, file, text);
    cflri_clang_disposeString(name);
}

/* Number 0 stands for none. */
static bool begin(cflri_inclusions *inclusions, cflr_context *context) {
    return cflri_strings_init(&inclusions->paths, context, NULL) == CFLR_OK &&
           cflri_vec_push(context, &inclusions->content, (cflri_digest){0, 0});
}

bool cflri_inclusions_collect(cflri_inclusions *inclusions, cflr_context *context,
                              CXTranslationUnit parsed, const char *directory) {
    collector c = {inclusions, context, parsed, directory, false};
    if (!begin(inclusions, context)) return false;
    cflri_clang_getInclusions(parsed, visit, &c);
    return !c.refused;
}

cflr_status cflri_inclusions_add(cflri_inclusions *inclusions, cflr_context *context,
                                 const char *path, cflri_digest content, cflr_error *error) {
    uint32_t id;
    bool good = inclusions->content.n > 0 || begin(inclusions, context);
    good = good && cflri_vec_reserve(context, &inclusions->content, 1) &&
           cflri_intern(&inclusions->paths, path, strlen(path), &id, NULL) == CFLR_OK;
    if (!good) return cflri_fail_memory(context, error);
    if (id == inclusions->content.n) inclusions->content.at[inclusions->content.n++] = content;
    return CFLR_OK;
}

void cflri_inclusions_free(cflri_inclusions *inclusions, cflr_context *context) {
    cflri_strings_free(&inclusions->paths);
    cflri_vec_free(context, &inclusions->content);
}
