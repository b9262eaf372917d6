/* SPDX-License-Identifier: Apache-2.0
 *
 * linkable.c: units as sections of a container (base/files/container.h), beside those of the graph.
 *
 *     "UNTS"   identity         4 numbers of 32 bits, little endian like all: of the front end
 *              choices          fields, locals, arrays, data flow
 *              how many         names of checks of each kind, summaries, targets, units, members,
 *                               arguments, foreign files, files, bytes of texts
 *              units            of each: arguments, targets, outcome, digest of its facts
 *              members          targets of all units, one unit after the other
 *              foreign files    entries of each
 *              files            digest of the content of each
 *              texts            "", names of checks, path and text of each file of summaries, base,
 *                               targets, path, error, its file and arguments of each unit, path and
 *                               language of each foreign file, path of each file; each ended by NUL
 *     "UNIT"   facts_io.c, one section for each unit, in their order
 *
 * A graph is closed: summaries have been applied, contexts made, what is unknown joined. So it is
 * not graphs that are linked but the facts of their units, in the way in which they were linked
 * when the graph was made; what comes out is what one extraction of all units gives, because it is
 * one, but for the reading.
 *
 * Another build of the front end may say something else of the same C, or in another form. Its
 * identity stands in front of all that depends on it, and its files are refused.
 *
 * As for facts, the numbers in front fix the size, which is compared once. O(units and files).
 */
#include "frontend/store/linkable.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/formats/io.h"
#include "frontend/facts/buffer.h"
#include "frontend/facts/facts_io.h"
#include "frontend/store/cache.h"
#include "frontend/summaries/summary_language.h"

static const char units_tag[] = "UNTS", unit_tag[] = "UNIT";

enum { NAMES = 3, SUMMARY_TEXTS = 2, UNIT_TEXTS = 3, FOREIGN_TEXTS = 2 };

typedef struct heading {
    uint32_t identity[4];
    uint32_t chosen[CFLRI_N_CHOICES];
    uint32_t names[NAMES], summaries, targets, units, members, arguments, foreign, files;
    uint32_t text_bytes;
} heading;

typedef struct unit_row {
    uint32_t arguments, targets;
    uint32_t state, errors, lines_low, lines_high, error_line;
    uint32_t says[4];
} unit_row;

static cflri_digest identity(void) {
    return cflri_digest_of(cflri_frontend_identity, strlen(cflri_frontend_identity));
}

/* ---- one unit ---- */

cflr_status cflri_reading_make(cflri_reading *reading, const cflri_facts *facts,
                               const cflri_unit_outcome *outcome, cflr_error *error) {
    cflr_context *context = facts->context;
    cflri_numbers words = {0};
    cflr_status st = CFLR_OK;
    *reading = (cflri_reading){.outcome = *outcome};
    if (!cflri_facts_write(facts, &words)) CFLR_TRY(cflri_fail_memory(context, error));
    size_t size = words.n * sizeof *words.at;
    reading->says = cflri_digest_of(words.at, size);
    st = cflri_container_pack(context, unit_tag, words.at, size, &reading->facts, error);
out:
    cflri_vec_free(context, &words);
    return st;
}

cflr_status cflri_reading_facts(const cflri_reading *reading, cflr_context *context,
                                const cflri_unit *unit, cflr_fields fields, cflri_facts *facts,
                                cflr_error *error) {
    void *plain = NULL;
    cflr_error why;
    memset(facts, 0, sizeof *facts);
    cflr_status st = cflri_container_unpack(context, &reading->facts, reading->from, &plain, error);
    if (st != CFLR_OK) return st;
    st = cflri_facts_read(facts, context, fields, plain, reading->facts.size, &why);
    cflri_free(context, plain);
    if (st == CFLR_FORMAT)
        return cflri_fail(error, st, reading->from, "what it says of %.100s is damaged: %.100s",
                          unit->path, why.message);
    if (st != CFLR_OK && error) *error = why;
    return st;
}

/* ---- writing ---- */

typedef struct writer {
    const cflri_linkable *what;
    cflr_context *context;
    heading h;
    cflri_buffer rows, texts;
    bool good;
} writer;

static void put(writer *w, const void *data, size_t size) {
    w->good = w->good && cflri_buffer_add(w->context, &w->rows, data, size);
}

