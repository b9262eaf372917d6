/* SPDX-License-Identifier: Apache-2.0
 *
 * ground.c: instances of symbols and rules for the indexes of one graph.
 *
 *     V ::= FV[i] f[i]      graph: f[8], f[16]      V ::= FV[8] f[8]
 *     FV[i] ::= ~f[i] V                             V ::= FV[16] f[16] ...
 *
 * A worklist over instances, each taken once. An instance is made when a pair of it could exist: a
 * label with edges, the left side of an epsilon rule, or the left side of a rule whose whole right
 * side has been taken. Taking an instance fires the rules that read it:
 *
 *     reads with its variable    the other symbol's instance has the same index: one look-up
 *     reads without              the other may have any index: all its instances taken so far
 *
 * An instance of two symbols fires when the later of them is taken, so each ground rule is made
 * once; whatever never gets a whole right side is never made. Cost: ground rules, plus rules tried,
 * at most rules x indexes. Readers are sorted by (symbol, constant), so ten thousand rules with
 * constant indexes of one symbol cost a binary search, not a scan.
 *
 * At the end instances are renumbered by (symbol, index) and rules sorted, so that numbers depend
 * on the grammar and the graph only.
 */
#include "grammar/equations/ground.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "base/ids.h"
#include "base/seen.h"
#include "grammar/equations/ground_index.h"

#define ANY UINT32_MAX  /* any index */
#define NONE UINT32_MAX /* no instance */

/* A place on a right side that is read. */
typedef struct reader {
    uint32_t symbol;
    uint32_t index; /* of a constant; ANY for a variable or a plain symbol */
    uint32_t rule;
    uint32_t position;
} reader;

typedef struct instance {
    cflri_ground_symbol symbol; /* converse_of: provisional number */
    uint32_t next;              /* another instance of the same grammar symbol, or NONE */
} instance;

typedef struct grounder {
    cflr_context *context;
    const cflr_grammar *grammar;
    const cflr_graph *graph;
    uint32_t *constant; /* constant of the grammar -> index */
    size_t n_readers;
    reader *readers;
    CFLRI_VEC(instance) instances; /* in order of making, which is the order of taking */
    uint32_t *newest;              /* symbol -> its newest instance, or NONE */
    cflri_seen seen;               /* instances by (symbol, index) */
    CFLRI_VEC(cflri_ground_rule) rules;
    uint32_t now; /* the instance that is being taken */
    cflr_error *error;
} grounder;

static cflr_status no_memory(const grounder *g) {
    return cflri_fail_memory(g->context, g->error);
}

/* ---- instances ---- */

static uint32_t hash(uint32_t symbol, uint32_t index) {
    return (uint32_t)(cflri_seen_mix(0, symbol, index) >> 32);
}

/* The instance, or NONE. */
static uint32_t find(const grounder *g, uint32_t symbol, uint32_t index) {
    uint32_t i, key = hash(symbol, index);
    for (size_t at = cflri_seen_first(&g->seen, key);
         (i = cflri_seen_next(&g->seen, key, &at)) != CFLRI_NOT_SEEN;) {
        const cflri_ground_symbol *s = &g->instances.at[i].symbol;
        if (s->symbol == symbol && s->index == index) return i;
    }
    return NONE;
}

static cflr_status make_instance(grounder *g, uint32_t symbol, uint32_t index, uint32_t *number) {
    assert(symbol < g->grammar->n_symbols);
    *number = find(g, symbol, index);
    if (*number != NONE) return CFLR_OK;
    if (g->instances.n >= NONE - 1) {
        return cflri_fail(g->error, CFLR_UNSUPPORTED, g->grammar->subject,
                          "more than 2^32 indexed symbols");
    }
    instance made = {.symbol = {symbol, index, CFLR_NO_LABEL, CFLRI_NO_SYMBOL},
                     .next = g->newest[symbol]};
    if (!cflri_vec_push(g->context, &g->instances, made)) return no_memory(g);
    *number = (uint32_t)g->instances.n - 1;
    g->newest[symbol] = *number;
    return cflri_seen_add(g->context, &g->seen, hash(symbol, index), *number) ? CFLR_OK
                                                                              : no_memory(g);
}

