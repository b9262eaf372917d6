/* SPDX-License-Identifier: Apache-2.0
 *
 * automaton.c: from a ground grammar to automata of words.
 *
 * Symbols are put into components of those that need each other. In a component where each rule
 * reads at most one symbol of it, and all of them at the left or all at the right, that symbol is
 * no step of its own:
 *
 *     left      A ::= B x     end of B --x--> end of A
 *     right     A ::= x B     begin of A --x--> begin of B
 *
 * This is how strongly regular grammars become automata (Nederhof 2000). A component that is not
 * of this kind has one of its symbols called, which takes away what others need of it, until all
 * are. The symbols that answer questions come first, so that calls are what a reader knows.
 *
 * A filter keeps a pair or not, so both of its ends must be known. A filtered symbol that recurs is
 * therefore called, whatever its component is like, and what is left of it is a loop of its own.
 * One that does not recur is called as well, but no deeper: it rests on others only.
 *
 * A frame is a symbol of a component where it is read from outside of it. Its nodes are begins,
 * ends and middles of rules, the same for all frames of a symbol. In a loop at the left all
 * begins are one, which is that of the frame's symbol, and only the end of that symbol leads out;
 * and so the other way round. A frame that is read backwards is walked from its end to its begin.
 * Frames are numbered as searches come to them: there are finitely many of each depth.
 *
 * A rule with an index has an instance for each that the graph knows. So the arcs of a node are
 * found from the edges of a vertex: those that begin with few edges, and with nothing else, are
 * listed by these.
 */
#include "engine/derivations/automaton.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/components.h"
#include "base/context.h"

enum { GUARD_DEPTH = 3 };

/* ---- symbols ---- */

cflri_word_reading cflri_automaton_reading(const cflri_ground *ground, uint32_t symbol) {
    bool back = false;
    for (; ground->symbol[symbol].converse_of != CFLRI_NO_SYMBOL; back = !back)
        symbol = ground->symbol[symbol].converse_of;
    return 2 * symbol + back;
}

static bool has_edges(const cflri_automaton *s, uint32_t symbol) {
    return s->ground->symbol[symbol].label != CFLR_NO_LABEL;
}

static bool has_rules(const cflri_automaton *s, uint32_t symbol) {
    return cflri_ground_has_rules(s->ground, symbol) || s->epsilon[symbol];
}

static uint32_t length_of(const cflri_ground_rule *rule) {
    return rule->right[1] == CFLRI_NO_SYMBOL ? 1 : 2;
}

static cflri_word_reading read_at(const cflri_automaton *s, uint32_t rule, uint32_t position) {
    return cflri_automaton_reading(s->ground, s->ground->rule[rule].right[position]);
}

static uint32_t component_of(const cflri_automaton *s, uint32_t symbol) {
    return s->component[symbol];
}

static cflri_word_loop loop_of(const cflri_automaton *s, uint32_t symbol) {
    return s->loop[component_of(s, symbol)];
}

/* Does the component come back here, where its loops do? */
static bool is_loop(const cflri_automaton *s, uint32_t rule, uint32_t position) {
    const cflri_ground_rule *r = &s->ground->rule[rule];
    cflri_word_reading reading = read_at(s, rule, position);
    cflri_word_loop loop = loop_of(s, r->left);
    if (reading & 1 || component_of(s, reading / 2) != component_of(s, r->left)) return false;
    if (loop == CFLRI_LOOP_LEFT) return position == 0;
    return loop == CFLRI_LOOP_RIGHT && position == length_of(r) - 1;
}

/* ---- components ---- */

/* Does the rule, by this symbol on its right side, need what the component of that has? A call
 * needs nothing. */
static bool needs(const cflri_automaton *s, uint32_t left, uint32_t read) {
    return has_rules(s, read) && (!s->called[read] || left == read);
}

