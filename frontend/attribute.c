/* SPDX-License-Identifier: Apache-2.0
 *
 * attribute.c: __attribute__((cleanup(f))) on a local variable.
 *
 * At the end of the scope f is called with the variable's address: a call that no expression shows. libclang shows
 * the attribute without saying which one it is, so its tokens are read: `cleanup`, or a macro that stands for all of
 * it, and the name of a function of the unit. The last such name is taken, as in AUTO_CALL(close_file).
 */
#include "frontend/walk.h"

#include <string.h>

typedef struct lookup {
    const char *name;
    CXCursor found;
} lookup;

static enum CXChildVisitResult compare_name(CXCursor cursor, CXCursor parent, CXClientData user) {
    lookup *l = user;
    (void)parent;
    if (cursor.kind != CXCursor_FunctionDecl) return CXChildVisit_Continue;
    CXString name = cflri_clang_getCursorSpelling(cursor);
    bool same = strcmp(cflri_clang_getCString(name), l->name) == 0;
    cflri_clang_disposeString(name);
    if (!same) return CXChildVisit_Continue;
    l->found = cursor;
    return CXChildVisit_Break;
}

/* The number of the function with this name, remembered for the next variable. */
static uint32_t function_named(cflri_walk *w, const char *name) {
    uint32_t text = cflri_facts_string(w->facts, name);
    for (size_t i = 0; i < w->cleanups.n; i++)
        if (w->cleanups.at[i].name == text) return w->cleanups.at[i].decl;
    lookup l = {.name = name, .found = cflri_clang_getNullCursor()};
    cflri_clang_visitChildren(cflri_clang_getTranslationUnitCursor(w->unit), compare_name, &l);
    const cflri_cleanup cleanup = {text, cflri_decl_of(&w->names, l.found)};
    if (!cflri_vec_push(w->context, &w->cleanups, cleanup)) cflri_walk_refuse(w);
    return cleanup.decl;
}

static bool is_identifier(CXToken token) {
    return cflri_clang_getTokenKind(token) == CXToken_Identifier;
}

/* The function that an attribute names; CFLRI_NO_NUMBER for other attributes. */
static uint32_t cleanup_function(cflri_walk *w, CXCursor attribute) {
    CXToken *tokens = NULL;
    unsigned n = 0;
    uint32_t function = CFLRI_NO_NUMBER;
    cflri_clang_tokenize(w->unit, cflri_clang_getCursorExtent(attribute), &tokens, &n);
    for (unsigned i = n; i-- > 1 && function == CFLRI_NO_NUMBER;) {
        if (!is_identifier(tokens[i])) continue;
        CXString name = cflri_clang_getTokenSpelling(w->unit, tokens[i]);
        function = function_named(w, cflri_clang_getCString(name));
        cflri_clang_disposeString(name);
    }
    if (tokens) cflri_clang_disposeTokens(w->unit, tokens, n);
    return function;
}

/* f(&variable) */
static void call_cleanup(cflri_walk *w, CXCursor attribute, uint32_t decl, cflri_node variable) {
    uint32_t function = cflri_decl_function(&w->names, decl);
    cflri_facts *facts = w->facts;
    const cflri_call call = {w->names.function, function, cflri_place_of(&w->names, attribute)};
    uint32_t at = cflri_facts_call(facts, &call);
    if (facts->status != CFLR_OK) return;
    cflri_function_used(w, decl);
    const cflri_tag tag = {.call = at, .flow = CFLRI_FLOW_ARGUMENT};
    const cflri_value address = cflri_one_value(cflri_facts_address(facts, variable));
    cflri_flow_value(w, &tag, &address, cflri_facts_parameter(facts, function, 0));
}

void cflri_cleanups(cflri_walk *w, uint32_t declaration, uint32_t number) {
    for (uint32_t c = cflri_tree_first(&w->tree, declaration); c != CFLRI_NO_CHILD;
         c = cflri_tree_next(&w->tree, c)) {
        if (cflri_tree_kind(&w->tree, c) != CXCursor_UnexposedAttr) continue;
        CXCursor attribute = cflri_tree_cursor(&w->tree, c);
        uint32_t function = cleanup_function(w, attribute);
        if (function == CFLRI_NO_NUMBER || cflri_is_check(w, function)) continue;
        call_cleanup(w, attribute, function, cflri_decl_content(&w->names, number));
    }
}