/* The instance if it has been taken, else NONE. */
static uint32_t taken(const grounder *g, uint32_t symbol, uint32_t index) {
    uint32_t i = find(g, symbol, index);
    return i != NONE && i <= g->now ? i : NONE;
}

/* ---- firing ---- */

/* Index of a symbol of a rule: `bound` is the variable's. */
static uint32_t index_of(const grounder *g, uint8_t use, uint32_t constant, uint32_t bound) {
    switch ((cflri_index_use)use) {
        case CFLRI_INDEX_NONE:
            return 0;
        case CFLRI_INDEX_VARIABLE:
            return bound;
        case CFLRI_INDEX_CONSTANT:
            return g->constant[constant];
    }
    return 0;
}

static cflr_status make_rule(grounder *g, uint32_t number, uint32_t bound, uint32_t right0,
                             uint32_t right1) {
    const cflri_rule *rule = &g->grammar->rule[number];
    assert(right0 == g->now || right1 == g->now); /* the later of them is being taken */
    assert(right0 <= g->now && (right1 == CFLRI_NO_SYMBOL || right1 <= g->now));
    cflri_ground_rule made = {.right = {right0, right1}, .rule = number};
    uint32_t index = index_of(g, rule->left_use, rule->constant[0], bound);
    cflr_status st = make_instance(g, rule->left, index, &made.left);
    if (st != CFLR_OK) return st;
    if (rule->is_converse) g->instances.at[made.left].symbol.converse_of = right0;
    if (g->rules.n >= NONE - 1) {
        return cflri_fail(g->error, CFLR_UNSUPPORTED, g->grammar->subject,
                          "more than 2^32 rules after instantiating indexes");
    }
    return cflri_vec_push(g->context, &g->rules, made) ? CFLR_OK : no_memory(g);
}

static cflr_status make_binary(grounder *g, const reader *at, uint32_t bound, uint32_t other) {
    if (at->position == 1 && other == g->now) return CFLR_OK; /* made from position 0 */
    uint32_t pair[2] = {other, other};
    pair[at->position] = g->now;
    return make_rule(g, at->rule, bound, pair[0], pair[1]);
}

static cflr_status fire_binary(grounder *g, const reader *at) {
    const cflri_rule *rule = &g->grammar->rule[at->rule];
    uint32_t other_at = 1 - at->position;
    uint32_t other = rule->right[other_at];
    uint32_t index = g->instances.at[g->now].symbol.index;
    bool binds = rule->right_use[at->position] == CFLRI_INDEX_VARIABLE;
    if (binds || rule->right_use[other_at] != CFLRI_INDEX_VARIABLE) {
        uint32_t wanted =
            index_of(g, rule->right_use[other_at], rule->constant[1 + other_at], index);
        uint32_t found = taken(g, other, wanted);
        return found == NONE ? CFLR_OK : make_binary(g, at, index, found);
    }
    for (uint32_t i = g->newest[other]; i != NONE; i = g->instances.at[i].next) {
        if (i > g->now) continue;
        cflr_status st = make_binary(g, at, g->instances.at[i].symbol.index, i);
        if (st != CFLR_OK) return st;
    }
    return CFLR_OK;
}

static int by_symbol(const void *a, const void *b) {
    const reader *x = a, *y = b;
    if (x->symbol != y->symbol) return x->symbol < y->symbol ? -1 : 1;
    if (x->index != y->index) return x->index < y->index ? -1 : 1;
    if (x->rule != y->rule) return x->rule < y->rule ? -1 : 1;
    return x->position < y->position ? -1 : x->position > y->position;
}

static cflr_status fire_readers(grounder *g, uint32_t symbol, uint32_t index) {
    size_t low = 0, high = g->n_readers;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const reader *r = &g->readers[middle];
        bool before = r->symbol < symbol || (r->symbol == symbol && r->index < index);
        if (before) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    for (; low < g->n_readers; low++) {
        const reader *r = &g->readers[low];
        if (r->symbol != symbol || r->index != index) break;
        uint32_t bound = g->instances.at[g->now].symbol.index;
        cflr_status st = g->grammar->rule[r->rule].n_right == 1
                             ? make_rule(g, r->rule, bound, g->now, CFLRI_NO_SYMBOL)
                             : fire_binary(g, r);
        if (st != CFLR_OK) return st;
    }
    return CFLR_OK;
}

