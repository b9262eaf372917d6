/* SPDX-License-Identifier: Apache-2.0
 *
 * flow_report.c: where the edges of a graph are stated.
 *
 * A vertex knows where it is declared, or written first; a path through the program is read by what
 * is done on the way: the assignment, the call, the return. So each edge that an assignment makes
 * keeps its place, one for each pair of vertices, sorted:
 *
 *     pair     (3,7)      (3,9)      (4,2)
 *     place    a.c:12:5   a.c:14:5   b.c:3:9
 */
#include "frontend/report/flow_report.h"

#include <stdlib.h>
#include <string.h>

/* Places of one pair in the order of the program. */
static int compare_flows(const void *a, const void *b) {
    const cflri_flow_place *x = a, *y = b;
    if (x->pair != y->pair) return x->pair < y->pair ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

/* The texts of files, copied once each: by string of the program. */
static const char *file_text(cflr_extract_report *report, const cflri_strings *strings,
                             const char **text, uint32_t file) {
    const char *path = cflri_string(strings, file);
    if (!text[file]) text[file] = cflri_arena_copy_text(&report->arena, path, strlen(path));
    return text[file];
}

static cflr_status fill(cflr_extract_report *report, const cflri_program *program,
                        const cflri_flow_place *flow, size_t n, cflr_error *error) {
    const cflri_facts *facts = &program->facts;
    cflr_context *context = report->context;
    const char **text = cflri_alloc_array_zero(context, facts->strings.text.n, sizeof *text);
    report->flow = cflri_alloc_array(context, n, sizeof *report->flow);
    cflr_status st = text && report->flow ? CFLR_OK : cflri_fail_memory(context, error);
    for (size_t i = 0; i < n && st == CFLR_OK; i++) {
        if (i > 0 && flow[i].pair == flow[i - 1].pair) continue;
        const cflri_place *place = &facts->places.at[flow[i].place];
        const char *file = file_text(report, &facts->strings, text, place->file);
        if (!file) CFLR_TRY(cflri_fail_memory(context, error));
        report->flow[report->n_flows++] = (cflr_flow){(uint32_t)(flow[i].pair >> 32),
                                                      (uint32_t)flow[i].pair,
                                                      {file, place->line, place->column}};
    }
out:
    cflri_free(context, (void *)text);
    return st;
}

cflr_status cflri_report_flows(cflr_extract_report *report, const cflri_program *program,
                               cflr_error *error) {
    size_t n = program->flow_places.n;
    if (n == 0) return CFLR_OK;
    qsort(program->flow_places.at, n, sizeof *program->flow_places.at, compare_flows);
    return fill(report, program, program->flow_places.at, n, error);
}

const cflr_flow *cflr_extract_flows(const cflr_extract_report *report, size_t *n) {
    *n = report->n_flows;
    return report->flow;
}
