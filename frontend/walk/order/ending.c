/* SPDX-License-Identifier: Apache-2.0
 *
 * ending.c: which functions never return.
 *
 *     abort, exit, longjmp, ...            by name: headers of old systems do not say so
 *     UnityFail: noreturn                  by summary (docs/reference/summaries.md)
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
 * What a body says depends on the functions that it calls. So the order in which a unit defines
 * them must not matter: before a function is walked, all bodies that it can reach by calls in the
 * unit are looked at, callees first, strongly connected components of calls by Tarjan's algorithm
 * ("Depth-First Search and Linear Graph Algorithms", SIAM J. Computing 1, 1972), without recursion:
 *
 *     path          bodies that are being followed, the next callee of each
 *     open          bodies of components that are not complete
 *     ahead         the tree that was read last: of a body without callees it is used at once
 *
 * The members of a component are looked at in rounds until nothing changes. First which of them
 * end: none, and then more. Then what they show: all arguments, and then fewer. That is the
 * greatest solution, and right by induction on the depth of the calls that have returned. In each
 * round all are asked with the answers of the round before, so their order does not matter either;
 * again only those that call one whose answer has changed.
 *
 * Each body is read at most twice more than it is walked, those in cycles once more in each round.
 */
#include "frontend/walk/order/ending.h"

#include <string.h>

#include "frontend/walk/order/conditions.h"

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

/* Of the body in w->tree: does it end, and if not, what does it show? */
static bool never_ends(cflri_walk *w, CXCursor definition, cflri_shows *shows) {
    uint32_t body = cflri_tree_last(&w->tree, 0);
    if (cflri_tree_kind(&w->tree, body) != CXCursor_CompoundStmt || !is_in_order(w)) return false;
    cflri_control_make(w, body);
    bool ends = w->facts->status == CFLR_OK && !w->versions.control.returns;
    if (shows && !ends && w->facts->status == CFLR_OK) *shows = cflri_tested_shows(w, definition);
    cflri_control_unmark(w);
    return ends;
}

static void swap_trees(cflri_walk *w) {
    const cflri_tree tree = w->tree;
    w->tree = w->endings.ahead;
    w->endings.ahead = tree;
}

static bool is_tree_of(const cflri_tree *tree, CXCursor definition) {
    return tree->nodes.n > 0 && cflri_cursors_equal(&tree->nodes.at[0].cursor, &definition);
}

/* Brings the tree of a definition to w->tree, until it is returned; `walked`: it is the one that is
 * being walked, and is there. */
static bool bring_tree(cflri_walk *w, CXCursor definition, bool *walked) {
    *walked = is_tree_of(&w->tree, definition);
    if (*walked) return true;
    bool read = is_tree_of(&w->endings.ahead, definition) ||
                cflri_tree_read(w->context, &w->endings.ahead, definition);
    if (!read) cflri_walk_refuse(w);
    swap_trees(w);
    return read;
}

static void return_tree(cflri_walk *w, bool walked) {
    if (!walked) swap_trees(w);
}

static bool ask_body(cflri_walk *w, uint32_t number, cflri_shows *shows) {
    CXCursor definition = cflri_clang_getCursorDefinition(w->names.decls.at[number].cursor);
    bool walked;
    bool ends = bring_tree(w, definition, &walked) && never_ends(w, definition, shows);
    return_tree(w, walked);
    return ends;
}

/* ---- what summaries say ---- */

/* Is it certain here that the summary holds? The program may have a body for it in another unit,
 * but not for what the system declares; and some summaries count more than bodies. */
static bool is_summarised(cflri_walk *w, uint32_t number, uint32_t *unless) {
    const cflri_decl decl = w->names.decls.at[number];
    uint32_t function = cflri_decl_function(&w->names, number);
    const char *name = cflri_summarised_name(w->summaries, w->facts, function);
    return name && cflri_summary_ends(w->summaries, name, unless) &&
           (cflri_summary_overrides(w->summaries, w->facts, function) ||
            (!decl.has_body && cflri_in_system_header(decl.cursor)));
}

uint32_t cflri_function_needs(cflri_walk *w, uint32_t number) {
    uint32_t unless = 0;
    return is_summarised(w, number, &unless) ? unless : 0;
}

/* ---- declarations or bodies ---- */

/* By the declaration alone. */
static cflri_ending declared_ending(cflri_walk *w, uint32_t number) {
    const cflri_decl decl = w->names.decls.at[number];
    uint32_t unless;
    if (is_named_noreturn(cflri_string(&w->facts->strings, decl.name)) ||
        is_declared_noreturn(decl.cursor) || (is_summarised(w, number, &unless) && unless == 0))
        return CFLRI_ENDS;
    bool own = cflri_has_own_body(w, number) &&
               !has_word(cflri_declaration_text(cflri_clang_getCursorDefinition(decl.cursor), true),
                         "weak");
    return own ? CFLRI_ENDING_IN_BODY : CFLRI_RETURNS;
}

