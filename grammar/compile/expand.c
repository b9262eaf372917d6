/* SPDX-License-Identifier: Apache-2.0
 *
 * expand.c: rules without operators. An expression becomes a list of choices, each a sequence of
 * symbols; what cannot be written so becomes an auxiliary.
 *
 *     A ::= ~(b c) (d | e)? f*        A ::= ~c ~b %1 | ~c ~b d %1 | ~c ~b e %1
 *                                     %1 ::= eps | %1 f
 *
 * Converse. ~ is pushed down to the symbols: ~(b c) = ~c ~b, ~(b | c) = ~b | ~c, ~(b*) = (~b)*,
 * ~~b = b.
 *
 * Groups and options are multiplied out while a rule gives at most FEW choices: a group as an
 * auxiliary would copy the pairs of its parts, and b? would add a pair for every vertex. Above that
 * the group becomes an auxiliary, so that a rule of n options costs n rules and not 2^n.
 *
 * Repetition is left-linear over whole steps:  s* : %s ::= eps | %s S    s+ : %s ::= S | %s S
 * where S is one symbol, an auxiliary when the step is longer. Thus the long relation is extended
 * by one short relation, which is what semi-naive solvers do best; the alternative %s ::= %s %s
 * would derive every pair once for each of its midpoints. When A ::= s* is all that defines A, A
 * itself takes the place of %s (equal by mu X. f(X,X) = mu X. mu Y. f(Y,X)), unless the author
 * declares with %terminal that graphs hold edges A: those would be extended as well.
 *
 * Index variables. A variable that occurs inside a repeated part only is chosen anew in each round;
 * one that also occurs outside of it is the same in all rounds, and makes the auxiliary indexed. An
 * indexed auxiliary cannot be empty (for which index?), so s* with a shared variable is (s+)?.
 *
 * Choices share their beginnings: a sequence is a chain of cells from its last symbol backwards,
 * in an arena that is emptied after each rule. Work is linear in the output.
 */
#include <assert.h>
#include <string.h>

#include "grammar/compile/compile.h"

enum {
    FEW = 8,              /* choices that a sequence is multiplied out to */
    MOST = 4096,          /* choices where an auxiliary is impossible */
    MOST_CELLS = 1 << 22, /* and symbols of one rule there */
};

typedef struct cell {
    struct cell *previous;
    cflri_item item;
} cell;

typedef struct sequence {
    struct sequence *next;
    cell *last;
    uint32_t n;
} sequence;

typedef struct choices {
    sequence *first, *last;
    uint32_t n;
} choices;

typedef struct expander {
    cflri_compile *compile;
    const cflri_ast_rule *rule;
    uint32_t origin;
    uint64_t cells;
    cflr_error *error;
} expander;

/* How a node is to be read: backwards or not, and which variables also occur around it. */
typedef struct mode {
    bool flip;
    uint64_t outer;
} mode;

static cflr_status no_memory(const expander *x) {
    return cflri_fail_memory(x->compile->context, x->error);
}

static cflr_status refuse(const expander *x, cflri_place place, const char *message) {
    return cflri_fail_at(x->error, CFLR_UNSUPPORTED, x->compile->grammar->subject, place.line,
                         place.column, "%s", message);
}

/* ---- choices ---- */

static void choices_append(choices *list, choices added) {
    if (!added.n) return;
    if (list->last) {
        list->last->next = added.first;
    } else {
        list->first = added.first;
    }
    list->last = added.last;
    list->n += added.n;
}

static cflr_status choices_push(expander *x, choices *list, cell *last, uint32_t n) {
    sequence *made = cflri_arena_alloc(&x->compile->scratch, sizeof *made);
    if (!made) return no_memory(x);
    *made = (sequence){NULL, last, n};
    choices_append(list, (choices){made, made, 1});
    return CFLR_OK;
}

static cflr_status choices_of_item(expander *x, cflri_item item, choices *list) {
    cell *made = cflri_arena_alloc(&x->compile->scratch, sizeof *made);
    if (!made) return no_memory(x);
    *made = (cell){NULL, item};
    x->cells++;
    return choices_push(x, list, made, 1);
}

