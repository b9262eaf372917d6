/* SPDX-License-Identifier: Apache-2.0
 *
 * ending.c: which functions never return.
 *
 *     abort, exit, longjmp, ...                    by name: headers of old systems do not say so
 *     _Noreturn, __attribute__((noreturn))         by declaration
 *     static void die(const char *why) {           by body: its last statement is a call of such a function, and
 *         perror(why);                             no statement in it is a return
 *         exit(1);
 *     }
 *
 * Programs have a function of the third kind more often than not, and few declare it. A body whose end cannot be
 * reached for another reason (a loop without end) counts as one that returns, and so does one that is in another
 * unit: where in doubt a test before the call shows less.
 *
 * A body whose last statement calls a function with such a body is followed MOST_BODIES deep, so that cycles end. The
 * statements at the top of each body are looked at, and the whole of it only when the last one is a call that ends.
 */
#include "frontend/ending.h"

#include <string.h>

#include "frontend/names.h"

enum { MOST_BODIES = 4 };

static bool has_word(CXString text, const char *word) {
    const char *chars = cflri_clang_getCString(text);
    bool found = chars && strstr(chars, word);
    cflri_clang_disposeString(text);
    return found;
}

static bool is_named_noreturn(CXCursor function) {
    static const char *const names[] = {"abort",          "exit",
                                        "_exit",          "_Exit",
                                        "quick_exit",     "longjmp",
                                        "siglongjmp",     "__builtin_abort",
                                        "__builtin_exit", "__builtin_longjmp",
                                        "__builtin_trap", "__builtin_unreachable"};
    CXString spelling = cflri_clang_getCursorSpelling(function);
    const char *name = cflri_clang_getCString(spelling);
    bool found = false;
    for (size_t i = 0; name && i < sizeof names / sizeof *names; i++)
        found |= strcmp(name, names[i]) == 0;
    cflri_clang_disposeString(spelling);
    return found;
}

/* An attribute is part of the type, `_Noreturn` of the declaration. */
static bool is_declared_noreturn(CXCursor function) {
    CXType type = cflri_clang_getCanonicalType(cflri_clang_getCursorType(function));
    return has_word(cflri_clang_getTypeSpelling(type), "noreturn") ||
           has_word(cflri_declaration_text(function), "_Noreturn");
}

static enum CXChildVisitResult take_last(CXCursor child, CXCursor parent, CXClientData last) {
    (void)parent;
    *(CXCursor *)last = child;
    return CXChildVisit_Continue;
}

static CXCursor last_child(CXCursor cursor) {
    CXCursor last = cflri_clang_getNullCursor();
    cflri_clang_visitChildren(cursor, take_last, &last);
    return last;
}

static enum CXChildVisitResult find_return(CXCursor child, CXCursor parent, CXClientData found) {
    (void)parent;
    if (child.kind != CXCursor_ReturnStmt) return CXChildVisit_Recurse;
    *(bool *)found = true;
    return CXChildVisit_Break;
}

static bool has_return(CXCursor body) {
    bool found = false;
    cflri_clang_visitChildren(body, find_return, &found);
    return found;
}

/* What the last statement of a body calls by name; a null cursor when it is something else. */
static CXCursor called_last(CXCursor body) {
    CXCursor call = last_child(body), none = cflri_clang_getNullCursor();
    if (body.kind != CXCursor_CompoundStmt || call.kind != CXCursor_CallExpr) return none;
    CXCursor callee = cflri_clang_getCursorReferenced(call);
    return callee.kind == CXCursor_FunctionDecl ? callee : none;
}

/* Whether the first function ends is whether that does which the last of a few bodies calls. */
bool cflri_function_never_returns(CXCursor function) {
    for (int depth = 0; depth <= MOST_BODIES; depth++) {
        if (is_named_noreturn(function) || is_declared_noreturn(function)) return true;
        CXCursor definition = cflri_clang_getCursorDefinition(function);
        if (cflri_clang_Cursor_isNull(definition)) return false;
        CXCursor body = last_child(definition);
        function = called_last(body);
        if (cflri_clang_Cursor_isNull(function) || has_return(body)) return false;
    }
    return false;
}
