/* SPDX-License-Identifier: Apache-2.0
 *
 * extract.c: the public entry: from a request to a graph and a report.
 *
 *     units --read, in parallel--> facts --link, in order--> program --> contexts --> graph
 *           <------ cache ------->
 *
 * Units are read and linked by passages.c.
 *
 * A linkable graph keeps the facts as they were before linking (linkable.h). cflr_link is the same
 * run where facts come from such graphs: parts.c makes the list of units, and no unit is read.
 */
#include "cflr/extract.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/context.h"
#include "base/sized.h"
#include "frontend/compdb/compdb.h"
#include "frontend/graph/emit.h"
#include "frontend/graph/emit_calls.h"
#include "frontend/graph/locations.h"
#include "frontend/program/outside.h"
#include "frontend/report/check_report.h"
#include "frontend/report/coverage.h"
#include "frontend/report/flow_report.h"
#include "frontend/report/uncalled_report.h"
#include "frontend/store/parts.h"
#include "frontend/summaries/rules.h"
#include "frontend/units/passages.h"

void cflr_extract_opts_init_sized(cflr_extract_opts *opts, size_t struct_size) {
    const cflr_extract_opts defaults = {.database = NULL};
    CFLRI_GIVE_OPTS(opts, struct_size, defaults);
}

/* ---- what an earlier run kept ---- */

static cflr_status look_in_store(cflri_passages *x, cflr_error *error) {
    size_t n = x->units->list.n;
    for (size_t i = 0; i < n; i++) {
        cflri_passage *p = &x->passages[i];
        cflr_status st = cflri_tick(x->context, "extract", 0, n);
        if (st != CFLR_OK) return cflri_fail_interrupted(x->context, st, error);
        p->cached = p->known = cflri_store_look(x->store, &x->units->list.at[i], &p->kept);
    }
    return CFLR_OK;
}

/* The key of the whole, when all units are known. */
static bool program_key(const cflri_passages *x, const cflr_extract_opts *opts, cflri_digest *key) {
    size_t n = x->units->list.n;
    cflri_digest *states = cflri_alloc_array(x->context, n, sizeof *states);
    bool known = states != NULL;
    for (size_t i = 0; known && i < n; i++) {
        known = x->passages[i].known;
        states[i] = x->passages[i].kept.state;
    }
    if (known) *key = cflri_store_program_key(x->store, states, x->units, opts);
    cflri_free(x->context, states);
    return known;
}

/* Takes graph and report from the store, if nothing has changed since they were put there; else
 * *graph stays NULL. */
static cflr_status take_program(cflri_passages *x, const cflr_extract_opts *opts,
                                cflr_graph **graph, cflr_error *error) {
    cflri_digest key;
    cflri_extracted kept;
    if (!program_key(x, opts, &key) || !cflri_store_program(x->store, key, &kept)) return CFLR_OK;
    cflr_extract_report_free(x->report);
    x->report = kept.report;
    x->report->counts.units_cached = (uint32_t)x->units->list.n;
    *graph = kept.graph;
    cflr_status st = cflri_report_rules(x->report, x->summaries, error);
    return st == CFLR_OK ? cflri_report_units(x->report, x->units, error) : st;
}

static void save_program(const cflri_passages *x, const cflr_extract_opts *opts,
                         cflr_graph *graph) {
    cflri_digest key;
    if (program_key(x, opts, &key))
        cflri_store_save_program(x->store, key, &(cflri_extracted){graph, x->report});
}

/* ---- the report ---- */