static cflr_status find_components(cflri_automaton *s, uint32_t *count, cflr_error *error) {
    const cflri_ground *ground = s->ground;
    uint64_t *start =
        cflri_alloc_array_zero(s->context, (size_t)ground->n_symbols + 2, sizeof *start);
    uint32_t *target =
        cflri_alloc_array(s->context, 2 * (size_t)ground->n_rules + 1, sizeof *target);
    cflr_status st = CFLR_OK;
    uint64_t n = 0;
    if (!start || !target) {
        st = cflri_fail_memory(s->context, error);
        goto out;
    }
    for (uint32_t left = 0; left < ground->n_symbols; left++) {
        bool converse = ground->symbol[left].converse_of != CFLRI_NO_SYMBOL;
        start[left] = n;
        for (uint32_t r = s->ground->first_rule[left];
             r < s->ground->first_rule[left + 1] && !converse; r++)
            for (uint32_t i = 0; i < length_of(&ground->rule[r]); i++) {
                uint32_t read = read_at(s, r, i) / 2;
                if (needs(s, left, read)) target[n++] = read;
            }
    }
    start[ground->n_symbols] = n;
    const cflri_successors successors = {ground->n_symbols, start, target, NULL};
    CFLR_TRY(cflri_components(s->context, &successors, s->component, count, error));
out:
    cflri_free(s->context, start);
    cflri_free(s->context, target);
    return st;
}

/* member_start holds one component a symbol at most. */
static void list_members(cflri_automaton *s, uint32_t count) {
    uint32_t n = s->ground->n_symbols, *start = s->member_start;
    memset(start, 0, ((size_t)count + 2) * sizeof *start);
    for (uint32_t x = 0; x < n; x++) start[s->component[x] + 2]++;
    for (uint32_t c = 0; c <= count; c++) start[c + 1] += start[c];
    for (uint32_t x = 0; x < n; x++) s->member[start[s->component[x] + 1]++] = x;
}

typedef struct recursion {
    bool left, right, alone, middle; /* where symbols of the component are read, in its rules */
} recursion;

static recursion look_at_rules(const cflri_automaton *s, uint32_t symbol) {
    recursion found = {0};
    if (s->ground->symbol[symbol].converse_of != CFLRI_NO_SYMBOL) return found;
    for (uint32_t r = s->ground->first_rule[symbol]; r < s->ground->first_rule[symbol + 1]; r++) {
        uint32_t n = length_of(&s->ground->rule[r]);
        uint32_t inside = 0;
        for (uint32_t i = 0; i < n; i++) {
            cflri_word_reading reading = read_at(s, r, i);
            bool same = component_of(s, reading / 2) == component_of(s, symbol);
            if (!same || !needs(s, symbol, reading / 2)) continue;
            inside++;
            if (reading & 1) found.middle = true;
            if (n == 1) found.alone = true;
            if (n == 2 && i == 0) found.left = true;
            if (n == 2 && i == 1) found.right = true;
        }
        if (inside > 1) found.middle = true;
    }
    return found;
}

/* The component's loop; false: it is neither at the left nor at the right. */
static bool find_loop(cflri_automaton *s, uint32_t component) {
    recursion all = {0};
    uint32_t from = s->member_start[component], to = s->member_start[component + 1];
    for (uint32_t i = from; i < to; i++) {
        recursion one = look_at_rules(s, s->member[i]);
        all.left |= one.left;
        all.right |= one.right;
        all.alone |= one.alone;
        all.middle |= one.middle;
    }
    /* a rule A ::= B alone comes back at either end */
    bool loops = all.right || all.alone;
    s->loop[component] = all.left ? CFLRI_LOOP_LEFT : loops ? CFLRI_LOOP_RIGHT : CFLRI_LOOP_NONE;
    bool alone = to - from == 1 && s->called[s->member[from]];
    return alone || !(all.middle || (all.left && all.right));
}

