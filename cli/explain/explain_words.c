/* SPDX-License-Identifier: Apache-2.0
 *
 * explain_words.c: the words and the place of one step.
 *
 * A graph knows where vertices are written, and not where its edges are. The place of a step is
 * the first line in which both values are written, if there is one.
 */
#include "cli/explain/explain_words.h"

#include <string.h>

/* ---- places ---- */

/* The only call by name of the function, if there is one. */
static bool find_only_call(const cflr_graph *graph, const char *function, step_place *at) {
    size_t n = 0;
    for (uint32_t i = 0; i < cflr_graph_calls(graph) && n < 2; i++) {
        cflr_call_info call;
        cflr_function_info callee;
        cflr_graph_call(graph, i, &call);
        cflr_graph_function(graph, call.callee, &callee);
        if (!call.callee || strcmp(callee.name, function) != 0) continue;
        *at = (step_place){call.file, call.line, call.column};
        n++;
    }
    return n == 1;
}

step_place place_between(const cflr_graph *graph, uint32_t from, uint32_t to) {
    cflr_mention at;
    cflr_vertex_info a, b;
    step_place call;
    if (from != to && cflr_graph_common_line(graph, from, to, &at))
        return (step_place){at.file, at.line, at.column};
    cflr_graph_vertex(graph, from, &a);
    cflr_graph_vertex(graph, to, &b);
    if (b.kind == CFLR_VERTEX_PARAMETER && find_only_call(graph, b.function, &call)) return call;
    bool first = (is_variable(&b) && !is_variable(&a) && a.line) || !b.line;
    return first ? (step_place){a.file, a.line, a.column} : (step_place){b.file, b.line, b.column};
}

void print_step_place(FILE *file, step_place at, int indent) {
    fprintf(file, "%*s", indent, "");
    if (!at.line) return;
    print_place(file, at.file, at.line, at.column);
    fputs(": ", file);
}

/* ---- words ---- */

bool step_is(const cflr_derivation_step *step, const char *symbol) {
    return strcmp(step->symbol, symbol) == 0;
}

bool step_is_edge(const cflr_derivation_step *step) {
    return step->derivation == CFLR_NO_DERIVATION;
}

static const char *behind_and(const char *name) {
    return name + (name[0] == '&');
}

/* The function's summary states it, if the place is in a function of the library. */
static void print_library(FILE *file, const cflr_graph *graph, const cflr_vertex_info *info) {
    for (uint32_t i = 1; i < cflr_graph_functions(graph) && info->function[0]; i++) {
        cflr_function_info f;
        cflr_graph_function(graph, i, &f);
        if (f.body != CFLR_BODY_SUMMARY || strcmp(f.name, info->function) != 0) continue;
        fprintf(file, " (library: the summary of %s says so)", shown(f.name));
        return;
    }
}

void print_address(FILE *file, const cflr_vertex_info *object) {
    if (object->kind == CFLR_VERTEX_FUNCTION)
        fprintf(file, "the function %s is used as a value", object->name);
    else if (object->kind == CFLR_VERTEX_ALLOCATION)
        fprintf(file, "memory of %s", object->name);
    else if (object->kind == CFLR_VERTEX_STRING)
        fprintf(file, "the string %s", object->name);
    else if (object->kind == CFLR_VERTEX_UNKNOWN)
        fprintf(file, "memory of %s, which has no model", object->name);
    else if (object->kind == CFLR_VERTEX_LOST)
        fprintf(file, "memory that is not followed: %s", object->name);
    else
        fprintf(file, "the address of %s is taken", object->name);
}

static void print_assignment(FILE *file, const cflr_vertex_info *from, const cflr_vertex_info *to) {
    if (to->kind == CFLR_VERTEX_UNKNOWN)
        fprintf(file, "given to %s, which has no model", to->name);
    else if (to->kind == CFLR_VERTEX_LOST)
        fprintf(file, "not followed from here: %s", to->name);
    else if (from->kind == CFLR_VERTEX_UNKNOWN)
        fprintf(file, "%s, which has no model, gives %s", from->name, to->name);
    else if (from->kind == CFLR_VERTEX_LOST)
        fprintf(file, "a value is not followed: %s", from->name);
    else if (to->kind == CFLR_VERTEX_PARAMETER)
        fprintf(file, "passed to %s as %s", to->function, to->name);
    else if (to->kind == CFLR_VERTEX_RETURN)
        fprintf(file, "returned by %s", to->function);
    else if (from->kind == CFLR_VERTEX_RETURN)
        fprintf(file, "result of %s: %s", from->function, to->name);
    else if (to->kind == CFLR_VERTEX_DEREFERENCE)
        fprintf(file, "stored in %s", to->name);
    else
        fprintf(file, "assigned to %s", to->name);
}

