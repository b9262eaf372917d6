/* SPDX-License-Identifier: Apache-2.0
 *
 * export.c: the normal form in another tool's format.
 *
 * None of them has converses of nonterminals, so ~X becomes a nonterminal `Xbar` with the rules of
 * X turned round: X ::= B C gives Xbar ::= Cbar Bbar, and so on for what these rules need. The
 * converse of a terminal is a label of its own there, which `cflr convert` writes with the graph.
 *
 *     ref    2 * symbol + 1 when read backwards; ~X and X are refs of one symbol
 *
 * GraCFL and CFPQ have no index variables either: a grammar with indexes is written ground, for the
 * indexes of a graph. Auxiliaries are called Aux1, Aux2, ...
 */
#include <stdio.h>
#include <string.h>

#include "base/context.h"
#include "grammar/ground.h"
#include "grammar/text.h"

typedef struct plain_rule {
    uint32_t left; /* refs */
    uint32_t right[2];
    uint32_t n_right;
    uint32_t rule; /* of the compiled grammar */
} plain_rule;

/* What has become of a symbol's rules. */
enum { NO_RULES, HAS_RULES, NEEDED, IN_THIS_WAVE, TURNED };

typedef struct exporter {
    const cflr_grammar *grammar;
    const cflri_ground *ground; /* NULL: symbols are those of the grammar */
    cflr_grammar_format format;
    cflri_text text;
    CFLRI_VEC(plain_rule) rules;
    uint8_t *state; /* of each symbol, see below */
    bool any_needed;
    char auxiliary[16]; /* what stands for the '%' of auxiliaries */
    bool failed;
} exporter;

/* ---- refs ---- */

static uint32_t n_symbols(const exporter *x) {
    return x->ground ? x->ground->n_symbols : x->grammar->n_symbols;
}

static uint32_t ref_of(const exporter *x, uint32_t symbol) {
    uint32_t of =
        x->ground ? x->ground->symbol[symbol].converse_of : x->grammar->symbol[symbol].converse_of;
    return of == CFLRI_NO_SYMBOL ? 2 * symbol : 2 * of + 1;
}

static const cflri_symbol *symbol_of(const exporter *x, uint32_t ref) {
    uint32_t symbol = ref / 2;
    return &x->grammar->symbol[x->ground ? x->ground->symbol[symbol].symbol : symbol];
}

/* ---- collecting rules ---- */

static void add_rule(exporter *x, plain_rule rule) {
    if (!cflri_vec_push(x->grammar->context, &x->rules, rule)) x->failed = true;
}

static void collect_grammar(exporter *x) {
    for (uint32_t r = 0; r < x->grammar->n_rules; r++) {
        const cflri_rule *rule = &x->grammar->rule[r];
        if (rule->is_converse) continue;
        plain_rule plain = {.left = ref_of(x, rule->left), .n_right = rule->n_right, .rule = r};
        for (int i = 0; i < rule->n_right; i++) plain.right[i] = ref_of(x, rule->right[i]);
        add_rule(x, plain);
    }
}

static void collect_ground(exporter *x) {
    for (uint32_t e = 0; e < x->ground->n_epsilon; e++) {
        add_rule(x, (plain_rule){.left = ref_of(x, x->ground->epsilon[e])});
    }
    for (uint32_t r = 0; r < x->ground->n_rules; r++) {
        const cflri_ground_rule *rule = &x->ground->rule[r];
        if (x->grammar->rule[rule->rule].is_converse) continue;
        plain_rule plain = {.left = ref_of(x, rule->left), .n_right = 1, .rule = rule->rule};
        plain.right[0] = ref_of(x, rule->right[0]);
        if (rule->right[1] != CFLRI_NO_SYMBOL) {
            plain.right[1] = ref_of(x, rule->right[1]);
            plain.n_right = 2;
        }
        add_rule(x, plain);
    }
}

/* ---- turning rules round ---- */

/* Notes that a backwards ref of a symbol with rules is used. */
static void need(exporter *x, uint32_t ref) {
    uint8_t *state = &x->state[ref / 2];
    if (ref % 2 == 0 || *state != HAS_RULES) return;
    *state = NEEDED;
    x->any_needed = true;
}

