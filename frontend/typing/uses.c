/* SPDX-License-Identifier: Apache-2.0
 *
 * uses.c: as which types the memory of an allocation is used.
 *
 *     struct s *p = malloc(n);                         struct s
 *     void *v = malloc(n); struct s *p = v;            struct s
 *     t->data = malloc(n), a void *                    any: what comes out of memory is not known
 *                                                      before the closure
 *
 * Where a pointer of some type is moved by other than its members, memory may have the type and
 * others: a header, and what lies behind it. Then it is any.
 *
 * What passes through a call through a pointer goes to all functions that such a call may enter by
 * its type (callees.h), as a vertex for each signature and slot where both meet. Of code that is
 * not known, which the pointer may lead to as well, it is assumed that it gives memory back as what
 * it was.
 *
 *     (*fp)(p)    p -> argument 0 of calls int (void *) -> parameter 0 of each function of the type
 *
 * A search along the assignments that ends where a type is known. Most allocations have one type,
 * and so one object each in place of one for each type of the program. It goes over vertices: each
 * copy of a function that returns fresh memory (clone.h) has the uses of its own callers.
 */
#include "frontend/typing/uses.h"

#include "base/context.h"
#include "frontend/facts/facts_table.h"
#include "frontend/facts/told.h"
#include "frontend/program/callees.h"
#include "frontend/program/varargs.h"

enum { MOST_VERTICES = 2048 };

/* ---- what is open ---- */

/* The content of a slot of a call through a value, or of a function that such a call may enter. */
static bool is_passage(const cflri_uses *x, cflri_node n) {
    const cflri_facts *facts = &x->readings->program->facts;
    const cflri_node_record *node = &facts->nodes.at[n];
    return node->how == CFLRI_DEREF && facts->nodes.at[node->base].how == CFLRI_SLOT;
}

/* Variable arguments, or numbered ones that the function takes as such: a va_list leads there. */
static bool is_variable(const cflri_uses *x, cflri_node n) {
    const cflri_program *program = x->readings->program;
    const cflri_facts *facts = &program->facts;
    cflri_node slot = facts->nodes.at[n].base;
    uint32_t owner = cflri_program_slot_owner(program, slot);
    uint32_t k = cflri_step_slot(facts->nodes.at[slot].step);
    const cflri_function *function = &facts->functions.at[owner];
    return k == CFLRI_SLOT_VARARGS ||
           (owner && function->variadic && k != CFLRI_SLOT_RETURN && k >= function->n_parameters);
}

static bool is_open(const cflri_uses *x, cflri_node n) {
    const cflri_program *program = x->readings->program;
    const cflri_node_record *node = &program->facts.nodes.at[n];
    if (node->kind == CFLR_VERTEX_UNKNOWN || node->kind == CFLR_VERTEX_LOST ||
        node->kind == CFLR_VERTEX_OUTSIDE || node->moved)
        return true;
    if (is_passage(x, n)) return is_variable(x, n) || program->taken[node->base];
    return cflri_is_open_content(program, n);
}

/* A node that is followed, or whose address is taken, without a type is open, too. */
static void find_open(cflri_uses *x) {
    const cflri_facts *facts = &x->readings->program->facts;
    for (cflri_node n = 0; n < facts->nodes.n; n++) {
        x->open[n] = x->open[n] || is_open(x, n);
        if (facts->nodes.at[n].how != CFLRI_ROOT && x->readings->program->kept[n])
            x->open[facts->nodes.at[n].base] = true;
    }
}

/* Characters that become something else are no text (text.h), and have no class. */
static void shift(const cflri_uses *x, cflri_node n) {
    const cflri_readings *r = x->readings;
    for (size_t i = r->start[n]; i < r->start[n + 1]; i++)
        if (r->class.at[i] != CFLRI_CLASS_CHARACTERS) x->shifted[r->class.at[i]] = true;
}

static void find_shifted(const cflri_uses *x) {
    const cflri_facts *facts = &x->readings->program->facts;
    for (cflri_node n = 0; n < facts->nodes.n; n++) {
        bool step = facts->nodes.at[n].how == CFLRI_FIELD && !cflri_is_told(facts, n) &&
                    !cflri_is_summary_step(facts, n);
        if (step) shift(x, facts->nodes.at[n].base);
    }
    for (size_t i = 0; i < facts->assigns.n; i++)
        if (facts->nodes.at[facts->assigns.at[i].to].moved) shift(x, facts->assigns.at[i].from);
}

/* ---- vertices ---- */

static void find_nodes(const cflri_uses *x) {
    const cflri_contexts *contexts = x->contexts;
    for (uint32_t i = 0; i < contexts->instances.n; i++) {
        uint32_t f = contexts->instances.at[i].function;
        for (uint32_t j = contexts->nodes.start[f]; j < contexts->nodes.start[f + 1]; j++) {
            cflri_node node = contexts->nodes.item[j];
            x->node[cflri_contexts_vertex(contexts, i, node)] = node;
        }
    }
}

