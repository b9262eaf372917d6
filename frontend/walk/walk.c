/* SPDX-License-Identifier: Apache-2.0
 *
 * walk.c: the declarations of a unit in order of the source.
 *
 * Each function body and each variable with file scope becomes a flat tree (tree.h) of its own, is
 * walked, and is forgotten. Declarations alone say nothing: functions and variables get their nodes
 * when something uses them.
 *
 * Functions with a body in system headers (there can be thousands: vector intrinsics) are put off
 * until something in the unit refers to them; that may bring in more of them, so they are a queue.
 */
#include "frontend/walk/walk.h"

#include <string.h>

#include "frontend/summaries/rules.h"
#include "frontend/walk/order/ending.h"

#include <string.h>

#include "base/context.h"

void cflri_walk_refuse(cflri_walk *w) {
    if (w->facts->status == CFLR_OK) w->facts->status = cflri_fail_memory(w->context, NULL);
}

bool cflri_in_system_header(CXCursor cursor) {
    return cflri_clang_Location_isInSystemHeader(cflri_clang_getCursorLocation(cursor));
}

bool cflri_has_own_body(cflri_walk *w, uint32_t decl) {
    uint32_t function = cflri_decl_function(&w->names, decl);
    return w->names.decls.at[decl].has_body &&
           !cflri_summary_overrides(w->summaries, w->facts, function);
}

void cflri_function_used(cflri_walk *w, uint32_t decl) {
    cflri_decl *d = &w->names.decls.at[decl];
    if (d->used) return;
    d->used = true;
    if (!d->has_body) return;
    CXCursor definition = cflri_clang_getCursorDefinition(d->cursor);
    if (!cflri_in_system_header(definition)) return; /* walked in its turn */
    if (cflri_cursors_find(&w->queued, definition) != CFLRI_NO_NUMBER) return;
    if (!cflri_cursors_add(w->context, &w->queued, definition, 0) ||
        !cflri_vec_push(w->context, &w->pending, definition))
        cflri_walk_refuse(w);
}

/* ---- functions ---- */

static void bind_parameters(cflri_walk *w, CXCursor cursor) {
    int n = cflri_clang_Cursor_getNumArguments(cursor);
    cflri_decl_parameters(&w->names, w->names.function, cursor);
    for (int k = 0; k < n; k++) {
        uint32_t decl =
            cflri_decl_of(&w->names, cflri_clang_Cursor_getArgument(cursor, (unsigned)k));
        if (decl == CFLRI_NO_NUMBER) continue;
        cflri_type_class class = w->names.decls.at[decl].class;
        if (class != CFLRI_TYPE_POINTER && !cflri_is_number(w, class)) continue;
        cflri_decl_content(&w->names, decl);
        if (w->facts->chosen.locals == CFLR_LOCALS_SPLIT) cflri_local_parameter(w, decl);
    }
}

static void describe_slot(cflri_walk *w, uint32_t slot, const char *name, CXType type) {
    cflri_facts *facts = w->facts;
    cflri_node object = facts->functions.at[w->names.function].object;
    cflri_node pointer = cflri_facts_slot(facts, cflri_facts_address(facts, object), slot);
    cflri_carrier carrier =
        type.kind == CXType_Invalid ? CFLRI_CARRIES_POINTER : cflri_type_carrier(&w->types, type);
    cflri_node content = cflri_facts_deref(facts, pointer, carrier);
    uint32_t text = type.kind == CXType_Invalid ? 0 : cflri_type_text(&w->names, type);
    cflri_facts_describe(facts, content, cflri_facts_string(facts, name), text,
                         &facts->functions.at[w->names.function].place);
}

static void describe_function(cflri_walk *w, CXCursor cursor) {
    cflri_function *function = &w->facts->functions.at[w->names.function];
    function->defined = true;
    function->invoked |= cflri_is_invoked(cursor);
    function->place = cflri_place_of(&w->names, cursor);
    w->result_type = cflri_type_plain(cflri_clang_getCursorResultType(cursor));
    if (cflri_type_carrier(&w->types, w->result_type) != CFLRI_CARRIES_OBJECT)
        describe_slot(w, CFLRI_SLOT_RETURN, "return", w->result_type);
    if (function->variadic)
        describe_slot(w, CFLRI_SLOT_VARARGS, "...", (CXType){.kind = CXType_Invalid});
}

