/* SPDX-License-Identifier: Apache-2.0
 *
 * io_cflg.c: our binary format, and the sections of a graph inside any container.
 *
 *     GMET   counts: vertices, labels, edges, strings, mentions; 1 when there are sources
 *     GSTR   strings, each with its NUL, by number
 *     GLAB   columns: name, index, rows, pairs of each label
 *     GREL   the rows of all labels, one label after the other
 *     GSRC   columns: the eight members of cflri_source
 *     GMEN   columns: the five members of cflri_mention
 *     GFUN, GCAL, GVAL   how many; columns: the members of the records of calls.h
 *
 * In a .cflg file sections of others may follow (cflri_graph_attach).
 *
 * All but GSTR are streams of numbers in base 128, low group first, the top bit of a byte set when
 * another follows. A stream is cut into sections of the same tag between two numbers, so that
 * neither side needs memory for more than a piece. A column holds the difference of each value to
 * the one before, signs folded (0, -1, 1, -2 ... become 0, 1, 2, 3 ...). A row is
 *
 *     row 7: targets 5 6 9    ->   gap to the row before, count - 1, folded 5 - 7, 0, 2
 *                                                                   the gaps between, less one
 *
 * Gaps less one make ascending order a property of the format: nothing that can be written down is
 * out of order. Measured on the graphs of the benchmarks this takes 1.3 to 1.7 bytes an edge when
 * packed, half of what packed arrays of 32 bits take, and 0.7 to 2 for a whole file. Taking numbers
 * apart is a seventh of the time of loading; most of the rest is making the rows backwards.
 *
 * Reading believes no count: what is to be allocated for edges, columns and strings is first
 * compared with the bytes that are there, one at least for each number. Then cflr_graph_validate
 * looks at everything again.
 */
#include <assert.h>
#include <string.h>

#include "base/context.h"
#include "base/files/container.h"
#include "base/formats/io.h"

enum { PIECE = 1 << 20, LONGEST_NUMBER = 10, ROWS_A_LOOK = 1 << 16 /* at the clock */ };

static uint64_t fold(int64_t number) {
    return number < 0 ? ~((uint64_t)number << 1) : (uint64_t)number << 1;
}

static int64_t unfold(uint64_t number) {
    return number & 1 ? (int64_t) ~(number >> 1) : (int64_t)(number >> 1);
}

/* ---- writing numbers ---- */

typedef struct writer {
    cflr_context *context;
    cflri_output *output;
    cflr_error *error;
    const char *tag;
    unsigned char *piece;
    size_t used;
    const cflr_graph *stopping; /* it stops at the end of the time; NULL: it does not */
    cflr_status st;             /* the first failure; nothing is done after it */
} writer;

static void flush(writer *w) {
    const cflr_status end = w->stopping ? cflri_write_on(w->stopping, 0) : CFLR_OK;
    if (w->st == CFLR_OK && end != CFLR_OK) {
        w->st = cflri_fail_interrupted(w->context, end, w->error);
    } else if (w->st == CFLR_OK) {
        w->st = cflri_container_section(w->context, w->output, w->tag, w->piece, w->used, w->error);
    }
    w->used = 0;
}

static void put(writer *w, uint64_t number) {
    if (w->used > PIECE - LONGEST_NUMBER) flush(w);
    unsigned char *at = w->piece + w->used;
    for (; number >= 0x80; number >>= 7) *at++ = (unsigned char)(number | 0x80);
    *at++ = (unsigned char)number;
    w->used = (size_t)(at - w->piece);
}

/* One member of an array of records. */
static void put_column(writer *w, const uint32_t *first, size_t stride, uint64_t count) {
    uint32_t before = 0;
    for (uint64_t i = 0; i < count; i++) {
        uint32_t value = first[i * stride];
        put(w, fold((int64_t)value - before));
        before = value;
    }
}

/* ---- writing sections ---- */

static cflr_status write_meta(writer *w, const cflr_graph *graph) {
    w->tag = "GMET";
    put(w, graph->n_vertices);
    put(w, graph->n_labels);
    put(w, graph->n_edges);
    put(w, graph->strings.text.n);
    put(w, graph->n_mentions);
    put(w, graph->source && graph->n_vertices);
    flush(w);
    return w->st;
}

