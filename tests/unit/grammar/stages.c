/* SPDX-License-Identifier: Apache-2.0
 *
 * stages.c: grammars at their stages; see stages.h.
 */
#include "tests/unit/grammar/stages.h"

#include "grammar/read/text.h"

stages stages_from(cflr_context *context, cflr_grammar *grammar, cflr_graph *graph) {
    stages s = {.context = context, .grammar = grammar, .graph = graph};
    cflr_error error = {0};
    MUST(cflri_ground_new(grammar, graph, &s.ground, &error));
    s.input = cflri_inputs_of(s.ground);
    cr_assert_not_null(s.input);
    return s;
}

stages stages_of(cflr_context *context, const char *grammar, const char *graph) {
    return stages_from(context, grammar_of(context, grammar), graph_of(context, graph));
}

void stages_free(stages *s) {
    cflri_free(s->context, s->input);
    cflri_ground_free(s->ground);
    cflr_graph_free(s->graph);
    cflr_grammar_free(s->grammar);
}

/* Edges A would be refused. */
static bool grammar_is_closed(const cflr_grammar *grammar) {
    uint32_t a = symbol_named(grammar, "A");
    return a != CFLRI_NO_SYMBOL && grammar->symbol[a].closed;
}

static const char *one_of(random_grammar *w, const char *const *texts, size_t n) {
    return texts[test_random_below(w->random, (uint32_t)n)];
}

static void put(random_grammar *w, const char *text) {
    w->n += (size_t)snprintf(w->text + w->n, sizeof w->text - w->n, "%s", text);
    cr_assert_lt(w->n, sizeof w->text);
}

/* "A ::= a B | ~A b | eps": one to three symbols, up to four products each, of up to four. */
static void write_sums(random_grammar *w) {
    static const char *const left[] = {"A ::= ", "B ::= ", "C ::= "};
    static const char *const factors[] = {"a ", "b ", "A ", "A ", "B ", "C ", "~a ", "~A ", "a* "};
    uint32_t symbols = 1 + test_random_below(w->random, 3);
    w->n = 0;
    for (uint32_t s = 0; s < symbols; s++) {
        uint32_t products = 1 + test_random_below(w->random, 4);
        put(w, left[s]);
        for (uint32_t p = 0; p < products; p++) {
            uint32_t n = test_random_below(w->random, 10) ? 1 + test_random_below(w->random, 4) : 0;
            put(w, p ? "| " : "");
            for (uint32_t i = 0; i < n; i++) put(w, one_of(w, factors, 9));
            if (!n) put(w, "eps ");
        }
        put(w, "\n");
    }
}

static void add_filter(random_grammar *w) {
    static const char *const filters[] = {"%filter A a\n", "%filter B a ~b\n", "%filter C ~a\n",
                                          "%filter A b\n%filter B a\n"};
    if (!test_random_below(w->random, 3)) put(w, one_of(w, filters, 4));
}

bool stages_random(cflr_context *context, uint64_t seed, random_grammar *w, stages *s) {
    cflr_grammar *grammar;
    cflr_error error = {0};
    w->random = &seed;
    if (test_random_below(&seed, 2)) {
        write_sums(w);
    } else {
        random_grammar_write(w);
    }
    add_filter(w);
    cflr_status st =
        cflr_grammar_parse(context, w->text, w->n, "random", CFLR_GRAMMAR_CFLR, &grammar, &error);
    if (st != CFLR_OK) return false;
    cflr_graph *graph = random_graph(context, &seed, !grammar_is_closed(grammar));
    *s = stages_from(context, grammar, graph);
    return true;
}

static const char *symbol_name(const stages *s, uint32_t symbol) {
    return s->grammar->symbol[s->ground->symbol[symbol].symbol].name;
}

uint32_t stages_symbol(const stages *s, const char *name) {
    for (uint32_t k = 0; k < s->ground->n_symbols; k++) {
        if (!strcmp(symbol_name(s, k), name) && !s->ground->symbol[k].index) return k;
    }
    cr_assert_fail("there is no symbol %s", name);
    return CFLRI_NO_SYMBOL;
}

