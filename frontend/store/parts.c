/* SPDX-License-Identifier: Apache-2.0
 *
 * parts.c: what several linkable graphs have in common, and where they disagree.
 *
 *     app.cflg     main.c  list.c          \
 *     libfoo.cflg  foo.c  bar.c             >   main.c  list.c  foo.c bar.c sorted as a database is
 *     libbar.cflg  bar.c                   /
 *
 * A unit is its main file and flags (compdb.c); one that several parts have is there once, and they
 * must say the same of it. Sorted, equal units follow each other, so one pass compares them. A
 * header is no unit: where two parts read it at different states, all that is linked is linked by
 * places of both, which a note tells; headers of the system often differ so, and seldom matter.
 *
 * Targets are known by their absolute names, so that those of one database join and those of
 * two do not. They are shown below the directory that all databases lie in, which is the directory
 * of the database when there is one only: the names are those that its extraction shows.
 *
 * O(units log units + files).
 */
#include "frontend/store/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- do they agree? ---- */

static bool same_names(const char *const *a, size_t n_a, const char *const *b, size_t n_b) {
    bool same = n_a == n_b;
    for (size_t i = 0; i < n_a && same; i++) same = strcmp(a[i], b[i]) == 0;
    return same;
}

static bool same_checks(const cflr_extract_opts *a, const cflr_extract_opts *b) {
    return same_names(a->may_alias, a->n_may_alias, b->may_alias, b->n_may_alias) &&
           same_names(a->must_alias, a->n_must_alias, b->must_alias, b->n_must_alias) &&
           same_names(a->no_alias, a->n_no_alias, b->no_alias, b->n_no_alias);
}

static bool same_summaries(const cflri_part *a, const cflri_part *b) {
    bool same = a->n_summaries == b->n_summaries;
    for (size_t i = 0; i < a->n_summaries && same; i++)
        same = strcmp(a->summaries[i].text, b->summaries[i].text) == 0;
    return same;
}

/* Names an option that was chosen differently when the units of the two parts were read; NULL:
 * none. */
static const char *difference(const cflri_part *a, const cflri_part *b) {
    const cflri_choices of_a = cflri_choices_of(&a->opts), of_b = cflri_choices_of(&b->opts);
    const char *choice = cflri_choices_differ(&of_a, &of_b);
    if (choice) return choice;
    if (!same_checks(&a->opts, &b->opts)) return "names of checks";
    return same_summaries(a, b) ? NULL : "--summaries";
}

static cflr_status check_agreement(const cflri_parts *parts, cflr_error *error) {
    for (size_t i = 1; i < parts->n; i++) {
        const char *what = difference(&parts->at[0], &parts->at[i]);
        if (what)
            return cflri_fail(error, CFLR_FORMAT, parts->at[i].path,
                              "its units were read with other %s than those of %.150s", what,
                              parts->at[0].path);
    }
    return CFLR_OK;
}

/* ---- opening ---- */

static cflr_status list_files(cflri_parts *parts, uint32_t number, cflr_error *error) {
    const cflri_part *part = &parts->at[number];
    cflr_status st = CFLR_OK;
    for (size_t i = 0; i < part->n_files; i++) {
        cflri_digest content = part->content[i];
        CFLR_TRY(
            cflri_inclusions_add(&parts->files, parts->context, part->file[i], content, error));
        if (parts->file_part.n == parts->files.content.n) continue;
        if (!cflri_vec_reserve(parts->context, &parts->file_part, 2))
            CFLR_TRY(cflri_fail_memory(parts->context, error));
        while (parts->file_part.n < parts->files.content.n) /* 0 stands for none */
            parts->file_part.at[parts->file_part.n++] = number;
    }
out:
    return st;
}

cflr_status cflri_parts_open(cflr_context *context, const char *const *paths, size_t n,
                             cflri_parts *parts, cflr_error *error) {
    cflr_status st = CFLR_OK;
    *parts = (cflri_parts){.context = context};
    parts->at = cflri_alloc_array_zero(context, n, sizeof *parts->at);
    if (!parts->at) return cflri_fail_memory(context, error);
    parts->n = n;
    for (size_t i = 0; i < n; i++)
        CFLR_TRY(cflri_part_open(context, paths[i], &parts->at[i], error));
    CFLR_TRY(check_agreement(parts, error));
    for (size_t i = 0; i < n; i++) CFLR_TRY(list_files(parts, (uint32_t)i, error));
out:
    return st;
}

void cflri_parts_close(cflri_parts *parts) {
    if (!parts->context) return;
    for (size_t i = 0; i < parts->n; i++) cflri_part_close(&parts->at[i]);
    cflri_free(parts->context, parts->at);
    cflri_inclusions_free(&parts->files, parts->context);
    cflri_vec_free(parts->context, &parts->file_part);
    memset(parts, 0, sizeof *parts);
}

/* ---- the list ---- */

