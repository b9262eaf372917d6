/* SPDX-License-Identifier: Apache-2.0
 *
 * tested.c: reads of pointers that a test has shown not to be null.
 *
 *     if (s->next) use(s->next);                  memory, with no write between that may change it
 *     q = &p[2]; if (!p) return; use(q);          what was made of the pointer that is tested
 *     ok = p != NULL && more; if (ok) use(p);     what stands for a test
 *     if (!valid(p)) return; use(p);              where valid() returns 0 for a null pointer, or does not return
 *
 * versions.c knows tests of split locals. This is for all else, and looks forward: through the blocks of a function
 * (control.h) go facts of two forms,
 *
 *     s->next is not 0                 begins with a test
 *     where ok is not 0, p is not 0    begins with an assignment to either of them; and at a test of ok the other half holds
 *
 * and both end where one of their paths may change (access_path.c). At the start of a block holds what holds behind
 * all that are before it: the greatest solution, from all facts down (Kildall, "A Unified Approach to Global Program
 * Optimization", POPL 1973).
 *
 * A call may change any memory. So it is done twice: once so, and once with calls that change only what they are
 * given, by its address or by a pointer on the path. Reads that only the second shows are marked as well, and what
 * is found behind them is unlikely (cli/rule_rank.c). Functions of the library that get pointers to constant things only
 * change nothing. What another thread or a signal does between test and read is not asked: without `volatile` or
 * atomics it would be a race.
 *
 * Of a function with a body in the unit is known what it shows of its arguments, at its returns together: found when it
 * is asked whether it ever returns (ending.c).
 *
 * O(steps * facts) for each round; functions with more than MOST_WORK of that are left alone.
 */
#include "frontend/tested.h"

#include <string.h>

#include "frontend/conditions.h"

enum {
    MOST_DEPTH = 24,  /* of a condition */
    MOST_SHOWN = 8,   /* by one outcome */
    MOST_ROUNDS = 64, /* until nothing changes; else nothing is known */
    WORD = 64
};
#define MOST_WORK (4u << 20)

typedef struct shown_list {
    uint32_t n;
    cflri_truth at[MOST_SHOWN];
} shown_list;

/* ---- what an outcome shows ---- */

static void add_truth(shown_list *list, const cflri_path *path, bool yes) {
    if (list->n == MOST_SHOWN) return;
    list->at[list->n++] = (cflri_truth){*path, yes};
}

/* What a called function shows of arguments that are apart: memory may have changed since. */
static void show_call(cflri_walk *w, uint32_t call, uint32_t masks, shown_list *list) {
    uint32_t a = cflri_tree_next(&w->tree, cflri_tree_first(&w->tree, call));
    for (uint32_t k = 0; k < 32 && a != CFLRI_NO_CHILD; k++, a = cflri_tree_next(&w->tree, a)) {
        cflri_path path;
        if ((masks >> k & 1) && cflri_path_of(w, a, &path) && !path.memory)
            add_truth(list, &path, true);
    }
}

static void show_callee(cflri_walk *w, uint32_t call, bool yes, shown_list *list) {
    uint32_t number = cflri_call_function(w, call);
    if (number != CFLRI_NO_NUMBER)
        show_call(w, call, w->names.decls.at[number].shows.when[yes], list);
}

/* The number 0 may have come of a conversion to fewer bits. */
static bool is_converted(const cflri_walk *w, uint32_t e) {
    return cflri_tree_kind(&w->tree, cflri_expr_unwrapped(w, e)) == CXCursor_CStyleCastExpr;
}