/* Ways from vertex to vertex: counted, or put in their rows. */
typedef struct ways {
    const cflri_uses *uses;
    cflri_groups instances;  /* by function */
    uint32_t *end;           /* by vertex: of its row, which begins there while rows are filled */
    cflri_triples *meetings; /* (slot, signature, 0) -> number behind those of the vertices */
    uint32_t n_meetings;
    uint64_t n;
} ways;

static void way(ways *w, uint32_t from, uint32_t to) {
    w->n++;
    if (w->uses->next)
        w->uses->next[w->end[from]++] = to;
    else
        w->end[from + 1]++;
}

static void each_assign(ways *w) {
    const cflri_program *program = w->uses->readings->program;
    for (size_t k = 0; k < program->facts.assigns.n; k++) {
        const cflri_assign *assign = &program->facts.assigns.at[k];
        if (assign->data) continue;
        uint32_t f = cflri_program_owner(program, assign), from, to;
        for (uint32_t j = w->instances.start[f]; j < w->instances.start[f + 1]; j++) {
            cflri_contexts_assign(w->uses->contexts, w->instances.item[j], assign, &from, &to);
            way(w, from, to);
        }
    }
}

/* Where calls of that signature and functions meet; UINT32_MAX for calls that are never made. */
static uint32_t meeting(const ways *w, uint32_t slot, uint32_t signature) {
    uint32_t number = cflri_triples_find(w->meetings, (cflri_triple){slot, signature, 0});
    return number == CFLRI_NO_VALUE ? UINT32_MAX : (uint32_t)w->uses->contexts->n_vertices + number;
}

static cflr_status find_meetings(ways *w, cflr_error *error) {
    const cflri_program *program = w->uses->readings->program;
    const cflri_facts *facts = &program->facts;
    w->meetings = cflri_triples_new(program->context);
    if (!w->meetings) return cflri_fail_memory(program->context, error);
    for (cflri_node n = 0; n < facts->nodes.n; n++) {
        const cflri_node_record *slot = &facts->nodes.at[facts->nodes.at[n].base];
        if (!is_passage(w->uses, n) || cflri_program_slot_owner(program, facts->nodes.at[n].base))
            continue;
        const cflri_triple key = {cflri_step_slot(slot->step),
                                  cflri_called_by(program, cflri_step_signature(slot->step)), 0};
        if (cflri_triples_find(w->meetings, key) != CFLRI_NO_VALUE) continue;
        if (!cflri_triples_add(w->meetings, key, w->n_meetings++))
            return cflri_fail_memory(program->context, error);
    }
    return CFLR_OK;
}

/* Between the content of a slot, of a call or a function, and where both meet. */
static void pass(ways *w, uint32_t vertex, uint32_t slot, uint32_t signature, bool call) {
    uint32_t at = meeting(w, slot, signature);
    bool out = (slot == CFLRI_SLOT_RETURN) == call;
    if (at != UINT32_MAX) way(w, out ? at : vertex, out ? vertex : at);
}

static void each_passage(ways *w) {
    const cflri_program *program = w->uses->readings->program;
    const cflri_facts *facts = &program->facts;
    const cflri_contexts *contexts = w->uses->contexts;
    for (uint32_t v = 0; v < contexts->n_vertices; v++) {
        cflri_node n = w->uses->node[v];
        if (!is_passage(w->uses, n)) continue;
        const cflri_node_record *slot = &facts->nodes.at[facts->nodes.at[n].base];
        uint32_t owner = cflri_program_slot_owner(program, facts->nodes.at[n].base);
        uint32_t k = cflri_step_slot(slot->step);
        if (!owner) pass(w, v, k, cflri_called_by(program, cflri_step_signature(slot->step)), true);
        if (!owner || !program->role[owner].valued) continue;
        const cflri_entries by = cflri_entries_of(program, owner);
        pass(w, v, k, CFLRI_NO_SIGNATURE, false);
        for (size_t i = 0; i < by.n; i++) pass(w, v, k, by.signature[i], false);
    }
}

/* Of a function without model the arguments go to what it holds, which is open. */
static void each_unknown(ways *w) {
    const cflri_program *program = w->uses->readings->program;
    for (uint32_t f = 1; f < program->facts.functions.n; f++) {
        const cflri_role *role = &program->role[f];
        if (!role->valued || role->unknown == CFLRI_NO_NODE || !program->kept[role->unknown])
            continue;
        uint32_t vertex = cflri_contexts_vertex(w->uses->contexts, 0, role->unknown);
        const cflri_entries by = cflri_entries_of(program, f);
        for (uint32_t k = 0; k < CFLRI_NUMBERED_ARGUMENTS; k++) {
            pass(w, vertex, k, CFLRI_NO_SIGNATURE, false);
            for (size_t i = 0; i < by.n; i++) pass(w, vertex, k, by.signature[i], false);
        }
    }
}