static bool choices_have_empty(const choices *list) {
    for (const sequence *s = list->first; s; s = s->next) {
        if (!s->n) return true;
    }
    return false;
}

static bool sequence_has(const sequence *s, uint32_t variable) {
    for (const cell *c = s->last; c; c = c->previous) {
        if (c->item.use == CFLRI_INDEX_VARIABLE && c->item.index == variable) return true;
    }
    return false;
}

/* head with the symbols of tail behind it. */
static cflr_status join(expander *x, const cell *head, const sequence *tail, cell **joined) {
    if (!tail->n) {
        *joined = (cell *)head;
        return CFLR_OK;
    }
    cell *made = cflri_arena_alloc(&x->compile->scratch, tail->n * sizeof *made);
    if (!made) return no_memory(x);
    uint32_t i = tail->n;
    for (const cell *c = tail->last; c; c = c->previous) {
        i--;
        made[i] = (cell){i ? &made[i - 1] : (cell *)head, c->item};
    }
    assert(i == 0);
    x->cells += tail->n;
    *joined = &made[tail->n - 1];
    return CFLR_OK;
}

/* heads x tails, in the order of the text. */
static cflr_status multiply(expander *x, choices *heads, const choices *tails) {
    cflr_status st = CFLR_OK;
    assert(heads->n && tails->n);
    if (tails->n == 1) {
        for (sequence *head = heads->first; head; head = head->next) {
            CFLR_TRY(join(x, head->last, tails->first, &head->last));
            head->n += tails->first->n;
        }
        return CFLR_OK;
    }
    choices product = {0};
    for (const sequence *head = heads->first; head; head = head->next) {
        for (const sequence *tail = tails->first; tail; tail = tail->next) {
            cell *joined;
            CFLR_TRY(join(x, head->last, tail, &joined));
            CFLR_TRY(choices_push(x, &product, joined, head->n + tail->n));
        }
    }
    *heads = product;
out:
    return st;
}

/* ---- output ---- */

static cflr_status emit(expander *x, cflri_item left, const sequence *right) {
    if (left.use == CFLRI_INDEX_VARIABLE && !sequence_has(right, left.index)) {
        cflri_place place = {x->compile->origins.at[x->origin].line,
                             x->compile->origins.at[x->origin].column};
        return cflri_fail_at(x->error, CFLR_SYNTAX, x->compile->grammar->subject, place.line,
                             place.column, "index '%.40s' of '%.60s' is not bound on the right",
                             x->rule->variable[left.index],
                             x->compile->symbols.at[left.symbol].name);
    }
    cflri_flat flat = {.left = left, .n = right->n, .origin = x->origin};
    flat.item = cflri_arena_alloc(&x->compile->grammar->arena, right->n * sizeof *flat.item);
    if (!flat.item) return no_memory(x);
    uint32_t i = right->n;
    for (const cell *c = right->last; c; c = c->previous) flat.item[--i] = c->item;
    assert(i == 0);
    if (!cflri_vec_push(x->compile->context, &x->compile->ast->flats, flat)) return no_memory(x);
    return CFLR_OK;
}

static cflr_status emit_items(expander *x, cflri_item left, const cflri_item *item, uint32_t n) {
    assert(n <= 2);
    cell cells[2];
    for (uint32_t i = 0; i < n; i++) cells[i] = (cell){i ? &cells[i - 1] : NULL, item[i]};
    sequence right = {NULL, n ? &cells[n - 1] : NULL, n};
    return emit(x, left, &right);
}

/* ---- auxiliaries ---- */

static bool one_bit(uint64_t bits) {
    return bits && !(bits & (bits - 1));
}

static cflri_item auxiliary_item(uint32_t symbol, uint64_t shared) {
    cflri_item item = {.symbol = symbol};
    assert(!shared || one_bit(shared));
    if (shared) {
        item.use = CFLRI_INDEX_VARIABLE;
        item.index = (uint32_t)__builtin_ctzll(shared);
    }
    return item;
}

