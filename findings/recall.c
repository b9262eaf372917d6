/* SPDX-License-Identifier: Apache-2.0
 *
 * recall.c: findings that an earlier run has kept, for a graph that is the same but for places.
 *
 * A closure of a large program takes minutes, and most changes to a program are none to its graph:
 * comments, layout, messages, arithmetic. Findings depend on the graph, on the rules, and on the
 * order of places, not on their lines. So places are numbered in their order, and a digest is made
 * of all that matters, with numbers in place of lines and columns:
 *
 *     places    a.c:3:9  a.c:3:20  a.c:7:1         the same with two lines of comment on top
 *     numbers      0        1         2            a.c:5:9  a.c:5:20  a.c:9:1
 *     digested  a.c, 0 begins a line, 1 does not, 2 does
 *
 * Under that name the directory has the list (base/files/kept.h): numbers of vertices, labels and
 * places, and texts. What follows from names, order and fingerprints, is made anew (order.c).
 * Only complete findings are kept. What is read is checked like any file; what is damaged is found
 * again.
 *
 * O(things in the graph, places sorted).
 */
#include "findings/recall.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/context.h"
#include "base/files/container.h"
#include "base/files/kept.h"

static const char key_tag[] = "KEY ", number_tag[] = "NUMS", text_tag[] = "TEXT";

/* ---- places ---- */

static bool add_place(cflri_recall *r, const char *file, uint32_t line, uint32_t column) {
    return cflri_vec_push(r->found->context, &r->places, (cflr_place){file, line, column});
}

static bool add_places_of_graph(cflri_recall *r) {
    const cflr_graph *graph = r->found->graph;
    bool good = true;
    for (uint32_t v = 0; v < cflr_graph_vertices(graph) && good; v++) {
        cflr_vertex_info info;
        cflr_graph_vertex(graph, v, &info);
        good = add_place(r, info.file, info.line, info.column);
    }
    for (uint32_t f = 0; f < cflr_graph_functions(graph) && good; f++) {
        cflr_function_info info;
        cflr_graph_function(graph, f, &info);
        good = add_place(r, info.file, info.line, info.column);
    }
    for (uint32_t c = 0; c < cflr_graph_calls(graph) && good; c++) {
        cflr_call_info info;
        cflr_graph_call(graph, c, &info);
        good = add_place(r, info.file, info.line, info.column);
    }
    return good;
}

static bool number_places(cflri_recall *r) {
    const cflr_findings_opts *opts = &r->found->opts;
    bool good = add_places_of_graph(r);
    size_t kept = 0;
    for (size_t i = 0; i < opts->n_flows && good; i++) {
        const cflr_place *place = &opts->flows[i].place;
        good = add_place(r, place->file, place->line, place->column);
    }
    cflr_place *at = r->places.at;
    if (r->places.n) qsort(at, r->places.n, sizeof *at, cflri_place_compare);
    for (size_t i = 0; i < r->places.n; i++)
        if (kept == 0 || cflri_place_compare(&at[kept - 1], &at[i]) != 0) at[kept++] = at[i];
    r->places.n = kept;
    return good;
}

/* CFLR_NO_VERTEX: it is none of them. */
static uint32_t number_of(const cflri_recall *r, const cflr_place *place) {
    const cflr_place *at = r->places.n ? bsearch(place, r->places.at, r->places.n,
                                                 sizeof *r->places.at, cflri_place_compare)
                                       : NULL;
    return at ? (uint32_t)(at - r->places.at) : CFLR_NO_VERTEX;
}

/* ---- the digest ---- */

static void digest_place(const cflri_recall *r, cflri_digester *d, const char *file, uint32_t line,
                         uint32_t column) {
    cflri_digest_number(d, number_of(r, &(cflr_place){file, line, column}));
}