/* The definition of a function that has a body here, else the declaration: all of one function are
 * declarations of their own, and answers of bodies are kept with their definition. */
static uint32_t definition_of(cflri_walk *w, uint32_t number) {
    const cflri_decl decl = w->names.decls.at[number];
    if (!decl.has_body) return number;
    if (decl.definition) return decl.definition - 1;
    uint32_t found = cflri_decl_of(&w->names, cflri_clang_getCursorDefinition(decl.cursor));
    if (found == CFLRI_NO_NUMBER) return number;
    w->names.decls.at[number].definition = found + 1;
    return found;
}

static cflri_ending ending_of(cflri_walk *w, uint32_t number) {
    if (w->names.decls.at[number].ending == CFLRI_ENDING_UNKNOWN)
        w->names.decls.at[number].ending = declared_ending(w, number);
    return w->names.decls.at[number].ending;
}

bool cflri_function_never_returns(cflri_walk *w, uint32_t number) {
    return ending_of(w, number) == CFLRI_ENDS ||
           ending_of(w, definition_of(w, number)) == CFLRI_ENDS;
}

cflri_shows cflri_function_shows(cflri_walk *w, uint32_t number) {
    return w->names.decls.at[definition_of(w, number)].shows;
}

/* ---- components ---- */

/* Lists the functions that the one in w->tree calls and of which a body must be asked. */
static void list_callees(cflri_walk *w) {
    for (uint32_t e = 0; e < w->tree.nodes.n && w->facts->status == CFLR_OK; e++) {
        if (cflri_tree_kind(&w->tree, e) != CXCursor_CallExpr) continue;
        uint32_t callee = cflri_call_function(w, e);
        if (callee != CFLRI_NO_NUMBER) callee = definition_of(w, callee);
        if (callee == CFLRI_NO_NUMBER || ending_of(w, callee) != CFLRI_ENDING_IN_BODY) continue;
        if (!cflri_vec_push(w->context, &w->endings.callees, callee)) cflri_walk_refuse(w);
    }
}

/* Begins to follow a body. Its parameters are named, which its tests are about. */
static void enter(cflri_walk *w, uint32_t number) {
    cflri_endings *x = &w->endings;
    CXCursor definition = cflri_clang_getCursorDefinition(w->names.decls.at[number].cursor);
    bool walked;
    cflri_decl_parameters(&w->names, cflri_decl_function(&w->names, number), definition);
    cflri_called_body made = {
        .decl = number, .low = (uint32_t)x->bodies.n, .first = (uint32_t)x->callees.n};
    if (bring_tree(w, definition, &walked)) list_callees(w);
    return_tree(w, walked);
    made.next = made.first;
    made.end = (uint32_t)x->callees.n;
    if (!cflri_vec_push(w->context, &x->path, made.low) ||
        !cflri_vec_push(w->context, &x->open, made.low) ||
        !cflri_vec_push(w->context, &x->bodies, made))
        cflri_walk_refuse(w);
    else
        w->names.decls.at[number].body = (uint32_t)x->bodies.n;
}

/* Does a body call one of those whose answer has changed in the last round? */
static bool calls_changed(const cflri_walk *w, const cflri_called_body *body) {
    const cflri_endings *x = &w->endings;
    for (uint32_t i = body->first; i < body->end; i++) {
        uint32_t callee = w->names.decls.at[x->callees.at[i]].body;
        if (callee && x->bodies.at[callee - 1].changed) return true;
    }
    return false;
}

/* What is asked in a round of a component. */
typedef enum question { WHICH_END, WHAT_IS_SHOWN } question;

/* Asks a member, and notes the answer of this round; has it another one? */
static bool ask_member(cflri_walk *w, cflri_called_body *body, question what) {
    const cflri_decl *decl = &w->names.decls.at[body->decl];
    body->ends = decl->ending == CFLRI_ENDS;
    body->shows = decl->shows;
    if (body->ends) return false;
    cflri_shows shows = {{0, 0}};
    bool ends = ask_body(w, body->decl, what == WHAT_IS_SHOWN ? &shows : NULL);
    if (what == WHICH_END) return body->ends = ends;
    bool changed = false;
    for (int yes = 0; yes < 2; yes++) {
        body->shows.when[yes] &= shows.when[yes];
        changed |= body->shows.when[yes] != w->names.decls.at[body->decl].shows.when[yes];
    }
    return changed;
}

