/* SPDX-License-Identifier: Apache-2.0
 *
 * text.c: which pointers to characters lead to text.
 *
 * A char * may lead anywhere, and nearly all lead to text. One that leads elsewhere was made of a
 * pointer to something else, or becomes one:
 *
 *     unsigned char *b = (unsigned char *)&record;            b is raw, and what it flows to
 *     struct s *s = (struct s *)(block + used);               block is raw, and what flows to it
 *     void *v = &record; unsigned char *b = v;                b is raw
 *
 * A value that one member of a record holds, it holds in all records of the type: if p->base is
 * raw, all such are. So are all that a char ** may lead to: *p, and variables and members whose
 * address is taken, are one. A pointer that comes out of other memory as a void *, or goes into it,
 * may be anything, and so may the values that functions exchange that are called through values.
 *
 * A pointer that is moved by a number, `block + 8`, is raw with the one that it is moved from, and
 * the reverse.
 *
 * Two searches over the assignments, forward from what is no text and back from what becomes none.
 * An array of characters is memory for something else only where the way back to it passes no
 * parameter: free() makes a block of each text that it is given, and of no array.
 */
#include "frontend/typing/text.h"

#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "base/graph/graph.h"
#include "base/ids.h"
#include "frontend/facts/groups.h"
#include "frontend/facts/told.h"
#include "frontend/program/flows.h"
#include "frontend/typing/kept.h"

/* How a node is reached; NEAR: back, and from no parameter to what calls give it. */
enum { FORWARD = 1, BACK = 2, NEAR = 4 };

typedef struct search {
    const cflri_readings *readings;
    const cflri_program *program;
    const cflri_facts *facts;
    cflri_flows into, out; /* the assignments, backward and forward */
    cflri_groups moved;    /* by node: the addresses of members that no type tells, from it */
    cflri_kept kept;
    uint8_t *reached;    /* by node */
    cflri_node *content; /* by node: of a slot what lies there, or NO_NODE */
    bool *raw;
    CFLRI_VEC(cflri_node) stack;
    cflr_error *error;
} search;

static const cflri_node_record *record(const search *s, cflri_node n) {
    return &s->facts->nodes.at[n];
}

static cflr_status no_memory(const search *s) {
    return cflri_fail_memory(s->program->context, s->error);
}

/* ---- what nodes are ---- */

static bool is_characters(const search *s, cflri_node n) {
    const size_t *start = s->readings->start;
    return start[n + 1] == start[n] + 1 &&
           s->readings->class.at[start[n]] == CFLRI_CLASS_CHARACTERS;
}

/* The object whose address the node is; a slot is that of a parameter. */
static cflri_node object_of(const search *s, cflri_node n) {
    const cflri_node_record *node = record(s, n);
    if (node->how == CFLRI_SLOT) return s->content[n];
    return node->how == CFLRI_ADDRESS ? node->base : CFLRI_NO_NODE;
}

/* Is it one of something else than characters? */
static bool is_other_object(const search *s, cflri_node n) {
    if (object_of(s, n) == CFLRI_NO_NODE) return false;
    const cflri_node_record *object = record(s, object_of(s, n));
    if (object->kind == CFLR_VERTEX_ALLOCATION || object->kind == CFLR_VERTEX_STRING) return false;
    if (object->kind == CFLR_VERTEX_FUNCTION) return true;
    uint32_t class = s->readings->classes->content[object->type];
    return class > 1 && class - 1 != CFLRI_CLASS_CHARACTERS; /* one more than the class */
}

static bool is_typed(const search *s, cflri_node n) {
    const size_t *start = s->readings->start;
    return (start[n + 1] > start[n] && !is_characters(s, n)) || is_other_object(s, n);
}

/* ---- the searches ---- */

/* A null constant is nothing's address. */
static cflr_status reach(search *s, cflri_node n, uint8_t how) {
    bool characters = is_characters(s, n);
    if (record(s, n)->kind == CFLR_VERTEX_NULL_VALUE) return CFLR_OK;
    if ((s->reached[n] & how) == how || is_typed(s, n)) return CFLR_OK;
    if (characters || (record(s, n)->how == CFLRI_ADDRESS && how & NEAR)) s->raw[n] = true;
    s->reached[n] |= how;
    return cflri_vec_push(s->program->context, &s->stack, n) ? CFLR_OK : no_memory(s);
}

