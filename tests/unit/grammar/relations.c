/* SPDX-License-Identifier: Apache-2.0
 *
 * relations.c: tiny closures; see relations.h.
 */
#include "tests/unit/grammar/relations.h"

/* ---- operations ---- */

static relation pair(uint32_t u, uint32_t v) {
    return UINT64_C(1) << (8 * u + v);
}

relation relation_identity(uint32_t n_vertices) {
    relation r = 0;
    for (uint32_t v = 0; v < n_vertices; v++) r |= pair(v, v);
    return r;
}

relation relation_compose(relation a, relation b) {
    relation r = 0;
    for (uint32_t u = 0; u < MOST_VERTICES; u++) {
        for (uint32_t v = 0; v < MOST_VERTICES; v++) {
            if (a & pair(u, v)) r |= (b >> (8 * v) & 0xFF) << (8 * u);
        }
    }
    return r;
}

relation relation_converse(relation a) {
    relation r = 0;
    for (uint32_t u = 0; u < MOST_VERTICES; u++) {
        for (uint32_t v = 0; v < MOST_VERTICES; v++) {
            if (a & pair(u, v)) r |= pair(v, u);
        }
    }
    return r;
}

/* ---- graphs and grammars from text ---- */

cflr_graph *graph_of(cflr_context *context, const char *edges) {
    cflr_graph_builder *builder;
    cflr_graph *graph;
    cflr_error error = {0};
    MUST(cflr_graph_builder_new(context, &builder, &error));
    for (const char *at = edges; *at; at += strcspn(at, ";"), at += *at == ';') {
        unsigned source, target;
        char name[32], index[32] = "";
        uint32_t label;
        int n = sscanf(at, "%u %u %31[^][; ][%31[^]]]", &source, &target, name, index);
        if (n < 3) continue;
        MUST(cflr_graph_builder_label(builder, name, n == 4 ? index : NULL, &label, &error));
        MUST(cflr_graph_builder_edge(builder, source, target, label, &error));
    }
    MUST(cflr_graph_builder_freeze(builder, &graph, &error));
    cr_assert_leq(cflr_graph_vertices(graph), MOST_VERTICES);
    return graph;
}

cflr_grammar *grammar_in(cflr_context *context, const char *text, cflr_grammar_format format) {
    cflr_grammar *grammar = NULL;
    cflr_error error = {0};
    cflr_status st =
        cflr_grammar_parse(context, text, strlen(text), "test", format, &grammar, &error);
    cr_assert_eq(st, CFLR_OK, "%u:%u: %s\n%s", error.line, error.column, error.message, text);
    return grammar;
}

cflr_grammar *grammar_of(cflr_context *context, const char *text) {
    return grammar_in(context, text, CFLR_GRAMMAR_CFLR);
}

uint32_t symbol_named(const cflr_grammar *grammar, const char *name) {
    for (uint32_t s = 0; s < grammar->n_symbols; s++) {
        if (!strcmp(grammar->symbol[s].name, name)) return s;
    }
    return CFLRI_NO_SYMBOL;
}

/* ---- results ---- */

static void closure_add(closure *c, const char *name, const char *index, relation pairs) {
    if (!pairs) return;
    cr_assert_lt(c->n, sizeof c->at / sizeof *c->at);
    snprintf(c->at[c->n].name, sizeof c->at[c->n].name, "%s", name);
    snprintf(c->at[c->n].index, sizeof c->at[c->n].index, "%s", index);
    c->at[c->n++].pairs = pairs;
}

relation closure_find(const closure *c, const char *name, const char *index) {
    for (uint32_t i = 0; i < c->n; i++) {
        if (!strcmp(c->at[i].name, name) && !strcmp(c->at[i].index, index)) return c->at[i].pairs;
    }
    return 0;
}

static const char *difference_one_way(const closure *a, const closure *b) {
    static char text[160];
    for (uint32_t i = 0; i < a->n; i++) {
        relation other = closure_find(b, a->at[i].name, a->at[i].index);
        if (other == a->at[i].pairs) continue;
        snprintf(text, sizeof text, "%s[%s] is %016llx and %016llx", a->at[i].name, a->at[i].index,
                 (unsigned long long)a->at[i].pairs, (unsigned long long)other);
        return text;
    }
    return NULL;
}