static cflr_status take_all(grounder *g) {
    cflr_status st = CFLR_OK;
    for (g->now = 0; g->now < g->instances.n; g->now++) {
        cflri_ground_symbol s = g->instances.at[g->now].symbol;
        if (g->now % 1024 == 0) st = cflri_interrupted(g->context);
        if (st == CFLR_CANCELLED || (st == CFLR_LIMIT && g->now > 0)) /* a solver is to begin */
            return cflri_fail_interrupted(g->context, st, g->error);
        CFLR_TRY(fire_readers(g, s.symbol, ANY));
        if (s.index) CFLR_TRY(fire_readers(g, s.symbol, s.index));
    }
out:
    return st;
}

/* ---- seeds ---- */

typedef struct named {
    uint32_t name; /* string id in the graph */
    uint32_t symbol;
    bool told; /* that some of its edges are not used */
} named;

static int by_name(const void *a, const void *b) {
    const named *x = a, *y = b;
    return x->name < y->name ? -1 : x->name > y->name;
}

/* Edges with an index for a symbol without one, or the other way round: told once a symbol. */
static void tell_unused(grounder *g, uint32_t index, named *found) {
    const char *name = g->grammar->symbol[found->symbol].name;
    if (!found->told) {
        cflri_log(g->context, CFLR_LOG_WARNING,
                  "edges '%s%s%s%s' are not used: the grammar has '%s' %s an index", name,
                  index ? "[" : "", cflri_string(&g->graph->strings, index), index ? "]" : "", name,
                  index ? "without" : "with");
    }
    found->told = true;
}

static cflr_status seed_label(grounder *g, uint32_t label, named *found) {
    const cflri_symbol *s = &g->grammar->symbol[found->symbol];
    uint32_t index = g->graph->label[label].index, number;
    if (s->indexed != (index != 0)) {
        tell_unused(g, index, found);
        return CFLR_OK;
    }
    if (s->closed) {
        return cflri_fail_at(g->error, CFLR_UNSUPPORTED, g->grammar->subject, s->line, s->column,
                             "the graph has edges '%.60s', which the grammar defines as a "
                             "repetition: name it in %%terminal",
                             s->name);
    }
    cflr_status st = make_instance(g, found->symbol, index, &number);
    if (st == CFLR_OK) g->instances.at[number].symbol.label = label;
    return st;
}

/* Instances of all labels with edges: labels meet symbols through their string in the graph. */
static cflr_status seed_labels(grounder *g) {
    cflr_status st = CFLR_OK;
    const cflr_grammar *grammar = g->grammar;
    size_t n = 0;
    named *names = cflri_alloc_array(g->context, grammar->n_symbols, sizeof *names);
    if (!names) return no_memory(g);
    for (uint32_t s = 0; s < grammar->n_symbols; s++) {
        const cflri_symbol *symbol = &grammar->symbol[s];
        if (symbol->kind == CFLRI_AUXILIARY || symbol->converse_of != CFLRI_NO_SYMBOL) continue;
        uint32_t id = cflri_strings_find(&g->graph->strings, symbol->name, strlen(symbol->name));
        if (id != CFLRI_NO_STRING) names[n++] = (named){id, s, false};
    }
    if (n) qsort(names, n, sizeof *names, by_name);
    for (uint32_t l = 0; n && l < g->graph->n_labels; l++) {
        named key = {.name = g->graph->label[l].name};
        named *found = bsearch(&key, names, n, sizeof *names, by_name);
        if (!found || !g->graph->out[l].n_pairs) continue;
        CFLR_TRY(seed_label(g, l, found));
    }
out:
    cflri_free(g->context, names);
    return st;
}

static cflr_status seed_epsilons(grounder *g) {
    for (uint32_t r = 0; r < g->grammar->n_rules; r++) {
        const cflri_rule *rule = &g->grammar->rule[r];
        if (rule->n_right) continue;
        assert(rule->left_use != CFLRI_INDEX_VARIABLE);
        uint32_t number;
        uint32_t index = index_of(g, rule->left_use, rule->constant[0], 0);
        cflr_status st = make_instance(g, rule->left, index, &number);
        if (st != CFLR_OK) return st;
    }
    return CFLR_OK;
}

/* ---- setting up ---- */

