/* SPDX-License-Identifier: Apache-2.0
 *
 * builtin.c: functions in name only: variable arguments, and builtins that return their argument.
 *
 * A va_list holds a pointer to where the variable arguments are. Which part of it that is depends
 * on the target, and so does what its name means as a value:
 *
 *     x86-64     array of one record     the value is its address; the pointer is its content
 *     aarch64    record                  the same
 *     i386       char *                  the value is the pointer itself
 *
 *     va_start(ap)      address of the variable arguments of this function  ->  the pointer
 *     va_arg(ap, T)     content of the pointer (T a record: the pointer, as its address)
 *     va_copy(to, ap)   pointer to pointer
 *
 * So a va_list that is passed on, stored or pointed to works as any other value does.
 *
 * Library functions that are known to compilers are not here: they have summaries.
 */
#include "frontend/walk/walk.h"

#include <string.h>

static uint32_t argument(const cflri_walk *w, uint32_t e, uint32_t k) {
    return cflri_tree_child(&w->tree, e, k + 1);
}

/* ---- variable arguments ---- */

/* Is the va_list the pointer, and not a place that holds it? */
static bool is_plain_pointer(const cflri_walk *w, uint32_t list) {
    CXType type = cflri_expr_plain(w, list);
    return type.kind == CXType_Pointer &&
           cflri_type_plain(cflri_clang_getPointeeType(type)).kind != CXType_Record;
}

/* Where the pointer to the arguments is kept. */
static cflri_value pointer_places(cflri_walk *w, uint32_t list) {
    if (is_plain_pointer(w, list)) {
        cflri_lvalue place = cflri_expr_place(w, cflri_expr_bare(w, list));
        return cflri_place_content(w, &place);
    }
    const cflri_value addresses = cflri_expr_value(w, list);
    return cflri_content_of(w, &addresses, CFLRI_CARRIES_POINTER);
}

static void flow_to_all(cflri_walk *w, const cflri_value *from, const cflri_value *to) {
    for (uint32_t i = 0; i < to->n; i++) cflri_flow_value(w, &cflri_plain_flow, from, to->at[i]);
}

static cflri_value start_arguments(cflri_walk *w, uint32_t e, bool used) {
    (void)used;
    uint32_t list = argument(w, e, 0);
    if (list == CFLRI_NO_CHILD || w->names.function == 0) return cflri_no_value();
    cflri_facts *facts = w->facts;
    cflri_node object = facts->functions.at[w->names.function].object;
    const cflri_value area = cflri_one_value(
        cflri_facts_slot(facts, cflri_facts_address(facts, object), CFLRI_SLOT_VARARGS));
    const cflri_value places = pointer_places(w, list);
    flow_to_all(w, &area, &places);
    return cflri_no_value();
}

static cflri_value copy_arguments(cflri_walk *w, uint32_t e, bool used) {
    (void)used;
    uint32_t to = argument(w, e, 0);
    uint32_t from = argument(w, e, 1);
    if (to == CFLRI_NO_CHILD || from == CFLRI_NO_CHILD) return cflri_no_value();
    const cflri_value places = pointer_places(w, to);
    const cflri_value area = pointer_places(w, from);
    flow_to_all(w, &area, &places);
    return cflri_no_value();
}

cflri_value cflri_va_arg_value(cflri_walk *w, uint32_t e, uint32_t list) {
    if (cflri_expr_class(w, e) == CFLRI_TYPE_NONE) {
        cflri_expr_effects(w, list);
        return cflri_no_value();
    }
    const cflri_lvalue place = {.class = cflri_expr_class(w, e),
                                .addressed = true,
                                .nodes = pointer_places(w, list),
                                .type = cflri_expr_plain(w, e)};
    return cflri_place_value(w, &place);
}

/* ---- arguments that come back ---- */

static cflri_value first_argument(cflri_walk *w, uint32_t e, bool used) {
    uint32_t first = argument(w, e, 0);
    cflri_value value = cflri_no_value();
    if (first == CFLRI_NO_CHILD) return value;
    if (used && cflri_expr_class(w, e) != CFLRI_TYPE_NONE)
        value = cflri_expr_value(w, first);
    else
        cflri_expr_effects(w, first);
    for (uint32_t a = cflri_tree_next(&w->tree, first); a != CFLRI_NO_CHILD;
         a = cflri_tree_next(&w->tree, a))
        cflri_expr_effects(w, a);
    return value;
}

static cflri_value address_of_argument(cflri_walk *w, uint32_t e, bool used) {
    (void)used;
    uint32_t first = argument(w, e, 0);
    if (first == CFLRI_NO_CHILD) return cflri_no_value();
    cflri_lvalue place = cflri_taken_place(w, cflri_expr_unwrapped(w, first));
    return cflri_place_address(w, &place);
}

static cflri_value effects_only(cflri_walk *w, uint32_t e, bool used) {
    (void)used;
    cflri_expr_effects_within(w, e);
    return cflri_no_value();
}

typedef struct builtin {
    const char *name; /* after "__builtin_" */
    cflri_value (*value)(cflri_walk *w, uint32_t e, bool used);
} builtin;

static const builtin builtins[] = {
    {"va_start", start_arguments},
    {"c23_va_start", start_arguments},
    {"ms_va_start", start_arguments},
    {"va_copy", copy_arguments},
    {"ms_va_copy", copy_arguments},
    {"va_end", effects_only},
    {"ms_va_end", effects_only},
    {"constant_p", effects_only},
    {"expect", first_argument},
    {"expect_with_probability", first_argument},
    {"assume_aligned", first_argument},
    {"align_up", first_argument},
    {"align_down", first_argument},
    {"launder", first_argument},
    {"preserve_access_index", first_argument},
    {"addressof", address_of_argument},
};

bool cflri_builtin_value(cflri_walk *w, const char *name, uint32_t e, bool used,
                         cflri_value *value) {
    static const char prefix[] = "__builtin_";
    if (strncmp(name, prefix, sizeof prefix - 1) != 0) return false;
    name += sizeof prefix - 1;
    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++) {
        if (strcmp(name, builtins[i].name) != 0) continue;
        *value = builtins[i].value(w, e, used);
        return true;
    }
    return false;
}
