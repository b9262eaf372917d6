/* SPDX-License-Identifier: Apache-2.0
 *
 * guards.c: reads of a local that a condition may go with.
 *
 *     struct item *last = NULL;
 *     for (...) {
 *         if (!first) first = item; else last->next = item;     where `first` is set, `last` is
 *         last = item;
 *     }
 *
 * Code that writes a null pointer into a local, passes one as an argument, or calls a function that
 * returns one, mostly knows when it is read, by something that no analysis of one value sees: a
 * flag, a count, another list, an error. Where the read is under a condition it may be that one;
 * where it is not, there is none. So reads are distinguished: a version (versions.c) is optional
 * that is an argument, a choice of a null constant, the result of a call, or where one of these
 * meets something else, and a read of it is guarded when the function may return from where the
 * version begins without coming by the read. That is, the block of the read does not post-dominate
 * that of the version; behind the head of a loop one condition more is allowed, that of the loop
 * itself. A test of the pointer is no such condition: what is read whatever happens where the
 * pointer was found to be null is not guarded.
 *
 *     if (read_name(in, &name) == 0) use(name);     the same for what a call may have written
 *
 * A local whose address is taken has no versions; each call that is given the address is where one
 * begins. Where the function tests what each of these calls returns, the read is of an output: what
 * the test is about is most likely whether the call has failed.
 *
 * All guarded reads of a version have one node, by whose name findings are ranked
 * (findings/rank.c). The value is the same.
 *
 * Post-dominators: Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001), on the
 * edges backwards from all blocks that return, but for those of longjmp. O(blocks * depth) for a
 * function, at the first question.
 */
#include "frontend/walk/order/conditions.h"
#include "frontend/walk/walk.h"

#include <stdio.h>
#include <string.h>

enum { MOST_ROUNDS = 16 /* of meetings of versions; what comes later is not known */ };

/* ---- post-dominators ---- */

static void push_block(cflri_walk *w, cflri_guards *g, uint32_t block) {
    if (!cflri_vec_push(w->context, &g->open, block)) cflri_walk_refuse(w);
}

/* Numbers in an order in which a block comes behind all that it leads to, loops apart: 1 is the end
 * of the function, 0 what does not lead there. */
static void number_blocks(cflri_walk *w) {
    cflri_guards *g = &w->versions.guards;
    const cflri_control *c = &w->versions.control;
    for (uint32_t b = 0; b < c->blocks.n; b++)
        if (c->blocks.at[b].returns && c->blocks.at[b].reached) push_block(w, g, b);
    while (g->open.n > 0 && w->facts->status == CFLR_OK) {
        uint32_t block = g->open.at[g->open.n - 1];
        if (g->number.at[block] != 0) {
            g->open.n--;
            if (g->number.at[block] == UINT32_MAX) g->number.at[block] = ++g->n_numbers;
            continue;
        }
        g->number.at[block] = UINT32_MAX; /* until all before it have theirs */
        for (uint32_t e = c->blocks.at[block].before; e != CFLRI_NO_BLOCK; e = c->edges.at[e].next)
            if (!c->edges.at[e].thrown && g->number.at[c->edges.at[e].from] == 0)
                push_block(w, g, c->edges.at[e].from);
    }
}

static uint32_t common(const cflri_guards *g, uint32_t a, uint32_t b) {
    while (a != b) {
        while (a < b) a = g->behind.at[a];
        while (b < a) b = g->behind.at[b];
    }
    return a;
}

/* The nearest block that all ways from this one lead through, by number; 0: not known yet. */
static uint32_t nearest(const cflri_walk *w, uint32_t block) {
    const cflri_guards *g = &w->versions.guards;
    const cflri_control *c = &w->versions.control;
    uint32_t found = c->blocks.at[block].returns ? g->n_numbers + 1 : 0;
    for (uint32_t e = c->blocks.at[block].after; e != CFLRI_NO_BLOCK; e = c->edges.at[e].also) {
        uint32_t to = g->number.at[c->edges.at[e].to];
        if (to == 0 || g->behind.at[to] == 0 || c->edges.at[e].thrown) continue;
        found = found == 0 ? to : common(g, found, to);
    }
    return found;
}

