/* SPDX-License-Identifier: Apache-2.0
 *
 * columns.c: columns in characters, which SARIF asks for, from columns in bytes, and others.
 *
 * The two differ behind a letter that takes several bytes, and few lines have one. So each file is
 * read once, and only those lines of it are kept that have other than ASCII:
 *
 *     file      lines that are kept, ascending, with their text
 *     a.c       (17, "/ * Grusse * / f(p);")  (40, ...)
 */
#include "cli/alerts/columns.h"

#include <search.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cli/run/run.h"

typedef struct wide_line {
    uint32_t number;
    char *text;
} wide_line;

typedef struct source_file {
    char *path;
    wide_line *line;
    size_t n, capacity;
} source_file;

static void *files; /* tsearch */
static const source_file *last;

static int compare_files(const void *a, const void *b) {
    const source_file *x = a, *y = b;
    return strcmp(x->path, y->path);
}

static bool is_ascii(const char *text) {
    while (*text && !(*text & 0x80)) text++;
    return !*text;
}

static void read_lines(source_file *f) {
    char *text = NULL;
    size_t capacity = 0;
    FILE *file = fopen(f->path, "r");
    for (uint32_t number = 1; file && getline(&text, &capacity, file) >= 0; number++) {
        if (is_ascii(text)) continue;
        if (!make_room(&f->line, &f->capacity, f->n, sizeof *f->line)) exit(fail_memory());
        f->line[f->n++] = (wide_line){number, strdup(text)};
        if (!f->line[f->n - 1].text) exit(fail_memory());
    }
    free(text);
    if (file) fclose(file);
}

static const source_file *file_of(const char *path) {
    if (last && strcmp(last->path, path) == 0) return last;
    source_file *made = calloc(1, sizeof *made);
    if (!made || !(made->path = strdup(path))) exit(fail_memory());
    source_file **at = tsearch(made, &files, compare_files);
    if (!at) exit(fail_memory());
    if (*at == made) {
        read_lines(made);
    } else {
        free(made->path);
        free(made);
    }
    last = *at;
    return last;
}

static int compare_lines(const void *a, const void *b) {
    const wide_line *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

/* The length of the character that begins here; 0: it is not UTF-8. */
static size_t character_length(const char *at) {
    unsigned char c = (unsigned char)*at;
    size_t n = c < 0x80 ? 1 : c < 0xC2 ? 0 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : c < 0xF5 ? 4 : 0;
    for (size_t i = 1; i < n; i++)
        if ((at[i] & 0xC0) != 0x80) return 0;
    return n;
}

static uint32_t count_of(size_t length, column_unit unit) {
    if (unit == COLUMN_BYTES) return (uint32_t)length;
    return unit == COLUMN_UTF16 && length == 4 ? 2 : 1;
}

uint32_t column_in_units(const char *file, uint32_t line, uint32_t column, column_unit from,
                         column_unit to) {
    const source_file *f = file_of(file);
    const wide_line key = {.number = line};
    const wide_line *at =
        f->n == 0 ? NULL : bsearch(&key, f->line, f->n, sizeof key, compare_lines);
    uint32_t given = 1, wanted = 1;
    if (!at) return column;
    for (const char *text = at->text; given < column && *text;) {
        size_t n = character_length(text);
        if (n == 0) return column;
        given += count_of(n, from);
        wanted += count_of(n, to);
        text += n;
    }
    return given == column ? wanted : column;
}

uint32_t column_in_characters(const char *file, uint32_t line, uint32_t column) {
    return column_in_units(file, line, column, COLUMN_BYTES, COLUMN_CHARACTERS);
}

static void free_file(void *node) {
    source_file *f = node;
    for (size_t i = 0; i < f->n; i++) free(f->line[i].text);
    free(f->line);
    free(f->path);
    free(f);
}

void columns_free(void) {
    tdestroy(files, free_file);
    files = NULL;
    last = NULL;
}
