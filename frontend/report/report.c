/* SPDX-License-Identifier: Apache-2.0
 *
 * report.c: counts and notes of an extraction.
 */
#include "frontend/report/report.h"

#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "base/sized.h"
#include "cflr/version.h"
#include "frontend/summaries/summary_language.h"

cflr_status cflri_report_new(cflr_context *context, cflr_extract_report **report,
                             cflr_error *error) {
    *report = NULL;
    if (strcmp(context->version, CFLR_VERSION) != 0)
        return cflri_fail(error, CFLR_UNSUPPORTED, NULL,
                          "libcflr is of version %s, libcflr_frontend of " CFLR_VERSION,
                          context->version);
    *report = cflri_alloc_zero(context, sizeof **report);
    if (!*report) return cflri_fail_memory(context, error);
    (*report)->context = context;
    cflri_arena_init(&(*report)->arena, context);
    return CFLR_OK;
}

void cflr_extract_report_free(cflr_extract_report *report) {
    if (!report) return;
    cflr_context *context = report->context;
    cflri_vec_free(context, &report->notes);
    cflri_vec_free(context, &report->targets);
    cflri_vec_free(context, &report->checks);
    cflri_vec_free(context, &report->rules);
    cflri_vec_free(context, &report->units);
    cflri_free(context, report->flow);
    cflri_vec_free(context, &report->uncalled);
    cflri_vec_free(context, &report->unmodelled);
    cflri_arena_reset(&report->arena);
    cflri_free(context, report);
}

static const char *copy_text(cflr_extract_report *report, const char *text) {
    return cflri_arena_copy_text(&report->arena, text, strlen(text));
}

cflr_status cflri_report_note(cflr_extract_report *report, const cflr_note *note,
                              cflr_error *error) {
    cflr_note kept = *note;
    kept.file = copy_text(report, note->file);
    kept.text = copy_text(report, note->text);
    if (!kept.file || !kept.text || !cflri_vec_push(report->context, &report->notes, kept)) {
        return cflri_fail_memory(report->context, error);
    }
    return CFLR_OK;
}

cflr_status cflri_report_unmodelled(cflr_extract_report *report, const cflr_unmodelled *function,
                                    cflr_error *error) {
    cflr_unmodelled kept = *function;
    kept.name = copy_text(report, function->name);
    kept.prototype = copy_text(report, function->prototype);
    kept.file = copy_text(report, function->file);
    bool copied = kept.name && kept.prototype && kept.file;
    if (!copied || !cflri_vec_push(report->context, &report->unmodelled, kept)) {
        return cflri_fail_memory(report->context, error);
    }
    return CFLR_OK;
}

cflr_status cflri_report_units(cflr_extract_report *report, const cflri_units *units,
                               cflr_error *error) {
    report->counts.units = (uint32_t)units->list.n;
    report->counts.duplicates = units->duplicates;
    report->counts.other_languages = units->other_languages;
    for (size_t i = 0; i < units->list.n; i++) {
        const char *path = copy_text(report, units->list.at[i].path);
        if (!path || !cflri_vec_push(report->context, &report->units, path))
            return cflri_fail_memory(report->context, error);
    }
    for (size_t i = 0; i < units->foreign.n; i++) {
        const cflri_foreign *foreign = &units->foreign.at[i];
        cflr_note note = {.kind = CFLR_NOTE_LANGUAGE,
                          .count = foreign->entries,
                          .file = foreign->path,
                          .text = foreign->language};
        cflr_status st = cflri_report_note(report, &note, error);
        if (st != CFLR_OK) return st;
    }
    return CFLR_OK;
}

static cflr_status add_target(cflr_extract_report *report, const char *name, uint32_t units,
                              uint32_t number, const cflri_scopes *scopes, cflr_error *error) {
    cflr_target target = {.name = copy_text(report, name), .units = units};
    target.program = scopes && scopes->program[number];
    target.linked = scopes && scopes->linked[number];
    report->counts.programs += target.program && target.linked;
    if (target.name && cflri_vec_push(report->context, &report->targets, target)) return CFLR_OK;
    return cflri_fail_memory(report->context, error);
}