static void put_text(writer *w, const char *text) {
    w->good = w->good && cflri_buffer_text(w->context, &w->texts, text);
}

static void put_names(writer *w, int kind, const char *const *names, size_t n) {
    w->h.names[kind] = (uint32_t)n;
    for (size_t i = 0; i < n; i++) put_text(w, names[i]);
}

static void put_choices(writer *w) {
    const cflr_extract_opts *opts = w->what->opts;
    const cflri_choices chosen = cflri_choices_of(opts);
    cflri_choices_write(&chosen, w->h.chosen);
    put_names(w, 0, opts->may_alias, opts->n_may_alias);
    put_names(w, 1, opts->must_alias, opts->n_must_alias);
    put_names(w, 2, opts->no_alias, opts->n_no_alias);
    const cflri_summaries *summaries = w->what->summaries;
    w->h.summaries = (uint32_t)summaries->n_files;
    for (size_t i = 0; i < summaries->n_files; i++) {
        put_text(w, summaries->files[i].path);
        put_text(w, summaries->files[i].text);
    }
}

/* By their absolute names: other linkable graphs may be of another database. */
static void put_targets(writer *w) {
    const cflri_units *units = w->what->units;
    size_t length = strlen(units->base);
    put_text(w, units->base);
    w->h.targets = (uint32_t)units->targets.n;
    for (size_t t = 0; t < units->targets.n; t++) {
        const char *name = units->targets.at[t].name;
        if (name[0] != '/')
            w->good = w->good && cflri_buffer_add(w->context, &w->texts, units->base, length);
        put_text(w, name);
    }
}

static void put_unit(writer *w, const cflri_unit *unit, const cflri_reading *reading) {
    const cflri_unit_outcome *outcome = &reading->outcome;
    unit_row row = {.arguments = (uint32_t)unit->n_arguments,
                    .targets = unit->n_targets,
                    .state = (uint32_t)outcome->state,
                    .errors = outcome->errors,
                    .lines_low = (uint32_t)outcome->lines,
                    .lines_high = (uint32_t)(outcome->lines >> 32),
                    .error_line = outcome->error_line};
    memcpy(row.says, &reading->says, sizeof row.says);
    put(w, &row, sizeof row);
    put_text(w, unit->path);
    put_text(w, outcome->first_error);
    put_text(w, outcome->error_file);
    for (int i = 0; i < unit->n_arguments; i++) put_text(w, unit->arguments[i]);
    w->h.units++;
    w->h.members += unit->n_targets;
    w->h.arguments += (uint32_t)unit->n_arguments;
}

static void put_units(writer *w) {
    const cflri_units *units = w->what->units;
    for (size_t i = 0; i < units->list.n; i++)
        if (w->what->readings[i]) put_unit(w, &units->list.at[i], w->what->readings[i]);
    for (size_t i = 0; i < units->list.n; i++) {
        const cflri_unit *unit = &units->list.at[i];
        if (w->what->readings[i] && unit->n_targets)
            put(w, units->members.at + unit->first_target,
                unit->n_targets * sizeof *units->members.at);
    }
}

static void put_foreign(writer *w) {
    const cflri_units *units = w->what->units;
    w->h.foreign = (uint32_t)units->foreign.n;
    for (size_t i = 0; i < units->foreign.n; i++) {
        put(w, &units->foreign.at[i].entries, sizeof units->foreign.at[i].entries);
        put_text(w, units->foreign.at[i].path);
        put_text(w, units->foreign.at[i].language);
    }
}

typedef struct file_row {
    const char *path;
    cflri_digest content;
} file_row;

static int compare_files(const void *x, const void *y) {
    return strcmp(((const file_row *)x)->path, ((const file_row *)y)->path);
}

/* By path, so that their order does not tell which unit was read first. */
static void put_files(writer *w) {
    const cflri_inclusions *files = w->what->files;
    size_t n = files->content.n ? files->content.n - 1 : 0;
    file_row *rows = cflri_alloc_array(w->context, n, sizeof *rows);
    w->good = w->good && rows;
    for (uint32_t i = 0; rows && i < n; i++)
        rows[i] = (file_row){cflri_string(&files->paths, i + 1), files->content.at[i + 1]};
    if (rows && n) qsort(rows, n, sizeof *rows, compare_files);
    for (size_t i = 0; rows && i < n; i++) {
        put(w, &rows[i].content, sizeof rows[i].content);
        put_text(w, rows[i].path);
    }
    w->h.files = (uint32_t)n;
    cflri_free(w->context, rows);
}

