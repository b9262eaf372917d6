/* SPDX-License-Identifier: Apache-2.0
 *
 * tested.c: reads of pointers that a test has shown not to be null.
 *
 *     if (s->next) use(s->next);                  memory, with no write between that may change it
 *     q = &p[2]; if (!p) return; use(q);          what was made of the pointer that is tested
 *     ok = p != NULL && more; if (ok) use(p);     what stands for a test
 *     ok = 0; if (p) ok = 1; if (ok) use(p);      the same, set in several places
 *     if (p == q) use(p);                         where q is known not to be null
 *     if (!valid(p)) return; use(p);              where valid() returns 0 for a null pointer
 *
 * versions.c knows tests of split locals. This is for all else, and looks forward: through the
 * blocks of a function (control.h) go facts of two forms,
 *
 *     s->next is not 0                 a truth; begins with a test, and where a constant or an
 *                                      address is assigned
 *     where ok is not 0, p is not 0    begins with an assignment of one of them that says so
 *                                      (shown.c), where ok is 0, and where p is not 0; and at a
 *                                      test of ok the other half holds
 *
 * and both end where one of their paths may change (access_path.c). At the start of a block holds
 * what holds behind all that are before it: the greatest solution, from all facts down (Kildall, "A
 * Unified Approach to Global Program Optimization", POPL 1973). In the fourth line above `ok` is 0
 * on one way and p is not on the other, so that where they meet neither is known, but that the one
 * goes with the other is.
 *
 * A call, or a byte that is written, may change any memory. So it is done twice: once so, and once
 * with bytes that change no pointer, and calls that change only what they are given, by its address
 * or by a pointer on the path. Reads that only the second shows are marked as well, and what is
 * found behind them is unlikely (findings/rank.c). Functions of the library that get pointers to
 * constant things only change nothing. Writes of another thread or a signal between test and read
 * are ignored: without `volatile` or atomics they are races.
 *
 * Of a function with a body is known what it shows of its arguments, at its returns together: found
 * when it is asked whether it ever returns (ending.c). Those of other units are known when all are
 * there (versions.c).
 *
 * A local whose address is taken is memory from where that is done on, and apart before.
 *
 * Few functions have a test that tells of a read which versions do not know. First the facts of
 * tests are listed, then, from the last write to the first, what assignments add to these, then the
 * reads that they are about. The facts that each step ends are found once, as a row of bits.
 *
 * O(steps * facts) bits; functions with more than MOST_WORK of that are left alone.
 */
#include "frontend/walk/order/tested.h"

#include <string.h>

#include "frontend/walk/order/conditions.h"

enum {
    MOST_PAIRS = 128, /* of a flag and a pointer */
    MOST_ROUNDS = 64, /* until nothing changes; else nothing is known */
    WORD = 64
};
#define MOST_WORK (4u << 20)
#define MOST_PAIR_WORK (1u << 17) /* long functions have fewer pairs */

/* ---- facts ---- */

static bool same_path(const cflri_path *a, const cflri_path *b) {
    return a->n == b->n && cflri_path_begins(a, b);
}

static uint64_t root_bit(uint32_t root) {
    return (uint64_t)1 << root % WORD;
}

/* The number of the fact that a truth holds, or CFLRI_NO_NUMBER. */
static uint32_t find_truth(const cflri_tested *t, const cflri_path *path, bool yes) {
    if (!(t->roots & root_bit(path->root))) return CFLRI_NO_NUMBER;
    for (uint32_t i = 0; i < t->facts.n; i++) {
        const cflri_known *known = &t->facts.at[i];
        if (!known->conditional && known->truth.yes == yes && same_path(&known->truth.path, path))
            return i;
    }
    return CFLRI_NO_NUMBER;
}

static uint32_t add_fact(cflri_walk *w, const cflri_known *fact) {
    cflri_tested *t = &w->tested;
    if (!cflri_vec_push(w->context, &t->facts, *fact)) cflri_walk_refuse(w);
    return w->facts->status == CFLR_OK ? (uint32_t)t->facts.n - 1 : 0;
}

static uint32_t fact_of_truth(cflri_walk *w, const cflri_truth *truth) {
    cflri_tested *t = &w->tested;
    uint32_t known = find_truth(t, &truth->path, truth->yes);
    if (known != CFLRI_NO_NUMBER) return known;
    uint32_t contrary = find_truth(t, &truth->path, !truth->yes);
    const cflri_known fact = {.truth = *truth, .contrary = contrary};
    uint32_t number = add_fact(w, &fact);
    if (contrary != CFLRI_NO_NUMBER && w->facts->status == CFLR_OK)
        t->facts.at[contrary].contrary = number;
    t->roots |= root_bit(truth->path.root);
    return number;
}

/* `number` is a condition that has to do with `fact`. */
static void add_link(cflri_walk *w, uint32_t fact, uint32_t number) {
    cflri_tested *t = &w->tested;
    if (w->facts->status != CFLR_OK) return;
    const cflri_about link = {number, t->facts.at[fact].links};
    if (cflri_vec_push(w->context, &t->links, link))
        t->facts.at[fact].links = (uint32_t)t->links.n;
    else
        cflri_walk_refuse(w);
}

static void list_condition(cflri_walk *w, uint32_t number) {
    cflri_tested *t = &w->tested;
    if (w->facts->status == CFLR_OK && !cflri_vec_push(w->context, &t->conditionals, number))
        cflri_walk_refuse(w);
    if (w->facts->status != CFLR_OK) return;
    add_link(w, t->facts.at[number].given, number);
    add_link(w, t->facts.at[number].then, number);
}

