/* SPDX-License-Identifier: Apache-2.0
 *
 * uses.c: as which types the memory of an allocation is used.
 *
 *     struct s *p = malloc(n);                         struct s
 *     void *v = malloc(n); struct s *p = v;            struct s
 *     t->data = malloc(n), a void *                    any: what comes out of memory is not known before the closure
 *
 * Where a pointer of some type is moved by other than its members, memory may have the type and
 * others: a header, and what lies behind it. Then it is any.
 *
 * A search along the assignments that ends where a type is known. Most allocations have one type,
 * and so one object each in place of one for each type of the program. It goes over vertices: each
 * copy of a function that returns fresh memory (clone.h) has the uses of its own callers.
 */
#include "frontend/uses.h"

#include "base/context.h"
#include "frontend/locations.h"

enum { MOST_VERTICES = 256 };

static bool is_open(const cflri_uses *x, cflri_node n) {
    const cflri_program *program = x->readings->program;
    const cflri_node_record *node = &program->facts.nodes.at[n];
    if (node->kind == CFLR_VERTEX_UNKNOWN || node->kind == CFLR_VERTEX_LOST ||
        node->kind == CFLR_VERTEX_OUTSIDE || node->moved)
        return true;
    return cflri_is_open_content(program, n);
}

/* What is followed, or whose address is taken, without a type is open, too. */
static void find_open(cflri_uses *x) {
    const cflri_facts *facts = &x->readings->program->facts;
    for (cflri_node n = 0; n < facts->nodes.n; n++) {
        x->open[n] = x->open[n] || is_open(x, n);
        if (facts->nodes.at[n].how != CFLRI_ROOT && x->readings->program->kept[n])
            x->open[facts->nodes.at[n].base] = true;
    }
}

static void shift(const cflri_uses *x, cflri_node n) {
    const cflri_readings *r = x->readings;
    for (size_t i = r->start[n]; i < r->start[n + 1]; i++) x->shifted[r->class.at[i]] = true;
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

/* What each assignment is in each instance: counted into `end`, or put before it. How many. */
static uint64_t each_assign(const cflri_uses *x, const cflri_groups *instances, uint32_t *end) {
    const cflri_program *program = x->readings->program;
    uint64_t n = 0;
    for (size_t k = 0; k < program->facts.assigns.n; k++) {
        const cflri_assign *assign = &program->facts.assigns.at[k];
        if (assign->data) continue;
        uint32_t f = cflri_program_owner(program, assign), from, to;
        n += instances->start[f + 1] - instances->start[f];
        for (uint32_t j = instances->start[f]; j < instances->start[f + 1]; j++) {
            cflri_contexts_assign(x->contexts, instances->item[j], assign, &from, &to);
            if (x->next)
                x->next[end[from]++] = to;
            else
                end[from + 1]++;
        }
    }
    return n;
}

static cflr_status make_flows(cflri_uses *x, cflr_error *error) {
    cflr_status st = CFLR_OK;
    cflr_context *context = x->readings->program->context;
    size_t n = x->contexts->n_vertices;
    cflri_groups instances = {0};
    CFLR_TRY(cflri_contexts_group(x->contexts, &instances, error));
    x->start = cflri_alloc_array_zero(context, n + 2, sizeof *x->start);
    if (!x->start) CFLR_TRY(cflri_fail_memory(context, error));
    uint32_t *end = x->start + 1; /* of each row, when all are filled */
    if (each_assign(x, &instances, end) >= UINT32_MAX)
        CFLR_TRY(cflri_fail(error, CFLR_LIMIT, NULL, "too many assignments"));
    for (size_t v = 0; v < n; v++) end[v + 1] += end[v];
    x->next = cflri_alloc_array(context, end[n], sizeof *x->next);
    if (!x->next) CFLR_TRY(cflri_fail_memory(context, error));
    each_assign(x, &instances, end);
out:
    cflri_free(context, instances.start);
    cflri_free(context, instances.item);
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
    x->seen = cflri_alloc_array_zero(context, n, sizeof *x->seen);
    x->shifted =
        cflri_alloc_array_zero(context, cflri_classes_count(readings->classes), sizeof *x->shifted);
    if (!x->open || !x->node || !x->seen || !x->shifted) return cflri_fail_memory(context, error);
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
    cflri_node n = x->node[vertex];
    bool good = true;
    if (x->seen[vertex] == x->asked) return true;
    x->seen[vertex] = x->asked;
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
