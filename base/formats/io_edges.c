/* SPDX-License-Identifier: Apache-2.0
 *
 * io_edges.c: reading the formats that have one edge a line.
 *
 *     text -> lines, fields -> vertex, vertex, label slot -> builder -> frozen graph
 *
 * Vertices. A file is read as if all its vertices were numbers, the common and fast case. When a
 * word turns up that is no number at all, everything made so far is dropped and the file is read
 * once more with names; so whether vertices are numbers or names depends on the whole file and not
 * on its order. A number that no vertex can have (negative, or too large) is an error and never a
 * name: it is far more often a damaged file than a name.
 *
 * Labels. A spelling is taken apart and given to the builder when it is met first; after that it is
 * found in a table whose keys point into the text. Most lines repeat the label of the line before:
 * that costs one comparison.
 *
 * O(bytes) expected. Memory beside the builder: the labels, and the names when there are names.
 */
#include "base/formats/io_edges.h"

#include <assert.h>
#include <string.h>

#include "base/context.h"
#include "base/formats/io_list.h"

enum { FIRST_CAPACITY = 64, LINES_BETWEEN_TICKS = 1 << 15 };

static const cflri_field no_field = {"", 0};
static const cflri_field label_e = {"e", 1};

/* ---- labels ---- */

static bool same(cflri_field a, cflri_field b) {
    return a.size == b.size && memcmp(a.at, b.at, a.size) == 0;
}

