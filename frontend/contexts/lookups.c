/* SPDX-License-Identifier: Apache-2.0
 *
 * lookups.c: functions that return what lies in a table that their callers name.
 *
 *     const char *name_of(const struct tok *t, int v) {       name_of(colours, v)
 *         for (; t->name; t++)                                name_of(shapes, v)
 *             if (t->value == v) return t->name;
 *         return NULL;
 *     }
 *
 * All calls would get what lies in all tables. So calls that name one table share a copy of the
 * function (clone.c), and get what lies there.
 *
 * From each content that may be a result a search goes back to where it is read from, over members,
 * contents, and assignments between variables of the function. The parameters that it comes to are
 * looked into; so is a parameter that is handed on to one, by a call whose result is handed on.
 * Nothing rests on what is found: it decides which calls share a copy, and any way to share them is
 * sound.
 */
#include "frontend/contexts/lookups.h"

#include "base/context.h"
#include "frontend/contexts/clone.h"

typedef struct search {
    const cflri_program *program;
    const cflri_facts *facts;
    const cflri_results *results;
    cflri_lookups *found;
    cflri_groups into; /* assignments by their target */
    bool *read;        /* by node: what is read from it may be a result */
    cflri_node *stack;
    size_t depth;
} search;

static const cflri_node_record *record(const search *s, cflri_node n) {
    return &s->facts->nodes.at[n];
}

static void reach(search *s, cflri_node n) {
    if (s->read[n]) return;
    s->read[n] = true;
    s->stack[s->depth++] = n;
}

static bool is_parameter(const search *s, cflri_node n) {
    return record(s, n)->kind == CFLR_VERTEX_PARAMETER && record(s, n)->how == CFLRI_DEREF;
}

/* To what a pointer is made of. */
static void step(search *s, cflri_node n) {
    const cflri_node_record *node = record(s, n);
    if (is_parameter(s, n)) s->found->looks[node->function] = true;
    bool made = node->how == CFLRI_FIELD || (node->how == CFLRI_DEREF && !is_parameter(s, n));
    if (made) reach(s, node->base);
    for (uint32_t i = s->into.start[n]; i < s->into.start[n + 1]; i++) {
        const cflri_assign *assign = &s->facts->assigns.at[s->into.item[i]];
        bool call = assign->flow == CFLRI_FLOW_ARGUMENT || assign->flow == CFLRI_FLOW_RESULT;
        if (!call && record(s, assign->from)->function == node->function) reach(s, assign->from);
    }
}

static void follow(search *s) {
    while (s->depth > 0) step(s, s->stack[--s->depth]);
}

/* A parameter that is handed on; was there a new one? */
static bool hand_on(search *s) {
    bool more = false;
    for (size_t i = 0; i < s->facts->assigns.n; i++) {
        const cflri_assign *assign = &s->facts->assigns.at[i];
        bool passes = assign->flow == CFLRI_FLOW_ARGUMENT && assign->call != CFLRI_NO_CALL;
        if (!passes || !s->read[assign->to] || !s->results->handed_on[assign->call]) continue;
        more |= !s->read[assign->from];
        reach(s, assign->from);
    }
    follow(s);
    return more;
}

/* Is this content of memory that may be a result? */
static bool is_returned_content(const search *s, const cflri_assign *assign) {
    const cflri_node_record *from = record(s, assign->from);
    bool content = from->how == CFLRI_DEREF && !is_parameter(s, assign->from) &&
                   from->kind != CFLR_VERTEX_RETURN && from->function != 0;
    return content && !assign->data && s->results->returned[assign->to];
}

/* A variable that is there all the time. */
static bool is_table(const search *s, cflri_node n) {
    if (record(s, n)->how != CFLRI_ADDRESS) return false;
    const cflri_node_record *object = record(s, record(s, n)->base);
    return object->kind == CFLR_VERTEX_VARIABLE && (object->function == 0 || object->single);
}

static void find_tables(search *s) {
    for (size_t i = 0; i < s->facts->assigns.n; i++) {
        const cflri_assign *assign = &s->facts->assigns.at[i];
        bool passes = assign->flow == CFLRI_FLOW_ARGUMENT && assign->call != CFLRI_NO_CALL;
        if (passes && s->read[assign->to] && is_table(s, assign->from))
            s->found->table[assign->call] = record(s, assign->from)->base;
    }
}

static cflr_status prepare(search *s, cflr_error *error) {
    cflr_context *context = s->program->context;
    size_t n_assigns = s->facts->assigns.n, n_nodes = s->facts->nodes.n;
    uint32_t *to = cflri_alloc_array(context, n_assigns, sizeof *to);
    s->read = cflri_alloc_array_zero(context, n_nodes, sizeof *s->read);
    s->stack = cflri_alloc_array(context, n_nodes, sizeof *s->stack);
    s->found->looks =
        cflri_alloc_array_zero(context, s->facts->functions.n, sizeof *s->found->looks);
    s->found->table = cflri_alloc_array_zero(context, s->facts->calls.n, sizeof *s->found->table);
    bool room = to && s->read && s->stack && s->found->looks && s->found->table;
    for (size_t i = 0; i < n_assigns && room; i++) to[i] = s->facts->assigns.at[i].to;
    cflr_status st = room ? cflri_group(context, to, n_assigns, n_nodes, &s->into, error)
                          : cflri_fail_memory(context, error);
    cflri_free(context, to);
    return st;
}

cflr_status cflri_lookups_find(cflri_lookups *lookups, const cflri_program *program,
                               const cflri_results *results, cflr_error *error) {
    cflr_status st = CFLR_OK;
    cflr_context *context = program->context;
    search s = {.program = program, .facts = &program->facts, .results = results, .found = lookups};
    CFLR_TRY(prepare(&s, error));
    for (size_t i = 0; i < s.facts->assigns.n; i++)
        if (is_returned_content(&s, &s.facts->assigns.at[i]))
            reach(&s, s.facts->assigns.at[i].from);
    follow(&s);
    while (hand_on(&s)) continue;
    find_tables(&s);
out:
    cflri_free(context, s.read);
    cflri_free(context, s.stack);
    cflri_free(context, s.into.start);
    cflri_free(context, s.into.item);
    return st;
}

void cflri_lookups_free(cflr_context *context, cflri_lookups *lookups) {
    cflri_free(context, lookups->looks);
    cflri_free(context, lookups->table);
}
