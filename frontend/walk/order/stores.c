/* SPDX-License-Identifier: Apache-2.0
 *
 * stores.c: results of calls that are stored in memory, and tested there at once.
 *
 *     s->path = malloc(n);
 *     if (s->path == NULL) {
 *         free(s);                 later reads of s->path find it not null, or the function
 *         return NULL;             that stored it knows that it is null and has said so
 *     }
 *
 * Memory has no order, so the null pointer that is there for a moment would be there for all. Here
 * the ways from such a write are followed through the blocks of the function (control.h). On each
 * of them must come, before anything else that could see it, a test of the place, another write to
 * it, or an end that never returns; for a local, whose address is taken, the function may also
 * return:
 *
 *     a call that is given the address of the place, or a pointer on the way to it,     not at once
 *     assembly and atomics, a write to a pointer on the way, a return                   not at once
 *
 * Other calls could see it too; so what is stored is not said to be other than null, but comes to
 * the place through a vertex by whose name findings are ranked (findings/rank.c):
 *
 *     malloc() -a-> [stored s->path] -a-> [checked s->path] -a-> s->path
 *
 * and reads of the place in the function that may still see the null pointer, before the test or
 * behind it where it was found to be null, have [stored s->path] besides.
 *
 *     s->path = strdup(name);
 *     s->length = strlen(s->path);     not tested: what is read is what was stored
 *
 * Where one condition is about several places, what decides it before it comes to this one counts
 * as the test that would have found null: `if (!s->in || !s->out) return NULL;`.
 *
 * A result of the library that is not tested at once is read the same way, as far as nothing comes
 * between that may have changed the place: there it needs no memory to be told apart.
 *
 * O(steps) for a write; beyond MOST_STEPS it is none of these.
 */
#include <stdio.h>
#include <string.h>

#include "frontend/walk/order/conditions.h"
#include "frontend/walk/walk.h"

enum {
    MOST_STEPS = 512,
    MOST_BACK = 32, /* nodes from a test back to the condition that it is a part of */
    MOST_DEPTH = 16 /* of a condition */
};

/* Before the test, and where it has found null. */
typedef enum phase { UNTESTED, NULL_FOUND } phase;

typedef struct ways {
    cflri_walk *w;
    const cflri_path *path;
    uint32_t write;     /* the place in the tree */
    uint32_t block;     /* of the write */
    uint32_t left;      /* steps that may be taken */
    bool at_once;       /* as far as is known */
    bool until_changed; /* ways end where the place may change, tested or not */
} ways;

static bool is_same(const cflri_path *a, const cflri_path *b) {
    return a->n == b->n && cflri_path_begins(a, b);
}

/* May an expression of this kind be the path? Asked before more is. */
static bool may_be(const ways *x, uint32_t e) {
    uint32_t last = x->path->n > 0 ? x->path->step[x->path->n - 1].kind : CFLRI_PATH_NAMED;
    enum CXCursorKind kind = cflri_tree_kind(&x->w->tree, e);
    if (x->path->n == 0) return kind == CXCursor_DeclRefExpr;
    if (last == CFLRI_PATH_DEREF) return kind == CXCursor_UnaryOperator;
    if (last == CFLRI_PATH_INDEX || last == CFLRI_PATH_NAMED)
        return kind == CXCursor_ArraySubscriptExpr;
    return kind == CXCursor_MemberRefExpr &&
           cflri_member_field(x->w, e) == x->path->step[x->path->n - 1].at;
}

/* A read that may see what was written. */
static void see_read(ways *x, uint32_t e) {
    cflri_path path;
    cflri_walk *w = x->w;
    if (!may_be(x, e) || !cflri_path_of(w, e, &path) || !is_same(&path, x->path)) return;
    const cflri_store_read read = {e, x->write};
    w->tree.nodes.at[e].sees_store = true;
    if (!cflri_vec_push(w->context, &w->stores.reads, read)) cflri_walk_refuse(w);
}