static bool answers(const cflri_ground *ground, uint32_t symbol) {
    const cflr_grammar *grammar = ground->grammar;
    uint32_t of = ground->symbol[symbol].symbol;
    bool found = of == grammar->start;
    for (size_t i = 0; i < grammar->answers.n; i++) found |= grammar->answers.at[i].symbol == of;
    return found;
}

static bool is_filtered(const cflri_ground *ground, uint32_t symbol) {
    return cflri_grammar_filter(ground->grammar, ground->symbol[symbol].symbol) != NULL;
}

/* How good it is to call the symbol; 0: it cannot be. */
static int worth_calling(const cflri_automaton *s, const bool *held, uint32_t symbol) {
    const cflri_ground *ground = s->ground;
    bool auxiliary = ground->grammar->symbol[ground->symbol[symbol].symbol].kind == CFLRI_AUXILIARY;
    if (s->called[symbol]) return 0;
    return 1 + !auxiliary * (1 + 2 * is_filtered(ground, symbol) + 4 * held[symbol] +
                             8 * answers(ground, symbol));
}

/* With all its indexes. */
static void call_symbol(cflri_automaton *s, uint32_t symbol) {
    uint32_t of = s->ground->symbol[symbol].symbol;
    while (symbol > 0 && s->ground->symbol[symbol - 1].symbol == of) symbol--;
    for (; symbol < s->ground->n_symbols && s->ground->symbol[symbol].symbol == of; symbol++)
        s->called[symbol] = s->deeper[symbol] = true;
}

static void call_one(cflri_automaton *s, const bool *held, uint32_t component) {
    uint32_t from = s->member_start[component], chosen = s->member[from];
    for (uint32_t i = from; i < s->member_start[component + 1]; i++)
        if (worth_calling(s, held, s->member[i]) > worth_calling(s, held, chosen))
            chosen = s->member[i];
    call_symbol(s, chosen);
}

/* Calls what is filtered and recurs; false when there is no such symbol. */
static bool call_filtered(cflri_automaton *s) {
    bool any = false;
    for (uint32_t x = 0; x < s->ground->n_symbols; x++) {
        if (s->called[x] || !is_filtered(s->ground, x) || loop_of(s, x) == CFLRI_LOOP_NONE)
            continue;
        call_symbol(s, x);
        any = true;
    }
    return any;
}

/* Calls symbols until each component is of one kind, and filtered ones are alone in theirs. */
static cflr_status choose_calls(cflri_automaton *s, const bool *held, cflr_error *error) {
    cflr_status st = CFLR_OK;
    for (bool changed = true; changed;) {
        uint32_t count;
        changed = false;
        CFLR_TRY(find_components(s, &count, error));
        list_members(s, count);
        for (uint32_t c = 0; c < count; c++) {
            if (find_loop(s, c)) continue;
            call_one(s, held, c);
            changed = true;
        }
        if (!changed) changed = call_filtered(s);
    }
    for (uint32_t x = 0; x < s->ground->n_symbols; x++) s->called[x] |= is_filtered(s->ground, x);
out:
    return st;
}

/* ---- guards ---- */

static bool add_guard(cflri_word_guards *g, cflri_direction side, uint32_t symbol) {
    for (uint8_t i = 0; i < g->n; i++)
        if (g->side[i] == side && g->symbol[i] == symbol) return true;
    if (g->n == CFLRI_MOST_GUARDS) return false;
    g->side[g->n] = side;
    g->symbol[g->n++] = symbol;
    return true;
}

static cflri_word_guards *guards_of(cflri_automaton *s, cflri_word_reading reading, bool right,
                                    int depth);

