/* SPDX-License-Identifier: Apache-2.0
 *
 * page.c: the frame of a page is filled.
 */
#include "cli/page/page.h"

#include <string.h>

/* Made by cmake/embed.cmake of all page/. */
extern const struct cflri_embedded {
    const char *name;
    const char *text;
} cflri_page_texts[];

static int put_escaped(const char *text, size_t n, void *user) {
    FILE *file = user;
    for (size_t i = 0; i < n; i++) {
        if (text[i] == '<')
            fputs("\\u003c", file);
        else
            fputc(text[i], file);
    }
    return 0;
}

void page_put(FILE *file, json_t *value) {
    json_dump_callback(value, put_escaped, file,
                       JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_ENCODE_ANY);
    json_decref(value);
}

/* NULL: there is no such text. */
static const char *text_of(const char *name) {
    size_t i = 0;
    while (cflri_page_texts[i].name && strcmp(cflri_page_texts[i].name, name) != 0) i++;
    return cflri_page_texts[i].text;
}

/* What stands between two @ of the frame is a text of all pages, or of this kind if it has it. */
static void fill_hole(FILE *file, const char *kind, const char *hole, int length) {
    char name[40];
    snprintf(name, sizeof name, "%.*s", length, hole);
    const char *text = text_of(name);
    if (!text) snprintf(name, sizeof name, "%s_%.*s", kind, length, hole);
    if (!text) text = text_of(name);
    if (text) fputs(text, file);
}

void page_write(FILE *file, const char *kind, void (*put_data)(FILE *file, void *user),
                void *user) {
    for (const char *at = text_of("frame"); *at;) {
        size_t n = strcspn(at, "@");
        fwrite(at, 1, n, file);
        at += n;
        if (!*at) break;
        n = strcspn(at + 1, "@");
        if (n == 4 && strncmp(at + 1, "data", n) == 0)
            put_data(file, user);
        else
            fill_hole(file, kind, at + 1, (int)n);
        at += n + 2;
    }
}
