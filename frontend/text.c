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
 * What one member of a record holds, it holds in all records of the type: if p->base is raw, all
 * such are. What comes out of other memory as a void *, or goes into it, may be anything, and so
 * may what functions exchange that are called through values.
 *
 * Two searches over the assignments, forward from what is no text and back from what becomes none.
 */
#include "frontend/text.h"

#include <stdlib.h>

#include "base/context.h"
#include "base/graph.h"
#include "frontend/flows.h"
#include "frontend/locations.h"

/* How a node is reached: 1 forward, 2 back. */
enum { FORWARD = 1, BACK = 2 };

typedef struct cell {
    uint32_t class, offset; /* of a member */
    cflri_node node;        /* a content of it */
} cell;

typedef struct search {
    const cflri_readings *readings;
    const cflri_program *program;
    const cflri_facts *facts;
    cflri_flows into, out; /* the assignments, backward and forward */
    CFLRI_VEC(cell) cells; /* sorted */
    uint8_t *reached;      /* by node */
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

/* Of what an object is, whose address the node is. */
static bool is_other_object(const search *s, cflri_node n) {
    const cflri_node_record *node = record(s, n);
    if (node->how != CFLRI_ADDRESS) return false;
    const cflri_node_record *object = record(s, node->base);
    if (object->kind == CFLR_VERTEX_ALLOCATION || object->kind == CFLR_VERTEX_STRING) return false;
    uint32_t class = s->readings->classes->content[object->type];
    return class > 1 && class - 1 != CFLRI_CLASS_CHARACTERS; /* one more than the class */
}

static bool is_typed(const search *s, cflri_node n) {
    const size_t *start = s->readings->start;
    return (start[n + 1] > start[n] && !is_characters(s, n)) || is_other_object(s, n);
}

/* ---- cells ---- */

static int by_cell(const void *a, const void *b) {
    const cell *x = a, *y = b;
    if (x->class != y->class) return x->class < y->class ? -1 : 1;
    if (x->offset != y->offset) return x->offset < y->offset ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

/* At the start of a record is the start of its first member. */
static void innermost(const search *s, cell *found) {
    enum { MOST_DEPTH = 64 };
    const cflri_shapes *shapes = s->readings->shapes;
    for (int depth = 0; depth < MOST_DEPTH; depth++) {
        size_t first, end;
        cflri_shapes_at(shapes, found->class, found->offset, &first, &end);
        if (first == end) return;
        uint32_t class = s->readings->classes->content[shapes->members.at[first].type] - 1;
        if (class < CFLRI_FIRST_RECORD) return;
        *found = (cell){class, 0, found->node};
    }
}

/* The member that the content is of, of a variable that is a record its first; false for none. */
static bool cell_of(const search *s, cflri_node n, cell *found) {
    const cflri_node_record *node = record(s, n);
    const size_t *start = s->readings->start;
    *found = (cell){.node = n};
    if (node->how == CFLRI_ROOT) {
        found->class = s->readings->classes->content[node->type] - 1;
        innermost(s, found);
        return found->class >= CFLRI_FIRST_RECORD;
    }
    if (node->how != CFLRI_DEREF) return false;
    const cflri_node_record *base = record(s, node->base);
    if (cflri_is_told(s->facts, node->base)) {
        found->class = s->readings->classes->content[base->key] - 1;
        found->offset = base->step;
        innermost(s, found);
        return true;
    }
    if (start[node->base + 1] != start[node->base] + 1) return false;
    found->class = s->readings->class.at[start[node->base]];
    innermost(s, found);
    return found->class >= CFLRI_FIRST_RECORD;
}

static cflr_status find_cells(search *s) {
    for (cflri_node n = 0; n < s->facts->nodes.n; n++) {
        cell found;
        if (!is_characters(s, n) || !cell_of(s, n, &found)) continue;
        if (!cflri_vec_push(s->program->context, &s->cells, found)) return no_memory(s);
    }
    if (s->cells.n) qsort(s->cells.at, s->cells.n, sizeof *s->cells.at, by_cell);
    return CFLR_OK;
}

/* ---- the searches ---- */

/* A null constant is nothing's address. */
static cflr_status reach(search *s, cflri_node n, uint8_t how) {
    bool characters = is_characters(s, n);
    if (record(s, n)->kind == CFLR_VERTEX_NULL_VALUE) return CFLR_OK;
    if ((s->reached[n] & how) == how || is_typed(s, n)) return CFLR_OK;
    if (characters || (record(s, n)->how == CFLRI_ADDRESS && how & BACK)) s->raw[n] = true;
    s->reached[n] |= how;
    return cflri_vec_push(s->program->context, &s->stack, n) ? CFLR_OK : no_memory(s);
}

/* All contents of that member, both ways. */
static cflr_status reach_cell(search *s, cflri_node n) {
    cflr_status st = CFLR_OK;
    cell key;
    if (!is_characters(s, n) || !cell_of(s, n, &key)) return CFLR_OK;
    size_t low = 0, high = s->cells.n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const cell *at = &s->cells.at[middle];
        bool less = at->class < key.class || (at->class == key.class && at->offset < key.offset);
        if (less)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < s->cells.n && s->cells.at[low].class == key.class &&
           s->cells.at[low].offset == key.offset;
         low++)
        CFLR_TRY(reach(s, s->cells.at[low].node, FORWARD | BACK));
out:
    return st;
}

static cflr_status step(search *s, cflri_node n) {
    cflr_status st = CFLR_OK;
    uint8_t how = s->reached[n];
    CFLR_TRY(reach_cell(s, n));
    for (uint32_t i = s->out.start[n]; i < s->out.start[n + 1] && (how & FORWARD); i++)
        CFLR_TRY(reach(s, s->out.next[i], FORWARD));
    for (uint32_t i = s->into.start[n]; i < s->into.start[n + 1] && (how & BACK); i++)
        CFLR_TRY(reach(s, s->into.next[i], BACK));
out:
    return st;
}

/* Memory without a type, and what callers and callees that meet in a function value exchange: it is
 * not followed. */
static bool is_open(const search *s, cflri_node n) {
    return s->readings->start[n + 1] == s->readings->start[n] &&
           cflri_is_open_content(s->program, n);
}

/* From each assignment between something typed and something else. */
static cflr_status begin(search *s) {
    cflr_status st = CFLR_OK;
    for (size_t i = 0; i < s->facts->assigns.n; i++) {
        const cflri_assign *assign = &s->facts->assigns.at[i];
        if (assign->data || assign->flow == CFLRI_FLOW_NULL) continue;
        if (is_typed(s, assign->from) || is_open(s, assign->from))
            CFLR_TRY(reach(s, assign->to, FORWARD));
        if (is_typed(s, assign->to) || is_open(s, assign->to))
            CFLR_TRY(reach(s, assign->from, BACK));
    }
    while (s->stack.n) CFLR_TRY(step(s, s->stack.at[--s->stack.n]));
out:
    return st;
}

/* Members that are arrays of characters, whose address becomes a pointer to something else. */
static cflr_status list_arrays(const search *s, cflri_pairs *cells) {
    for (cflri_node n = 0; n < s->facts->nodes.n; n++) {
        if (!s->raw[n] || !cflri_is_told(s->facts, n)) continue;
        cell at = {s->readings->classes->content[record(s, n)->key] - 1, record(s, n)->step, n};
        innermost(s, &at);
        if (!cflri_vec_push(s->program->context, cells, cflri_pair(at.class, at.offset)))
            return no_memory(s);
    }
    return CFLR_OK;
}

static cflr_status list_raw(const search *s, cflri_pairs *cells) {
    for (size_t i = 0; i < s->cells.n; i++) {
        const cell *at = &s->cells.at[i];
        uint64_t pair = cflri_pair(at->class, at->offset);
        if (s->raw[at->node] && !cflri_vec_push(s->program->context, cells, pair))
            return no_memory(s);
    }
    return CFLR_OK;
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
    if (!s.reached) CFLR_TRY(no_memory(&s));
    CFLR_TRY(cflri_flows_make(&s.into, s.facts, false, error));
    CFLR_TRY(cflri_flows_make(&s.out, s.facts, true, error));
    CFLR_TRY(find_cells(&s));
    CFLR_TRY(begin(&s));
    CFLR_TRY(list_raw(&s, cells));
    st = list_arrays(&s, cells);
out:
    cflri_free(context, s.reached);
    cflri_flows_free(context, &s.into);
    cflri_flows_free(context, &s.out);
    cflri_vec_free(context, &s.cells);
    cflri_vec_free(context, &s.stack);
    return st;
}
