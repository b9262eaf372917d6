/* SPDX-License-Identifier: Apache-2.0
 *
 * emit_calls.c: functions and calls.
 *
 * The facts have a row for each value of a call, one behind the other; the graph has one for the
 * call, with the vertices of all its values in all instances of the caller (clone.h):
 *
 *     (c ? p : q)()    rows: (call, p) (call, q)    instances 2, 5    vertices: p2 p5 q2 q5
 *
 * A value that has no vertex is one to which nothing flows. Code that is not there calls, too:
 *
 *     a summary on its function's own parameters     qsort calls what its parameter holds
 *     a function without model                       it calls what its unknown node holds
 *     the outside of an open program, and what       function 0 calls what that node holds
 *     lies behind a variable that no unit defines
 *
 * Where the types of functions count (callees.h), each call has its type, and each function has an
 * edge to itself for each type of calls that enter it:
 *
 *     &f -enters[t]-> &f
 *
 * Calls are sorted by place, and where the places are one by their numbers in the facts. A function
 * is there that is defined, calls, is called or has a vertex.
 */
#include "frontend/graph/emit_calls.h"

#include <stdlib.h>
#include <string.h>

#include "base/graph/graph.h"
#include "frontend/program/callees.h"

/* A call, or the unknown node that is called in it. */
typedef struct made_call {
    uint32_t caller, callee;
    cflri_place place;
    const char *file;  /* its text */
    size_t first, end; /* its rows in facts->called */
    cflri_node unknown;
    uint32_t expression; /* a string of the facts */
    uint32_t signature;  /* or CFLRI_NO_SIGNATURE */
} made_call;

typedef struct emitter {
    const cflri_contexts *contexts;
    const cflri_program *program;
    const cflri_facts *facts;
    cflr_context *context;
    cflr_graph_builder *builder;
    cflri_calls *to;
    CFLRI_VEC(made_call) made;
    cflri_groups instances; /* by function */
    size_t *rows;           /* by call: the first of its rows in facts->called, plus 1; 0: none */
    uint32_t *number;       /* by function: that of the graph, 0 until it is used */
    bool *owned;            /* by node: it is the unknown node of a function */
    cflr_error *error;
} emitter;

static cflr_status no_memory(const emitter *e) {
    return cflri_fail_memory(e->context, e->error);
}

static cflr_status hand_over(const emitter *e, uint32_t string, uint32_t *id) {
    return cflri_graph_builder_string(e->builder, cflri_string(&e->facts->strings, string), id,
                                      e->error);
}

/* ---- which calls there are ---- */

static cflr_status add(emitter *e, made_call call) {
    call.file = cflri_string(&e->facts->strings, call.place.file);
    return cflri_vec_push(e->context, &e->made, call) ? CFLR_OK : no_memory(e);
}

static size_t end_of_rows(const emitter *e, size_t first) {
    size_t end = first;
    while (end < e->facts->called.n &&
           e->facts->called.at[end].call == e->facts->called.at[first].call)
        end++;
    return end;
}

static cflr_status add_call(emitter *e, uint32_t number) {
    const cflri_call *call = &e->facts->calls.at[number];
    bool carries = cflri_program_carries(e->program, number);
    made_call made = {.caller = call->caller,
                      .callee = carries ? 0 : call->callee,
                      .place = call->place,
                      .unknown = CFLRI_NO_NODE,
                      .signature = CFLRI_NO_SIGNATURE};
    if (e->rows[number]) {
        made.first = e->rows[number] - 1;
        made.end = end_of_rows(e, made.first);
        made.expression = e->facts->called.at[made.first].name;
        made.signature = cflri_called_by(e->program, e->facts->called.at[made.first].signature);
    } else if (carries) {
        return CFLR_OK;
    }
    return add(e, made);
}

static cflr_status add_calls(emitter *e) {
    cflr_status st = CFLR_OK;
    size_t n = e->facts->called.n;
    for (size_t first = 0; first < n; first = end_of_rows(e, first))
        e->rows[e->facts->called.at[first].call] = first + 1;
    for (uint32_t i = 0; i < e->facts->calls.n && st == CFLR_OK; i++) st = add_call(e, i);
    return st;
}

