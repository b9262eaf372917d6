/* SPDX-License-Identifier: Apache-2.0
 *
 * outside.c: the code that calls an open program, and that it calls.
 *
 * A library has callers that the analysis does not see, and may call functions of which there is
 * neither body nor summary. All that code together is one node, the outside: it may hold in one
 * place what it got in another, so that taking it apart would say too much.
 *
 *     int *last;                         &last -escapes-> outside -caller-> last
 *     int *keep(int *p) {                &keep -escapes-> outside -caller-> p
 *         int *q = hook(p);              p -escapes-> outside -unknown[hook]-> q
 *         return q;                      keep::return -escapes-> outside
 *     }
 *
 * Facts are plain assignments from and to the node; the emitter names their edges. No value flows
 * through the node in the closure: what the outside may give, and which addresses it knows, are two
 * sets that the grammar derives (grammars/pointer-fs.cfg), so that an alias which the program
 * itself makes stays apart from one that only the outside can make.
 *
 * The outside can name the functions and variables that the program defines with external linkage,
 * unless their visibility is hidden. Static ones are called through their addresses, when these
 * escape: the slots of a known address are known too. O(functions + nodes).
 */
#include "frontend/program/outside.h"

#include <string.h>

#include "frontend/facts/facts_table.h"

bool cflri_has_main(const cflri_program *program) {
    const cflri_facts *facts = &program->facts;
    for (size_t f = 1; f < facts->functions.n; f++) {
        const cflri_function *function = &facts->functions.at[f];
        const char *name =
            cflri_string(&facts->strings, function->name); /* keys may be of a scope */
        if (function->defined && function->external && strcmp(name, "main") == 0) return true;
    }
    return false;
}

void cflri_outside_make(cflri_program *program) {
    cflri_facts *facts = &program->facts;
    const cflri_node_record outside = {.kind = CFLR_VERTEX_OUTSIDE,
                                       .carrier = CFLRI_CARRIES_POINTER,
                                       .name = cflri_facts_string(facts, "outside")};
    program->outside = cflri_facts_root(facts, "outside:", &outside, true);
}

void cflri_outside_knows(cflri_program *program, cflri_node node) {
    cflri_facts *facts = &program->facts;
    cflri_facts_assign(facts, cflri_facts_address(facts, node), program->outside);
}

/* The program defines it and others can name it. */
static bool is_exported(const cflri_function *function) {
    return function->defined && (function->exported || (function->external && !function->hidden));
}

/* Does `node` hold a parameter or result, or a member of one, of a function that can be named?
 * *slot is which. */
static bool is_passed(const cflri_program *program, cflri_node node, uint32_t *slot) {
    const cflri_facts *facts = &program->facts;
    if (facts->nodes.at[node].how != CFLRI_DEREF) return false;
    do node = facts->nodes.at[node].base;
    while (facts->nodes.at[node].how == CFLRI_FIELD);
    *slot = facts->nodes.at[node].step;
    return is_exported(&facts->functions.at[cflri_program_slot_owner(program, node)]);
}

void cflri_outside_enter(cflri_program *program) {
    cflri_facts *facts = &program->facts;
    size_t n = facts->nodes.n;
    for (uint32_t f = 1; f < facts->functions.n; f++) {
        if (!is_exported(&facts->functions.at[f])) continue;
        cflri_outside_knows(program, facts->functions.at[f].object);
        program->functions_entered++;
    }
    for (cflri_node v = 0; v < n; v++) {
        const cflri_node_record node = facts->nodes.at[v];
        uint32_t slot;
        if (is_passed(program, v, &slot)) {
            bool result = slot == CFLRI_SLOT_RETURN;
            cflri_facts_assign(facts, result ? v : program->outside, result ? program->outside : v);
        } else if (node.exported && node.defined) {
            cflri_outside_knows(program, v);
            if (node.carrier == CFLRI_CARRIES_POINTER)
                cflri_facts_assign(facts, program->outside, v); /* so that answers name it */
            program->variables_entered++;
        }
    }
}