const char *closure_difference(const closure *a, const closure *b) {
    const char *text = difference_one_way(a, b);
    return text ? text : difference_one_way(b, a);
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(char **)a, *(char **)b);
}

char *closure_text(const closure *c) {
    char **lines = malloc(sizeof *lines * (64 * (size_t)c->n + 1));
    size_t n = 0, size = 1;
    for (uint32_t i = 0; i < c->n; i++) {
        for (uint32_t bit = 0; bit < 64; bit++) {
            if (!(c->at[i].pairs >> bit & 1)) continue;
            const char *index = c->at[i].index;
            lines[n] = malloc(96);
            size += (size_t)snprintf(lines[n++], 96, "%u %u %s%s%s%s\n", bit / 8, bit % 8,
                                     c->at[i].name, *index ? "[" : "", index, *index ? "]" : "");
        }
    }
    qsort(lines, n, sizeof *lines, by_text);
    char *text = calloc(1, size);
    for (size_t i = 0, at = 0; i < n; at += strlen(lines[i]), free(lines[i++])) {
        strcpy(text + at, lines[i]);
    }
    free(lines);
    return text;
}

/* ---- by rules ---- */

relation relation_of_label(const cflr_graph *graph, uint32_t label) {
    relation r = 0;
    uint64_t cursor = 0, count;
    uint32_t source;
    const uint32_t *row;
    while ((row = cflr_graph_next_row(graph, label, CFLR_OUT, &cursor, &source, &count))) {
        for (uint64_t i = 0; i < count; i++) r |= pair(source, row[i]);
    }
    return r;
}

/* The edges of a symbol of the grammar that has no index and no rules. */
static relation edges_of(const cflri_ground *g, uint32_t symbol) {
    for (uint32_t s = 0; s < g->n_symbols; s++) {
        if (g->symbol[s].symbol != symbol || g->symbol[s].label == CFLR_NO_LABEL) continue;
        return relation_of_label(g->graph, g->symbol[s].label);
    }
    return 0;
}

static relation mask_of(const cflri_ground *g, const cflri_filter_rule *filter) {
    relation mask = relation_identity(MOST_VERTICES), free_ones = 0;
    for (uint32_t i = 0; i < filter->n; i++) {
        relation edges = edges_of(g, filter->label[i]);
        if (filter->back[i]) edges = relation_converse(edges);
        mask = relation_compose(mask, edges);
        for (uint32_t u = 0; i == 0 && u < MOST_VERTICES; u++) {
            if (!(edges >> (8 * u) & 0xFF)) free_ones |= UINT64_C(0xFF) << (8 * u);
        }
    }
    return mask | free_ones;
}

relation *filter_masks(const cflri_ground *g) {
    relation *mask = malloc(((size_t)g->n_symbols + 1) * sizeof *mask);
    for (uint32_t s = 0; s < g->n_symbols; s++) {
        const cflri_filter_rule *filter = cflri_grammar_filter(g->grammar, g->symbol[s].symbol);
        mask[s] = filter ? mask_of(g, filter) : UINT64_MAX;
    }
    return mask;
}

relation *closure_of_ground(const cflri_ground *g) {
    relation *r = calloc((size_t)g->n_symbols + 1, sizeof *r), *mask = filter_masks(g);
    for (uint32_t s = 0; s < g->n_symbols; s++) {
        uint32_t label = g->symbol[s].label;
        if (label != CFLR_NO_LABEL) r[s] = relation_of_label(g->graph, label) & mask[s];
    }
    for (uint32_t e = 0; e < g->n_epsilon; e++) {
        r[g->epsilon[e]] |= relation_identity(cflr_graph_vertices(g->graph));
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t k = 0; k < g->n_rules; k++) {
            const cflri_ground_rule *rule = &g->rule[k];
            relation made = r[rule->right[0]];
            if (rule->right[1] != CFLRI_NO_SYMBOL) {
                made = relation_compose(made, r[rule->right[1]]);
            }
            if (g->grammar->rule[rule->rule].is_converse) made = relation_converse(made);
            made &= mask[rule->left];
            changed |= (made & ~r[rule->left]) != 0;
            r[rule->left] |= made;
        }
    }
    free(mask);
    return r;
}