static bool make_room(cflri_walk *w) {
    cflri_guards *g = &w->versions.guards;
    size_t n = w->versions.control.blocks.n;
    g->number.n = g->behind.n = g->block.n = g->open.n = 0;
    g->n_numbers = 0;
    if (!cflri_vec_reserve(w->context, &g->number, n) ||
        !cflri_vec_reserve(w->context, &g->behind, n + 2) ||
        !cflri_vec_reserve(w->context, &g->block, n + 2)) {
        cflri_walk_refuse(w);
        return false;
    }
    memset(g->number.at, 0, n * sizeof *g->number.at);
    memset(g->behind.at, 0, (n + 2) * sizeof *g->behind.at);
    return true;
}

static void find_behind(cflri_walk *w) {
    cflri_guards *g = &w->versions.guards;
    size_t n = w->versions.control.blocks.n;
    bool more = true;
    if (!make_room(w)) return;
    number_blocks(w);
    if (w->facts->status != CFLR_OK) return;
    for (uint32_t b = 0; b < n; b++) g->block.at[g->number.at[b]] = b;
    g->behind.at[g->n_numbers + 1] = g->n_numbers + 1; /* the end is behind itself */
    while (more) {
        more = false;
        for (uint32_t k = g->n_numbers; k > 0; k--) {
            uint32_t found = nearest(w, g->block.at[k]);
            more |= found != g->behind.at[k];
            g->behind.at[k] = found;
        }
    }
    g->found = true;
}

/* Does the function come by `block` on each way on which it returns from `from`? */
static bool is_always_behind(const cflri_guards *g, uint32_t from, uint32_t block) {
    uint32_t at = g->number.at[from], wanted = g->number.at[block];
    while (at != 0 && at < wanted) at = g->behind.at[at];
    return at == 0 || wanted == 0 || at == wanted; /* nothing returns: no condition decides */
}

/* The only edge out of a block, but for those of longjmp; CFLRI_NO_BLOCK: there are more, or
 * none. */
static uint32_t only_edge(const cflri_control *c, uint32_t block) {
    uint32_t only = CFLRI_NO_BLOCK;
    for (uint32_t e = c->blocks.at[block].after; e != CFLRI_NO_BLOCK; e = c->edges.at[e].also) {
        if (c->edges.at[e].thrown) continue;
        if (only != CFLRI_NO_BLOCK) return CFLRI_NO_BLOCK;
        only = e;
    }
    return only;
}

/* The last block before ways part. */
static uint32_t end_of_way(const cflri_control *c, uint32_t block) {
    for (size_t steps = 0; steps < c->blocks.n; steps++) {
        uint32_t e = only_edge(c, block);
        if (e == CFLRI_NO_BLOCK) break;
        block = c->edges.at[e].to;
    }
    return block;
}

static bool is_guarded(const cflri_walk *w, uint32_t from, uint32_t block) {
    const cflri_guards *g = &w->versions.guards;
    const cflri_control *c = &w->versions.control;
    if (is_always_behind(g, from, block)) return false;
    if (!c->blocks.at[from].head) return true;
    for (uint32_t e = c->blocks.at[end_of_way(c, from)].after; e != CFLRI_NO_BLOCK;
         e = c->edges.at[e].also)
        if (!c->edges.at[e].thrown && is_always_behind(g, c->edges.at[e].to, block)) return false;
    return true;
}

/* ---- tests, and addresses that are passed ---- */

static void add_site(cflri_walk *w, uint32_t e, uint32_t block, bool told) {
    const cflri_guard_site site = {e, block, told};
    if (!cflri_vec_push(w->context, &w->versions.guards.sites, site)) cflri_walk_refuse(w);
}

/* The names that a test in this block finds to be null. */
static void see_test(cflri_walk *w, const cflri_step *step, uint32_t block) {
    bool when;
    uint32_t pointer = cflri_condition_pointer(w, step->e, &when);
    while (pointer != CFLRI_NO_CHILD && step->yes != when) {
        uint32_t right = cflri_condition_assigned(w, pointer);
        uint32_t name = right == CFLRI_NO_CHILD ? pointer : cflri_tree_first(&w->tree, pointer);
        name = cflri_expr_unwrapped(w, name);
        if (cflri_local_at(w, name) != CFLRI_NO_LOCAL) add_site(w, name, block, false);
        pointer = right;
    }
}