static cflr_status report_program(cflri_passages *x, cflr_error *error) {
    cflr_extract_counts *counts = &x->report->counts;
    const cflri_facts *facts = &x->program.facts;
    counts->calls_direct = x->program.calls_direct;
    counts->calls_indirect = x->program.calls_indirect;
    counts->calls_unmodelled = x->program.calls_unmodelled;
    for (size_t f = 1; f < facts->functions.n; f++)
        counts->functions += facts->functions.at[f].defined;
    for (size_t i = 0; i < facts->notes.n; i++) {
        const cflri_facts_note *from = &facts->notes.at[i];
        cflr_note note = {.kind = from->kind,
                          .count = from->count,
                          .file = cflri_string(&facts->strings, from->first.file),
                          .line = from->first.line,
                          .text = cflri_string(&facts->strings, from->text)};
        if (note.kind == CFLR_NOTE_ASSUMED) counts->assumptions += (uint32_t)note.count;
        counts->redefined += note.kind == CFLR_NOTE_REDEFINED;
        cflr_status st = cflri_report_note(x->report, &note, error);
        if (st != CFLR_OK) return st;
    }
    return cflri_report_coverage(x->report, &x->program, error);
}

static cflr_status report_open(cflri_passages *x, cflr_error *error) {
    const cflri_program *program = &x->program;
    cflr_extract_counts *counts = &x->report->counts;
    char text[120];
    counts->open = true;
    counts->functions_entered = program->functions_entered;
    counts->variables_entered = program->variables_entered;
    snprintf(text, sizeof text,
             "%scode outside can name functions: %" PRIu32 ", variables: %" PRIu32,
             cflri_has_main(program) ? "" : "there is no `main`; ", program->functions_entered,
             program->variables_entered);
    const cflr_note note = {.kind = CFLR_NOTE_OPEN, .count = 1, .file = "", .text = text};
    return cflri_report_note(x->report, &note, error);
}

static cflr_status report_contexts(cflri_passages *x, const cflri_contexts *contexts,
                                   cflr_error *error) {
    x->report->counts.clones = contexts->copies;
    x->report->counts.clone_limit_hit = contexts->limited > 0;
    if (contexts->limited == 0) return CFLR_OK;
    cflr_note note = {.kind = CFLR_NOTE_LIMIT,
                      .count = contexts->limited,
                      .file = "",
                      .text = "calls share one body with others: the clone limit was reached"};
    return cflri_report_note(x->report, &note, error);
}

/* ---- the entry ---- */

static cflr_status copy_opts(const cflr_extract_opts *opts, cflr_extract_opts *chosen,
                             cflr_error *error) {
    cflr_extract_opts_init(chosen);
    if (!opts) return cflri_fail(error, CFLR_ARGUMENT, NULL, "no cflr_extract_opts are given");
    cflr_status st = CFLRI_TAKE_OPTS(chosen, opts, "cflr_extract_opts", error);
    if (st != CFLR_OK) return st;
    if (chosen->n_targets > 0 && !chosen->targets) {
        return cflri_fail(error, CFLR_ARGUMENT, NULL, "targets are counted but not given");
    }
    const cflri_choices choices = cflri_choices_of(chosen);
    uint32_t numbers[CFLRI_N_CHOICES];
    cflri_choices_write(&choices, numbers);
    if (!cflri_choices_read(&(cflri_choices){0}, numbers) || chosen->calls > CFLR_CALLS_BRACKETS ||
        chosen->context > CFLR_CONTEXT_AUTO || chosen->callees > CFLR_CALLEES_TYPES ||
        chosen->programs > CFLR_PROGRAMS_MERGED || chosen->world > CFLR_WORLD_OPEN ||
        chosen->parsing > CFLR_PARSING_WORKERS || chosen->aliasing > CFLR_ALIASING_TEXT) {
        return cflri_fail(error, CFLR_ARGUMENT, NULL,
                          "unknown kind of fields, locals, calls, callees, arrays, contexts, "
                          "programs, world, parsing or aliasing");
    }
    return CFLR_OK;
}