cflr_status cflri_report_targets(cflr_extract_report *report, const cflri_units *units,
                                 const cflri_scopes *scopes, cflr_error *error) {
    cflr_status st = CFLR_OK;
    uint32_t number = 0;
    for (size_t t = 0; t < units->targets.n; t++, number++) {
        const cflri_target *target = &units->targets.at[t];
        if (target->units == 0) continue; /* of files that were not asked for */
        CFLR_TRY(add_target(report, target->name, target->units, number, scopes, error));
    }
    for (size_t i = 0; i < units->list.n; i++, number++) {
        const cflri_unit *unit = &units->list.at[i];
        report->counts.untold += unit->n_targets == 0;
        if (!scopes) continue;
        report->counts.left_out += !cflri_scopes_linked(scopes, (uint32_t)i);
        if (unit->n_targets == 0 && scopes->program[number])
            CFLR_TRY(add_target(report, unit->path, 1, number, scopes, error));
    }
out:
    return st;
}

static bool add_rule(cflr_extract_report *report, const cflri_summaries *s,
                     const cflri_rule *rule) {
    size_t size = rule->n_cwe * sizeof(uint32_t);
    uint32_t *cwe = cflri_arena_alloc(&report->arena, size);
    const cflr_rule kept = {.name = copy_text(report, cflri_string(&s->strings, rule->name)),
                            .message = copy_text(report, cflri_string(&s->strings, rule->message)),
                            .follows_null = rule->follows_null,
                            .level = rule->level,
                            .help = copy_text(report, cflri_string(&s->strings, rule->help)),
                            .cwe = cwe,
                            .n_cwe = rule->n_cwe};
    if (!kept.name || !kept.message || !kept.help || !cwe) return false;
    if (size) memcpy(cwe, &s->cwe.at[rule->first_cwe], size);
    return cflri_vec_push(report->context, &report->rules, kept);
}

cflr_status cflri_report_rules(cflr_extract_report *report, const cflri_summaries *summaries,
                               cflr_error *error) {
    for (size_t i = 0; i < summaries->rules.n; i++)
        if (!add_rule(report, summaries, &summaries->rules.at[i]))
            return cflri_fail_memory(report->context, error);
    return CFLR_OK;
}

static int compare_places(const char *a, uint32_t a_line, const char *b, uint32_t b_line) {
    int order = strcmp(a, b);
    return order ? order : (a_line > b_line) - (a_line < b_line);
}

static int compare_notes(const void *a, const void *b) {
    const cflr_note *x = a, *y = b;
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    if (x->kind == CFLR_NOTE_LANGUAGE) {
        int language = strcmp(x->text, y->text);
        return language ? language : strcmp(x->file, y->file);
    }
    if (x->count != y->count) return x->count > y->count ? -1 : 1;
    int order = compare_places(x->file, x->line, y->file, y->line);
    return order ? order : strcmp(x->text, y->text);
}

static int compare_unmodelled(const void *a, const void *b) {
    const cflr_unmodelled *x = a, *y = b;
    if (x->calls != y->calls) return x->calls > y->calls ? -1 : 1;
    int order = strcmp(x->name, y->name);
    return order ? order : compare_places(x->file, x->line, y->file, y->line);
}

void cflri_report_finish(cflr_extract_report *report) {
    if (report->notes.n) {
        qsort(report->notes.at, report->notes.n, sizeof *report->notes.at, compare_notes);
    }
    if (report->unmodelled.n) {
        qsort(report->unmodelled.at, report->unmodelled.n, sizeof *report->unmodelled.at,
              compare_unmodelled);
    }
}

void cflr_extract_get_counts_sized(const cflr_extract_report *report, cflr_extract_counts *counts,
                                   size_t struct_size) {
    CFLRI_GIVE(counts, struct_size, report->counts);
}

const cflr_note *cflr_extract_note(const cflr_extract_report *report, size_t i) {
    return i < report->notes.n ? &report->notes.at[i] : NULL;
}

const cflr_check *cflr_extract_check(const cflr_extract_report *report, size_t i) {
    return i < report->checks.n ? &report->checks.at[i] : NULL;
}

const cflr_target *cflr_extract_target(const cflr_extract_report *report, size_t i) {
    return i < report->targets.n ? &report->targets.at[i] : NULL;
}

const cflr_unmodelled *cflr_extract_unmodelled(const cflr_extract_report *report, size_t i) {
    return i < report->unmodelled.n ? &report->unmodelled.at[i] : NULL;
}

const char *cflr_extract_unit(const cflr_extract_report *report, size_t i) {
    return i < report->units.n ? report->units.at[i] : NULL;
}

const cflr_rule *cflr_extract_rules(const cflr_extract_report *report, size_t *n) {
    *n = report->rules.n;
    return report->rules.at;
}
