/* SPDX-License-Identifier: Apache-2.0
 *
 * io.c: results as .cflr files.
 *
 * A .cflr file is a container (base/files/container.h) with the sections of its graph, and then
 *
 *     RNOD, RSET   the sets of targets that rows have (engine/sets/set_pieces.h)
 *     RMET   one record: counts, start label, complete or not
 *     RSTR   strings: each with its NUL, in order of their numbers
 *     RLAB   one record a label: name, kind, number of instances, which follow each other
 *     RINS   one record an instance: pairs, rows, index
 *     RANS   one record an answer: question, symbol (or "S ~S")
 *     RASK   of a result that answers a question: which pairs were asked for
 *     RPRT   of a part of a result: its slice, and the number of each instance in all parts
 *     RROW   pieces of relations: instance, then row[], and the number of the set of each
 *
 * Nothing in it depends on how the closure was computed: the same closure gives the same bytes. A
 * set is written once, however many rows have it, and numbered where it comes first, relations and
 * rows in their order. Sets are written as they are met, row by row, so a result is never unpacked
 * as a whole, and neither side needs memory for more than a piece, and one number a row. Where
 * memory for these numbers is refused, each row gets a set of its own: a larger file of the same
 * pairs.
 *
 * Sets come first, because they take the time: when the time for writing is over, the others are
 * left out, with the rows that have them, and what follows tells of the rest.
 *
 * A result that was read has its graph and its rows in memory. Sets stay in the file, and are read
 * from there when they are asked for; some pieces are kept (engine/sets/paged_sets.h). What has no
 * file that could be read again, a pipe or a packed file, is kept in memory as it is.
 *
 * Reading believes no count: room is only made for as many numbers as the pieces hold, and
 * cflri_result_validate looks at everything once more.
 */
#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/context.h"
#include "base/files/container.h"
#include "base/formats/io.h"
#include "base/ids.h"
#include "base/vec.h"
#include "engine/results/result.h"
#include "engine/sets/paged_sets.h"
#include "engine/sets/set_writer.h"

enum {
    ROWS_A_PIECE = 1 << 17, /* 1 MiB */
    /* sizes of the record in older files of format 1: of rows that were whole, of sets as lists */
    FORMER_META_ROWS = 24,
    FORMER_META_LISTS = 40,
};

