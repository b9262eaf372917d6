/* SPDX-License-Identifier: Apache-2.0
 *
 * algebra.c: from ground rules to sums of products.
 *
 * A set of one product that names an input and is read in one place only is an auxiliary: its
 * product is put where it is read. So is, wherever it is read, one whose product is a single
 * factor. The products stay short (LONGEST): one of ten thousand factors would have to be cut again
 * by equations.c.
 *
 *     V ::= FV f   FV ::= ~f V   M ::= DV d   DV ::= ~d V        V ::= ~f V f     M ::= ~d V d
 */
#include "grammar/equations/algebra.h"

#include <assert.h>
#include <string.h>

#include "base/context.h"

enum { LONGEST = 12 };

int cflri_product_compare(const void *a, const void *b) {
    const cflri_product *x = a, *y = b;
    for (uint32_t i = 0; i < x->n && i < y->n; i++) {
        if (x->factor[i] != y->factor[i]) return x->factor[i] < y->factor[i] ? -1 : 1;
    }
    return (x->n > y->n) - (x->n < y->n);
}

bool cflri_algebra_add_set(cflri_algebra *algebra, cflri_set_kind kind, uint32_t symbol,
                           uint32_t *set) {
    *set = (uint32_t)algebra->set.n;
    return cflri_vec_push(algebra->context, &algebra->set,
                          (cflri_set){.kind = kind, .symbol = symbol});
}

bool cflri_algebra_add_product(cflri_algebra *algebra, uint32_t set, const cflri_product *before,
                               cflri_factor between, const cflri_product *after) {
    assert(set < algebra->set.n);
    cflri_product made = {0};
    uint32_t n = (before ? before->n : 0) + (between != CFLRI_NO_FACTOR) + (after ? after->n : 0);
    if (n) {
        made.factor = cflri_arena_alloc(&algebra->arena, n * sizeof *made.factor);
        if (!made.factor) return false;
    }
    for (uint32_t i = 0; before && i < before->n; i++) made.factor[made.n++] = before->factor[i];
    if (between != CFLRI_NO_FACTOR) made.factor[made.n++] = between;
    for (uint32_t i = 0; after && i < after->n; i++) made.factor[made.n++] = after->factor[i];
    return cflri_vec_push(algebra->context, &algebra->set.at[set].product, made);
}

/* ---- sums ---- */

/* Is the symbol nothing but another one read backwards? `rules` counts its rules. */
static bool is_mirror(const cflri_ground *ground, const cflri_input_kind *input,
                      const uint32_t *rules, uint32_t symbol) {
    return ground->symbol[symbol].converse_of != CFLRI_NO_SYMBOL && !input[symbol] &&
           rules[symbol] == 1;
}

static bool make_sets(cflri_algebra *algebra, const cflri_ground *ground,
                      const cflri_input_kind *input, const uint32_t *rules, const bool *nullable) {
    for (uint32_t s = 0; s < ground->n_symbols; s++) {
        uint32_t edges = 0, sum;
        bool filtered = cflri_grammar_filter(ground->grammar, ground->symbol[s].symbol) != NULL;
        algebra->symbol[s] = CFLRI_NO_FACTOR;
        if (is_mirror(ground, input, rules, s) && !nullable[s]) continue;
        if (input[s]) {
            if (!cflri_algebra_add_set(algebra, CFLRI_SET_INPUT, s, &edges)) return false;
            algebra->set.at[edges].symmetric = input[s] != CFLRI_INPUT_EDGES;
            algebra->symbol[s] = cflri_factor_of(edges, false);
            if (!rules[s] && !nullable[s] && !filtered) continue;
        }
        if (!cflri_algebra_add_set(algebra, CFLRI_SET_SUM, s, &sum)) return false;
        algebra->set.at[sum].filtered = filtered;
        algebra->symbol[s] = cflri_factor_of(sum, false);
        if (input[s] &&
            !cflri_algebra_add_product(algebra, sum, NULL, cflri_factor_of(edges, false), NULL)) {
            return false;
        }
        if (nullable[s] && !cflri_algebra_add_product(algebra, sum, NULL, CFLRI_NO_FACTOR, NULL)) {
            return false;
        }
    }
    for (uint32_t s = 0; s < ground->n_symbols; s++) {
        if (algebra->symbol[s] != CFLRI_NO_FACTOR) continue;
        cflri_factor forwards = algebra->symbol[ground->symbol[s].converse_of];
        assert(forwards != CFLRI_NO_FACTOR && !cflri_factor_back(forwards));
        algebra->symbol[s] = forwards ^ 1;
    }
    return true;
}

