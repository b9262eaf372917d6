/* SPDX-License-Identifier: Apache-2.0
 *
 * writer.c: the formats of answers that have rows.
 *
 *     text    each row goes out as it comes
 *     json    rows are collected, and the whole goes out in the end
 *
 * A format is a row of the table, and a member of row_kind.
 */
#include "cli/run/writer.h"

#include <string.h>

const row_kind answers_alone = {0};

struct writer_format {
    const char *word;
    void (*open)(writer *w);
    void (*list)(writer *w, const row_kind *kind);
    void (*row)(writer *w, const row_kind *kind, const void *of, const void *row);
    int (*close)(writer *w, int code);
};

/* ---- text ---- */

static void text_open(writer *w) {
    w->file = open_output();
}

static void text_list(writer *w, const row_kind *kind) {
    (void)w;
    (void)kind;
}

static void text_row(writer *w, const row_kind *kind, const void *of, const void *row) {
    if (w->file) kind->text(w->file, of, row);
}

static int text_close(writer *w, int code) {
    return finish_output(w->file, code);
}

/* ---- JSON ---- */

static void json_open(writer *w) {
    w->json = json_object();
}

static void json_list(writer *w, const row_kind *kind) {
    w->list = json_array();
    if (kind->key) {
        json_set(w->json, kind->key, w->list); /* the object owns it */
        return;
    }
    json_decref(w->json);
    w->json = w->list;
}

static void json_row(writer *w, const row_kind *kind, const void *of, const void *row) {
    json_array_append_new(w->list, kind->json(of, row));
}

static int json_close(writer *w, int code) {
    return print_json(w->json, code);
}

/* ---- all ---- */

static const struct writer_format formats[] = {
    {"text", text_open, text_list, text_row, text_close},
    {"json", json_open, json_list, json_row, json_close},
};

static const struct writer_format *find_format(const char *word) {
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcmp(formats[i].word, word) == 0) return &formats[i];
    return NULL;
}

bool is_writer_format(const char *word) {
    return find_format(word) != NULL;
}

writer writer_open(void) {
    writer w = {.format = find_format(common.format ? common.format : "text")};
    w.format->open(&w);
    return w;
}

void writer_list(writer *w, const row_kind *kind) {
    w->format->list(w, kind);
}

void writer_row(writer *w, const row_kind *kind, const void *of, const void *row) {
    w->format->row(w, kind, of, row);
}

int writer_close(writer *w, int code) {
    return w->format->close(w, code);
}