/* One round over the members, which are open from `first` on; has any changed? */
static bool ask_round(cflri_walk *w, size_t first, question what, bool all) {
    cflri_endings *x = &w->endings;
    bool any = false;
    for (size_t i = first; i < x->open.n && w->facts->status == CFLR_OK; i++) {
        cflri_called_body *body = &x->bodies.at[x->open.at[i]];
        body->asked = all || calls_changed(w, body);
    }
    for (size_t i = first; i < x->open.n && w->facts->status == CFLR_OK; i++) {
        cflri_called_body *body = &x->bodies.at[x->open.at[i]];
        body->next_changed = body->asked && ask_member(w, body, what);
    }
    for (size_t i = first; i < x->open.n && w->facts->status == CFLR_OK; i++) {
        cflri_called_body *body = &x->bodies.at[x->open.at[i]];
        body->changed = body->next_changed;
        any |= body->changed;
        if (!body->changed) continue;
        if (body->ends) w->names.decls.at[body->decl].ending = CFLRI_ENDS;
        w->names.decls.at[body->decl].shows = body->shows;
    }
    return any;
}

static void ask_in_rounds(cflri_walk *w, size_t first, question what) {
    for (bool all = true; ask_round(w, first, what, all); all = false) continue;
}

static bool calls_itself(const cflri_walk *w, const cflri_called_body *body) {
    const cflri_endings *x = &w->endings;
    for (uint32_t i = body->first; i < body->end; i++)
        if (x->callees.at[i] == body->decl) return true;
    return false;
}

/* The component of bodies that are open from `first` on is complete. */
static void settle(cflri_walk *w, size_t first) {
    cflri_endings *x = &w->endings;
    cflri_called_body *body = &x->bodies.at[x->open.at[first]];
    bool cycle = x->open.n - first > 1 || calls_itself(w, body);
    uint32_t all = cycle ? UINT32_MAX : 0;
    for (size_t i = first; i < x->open.n; i++) {
        cflri_decl *decl = &w->names.decls.at[x->bodies.at[x->open.at[i]].decl];
        decl->ending = CFLRI_RETURNS;
        decl->shows = (cflri_shows){{all, all}};
    }
    if (!cycle) {
        cflri_shows shows = {{0, 0}};
        if (ask_body(w, body->decl, &shows)) w->names.decls.at[body->decl].ending = CFLRI_ENDS;
        w->names.decls.at[body->decl].shows = shows;
    } else {
        ask_in_rounds(w, first, WHICH_END);
        ask_in_rounds(w, first, WHAT_IS_SHOWN);
    }
    x->open.n = first;
}

/* Follows the next callee of the body at the end of the path, or leaves it. */
static void follow(cflri_walk *w) {
    cflri_endings *x = &w->endings;
    uint32_t at = x->path.at[x->path.n - 1];
    cflri_called_body *body = &x->bodies.at[at];
    if (body->next < body->end) {
        uint32_t callee = x->callees.at[body->next++];
        const cflri_decl *decl = &w->names.decls.at[callee];
        if (decl->ending != CFLRI_ENDING_IN_BODY) return;
        if (!decl->body)
            enter(w, callee);
        else if (decl->body - 1 < body->low)
            body->low = decl->body - 1;
        return;
    }
    uint32_t low = body->low;
    x->path.n--;
    if (x->path.n > 0) {
        cflri_called_body *caller = &x->bodies.at[x->path.at[x->path.n - 1]];
        if (low < caller->low) caller->low = low;
    }
    if (low != at) return;
    size_t first = x->open.n;
    while (x->open.at[first - 1] != at) first--;
    settle(w, first - 1);
}

static void forget_bodies(cflri_walk *w) {
    cflri_endings *x = &w->endings;
    for (size_t i = 0; i < x->bodies.n; i++) w->names.decls.at[x->bodies.at[i].decl].body = 0;
    x->bodies.n = x->callees.n = x->path.n = x->open.n = 0;
}

void cflri_endings_find(cflri_walk *w, uint32_t number) {
    if (ending_of(w, number) != CFLRI_ENDING_IN_BODY) return;
    enter(w, number);
    while (w->endings.path.n > 0 && w->facts->status == CFLR_OK) follow(w);
    forget_bodies(w);
}

void cflri_endings_free(cflr_context *context, cflri_endings *endings) {
    cflri_vec_free(context, &endings->bodies);
    cflri_vec_free(context, &endings->callees);
    cflri_vec_free(context, &endings->path);
    cflri_vec_free(context, &endings->open);
    cflri_tree_free(context, &endings->ahead);
}