static bool make_products(cflri_algebra *algebra, const cflri_ground *ground) {
    for (uint32_t r = 0; r < ground->n_rules; r++) {
        const cflri_ground_rule *rule = &ground->rule[r];
        bool back = ground->grammar->rule[rule->rule].is_converse;
        cflri_factor factors[2] = {algebra->symbol[rule->right[0]] ^ back};
        cflri_product product = {.n = 1, .factor = factors};
        if (rule->right[1] != CFLRI_NO_SYMBOL) {
            factors[1] = algebra->symbol[rule->right[1]];
            product.n = 2;
        }
        cflri_factor left = algebra->symbol[rule->left];
        if (left == factors[0] && product.n == 1) continue; /* a mirror, or A ::= A */
        assert(algebra->set.at[cflri_factor_set(left)].kind == CFLRI_SET_SUM);
        assert(!cflri_factor_back(left));
        if (!cflri_algebra_add_product(algebra, cflri_factor_set(left), &product, CFLRI_NO_FACTOR,
                                       NULL)) {
            return false;
        }
    }
    return true;
}

/* ---- inlining ---- */

static void count_uses(const cflri_algebra *algebra, uint32_t *uses) {
    memset(uses, 0, algebra->set.n * sizeof *uses);
    for (size_t s = 0; s < algebra->set.n; s++) {
        const cflri_set *set = &algebra->set.at[s];
        for (size_t p = 0; p < set->product.n; p++) {
            for (uint32_t i = 0; i < set->product.at[p].n; i++) {
                uses[cflri_factor_set(set->product.at[p].factor[i])]++;
            }
        }
    }
}

static bool reads_itself(const cflri_set *set, uint32_t number) {
    for (size_t p = 0; p < set->product.n; p++) {
        for (uint32_t i = 0; i < set->product.at[p].n; i++) {
            if (cflri_factor_set(set->product.at[p].factor[i]) == number) return true;
        }
    }
    return false;
}

static bool names_input(const cflri_algebra *algebra, const cflri_product *product) {
    for (uint32_t i = 0; i < product->n; i++) {
        const cflri_set *set = &algebra->set.at[cflri_factor_set(product->factor[i])];
        if (set->kind == CFLRI_SET_INPUT) return true;
    }
    return false;
}

/* The product that stands for a factor, or NULL when the factor stays. */
static const cflri_product *stand_in(const cflri_algebra *algebra, const uint32_t *uses,
                                     uint32_t number) {
    const cflri_set *set = &algebra->set.at[number];
    if (set->kind != CFLRI_SET_SUM || set->filtered) return NULL;
    if (set->product.n != 1 || !set->product.at[0].n) return NULL;
    if (set->product.at[0].n > 1) {
        if (uses[number] > 1 || !names_input(algebra, &set->product.at[0])) return NULL;
    }
    return reads_itself(set, number) ? NULL : &set->product.at[0];
}

/* Writes the product with one factor replaced, to be read backwards perhaps. */
static bool replace_factor(cflri_algebra *algebra, cflri_product *product, uint32_t at,
                           const cflri_product *by) {
    assert(at < product->n && by->n && product->n + by->n <= LONGEST);
    bool back = cflri_factor_back(product->factor[at]);
    uint32_t n = product->n - 1 + by->n;
    cflri_factor *factor = cflri_arena_alloc(&algebra->arena, n * sizeof *factor);
    if (!factor) return false;
    memcpy(factor, product->factor, at * sizeof *factor);
    for (uint32_t i = 0; i < by->n; i++) {
        factor[at + i] = back ? by->factor[by->n - 1 - i] ^ 1 : by->factor[i];
    }
    memcpy(factor + at + by->n, product->factor + at + 1, (product->n - at - 1) * sizeof *factor);
    *product = (cflri_product){n, factor};
    return true;
}

/* Replaces factors until none can be: a replacement is looked at again from its first factor on.
 * The length bounds the work; sets that stand for one another in a circle hold no pair and are not
 * ground. */
