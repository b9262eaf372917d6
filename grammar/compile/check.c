/* SPDX-License-Identifier: Apache-2.0
 *
 * check.c: what is wrong with a grammar, and what is only odd.
 *
 * Errors (cflri_check_tree) make it meaningless: no rule, an unknown start symbol, a label outside
 * of %terminal. Warnings (cflri_check_grammar) are kept with the grammar and change nothing:
 *
 *     unproductive   no path of labels can be read as the symbol: a fix-point over the normal form,
 *                    "a rule with all its right side productive makes its left side so"
 *     unreachable    neither the start symbol nor a %answer needs it
 *     duplicate      the same alternative stands twice
 *     idle           A ::= A
 *     unused         in %terminal, but in no rule
 *     converse       a label `xbar` beside `x`: other tools mean ~x
 *
 * A symbol that %terminal names may come from the graph, so it is productive. All checks are linear
 * in the grammar.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/letters.h"
#include "grammar/compile/compile.h"

enum { MOST_DIAGNOSTICS = 1000 };

/* ---- errors ---- */

/* "; did you mean 'x'?" in hint, or "": the nearest other symbol that has rules or is declared. */
static void nearest(const struct cflri_ast *ast, uint32_t symbol, char *hint, size_t size) {
    const char *name = cflri_ast_name(ast, symbol);
    size_t length = strlen(name);
    unsigned most = length < 2 ? 0 : length < 4 ? 1 : 2; /* more turn any name into any other */
    hint[0] = '\0';
    for (uint32_t s = 1; s < ast->symbols.n; s++) {
        const cflri_ast_symbol *other = &ast->symbols.at[s];
        const char *other_name = cflri_ast_name(ast, s);
        if (s == symbol || (!other->n_rules && !other->declared_at.line)) continue;
        unsigned d = cflri_edits(name, length, other_name, strlen(other_name), most);
        if (d > most) continue;
        snprintf(hint, size, "; did you mean '%s'?", other_name);
        if (!d) return;
        most = d - 1;
    }
}

static cflr_status fail_symbol(const struct cflri_ast *ast, uint32_t symbol, cflri_place place,
                               const char *message, cflr_error *error) {
    char hint[CFLRI_LONGEST_ALIKE + 24];
    nearest(ast, symbol, hint, sizeof hint);
    return cflri_fail_at(error, CFLR_SYNTAX, ast->grammar->subject, place.line, place.column,
                         "'%.60s' %s%s", cflri_ast_name(ast, symbol), message, hint);
}

static cflr_status check_start(struct cflri_ast *ast, cflr_error *error) {
    if (!ast->rules.n) {
        return cflri_fail_at(error, CFLR_SYNTAX, ast->grammar->subject, 1, 1,
                             "there is no rule, such as 'A ::= b c'");
    }
    if (!ast->start) {
        ast->start = ast->rules.at[0].left;
        ast->start_place = ast->rules.at[0].place;
    }
    if (ast->symbols.at[ast->start].n_rules) return CFLR_OK;
    return fail_symbol(ast, ast->start, ast->start_place, "is the start symbol and has no rule",
                       error);
}

static cflr_status check_filter(struct cflri_ast *ast, const cflri_ast_filter *filter,
                                cflr_error *error) {
    if (!ast->symbols.at[filter->symbol].n_rules) {
        return fail_symbol(ast, filter->symbol, filter->place, "is filtered and has no rule",
                           error);
    }
    for (uint32_t i = 0; i < filter->n_steps; i++) {
        const cflri_ast_step *step = &ast->steps.at[filter->first_step + i];
        if (!ast->symbols.at[step->symbol].n_rules) continue;
        return fail_symbol(ast, step->symbol, step->place,
                           "has rules, and a filter goes along labels of the graph", error);
    }
    return CFLR_OK;
}

cflr_status cflri_check_tree(struct cflri_ast *ast, cflr_error *error) {
    cflr_status st = CFLR_OK;
    CFLR_TRY(check_start(ast, error));
    for (size_t i = 0; i < ast->answers.n; i++) {
        const cflri_ast_answer *answer = &ast->answers.at[i];
        const cflri_ast_symbol *symbol = &ast->symbols.at[answer->symbol];
        if (answer->meets && symbol->shape == CFLRI_SHAPE_INDEXED) {
            return fail_symbol(ast, answer->symbol, answer->place,
                               "has indexes, and only rows without meet in an answer", error);
        }
        if (answer->meets && strcmp(answer->question, "points-to") == 0) {
            return fail_symbol(ast, answer->symbol, answer->place,
                               "and its converse lead from a pointer to a pointer, to no object",
                               error);
        }
        if (symbol->n_rules || symbol->on_right) continue;
        return fail_symbol(ast, answer->symbol, answer->place,
                           "answers a question and is in no rule", error);
    }
    for (size_t i = 0; i < ast->filters.n; i++) {
        CFLR_TRY(check_filter(ast, &ast->filters.at[i], error));
    }
    for (uint32_t s = 1; s < ast->symbols.n; s++) {
        const cflri_ast_symbol *symbol = &ast->symbols.at[s];
        if (symbol->n_rules || !symbol->on_right) continue;
        const char *name = cflri_ast_name(ast, s);
        if (cflri_is_auxiliary_name(name, strlen(name))) {
            return fail_symbol(ast, s, symbol->place, "is an auxiliary and has no rule", error);
        }
        if (!ast->has_terminals || symbol->declared_at.line) continue;
        return fail_symbol(ast, s, symbol->place, "has no rule and is not in %terminal", error);
    }
out:
    return st;
}