/* A constant that the graph does not hold gets a number behind the graph's strings. */
static void resolve_constants(grounder *g) {
    const cflri_strings *strings = &g->graph->strings;
    for (uint32_t c = 0; c < g->grammar->n_constants; c++) {
        const char *text = g->grammar->constant[c];
        uint32_t id = cflri_strings_find(strings, text, strlen(text));
        g->constant[c] = id != CFLRI_NO_STRING ? id : (uint32_t)strings->text.n + c;
    }
}

static void collect_readers(grounder *g) {
    for (uint32_t r = 0; r < g->grammar->n_rules; r++) {
        const cflri_rule *rule = &g->grammar->rule[r];
        for (uint32_t k = 0; k < rule->n_right; k++) {
            bool constant = rule->right_use[k] == CFLRI_INDEX_CONSTANT;
            uint32_t index = constant ? g->constant[rule->constant[1 + k]] : ANY;
            g->readers[g->n_readers++] = (reader){rule->right[k], index, r, k};
        }
    }
    assert(g->n_readers <= 2 * (size_t)g->grammar->n_rules);
    if (g->n_readers) qsort(g->readers, g->n_readers, sizeof *g->readers, by_symbol);
}

static cflr_status set_up(grounder *g) {
    const cflr_grammar *grammar = g->grammar;
    g->constant = cflri_alloc_array(g->context, grammar->n_constants, sizeof *g->constant);
    g->readers = cflri_alloc_array(g->context, 2 * (size_t)grammar->n_rules, sizeof *g->readers);
    g->newest = cflri_alloc_array(g->context, grammar->n_symbols, sizeof *g->newest);
    if (!g->constant || !g->readers || !g->newest) return no_memory(g);
    memset(g->newest, 0xFF, grammar->n_symbols * sizeof *g->newest);
    resolve_constants(g);
    collect_readers(g);
    return CFLR_OK;
}

static void tear_down(grounder *g) {
    cflri_free(g->context, g->constant);
    cflri_free(g->context, g->readers);
    cflri_free(g->context, g->newest);
    cflri_seen_free(g->context, &g->seen);
    cflri_vec_free(g->context, &g->instances);
    cflri_vec_free(g->context, &g->rules);
}

/* ---- final numbers ---- */

typedef struct numbered {
    uint32_t symbol, index, old;
} numbered;