const char *pairs_difference(const stages *s, const cflri_equations *wanted, const relation *is,
                             const relation *expected) {
    static char text[160];
    for (uint32_t k = 0; k < s->ground->n_symbols; k++) {
        if (is[k] == expected[k] || (wanted && !wanted->home[k].wanted)) continue;
        snprintf(text, sizeof text, "%s[%s] has pairs %016llx, and not %016llx", symbol_name(s, k),
                 cflri_ground_index_text(s->ground, k), (unsigned long long)is[k],
                 (unsigned long long)expected[k]);
        return text;
    }
    return NULL;
}

/* ---- algebra ---- */

cflri_algebra algebra_of(const stages *s, unsigned techniques) {
    cflri_algebra algebra;
    cflr_error error = {0};
    MUST(cflri_algebra_make(s->ground, s->input, techniques, &algebra, &error));
    return algebra;
}

static void put_symbol(cflri_text *text, const stages *s, uint32_t symbol) {
    const char *index = cflri_ground_index_text(s->ground, symbol);
    cflri_text_add(text, symbol_name(s, symbol));
    if (*index) cflri_text_printf(text, "[%s]", index);
}

static void put_set(cflri_text *text, const stages *s, const cflri_algebra *algebra, uint32_t set) {
    uint32_t symbol = algebra->set.at[set].symbol, number = 1;
    if (symbol != CFLRI_NO_SYMBOL) {
        bool own = cflri_factor_set(algebra->symbol[symbol]) == set;
        bool edges = algebra->set.at[set].kind == CFLRI_SET_INPUT && !own;
        cflri_text_add(text, edges ? "{" : "");
        put_symbol(text, s, symbol);
        cflri_text_add(text, edges ? "}" : "");
        return;
    }
    for (uint32_t k = 0; k < set; k++) number += algebra->set.at[k].symbol == CFLRI_NO_SYMBOL;
    cflri_text_printf(text, "<%u>", number);
}

static void put_factor(cflri_text *text, const stages *s, const cflri_algebra *algebra,
                       cflri_factor factor) {
    if (cflri_factor_back(factor)) cflri_text_add(text, "~");
    put_set(text, s, algebra, cflri_factor_set(factor));
}

static void put_products(cflri_text *text, const stages *s, const cflri_algebra *algebra,
                         const cflri_set *set) {
    for (size_t p = 0; p < set->product.n; p++) {
        const cflri_product *product = &set->product.at[p];
        cflri_text_add(text, p ? " | " : "");
        if (!product->n) cflri_text_add(text, "eps");
        for (uint32_t i = 0; i < product->n; i++) {
            cflri_text_add(text, i ? " " : "");
            put_factor(text, s, algebra, product->factor[i]);
        }
    }
}

char *algebra_text(const stages *s, const cflri_algebra *algebra) {
    static const char *const begin[] = {"", "", "star(", "plus("};
    cflri_text text;
    cflr_error error = {0};
    char *taken;
    cflri_text_init(&text, s->context);
    for (uint32_t k = 0; k < algebra->set.n; k++) {
        const cflri_set *set = &algebra->set.at[k];
        if (set->kind == CFLRI_SET_INPUT || !set->product.n) continue;
        cflri_text_add(&text, set->symmetric ? "|" : "");
        put_set(&text, s, algebra, k);
        cflri_text_printf(&text, "%s = %s", set->symmetric ? "|" : "", begin[set->kind]);
        put_products(&text, s, algebra, set);
        cflri_text_printf(&text, "%s\n", cflri_is_closure(set->kind) ? ")" : "");
    }
    for (uint32_t k = 0; k < s->ground->n_symbols; k++) {
        const cflri_set *set = &algebra->set.at[cflri_factor_set(algebra->symbol[k])];
        uint32_t plain = s->ground->symbol[k].converse_of;
        bool back = cflri_factor_back(algebra->symbol[k]);
        if (set->symbol == k || (back && plain == set->symbol)) continue;
        put_symbol(&text, s, k);
        cflri_text_add(&text, " is ");
        put_factor(&text, s, algebra, algebra->symbol[k]);
        cflri_text_add(&text, "\n");
    }
    MUST(cflri_text_take(&text, &taken, &error));
    return taken;
}

static relation read_factor(const relation *r, cflri_factor factor) {
    relation pairs = r[cflri_factor_set(factor)];
    return cflri_factor_back(factor) ? relation_converse(pairs) : pairs;
}