static void need_right(exporter *x, size_t first) {
    for (size_t r = first; r < x->rules.n; r++) {
        for (uint32_t i = 0; i < x->rules.at[r].n_right; i++) need(x, x->rules.at[r].right[i]);
    }
}

static plain_rule turn(const plain_rule *rule) {
    plain_rule turned = {.left = rule->left ^ 1, .n_right = rule->n_right, .rule = rule->rule};
    for (uint32_t i = 0; i < rule->n_right; i++) {
        turned.right[i] = rule->right[rule->n_right - 1 - i] ^ 1;
    }
    return turned;
}

/* Turns the rules of all needed symbols, which may make others needed, until none is left: one pass
 * over the rules a wave, and as many waves as converses are nested. */
static void turn_rules(exporter *x) {
    size_t n = x->rules.n;
    need_right(x, 0);
    while (x->any_needed && !x->failed) {
        size_t before = x->rules.n;
        for (uint32_t s = 0; s < n_symbols(x); s++) {
            if (x->state[s] == NEEDED) x->state[s] = IN_THIS_WAVE;
        }
        for (size_t r = 0; r < n && !x->failed; r++) {
            if (x->state[x->rules.at[r].left / 2] != IN_THIS_WAVE) continue;
            add_rule(x, turn(&x->rules.at[r]));
        }
        for (uint32_t s = 0; s < n_symbols(x); s++) {
            if (x->state[s] == IN_THIS_WAVE) x->state[s] = TURNED;
        }
        x->any_needed = false;
        need_right(x, before);
    }
}

/* ---- spelling ---- */

/* The index part of symbol `at` of a rule: "_i", "_12" or nothing. */
static void write_index(exporter *x, uint32_t ref, const plain_rule *rule, int at) {
    if (!symbol_of(x, ref)->indexed) return;
    if (x->ground) {
        cflri_text_printf(&x->text, "_%s", cflri_ground_index_text(x->ground, ref / 2));
        return;
    }
    const cflri_rule *from = &x->grammar->rule[rule->rule];
    bool turned = rule->left % 2 == 1;
    int place = at == 0 || !turned ? at : from->n_right + 1 - at;
    uint8_t use = place == 0 ? from->left_use : from->right_use[place - 1];
    if (use == CFLRI_INDEX_CONSTANT) {
        cflri_text_printf(&x->text, "_%s", x->grammar->constant[from->constant[place]]);
    } else {
        cflri_text_add(&x->text, "_i");
    }
}

static void write_ref(exporter *x, uint32_t ref, const plain_rule *rule, int at) {
    const char *name = symbol_of(x, ref)->name;
    bool backwards = ref % 2 == 1, trailing = x->format == CFLR_GRAMMAR_CFPQ;
    if (name[0] == '%') cflri_text_add(&x->text, x->auxiliary);
    cflri_text_add(&x->text, name[0] == '%' ? name + 1 : name);
    if (backwards && !trailing) cflri_text_add(&x->text, "bar");
    write_index(x, ref, rule, at);
    if (backwards && trailing) cflri_text_add(&x->text, "_r");
}

/* Auxiliaries must not be mistaken for the author's symbols. */
static void choose_auxiliary(exporter *x) {
    snprintf(x->auxiliary, sizeof x->auxiliary, "Aux");
    for (uint32_t s = 0; s < x->grammar->n_symbols; s++) {
        size_t n = strlen(x->auxiliary);
        bool taken = strncmp(x->grammar->symbol[s].name, x->auxiliary, n) == 0;
        if (!taken || n + 2 > sizeof x->auxiliary) continue;
        memmove(x->auxiliary + 1, x->auxiliary, n + 1);
        x->auxiliary[0] = 'X';
    }
}

static void write_rule(exporter *x, const plain_rule *rule) {
    bool arrow = x->format == CFLR_GRAMMAR_SVF || x->format == CFLR_GRAMMAR_CFPQ;
    write_ref(x, rule->left, rule, 0);
    if (arrow) cflri_text_add(&x->text, " ->");
    for (uint32_t i = 0; i < rule->n_right; i++) {
        cflri_text_add(&x->text, arrow ? " " : "\t");
        write_ref(x, rule->right[i], rule, (int)i + 1);
    }
    if (arrow && rule->n_right == 0) cflri_text_add(&x->text, " epsilon");
    cflri_text_add(&x->text, x->format == CFLR_GRAMMAR_SVF ? ";\n" : "\n");
}