static uint64_t mix(uint64_t hash, cflri_field field) {
    for (size_t i = 0; i < field.size; i++) {
        hash = (hash ^ (unsigned char)field.at[i]) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    return hash;
}

cflri_spelling *cflri_spelling_find(const cflri_spelling_table *table, cflri_field label,
                                    cflri_field index) {
    assert(table->capacity && !(table->capacity & (table->capacity - 1)));
    size_t i = (size_t)mix(mix(label.size, label), index);
    for (;; i++) {
        cflri_spelling *slot = &table->slot[i & (table->capacity - 1)];
        if (!slot->used || (same(slot->label, label) && same(slot->index, index))) return slot;
    }
}

/* Doubles the table when it is half full. */
static bool make_room(cflr_context *context, cflri_spelling_table *table) {
    if (table->n * 2 < table->capacity) return true;
    cflri_spelling_table wider = {.capacity = table->capacity * 2, .n = table->n};
    if (!wider.capacity) wider.capacity = FIRST_CAPACITY;
    wider.slot = cflri_alloc_array_zero(context, wider.capacity, sizeof *wider.slot);
    if (!wider.slot) return false;
    for (size_t i = 0; i < table->capacity; i++) {
        const cflri_spelling *old = &table->slot[i];
        if (old->used) *cflri_spelling_find(&wider, old->label, old->index) = *old;
    }
    cflri_free(context, table->slot);
    *table = wider;
    return true;
}

/* The number that the builder gives to the parts of a label. */
static cflr_status declare(cflri_edge_reader *reader, const cflri_scan *scan, const char *name,
                           const char *index, cflri_spelling *made) {
    const char *name_fault = cflri_label_name_fault(name);
    const char *fault = name_fault || !index ? name_fault : cflri_label_index_fault(index);
    if (!fault) {
        return cflr_graph_builder_label(reader->builder, name, index, &made->id, scan->error);
    }
    return cflri_scan_fail_field(scan, reader->place, "label '%.*s': its %s %s",
                                 CFLRI_SHOW(made->label), name_fault ? "name" : "index", fault);
}

/* Takes a spelling apart that is new. */
static cflr_status make_label(cflri_edge_reader *reader, const cflri_scan *scan,
                              cflri_spelling *made) {
    cflr_context *context = reader->context;
    cflri_label_text text = {.name = made->label, .index = made->index};
    const char *wrong = reader->format->decode(made->label, made->index, &text);
    if (wrong) {
        return cflri_scan_fail_field(scan, reader->place, "label '%.*s': %s",
                                     CFLRI_SHOW(made->label), wrong);
    }
    made->converse = text.converse;
    cflr_status st;
    char *name = cflri_copy_text(context, text.name.at, text.name.size);
    char *index = cflri_copy_text(context, text.index.at, text.index.size);
    if (name && index) {
        st = declare(reader, scan, name, text.index.size ? index : NULL, made);
    } else {
        st = cflri_fail_memory(context, scan->error);
    }
    cflri_free(context, index);
    cflri_free(context, name);
    return st;
}

static cflr_status add_label(cflri_edge_reader *reader, const cflri_scan *scan, cflri_field label,
                             cflri_field index) {
    cflri_spelling made = {.label = label, .index = index, .used = true};
    cflr_status st = make_label(reader, scan, &made);
    if (st != CFLR_OK) return st;
    reader->last = NULL; /* slots may move */
    if (!make_room(reader->context, &reader->labels)) {
        return cflri_fail_memory(reader->context, scan->error);
    }
    reader->last = cflri_spelling_find(&reader->labels, label, index);
    assert(!reader->last->used);
    *reader->last = made;
    reader->labels.n++;
    return CFLR_OK;
}

static cflr_status find_label(cflri_edge_reader *reader, const cflri_scan *scan, cflri_field label,
                              cflri_field index) {
    cflri_spelling *slot = reader->last;
    if (slot && same(slot->label, label) && same(slot->index, index)) return CFLR_OK;
    if (reader->labels.capacity) {
        slot = cflri_spelling_find(&reader->labels, label, index);
        if (slot->used) {
            reader->last = slot;
            return CFLR_OK;
        }
    }
    return add_label(reader, scan, label, index);
}

/* ---- vertices ---- */

/* Tells the builder a name that it has not seen. */
static cflr_status add_name(cflri_edge_reader *reader, cflri_field field, uint32_t expected,
                            cflr_error *error) {
    uint32_t vertex;
    reader->name.n = 0;
    if (!cflri_vec_reserve(reader->context, &reader->name, field.size + 1)) {
        return cflri_fail_memory(reader->context, error);
    }
    size_t size = field.size;
    if (reader->unquotes)
        size = cflri_field_unquote(field, reader->name.at);
    else
        memcpy(reader->name.at, field.at, size);
    reader->name.at[size] = '\0';
    cflr_vertex_info info = {.name = reader->name.at};
    cflr_status st = cflr_graph_builder_vertex(reader->builder, &info, &vertex, error);
    assert(st != CFLR_OK || vertex == expected);
    (void)expected;
    return st;
}

static cflr_status named_vertex(cflri_edge_reader *reader, cflri_field field, uint32_t *vertex,
                                cflr_error *error) {
    bool is_new;
    assert(field.size);
    if (!cflri_name_find(reader->context, &reader->name_table, field, vertex, &is_new)) {
        return cflri_fail_memory(reader->context, error);
    }
    return is_new ? add_name(reader, field, *vertex, error) : CFLR_OK;
}

static cflr_status find_vertex(cflri_edge_reader *reader, const cflri_scan *scan, unsigned i,
                               uint32_t *vertex) {
    assert(i < scan->n);
    cflri_field field = scan->field[i];
    if (!field.size) return cflri_scan_fail_field(scan, i, "a vertex is missing");
    if (reader->names) return named_vertex(reader, field, vertex, scan->error);
    uint64_t number;
    switch (cflri_field_number(field, reader->highest, &number)) {
        case CFLRI_NUMBER:
            *vertex = (uint32_t)number;
            return CFLR_OK;
        case CFLRI_NUMBER_REFUSED:
            return cflri_scan_fail_field(scan, i,
                                         "vertex '%.*s': a number from 0 to %u is expected",
                                         CFLRI_SHOW(field), reader->highest);
        case CFLRI_NUMBER_NONE:
            break;
    }
    reader->names_wanted = true;
    return CFLR_SYNTAX;
}

/* ---- the reader ---- */

cflr_status cflri_edge_reader_begin(cflri_edge_reader *reader, cflr_context *context,
                                    const cflri_edge_format *format, bool names,
                                    cflr_error *error) {
    bool directive_seen = reader->directive_seen;
    cflri_edge_reader_free(reader);
    *reader = (cflri_edge_reader){.context = context,
                                  .format = format,
                                  .names = names,
                                  .highest = CFLR_MAX_VERTICES - 1,
                                  .directive_seen = directive_seen};
    return cflr_graph_builder_new(context, &reader->builder, error);
}

void cflri_edge_reader_free(cflri_edge_reader *reader) {
    if (!reader->context) return;
    cflr_graph_builder_free(reader->builder);
    cflri_name_table_free(reader->context, &reader->name_table);
    cflri_vec_free(reader->context, &reader->name);
    cflri_free(reader->context, reader->labels.slot);
    *reader = (cflri_edge_reader){0};
}

cflr_status cflri_edge_reader_add(cflri_edge_reader *reader, const cflri_scan *scan,
                                  cflri_edge_columns columns, cflri_field label,
                                  cflri_field index) {
    uint32_t source = 0, target = 0;
    reader->place = columns.label;
    cflr_status st = find_vertex(reader, scan, columns.source, &source);
    if (st == CFLR_OK) st = find_vertex(reader, scan, columns.target, &target);
    if (st == CFLR_OK) st = find_label(reader, scan, label, index);
    if (st != CFLR_OK) return st;
    if ((++reader->lines & (LINES_BETWEEN_TICKS - 1)) == 0) {
        st = cflri_tick(reader->context, "load", (uint64_t)(scan->at - scan->begin),
                        (uint64_t)(scan->end - scan->begin));
        if (st != CFLR_OK) return cflri_fail_interrupted(reader->context, st, scan->error);
    }
    const cflri_spelling *slot = reader->last;
    if (slot->converse) {
        return cflr_graph_builder_edge(reader->builder, target, source, slot->id, scan->error);
    }
    return cflr_graph_builder_edge(reader->builder, source, target, slot->id, scan->error);
}

void cflri_edge_reader_forget_labels(cflri_edge_reader *reader) {
    cflri_free(reader->context, reader->labels.slot);
    reader->labels = (cflri_spelling_table){0};
    reader->last = NULL;
}

cflr_status cflri_edge_reader_finish(cflri_edge_reader *reader, const char *subject,
                                     cflr_graph **graph, cflr_error *error) {
    uint64_t named = reader->name_table.names.n;
    if (reader->names && reader->vertices > named) {
        return cflri_fail_at(
            error, CFLR_SYNTAX, subject, reader->asking[0], reader->asking[1],
            "%llu vertices are asked for, but they have names and only %llu are named",
            (unsigned long long)reader->vertices, (unsigned long long)named);
    }
    cflr_graph_builder *builder = reader->builder;
    reader->builder = NULL;
    cflr_status st = cflr_graph_builder_freeze(builder, graph, error);
    if (st == CFLR_OK) cflri_graph_raise_vertices(*graph, reader->vertices);
    return st;
}

/* ---- a whole text ---- */

/* The layout of one file: the meaning of each field, and what the first line said. */
typedef struct layout {
    unsigned least, most; /* fields of a line; 0 before the first edge */
    cflri_edge_columns columns;
    bool header;
    uint64_t promised; /* edges, by the header */
} layout;

/* The second field of the line says how many there are. */
static void ask_for_vertices(cflri_edge_reader *reader, const cflri_scan *scan, uint64_t n) {
    reader->vertices = n;
    cflri_scan_place(scan, scan->field[1].at, reader->asking);
}

/* A comment, unless it is "# vertices N" (at least N) or "#@ name" (the next vertex). */
static cflr_status comment(cflri_edge_reader *reader, const cflri_scan *scan) {
    const cflri_field *field = scan->field;
    if (!reader->format->directives || scan->n != 2) return CFLR_OK;
    if (cflri_field_is(field[0], "@") && field[0].at[-1] == '#') {
        reader->directive_seen = true;
        reader->names_wanted = !reader->names;
        if (reader->names_wanted) return CFLR_SYNTAX;
        uint32_t vertex;
        return named_vertex(reader, field[1], &vertex, scan->error);
    }
    if (cflri_field_is(field[0], "vertices") && cflri_field_is_digits(field[1])) {
        uint64_t number;
        if (cflri_field_number(field[1], CFLR_MAX_VERTICES, &number) != CFLRI_NUMBER) {
            return cflri_scan_fail_field(scan, 1, "there can be at most %u vertices",
                                         CFLR_MAX_VERTICES);
        }
        reader->directive_seen = true;
        if (number > reader->vertices) ask_for_vertices(reader, scan, number);
    }
    return CFLR_OK;
}

/* "edges vertices" before the first edge. */
static cflr_status header(cflri_edge_reader *reader, const cflri_scan *scan, layout *at) {
    uint64_t vertices;
    if (cflri_field_number(scan->field[0], UINT64_MAX, &at->promised) != CFLRI_NUMBER) {
        return cflri_scan_fail_field(scan, 0, "a number of edges is expected");
    }
    if (cflri_field_number(scan->field[1], CFLR_MAX_VERTICES, &vertices) != CFLRI_NUMBER) {
        return cflri_scan_fail_field(scan, 1, "a number of vertices, at most %u, is expected",
                                     CFLR_MAX_VERTICES);
    }
    if (!vertices && at->promised) {
        return cflri_scan_fail_field(scan, 1, "edges need vertices");
    }
    at->header = true;
    ask_for_vertices(reader, scan, vertices);
    reader->highest = vertices ? (uint32_t)vertices - 1 : 0;
    return CFLR_OK;
}

static bool is_header(const cflri_edge_reader *reader, const cflri_scan *scan, const layout *at) {
    return reader->format->header && !at->most && !at->header && scan->n == 2 &&
           cflri_field_is_digits(scan->field[0]) && cflri_field_is_digits(scan->field[1]);
}

/* The first edge settles how many fields a line has. */
static void settle(const cflri_edge_reader *reader, const cflri_scan *scan, layout *at) {
    if (reader->format->two_columns && scan->n == 2) {
        at->least = at->most = 2;
        return;
    }
    at->least = 3;
    at->most = reader->format->index_column ? 4 : 3;
}

static cflr_status fail_fields(const cflri_scan *scan, const layout *at) {
    const char *expected = at->most == 2   ? "source and target, as before, are"
                           : at->most == 3 ? "source, target and label are"
                                           : "source, target, label and perhaps an index are";
    return cflri_scan_fail_field(scan, scan->n < at->least ? scan->n : at->most,
                                 "%s%u %s where %s expected",
                                 scan->n == CFLRI_LINE_FIELDS ? "at least " : "", scan->n,
                                 scan->n == 1 ? "field" : "fields", expected);
}

static cflr_status line(cflri_edge_reader *reader, const cflri_scan *scan, layout *at) {
    if (is_header(reader, scan, at)) return header(reader, scan, at);
    if (!at->most) settle(reader, scan, at);
    if (scan->n == 4) reader->index_seen = true;
    if (scan->n < at->least || scan->n > at->most) return fail_fields(scan, at);
    cflri_field label = at->most == 2 ? label_e : scan->field[at->columns.label];
    cflri_field index = scan->n == 4 ? scan->field[3] : no_field;
    if (!label.size) return cflri_scan_fail_field(scan, at->columns.label, "a label is missing");
    return cflri_edge_reader_add(reader, scan, at->columns, label, index);
}

cflr_status cflri_edge_reader_text(cflri_edge_reader *reader, cflri_field text, const char *subject,
                                   cflr_error *error) {
    cflri_scan scan;
    cflri_line_kind kind;
    cflr_status st = CFLR_OK;
    layout at = {.columns = {0, 1, 2}};
    cflri_list_shape shape = cflri_list_look(text, NULL, false);
    bool titles = shape.titles && shape.separator;
    bool middle = reader->format->middle_label && cflri_edges_middle_label(text);
    if (middle) at.columns = (cflri_edge_columns){0, 2, 1};
    cflri_scan_init(&scan, text.at, text.size, subject, error);
    scan.comment = '#';
    scan.separator = shape.separator;
    reader->unquotes = shape.separator;
    for (;;) {
        CFLR_TRY(cflri_scan_line(&scan, &kind));
        if (kind == CFLRI_LINE_END) break;
        if (kind == CFLRI_LINE_COMMENT)
            CFLR_TRY(comment(reader, &scan));
        else if (!titles)
            CFLR_TRY(line(reader, &scan, &at));
        titles = titles && kind == CFLRI_LINE_COMMENT;
    }
    if (at.header && at.promised != reader->lines) {
        st = cflri_scan_fail(&scan, CFLR_SYNTAX, NULL,
                             "the first line promises %llu edges, here are %llu",
                             (unsigned long long)at.promised, (unsigned long long)reader->lines);
    }
out:
    if (reader->names_wanted && middle) {
        reader->names_wanted = false;
        st = cflri_scan_fail(&scan, CFLR_SYNTAX, NULL,
                             "vertices are numbers in lines of `source label target`");
    }
    return st;
}

cflr_status cflri_edge_reader_all(cflri_edge_reader *reader, cflr_context *context,
                                  const cflri_edge_format *format, cflri_field text,
                                  const char *subject, cflr_graph **graph, cflr_error *error) {
    cflr_status st = CFLR_OK;
    CFLR_TRY(cflri_edge_reader_begin(reader, context, format, false, error));
    st = cflri_edge_reader_text(reader, text, subject, error);
    if (reader->names_wanted) {
        CFLR_TRY(cflri_edge_reader_begin(reader, context, format, true, error));
        st = cflri_edge_reader_text(reader, text, subject, error);
    }
    if (st == CFLR_OK) st = cflri_edge_reader_finish(reader, subject, graph, error);
out:
    return st;
}

cflr_status cflri_edges_read(cflr_context *context, const cflri_edge_format *format,
                             cflri_field text, const char *subject, cflr_graph **graph,
                             cflr_error *error) {
    cflri_edge_reader reader = {0};
    cflr_status st = cflri_edge_reader_all(&reader, context, format, text, subject, graph, error);
    cflri_edge_reader_free(&reader);
    return st;
}
