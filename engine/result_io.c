/* SPDX-License-Identifier: Apache-2.0
 *
 * result_io.c: results as .cflr files.
 *
 * A .cflr file is a container (base/container.h) with the sections of its graph, and then
 *
 *     RMET   one record: counts, start label, complete or not
 *     RSTR   strings: each with its NUL, in order of their numbers
 *     RLAB   one record a label: name, kind, number of instances, which follow each other
 *     RINS   one record an instance: pairs, rows, index
 *     RANS   one record an answer: question, symbol
 *     RREL   pieces of relations: instance, rows, pairs, then row[], length[], difference[]
 *
 * Nothing in it depends on how the closure was computed: the same closure gives the same bytes.
 * Relations are cut into pieces of one size, if need be within a row, which then goes on in the
 * next piece; so neither side needs memory for more than a piece. Targets are stored as differences
 * inside their row: small numbers, which zstd packs well.
 *
 *     row 3: 5 6 9    row 7: 2 ... 90 | 91 ...        row         3 7 | 7
 *     `---- one piece ----------------'               length      3 k | m
 *                                                     difference  5 1 3 2 ... | 91 ...
 *
 * Reading believes no count: room for relations is only made for as many numbers as the pieces
 * hold, and cflri_result_validate looks at everything once more.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/container.h"
#include "base/context.h"
#include "base/io.h"
#include "engine/result.h"

enum { PIECE_WORDS = 1 << 18, ROW_WORDS = 2 }; /* 1 MiB a piece */

typedef struct meta_record {
    uint32_t n_labels;
    uint32_t n_instances;
    uint32_t n_strings;
    uint32_t n_answers;
    uint32_t start;
    uint32_t complete;
} meta_record;

typedef struct label_record {
    uint32_t name;
    uint32_t kind;
    uint32_t n_instances;
} label_record;

typedef struct instance_record {
    uint64_t n_pairs;
    uint32_t n_rows;
    uint32_t index;
} instance_record;

typedef struct piece_header {
    uint32_t instance;
    uint32_t n_rows;
    uint64_t n_pairs;
} piece_header;

_Static_assert(sizeof(meta_record) == 24, "written as it is");
_Static_assert(sizeof(label_record) == 12, "written as it is");
_Static_assert(sizeof(instance_record) == 16, "written as it is");
_Static_assert(sizeof(piece_header) == 16, "written as it is");

/* ---- writing ---- */

typedef struct writer {
    cflr_context *context;
    cflri_output *output;
    char *piece;
    cflr_error *error;
} writer;

static cflr_status write_section(writer *w, const char *tag, const void *data, size_t size) {
    return cflri_container_section(w->context, w->output, tag, data, size, w->error);
}

static cflr_status write_strings(writer *w, const cflri_strings *strings) {
    size_t size = 0;
    for (size_t i = 0; i < strings->text.n; i++) size += strlen(strings->text.at[i]) + 1;
    char *block = cflri_alloc(w->context, size);
    if (!block) return cflri_fail_memory(w->context, w->error);
    size_t at = 0;
    for (size_t i = 0; i < strings->text.n; i++) {
        size_t length = strlen(strings->text.at[i]) + 1;
        memcpy(block + at, strings->text.at[i], length);
        at += length;
    }
    cflr_status st = write_section(w, "RSTR", block, size);
    cflri_free(w->context, block);
    return st;
}