static int by_number(const void *a, const void *b) {
    const numbered *x = a, *y = b;
    if (x->symbol != y->symbol) return x->symbol < y->symbol ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static int by_sides(const void *a, const void *b) {
    const cflri_ground_rule *x = a, *y = b;
    if (x->left != y->left) return x->left < y->left ? -1 : 1;
    if (x->right[0] != y->right[0]) return x->right[0] < y->right[0] ? -1 : 1;
    if (x->right[1] != y->right[1]) return x->right[1] < y->right[1] ? -1 : 1;
    return x->rule < y->rule ? -1 : x->rule > y->rule;
}

/* Sorts instances; renumber[old] is the final number. */
static cflr_status number_symbols(grounder *g, cflri_ground *ground, uint32_t *renumber) {
    size_t n = g->instances.n;
    numbered *order = cflri_alloc_array(g->context, n, sizeof *order);
    ground->symbol = cflri_alloc_array(g->context, n, sizeof *ground->symbol);
    if (!order || !ground->symbol) {
        cflri_free(g->context, order);
        return no_memory(g);
    }
    for (uint32_t i = 0; i < n; i++) {
        const cflri_ground_symbol *s = &g->instances.at[i].symbol;
        order[i] = (numbered){s->symbol, s->index, i};
    }
    if (n) qsort(order, n, sizeof *order, by_number);
    for (uint32_t i = 0; i < n; i++) renumber[order[i].old] = i;
    for (uint32_t i = 0; i < n; i++) {
        cflri_ground_symbol s = g->instances.at[order[i].old].symbol;
        assert(i == 0 || by_number(&order[i - 1], &order[i]) < 0);
        if (s.converse_of != CFLRI_NO_SYMBOL) s.converse_of = renumber[s.converse_of];
        ground->symbol[i] = s;
    }
    ground->n_symbols = (uint32_t)n;
    cflri_free(g->context, order);
    return CFLR_OK;
}

/* Sorts rules and drops those that another rule of the grammar made as well. */
static cflr_status number_rules(grounder *g, cflri_ground *ground, const uint32_t *renumber) {
    size_t n = g->rules.n;
    ground->rule = cflri_alloc_array(g->context, n, sizeof *ground->rule);
    if (!ground->rule) return no_memory(g);
    for (size_t i = 0; i < n; i++) {
        cflri_ground_rule rule = g->rules.at[i];
        rule.left = renumber[rule.left];
        rule.right[0] = renumber[rule.right[0]];
        if (rule.right[1] != CFLRI_NO_SYMBOL) rule.right[1] = renumber[rule.right[1]];
        ground->rule[i] = rule;
    }
    if (n) qsort(ground->rule, n, sizeof *ground->rule, by_sides);
    for (size_t i = 0; i < n; i++) {
        const cflri_ground_rule *rule = &ground->rule[i];
        const cflri_ground_rule *last = &ground->rule[ground->n_rules ? ground->n_rules - 1 : 0];
        if (ground->n_rules && last->left == rule->left && last->right[0] == rule->right[0] &&
            last->right[1] == rule->right[1]) {
            continue;
        }
        ground->rule[ground->n_rules++] = *rule;
    }
    return CFLR_OK;
}

static cflr_status number_epsilons(grounder *g, cflri_ground *ground, const uint32_t *renumber) {
    uint32_t n = 0;
    ground->epsilon = cflri_alloc_array(g->context, g->grammar->n_rules, sizeof *ground->epsilon);
    if (!ground->epsilon) return no_memory(g);
    for (uint32_t r = 0; r < g->grammar->n_rules; r++) {
        const cflri_rule *rule = &g->grammar->rule[r];
        if (rule->n_right) continue;
        uint32_t i = find(g, rule->left, index_of(g, rule->left_use, rule->constant[0], 0));
        assert(i != NONE);
        ground->epsilon[n++] = renumber[i];
    }
    if (n) qsort(ground->epsilon, n, sizeof *ground->epsilon, cflri_ids_compare);
    ground->n_epsilon = n;
    return CFLR_OK;
}

static cflr_status finish(grounder *g, cflri_ground *ground) {
    cflr_status st = CFLR_OK;
    uint32_t *renumber = cflri_alloc_array(g->context, g->instances.n, sizeof *renumber);
    if (!renumber) return no_memory(g);
    CFLR_TRY(number_symbols(g, ground, renumber));
    CFLR_TRY(number_rules(g, ground, renumber));
    CFLR_TRY(number_epsilons(g, ground, renumber));
    CFLR_TRY(cflri_ground_build_indexes(ground, g->error));
out:
    cflri_free(g->context, renumber);
    return st;
}

cflr_status cflri_ground_new(const cflr_grammar *grammar, const cflr_graph *graph,
                             cflri_ground **ground, cflr_error *error) {
    cflr_status st = CFLR_OK;
    cflr_context *context = graph->context;
    grounder g = {.context = context, .grammar = grammar, .graph = graph, .error = error};
    *ground = NULL;
    cflri_ground *made = cflri_alloc_zero(context, sizeof *made);
    if (!made) return cflri_fail_memory(context, error);
    made->context = context;
    made->grammar = grammar;
    made->graph = graph;
    CFLR_TRY(set_up(&g));
    CFLR_TRY(seed_labels(&g));
    CFLR_TRY(seed_epsilons(&g));
    CFLR_TRY(take_all(&g));
    CFLR_TRY(finish(&g, made));
    *ground = made;
out:
    tear_down(&g);
    if (st != CFLR_OK) cflri_ground_free(made);
    return st;
}

void cflri_ground_free(cflri_ground *ground) {
    if (!ground) return;
    cflr_context *context = ground->context;
    cflri_ground_free_indexes(ground);
    cflri_free(context, ground->symbol);
    cflri_free(context, ground->rule);
    cflri_free(context, ground->epsilon);
    cflri_free(context, ground);
}

const char *cflri_ground_index_text(const cflri_ground *ground, uint32_t symbol) {
    assert(symbol < ground->n_symbols);
    uint32_t index = ground->symbol[symbol].index;
    size_t known = ground->graph->strings.text.n;
    if (index < known) return cflri_string(&ground->graph->strings, index);
    return ground->grammar->constant[index - known];
}
