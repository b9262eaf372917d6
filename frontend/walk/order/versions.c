/* SPDX-License-Identifier: Apache-2.0
 *
 * versions.c: locals taken apart by their definitions.
 *
 *     p = &x; use(p);          p1 = &x; use(p1);
 *     p = &y; use(p);          p2 = &y; use(p2);
 *     if (c) p = &z;           p3 = &z;
 *     use(p);                  p4 = p2 or p3; use(p4);
 *
 * The analysis has no order of execution; in this form it need not have one: each use names the
 * values that can be there. It is static single assignment, built as Braun et al. do ("Simple and
 * Efficient Construction of Static Single Assignment Form", CC 2013), from the uses backwards and
 * one local after the other, on blocks that are complete (control.h):
 *
 *     1. inside a block a use reads the last write before it; a use without one asks what holds
 *        before its block
 *     2. that is what holds after the one block before it; where there are several, a new version
 *        whose sources are what holds after each
 *     3. a version with one source besides itself is that source
 *
 * With data flow a test that shows a pointer not to be null (control.h) makes a version, too, which
 * has the value of the one before it:
 *
 *     if (p1) use(p1);         if (p1) { p2 = p1, not null; use(p2); }
 *     use(p1);                 use(p1): where p1 and p2 meet, what is known is p1
 *
 * A test by a function of another unit, `if (ok(p))`, is one if that function shows it, which
 * linking knows: the value passes as a test does, and as any other unless it is shown.
 *
 * So in 3. the source of a test counts for the test where it is a source itself, and a test of what
 * a test has shown is that. A source that comes from behind a call of a function of another unit
 * holds if that function may return, which linking knows: the version where it meets a test stays,
 * and the assignment has the call.
 *
 * Only versions that are read are made, and only those that the walk comes by get nodes. The first
 * has the variable's own node; all others look like it in the graph, so that a name finds all of
 * them, and a name with a line finds the one that is read there.
 *
 * The walk must not meet a use that is not foreseen here. Should it (an expression that control.c
 * takes for something else), the local is loose: all its versions flow into one another, as if it
 * had never been split. The same for a write that the walk passes by, and for a local that is read
 * where it has no value. With data flow code that nothing reaches, of which tests and calls that
 * never return make more, reads versions that nothing flows to.
 *
 * O(tree + blocks that each local is alive in). Code that was generated may have thousands of
 * locals that live in thousands of blocks: beyond MOST_STEPS for each node of the tree nothing in
 * the function is split.
 */
#include "frontend/walk/order/versions.h"

#include <string.h>

#include "frontend/walk/walk.h"

#define NO_ENTRY UINT32_MAX
#define UNSEEN UINT32_MAX
#define NOTHING 0u /* the version without a value */

enum {
    MOST_STEPS = 64,
    MOST_ROUNDS = 16 /* of merging versions; what is left then costs a node and is right */
};

/* ---- versions ---- */

static uint32_t make_version(cflri_walk *w, uint32_t local, uint32_t e, uint32_t block) {
    cflri_versions *v = &w->versions;
    uint32_t number = (uint32_t)v->all.n;
    const cflri_version made = {.local = local,
                                .instead = number,
                                .e = e,
                                .tested = CFLRI_NO_CHILD,
                                .call = CFLRI_NO_CHILD,
                                .block = block,
                                .guard = CFLRI_NO_NODE,
                                .node = CFLRI_NO_NODE};
    if (cflri_vec_push(w->context, &v->all, made)) return number;
    cflri_walk_refuse(w);
    return NOTHING;
}

uint32_t cflri_version_found(cflri_versions *v, uint32_t version) {
    cflri_version *all = v->all.at;
    while (all[version].instead != version) {
        all[version].instead = all[all[version].instead].instead;
        version = all[version].instead;
    }
    return version;
}

static void add_entry(cflri_walk *w, uint32_t *first, uint32_t block, uint32_t what) {
    cflri_versions *v = &w->versions;
    const cflri_entry made = {block, what, *first};
    if (cflri_vec_push(w->context, &v->entries, made))
        *first = (uint32_t)v->entries.n - 1;
    else
        cflri_walk_refuse(w);
}

/* ---- 1. inside blocks ---- */

static void see_read(cflri_walk *w, uint32_t local, uint32_t at, uint32_t block) {
    cflri_history *h = &w->versions.histories.at[local];
    if (h->block == block + 1)
        w->versions.at.at[at] = h->current;
    else if (w->facts->chosen.data_flow && !w->versions.control.blocks.at[block].reached)
        w->versions.at.at[at] = make_version(w, local, CFLRI_NO_CHILD, block); /* of nothing */
    else
        add_entry(w, &h->exposed, block, at);
}