static cflr_status read_opts(const cflr_extract_opts *opts, cflr_extract_opts *chosen,
                             cflr_error *error) {
    cflr_status st = copy_opts(opts, chosen, error);
    if (st != CFLR_OK) return st;
    if (!chosen->database && chosen->n_files == 0) {
        return cflri_fail(error, CFLR_ARGUMENT, NULL, "nothing to read: no database and no files");
    }
    if ((chosen->n_files > 0 && !chosen->files) || (chosen->n_flags > 0 && !chosen->flags)) {
        return cflri_fail(error, CFLR_ARGUMENT, NULL, "files or flags are counted but not given");
    }
    if (chosen->n_summaries > 0 && !chosen->summaries) {
        return cflri_fail(error, CFLR_ARGUMENT, NULL, "summaries are counted but not given");
    }
    if (chosen->n_rules > 0 && !chosen->rules) {
        return cflri_fail(error, CFLR_ARGUMENT, NULL, "rules are counted but not given");
    }
    if (chosen->linkable && chosen->n_rules > 0) {
        return cflri_fail(error, CFLR_ARGUMENT, NULL,
                          "a linkable graph keeps nothing of rules: leave one of the two");
    }
    chosen->data_flow |= chosen->n_rules > 0;
    return CFLR_OK;
}

/* Of units that were read already. */
static cflr_status read_link_opts(const char *const *paths, size_t n_paths,
                                  const cflr_extract_opts *opts, cflr_extract_opts *chosen,
                                  cflr_error *error) {
    cflr_status st = copy_opts(opts, chosen, error);
    if (st != CFLR_OK) return st;
    if (n_paths == 0 || !paths)
        return cflri_fail(error, CFLR_ARGUMENT, NULL, "nothing to link: no files");
    size_t reading = chosen->n_files + chosen->n_flags + chosen->n_may_alias +
                     chosen->n_must_alias + chosen->n_no_alias + chosen->n_summaries +
                     chosen->n_rules;
    const cflri_choices none = {0}, read = cflri_choices_of(chosen);
    if (reading || chosen->database || chosen->cache || cflri_choices_differ(&none, &read))
        return cflri_fail(error, CFLR_ARGUMENT, NULL,
                          "linking reads no C: how it is read was said when it was");
    return CFLR_OK;
}

/* Between steps that are linear in the program. */
static cflr_status go_on(const cflri_passages *x, cflr_error *error) {
    size_t n = x->units->list.n;
    cflr_status st = cflri_tick(x->context, "link", n, n);
    return st == CFLR_OK ? st : cflri_fail_interrupted(x->context, st, error);
}

/* Does its build let the unit read memory by any type? */
static bool is_lenient(const cflri_unit *unit) {
    bool lenient = false;
    for (int i = 1; i < unit->n_arguments; i++) {
        if (strcmp(unit->arguments[i], "-fno-strict-aliasing") == 0) lenient = true;
        if (strcmp(unit->arguments[i], "-fstrict-aliasing") == 0) lenient = false;
    }
    return lenient;
}

/* The level that AUTO comes to. */
static cflr_aliasing aliasing_of(const cflri_passages *x, cflr_aliasing asked) {
    bool keeps = true;
    if (asked != CFLR_ALIASING_AUTO) return asked;
    for (size_t i = 0; i < x->units->list.n; i++) keeps &= !is_lenient(&x->units->list.at[i]);
    return keeps ? CFLR_ALIASING_TEXT : CFLR_ALIASING_ANY;
}

static bool goes_by_type(const cflri_passages *x, cflr_callees callees) {
    bool keeps = x->program.strict && !x->program.open;
    return callees == CFLR_CALLEES_TYPES || (callees == CFLR_CALLEES_AUTO && keeps);
}

static cflr_contexts contexts_of(const cflri_passages *x, const cflr_extract_opts *opts) {
    bool sharp = x->program.strict && opts->calls == CFLR_CALLS_ASSIGN;
    if (opts->context != CFLR_CONTEXT_AUTO) return opts->context;
    return sharp ? CFLR_CONTEXT_TYPES : CFLR_CONTEXT_NONE;
}

