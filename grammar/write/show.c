/* SPDX-License-Identifier: Apache-2.0
 *
 * show.c: a grammar's stages as text, in the syntax that the parser reads.
 *
 *     rules      as read
 *     expanded   one alternative a line, operators gone      Alias ::= %1 %2        # 3:9
 *     normal     at most two symbols on the right            %2 ::= ~Flow %1        # 3:9
 *     index      what the solvers look up                    by left  B: C -> A
 *     ground     indexes of a graph filled in                FV["8"] ::= ~f["8"] V  # 5:1
 *     plan       equations between rows: equations.h         FV["8"] >= ~f["8"] . V
 *
 * The comment is the line and column of the author's alternative, or for an auxiliary (%1, %2, ...)
 * of the expression that it stands for. All stages but `index` and `plan` read back as grammars of
 * the same meaning.
 */
#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "grammar/equations/equations.h"
#include "grammar/read/ast.h"
#include "grammar/read/text.h"

/* ---- directives ---- */

static void show_terminals(cflri_text *text, const struct cflri_ast *ast) {
    if (!ast->has_terminals) return;
    cflri_text_add(text, "%terminal");
    for (uint32_t s = 1; s < ast->symbols.n; s++) {
        if (!ast->symbols.at[s].declared_at.line) continue;
        cflri_text_add(text, " ");
        cflri_text_symbol(text, cflri_ast_name(ast, s));
        if (ast->symbols.at[s].shape == CFLRI_SHAPE_INDEXED) cflri_text_add(text, "[i]");
    }
    cflri_text_add(text, "\n");
}

static void show_filters(cflri_text *text, const cflr_grammar *grammar) {
    for (size_t i = 0; i < grammar->filters.n; i++) {
        const cflri_filter_rule *filter = &grammar->filters.at[i];
        cflri_text_add(text, "%filter ");
        cflri_text_symbol(text, grammar->symbol[filter->symbol].name);
        for (uint32_t k = 0; k < filter->n; k++) {
            cflri_text_add(text, filter->back[k] ? " ~" : " ");
            cflri_text_symbol(text, grammar->symbol[filter->label[k]].name);
        }
        cflri_text_add(text, "\n");
    }
}

static void show_directives(cflri_text *text, const cflr_grammar *grammar) {
    cflri_text_add(text, "%start ");
    cflri_text_symbol(text, grammar->symbol[grammar->start].name);
    cflri_text_add(text, "\n");
    show_terminals(text, grammar->ast);
    for (size_t i = 0; i < grammar->answers.n; i++) {
        cflri_text_add(text, "%answer ");
        cflri_text_symbol(text, grammar->answers.at[i].question);
        cflri_text_add(text, " ");
        const char *name = grammar->symbol[grammar->answers.at[i].symbol].name;
        cflri_text_symbol(text, name);
        if (grammar->answers.at[i].meets) {
            cflri_text_add(text, " ~");
            cflri_text_symbol(text, name);
        }
        cflri_text_add(text, "\n");
    }
    show_filters(text, grammar);
}

/* ---- symbols without rules ---- */

/* Did the author name the symbol, and give it rules? (An auxiliary may be one that was shown
 * before.) */
static bool is_named(const cflr_grammar *grammar, const cflri_symbol *symbol) {
    if (symbol->kind == CFLRI_TERMINAL || symbol->converse_of != CFLRI_NO_SYMBOL) return false;
    return cflri_strings_find(&grammar->ast->names, symbol->name, strlen(symbol->name)) !=
           CFLRI_NO_STRING;
}

/* A nonterminal whose rules are all gone (A ::= A, or nothing that the graph could have) keeps one
 * that says nothing: the text must not turn it into a label. */