/* A version of the tested one, which is read here. */
static uint32_t make_test(cflri_walk *w, const cflri_event *event, uint32_t block) {
    cflri_versions *v = &w->versions;
    uint32_t at = (uint32_t)(w->tree.nodes.n + v->tests.n);
    see_read(w, event->local, at, block);
    uint32_t test = make_version(w, event->local, CFLRI_NO_CHILD, block);
    if (!cflri_vec_push(w->context, &v->tests, test)) cflri_walk_refuse(w);
    if (w->facts->status != CFLR_OK) return test;
    cflri_version *made = &v->all.at[test];
    made->tested = at;
    made->call = event->call;
    made->argument = event->argument;
    made->yes = event->yes;
    return test;
}

static void see_event(cflri_walk *w, const cflri_event *event, uint32_t block) {
    cflri_versions *v = &w->versions;
    cflri_history *h = &v->histories.at[event->local];
    bool known = h->block == block + 1;
    switch (event->kind) {
        case CFLRI_READS:
            v->where.at[event->e] = block;
            see_read(w, event->local, event->e, block);
            return;
        case CFLRI_TESTED:
            h->current = make_test(w, event, block);
            break;
        case CFLRI_WRITES:
            v->at.at[event->e] = h->current = make_version(w, event->local, event->e, block);
            break;
        case CFLRI_FORGETS:
            v->at.at[event->e] = h->current = NOTHING;
            break;
    }
    h->block = block + 1;
    if (known)
        v->entries.at[h->ends].what = h->current; /* instead of the one before */
    else
        add_entry(w, &h->ends, block, h->current);
}

static void see_blocks(cflri_walk *w) {
    const cflri_control *c = &w->versions.control;
    for (uint32_t b = 0; b < c->blocks.n; b++) {
        const cflri_block *block = &c->blocks.at[b];
        for (uint32_t i = block->first; i < block->end && w->facts->status == CFLR_OK; i++)
            see_event(w, &c->events.at[i], b);
    }
}

/* ---- 2. between blocks ---- */

/* Goes back through blocks that have one block before them, to where the value is known or must be
 * put together. */
static uint32_t value_before(cflri_walk *w, uint32_t local, uint32_t block) {
    cflri_versions *v = &w->versions;
    const cflri_control *c = &v->control;
    cflri_passage *passages = v->passages.at;
    uint32_t mark = local + 1, value = NOTHING, last = block;
    for (;; last = c->edges.at[c->blocks.at[last].before].from) {
        cflri_passage *p = &passages[last];
        v->steps++;
        uint32_t before = c->blocks.at[last].before;
        if (last != block && p->after_mark == mark) {
            value = p->after;
            break;
        }
        if (p->before_mark == mark) {
            value = p->before;
            break;
        }
        p->before_mark = mark; /* coming back here, in a loop that nothing leads to: no value */
        p->before = NOTHING;
        if (before == CFLRI_NO_BLOCK) {
            p->before = value = last == 0 ? v->histories.at[local].argument : NOTHING;
            break;
        }
        if (c->edges.at[before].next != CFLRI_NO_BLOCK) {
            p->before = value = make_version(w, local, CFLRI_NO_CHILD, last);
            break;
        }
    }
    for (uint32_t at = block; at != last; at = c->edges.at[c->blocks.at[at].before].from)
        passages[at].before = value;
    return value;
}

static uint32_t value_after(cflri_walk *w, uint32_t local, uint32_t block) {
    const cflri_passage *p = &w->versions.passages.at[block];
    return p->after_mark == local + 1 ? p->after : value_before(w, local, block);
}

/* The last call that another unit may know never to return, on the only way to the end of a block;
 * only those matter that do not stand before all of the other ways, too. */
static uint32_t gate_before(const cflri_control *c, uint32_t block) {
    for (int steps = 0; steps < MOST_STEPS; steps++) {
        const cflri_block *b = &c->blocks.at[block];
        if (c->edges.at[b->after].also != CFLRI_NO_BLOCK) break; /* ways part behind it */
        if (b->gate != CFLRI_NO_CHILD) return b->gate;
        if (b->before == CFLRI_NO_BLOCK || c->edges.at[b->before].next != CFLRI_NO_BLOCK) break;
        block = c->edges.at[b->before].from;
    }
    return CFLRI_NO_CHILD;
}