/* ---- warnings ---- */

typedef struct checker {
    cflr_grammar *grammar;
    bool *productive;
    bool *reachable;
    uint32_t *start;    /* symbol -> its first occurrence in `reader`, n_symbols + 1 */
    uint32_t *reader;   /* rules that have the symbol on the right */
    uint32_t *queue;    /* symbols */
    uint8_t *missing;   /* rule -> right symbols that are not productive yet */
    uint32_t *rules_of; /* symbol -> first in `rule_of_left`, n_symbols + 1 */
    uint32_t *rule_of_left;
} checker;

static cflr_status warn(cflr_grammar *grammar, cflri_place place, const char *message,
                        cflr_error *error) {
    if (grammar->diagnostics.n > MOST_DIAGNOSTICS) return CFLR_OK;
    cflr_diagnostic made = {.line = place.line, .column = place.column};
    bool full = grammar->diagnostics.n == MOST_DIAGNOSTICS;
    if (full) made = (cflr_diagnostic){.line = UINT32_MAX};
    snprintf(made.message, sizeof made.message, "%s",
             full ? "more warnings are left out" : message);
    if (!cflri_vec_push(grammar->context, &grammar->diagnostics, made)) {
        return cflri_fail_memory(grammar->context, error);
    }
    return CFLR_OK;
}

static cflr_status warn_symbol(cflr_grammar *grammar, uint32_t symbol, const char *rest,
                               cflr_error *error) {
    const cflri_symbol *s = &grammar->symbol[symbol];
    char message[224];
    snprintf(message, sizeof message, "'%.60s' %s", s->name, rest);
    return warn(grammar, (cflri_place){s->line, s->column}, message, error);
}

/* Buckets rules by a symbol: start[s] .. start[s + 1] in list. */
static void bucket(uint32_t *start, uint32_t *list, uint32_t n_symbols, const cflr_grammar *grammar,
                   bool by_left) {
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t r = 0; r < grammar->n_rules; r++) {
            const cflri_rule *rule = &grammar->rule[r];
            uint32_t n = by_left ? 1 : rule->n_right;
            for (uint32_t k = 0; k < n; k++) {
                uint32_t symbol = by_left ? rule->left : rule->right[k];
                if (pass == 0) {
                    start[symbol + 1]++;
                } else {
                    list[start[symbol]++] = r;
                }
            }
        }
        for (uint32_t s = 0; pass == 0 && s < n_symbols; s++) start[s + 1] += start[s];
    }
    assert(start[n_symbols - 1] == start[n_symbols]); /* each has moved to where the next begins */
    memmove(start + 1, start, n_symbols * sizeof *start);
    start[0] = 0;
}

static cflr_status checker_init(checker *c, cflr_grammar *grammar, cflr_error *error) {
    cflr_context *context = grammar->context;
    size_t n = grammar->n_symbols, rules = grammar->n_rules;
    c->grammar = grammar;
    c->productive = cflri_alloc_array_zero(context, n, sizeof *c->productive);
    c->reachable = cflri_alloc_array_zero(context, n, sizeof *c->reachable);
    c->start = cflri_alloc_array_zero(context, n + 1, sizeof *c->start);
    c->reader = cflri_alloc_array(context, 2 * rules, sizeof *c->reader);
    c->queue = cflri_alloc_array(context, n, sizeof *c->queue);
    c->missing = cflri_alloc_array(context, rules, sizeof *c->missing);
    c->rules_of = cflri_alloc_array_zero(context, n + 1, sizeof *c->rules_of);
    c->rule_of_left = cflri_alloc_array(context, rules, sizeof *c->rule_of_left);
    if (!c->productive || !c->reachable || !c->start || !c->reader || !c->queue || !c->missing ||
        !c->rules_of || !c->rule_of_left) {
        return cflri_fail_memory(context, error);
    }
    bucket(c->start, c->reader, grammar->n_symbols, grammar, false);
    bucket(c->rules_of, c->rule_of_left, grammar->n_symbols, grammar, true);
    return CFLR_OK;
}

