/* SPDX-License-Identifier: Apache-2.0
 *
 * step_text.c: the steps of a finding's path in words. A step reads as what it arrives at.
 */
#include "cli/alerts/alerts.h"

#include <stdlib.h>

#include "cli/names/names.h"

/* The vertex at which the value arrives. */
static void print_arrival(FILE *file, const cflr_graph *graph, const cflr_step *step) {
    cflr_vertex_info to;
    look_at(graph, step->pair.target, &to);
    switch (step->kind) {
        case CFLR_STEP_TESTED:
            fprintf(file, "%s, tested", to.name);
            break;
        case CFLR_STEP_MEMBER:
            fprintf(file, "member of it: %s", to.name);
            break;
        case CFLR_STEP_FILLED:
            fprintf(file, "fills %s%s", to.name[0] == '&' ? "" : "*",
                    to.name + (to.name[0] == '&'));
            break;
        case CFLR_STEP_POINTED_INTO:
            fprintf(file, "a pointer into it: %s", to.name);
            break;
        case CFLR_STEP_CONTENT:
            fprintf(file, "in it: %s", to.name);
            break;
        case CFLR_STEP_BROUGHT:
            fprintf(file, "brings %s", to.name);
            break;
        case CFLR_STEP_PASSED:
            fprintf(file, "passed to %s as %s", to.function, to.name);
            break;
        case CFLR_STEP_RETURNED:
            fprintf(file, "returned from %s", to.function);
            break;
        case CFLR_STEP_RESULT:
            fprintf(file, "result of %s", to.name);
            break;
        default:
            fprintf(file, "assigned to %s", to.name);
    }
}

static void print_memory(FILE *file, const cflr_graph *graph, const cflr_step *step) {
    cflr_vertex_info from, to, object;
    look_at(graph, step->pair.source, &from);
    look_at(graph, step->pair.target, &to);
    fprintf(file, "stored in %s, read through %s", from.name, to.name);
    if (step->object == CFLR_NO_VERTEX) return;
    look_at(graph, step->object, &object);
    fprintf(file, ": both may be in %s", object.name);
    if (!object.file[0]) return;
    fputs(" at ", file);
    print_place(file, object.file, object.line, object.column);
}

char *step_text(const cflr_graph *graph, const cflr_step *step) {
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    if (file) print_step_text(file, graph, step);
    if (!file || fclose(file) != 0 || !text) exit(fail_memory());
    return text;
}

void print_step_text(FILE *file, const cflr_graph *graph, const cflr_step *step) {
    if (step->kind == CFLR_STEP_SILENT) return;
    if (step->kind == CFLR_STEP_IN_MEMORY)
        print_memory(file, graph, step);
    else
        print_arrival(file, graph, step);
}
