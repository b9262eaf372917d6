/* SPDX-License-Identifier: Apache-2.0
 *
 * normal.c: flat rules to rules with at most two symbols on the right and one index variable.
 *
 *     A ::= f[i] B g[j] C h[j] k[i] l[k]
 *
 *     %1    ::= l[k]            a variable that occurs once is projected away
 *     %2[j] ::= g[j] C          the innermost variable first: its part closes to a plain symbol
 *     %3    ::= %2[j] h[j]
 *     %4[i] ::= f[i] B          then the next one outwards
 *     %5[i] ::= %4[i] %3
 *     %6    ::= %5[i] k[i]
 *     A     ::= %6 %1
 *
 * A stack does it in one pass: symbols are pushed from left to right; at the last occurrence of a
 * variable that the left side does not have, everything back to its first occurrence is popped,
 * folded and pushed as one plain symbol. The symbols between must be free of variables by then, or
 * two variables cross, as in f[i] g[j] h[i] k[j], which no rule with one variable can say.
 *
 * Folding is from the left: the prefix of a rule is an auxiliary, so rules with a common prefix
 * share it (equal prefixes are found by a table). Epsilon and unary rules are kept as they are:
 * removing them would change which symbols hold pairs, or how many. Only a rule that repeats
 * another, and A ::= A, are dropped. Linear in the symbols of the rules.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "grammar/compile/compile.h"

typedef struct normaliser {
    cflri_compile *compile;
    const cflri_flat *flat;
    CFLRI_VEC(cflri_item) stack;
    uint32_t total[CFLRI_MAX_VARIABLES]; /* occurrences in the rule, left side included */
    uint32_t seen[CFLRI_MAX_VARIABLES];
    size_t first[CFLRI_MAX_VARIABLES]; /* place on the stack of the first occurrence */
    cflr_error *error;
} normaliser;

enum { KEY_SIZE = 160 };

static cflr_status no_memory(const normaliser *z) {
    return cflri_fail_memory(z->compile->context, z->error);
}

static bool has_variable(cflri_item item) {
    return item.use == CFLRI_INDEX_VARIABLE;
}

static uint32_t constant_of(cflri_item item) {
    return item.use == CFLRI_INDEX_CONSTANT ? item.index : 0;
}

/* The numbers of an item that tell rules apart; the variable has no name any more. */
static int item_key(char *key, size_t size, cflri_item item) {
    return snprintf(key, size, " %u.%u.%u", item.symbol, item.use, constant_of(item));
}

static size_t rule_key(char *key, char role, const cflri_item *left, const cflri_item *right,
                       uint32_t n) {
    int length = 1;
    key[0] = role;
    if (left) length += item_key(key + length, KEY_SIZE - (size_t)length, *left);
    for (uint32_t i = 0; i < n; i++) {
        length += item_key(key + length, KEY_SIZE - (size_t)length, right[i]);
    }
    assert(length < KEY_SIZE);
    return (size_t)length;
}

static bool same_item(cflri_item a, cflri_item b) {
    return a.symbol == b.symbol && a.use == b.use && constant_of(a) == constant_of(b);
}

static cflr_status add_rule(normaliser *z, cflri_item left, const cflri_item *right, uint32_t n) {
    cflri_compile *compile = z->compile;
    assert(n <= 2);
    assert(n < 2 || !has_variable(right[0]) || !has_variable(right[1]) ||
           right[0].index == right[1].index); /* one variable a rule */
    if (n == 1 && same_item(left, right[0])) return CFLR_OK;
    char key[KEY_SIZE];
    uint32_t *known;
    size_t length = rule_key(key, 'r', &left, right, n);
    cflr_status st = cflri_memo_find(&compile->memo, key, length, &known, z->error);
    if (st != CFLR_OK || *known != CFLRI_NO_SYMBOL) return st;
    *known = 0;
    cflri_rule rule = {.left = left.symbol,
                       .right = {CFLRI_NO_SYMBOL, CFLRI_NO_SYMBOL},
                       .n_right = (uint8_t)n,
                       .left_use = left.use,
                       .constant = {constant_of(left)},
                       .origin = z->flat->origin};
    for (uint32_t i = 0; i < n; i++) {
        rule.right[i] = right[i].symbol;
        rule.right_use[i] = right[i].use;
        rule.constant[1 + i] = constant_of(right[i]);
    }
    rule.projects = n == 1 && !has_variable(left) && has_variable(right[0]);
    if (!cflri_vec_push(compile->context, &compile->rules, rule)) return no_memory(z);
    return CFLR_OK;
}

