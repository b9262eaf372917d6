/* SPDX-License-Identifier: Apache-2.0
 *
 * integers.c: which integers may hold a pointer.
 *
 * A pointer may pass through an integer that is as wide as itself, but most integers never see one,
 * and they would double the graph. Kept are those on a path from a pointer to a pointer:
 *
 *     p --> n --> m --> q          n, m kept        q = (T *)((uintptr_t)p + 8)
 *     4 --> k --> len              dropped
 *
 * "Weak" are nodes that carry an integer and that nobody uses as a pointer. Memory is a pointer at
 * both ends: `*(long *)a` and `*(char **)b` may be one place, and so may an integer variable whose
 * address is taken, and the parameters and results that a call through a value can reach.
 *
 *     in:   weak nodes that are memory, or that a node which is not weak flows to; and onwards
 *     out:  the same against the arrows
 *     kept: in and out
 *
 * Each direction is one search over the assignments in compressed rows. Linear.
 */
#include "frontend/integers.h"

#include <string.h>

typedef struct search {
    cflri_program *program;
    bool *weak;      /* by node */
    bool *memory;    /* by node, weak ones only matter */
    bool *in;        /* by node: reached forward */
    bool *out;       /* by node: reached backward */
    uint32_t *start; /* by node: where its row begins in `next`; one more at the end */
    cflri_node *next;
    cflri_node *stack;
} search;

static cflr_status make_search(search *s, cflri_program *program, cflr_error *error) {
    size_t n = program->facts.nodes.n, e = program->facts.assigns.n;
    cflr_context *context = program->context;
    *s = (search){.program = program};
    if (e >= UINT32_MAX) return cflri_fail(error, CFLR_LIMIT, NULL, "too many assignments");
    s->weak = cflri_alloc_array_zero(context, n, sizeof *s->weak);
    s->memory = cflri_alloc_array_zero(context, n, sizeof *s->memory);
    s->in = cflri_alloc_array_zero(context, n, sizeof *s->in);
    s->out = cflri_alloc_array_zero(context, n, sizeof *s->out);
    s->start = cflri_alloc_array(context, n + 1, sizeof *s->start);
    s->next = cflri_alloc_array(context, e, sizeof *s->next);
    s->stack = cflri_alloc_array(context, n, sizeof *s->stack);
    bool good = s->weak && s->memory && s->in && s->out && s->start && s->next && s->stack;
    return good ? CFLR_OK : cflri_fail_memory(context, error);
}

static void free_search(search *s) {
    cflr_context *context = s->program->context;
    cflri_free(context, s->weak);
    cflri_free(context, s->memory);
    cflri_free(context, s->in);
    cflri_free(context, s->out);
    cflri_free(context, s->start);
    cflri_free(context, s->next);
    cflri_free(context, s->stack);
}

static void find_weak(search *s) {
    const cflri_program *program = s->program;
    for (cflri_node n = 0; n < program->facts.nodes.n; n++) {
        const cflri_node_record *node = &program->facts.nodes.at[n];
        s->weak[n] = node->carrier == CFLRI_CARRIES_INTEGER;
        if (node->how == CFLRI_DEREF) {
            uint32_t owner = cflri_program_slot_owner(program, node->base);
            s->memory[n] = owner == 0 || program->role[owner].entered;
        }
        if (node->how == CFLRI_ADDRESS)
            s->memory[node->base] = true;
        else if (node->how != CFLRI_ROOT)
            s->weak[node->base] = false; /* somebody follows it */
    }
}

/* Rows of the assignments by source, or by target. */
static void make_rows(search *s, bool forward) {
    const cflri_facts *facts = &s->program->facts;
    size_t n = facts->nodes.n;
    memset(s->start, 0, (n + 1) * sizeof *s->start);
    for (size_t i = 0; i < facts->assigns.n; i++) {
        const cflri_assign *assign = &facts->assigns.at[i];
        s->start[(forward ? assign->from : assign->to) + 1]++;
    }
    for (size_t i = 0; i < n; i++) s->start[i + 1] += s->start[i];
    for (size_t i = facts->assigns.n; i-- > 0;) {
        const cflri_assign *assign = &facts->assigns.at[i];
        cflri_node row = forward ? assign->from : assign->to;
        s->next[--s->start[row + 1]] = forward ? assign->to : assign->from;
    }
    /* each start[row + 1] now is where the row begins */
    memmove(s->start, s->start + 1, n * sizeof *s->start);
    s->start[n] = (uint32_t)facts->assigns.n;
}

/* Marks the weak nodes that a path reaches from a pointer, in the direction of the rows. */
static void spread(search *s, bool *reached) {
    size_t depth = 0, n = s->program->facts.nodes.n;
    for (size_t seed = 0; seed < n; seed++) {
        bool pointer = !s->weak[seed] || s->memory[seed];
        if (!pointer || reached[seed]) continue;
        reached[seed] = true;
        s->stack[depth++] = (cflri_node)seed;
        while (depth > 0) {
            cflri_node at = s->stack[--depth];
            for (uint32_t i = s->start[at]; i < s->start[at + 1]; i++) {
                cflri_node to = s->next[i];
                if (reached[to]) continue;
                reached[to] = true;
                s->stack[depth++] = to;
            }
        }
    }
}

static void drop_assigns(const search *s) {
    cflri_facts *facts = &s->program->facts;
    size_t kept = 0;
    for (size_t i = 0; i < facts->assigns.n; i++) {
        const cflri_assign assign = facts->assigns.at[i];
        bool from = s->in[assign.from] && s->out[assign.from];
        bool to = s->in[assign.to] && s->out[assign.to];
        if (from && to) facts->assigns.at[kept++] = assign;
    }
    facts->assigns.n = kept;
}

cflr_status cflri_drop_idle_integers(cflri_program *program, cflr_error *error) {
    search s;
    cflr_status st = make_search(&s, program, error);
    if (st == CFLR_OK) {
        find_weak(&s);
        make_rows(&s, true);
        spread(&s, s.in);
        make_rows(&s, false);
        spread(&s, s.out);
        drop_assigns(&s);
    }
    free_search(&s);
    return st;
}