void closure_by_rules(const cflr_grammar *grammar, const cflr_graph *graph, closure *c) {
    cflri_ground *g;
    cflr_error error = {0};
    MUST(cflri_ground_new(grammar, graph, &g, &error));
    relation *r = closure_of_ground(g);
    c->n = 0;
    for (uint32_t s = 0; s < g->n_symbols; s++) {
        const cflri_symbol *symbol = &grammar->symbol[g->symbol[s].symbol];
        bool own = symbol->kind == CFLRI_NONTERMINAL && symbol->converse_of == CFLRI_NO_SYMBOL;
        if (own) closure_add(c, symbol->name, cflri_ground_index_text(g, s), r[s]);
    }
    free(r);
    cflri_ground_free(g);
}

/* ---- by the tree ---- */

typedef struct tree_closure {
    const struct cflri_ast *ast;
    relation identity;
    uint32_t n_indexes;
    const char *index[MOST_INDEXES];             /* 0: no label has it; variables may take it */
    relation of[MOST_SYMBOLS][MOST_INDEXES + 1]; /* [n_indexes]: plain */
    uint32_t value[CFLRI_MAX_VARIABLES];         /* of the variables of the current rule */
    const cflri_ast_rule *rule;
} tree_closure;

static uint32_t index_number(tree_closure *t, const char *index) {
    for (uint32_t i = 1; i < t->n_indexes; i++) {
        if (!strcmp(t->index[i], index)) return i;
    }
    cr_assert_lt(t->n_indexes, MOST_INDEXES);
    t->index[t->n_indexes] = index;
    return t->n_indexes++;
}

static relation *cell_of(tree_closure *t, uint32_t symbol, uint8_t use, uint32_t index) {
    uint32_t at = MOST_INDEXES;
    if (use == CFLRI_INDEX_VARIABLE) at = t->value[index];
    if (use == CFLRI_INDEX_CONSTANT) {
        at = index_number(t, cflri_string(&t->ast->constants, index));
    }
    return &t->of[symbol][at];
}

static relation evaluate(tree_closure *t, const cflri_node *node, uint64_t outer);

/* The union over all values of the variables in `free_ones`. */
static relation evaluate_all(tree_closure *t, const cflri_node *node, uint64_t free_ones,
                             uint64_t outer) {
    if (!free_ones) return evaluate(t, node, outer);
    uint32_t variable = (uint32_t)__builtin_ctzll(free_ones), kept = t->value[variable];
    relation r = 0;
    for (uint32_t i = 0; i < t->n_indexes; i++) {
        t->value[variable] = i;
        r |= evaluate_all(t, node, free_ones & (free_ones - 1), outer);
    }
    t->value[variable] = kept;
    return r;
}

static relation evaluate_concat(tree_closure *t, const cflri_node *node, uint64_t outer) {
    relation r = t->identity;
    for (const cflri_node *child = node->first; child; child = child->next) {
        uint64_t around = outer;
        for (const cflri_node *other = node->first; other; other = other->next) {
            if (other != child) around |= other->variables;
        }
        r = relation_compose(r, evaluate(t, child, around));
    }
    return r;
}

/* One round with its own variables chosen anew, any number of times. */
static relation evaluate_rounds(tree_closure *t, const cflri_node *body, uint64_t outer) {
    relation round = evaluate_all(t, body, body->variables & ~outer, body->variables & outer);
    relation r = round, before;
    do {
        before = r;
        r |= relation_compose(r, round);
    } while (r != before);
    return r;
}