static void show_test(cflri_walk *w, uint32_t e, bool yes, shown_list *list) {
    bool when;
    cflri_path path;
    uint32_t pointer = cflri_condition_pointer(w, e, &when);
    if (pointer == CFLRI_NO_CHILD) {
        uint32_t bare = cflri_expr_bare(w, e);
        if (cflri_tree_kind(&w->tree, bare) == CXCursor_CallExpr && (yes || !is_converted(w, e)))
            show_callee(w, bare, yes, list);
        else if (cflri_tree_kind(&w->tree, bare) == CXCursor_DeclRefExpr &&
                 (yes || !is_converted(w, e)) && cflri_path_of(w, bare, &path) && !path.memory)
            add_truth(list, &path, yes);
        return;
    }
    if (when != yes) return;
    for (uint32_t at = pointer; at != CFLRI_NO_CHILD;) {
        uint32_t right = cflri_condition_assigned(w, at);
        uint32_t name = right == CFLRI_NO_CHILD ? at : cflri_tree_first(&w->tree, at);
        if (cflri_path_of(w, name, &path)) add_truth(list, &path, true);
        at = right;
    }
    if (cflri_tree_kind(&w->tree, pointer) == CXCursor_CallExpr)
        show_callee(w, pointer, true, list);
}

static void show(cflri_walk *w, uint32_t e, bool yes, int depth, shown_list *list);

/* c ? a : b has an outcome that one of its parts, a constant, does not: so it is the other. */
static void show_choice(cflri_walk *w, const cflri_condition *parts, bool yes, int depth,
                        shown_list *list) {
    bool always;
    if (cflri_condition_is_constant(w, parts->last, &always) && always != yes) {
        show(w, parts->chooser, true, depth, list);
        show(w, parts->first, yes, depth, list);
    } else if (cflri_condition_is_constant(w, parts->first, &always) && always != yes) {
        show(w, parts->chooser, false, depth, list);
        show(w, parts->last, yes, depth, list);
    }
}

static void show(cflri_walk *w, uint32_t e, bool yes, int depth, shown_list *list) {
    for (; depth < MOST_DEPTH; depth++) {
        const cflri_condition parts = cflri_condition_parts(w, e);
        switch (parts.kind) {
            case CFLRI_CONDITION_NOT:
                yes = !yes;
                break;
            case CFLRI_CONDITION_OF_PART:
                if (!yes && is_converted(w, e) && cflri_condition_shows(w, e)) return;
                break;
            case CFLRI_CONDITION_COMMA:
                break;
            case CFLRI_CONDITION_AND:
            case CFLRI_CONDITION_OR:
                if (yes != (parts.kind == CFLRI_CONDITION_AND)) return;
                show(w, parts.first, yes, depth + 1, list);
                break;
            case CFLRI_CONDITION_CHOICE:
                show_choice(w, &parts, yes, depth + 1, list);
                return;
            case CFLRI_CONDITION_TEST:
                show_test(w, e, yes, list);
                return;
        }
        e = parts.last;
    }
}

/* ---- facts ---- */

static bool same_truth(const cflri_truth *a, const cflri_truth *b) {
    return a->yes == b->yes && a->path.n == b->path.n && cflri_path_begins(&a->path, &b->path);
}

static uint32_t fact_of(cflri_walk *w, const cflri_known *fact) {
    cflri_tested *t = &w->tested;
    for (uint32_t i = 0; i < t->facts.n; i++) {
        const cflri_known *known = &t->facts.at[i];
        if (known->conditional == fact->conditional && same_truth(&known->then, &fact->then) &&
            (!fact->conditional || same_truth(&known->given, &fact->given)))
            return i;
    }
    if (!cflri_vec_push(w->context, &t->facts, *fact)) cflri_walk_refuse(w);
    return (uint32_t)t->facts.n - 1;
}

static void begin_fact(cflri_walk *w, const cflri_known *fact) {
    uint32_t number = fact_of(w, fact);
    if (!cflri_vec_push(w->context, &w->tested.begun, number)) cflri_walk_refuse(w);
}

static void begin_truths(cflri_walk *w, const shown_list *list) {
    for (uint32_t i = 0; i < list->n; i++) {
        const cflri_known fact = {.then = list->at[i]};
        begin_fact(w, &fact);
    }
}