/* The auxiliary for an expression: equal texts in equal surroundings share one. */
static cflr_status auxiliary_for(expander *x, const cflri_node *node, char role, bool flip,
                                 uint64_t shared, cflri_item *item, bool *is_new) {
    cflr_status st = CFLR_OK;
    cflri_text *text = &x->compile->text;
    uint32_t *known;
    text->bytes.n = 0;
    cflri_text_printf(text, "%c%c%s ", role, flip ? '~' : ' ',
                      shared ? x->rule->variable[__builtin_ctzll(shared)] : "");
    cflri_text_node(text, x->compile->ast, x->rule, node);
    if (text->failed) return no_memory(x);
    CFLR_TRY(cflri_memo_find(&x->compile->memo, text->bytes.at, text->bytes.n, &known, x->error));
    *is_new = *known == CFLRI_NO_SYMBOL;
    if (*is_new) {
        CFLR_TRY(cflri_auxiliary_new(x->compile, shared != 0, node->place, known, x->error));
    }
    *item = auxiliary_item(*known, shared);
out:
    return st;
}

/* Can the choices be the rules of an auxiliary that carries the shared variables? */
static bool can_be_auxiliary(const choices *list, uint64_t shared) {
    if (!shared) return true;
    if (!one_bit(shared)) return false;
    for (const sequence *s = list->first; s; s = s->next) {
        if (!sequence_has(s, (uint32_t)__builtin_ctzll(shared))) return false;
    }
    return true;
}

static cflr_status group_auxiliary(expander *x, const cflri_node *node, bool flip, uint64_t shared,
                                   choices *list) {
    cflr_status st = CFLR_OK;
    cflri_item item;
    bool is_new;
    choices one = {0};
    CFLR_TRY(auxiliary_for(x, node, 'g', flip, shared, &item, &is_new));
    for (const sequence *s = is_new ? list->first : NULL; s; s = s->next) {
        CFLR_TRY(emit(x, item, s));
    }
    CFLR_TRY(choices_of_item(x, item, &one));
    *list = one;
out:
    return st;
}

/* ---- nodes ---- */

static cflr_status expand_node(expander *x, const cflri_node *node, mode m, choices *out);

/* One round of a repetition as one symbol. */
static cflr_status step_item(expander *x, const cflri_node *body, const sequence *step,
                             uint64_t shared, cflri_item *item) {
    if (step->n == 1) {
        *item = step->last->item;
        return CFLR_OK;
    }
    uint32_t symbol;
    cflr_status st = cflri_auxiliary_new(x->compile, shared != 0, body->place, &symbol, x->error);
    if (st != CFLR_OK) return st;
    *item = auxiliary_item(symbol, shared);
    return emit(x, *item, step);
}

/* left ::= body+ (or body*), with left as the accumulator. */
static cflr_status expand_loop(expander *x, cflri_item left, const cflri_node *body, mode m,
                               bool at_least_once) {
    cflr_status st = CFLR_OK;
    uint64_t shared = body->variables & m.outer;
    choices steps = {0};
    CFLR_TRY(expand_node(x, body, (mode){m.flip, shared}, &steps));
    bool empty = !at_least_once;
    for (const sequence *step = steps.first; step; step = step->next) {
        cflri_item pair[2] = {left};
        if (!step->n) {
            empty = true;
            continue;
        }
        if (shared && !sequence_has(step, (uint32_t)__builtin_ctzll(shared))) {
            return refuse(x, body->place,
                          "a round of this repetition does not bind the index that it shares; "
                          "write the repetition as a rule of its own");
        }
        CFLR_TRY(step_item(x, body, step, shared, &pair[1]));
        if (at_least_once) CFLR_TRY(emit_items(x, left, &pair[1], 1));
        CFLR_TRY(emit_items(x, left, pair, 2));
    }
    if (empty && left.use == CFLRI_INDEX_VARIABLE) {
        return refuse(x, body->place, "this repetition shares an index, so it cannot be empty");
    }
    if (empty) CFLR_TRY(emit_items(x, left, NULL, 0));
out:
    return st;
}

