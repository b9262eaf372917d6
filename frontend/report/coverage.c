/* SPDX-License-Identifier: Apache-2.0
 *
 * coverage.c: what summaries are missing, and which of the user's are of no use.
 *
 *     program  functions without body or summary:   used by calls of their name, and as values
 *     user     summaries of functions that          have a body          overruled
 *                                                   is not used          unused
 *
 * A function is used as a value where the source mentions its address; which calls go through that
 * value is known only after the closure, so the place of the mention is reported. One pass over
 * calls, mentions and functions.
 */
#include "frontend/report/coverage.h"

#include <assert.h>
#include <stdio.h>

#include "frontend/summaries/summary_language.h"

/* ---- functions without summary ---- */

/* Of one function. */
typedef struct usage {
    uint64_t calls, values;
    cflri_place first; /* of the calls; where there are none, of the values */
} usage;

static void count_calls(const cflri_program *program, usage *uses) {
    for (size_t i = 0; i < program->facts.calls.n; i++) {
        const cflri_call *call = &program->facts.calls.at[i];
        if (call->caller == call->callee) continue; /* it has a body, or it is no call (call.c) */
        usage *use = &uses[call->callee];
        if (use->calls++ == 0) use->first = call->place;
    }
}

static void count_values(const cflri_program *program, usage *uses) {
    for (size_t i = 0; i < program->facts.mentions.n; i++) {
        const cflri_facts_mention *mention = &program->facts.mentions.at[i];
        uint32_t f = cflri_program_valued(program, mention->node);
        if (f == 0) continue;
        usage *use = &uses[f];
        if (use->values++ > 0 || use->calls > 0) continue;
        use->first = (cflri_place){mention->file, mention->line, mention->column, 0};
    }
}

static cflr_status report_function(cflr_extract_report *report, const cflri_facts *facts,
                                   uint32_t f, const usage *use, cflr_error *error) {
    const cflri_function *function = &facts->functions.at[f];
    const cflr_unmodelled unmodelled = {
        .name = cflri_string(&facts->strings, function->name),
        .prototype = cflri_string(&facts->strings, function->prototype),
        .calls = use->calls,
        .values = use->values,
        .file = cflri_string(&facts->strings, use->first.file),
        .line = use->first.line,
        .column = use->first.column};
    const cflr_note note = {.kind = CFLR_NOTE_UNMODELLED,
                            .count = use->calls + use->values,
                            .file = unmodelled.file,
                            .line = unmodelled.line,
                            .text = unmodelled.name};
    cflr_status st = cflri_report_unmodelled(report, &unmodelled, error);
    return st == CFLR_OK ? cflri_report_note(report, &note, error) : st;
}

static cflr_status report_functions(cflr_extract_report *report, const cflri_program *program,
                                    cflr_error *error) {
    cflr_status st = CFLR_OK;
    size_t n = program->facts.functions.n;
    usage *uses = cflri_alloc_array_zero(program->context, n, sizeof *uses);
    if (!uses) return cflri_fail_memory(program->context, error);
    count_calls(program, uses);
    count_values(program, uses);
    for (uint32_t f = 1; f < n; f++) {
        bool used = uses[f].calls + uses[f].values > 0;
        if (!used || program->role[f].body != CFLRI_BODY_UNKNOWN) continue;
        CFLR_TRY(report_function(report, &program->facts, f, &uses[f], error));
    }
out:
    cflri_free(program->context, uses);
    return st;
}

/* ---- summaries without use ---- */

/* Of one entry. */
typedef struct service {
    bool used;     /* it speaks for a function without body */
    bool has_body; /* a function of its name has one */
} service;

static void find_services(const cflri_program *program, service *services) {
    const cflri_facts *facts = &program->facts;
    for (uint32_t f = 1; f < facts->functions.n; f++) {
        const char *name = cflri_summarised_name(program->summaries, facts, f);
        if (!name) continue;
        service *of = &services[cflri_summary_find(program->summaries, name)];
        of->used |= program->role[f].body == CFLRI_BODY_SUMMARY;
        of->has_body |= program->role[f].body == CFLRI_BODY_HERE;
    }
}

static cflr_status note_useless(cflr_extract_report *report, const cflri_summaries *summaries,
                                const cflri_summary_entry *entry, const service *of,
                                cflr_error *error) {
    char text[256];
    const cflr_note note = {
        .kind = of->has_body && !entry->is_prefix ? CFLR_NOTE_OVERRULED : CFLR_NOTE_UNUSED,
        .count = 1,
        .file = summaries->files[entry->layer - CFLRI_SUMMARY_USER].path,
        .line = entry->line,
        .text = text};
    snprintf(text, sizeof text, "%.250s%s", cflri_string(&summaries->strings, entry->name),
             entry->is_prefix ? "*" : "");
    return cflri_report_note(report, &note, error);
}

/* An entry that a later file replaces is none of them: the user knows. */
static bool is_in_force(const cflri_summaries *summaries, uint32_t number) {
    const cflri_summary_entry *entry = &summaries->entries.at[number];
    const cflri_summary_name *name = &summaries->names.at[entry->name];
    return entry->layer >= CFLRI_SUMMARY_USER &&
           number == (entry->is_prefix ? name->prefix : name->function);
}

static cflr_status report_useless(cflr_extract_report *report, const cflri_program *program,
                                  cflr_error *error) {
    cflr_status st = CFLR_OK;
    const cflri_summaries *summaries = program->summaries;
    if (summaries->n_files == 0) return CFLR_OK;
    service *services =
        cflri_alloc_array_zero(program->context, summaries->entries.n, sizeof *services);
    if (!services) return cflri_fail_memory(program->context, error);
    find_services(program, services);
    for (uint32_t i = 1; i < summaries->entries.n; i++) {
        if (services[i].used || !is_in_force(summaries, i)) continue;
        CFLR_TRY(note_useless(report, summaries, &summaries->entries.at[i], &services[i], error));
    }
out:
    cflri_free(program->context, services);
    return st;
}

cflr_status cflri_report_coverage(cflr_extract_report *report, const cflri_program *program,
                                  cflr_error *error) {
    assert(program->role);
    cflr_status st = report_functions(report, program, error);
    return st == CFLR_OK ? report_useless(report, program, error) : st;
}