static cflr_status write_strings(writer *w, const cflr_graph *graph) {
    const cflri_strings *strings = &graph->strings;
    size_t size = 0;
    for (size_t i = 0; i < strings->text.n; i++) size += strlen(strings->text.at[i]) + 1;
    char *block = cflri_alloc(w->context, size);
    if (!block) return cflri_fail_memory(w->context, w->error);
    char *at = block;
    for (size_t i = 0; i < strings->text.n; i++) at = stpcpy(at, strings->text.at[i]) + 1;
    assert(at == block + size);
    cflr_status st = cflri_container_section(w->context, w->output, "GSTR", block, size, w->error);
    cflri_free(w->context, block);
    return st;
}

static cflr_status write_labels(writer *w, const cflr_graph *graph) {
    enum { STRIDE = sizeof(cflri_label) / sizeof(uint32_t) };
    if (!graph->n_labels) return CFLR_OK;
    w->tag = "GLAB";
    put_column(w, &graph->label->name, STRIDE, graph->n_labels);
    put_column(w, &graph->label->index, STRIDE, graph->n_labels);
    for (uint32_t l = 0; l < graph->n_labels; l++) put(w, graph->out[l].n_rows);
    for (uint32_t l = 0; l < graph->n_labels; l++) put(w, graph->out[l].n_pairs);
    flush(w);
    return w->st;
}

static void put_row(writer *w, uint32_t row, const uint32_t *target, uint64_t count) {
    assert(count > 0);
    put(w, count - 1);
    put(w, fold((int64_t)target[0] - row));
    for (uint64_t i = 1; i < count; i++) put(w, target[i] - target[i - 1] - 1);
}

static cflr_status write_relation(writer *w, const cflri_relation *out, cflr_row *row) {
    cflr_status st = CFLR_OK;
    for (uint32_t r = 0; r < out->n_rows && w->st == CFLR_OK; r++) {
        CFLR_TRY(cflri_relation_read(w->context, out, r, row, w->error));
        put(w, r ? out->row[r] - out->row[r - 1] - 1 : out->row[r]);
        put_row(w, out->row[r], row->target, row->count);
    }
    st = w->st;
out:
    return st;
}

static cflr_status write_relations(writer *w, const cflr_graph *graph) {
    cflr_row row = {0};
    cflr_status st = CFLR_OK;
    w->tag = "GREL";
    for (uint32_t l = 0; l < graph->n_labels; l++) {
        CFLR_TRY(write_relation(w, &graph->out[l], &row));
    }
    if (w->used) flush(w);
    st = w->st;
out:
    cflr_row_free(&row);
    return st;
}

static cflr_status write_records(writer *w, const char *tag, const void *records, size_t members,
                                 uint64_t count) {
    const uint32_t *first = records;
    if (!count) return CFLR_OK;
    w->tag = tag;
    for (size_t i = 0; i < members; i++) put_column(w, first + i, members, count);
    flush(w);
    return w->st;
}

enum {
    SOURCE_MEMBERS = sizeof(cflri_source) / sizeof(uint32_t),
    MENTION_MEMBERS = sizeof(cflri_mention) / sizeof(uint32_t),
    FUNCTION_MEMBERS = sizeof(cflri_function_row) / sizeof(uint32_t),
    CALL_MEMBERS = sizeof(cflri_call_row) / sizeof(uint32_t),
};

/* Records whose number no other section tells. */
static void write_counted(writer *w, const char *tag, const void *records, size_t members,
                          uint64_t count) {
    if (!count) return;
    put(w, count);
    write_records(w, tag, records, members, count);
}

static cflr_status write_calls(writer *w, const cflri_calls *calls) {
    write_counted(w, "GFUN", calls->functions.at, FUNCTION_MEMBERS, calls->functions.n);
    write_counted(w, "GCAL", calls->calls.at, CALL_MEMBERS, calls->calls.n);
    write_counted(w, "GVAL", calls->values.at, 1, calls->values.n);
    return w->st;
}