static cflr_status expand_repeat(expander *x, const cflri_node *node, mode m, choices *out) {
    cflr_status st = CFLR_OK;
    const cflri_node *body = node->first;
    uint64_t shared = body->variables & m.outer;
    bool plus = node->kind == CFLRI_NODE_PLUS || shared;
    cflri_item item;
    bool is_new;
    if (shared && !one_bit(shared)) {
        return refuse(x, node->place, "a repetition cannot share more than one index");
    }
    CFLR_TRY(auxiliary_for(x, body, plus ? '+' : '*', m.flip, shared, &item, &is_new));
    if (is_new) CFLR_TRY(expand_loop(x, item, body, m, plus));
    if (node->kind == CFLRI_NODE_STAR && plus) CFLR_TRY(choices_push(x, out, NULL, 0));
    CFLR_TRY(choices_of_item(x, item, out));
out:
    return st;
}

/* Children in reading order, with the variables of those that follow. */
typedef struct span {
    const cflri_node *node;
    uint64_t after;
} span;

static span *reading_order(expander *x, const cflri_node *node, bool flip, size_t *n) {
    *n = 0;
    for (const cflri_node *child = node->first; child; child = child->next) ++*n;
    span *order = cflri_arena_alloc(&x->compile->scratch, *n * sizeof *order);
    if (!order) return NULL;
    size_t i = 0;
    for (const cflri_node *child = node->first; child; child = child->next, i++) {
        order[flip ? *n - 1 - i : i].node = child;
    }
    uint64_t after = 0;
    while (i-- > 0) {
        order[i].after = after;
        after |= order[i].node->variables;
    }
    return order;
}

static cflr_status expand_concat(expander *x, const cflri_node *node, mode m, choices *out) {
    cflr_status st = CFLR_OK;
    size_t n;
    span *order = reading_order(x, node, m.flip, &n);
    if (!order) return no_memory(x);
    choices heads = {0};
    uint64_t before = m.outer;
    CFLR_TRY(choices_push(x, &heads, NULL, 0));
    for (size_t i = 0; i < n; i++) {
        const cflri_node *child = order[i].node;
        uint64_t outer = before | order[i].after;
        uint64_t shared = child->variables & outer;
        choices tails = {0};
        CFLR_TRY(expand_node(x, child, (mode){m.flip, outer}, &tails));
        uint64_t product = (uint64_t)heads.n * tails.n;
        if (product > FEW && tails.n > 1 && can_be_auxiliary(&tails, shared)) {
            CFLR_TRY(group_auxiliary(x, child, m.flip, shared, &tails));
        } else if (product > MOST || (product > FEW && x->cells > MOST_CELLS)) {
            return refuse(x, child->place, "too many choices that share an index; split the rule");
        }
        CFLR_TRY(multiply(x, &heads, &tails));
        before |= child->variables;
    }
    choices_append(out, heads);
out:
    return st;
}

static cflr_status expand_symbol(expander *x, const cflri_node *node, mode m, choices *out) {
    cflri_item item = {.use = node->use, .index = node->index};
    cflr_status st =
        cflri_compiled_symbol(x->compile, node->symbol, m.flip, &item.symbol, x->error);
    return st == CFLR_OK ? choices_of_item(x, item, out) : st;
}

static cflr_status expand_alt(expander *x, const cflri_node *node, mode m, choices *out) {
    for (const cflri_node *child = node->first; child; child = child->next) {
        cflr_status st = expand_node(x, child, m, out);
        if (st != CFLR_OK) return st;
    }
    return CFLR_OK;
}