/* Not about an older value of what is written. */
static void begin_condition(cflri_walk *w, const cflri_truth *given, const cflri_truth *then) {
    if (cflri_path_begins(&given->path, &then->path) ||
        cflri_path_begins(&then->path, &given->path))
        return;
    const cflri_known holds[] = {{.then = *given}, {.then = *then}};
    const cflri_known fact = {.given = *given,
                              .then = *then,
                              .conditional = true,
                              .given_holds = fact_of(w, &holds[0]),
                              .then_holds = fact_of(w, &holds[1])};
    begin_fact(w, &fact);
}

/* The pointer that a pointer is made of, by conversions, sums and steps to members: `p` of &p[2], p + 1, &p->m. */
static uint32_t made_of(cflri_walk *w, uint32_t e) {
    for (int steps = 0; steps < MOST_DEPTH; steps++) {
        e = cflri_expr_bare(w, e);
        uint32_t first = cflri_tree_first(&w->tree, e);
        enum CXCursorKind kind = cflri_tree_kind(&w->tree, e);
        if (kind == CXCursor_BinaryOperator && cflri_tree_count(&w->tree, e) == 2 &&
            cflri_clang_getCursorBinaryOperatorKind(cflri_tree_cursor(&w->tree, e)) ==
                CXBinaryOperator_Add) {
            uint32_t second = cflri_tree_last(&w->tree, e);
            e = cflri_expr_class(w, first) == CFLRI_TYPE_POINTER ? first : second;
            continue;
        }
        if (kind != CXCursor_UnaryOperator ||
            cflri_clang_getCursorUnaryOperatorKind(cflri_tree_cursor(&w->tree, e)) !=
                CXUnaryOperator_AddrOf)
            return e;
        e = cflri_expr_bare(w, first);
        while (cflri_tree_kind(&w->tree, e) == CXCursor_MemberRefExpr &&
               cflri_tree_first(&w->tree, e) != CFLRI_NO_CHILD &&
               cflri_expr_class(w, cflri_tree_first(&w->tree, e)) != CFLRI_TYPE_POINTER)
            e = cflri_expr_bare(w, cflri_tree_first(&w->tree, e));
        if (cflri_tree_kind(&w->tree, e) != CXCursor_MemberRefExpr &&
            cflri_tree_kind(&w->tree, e) != CXCursor_ArraySubscriptExpr)
            return CFLRI_NO_CHILD;
        e = cflri_tree_first(&w->tree, e);
    }
    return CFLRI_NO_CHILD;
}

/* `to` is assigned `from`: what each of its outcomes shows, and what shows one of its. */
static void begin_assignment(cflri_walk *w, const cflri_path *to, uint32_t from, bool pointer) {
    for (int yes = pointer; yes < 2; yes++) {
        shown_list list = {0};
        const cflri_truth given = {*to, (uint32_t)yes};
        show(w, from, yes, 0, &list);
        for (uint32_t i = 0; i < list.n; i++)
            if (yes || list.at[i].yes) begin_condition(w, &given, &list.at[i]);
    }
    cflri_truth then = {*to, 1}, given = {.yes = 1};
    uint32_t base = pointer ? made_of(w, from) : CFLRI_NO_CHILD;
    if (base != CFLRI_NO_CHILD && cflri_expr_class(w, base) == CFLRI_TYPE_POINTER &&
        cflri_path_of(w, base, &given.path))
        begin_condition(w, &given, &then);
}

/* ---- calls ---- */

static bool is_harmless(CXType type) {
    type = cflri_clang_getCanonicalType(type);
    if (type.kind != CXType_Pointer) return type.kind != CXType_Record;
    CXType pointee = cflri_clang_getPointeeType(type);
    if (cflri_clang_isConstQualifiedType(pointee)) return pointee.kind != CXType_Record;
    CXString name = cflri_clang_getTypeSpelling(pointee);
    bool file = strcmp(cflri_clang_getCString(name), "struct _IO_FILE") == 0;
    cflri_clang_disposeString(name);
    return file;
}

/* A function of the library that gets files and pointers to constant things, but to no records, which may hold further
 * pointers (readv): strcmp, strlen, fprintf. Of those with arguments of any number only the ones that print are known. */
