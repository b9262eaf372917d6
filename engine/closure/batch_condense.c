/* SPDX-License-Identifier: Apache-2.0
 *
 * batch_condense.c: the order of a loop, and the merging of its nodes.
 *
 * What flows into what is a graph: COPY and EDGE say it from the beginning, flows say it as they are
 * found. Nodes on a cycle of it contain each other, so they end with equal rows, whatever else is found:
 *
 *     A(4) --> E(7) --> A(9) --> A(2)          {A(4) E(7) A(9)} --> A(2)
 *       ^                 |
 *       '------ M(9,4) ---'
 *
 * So the strongly connected components of the graph become one node each. Without cycles, a
 * component's place in topological order is its rank: when a node is worked off, all that flows into it in
 * this wave has come. Members keep what they do by themselves: edges are met, and ids are looked at, for
 * each.
 *
 * Members had different rows before. Each of them catches up: what the common row has more is looked at for
 * that member.
 *
 * O(static edges of known nodes + flows). The loop calls it when as many flows are new as there were edges
 * the last time, so that all calls together cost no more than twice the last.
 *
 * Online cycle elimination, as solvers of inclusion constraints have it (Faehndrich et al., PLDI 1998;
 * Hardekopf and Lin, PLDI 2007), on rows of any grammar.
 */
#include <string.h>

#include "base/components.h"
#include "base/context.h"
#include "engine/closure/batch_loop.h"

#define NONE CFLRI_NONE

/* A member of a merged component that had a row of its own. */
typedef struct behind {
    uint32_t member;
    cflri_set_number before;
} behind;

typedef struct condensing {
    cflri_loop *l;
    /* known leaders, by their place in l->known */
    CFLRI_VEC(uint64_t) begin; /* of what each flows into */
    cflri_numbers target;
    uint32_t *component;
    uint32_t n_components;
    uint32_t *leader, *size; /* of each component */
    uint32_t *seen;          /* by rank: the last node that flows there, and one more */
    CFLRI_VEC(behind) behind;
    CFLRI_VEC(cflri_flow) flow; /* the flows that are left */
} condensing;

static bool refused(condensing *c) {
    return cflri_batch_refused(c->l->b);
}

/* ---- the graph ---- */

/* While the graph is written, a node's rank is its place in l->known, and one more. */
static void forget_members(cflri_loop *l) {
    size_t kept = 0;
    for (size_t i = 0; i < l->known.n; i++) {
        uint32_t node = l->known.at[i];
        if (l->node.at[node].leader != node) continue;
        l->known.at[kept++] = node;
        l->node.at[node].rank = (uint32_t)kept;
    }
    l->known.n = kept;
}

static bool flows_into(condensing *c, uint32_t leader) {
    cflri_loop *l = c->l;
    cflri_looped *node = &l->node.at[leader];
    if (!node->rank) {
        if (!cflri_loop_know(l, leader)) return false;
        node->rank = (uint32_t)l->known.n;
    }
    return cflri_vec_push(l->b->context, &c->target, node->rank - 1) || refused(c);
}

static bool flows_into_row(condensing *c, uint32_t family, uint32_t vertex) {
    uint32_t node;
    return cflri_loop_node(c->l, family, vertex, &node) && flows_into(c, node);
}

static bool flows_ahead(cflri_batch *b, void *what, const cflri_equation *e,
                        cflri_port_range ports) {
    (void)b;
    for (uint32_t p = 0; p < ports.n; p++) {
        if (!flows_into_row(what, e->left, ports.at[p].vertex)) return false;
    }
    return true;
}

static bool write_member(condensing *c, uint32_t member) {
    cflri_batch *b = c->l->b;
    uint32_t node = cflri_batch_there(b, member), family = cflri_batch_family(b, node);
    if (cflri_is_hub(b, family)) return true;
    uint32_t vertex = cflri_batch_vertex(b, node);
    const cflri_readers *r = &b->readers[family];
    cflri_port_meeting edges = {r->edge.at, r->edge.n, false, vertex, flows_ahead, c};
    for (size_t i = 0; i < r->copy.n; i++) {
        uint32_t left = cflri_batch_equation(b, r->copy.at[i])->left;
        if (!flows_into_row(c, left, vertex)) return false;
    }
    return cflri_batch_meet(b, &edges);
}

