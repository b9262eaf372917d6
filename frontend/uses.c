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
 * and so one object each in place of one for each type of the program.
 */
#include "frontend/uses.h"

#include "base/context.h"
#include "frontend/locations.h"

enum { MOST_NODES = 256 };

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

cflr_status cflri_uses_make(cflri_uses *x, const cflri_readings *readings, cflr_error *error) {
    const cflri_facts *facts = &readings->program->facts;
    cflr_context *context = readings->program->context;
    *x = (cflri_uses){.readings = readings};
    x->open = cflri_alloc_array_zero(context, facts->nodes.n, sizeof *x->open);
    x->seen = cflri_alloc_array_zero(context, facts->nodes.n, sizeof *x->seen);
    x->shifted =
        cflri_alloc_array_zero(context, cflri_classes_count(readings->classes), sizeof *x->shifted);
    if (!x->open || !x->seen || !x->shifted) return cflri_fail_memory(context, error);
    cflr_status st = cflri_flows_make(&x->flows, facts, true, error);
    if (st == CFLR_OK) find_open(x);
    if (st == CFLR_OK) find_shifted(x);
    return st;
}

void cflri_uses_free(cflri_uses *x) {
    if (!x->readings) return;
    cflr_context *context = x->readings->program->context;
    cflri_flows_free(context, &x->flows);
    cflri_free(context, x->open);
    cflri_free(context, x->shifted);
    cflri_free(context, x->seen);
    cflri_vec_free(context, &x->stack);
}

/* The classes of a node; of one without, it is to be searched on. */
static bool meet(cflri_uses *x, cflri_node n, cflri_numbers *classes, bool *all) {
    cflr_context *context = x->readings->program->context;
    const cflri_readings *r = x->readings;
    bool good = true;
    if (x->seen[n] == x->asked) return true;
    x->seen[n] = x->asked;
    for (size_t i = r->start[n]; i < r->start[n + 1]; i++) {
        *all = *all || x->shifted[r->class.at[i]];
        good = good && cflri_vec_push(context, classes, r->class.at[i]);
    }
    if (r->start[n] < r->start[n + 1]) return good;
    *all = *all || x->open[n];
    return good && cflri_vec_push(context, &x->stack, n);
}

cflr_status cflri_uses_of(cflri_uses *x, cflri_node node, cflri_numbers *classes, bool *all,
                          cflr_error *error) {
    cflr_context *context = x->readings->program->context;
    size_t met = 0;
    x->asked++;
    x->stack.n = classes->n = 0;
    *all = false;
    if (!cflri_vec_push(context, &x->stack, node)) return cflri_fail_memory(context, error);
    while (x->stack.n && !*all) {
        cflri_node at = x->stack.at[--x->stack.n];
        *all = ++met > MOST_NODES;
        for (uint32_t i = x->flows.start[at]; i < x->flows.start[at + 1] && !*all; i++)
            if (!meet(x, x->flows.next[i], classes, all)) return cflri_fail_memory(context, error);
    }
    return CFLR_OK;
}