/* Rules of the start symbol first, because CFPQ and others start with the first left side. */
static void write_rules(exporter *x) {
    for (int rest = 0; rest < 2; rest++) {
        for (size_t r = 0; r < x->rules.n; r++) {
            const plain_rule *rule = &x->rules.at[r];
            bool of_start = rule->left % 2 == 0 &&
                            symbol_of(x, rule->left) == &x->grammar->symbol[x->grammar->start];
            if (of_start != (rest == 0)) continue;
            write_rule(x, rule);
        }
    }
}

static void write_terminals(exporter *x) {
    for (uint32_t s = 0; s < x->grammar->n_symbols; s++) {
        const cflri_symbol *symbol = &x->grammar->symbol[s];
        if (symbol->kind != CFLRI_TERMINAL || symbol->converse_of != CFLRI_NO_SYMBOL) continue;
        cflri_text_printf(&x->text, " %s%s", symbol->name, symbol->indexed ? "_i" : "");
    }
}

static void write_grammar(exporter *x) {
    const char *start = x->grammar->symbol[x->grammar->start].name;
    if (x->format == CFLR_GRAMMAR_SVF) {
        cflri_text_printf(&x->text, "Start:\n%s\nTerminal:\n", start);
        write_terminals(x);
        cflri_text_add(&x->text, "\nProductions:\n");
    }
    write_rules(x);
    if (x->format == CFLR_GRAMMAR_POCR) cflri_text_printf(&x->text, "\nCount:\n%s\n", start);
}

/* ---- the entry ---- */

static bool has_indexes(const cflr_grammar *grammar) {
    for (uint32_t s = 0; s < grammar->n_symbols; s++) {
        if (grammar->symbol[s].indexed) return true;
    }
    return false;
}

static cflr_status export_rules(exporter *x, char **text, cflr_error *error) {
    cflr_context *context = x->grammar->context;
    cflr_status st = CFLR_OK;
    x->state = cflri_alloc_zero(context, n_symbols(x) + 1);
    x->failed = !x->state;
    if (!x->failed && x->ground)
        collect_ground(x);
    else if (!x->failed)
        collect_grammar(x);
    for (size_t r = 0; r < x->rules.n && !x->failed; r++)
        x->state[x->rules.at[r].left / 2] = HAS_RULES;
    if (!x->failed) turn_rules(x);
    if (x->failed) {
        st = cflri_fail_memory(context, error);
    } else {
        choose_auxiliary(x);
        write_grammar(x);
        st = cflri_text_take(&x->text, text, error);
    }
    cflri_vec_free(context, &x->rules);
    cflri_free(context, x->state);
    return st;
}

cflr_status cflr_grammar_export(const cflr_grammar *grammar, cflr_grammar_format format,
                                const cflr_graph *graph, char **text, cflr_error *error) {
    exporter x = {.grammar = grammar, .format = format};
    cflri_ground *ground = NULL;
    cflr_status st = CFLR_OK;
    *text = NULL;
    if (format < CFLR_GRAMMAR_POCR || format > CFLR_GRAMMAR_CFPQ) {
        return cflri_fail(error, CFLR_ARGUMENT, NULL,
                          "a grammar is written as pocr, gracfl, svf or cfpq");
    }
    bool expanded = format == CFLR_GRAMMAR_GRACFL || format == CFLR_GRAMMAR_CFPQ;
    if (expanded && has_indexes(grammar)) {
        if (!graph) {
            return cflri_fail(error, CFLR_ARGUMENT, NULL,
                              "this format has no indexes: a graph must say which there are");
        }
        st = cflri_ground_new(grammar, graph, &ground, error);
        if (st != CFLR_OK) return st;
    }
    x.ground = ground;
    cflri_text_init(&x.text, grammar->context);
    st = export_rules(&x, text, error);
    cflri_text_drop(&x.text);
    cflri_ground_free(ground);
    return st;
}