static void checker_free(checker *c, cflr_context *context) {
    cflri_free(context, c->productive);
    cflri_free(context, c->reachable);
    cflri_free(context, c->start);
    cflri_free(context, c->reader);
    cflri_free(context, c->queue);
    cflri_free(context, c->missing);
    cflri_free(context, c->rules_of);
    cflri_free(context, c->rule_of_left);
}

static bool is_declared(const cflr_grammar *grammar, uint32_t symbol) {
    if (grammar->symbol[symbol].kind != CFLRI_NONTERMINAL) return false;
    const struct cflri_ast *ast = grammar->ast;
    const char *name = grammar->symbol[symbol].name;
    uint32_t s = cflri_strings_find(&ast->names, name, strlen(name));
    return s != CFLRI_NO_STRING && ast->symbols.at[s].declared_at.line;
}

/* The left sides of rules with all their right side marked become marked, over and over; the
 * first n symbols of the queue are marked from the beginning. */
static void mark_all(checker *c, bool *marked, uint32_t n) {
    const cflr_grammar *g = c->grammar;
    for (uint32_t r = 0; r < g->n_rules; r++) {
        c->missing[r] = g->rule[r].n_right;
        uint32_t left = g->rule[r].left;
        if (c->missing[r] || marked[left]) continue;
        marked[left] = true;
        c->queue[n++] = left;
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t symbol = c->queue[i];
        for (uint32_t k = c->start[symbol]; k < c->start[symbol + 1]; k++) {
            uint32_t left = g->rule[c->reader[k]].left;
            assert(c->missing[c->reader[k]]);
            if (--c->missing[c->reader[k]] || marked[left]) continue;
            marked[left] = true;
            c->queue[n++] = left;
        }
    }
    assert(n <= g->n_symbols);
}

static void find_productive(checker *c) {
    const cflr_grammar *g = c->grammar;
    uint32_t n = 0;
    for (uint32_t s = 0; s < g->n_symbols; s++) {
        bool plain = g->symbol[s].converse_of == CFLRI_NO_SYMBOL;
        if (plain && (g->symbol[s].kind == CFLRI_TERMINAL || is_declared(g, s))) {
            c->productive[s] = true;
            c->queue[n++] = s;
        }
    }
    mark_all(c, c->productive, n);
}

/* Solvers take the pairs (v,v) of a nullable symbol for granted, so no filter may leave one out. */
static cflr_status check_nullable(checker *c, cflr_error *error) {
    const cflr_grammar *g = c->grammar;
    if (!g->filters.n) return CFLR_OK;
    bool *nullable = cflri_alloc_array_zero(g->context, g->n_symbols, sizeof *nullable);
    if (!nullable) return cflri_fail_memory(g->context, error);
    cflr_status st = CFLR_OK;
    mark_all(c, nullable, 0);
    for (size_t i = 0; i < g->filters.n && st == CFLR_OK; i++) {
        const cflri_symbol *symbol = &g->symbol[g->filters.at[i].symbol];
        if (!nullable[g->filters.at[i].symbol]) continue;
        st = cflri_fail_at(error, CFLR_SYNTAX, g->subject, symbol->line, symbol->column,
                           "'%.60s' is filtered and has the empty path", symbol->name);
    }
    cflri_free(g->context, nullable);
    return st;
}

static void reach(checker *c, uint32_t symbol, uint32_t *n) {
    if (c->reachable[symbol]) return;
    c->reachable[symbol] = true;
    c->queue[(*n)++] = symbol;
}

static void find_reachable(checker *c) {
    const cflr_grammar *g = c->grammar;
    uint32_t n = 0;
    reach(c, g->start, &n);
    for (size_t i = 0; i < g->answers.n; i++) reach(c, g->answers.at[i].symbol, &n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t symbol = c->queue[i];
        for (uint32_t k = c->rules_of[symbol]; k < c->rules_of[symbol + 1]; k++) {
            const cflri_rule *rule = &g->rule[c->rule_of_left[k]];
            for (uint32_t j = 0; j < rule->n_right; j++) reach(c, rule->right[j], &n);
        }
    }
}

static cflr_status warn_symbols(checker *c, cflr_error *error) {
    cflr_status st = CFLR_OK;
    cflr_grammar *g = c->grammar;
    for (uint32_t s = 0; s < g->n_symbols; s++) {
        if (g->symbol[s].kind != CFLRI_NONTERMINAL) continue;
        if (g->symbol[s].converse_of != CFLRI_NO_SYMBOL) continue;
        if (!c->productive[s]) {
            CFLR_TRY(warn_symbol(g, s,
                                 s == g->start
                                     ? "is the start symbol and derives no path of labels"
                                     : "derives no path of labels (if graphs have such edges, name "
                                       "it in %terminal)",
                                 error));
        }
        if (!c->reachable[s]) {
            char rest[128];
            snprintf(rest, sizeof rest, "cannot be reached from the start symbol '%.60s'",
                     g->symbol[g->start].name);
            CFLR_TRY(warn_symbol(g, s, rest, error));
        }
    }
out:
    return st;
}