/* The auxiliary for these one or two items: plain, or with their variable. */
static cflr_status auxiliary(normaliser *z, const cflri_item *right, uint32_t n, bool indexed,
                             cflri_item *made) {
    cflr_status st = CFLR_OK;
    char key[KEY_SIZE];
    uint32_t *known;
    size_t length = rule_key(key, indexed ? 'i' : 'p', NULL, right, n);
    CFLR_TRY(cflri_memo_find(&z->compile->memo, key, length, &known, z->error));
    bool is_new = *known == CFLRI_NO_SYMBOL;
    if (is_new) {
        const cflri_origin *origin = &z->compile->origins.at[z->flat->origin];
        cflri_place place = {origin->line, origin->column};
        CFLR_TRY(cflri_auxiliary_new(z->compile, indexed, place, known, z->error));
    }
    cflri_item item = {.symbol = *known};
    if (indexed) {
        item.use = CFLRI_INDEX_VARIABLE;
        item.index = has_variable(right[0]) ? right[0].index : right[1].index;
    }
    if (is_new) CFLR_TRY(add_rule(z, item, right, n));
    *made = item; /* last: it may be one of right[] */
out:
    return st;
}

/* item[0] ... item[n-1] as at most two symbols, from the left: pair[0] is the prefix. */
static cflr_status fold(normaliser *z, const cflri_item *item, size_t n, cflri_item pair[2]) {
    cflr_status st = CFLR_OK;
    assert(n >= 2);
    pair[0] = item[0];
    for (size_t i = 1; i < n - 1; i++) {
        pair[1] = item[i];
        bool indexed = has_variable(pair[0]) || has_variable(pair[1]);
        CFLR_TRY(auxiliary(z, pair, 2, indexed, &pair[0]));
    }
    pair[1] = item[n - 1];
out:
    return st;
}

static cflr_status crossing(const normaliser *z, uint32_t a, uint32_t b) {
    const cflri_compile *compile = z->compile;
    const cflri_origin *origin = &compile->origins.at[z->flat->origin];
    const struct cflri_ast *ast = compile->ast;
    const cflri_ast_rule *rule = &ast->rules.at[ast->origin_rule.at[z->flat->origin]];
    return cflri_fail_at(z->error, CFLR_UNSUPPORTED, compile->grammar->subject, origin->line,
                         origin->column,
                         "indexes '%.40s' and '%.40s' cross; each must close inside the other",
                         rule->variable[a], rule->variable[b]);
}

/* Replaces the stack from `from` on, which ends the last use of `variable`, by one plain symbol. */
static cflr_status close_variable(normaliser *z, size_t from, uint32_t variable) {
    cflr_status st = CFLR_OK;
    cflri_item pair[2], made;
    assert(from < z->stack.n);
    for (size_t i = from; i < z->stack.n; i++) {
        const cflri_item *item = &z->stack.at[i];
        if (has_variable(*item) && item->index != variable) {
            return crossing(z, variable, item->index);
        }
    }
    CFLR_TRY(fold(z, z->stack.at + from, z->stack.n - from, pair));
    CFLR_TRY(auxiliary(z, pair, 2, false, &made));
    z->stack.n = from;
    z->stack.at[z->stack.n++] = made;
out:
    return st;
}