/* Whatever is said of the variable, now or in another run, the facts depend on it. */
static void ask_about(cflri_walk *w, const char *variable) {
    if (!cflri_buffer_text(w->context, &w->facts->asked, variable)) cflri_walk_refuse(w);
}

/* The parameter holds what a variable of the library does, if it is a pointer. */
static void fill_parameter(cflri_walk *w, CXCursor function, uint32_t k, const char *variable) {
    uint32_t decl = cflri_decl_of(&w->names, cflri_clang_Cursor_getArgument(function, k));
    if (decl == CFLRI_NO_NUMBER || w->names.decls.at[decl].class != CFLRI_TYPE_POINTER) return;
    const cflri_external_variable handed = {
        .name = variable,
        .owner = w->names.function,
        .place = w->facts->functions.at[w->names.function].place,
        .content = cflri_facts_parameter(w->facts, w->names.function, k)};
    ask_about(w, variable);
    cflri_summary_fill(w->summaries, w->facts, &handed);
}

/* The system calls main: it hands over vectors of strings, as it does in variables, and marks of
 * its calls are about the parameters. */
static void enter_main(cflri_walk *w, CXCursor cursor) {
    enum { PARAMETERS = 3 };
    static const char *const handed[PARAMETERS] = {NULL, "__libc_argv", "environ"};
    cflri_facts *facts = w->facts;
    const cflri_function main = facts->functions.at[w->names.function];
    if (strcmp(cflri_string(&facts->strings, main.key), "main") != 0) return;
    cflri_node arguments[PARAMETERS];
    uint32_t n = main.n_parameters < PARAMETERS ? main.n_parameters : PARAMETERS;
    for (uint32_t k = 0; k < n; k++)
        arguments[k] = cflri_facts_parameter(facts, w->names.function, k);
    for (uint32_t k = 1; k < n; k++) fill_parameter(w, cursor, k, handed[k]);
    const cflri_marked_call call = {.function = "main",
                                    .caller = w->names.function,
                                    .place = main.place,
                                    .call = CFLRI_NO_CALL,
                                    .arguments = arguments,
                                    .n_arguments = n,
                                    .result = CFLRI_NO_NODE};
    cflri_rules_mark(w->summaries, facts, &call);
}

static void walk_function(cflri_walk *w, CXCursor cursor) {
    uint32_t decl = cflri_decl_of(&w->names, cursor);
    if (decl == CFLRI_NO_NUMBER || cflri_is_check(w, decl)) return;
    uint32_t function = cflri_decl_function(&w->names, decl);
    if (w->facts->status != CFLR_OK || !cflri_has_own_body(w, decl)) return;
    if (!cflri_tree_read(w->context, &w->tree, cursor)) {
        cflri_walk_refuse(w);
        return;
    }
    if (w->facts->chosen.data_flow) cflri_endings_find(w, decl);
    w->names.function = function;
    w->accesses.n = 0;
    describe_function(w, cursor);
    bind_parameters(w, cursor);
    enter_main(w, cursor);
    for (uint32_t c = cflri_tree_first(&w->tree, 0); c != CFLRI_NO_CHILD;
         c = cflri_tree_next(&w->tree, c)) {
        if (cflri_tree_kind(&w->tree, c) != CXCursor_CompoundStmt) continue;
        bool ends = w->facts->chosen.data_flow && cflri_function_never_returns(w, decl);
        w->facts->functions.at[function].ends = ends;
        const cflri_shows shows = cflri_function_shows(w, decl);
        for (int yes = 0; yes < 2; yes++)
            w->facts->functions.at[function].shows[yes] = shows.when[yes];
        if (w->facts->chosen.locals == CFLR_LOCALS_SPLIT) cflri_versions_begin(w, c);
        cflri_stmt(w, c);
        cflri_versions_end(w);
    }
    cflri_locals_forget(w);
    w->names.function = 0;
}

/* ---- other declarations ---- */

/* A mere `extern` declaration waits until the variable is used. */
static void walk_variable(cflri_walk *w, CXCursor cursor) {
    bool declared_only = cflri_clang_Cursor_getStorageClass(cursor) == CX_SC_Extern &&
                         !cflri_clang_isCursorDefinition(cursor);
    if (declared_only) return;
    if (!cflri_tree_read(w->context, &w->tree, cursor))
        cflri_walk_refuse(w);
    else
        cflri_variable(w, 0);
}