static void show_ruleless(cflri_text *text, const cflr_grammar *grammar, const bool *has_rules) {
    for (uint32_t s = 0; s < grammar->n_symbols; s++) {
        const cflri_symbol *symbol = &grammar->symbol[s];
        if (has_rules[s] || !is_named(grammar, symbol)) continue;
        const char *index = symbol->indexed ? "[i]" : "";
        cflri_text_symbol(text, symbol->name);
        cflri_text_printf(text, "%s ::= ", index);
        cflri_text_symbol(text, symbol->name);
        cflri_text_printf(text, "%s  # %u:%u\n", index, symbol->line, symbol->column);
    }
}

/* ---- stages of the tree ---- */

static void show_rules(cflri_text *text, const cflr_grammar *grammar) {
    const struct cflri_ast *ast = grammar->ast;
    show_directives(text, grammar);
    for (size_t r = 0; r < ast->rules.n; r++) {
        const cflri_ast_rule *rule = &ast->rules.at[r];
        cflri_text_symbol(text, cflri_ast_name(ast, rule->left));
        cflri_text_index(text, ast, rule, rule->left_use, rule->left_index);
        cflri_text_add(text, " ::= ");
        cflri_text_node(text, ast, rule, rule->body);
        cflri_text_add(text, "\n");
    }
}

static void show_item(cflri_text *text, const cflr_grammar *grammar, const cflri_ast_rule *rule,
                      const cflri_item *item) {
    cflri_text_symbol(text, grammar->symbol[item->symbol].name);
    cflri_text_index(text, grammar->ast, rule, item->use, item->index);
}

/* Where a rule of `left` comes from: the author's alternative, or for an auxiliary the expression
 * inside of it that it stands for. */
static void show_place(cflri_text *text, const cflr_grammar *grammar, uint32_t left,
                       uint32_t origin) {
    const cflri_symbol *symbol = &grammar->symbol[left];
    const cflri_origin *from = &grammar->origin[origin];
    bool made = symbol->kind == CFLRI_AUXILIARY;
    cflri_text_printf(text, "  # %u:%u\n", made ? symbol->line : from->line,
                      made ? symbol->column : from->column);
}

static void show_expanded(cflri_text *text, const cflr_grammar *grammar) {
    const struct cflri_ast *ast = grammar->ast;
    show_directives(text, grammar);
    for (size_t f = 0; f < ast->flats.n; f++) {
        const cflri_flat *flat = &ast->flats.at[f];
        const cflri_ast_rule *rule = &ast->rules.at[ast->origin_rule.at[flat->origin]];
        show_item(text, grammar, rule, &flat->left);
        cflri_text_add(text, " ::=");
        for (uint32_t i = 0; i < flat->n; i++) {
            cflri_text_add(text, " ");
            show_item(text, grammar, rule, &flat->item[i]);
        }
        if (flat->n == 0) cflri_text_add(text, " eps");
        show_place(text, grammar, flat->left.symbol, flat->origin);
    }
}

/* ---- the normal form ---- */

/* Symbol `at` of a rule: 0 the left side, 1 and 2 the right. A projected index is a variable of its
 * own, so it is written [_]. */
static void show_symbol(cflri_text *text, const cflr_grammar *grammar, const cflri_rule *rule,
                        int at) {
    uint32_t symbol = at == 0 ? rule->left : rule->right[at - 1];
    uint8_t use = at == 0 ? rule->left_use : rule->right_use[at - 1];
    cflri_text_symbol(text, grammar->symbol[symbol].name);
    if (use == CFLRI_INDEX_VARIABLE) cflri_text_add(text, rule->projects ? "[_]" : "[i]");
    if (use == CFLRI_INDEX_CONSTANT) {
        cflri_text_add(text, "[");
        cflri_text_quoted(text, grammar->constant[rule->constant[at]]);
        cflri_text_add(text, "]");
    }
}

