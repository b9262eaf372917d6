/* SPDX-License-Identifier: Apache-2.0
 *
 * check.c: calls that ask the analysis something.
 *
 *     no_alias(p, q->next);           p ----> !check       q->next ----> !check#1
 *
 * Each argument is evaluated as that of any call is, and flows into a temporary of its own, out of
 * which nothing flows. Nothing else happens: there is no call, no result, and the body of the
 * function is not read. So the answers to all other questions are what they would be without the
 * check. That is why casts and the conversion to the parameter's type, which is often `const void
 * *`, are looked through: they would say that memory is seen as something else (view.c), or through
 * a pointer that hides that it holds pointers (pieces.c).
 *
 * One thing is left: a local whose address is an argument is not split (locals.c).
 *
 * The address of such a function is no value: a call through it does nothing and is no check.
 *
 * A call that cannot be asked is kept with the reason: its author must not think that it holds.
 */
#include <stdio.h>

#include "frontend/facts/check_names.h"
#include "frontend/walk/walk.h"

static bool find_kind(const cflri_walk *w, uint32_t decl, cflr_check_kind *kind) {
    const char *name = cflri_string(&w->facts->strings, w->names.decls.at[decl].name);
    return cflri_check_names_find(w->facts->check_names, name, kind);
}

bool cflri_is_check(const cflri_walk *w, uint32_t decl) {
    cflr_check_kind kind;
    return find_kind(w, decl, &kind);
}

typedef struct arguments {
    uint32_t n;
    uint32_t e[2]; /* the first two */
    cflri_value value[2];
} arguments;

/* The operand of a cast or a conversion; CFLRI_NO_CHILD for all else. */
static uint32_t operand_of(cflri_walk *w, uint32_t e) {
    bool cast = cflri_tree_kind(&w->tree, e) == CXCursor_CStyleCastExpr;
    return cast ? cflri_tree_last(&w->tree, e) : cflri_unnamed_converted(w, e);
}

/* Without parentheses and the conversions of pointers to pointers. */
static uint32_t as_it_was(cflri_walk *w, uint32_t e) {
    for (;;) {
        e = cflri_expr_unwrapped(w, e);
        uint32_t inner = operand_of(w, e);
        if (inner == CFLRI_NO_CHILD || cflri_expr_class(w, inner) != CFLRI_TYPE_POINTER) return e;
        e = inner;
    }
}

static void read_arguments(cflri_walk *w, uint32_t call, arguments *found) {
    uint32_t callee = cflri_tree_first(&w->tree, call);
    for (uint32_t e = cflri_tree_next(&w->tree, callee); e != CFLRI_NO_CHILD;
         e = cflri_tree_next(&w->tree, e), found->n++) {
        bool pointer = cflri_expr_class(w, e) == CFLRI_TYPE_POINTER;
        uint32_t plain = pointer ? as_it_was(w, e) : e;
        cflri_value value = cflri_no_value();
        if (pointer)
            value = cflri_expr_value(w, plain);
        else
            cflri_expr_effects(w, e);
        if (found->n >= 2) continue;
        found->e[found->n] = plain;
        found->value[found->n] = value;
    }
}

/* An integer that is converted without a word is no pointer, unless it is a null pointer. */
static bool is_pointer(cflri_walk *w, uint32_t e) {
    long long constant;
    if (cflri_expr_class(w, e) != CFLRI_TYPE_POINTER) return false;
    uint32_t inner = cflri_unnamed_converted(w, e);
    return inner == CFLRI_NO_CHILD || (cflri_expr_constant(w, inner, &constant) && constant == 0);
}

/* Why it cannot be asked, as a string of the facts; 0 when it can. */
static uint32_t problem_of(cflri_walk *w, const arguments *given) {
    char text[64];
    if (given->n != 2) {
        snprintf(text, sizeof text, "%u argument%s instead of two pointers", given->n,
                 given->n == 1 ? "" : "s");
        return cflri_facts_string(w->facts, text);
    }
    for (uint32_t k = 0; k < 2; k++) {
        if (is_pointer(w, given->e[k])) continue;
        snprintf(text, sizeof text, "argument %u is not a pointer", k + 1);
        return cflri_facts_string(w->facts, text);
    }
    return 0;
}

/* The k-th argument flows into a vertex of the check's own. */
static void add_argument(cflri_walk *w, uint32_t call, const arguments *given, uint32_t k,
                         cflri_facts_check *check) {
    bool there = k < given->n;
    uint32_t e = there ? given->e[k] : call;
    char text[CFLRI_SPELLING_SIZE];
    cflri_spell(w, e, text);
    if (there) check->expression[k] = cflri_facts_string(w->facts, text);
    check->node[k] = cflri_temporary(w, e, "!check", CFLRI_CARRIES_POINTER);
    if (!check->problem) cflri_flow_value(w, &cflri_plain_flow, &given->value[k], check->node[k]);
}

cflri_value cflri_check_value(cflri_walk *w, uint32_t call, uint32_t decl) {
    arguments given = {0};
    read_arguments(w, call, &given);
    cflri_facts_check check = {
        .function = w->names.function,
        .callee = w->names.decls.at[decl].name,
        .problem = problem_of(w, &given),
        .place = cflri_place_of(&w->names, cflri_tree_cursor(&w->tree, call))};
    find_kind(w, decl, &check.kind);
    for (uint32_t k = 0; k < 2; k++) add_argument(w, call, &given, k, &check);
    cflri_facts_check_at(w->facts, &check);
    return cflri_no_value();
}
