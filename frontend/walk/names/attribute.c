/* SPDX-License-Identifier: Apache-2.0
 *
 * attribute.c: what attributes of a declaration say.
 *
 * libclang shows that there is an attribute, and not which. It prints declarations, though, with
 * macros expanded and one spelling for each attribute:
 *
 *     FILE *f AUTO_CLOSE;             FILE *f __attribute__((cleanup(close_file)))
 *     [[gnu::__alias__("g")]] ...     [[gnu::alias("g")]] int *f(void)
 *
 * cleanup(f) of a local variable: at the end of the scope f is called with the variable's address,
 * by no expression. section("s") of a variable: it lies in that section, whose ends have names
 * (sections.c). constructor of a function: it is entered without a call.
 */
#include "frontend/walk/walk.h"

#include <string.h>

/* ---- reading ---- */

CXString cflri_attributes_text(CXCursor declaration) {
    CXPrintingPolicy policy = cflri_clang_getCursorPrintingPolicy(declaration);
    cflri_clang_PrintingPolicy_setProperty(policy, CXPrintingPolicy_TerseOutput, 1);
    cflri_clang_PrintingPolicy_setProperty(policy, CXPrintingPolicy_SuppressInitializers, 1);
    CXString text = cflri_clang_getCursorPrettyPrinted(declaration, policy);
    cflri_clang_PrintingPolicy_dispose(policy);
    return text;
}

/* Where `word(` begins as an attribute in the text; NULL: nowhere. */
static const char *find_attribute(const char *text, const char *word) {
    size_t length = strlen(word);
    for (const char *at = text; (at = strstr(at, word)); at++)
        if (at > text && (at[-1] == '(' || at[-1] == ':') && at[length] == '(') return at;
    return NULL;
}

bool cflri_attribute_in(const char *text, const char *word, char argument[CFLRI_ATTRIBUTE_SIZE]) {
    const char *at = find_attribute(text, word);
    if (!at) return false;
    at += strlen(word) + 1;
    at += *at == '"';
    size_t length = strcspn(at, "\")");
    if (length >= CFLRI_ATTRIBUTE_SIZE) return false;
    memcpy(argument, at, length);
    argument[length] = '\0';
    return length > 0;
}

/* ---- functions ---- */

static bool has_attribute(const char *text, const char *word) {
    size_t length = strlen(word);
    for (const char *at = text; (at = strstr(at, word)); at++) {
        bool begins = at > text && strchr("(:, ", at[-1]), ends = strchr("(), ", at[length]);
        if (begins && ends) return true;
    }
    return false;
}

bool cflri_is_invoked(CXCursor function) {
    static const char *const words[] = {"constructor", "destructor", "used",  "retain",
                                        "section",     "interrupt",  "signal"};
    bool found = false;
    const CXCursor declarations[] = {function, cflri_clang_getCanonicalCursor(function)};
    for (int i = 0; i < 2; i++) {
        if (!cflri_clang_Cursor_hasAttrs(declarations[i])) continue;
        CXString printed = cflri_attributes_text(declarations[i]);
        const char *text = strstr(cflri_clang_getCString(printed), "__attribute__");
        if (!text) text = strstr(cflri_clang_getCString(printed), "[[");
        for (size_t k = 0; text && k < sizeof words / sizeof *words; k++)
            found |= has_attribute(text, words[k]);
        cflri_clang_disposeString(printed);
    }
    return found;
}

/* ---- cleanup ---- */

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

static void clean_up(cflri_walk *w, uint32_t declaration, uint32_t number, const char *name) {
    uint32_t function = function_named(w, name);
    if (function == CFLRI_NO_NUMBER || cflri_is_check(w, function)) return;
    call_cleanup(w, cflri_tree_cursor(&w->tree, declaration), function,
                 cflri_decl_content(&w->names, number));
}

/* ---- section ---- */

static void put_in_section(cflri_walk *w, uint32_t number, const char *name) {
    const cflri_facts_link link = {CFLRI_LINK_SECTION, cflri_facts_string(w->facts, name),
                                   cflri_decl_content(&w->names, number), CFLRI_NO_NODE};
    cflri_facts_link_at(w->facts, &link);
}

/* Attributes of an earlier declaration count, too, and are printed there alone. */
static void read_all(cflri_walk *w, CXCursor cursor, uint32_t declaration, uint32_t number) {
    char argument[CFLRI_ATTRIBUTE_SIZE];
    CXString printed = cflri_attributes_text(cursor);
    const char *text = cflri_clang_getCString(printed);
    if (cflri_attribute_in(text, "section", argument)) put_in_section(w, number, argument);
    if (w->names.function != 0 && cflri_attribute_in(text, "cleanup", argument))
        clean_up(w, declaration, number, argument);
    cflri_clang_disposeString(printed);
}

void cflri_attributes(cflri_walk *w, uint32_t declaration, uint32_t number) {
    CXCursor cursor = cflri_tree_cursor(&w->tree, declaration);
    CXCursor first = cflri_clang_getCanonicalCursor(cursor);
    if (!cflri_clang_Cursor_hasAttrs(cursor)) return;
    read_all(w, cursor, declaration, number);
    if (!cflri_clang_equalCursors(cursor, first)) read_all(w, first, declaration, number);
}