cflr_status cflri_graph_write_sections(const cflr_graph *graph, cflri_output *output, bool stops,
                                       cflr_error *error) {
    writer w = {.context = graph->context,
                .output = output,
                .stopping = stops ? graph : NULL,
                .error = error};
    cflr_status st = CFLR_OK;
    w.piece = cflri_alloc(w.context, PIECE);
    if (!w.piece) return cflri_fail_memory(w.context, error);
    CFLR_TRY(write_meta(&w, graph));
    CFLR_TRY(write_strings(&w, graph));
    CFLR_TRY(write_labels(&w, graph));
    CFLR_TRY(write_relations(&w, graph));
    CFLR_TRY(write_records(&w, "GSRC", graph->source, SOURCE_MEMBERS,
                           graph->source ? graph->n_vertices : 0));
    CFLR_TRY(write_records(&w, "GMEN", graph->mention, MENTION_MEMBERS, graph->n_mentions));
    st = write_calls(&w, &graph->calls);
out:
    cflri_free(w.context, w.piece);
    return st;
}

cflr_status cflri_graph_attach(cflr_graph *graph, const cflri_section *section, cflr_error *error) {
    cflri_section *own = cflri_alloc(graph->context, sizeof *own);
    if (own) *own = *section;
    if (own && cflri_vec_push(graph->context, &graph->attached, own)) return CFLR_OK;
    cflri_free(graph->context, own);
    return cflri_fail_memory(graph->context, error);
}

/* ---- reading numbers ---- */

typedef struct reader {
    cflr_context *context;
    const cflri_section *sections;
    size_t n_sections;
    const char *subject;
    cflr_error *error;
    /* the stream that is being read */
    const char *tag;
    size_t next; /* section to look at when the piece is used up */
    unsigned char *piece;
    const unsigned char *at, *end;
} reader;

static cflr_status damaged(const reader *r, const char *what) {
    return cflri_fail(r->error, CFLR_FORMAT, r->subject, "damaged section %s: %s", r->tag, what);
}

/* Bytes of all pieces of the stream, or UINT64_MAX when that is no number. */
static uint64_t open_stream(reader *r, const char *tag) {
    uint64_t size = 0;
    r->tag = tag;
    r->next = 0;
    r->at = r->end = NULL;
    for (size_t i = 0; i < r->n_sections; i++) {
        if (strcmp(r->sections[i].tag, tag) != 0) continue;
        if (__builtin_add_overflow(size, r->sections[i].size, &size)) return UINT64_MAX;
    }
    return size;
}

static cflr_status next_piece(reader *r) {
    cflri_free(r->context, r->piece);
    r->piece = NULL;
    r->at = r->end = NULL;
    while (r->next < r->n_sections && strcmp(r->sections[r->next].tag, r->tag) != 0) r->next++;
    if (r->next == r->n_sections) return damaged(r, "it is too short");
    const cflri_section *section = &r->sections[r->next++];
    void *data = NULL;
    cflr_status st = cflri_container_unpack(r->context, section, r->subject, &data, r->error);
    if (st != CFLR_OK) return st;
    r->piece = data;
    r->at = r->piece;
    r->end = r->piece + section->size;
    return CFLR_OK;
}

static cflr_status get_long(reader *r, uint64_t *number) {
    uint64_t value = 0;
    unsigned shift = 0;
    while (r->at == r->end) {
        cflr_status st = next_piece(r);
        if (st != CFLR_OK) return st;
    }
    for (; r->at < r->end && shift < 64; shift += 7) {
        uint64_t group = *r->at & 0x7f;
        if (shift == 63 && group > 1) break;
        value |= group << shift;
        if (*r->at++ < 0x80) {
            *number = value;
            return CFLR_OK;
        }
    }
    return damaged(r, "a number is too long or cut off");
}

static inline cflr_status get(reader *r, uint64_t *number) {
    if (r->at < r->end && *r->at < 0x80) {
        *number = *r->at++;
        return CFLR_OK;
    }
    return get_long(r, number);
}

/* A number that is at most `most`. */
static cflr_status get_bounded(reader *r, uint64_t most, uint64_t *number) {
    cflr_status st = get(r, number);
    if (st == CFLR_OK && *number > most) return damaged(r, "a number is too large");
    return st;
}

/* Nothing may be left over. */
static cflr_status close_stream(reader *r) {
    bool left = r->at < r->end;
    for (; r->next < r->n_sections && !left; r->next++) {
        left = strcmp(r->sections[r->next].tag, r->tag) == 0 && r->sections[r->next].size;
    }
    cflri_free(r->context, r->piece);
    r->piece = NULL;
    r->at = r->end = NULL;
    return left ? damaged(r, "it is too long") : CFLR_OK;
}

