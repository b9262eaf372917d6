/* SPDX-License-Identifier: Apache-2.0
 *
 * result_io.c: results as .cflr files.
 *
 * A .cflr file is a container (base/container.h) with the sections of its graph, and then
 *
 *     RMET   one record: counts, start label, complete or not
 *     RSTR   strings: each with its NUL, in order of their numbers
 *     RLAB   one record a label: name, kind, first instance, number of instances
 *     RINS   one record an instance: index, rows, pairs
 *     RANS   one record an answer: question, symbol
 *     RREL   pieces of relations: instance, rows, pairs, then row[], length[], target[]
 *
 * Nothing in it depends on how the closure was computed: the same closure gives the same bytes. A
 * large relation is cut into pieces at row boundaries, so that packing needs little memory. Targets
 * are stored as differences inside their row: small numbers, which zstd packs well.
 */
#include <string.h>

#include "base/container.h"
#include "base/context.h"
#include "base/io.h"
#include "engine/result.h"

enum { PIECE_WORDS = 1 << 22 }; /* 16 MiB of payload, unless one row is longer */

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
    uint32_t first_instance;
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
_Static_assert(sizeof(label_record) == 16, "written as it is");
_Static_assert(sizeof(instance_record) == 16, "written as it is");
_Static_assert(sizeof(piece_header) == 16, "written as it is");

/* ---- writing ---- */

