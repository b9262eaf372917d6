/* SPDX-License-Identifier: Apache-2.0
 *
 * ast.c: building and printing trees. Symbols and constants are interned; nodes live in the
 * grammar's arena, so that a failure half-way needs no clean-up.
 */
#include "grammar/read/ast.h"

#include <assert.h>
#include <string.h>

#include "base/letters.h"

cflr_status cflri_ast_new(cflr_grammar *grammar, struct cflri_ast **ast, cflr_error *error) {
    cflr_status st = CFLR_OK;
    cflr_context *context = grammar->context;
    struct cflri_ast *made = cflri_alloc_zero(context, sizeof *made);
    if (!made) return cflri_fail_memory(context, error);
    made->context = context;
    made->grammar = grammar;
    CFLR_TRY(cflri_strings_init(&made->names, context, error));
    CFLR_TRY(cflri_strings_init(&made->constants, context, error));
    if (!cflri_vec_push(context, &made->symbols, (cflri_ast_symbol){0})) {
        CFLR_TRY(cflri_fail_memory(context, error));
    }
out:
    if (st != CFLR_OK) {
        cflri_ast_free(made);
        made = NULL;
    }
    *ast = made;
    return st;
}

void cflri_ast_free(struct cflri_ast *ast) {
    if (!ast) return;
    if (ast->names.context) cflri_strings_free(&ast->names);
    if (ast->constants.context) cflri_strings_free(&ast->constants);
    cflri_vec_free(ast->context, &ast->symbols);
    cflri_vec_free(ast->context, &ast->rules);
    cflri_vec_free(ast->context, &ast->answers);
    cflri_vec_free(ast->context, &ast->filters);
    cflri_vec_free(ast->context, &ast->steps);
    cflri_vec_free(ast->context, &ast->origin_rule);
    cflri_vec_free(ast->context, &ast->flats);
    cflri_free(ast->context, ast);
}

/* A name that a label could have: not empty, UTF-8, no control characters, no sign of ours. */
static const char *name_fault(const char *name, size_t length) {
    if (!length) return "a symbol needs a name";
    if (name[0] == '~') return "a name cannot begin with '~'";
    for (size_t i = 0; i < length;) {
        size_t step = cflri_utf8_length(name + i, length - i);
        if (!step) return "a name must be UTF-8";
        if ((unsigned char)name[i] < 0x20 || name[i] == 0x7F) {
            return "a name cannot hold control characters";
        }
        /* the mark is invisible, and skipped at the start of a text */
        if (step == 3 && !memcmp(name + i, "\xEF\xBB\xBF", 3)) {
            return "a name cannot hold a byte-order mark";
        }
        i += step;
    }
    return NULL;
}

cflr_status cflri_ast_symbol_add(struct cflri_ast *ast, const char *name, size_t length,
                                 cflri_place place, uint32_t *symbol, cflr_error *error) {
    const char *fault = name_fault(name, length);
    if (fault) {
        return cflri_fail_at(error, CFLR_SYNTAX, ast->grammar->subject, place.line, place.column,
                             "%s", fault);
    }
    cflr_status st = cflri_intern(&ast->names, name, length, symbol, error);
    if (st != CFLR_OK || *symbol < ast->symbols.n) return st;
    cflri_ast_symbol made = {.place = place, .compiled = CFLRI_NO_SYMBOL};
    if (!cflri_vec_push(ast->context, &ast->symbols, made)) {
        return cflri_fail_memory(ast->context, error);
    }
    assert(*symbol == ast->symbols.n - 1);
    return CFLR_OK;
}