static cflr_status warn_unused(cflr_grammar *grammar, cflr_error *error) {
    const struct cflri_ast *ast = grammar->ast;
    for (uint32_t s = 1; s < ast->symbols.n; s++) {
        const cflri_ast_symbol *symbol = &ast->symbols.at[s];
        if (!symbol->declared_at.line || symbol->n_rules || symbol->on_right) continue;
        char message[128];
        snprintf(message, sizeof message, "'%.60s' is in %%terminal and in no rule",
                 cflri_ast_name(ast, s));
        cflr_status st = warn(grammar, symbol->declared_at, message, error);
        if (st != CFLR_OK) return st;
    }
    return CFLR_OK;
}

/* `abar` used as a label, and `a` known. */
static cflr_status warn_bars(cflr_grammar *grammar, cflr_error *error) {
    const struct cflri_ast *ast = grammar->ast;
    for (uint32_t s = 1; s < ast->symbols.n; s++) {
        const char *name = cflri_ast_name(ast, s);
        size_t length = strlen(name);
        if (ast->symbols.at[s].n_rules || !ast->symbols.at[s].on_right) continue;
        if (length < 4 || strcmp(name + length - 3, "bar") != 0) continue;
        if (cflri_strings_find(&ast->names, name, length - 3) == CFLRI_NO_STRING) continue;
        char message[224];
        snprintf(message, sizeof message,
                 "'%.60s' is a label of its own; '%.*s' backwards is ~%.*s", name,
                 (int)(length > 63 ? 60 : length - 3), name, (int)(length > 63 ? 60 : length - 3),
                 name);
        cflr_status st = warn(grammar, ast->symbols.at[s].place, message, error);
        if (st != CFLR_OK) return st;
    }
    return CFLR_OK;
}

/* Alternatives with the same text under the same left side, and A ::= A. */
static cflr_status warn_repeated(cflr_grammar *grammar, cflr_error *error) {
    cflr_status st = CFLR_OK;
    cflri_memo memo = {0};
    CFLR_TRY(cflri_memo_init(&memo, grammar->context, error));
    for (uint32_t o = 0; o < grammar->n_origins; o++) {
        const cflri_origin *origin = &grammar->origin[o];
        cflri_place place = {origin->line, origin->column};
        char message[224];
        uint32_t *first;
        CFLR_TRY(cflri_memo_find(&memo, origin->text, strlen(origin->text), &first, error));
        if (*first == CFLRI_NO_SYMBOL) {
            *first = o;
        } else {
            snprintf(message, sizeof message, "the rule '%.100s' stands already at %u:%u",
                     origin->text, grammar->origin[*first].line, grammar->origin[*first].column);
            CFLR_TRY(warn(grammar, place, message, error));
        }
        const char *right = strstr(origin->text, " ::= ");
        assert(right);
        size_t left = (size_t)(right - origin->text);
        if (strlen(right + 5) == left && !memcmp(right + 5, origin->text, left)) {
            snprintf(message, sizeof message, "the rule '%.100s' adds nothing", origin->text);
            CFLR_TRY(warn(grammar, place, message, error));
        }
    }
out:
    cflri_memo_free(&memo);
    return st;
}

static int by_place(const void *a, const void *b) {
    const cflr_diagnostic *x = a, *y = b;
    if (x->line != y->line) return x->line < y->line ? -1 : 1;
    if (x->column != y->column) return x->column < y->column ? -1 : 1;
    return strcmp(x->message, y->message);
}

cflr_status cflri_check_grammar(cflr_grammar *grammar, cflr_error *error) {
    cflr_status st = CFLR_OK;
    checker c = {0};
    CFLR_TRY(checker_init(&c, grammar, error));
    CFLR_TRY(check_nullable(&c, error));
    find_productive(&c);
    find_reachable(&c);
    CFLR_TRY(warn_symbols(&c, error));
    CFLR_TRY(warn_unused(grammar, error));
    CFLR_TRY(warn_bars(grammar, error));
    CFLR_TRY(warn_repeated(grammar, error));
    if (grammar->diagnostics.n) {
        qsort(grammar->diagnostics.at, grammar->diagnostics.n, sizeof *grammar->diagnostics.at,
              by_place);
    }
    if (grammar->diagnostics.n > MOST_DIAGNOSTICS) {
        grammar->diagnostics.at[MOST_DIAGNOSTICS].line = 0;
    }
out:
    checker_free(&c, grammar->context);
    return st;
}