static void show_normal(cflri_text *text, const cflr_grammar *grammar, bool *has_rules) {
    show_directives(text, grammar);
    for (uint32_t r = 0; r < grammar->n_rules; r++) {
        const cflri_rule *rule = &grammar->rule[r];
        if (rule->is_converse) continue; /* `~X` says it already */
        has_rules[rule->left] = true;
        show_symbol(text, grammar, rule, 0);
        cflri_text_add(text, " ::=");
        for (int i = 1; i <= rule->n_right; i++) {
            cflri_text_add(text, " ");
            show_symbol(text, grammar, rule, i);
        }
        if (rule->n_right == 0) cflri_text_add(text, " eps");
        show_place(text, grammar, rule->left, rule->origin);
    }
    show_ruleless(text, grammar, has_rules);
}

/* ---- what the solvers look up ---- */

/* A place on the right side of a rule. */
typedef struct use {
    uint32_t symbol;
    uint32_t kind; /* 0: only symbol; 1: left partner; 2: right partner */
    uint32_t rule;
} use;

static int by_symbol(const void *a, const void *b) {
    const use *x = a, *y = b;
    if (x->symbol != y->symbol) return x->symbol < y->symbol ? -1 : 1;
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    return x->rule < y->rule ? -1 : x->rule > y->rule;
}

static size_t collect_uses(const cflr_grammar *grammar, use *uses) {
    size_t n = 0;
    for (uint32_t r = 0; r < grammar->n_rules; r++) {
        const cflri_rule *rule = &grammar->rule[r];
        for (uint32_t i = 0; i < rule->n_right; i++) {
            uses[n++] = (use){rule->right[i], rule->n_right == 2 ? i + 1 : 0, r};
        }
    }
    return n;
}

static void show_use(cflri_text *text, const cflr_grammar *grammar, const use *u) {
    const cflri_rule *rule = &grammar->rule[u->rule];
    cflri_text_add(text, "  ");
    if (u->kind) {
        show_symbol(text, grammar, rule, u->kind == 1 ? 2 : 1);
        cflri_text_add(text, " ");
    } else if (rule->is_converse) {
        cflri_text_add(text, "backwards ");
    }
    cflri_text_add(text, "-> ");
    show_symbol(text, grammar, rule, 0);
}

static cflr_status show_index(cflri_text *text, const cflr_grammar *grammar, cflr_error *error) {
    static const char *const headings[] = {"unary   ", "by left ", "by right"};
    cflr_context *context = grammar->context;
    use *uses = cflri_alloc_array(context, 2 * (size_t)grammar->n_rules, sizeof *uses);
    if (!uses) return cflri_fail_memory(context, error);
    size_t n = collect_uses(grammar, uses);
    if (n) qsort(uses, n, sizeof *uses, by_symbol);
    for (size_t i = 0; i < n; i++) {
        const use *u = &uses[i];
        if (!i || uses[i - 1].symbol != u->symbol || uses[i - 1].kind != u->kind) {
            cflri_text_printf(text, "%s%s ", i ? "\n" : "", headings[u->kind]);
            cflri_text_symbol(text, grammar->symbol[u->symbol].name);
            cflri_text_add(text, ":");
        }
        show_use(text, grammar, u);
    }
    if (n) cflri_text_add(text, "\n");
    cflri_free(context, uses);
    return CFLR_OK;
}

/* ---- with the indexes of a graph ---- */

static void show_ground_symbol(cflri_text *text, const cflri_ground *ground, uint32_t s) {
    const cflri_symbol *symbol = &ground->grammar->symbol[ground->symbol[s].symbol];
    cflri_text_symbol(text, symbol->name);
    if (!symbol->indexed) return;
    cflri_text_add(text, "[");
    cflri_text_quoted(text, cflri_ground_index_text(ground, s));
    cflri_text_add(text, "]");
}