static void digest_places(const cflri_recall *r, cflri_digester *d) {
    const cflr_place *before = NULL;
    cflri_digest_number(d, r->places.n);
    for (size_t i = 0; i < r->places.n; i++) {
        const cflr_place *place = &r->places.at[i];
        bool same_file = before && strcmp(before->file, place->file) == 0;
        bool same_line = same_file && before->line == place->line;
        /* no line, no column: nothing is there */
        unsigned what =
            same_file | same_line << 1 | (place->line > 0) << 2 | (place->column > 0) << 3;
        cflri_digest_number(d, what);
        if (!same_file) cflri_digest_text(d, place->file);
        before = place;
    }
}

static void digest_edges(const cflr_graph *graph, cflri_digester *d) {
    for (uint32_t label = 0; label < cflr_graph_labels(graph); label++) {
        uint64_t cursor = 0, n;
        uint32_t source;
        const uint32_t *target;
        cflri_digest_text(d, cflr_graph_label_name(graph, label));
        cflri_digest_text(d, cflr_graph_label_index(graph, label));
        while ((target = cflr_graph_next_row(graph, label, CFLR_OUT, &cursor, &source, &n))) {
            cflri_digest_number(d, source);
            cflri_digest_number(d, n);
            cflri_digest_add(d, target, n * sizeof *target);
        }
        cflri_digest_number(d, CFLR_NO_VERTEX);
    }
}

static void digest_vertices(const cflri_recall *r, cflri_digester *d) {
    const cflr_graph *graph = r->found->graph;
    cflri_digest_number(d, cflr_graph_vertices(graph));
    for (uint32_t v = 0; v < cflr_graph_vertices(graph); v++) {
        cflr_vertex_info info;
        cflr_graph_vertex(graph, v, &info);
        cflri_digest_number(d, info.kind);
        cflri_digest_text(d, info.name);
        cflri_digest_text(d, info.type);
        cflri_digest_text(d, info.function);
        cflri_digest_text(d, info.context);
        digest_place(r, d, info.file, info.line, info.column);
    }
}

static void digest_calls(const cflri_recall *r, cflri_digester *d) {
    const cflr_graph *graph = r->found->graph;
    cflri_digest_number(d, cflr_graph_functions(graph));
    for (uint32_t f = 0; f < cflr_graph_functions(graph); f++) {
        cflr_function_info info;
        cflr_graph_function(graph, f, &info);
        cflri_digest_text(d, info.name);
        cflri_digest_number(d, info.body);
        cflri_digest_number(d, info.vertex);
        digest_place(r, d, info.file, info.line, info.column);
    }
    cflri_digest_number(d, cflr_graph_calls(graph));
    for (uint32_t c = 0; c < cflr_graph_calls(graph); c++) {
        cflr_call_info info;
        cflr_graph_call(graph, c, &info);
        cflri_digest_number(d, info.caller);
        cflri_digest_number(d, info.callee);
        cflri_digest_text(d, info.expression);
        cflri_digest_text(d, info.type);
        digest_place(r, d, info.file, info.line, info.column);
        cflri_digest_number(d, info.n);
        cflri_digest_add(d, info.vertex, info.n * sizeof *info.vertex);
    }
}

static void digest_opts(const cflri_recall *r, cflri_digester *d) {
    const cflr_findings_opts *opts = &r->found->opts;
    cflri_digest_number(d, opts->all_routes);
    cflri_digest_number(d, opts->n_rules);
    for (size_t i = 0; i < opts->n_rules; i++) {
        cflri_digest_text(d, opts->rules[i].name);
        cflri_digest_number(d, opts->rules[i].follows_null);
    }
    cflri_digest_number(d, opts->n_flows);
    for (size_t i = 0; i < opts->n_flows; i++) {
        const cflr_flow *flow = &opts->flows[i];
        cflri_digest_number(d, flow->source);
        cflri_digest_number(d, flow->target);
        digest_place(r, d, flow->place.file, flow->place.line, flow->place.column);
    }
    cflri_digest_number(d, opts->n_uncalled);
    for (size_t i = 0; i < opts->n_uncalled; i++) {
        cflri_digest_text(d, opts->uncalled[i].function);
        cflri_digest_number(d, opts->uncalled[i].first);
        cflri_digest_number(d, opts->uncalled[i].end);
    }
}