static cflr_status make_graph(cflri_passages *x, const cflr_extract_opts *opts, cflr_graph **graph,
                              cflr_error *error) {
    cflr_status st = CFLR_OK;
    cflri_contexts contexts = {0};
    cflr_graph_builder *builder = NULL;
    uint64_t pointers = 0;
    bool asked = opts->world != CFLR_WORLD_AUTO;
    x->program.open = asked ? opts->world == CFLR_WORLD_OPEN : !cflri_has_main(&x->program);
    cflr_aliasing aliasing = aliasing_of(x, opts->aliasing);
    x->program.strict = aliasing != CFLR_ALIASING_ANY;
    x->program.text = aliasing == CFLR_ALIASING_TEXT;
    x->program.by_type = goes_by_type(x, opts->callees);
    x->report->counts.strict = x->program.strict;
    x->report->counts.text = x->program.text;
    x->report->counts.callees_by_type = x->program.by_type;
    CFLR_TRY(cflri_program_close(&x->program, error));
    cflri_return_pages(x->context);
    CFLR_TRY(go_on(x, error));
    CFLR_TRY(report_program(x, error));
    if (x->program.open) CFLR_TRY(report_open(x, error));
    CFLR_TRY(go_on(x, error));
    st =
        cflri_contexts_make(&contexts, &x->program, contexts_of(x, opts), opts->clone_limit, error);
    if (st == CFLR_OK) st = report_contexts(x, &contexts, error);
    if (st == CFLR_OK) st = go_on(x, error);
    if (st == CFLR_OK) st = cflri_report_checks(x->report, &contexts, error);
    if (st == CFLR_OK) st = cflri_report_uncalled(x->report, &contexts, error);
    if (st == CFLR_OK) st = cflri_emit(&contexts, opts->calls, &builder, &pointers, error);
    if (st == CFLR_OK && x->program.strict) st = cflri_emit_locations(&contexts, builder, error);
    if (st == CFLR_OK) st = cflri_emit_calls(&contexts, builder, error);
    if (st == CFLR_OK) st = go_on(x, error);
    if (st == CFLR_OK) st = cflri_report_flows(x->report, &x->program, error);
    if (st == CFLR_OK) st = go_on(x, error);
    x->report->counts.pointers = (uint32_t)pointers;
    cflri_contexts_free(&contexts);
    cflri_program_free(&x->program);
    cflri_return_pages(x->context);
    if (st == CFLR_OK)
        st = cflr_graph_builder_freeze(builder, graph, error);
    else
        cflr_graph_builder_free(builder);
out:
    return st;
}

/* Gives the graph the units that are in it. */
static cflr_status make_linkable(cflri_passages *x, const cflr_extract_opts *opts,
                                 cflr_graph *graph, cflr_error *error) {
    size_t n = x->units->list.n;
    cflri_reading **readings = cflri_alloc_array_zero(x->context, n, sizeof *readings);
    if (!readings) return cflri_fail_memory(x->context, error);
    for (size_t i = 0; i < n; i++)
        if (cflri_scopes_linked(&x->scopes, (uint32_t)i)) readings[i] = &x->passages[i].reading;
    const cflri_linkable linkable = {.opts = opts,
                                     .summaries = x->summaries,
                                     .units = x->units,
                                     .readings = readings,
                                     .files = x->files};
    cflr_status st = cflri_linkable_attach(graph, &linkable, error);
    cflri_free(x->context, readings);
    return st;
}

/* Every unit is lost: the first one tells why. */
static cflr_status fail_lost(const cflri_passages *x, cflr_error *error) {
    const cflr_note *note = x->report->notes.at;
    bool limited = x->context->opts.memory_limit > 0;
    cflr_status st = CFLR_IO;
    if (x->passages[0].starved) st = limited ? CFLR_LIMIT : CFLR_NO_MEMORY;
    while (note->kind != CFLR_NOTE_LOST) note++;
    return cflri_fail_at(error, st, note->file, note->line, 0, "%.200s", note->text);
}