/* The sources of a version that was put together; it may need others, which get higher numbers. */
static void gather(cflri_walk *w, uint32_t version) {
    cflri_versions *v = &w->versions;
    const cflri_control *c = &v->control;
    const cflri_version made = v->all.at[version];
    uint32_t first = (uint32_t)v->sources.n;
    for (uint32_t edge = c->blocks.at[made.block].before; edge != CFLRI_NO_BLOCK;
         edge = c->edges.at[edge].next) {
        v->steps++;
        uint32_t value = value_after(w, made.local, c->edges.at[edge].from);
        uint32_t gate = gate_before(c, c->edges.at[edge].from);
        if (!cflri_vec_push(w->context, &v->sources, value) ||
            !cflri_vec_push(w->context, &v->gates, gate))
            cflri_walk_refuse(w);
        if (w->facts->status != CFLR_OK) return;
    }
    v->all.at[version].first_source = first;
    v->all.at[version].n_sources = (uint32_t)v->sources.n - first;
}

/* ---- 3. versions that are another one ---- */

static bool is_test(const cflri_versions *v, uint32_t version) {
    return v->all.at[version].tested != CFLRI_NO_CHILD;
}

/* One that does not wait for what another unit says. */
static bool is_sure_test(const cflri_versions *v, uint32_t version) {
    return is_test(v, version) && v->all.at[version].call == CFLRI_NO_CHILD;
}

/* The version that a test is about; any other version is itself. */
static uint32_t before_test(cflri_versions *v, uint32_t version) {
    return is_test(v, version) ? cflri_version_found(v, v->at.at[v->all.at[version].tested])
                               : version;
}

/* The only source besides itself, or the one that all others are tests of; the version itself when
 * there are more. A source behind a call that may never return does not count as that one: without
 * it all are tests. */
static uint32_t only_source(cflri_versions *v, uint32_t version) {
    const cflri_version made = v->all.at[version];
    uint32_t only = NOTHING, value = NOTHING;
    bool one = true, plain = false;
    for (uint32_t i = 0; i < made.n_sources; i++) {
        uint32_t source = cflri_version_found(v, v->sources.at[made.first_source + i]);
        uint32_t before = before_test(v, source);
        if (source == version || before == version || before == NOTHING) continue;
        if (only == NOTHING) {
            only = source;
            value = before;
        }
        if (before != value) return version;
        one &= source == only;
        plain |= source == value && v->gates.at[made.first_source + i] == CFLRI_NO_CHILD;
    }
    if (one) return only;
    return plain ? value : version;
}

static void merge(cflri_versions *v, uint32_t first) {
    bool merged = true;
    for (int round = 0; merged && round < MOST_ROUNDS; round++) {
        merged = false;
        for (uint32_t i = first; i < v->all.n; i++) {
            if (v->all.at[i].instead != i) continue;
            uint32_t only = only_source(v, i);
            v->all.at[i].instead = only;
            merged |= only != i;
        }
    }
}

/* A test of what a test has shown is that one, if it is sure. */
static void merge_tests(cflri_versions *v) {
    for (size_t i = 0; i < v->tests.n; i++) {
        uint32_t before = before_test(v, v->tests.at[i]);
        if (is_sure_test(v, before)) v->all.at[v->tests.at[i]].instead = before;
    }
}

static bool is_too_much(const cflri_walk *w) {
    return w->versions.steps > MOST_STEPS * (uint64_t)w->tree.nodes.n;
}

static bool may_go_on(const cflri_walk *w) {
    return w->facts->status == CFLR_OK && !is_too_much(w);
}

static void see_local(cflri_walk *w, uint32_t local) {
    cflri_versions *v = &w->versions;
    const cflri_history *h = &v->histories.at[local];
    uint32_t first = (uint32_t)v->all.n;
    for (uint32_t i = h->ends; i != NO_ENTRY; i = v->entries.at[i].next) {
        cflri_passage *p = &v->passages.at[v->entries.at[i].block];
        p->after = v->entries.at[i].what;
        p->after_mark = local + 1;
    }
    for (uint32_t i = h->exposed; i != NO_ENTRY; i = v->entries.at[i].next) {
        const cflri_entry use = v->entries.at[i];
        v->at.at[use.what] = value_before(w, local, use.block);
    }
    for (uint32_t i = first; i < v->all.n && may_go_on(w); i++) gather(w, i);
    if (may_go_on(w)) merge(v, first);
}

/* ---- the function ---- */