/* The union of the products, and the closure of it where the set is one. */
static relation evaluate_set(const cflri_set *set, const relation *r, relation identity) {
    relation sum = 0, before;
    for (size_t p = 0; p < set->product.n; p++) {
        relation product = identity;
        for (uint32_t i = 0; i < set->product.at[p].n; i++) {
            product = relation_compose(product, read_factor(r, set->product.at[p].factor[i]));
        }
        sum |= product;
    }
    if (!cflri_is_closure(set->kind)) return sum;
    do {
        before = sum;
        sum |= relation_compose(sum, sum);
    } while (sum != before);
    return set->kind == CFLRI_SET_STAR ? sum | identity : sum;
}

relation *closure_of_algebra(const stages *s, const cflri_algebra *algebra) {
    relation *of = calloc(s->ground->n_symbols + 1, sizeof *of), *mask = filter_masks(s->ground);
    relation *r = calloc(algebra->set.n + 1, sizeof *r);
    relation identity = relation_identity(cflr_graph_vertices(s->graph));
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t k = 0; k < algebra->set.n; k++) {
            const cflri_set *set = &algebra->set.at[k];
            relation now = evaluate_set(set, r, identity);
            if (set->kind == CFLRI_SET_INPUT) {
                now = relation_of_label(s->graph, s->ground->symbol[set->symbol].label);
            }
            if (set->filtered) now &= mask[set->symbol];
            changed |= now != r[k];
            r[k] = now;
        }
    }
    for (uint32_t k = 0; k < s->ground->n_symbols; k++) of[k] = read_factor(r, algebra->symbol[k]);
    free(r);
    free(mask);
    return of;
}

/* ---- equations ---- */

cflri_equations *equations_of(const stages *s, unsigned techniques) {
    cflri_equations *equations;
    cflr_error error = {0};
    MUST(cflri_equations_new(s->ground, s->input, NULL, techniques, &equations, &error));
    cflr_status st = cflri_equations_validate(equations, &error);
    cr_assert_eq(st, CFLR_OK, "%s\n%s", error.message, equations_text(s, equations));
    return equations;
}

char *equations_text(const stages *s, const cflri_equations *equations) {
    cflri_text text;
    cflr_error error = {0};
    char *taken;
    cflri_text_init(&text, s->context);
    cflri_equations_show(&text, s->ground, equations);
    MUST(cflri_text_take(&text, &taken, &error));
    return taken;
}

typedef struct evaluation {
    const stages *s;
    const cflri_equations *all;
    relation identity, guards; /* guards: the pairs that lead to one */
    relation *mask;            /* by symbol */
    relation *rows;            /* by family */
} evaluation;

static relation input_of(const evaluation *x, uint32_t symbol, bool back) {
    uint32_t label = x->s->ground->symbol[symbol].label;
    cr_assert_neq(label, CFLR_NO_LABEL, "%s has no edges", symbol_name(x->s, symbol));
    relation pairs = relation_of_label(x->s->graph, label);
    return back ? relation_converse(pairs) : pairs;
}

/* Vertices where an equation that reads guards goes on. */
static void find_guards(evaluation *x) {
    relation edges = 0;
    for (size_t i = 0; i < x->all->equation.n; i++) {
        const cflri_equation *e = &x->all->equation.at[i];
        bool between = e->kind == CFLRI_BETWEEN;
        if (e->kind != CFLRI_STEP && !between) continue;
        if (!x->all->family.at[e->right].guarded) continue;
        edges |= between ? input_of(x, e->close, e->close_back) : input_of(x, e->by, e->by_back);
    }
    relation everywhere = UINT64_MAX;
    for (uint32_t v = 0; v < MOST_VERTICES; v++) {
        bool guard = edges >> (8 * v) & 0xFF;
        if (!guard) everywhere &= ~(UINT64_C(0x0101010101010101) << v);
    }
    x->guards = everywhere;
}