/* All pointers to characters of that cell. */
static cflr_status reach_cell(search *s, cflri_cell key, uint8_t how) {
    cflr_status st = CFLR_OK;
    size_t i = cflri_kept_find(&s->kept, key.class, key.offset);
    for (; i < s->kept.cells.n && s->kept.cells.at[i].class == key.class &&
           s->kept.cells.at[i].offset == key.offset;
         i++)
        if (is_characters(s, s->kept.cells.at[i].node))
            CFLR_TRY(reach(s, s->kept.cells.at[i].node, how));
out:
    return st;
}

/* Is the node a parameter, so that an assignment to it is a call's? */
static bool is_parameter(const search *s, cflri_node n) {
    const cflri_node_record *node = record(s, n);
    return node->how == CFLRI_DEREF && record(s, node->base)->how == CFLRI_SLOT &&
           cflri_step_slot(record(s, node->base)->step) != CFLRI_SLOT_RETURN;
}

/* The address of no member that the source names. */
static bool is_moved(const cflri_facts *facts, cflri_node n) {
    return facts->nodes.at[n].how == CFLRI_FIELD && !cflri_is_told(facts, n);
}

static cflr_status group_moved(search *s) {
    cflr_context *context = s->program->context;
    size_t n_nodes = s->facts->nodes.n;
    uint32_t *base = cflri_alloc_array(context, n_nodes, sizeof *base);
    if (!base) return no_memory(s);
    for (cflri_node n = 0; n < n_nodes; n++)
        base[n] = is_moved(s->facts, n) ? record(s, n)->base : UINT32_MAX;
    cflr_status st = cflri_group(context, base, n_nodes, n_nodes, &s->moved, s->error);
    cflri_free(context, base);
    return st;
}

/* Back over an assignment to that node. */
static cflr_status reach_source(search *s, cflri_node from, cflri_node to, uint8_t how) {
    uint8_t back = how & (is_parameter(s, to) ? BACK : BACK | NEAR);
    return reach(s, from, back);
}

static cflr_status step(search *s, cflri_node n) {
    cflr_status st = CFLR_OK;
    uint8_t how = s->reached[n];
    cflri_cell place;
    for (size_t k = 0; is_characters(s, n) && cflri_kept_cell(&s->kept, n, k, &place); k++)
        CFLR_TRY(reach_cell(s, place, how));
    for (uint32_t i = s->out.start[n]; i < s->out.start[n + 1] && (how & FORWARD); i++)
        CFLR_TRY(reach(s, s->out.next[i], FORWARD));
    for (uint32_t i = s->moved.start[n]; i < s->moved.start[n + 1] && (how & FORWARD); i++)
        CFLR_TRY(reach(s, s->moved.item[i], FORWARD));
    if (is_moved(s->facts, n) && (how & BACK))
        CFLR_TRY(reach(s, record(s, n)->base, how & (BACK | NEAR)));
    for (uint32_t i = s->into.start[n]; i < s->into.start[n + 1] && (how & BACK); i++)
        CFLR_TRY(reach_source(s, s->into.next[i], n, how));
out:
    return st;
}

/* Memory without a type, and what callers and callees that meet in a function value exchange: it is
 * not followed. */
static bool is_open(const search *s, cflri_node n) {
    return s->readings->start[n + 1] == s->readings->start[n] &&
           cflri_is_open_content(s->program, n);
}

/* ((struct s *)block)->next, *(struct s **)block: the cast has no node of its own. */
static bool is_followed_as_other(const search *s, cflri_node n) {
    const cflri_node_record *node = record(s, n);
    bool pointer = node->how == CFLRI_DEREF && node->carrier == CFLRI_CARRIES_POINTER &&
                   strchr(cflri_string(&s->facts->strings, node->type), '*') != NULL;
    return s->program->kept[n] && (pointer || cflri_has_record(s->facts, n));
}

