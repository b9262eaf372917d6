/* SPDX-License-Identifier: Apache-2.0
 *
 * returned.c: which parameters come back as results.
 *
 *     char *skip(char *at, size_t n) { return at + n; }        a = skip((char *)&record, 8)
 *
 * What is known of an argument is known of the result of that call, and not of the results of
 * others, as it would be if it went through the function. A parameter is searched against the
 * assignments from the function's result, by its own local values and by the results of calls whose
 * arguments come back themselves; not through memory. That is done again until no more are found:
 * for functions that call each other in a row, once for each. Linear each time.
 */
#include "frontend/contexts/returned.h"

#include <string.h>

#include "base/alloc.h"

typedef struct search {
    cflri_returned *returned;
    const cflri_facts *facts;
    const cflri_groups *into;
    cflri_groups arguments; /* assignments by call */
    uint32_t *seen;         /* by node: the function that it was reached from */
    cflri_node *stack;
    size_t depth;
    bool more;
} search;

static const cflri_node_record *record(const search *s, cflri_node n) {
    return &s->facts->nodes.at[n];
}

static cflr_status make_search(search *s, cflri_program *program, cflr_error *error) {
    cflr_context *context = program->context;
    const cflri_facts *facts = s->facts;
    size_t n = facts->nodes.n, n_calls = facts->calls.n;
    uint32_t *call = cflri_alloc_array(context, facts->assigns.n, sizeof *call);
    s->returned->passes = cflri_alloc_array_zero(context, n, sizeof(bool));
    s->returned->result = cflri_alloc_array(context, n_calls, sizeof(cflri_node));
    s->seen = cflri_alloc_array_zero(context, n, sizeof *s->seen);
    s->stack = cflri_alloc_array(context, n, sizeof *s->stack);
    bool made = call && s->returned->passes && s->returned->result && s->seen && s->stack;
    for (size_t i = 0; made && i < facts->assigns.n; i++) {
        const cflri_assign *assign = &facts->assigns.at[i];
        bool argument = assign->flow == CFLRI_FLOW_ARGUMENT && assign->call != CFLRI_NO_CALL;
        call[i] = argument ? assign->call : UINT32_MAX;
    }
    cflr_status st =
        made ? cflri_group(context, call, facts->assigns.n, n_calls, &s->arguments, error)
             : cflri_fail_memory(context, error);
    cflri_free(context, call);
    return st;
}

static bool is_result(const search *s, const cflri_assign *assign) {
    return assign->flow == CFLRI_FLOW_RESULT && assign->call != CFLRI_NO_CALL &&
           record(s, assign->from)->kind == CFLR_VERTEX_RETURN;
}

static void find_results(search *s) {
    for (size_t i = 0; i < s->facts->calls.n; i++) s->returned->result[i] = CFLRI_NO_NODE;
    for (size_t i = 0; i < s->facts->assigns.n; i++) {
        const cflri_assign *assign = &s->facts->assigns.at[i];
        if (is_result(s, assign)) s->returned->result[assign->call] = assign->to;
    }
}

static void reach(search *s, cflri_node n, uint32_t function) {
    const cflri_node_record *node = record(s, n);
    if (node->function != function || s->seen[n] == function) return;
    if (node->kind == CFLR_VERTEX_DEREFERENCE) return;
    s->seen[n] = function;
    s->stack[s->depth++] = n;
    if (node->kind != CFLR_VERTEX_PARAMETER || s->returned->passes[n]) return;
    s->more = s->returned->passes[n] = true;
}

/* The arguments of a call that come back. */
static void reach_arguments(search *s, uint32_t call, uint32_t function) {
    for (uint32_t i = s->arguments.start[call]; i < s->arguments.start[call + 1]; i++) {
        const cflri_assign *assign = &s->facts->assigns.at[s->arguments.item[i]];
        if (s->returned->passes[assign->to]) reach(s, assign->from, function);
    }
}

static void search_function(search *s, cflri_node result) {
    uint32_t function = record(s, result)->function;
    reach(s, result, function);
    while (s->depth > 0) {
        cflri_node at = s->stack[--s->depth];
        for (uint32_t i = s->into->start[at]; i < s->into->start[at + 1]; i++) {
            const cflri_assign *assign = &s->facts->assigns.at[s->into->item[i]];
            if (is_result(s, assign))
                reach_arguments(s, assign->call, function);
            else if (assign->flow != CFLRI_FLOW_ARGUMENT)
                reach(s, assign->from, function);
        }
    }
}

cflr_status cflri_returned_make(cflri_returned *returned, cflri_program *program,
                                const cflri_groups *into, cflr_error *error) {
    search s = {.returned = returned, .facts = &program->facts, .into = into, .more = true};
    cflr_status st = make_search(&s, program, error);
    if (st == CFLR_OK) find_results(&s);
    while (st == CFLR_OK && s.more) {
        s.more = false;
        memset(s.seen, 0, s.facts->nodes.n * sizeof *s.seen);
        for (cflri_node n = 0; n < s.facts->nodes.n; n++)
            if (record(&s, n)->kind == CFLR_VERTEX_RETURN) search_function(&s, n);
    }
    cflri_free(program->context, s.arguments.start);
    cflri_free(program->context, s.arguments.item);
    cflri_free(program->context, s.seen);
    cflri_free(program->context, s.stack);
    return st;
}

void cflri_returned_free(cflr_context *context, cflri_returned *returned) {
    cflri_free(context, returned->passes);
    cflri_free(context, returned->result);
}
