/* SPDX-License-Identifier: Apache-2.0
 *
 * step_text.c: the steps of a finding's path in words. A step reads as what it arrives at.
 *
 * A call through a pointer passes values by memory, which the function has beside all its callers:
 *
 *     h->keep(p)       p -a-> h->keep(0)            passed to h->keep() as argument 0
 *                      h->keep(0) -M-> q of keep    passed to keep as q, which h->keep() may call
 *     r = h->make()    make(ret) -M-> h->make()     result of h->make(), which may call make
 */
#include "cli/alerts/alerts.h"

#include <stdlib.h>
#include <string.h>

#include "cli/names/names.h"

/* Is it an argument of a call through a pointer, "h->keep(0)"? Then where its number begins, behind
 * the bracket; else NULL. */
static const char *argument_of_call(const cflr_vertex_info *info) {
    const char *bracket = strrchr(info->name, '(');
    bool number = info->kind == CFLR_VERTEX_DEREFERENCE && bracket &&
                  strchr("0123456789", bracket[1]) && bracket[1];
    return number ? bracket + 1 : NULL;
}

static void print_assigned(FILE *file, const cflr_vertex_info *to) {
    const char *number = argument_of_call(to);
    if (!number)
        fprintf(file, "assigned to %s", to->name);
    else
        fprintf(file, "passed to %.*s() as argument %.*s", (int)(number - to->name) - 1, to->name,
                (int)strcspn(number, ")"), number);
}

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
            print_assigned(file, &to);
    }
}

/* Into or out of a function that a pointer calls; false: it is other memory. */
static bool print_call(FILE *file, const cflr_vertex_info *from, const cflr_vertex_info *to) {
    const char *number = argument_of_call(from);
    bool result = from->kind == CFLR_VERTEX_RETURN,
         passed = number && to->kind == CFLR_VERTEX_PARAMETER;
    if (result)
        fprintf(file, "result of %s, which may call %s", to->name, from->function);
    else if (passed)
        fprintf(file, "passed to %s as %s, which %.*s() may call", to->function, to->name,
                (int)(number - from->name) - 1, from->name);
    return result || passed;
}

static void print_memory(FILE *file, const cflr_graph *graph, const cflr_step *step) {
    cflr_vertex_info from, to, object;
    look_at(graph, step->pair.source, &from);
    look_at(graph, step->pair.target, &to);
    if (print_call(file, &from, &to)) return;
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