/* Of function `f`, or 0: of none. */
static cflr_status add_unknown(emitter *e, uint32_t f, cflri_node unknown) {
    const cflri_place place = e->facts->nodes.at[unknown].place;
    if (!e->program->kept[unknown]) return CFLR_OK;
    e->owned[unknown] = true;
    return add(
        e, (made_call){
               .caller = f, .place = place, .unknown = unknown, .signature = CFLRI_NO_SIGNATURE});
}

static cflr_status add_unknowns(emitter *e) {
    cflr_status st = CFLR_OK;
    const cflri_facts *facts = e->facts;
    for (uint32_t f = 1; f < facts->functions.n; f++) {
        cflri_node unknown = e->program->role[f].unknown;
        if (unknown != CFLRI_NO_NODE) CFLR_TRY(add_unknown(e, f, unknown));
    }
    for (cflri_node n = 0; n < facts->nodes.n; n++) {
        const cflri_node_record *node = &facts->nodes.at[n];
        bool code = node->how == CFLRI_ROOT && !e->owned[n] &&
                    (node->kind == CFLR_VERTEX_OUTSIDE ||
                     (node->kind == CFLR_VERTEX_UNKNOWN && !node->smeared && !node->far));
        if (code) CFLR_TRY(add_unknown(e, e->contexts->owner[n], n));
    }
out:
    return st;
}

static int compare_calls(const void *a, const void *b) {
    const made_call *x = a, *y = b;
    int order = strcmp(x->file, y->file);
    if (order) return order;
    if (x->place.line != y->place.line) return x->place.line < y->place.line ? -1 : 1;
    if (x->place.column != y->place.column) return x->place.column < y->place.column ? -1 : 1;
    if (x->caller != y->caller) return x->caller < y->caller ? -1 : 1;
    if (x->callee != y->callee) return x->callee < y->callee ? -1 : 1;
    if (x->first != y->first) return x->first < y->first ? -1 : 1;
    return (x->unknown > y->unknown) - (x->unknown < y->unknown);
}

/* ---- functions ---- */

static uint32_t object_vertex(const emitter *e, uint32_t f) {
    cflri_node object = e->facts->functions.at[f].object;
    bool kept = f != 0 && e->program->kept[object];
    return kept ? cflri_contexts_vertex(e->contexts, 0, object) + 1 : 0;
}

static cflr_status emit_function(emitter *e, uint32_t f) {
    cflr_status st = CFLR_OK;
    static const cflr_body bodies[] = {[CFLRI_BODY_HERE] = CFLR_BODY_HERE,
                                       [CFLRI_BODY_SUMMARY] = CFLR_BODY_SUMMARY,
                                       [CFLRI_BODY_UNKNOWN] = CFLR_BODY_UNKNOWN};
    const cflri_function *function = &e->facts->functions.at[f];
    cflri_function_row row = {.vertex = object_vertex(e, f)};
    if (f != 0) {
        row.line = function->place.line;
        row.column = function->place.column;
        row.body = bodies[e->program->role[f].body];
        CFLR_TRY(hand_over(e, function->name, &row.name));
        CFLR_TRY(hand_over(e, function->place.file, &row.file));
    } else {
        row.body = CFLR_BODY_UNKNOWN;
    }
    e->number[f] = (uint32_t)e->to->functions.n;
    if (!cflri_vec_push(e->context, &e->to->functions, row)) st = no_memory(e);
out:
    return st;
}

static cflr_status emit_functions(emitter *e) {
    cflr_status st = CFLR_OK;
    for (size_t i = 0; i < e->made.n; i++)
        e->number[e->made.at[i].caller] = e->number[e->made.at[i].callee] = 1;
    for (uint32_t f = 0; f < e->facts->functions.n && st == CFLR_OK; f++)
        if (f == 0 || e->number[f] || e->facts->functions.at[f].defined || object_vertex(e, f))
            st = emit_function(e, f);
    return st;
}

/* ---- values ---- */

static cflr_status emit_value(emitter *e, uint32_t caller, cflri_node value) {
    const uint32_t *start = &e->instances.start[caller];
    if (!e->program->kept[value]) return CFLR_OK;
    for (uint32_t i = start[0]; i < start[1]; i++) {
        uint32_t vertex = cflri_contexts_vertex(e->contexts, e->instances.item[i], value);
        if (!cflri_vec_push(e->context, &e->to->values, vertex)) return no_memory(e);
    }
    return CFLR_OK;
}