static cflr_status get_column(reader *r, uint32_t *first, size_t stride, uint64_t count) {
    int64_t value = 0;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t folded;
        cflr_status st = get_bounded(r, (uint64_t)UINT32_MAX * 2 + 1, &folded);
        if (st != CFLR_OK) return st;
        value += unfold(folded);
        if (value < 0 || value > UINT32_MAX) return damaged(r, "a number is out of range");
        first[i * stride] = (uint32_t)value;
    }
    return CFLR_OK;
}

/* ---- reading sections ---- */

typedef struct counts {
    uint64_t vertices, labels, edges, strings, mentions, sources;
} counts;

static cflr_status read_meta(reader *r, counts *n) {
    cflr_status st = CFLR_OK;
    if (!open_stream(r, "GMET")) {
        return cflri_fail(r->error, CFLR_FORMAT, r->subject, "there is no graph in this file");
    }
    CFLR_TRY(get_bounded(r, CFLR_MAX_VERTICES, &n->vertices));
    CFLR_TRY(get_bounded(r, CFLR_NO_LABEL - 1, &n->labels));
    CFLR_TRY(get(r, &n->edges));
    CFLR_TRY(get_bounded(r, CFLRI_NO_STRING, &n->strings));
    CFLR_TRY(get(r, &n->mentions));
    CFLR_TRY(get_bounded(r, 1, &n->sources));
    st = close_stream(r);
out:
    return st;
}

static cflr_status intern_all(reader *r, cflri_strings *strings, const char *text, size_t size,
                              uint64_t expected) {
    uint64_t n = 0;
    for (size_t at = 0; at < size; n++) {
        size_t length = strnlen(text + at, size - at);
        uint32_t id;
        if (length == size - at) return damaged(r, "a string has no end");
        cflr_status st = cflri_intern(strings, text + at, length, &id, r->error);
        if (st != CFLR_OK) return st;
        if (id != n) return damaged(r, "a string is out of place");
        at += length + 1;
    }
    return n == expected ? CFLR_OK : damaged(r, "the number of strings is wrong");
}

static cflr_status read_strings(reader *r, cflr_graph *graph, uint64_t expected) {
    r->tag = "GSTR";
    void *text = NULL;
    const cflri_section *section = cflri_container_find(r->sections, r->n_sections, r->tag);
    if (!section) return damaged(r, "it is missing");
    cflr_status st = cflri_container_unpack(r->context, section, r->subject, &text, r->error);
    if (st == CFLR_OK) {
        st = intern_all(r, &graph->strings, text, (size_t)section->size, expected);
    }
    cflri_free(r->context, text);
    return st;
}

/* Rows and pairs that a label says it has; both are allocated at once. */
static cflr_status make_relations(reader *r, cflr_graph *graph) {
    cflr_status st = CFLR_OK;
    uint64_t number;
    for (uint32_t l = 0; l < graph->n_labels; l++) {
        CFLR_TRY(get_bounded(r, UINT32_MAX, &number));
        graph->out[l].n_rows = (uint32_t)number;
    }
    for (uint32_t l = 0; l < graph->n_labels; l++) CFLR_TRY(get(r, &graph->out[l].n_pairs));
out:
    return st;
}

static cflr_status read_labels(reader *r, cflr_graph *graph, uint64_t n_labels) {
    enum { STRIDE = sizeof(cflri_label) / sizeof(uint32_t), COLUMNS = 4 };
    cflr_status st = CFLR_OK;
    if (open_stream(r, "GLAB") < n_labels * COLUMNS) return damaged(r, "it is too short");
    graph->label = cflri_alloc_array(r->context, n_labels, sizeof *graph->label);
    graph->out = cflri_alloc_array_zero(r->context, n_labels, sizeof *graph->out);
    if (!graph->label || !graph->out) return cflri_fail_memory(r->context, r->error);
    graph->n_labels = (uint32_t)n_labels;
    CFLR_TRY(get_column(r, &graph->label->name, STRIDE, n_labels));
    CFLR_TRY(get_column(r, &graph->label->index, STRIDE, n_labels));
    CFLR_TRY(make_relations(r, graph));
    st = close_stream(r);
out:
    return st;
}

