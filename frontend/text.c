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
 * such are. So are all that a char ** may lead to: *p, and variables and members whose address is
 * taken, are one. What comes out of other memory as a void *, or goes into it, may be anything, and
 * so may what functions exchange that are called through values.
 *
 * What is moved by a number, `block + 8`, is raw with what it is moved from, and the reverse.
 *
 * Two searches over the assignments, forward from what is no text and back from what becomes none.
 * An array of characters is memory for something else only where the way back to it passes no
 * parameter: free() makes a block of each text that it is given, and of no array.
 */
#include "frontend/text.h"

#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "base/graph.h"
#include "base/ids.h"
#include "frontend/flows.h"
#include "frontend/locations.h"

/* How a node is reached; NEAR: back, and from no parameter to what calls give it. */
enum { FORWARD = 1, BACK = 2, NEAR = 4 };

typedef struct cell {
    uint32_t class, offset; /* of a member */
    cflri_node node;        /* a content of it */
} cell;

typedef struct search {
    const cflri_readings *readings;
    const cflri_program *program;
    const cflri_facts *facts;
    cflri_flows into, out; /* the assignments, backward and forward */
    cflri_groups moved;    /* by node: the addresses of members that no type tells, from it */
    CFLRI_VEC(cell) cells; /* sorted */
    cflri_pairs taken;     /* sorted pairs (record, offset): members whose address is taken */
    uint8_t *reached;      /* by node */
    bool *addressed;       /* by node: a variable whose address is taken */
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
    if (object->kind == CFLR_VERTEX_FUNCTION) return true;
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
        if (!cflri_is_record_class(s->readings->classes, class)) return;
        *found = (cell){class, 0, found->node};
    }
}

static bool flows_on(const search *s, cflri_node n) {
    return s->out.start[n] < s->out.start[n + 1];
}

/* The member that the content is of, of a variable that is a record its first; `which` of several
 * from 0 on; false for none. */
static bool member_of(const search *s, cflri_node n, size_t which, cell *found) {
    const cflri_node_record *node = record(s, n);
    const size_t *start = s->readings->start;
    *found = (cell){.node = n};
    if (node->how == CFLRI_ROOT && which > 0) return false;
    if (node->how == CFLRI_ROOT) {
        found->class = s->readings->classes->content[node->type] - 1;
        innermost(s, found);
        return cflri_is_record_class(s->readings->classes, found->class);
    }
    if (node->how != CFLRI_DEREF) return false;
    const size_t *record_start = s->readings->record_start;
    if (record_start[n] + which < record_start[n + 1]) {
        *found = (cell){s->readings->record.at[record_start[n] + which], 0, n};
        innermost(s, found);
        return true;
    }
    if (record_start[n] < record_start[n + 1]) return false;
    const cflri_node_record *base = record(s, node->base);
    size_t of = record_start[node->base];
    if (of + which < record_start[node->base + 1] && base->how == CFLRI_FIELD) {
        *found = (cell){s->readings->record.at[of + which], base->step, n};
        innermost(s, found);
        return true;
    }
    if (which > 0) return false;
    if (start[node->base + 1] != start[node->base] + 1) return false;
    found->class = s->readings->class.at[start[node->base]];
    innermost(s, found);
    return cflri_is_record_class(s->readings->classes, found->class);
}

static bool is_taken(const search *s, uint32_t class, uint32_t offset) {
    uint64_t key = cflri_pair(class, offset);
    return s->taken.n &&
           bsearch(&key, s->taken.at, s->taken.n, sizeof key, cflri_pairs_compare) != NULL;
}

/* What a pointer to pointers to characters leads to, or a parameter whose address is taken. */
static bool is_pointed_to(const search *s, cflri_node n) {
    const size_t *start = s->readings->start;
    const cflri_node_record *node = record(s, n);
    if (node->how != CFLRI_DEREF) return false;
    bool one = start[node->base + 1] == start[node->base] + 1;
    if (record(s, node->base)->how == CFLRI_SLOT) return flows_on(s, node->base);
    return one &&
           cflri_is_pointer_class(s->readings->classes, s->readings->class.at[start[node->base]]);
}

/* The places of a pointer to characters, which other nodes may have, too; false for no more. */
static bool cell_of(const search *s, cflri_node n, size_t which, cell *found) {
    bool member = member_of(s, n, which, found);
    bool shared = member ? is_taken(s, found->class, found->offset)
                         : which == 0 && (s->addressed[n] || is_pointed_to(s, n));
    if (shared) *found = (cell){CFLRI_CLASS_POINTER, 0, n};
    return member || shared;
}