static void describe(writer *w) {
    const cflri_digest own = identity();
    memcpy(w->h.identity, &own, sizeof w->h.identity);
    put(w, &w->h, sizeof w->h); /* room; what it says is known at the end */
    put_text(w, "");
    put_choices(w);
    put_targets(w);
    put_units(w);
    put_foreign(w);
    put_files(w);
    w->good = w->good && w->texts.n <= UINT32_MAX;
    if (!w->good) return;
    w->h.text_bytes = (uint32_t)w->texts.n;
    memcpy(w->rows.at, &w->h, sizeof w->h);
    put(w, w->texts.at, w->texts.n);
}

static cflr_status attach_units(cflr_graph *graph, const cflri_linkable *what, cflr_error *error) {
    cflr_status st = CFLR_OK;
    for (size_t i = 0; i < what->units->list.n; i++) {
        cflri_reading *reading = what->readings[i];
        if (!reading) continue;
        CFLR_TRY(cflri_graph_attach(graph, &reading->facts, error));
        reading->facts.packed = NULL;
    }
out:
    return st;
}

cflr_status cflri_linkable_attach(cflr_graph *graph, const cflri_linkable *linkable,
                                  cflr_error *error) {
    writer w = {.what = linkable, .context = graph->context, .good = true};
    cflri_section section = {.packed = NULL};
    cflr_status st = CFLR_OK;
    describe(&w);
    if (!w.good) CFLR_TRY(cflri_fail_memory(w.context, error));
    CFLR_TRY(cflri_container_pack(w.context, units_tag, w.rows.at, w.rows.n, &section, error));
    CFLR_TRY(cflri_graph_attach(graph, &section, error));
    section.packed = NULL;
    st = attach_units(graph, linkable, error);
out:
    cflri_free(w.context, (void *)(uintptr_t)section.packed); /* ours */
    cflri_vec_free(w.context, &w.rows);
    cflri_vec_free(w.context, &w.texts);
    return st;
}

/* ---- reading ---- */

typedef struct reader {
    cflri_part *part;
    heading h;
    const char *at;                  /* the next row; may lie at any address */
    uint32_t text;                   /* the next one */
    const cflri_section *unit, *end; /* sections: the next one to look at */
    uint32_t members, arguments;     /* left */
} reader;

static cflr_status no_units(const reader *r, cflr_error *error) {
    return cflri_fail(error, CFLR_FORMAT, r->part->path, "the list of its units is damaged");
}

static void get(reader *r, void *row, size_t size) {
    memcpy(row, r->at, size);
    r->at += size;
}

static const char *get_text(reader *r) {
    return cflri_string(&r->part->texts, r->text++);
}

/* The next n texts. */
static const char *const *get_texts(reader *r, uint32_t n) {
    const char *const *texts = r->part->texts.text.at + r->text;
    r->text += n;
    return texts;
}

/* Another build writes another heading, perhaps: its identity is all that is believed. */
static cflr_status check_identity(const reader *r, const void *data, size_t size,
                                  cflr_error *error) {
    const cflri_digest own = identity();
    if (size >= sizeof own && memcmp(data, &own, sizeof own) == 0) return CFLR_OK;
    return cflri_fail(error, CFLR_UNSUPPORTED, r->part->path,
                      "its units were read by another build of cflr: make it anew by `cflr extract "
                      "--linkable`");
}