static bool inline_product(cflri_algebra *algebra, const uint32_t *uses, uint32_t owner,
                           cflri_product *product) {
    for (uint32_t at = 0, steps = 0; at < product->n;) {
        uint32_t number = cflri_factor_set(product->factor[at]);
        const cflri_product *by = number == owner ? NULL : stand_in(algebra, uses, number);
        if (!by || product->n + by->n > LONGEST || steps == 4 * LONGEST) {
            at++;
            continue;
        }
        steps++;
        if (!replace_factor(algebra, product, at, by)) return false;
    }
    return true;
}

static bool inline_all(cflri_algebra *algebra) {
    uint32_t *uses = cflri_alloc_array(algebra->context, algebra->set.n + 1, sizeof *uses);
    if (!uses) return false;
    bool done = true;
    count_uses(algebra, uses);
    for (uint32_t s = 0; done && s < algebra->set.n; s++) {
        cflri_set *set = &algebra->set.at[s];
        for (size_t p = 0; done && p < set->product.n; p++) {
            done = inline_product(algebra, uses, s, &set->product.at[p]);
        }
    }
    cflri_free(algebra->context, uses);
    return done;
}

/* ---- all steps ---- */

static cflri_input_kind input_of(const cflri_relation *edges) {
    if (!edges->n_pairs) return CFLRI_INPUT_NONE;
    if (cflri_relation_loops(edges)) return CFLRI_INPUT_LOOPS;
    return cflri_relation_symmetric(edges) ? CFLRI_INPUT_SYMMETRIC : CFLRI_INPUT_EDGES;
}

cflri_input_kind *cflri_inputs_of(const cflri_ground *ground) {
    size_t n = (size_t)ground->n_symbols + 1;
    cflri_input_kind *input = cflri_alloc_array_zero(ground->context, n, sizeof *input);
    for (uint32_t s = 0; input && s < ground->n_symbols; s++) {
        uint32_t label = ground->symbol[s].label;
        if (label != CFLR_NO_LABEL) input[s] = input_of(&ground->graph->out[label]);
    }
    return input;
}

static bool make(cflri_algebra *algebra, const cflri_ground *ground, const cflri_input_kind *input,
                 uint32_t *rules, bool *nullable) {
    for (uint32_t r = 0; r < ground->n_rules; r++) rules[ground->rule[r].left]++;
    for (uint32_t e = 0; e < ground->n_epsilon; e++) nullable[ground->epsilon[e]] = true;
    if (!make_sets(algebra, ground, input, rules, nullable)) return false;
    if (!make_products(algebra, ground)) return false;
    if (algebra->techniques & CFLR_TECHNIQUE_INLINE && !inline_all(algebra)) return false;
    if (algebra->techniques & CFLR_TECHNIQUE_STARS && !cflri_algebra_find_stars(algebra)) {
        return false;
    }
    return !(algebra->techniques & CFLR_TECHNIQUE_MIRRORS) || cflri_algebra_find_mirrors(algebra);
}

cflr_status cflri_algebra_make(const cflri_ground *ground, const cflri_input_kind *input,
                               unsigned techniques, cflri_algebra *algebra, cflr_error *error) {
    cflr_context *context = ground->context;
    size_t n = (size_t)ground->n_symbols + 1;
    *algebra = (cflri_algebra){
        .context = context, .techniques = techniques, .n_symbols = ground->n_symbols};
    cflri_arena_init(&algebra->arena, context);
    algebra->symbol = cflri_alloc_array(context, n, sizeof *algebra->symbol);
    uint32_t *rules = cflri_alloc_array_zero(context, n, sizeof *rules);
    bool *nullable = cflri_alloc_array_zero(context, n, sizeof *nullable);
    bool made =
        algebra->symbol && rules && nullable && make(algebra, ground, input, rules, nullable);
    cflri_free(context, rules);
    cflri_free(context, nullable);
    return made ? CFLR_OK : cflri_fail_memory(context, error);
}

void cflri_algebra_free(cflri_algebra *algebra) {
    for (size_t s = 0; s < algebra->set.n; s++) {
        cflri_vec_free(algebra->context, &algebra->set.at[s].product);
    }
    cflri_vec_free(algebra->context, &algebra->set);
    cflri_free(algebra->context, algebra->symbol);
    cflri_arena_reset(&algebra->arena);
    *algebra = (cflri_algebra){0};
}
