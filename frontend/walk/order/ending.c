/* SPDX-License-Identifier: Apache-2.0
 *
 * ending.c: which functions never return.
 *
 *     abort, exit, longjmp, ...            by name: headers of old systems do not say so
 *     _Noreturn, [[noreturn]]              by declaration
 *     __attribute__((noreturn))            by type: so of pointers to functions, too
 *     static void die(const char *why) {   by body: neither its end nor a `return` is reached from
 *         for (perror(why);;) pause();     its beginning (control.h), where calls of functions that
 *     }                                    never return are ends, and loops without condition have
 *                                          none
 *
 * Programs have a function of the last kind more often than not, and few declare it. Where in doubt
 * a function returns, since a test before a call of it shows less then: one with another body
 * elsewhere (weak), one whose code does not run in the order of the source, one that calls itself
 * on all ways.
 *
 * A function of external linkage with a body that never returns says so in the facts: units that
 * call it leave it to linking what holds behind the call (versions.c). If a function returns, what
 * it shows of its arguments is found on the way (tested.c).
 *
 * A type tells of its own attribute and of those of parameters and results, all as text. It has one
 * of its own when it has more than they have together.
 *
 * Bodies are asked for from inside of others, MOST_BODIES deep. One that is called before it is
 * walked is read once more for it; most are asked for when their tree has just been read to be
 * walked, and it is the same then.
 */
#include "frontend/walk/order/ending.h"

#include <string.h>

enum { MOST_BODIES = 16 };

/* ---- declarations ---- */

static bool has_word(CXString text, const char *word) {
    const char *chars = cflri_clang_getCString(text);
    bool found = chars && strstr(chars, word);
    cflri_clang_disposeString(text);
    return found;
}

static bool is_named_noreturn(const char *name) {
    static const char *const names[] = {"abort",
                                        "exit",
                                        "_exit",
                                        "_Exit",
                                        "quick_exit",
                                        "longjmp",
                                        "_longjmp",
                                        "siglongjmp",
                                        "pthread_exit",
                                        "thrd_exit",
                                        "__builtin_abort",
                                        "__builtin_exit",
                                        "__builtin_longjmp",
                                        "__builtin_trap",
                                        "__builtin_verbose_trap",
                                        "__builtin_unreachable"};
    bool found = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) found |= strcmp(name, names[i]) == 0;
    return found;
}

static int count_in_type(CXType type) {
    static const char word[] = "noreturn";
    CXString text = cflri_clang_getTypeSpelling(cflri_clang_getCanonicalType(type));
    const char *at = cflri_clang_getCString(text);
    int n = 0;
    for (at = at ? strstr(at, word) : NULL; at; at = strstr(at + 1, word)) n++;
    cflri_clang_disposeString(text);
    return n;
}

bool cflri_type_never_returns(CXType type) {
    type = cflri_clang_getCanonicalType(type);
    while (type.kind == CXType_Pointer)
        type = cflri_clang_getCanonicalType(cflri_clang_getPointeeType(type));
    if (type.kind != CXType_FunctionProto && type.kind != CXType_FunctionNoProto) return false;
    int own = count_in_type(type), n = cflri_clang_getNumArgTypes(type);
    if (own == 0) return false;
    own -= count_in_type(cflri_clang_getResultType(type));
    for (int k = 0; k < n; k++) own -= count_in_type(cflri_clang_getArgType(type, (unsigned)k));
    return own > 0;
}

static bool is_declared_noreturn(CXCursor function) {
    return cflri_type_never_returns(cflri_clang_getCursorType(function)) ||
           has_word(cflri_declaration_text(function, true), "_Noreturn") ||
           has_word(cflri_declaration_text(function, true), "[[noreturn]]");
}

/* ---- bodies ---- */

/* Runs all of it in the order of the source? */
static bool is_in_order(const cflri_walk *w) {
    for (uint32_t e = 0; e < w->tree.nodes.n; e++)
        if (cflri_runs_beside(cflri_tree_kind(&w->tree, e))) return false;
    return true;
}

/* Of the body in w->tree. */
static bool never_ends(cflri_walk *w, CXCursor definition, cflri_shows *shows) {
    uint32_t body = cflri_tree_last(&w->tree, 0);
    if (cflri_tree_kind(&w->tree, body) != CXCursor_CompoundStmt || !is_in_order(w)) return false;
    cflri_control_make(w, body);
    if (w->facts->status != CFLR_OK) return false;
    if (w->versions.control.returns) *shows = cflri_tested_shows(w, definition);
    return !w->versions.control.returns;
}

static bool read_and_ask(cflri_walk *w, CXCursor definition, cflri_shows *shows) {
    const cflri_tree tree = w->tree;
    w->tree = (cflri_tree){0};
    bool read = cflri_tree_read(w->context, &w->tree, definition);
    if (!read) cflri_walk_refuse(w);
    bool never = read && never_ends(w, definition, shows);
    cflri_tree_free(w->context, &w->tree);
    w->tree = tree;
    return never;
}

/* Is it the function whose tree is there? */
static bool is_read(const cflri_walk *w, CXCursor definition) {
    return w->bodies == 0 && w->tree.nodes.n > 0 &&
           cflri_cursors_equal(&w->tree.nodes.at[0].cursor, &definition);
}

/* The body is looked at while another one is: that one's tree and blocks wait. Where it is the same
 * one, its tree has marks of blocks: they are those of the blocks that wait, or else there are no
 * blocks that they could name afterwards. */
static bool body_never_ends(cflri_walk *w, CXCursor definition, cflri_shows *shows) {
    const cflri_control control = w->versions.control;
    bool read = is_read(w, definition);
    w->versions.control = (cflri_control){0};
    w->bodies++;
    bool never = read ? never_ends(w, definition, shows) : read_and_ask(w, definition, shows);
    w->bodies--;
    if (read && control.blocks.n == 0) cflri_control_unmark(w);
    cflri_control_free(w->context, &w->versions.control);
    w->versions.control = control;
    return never;
}

/* ---- all ---- */

bool cflri_function_never_returns(cflri_walk *w, uint32_t number) {
    const cflri_decl decl = w->names.decls.at[number];
    if (decl.ending != CFLRI_ENDING_UNKNOWN) return decl.ending == CFLRI_ENDS;
    bool ends = is_named_noreturn(cflri_string(&w->facts->strings, decl.name)) ||
                is_declared_noreturn(decl.cursor);
    if (!ends && decl.has_body && w->bodies == MOST_BODIES) return false;
    w->names.decls.at[number].ending = CFLRI_RETURNS; /* should its body ask */
    CXCursor definition = cflri_clang_getCursorDefinition(decl.cursor);
    cflri_shows shows = {{0, 0}};
    if (!ends && cflri_has_own_body(w, number) &&
        !has_word(cflri_declaration_text(definition, true), "weak"))
        ends = body_never_ends(w, definition, &shows);
    w->names.decls.at[number].shows = shows;
    if (ends) w->names.decls.at[number].ending = CFLRI_ENDS;
    return ends;
}