/* The sizes that the heading says; *texts: how many there are. */
static bool get_heading(reader *r, const void *data, size_t size, uint32_t *texts) {
    heading *h = &r->h;
    if (size < sizeof *h) return false;
    r->at = data;
    get(r, h, sizeof *h);
    uint64_t bytes = sizeof *h + (uint64_t)h->units * sizeof(unit_row) +
                     ((uint64_t)h->members + h->foreign) * sizeof(uint32_t) +
                     (uint64_t)h->files * sizeof(cflri_digest) + h->text_bytes;
    uint64_t n = 2 + (uint64_t)h->summaries * SUMMARY_TEXTS + h->targets +
                 (uint64_t)h->units * UNIT_TEXTS + h->arguments +
                 (uint64_t)h->foreign * FOREIGN_TEXTS + h->files;
    for (int k = 0; k < NAMES; k++) n += h->names[k];
    *texts = (uint32_t)n;
    return bytes == size && n <= h->text_bytes && h->arguments <= INT_MAX &&
           cflri_choices_read(&(cflri_choices){0}, h->chosen);
}

static void get_choices(reader *r) {
    cflr_extract_opts *opts = &r->part->opts;
    cflr_extract_opts_init(opts);
    cflri_choices chosen;
    cflri_choices_read(&chosen, r->h.chosen); /* which get_heading has checked */
    cflri_choices_tell(&chosen, opts);
    opts->n_may_alias = r->h.names[0];
    opts->n_must_alias = r->h.names[1];
    opts->n_no_alias = r->h.names[2];
    opts->may_alias = get_texts(r, r->h.names[0]);
    opts->must_alias = get_texts(r, r->h.names[1]);
    opts->no_alias = get_texts(r, r->h.names[2]);
    for (uint32_t i = 0; i < r->h.summaries; i++) {
        cflri_summary_file *file = &r->part->summaries[r->part->n_summaries++];
        file->path = get_text(r);
        file->text = get_text(r);
    }
}

static void get_targets(reader *r) {
    cflri_units *units = &r->part->units;
    units->base = get_text(r);
    for (uint32_t t = 0; t < r->h.targets; t++)
        units->targets.at[units->targets.n++] = (cflri_target){.name = get_text(r)};
}

static void take_outcome(reader *r, const unit_row *row, cflri_unit_outcome *outcome) {
    *outcome = (cflri_unit_outcome){.state = (cflri_unit_state)row->state,
                                    .errors = row->errors,
                                    .lines = row->lines_low | (uint64_t)row->lines_high << 32,
                                    .error_line = row->error_line};
    const char *error = get_text(r), *file = get_text(r);
    cflri_unit_outcome_say(outcome, error, file);
}

/* False when there is no such unit. */
static bool get_unit(reader *r, cflri_reading *reading) {
    cflri_units *units = &r->part->units;
    unit_row row;
    get(r, &row, sizeof row);
    if (row.state > CFLRI_UNIT_LOST || row.targets > r->members || row.arguments > r->arguments)
        return false;
    cflri_unit unit = {.path = get_text(r), .reading = reading};
    take_outcome(r, &row, &reading->outcome);
    memcpy(&reading->says, row.says, sizeof reading->says);
    while (r->unit < r->end && strcmp(r->unit->tag, unit_tag) != 0) r->unit++;
    if (r->unit == r->end) return false;
    reading->facts = *r->unit++;
    reading->from = r->part->path;
    unit.n_arguments = (int)row.arguments;
    unit.arguments = get_texts(r, row.arguments);
    unit.first_target = r->h.members - r->members;
    unit.n_targets = row.targets;
    r->members -= row.targets;
    r->arguments -= row.arguments;
    units->list.at[units->list.n++] = unit;
    return true;
}

static bool get_units(reader *r) {
    cflri_numbers *members = &r->part->units.members;
    bool good = true;
    r->members = r->h.members;
    r->arguments = r->h.arguments;
    for (uint32_t i = 0; i < r->h.units && good; i++) good = get_unit(r, &r->part->reading[i]);
    if (!good || r->members || r->arguments) return false;
    for (uint32_t i = 0; i < r->h.members; i++) {
        get(r, &members->at[members->n++], sizeof *members->at);
        good &= members->at[i] < r->h.targets;
    }
    return good;
}

static void get_files(reader *r) {
    cflri_units *units = &r->part->units;
    for (uint32_t i = 0; i < r->h.foreign; i++) {
        cflri_foreign *foreign = &units->foreign.at[units->foreign.n++];
        get(r, &foreign->entries, sizeof foreign->entries);
        foreign->path = get_text(r);
        foreign->language = get_text(r);
    }
    r->part->n_files = r->h.files;
    get(r, r->part->content, r->h.files * sizeof *r->part->content);
    r->part->file = get_texts(r, r->h.files);
}