static bool is_pure(cflri_walk *w, uint32_t call) {
    uint32_t number = cflri_call_function(w, call);
    if (number == CFLRI_NO_NUMBER) return false;
    const cflri_decl *decl = &w->names.decls.at[number];
    CXType type = cflri_clang_getCanonicalType(cflri_clang_getCursorType(decl->cursor));
    if (type.kind != CXType_FunctionProto ||
        !cflri_clang_Location_isInSystemHeader(cflri_clang_getCursorLocation(decl->cursor)))
        return false;
    if (cflri_clang_isFunctionTypeVariadic(type) &&
        !strstr(cflri_string(&w->facts->strings, decl->name), "printf"))
        return false;
    for (int k = 0; k < cflri_clang_getNumArgTypes(type); k++)
        if (!is_harmless(cflri_clang_getArgType(type, (unsigned)k))) return false;
    return true;
}

static bool returns_twice(cflri_walk *w, uint32_t call) {
    uint32_t number = cflri_call_function(w, call);
    return number != CFLRI_NO_NUMBER && w->names.decls.at[number].returns_twice;
}

/* Is the argument the address of what the path names or goes through, or a pointer that it goes through? */
static bool gives(cflri_walk *w, uint32_t argument, const cflri_path *path) {
    cflri_path given;
    uint32_t e = cflri_expr_bare(w, argument);
    bool address = cflri_tree_kind(&w->tree, e) == CXCursor_UnaryOperator &&
                   cflri_clang_getCursorUnaryOperatorKind(cflri_tree_cursor(&w->tree, e)) ==
                       CXUnaryOperator_AddrOf;
    if (address) e = cflri_tree_first(&w->tree, e);
    if (!cflri_path_of(w, e, &given)) return address;
    if (address && cflri_path_begins(path, &given)) return true;
    return path->n > given.n && cflri_path_begins(path, &given);
}

/* A variable of the library, such as optarg, is changed by the library. */
static bool is_of_library(const cflri_walk *w, uint32_t root) {
    CXCursor cursor = w->names.decls.at[root].cursor;
    return cflri_clang_getCursorLinkage(cursor) == CXLinkage_External &&
           cflri_clang_Location_isInSystemHeader(cflri_clang_getCursorLocation(cursor));
}

static bool is_changed_by_call(cflri_walk *w, uint32_t call, const cflri_path *path, bool pure) {
    if (!path->memory) return false;
    if (pure) return is_of_library(w, path->root);
    if (!w->tested.hopeful) return true;
    uint32_t a = cflri_tree_first(&w->tree, call);
    while (a != CFLRI_NO_CHILD && (a = cflri_tree_next(&w->tree, a)) != CFLRI_NO_CHILD)
        if (gives(w, a, path)) return true;
    return false;
}

/* ---- effects ---- */

/* A declaration whose initialiser is not evaluated where it stands. */
static bool is_static(const cflri_walk *w, uint32_t e) {
    return cflri_tree_kind(&w->tree, e) == CXCursor_VarDecl &&
           cflri_clang_Cursor_getStorageClass(cflri_tree_cursor(&w->tree, e)) == CX_SC_Static;
}

static cflri_effect effect_of(cflri_walk *w, const cflri_step *step) {
    cflri_effect effect = {.first = (uint32_t)w->tested.begun.n};
    shown_list list = {0};
    uint32_t number;
    switch (step->kind) {
        case CFLRI_STEP_TEST:
            show(w, step->e, step->yes, 0, &list);
            break;
        case CFLRI_STEP_CALL:
            effect.forgets = returns_twice(w, step->e);
            number = cflri_call_function(w, step->e);
            if (number == CFLRI_NO_NUMBER) break;
            const cflri_shows shows = w->names.decls.at[number].shows;
            show_call(w, step->e, shows.when[0] & shows.when[1], &list);
            break;
        case CFLRI_STEP_WRITE:
        case CFLRI_STEP_MOVE:
            effect.change = cflri_change_by(w, step->e, step->kind == CFLRI_STEP_MOVE);
            if (step->kind == CFLRI_STEP_WRITE && effect.change.named &&
                step->from != CFLRI_NO_CHILD && !is_static(w, step->e))
                begin_assignment(w, &effect.change.path, step->from, effect.change.pointer);
            break;
        default:
            break;
    }
    begin_truths(w, &list);
    effect.end = (uint32_t)w->tested.begun.n;
    return effect;
}