/* Does the write end the way? A write to something that leads to the place leaves the place where
 * it is not tested. */
static bool see_write(ways *x, uint32_t e) {
    cflri_path path;
    if (!cflri_path_of(x->w, e, &path)) return false;
    if (is_same(&path, x->path)) return true;
    bool lost = cflri_path_begins(x->path, &path);
    for (uint32_t i = 0; i < x->path->n; i++)
        lost |= x->path->step[i].kind == CFLRI_PATH_NAMED && path.n == 0 &&
                x->path->step[i].at == path.root;
    x->at_once &= !lost;
    return lost;
}

/* The outcome of a test of the place: 0 null, 1 not null, -1 nothing. */
static int outcome(const ways *x, const cflri_step *step) {
    cflri_shown_list list = {0};
    cflri_outcome_shows(x->w, step->e, step->yes, &list);
    for (uint32_t i = 0; i < list.n; i++)
        if (is_same(&list.at[i].path, x->path)) return (int)list.at[i].yes;
    return -1;
}

/* Has the condition `e` the outcome `yes` because the test in it has its own? */
static bool decides(const ways *x, uint32_t e, bool yes, const cflri_step *test, int depth) {
    for (; depth < MOST_DEPTH; depth++) {
        const cflri_condition parts = cflri_condition_parts(x->w, e);
        switch (parts.kind) {
            case CFLRI_CONDITION_NOT:
                yes = !yes;
                break;
            case CFLRI_CONDITION_OF_PART:
            case CFLRI_CONDITION_COMMA:
                break;
            case CFLRI_CONDITION_AND:
            case CFLRI_CONDITION_OR:
                if (yes != (parts.kind == CFLRI_CONDITION_OR)) return false;
                if (decides(x, parts.first, yes, test, depth + 1)) return true;
                break;
            default:
                return e == test->e && yes == test->yes;
        }
        e = parts.last;
    }
    return false;
}

/* Does the outcome of the condition show that the place is not null? */
static bool shows_place(const ways *x, uint32_t e, bool yes) {
    cflri_shown_list list = {0};
    cflri_outcome_shows(x->w, e, yes, &list);
    for (uint32_t i = 0; i < list.n; i++)
        if (list.at[i].yes && is_same(&list.at[i].path, x->path)) return true;
    return false;
}

/* Does the test decide a condition, one of the few nodes before it, that is about the place,
 * too? */
static bool decides_of_place(const ways *x, const cflri_step *test) {
    for (uint32_t k = 1; k <= MOST_BACK && k < test->e; k++) {
        uint32_t e = test->e - k;
        if (cflri_tree_kind(&x->w->tree, e) != CXCursor_BinaryOperator) continue;
        for (int yes = 0; yes < 2; yes++)
            if (decides(x, e, !yes, test, 0) && shows_place(x, e, yes)) return true;
    }
    return false;
}

/* Does the call end the way? */
static bool see_call(ways *x, uint32_t call, phase at) {
    if (at != UNTESTED && !x->until_changed) return false;
    bool given = cflri_call_is_given(x->w, call, x->path);
    x->at_once &= !given;
    return given && x->until_changed;
}

/* Does the way end at this step? */
static bool see_step(ways *x, const cflri_step *step, phase *at) {
    int shown;
    switch (step->kind) {
        case CFLRI_STEP_READ:
            see_read(x, step->e);
            return false;
        case CFLRI_STEP_WRITE:
        case CFLRI_STEP_MOVE:
            return see_write(x, step->e);
        case CFLRI_STEP_TEST:
            shown = outcome(x, step);
            if (shown == 0 || (*at == UNTESTED && decides_of_place(x, step))) *at = NULL_FOUND;
            return shown == 1;
        case CFLRI_STEP_CALL:
            return see_call(x, step->e, *at);
        case CFLRI_STEP_UNKNOWN:
        case CFLRI_STEP_RETURN:
            if (*at == UNTESTED && (x->path->n > 0 || step->kind == CFLRI_STEP_UNKNOWN))
                x->at_once = false;
            return step->kind == CFLRI_STEP_RETURN || x->until_changed;
    }
    return false;
}