static bool write_node(condensing *c, uint32_t leader) {
    cflri_loop *l = c->l;
    uint32_t member = leader;
    size_t before = c->target.n;
    if (!cflri_vec_push(l->b->context, &c->begin, c->target.n)) return refused(c);
    do {
        if (!write_member(c, member)) return false;
        member = l->node.at[member].next;
    } while (member != leader);
    for (uint32_t f = l->node.at[leader].flows; f != NONE; f = l->flow.at[f].next) {
        if (!flows_into(c, cflri_loop_leader(l, l->flow.at[f].to))) return false;
    }
    return cflri_batch_worked(l->b, 1 + c->target.n - before);
}

/* Nodes that are met on the way are known from then on. */
static bool write_graph(condensing *c) {
    cflri_loop *l = c->l;
    for (size_t i = 0; i < l->known.n; i++) {
        if (!write_node(c, l->known.at[i])) return false;
    }
    return cflri_vec_push(l->b->context, &c->begin, c->target.n) || refused(c);
}

/* ---- merging ---- */

/* Every node stays alone: components of one, in the order of the others. */
static bool tell_apart(condensing *c) {
    cflr_context *context = c->l->b->context;
    uint32_t n = (uint32_t)c->l->known.n;
    uint32_t *next = cflri_alloc_array_zero(context, (size_t)c->n_components + 2, sizeof *next);
    if (!next) return refused(c);
    for (uint32_t i = 0; i < n; i++) next[c->component[i] + 1]++;
    for (uint32_t i = 0; i < c->n_components; i++) next[i + 1] += next[i];
    for (uint32_t i = 0; i < n; i++) c->component[i] = next[c->component[i]]++;
    c->n_components = n;
    cflri_free(context, next);
    return true;
}

static bool find_components(condensing *c) {
    cflr_context *context = c->l->b->context;
    uint32_t n = (uint32_t)c->l->known.n;
    c->component = cflri_alloc_array(context, (size_t)n + 1, sizeof *c->component);
    if (!c->component) return refused(c);
    const cflri_successors graph = {n, c->begin.at, c->target.at};
    if (cflri_components(context, &graph, c->component, &c->n_components, NULL) != CFLR_OK) {
        return refused(c);
    }
    if (!(context->techniques & CFLR_TECHNIQUE_CONDENSE) && !tell_apart(c)) return false;
    c->leader = cflri_alloc_array(context, (size_t)c->n_components + 1, sizeof *c->leader);
    c->size = cflri_alloc_array_zero(context, (size_t)c->n_components + 1, sizeof *c->size);
    c->seen = cflri_alloc_array_zero(context, (size_t)c->n_components + 1, sizeof *c->seen);
    if (!c->leader || !c->size || !c->seen) return refused(c);
    memset(c->leader, 0xff, c->n_components * sizeof *c->leader);
    return true;
}

/* Its members may have less than their row is going to be. */
static bool note_behind(condensing *c, uint32_t leader) {
    cflri_loop *l = c->l;
    uint32_t member = leader;
    do {
        behind made = {member, l->node.at[leader].value};
        if (!cflri_vec_push(l->b->context, &c->behind, made)) return refused(c);
        member = l->node.at[member].next;
    } while (member != leader);
    return true;
}

/* `other` is led by `leader` from now on, which waits with all that the other has and waits with. */
static bool merge(condensing *c, uint32_t leader, uint32_t other) {
    cflri_loop *l = c->l;
    cflri_set_number all = cflri_loop_take(l, other);
    if (all == CFLRI_NO_SET) return refused(c);
    if (!cflri_loop_wait(l, leader, all)) return false;
    cflri_looped *x = &l->node.at[leader], *y = &l->node.at[other];
    uint32_t next = x->next;
    x->next = y->next;
    y->next = next;
    y->leader = leader;
    y->value = CFLRI_EMPTY_SET;
    return true;
}