static const char *text_of(const emitter *e, uint32_t signature) {
    return cflri_string(&e->facts->strings, e->facts->signatures.at[signature]);
}

static cflr_status emit_entry(const emitter *e, uint32_t vertex, uint32_t signature) {
    uint32_t label;
    cflr_status st =
        cflr_graph_builder_label(e->builder, "enters", text_of(e, signature), &label, e->error);
    return st == CFLR_OK ? cflr_graph_builder_edge(e->builder, vertex, vertex, label, e->error)
                         : st;
}

/* By which calls through values the functions are entered. */
static cflr_status emit_entries(const emitter *e) {
    cflr_status st = CFLR_OK;
    for (uint32_t f = 1; f < e->facts->functions.n; f++) {
        const cflri_role *role = &e->program->role[f];
        if (role->value == CFLRI_NO_NODE || !e->program->kept[role->value]) continue;
        const cflri_entries by = cflri_entries_of(e->program, f);
        uint32_t vertex = cflri_contexts_vertex(e->contexts, 0, role->value);
        for (size_t k = 0; k < by.n; k++) CFLR_TRY(emit_entry(e, vertex, by.signature[k]));
    }
out:
    return st;
}

static cflr_status emit_call(emitter *e, const made_call *call) {
    cflr_status st = CFLR_OK;
    cflri_call_row row = {.caller = e->number[call->caller],
                          .callee = e->number[call->callee],
                          .line = call->place.line,
                          .column = call->place.column};
    CFLR_TRY(hand_over(e, call->expression, &row.expression));
    if (call->signature != CFLRI_NO_SIGNATURE)
        CFLR_TRY(hand_over(e, e->facts->signatures.at[call->signature], &row.type));
    CFLR_TRY(hand_over(e, call->place.file, &row.file));
    for (size_t i = call->first; i < call->end; i++) {
        const cflri_called *called = &e->facts->called.at[i];
        if (cflri_program_calls(e->program, called))
            CFLR_TRY(emit_value(e, call->caller, called->value));
    }
    if (call->unknown != CFLRI_NO_NODE)
        CFLR_TRY(emit_value(e, e->contexts->owner[call->unknown], call->unknown));
    if (e->to->values.n > UINT32_MAX)
        CFLR_TRY(
            cflri_fail(e->error, CFLR_UNSUPPORTED, NULL, "more than %u called values", UINT32_MAX));
    row.end = (uint32_t)e->to->values.n;
    if (!cflri_vec_push(e->context, &e->to->calls, row)) st = no_memory(e);
out:
    return st;
}

static cflr_status prepare(emitter *e) {
    const cflri_facts *facts = e->facts;
    e->rows = cflri_alloc_array_zero(e->context, facts->calls.n, sizeof *e->rows);
    e->number = cflri_alloc_array_zero(e->context, facts->functions.n, sizeof *e->number);
    e->owned = cflri_alloc_array_zero(e->context, facts->nodes.n, sizeof *e->owned);
    if (!e->rows || !e->number || !e->owned) return no_memory(e);
    return cflri_contexts_group(e->contexts, &e->instances, e->error);
}

cflr_status cflri_emit_calls(const cflri_contexts *contexts, cflr_graph_builder *builder,
                             cflr_error *error) {
    cflr_status st = CFLR_OK;
    emitter e = {.contexts = contexts,
                 .program = contexts->program,
                 .facts = &contexts->program->facts,
                 .context = contexts->program->context,
                 .builder = builder,
                 .to = cflri_graph_builder_calls(builder),
                 .error = error};
    CFLR_TRY(prepare(&e));
    CFLR_TRY(add_calls(&e));
    CFLR_TRY(add_unknowns(&e));
    if (e.made.n) qsort(e.made.at, e.made.n, sizeof *e.made.at, compare_calls);
    CFLR_TRY(emit_functions(&e));
    for (size_t i = 0; i < e.made.n; i++) CFLR_TRY(emit_call(&e, &e.made.at[i]));
    CFLR_TRY(emit_entries(&e));
out:
    cflri_vec_free(e.context, &e.made);
    cflri_free(e.context, e.instances.start);
    cflri_free(e.context, e.instances.item);
    cflri_free(e.context, e.rows);
    cflri_free(e.context, e.number);
    cflri_free(e.context, e.owned);
    return st;
}