bool cflri_recall_begin(cflri_recall *r, cflr_findings *found) {
    cflri_digester d;
    *r = (cflri_recall){.found = found};
    if (!number_places(r)) return false;
    cflri_digest_begin(&d);
    cflri_digest_text(&d, cflri_findings_identity);
    digest_places(r, &d);
    digest_edges(found->graph, &d);
    digest_vertices(r, &d);
    digest_calls(r, &d);
    digest_opts(r, &d);
    r->key = cflri_digest_end(&d);
    return true;
}

void cflri_recall_end(cflri_recall *r) {
    cflr_context *context = r->found->context;
    cflri_vec_free(context, &r->places);
    cflri_vec_free(context, &r->number);
    cflri_vec_free(context, &r->text);
}

/* ---- keeping ---- */

static void put(cflri_recall *r, size_t number) {
    r->failed |=
        number > UINT32_MAX || !cflri_vec_push(r->found->context, &r->number, (uint32_t)number);
}

static void put_place(cflri_recall *r, const cflr_place *place) {
    uint32_t number = number_of(r, place);
    r->failed |= number == CFLR_NO_VERTEX;
    put(r, number);
}

static void put_text(cflri_recall *r, const char *text) {
    size_t n = strlen(text) + 1;
    put(r, r->text.n);
    if (!cflri_vec_reserve(r->found->context, &r->text, n)) {
        r->failed = true;
        return;
    }
    memcpy(r->text.at + r->text.n, text, n);
    r->text.n += n;
}

/* A label of the graph has its texts there. */
static void put_step(cflri_recall *r, const cflr_step *step) {
    put(r, step->pair.source);
    put(r, step->pair.target);
    put(r, step->pair.label);
    if (step->pair.label == CFLR_NO_LABEL) {
        put_text(r, step->pair.symbol);
        put_text(r, step->pair.index);
    }
    put(r, step->kind);
    put_place(r, &step->place);
    put(r, step->object);
    put(r, step->n_route);
    for (size_t i = 0; i < step->n_route; i++) put_step(r, &step->route[i]);
}

static void put_finding(cflri_recall *r, const cflr_finding *f) {
    put(r, (size_t)(f->rule - r->found->opts.rules));
    put(r, f->source);
    put(r, f->sink);
    put(r, f->followed);
    put_place(r, &f->place);
    put(r, f->rank);
    put(r, f->n_sources);
    put(r, f->n_places);
    put_place(r, &f->origin);
    put_text(r, f->function);
    put_text(r, f->uncalled);
    put(r, f->n_further);
    for (size_t i = 0; i < f->n_further; i++) {
        put(r, f->further[i].source);
        put_place(r, &f->further[i].place);
    }
    put(r, f->n_steps);
    for (size_t i = 0; i < f->n_steps; i++) put_step(r, &f->step[i]);
}

static cflr_status write_list(cflri_recall *r, cflri_output *output, cflr_error *error) {
    cflr_context *context = r->found->context;
    cflr_status st = CFLR_OK;
    cflri_container_begin(output);
    CFLR_TRY(cflri_container_section(context, output, key_tag, &r->key, sizeof r->key, error));
    CFLR_TRY(cflri_container_section(context, output, number_tag, r->number.at,
                                     r->number.n * sizeof *r->number.at, error));
    CFLR_TRY(cflri_container_section(context, output, text_tag, r->text.at, r->text.n, error));
    cflri_container_end(output);
out:
    return st;
}

void cflri_recall_keep(cflri_recall *r) {
    const cflr_findings *found = r->found;
    char path[PATH_MAX];
    cflri_output *output = NULL;
    cflr_error error;
    put(r, found->counts.lost);
    put(r, found->counts.a_lost);
    put(r, found->list.n);
    for (size_t i = 0; i < found->list.n; i++) put_finding(r, &found->list.at[i]);
    if (r->failed || !cflri_kept_path(found->opts.cache, r->key, 0, path)) return;
    cflr_status st = cflri_kept_create(found->context, path, &output, &error);
    if (st == CFLR_OK) {
        st = write_list(r, output, &error);
        if (st == CFLR_OK)
            st = cflri_output_close(output, &error);
        else
            cflri_output_abandon(output);
    }
    if (st != CFLR_OK)
        cflri_log(found->context, CFLR_LOG_WARNING, "findings are not kept: %s: %s", error.subject,
                  error.message);
}

