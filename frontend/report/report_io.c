/* SPDX-License-Identifier: Apache-2.0
 *
 * report_io.c: a report as rows of numbers of 32 bits, little endian, and texts.
 *
 *     counts       as they lie in memory: only the build that wrote them reads them (cache.c)
 *     how many     notes, functions without model, checks, targets, functions that nothing enters,
 *                  flows, files of the latter, vertices of checks, bytes of texts
 *     rows         in this order
 *     vertices     of each check: those of its first argument, then of the second
 *     texts        "", then those of each row, then the files of flows, each ended by NUL
 *
 * Flows are many and their files few: a row has the number of its file. Fingerprints of checks
 * follow from the rest.
 *
 * As for facts (facts_io.c), the numbers in front fix the size, which is compared once. O(report).
 */
#include "frontend/report/report_io.h"

#include <stddef.h>

#include "base/intern.h"
#include "frontend/report/check_report.h"

typedef struct heading {
    cflr_extract_counts counts;
    uint32_t notes, unmodelled, checks, targets, uncalled, flows, files, vertices, text_bytes;
} heading;

typedef struct note_row {
    uint32_t kind, line, count_low, count_high;
} note_row;

typedef struct unmodelled_row {
    uint32_t calls_low, calls_high, values_low, values_high, line, column;
} unmodelled_row;

typedef struct check_row {
    uint32_t kind, line, column, n;
} check_row;

typedef struct target_row {
    uint32_t units, program, linked;
} target_row;

typedef struct uncalled_row {
    uint32_t line, column, first, end;
} uncalled_row;

typedef struct flow_row {
    uint32_t source, target, file, line, column;
} flow_row;

/* Texts of a row. */
enum {
    NOTE_TEXTS = 2,
    UNMODELLED_TEXTS = 3,
    CHECK_TEXTS = 6,
    TARGET_TEXTS = 1,
    UNCALLED_TEXTS = 2
};

/* A new member goes into the rows, also one that fits in between. */
_Static_assert(sizeof(void *) != 8 || (sizeof(cflr_note) == 40 && sizeof(cflr_unmodelled) == 48 &&
                                       sizeof(cflr_check) == 136 && sizeof(cflr_target) == 16 &&
                                       sizeof(cflr_flow) == 24 && sizeof(cflr_uncalled) == 32),
               "the rows and the functions below know all members");

/* ---- writing ---- */

static bool is_of_program(const cflr_note *note) {
    return note->kind != CFLR_NOTE_LANGUAGE && note->kind != CFLR_NOTE_CACHE;
}

typedef struct writer {
    cflr_context *context;
    cflri_buffer *to;
    cflri_buffer texts; /* those of the rows so far */
    heading h;          /* written again when all is known */
    cflri_strings files;
    bool good;
} writer;

static void put(writer *w, const void *data, size_t size) {
    w->good = w->good && cflri_buffer_add(w->context, w->to, data, size);
}

static void put_texts(writer *w, const char *const *text, size_t n) {
    for (size_t i = 0; i < n; i++)
        w->good = w->good && cflri_buffer_text(w->context, &w->texts, text[i]);
}

static void put_heading(writer *w, const cflr_extract_report *report) {
    heading *h = &w->h;
    uint64_t vertices = 0;
    memset(h, 0, sizeof *h); /* what lies between the members is written, too */
    h->counts = report->counts;
    h->counts.units = h->counts.duplicates = h->counts.other_languages = 0;
    h->counts.units_cached = 0;
    h->unmodelled = (uint32_t)report->unmodelled.n;
    h->checks = (uint32_t)report->checks.n;
    h->targets = (uint32_t)report->targets.n;
    h->uncalled = (uint32_t)report->uncalled.n;
    h->flows = (uint32_t)report->n_flows;
    for (size_t i = 0; i < report->notes.n; i++) h->notes += is_of_program(&report->notes.at[i]);
    for (size_t i = 0; i < report->checks.n; i++) vertices += 2 * report->checks.at[i].n;
    h->vertices = (uint32_t)vertices;
    w->good = w->good && vertices <= UINT32_MAX && report->n_flows <= UINT32_MAX;
    put(w, h, sizeof *h);
}

static void put_note(writer *w, const cflr_note *note) {
    const note_row row = {(uint32_t)note->kind, note->line, (uint32_t)note->count,
                          (uint32_t)(note->count >> 32)};
    put(w, &row, sizeof row);
    put_texts(w, (const char *const[NOTE_TEXTS]){note->file, note->text}, NOTE_TEXTS);
}