static bool find_effects(cflri_walk *w) {
    cflri_tested *t = &w->tested;
    const cflri_control *c = &w->versions.control;
    t->facts.n = t->begun.n = t->effects.n = 0;
    for (size_t i = 0; i < c->steps.n && w->facts->status == CFLR_OK; i++) {
        const cflri_effect effect = effect_of(w, &c->steps.at[i]);
        if (!cflri_vec_push(w->context, &t->effects, effect)) cflri_walk_refuse(w);
        if ((uint64_t)c->steps.n * t->facts.n > MOST_WORK) return false;
    }
    for (size_t i = 0; i < t->effects.n && t->facts.n > 0; i++)
        if (c->steps.at[i].kind == CFLRI_STEP_CALL)
            t->effects.at[i].pure = is_pure(w, c->steps.at[i].e);
    return w->facts->status == CFLR_OK && t->facts.n > 0;
}

/* ---- through the blocks ---- */

static size_t words_of(const cflri_walk *w) {
    return (w->tested.facts.n + WORD - 1) / WORD;
}

static bool has(const uint64_t *set, size_t i) {
    return set[i / WORD] >> i % WORD & 1;
}

static void put(uint64_t *set, size_t i, bool in) {
    uint64_t bit = (uint64_t)1 << i % WORD;
    set[i / WORD] = in ? set[i / WORD] | bit : set[i / WORD] & ~bit;
}

static bool path_ends(cflri_walk *w, const cflri_step *step, const cflri_effect *effect,
                      const cflri_path *path) {
    switch (step->kind) {
        case CFLRI_STEP_WRITE:
        case CFLRI_STEP_MOVE:
            return cflri_path_is_changed(path, &effect->change);
        case CFLRI_STEP_CALL:
            return effect->forgets || is_changed_by_call(w, step->e, path, effect->pure);
        case CFLRI_STEP_UNKNOWN:
            return path->memory;
        default:
            return false;
    }
}

/* What holds brings what it is a condition of. */
static void conclude(const cflri_walk *w, uint64_t *now) {
    const cflri_tested *t = &w->tested;
    bool more = true;
    for (int round = 0; more && round < MOST_SHOWN; round++) {
        more = false;
        for (uint32_t i = 0; i < t->facts.n; i++) {
            const cflri_known *fact = &t->facts.at[i];
            if (!fact->conditional || !has(now, i) || !has(now, fact->given_holds) ||
                has(now, fact->then_holds))
                continue;
            put(now, fact->then_holds, more = true);
        }
    }
}

static void take_step(cflri_walk *w, size_t at, uint64_t *now) {
    const cflri_tested *t = &w->tested;
    const cflri_step *step = &w->versions.control.steps.at[at];
    const cflri_effect *effect = &t->effects.at[at];
    if (step->kind == CFLRI_STEP_READ || step->kind == CFLRI_STEP_RETURN) return;
    for (uint32_t i = 0; i < t->facts.n; i++) {
        const cflri_known *fact = &t->facts.at[i];
        if (has(now, i) && (path_ends(w, step, effect, &fact->then.path) ||
                            (fact->conditional && path_ends(w, step, effect, &fact->given.path))))
            put(now, i, false);
    }
    for (uint32_t i = effect->first; i < effect->end; i++) put(now, t->begun.at[i], true);
    if (effect->first < effect->end) conclude(w, now);
}

static uint64_t *state_before(cflri_walk *w, uint32_t block) {
    return &w->tested.states.at[2 * block * words_of(w)];
}