/* ---- reading ---- */

typedef struct reader {
    cflr_findings *found;
    const cflri_recall *of;
    const uint32_t *at;
    size_t n; /* numbers that are left */
    const char *text;
    size_t n_text;
    bool damaged, no_memory;
} reader;

static uint32_t take(reader *in) {
    in->damaged |= in->n == 0;
    if (in->damaged) return 0;
    in->n--;
    return *in->at++;
}

static uint32_t take_below(reader *in, size_t end) {
    uint32_t number = take(in);
    in->damaged |= number >= end;
    return in->damaged ? 0 : number;
}

static uint32_t take_vertex(reader *in) {
    return take_below(in, cflr_graph_vertices(in->found->graph));
}

/* Or none. */
static uint32_t take_any_vertex(reader *in) {
    uint32_t vertex = take(in);
    in->damaged |= vertex != CFLR_NO_VERTEX && vertex >= cflr_graph_vertices(in->found->graph);
    return vertex;
}

static cflr_place take_place(reader *in) {
    uint32_t number = take_below(in, in->of->places.n);
    return in->damaged ? (cflr_place){"", 0, 0} : in->of->places.at[number];
}

/* The last byte of the texts is NUL. */
static const char *take_text(reader *in) {
    uint32_t at = take_below(in, in->n_text);
    return in->damaged ? "" : in->text + at;
}

/* Room for as many elements as a number says, each of which has some numbers, zeroed. */
static void *take_room(reader *in, size_t *n, size_t size) {
    *n = take_below(in, in->n + 1);
    if (*n > in->n) in->damaged = true;
    if (in->damaged) *n = 0;
    void *room = *n ? cflri_alloc_array_zero(in->found->context, *n, size) : NULL;
    in->no_memory |= *n && !room;
    if (!room) *n = 0;
    return room;
}

static bool is_good(const reader *in) {
    return !in->damaged && !in->no_memory;
}

/* All of a step but its route. */
static void take_one_step(reader *in, cflr_step *step) {
    const cflr_graph *graph = in->found->graph;
    cflr_witness_step *pair = &step->pair;
    pair->source = take_vertex(in);
    pair->target = take_vertex(in);
    pair->label = take(in);
    bool labelled = pair->label != CFLR_NO_LABEL;
    in->damaged |= labelled && pair->label >= cflr_graph_labels(graph);
    if (in->damaged) return;
    pair->symbol = labelled ? cflr_graph_label_name(graph, pair->label) : take_text(in);
    pair->index = labelled ? cflr_graph_label_index(graph, pair->label) : take_text(in);
    step->kind = (cflr_step_kind)take_below(in, CFLR_STEP_ARRIVED + 1);
    step->place = take_place(in);
    step->object = take_any_vertex(in);
}

static void take_step(reader *in, cflr_step *step) {
    take_one_step(in, step);
    step->route = take_room(in, &step->n_route, sizeof *step->route);
    for (size_t i = 0; i < step->n_route && is_good(in); i++) {
        take_one_step(in, &step->route[i]);
        in->damaged |= take(in) != 0; /* a route has none */
    }
}

static void take_finding(reader *in, cflr_finding *f) {
    const cflr_findings_opts *opts = &in->found->opts;
    f->rule = &opts->rules[take_below(in, opts->n_rules)];
    f->source = take_vertex(in);
    f->sink = take_vertex(in);
    f->followed = take_vertex(in);
    f->place = take_place(in);
    f->rank = (cflr_rank)take_below(in, CFLR_RANK_UNCALLED + 1);
    f->likely = cflri_rank_is_likely(f->rank);
    f->n_sources = take(in);
    f->n_places = take(in);
    f->origin = take_place(in);
    f->function = take_text(in);
    f->uncalled = take_text(in);
    f->further = take_room(in, &f->n_further, sizeof *f->further);
    for (size_t i = 0; i < f->n_further; i++) {
        f->further[i].source = take_vertex(in);
        f->further[i].place = take_place(in);
    }
    f->step = take_room(in, &f->n_steps, sizeof *f->step);
    for (size_t i = 0; i < f->n_steps && is_good(in); i++) take_step(in, &f->step[i]);
    in->damaged |= f->n_steps == 0;
}

