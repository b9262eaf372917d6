/* SPDX-License-Identifier: Apache-2.0
 *
 * io_guess.c: telling the formats with one edge a line apart.
 *
 * These formats differ in little but the spelling of labels, so the labels decide: what marks a
 * format is collected as a set of bits, and the first line of this table whose mark is there names
 * the format. Ours is the first and, when nothing is special, the last: then all read the same.
 *
 *     "# vertices N", "#@ name", f[8], ~f      tsv
 *     each line is `number word number`        cfpq
 *     a line with four fields                  pocr
 *     a first line of two numbers, then three  gracfl
 *     -a                                       gracfl
 *     a and abar                               pocr; gracfl when there is f_12 as well
 *     a and a_r                                cfpq
 *     f_12                                     gracfl when the first line has a tab, else cfpq
 *     nothing of this                          tsv
 *
 * First the head of the file is surveyed, which is enough to choose a reader. The reader meets
 * every label once; after it, the marks of all labels of the file are added, and when the table
 * then names another format, the file is read once more. Marks are only ever added and each step
 * moves up the table, so this ends; and the answer depends on the whole file, not on how long its
 * head is.
 */
#include <assert.h>
#include <string.h>

#include "base/formats/io_edges.h"
#include "base/formats/io_list.h"

enum { HEAD = 1 << 18, HEAD_LABELS = 1 << 9 };

enum {
    MARK_OURS = 1 << 0,
    MARK_MIDDLE = 1 << 1,
    MARK_INDEX_COLUMN = 1 << 2,
    MARK_HEADER = 1 << 3,
    MARK_MINUS = 1 << 4,
    MARK_BAR = 1 << 5,
    MARK_R = 1 << 6,
    MARK_NUMBER = 1 << 7,
    MARK_TAB = 1 << 8,
    MARK_BINARY = 1 << 9,
};

static const cflri_field no_field = {"", 0};

/* ---- labels ---- */

static bool holds(const cflri_spelling_table *table, cflri_field label) {
    return cflri_spelling_find(table, label, no_field)->used;
}

/* The marks of one label, in the company of the others. */
static unsigned marks_of(const cflri_spelling_table *table, cflri_field label) {
    unsigned marks = 0;
    cflri_field stem = label, number = {"", 0};
    assert(label.size);
    if (label.at[0] == '~' && label.size > 1) marks |= MARK_OURS;
    if (label.at[label.size - 1] == ']' && memchr(label.at, '[', label.size)) marks |= MARK_OURS;
    if (label.at[0] == '-' && label.size > 1) marks |= MARK_MINUS;
    if (cflri_field_cut(&stem, "_r")) return holds(table, stem) ? marks | MARK_R : marks;
    stem = label;
    bool numbered = cflri_field_cut_number(&stem, &number);
    if (numbered) marks |= MARK_NUMBER;
    if (cflri_field_cut(&stem, "bar")) {
        /* fbar_12 answers to f_12: put the number behind the stem for looking it up */
        char plain[128];
        cflri_field other = stem;
        if (numbered && stem.size + number.size + 1 <= sizeof plain) {
            memcpy(plain, stem.at, stem.size);
            plain[stem.size] = '_';
            memcpy(plain + stem.size + 1, number.at, number.size);
            other = (cflri_field){plain, stem.size + 1 + number.size};
        }
        if (holds(table, other)) marks |= MARK_BAR;
    }
    return marks;
}

static unsigned marks_of_all(const cflri_spelling_table *table) {
    unsigned marks = 0;
    for (size_t i = 0; i < table->capacity; i++) {
        if (table->slot[i].used) marks |= marks_of(table, table->slot[i].label);
    }
    return marks;
}

/* ---- the head ---- */

/* How many of the first lines look like what. */
typedef struct survey {
    unsigned edges;      /* lines of three fields or more */
    unsigned pairs;      /* lines of two */
    unsigned with_index; /* lines of four */
    unsigned middle;     /* lines of `number word number` */
    bool pair_first;     /* the first line has two numbers */
    bool marked;         /* by a directive */
    bool binary;
} survey;

static void survey_line(const cflri_scan *scan, survey *found) {
    const cflri_field *field = scan->field;
    bool ends = cflri_field_is_digits(field[0]);
    if (scan->n == 2) {
        if (!found->edges && !found->pairs) {
            found->pair_first = ends && cflri_field_is_digits(field[1]);
        }
        found->pairs++;
    }
    if (scan->n < 3) return;
    found->edges++;
    if (scan->n == 4) found->with_index++;
    if (ends && cflri_field_is_digits(field[2]) && !cflri_field_is_digits(field[1])) {
        found->middle++;
    }
}

static bool is_directive(const cflri_scan *scan) {
    if (scan->n != 2) return false;
    if (cflri_field_is(scan->field[0], "@")) return scan->field[0].at[-1] == '#';
    return cflri_field_is(scan->field[0], "vertices") && cflri_field_is_digits(scan->field[1]);
}