static cflr_status push_item(normaliser *z, cflri_item item, bool last) {
    cflr_status st = CFLR_OK;
    uint32_t v = item.index;
    if (has_variable(item) && z->total[v] == 1 && z->flat->n > 1) {
        CFLR_TRY(auxiliary(z, &item, 1, false, &item));
    }
    if (!cflri_vec_push(z->compile->context, &z->stack, item)) return no_memory(z);
    if (!has_variable(item)) return CFLR_OK;
    if (!z->seen[v]++) z->first[v] = z->stack.n - 1;
    assert(z->seen[v] <= z->total[v] && z->first[v] < z->stack.n);
    bool whole = last && z->first[v] == 0;
    if (z->seen[v] == z->total[v] && z->total[v] > 1 && !whole) {
        CFLR_TRY(close_variable(z, z->first[v], v));
    }
out:
    return st;
}

static void count_variables(normaliser *z) {
    const cflri_flat *flat = z->flat;
    memset(z->total, 0, sizeof z->total);
    memset(z->seen, 0, sizeof z->seen);
    for (uint32_t i = 0; i < flat->n; i++) {
        if (has_variable(flat->item[i])) z->total[flat->item[i].index]++;
    }
    if (has_variable(flat->left)) z->total[flat->left.index]++;
}

static cflr_status normalise_flat(normaliser *z) {
    cflr_status st = CFLR_OK;
    const cflri_flat *flat = z->flat;
    count_variables(z);
    z->stack.n = 0;
    for (uint32_t i = 0; i < flat->n; i++) {
        CFLR_TRY(push_item(z, flat->item[i], i + 1 == flat->n));
    }
    if (z->stack.n <= 1) {
        CFLR_TRY(add_rule(z, flat->left, z->stack.at, (uint32_t)z->stack.n));
    } else {
        cflri_item pair[2];
        const cflri_item *open = NULL;
        for (size_t i = 0; i < z->stack.n; i++) {
            const cflri_item *item = &z->stack.at[i];
            if (!has_variable(*item)) continue;
            if (open && open->index != item->index) return crossing(z, open->index, item->index);
            open = item;
        }
        CFLR_TRY(fold(z, z->stack.at, z->stack.n, pair));
        CFLR_TRY(add_rule(z, flat->left, pair, 2));
    }
out:
    return st;
}

/* ~x ::= x for every converse that a rule reads, with the first reader as its origin. */
static cflr_status add_converses(cflri_compile *compile, cflr_error *error) {
    size_t n = compile->rules.n;
    for (size_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < compile->rules.at[i].n_right; k++) {
            uint32_t symbol = compile->rules.at[i].right[k];
            uint32_t plain = compile->symbols.at[symbol].converse_of;
            if (plain == CFLRI_NO_SYMBOL || compile->converse.at[symbol] == symbol) continue;
            assert(compile->converse.at[plain] == symbol);
            compile->converse.at[symbol] = symbol; /* done */
            uint8_t use =
                compile->symbols.at[plain].indexed ? CFLRI_INDEX_VARIABLE : CFLRI_INDEX_NONE;
            cflri_rule rule = {.left = symbol,
                               .right = {plain, CFLRI_NO_SYMBOL},
                               .n_right = 1,
                               .is_converse = true,
                               .left_use = use,
                               .right_use = {use},
                               .origin = compile->rules.at[i].origin};
            if (!cflri_vec_push(compile->context, &compile->rules, rule)) {
                return cflri_fail_memory(compile->context, error);
            }
        }
    }
    return CFLR_OK;
}

cflr_status cflri_normalise(cflri_compile *compile, cflr_error *error) {
    cflr_status st = CFLR_OK;
    normaliser z = {.compile = compile, .error = error};
    for (size_t i = 0; i < compile->ast->flats.n; i++) {
        z.flat = &compile->ast->flats.at[i];
        CFLR_TRY(normalise_flat(&z));
    }
    CFLR_TRY(add_converses(compile, error));
out:
    cflri_vec_free(compile->context, &z.stack);
    return st;
}