/* Reads `count` targets of a row. */
static cflr_status read_row(reader *r, uint32_t row, uint32_t *target, uint64_t count,
                            uint32_t n_vertices) {
    uint64_t number;
    cflr_status st = get_bounded(r, (uint64_t)UINT32_MAX * 2 + 1, &number);
    if (st != CFLR_OK) return st;
    int64_t value = (int64_t)row + unfold(number);
    for (uint64_t i = 0;; i++) {
        if (value < 0 || value >= n_vertices) return damaged(r, "an edge leads out of the graph");
        target[i] = (uint32_t)value;
        if (i + 1 == count) return CFLR_OK;
        st = get_bounded(r, UINT32_MAX, &number);
        if (st != CFLR_OK) return st;
        value += (int64_t)number + 1;
    }
}

static cflr_status read_rows(reader *r, cflri_relation *out, uint32_t n_vertices) {
    cflr_status st = CFLR_OK;
    uint64_t gap, more, pair = 0, row = 0;
    for (uint32_t i = 0; i < out->n_rows; i++) {
        if (i % ROWS_A_LOOK == 0) st = cflri_interrupted(r->context);
        if (st != CFLR_OK) return cflri_fail_interrupted(r->context, st, r->error);
        CFLR_TRY(get_bounded(r, UINT32_MAX, &gap));
        CFLR_TRY(get(r, &more));
        row += gap + (i > 0);
        if (row >= n_vertices || more >= out->n_pairs - pair) {
            return damaged(r, "a row does not fit");
        }
        out->row[i] = (uint32_t)row;
        out->start[i] = pair;
        CFLR_TRY(read_row(r, (uint32_t)row, out->target + pair, more + 1, n_vertices));
        pair += more + 1;
    }
    out->start[out->n_rows] = pair;
    if (pair != out->n_pairs) st = damaged(r, "the number of edges is wrong");
out:
    return st;
}

static cflr_status read_relation(reader *r, cflri_relation *out, uint32_t n_vertices) {
    if (!out->n_rows && !out->n_pairs) return CFLR_OK;
    if (!out->n_rows) return damaged(r, "edges without rows");
    out->row = cflri_alloc_array(r->context, out->n_rows, sizeof *out->row);
    out->start = cflri_alloc_array(r->context, (size_t)out->n_rows + 1, sizeof *out->start);
    out->target = cflri_alloc_array(r->context, out->n_pairs, sizeof *out->target);
    if (!out->row || !out->start || !out->target) return cflri_fail_memory(r->context, r->error);
    return read_rows(r, out, n_vertices);
}

/* Each row takes two numbers and each pair one: are there so many bytes? */
static cflr_status check_sizes(const reader *r, const cflr_graph *graph, uint64_t edges,
                               uint64_t size) {
    uint64_t pairs = 0, rows = 0;
    for (uint32_t l = 0; l < graph->n_labels; l++) {
        if (graph->out[l].n_pairs > size) return damaged(r, "it is too short");
        pairs += graph->out[l].n_pairs;
        rows += graph->out[l].n_rows;
        if (pairs > size || rows * 2 > size - pairs) return damaged(r, "it is too short");
    }
    return pairs == edges ? CFLR_OK : damaged(r, "the number of edges is wrong");
}

static cflr_status read_relations(reader *r, cflr_graph *graph, uint64_t edges) {
    cflr_status st = CFLR_OK;
    uint64_t size = open_stream(r, "GREL");
    CFLR_TRY(check_sizes(r, graph, edges, size));
    for (uint32_t l = 0; l < graph->n_labels; l++) {
        st = cflri_tick(r->context, "load", l, graph->n_labels);
        if (st != CFLR_OK) return cflri_fail_interrupted(r->context, st, r->error);
        CFLR_TRY(read_relation(r, &graph->out[l], graph->n_vertices));
    }
    st = close_stream(r);
out:
    return st;
}

/* The opposite of write_records; *records is a new block. */
static cflr_status read_records(reader *r, const char *tag, void **records, size_t members,
                                uint64_t count) {
    cflr_status st = CFLR_OK;
    uint64_t size = open_stream(r, tag);
    if (!count) return size ? damaged(r, "it is not expected") : CFLR_OK;
    if (size / members < count) return damaged(r, "it is too short");
    uint32_t *first = cflri_alloc_array(r->context, count, members * sizeof *first);
    if (!first) return cflri_fail_memory(r->context, r->error);
    *records = first;
    for (size_t i = 0; i < members; i++) CFLR_TRY(get_column(r, first + i, members, count));
    st = close_stream(r);
out:
    return st;
}

