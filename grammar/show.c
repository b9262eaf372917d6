/* SPDX-License-Identifier: Apache-2.0
 *
 * show.c: a grammar's stages as text, in the syntax that the parser reads.
 *
 *     rules      as read
 *     expanded   one alternative a line, operators gone      Alias ::= %1 %2        # 3:9
 *     normal     at most two symbols on the right            %2 ::= ~Flow %1        # 3:9
 *     index      what the solvers look up                    by left  B: C -> A
 *     ground     indexes of a graph filled in                FV["8"] ::= ~f["8"] V  # 5:1
 *
 * The comment is the line and column of the author's rule. Auxiliaries are %1, %2, ...; each is
 * introduced by the expression that it stands for.
 */
#include "base/context.h"
#include "grammar/ast.h"
#include "grammar/ground.h"
#include "grammar/text.h"

/* ---- stages of the tree ---- */

static void show_directives(cflri_text *text, const cflr_grammar *grammar) {
    cflri_text_add(text, "%start ");
    cflri_text_symbol(text, grammar->symbol[grammar->start].name);
    cflri_text_add(text, "\n");
    for (size_t i = 0; i < grammar->answers.n; i++) {
        cflri_text_printf(text, "%%answer %s ", grammar->answers.at[i].question);
        cflri_text_symbol(text, grammar->symbol[grammar->answers.at[i].symbol].name);
        cflri_text_add(text, "\n");
    }
}

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

static void show_place(cflri_text *text, const cflr_grammar *grammar, uint32_t origin) {
    const cflri_origin *from = &grammar->origin[origin];
    cflri_text_printf(text, "  # %u:%u\n", from->line, from->column);
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
        show_place(text, grammar, flat->origin);
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

static void show_normal(cflri_text *text, const cflr_grammar *grammar) {
    show_directives(text, grammar);
    for (uint32_t r = 0; r < grammar->n_rules; r++) {
        const cflri_rule *rule = &grammar->rule[r];
        if (rule->is_converse) continue; /* `~X` says it already */
        show_symbol(text, grammar, rule, 0);
        cflri_text_add(text, " ::=");
        for (int i = 1; i <= rule->n_right; i++) {
            cflri_text_add(text, " ");
            show_symbol(text, grammar, rule, i);
        }
        if (rule->n_right == 0) cflri_text_add(text, " eps");
        show_place(text, grammar, rule->origin);
    }
}

/* ---- what the solvers look up ---- */

/* The rules that symbol `s` takes part in at place `at` (1 left partner or only one, 2 right). */
static void show_uses(cflri_text *text, const cflr_grammar *grammar, uint32_t s, int at,
                      int n_right, const char *heading) {
    bool any = false;
    for (uint32_t r = 0; r < grammar->n_rules; r++) {
        const cflri_rule *rule = &grammar->rule[r];
        if (rule->n_right != n_right || rule->right[at - 1] != s) continue;
        if (!any) {
            cflri_text_printf(text, "%s ", heading);
            show_symbol(text, grammar, rule, at);
            cflri_text_add(text, ":");
        }
        any = true;
        cflri_text_add(text, "  ");
        if (n_right == 2) {
            show_symbol(text, grammar, rule, 3 - at);
            cflri_text_add(text, " -> ");
        } else {
            cflri_text_add(text, rule->is_converse ? "backwards -> " : "-> ");
        }
        show_symbol(text, grammar, rule, 0);
    }
    if (any) cflri_text_add(text, "\n");
}

static void show_index(cflri_text *text, const cflr_grammar *grammar) {
    for (uint32_t s = 0; s < grammar->n_symbols; s++) {
        show_uses(text, grammar, s, 1, 1, "unary   ");
        show_uses(text, grammar, s, 1, 2, "by left ");
        show_uses(text, grammar, s, 2, 2, "by right");
    }
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

static void show_ground_rules(cflri_text *text, const cflri_ground *ground) {
    show_directives(text, ground->grammar);
    for (uint32_t e = 0; e < ground->n_epsilon; e++) {
        show_ground_symbol(text, ground, ground->epsilon[e]);
        cflri_text_add(text, " ::= eps\n");
    }
    for (uint32_t r = 0; r < ground->n_rules; r++) {
        const cflri_ground_rule *rule = &ground->rule[r];
        const cflri_rule *origin = &ground->grammar->rule[rule->rule];
        if (origin->is_converse) continue;
        show_ground_symbol(text, ground, rule->left);
        cflri_text_add(text, " ::= ");
        show_ground_symbol(text, ground, rule->right[0]);
        if (rule->right[1] != CFLRI_NO_SYMBOL) {
            cflri_text_add(text, " ");
            show_ground_symbol(text, ground, rule->right[1]);
        }
        show_place(text, ground->grammar, origin->origin);
    }
}

static cflr_status show_ground(cflri_text *text, const cflr_grammar *grammar,
                               const cflr_graph *graph, cflr_error *error) {
    if (!graph) {
        return cflri_fail(error, CFLR_ARGUMENT, NULL,
                          "the ground stage needs a graph, whose indexes are filled in");
    }
    cflri_ground *ground;
    cflr_status st = cflri_ground_new(grammar, graph, &ground, error);
    if (st != CFLR_OK) return st;
    show_ground_rules(text, ground);
    cflri_ground_free(ground);
    return CFLR_OK;
}

/* ---- the entry ---- */

cflr_status cflr_grammar_show(const cflr_grammar *grammar, cflr_grammar_stage stage,
                              const cflr_graph *graph, char **text, cflr_error *error) {
    cflri_text shown;
    cflr_status st = CFLR_OK;
    *text = NULL;
    cflri_text_init(&shown, grammar->context);
    switch (stage) {
        case CFLR_STAGE_RULES:
            show_rules(&shown, grammar);
            break;
        case CFLR_STAGE_EXPANDED:
            show_expanded(&shown, grammar);
            break;
        case CFLR_STAGE_NORMAL:
            show_normal(&shown, grammar);
            break;
        case CFLR_STAGE_INDEX:
            show_index(&shown, grammar);
            break;
        case CFLR_STAGE_GROUND:
            st = show_ground(&shown, grammar, graph, error);
            break;
        default:
            st = cflri_fail(error, CFLR_ARGUMENT, NULL, "no stage has number %d", (int)stage);
    }
    if (st == CFLR_OK) return cflri_text_take(&shown, text, error);
    cflri_text_drop(&shown);
    return st;
}