static void put_unmodelled(writer *w, const cflr_unmodelled *function) {
    const unmodelled_row row = {(uint32_t)function->calls,
                                (uint32_t)(function->calls >> 32),
                                (uint32_t)function->values,
                                (uint32_t)(function->values >> 32),
                                function->line,
                                function->column};
    put(w, &row, sizeof row);
    const char *const text[UNMODELLED_TEXTS] = {function->name, function->prototype,
                                                function->file};
    put_texts(w, text, UNMODELLED_TEXTS);
}

static void put_check(writer *w, const cflr_check *check) {
    const check_row row = {(uint32_t)check->kind, check->line, check->column, (uint32_t)check->n};
    put(w, &row, sizeof row);
    const char *const text[CHECK_TEXTS] = {check->callee,        check->expression[0],
                                           check->expression[1], check->file,
                                           check->function,      check->problem};
    put_texts(w, text, CHECK_TEXTS);
}

static void put_target(writer *w, const cflr_target *target) {
    const target_row row = {target->units, target->program, target->linked};
    put(w, &row, sizeof row);
    put_texts(w, &target->name, TARGET_TEXTS);
}

static void put_uncalled(writer *w, const cflr_uncalled *function) {
    const cflr_place *place = &function->place;
    put(w, &(uncalled_row){place->line, place->column, function->first, function->end},
        sizeof(uncalled_row));
    put_texts(w, (const char *const[UNCALLED_TEXTS]){function->function, place->file},
              UNCALLED_TEXTS);
}

/* The files get their numbers as they come. */
static void put_flows(writer *w, const cflr_extract_report *report) {
    for (size_t i = 0; i < report->n_flows && w->good; i++) {
        const cflr_flow *flow = &report->flow[i];
        const cflr_place *place = &flow->place;
        uint32_t file;
        w->good = cflri_intern(&w->files, place->file, strlen(place->file), &file, NULL) == CFLR_OK;
        if (!w->good) return;
        put(w, &(flow_row){flow->source, flow->target, file, place->line, place->column},
            sizeof(flow_row));
    }
    w->h.files = (uint32_t)w->files.text.n - 1;
    put_texts(w, w->files.text.at + 1, w->h.files);
}

static void put_rows(writer *w, const cflr_extract_report *report) {
    for (size_t i = 0; i < report->notes.n; i++)
        if (is_of_program(&report->notes.at[i])) put_note(w, &report->notes.at[i]);
    for (size_t i = 0; i < report->unmodelled.n; i++) put_unmodelled(w, &report->unmodelled.at[i]);
    for (size_t i = 0; i < report->checks.n; i++) put_check(w, &report->checks.at[i]);
    for (size_t i = 0; i < report->targets.n; i++) put_target(w, &report->targets.at[i]);
    for (size_t i = 0; i < report->uncalled.n; i++) put_uncalled(w, &report->uncalled.at[i]);
    put_flows(w, report);
    for (size_t i = 0; i < report->checks.n; i++)
        for (int k = 0; k < 2; k++)
            put(w, report->checks.at[i].vertex[k],
                report->checks.at[i].n * sizeof *report->checks.at[i].vertex[k]);
}

bool cflri_report_write(const cflr_extract_report *report, cflri_buffer *to) {
    writer w = {.context = report->context, .to = to};
    size_t start = to->n;
    w.good = cflri_strings_init(&w.files, w.context, NULL) == CFLR_OK;
    put_texts(&w, (const char *const[]){""}, 1);
    put_heading(&w, report);
    put_rows(&w, report);
    w.good = w.good && w.texts.n <= UINT32_MAX;
    if (w.good) {
        w.h.text_bytes = (uint32_t)w.texts.n;
        memcpy(to->at + start, &w.h, sizeof w.h);
        put(&w, w.texts.at, w.texts.n);
    }
    cflri_vec_free(w.context, &w.texts);
    cflri_strings_free(&w.files);
    return w.good;
}

/* ---- reading ---- */

typedef struct reader {
    cflr_extract_report *report;
    heading h;
    const char *at;       /* the next row; may lie at any address */
    const char *vertices; /* the next ones */
    uint64_t n_vertices;  /* of the graph */
    cflri_strings texts;
    uint32_t text; /* the next one */
} reader;

static cflr_status no_report(cflr_error *error) {
    return cflri_fail(error, CFLR_FORMAT, NULL, "not the report of a program");
}