/* What holds behind all that come before; nothing at the beginning of the function. */
static void meet(cflri_walk *w, uint32_t block) {
    const cflri_control *c = &w->versions.control;
    size_t words = words_of(w);
    uint64_t *before = state_before(w, block);
    memset(before, block == 0 ? 0 : 0xff, words * sizeof *before);
    for (uint32_t e = c->blocks.at[block].before; e != CFLRI_NO_BLOCK; e = c->edges.at[e].next) {
        const uint64_t *behind = state_before(w, c->edges.at[e].from) + words;
        for (size_t i = 0; i < words; i++) before[i] &= behind[i];
    }
}

/* Has what holds behind the block become less? */
static bool pass_block(cflri_walk *w, uint32_t block) {
    const cflri_block *b = &w->versions.control.blocks.at[block];
    size_t words = words_of(w);
    uint64_t *now = w->tested.now.at, *behind = state_before(w, block) + words;
    meet(w, block);
    memcpy(now, state_before(w, block), words * sizeof *now);
    for (uint32_t i = b->first_step; i < b->end_step; i++) take_step(w, i, now);
    bool less = memcmp(now, behind, words * sizeof *now) != 0;
    memcpy(behind, now, words * sizeof *now);
    return less;
}

/* False: it took too long, and nothing is known. */
static bool solve(cflri_walk *w, bool hopeful) {
    const cflri_control *c = &w->versions.control;
    cflri_tested *t = &w->tested;
    size_t words = words_of(w), n = 2 * c->blocks.n * words;
    t->hopeful = hopeful;
    t->states.n = t->now.n = 0;
    if (!cflri_vec_reserve(w->context, &t->states, n) ||
        !cflri_vec_reserve(w->context, &t->now, words)) {
        cflri_walk_refuse(w);
        return false;
    }
    memset(t->states.at, 0xff, n * sizeof *t->states.at);
    bool less = true;
    for (int round = 0; less && round < MOST_ROUNDS; round++) {
        less = false;
        for (uint32_t b = 0; b < c->blocks.n; b++)
            if (c->blocks.at[b].reached) less |= pass_block(w, b);
    }
    return !less && w->facts->status == CFLR_OK;
}

/* ---- marks ---- */

static bool is_shown(cflri_walk *w, uint32_t e, const uint64_t *now) {
    cflri_truth truth = {.yes = 1};
    const cflri_tested *t = &w->tested;
    bool any = false;
    for (size_t i = 0; i < words_of(w); i++) any |= now[i] != 0;
    if (!any ||
        cflri_type_classify_plain(&w->types, cflri_expr_plain(w, e)) != CFLRI_TYPE_POINTER ||
        !cflri_path_of(w, e, &truth.path))
        return false;
    for (uint32_t i = 0; i < t->facts.n; i++)
        if (has(now, i) && !t->facts.at[i].conditional && same_truth(&t->facts.at[i].then, &truth))
            return true;
    return false;
}

static void mark_block(cflri_walk *w, uint32_t block, cflri_shown shown) {
    const cflri_control *c = &w->versions.control;
    const cflri_block *b = &c->blocks.at[block];
    uint64_t *now = w->tested.now.at;
    memcpy(now, state_before(w, block), words_of(w) * sizeof *now);
    for (uint32_t i = b->first_step; i < b->end_step; i++) {
        const cflri_step *step = &c->steps.at[i];
        take_step(w, i, now);
        cflri_tree_node *node = &w->tree.nodes.at[step->e];
        if (step->kind == CFLRI_STEP_READ && node->tested < shown && is_shown(w, step->e, now))
            node->tested = (uint8_t)shown;
    }
}

void cflri_tested_find(cflri_walk *w) {
    const cflri_control *c = &w->versions.control;
    if (!w->facts->data_flow || !cflri_paths_begin(w) || !find_effects(w)) return;
    for (int hopeful = 0; hopeful < 2; hopeful++) {
        if (!solve(w, hopeful)) return;
        for (uint32_t b = 0; b < c->blocks.n; b++)
            if (c->blocks.at[b].reached)
                mark_block(w, b, hopeful ? CFLRI_SHOWN_PERHAPS : CFLRI_SHOWN_SURELY);
    }
}