typedef struct writer {
    cflr_context *context;
    cflri_output *output;
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
        labels[i] = (label_record){.name = label->name,
                                   .kind = (uint32_t)label->kind,
                                   .first_instance = label->first_instance,
                                   .n_instances = label->n_instances};
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

/* The number of rows from `first` on that fit one piece: at least one. */
static uint32_t rows_of_piece(const cflri_relation *relation, uint32_t first) {
    uint32_t end = first + 1;
    while (end < relation->n_rows &&
           relation->start[end + 1] - relation->start[first] + 2 * (end + 1 - first) <=
               PIECE_WORDS) {
        end++;
    }
    return end - first;
}

static cflr_status write_piece(writer *w, uint32_t instance, const cflri_relation *relation,
                               uint32_t first, uint32_t n_rows) {
    uint64_t n_pairs = relation->start[first + n_rows] - relation->start[first];
    size_t size = sizeof(piece_header) + (2 * (size_t)n_rows + n_pairs) * sizeof(uint32_t);
    char *block = cflri_alloc(w->context, size);
    if (!block) return cflri_fail_memory(w->context, w->error);
    piece_header header = {.instance = instance, .n_rows = n_rows, .n_pairs = n_pairs};
    memcpy(block, &header, sizeof header);
    uint32_t *row = (uint32_t *)(void *)(block + sizeof header);
    uint32_t *length = row + n_rows, *target = length + n_rows;
    for (uint32_t r = 0; r < n_rows; r++) {
        uint64_t begin = relation->start[first + r], end = relation->start[first + r + 1];
        row[r] = relation->row[first + r];
        length[r] = (uint32_t)(end - begin);
        uint32_t before = 0;
        for (uint64_t i = begin; i < end; i++) {
            *target++ = relation->target[i] - before;
            before = relation->target[i];
        }
    }
    cflr_status st = write_section(w, "RREL", block, size);
    cflri_free(w->context, block);
    return st;
}

static cflr_status write_relations(writer *w, const cflr_result *result) {
    cflr_status st = CFLR_OK;
    for (uint32_t i = 0; i < result->n_instances; i++) {
        const cflri_relation *relation = &result->instance[i];
        for (uint32_t first = 0; first < relation->n_rows;) {
            uint32_t n_rows = rows_of_piece(relation, first);
            CFLR_TRY(write_piece(w, i, relation, first, n_rows));
            first += n_rows;
            st = cflri_tick(w->context, "write", i, result->n_instances);
            if (st == CFLR_CANCELLED) {
                cflri_fail_interrupted(w->context, st, w->error);
                goto out;
            }
            st = CFLR_OK; /* a time limit that has passed must not lose the result */
        }
    }
out:
    return st;
}

cflr_status cflr_result_save(const cflr_result *result, const char *path, cflr_error *error) {
    writer w = {.context = result->context, .error = error};
    cflr_status st = CFLR_OK;
    CFLR_TRY(cflri_output_open(w.context, path, &w.output, error));
    cflri_container_begin(w.output);
    CFLR_TRY(cflri_graph_write_sections(result->graph, w.output, error));
    meta_record meta = {.n_labels = result->n_labels,
                        .n_instances = result->n_instances,
                        .n_strings = (uint32_t)result->strings.text.n,
                        .n_answers = result->n_answers,
                        .start = result->start,
                        .complete = result->stats.complete};
    CFLR_TRY(write_section(&w, "RMET", &meta, sizeof meta));
    CFLR_TRY(write_strings(&w, &result->strings));
    CFLR_TRY(write_tables(&w, result));
    CFLR_TRY(write_relations(&w, result));
    cflri_container_end(w.output);
out:
    if (st != CFLR_OK) {
        cflri_output_abandon(w.output);
        return st;
    }
    return cflri_output_close(w.output, error);
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
    size_t size, n = 0;
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

static cflr_status read_labels(const reader *r, cflr_result *result, uint32_t n_labels) {
    void *data = NULL;
    size_t size;
    cflr_status st = CFLR_OK;
    CFLR_TRY(read_section(r, "RLAB", n_labels, sizeof(label_record), &data, &size));
    result->label = cflri_alloc_array_zero(r->context, (size_t)n_labels + 1, sizeof *result->label);
    if (!result->label) {
        st = cflri_fail_memory(r->context, r->error);
        goto out;
    }
    const label_record *records = data;
    for (uint32_t i = 0; i < n_labels; i++) {
        result->label[i] = (cflri_result_label){.name = records[i].name,
                                                .kind = (cflr_symbol_kind)records[i].kind,
                                                .first_instance = records[i].first_instance,
                                                .n_instances = records[i].n_instances};
    }
    result->n_labels = n_labels;
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
    relation->row = cflri_alloc_array(r->context, record->n_rows, sizeof *relation->row);
    relation->start =
        cflri_alloc_array(r->context, (size_t)record->n_rows + 1, sizeof *relation->start);
    relation->target = cflri_alloc_array(r->context, record->n_pairs, sizeof *relation->target);
    if (!relation->row || !relation->start || !relation->target) {
        return cflri_fail_memory(r->context, r->error);
    }
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
        cflri_alloc_array_zero(r->context, (size_t)n_instances + 1, sizeof *result->instance_index);
    result->instance =
        cflri_alloc_array_zero(r->context, (size_t)n_instances + 1, sizeof *result->instance);
    if (!result->instance || !result->instance_index) {
        st = cflri_fail_memory(r->context, r->error);
        goto out;
    }
    for (uint32_t i = 0; i < n_instances; i++) {
        const instance_record *record = &(*records)[i];
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

/* Appends one piece to its relation; `record` says how far it may grow. */
static cflr_status append_piece(const reader *r, const void *data, size_t size, cflr_result *result,
                                const instance_record *records) {
    piece_header header;
    if (size < sizeof header) return damaged(r, "a piece of a relation is too short");
    memcpy(&header, data, sizeof header);
    size_t words = (size - sizeof header) / sizeof(uint32_t);
    if (header.instance >= result->n_instances || header.n_pairs > words ||
        words != 2 * (uint64_t)header.n_rows + header.n_pairs) {
        return damaged(r, "a piece of a relation has the wrong size");
    }
    cflri_relation *relation = &result->instance[header.instance];
    const instance_record *limit = &records[header.instance];
    if (header.n_rows > limit->n_rows - relation->n_rows ||
        header.n_pairs > limit->n_pairs - relation->n_pairs) {
        return damaged(r, "a relation is longer than promised");
    }
    const uint32_t *row = (const uint32_t *)(const void *)((const char *)data + sizeof header);
    const uint32_t *length = row + header.n_rows, *difference = length + header.n_rows;
    uint64_t left = header.n_pairs;
    for (uint32_t i = 0; i < header.n_rows; i++) {
        if (length[i] > left) return damaged(r, "a row is longer than its piece");
        left -= length[i];
        relation->row[relation->n_rows] = row[i];
        uint32_t target = 0;
        for (uint32_t k = 0; k < length[i]; k++) {
            target += *difference++;
            relation->target[relation->n_pairs++] = target;
        }
        relation->start[++relation->n_rows] = relation->n_pairs;
    }
    return left == 0 ? CFLR_OK : damaged(r, "a piece has pairs outside its rows");
}

static cflr_status read_relations(const reader *r, cflr_result *result,
                                  const instance_record *records) {
    cflr_status st = CFLR_OK;
    void *data = NULL;
    for (size_t i = 0; i < r->n_sections; i++) {
        if (strcmp(r->sections[i].tag, "RREL") != 0) continue;
        CFLR_TRY(cflri_container_unpack(r->context, &r->sections[i], r->subject, &data, r->error));
        CFLR_TRY(append_piece(r, data, (size_t)r->sections[i].size, result, records));
        cflri_free(r->context, data);
        data = NULL;
    }
    for (uint32_t i = 0; i < result->n_instances; i++) {
        const cflri_relation *relation = &result->instance[i];
        if (relation->n_rows == records[i].n_rows && relation->n_pairs == records[i].n_pairs) {
            continue;
        }
        st = damaged(r, "a relation is shorter than promised");
        break;
    }
out:
    cflri_free(r->context, data);
    return st;
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
            uint64_t at = (uint64_t)label->first_instance + k;
            if (at >= result->n_instances) return; /* validation will say so */
            label->pairs += result->instance[at].n_pairs;
            label->rows += result->instance[at].n_rows;
        }
        result->stats.pairs += label->pairs;
    }
}

static cflr_status read_result(const reader *r, cflr_result *result) {
    cflr_status st = CFLR_OK;
    void *data = NULL;
    instance_record *records = NULL;
    size_t size;
    CFLR_TRY(read_section(r, "RMET", 1, sizeof(meta_record), &data, &size));
    meta_record meta;
    memcpy(&meta, data, sizeof meta);
    CFLR_TRY(cflri_strings_init(&result->strings, r->context, r->error));
    CFLR_TRY(read_strings(r, result, meta.n_strings));
    CFLR_TRY(read_labels(r, result, meta.n_labels));
    CFLR_TRY(read_instances(r, result, meta.n_instances, &records));
    CFLR_TRY(read_answers(r, result, meta.n_answers));
    CFLR_TRY(read_relations(r, result, records));
    result->start = meta.start;
    result->stats.complete = meta.complete != 0;
    add_up(result);
    CFLR_TRY(cflri_result_validate(result, r->subject, r->error));
out:
    cflri_free(r->context, data);
    cflri_free(r->context, records);
    return st;
}

cflr_status cflr_result_load(cflr_context *context, const char *path, cflr_result **result,
                             cflr_error *error) {
    cflr_status st = CFLR_OK;
    cflri_input input = {0};
    cflri_section *sections = NULL;
    reader r = {.context = context, .subject = path, .error = error};
    *result = NULL;
    cflr_result *made = cflri_alloc_zero(context, sizeof *made);
    if (!made) return cflri_fail_memory(context, error);
    made->context = context;
    CFLR_TRY(cflri_input_open(context, path, &input, error));
    CFLR_TRY(cflri_container_open(context, input.data, input.size, path, &sections, &r.n_sections,
                                  error));
    r.sections = sections;
    CFLR_TRY(cflri_graph_read_sections(context, sections, r.n_sections, path, &made->owned_graph,
                                       error));
    made->graph = made->owned_graph;
    CFLR_TRY(read_result(&r, made));
    *result = made;
    made = NULL;
out:
    cflr_result_free(made);
    cflri_free(context, sections);
    cflri_input_close(&input);
    return st;
}
