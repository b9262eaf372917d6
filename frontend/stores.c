/* SPDX-License-Identifier: Apache-2.0
 *
 * stores.c: what a call has given is stored in memory, and tested there at once.
 *
 *     s->path = malloc(n);
 *     if (s->path == NULL) {
 *         free(s);                     whoever reads s->path later does so where it is not null, or the
 *         return NULL;                 function that stored it knows and has told
 *     }
 *
 * Memory has no order, so the null pointer that is there for a moment would be there for all. Here
 * the ways from such a write are followed through the blocks of the function (control.h). On each
 * of them must come, before anything else that could see it, a test of the place, another write to
 * it, or an end that nobody returns from; for a local, whose address is taken, the function may
 * also return:
 *
 *     a call that is given the address of the place, or a pointer on the way to it,       not at once
 *     assembly and atomics, a write to a pointer on the way, a return                     not at once
 *
 * Other calls could see it too; so what is stored is not said to be other than null, but comes to
 * the place through a vertex by whose name findings are ranked (cli/rule_rank.c):
 *
 *     malloc() -a-> [stored s->path] -a-> [checked s->path] -a-> s->path
 *
 * and reads of the place in the function that may still see the null pointer, before the test or
 * behind it where it was found to be null, have [stored s->path] besides.
 *
 * O(steps) for a write; beyond MOST_STEPS it is none of these.
 */
#include <stdio.h>
#include <string.h>

#include "frontend/conditions.h"
#include "frontend/walk.h"

enum { MOST_STEPS = 512 };

/* Before the test, and where it has found null. */
typedef enum phase { UNTESTED, NULL_FOUND } phase;

typedef struct ways {
    cflri_walk *w;
    const cflri_path *path;
    uint32_t write; /* the place in the tree */
    uint32_t block; /* of the write */
    uint32_t left;  /* steps that may be taken */
    bool at_once;
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

/* Does the write end the way? One to what leads to the place leaves it where nobody tests it. */
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

/* What a test shows of the place: 0 null, 1 not null, -1 nothing. */
static int outcome(const ways *x, const cflri_step *step) {
    cflri_shown_list list = {0};
    cflri_outcome_shows(x->w, step->e, step->yes, &list);
    for (uint32_t i = 0; i < list.n; i++)
        if (is_same(&list.at[i].path, x->path)) return (int)list.at[i].yes;
    return -1;
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
            if (shown == 0) *at = NULL_FOUND;
            return shown == 1;
        case CFLRI_STEP_CALL:
            if (*at == UNTESTED && cflri_call_is_given(x->w, step->e, x->path)) x->at_once = false;
            return false;
        case CFLRI_STEP_UNKNOWN:
        case CFLRI_STEP_RETURN:
            if (*at == UNTESTED && (x->path->n > 0 || step->kind == CFLRI_STEP_UNKNOWN))
                x->at_once = false;
            return step->kind == CFLRI_STEP_RETURN;
    }
    return false;
}

static void go_to(ways *x, uint32_t block, phase at) {
    cflri_stores *s = &x->w->stores;
    const uint32_t way = 2 * block + at;
    if (s->seen.at[way] == x->write) return;
    s->seen.at[way] = x->write;
    if (!cflri_vec_push(x->w->context, &s->open, way)) cflri_walk_refuse(x->w);
}

/* From a step of the block on. */
static void follow(ways *x, uint32_t block, uint32_t first, phase at) {
    const cflri_control *c = &x->w->versions.control;
    const cflri_block *b = &c->blocks.at[block];
    bool ends = false;
    for (uint32_t i = first; i < b->end_step && !ends && x->at_once; i++) {
        x->at_once = x->left-- > 1;
        ends = see_step(x, &c->steps.at[i], &at);
    }
    if (ends || !x->at_once) return;
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
    size_t reads = s->reads.n;
    s->open.n = 0;
    follow(x, block, first, UNTESTED);
    while (s->open.n > 0 && x->at_once && x->w->facts->status == CFLR_OK) {
        uint32_t way = s->open.at[--s->open.n];
        follow(x, way / 2, x->w->versions.control.blocks.at[way / 2].first_step, (phase)(way % 2));
    }
    if (x->at_once)
        x->w->tree.nodes.at[x->write].checked = true;
    else
        s->reads.n = reads;
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
            ways x = {w, &path, c->steps.at[i].e, b, MOST_STEPS, true};
            follow_all(&x, b, i + 1);
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

cflri_value cflri_stored_value(cflri_walk *w, uint32_t place, const cflri_value *value) {
    if (!w->tree.nodes.at[place].checked || value->n == 0) return *value;
    const cflri_value stored = cflri_one_value(stored_node(w, place));
    cflri_flow_value(w, &cflri_plain_flow, value, stored.at[0]);
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