/* ---- what a function shows of its arguments ---- */

/* Never written, so that it is what the caller gave. */
static bool is_given(cflri_walk *w, const cflri_path *path) {
    const cflri_tested *t = &w->tested;
    for (size_t i = 0; i < t->effects.n; i++) {
        cflri_step_kind kind = w->versions.control.steps.at[i].kind;
        const cflri_change *change = &t->effects.at[i].change;
        if ((kind == CFLRI_STEP_WRITE || kind == CFLRI_STEP_MOVE) && change->named &&
            change->path.n == 0 && change->path.root == path->root)
            return false;
    }
    return path->n == 0 && !path->memory;
}

static uint32_t bit_of(cflri_walk *w, CXCursor function, const cflri_truth *truth) {
    int n = cflri_clang_Cursor_getNumArguments(function);
    if (!truth->yes || !is_given(w, &truth->path)) return 0;
    for (int k = 0; k < n && k < 32; k++) {
        CXCursor parameter = cflri_clang_Cursor_getArgument(function, (unsigned)k);
        if (cflri_decl_of(&w->names, parameter) == truth->path.root) return 1u << k;
    }
    return 0;
}

/* The function returns behind this block, perhaps the value of `result`. */
static uint32_t shown_at_return(cflri_walk *w, CXCursor function, uint32_t block, uint32_t result,
                                bool yes) {
    const cflri_tested *t = &w->tested;
    bool always;
    uint32_t mask = 0;
    uint64_t *now = w->tested.now.at;
    if (result != CFLRI_NO_CHILD && cflri_condition_is_constant(w, result, &always) &&
        always != yes)
        return UINT32_MAX;
    shown_list list = {0};
    if (result != CFLRI_NO_CHILD) show(w, result, yes, 0, &list);
    memcpy(now, state_before(w, block) + words_of(w), words_of(w) * sizeof *now);
    for (uint32_t i = 0; i < list.n; i++) {
        const cflri_known fact = {.then = list.at[i]};
        for (uint32_t k = 0; k < t->facts.n; k++)
            if (!t->facts.at[k].conditional && same_truth(&t->facts.at[k].then, &fact.then))
                put(now, k, true);
        mask |= bit_of(w, function, &list.at[i]);
    }
    conclude(w, now);
    for (uint32_t i = 0; i < t->facts.n; i++)
        if (has(now, i) && !t->facts.at[i].conditional)
            mask |= bit_of(w, function, &t->facts.at[i].then);
    return mask;
}

cflri_shows cflri_tested_shows(cflri_walk *w, CXCursor function) {
    const cflri_control *c = &w->versions.control;
    cflri_shows shows = {{UINT32_MAX, UINT32_MAX}};
    const cflri_shows nothing = {{0, 0}};
    if (!cflri_paths_begin(w)) return nothing;
    find_effects(w);
    if (w->tested.effects.n < c->steps.n || !solve(w, false)) return nothing;
    bool any = false;
    for (uint32_t b = 0; b < c->blocks.n; b++) {
        const cflri_block *block = &c->blocks.at[b];
        if (!block->reached || !block->returns) continue;
        const cflri_step *last =
            block->end_step > block->first_step ? &c->steps.at[block->end_step - 1] : NULL;
        uint32_t result = last && last->kind == CFLRI_STEP_RETURN ? last->e : CFLRI_NO_CHILD;
        for (int yes = 0; yes < 2; yes++)
            shows.when[yes] &= shown_at_return(w, function, b, result, yes);
        any = true;
    }
    return any ? shows : nothing;
}

void cflri_tested_free(cflr_context *context, cflri_tested *tested) {
    cflri_vec_free(context, &tested->taken);
    cflri_vec_free(context, &tested->facts);
    cflri_vec_free(context, &tested->begun);
    cflri_vec_free(context, &tested->effects);
    cflri_vec_free(context, &tested->states);
    cflri_vec_free(context, &tested->now);
}