/* Is a condition, or what it compares, this call, or a variable that holds its result? */
static bool is_about(cflri_walk *w, uint32_t e, uint32_t call, uint32_t holder, int depth) {
    enum { MOST_DEPTH = 4 };
    e = cflri_expr_bare(w, e);
    enum CXCursorKind kind = cflri_tree_kind(&w->tree, e);
    if (e == call) return true;
    if (kind == CXCursor_DeclRefExpr)
        return holder != CFLRI_NO_NUMBER && cflri_referenced_decl(w, e) == holder;
    if (depth == MOST_DEPTH || (kind != CXCursor_BinaryOperator && kind != CXCursor_UnaryOperator))
        return false;
    for (uint32_t c = cflri_tree_first(&w->tree, e); c != CFLRI_NO_CHILD;
         c = cflri_tree_next(&w->tree, c))
        if (is_about(w, c, call, holder, depth + 1)) return true;
    return false;
}

/* The variable that the result of a call is assigned to, or CFLRI_NO_NUMBER. */
static uint32_t holder_of(cflri_walk *w, uint32_t call) {
    const cflri_control *c = &w->versions.control;
    for (size_t i = 0; i < c->steps.n; i++) {
        const cflri_step *step = &c->steps.at[i];
        if (step->kind != CFLRI_STEP_WRITE || step->from == CFLRI_NO_CHILD ||
            cflri_expr_bare(w, step->from) != call)
            continue;
        if (cflri_tree_kind(&w->tree, step->e) == CXCursor_VarDecl)
            return cflri_decl_of(&w->names, cflri_tree_cursor(&w->tree, step->e));
        uint32_t name = cflri_expr_bare(w, step->e);
        if (cflri_tree_kind(&w->tree, name) == CXCursor_DeclRefExpr)
            return cflri_referenced_decl(w, name);
    }
    return CFLRI_NO_NUMBER;
}

/* Does the function test what the call returns? */
static bool is_told(cflri_walk *w, uint32_t call) {
    const cflri_control *c = &w->versions.control;
    uint32_t holder = holder_of(w, call);
    for (size_t i = 0; i < c->steps.n; i++)
        if (c->steps.at[i].kind == CFLRI_STEP_TEST &&
            is_about(w, c->steps.at[i].e, call, holder, 0))
            return true;
    return false;
}

/* The variables whose addresses a call is given. */
static void see_call(cflri_walk *w, uint32_t call, uint32_t block) {
    uint32_t a = cflri_tree_first(&w->tree, call);
    while (a != CFLRI_NO_CHILD && (a = cflri_tree_next(&w->tree, a)) != CFLRI_NO_CHILD) {
        uint32_t e = cflri_expr_bare(w, a);
        if (!cflri_expr_takes_address(w, e)) continue;
        uint32_t name = cflri_expr_bare(w, cflri_tree_first(&w->tree, e));
        if (cflri_tree_kind(&w->tree, name) == CXCursor_DeclRefExpr)
            add_site(w, name, block, is_told(w, call));
    }
}

static void find_sites(cflri_walk *w) {
    const cflri_control *c = &w->versions.control;
    w->versions.guards.sites.n = w->versions.guards.last = 0;
    for (uint32_t b = 0; b < c->blocks.n; b++)
        for (uint32_t i = c->blocks.at[b].first_step; i < c->blocks.at[b].end_step; i++) {
            if (c->steps.at[i].kind == CFLRI_STEP_TEST) see_test(w, &c->steps.at[i], b);
            if (c->steps.at[i].kind == CFLRI_STEP_CALL) see_call(w, c->steps.at[i].e, b);
        }
}

/* Is the read always made where a test has found this version to be null, and the function goes
 * on? */
static bool is_behind_null(cflri_walk *w, uint32_t version, uint32_t block) {
    cflri_versions *v = &w->versions;
    const cflri_guards *g = &v->guards;
    for (size_t i = 0; i < g->sites.n; i++) {
        uint32_t e = g->sites.at[i].e;
        if (cflri_local_at(w, e) == CFLRI_NO_LOCAL || v->at.at[e] == UINT32_MAX) continue;
        uint32_t found = g->sites.at[i].block;
        if (cflri_version_found(v, v->at.at[e]) == version && g->number.at[found] != 0 &&
            is_always_behind(g, found, block))
            return true;
    }
    return false;
}