/* Adds those of the symbol; false when it may begin otherwise. Depth is bounded. */
static bool collect_guards(cflri_automaton *s, uint32_t symbol, bool right, int depth,
                           cflri_word_guards *made) {
    uint32_t from = s->ground->first_rule[symbol], to = s->ground->first_rule[symbol + 1];
    if (has_edges(s, symbol) && !add_guard(made, right ? CFLRI_OUT : CFLRI_IN, symbol))
        return false;
    if (to - from > CFLRI_MOST_GUARDS) return false;
    for (uint32_t r = from; r < to; r++) {
        cflri_word_reading first = read_at(s, r, right ? 0 : length_of(&s->ground->rule[r]) - 1);
        if (first / 2 == symbol && !(first & 1)) continue; /* it begins as this symbol does */
        const cflri_word_guards *more = depth > 0 ? guards_of(s, first, right, depth - 1) : NULL;
        if (!more || more->n == 0) return false;
        for (uint8_t i = 0; i < more->n; i++)
            if (!add_guard(made, more->side[i], more->symbol[i])) return false;
    }
    return true;
}

/* Those of a reading, when the word around it is walked to the right or to the left. */
static cflri_word_guards *guards_of(cflri_automaton *s, cflri_word_reading reading, bool right,
                                    int depth) {
    uint32_t symbol = reading / 2;
    bool inner = right != (bool)(reading & 1);
    cflri_word_guards *g = &s->guards[2 * symbol + inner], made = {.made = true};
    bool empty = s->nullable[symbol];
    if (g->made) return g;
    if (empty || !collect_guards(s, symbol, inner, depth, &made)) made.n = 0;
    /* what was cut by depth may be found from nearer by */
    if (made.n || empty || depth == GUARD_DEPTH) *g = made;
    return made.n ? g : NULL;
}

/* ---- making ---- */

static bool make_arrays(cflri_automaton *s) {
    cflr_context *context = s->context;
    size_t n = (size_t)s->ground->n_symbols + 2;
    s->nullable = cflri_alloc_array_zero(context, n, sizeof *s->nullable);
    s->epsilon = cflri_alloc_array_zero(context, n, sizeof *s->epsilon);
    s->called = cflri_alloc_array_zero(context, n, sizeof *s->called);
    s->deeper = cflri_alloc_array_zero(context, n, sizeof *s->deeper);
    s->component = cflri_alloc_array_zero(context, n, sizeof *s->component);
    s->loop = cflri_alloc_array_zero(context, n, sizeof *s->loop);
    s->member_start = cflri_alloc_array_zero(context, n + 1, sizeof *s->member_start);
    s->member = cflri_alloc_array_zero(context, n, sizeof *s->member);
    s->guards = cflri_alloc_array_zero(context, 2 * n, sizeof *s->guards);
    return s->nullable && s->epsilon && s->called && s->deeper && s->component && s->loop &&
           s->member_start && s->member && s->guards;
}

cflr_status cflri_automaton_make(const cflri_ground *ground, const bool *held,
                                 cflri_automaton *automaton, cflr_error *error) {
    *automaton = (cflri_automaton){.context = ground->context, .ground = ground};
    cflri_arena_init(&automaton->arena, ground->context);
    if (!make_arrays(automaton) || !cflri_ground_find_nullable(ground, automaton->nullable))
        return cflri_fail_memory(ground->context, error);
    for (uint32_t e = 0; e < ground->n_epsilon; e++) automaton->epsilon[ground->epsilon[e]] = true;
    return choose_calls(automaton, held, error);
}

void cflri_automaton_free(cflri_automaton *s) {
    cflr_context *context = s->context;
    if (!context) return;
    cflri_arena_reset(&s->arena);
    cflri_free(context, s->nullable);
    cflri_free(context, s->epsilon);
    cflri_free(context, s->called);
    cflri_free(context, s->deeper);
    cflri_free(context, s->component);
    cflri_free(context, s->loop);
    cflri_free(context, s->member_start);
    cflri_free(context, s->member);
    cflri_free(context, s->guards);
    cflri_vec_free(context, &s->node);
    cflri_vec_free(context, &s->frame);
    cflri_seen_free(context, &s->nodes);
    cflri_seen_free(context, &s->frames);
    *s = (cflri_automaton){0};
}