typedef struct meta_record {
    uint32_t n_labels;
    uint32_t n_instances;
    uint32_t n_strings;
    uint32_t n_answers;
    uint32_t start;
    uint32_t complete;
    uint32_t n_sets;
    uint32_t n_nodes;    /* of trees */
    uint32_t restricted; /* 1: to symbols; 2: to the pairs of a question, too */
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

typedef struct slice_record {
    uint32_t n, self, first, end;
    uint32_t complete;
    uint32_t n_instances;
    uint64_t problem;
} slice_record;

typedef struct row_header {
    uint32_t instance;
    uint32_t n_rows;
} row_header;

_Static_assert(sizeof(meta_record) == 36, "written as it is");
_Static_assert(sizeof(label_record) == 12, "written as it is");
_Static_assert(sizeof(instance_record) == 16, "written as it is");
_Static_assert(sizeof(slice_record) == 32, "written as it is");
_Static_assert(sizeof(row_header) == 8, "written as it is");

/* ---- numbers of sets ---- */

/* Numbers of the sets of all rows, in the order of relations and rows. */
typedef struct numbering {
    cflr_context *context;
    const cflr_result *result;
    uint32_t *of_row; /* number of each row's set, instance by instance; NULL: the row's own */
    uint32_t *of_set; /* number of each of the result's sets, plus 1; 0: not met yet */
} numbering;

static uint64_t rows_of(const cflr_result *result) {
    uint64_t rows = 0;
    for (uint32_t i = 0; i < result->n_instances; i++) rows += result->instance[i].n_rows;
    return rows;
}

static uint32_t *set_place(const numbering *m, const cflri_relation *relation, uint32_t r) {
    if (!m->of_set || !relation->set || relation->sets != m->result->sets) return NULL;
    return relation->set[r] & CFLRI_ONE_TARGET ? NULL : &m->of_set[relation->set[r]];
}

static void begin_numbers(numbering *m, const cflr_result *result) {
    *m = (numbering){.context = result->context, .result = result};
    uint64_t rows = rows_of(result) + 1, sets = result->sets ? result->sets->n + UINT64_C(1) : 0;
    if (cflri_spares(m->context, rows * sizeof *m->of_row)) {
        m->of_row = cflri_alloc_array(m->context, rows, sizeof *m->of_row);
    }
    if (m->of_row && sets && cflri_spares(m->context, sets * sizeof *m->of_set)) {
        m->of_set = cflri_alloc_array_zero(m->context, sets, sizeof *m->of_set);
    }
}

static uint32_t number_of(const numbering *m, uint64_t row) {
    return m->of_row ? m->of_row[row] : (uint32_t)row;
}

static void free_numbering(numbering *m) {
    cflri_free(m->context, m->of_row);
    cflri_free(m->context, m->of_set);
}

/* ---- writing ---- */

typedef struct writer {
    cflr_context *context;
    cflri_output *output;
    cflri_allowance allowance; /* for sets */
    numbering numbers;
    cflri_container_sink sink;
    cflri_set_writer *sets;
    uint64_t n_done;     /* rows whose sets are in the file; fewer when time was over */
    uint64_t pairs_done; /* in these rows */
    cflr_row row;
    uint32_t *piece; /* of rows */
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

/* Rows of an instance whose sets are in the file, and their pairs; `first` counts the rows of the
 * instances before. */
static instance_record written_of(const writer *w, const cflri_relation *relation, uint64_t first) {
    if (w->n_done <= first) return (instance_record){0};
    uint64_t n = w->n_done - first;
    if (n > relation->n_rows) n = relation->n_rows;
    return (instance_record){.n_rows = (uint32_t)n, .n_pairs = relation->start[n]};
}

/* Instances that have any. */
static uint32_t written_instances(const writer *w, const cflr_result *result) {
    uint32_t n = 0;
    uint64_t first = 0;
    for (uint32_t i = 0; i < result->n_instances; i++) {
        n += written_of(w, &result->instance[i], first).n_rows > 0;
        first += result->instance[i].n_rows;
    }
    return n;
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
    uint32_t kept = 0, i = 0; /* instances */
    uint64_t first = 0;
    for (uint32_t l = 0; l < result->n_labels; l++) {
        const cflri_result_label *label = &result->label[l];
        labels[l] = (label_record){.name = label->name, .kind = (uint32_t)label->kind};
        for (uint32_t k = 0; k < label->n_instances; k++, i++) {
            instance_record record = written_of(w, &result->instance[i], first);
            first += result->instance[i].n_rows;
            if (record.n_rows == 0) continue;
            record.index = result->instance_index[i];
            instances[kept++] = record;
            labels[l].n_instances++;
        }
    }
    CFLR_TRY(write_section(w, "RLAB", labels, result->n_labels * sizeof *labels));
    CFLR_TRY(write_section(w, "RINS", instances, kept * sizeof *instances));
    CFLR_TRY(write_section(w, "RANS", result->answer, result->n_answers * sizeof *result->answer));
out:
    cflri_free(context, labels);
    cflri_free(context, instances);
    return st;
}

/* Writes the set of a row, unless it is in the file, and keeps its number. */
static cflr_status write_set_of(writer *w, const cflri_relation *relation, uint32_t r) {
    numbering *m = &w->numbers;
    uint32_t *place = set_place(m, relation, r), number = 0;
    if (place && *place) {
        m->of_row[w->n_done] = *place - 1;
        return CFLR_OK;
    }
    cflr_status st = cflri_relation_read(w->context, relation, r, &w->row, w->error);
    if (st == CFLR_OK) st = cflri_set_writer_put(w->sets, &w->row, !m->of_row, &number, w->error);
    if (st != CFLR_OK) return st;
    if (m->of_row) m->of_row[w->n_done] = number;
    if (place) *place = number + 1;
    return CFLR_OK;
}

/* A cancellation does not stop writing at once: it is why there is a partial result to be kept. The
 * end of the time that is left for it does: then what is written is all that the file says. */
static cflr_status write_sets(writer *w, const cflr_result *result) {
    cflr_status st = CFLR_OK;
    for (uint32_t i = 0; i < result->n_instances; i++) {
        const cflri_relation *relation = &result->instance[i];
        for (uint32_t r = 0; r < relation->n_rows; r++) {
            if (cflri_allowance_left(&w->allowance) != CFLR_OK) goto out;
            CFLR_TRY(write_set_of(w, relation, r));
            w->n_done++;
            w->pairs_done += cflri_relation_count(relation, r);
            cflri_tick(w->context, "write", w->pairs_done, result->stats.pairs);
        }
    }
out:
    return st;
}

static cflr_status write_piece_of_rows(writer *w, uint32_t instance, uint32_t n, uint32_t *sets) {
    row_header header = {instance, n};
    memcpy(w->piece, &header, sizeof header);
    uint32_t *to = w->piece + sizeof header / sizeof *to + n;
    memmove(to, sets, n * sizeof *to);
    return write_section(w, "RROW", w->piece, (size_t)((char *)(to + n) - (char *)w->piece));
}

/* Rows of all instances whose sets are written. In a piece, numbers of sets are put where they are
 * when it is full. */
static cflr_status write_rows(writer *w, const cflr_result *result) {
    cflr_status st = CFLR_OK;
    uint64_t row = 0;
    uint32_t *rows = w->piece + sizeof(row_header) / sizeof *rows, *sets = rows + ROWS_A_PIECE;
    for (uint32_t i = 0; row < w->n_done; i++) {
        const cflri_relation *relation = &result->instance[i];
        uint32_t n = 0;
        for (uint32_t r = 0; r < relation->n_rows && row < w->n_done; r++, row++) {
            rows[n] = relation->row[r];
            sets[n++] = number_of(&w->numbers, row);
            if (n == ROWS_A_PIECE) CFLR_TRY(write_piece_of_rows(w, i, n, sets));
            n %= ROWS_A_PIECE;
        }
        if (n > 0) CFLR_TRY(write_piece_of_rows(w, i, n, sets));
    }
out:
    return st;
}

static bool is_asked(const cflr_result *result) {
    return !cflri_question_is_all(&result->question);
}

static cflr_status write_question(writer *w, const cflri_question *question) {
    uint32_t *words;
    size_t n;
    cflr_status st = cflri_question_pack(w->context, question, &words, &n, w->error);
    if (st == CFLR_OK) st = write_section(w, "RASK", words, n * sizeof *words);
    cflri_free(w->context, words);
    return st;
}

static bool is_cut(const writer *w) {
    return w->n_done < rows_of(w->numbers.result);
}

/* Instances without rows in the file have no number there. */
static cflr_status write_slice(writer *w, const cflr_result *result) {
    const cflri_sliced *s = &result->sliced;
    slice_record record = {.n = s->n,
                           .self = s->self,
                           .first = s->first,
                           .end = s->end,
                           .complete = s->complete && !is_cut(w),
                           .problem = s->problem};
    uint32_t *words = cflri_alloc_array(
        w->context, result->n_instances + sizeof record / sizeof *words, sizeof *words);
    if (!words) return cflri_fail_memory(w->context, w->error);
    uint32_t *number = words + sizeof record / sizeof *words;
    uint64_t first = 0;
    for (uint32_t i = 0; i < result->n_instances; i++) {
        bool written = written_of(w, &result->instance[i], first).n_rows > 0;
        if (written) number[record.n_instances++] = result->instance_number[i];
        first += result->instance[i].n_rows;
    }
    memcpy(words, &record, sizeof record);
    cflr_status st =
        write_section(w, "RPRT", words, sizeof record + record.n_instances * sizeof *number);
    cflri_free(w->context, words);
    return st;
}

/* Makes room for the longest row. */
static cflr_status reserve_row(writer *w, const cflr_result *result) {
    uint64_t longest = 0, room = result->sets ? result->sets->room : 0;
    for (uint32_t i = 0; i < result->n_instances; i++) {
        const cflri_relation *relation = &result->instance[i];
        for (uint32_t r = 0; relation->set && r < relation->n_rows; r++) {
            uint64_t n = cflri_relation_count(relation, r);
            if (n > longest) longest = n;
        }
    }
    return cflri_row_reserve(w->context, &w->row, longest + room, w->error);
}

static cflr_status write_result(writer *w, const cflr_result *result) {
    cflr_status st = CFLR_OK;
    meta_record meta = {.n_labels = result->n_labels,
                        .n_strings = (uint32_t)result->strings.text.n,
                        .n_answers = result->n_answers,
                        .start = result->start,
                        .complete = result->stats.complete,
                        .restricted = is_asked(result) ? 2 : result->restricted};
    cflri_set_counts counts;
    /* before the numbers, which may take what is left */
    CFLR_TRY(reserve_row(w, result));
    w->sink = cflri_sink_of_container(w->context, w->output);
    CFLR_TRY(
        cflri_set_writer_new(w->context, &w->sink.sink, CFLRI_PIECE_WORDS, &w->sets, w->error));
    begin_numbers(&w->numbers, result);
    cflri_container_begin(w->output);
    CFLR_TRY(cflri_graph_write_sections(result->graph, w->output, false, w->error));
    CFLR_TRY(write_sets(w, result));
    CFLR_TRY(cflri_set_writer_end(w->sets, &counts, w->error));
    cflri_set_writer_free(w->sets);
    w->sets = NULL;
    w->piece = cflri_alloc(w->context, sizeof(row_header) + 2 * ROWS_A_PIECE * sizeof *w->piece);
    if (!w->piece) CFLR_TRY(cflri_fail_memory(w->context, w->error));
    meta.n_sets = counts.n_sets;
    meta.n_nodes = counts.n_nodes;
    meta.n_instances = written_instances(w, result);
    meta.complete = meta.complete && !is_cut(w);
    CFLR_TRY(write_section(w, "RMET", &meta, sizeof meta));
    CFLR_TRY(write_strings(w, &result->strings));
    CFLR_TRY(write_tables(w, result));
    if (is_asked(result)) CFLR_TRY(write_question(w, &result->question));
    if (result->sliced.n) CFLR_TRY(write_slice(w, result));
    CFLR_TRY(write_rows(w, result));
    cflri_container_end(w->output);
out:
    free_numbering(&w->numbers);
    cflri_set_writer_free(w->sets);
    cflr_row_free(&w->row);
    cflri_free(w->context, w->piece);
    return st;
}

cflri_allowance cflri_result_allowance(const cflr_result *result) {
    return cflri_allowance_of(result->context,
                              result->time_kept > 0 ? result->time_kept / 2 : HUGE_VAL);
}

cflr_status cflri_result_part(const cflri_allowance *allowance, const char *path, const char *what,
                              cflr_error *error) {
    cflr_error why;
    cflri_fail_interrupted(allowance->context, allowance->st, &why);
    return cflri_fail(error, allowance->st, cflri_output_name(path),
                      "%s: a part of the %s is written", why.message, what);
}

cflr_status cflr_result_save(const cflr_result *result, const char *path, cflr_error *error) {
    assert(result && path);
    writer w = {
        .context = result->context, .allowance = cflri_result_allowance(result), .error = error};
    cflr_status st = cflri_output_open(w.context, path, &w.output, error);
    if (st != CFLR_OK) return cflri_name_subject(st, cflri_output_name(path), error);
    st = write_result(&w, result);
    if (st == CFLR_OK) {
        st = cflri_output_close(w.output, error);
    } else {
        cflri_output_abandon(w.output);
    }
    if (st == CFLR_OK && is_cut(&w)) st = cflri_result_part(&w.allowance, path, "result", error);
    return cflri_name_subject(st, cflri_output_name(path), error);
}

/* ---- the file ---- */

struct cflri_result_file {
    cflri_input input;
    cflri_section *sections;
    size_t n_sections;
    char *subject;
    cflri_container_source source;
    cflri_result_file *next; /* of a result that was put together */
    pthread_mutex_t lock;    /* for the failure */
    cflri_failure failure;
};

static const char *const read_whole[] = {CFLRI_NODES_TAG, CFLRI_SETS_TAG, "RROW", NULL};

void cflri_result_file_close(cflr_context *context, cflri_result_file *file) {
    while (file) {
        cflri_result_file *next = file->next;
        cflri_free(context, file->sections);
        cflri_free(context, file->subject);
        cflri_input_close(&file->input);
        pthread_mutex_destroy(&file->lock);
        cflri_free(context, file);
        file = next;
    }
}

void cflri_result_take_files(cflr_result *result, cflr_result *from) {
    cflri_result_file **end = &result->file;
    while (*end) end = &(*end)->next;
    *end = from->file;
    from->file = NULL;
}

/* Only what is in a file can fail to be read. */
void cflri_result_note(const cflr_result *result, const cflri_failure *failure) {
    if (failure->st == CFLR_OK || !result->file) return;
    pthread_mutex_lock(&result->file->lock);
    cflri_note_failure(&result->file->failure, failure->st, &failure->error);
    pthread_mutex_unlock(&result->file->lock);
}

cflr_status cflr_result_failure(const cflr_result *result, cflr_error *error) {
    if (!result->file) return CFLR_OK;
    pthread_mutex_lock(&result->file->lock);
    cflr_status st = cflri_tell_failure(&result->file->failure, error);
    pthread_mutex_unlock(&result->file->lock);
    return st;
}

/* A file that holds a container, or something else. */
static cflr_status open_file(cflr_context *context, const char *path, cflri_result_file **file,
                             cflr_error *error) {
    cflri_result_file *made = *file = cflri_alloc_zero(context, sizeof *made);
    if (!made) return cflri_fail_memory(context, error);
    pthread_mutex_init(&made->lock, NULL);
    made->subject = cflri_copy_text(context, path, strlen(path));
    if (!made->subject) return cflri_fail_memory(context, error);
    return cflri_container_input(context, path, &made->input, error);
}

static cflr_status list_sections(cflri_result_file *file, cflr_error *error) {
    cflr_status st = cflri_container_list(&file->input, read_whole, file->subject, &file->sections,
                                          &file->n_sections, error);
    file->source = cflri_source_of_container(file->input.context, file->sections, file->n_sections,
                                             file->subject);
    return st;
}

/* ---- reading ---- */

typedef struct reader {
    cflr_context *context;
    const cflri_result_file *file;
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

/* Empty so far, with room for what the record says. */
static cflr_status make_relation(const reader *r, const cflr_result *result,
                                 const instance_record *record, cflri_relation *relation) {
    cflr_status st = cflri_relation_allocate_shared(r->context, record->n_rows, result->sets,
                                                    relation, r->error);
    if (st != CFLR_OK) return st;
    relation->n_rows = 0; /* counted again while pieces come */
    relation->start[0] = 0;
    return CFLR_OK;
}

static cflr_status read_instances(const reader *r, cflr_result *result, uint32_t n_instances,
                                  instance_record **records) {
    void *data = NULL;
    size_t size;
    cflr_status st = CFLR_OK;
    uint64_t words = cflri_container_words(r->sections, r->n_sections, "RROW");
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
        if (record->n_rows > words / 2) {
            st = damaged(r, "more rows are promised than the file holds");
            goto out;
        }
        words -= 2 * (uint64_t)record->n_rows;
        result->instance_index[i] = record->index;
        result->n_instances++;
        CFLR_TRY(make_relation(r, result, record, &result->instance[i]));
    }
out:
    return st;
}

/* Appends rows to their relation; `records` say how far each may grow. */
static cflr_status append_rows(const reader *r, const uint32_t *words, uint64_t n_words,
                               cflr_result *result, const instance_record *records) {
    row_header header;
    uint64_t head = sizeof header / sizeof *words;
    if (n_words < head) return damaged(r, "a piece of a relation is too short");
    memcpy(&header, words, sizeof header);
    if (n_words - head != 2 * (uint64_t)header.n_rows) {
        return damaged(r, "a piece of a relation has the wrong size");
    }
    if (header.instance >= result->n_instances) return damaged(r, "a piece of no relation");
    cflri_relation *relation = &result->instance[header.instance];
    if (header.n_rows > records[header.instance].n_rows - relation->n_rows) {
        return damaged(r, "a relation has more rows than promised");
    }
    const uint32_t *row = words + head, *set = row + header.n_rows;
    for (uint32_t i = 0; i < header.n_rows; i++) {
        uint32_t n;
        if (set[i] >= result->sets->n) return damaged(r, "a row has no set");
        relation->row[relation->n_rows] = row[i];
        relation->set[relation->n_rows++] = cflri_paged_set(result->sets, set[i], &n);
        relation->n_pairs += n;
        relation->start[relation->n_rows] = relation->n_pairs;
    }
    return CFLR_OK;
}

static cflr_status append_pieces(const reader *r, cflr_result *result,
                                 const instance_record *records) {
    cflr_status st = CFLR_OK;
    void *data = NULL;
    for (size_t i = 0; i < r->n_sections && st == CFLR_OK; i++) {
        if (strcmp(r->sections[i].tag, "RROW") != 0) continue;
        uint64_t n_words = r->sections[i].size / sizeof(uint32_t);
        CFLR_TRY(cflri_container_unpack(r->context, &r->sections[i], r->subject, &data, r->error));
        if (r->sections[i].size % sizeof(uint32_t)) {
            st = damaged(r, "a piece has a part of a number");
            goto out;
        }
        CFLR_TRY(append_rows(r, data, n_words, result, records));
        cflri_free(r->context, data);
        data = NULL;
        st = cflri_tick(r->context, "load", i, r->n_sections);
        if (st != CFLR_OK) cflri_fail_interrupted(r->context, st, r->error);
    }
out:
    cflri_free(r->context, data);
    return st;
}

static cflr_status read_sets(const reader *r, cflr_result *result, const meta_record *meta) {
    const cflri_set_counts counts = {meta->n_sets, meta->n_nodes};
    uint64_t memory = cflri_memory_to_use(r->context);
    return cflri_paged_sets_open(r->context, &r->file->source.source, &counts,
                                 result->graph->n_vertices, memory - memory / 4, &result->sets,
                                 r->error);
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

static cflr_status read_question(const reader *r, cflr_result *result) {
    void *data = NULL;
    size_t size = 0;
    cflr_status st = read_section(r, "RASK", SIZE_MAX, 1, &data, &size);
    if (st != CFLR_OK) return st;
    if (size % sizeof(uint32_t)) {
        st = damaged(r, "the question has a part of a number");
    } else {
        st = cflri_question_unpack(r->context, data, size / sizeof(uint32_t), &result->question,
                                   r->error);
    }
    cflri_free(r->context, data);
    return st;
}

static bool slice_valid(const cflr_result *result, const slice_record *record) {
    return record->n <= CFLRI_MOST_SLICES && record->self < record->n &&
           record->first <= record->end && record->end <= result->graph->n_vertices &&
           record->complete <= 1 && record->n_instances == result->n_instances &&
           !result->stats.complete;
}

/* Only a part has a slice. */
static cflr_status read_slice(const reader *r, cflr_result *result) {
    void *data = NULL;
    size_t size = 0;
    slice_record record;
    if (!cflri_container_find(r->sections, r->n_sections, "RPRT")) return CFLR_OK;
    cflr_status st = read_section(r, "RPRT", SIZE_MAX, 1, &data, &size);
    if (st != CFLR_OK) return st;
    if (size >= sizeof record) memcpy(&record, data, sizeof record);
    if (size < sizeof record || !slice_valid(result, &record) ||
        size - sizeof record != record.n_instances * sizeof(uint32_t)) {
        st = damaged(r, "the slice is wrong");
        goto out;
    }
    result->sliced = (cflri_sliced){.n = record.n,
                                    .self = record.self,
                                    .first = record.first,
                                    .end = record.end,
                                    .problem = record.problem,
                                    .complete = record.complete != 0};
    result->instance_number =
        cflri_alloc_array(r->context, record.n_instances, sizeof *result->instance_number);
    if (!result->instance_number) {
        st = cflri_fail_memory(r->context, r->error);
        goto out;
    }
    memcpy(result->instance_number, (const char *)data + sizeof record, size - sizeof record);
    if (!cflri_ids_ascend(result->instance_number, record.n_instances, UINT32_MAX)) {
        st = damaged(r, "the numbers of relations do not ascend");
    }
out:
    cflri_free(r->context, data);
    return st;
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
    const cflri_section *section = cflri_container_find(r->sections, r->n_sections, "RMET");
    if (section && (section->size == FORMER_META_ROWS || section->size == FORMER_META_LISTS)) {
        return cflri_fail(r->error, CFLR_UNSUPPORTED, r->subject,
                          "file format 1 as it was before sets of targets were trees, written by "
                          "an older cflr: make it anew by `cflr solve` or `analyze`");
    }
    cflr_status st = read_section(r, "RMET", 1, sizeof *meta, &data, &size);
    if (st != CFLR_OK) return st;
    memcpy(meta, data, sizeof *meta);
    cflri_free(r->context, data);
    return meta->complete <= 1 && meta->restricted <= 2
               ? CFLR_OK
               : damaged(r, "it is neither complete nor incomplete");
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
    CFLR_TRY(read_sets(r, result, &meta));
    CFLR_TRY(read_instances(r, result, meta.n_instances, &records));
    CFLR_TRY(read_answers(r, result, meta.n_answers));
    CFLR_TRY(cflri_result_index_answers(result, r->error));
    CFLR_TRY(read_relations(r, result, records));
    if (meta.restricted == 2) CFLR_TRY(read_question(r, result));
    result->start = meta.start;
    result->stats.complete = meta.complete != 0;
    result->restricted = meta.restricted != 0;
    CFLR_TRY(read_slice(r, result));
    add_up(result);
    CFLR_TRY(cflri_result_validate(result, r->subject, r->error));
out:
    cflri_free(r->context, records);
    return st;
}

static cflr_status read_container(const reader *r, cflr_result *result) {
    cflr_status st = CFLR_OK;
    CFLR_TRY(cflri_graph_read_sections(r->context, r->sections, r->n_sections, r->subject,
                                       &result->owned_graph, r->error));
    CFLR_TRY(cflr_graph_validate(result->owned_graph, r->error));
    result->graph = result->owned_graph;
    CFLR_TRY(read_result(r, result));
out:
    return st;
}

/* The result takes over the file, if this succeeds; then *file is NULL. */
static cflr_status make_result(cflr_context *context, cflri_result_file **file,
                               cflr_result **result, cflr_error *error) {
    reader r = {.context = context,
                .file = *file,
                .sections = (*file)->sections,
                .n_sections = (*file)->n_sections,
                .subject = (*file)->subject,
                .error = error};
    cflr_result *made = cflri_alloc_zero(context, sizeof *made);
    if (!made) return cflri_fail_memory(context, error);
    made->context = context;
    cflr_status st = read_container(&r, made);
    if (st == CFLR_OK) {
        made->file = *file;
        *file = NULL;
        *result = made;
    } else {
        cflr_result_free(made);
    }
    return st;
}

cflr_status cflr_result_load(cflr_context *context, const char *path, cflr_result **result,
                             cflr_error *error) {
    assert(context && path && result);
    cflri_result_file *file;
    *result = NULL;
    cflr_status st = open_file(context, path, &file, error);
    if (st == CFLR_OK) st = list_sections(file, error);
    if (st == CFLR_OK) st = make_result(context, &file, result, error);
    cflri_result_file_close(context, file);
    return cflri_name_subject(st, path, error);
}

static bool is_container(const cflri_input *input) {
    return input->left || cflri_container_is(input->data, input->size);
}

cflr_status cflr_result_or_graph_load(cflr_context *context, const char *path, cflr_result **result,
                                      cflr_graph **graph, cflr_error *error) {
    assert(context && path && result && graph);
    cflri_result_file *file;
    struct stat about;
    bool found = false;
    *result = NULL;
    *graph = NULL;
    if (strcmp(path, "-") != 0 && stat(path, &about) == 0 && S_ISDIR(about.st_mode)) {
        return cflr_graph_load(context, path, CFLR_GRAPH_AUTO, graph, error);
    }
    cflr_status st = open_file(context, path, &file, error);
    if (st == CFLR_OK && is_container(&file->input)) {
        st = list_sections(file, error);
        found = cflri_container_find(file->sections, file->n_sections, "RMET") != NULL;
    }
    if (st == CFLR_OK && found) {
        st = make_result(context, &file, result, error);
    } else {
        if (st == CFLR_OK && file->input.left) st = cflri_input_take(&file->input, path, error);
        if (st == CFLR_OK) {
            st = cflri_graph_load_bytes(&file->input, path, CFLR_GRAPH_AUTO, graph, error);
        }
    }
    cflri_result_file_close(context, file);
    return cflri_name_subject(st, path, error);
}