static void take_list(reader *in) {
    cflr_findings *found = in->found;
    found->counts.lost = take(in);
    found->counts.a_lost = take_any_vertex(in);
    size_t n = take(in);
    for (size_t i = 0; i < n && is_good(in); i++) {
        in->no_memory |= !cflri_vec_push(found->context, &found->list, (cflr_finding){0});
        if (is_good(in)) take_finding(in, &found->list.at[i]);
    }
    in->damaged |= in->n > 0;
}

/* Of no earlier run. */
static void forget_list(cflr_findings *found) {
    for (size_t i = 0; i < found->list.n; i++)
        cflri_finding_free(found->context, &found->list.at[i]);
    found->list.n = 0;
    found->counts.lost = 0;
    found->counts.a_lost = CFLR_NO_VERTEX;
}

static cflr_status unpack(cflr_context *context, const cflri_section *section, void **plain) {
    return section ? cflri_container_unpack(context, section, NULL, plain, NULL) : CFLR_FORMAT;
}

/* The parts of a container; `numbers` and `texts` are new blocks. */
static cflr_status open_parts(const cflri_recall *r, const cflri_input *input, void **numbers,
                              void **texts, reader *in) {
    cflr_context *context = r->found->context;
    cflri_section *sections = NULL;
    void *key = NULL;
    size_t n;
    cflr_status st = CFLR_OK;
    CFLR_TRY(cflri_container_open(context, input->data, input->size, NULL, &sections, &n, NULL));
    const cflri_section *of_key = cflri_container_find(sections, n, key_tag);
    const cflri_section *of_numbers = cflri_container_find(sections, n, number_tag);
    const cflri_section *of_texts = cflri_container_find(sections, n, text_tag);
    CFLR_TRY(unpack(context, of_key, &key));
    CFLR_TRY(unpack(context, of_numbers, numbers));
    CFLR_TRY(unpack(context, of_texts, texts));
    bool fits = of_key->size == sizeof r->key && memcmp(key, &r->key, sizeof r->key) == 0 &&
                of_numbers->size % sizeof *in->at == 0;
    *in = (reader){.found = r->found,
                   .of = r,
                   .at = *numbers,
                   .n = of_numbers->size / sizeof *in->at,
                   .text = *texts,
                   .n_text = of_texts->size};
    fits &= in->n_text == 0 || in->text[in->n_text - 1] == '\0';
    if (!fits) st = CFLR_FORMAT;
out:
    cflri_free(context, key);
    cflri_free(context, sections);
    return st;
}

cflr_status cflri_recall_read(cflri_recall *r) {
    cflr_findings *found = r->found;
    char path[PATH_MAX];
    cflri_input input = {0};
    void *numbers = NULL, *texts = NULL;
    reader in;
    cflr_status st = CFLR_OK;
    if (!cflri_kept_path(found->opts.cache, r->key, 0, path)) return CFLR_NOT_FOUND;
    if (cflri_kept_open(found->context, path, &input) != CFLR_OK) return CFLR_NOT_FOUND;
    CFLR_TRY(open_parts(r, &input, &numbers, &texts, &in));
    take_list(&in);
    if (in.no_memory) CFLR_TRY(CFLR_NO_MEMORY);
    if (in.damaged) CFLR_TRY(CFLR_FORMAT);
    found->texts = texts;
    found->counts.recalled = true;
out:
    cflri_input_close(&input);
    cflri_free(found->context, numbers);
    if (st == CFLR_OK) return st;
    cflri_free(found->context, texts);
    forget_list(found);
    if (st == CFLR_FORMAT || st == CFLR_UNSUPPORTED) {
        unlink(path);
        cflri_log(found->context, CFLR_LOG_WARNING,
                  "damaged findings of an earlier run were removed: %s", path);
    }
    return st;
}