/* ---- nodes ---- */

/* In a loop at the left all begins are that of the frame's symbol; at the right all ends. */
static uint32_t representative(const cflri_automaton *s, uint32_t symbol, cflri_word_node_kind kind,
                               uint32_t of) {
    cflri_word_loop loop = loop_of(s, symbol);
    bool one = (kind == CFLRI_NODE_BEGIN && loop == CFLRI_LOOP_LEFT) ||
               (kind == CFLRI_NODE_END && loop == CFLRI_LOOP_RIGHT);
    return one ? symbol : of;
}

uint32_t cflri_automaton_node_at(cflri_automaton *s, uint32_t symbol, cflri_word_node_kind kind,
                                 uint32_t of) {
    of = representative(s, symbol, kind, of);
    uint32_t hash = (uint32_t)(cflri_seen_mix(cflri_seen_mix(0, symbol, kind), of, 0) >> 32), i;
    for (size_t at = cflri_seen_first(&s->nodes, hash);
         (i = cflri_seen_next(&s->nodes, hash, &at)) != CFLRI_NOT_SEEN;) {
        const cflri_automaton_node *node = &s->node.at[i];
        if (node->symbol == symbol && node->kind == kind && node->of == of) return i;
    }
    uint32_t number = (uint32_t)s->node.n;
    const cflri_automaton_node made = {.kind = kind, .symbol = symbol, .of = of};
    if (!cflri_vec_push(s->context, &s->node, made) ||
        !cflri_seen_add(s->context, &s->nodes, hash, number))
        return CFLRI_NO_NODE;
    return number;
}

/* The nodes on both sides of what a rule reads there, in frames of a symbol. */
static uint32_t node_before(cflri_automaton *s, uint32_t symbol, uint32_t rule, uint32_t position) {
    const cflri_ground_rule *r = &s->ground->rule[rule];
    if (position == 0) return cflri_automaton_node_at(s, symbol, CFLRI_NODE_BEGIN, r->left);
    if (is_loop(s, rule, 0)) return cflri_automaton_node_at(s, symbol, CFLRI_NODE_END, r->right[0]);
    return cflri_automaton_node_at(s, symbol, CFLRI_NODE_MIDDLE, rule);
}

static uint32_t node_after(cflri_automaton *s, uint32_t symbol, uint32_t rule, uint32_t position) {
    const cflri_ground_rule *r = &s->ground->rule[rule];
    if (position == length_of(r) - 1)
        return cflri_automaton_node_at(s, symbol, CFLRI_NODE_END, r->left);
    if (is_loop(s, rule, 1))
        return cflri_automaton_node_at(s, symbol, CFLRI_NODE_BEGIN, r->right[1]);
    return cflri_automaton_node_at(s, symbol, CFLRI_NODE_MIDDLE, rule);
}

/* Behind what the rule reads there, as the walk goes. */
static uint32_t node_behind(cflri_automaton *s, uint32_t symbol, uint32_t rule, uint32_t position,
                            bool right) {
    return right ? node_after(s, symbol, rule, position) : node_before(s, symbol, rule, position);
}

/* ---- frames ---- */

static uint32_t frame_of(cflri_automaton *s, cflri_stack_frame made) {
    uint64_t hashed =
        cflri_seen_mix(cflri_seen_mix(0, made.parent, made.symbol), made.rule, made.position);
    uint32_t hash = (uint32_t)(hashed >> 32), i;
    for (size_t at = cflri_seen_first(&s->frames, hash);
         (i = cflri_seen_next(&s->frames, hash, &at)) != CFLRI_NOT_SEEN;) {
        const cflri_stack_frame *have = &s->frame.at[i];
        if (have->parent == made.parent && have->symbol == made.symbol && have->rule == made.rule &&
            have->position == made.position)
            return i;
    }
    uint32_t number = (uint32_t)s->frame.n;
    if (number == CFLRI_NO_FRAME || !cflri_vec_push(s->context, &s->frame, made) ||
        !cflri_seen_add(s->context, &s->frames, hash, number))
        return CFLRI_NO_FRAME;
    return number;
}

