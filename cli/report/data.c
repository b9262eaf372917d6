/* SPDX-License-Identifier: Apache-2.0
 *
 * data.c: what a page shows, as JSON; result_model.js has the list of its members.
 *
 * Each text, set, row and object is there once, and refers to others by numbers. Rows and objects
 * are columns of numbers (columns.c), so that a row takes some ten bytes. O(what is shown).
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/report/overview.h"

enum { AROUND = 3 /* lines of code on both sides of a place */ };

typedef struct writing {
    result_page *r;
    FILE *file;
    blocks texts;
    page_sources *sources;
    bool *coded; /* of a file by number: its code is shown */
    size_t n_coded, coded_room;
} writing;

/* ---- files and texts ---- */

static uint32_t text_number(writing *w, const char *text) {
    return blocks_add(&w->texts, text, strlen(text) + 1);
}

/* Is there room for the code of a file that is met for the first time? */
static bool takes_code(result_page *r, const char *path) {
    struct stat status;
    if (!r->code || stat(path, &status) != 0) return false;
    bool fits = (uint64_t)status.st_size <= r->code_left;
    if (fits)
        r->code_left -= (uint64_t)status.st_size;
    else
        r->files_without_code++;
    return fits;
}

/* 1 + the number of the place's file; 0: it has none. */
static uint32_t file_number(writing *w, const cflr_vertex_info *info) {
    int file = sources_file(w->sources, info->file);
    if (file < 0) return 0;
    if ((size_t)file == w->n_coded) {
        if (!make_room(&w->coded, &w->coded_room, w->n_coded, sizeof *w->coded))
            exit(fail_memory());
        w->coded[w->n_coded++] = takes_code(w->r, info->file);
    }
    if (w->coded[file]) sources_show(w->sources, info->file, info->line, AROUND);
    return (uint32_t)file + 1;
}

/* ---- rows and objects ---- */

typedef struct column {
    const char *key;
    bool steps; /* is written as differences */
} column;

static const column columns[] = {{"name", false},    {"function", false}, {"type", false},
                                 {"context", false}, {"file", true},      {"line", true},
                                 {"column", false},  {"kind", false},     {"vertex", true},
                                 {"link", false},    {"copies", false}};
enum { N_COLUMNS = sizeof columns / sizeof *columns };

/* Their values, of one vertex each: value[k][i] is that of column k and row i. */
typedef struct table {
    uint32_t *value[N_COLUMNS];
    uint32_t n;
} table;

static void add_vertex(writing *w, table *t, uint32_t vertex, bool context, uint32_t link,
                       uint32_t copies) {
    cflr_vertex_info info;
    cflr_graph_vertex(w->r->graph, vertex, &info);
    const uint32_t all[N_COLUMNS] = {text_number(w, known_name(info.name)),
                                     text_number(w, info.function),
                                     text_number(w, info.type),
                                     text_number(w, context ? info.context : ""),
                                     file_number(w, &info),
                                     info.line,
                                     info.column,
                                     info.kind,
                                     vertex,
                                     link,
                                     copies};
    for (size_t k = 0; k < N_COLUMNS; k++) t->value[k][t->n] = all[k];
    t->n++;
}

static table take_table(uint32_t n) {
    table t = {.n = 0};
    for (size_t k = 0; k < N_COLUMNS; k++) t.value[k] = take_room(n, sizeof *t.value[k]);
    return t;
}

static void put_table(writing *w, const char *key, table *t) {
    fprintf(w->file, "\"%s\":{\"n\":%u", key, t->n);
    for (size_t k = 0; k < N_COLUMNS; k++) {
        fputs(",\n", w->file);
        (columns[k].steps ? column_put_steps : column_put)(w->file, columns[k].key, t->value[k],
                                                           t->n);
        free(t->value[k]);
    }
    fputs("},\n", w->file);
}