static void walk_declaration(cflri_walk *w, CXCursor cursor) {
    switch (cursor.kind) {
        case CXCursor_FunctionDecl:
            if (cflri_clang_isCursorDefinition(cursor) && !cflri_in_system_header(cursor))
                walk_function(w, cursor);
            break;
        case CXCursor_VarDecl:
            walk_variable(w, cursor);
            break;
        default:
            break;
    }
}

static bool may_go_on(cflri_walk *w) {
    if (w->types.refused) cflri_walk_refuse(w);
    if (w->facts->status == CFLR_OK) w->facts->status = cflri_interrupted(w->context);
    return w->facts->status == CFLR_OK;
}

static enum CXChildVisitResult visit(CXCursor cursor, CXCursor parent, CXClientData user) {
    (void)parent;
    cflri_walk *w = user;
    walk_declaration(w, cursor);
    return may_go_on(w) ? CXChildVisit_Continue : CXChildVisit_Break;
}

/* ---- variables that the library fills, and that rules mark ---- */

static void describe_variable(cflri_walk *w, const cflri_decl *decl, const char *name) {
    const cflri_external_variable filled = {
        .name = name, .place = cflri_place_of(&w->names, decl->cursor), .content = decl->content};
    const cflri_marked_call mark = {.function = name,
                                    .variable = true,
                                    .place = filled.place,
                                    .call = CFLRI_NO_CALL,
                                    .result = decl->content};
    cflri_summary_fill(w->summaries, w->facts, &filled);
    cflri_rules_mark(w->summaries, w->facts, &mark);
}

/* Describes the variables that the unit uses and others may define: environ. */
static void describe_variables(cflri_walk *w) {
    for (size_t i = 0; i < w->names.decls.n && w->facts->status == CFLR_OK; i++) {
        const cflri_decl decl = w->names.decls.at[i];
        if (decl.kind != CFLRI_DECL_VARIABLE || decl.content == CFLRI_NO_NODE) continue;
        if (cflri_clang_getCursorLinkage(decl.cursor) != CXLinkage_External) continue;
        const char *name = cflri_string(&w->facts->strings, decl.name);
        ask_about(w, name);
        if (cflri_summaries_have_variable(w->summaries, name) ||
            cflri_is_marked(w->summaries, name))
            describe_variable(w, &decl, name);
    }
}

/* ---- the unit ---- */

static void release(cflri_walk *w) {
    cflri_types_free(&w->types);
    cflri_names_free(&w->names);
    cflri_tree_free(w->context, &w->tree);
    cflri_vec_free(w->context, &w->statements);
    cflri_vec_free(w->context, &w->spine);
    cflri_vec_free(w->context, &w->frames);
    cflri_vec_free(w->context, &w->accesses);
    cflri_vec_free(w->context, &w->cleanups);
    cflri_vec_free(w->context, &w->locals.all);
    cflri_versions_free(w->context, &w->versions);
    cflri_stores_free(w->context, &w->stores);
    cflri_tested_free(w->context, &w->tested);
    cflri_endings_free(w->context, &w->endings);
    cflri_vec_free(w->context, &w->pending);
    cflri_cursors_free(w->context, &w->queued);
}

static cflr_status describe_failure(cflri_walk *w, cflr_error *error) {
    cflr_status st = w->facts->status;
    if (st == CFLR_OK) return CFLR_OK;
    if (cflri_interrupted(w->context) == st) return cflri_fail_interrupted(w->context, st, error);
    return cflri_fail_memory(w->context, error);
}

cflr_status cflri_walk_unit(CXTranslationUnit unit, const cflri_summaries *summaries,
                            cflri_facts *facts, cflr_error *error) {
    cflri_walk *w = cflri_alloc_zero(facts->context, sizeof *w);
    if (!w) return cflri_fail_memory(facts->context, error);
    w->context = facts->context;
    w->unit = unit;
    w->summaries = summaries;
    w->facts = facts;
    cflri_types_init(&w->types, facts, unit);
    cflri_names_init(&w->names, w->context, unit, facts, &w->types);
    cflri_aliases_find(w);
    cflri_clang_visitChildren(cflri_clang_getTranslationUnitCursor(unit), visit, w);
    for (size_t i = 0; i < w->pending.n && may_go_on(w); i++) walk_function(w, w->pending.at[i]);
    describe_variables(w);
    if (may_go_on(w)) cflri_members_note(w);
    cflr_status st = describe_failure(w, error);
    release(w);
    cflri_free(facts->context, w);
    return st;
}