void print_edge(FILE *file, const cflr_graph *graph, const cflr_derivation_step *step) {
    cflr_vertex_info from, to;
    look_at(graph, step->backwards ? step->to : step->from, &from);
    look_at(graph, step->backwards ? step->from : step->to, &to);
    if (step_is(step, "a") || step_is(step, "call") || step_is(step, "ret") ||
        step_is(step, "data") || step_is(step, "null"))
        print_assignment(file, &from, &to);
    else if (step_is(step, "nonnull"))
        fprintf(file, "tested: %s", to.name);
    else if (step_is(step, "source"))
        fprintf(file, "from outside: %s", to.name);
    else if (step_is(step, "bytes"))
        fprintf(file, "filled from outside: %s", to.name);
    else if (step_is(step, "alloc"))
        print_address(file, &from);
    else if (step_is(step, "f"))
        fprintf(file, "its member at byte %s: %s", step->index, to.name);
    else if (step_is(step, "s"))
        fprintf(file, "its slot %.*s: %s", (int)strcspn(step->index, ":"), shown(step->index),
                to.name);
    else if (step_is(step, "any"))
        fprintf(file, "moved to any place of its object: %s", to.name);
    else if (step_is(step, "b"))
        fprintf(file, "what begins %s bytes before it: %s", step->index, to.name);
    else if (step_is(step, "d"))
        fprintf(file, "what it points to: %s", to.name);
    else if (step_is(step, "caller"))
        fprintf(file, "code outside gives it to %s", to.name);
    else if (step_is(step, "unknown"))
        fprintf(file, "%s, which has no model, gives it to %s", shown(step->index), to.name);
    else if (step_is(step, "escapes"))
        fprintf(file, "code outside is told %s", from.name);
    else
        fprintf(file, "%s%s%s%s: from %s to %s", shown(step->symbol), step->index[0] ? "[" : "",
                shown(step->index), step->index[0] ? "]" : "", from.name, to.name);
    print_library(file, graph, &to);
}

void print_passage(FILE *file, const cflr_vertex_info *from, const cflr_vertex_info *to) {
    if (to->kind == CFLR_VERTEX_PARAMETER)
        fprintf(file, "passed to %s as %s, which is called through a pointer", to->function,
                to->name);
    else if (from->kind == CFLR_VERTEX_RETURN)
        fprintf(file, "returned by %s to %s, which is called through a pointer", from->function,
                to->name);
    else
        fprintf(file, "stored in %s, read through %s", from->name, to->name);
}

/* ---- lines ---- */

void tell_origin(told_lines *to, const cflr_graph *graph, uint32_t vertex, int indent) {
    cflr_vertex_info info;
    look_at(graph, vertex, &info);
    print_step_place(to->file, (step_place){info.file, info.line, info.column}, indent);
    if (info.kind == CFLR_VERTEX_ADDRESS && info.name[0] == '&')
        fprintf(to->file, "the address of %s is taken", behind_and(info.name));
    else if (info.kind == CFLR_VERTEX_OUTSIDE)
        fputs("code outside", to->file);
    else
        fputs(info.name, to->file);
    end_line(to, indent);
}

void tell_taken(told_lines *to, const cflr_graph *graph, uint32_t address, int indent) {
    uint32_t object = first_edge(graph, "alloc", NULL, CFLR_IN, address);
    cflr_vertex_info info;
    if (object == CFLR_NO_VERTEX) {
        tell_origin(to, graph, address, indent);
        return;
    }
    look_at(graph, object, &info);
    print_step_place(to->file, place_between(graph, object, address), indent);
    print_address(to->file, &info);
    end_line(to, indent);
}

/* Is it an assignment between values, at which a reader finds nothing but another name? */
static bool only_copies(const cflr_derivation_step *step, const cflr_vertex_info *from,
                        const cflr_vertex_info *to) {
    bool value = step_is(step, "a") || step_is(step, "call") || step_is(step, "ret") ||
                 step_is(step, "data") || step_is(step, "nonnull");
    return value && to->kind != CFLR_VERTEX_DEREFERENCE && to->kind != CFLR_VERTEX_UNKNOWN &&
           to->kind != CFLR_VERTEX_LOST && from->kind != CFLR_VERTEX_UNKNOWN &&
           from->kind != CFLR_VERTEX_LOST;
}

void end_edge(told_lines *to, const cflr_graph *graph, const cflr_derivation_step *step,
              int indent) {
    cflr_vertex_info source, target;
    cflr_graph_vertex(graph, step->backwards ? step->to : step->from, &source);
    cflr_graph_vertex(graph, step->backwards ? step->from : step->to, &target);
    if (only_copies(step, &source, &target))
        end_copy(to, indent, target.function);
    else
        end_line(to, indent);
}