static uint32_t fact_of_pair(cflri_walk *w, uint32_t given, uint32_t then) {
    cflri_tested *t = &w->tested;
    for (uint32_t l = t->facts.at[then].links; l; l = t->links.at[l - 1].next) {
        const cflri_known *known = &t->facts.at[t->links.at[l - 1].fact];
        if (known->given == given && known->then == then) return t->links.at[l - 1].fact;
    }
    const cflri_known fact = {
        .conditional = true, .given = given, .then = then, .contrary = CFLRI_NO_NUMBER};
    uint32_t number = add_fact(w, &fact);
    list_condition(w, number);
    return number;
}

static void begin(cflri_walk *w, uint32_t fact) {
    if (!cflri_vec_push(w->context, &w->tested.begun, fact)) cflri_walk_refuse(w);
}

/* A fact that just holds, because it is tested or not. */
static void begin_truth(cflri_walk *w, const cflri_truth *truth, bool tested) {
    if (w->tested.of_arguments && truth->path.memory) return;
    uint32_t fact = fact_of_truth(w, truth);
    if (w->facts->status != CFLR_OK) return;
    w->tested.facts.at[fact].tests += tested;
    begin(w, fact);
}

/* Not about an older value of what is written, and not where it is unknown when `given` holds. */
static void begin_condition(cflri_walk *w, const cflri_truth *given, const cflri_truth *then) {
    if (cflri_path_begins(&given->path, &then->path) ||
        cflri_path_begins(&then->path, &given->path))
        return;
    uint32_t holds = find_truth(&w->tested, &given->path, given->yes);
    if (holds == CFLRI_NO_NUMBER || (w->tested.of_arguments && then->path.memory)) return;
    uint32_t follows = fact_of_truth(w, then);
    if (w->facts->status == CFLR_OK) begin(w, fact_of_pair(w, holds, follows));
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

/* A function of the library that gets files and pointers to constant things, but to no records,
 * which may hold further pointers (readv): strcmp, strlen, fprintf. Of those with arguments of any
 * number only the ones that print are known. */
static bool is_pure_function(const cflri_walk *w, const cflri_decl *decl) {
    CXType type = cflri_clang_getCanonicalType(cflri_clang_getCursorType(decl->cursor));
    if (type.kind != CXType_FunctionProto || !cflri_in_system_header(decl->cursor)) return false;
    if (cflri_clang_isFunctionTypeVariadic(type) &&
        !strstr(cflri_string(&w->facts->strings, decl->name), "printf"))
        return false;
    for (int k = 0; k < cflri_clang_getNumArgTypes(type); k++)
        if (!is_harmless(cflri_clang_getArgType(type, (unsigned)k))) return false;
    return true;
}

static bool is_pure(cflri_walk *w, uint32_t call) {
    uint32_t number = cflri_call_function(w, call);
    if (number == CFLRI_NO_NUMBER) return false;
    cflri_decl *decl = &w->names.decls.at[number];
    if (!decl->pure) decl->pure = is_pure_function(w, decl) ? 2 : 1;
    return decl->pure == 2;
}

/* May it return again from anywhere, and control does not say from where? */
static bool forgets(cflri_walk *w, uint32_t call) {
    const cflri_control *c = &w->versions.control;
    uint32_t number = cflri_call_function(w, call);
    if (number == CFLRI_NO_NUMBER || !w->names.decls.at[number].returns_twice) return false;
    return !c->twice || c->lost || w->names.decls.at[number].saves_context;
}

/* Is the argument the address of what the path names or goes through, or a pointer that it goes
 * through? */
static bool gives(cflri_walk *w, uint32_t argument, const cflri_path *path) {
    cflri_path given;
    uint32_t e = cflri_expr_bare(w, argument);
    bool address = cflri_expr_takes_address(w, e);
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

bool cflri_call_is_given(cflri_walk *w, uint32_t call, const cflri_path *path) {
    uint32_t a = cflri_tree_first(&w->tree, call);
    while (a != CFLRI_NO_CHILD && (a = cflri_tree_next(&w->tree, a)) != CFLRI_NO_CHILD)
        if (gives(w, a, path)) return true;
    return false;
}

static bool is_changed_by_call(cflri_walk *w, uint32_t call, const cflri_path *path, bool pure) {
    if (!path->memory) return false;
    if (pure) return is_of_library(w, path->root);
    return !w->tested.hopeful || cflri_call_is_given(w, call, path);
}

/* ---- what begins ---- */

/* Where p and q are the same, neither is null when one is not. */
static void begin_equal(cflri_walk *w, uint32_t e, bool yes) {
    uint32_t side[2];
    cflri_truth truth[2] = {{.yes = 1}, {.yes = 1}};
    bool named[2];
    if (!cflri_condition_is_equality(w, e, yes, &side[0], &side[1])) return;
    for (int i = 0; i < 2; i++) named[i] = cflri_path_of(w, side[i], &truth[i].path);
    for (int i = 0; i < 2; i++) {
        if (named[i] && cflri_is_address(w, side[1 - i])) begin_truth(w, &truth[i], false);
        if (named[0] && named[1]) begin_condition(w, &truth[i], &truth[1 - i]);
    }
}

static void begin_by_test(cflri_walk *w, const cflri_step *step) {
    bool when;
    cflri_shown_list list = {0};
    uint32_t pointer = cflri_condition_pointer(w, step->e, &when);
    if (pointer != CFLRI_NO_CHILD) w->tree.nodes.at[pointer].asked = true;
    cflri_outcome_shows(w, step->e, step->yes, &list);
    for (uint32_t i = 0; i < list.n; i++) begin_truth(w, &list.at[i], true);
}

static void begin_by_call(cflri_walk *w, uint32_t call) {
    cflri_shown_list list = {0};
    cflri_call_shows(w, call, &list);
    for (uint32_t i = 0; i < list.n; i++) begin_truth(w, &list.at[i], false);
}

/* A declaration whose initialiser is not evaluated where it stands. */
static bool is_static(const cflri_walk *w, uint32_t e) {
    return cflri_tree_kind(&w->tree, e) == CXCursor_VarDecl &&
           cflri_clang_Cursor_getStorageClass(cflri_tree_cursor(&w->tree, e)) == CX_SC_Static;
}

/* A constant or an address is assigned to what is tested somewhere; of numbers in memory the width
 * is not asked. */
static void begin_constant(cflri_walk *w, const cflri_path *to, uint32_t from, bool pointer) {
    bool always = false;
    bool yes = pointer && cflri_is_address(w, from);
    if (!pointer && to->memory) return;
    if (!yes && !cflri_condition_is_constant(w, from, &always)) return;
    const cflri_truth truth = {*to, yes || always};
    uint32_t either = find_truth(&w->tested, to, true);
    if (either == CFLRI_NO_NUMBER) either = find_truth(&w->tested, to, false);
    if (either == CFLRI_NO_NUMBER) return;
    begin_truth(w, &truth, false);
    for (int i = 0; i < 2; i++) {
        uint32_t fact = find_truth(&w->tested, to, i);
        if (fact != CFLRI_NO_NUMBER) w->tested.facts.at[fact].assigned = true;
    }
}

/* Where what `to` is made of is not null, neither is `to`: also of `to = q = r`. */
static void begin_made(cflri_walk *w, const cflri_path *to, uint32_t from) {
    const cflri_truth then = {*to, 1};
    while (from != CFLRI_NO_CHILD) {
        cflri_truth given = {.yes = 1};
        uint32_t base = cflri_pointer_made_of(w, from);
        if (base == CFLRI_NO_CHILD || cflri_expr_class(w, base) != CFLRI_TYPE_POINTER) return;
        from = cflri_condition_assigned(w, base);
        uint32_t name = from == CFLRI_NO_CHILD ? base : cflri_tree_first(&w->tree, base);
        if (cflri_path_of(w, name, &given.path)) begin_condition(w, &given, &then);
    }
}

/* `to` is assigned `from`: what each of its outcomes shows, and what shows one of its. */
static void begin_assignment(cflri_walk *w, const cflri_path *to, uint32_t from, bool pointer) {
    begin_constant(w, to, from, pointer);
    for (int yes = pointer; yes < 2; yes++) {
        cflri_shown_list list = {0};
        const cflri_truth given = {*to, (uint32_t)yes};
        if (find_truth(&w->tested, to, yes) == CFLRI_NO_NUMBER) continue;
        cflri_outcome_shows(w, from, yes, &list);
        for (uint32_t i = 0; i < list.n; i++) begin_condition(w, &given, &list.at[i]);
    }
    if (pointer) begin_made(w, to, from);
}

static bool is_write(const cflri_step *step) {
    return step->kind == CFLRI_STEP_WRITE || step->kind == CFLRI_STEP_MOVE;
}

/* The facts that begin at a step are one after the other in `begun`. */
static void see_test(cflri_walk *w, size_t at) {
    cflri_tested *t = &w->tested;
    const cflri_step *step = &w->versions.control.steps.at[at];
    uint32_t first = (uint32_t)t->begun.n;
    if (step->kind == CFLRI_STEP_TEST) begin_by_test(w, step);
    if (step->kind == CFLRI_STEP_CALL) begin_by_call(w, step->e);
    t->effects.at[at].first = first;
    t->effects.at[at].end = (uint32_t)t->begun.n;
}

/* A local that is assigned a null pointer may be known by what goes with it, if it is never tested
 * itself. */
static void see_null(cflri_walk *w, const cflri_step *step, const cflri_change *change) {
    bool always;
    const cflri_truth truth = {change->path, 1};
    if (change->named && change->pointer && !change->path.memory && !w->tested.of_arguments &&
        step->from != CFLRI_NO_CHILD && !is_static(w, step->e) &&
        cflri_condition_is_constant(w, step->from, &always) && !always)
        fact_of_truth(w, &truth);
}

static void see_changes(cflri_walk *w) {
    const cflri_control *c = &w->versions.control;
    for (size_t i = 0; i < c->steps.n; i++) {
        const cflri_step *step = &c->steps.at[i];
        if (!is_write(step)) continue;
        const cflri_change change = cflri_change_by(w, step->e, step->kind == CFLRI_STEP_MOVE);
        w->tested.effects.at[i].change = change;
        see_null(w, step, &change);
    }
}

/* An assignment, or two pointers that are the same: where something is known of one. */
static void see_copy(cflri_walk *w, size_t at) {
    cflri_tested *t = &w->tested;
    const cflri_step *step = &w->versions.control.steps.at[at];
    const cflri_change change = t->effects.at[at].change;
    uint32_t first = (uint32_t)t->begun.n;
    if (step->kind == CFLRI_STEP_TEST)
        begin_equal(w, step->e, step->yes);
    else if (step->kind == CFLRI_STEP_WRITE && change.named && step->from != CFLRI_NO_CHILD &&
             !is_static(w, step->e))
        begin_assignment(w, &change.path, step->from, change.pointer);
    t->effects.at[at].first = first;
    t->effects.at[at].end = (uint32_t)t->begun.n;
}

/* Does the step test nothing else? */
static bool may_copy(const cflri_tested *t, const cflri_step *step, size_t at) {
    if (step->kind == CFLRI_STEP_TEST) return t->effects.at[at].first == t->effects.at[at].end;
    return step->kind == CFLRI_STEP_WRITE;
}

/* From the last one to the first, because copies are tested behind what they are copies of, and the
 * other way round, until no more is known. */
static void see_copies(cflri_walk *w) {
    enum { MOST_PASSES = 6 };
    cflri_tested *t = &w->tested;
    const cflri_control *c = &w->versions.control;
    size_t first = t->begun.n, before = 0, n = c->steps.n;
    for (int pass = 0; pass < MOST_PASSES && (pass == 0 || t->facts.n > before); pass++) {
        before = t->facts.n;
        for (size_t i = 0; i < n && pass > 0; i++)
            if (t->effects.at[i].first >= first) t->effects.at[i].end = t->effects.at[i].first;
        t->begun.n = first;
        for (size_t k = 0; k < n && w->facts->status == CFLR_OK; k++) {
            size_t i = pass % 2 ? k : n - 1 - k;
            if (may_copy(t, &c->steps.at[i], i)) see_copy(w, i);
        }
    }
}

/* False: nothing may be known. */
static bool see_steps(cflri_walk *w) {
    cflri_tested *t = &w->tested;
    const cflri_control *c = &w->versions.control;
    t->facts.n = t->begun.n = t->conditionals.n = t->links.n = t->effects.n = 0;
    t->lent.n = t->escapes.n = 0;
    t->roots = 0;
    if (!cflri_vec_reserve(w->context, &t->effects, c->steps.n)) {
        cflri_walk_refuse(w);
        return false;
    }
    if (c->steps.n == 0) return false;
    memset(t->effects.at, 0, c->steps.n * sizeof *t->effects.at);
    t->effects.n = c->steps.n;
    bool any = false;
    for (size_t i = 0; i < c->steps.n; i++) {
        see_test(w, i);
        any |= c->steps.at[i].kind == CFLRI_STEP_TEST;
    }
    if (w->facts->status != CFLR_OK || (!any && t->facts.n == 0)) return false;
    see_changes(w);
    see_copies(w);
    return w->facts->status == CFLR_OK && t->facts.n > 0;
}

/* ---- what is read ---- */

/* That what is read is not null; versions do not know it, and it is no test of it. */
static uint32_t fact_of_read(cflri_walk *w, uint32_t e) {
    cflri_path path;
    if (cflri_expr_class(w, e) != CFLRI_TYPE_POINTER || w->tree.nodes.at[e].asked ||
        cflri_version_is_tested(w, e) || !cflri_path_of(w, e, &path) ||
        cflri_type_classify_plain(&w->types, cflri_expr_plain(w, e)) != CFLRI_TYPE_POINTER)
        return CFLRI_NO_NUMBER;
    return find_truth(&w->tested, &path, true);
}

static void see_reads(cflri_walk *w) {
    cflri_tested *t = &w->tested;
    const cflri_control *c = &w->versions.control;
    for (size_t i = 0; i < c->steps.n; i++) {
        bool call = c->steps.at[i].kind == CFLRI_STEP_CALL;
        if (c->steps.at[i].kind != CFLRI_STEP_READ && !call) continue;
        uint32_t fact = fact_of_read(w, c->steps.at[i].e);
        if (fact == CFLRI_NO_NUMBER) continue;
        t->effects.at[i].read = fact + 1;
        t->facts.at[fact].read = true;
    }
}

/* Flags and pointers of which one is assigned a constant: where the flag is tested, again, the
 * pointer may be known. */
static void pair_flags(cflri_walk *w) {
    cflri_tested *t = &w->tested;
    size_t n = t->facts.n, most = MOST_PAIR_WORK / w->versions.control.steps.n;
    size_t made = t->conditionals.n + (most < MOST_PAIRS ? most : MOST_PAIRS);
    for (uint32_t then = 0; then < n; then++) {
        if (t->facts.at[then].conditional || !t->facts.at[then].read) continue;
        for (uint32_t given = 0; given < n && t->conditionals.n < made; given++) {
            const cflri_known flag = t->facts.at[given], pointer = t->facts.at[then];
            if (!flag.conditional && !flag.truth.path.memory &&
                (flag.assigned ? flag.tests > 0 : pointer.assigned && flag.tests > 1) &&
                !cflri_path_begins(&pointer.truth.path, &flag.truth.path))
                fact_of_pair(w, given, then);
            if (w->facts->status != CFLR_OK) return;
        }
    }
}

/* ---- what matters ---- */

static bool want(cflri_tested *t, uint32_t fact) {
    bool wanted = fact == CFLRI_NO_NUMBER || t->facts.at[fact].wanted;
    if (!wanted) t->facts.at[fact].wanted = true;
    return !wanted;
}

/* Reads that versions do not know to be tested, and what brings about what is wanted. False: there
 * is none. */
static bool find_wanted(cflri_tested *t) {
    bool any = false, more = true;
    for (uint32_t i = 0; i < t->facts.n; i++)
        if (t->facts.at[i].read) any |= want(t, i);
    while (any && more) {
        more = false;
        for (size_t i = 0; i < t->conditionals.n; i++) {
            const cflri_known fact = t->facts.at[t->conditionals.at[i]];
            if (!t->facts.at[fact.then].wanted || !want(t, t->conditionals.at[i])) continue;
            more |= want(t, fact.given);
            more |= want(t, t->facts.at[fact.given].contrary);
        }
    }
    return any;
}

/* The number that a fact has among those that are wanted, or CFLRI_NO_NUMBER. */
static uint32_t renumbered(const cflri_tested *t, uint32_t fact) {
    return fact == CFLRI_NO_NUMBER || !t->facts.at[fact].wanted ? CFLRI_NO_NUMBER
                                                                : t->facts.at[fact].number;
}

static void renumber_effects(cflri_tested *t) {
    for (size_t i = 0; i < t->effects.n; i++) {
        cflri_effect *effect = &t->effects.at[i];
        uint32_t kept = effect->first;
        for (uint32_t k = effect->first; k < effect->end; k++) {
            uint32_t number = renumbered(t, t->begun.at[k]);
            if (number != CFLRI_NO_NUMBER) t->begun.at[kept++] = number;
        }
        effect->end = kept;
        if (effect->read) effect->read = renumbered(t, effect->read - 1) + 1;
    }
}

/* Forgets all facts that are not wanted. */
static void keep_wanted(cflri_walk *w) {
    cflri_tested *t = &w->tested;
    uint32_t n = 0;
    for (uint32_t i = 0; i < t->facts.n; i++)
        if (t->facts.at[i].wanted) t->facts.at[i].number = n++;
    renumber_effects(t);
    for (uint32_t i = 0; i < t->facts.n; i++) {
        cflri_known *fact = &t->facts.at[i];
        fact->contrary = renumbered(t, fact->contrary);
        if (!fact->conditional || !fact->wanted) continue;
        fact->given = t->facts.at[fact->given].number;
        fact->then = t->facts.at[fact->then].number;
    }
    t->links.n = t->conditionals.n = 0;
    for (uint32_t i = 0; i < t->facts.n; i++) {
        cflri_known fact = t->facts.at[i];
        fact.links = 0;
        if (fact.wanted) t->facts.at[fact.number] = fact;
    }
    t->facts.n = n;
    for (uint32_t i = 0; i < n; i++)
        if (t->facts.at[i].conditional) list_condition(w, i);
}

/* ---- sets of facts ---- */

static size_t words_of(const cflri_walk *w) {
    return (w->tested.facts.n + WORD - 1) / WORD;
}

static bool has(const uint64_t *set, size_t i) {
    return set[i / WORD] >> i % WORD & 1;
}

static void put(uint64_t *set, size_t i) {
    set[i / WORD] |= (uint64_t)1 << i % WORD;
}

/* ---- what others may know the address of ---- */

static bool is_taken_by(const cflri_walk *w, uint32_t decl, uint32_t e) {
    const cflri_tested *t = &w->tested;
    for (size_t i = 0; i < t->taken.n; i++)
        if (t->taken.at[i].decl == decl && t->taken.at[i].e == e) return true;
    return false;
}

/* Finds where the address is taken, in a row of steps by block. */
static void find_takings(const cflri_walk *w, uint32_t decl, uint32_t *row) {
    const cflri_control *c = &w->versions.control;
    for (uint32_t b = 0; b < c->blocks.n; b++) {
        row[b] = UINT32_MAX;
        for (uint32_t i = c->blocks.at[b].first_step; i < c->blocks.at[b].end_step; i++) {
            bool taking =
                c->steps.at[i].kind == CFLRI_STEP_READ && is_taken_by(w, decl, c->steps.at[i].e);
            if (taking && row[b] == UINT32_MAX) row[b] = i;
        }
    }
}

/* Blocks behind those where the address is known have it from their first step on. */
static void spread_takings(const cflri_walk *w, uint32_t *row) {
    const cflri_control *c = &w->versions.control;
    for (bool more = true; more;) {
        more = false;
        for (uint32_t b = 0; b < c->blocks.n; b++) {
            if (row[b] == UINT32_MAX) continue;
            for (uint32_t e = c->blocks.at[b].after; e != CFLRI_NO_BLOCK; e = c->edges.at[e].also) {
                uint32_t to = c->edges.at[e].to;
                if (row[to] <= c->blocks.at[to].first_step) continue;
                row[to] = c->blocks.at[to].first_step;
                more = true;
            }
        }
    }
}

/* The row of a declaration; NULL when it is not known where others learn its address. */
static const uint32_t *row_of_escapes(cflri_walk *w, uint32_t decl) {
    enum { MOST_LENT = 32 };
    cflri_tested *t = &w->tested;
    size_t n = w->versions.control.blocks.n;
    for (size_t i = 0; i < t->lent.n; i++)
        if (t->lent.at[i] == decl) return &t->escapes.at[i * n];
    if (t->lent.n == MOST_LENT || !cflri_local_is_scalar(w, decl) ||
        is_taken_by(w, decl, CFLRI_NO_CHILD))
        return NULL;
    if (!cflri_vec_push(w->context, &t->lent, decl) ||
        !cflri_vec_reserve(w->context, &t->escapes, n)) {
        cflri_walk_refuse(w);
        return NULL;
    }
    uint32_t *row = &t->escapes.at[t->escapes.n];
    t->escapes.n += n;
    find_takings(w, decl, row);
    spread_takings(w, row);
    return row;
}

/* May others change the local at this step? */
static bool is_escaped(cflri_walk *w, uint32_t decl, const cflri_step *step) {
    const cflri_control *c = &w->versions.control;
    const uint32_t *row = row_of_escapes(w, decl);
    uint32_t at = (uint32_t)(step - c->steps.at);
    return !row || w->facts->status != CFLR_OK || row[w->tested.block] <= at;
}

/* ---- what ends ---- */

/* A pointer that is moved stays what it is if it is not null. */
static bool truth_ends(cflri_walk *w, const cflri_step *step, cflri_change change,
                       const cflri_truth *truth, bool pure) {
    cflri_path itself = truth->path;
    const cflri_path *path = &itself;
    if (path->memory && path->n == 0) itself.memory = is_escaped(w, path->root, step);
    change.moves &= truth->yes;
    change.number |= change.byte && w->tested.hopeful;
    switch (step->kind) {
        case CFLRI_STEP_WRITE:
        case CFLRI_STEP_MOVE:
            return cflri_path_is_changed(path, &change);
        case CFLRI_STEP_CALL:
            return is_changed_by_call(w, step->e, path, pure);
        case CFLRI_STEP_UNKNOWN:
            return path->memory;
        default:
            return false;
    }
}

/* May the step end any fact? */
static bool may_end(cflri_walk *w, const cflri_step *step, const cflri_change *change) {
    const cflri_tested *t = &w->tested;
    switch (step->kind) {
        case CFLRI_STEP_WRITE:
        case CFLRI_STEP_MOVE:
            return (change->named && (t->roots & root_bit(change->path.root))) ||
                   (change->memory && t->memory && (t->text || !change->number));
        case CFLRI_STEP_CALL:
            return t->memory || forgets(w, step->e);
        case CFLRI_STEP_UNKNOWN:
            return t->memory;
        default:
            return false;
    }
}

/* In a row that is all 0 at first; false: it stays so. */
static bool fill_row(cflri_walk *w, size_t at, uint64_t *row) {
    const cflri_tested *t = &w->tested;
    const cflri_step *step = &w->versions.control.steps.at[at];
    bool call = step->kind == CFLRI_STEP_CALL, any = false;
    bool all = call && forgets(w, step->e), pure = call && is_pure(w, step->e);
    for (uint32_t i = 0; i < t->facts.n; i++) {
        const cflri_known *fact = &t->facts.at[i];
        if (fact->conditional ||
            (!all && !truth_ends(w, step, t->effects.at[at].change, &fact->truth, pure)))
            continue;
        put(row, i);
        any = true;
    }
    for (size_t i = 0; i < t->conditionals.n && any; i++) {
        const cflri_known *fact = &t->facts.at[t->conditionals.at[i]];
        if (has(row, fact->given) || has(row, fact->then)) put(row, t->conditionals.at[i]);
    }
    return any;
}

/* The variables that facts are about, and whether memory is. */
static void find_roots(cflri_tested *t) {
    t->roots = 0;
    t->memory = t->text = false;
    for (size_t i = 0; i < t->facts.n; i++) {
        const cflri_path *path = &t->facts.at[i].truth.path;
        if (t->facts.at[i].conditional) continue;
        t->roots |= root_bit(path->root);
        t->memory |= path->memory != 0;
        t->text |= cflri_path_is_of_text(path);
        for (uint32_t k = 0; k < path->n; k++)
            if (path->step[k].kind == CFLRI_PATH_NAMED) t->roots |= root_bit(path->step[k].at);
    }
}

/* Finds the facts that the step ends, in the next row if there are any. */
static void find_ended(cflri_walk *w, uint32_t at, uint32_t *rows) {
    cflri_tested *t = &w->tested;
    size_t words = words_of(w);
    if (!may_end(w, &w->versions.control.steps.at[at], &t->effects.at[at].change)) return;
    if (!cflri_vec_reserve(w->context, &t->ends, words)) {
        cflri_walk_refuse(w);
        return;
    }
    uint64_t *row = &t->ends.at[t->ends.n];
    memset(row, 0, words * sizeof *row);
    if (!fill_row(w, at, row)) return;
    t->effects.at[at].row = ++*rows;
    t->ends.n += words;
}

/* For calls that change what they may, or what they are given. */
static void find_ends(cflri_walk *w, bool hopeful) {
    cflri_tested *t = &w->tested;
    const cflri_control *c = &w->versions.control;
    uint32_t rows = 0;
    t->hopeful = hopeful;
    t->ends.n = 0;
    find_roots(t);
    for (size_t i = 0; i < c->steps.n; i++) t->effects.at[i].row = 0;
    for (t->block = 0; t->block < c->blocks.n; t->block++)
        for (uint32_t i = c->blocks.at[t->block].first_step;
             i < c->blocks.at[t->block].end_step && w->facts->status == CFLR_OK; i++)
            find_ended(w, i, &rows);
}

/* ---- through the blocks ---- */

static void conclude(const cflri_tested *t, uint32_t fact, int depth, uint64_t *now);

/* A condition begins where what it is of holds, or where what it asks for does not, and brings what
 * it is of. */
static void apply(const cflri_tested *t, uint32_t number, int depth, uint64_t *now) {
    const cflri_known *fact = &t->facts.at[number];
    uint32_t fails = t->facts.at[fact->given].contrary;
    bool then = has(now, fact->then);
    if (then || (fails != CFLRI_NO_NUMBER && has(now, fails))) put(now, number);
    if (then || !has(now, number) || !has(now, fact->given)) return;
    put(now, fact->then);
    conclude(t, fact->then, depth + 1, now);
}

/* Adds what follows where a truth has begun. Facts that hold behind several blocks together need
 * none of this: what follows of them holds behind each. */
static void conclude(const cflri_tested *t, uint32_t fact, int depth, uint64_t *now) {
    uint32_t contrary = t->facts.at[fact].contrary;
    if (depth == CFLRI_MOST_SHOWN) return;
    for (uint32_t l = t->facts.at[fact].links; l; l = t->links.at[l - 1].next)
        apply(t, t->links.at[l - 1].fact, depth, now);
    if (contrary == CFLRI_NO_NUMBER) return;
    for (uint32_t l = t->facts.at[contrary].links; l; l = t->links.at[l - 1].next)
        apply(t, t->links.at[l - 1].fact, depth, now);
}

static void begin_now(const cflri_tested *t, uint32_t fact, uint64_t *now) {
    put(now, fact);
    if (!t->facts.at[fact].conditional)
        conclude(t, fact, 0, now);
    else
        apply(t, fact, 0, now);
}

/* Conditions that a step has ended may begin again at once. */
static void end_now(const cflri_tested *t, const uint64_t *ends, size_t words, uint64_t *now) {
    for (size_t i = 0; i < words; i++) now[i] &= ~ends[i];
    for (size_t i = 0; i < words; i++)
        for (uint64_t rest = ends[i] & t->conditional.at[i]; rest; rest &= rest - 1)
            apply(t, (uint32_t)(i * WORD) + (uint32_t)__builtin_ctzll(rest), 0, now);
}

static void take_step(cflri_walk *w, size_t at, uint64_t *now) {
    const cflri_tested *t = &w->tested;
    const cflri_effect *effect = &t->effects.at[at];
    size_t words = words_of(w);
    if (effect->row) end_now(t, &t->ends.at[(effect->row - 1) * words], words, now);
    for (uint32_t i = effect->first; i < effect->end; i++) begin_now(t, t->begun.at[i], now);
}

static uint64_t *state_before(cflri_walk *w, uint32_t block) {
    return &w->tested.states.at[2 * block * words_of(w)];
}

/* Keeps the facts that hold behind all blocks before; none at the beginning of the function. */
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

/* The blocks behind this one wait when fewer facts hold there than before. */
static void pass_block(cflri_walk *w, uint32_t block) {
    const cflri_control *c = &w->versions.control;
    const cflri_block *b = &c->blocks.at[block];
    size_t words = words_of(w);
    uint64_t *now = w->tested.now.at, *behind = state_before(w, block) + words;
    w->tested.waiting.at[block] = false;
    meet(w, block);
    memcpy(now, state_before(w, block), words * sizeof *now);
    for (uint32_t i = b->first_step; i < b->end_step; i++) take_step(w, i, now);
    if (memcmp(now, behind, words * sizeof *now) == 0) return;
    memcpy(behind, now, words * sizeof *now);
    for (uint32_t e = b->after; e != CFLRI_NO_BLOCK; e = c->edges.at[e].also)
        w->tested.waiting.at[c->edges.at[e].to] = true;
}

static bool make_room(cflri_walk *w) {
    const cflri_control *c = &w->versions.control;
    cflri_tested *t = &w->tested;
    size_t words = words_of(w), n = 2 * c->blocks.n * words;
    t->states.n = t->now.n = t->waiting.n = t->conditional.n = 0;
    if (!cflri_vec_reserve(w->context, &t->states, n) ||
        !cflri_vec_reserve(w->context, &t->now, words) ||
        !cflri_vec_reserve(w->context, &t->conditional, words) ||
        !cflri_vec_reserve(w->context, &t->waiting, c->blocks.n)) {
        cflri_walk_refuse(w);
        return false;
    }
    memset(t->conditional.at, 0, words * sizeof *t->conditional.at);
    for (size_t i = 0; i < t->conditionals.n; i++) put(t->conditional.at, t->conditionals.at[i]);
    memset(t->states.at, 0xff, n * sizeof *t->states.at);
    for (uint32_t b = 0; b < c->blocks.n; b++) t->waiting.at[b] = c->blocks.at[b].reached;
    return true;
}

/* False: it took too long, and nothing is known. */
static bool solve(cflri_walk *w, bool hopeful) {
    const cflri_control *c = &w->versions.control;
    bool more = true;
    find_ends(w, hopeful);
    if (w->facts->status != CFLR_OK || !make_room(w)) return false;
    for (int round = 0; more && round < MOST_ROUNDS; round++) {
        more = false;
        for (uint32_t b = 0; b < c->blocks.n; b++) {
            if (!w->tested.waiting.at[b]) continue;
            pass_block(w, b);
            more = true;
        }
    }
    return !more && w->facts->status == CFLR_OK;
}

/* ---- marks ---- */

static void mark_block(cflri_walk *w, uint32_t block, cflri_shown shown) {
    const cflri_control *c = &w->versions.control;
    const cflri_block *b = &c->blocks.at[block];
    uint64_t *now = w->tested.now.at;
    memcpy(now, state_before(w, block), words_of(w) * sizeof *now);
    for (uint32_t i = b->first_step; i < b->end_step; i++) {
        uint32_t read = w->tested.effects.at[i].read;
        take_step(w, i, now);
        cflri_tree_node *node = &w->tree.nodes.at[c->steps.at[i].e];
        if (read && node->tested < shown && has(now, read - 1)) node->tested = (uint8_t)shown;
    }
}

/* Is memory read of which nothing is sure? Only of that calls may change more or less. */
static bool is_any_left(const cflri_walk *w) {
    const cflri_tested *t = &w->tested;
    for (size_t i = 0; i < t->effects.n; i++) {
        uint32_t read = t->effects.at[i].read;
        if (read && t->facts.at[read - 1].truth.path.memory &&
            w->tree.nodes.at[w->versions.control.steps.at[i].e].tested == CFLRI_SHOWN_NOTHING)
            return true;
    }
    return false;
}

static bool is_too_much(const cflri_walk *w) {
    return (uint64_t)w->versions.control.steps.n * w->tested.facts.n > MOST_WORK;
}

void cflri_tested_find(cflri_walk *w) {
    const cflri_control *c = &w->versions.control;
    w->tested.of_arguments = false;
    if (!w->facts->chosen.data_flow || !cflri_paths_begin(w)) return;
    cflri_stores_find(w);
    if (w->facts->status != CFLR_OK || !see_steps(w)) return;
    see_reads(w);
    pair_flags(w);
    if (w->facts->status != CFLR_OK || !find_wanted(&w->tested)) return;
    keep_wanted(w);
    if (w->facts->status != CFLR_OK || is_too_much(w)) return;
    for (int hopeful = 0; hopeful < 2 && (!hopeful || is_any_left(w)); hopeful++) {
        if (!solve(w, hopeful)) return;
        for (uint32_t b = 0; b < c->blocks.n; b++)
            if (c->blocks.at[b].reached)
                mark_block(w, b, hopeful ? CFLRI_SHOWN_PERHAPS : CFLRI_SHOWN_SURELY);
    }
}

/* ---- what a function shows of its arguments ---- */

/* Never written, so that it is what the caller gave. */
static bool is_given(cflri_walk *w, const cflri_path *path) {
    const cflri_control *c = &w->versions.control;
    for (size_t i = 0; i < c->steps.n && path->n == 0; i++) {
        if (!is_write(&c->steps.at[i])) continue;
        uint32_t e = cflri_expr_bare(w, c->steps.at[i].e);
        if (cflri_tree_kind(&w->tree, e) == CXCursor_DeclRefExpr &&
            cflri_referenced_decl(w, e) == path->root)
            return false;
    }
    return path->n == 0 && !path->memory;
}

static uint32_t bit_of(cflri_walk *w, CXCursor function, const cflri_truth *truth) {
    int n = cflri_clang_Cursor_getNumArguments(function);
    if (!truth->yes || truth->path.n > 0) return 0;
    for (int k = 0; k < n && k < 32; k++) {
        CXCursor parameter = cflri_clang_Cursor_getArgument(function, (unsigned)k);
        if (cflri_decl_of(&w->names, parameter) == truth->path.root)
            return is_given(w, &truth->path) ? 1u << k : 0;
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
    cflri_shown_list list = {0};
    if (result != CFLRI_NO_CHILD) cflri_outcome_shows(w, result, yes, &list);
    memcpy(now, state_before(w, block) + words_of(w), words_of(w) * sizeof *now);
    for (uint32_t i = 0; i < list.n; i++) {
        uint32_t fact = find_truth(t, &list.at[i].path, list.at[i].yes);
        if (fact != CFLRI_NO_NUMBER) begin_now(t, fact, now);
        mask |= bit_of(w, function, &list.at[i]);
    }
    for (uint32_t i = 0; i < t->facts.n; i++)
        if (has(now, i) && !t->facts.at[i].conditional)
            mask |= bit_of(w, function, &t->facts.at[i].truth);
    return mask;
}

static bool has_pointer(CXCursor function) {
    int n = cflri_clang_Cursor_getNumArguments(function);
    for (int k = 0; k < n; k++) {
        CXCursor parameter = cflri_clang_Cursor_getArgument(function, (unsigned)k);
        CXType type = cflri_clang_getCanonicalType(cflri_clang_getCursorType(parameter));
        if (type.kind > CXType_LastBuiltin) return true;
    }
    return false;
}

cflri_shows cflri_tested_shows(cflri_walk *w, CXCursor function) {
    const cflri_control *c = &w->versions.control;
    cflri_shows shows = {{UINT32_MAX, UINT32_MAX}};
    const cflri_shows nothing = {{0, 0}};
    w->tested.of_arguments = true;
    if (!has_pointer(function) || !cflri_paths_begin(w)) return nothing;
    see_steps(w);
    if (w->facts->status != CFLR_OK || is_too_much(w) || !solve(w, false)) return nothing;
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
    cflri_vec_free(context, &tested->lent);
    cflri_vec_free(context, &tested->escapes);
    cflri_vec_free(context, &tested->facts);
    cflri_vec_free(context, &tested->conditionals);
    cflri_vec_free(context, &tested->links);
    cflri_vec_free(context, &tested->begun);
    cflri_vec_free(context, &tested->effects);
    cflri_vec_free(context, &tested->ends);
    cflri_vec_free(context, &tested->states);
    cflri_vec_free(context, &tested->now);
    cflri_vec_free(context, &tested->waiting);
    cflri_vec_free(context, &tested->conditional);
}
