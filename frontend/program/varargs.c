/* SPDX-License-Identifier: Apache-2.0
 *
 * varargs.c: numbered and variable arguments of one function.
 *
 * A body, or a summary, knows which of its arguments are variable: those are one slot. A call need
 * not know it: it goes through a value of another type, or there is no prototype, or another one.
 * So calls through values number all their arguments (call.c), and so do calls without a prototype:
 *
 *     int *f(int n, ...);         slots 0 and "..."
 *     g(1, &x, &y);               slots 0, 1 and 2 of the value of g, which may be f
 *
 *     f -s[1]-> slot 1 --a--> slot "..." <--a-- slot 2 <-s[2]- f
 *
 * One assignment from slot to slot, which are pointers, makes their contents one memory. It goes
 * from the numbered slot, so that two numbered slots stay apart when the body numbers its arguments
 * and a prototype elsewhere says that they are variable.
 *
 * Only numbers that occur are joined: those that calls through values have, for functions that are
 * values, and those that a direct call without the right prototype has used.
 */
#include "frontend/program/varargs.h"

typedef struct numbers {
    bool used[CFLRI_NUMBERED_ARGUMENTS]; /* by some call through a value */
} numbers;

static void find_numbers(const cflri_program *program, numbers *found) {
    const cflri_facts *facts = &program->facts;
    for (cflri_node n = 0; n < facts->nodes.n; n++) {
        const cflri_node_record *node = &facts->nodes.at[n];
        uint32_t k = cflri_step_slot(node->step);
        bool numbered = node->how == CFLRI_SLOT && k < CFLRI_NUMBERED_ARGUMENTS;
        if (numbered && cflri_program_slot_owner(program, n) == 0) found->used[k] = true;
    }
}

static bool has_slot(const cflri_program *program, uint32_t f, uint32_t slot) {
    return cflri_facts_derived(&program->facts, CFLRI_SLOT, program->role[f].value, slot) !=
           CFLRI_NO_NODE;
}

static void join(cflri_program *program, uint32_t f, uint32_t k) {
    cflri_facts *facts = &program->facts;
    cflri_node value = program->role[f].value;
    cflri_node numbered = cflri_facts_slot(facts, value, k);
    cflri_facts_assign(facts, numbered, cflri_facts_slot(facts, value, CFLRI_SLOT_VARARGS));
}

/* The body takes the arguments from n_parameters on as variable ones. */
static void join_variadic(cflri_program *program, uint32_t f, const numbers *found) {
    cflri_role *role = &program->role[f];
    uint32_t k = program->facts.functions.at[f].n_parameters;
    for (; k < CFLRI_NUMBERED_ARGUMENTS; k++) {
        bool direct = has_slot(program, f, k);
        if (direct || (role->valued && found->used[k])) join(program, f, k);
        role->entered |= direct; /* what it gets is memory, not a parameter that is assigned */
    }
}

/* The body numbers its arguments; a prototype elsewhere did not. */
static void join_fixed(cflri_program *program, uint32_t f) {
    uint32_t n = program->facts.functions.at[f].n_parameters;
    if (n > CFLRI_NUMBERED_ARGUMENTS) n = CFLRI_NUMBERED_ARGUMENTS;
    for (uint32_t k = 0; k < n; k++)
        if (has_slot(program, f, k)) join(program, f, k);
    program->role[f].entered = true;
}

void cflri_join_varargs(cflri_program *program) {
    numbers found = {0};
    find_numbers(program, &found);
    for (uint32_t f = 1; f < program->facts.functions.n; f++) {
        const cflri_role *role = &program->role[f];
        if (role->body == CFLRI_BODY_UNKNOWN || role->value == CFLRI_NO_NODE) continue;
        if (program->facts.functions.at[f].variadic)
            join_variadic(program, f, &found);
        else if (role->body == CFLRI_BODY_HERE && has_slot(program, f, CFLRI_SLOT_VARARGS))
            join_fixed(program, f);
    }
}