static cflr_status take(search *s, uint32_t class, uint32_t offset) {
    cell at = {class, offset, CFLRI_NO_NODE};
    innermost(s, &at);
    uint64_t pair = cflri_pair(at.class, at.offset);
    return cflri_vec_push(s->program->context, &s->taken, pair) ? CFLR_OK : no_memory(s);
}

/* Members and variables whose address is used as a value. */
static cflr_status find_taken(search *s) {
    cflr_status st = CFLR_OK;
    const uint32_t *content = s->readings->classes->content;
    for (cflri_node n = 0; n < s->facts->nodes.n; n++) {
        const cflri_node_record *node = record(s, n);
        if (!flows_on(s, n)) continue;
        if (node->how == CFLRI_ADDRESS) s->addressed[node->base] = true;
        if (node->how == CFLRI_ADDRESS && content[record(s, node->base)->type] > 1)
            CFLR_TRY(take(s, content[record(s, node->base)->type] - 1, 0));
        for (size_t k = s->readings->record_start[n]; k < s->readings->record_start[n + 1]; k++)
            if (node->how == CFLRI_FIELD) CFLR_TRY(take(s, s->readings->record.at[k], node->step));
    }
out:
    return st;
}

/* Records whose address becomes a pointer to something else, which may be their first member. */
static cflr_status find_begun(search *s) {
    cflr_status st = CFLR_OK;
    const size_t *start = s->readings->start;
    for (size_t i = 0; i < s->facts->assigns.n; i++) {
        const cflri_assign *assign = &s->facts->assigns.at[i];
        for (size_t k = start[assign->from]; k < start[assign->from + 1]; k++) {
            uint32_t class = s->readings->class.at[k];
            bool begins = cflri_is_record_class(s->readings->classes, class);
            bool same = start[assign->to] < start[assign->to + 1] &&
                        s->readings->class.at[start[assign->to]] == class;
            if (begins && !same) CFLR_TRY(take(s, class, 0));
        }
    }
    if (s->taken.n) qsort(s->taken.at, s->taken.n, sizeof *s->taken.at, cflri_pairs_compare);
out:
    return st;
}

static cflr_status find_cells(search *s) {
    for (cflri_node n = 0; n < s->facts->nodes.n; n++) {
        cell found;
        for (size_t k = 0; is_characters(s, n) && cell_of(s, n, k, &found); k++)
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
    if (characters || (record(s, n)->how == CFLRI_ADDRESS && how & NEAR)) s->raw[n] = true;
    s->reached[n] |= how;
    return cflri_vec_push(s->program->context, &s->stack, n) ? CFLR_OK : no_memory(s);
}

/* All contents of that member. */
static cflr_status reach_cell(search *s, cell key, uint8_t how) {
    cflr_status st = CFLR_OK;
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
        CFLR_TRY(reach(s, s->cells.at[low].node, how));
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
    cell place;
    for (size_t k = 0; is_characters(s, n) && cell_of(s, n, k, &place); k++)
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
        if (is_typed(s, assign->to) || is_open(s, assign->to))
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
            cell at = {s->readings->record.at[k], record(s, n)->step, n};
            innermost(s, &at);
            if (!cflri_vec_push(s->program->context, cells, cflri_pair(at.class, at.offset)))
                return no_memory(s);
        }
    }
    return CFLR_OK;
}

static cflr_status list_raw(const search *s, cflri_pairs *cells) {
    for (size_t i = 0; i < s->cells.n; i++) {
        cell at;
        cflri_node n = s->cells.at[i].node;
        for (size_t k = 0; s->raw[n] && member_of(s, n, k, &at); k++)
            if (!cflri_vec_push(s->program->context, cells, cflri_pair(at.class, at.offset)))
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
    s.addressed = cflri_alloc_array_zero(context, s.facts->nodes.n, sizeof *s.addressed);
    if (!s.reached || !s.addressed) CFLR_TRY(no_memory(&s));
    CFLR_TRY(cflri_flows_make(&s.into, s.facts, false, error));
    CFLR_TRY(cflri_flows_make(&s.out, s.facts, true, error));
    CFLR_TRY(group_moved(&s));
    CFLR_TRY(find_taken(&s));
    CFLR_TRY(find_begun(&s));
    CFLR_TRY(find_cells(&s));
    CFLR_TRY(begin(&s));
    CFLR_TRY(list_raw(&s, cells));
    st = list_arrays(&s, cells);
out:
    cflri_free(context, s.reached);
    cflri_free(context, s.moved.start);
    cflri_free(context, s.moved.item);
    cflri_flows_free(context, &s.into);
    cflri_flows_free(context, &s.out);
    cflri_free(context, s.addressed);
    cflri_vec_free(context, &s.cells);
    cflri_vec_free(context, &s.taken);
    cflri_vec_free(context, &s.stack);
    return st;
}