/* From each assignment between something typed and something else. */
static cflr_status begin(search *s) {
    cflr_status st = CFLR_OK;
    for (size_t i = 0; i < s->facts->assigns.n; i++) {
        const cflri_assign *assign = &s->facts->assigns.at[i];
        if (assign->data || assign->flow == CFLRI_FLOW_NULL) continue;
        if (is_typed(s, assign->from) || is_open(s, assign->from))
            CFLR_TRY(reach(s, assign->to, FORWARD));
        if (is_typed(s, assign->to)) /* the function that assigns turns it, or passes it on so */
            CFLR_TRY(reach(s, assign->from, BACK | NEAR));
        else if (is_open(s, assign->to))
            CFLR_TRY(reach_source(s, assign->from, assign->to, BACK | NEAR));
    }
    for (cflri_node n = 0; n < s->facts->nodes.n; n++)
        if (is_followed_as_other(s, n)) CFLR_TRY(reach(s, record(s, n)->base, BACK | NEAR));
    while (s->stack.n) CFLR_TRY(step(s, s->stack.at[--s->stack.n]));
out:
    return st;
}

/* Members that are arrays of characters, whose address becomes a pointer to something else. */
static cflr_status list_arrays(const search *s, cflri_pairs *cells) {
    for (cflri_node n = 0; n < s->facts->nodes.n; n++) {
        if (!(s->reached[n] & NEAR) || record(s, n)->how != CFLRI_FIELD) continue;
        for (size_t k = s->readings->record_start[n]; k < s->readings->record_start[n + 1]; k++) {
            cflri_cell at = {s->readings->record.at[k], record(s, n)->step, n};
            cflri_kept_innermost(&s->kept, &at);
            if (!cflri_vec_push(s->program->context, cells, cflri_pair(at.class, at.offset)))
                return no_memory(s);
        }
    }
    return CFLR_OK;
}

static cflr_status list_raw(const search *s, cflri_pairs *cells) {
    for (size_t i = 0; i < s->kept.cells.n; i++) {
        cflri_cell at;
        cflri_node n = s->kept.cells.at[i].node;
        for (size_t k = 0; s->raw[n] && cflri_kept_member(&s->kept, n, k, &at); k++)
            if (!cflri_vec_push(s->program->context, cells, cflri_pair(at.class, at.offset)))
                return no_memory(s);
    }
    return CFLR_OK;
}

static void find_contents(const search *s) {
    for (cflri_node n = 0; n < s->facts->nodes.n; n++) s->content[n] = CFLRI_NO_NODE;
    for (cflri_node n = 0; n < s->facts->nodes.n; n++)
        if (record(s, n)->how == CFLRI_DEREF) s->content[record(s, n)->base] = n;
}

cflr_status cflri_find_raw(const cflri_readings *readings, bool *raw, cflri_pairs *cells,
                           cflr_error *error) {
    cflr_status st = CFLR_OK;
    const cflri_program *program = readings->program;
    cflr_context *context = program->context;
    search s = {.readings = readings,
                .program = program,
                .facts = &program->facts,
                .raw = raw,
                .error = error};
    s.reached = cflri_alloc_array_zero(context, s.facts->nodes.n, sizeof *s.reached);
    s.content = cflri_alloc_array(context, s.facts->nodes.n, sizeof *s.content);
    if (!s.reached || !s.content) CFLR_TRY(no_memory(&s));
    find_contents(&s);
    CFLR_TRY(cflri_flows_make(&s.into, s.facts, false, error));
    CFLR_TRY(cflri_flows_make(&s.out, s.facts, true, error));
    CFLR_TRY(group_moved(&s));
    CFLR_TRY(cflri_kept_make(&s.kept, readings, &s.out, error));
    CFLR_TRY(begin(&s));
    CFLR_TRY(list_raw(&s, cells));
    st = list_arrays(&s, cells);
out:
    cflri_free(context, s.reached);
    cflri_free(context, s.content);
    cflri_free(context, s.moved.start);
    cflri_free(context, s.moved.item);
    cflri_flows_free(context, &s.into);
    cflri_flows_free(context, &s.out);
    cflri_kept_free(&s.kept);
    cflri_vec_free(context, &s.stack);
    return st;
}