static void get(reader *r, void *row, size_t size) {
    memcpy(row, r->at, size);
    r->at += size;
}

static const char *get_text(reader *r) {
    return cflri_string(&r->texts, r->text++);
}

static cflr_status get_note(reader *r, cflr_error *error) {
    note_row row;
    get(r, &row, sizeof row);
    cflr_note note = {.kind = (cflr_note_kind)row.kind,
                      .count = row.count_low | (uint64_t)row.count_high << 32,
                      .line = row.line};
    note.file = get_text(r);
    note.text = get_text(r);
    if (row.kind > CFLR_NOTE_OPEN || !is_of_program(&note)) return no_report(error);
    return cflri_report_note(r->report, &note, error);
}

static cflr_status get_unmodelled(reader *r, cflr_error *error) {
    unmodelled_row row;
    get(r, &row, sizeof row);
    cflr_unmodelled function = {.calls = row.calls_low | (uint64_t)row.calls_high << 32,
                                .values = row.values_low | (uint64_t)row.values_high << 32,
                                .line = row.line,
                                .column = row.column};
    function.name = get_text(r);
    function.prototype = get_text(r);
    function.file = get_text(r);
    return cflri_report_unmodelled(r->report, &function, error);
}

/* The vertices of one argument; NULL when memory is refused. */
static const uint32_t *get_vertices(reader *r, size_t n, bool *good) {
    uint32_t *vertex = cflri_arena_alloc(&r->report->arena, n * sizeof *vertex);
    if (!vertex) return NULL;
    memcpy(vertex, r->vertices, n * sizeof *vertex);
    r->vertices += n * sizeof *vertex;
    for (size_t i = 0; i < n; i++) *good &= vertex[i] < r->n_vertices;
    return vertex;
}

static const char *keep_text(reader *r) {
    const char *text = get_text(r);
    return cflri_arena_copy_text(&r->report->arena, text, strlen(text));
}

static cflr_status get_check(reader *r, cflr_error *error) {
    check_row row;
    bool good = true;
    get(r, &row, sizeof row);
    if (row.kind > CFLR_CHECK_NO_ALIAS || row.n > r->h.vertices / 2) return no_report(error);
    r->h.vertices -= 2 * row.n;
    cflr_check check = {
        .kind = (cflr_check_kind)row.kind, .line = row.line, .column = row.column, .n = row.n};
    check.callee = keep_text(r);
    for (int k = 0; k < 2; k++) check.expression[k] = keep_text(r);
    check.file = keep_text(r);
    check.function = keep_text(r);
    check.problem = keep_text(r);
    bool kept = check.callee && check.expression[0] && check.expression[1] && check.file &&
                check.function && check.problem;
    for (int k = 0; k < 2 && row.n; k++) {
        check.vertex[k] = get_vertices(r, row.n, &good);
        kept = kept && check.vertex[k];
    }
    if (!good) return no_report(error);
    kept = kept && cflri_vec_push(r->report->context, &r->report->checks, check);
    return kept ? CFLR_OK : cflri_fail_memory(r->report->context, error);
}

static cflr_status get_target(reader *r, cflr_error *error) {
    target_row row;
    get(r, &row, sizeof row);
    const cflr_target target = {.name = keep_text(r),
                                .units = row.units,
                                .program = row.program != 0,
                                .linked = row.linked != 0};
    bool kept = target.name && cflri_vec_push(r->report->context, &r->report->targets, target);
    return kept ? CFLR_OK : cflri_fail_memory(r->report->context, error);
}

static cflr_status get_uncalled(reader *r, cflr_error *error) {
    uncalled_row row;
    get(r, &row, sizeof row);
    cflr_uncalled function = {.function = keep_text(r), .first = row.first, .end = row.end};
    function.place = (cflr_place){keep_text(r), row.line, row.column};
    if (row.first > row.end || row.end > r->n_vertices) return no_report(error);
    bool kept = function.function && function.place.file &&
                cflri_vec_push(r->report->context, &r->report->uncalled, function);
    return kept ? CFLR_OK : cflri_fail_memory(r->report->context, error);
}