cflr_status cflri_ast_shape(struct cflri_ast *ast, uint32_t symbol, bool indexed, cflri_place place,
                            cflr_error *error) {
    cflri_ast_symbol *entry = &ast->symbols.at[symbol];
    uint8_t shape = indexed ? CFLRI_SHAPE_INDEXED : CFLRI_SHAPE_PLAIN;
    if (entry->shape == CFLRI_SHAPE_UNKNOWN) {
        entry->shape = shape;
        entry->shaped_at = place;
    }
    if (entry->shape == shape) return CFLR_OK;
    return cflri_fail_at(error, CFLR_SYNTAX, ast->grammar->subject, place.line, place.column,
                         "'%.60s' is used %s an index here and %s one at %u:%u",
                         cflri_ast_name(ast, symbol), indexed ? "with" : "without",
                         indexed ? "without" : "with", entry->shaped_at.line,
                         entry->shaped_at.column);
}

/* ---- building rules ---- */

void cflri_rule_begin(cflri_rule_builder *builder, struct cflri_ast *ast) {
    builder->ast = ast;
    builder->rule = (cflri_ast_rule){0};
}

static cflr_status variable_number(cflri_rule_builder *builder, const char *name, size_t length,
                                   cflri_place place, uint32_t *index, cflr_error *error) {
    struct cflri_ast *ast = builder->ast;
    uint32_t n = builder->rule.n_variables;
    for (uint32_t i = 0; i < n; i++) {
        if (!strncmp(builder->names[i], name, length) && !builder->names[i][length]) {
            *index = i;
            return CFLR_OK;
        }
    }
    if (n == CFLRI_MAX_VARIABLES) {
        return cflri_fail_at(error, CFLR_UNSUPPORTED, ast->grammar->subject, place.line,
                             place.column, "more than %d index variables in one rule",
                             CFLRI_MAX_VARIABLES);
    }
    char *copy = cflri_arena_copy_text(&ast->grammar->arena, name, length);
    if (!copy) return cflri_fail_memory(ast->context, error);
    builder->names[n] = copy;
    builder->rule.n_variables = n + 1;
    *index = n;
    return CFLR_OK;
}

cflr_status cflri_rule_index(cflri_rule_builder *builder, cflri_index_use use, const char *name,
                             size_t length, cflri_place place, uint32_t *index, cflr_error *error) {
    assert(use != CFLRI_INDEX_NONE);
    if (!length) {
        return cflri_fail_at(error, CFLR_SYNTAX, builder->ast->grammar->subject, place.line,
                             place.column, "an index cannot be empty");
    }
    if (use == CFLRI_INDEX_VARIABLE) {
        return variable_number(builder, name, length, place, index, error);
    }
    return cflri_intern(&builder->ast->constants, name, length, index, error);
}

cflr_status cflri_rule_left(cflri_rule_builder *builder, cflri_item left, cflri_place place,
                            cflr_error *error) {
    builder->rule.left = left.symbol;
    builder->rule.left_use = left.use;
    builder->rule.left_index = left.index;
    builder->rule.place = place;
    builder->ast->symbols.at[left.symbol].n_rules++;
    return cflri_ast_shape(builder->ast, left.symbol, left.use != CFLRI_INDEX_NONE, place, error);
}

cflr_status cflri_node_symbol(struct cflri_ast *ast, cflri_item item, cflri_place place,
                              cflri_node **node, cflr_error *error) {
    cflri_node *made = cflri_arena_alloc_zero(&ast->grammar->arena, sizeof *made);
    if (!made) return cflri_fail_memory(ast->context, error);
    made->kind = CFLRI_NODE_SYMBOL;
    made->depth = 1;
    made->symbol = item.symbol;
    made->use = item.use;
    made->index = item.index;
    made->place = place;
    if (item.use == CFLRI_INDEX_VARIABLE) {
        assert(item.index < CFLRI_MAX_VARIABLES);
        made->variables = UINT64_C(1) << item.index;
    }
    ast->symbols.at[item.symbol].on_right = true;
    *node = made;
    return cflri_ast_shape(ast, item.symbol, item.use != CFLRI_INDEX_NONE, place, error);
}