static void each_way(ways *w) {
    each_assign(w);
    each_passage(w);
    each_unknown(w);
}

static cflr_status make_flows(cflri_uses *x, cflr_error *error) {
    cflr_status st = CFLR_OK;
    cflr_context *context = x->readings->program->context;
    ways w = {.uses = x};
    CFLR_TRY(cflri_contexts_group(x->contexts, &w.instances, error));
    CFLR_TRY(find_meetings(&w, error));
    size_t n = x->contexts->n_vertices + w.n_meetings;
    x->start = cflri_alloc_array_zero(context, n + 2, sizeof *x->start);
    x->seen = cflri_alloc_array_zero(context, n, sizeof *x->seen);
    if (!x->start || !x->seen) CFLR_TRY(cflri_fail_memory(context, error));
    w.end = x->start + 1; /* of each row, when all are filled */
    each_way(&w);
    if (w.n >= UINT32_MAX) CFLR_TRY(cflri_fail(error, CFLR_LIMIT, NULL, "too many assignments"));
    for (size_t v = 0; v < n; v++) w.end[v + 1] += w.end[v];
    x->next = cflri_alloc_array(context, w.end[n], sizeof *x->next);
    if (!x->next) CFLR_TRY(cflri_fail_memory(context, error));
    each_way(&w);
out:
    cflri_triples_free(w.meetings);
    cflri_free(context, w.instances.start);
    cflri_free(context, w.instances.item);
    return st;
}

cflr_status cflri_uses_make(cflri_uses *x, const cflri_contexts *contexts,
                            const cflri_readings *readings, cflr_error *error) {
    const cflri_facts *facts = &readings->program->facts;
    cflr_context *context = readings->program->context;
    size_t n = contexts->n_vertices;
    *x = (cflri_uses){.readings = readings, .contexts = contexts};
    x->open = cflri_alloc_array_zero(context, facts->nodes.n, sizeof *x->open);
    x->node = cflri_alloc_array_zero(context, n, sizeof *x->node);
    x->shifted =
        cflri_alloc_array_zero(context, cflri_classes_count(readings->classes), sizeof *x->shifted);
    if (!x->open || !x->node || !x->shifted) return cflri_fail_memory(context, error);
    find_nodes(x);
    find_open(x);
    find_shifted(x);
    return make_flows(x, error);
}

void cflri_uses_free(cflri_uses *x) {
    if (!x->readings) return;
    cflr_context *context = x->readings->program->context;
    cflri_free(context, x->start);
    cflri_free(context, x->next);
    cflri_free(context, x->node);
    cflri_free(context, x->open);
    cflri_free(context, x->shifted);
    cflri_free(context, x->seen);
    cflri_vec_free(context, &x->stack);
}

/* The classes of a vertex; of one without, it is to be searched on. */
static bool meet(cflri_uses *x, uint32_t vertex, cflri_numbers *classes, bool *all) {
    cflr_context *context = x->readings->program->context;
    const cflri_readings *r = x->readings;
    bool good = true;
    if (x->seen[vertex] == x->asked) return true;
    x->seen[vertex] = x->asked;
    if (vertex >= x->contexts->n_vertices) return cflri_vec_push(context, &x->stack, vertex);
    cflri_node n = x->node[vertex];
    for (size_t i = r->start[n]; i < r->start[n + 1]; i++) {
        *all = *all || x->shifted[r->class.at[i]];
        good = good && cflri_vec_push(context, classes, r->class.at[i]);
    }
    if (r->start[n] < r->start[n + 1]) return good;
    *all = *all || x->open[n];
    return good && cflri_vec_push(context, &x->stack, vertex);
}

cflr_status cflri_uses_of(cflri_uses *x, uint32_t vertex, cflri_numbers *classes, bool *all,
                          cflr_error *error) {
    cflr_context *context = x->readings->program->context;
    size_t met = 0;
    x->asked++;
    x->stack.n = classes->n = 0;
    *all = false;
    if (!cflri_vec_push(context, &x->stack, vertex)) return cflri_fail_memory(context, error);
    while (x->stack.n && !*all) {
        uint32_t at = x->stack.at[--x->stack.n];
        *all = ++met > MOST_VERTICES;
        for (uint32_t i = x->start[at]; i < x->start[at + 1] && !*all; i++)
            if (!meet(x, x->next[i], classes, all)) return cflri_fail_memory(context, error);
    }
    return CFLR_OK;
}