/* The block in which an expression is read; most are asked for in the order of blocks. */
static uint32_t block_of_read(cflri_walk *w, uint32_t e) {
    const cflri_control *c = &w->versions.control;
    uint32_t n = (uint32_t)c->blocks.n, last = w->versions.guards.last;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t b = last + k < n ? last + k : last + k - n;
        for (uint32_t i = c->blocks.at[b].first_step; i < c->blocks.at[b].end_step; i++) {
            if (c->steps.at[i].kind != CFLRI_STEP_READ || c->steps.at[i].e != e) continue;
            w->versions.guards.last = b;
            return b;
        }
    }
    return CFLRI_NO_BLOCK;
}

/* Is a call given the variable's address, and the read under a condition behind each that is?
 * `*told`: and is what each of them returns tested? */
static bool is_guarded_output(cflri_walk *w, uint32_t number, uint32_t e, bool *told) {
    const cflri_guards *g = &w->versions.guards;
    uint32_t block = CFLRI_NO_BLOCK;
    for (size_t i = 0; i < g->sites.n; i++) {
        if (cflri_referenced_decl(w, g->sites.at[i].e) != number) continue;
        if (block == CFLRI_NO_BLOCK) block = block_of_read(w, e);
        if (block == CFLRI_NO_BLOCK || !is_guarded(w, g->sites.at[i].block, block)) return false;
        *told &= g->sites.at[i].told;
    }
    return block != CFLRI_NO_BLOCK;
}

/* ---- versions ---- */

/* Is it an argument, is a null constant written there, or does one of these meet something else? */
static bool has_null(const cflri_walk *w, uint32_t version) {
    const cflri_versions *v = &w->versions;
    uint32_t e = v->all.at[version].e, local = v->all.at[version].local;
    if (version != 0 && v->histories.at[local].argument == version) return true;
    return e != CFLRI_NO_CHILD ? w->tree.nodes.at[e].nulled : v->guards.meets.at[version];
}

/* The version that tests were made of, which have no value of their own: where another unit says
 * what they show, null may still come. */
static uint32_t before_tests(cflri_walk *w, uint32_t version) {
    cflri_versions *v = &w->versions;
    while (v->all.at[version].tested != CFLRI_NO_CHILD &&
           v->at.at[v->all.at[version].tested] != UINT32_MAX)
        version = cflri_version_found(v, v->at.at[v->all.at[version].tested]);
    return version;
}

static bool may_meet(cflri_walk *w, uint32_t version) {
    cflri_versions *v = &w->versions;
    const cflri_version made = v->all.at[version];
    for (uint32_t i = 0; i < made.n_sources; i++)
        if (has_null(w,
                     before_tests(w, cflri_version_found(v, v->sources.at[made.first_source + i]))))
            return true;
    return false;
}

/* Which versions a null constant meets something else in, itself or by others. */
static void find_meetings(cflri_walk *w) {
    cflri_versions *v = &w->versions;
    cflri_guards *g = &v->guards;
    bool more = true;
    g->meets.n = 0;
    if (!cflri_vec_reserve(w->context, &g->meets, v->all.n + 1)) {
        cflri_walk_refuse(w);
        return;
    }
    memset(g->meets.at, 0, v->all.n * sizeof *g->meets.at);
    g->meets.n = v->all.n;
    for (int round = 0; more && round < MOST_ROUNDS; round++) {
        more = false;
        for (uint32_t i = 1; i < v->all.n; i++) {
            if (g->meets.at[i] || !may_meet(w, i)) continue;
            g->meets.at[i] = more = true;
        }
    }
}

/* False: nothing is known of the function. */
static bool have_guards(cflri_walk *w) {
    cflri_guards *g = &w->versions.guards;
    if (!g->found) find_meetings(w);
    if (!g->found && w->facts->status == CFLR_OK) find_sites(w);
    if (!g->found && w->facts->status == CFLR_OK) find_behind(w);
    return g->found && w->facts->status == CFLR_OK;
}