static relation evaluate(tree_closure *t, const cflri_node *node, uint64_t outer) {
    relation r = 0;
    switch ((cflri_node_kind)node->kind) {
        case CFLRI_NODE_EMPTY:
            return t->identity;
        case CFLRI_NODE_SYMBOL:
            return *cell_of(t, node->symbol, node->use, node->index);
        case CFLRI_NODE_CONCAT:
            return evaluate_concat(t, node, outer);
        case CFLRI_NODE_ALT:
            for (const cflri_node *child = node->first; child; child = child->next) {
                r |= evaluate(t, child, outer);
            }
            return r;
        case CFLRI_NODE_OPTION:
            return t->identity | evaluate(t, node->first, outer);
        case CFLRI_NODE_STAR:
            return t->identity | evaluate_rounds(t, node->first, outer);
        case CFLRI_NODE_PLUS:
            return evaluate_rounds(t, node->first, outer);
        case CFLRI_NODE_CONVERSE:
            return relation_converse(evaluate(t, node->first, outer));
    }
    return r;
}

/* All alternatives of a rule for one value of the left side's variable. */
static bool apply_rule(tree_closure *t, const cflri_ast_rule *rule) {
    uint64_t left = rule->left_use == CFLRI_INDEX_VARIABLE ? UINT64_C(1) << rule->left_index : 0;
    relation r = 0;
    bool many = rule->body->kind == CFLRI_NODE_ALT;
    const cflri_node *alternative = many ? rule->body->first : rule->body;
    for (; alternative; alternative = many ? alternative->next : NULL) {
        r |= evaluate_all(t, alternative, alternative->variables & ~left, left);
    }
    relation *cell = cell_of(t, rule->left, rule->left_use, rule->left_index);
    bool changed = (r & ~*cell) != 0;
    *cell |= r;
    return changed;
}

static bool apply_rules(tree_closure *t) {
    bool changed = false;
    for (size_t k = 0; k < t->ast->rules.n; k++) {
        const cflri_ast_rule *rule = &t->ast->rules.at[k];
        bool variable = rule->left_use == CFLRI_INDEX_VARIABLE;
        for (uint32_t i = 0; i < (variable ? t->n_indexes : 1); i++) {
            if (variable) t->value[rule->left_index] = i;
            changed |= apply_rule(t, rule);
        }
    }
    return changed;
}

void closure_by_tree(const cflr_grammar *grammar, const cflr_graph *graph, closure *c) {
    tree_closure *t = calloc(1, sizeof *t);
    t->ast = grammar->ast;
    t->identity = relation_identity(cflr_graph_vertices(graph));
    t->n_indexes = 1;
    t->index[0] = "";
    cr_assert_leq(t->ast->symbols.n, MOST_SYMBOLS);
    for (uint32_t l = 0; l < cflr_graph_labels(graph); l++) {
        const char *name = cflr_graph_label_name(graph, l);
        const char *index = cflr_graph_label_index(graph, l);
        uint32_t at = *index ? index_number(t, index) : MOST_INDEXES;
        uint32_t symbol = cflri_strings_find(&t->ast->names, name, strlen(name));
        if (symbol == CFLRI_NO_STRING) continue;
        bool indexed = t->ast->symbols.at[symbol].shape == CFLRI_SHAPE_INDEXED;
        if (indexed == (*index != 0)) t->of[symbol][at] |= relation_of_label(graph, l);
    }
    for (uint32_t k = 1; k < t->ast->constants.text.n; k++) {
        index_number(t, cflri_string(&t->ast->constants, k));
    }
    while (apply_rules(t)) {
    }
    c->n = 0;
    for (uint32_t s = 1; s < t->ast->symbols.n; s++) {
        if (!t->ast->symbols.at[s].n_rules || cflri_ast_name(t->ast, s)[0] == '%') continue;
        closure_add(c, cflri_ast_name(t->ast, s), "", t->of[s][MOST_INDEXES]);
        for (uint32_t i = 0; i < t->n_indexes; i++) {
            closure_add(c, cflri_ast_name(t->ast, s), t->index[i], t->of[s][i]);
        }
    }
    free(t);
}