/* Empties the tables and makes room: nothing is seen, nothing is known. */
static bool prepare(cflri_walk *w) {
    cflri_versions *v = &w->versions;
    size_t n_blocks = v->control.blocks.n, n_locals = w->locals.all.n;
    size_t n_at = w->tree.nodes.n + v->control.n_tests;
    v->all.n = v->sources.n = v->gates.n = v->entries.n = v->tests.n = 0;
    v->at.n = v->where.n = v->histories.n = v->passages.n = 0;
    v->steps = 0;
    if (!cflri_vec_reserve(w->context, &v->at, n_at) ||
        !cflri_vec_reserve(w->context, &v->where, n_at) ||
        !cflri_vec_reserve(w->context, &v->histories, n_locals) ||
        !cflri_vec_reserve(w->context, &v->passages, n_blocks)) {
        cflri_walk_refuse(w);
        return false;
    }
    memset(v->at.at, 0xff, n_at * sizeof *v->at.at);
    memset(v->where.at, 0xff, n_at * sizeof *v->where.at);
    memset(v->passages.at, 0, n_blocks * sizeof *v->passages.at);
    const cflri_history none = {.ends = NO_ENTRY, .exposed = NO_ENTRY, .loose_node = CFLRI_NO_NODE};
    for (size_t i = 0; i < n_locals; i++) v->histories.at[i] = none;
    v->at.n = n_at;
    v->passages.n = n_blocks;
    v->histories.n = n_locals;
    return make_version(w, CFLRI_NO_LOCAL, CFLRI_NO_CHILD, 0) == NOTHING &&
           w->facts->status == CFLR_OK;
}

static void argue(cflri_walk *w, uint32_t local) {
    const cflri_local *l = &w->locals.all.at[local];
    const cflri_decl *decl = &w->names.decls.at[l->decl];
    if (decl->local == CFLRI_NO_LOCAL || decl->kind != CFLRI_DECL_PARAMETER) return;
    uint32_t version = make_version(w, local, CFLRI_NO_CHILD, 0);
    if (w->facts->status != CFLR_OK) return;
    w->versions.all.at[version].node = cflri_decl_content(&w->names, l->decl);
    w->versions.histories.at[local].argument = version;
    w->versions.histories.at[local].named = true;
}

static void split(cflri_walk *w) {
    if (w->facts->status != CFLR_OK || !prepare(w)) return;
    for (uint32_t l = 0; l < w->locals.all.n && w->facts->status == CFLR_OK; l++) argue(w, l);
    see_blocks(w);
    for (uint32_t l = 0; l < w->locals.all.n && may_go_on(w); l++) see_local(w, l);
    if (may_go_on(w)) merge_tests(&w->versions);
    if (is_too_much(w)) {
        cflri_locals_forget(w);
        w->versions.histories.n = 0;
    }
}

void cflri_versions_begin(cflri_walk *w, uint32_t body) {
    w->versions.asked.n = w->versions.histories.n = w->versions.all.n = 0;
    w->versions.control.steps.n = w->versions.control.blocks.n = 0;
    w->versions.guards.found = false;
    bool any = cflri_locals_find(w), dead = w->facts->chosen.data_flow && !w->locals.refused;
    if ((!any && !dead) || w->facts->status != CFLR_OK) return;
    cflri_control_make(w, body);
    if (any && w->versions.control.lost) cflri_locals_forget(w);
    if (any && !w->versions.control.lost) split(w);
    if (w->facts->status == CFLR_OK) cflri_tested_find(w);
}
/* ---- nodes ---- */

static cflri_node new_node(cflri_walk *w, uint32_t local) {
    cflri_history *h = &w->versions.histories.at[local];
    uint32_t decl = w->locals.all.at[local].decl;
    if (h->named) return cflri_version_node(&w->names, decl);
    h->named = true;
    return cflri_decl_content(&w->names, decl);
}

static cflri_node node_of(cflri_walk *w, uint32_t version) {
    cflri_version *v = &w->versions.all.at[version];
    if (v->node != CFLRI_NO_NODE) return v->node;
    v->node = new_node(w, v->local);
    if (!cflri_vec_push(w->context, &w->versions.asked, version)) cflri_walk_refuse(w);
    return v->node;
}

static cflri_node loose_node(cflri_walk *w, uint32_t local) {
    cflri_history *h = &w->versions.histories.at[local];
    if (!h->loose) h->loose_node = new_node(w, local);
    h->loose = true;
    return h->loose_node;
}