/* The link of a row is its set. */
static void put_rows(writing *w) {
    const result_page *r = w->r;
    table t = take_table(r->n_rows);
    for (uint32_t look = 0; look < r->looks.n; look++) {
        if (r->row[look] == NONE) continue;
        uint32_t copies = r->looks.start[look + 1] - r->looks.start[look];
        add_vertex(w, &t, vertex_of(r, look), false, r->set_row[r->set[look]], copies);
    }
    put_table(w, "rows", &t);
}

/* The link of an object is 1 + the row of what it holds, or 0. */
static void put_objects(writing *w) {
    const result_page *r = w->r;
    table t = take_table(r->n_objects);
    for (uint32_t thing = 0; thing < r->looks.n_things; thing++) {
        if (r->object[thing] == NONE) continue;
        uint32_t vertex = r->looks.first[thing], row = r->row[r->looks.look[vertex]];
        add_vertex(w, &t, vertex, true, row == NONE ? 0 : row + 1, 1);
    }
    put_table(w, "objects", &t);
}

/* ---- sets and what is held ---- */

static void put_run(void *user, uint32_t gap, uint32_t length) {
    FILE *file = user;
    number_put(file, gap);
    number_put(file, length - 1);
}

static void count_run(void *user, uint32_t gap, uint32_t length) {
    uint32_t *runs = user;
    (void)gap;
    (void)length;
    ++*runs;
}

/* Of each set the number of its runs, and the runs. */
static void put_sets(writing *w) {
    const result_page *r = w->r;
    fprintf(w->file, "\"sets\":{\"n\":%u,\"runs\":\"", r->n_sets);
    for (uint32_t set = 0; set < r->sets.n; set++) {
        uint32_t runs = 0;
        if (r->set_row[set] == NONE) continue;
        runs_of(r, set, r->object, count_run, &runs);
        number_put(w->file, runs);
    }
    fputs("\",\n\"ids\":\"", w->file);
    for (uint32_t set = 0; set < r->sets.n; set++)
        if (r->set_row[set] != NONE) runs_of(r, set, r->object, put_run, w->file);
    fputs("\"},\n", w->file);
}

/* Of each row how many rows it holds that are shown, and these. */
static void put_holds(writing *w) {
    const result_page *r = w->r;
    uint32_t *count = take_room(r->n_rows, sizeof *count), *all, n = 0, rows = 0;
    all = take_room(r->holds_at[r->looks.n], sizeof *all);
    for (uint32_t look = 0; look < r->looks.n; look++) {
        if (r->row[look] == NONE) continue;
        for (uint64_t i = r->holds_at[look]; i < r->holds_at[look + 1]; i++)
            if (r->row[r->holds[i]] != NONE) all[n++] = r->row[r->holds[i]], count[rows]++;
        rows++;
    }
    fputs("\"holds\":{", w->file);
    column_put(w->file, "count", count, rows);
    fputs(",\n", w->file);
    column_put_steps(w->file, "rows", all, n);
    fputs("},\n", w->file);
    free(count);
    free(all);
}

/* ---- all of it ---- */

static void put_texts(const writing *w) {
    fputs("\"texts\":[", w->file);
    for (uint32_t i = 0; i < w->texts.n; i++) {
        size_t n;
        if (i) fputs(i % 16 ? "," : ",\n", w->file);
        page_put(w->file, json_text(blocks_at(&w->texts, i, &n)));
    }
    fputs("],\n", w->file);
}

void data_put(FILE *file, void *user) {
    writing w = {.r = user, .file = file, .sources = sources_new()};
    fputc('{', file);
    put_rows(&w);
    put_objects(&w);
    put_sets(&w);
    put_holds(&w);
    put_texts(&w);
    fputs("\"files\":", file);
    sources_put(file, w.sources, short_path);
    fputs(",\n\"kinds\":[", file);
    for (int kind = 0; cflr_vertex_kind_name((cflr_vertex_kind)kind); kind++)
        fprintf(file, "%s\"%s\"", kind ? "," : "", cflr_vertex_kind_name((cflr_vertex_kind)kind));
    fputs("],\n", file);
    overview_put(file, w.r);
    fputc('}', file);
    blocks_free(&w.texts);
    sources_free(w.sources);
    free(w.coded);
}