static cflr_status extract(cflri_passages *x, const cflr_extract_opts *opts, cflr_graph **graph,
                           cflr_error *error) {
    size_t n = x->units->list.n;
    cflr_status st = CFLR_OK;
    x->passages = cflri_alloc_array_zero(x->context, n, sizeof *x->passages);
    if (!x->passages) return cflri_fail_memory(x->context, error);
    if (x->store) {
        CFLR_TRY(look_in_store(x, error));
        if (!x->files) CFLR_TRY(take_program(x, opts, graph, error));
        if (*graph) goto out;
    }
    CFLR_TRY(cflri_program_init(&x->program, x->context, opts->fields, x->summaries, error));
    x->program.facts.chosen.data_flow = x->chosen.data_flow;
    x->program.facts.keeps_places = cflri_rules_there(x->summaries);
    CFLR_TRY(cflri_scopes_init(&x->scopes, x->context, x->units, error));
    CFLR_TRY(cflri_passages_read(x, opts->parsing, error));
    if (x->report->counts.units_lost == n) {
        st = fail_lost(x, error);
        goto out;
    }
    CFLR_TRY(cflri_passages_link(x, opts->programs, error));
    bool apart = n > 1 && (opts->programs == CFLR_PROGRAMS_APART || opts->n_targets > 0);
    CFLR_TRY(cflri_report_targets(x->report, x->units, apart ? &x->scopes : NULL, error));
    if (!x->files) cflri_scopes_free(&x->scopes);
    CFLR_TRY(make_graph(x, opts, graph, error));
    if (x->store) save_program(x, opts, *graph);
    if (x->files) CFLR_TRY(make_linkable(x, opts, *graph, error));
out:
    if (st == CFLR_OK && x->store) st = cflri_store_report(x->store, x->report, error);
    if (st != CFLR_OK) {
        cflr_graph_free(*graph);
        *graph = NULL;
    }
    cflri_passages_free(x);
    cflri_program_free(&x->program);
    cflri_scopes_free(&x->scopes);
    return st;
}

/* ---- the entries ---- */

/* A call of the library: all that is known before the first unit is linked. */
typedef struct request {
    cflr_context *context;
    cflr_extract_opts opts;
    cflri_check_names check_names;
    cflri_units units;
    cflri_summaries *summaries;
    cflri_parts parts;
    cflri_inclusions files; /* of units that are read for a linkable graph */
    cflr_extract_report *report;
} request;

/* Which units there are, and what the report says about that. */
static cflr_status list_units(request *r, cflr_error *error) {
    const cflr_extract_opts *opts = &r->opts;
    const cflri_units_request wanted = {.database = opts->database,
                                        .files = opts->files,
                                        .n_files = opts->n_files,
                                        .flags = opts->flags,
                                        .n_flags = opts->n_flags,
                                        .targets = opts->targets,
                                        .n_targets = opts->n_targets};
    cflr_status st = cflri_units_list(r->context, &wanted, &r->units, error);
    return st == CFLR_OK ? cflri_report_units(r->report, &r->units, error) : st;
}

/* The same for units that were read: the files also tell how. */
static cflr_status list_parts(request *r, const char *const *paths, size_t n, cflr_error *error) {
    cflr_status st = CFLR_OK;
    CFLR_TRY(cflri_parts_open(r->context, paths, n, &r->parts, error));
    cflri_part_tell(&r->parts.at[0], &r->opts);
    CFLR_TRY(cflri_parts_units(&r->parts, &r->opts, &r->units, error));
    CFLR_TRY(cflri_parts_report(&r->parts, r->report, error));
    CFLR_TRY(cflri_report_units(r->report, &r->units, error));
    if (r->units.list.n == 0) st = cflri_fail(error, CFLR_FORMAT, paths[0], "it has no unit");
out:
    return st;
}

/* Reads what has to be read, and links. */
static cflr_status run(request *r, cflri_inclusions *files, cflr_graph **graph, cflr_error *error) {
    const cflr_extract_opts *opts = &r->opts;
    cflri_store *store = NULL;
    cflr_status st = CFLR_OK;
    if (opts->cache) CFLR_TRY(cflri_store_open(r->context, opts, r->summaries, &store, error));
    cflri_passages x = {.context = r->context,
                        .units = &r->units,
                        .summaries = r->summaries,
                        .check_names = &r->check_names,
                        .store = store,
                        .chosen = cflri_choices_of(opts),
                        .files = opts->linkable ? files : NULL,
                        .report = r->report};
    st = extract(&x, opts, graph, error);
    r->report = x.report; /* the store may have had another */
out:
    cflri_store_close(store, CFLRI_STORE_LIMIT);
    return st;
}