cflri_node cflri_version_content(cflri_walk *w, uint32_t e, uint32_t decl) {
    cflri_versions *v = &w->versions;
    uint32_t local = w->names.decls.at[decl].local;
    if (local == CFLRI_NO_LOCAL || w->facts->status != CFLR_OK)
        return cflri_decl_content(&w->names, decl);
    uint32_t version = v->at.at[e];
    if (version != UNSEEN) version = cflri_version_found(v, version);
    if (version == UNSEEN || version == NOTHING) return loose_node(w, local);
    if (v->all.at[version].e == e) v->all.at[version].stated = true;
    return node_of(w, version);
}

bool cflri_version_is_tested(cflri_walk *w, uint32_t e) {
    cflri_versions *v = &w->versions;
    if (v->histories.n == 0 || cflri_local_at(w, e) == CFLRI_NO_LOCAL) return false;
    uint32_t version = v->at.at[e];
    return version != UNSEEN && is_sure_test(v, cflri_version_found(v, version));
}

/* ---- the end of the function ---- */

/* The value that a test is about is that of the test, but for null. */
static void state_test(cflri_walk *w, uint32_t version) {
    uint32_t before = before_test(&w->versions, version);
    if (before == NOTHING) return;
    cflri_node tested = node_of(w, before);
    const cflri_assign shown = {.from = tested,
                                .to = w->versions.all.at[version].node,
                                .call = CFLRI_NO_CALL,
                                .flow = CFLRI_FLOW_NONNULL};
    cflri_facts_flow(w->facts, &shown);
    const cflri_version made = w->versions.all.at[version];
    if (made.call == CFLRI_NO_CHILD) return;
    uint32_t call = w->tree.nodes.at[made.call].decl;
    const cflri_assign kept = {.from = tested,
                               .to = made.node,
                               .call = call ? call - 1 : CFLRI_NO_CALL,
                               .unless = call > 0,
                               .outcome = made.yes,
                               .argument = (uint8_t)(made.argument & 31)};
    cflri_facts_flow(w->facts, &kept);
}

static void meet(cflri_walk *w, uint32_t version) {
    if (is_test(&w->versions, version)) state_test(w, version);
    const cflri_version made = w->versions.all.at[version];
    for (uint32_t i = 0; i < made.n_sources; i++) {
        uint32_t source =
            cflri_version_found(&w->versions, w->versions.sources.at[made.first_source + i]);
        uint32_t gate = w->versions.gates.at[made.first_source + i];
        uint32_t call = gate == CFLRI_NO_CHILD ? 0 : w->tree.nodes.at[gate].decl;
        if (source == NOTHING) continue;
        const cflri_assign met = {.from = node_of(w, source),
                                  .to = made.node,
                                  .call = call ? call - 1 : CFLRI_NO_CALL,
                                  .returns = call > 0};
        cflri_facts_flow(w->facts, &met);
    }
}

static void loosen(cflri_walk *w, uint32_t version) {
    const cflri_version *v = &w->versions.all.at[version];
    if (v->node == CFLRI_NO_NODE || !w->versions.histories.at[v->local].loose) return;
    cflri_node loose = w->versions.histories.at[v->local].loose_node;
    cflri_facts_assign(w->facts, v->node, loose);
    cflri_facts_assign(w->facts, loose, v->node);
}

void cflri_versions_end(cflri_walk *w) {
    cflri_versions *v = &w->versions;
    for (size_t i = 0; i < v->asked.n && w->facts->status == CFLR_OK; i++) meet(w, v->asked.at[i]);
    for (size_t i = 0; i < v->asked.n && w->facts->status == CFLR_OK; i++) {
        const cflri_version *asked = &v->all.at[v->asked.at[i]];
        if (asked->e != CFLRI_NO_CHILD && !asked->stated) loose_node(w, asked->local);
    }
    bool any = v->histories.n > 0 && w->facts->status == CFLR_OK;
    for (uint32_t i = 1; any && i < v->all.n; i++) loosen(w, i);
}

void cflri_versions_free(cflr_context *context, cflri_versions *versions) {
    cflri_control_free(context, &versions->control);
    cflri_vec_free(context, &versions->all);
    cflri_vec_free(context, &versions->sources);
    cflri_vec_free(context, &versions->gates);
    cflri_vec_free(context, &versions->at);
    cflri_vec_free(context, &versions->where);
    cflri_guards_free(context, &versions->guards);
    cflri_vec_free(context, &versions->asked);
    cflri_vec_free(context, &versions->histories);
    cflri_vec_free(context, &versions->entries);
    cflri_vec_free(context, &versions->passages);
    cflri_vec_free(context, &versions->tests);
}