static bool make_room(reader *r) {
    cflri_part *part = r->part;
    cflr_context *context = part->context;
    cflri_units *units = &part->units;
    const heading *h = &r->h;
    part->summaries = cflri_alloc_array(context, h->summaries, sizeof *part->summaries);
    part->reading = cflri_alloc_array_zero(context, h->units, sizeof *part->reading);
    part->content = cflri_alloc_array(context, h->files, sizeof *part->content);
    return part->summaries && part->reading && part->content &&
           cflri_vec_reserve(context, &units->targets, h->targets) &&
           cflri_vec_reserve(context, &units->list, h->units) &&
           cflri_vec_reserve(context, &units->members, h->members) &&
           cflri_vec_reserve(context, &units->foreign, h->foreign);
}

/* Takes the unpacked "UNTS" apart. */
static cflr_status take_apart(reader *r, const char *data, size_t size, cflr_error *error) {
    cflri_part *part = r->part;
    cflr_status st = CFLR_OK;
    uint32_t texts = 0;
    CFLR_TRY(check_identity(r, data, size, error));
    if (!get_heading(r, data, size, &texts)) CFLR_TRY(no_units(r, error));
    const char *first_text = data + size - r->h.text_bytes;
    if (cflri_strings_list(&part->texts, part->context, first_text, r->h.text_bytes, texts,
                           error) == CFLR_FORMAT)
        CFLR_TRY(no_units(r, error));
    if (!part->texts.text.n || !make_room(r)) CFLR_TRY(cflri_fail_memory(part->context, error));
    r->text = 1;
    get_choices(r);
    get_targets(r);
    if (!get_units(r)) CFLR_TRY(no_units(r, error));
    get_files(r);
out:
    return st;
}

cflr_status cflri_part_read(cflr_context *context, const char *data, size_t size, const char *path,
                            cflri_part *part, cflr_error *error) {
    cflr_status st = CFLR_OK;
    reader r = {.part = part};
    void *plain = NULL;
    size_t n = 0;
    part->context = context;
    part->path = path;
    cflri_arena_init(&part->units.arena, context);
    CFLR_TRY(cflri_container_open(context, data, size, path, &part->sections, &n, error));
    const cflri_section *units = cflri_container_find(part->sections, n, units_tag);
    if (!units)
        CFLR_TRY(cflri_fail(error, CFLR_FORMAT, path,
                            "it has no units to link: `cflr extract --linkable` keeps them"));
    r.unit = part->sections;
    r.end = part->sections + n;
    CFLR_TRY(cflri_container_unpack(context, units, path, &plain, error));
    st = take_apart(&r, plain, units->size, error);
out:
    cflri_free(context, plain);
    return st;
}

cflr_status cflri_part_open(cflr_context *context, const char *path, cflri_part *part,
                            cflr_error *error) {
    memset(part, 0, sizeof *part);
    part->context = context;
    cflr_status st = cflri_input_open(context, path, &part->input, error);
    if (st != CFLR_OK) return st;
    st = cflri_part_read(context, part->input.data, part->input.size, path, part, error);
    return cflri_name_subject(st, path, error);
}

void cflri_part_tell(const cflri_part *part, cflr_extract_opts *opts) {
    const cflri_choices chosen = cflri_choices_of(&part->opts);
    cflri_choices_tell(&chosen, opts);
    opts->may_alias = part->opts.may_alias;
    opts->must_alias = part->opts.must_alias;
    opts->no_alias = part->opts.no_alias;
    opts->n_may_alias = part->opts.n_may_alias;
    opts->n_must_alias = part->opts.n_must_alias;
    opts->n_no_alias = part->opts.n_no_alias;
}

void cflri_part_close(cflri_part *part) {
    cflr_context *context = part->context;
    if (!context) return;
    cflri_units_free(&part->units);
    cflri_strings_free(&part->texts);
    cflri_free(context, part->summaries);
    cflri_free(context, part->reading);
    cflri_free(context, part->content);
    cflri_free(context, part->sections);
    cflri_input_close(&part->input);
    memset(part, 0, sizeof *part);
}