/* Those of each component that has several. Ranks are final from here on. */
static bool merge_all(condensing *c) {
    cflri_loop *l = c->l;
    for (size_t i = 0; i < l->known.n; i++) c->size[c->component[i]]++;
    for (size_t i = 0; i < l->known.n; i++) {
        uint32_t node = l->known.at[i], component = c->component[i];
        l->node.at[node].rank = c->n_components - component;
        if (c->size[component] > 1 && !note_behind(c, node)) return false;
        if (c->leader[component] == NONE) {
            c->leader[component] = node;
        } else if (!merge(c, c->leader[component], node)) {
            return false;
        }
    }
    return true;
}

/* The flows of one member become those of its leader: to leaders, each once. */
static bool keep_member(condensing *c, uint32_t leader, uint32_t member, uint32_t *first) {
    cflri_loop *l = c->l;
    for (uint32_t f = l->node.at[member].flows; f != NONE; f = l->flow.at[f].next) {
        uint32_t to = cflri_loop_leader(l, l->flow.at[f].to);
        uint32_t *last = &c->seen[l->node.at[to].rank];
        if (to == leader || *last == leader + 1) continue;
        *last = leader + 1;
        cflri_flow kept = {to, *first};
        *first = (uint32_t)c->flow.n;
        if (!cflri_vec_push(l->b->context, &c->flow, kept)) return refused(c);
    }
    l->node.at[member].flows = NONE;
    return true;
}

/* All flows move; those of one node stand side by side afterwards. */
static bool keep_flows(condensing *c) {
    cflri_loop *l = c->l;
    for (uint32_t i = 0; i < c->n_components; i++) {
        uint32_t leader = c->leader[i], member = leader, first = NONE;
        do {
            if (!keep_member(c, leader, member, &first)) return false;
            member = l->node.at[member].next;
        } while (member != leader);
        l->node.at[leader].flows = first;
    }
    cflri_vec_free(l->b->context, &l->flow);
    memcpy(&l->flow, &c->flow, sizeof l->flow);
    memset(&c->flow, 0, sizeof c->flow);
    return true;
}

/* ---- what follows ---- */

static bool queue_anew(condensing *c) {
    cflri_loop *l = c->l;
    l->heap.n = 0;
    l->ordered = true;
    for (uint32_t i = 0; i < c->n_components; i++) {
        uint32_t node = c->leader[i];
        if (l->node.at[node].waits == NONE) continue;
        if (!cflri_loop_queue(l, node)) return false;
    }
    return true;
}

/* Merged nodes get their common row at once, since their members had different ones. */
static bool settle(condensing *c) {
    cflri_loop *l = c->l;
    for (uint32_t i = 0; i < c->n_components; i++) {
        uint32_t node = c->leader[i];
        if (c->size[i] < 2) continue;
        cflri_set_number whole = cflri_loop_take(l, node);
        if (whole == CFLRI_NO_SET) return refused(c);
        l->node.at[node].value = whole;
        if (!cflri_loop_flow(l, node, whole)) return false;
    }
    return true;
}

static bool catch_up(condensing *c) {
    cflri_loop *l = c->l;
    for (size_t i = 0; i < c->behind.n; i++) {
        behind member = c->behind.at[i];
        cflri_set_number whole = l->node.at[cflri_loop_leader(l, member.member)].value;
        if (whole == member.before) continue;
        if (!cflri_loop_grown(l, member.member, whole, member.before)) return false;
    }
    return true;
}

bool cflri_loop_condense(cflri_loop *l) {
    cflr_context *context = l->b->context;
    condensing c = {.l = l};
    l->ordered = false;
    forget_members(l);
    bool done = write_graph(&c) && find_components(&c) && merge_all(&c) && keep_flows(&c) &&
                queue_anew(&c) && settle(&c) && catch_up(&c);
    l->condense_at = l->flow.n + c.target.n;
    cflri_vec_free(context, &c.begin);
    cflri_vec_free(context, &c.target);
    cflri_vec_free(context, &c.behind);
    cflri_vec_free(context, &c.flow);
    cflri_free(context, c.component);
    cflri_free(context, c.size);
    cflri_free(context, c.seen);
    cflri_free(context, c.leader);
    return done;
}
