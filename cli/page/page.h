/* SPDX-License-Identifier: Apache-2.0
 *
 * page.h: pages of HTML that need nothing else, for people: what all of them share.
 *
 *     page/frame.html    with @style@, @look@, @body@, @data@, @common@, @model@ and @view@
 *                        replaced
 *     page/style.css     how all pages look, light and dark
 *     page/common.js     what all of them do; its head says what data they have in common
 *
 * Nothing of a program can become markup: the data is JSON in which no `<` is left, and the page
 * makes text of it.
 */
#ifndef CFLR_CLI_PAGE_PAGE_H
#define CFLR_CLI_PAGE_PAGE_H

#include "cli/run/run.h"

/* Writes the page of a kind, such as "findings", whose own texts are findings_look.css,
 * findings_body.html and findings_view.js, and findings_model.js if its script is two; `put_data`
 * writes its object of JSON. */
void page_write(FILE *file, const char *kind, void (*put_data)(FILE *file, void *user), void *user);

/* JSON without `<`, which could end the element that it is in. Frees the value. */
void page_put(FILE *file, json_t *value);

/* ---- code (sources.c) ---- */

/* Files with those of their lines that a page shows. Where memory is refused the program ends,
 * after a message. */
typedef struct page_sources page_sources;

page_sources *sources_new(void);
void sources_free(page_sources *sources);
/* The number of the file of a place; -1: it has none. */
int sources_file(page_sources *sources, const char *path);
/* The same; so many lines on both sides of the place are shown then. */
int sources_show(page_sources *sources, const char *path, uint32_t line, uint32_t around);
/* Writes the value of `files`, each file under the name that it has for people. O(lines of files
 * that have a line to show). */
void sources_put(FILE *file, const page_sources *sources, const char *(*name)(const char *path));

#endif