/* Hands the report to a caller that wants it. */
static void end_request(request *r, cflr_extract_report **report) {
    cflri_check_names_free(&r->check_names);
    cflri_summaries_free(r->summaries);
    cflri_units_free(&r->units);
    cflri_parts_close(&r->parts);
    cflri_inclusions_free(&r->files, r->context);
    if (r->report) cflri_report_finish(r->report);
    if (report)
        *report = r->report;
    else
        cflr_extract_report_free(r->report);
}

cflr_status cflr_extract_list(cflr_context *context, const cflr_extract_opts *opts,
                              cflr_extract_report **report, cflr_error *error) {
    request r = {.context = context};
    cflr_status st = CFLR_OK;
    CFLR_TRY(read_opts(opts, &r.opts, error));
    CFLR_TRY(cflri_report_new(context, &r.report, error));
    CFLR_TRY(list_units(&r, error));
    st = cflri_report_targets(r.report, &r.units, NULL, error);
out:
    end_request(&r, report);
    return st;
}

cflr_status cflr_extract(cflr_context *context, const cflr_extract_opts *opts, cflr_graph **graph,
                         cflr_extract_report **report, cflr_error *error) {
    request r = {.context = context};
    const cflr_extract_opts *chosen = &r.opts;
    cflr_status st = CFLR_OK;
    *graph = NULL;
    CFLR_TRY(read_opts(opts, &r.opts, error));
    CFLR_TRY(cflri_check_names_make(context, chosen, &r.check_names, error));
    CFLR_TRY(cflri_report_new(context, &r.report, error));
    CFLR_TRY(list_units(&r, error));
    if (r.units.list.n == 0)
        CFLR_TRY(cflri_fail(error, CFLR_FORMAT, chosen->database,
                            "the database has no C unit (entries of other languages: %u)",
                            r.units.other_languages));
    CFLR_TRY(
        cflri_summaries_new(context, chosen->summaries, chosen->n_summaries, &r.summaries, error));
    CFLR_TRY(cflri_rules_read(r.summaries, chosen->rules, chosen->n_rules, error));
    CFLR_TRY(cflri_report_rules(r.report, r.summaries, error));
    st = run(&r, &r.files, graph, error);
out:
    end_request(&r, report);
    return st;
}

cflr_status cflr_link_list(cflr_context *context, const char *const *paths, size_t n_paths,
                           const cflr_extract_opts *opts, cflr_extract_report **report,
                           cflr_error *error) {
    request r = {.context = context};
    cflr_status st = CFLR_OK;
    CFLR_TRY(read_link_opts(paths, n_paths, opts, &r.opts, error));
    CFLR_TRY(cflri_report_new(context, &r.report, error));
    CFLR_TRY(list_parts(&r, paths, n_paths, error));
    st = cflri_report_targets(r.report, &r.units, NULL, error);
out:
    end_request(&r, report);
    return st;
}

cflr_status cflr_link(cflr_context *context, const char *const *paths, size_t n_paths,
                      const cflr_extract_opts *opts, cflr_graph **graph,
                      cflr_extract_report **report, cflr_error *error) {
    request r = {.context = context};
    cflr_status st = CFLR_OK;
    *graph = NULL;
    CFLR_TRY(read_link_opts(paths, n_paths, opts, &r.opts, error));
    CFLR_TRY(cflri_report_new(context, &r.report, error));
    CFLR_TRY(list_parts(&r, paths, n_paths, error));
    const cflri_part *part = &r.parts.at[0]; /* all agree */
    CFLR_TRY(
        cflri_summaries_of_files(context, part->summaries, part->n_summaries, &r.summaries, error));
    st = run(&r, &r.parts.files, graph, error);
out:
    end_request(&r, report);
    return st;
}
