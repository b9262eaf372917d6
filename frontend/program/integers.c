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
 * "Weak" are nodes that carry an integer and are never used as a pointer. Memory is a pointer at
 * both ends: `*(long *)a` and `*(char **)b` may be one place, and so may an integer variable whose
 * address is taken, and the parameters and results that a call through a value can reach.
 *
 *     in:   weak nodes that are memory, or that a node which is not weak flows to; and onwards
 *     out:  the same against the arrows
 *     kept: in and out
 *
 * With data flow what would be dropped is kept as data.
 *
 * A pointer may have been put into narrower integers, and be made of these again. Flow ends there:
 * what is narrowed flows into a lost root (cast.c), and what is made of narrower integers by a
 * shift is a root of its own (operator.c). Where a program narrows a pointer, a pointer that such
 * an integer becomes is lost:
 *
 *     p --> n --> "narrower"       hi << 32 --> m --> q        becomes  "narrower" --> q
 *
 * Each direction is one search over the assignments in compressed rows. Linear.
 */
#include "frontend/program/integers.h"

#include "frontend/program/flows.h"

typedef struct search {
    cflri_program *program;
    bool *weak;        /* by node */
    bool *memory;      /* by node, weak ones only matter */
    bool *in;          /* by node: reached forward */
    bool *out;         /* by node: reached backward */
    cflri_flows flows; /* in the direction of the search */
    cflri_node *stack;
} search;

static cflr_status make_search(search *s, cflri_program *program, cflr_error *error) {
    size_t n = program->facts.nodes.n;
    cflr_context *context = program->context;
    *s = (search){.program = program};
    s->weak = cflri_alloc_array_zero(context, n, sizeof *s->weak);
    s->memory = cflri_alloc_array_zero(context, n, sizeof *s->memory);
    s->in = cflri_alloc_array_zero(context, n, sizeof *s->in);
    s->out = cflri_alloc_array_zero(context, n, sizeof *s->out);
    s->stack = cflri_alloc_array(context, n, sizeof *s->stack);
    bool good = s->weak && s->memory && s->in && s->out && s->stack;
    return good ? CFLR_OK : cflri_fail_memory(context, error);
}

static void free_search(search *s) {
    cflr_context *context = s->program->context;
    cflri_free(context, s->weak);
    cflri_free(context, s->memory);
    cflri_free(context, s->in);
    cflri_free(context, s->out);
    cflri_flows_free(context, &s->flows);
    cflri_free(context, s->stack);
}

static void find_weak(search *s) {
    const cflri_program *program = s->program;
    for (cflri_node n = 0; n < program->facts.nodes.n; n++) {
        const cflri_node_record *node = &program->facts.nodes.at[n];
        s->weak[n] =
            node->carrier == CFLRI_CARRIES_INTEGER || node->carrier == CFLRI_CARRIES_NUMBER;
        if (node->how == CFLRI_DEREF) {
            uint32_t owner = cflri_program_slot_owner(program, node->base);
            s->memory[n] = owner == 0 || program->role[owner].entered;
        }
        if (node->how == CFLRI_ADDRESS)
            s->memory[node->base] = true;
        else if (node->how != CFLRI_ROOT)
            s->weak[node->base] = false; /* it is followed */
    }
}

/* Marks the weak nodes that a path reaches from a pointer, in the direction of the rows. */
static void spread(search *s, bool *reached) {
    size_t n = s->program->facts.nodes.n;
    for (cflri_node seed = 0; seed < n; seed++) {
        bool pointer = !s->weak[seed] || s->memory[seed];
        if (!pointer || reached[seed]) continue;
        reached[seed] = true;
        cflri_flows_reach(&s->flows, seed, NULL, reached, s->stack);
    }
}

/* ---- pointers in narrower integers ---- */

static bool is_lost(const cflri_program *program, cflri_node n) {
    const cflri_node_record *node = &program->facts.nodes.at[n];
    return node->how == CFLRI_ROOT && node->kind == CFLR_VERTEX_LOST;
}

/* A root for all places where something is narrowed, since functions are copied for contexts;
 * before the search. */
static cflri_node narrowed_root(cflri_program *program) {
    cflri_facts *facts = &program->facts;
    for (size_t i = 0; i < facts->assigns.n; i++) {
        if (!is_lost(program, facts->assigns.at[i].to)) continue;
        cflri_node_record first = facts->nodes.at[facts->assigns.at[i].to];
        first.function = 0;
        return cflri_facts_root(facts, "lost:narrowed", &first, true);
    }
    return CFLRI_NO_NODE;
}

/* A pointer in the source; one that is moved by a number may be an integer there. */
static bool is_pointer(const search *s, cflri_node n) {
    const cflri_node_record *node = &s->program->facts.nodes.at[n];
    return node->carrier == CFLRI_CARRIES_POINTER && !node->moved && !is_lost(s->program, n);
}