/* Is the read guarded? Then also where its node is, and whether the version is an argument. */
static bool is_guarded_read(cflri_walk *w, uint32_t e, cflri_node **guard, bool *argument) {
    cflri_versions *v = &w->versions;
    uint32_t local = v->histories.n == 0 ? CFLRI_NO_LOCAL : cflri_local_at(w, e);
    if (local == CFLRI_NO_LOCAL || cflri_version_is_tested(w, e)) return false;
    uint32_t version = v->at.at[e], block = v->where.at[e];
    if (version == UINT32_MAX || version == 0 || block == CFLRI_NO_BLOCK) return false;
    version = cflri_version_found(v, version);
    if (version == 0 || v->histories.at[local].loose || !have_guards(w)) return false;
    uint32_t first = before_tests(w, version);
    const cflri_version *made = &v->all.at[first];
    *argument = v->histories.at[local].argument == first;
    bool written = made->e != CFLRI_NO_CHILD;
    bool optional = written ? w->tree.nodes.at[made->e].nulled >= CFLRI_NULLED_CHOICE
                            : v->guards.meets.at[first];
    *guard = &v->all.at[version].guard;
    return (*argument || optional) && is_guarded(w, *argument ? 0 : made->block, block) &&
           !is_behind_null(w, version, block);
}

/* The same of a local that others may write to, as one that a call was given the address of. */
static bool is_guarded_variable(cflri_walk *w, uint32_t e, bool *told) {
    const cflri_tested *t = &w->tested;
    uint32_t number = cflri_referenced_decl(w, e);
    bool taken = false;
    if (number == CFLRI_NO_NUMBER || w->names.decls.at[number].local != CFLRI_NO_LOCAL ||
        !cflri_local_is_scalar(w, number) || w->versions.control.steps.n == 0)
        return false;
    for (size_t i = 0; i < t->taken.n; i++) taken |= t->taken.at[i].decl == number;
    return taken && have_guards(w) && is_guarded_output(w, number, e, told);
}

static cflri_node guard_node(cflri_walk *w, uint32_t e, const char *what,
                             const cflri_value *value) {
    char text[CFLRI_SPELLING_SIZE], name[CFLRI_SPELLING_SIZE + 24];
    cflri_spell(w, e, text);
    snprintf(name, sizeof name, "[%s %s]", what, text);
    const cflri_node_record record = {.kind = CFLR_VERTEX_TEMPORARY,
                                      .carrier = CFLRI_CARRIES_POINTER,
                                      .name = cflri_facts_string(w->facts, name),
                                      .type = cflri_type_text(&w->names, cflri_expr_type(w, e))};
    cflri_node guard =
        cflri_site_node(&w->names, cflri_tree_cursor(&w->tree, e), "!guarded", &record);
    cflri_flow_value(w, &cflri_plain_flow, value, guard);
    return guard;
}

cflri_value cflri_guarded_value(cflri_walk *w, uint32_t e, const cflri_value *value) {
    cflri_node *guard;
    bool argument, told = true;
    if (!w->facts->chosen.data_flow || value->n == 0 ||
        cflri_tree_kind(&w->tree, e) != CXCursor_DeclRefExpr ||
        cflri_expr_class(w, e) != CFLRI_TYPE_POINTER ||
        w->tree.nodes.at[e].tested != CFLRI_SHOWN_NOTHING)
        return *value;
    if (is_guarded_variable(w, e, &told))
        return cflri_one_value(guard_node(w, e, told ? "guarded output" : "guarded", value));
    if (!is_guarded_read(w, e, &guard, &argument)) return *value;
    if (*guard == CFLRI_NO_NODE)
        *guard = guard_node(w, e, argument ? "guarded argument" : "guarded", value);
    return cflri_one_value(*guard);
}

void cflri_guards_free(cflr_context *context, cflri_guards *guards) {
    cflri_vec_free(context, &guards->number);
    cflri_vec_free(context, &guards->behind);
    cflri_vec_free(context, &guards->block);
    cflri_vec_free(context, &guards->open);
    cflri_vec_free(context, &guards->meets);
    cflri_vec_free(context, &guards->sites);
}