cflr_status cflri_node_make(struct cflri_ast *ast, cflri_node_kind kind, cflri_node *first,
                            cflri_place place, cflri_node **node, cflr_error *error) {
    bool many = kind == CFLRI_NODE_CONCAT || kind == CFLRI_NODE_ALT;
    if (many && first && !first->next) {
        *node = first;
        return CFLR_OK;
    }
    cflri_node *made = cflri_arena_alloc_zero(&ast->grammar->arena, sizeof *made);
    if (!made) return cflri_fail_memory(ast->context, error);
    made->kind = many && !first ? CFLRI_NODE_EMPTY : (uint8_t)kind;
    made->place = place;
    made->first = first;
    for (const cflri_node *child = first; child; child = child->next) {
        made->variables |= child->variables;
        if (child->depth > made->depth) made->depth = child->depth;
    }
    if (++made->depth > CFLRI_MAX_DEPTH) {
        return cflri_fail_at(error, CFLR_UNSUPPORTED, ast->grammar->subject, place.line,
                             place.column, "expression nested more than %d deep", CFLRI_MAX_DEPTH);
    }
    *node = made;
    return CFLR_OK;
}

cflr_status cflri_rule_end(cflri_rule_builder *builder, cflri_node *body, cflr_error *error) {
    struct cflri_ast *ast = builder->ast;
    cflri_ast_rule rule = builder->rule;
    rule.body = body;
    if (rule.n_variables) {
        size_t size = rule.n_variables * sizeof *rule.variable;
        rule.variable = cflri_arena_alloc(&ast->grammar->arena, size);
        if (!rule.variable) return cflri_fail_memory(ast->context, error);
        memcpy(rule.variable, builder->names, size);
    }
    if (!cflri_vec_push(ast->context, &ast->rules, rule)) {
        return cflri_fail_memory(ast->context, error);
    }
    return CFLR_OK;
}

/* ---- printing ---- */

void cflri_text_index(cflri_text *text, const struct cflri_ast *ast, const cflri_ast_rule *rule,
                      uint8_t use, uint32_t index) {
    if (use == CFLRI_INDEX_NONE) return;
    cflri_text_add(text, "[");
    if (use == CFLRI_INDEX_VARIABLE) {
        cflri_text_add(text, rule->variable[index]);
    } else {
        cflri_text_quoted(text, cflri_string(&ast->constants, index));
    }
    cflri_text_add(text, "]");
}

static void text_children(cflri_text *text, const struct cflri_ast *ast, const cflri_ast_rule *rule,
                          const cflri_node *node, const char *between) {
    for (const cflri_node *child = node->first; child; child = child->next) {
        bool group = node->kind != CFLRI_NODE_ALT &&
                     (child->kind == CFLRI_NODE_ALT || child->kind == CFLRI_NODE_CONCAT);
        if (group) cflri_text_add(text, "(");
        cflri_text_node(text, ast, rule, child);
        if (group) cflri_text_add(text, ")");
        if (child->next) cflri_text_add(text, between);
    }
}

void cflri_text_node(cflri_text *text, const struct cflri_ast *ast, const cflri_ast_rule *rule,
                     const cflri_node *node) {
    switch ((cflri_node_kind)node->kind) {
        case CFLRI_NODE_EMPTY:
            cflri_text_add(text, "eps");
            return;
        case CFLRI_NODE_SYMBOL:
            cflri_text_symbol(text, cflri_ast_name(ast, node->symbol));
            cflri_text_index(text, ast, rule, node->use, node->index);
            return;
        case CFLRI_NODE_CONCAT:
            text_children(text, ast, rule, node, " ");
            return;
        case CFLRI_NODE_ALT:
            text_children(text, ast, rule, node, " | ");
            return;
        case CFLRI_NODE_CONVERSE:
            cflri_text_add(text, "~");
            text_children(text, ast, rule, node, "");
            return;
        case CFLRI_NODE_OPTION:
        case CFLRI_NODE_STAR:
        case CFLRI_NODE_PLUS: {
            text_children(text, ast, rule, node, "");
            const char *sign[] = {"?", "*", "+"};
            cflri_text_add(text, sign[node->kind - CFLRI_NODE_OPTION]);
            return;
        }
    }
}