/* Marks the nodes that pointers flow to, other than through memory; if `widened`, those that values
 * made of narrower integers flow to. */
static void mark_from(search *s, bool widened, bool *marks) {
    for (cflri_node n = 0; n < s->program->facts.nodes.n; n++) {
        bool seed = widened ? s->program->facts.nodes.at[n].widened : is_pointer(s, n);
        if (!seed || marks[n]) continue;
        marks[n] = true;
        cflri_flows_reach(&s->flows, n, s->memory, marks, s->stack);
    }
}

/* The first place where a pointer is narrowed; CFLRI_NO_NODE: there is none. */
static cflri_node find_narrowed(const search *s, const bool *pointers) {
    const cflri_facts *facts = &s->program->facts;
    for (size_t i = 0; i < facts->assigns.n; i++)
        if (pointers[facts->assigns.at[i].from] && is_lost(s->program, facts->assigns.at[i].to))
            return facts->assigns.at[i].to;
    return CFLRI_NO_NODE;
}

/* Where that becomes a pointer. */
static void lose_widened(const search *s, cflri_node narrowed, const bool *widened) {
    cflri_facts *facts = &s->program->facts;
    size_t n = facts->assigns.n;
    for (size_t i = 0; i < n; i++) {
        const cflri_assign *assign = &facts->assigns.at[i];
        bool made = widened[assign->from] && !is_pointer(s, assign->from);
        const cflri_assign lost = {.from = narrowed, .to = assign->to, .call = CFLRI_NO_CALL};
        if (made && is_pointer(s, assign->to)) cflri_facts_flow(facts, &lost);
    }
}

/* Nothing is found where it was lost. */
static void drop_narrowed(const search *s) {
    cflri_facts *facts = &s->program->facts;
    size_t kept = 0;
    for (size_t i = 0; i < facts->assigns.n; i++) {
        const cflri_assign assign = facts->assigns.at[i];
        if (!is_lost(s->program, assign.to)) facts->assigns.at[kept++] = assign;
    }
    facts->assigns.n = kept;
}

static cflr_status lose_narrowed(search *s, cflri_node narrowed, cflr_error *error) {
    cflri_program *program = s->program;
    size_t n = program->facts.nodes.n;
    bool *pointers = cflri_alloc_array_zero(program->context, n, sizeof *pointers);
    bool *widened = cflri_alloc_array_zero(program->context, n, sizeof *widened);
    bool good = pointers && widened;
    if (good) mark_from(s, false, pointers);
    cflri_node first = good ? find_narrowed(s, pointers) : CFLRI_NO_NODE;
    if (first != CFLRI_NO_NODE) {
        program->facts.nodes.at[narrowed].place = program->facts.nodes.at[first].place;
        mark_from(s, true, widened);
        lose_widened(s, narrowed, widened);
    }
    cflri_free(program->context, pointers);
    cflri_free(program->context, widened);
    good &= program->facts.status == CFLR_OK;
    return good ? CFLR_OK : cflri_fail_memory(program->context, error);
}

/* After the search forward; there may be more assignments then. */
static cflr_status settle_narrowed(search *s, cflri_node narrowed, cflr_error *error) {
    cflr_status st = CFLR_OK;
    if (narrowed == CFLRI_NO_NODE) return CFLR_OK;
    CFLR_TRY(lose_narrowed(s, narrowed, error));
    drop_narrowed(s);
    cflri_flows_free(s->program->context, &s->flows);
    s->flows = (cflri_flows){0};
out:
    return st;
}

/* ---- all ---- */

static void drop_assigns(const search *s) {
    cflri_facts *facts = &s->program->facts;
    size_t kept = 0;
    for (size_t i = 0; i < facts->assigns.n; i++) {
        cflri_assign assign = facts->assigns.at[i];
        bool from = s->in[assign.from] && s->out[assign.from];
        bool to = s->in[assign.to] && s->out[assign.to];
        bool text = assign.text != CFLRI_TEXT_NONE;
        assign.data |= !(from && to);
        if (!assign.data || text || (facts->chosen.data_flow && assign.flow != CFLRI_FLOW_NULL))
            facts->assigns.at[kept++] = assign;
    }
    facts->assigns.n = kept;
}

cflr_status cflri_drop_idle_integers(cflri_program *program, cflr_error *error) {
    search s;
    cflri_node narrowed = narrowed_root(program);
    cflr_status st = make_search(&s, program, error);
    CFLR_TRY(st);
    find_weak(&s);
    CFLR_TRY(cflri_flows_make(&s.flows, &program->facts, true, error));
    spread(&s, s.in);
    CFLR_TRY(settle_narrowed(&s, narrowed, error));
    CFLR_TRY(cflri_flows_make(&s.flows, &program->facts, false, error));
    spread(&s, s.out);
    drop_assigns(&s);
out:
    free_search(&s);
    return st;
}