/* The directory that all databases lie in, with its slash; "" when no part is of one. */
static const char *find_base(const cflri_parts *parts, cflri_arena *arena) {
    const char *base = "";
    size_t length = 0;
    for (size_t i = 0; i < parts->n; i++) {
        const char *other = parts->at[i].units.base;
        size_t common = 0;
        if (!*other) continue;
        if (!*base) length = strlen(base = other);
        while (common < length && base[common] == other[common]) common++;
        while (common > 0 && base[common - 1] != '/') common--;
        length = common;
    }
    return cflri_arena_copy_text(arena, base, length);
}

/* Puts the unit into the list once for each of its targets. */
static bool add_unit(const cflri_parts *parts, const cflri_part *part, const cflri_unit *from,
                     cflri_units *units) {
    size_t base = strlen(units->base);
    cflri_unit unit = *from;
    unit.first_target = unit.n_targets = 0;
    unit.wanted = true;
    unit.target = "";
    if (from->n_targets == 0) return cflri_vec_push(parts->context, &units->list, unit);
    for (uint32_t k = 0; k < from->n_targets; k++) {
        uint32_t number = part->units.members.at[from->first_target + k];
        unit.target = part->units.targets.at[number].name;
        if (strncmp(unit.target, units->base, base) == 0) unit.target += base;
        if (!cflri_vec_push(parts->context, &units->list, unit)) return false;
    }
    return true;
}

static bool add_units(const cflri_parts *parts, const cflri_part *part, cflri_units *units) {
    for (size_t i = 0; i < part->units.list.n; i++)
        if (!add_unit(parts, part, &part->units.list.at[i], units)) return false;
    for (size_t i = 0; i < part->units.foreign.n; i++)
        if (!cflri_vec_push(parts->context, &units->foreign, part->units.foreign.at[i]))
            return false;
    return true;
}

static int compare_units(const void *x, const void *y) {
    return cflri_unit_compare(x, y);
}

static bool same_reading(const cflri_reading *a, const cflri_reading *b) {
    return a->outcome.state == b->outcome.state && cflri_digests_equal(a->says, b->says);
}

/* Sorts the list. */
static cflr_status check_states(cflri_units *units, cflr_error *error) {
    if (units->list.n) qsort(units->list.at, units->list.n, sizeof *units->list.at, compare_units);
    for (size_t i = 1; i < units->list.n; i++) {
        const cflri_unit *a = &units->list.at[i - 1], *b = &units->list.at[i];
        if (cflri_unit_compare(a, b) == 0 && !same_reading(a->reading, b->reading))
            return cflri_fail(error, CFLR_FORMAT, a->path,
                              "%.100s and %.100s have read it at different states: extract again "
                              "what is older",
                              a->reading->from, b->reading->from);
    }
    return CFLR_OK;
}

cflr_status cflri_parts_units(const cflri_parts *parts, const cflr_extract_opts *opts,
                              cflri_units *units, cflr_error *error) {
    const cflri_units_request request = {.targets = opts->targets, .n_targets = opts->n_targets};
    cflr_status st = CFLR_OK;
    memset(units, 0, sizeof *units);
    cflri_arena_init(&units->arena, parts->context);
    units->base = find_base(parts, &units->arena);
    if (!units->base) CFLR_TRY(cflri_fail_memory(parts->context, error));
    for (size_t i = 0; i < parts->n; i++)
        if (!add_units(parts, &parts->at[i], units))
            CFLR_TRY(cflri_fail_memory(parts->context, error));
    CFLR_TRY(check_states(units, error));
    st = cflri_units_settle(parts->context, &request, units, error);
out:
    if (st != CFLR_OK) cflri_units_free(units);
    return st;
}

/* ---- the report ---- */

static cflr_status note_change(const cflri_parts *parts, const cflri_part *part, size_t file,
                               cflr_extract_report *report, cflr_error *error) {
    const cflri_inclusions *files = &parts->files;
    const char *path = part->file[file];
    uint32_t known = cflri_strings_find(&files->paths, path, strlen(path));
    char text[400];
    if (cflri_digests_equal(files->content.at[known], part->content[file])) return CFLR_OK;
    snprintf(text, sizeof text, "not what it was for %.150s when %.150s was made",
             parts->at[parts->file_part.at[known]].path, part->path);
    const cflr_note note = {.kind = CFLR_NOTE_CHANGED, .count = 1, .file = path, .text = text};
    return cflri_report_note(report, &note, error);
}

cflr_status cflri_parts_report(const cflri_parts *parts, cflr_extract_report *report,
                               cflr_error *error) {
    for (size_t i = 1; i < parts->n; i++) {
        for (size_t k = 0; k < parts->at[i].n_files; k++) {
            cflr_status st = note_change(parts, &parts->at[i], k, report, error);
            if (st != CFLR_OK) return st;
        }
    }
    return CFLR_OK;
}