static cflr_status write_tables(writer *w, const cflr_result *result) {
    cflr_context *context = w->context;
    cflr_status st = CFLR_OK;
    label_record *labels = cflri_alloc_array(context, result->n_labels, sizeof *labels);
    instance_record *instances = cflri_alloc_array(context, result->n_instances, sizeof *instances);
    if (!labels || !instances) {
        st = cflri_fail_memory(context, w->error);
        goto out;
    }
    for (uint32_t i = 0; i < result->n_labels; i++) {
        const cflri_result_label *label = &result->label[i];
        labels[i] = (label_record){
            .name = label->name, .kind = (uint32_t)label->kind, .n_instances = label->n_instances};
    }
    for (uint32_t i = 0; i < result->n_instances; i++) {
        instances[i] = (instance_record){.n_pairs = result->instance[i].n_pairs,
                                         .n_rows = result->instance[i].n_rows,
                                         .index = result->instance_index[i]};
    }
    CFLR_TRY(write_section(w, "RLAB", labels, result->n_labels * sizeof *labels));
    CFLR_TRY(write_section(w, "RINS", instances, result->n_instances * sizeof *instances));
    CFLR_TRY(write_section(w, "RANS", result->answer, result->n_answers * sizeof *result->answer));
out:
    cflri_free(context, labels);
    cflri_free(context, instances);
    return st;
}

/* A place in a relation: the next pair to be written, and its row. */
typedef struct place {
    uint32_t row;
    uint64_t pair;
} place;