/* What the equation says that its left rows have; the table of equations.h, line by line. */
static relation evaluate_equation(const evaluation *x, const cflri_equation *e) {
    const relation *r = x->rows;
    switch (e->kind) {
        case CFLRI_DIAGONAL:
            return x->identity;
        case CFLRI_INPUT:
            return input_of(x, e->by, e->by_back);
        case CFLRI_COPY:
            return r[e->right];
        case CFLRI_TURN:
            return relation_converse(r[e->right]);
        case CFLRI_EDGE:
            return relation_compose(input_of(x, e->by, e->by_back), r[e->right]);
        case CFLRI_PAIR:
            return relation_compose(e->by_back ? relation_converse(r[e->by]) : r[e->by],
                                    r[e->right]);
        case CFLRI_STEP:
            return relation_compose(r[e->right], input_of(x, e->by, e->by_back));
        case CFLRI_BETWEEN:
            return relation_compose(relation_compose(input_of(x, e->by, e->by_back), r[e->right]),
                                    input_of(x, e->close, e->close_back));
        case CFLRI_GUARDS:
            return r[e->right] & x->guards;
    }
    return 0;
}

static bool apply_equation(const evaluation *x, const cflri_equation *e) {
    const cflri_family *left = &x->all->family.at[e->left];
    relation made = evaluate_equation(x, e), old = x->rows[e->left];
    if (left->guarded) made &= x->guards;
    if (left->filtered) made &= x->mask[left->symbol];
    x->rows[e->left] |= made;
    return x->rows[e->left] != old;
}

static void apply_until_still(const evaluation *x, size_t first, size_t end) {
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = first; i < end; i++) {
            changed |= apply_equation(x, &x->all->equation.at[i]);
        }
    }
}

relation *closure_of_equations(const stages *s, const cflri_equations *equations, bool by_strata) {
    relation *of = calloc(s->ground->n_symbols + 1, sizeof *of);
    evaluation x = {.s = s, .all = equations, .mask = filter_masks(s->ground)};
    x.identity = relation_identity(cflr_graph_vertices(s->graph));
    x.rows = calloc(equations->family.n + 1, sizeof *x.rows);
    find_guards(&x);
    for (size_t k = 0; by_strata && k < equations->stratum.n; k++) {
        apply_until_still(&x, equations->stratum.at[k].first, equations->stratum.at[k].end);
    }
    if (!by_strata) apply_until_still(&x, 0, equations->equation.n);
    for (uint32_t k = 0; k < s->ground->n_symbols; k++) {
        cflri_home home = equations->home[k];
        if (!home.wanted) continue;
        of[k] = home.rows == CFLRI_NO_SYMBOL ? input_of(&x, home.input, false) : x.rows[home.rows];
        if (home.turned) of[k] = relation_converse(of[k]);
    }
    free(x.mask);
    free(x.rows);
    return of;
}

/* ---- by hand ---- */

static const char some_edges[] = "0 1 a; 1 2 b; 2 3 c; 3 4 d; 4 5 f[8]; 5 6 f[16]";

static void expect_case(cflr_context *context, const stages_case *given, unsigned techniques,
                        bool equations) {
    stages s = stages_of(context, given->grammar, given->graph ? given->graph : some_edges);
    relation *expected = closure_of_ground(s.ground), *found;
    char *text;
    if (equations) {
        cflri_equations *made = equations_of(&s, techniques);
        text = equations_text(&s, made);
        found = closure_of_equations(&s, made, true);
        cflri_equations_free(made);
    } else {
        cflri_algebra made = algebra_of(&s, techniques);
        text = algebra_text(&s, &made);
        found = closure_of_algebra(&s, &made);
        cflri_algebra_free(&made);
    }
    cr_expect_str_eq(text, given->text, "%s\n%s", given->grammar, text);
    cr_expect_null(pairs_difference(&s, NULL, found, expected), "%s", given->grammar);
    cflr_text_free(context, text);
    free(found);
    free(expected);
    stages_free(&s);
}

void expect_algebra(const stages_case *cases, size_t n, unsigned techniques) {
    cflr_context *context = test_context();
    for (size_t i = 0; i < n; i++) expect_case(context, &cases[i], techniques, false);
    test_context_end(context);
}

void expect_equations(const stages_case *cases, size_t n, unsigned techniques) {
    cflr_context *context = test_context();
    for (size_t i = 0; i < n; i++) expect_case(context, &cases[i], techniques, true);
    test_context_end(context);
}