/* Appends the choices of a node to *out. */
static cflr_status expand_node(expander *x, const cflri_node *node, mode m, choices *out) {
    cflr_status st = CFLR_OK;
    switch ((cflri_node_kind)node->kind) {
        case CFLRI_NODE_EMPTY:
            return choices_push(x, out, NULL, 0);
        case CFLRI_NODE_SYMBOL:
            return expand_symbol(x, node, m, out);
        case CFLRI_NODE_CONCAT:
            return expand_concat(x, node, m, out);
        case CFLRI_NODE_ALT:
            return expand_alt(x, node, m, out);
        case CFLRI_NODE_CONVERSE:
            return expand_node(x, node->first, (mode){!m.flip, m.outer}, out);
        case CFLRI_NODE_STAR:
        case CFLRI_NODE_PLUS:
            return expand_repeat(x, node, m, out);
        case CFLRI_NODE_OPTION: {
            choices list = {0};
            CFLR_TRY(expand_node(x, node->first, m, &list));
            if (!choices_have_empty(&list)) CFLR_TRY(choices_push(x, out, NULL, 0));
            choices_append(out, list);
            break;
        }
    }
out:
    return st;
}

/* ---- rules ---- */

static cflr_status add_origin(expander *x, const cflri_node *alternative) {
    cflri_compile *compile = x->compile;
    cflri_text *text = &compile->text;
    cflri_origin origin = {.line = alternative->place.line, .column = alternative->place.column};
    text->bytes.n = 0;
    cflri_text_symbol(text, cflri_ast_name(compile->ast, x->rule->left));
    cflri_text_index(text, compile->ast, x->rule, x->rule->left_use, x->rule->left_index);
    cflri_text_add(text, " ::= ");
    cflri_text_node(text, compile->ast, x->rule, alternative);
    cflr_status st = cflri_text_keep(text, &compile->grammar->arena, &origin.text, x->error);
    if (st != CFLR_OK) return st;
    uint32_t number = (uint32_t)(x->rule - compile->ast->rules.at);
    if (!cflri_vec_push(compile->context, &compile->origins, origin) ||
        !cflri_vec_push(compile->context, &compile->ast->origin_rule, number)) {
        return no_memory(x);
    }
    x->origin = (uint32_t)compile->origins.n - 1;
    return CFLR_OK;
}

/* A ::= s* or s+, which is all that defines A, and no graph has edges A by declaration. */
static bool is_closed(const expander *x, const cflri_node *alternative) {
    const cflri_ast_symbol *left = &x->compile->ast->symbols.at[x->rule->left];
    bool repeats = alternative->kind == CFLRI_NODE_STAR || alternative->kind == CFLRI_NODE_PLUS;
    return repeats && alternative == x->rule->body && left->n_rules == 1 && !left->declared_at.line;
}

static cflr_status expand_alternative(expander *x, cflri_item left, const cflri_node *alternative) {
    cflr_status st = CFLR_OK;
    mode m = {false, left.use == CFLRI_INDEX_VARIABLE ? UINT64_C(1) << left.index : 0};
    choices list = {0};
    CFLR_TRY(add_origin(x, alternative));
    if (is_closed(x, alternative)) {
        x->compile->symbols.at[left.symbol].closed = true;
        return expand_loop(x, left, alternative->first, m, alternative->kind == CFLRI_NODE_PLUS);
    }
    CFLR_TRY(expand_node(x, alternative, m, &list));
    for (const sequence *s = list.first; s; s = s->next) CFLR_TRY(emit(x, left, s));
out:
    return st;
}

static cflr_status expand_rule(expander *x) {
    cflr_status st = CFLR_OK;
    const cflri_ast_rule *rule = x->rule;
    cflri_item left = {.use = rule->left_use, .index = rule->left_index};
    CFLR_TRY(cflri_compiled_symbol(x->compile, rule->left, false, &left.symbol, x->error));
    bool many = rule->body->kind == CFLRI_NODE_ALT;
    const cflri_node *alternative = many ? rule->body->first : rule->body;
    for (; alternative; alternative = many ? alternative->next : NULL) {
        x->cells = 0;
        CFLR_TRY(expand_alternative(x, left, alternative));
        cflri_arena_reset(&x->compile->scratch);
    }
out:
    return st;
}

cflr_status cflri_expand(cflri_compile *compile, cflr_error *error) {
    expander x = {.compile = compile, .error = error};
    for (size_t i = 0; i < compile->ast->rules.n; i++) {
        x.rule = &compile->ast->rules.at[i];
        cflr_status st = expand_rule(&x);
        if (st != CFLR_OK) return st;
    }
    return CFLR_OK;
}