static bool goes_on(const ways *x) {
    return x->left > 0 && (x->at_once || x->until_changed);
}

static void go_to(ways *x, uint32_t block, phase at) {
    cflri_stores *s = &x->w->stores;
    const uint32_t way = 2 * block + at, number = 2 * x->write + x->until_changed;
    if (s->seen.at[way] == number) return;
    s->seen.at[way] = number;
    if (!cflri_vec_push(x->w->context, &s->open, way)) cflri_walk_refuse(x->w);
}

/* From a step of the block on. */
static void follow(ways *x, uint32_t block, uint32_t first, phase at) {
    const cflri_control *c = &x->w->versions.control;
    const cflri_block *b = &c->blocks.at[block];
    bool ends = false;
    for (uint32_t i = first; i < b->end_step && !ends && goes_on(x); i++) {
        x->left--;
        ends = see_step(x, &c->steps.at[i], &at);
    }
    if (ends || !goes_on(x)) return;
    if (b->returns && at == UNTESTED && x->path->n > 0) x->at_once = false;
    for (uint32_t e = b->after; e != CFLRI_NO_BLOCK; e = c->edges.at[e].also) {
        if (c->edges.at[e].thrown && at == UNTESTED)
            x->at_once &= block == x->block; /* what jumps from the write itself is a signal */
        else
            go_to(x, c->edges.at[e].to, at);
    }
}

static void follow_all(ways *x, uint32_t block, uint32_t first) {
    cflri_stores *s = &x->w->stores;
    s->open.n = 0;
    follow(x, block, first, UNTESTED);
    while (s->open.n > 0 && goes_on(x) && x->w->facts->status == CFLR_OK) {
        uint32_t way = s->open.at[--s->open.n];
        follow(x, way / 2, x->w->versions.control.blocks.at[way / 2].first_step, (phase)(way % 2));
    }
    x->at_once &= x->left > 0;
}

static bool is_of_library(cflri_walk *w, uint32_t from) {
    uint32_t number = cflri_call_function(w, cflri_expr_bare(w, from));
    return number != CFLRI_NO_NUMBER && cflri_in_system_header(w->names.decls.at[number].cursor);
}

/* From behind the write, step `at` of the block. */
static void see_store(cflri_walk *w, const cflri_path *path, uint32_t block, uint32_t at) {
    const cflri_step *step = &w->versions.control.steps.at[at];
    size_t reads = w->stores.reads.n;
    ways x = {w, path, step->e, block, MOST_STEPS, true, false};
    follow_all(&x, block, at + 1);
    w->tree.nodes.at[step->e].checked = x.at_once;
    if (x.at_once) return;
    w->stores.reads.n = reads;
    if (!is_of_library(w, step->from)) return;
    ways behind = {w, path, step->e, block, MOST_STEPS, true, true};
    follow_all(&behind, block, at + 1);
}

/* Of a pointer in memory, by what a call gives? */
static bool is_store(cflri_walk *w, const cflri_step *step, cflri_path *path) {
    if (step->kind != CFLRI_STEP_WRITE || step->from == CFLRI_NO_CHILD ||
        cflri_tree_kind(&w->tree, step->e) == CXCursor_VarDecl)
        return false;
    uint32_t from = cflri_expr_bare(w, step->from);
    return cflri_tree_kind(&w->tree, from) == CXCursor_CallExpr &&
           cflri_expr_class(w, cflri_expr_bare(w, step->e)) == CFLRI_TYPE_POINTER &&
           cflri_path_of(w, step->e, path) && path->memory;
}