/* The opposite of write_counted; `records` is a vector. */
#define READ_COUNTED(r, tag, records, members) \
    read_counted((r), (tag), &(records)->at, &(records)->n, &(records)->capacity, (members))

static cflr_status read_counted(reader *r, const char *tag, void *at, size_t *n, size_t *capacity,
                                size_t members) {
    cflr_status st = CFLR_OK;
    uint64_t size = open_stream(r, tag), count;
    uint32_t *first;
    if (!size) return CFLR_OK;
    CFLR_TRY(get_bounded(r, UINT32_MAX, &count));
    if (size / members < count) return damaged(r, "it is too short");
    if (!cflri_vec_grow(r->context, at, capacity, 0, count, members * sizeof(uint32_t)))
        return cflri_fail_memory(r->context, r->error);
    memcpy(&first, at, sizeof first);
    for (size_t i = 0; i < members; i++) CFLR_TRY(get_column(r, first + i, members, count));
    *n = count;
    st = close_stream(r);
out:
    return st;
}

static cflr_status read_calls(reader *r, cflri_calls *calls) {
    cflr_status st = READ_COUNTED(r, "GFUN", &calls->functions, FUNCTION_MEMBERS);
    if (st == CFLR_OK) st = READ_COUNTED(r, "GCAL", &calls->calls, CALL_MEMBERS);
    if (st == CFLR_OK) st = READ_COUNTED(r, "GVAL", &calls->values, 1);
    return st;
}

static cflr_status read_graph(reader *r, cflr_graph *graph) {
    cflr_status st = CFLR_OK;
    counts n = {0};
    void *sources = NULL, *mentions = NULL;
    CFLR_TRY(read_meta(r, &n));
    graph->n_vertices = (uint32_t)n.vertices;
    CFLR_TRY(read_strings(r, graph, n.strings));
    CFLR_TRY(read_labels(r, graph, n.labels));
    CFLR_TRY(read_relations(r, graph, n.edges));
    st = read_records(r, "GSRC", &sources, SOURCE_MEMBERS, n.sources ? n.vertices : 0);
    graph->source = sources;
    if (st != CFLR_OK) goto out;
    st = read_records(r, "GMEN", &mentions, MENTION_MEMBERS, n.mentions);
    graph->mention = mentions;
    if (st != CFLR_OK) goto out;
    graph->n_mentions = n.mentions;
    CFLR_TRY(read_calls(r, &graph->calls));
    st = cflri_graph_complete(graph, r->error);
out:
    return st;
}

cflr_status cflri_graph_read_sections(cflr_context *context, const cflri_section *sections,
                                      size_t count, const char *subject, cflr_graph **graph,
                                      cflr_error *error) {
    reader r = {.context = context,
                .sections = sections,
                .n_sections = count,
                .subject = subject,
                .error = error};
    *graph = NULL;
    cflr_status st = cflri_graph_new(context, graph, error);
    if (st == CFLR_OK) st = read_graph(&r, *graph);
    cflri_free(context, r.piece);
    if (st == CFLR_OK) return st;
    cflr_graph_free(*graph);
    *graph = NULL;
    return st;
}

/* ---- files ---- */

static bool recognise(const char *data, size_t size) {
    return cflri_container_is(data, size);
}

static cflr_status read_cflg(cflr_context *context, const char *data, size_t size,
                             const char *subject, cflr_graph **graph, cflr_error *error) {
    cflri_section *sections = NULL;
    size_t count = 0;
    cflr_status st = cflri_container_open(context, data, size, subject, &sections, &count, error);
    if (st == CFLR_OK) {
        st = cflri_graph_read_sections(context, sections, count, subject, graph, error);
    }
    cflri_free(context, sections);
    return st;
}

static cflr_status write_cflg(const cflr_graph *graph, cflri_output *output, cflr_error *error) {
    cflri_container_begin(output);
    cflr_status st = cflri_graph_write_sections(graph, output, true, error);
    if (st != CFLR_OK) return st;
    for (size_t i = 0; i < graph->attached.n; i++)
        cflri_container_put(output, graph->attached.at[i]);
    cflri_container_end(output);
    return CFLR_OK;
}

const cflri_format cflri_format_CFLG = {
    .format = CFLR_GRAPH_CFLG,
    .endings = {".cflg"},
    .no_converses = true,
    .recognise = recognise,
    .read = read_cflg,
    .write = write_cflg,
};
