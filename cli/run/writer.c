/* SPDX-License-Identifier: Apache-2.0
 *
 * writer.c: the formats of answers that have rows.
 *
 *     text    each row goes out as it comes
 *     json    rows are collected, and the whole goes out in the end
 *
 * A format is a word of ANSWER_FORMAT_LIST, its functions, and a member of row_kind.
 */
#include "cli/run/writer.h"

const row_kind answers_alone = {0};

struct writer_format {
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

enum {
#define NUMBER(word) NUMBER_OF_##word,
    ANSWER_FORMAT_LIST(NUMBER)
#undef NUMBER
};

/* The first one is that of no --format. */
static const struct writer_format formats[] = {
#define FORMAT(word) {word##_open, word##_list, word##_row, word##_close},
    ANSWER_FORMAT_LIST(FORMAT)
#undef FORMAT
};

static int read_format(int *number) {
    static const option_word words[] = {
#define WORD(word) {#word, NUMBER_OF_##word},
        ANSWER_FORMAT_LIST(WORD)
#undef WORD
            {NULL, 0}};
    *number = 0;
    return read_word("format", common.format, words, number);
}

int check_answer_format(void) {
    int number;
    return read_format(&number);
}

writer writer_open(void) {
    int number;
    read_format(&number);
    writer w = {.format = &formats[number]};
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