void cflri_automaton_forget_frames(cflri_automaton *s) {
    cflri_seen_free(s->context, &s->frames);
    s->frame.n = 0;
}

uint32_t cflri_automaton_word(cflri_automaton *s, uint32_t symbol) {
    return frame_of(s, (cflri_stack_frame){.symbol = symbol, .parent = CFLRI_NO_FRAME});
}

uint32_t cflri_automaton_behind(cflri_automaton *s, uint32_t frame, const cflri_arc *arc,
                                bool right) {
    return node_behind(s, s->frame.at[frame].symbol, arc->rule, arc->position, right);
}

uint32_t cflri_automaton_enter(cflri_automaton *s, uint32_t frame, const cflri_arc *arc,
                               bool forward, uint32_t *node) {
    const cflri_stack_frame outer = s->frame.at[frame];
    uint32_t symbol = arc->reading / 2;
    const cflri_stack_frame made = {.symbol = symbol,
                                    .parent = frame,
                                    .rule = arc->rule,
                                    .position = arc->position,
                                    .depth = outer.depth + s->called[symbol],
                                    .back = outer.back != (bool)(arc->reading & 1)};
    uint32_t inner = frame_of(s, made);
    *node = cflri_automaton_node_at(
        s, symbol, forward != made.back ? CFLRI_NODE_BEGIN : CFLRI_NODE_END, symbol);
    return *node == CFLRI_NO_NODE ? CFLRI_NO_FRAME : inner;
}

uint32_t cflri_automaton_leave(cflri_automaton *s, uint32_t frame, bool forward, uint32_t *node) {
    const cflri_stack_frame inner = s->frame.at[frame];
    *node = node_behind(s, s->frame.at[inner.parent].symbol, inner.rule, inner.position,
                        cflri_automaton_right(s, inner.parent, forward));
    return *node == CFLRI_NO_NODE ? CFLRI_NO_FRAME : inner.parent;
}

/* ---- arcs ---- */

/* The arcs of one node while they are found. */
typedef struct finding {
    cflri_automaton *automaton;
    uint32_t symbol; /* of the frame */
    bool right;
    CFLRI_VEC(cflri_arc) arcs;
    CFLRI_VEC(cflri_arc_port) ports;
    bool failed;
} finding;

static void add_arc(finding *f, cflri_arc arc) {
    bool needs_node = arc.use == CFLRI_ARC_PASS || arc.use == CFLRI_ARC_EDGE;
    if (needs_node && arc.to == CFLRI_NO_NODE) f->failed = true;
    if (!cflri_vec_push(f->automaton->context, &f->arcs, arc)) f->failed = true;
}

/* As the walk goes: begin and end of a symbol. */
static uint32_t near_node(const finding *f, uint32_t symbol) {
    cflri_word_node_kind kind = f->right ? CFLRI_NODE_BEGIN : CFLRI_NODE_END;
    return cflri_automaton_node_at(f->automaton, f->symbol, kind, symbol);
}

static uint32_t far_node(const finding *f, uint32_t symbol) {
    cflri_word_node_kind kind = f->right ? CFLRI_NODE_END : CFLRI_NODE_BEGIN;
    return cflri_automaton_node_at(f->automaton, f->symbol, kind, symbol);
}

static void add_pass(finding *f, uint32_t to) {
    add_arc(f, (cflri_arc){.use = CFLRI_ARC_PASS, .to = to});
}