/* Collects the label of the line when there is room; the head need not be complete. */
static void survey_label(const cflri_scan *scan, cflri_spelling_table *labels) {
    if (scan->n < 3 || !scan->field[2].size || labels->n * 2 >= labels->capacity) return;
    cflri_spelling *slot = cflri_spelling_find(labels, scan->field[2], no_field);
    if (slot->used) return;
    *slot = (cflri_spelling){.label = scan->field[2], .index = no_field, .used = true};
    labels->n++;
}

/* Whole lines of the first HEAD bytes. */
static cflri_field head_of(cflri_field text) {
    if (text.size <= HEAD) return text;
    const char *end = memrchr(text.at, '\n', HEAD);
    return (cflri_field){text.at, end ? (size_t)(end - text.at) + 1 : HEAD};
}

static survey survey_head(cflri_field text, cflri_spelling_table *labels) {
    survey found = {0};
    cflri_scan scan;
    cflri_line_kind kind;
    cflri_field head = head_of(text);
    cflri_scan_init(&scan, head.at, head.size, NULL, NULL);
    scan.comment = '#';
    scan.separator = cflri_list_look(text, NULL, false).separator;
    for (;;) {
        if (cflri_scan_line(&scan, &kind) != CFLR_OK) {
            found.binary = true;
            break;
        }
        if (kind == CFLRI_LINE_END) break;
        if (kind == CFLRI_LINE_COMMENT) {
            found.marked |= is_directive(&scan);
            continue;
        }
        survey_line(&scan, &found);
        if (labels) survey_label(&scan, labels);
    }
    return found;
}

bool cflri_edges_middle_label(cflri_field text) {
    survey found = survey_head(text, NULL);
    return found.middle && found.middle == found.edges;
}

static unsigned marks_of_head(cflri_field text) {
    cflri_spelling slots[HEAD_LABELS];
    memset(slots, 0, sizeof slots);
    cflri_spelling_table labels = {.slot = slots, .capacity = HEAD_LABELS};
    survey found = survey_head(text, &labels);
    unsigned marks = marks_of_all(&labels);
    if (found.marked) marks |= MARK_OURS;
    if (found.middle && found.middle == found.edges) marks |= MARK_MIDDLE;
    if (found.with_index) marks |= MARK_INDEX_COLUMN;
    if (found.pair_first && found.pairs == 1 && found.edges) marks |= MARK_HEADER;
    if (found.binary) marks |= MARK_BINARY;
    cflri_field head = head_of(text);
    const char *line = memchr(head.at, '\n', head.size);
    if (memchr(head.at, '\t', line ? (size_t)(line - head.at) : head.size)) marks |= MARK_TAB;
    return marks;
}

/* ---- the choice ---- */

static const cflri_edge_format *choose(unsigned marks) {
    if (marks & MARK_OURS) return &cflri_edges_tsv;
    if (marks & MARK_MIDDLE) return &cflri_edges_cfpq;
    if (marks & MARK_INDEX_COLUMN) return &cflri_edges_pocr;
    if (marks & (MARK_HEADER | MARK_MINUS)) return &cflri_edges_gracfl;
    if (marks & MARK_BAR) return marks & MARK_NUMBER ? &cflri_edges_gracfl : &cflri_edges_pocr;
    if (marks & MARK_R) return &cflri_edges_cfpq;
    if (marks & MARK_NUMBER) return marks & MARK_TAB ? &cflri_edges_gracfl : &cflri_edges_cfpq;
    return &cflri_edges_tsv;
}

cflr_graph_format cflri_edges_guess(const char *data, size_t size) {
    unsigned marks = marks_of_head((cflri_field){data, size});
    return marks & MARK_BINARY ? CFLR_GRAPH_AUTO : choose(marks)->format;
}

/* The marks of what a reader saw. */
static unsigned marks_of_reader(const cflri_edge_reader *reader) {
    unsigned marks = marks_of_all(&reader->labels);
    if (reader->directive_seen) marks |= MARK_OURS;
    if (reader->index_seen) marks |= MARK_INDEX_COLUMN;
    return marks;
}

cflr_status cflri_edges_read_auto(cflr_context *context, cflri_field text, const char *subject,
                                  cflr_graph **graph, cflr_error *error) {
    unsigned marks = marks_of_head(text);
    const cflri_edge_format *format = choose(marks);
    for (;;) {
        cflri_edge_reader reader = {0};
        cflr_status st =
            cflri_edge_reader_all(&reader, context, format, text, subject, graph, error);
        marks |= marks_of_reader(&reader);
        cflri_edge_reader_free(&reader);
        const cflri_edge_format *better = choose(marks);
        bool settled = better == format || (st != CFLR_OK && st != CFLR_SYNTAX);
        if (settled) return st;
        cflr_graph_free(*graph);
        *graph = NULL;
        format = better;
    }
}
