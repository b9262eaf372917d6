/* SPDX-License-Identifier: Apache-2.0
 *
 * wrappers.c: functions that return fresh memory.
 *
 *     void *xmalloc(size_t n) {             object *make(int kind) {
 *         void *p = malloc(n);                  object *o = xmalloc(sizeof *o);
 *         if (!p) die();                        o->kind = kind;
 *         return p;                             return o;
 *     }                                     }
 *
 * All that a program allocates in its own way would be the one object of the one `malloc` in the
 * wrapper. So each call of such a function gets a copy of it (clone.c), and with it an object of
 * its own.
 *
 * The addresses of heap objects are followed along assignments and results of calls, and on to
 * members (an allocator that puts a header before what it returns), but not into memory, and into
 * parameters only where they are returned (results.c): what comes back from elsewhere is not fresh.
 * A function is a wrapper when this reaches its result. Nothing rests on it: a copy too many or too
 * few changes how exact the answers are, and not whether they hold.
 */
#include "frontend/contexts/wrappers.h"

#include "frontend/program/flows.h"

typedef struct search {
    const cflri_program *program;
    bool *fresh;  /* by node */
    bool *closed; /* by node: not followed */
    cflri_flows flows;
    cflri_node *stack;
} search;

static bool is_allocated(const cflri_facts *facts, cflri_node n) {
    const cflri_node_record *node = &facts->nodes.at[n];
    return node->how == CFLRI_ADDRESS && facts->nodes.at[node->base].kind == CFLR_VERTEX_ALLOCATION;
}

/* A node that is written through a pointer is memory, and so is one that calls pass. */
static bool is_closed(const cflri_facts *facts, cflri_node n, const bool *given_back) {
    const cflri_node_record *node = &facts->nodes.at[n];
    if (node->kind == CFLR_VERTEX_PARAMETER) return !given_back || !given_back[n];
    bool beyond = node->kind == CFLR_VERTEX_UNKNOWN || node->kind == CFLR_VERTEX_LOST ||
                  node->kind == CFLR_VERTEX_OUTSIDE;
    return node->how == CFLRI_ROOT ? beyond : node->kind != CFLR_VERTEX_RETURN;
}

static void follow(search *s, cflri_node from) {
    s->fresh[from] = true;
    cflri_flows_reach(&s->flows, from, s->closed, s->fresh, s->stack);
}

/* Members of what is fresh; was there a new one? */
static bool follow_members(search *s) {
    const cflri_facts *facts = &s->program->facts;
    bool found = false;
    for (cflri_node n = 0; n < facts->nodes.n; n++) {
        const cflri_node_record *node = &facts->nodes.at[n];
        bool member = node->how == CFLRI_FIELD && s->fresh[node->base];
        if (!member || s->fresh[n]) continue;
        follow(s, n);
        found = true;
    }
    return found;
}

static void mark_functions(const search *s, bool *returns_fresh) {
    const cflri_facts *facts = &s->program->facts;
    for (cflri_node n = 0; n < facts->nodes.n; n++) {
        const cflri_node_record *node = &facts->nodes.at[n];
        if (s->fresh[n] && node->kind == CFLR_VERTEX_RETURN) returns_fresh[node->function] = true;
    }
}

cflr_status cflri_wrappers_find(const cflri_program *program, const bool *given_back,
                                bool **returns_fresh, cflr_error *error) {
    cflr_status st = CFLR_OK;
    cflr_context *context = program->context;
    const cflri_facts *facts = &program->facts;
    search s = {.program = program};
    s.fresh = cflri_alloc_array_zero(context, facts->nodes.n, sizeof *s.fresh);
    s.closed = cflri_alloc_array(context, facts->nodes.n, sizeof *s.closed);
    s.stack = cflri_alloc_array(context, facts->nodes.n, sizeof *s.stack);
    *returns_fresh = cflri_alloc_array_zero(context, facts->functions.n, sizeof **returns_fresh);
    bool made = s.fresh && s.closed && s.stack && *returns_fresh;
    if (!made) CFLR_TRY(cflri_fail_memory(context, error));
    CFLR_TRY(cflri_flows_make(&s.flows, facts, true, error));
    for (cflri_node n = 0; n < facts->nodes.n; n++) s.closed[n] = is_closed(facts, n, given_back);
    for (cflri_node n = 0; n < facts->nodes.n; n++)
        if (!s.fresh[n] && is_allocated(facts, n)) follow(&s, n);
    while (follow_members(&s)) continue;
    mark_functions(&s, *returns_fresh);
out:
    cflri_flows_free(context, &s.flows);
    cflri_free(context, s.fresh);
    cflri_free(context, s.closed);
    cflri_free(context, s.stack);
    return st;
}