static void add_reading(finding *f, uint32_t rule, uint32_t position) {
    cflri_automaton *s = f->automaton;
    cflri_arc arc = {.reading = read_at(s, rule, position), .rule = rule, .position = position};
    if (has_rules(s, arc.reading / 2)) {
        arc.use = CFLRI_ARC_ENTER;
    } else {
        arc.use = CFLRI_ARC_EDGE;
        arc.to = node_behind(s, f->symbol, rule, position, f->right);
    }
    add_arc(f, arc);
}

/* The rules of a symbol, from its near end on. */
static void add_rules(finding *f, uint32_t symbol) {
    const cflri_automaton *s = f->automaton;
    const cflri_arc edge = {CFLRI_ARC_EDGE, 2 * symbol, far_node(f, symbol), UINT32_MAX, 0};
    cflri_word_loop ahead = f->right ? CFLRI_LOOP_RIGHT : CFLRI_LOOP_LEFT;
    if (s->epsilon[symbol]) add_pass(f, far_node(f, symbol));
    if (has_edges(s, symbol)) add_arc(f, edge);
    for (uint32_t r = s->ground->first_rule[symbol]; r < s->ground->first_rule[symbol + 1]; r++) {
        const cflri_ground_rule *rule = &s->ground->rule[r];
        uint32_t near = f->right ? 0 : length_of(rule) - 1;
        if (!is_loop(s, r, near))
            add_reading(f, r, near);
        else if (length_of(rule) == 1 && loop_of(s, symbol) == ahead)
            add_pass(f, near_node(f, rule->right[0]));
    }
}

static bool loops_near(const finding *f, uint32_t symbol) {
    return loop_of(f->automaton, symbol) == (f->right ? CFLRI_LOOP_LEFT : CFLRI_LOOP_RIGHT);
}

static void add_near(finding *f, uint32_t symbol) {
    const cflri_automaton *s = f->automaton;
    if (!loops_near(f, symbol)) {
        add_rules(f, symbol);
        return;
    }
    uint32_t c = component_of(s, symbol);
    for (uint32_t i = s->member_start[c]; i < s->member_start[c + 1]; i++)
        add_rules(f, s->member[i]);
}

/* The rules that come back by the symbol, which the walk has behind it. */
static void add_loops(finding *f, uint32_t symbol) {
    const cflri_automaton *s = f->automaton;
    const cflri_ground *ground = s->ground;
    const cflri_join_index *binary = f->right ? &ground->by_left : &ground->by_right;
    const cflri_join_index *unary = &ground->by_unary;
    for (uint32_t j = unary->start[symbol]; j < unary->start[symbol + 1]; j++) {
        uint32_t left = unary->join[j].left;
        if (component_of(s, left) == component_of(s, symbol)) add_pass(f, far_node(f, left));
    }
    for (uint32_t j = binary->start[symbol]; j < binary->start[symbol + 1]; j++) {
        uint32_t rule = binary->join[j].rule;
        if (is_loop(s, rule, f->right ? 0 : 1)) add_reading(f, rule, f->right ? 1 : 0);
    }
}

static void find_arcs(finding *f, const cflri_automaton_node *node) {
    bool near = node->kind == (f->right ? CFLRI_NODE_BEGIN : CFLRI_NODE_END);
    if (node->kind == CFLRI_NODE_MIDDLE) {
        add_reading(f, node->of, f->right ? 1 : 0);
    } else if (near) {
        add_near(f, node->of);
    } else {
        if (loops_near(f, node->of)) add_loops(f, node->of);
        if (node->of == f->symbol) add_arc(f, (cflri_arc){.use = CFLRI_ARC_LEAVE});
    }
}

/* ---- lists ---- */

static const cflri_word_guards *guards_of_arc(const finding *f, const cflri_arc *arc) {
    cflri_automaton *s = f->automaton;
    if (arc->use == CFLRI_ARC_ENTER) return guards_of(s, arc->reading, f->right, GUARD_DEPTH);
    if (arc->use != CFLRI_ARC_EDGE) return NULL;
    cflri_word_guards *g =
        &s->guards[2 * s->ground->n_symbols]; /* the edge itself, whatever rules its symbol has */
    *g = (cflri_word_guards){.made = true, .n = 1};
    g->side[0] = !(arc->reading & 1) == f->right ? CFLRI_OUT : CFLRI_IN;
    g->symbol[0] = arc->reading / 2;
    return g;
}