static uint64_t smaller(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* How far a piece that begins at `from` reaches; *n_rows counts its rows, cut ones too. */
static place end_of_piece(const cflri_relation *relation, place from, uint32_t *n_rows) {
    uint64_t room = PIECE_WORDS;
    place at = from;
    *n_rows = 0;
    while (at.row < relation->n_rows && room > ROW_WORDS) {
        uint64_t end = relation->start[at.row + 1];
        uint64_t taken = smaller(end - at.pair, room - ROW_WORDS);
        room -= ROW_WORDS + taken;
        at.pair += taken;
        ++*n_rows;
        if (at.pair < end) break;
        at.row++;
    }
    assert(at.pair > from.pair);
    return at;
}

/* Writes the pairs up to the end of a piece, which is where the next one begins. */
static cflr_status write_piece(writer *w, uint32_t instance, const cflri_relation *relation,
                               place *at) {
    uint32_t n_rows;
    place end = end_of_piece(relation, *at, &n_rows);
    piece_header header = {instance, n_rows, end.pair - at->pair};
    memcpy(w->piece, &header, sizeof header);
    uint32_t *row = (uint32_t *)(void *)(w->piece + sizeof header);
    uint32_t *length = row + n_rows, *difference = length + n_rows;
    uint64_t pair = at->pair;
    for (uint32_t r = 0; r < n_rows; r++) {
        uint64_t row_end = smaller(relation->start[at->row + r + 1], end.pair);
        uint32_t before = 0, number = at->row + r;
        const uint32_t *target = cflri_relation_targets(relation, number);
        row[r] = relation->row[number];
        length[r] = (uint32_t)(row_end - pair);
        for (; pair < row_end; pair++) {
            uint32_t next = target[pair - relation->start[number]];
            *difference++ = next - before;
            before = next;
        }
    }
    *at = end;
    return write_section(w, "RREL", w->piece, (size_t)((char *)difference - w->piece));
}

/* Neither a cancellation nor the end of time stops writing: they are why there is a partial result
 * to be kept. */
static cflr_status write_relations(writer *w, const cflr_result *result) {
    cflr_status st = CFLR_OK;
    uint64_t written = 0;
    w->piece = cflri_alloc(w->context, sizeof(piece_header) + PIECE_WORDS * sizeof(uint32_t));
    if (!w->piece) return cflri_fail_memory(w->context, w->error);
    for (uint32_t i = 0; i < result->n_instances; i++) {
        const cflri_relation *relation = &result->instance[i];
        for (place at = {0, 0}; at.row < relation->n_rows;) {
            CFLR_TRY(write_piece(w, i, relation, &at));
            cflri_tick(w->context, "write", written + at.pair, result->stats.pairs);
        }
        written += relation->n_pairs;
    }
out:
    cflri_free(w->context, w->piece);
    return st;
}

/* A failure that names nothing is told of the file. */
static cflr_status name_file(cflr_status st, const char *path, cflr_error *error) {
    if (st != CFLR_OK && error && !error->subject[0]) {
        snprintf(error->subject, sizeof error->subject, "%s", path);
    }
    return st;
}

static cflr_status write_result(writer *w, const cflr_result *result) {
    cflr_status st = CFLR_OK;
    meta_record meta = {.n_labels = result->n_labels,
                        .n_instances = result->n_instances,
                        .n_strings = (uint32_t)result->strings.text.n,
                        .n_answers = result->n_answers,
                        .start = result->start,
                        .complete = result->stats.complete};
    cflri_container_begin(w->output);
    CFLR_TRY(cflri_graph_write_sections(result->graph, w->output, w->error));
    CFLR_TRY(write_section(w, "RMET", &meta, sizeof meta));
    CFLR_TRY(write_strings(w, &result->strings));
    CFLR_TRY(write_tables(w, result));
    CFLR_TRY(write_relations(w, result));
    cflri_container_end(w->output);
out:
    return st;
}

cflr_status cflr_result_save(const cflr_result *result, const char *path, cflr_error *error) {
    assert(result && path);
    writer w = {.context = result->context, .error = error};
    cflr_status st = cflri_output_open(w.context, path, &w.output, error);
    if (st != CFLR_OK) return name_file(st, path, error);
    st = write_result(&w, result);
    if (st == CFLR_OK) {
        st = cflri_output_close(w.output, error);
    } else {
        cflri_output_abandon(w.output);
    }
    return name_file(st, path, error);
}

/* ---- reading ---- */

typedef struct reader {
    cflr_context *context;
    const cflri_section *sections;
    size_t n_sections;
    const char *subject;
    cflr_error *error;
} reader;

static cflr_status damaged(const reader *r, const char *what) {
    return cflri_fail(r->error, CFLR_FORMAT, r->subject, "damaged result: %s", what);
}

/* Unpacks the section with this tag, which must hold `count` records of `size` bytes (SIZE_MAX: any
 * number of bytes). */
static cflr_status read_section(const reader *r, const char *tag, size_t count, size_t size,
                                void **data, size_t *bytes) {
    const cflri_section *section = cflri_container_find(r->sections, r->n_sections, tag);
    if (!section) {
        return cflri_fail(r->error, CFLR_FORMAT, r->subject,
                          "not a result: section %s is missing (is it a graph?)", tag);
    }
    if (count != SIZE_MAX && section->size != (uint64_t)count * size) {
        return cflri_fail(r->error, CFLR_FORMAT, r->subject, "section %s has the wrong size", tag);
    }
    *bytes = (size_t)section->size;
    return cflri_container_unpack(r->context, section, r->subject, data, r->error);
}

static cflr_status read_strings(const reader *r, cflr_result *result, uint32_t n_strings) {
    void *data = NULL;
    size_t size = 0, n = 0;
    cflr_status st = CFLR_OK;
    CFLR_TRY(read_section(r, "RSTR", SIZE_MAX, 1, &data, &size));
    const char *text = data;
    for (size_t at = 0; at < size; n++) {
        size_t length = strnlen(text + at, size - at);
        uint32_t id;
        if (length == size - at) {
            st = damaged(r, "a string has no end");
            goto out;
        }
        CFLR_TRY(cflri_intern(&result->strings, text + at, length, &id, r->error));
        if (id != n) {
            st = damaged(r, "a string is there twice");
            goto out;
        }
        at += length + 1;
    }
    if (n != n_strings) st = damaged(r, "the number of strings is wrong");
out:
    cflri_free(r->context, data);
    return st;
}

/* Labels say how many instances they have; which ones follows, and so is known to be consistent. */
static cflr_status read_labels(const reader *r, cflr_result *result, const meta_record *meta) {
    void *data = NULL;
    size_t size;
    uint32_t next = 0;
    cflr_status st = CFLR_OK;
    CFLR_TRY(read_section(r, "RLAB", meta->n_labels, sizeof(label_record), &data, &size));
    result->label = cflri_alloc_array_zero(r->context, meta->n_labels, sizeof *result->label);
    if (!result->label) {
        st = cflri_fail_memory(r->context, r->error);
        goto out;
    }
    const label_record *records = data;
    for (uint32_t i = 0; i < meta->n_labels; i++) {
        if (records[i].n_instances > meta->n_instances - next ||
            records[i].kind > CFLR_SYMBOL_AUXILIARY) {
            st = damaged(r, "a symbol is wrong");
            goto out;
        }
        result->label[i] = (cflri_result_label){.name = records[i].name,
                                                .kind = (cflr_symbol_kind)records[i].kind,
                                                .first_instance = next,
                                                .n_instances = records[i].n_instances};
        next += records[i].n_instances;
    }
    result->n_labels = meta->n_labels;
    if (next != meta->n_instances) st = damaged(r, "the symbols do not add up");
out:
    cflri_free(r->context, data);
    return st;
}

/* Words of payload that the file really holds: an upper bound for what its counts may claim. */
static uint64_t relation_words(const reader *r) {
    uint64_t words = 0;
    for (size_t i = 0; i < r->n_sections; i++) {
        if (strcmp(r->sections[i].tag, "RREL") == 0) words += r->sections[i].size / 4;
    }
    return words;
}

static cflr_status make_relation(const reader *r, const instance_record *record,
                                 cflri_relation *relation) {
    *relation = (cflri_relation){.n_rows = record->n_rows, .n_pairs = record->n_pairs};
    cflr_status st = cflri_relation_allocate(r->context, relation, r->error);
    if (st != CFLR_OK) return st;
    relation->n_rows = 0; /* counted again while pieces come */
    relation->n_pairs = 0;
    relation->start[0] = 0;
    return CFLR_OK;
}

static cflr_status read_instances(const reader *r, cflr_result *result, uint32_t n_instances,
                                  instance_record **records) {
    void *data = NULL;
    size_t size;
    cflr_status st = CFLR_OK;
    uint64_t words = relation_words(r);
    CFLR_TRY(read_section(r, "RINS", n_instances, sizeof(instance_record), &data, &size));
    *records = data;
    result->instance_index =
        cflri_alloc_array_zero(r->context, n_instances, sizeof *result->instance_index);
    result->instance = cflri_alloc_array_zero(r->context, n_instances, sizeof *result->instance);
    if (!result->instance || !result->instance_index) {
        st = cflri_fail_memory(r->context, r->error);
        goto out;
    }
    for (uint32_t i = 0; i < n_instances; i++) {
        const instance_record *record = &(*records)[i];
        if (record->n_rows == 0 || record->n_rows > record->n_pairs) {
            st = damaged(r, "a relation is empty");
            goto out;
        }
        if (record->n_pairs > words || record->n_rows > words - record->n_pairs) {
            st = damaged(r, "more pairs are promised than the file holds");
            goto out;
        }
        words -= record->n_pairs + record->n_rows;
        result->instance_index[i] = record->index;
        result->n_instances++;
        CFLR_TRY(make_relation(r, record, &result->instance[i]));
    }
out:
    return st;
}

/* One row of a piece: `length` targets behind the row that the relation ends with when that is the
 * same, else a new row. */
static void append_row(cflri_relation *relation, uint32_t row, uint32_t length,
                       const uint32_t *difference) {
    uint32_t target = 0;
    for (uint32_t k = 0; k < length; k++) {
        target += difference[k];
        relation->target[relation->n_pairs++] = target;
    }
    bool goes_on = relation->n_rows && relation->row[relation->n_rows - 1] == row;
    if (!goes_on) relation->row[relation->n_rows++] = row;
    relation->start[relation->n_rows] = relation->n_pairs;
}

/* Appends one piece to its relation; `records` say how far each may grow. */
static cflr_status append_piece(const reader *r, const void *data, size_t size, cflr_result *result,
                                const instance_record *records) {
    piece_header header;
    if (size < sizeof header) return damaged(r, "a piece of a relation is too short");
    memcpy(&header, data, sizeof header);
    size -= sizeof header;
    uint64_t words = size / sizeof(uint32_t);
    if (size % sizeof(uint32_t) || header.n_pairs > words ||
        words - header.n_pairs != ROW_WORDS * (uint64_t)header.n_rows) {
        return damaged(r, "a piece of a relation has the wrong size");
    }
    if (header.instance >= result->n_instances) return damaged(r, "a piece of no relation");
    cflri_relation *relation = &result->instance[header.instance];
    const instance_record *limit = &records[header.instance];
    if (header.n_pairs > limit->n_pairs - relation->n_pairs) {
        return damaged(r, "a relation is longer than promised");
    }
    const uint32_t *row = (const uint32_t *)(const void *)((const char *)data + sizeof header);
    const uint32_t *length = row + header.n_rows, *difference = length + header.n_rows;
    uint64_t left = header.n_pairs;
    for (uint32_t i = 0; i < header.n_rows; i++) {
        if (length[i] > left) return damaged(r, "a row is longer than its piece");
        if (relation->n_rows == limit->n_rows && row[i] != relation->row[limit->n_rows - 1]) {
            return damaged(r, "a relation has more rows than promised");
        }
        append_row(relation, row[i], length[i], difference);
        difference += length[i];
        left -= length[i];
    }
    return left == 0 ? CFLR_OK : damaged(r, "a piece has pairs outside its rows");
}

static cflr_status append_pieces(const reader *r, cflr_result *result,
                                 const instance_record *records) {
    cflr_status st = CFLR_OK;
    void *data = NULL;
    for (size_t i = 0; i < r->n_sections && st == CFLR_OK; i++) {
        if (strcmp(r->sections[i].tag, "RREL") != 0) continue;
        CFLR_TRY(cflri_container_unpack(r->context, &r->sections[i], r->subject, &data, r->error));
        CFLR_TRY(append_piece(r, data, (size_t)r->sections[i].size, result, records));
        cflri_free(r->context, data);
        data = NULL;
        st = cflri_tick(r->context, "load", i, r->n_sections);
        if (st != CFLR_OK) cflri_fail_interrupted(r->context, st, r->error);
    }
out:
    cflri_free(r->context, data);
    return st;
}

static cflr_status read_relations(const reader *r, cflr_result *result,
                                  const instance_record *records) {
    cflr_status st = append_pieces(r, result, records);
    if (st != CFLR_OK) return st;
    for (uint32_t i = 0; i < result->n_instances; i++) {
        const cflri_relation *relation = &result->instance[i];
        if (relation->n_rows == records[i].n_rows && relation->n_pairs == records[i].n_pairs) {
            continue;
        }
        return damaged(r, "a relation is shorter than promised");
    }
    return CFLR_OK;
}

static cflr_status read_answers(const reader *r, cflr_result *result, uint32_t n_answers) {
    void *data = NULL;
    size_t size;
    cflr_status st = read_section(r, "RANS", n_answers, sizeof(cflri_answer_name), &data, &size);
    if (st != CFLR_OK) return st;
    result->answer = data;
    result->n_answers = n_answers;
    return CFLR_OK;
}

/* Sums that are not stored because they follow. */
static void add_up(cflr_result *result) {
    for (uint32_t i = 0; i < result->n_labels; i++) {
        cflri_result_label *label = &result->label[i];
        for (uint32_t k = 0; k < label->n_instances; k++) {
            const cflri_relation *relation = &result->instance[label->first_instance + k];
            label->pairs += relation->n_pairs;
            label->rows += relation->n_rows;
        }
        result->stats.pairs += label->pairs;
    }
}

static cflr_status read_meta(const reader *r, meta_record *meta) {
    void *data = NULL;
    size_t size;
    cflr_status st = read_section(r, "RMET", 1, sizeof *meta, &data, &size);
    if (st != CFLR_OK) return st;
    memcpy(meta, data, sizeof *meta);
    cflri_free(r->context, data);
    return meta->complete <= 1 ? CFLR_OK : damaged(r, "it is neither complete nor incomplete");
}

static cflr_status read_result(const reader *r, cflr_result *result) {
    cflr_status st = CFLR_OK;
    instance_record *records = NULL;
    meta_record meta;
    CFLR_TRY(read_meta(r, &meta));
    CFLR_TRY(cflri_strings_init(&result->strings, r->context, r->error));
    CFLR_TRY(read_strings(r, result, meta.n_strings));
    CFLR_TRY(read_labels(r, result, &meta));
    CFLR_TRY(cflri_result_index_names(result, r->subject, r->error));
    CFLR_TRY(read_instances(r, result, meta.n_instances, &records));
    CFLR_TRY(read_answers(r, result, meta.n_answers));
    CFLR_TRY(read_relations(r, result, records));
    result->start = meta.start;
    result->stats.complete = meta.complete != 0;
    add_up(result);
    CFLR_TRY(cflri_result_validate(result, r->subject, r->error));
out:
    cflri_free(r->context, records);
    return st;
}

static cflr_status read_container(reader *r, const cflri_input *input, cflr_result *result) {
    cflr_status st = CFLR_OK;
    cflri_section *sections = NULL;
    CFLR_TRY(cflri_container_open(r->context, input->data, input->size, r->subject, &sections,
                                  &r->n_sections, r->error));
    r->sections = sections;
    CFLR_TRY(cflri_graph_read_sections(r->context, sections, r->n_sections, r->subject,
                                       &result->owned_graph, r->error));
    CFLR_TRY(cflr_graph_validate(result->owned_graph, r->error));
    result->graph = result->owned_graph;
    CFLR_TRY(read_result(r, result));
out:
    cflri_free(r->context, sections);
    return st;
}

static cflr_status make_result(reader *r, const cflri_input *input, cflr_result **result) {
    cflr_result *made = cflri_alloc_zero(r->context, sizeof *made);
    if (!made) return cflri_fail_memory(r->context, r->error);
    made->context = r->context;
    cflr_status st = read_container(r, input, made);
    if (st == CFLR_OK) {
        *result = made;
    } else {
        cflr_result_free(made);
    }
    return st;
}

cflr_status cflr_result_load(cflr_context *context, const char *path, cflr_result **result,
                             cflr_error *error) {
    assert(context && path && result);
    cflri_input input;
    reader r = {.context = context, .subject = path, .error = error};
    *result = NULL;
    cflr_status st = cflri_input_open(context, path, &input, error);
    if (st == CFLR_OK) st = make_result(&r, &input, result);
    cflri_input_close(&input);
    return name_file(st, path, error);
}

/* Does the container hold a result? */
static cflr_status look_for_result(const reader *r, const cflri_input *input, bool *found) {
    cflri_section *sections = NULL;
    size_t n = 0;
    cflr_status st = cflri_container_open(r->context, input->data, input->size, r->subject,
                                          &sections, &n, r->error);
    for (size_t i = 0; st == CFLR_OK && i < n; i++) {
        if (strcmp(sections[i].tag, "RMET") == 0) *found = true;
    }
    cflri_free(r->context, sections);
    return st;
}

cflr_status cflr_result_or_graph_load(cflr_context *context, const char *path, cflr_result **result,
                                      cflr_graph **graph, cflr_error *error) {
    assert(context && path && result && graph);
    cflri_input input;
    reader r = {.context = context, .subject = path, .error = error};
    struct stat about;
    bool found = false;
    *result = NULL;
    *graph = NULL;
    if (strcmp(path, "-") != 0 && stat(path, &about) == 0 && S_ISDIR(about.st_mode)) {
        return cflr_graph_load(context, path, CFLR_GRAPH_AUTO, graph, error);
    }
    cflr_status st = cflri_input_open(context, path, &input, error);
    if (st == CFLR_OK && cflri_container_is(input.data, input.size)) {
        st = look_for_result(&r, &input, &found);
    }
    if (st == CFLR_OK && found) {
        st = make_result(&r, &input, result);
    } else if (st == CFLR_OK) {
        st = cflri_graph_load_bytes(&input, path, CFLR_GRAPH_AUTO, graph, error);
    }
    cflri_input_close(&input);
    return name_file(st, path, error);
}
