/* SPDX-License-Identifier: Apache-2.0
 *
 * uncalled_report.c: functions that nothing enters, with their vertices.
 *
 * The vertices of a copy of a function follow each other, so a range says which are its own:
 *
 *     never    a.c:3:13    vertices 12 to 17
 */
#include "frontend/report/uncalled_report.h"

#include "frontend/program/uncalled.h"

static cflr_status add(cflr_extract_report *report, const cflri_contexts *contexts,
                       const cflri_instance *instance, cflr_error *error) {
    const cflri_facts *facts = &contexts->program->facts;
    const cflri_groups *nodes = &contexts->nodes;
    uint32_t f = instance->function, first = instance->first_vertex;
    const cflri_function *function = &facts->functions.at[f];
    const char *name = cflri_string(&facts->strings, function->name);
    const char *file = cflri_string(&facts->strings, function->place.file);
    const cflr_uncalled row = {
        .function = cflri_arena_copy_text(&report->arena, name, strlen(name)),
        .place = {cflri_arena_copy_text(&report->arena, file, strlen(file)), function->place.line,
                  function->place.column},
        .first = first,
        .end = first + (nodes->start[f + 1] - nodes->start[f])};
    bool good =
        row.function && row.place.file && cflri_vec_push(report->context, &report->uncalled, row);
    return good ? CFLR_OK : cflri_fail_memory(report->context, error);
}

cflr_status cflri_report_uncalled(cflr_extract_report *report, const cflri_contexts *contexts,
                                  cflr_error *error) {
    cflr_status st = CFLR_OK;
    if (!contexts->program->facts.keeps_places) return CFLR_OK;
    bool *uncalled = cflri_uncalled_find(contexts->program);
    if (!uncalled) return cflri_fail_memory(report->context, error);
    for (size_t i = 0; i < contexts->instances.n && st == CFLR_OK; i++)
        if (uncalled[contexts->instances.at[i].function])
            st = add(report, contexts, &contexts->instances.at[i], error);
    cflri_free(report->context, uncalled);
    return st;
}

const cflr_uncalled *cflr_extract_uncalled(const cflr_extract_report *report, size_t *n) {
    *n = report->uncalled.n;
    return report->uncalled.at;
}