static int compare_ports(const void *a, const void *b) {
    const cflri_arc_port *x = a, *y = b;
    if (x->side != y->side) return x->side < y->side ? -1 : 1;
    if (x->symbol != y->symbol) return x->symbol < y->symbol ? -1 : 1;
    return (x->arc > y->arc) - (x->arc < y->arc);
}

/* Arcs that go on at every vertex come first; the others have ports. */
static uint32_t sort_arcs(finding *f) {
    uint32_t n_free = 0;
    for (uint32_t i = 0; i < f->arcs.n; i++) {
        const cflri_word_guards *g = guards_of_arc(f, &f->arcs.at[i]);
        if (g && g->n) continue;
        cflri_arc other = f->arcs.at[n_free];
        f->arcs.at[n_free++] = f->arcs.at[i];
        f->arcs.at[i] = other;
    }
    for (uint32_t i = n_free; i < f->arcs.n; i++) {
        const cflri_word_guards *g = guards_of_arc(f, &f->arcs.at[i]);
        for (uint8_t k = 0; k < g->n; k++) {
            const cflri_arc_port port = {g->side[k], g->symbol[k], i};
            if (!cflri_vec_push(f->automaton->context, &f->ports, port)) f->failed = true;
        }
    }
    if (f->ports.n) qsort(f->ports.at, f->ports.n, sizeof *f->ports.at, compare_ports);
    return n_free;
}

static uint32_t vertices_with(const cflri_ground *ground, const cflri_arc_port *port) {
    uint32_t label = ground->symbol[port->symbol].label;
    const cflri_relation *by_side =
        port->side == CFLRI_OUT ? ground->graph->out : ground->graph->in;
    return by_side[label].n_rows;
}

static bool keep_list(finding *f, cflri_arc_list *list) {
    cflri_automaton *s = f->automaton;
    list->n_free = sort_arcs(f);
    list->n = (uint32_t)f->arcs.n;
    list->n_ports = (uint32_t)f->ports.n;
    list->arc = cflri_arena_alloc(&s->arena, (f->arcs.n + 1) * sizeof *list->arc);
    list->port = cflri_arena_alloc(&s->arena, (f->ports.n + 1) * sizeof *list->port);
    if (f->failed || !list->arc || !list->port) return false;
    if (f->arcs.n) memcpy(list->arc, f->arcs.at, f->arcs.n * sizeof *list->arc);
    if (f->ports.n) memcpy(list->port, f->ports.at, f->ports.n * sizeof *list->port);
    for (uint32_t i = 0; i < list->n_ports; i++) {
        list->n_out += list->port[i].side == CFLRI_OUT;
        list->kinds |= cflri_port_kind(list->port[i].side, list->port[i].symbol);
        list->exits += vertices_with(s->ground, &list->port[i]);
    }
    list->made = true;
    return true;
}

const cflri_arc_list *cflri_automaton_arcs(cflri_automaton *s, uint32_t node, bool right) {
    const cflri_automaton_node of = s->node.at[node];
    if (of.list[right].made) return &s->node.at[node].list[right];
    finding f = {.automaton = s, .symbol = of.symbol, .right = right};
    cflri_arc_list list = {0};
    find_arcs(&f, &of);
    bool kept = keep_list(&f, &list);
    cflri_vec_free(s->context, &f.arcs);
    cflri_vec_free(s->context, &f.ports);
    if (kept) s->node.at[node].list[right] = list; /* nodes move when others are made */
    return kept ? &s->node.at[node].list[right] : NULL;
}