/* After all other texts: those of the files. */
static cflr_status get_flows(reader *r, cflr_error *error) {
    cflr_extract_report *report = r->report;
    cflr_status st = CFLR_OK;
    const char **file = cflri_alloc_array(report->context, r->h.files, sizeof *file);
    report->flow = cflri_alloc_array(report->context, r->h.flows, sizeof *report->flow);
    if (!file || !report->flow) CFLR_TRY(cflri_fail_memory(report->context, error));
    for (uint32_t i = 0; i < r->h.files; i++)
        if (!(file[i] = keep_text(r))) CFLR_TRY(cflri_fail_memory(report->context, error));
    for (uint32_t i = 0; i < r->h.flows; i++) {
        flow_row row;
        get(r, &row, sizeof row);
        const cflr_flow *before = i ? &report->flow[i - 1] : NULL;
        bool sorted = !before || before->source < row.source ||
                      (before->source == row.source && before->target < row.target);
        if (!sorted || row.source >= r->n_vertices || row.target >= r->n_vertices ||
            row.file - 1 >= r->h.files)
            CFLR_TRY(no_report(error));
        report->flow[report->n_flows++] =
            (cflr_flow){row.source, row.target, {file[row.file - 1], row.line, row.column}};
    }
out:
    cflri_free(report->context, (void *)file);
    return st;
}

/* Are these the bytes of a heading, and the sizes that it says? */
static bool get_heading(reader *r, const char *data, size_t size) {
    static const size_t bools[] = {offsetof(heading, counts.clone_limit_hit),
                                   offsetof(heading, counts.open), offsetof(heading, counts.strict),
                                   offsetof(heading, counts.text),
                                   offsetof(heading, counts.callees_by_type)};
    heading *h = &r->h;
    if (size < sizeof *h) return false;
    for (size_t i = 0; i < sizeof bools / sizeof *bools; i++)
        if ((unsigned char)data[bools[i]] > 1) return false;
    memcpy(h, data, sizeof *h);
    uint64_t rows =
        (uint64_t)h->notes * sizeof(note_row) + (uint64_t)h->unmodelled * sizeof(unmodelled_row) +
        (uint64_t)h->checks * sizeof(check_row) + (uint64_t)h->targets * sizeof(target_row) +
        (uint64_t)h->uncalled * sizeof(uncalled_row) + (uint64_t)h->flows * sizeof(flow_row);
    uint64_t texts = (uint64_t)h->notes * NOTE_TEXTS + (uint64_t)h->unmodelled * UNMODELLED_TEXTS +
                     (uint64_t)h->checks * CHECK_TEXTS + (uint64_t)h->targets * TARGET_TEXTS +
                     (uint64_t)h->uncalled * UNCALLED_TEXTS + h->files + 1;
    r->at = data + sizeof *h;
    r->vertices = r->at + rows;
    return sizeof *h + rows + (uint64_t)h->vertices * sizeof(uint32_t) + h->text_bytes == size &&
           texts <= h->text_bytes && (h->flows > 0) == (h->files > 0);
}

cflr_status cflri_report_read(cflr_extract_report *report, const void *data, size_t size,
                              uint64_t n_vertices, cflr_error *error) {
    cflr_status st = CFLR_OK;
    reader r = {.report = report, .n_vertices = n_vertices, .text = 1};
    if (!get_heading(&r, data, size)) return no_report(error);
    heading h = r.h;
    uint32_t texts = h.notes * NOTE_TEXTS + h.unmodelled * UNMODELLED_TEXTS +
                     h.checks * CHECK_TEXTS + h.targets * TARGET_TEXTS +
                     h.uncalled * UNCALLED_TEXTS + h.files + 1;
    report->counts = h.counts;
    CFLR_TRY(cflri_strings_list(&r.texts, report->context,
                                r.vertices + h.vertices * sizeof(uint32_t), h.text_bytes, texts,
                                error));
    for (uint32_t i = 0; i < h.notes; i++) CFLR_TRY(get_note(&r, error));
    for (uint32_t i = 0; i < h.unmodelled; i++) CFLR_TRY(get_unmodelled(&r, error));
    for (uint32_t i = 0; i < h.checks; i++) CFLR_TRY(get_check(&r, error));
    for (uint32_t i = 0; i < h.targets; i++) CFLR_TRY(get_target(&r, error));
    for (uint32_t i = 0; i < h.uncalled; i++) CFLR_TRY(get_uncalled(&r, error));
    if (h.flows > 0) CFLR_TRY(get_flows(&r, error));
    if (r.h.vertices > 0) st = no_report(error);
    if (st == CFLR_OK) st = cflri_report_fingerprints(report, error);
out:
    cflri_strings_free(&r.texts);
    return st;
}
