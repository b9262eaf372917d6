/* SPDX-License-Identifier: Apache-2.0
 *
 * sources.c: the code that a page shows: each file once, with those of its lines that are near a
 * place. A file that cannot be read any more has none.
 */
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "cli/page/page.h"

enum { MOST_LINE = 400 /* bytes of a line that are shown */ };

typedef struct page_file {
    char *path;
    int number;
    bool *line; /* by number: it is shown; n_lines of them */
    size_t n_lines;
} page_file;

struct page_sources {
    void *by_path; /* tsearch */
    page_file **file;
    size_t n, capacity;
};

page_sources *sources_new(void) {
    page_sources *made = calloc(1, sizeof *made);
    if (!made) exit(fail_memory());
    return made;
}

static void free_file(void *node) {
    page_file *f = node;
    free(f->path);
    free(f->line);
    free(f);
}

void sources_free(page_sources *sources) {
    if (!sources) return;
    tdestroy(sources->by_path, free_file);
    free(sources->file);
    free(sources);
}

static int compare_files(const void *a, const void *b) {
    const page_file *x = a, *y = b;
    return strcmp(x->path, y->path);
}

static page_file *file_of(page_sources *s, const char *path) {
    page_file wanted = {.path = (char *)path}, **at = tfind(&wanted, &s->by_path, compare_files);
    if (at) return *at;
    page_file *made = calloc(1, sizeof *made);
    if (!made || !(made->path = strdup(path)) || !tsearch(made, &s->by_path, compare_files) ||
        !make_room(&s->file, &s->capacity, s->n, sizeof(page_file *)))
        exit(fail_memory());
    made->number = (int)s->n;
    s->file[s->n++] = made;
    return made;
}

int sources_file(page_sources *sources, const char *path) {
    return path[0] ? file_of(sources, path)->number : -1;
}

int sources_show(page_sources *sources, const char *path, uint32_t line, uint32_t around) {
    if (!path[0] || line == 0) return -1;
    page_file *f = file_of(sources, path);
    size_t first = line > around ? line - around : 1, end = (size_t)line + around + 1;
    if (end > f->n_lines) {
        size_t n = 2 * end;
        bool *grown = realloc(f->line, n * sizeof *grown);
        if (!grown) exit(fail_memory());
        memset(grown + f->n_lines, 0, (n - f->n_lines) * sizeof *grown);
        f->line = grown;
        f->n_lines = n;
    }
    for (size_t i = first; i < end; i++) f->line[i] = true;
    return f->number;
}

/* [path, {"17": "the line"}] */
static json_t *file_json(const page_file *f, const char *name) {
    json_t *list = json_array(), *lines = json_object();
    char *text = NULL, number[24];
    size_t capacity = 0;
    FILE *file = f->n_lines ? fopen(f->path, "r") : NULL;
    for (size_t i = 1; file && i < f->n_lines && getline(&text, &capacity, file) >= 0; i++) {
        if (!f->line[i]) continue;
        text[strcspn(text, "\r\n")] = '\0';
        if (strlen(text) > MOST_LINE) strcpy(text + MOST_LINE - 4, "...");
        snprintf(number, sizeof number, "%zu", i);
        json_set_text(lines, number, text);
    }
    free(text);
    if (file) fclose(file);
    json_array_append_new(list, json_text(name));
    json_array_append_new(list, lines);
    return list;
}

void sources_put(FILE *file, const page_sources *sources, const char *(*name)(const char *path)) {
    fputc('[', file);
    for (size_t i = 0; i < sources->n; i++) {
        const page_file *f = sources->file[i];
        fputs(i ? ",\n" : "\n", file);
        page_put(file, file_json(f, name(f->path)));
    }
    fputc(']', file);
}