static void show_ground_rules(cflri_text *text, const cflri_ground *ground, bool *has_rules) {
    show_directives(text, ground->grammar);
    for (uint32_t e = 0; e < ground->n_epsilon; e++) {
        has_rules[ground->symbol[ground->epsilon[e]].symbol] = true;
        show_ground_symbol(text, ground, ground->epsilon[e]);
        cflri_text_add(text, " ::= eps\n");
    }
    for (uint32_t r = 0; r < ground->n_rules; r++) {
        const cflri_ground_rule *rule = &ground->rule[r];
        const cflri_rule *origin = &ground->grammar->rule[rule->rule];
        if (origin->is_converse) continue;
        has_rules[origin->left] = true;
        show_ground_symbol(text, ground, rule->left);
        cflri_text_add(text, " ::= ");
        show_ground_symbol(text, ground, rule->right[0]);
        if (rule->right[1] != CFLRI_NO_SYMBOL) {
            cflri_text_add(text, " ");
            show_ground_symbol(text, ground, rule->right[1]);
        }
        show_place(text, ground->grammar, origin->left, origin->origin);
    }
    show_ruleless(text, ground->grammar, has_rules);
}

/* The equations that the grammar becomes on a graph with edges of the labels that this one has. */
static cflr_status show_plan(cflri_text *text, const cflri_ground *ground, cflr_error *error) {
    cflr_context *context = ground->context;
    cflri_equations *equations = NULL;
    cflri_input_kind *input = cflri_inputs_of(ground);
    if (!input) return cflri_fail_memory(context, error);
    cflr_status st =
        cflri_equations_new(ground, input, NULL, ground->context->techniques, &equations, error);
    if (st == CFLR_OK) cflri_equations_show(text, ground, equations);
    cflri_equations_free(equations);
    cflri_free(context, input);
    return st;
}

static cflr_status show_ground(cflri_text *text, const cflr_grammar *grammar,
                               const cflr_graph *graph, cflr_grammar_stage stage, bool *has_rules,
                               cflr_error *error) {
    if (!graph) {
        return cflri_fail(error, CFLR_ARGUMENT, NULL,
                          "the %s stage needs a graph, whose indexes are filled in",
                          stage == CFLR_STAGE_PLAN ? "plan" : "ground");
    }
    cflri_ground *ground;
    cflr_status st = cflri_ground_new(grammar, graph, &ground, error);
    if (st != CFLR_OK) return st;
    if (stage == CFLR_STAGE_PLAN) {
        st = show_plan(text, ground, error);
    } else {
        show_ground_rules(text, ground, has_rules);
    }
    cflri_ground_free(ground);
    return st;
}

/* ---- the entry ---- */

cflr_status cflr_grammar_show(const cflr_grammar *grammar, cflr_grammar_stage stage,
                              const cflr_graph *graph, char **text, cflr_error *error) {
    cflri_text shown;
    cflr_status st = CFLR_OK;
    *text = NULL;
    bool *has_rules = cflri_alloc_zero(grammar->context, grammar->n_symbols * sizeof *has_rules);
    if (!has_rules) return cflri_fail_memory(grammar->context, error);
    cflri_text_init(&shown, grammar->context);
    switch (stage) {
        case CFLR_STAGE_RULES:
            show_rules(&shown, grammar);
            break;
        case CFLR_STAGE_EXPANDED:
            show_expanded(&shown, grammar);
            break;
        case CFLR_STAGE_NORMAL:
            show_normal(&shown, grammar, has_rules);
            break;
        case CFLR_STAGE_INDEX:
            st = show_index(&shown, grammar, error);
            break;
        case CFLR_STAGE_GROUND:
        case CFLR_STAGE_PLAN:
            st = show_ground(&shown, grammar, graph, stage, has_rules, error);
            break;
        default:
            st = cflri_fail(error, CFLR_ARGUMENT, NULL, "no stage has number %d", (int)stage);
    }
    cflri_free(grammar->context, has_rules);
    if (st == CFLR_OK) return cflri_text_take(&shown, text, error);
    cflri_text_drop(&shown);
    return st;
}