static bool make_room(cflri_walk *w) {
    cflri_stores *s = &w->stores;
    size_t n = 2 * w->versions.control.blocks.n;
    s->seen.n = s->open.n = 0;
    if (!cflri_vec_reserve(w->context, &s->seen, n)) {
        cflri_walk_refuse(w);
        return false;
    }
    memset(s->seen.at, 0, n * sizeof *s->seen.at);
    return true;
}

void cflri_stores_find(cflri_walk *w) {
    const cflri_control *c = &w->versions.control;
    cflri_path path;
    bool room = false;
    w->stores.reads.n = w->stores.nodes.n = 0;
    for (uint32_t b = 0; b < c->blocks.n; b++) {
        if (!c->blocks.at[b].reached) continue;
        for (uint32_t i = c->blocks.at[b].first_step; i < c->blocks.at[b].end_step; i++) {
            if (!is_store(w, &c->steps.at[i], &path)) continue;
            room = room || make_room(w);
            if (w->facts->status != CFLR_OK) return;
            see_store(w, &path, b, i);
        }
    }
}

/* ---- values ---- */

static cflri_node make_node(cflri_walk *w, uint32_t place, const char *what) {
    char text[CFLRI_SPELLING_SIZE], name[CFLRI_SPELLING_SIZE + 16];
    cflri_spell(w, place, text);
    snprintf(name, sizeof name, "[%s %s]", what, text);
    const cflri_node_record record = {
        .kind = CFLR_VERTEX_TEMPORARY,
        .carrier = CFLRI_CARRIES_POINTER,
        .name = cflri_facts_string(w->facts, name),
        .type = cflri_type_text(&w->names, cflri_expr_type(w, place))};
    return cflri_site_node(&w->names, cflri_tree_cursor(&w->tree, place), "!store", &record);
}

static cflri_node stored_node(cflri_walk *w, uint32_t write) {
    cflri_stores *s = &w->stores;
    for (size_t i = 0; i < s->nodes.n; i++)
        if (s->nodes.at[i].write == write) return s->nodes.at[i].stored;
    const cflri_store_node made = {write, make_node(w, write, "stored")};
    if (!cflri_vec_push(w->context, &s->nodes, made)) cflri_walk_refuse(w);
    return made.stored;
}

/* Is what was written read without a test? */
static bool is_seen(const cflri_walk *w, uint32_t write) {
    for (size_t i = 0; i < w->stores.reads.n; i++)
        if (w->stores.reads.at[i].write == write) return true;
    return false;
}

cflri_value cflri_stored_value(cflri_walk *w, uint32_t place, const cflri_value *value) {
    if (value->n == 0 || (!w->tree.nodes.at[place].checked && !is_seen(w, place))) return *value;
    const cflri_value stored = cflri_one_value(stored_node(w, place));
    cflri_flow_value(w, &cflri_plain_flow, value, stored.at[0]);
    if (!w->tree.nodes.at[place].checked) return *value;
    cflri_node checked = make_node(w, place, "checked");
    cflri_flow_value(w, &cflri_plain_flow, &stored, checked);
    return cflri_one_value(checked);
}

cflri_value cflri_seen_value(cflri_walk *w, uint32_t e, const cflri_value *value) {
    cflri_value all = *value;
    if (!w->tree.nodes.at[e].sees_store || value->n == 0) return *value;
    for (size_t i = 0; i < w->stores.reads.n; i++) {
        const cflri_store_read read = w->stores.reads.at[i];
        if (read.e != e) continue;
        const cflri_value stored = cflri_one_value(stored_node(w, read.write));
        all = cflri_join(w, e, &all, &stored);
    }
    return all;
}

void cflri_stores_free(cflr_context *context, cflri_stores *stores) {
    cflri_vec_free(context, &stores->reads);
    cflri_vec_free(context, &stores->nodes);
    cflri_vec_free(context, &stores->seen);
    cflri_vec_free(context, &stores->open);
}
