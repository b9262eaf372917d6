/* SPDX-License-Identifier: Apache-2.0
 *
 * random_pairs.h: random grammars and graphs.
 *
 * A grammar is random text: some nonterminals, one of them indexed, each with a few alternatives of
 * up to three symbols, plain or read backwards; so there are unary rules, rules that start or end
 * in the same symbol, epsilon, converses of terminals and of nonterminals, and indexes that are
 * matched or projected. A graph is a handful of random edges. Some graphs spread their vertices
 * over a wide range of ids, or have many edges on few vertices, so that rows take every shape.
 *
 * A pair is made from its seed alone, so a failure names all that is needed to see it again.
 */
#ifndef TEST_ENGINE_RANDOM_PAIRS_H
#define TEST_ENGINE_RANDOM_PAIRS_H

#include <stdarg.h>

#include "support.h"

enum { TEXT = 4096 };

typedef struct dice {
    uint64_t state;
} dice;

static inline uint32_t roll(dice *d, uint32_t sides) {
    d->state = d->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((d->state >> 33) % sides);
}

typedef struct text {
    size_t n;
    char at[TEXT];
} text;

static inline void append(text *t, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    t->n += (size_t)vsnprintf(t->at + t->n, TEXT - t->n, format, arguments);
    va_end(arguments);
    cr_assert_lt(t->n, (size_t)TEXT);
}

static inline void random_plain(dice *d, text *t) {
    static const char *const symbols[] = {"a", "b", "c", "A", "B", "C", "D"};
    append(t, "%s%s ", roll(d, 4) ? "" : "~", symbols[roll(d, 7)]);
}

static inline void random_indexed(dice *d, text *t) {
    static const char *const symbols[] = {"f", "g", "G"};
    append(t, "%s%s[i] ", roll(d, 3) ? "" : "~", symbols[roll(d, 3)]);
}

/* A right side; `indexed`: it must name the index of its left side. */
static inline void random_alternative(dice *d, text *t, bool indexed) {
    uint32_t symbols = 1 + roll(d, 3);
    if (!indexed && !roll(d, 6)) {
        append(t, "eps ");
        return;
    }
    uint32_t index_at = indexed || !roll(d, 4) ? roll(d, symbols) : symbols;
    for (uint32_t s = 0; s < symbols; s++) {
        if (s == index_at || (index_at < symbols && !roll(d, 3))) {
            random_indexed(d, t);
        } else {
            random_plain(d, t);
        }
    }
}

static inline void random_grammar(dice *d, text *t) {
    static const char *const lefts[] = {"A", "B", "C", "D", "G[i]"};
    t->n = 0;
    append(t, "%%start A\nA ::= a\nB ::= b\nC ::= c\nD ::= A\nG[i] ::= f[i]\n");
    for (uint32_t left = 0; left < 5; left++) {
        uint32_t alternatives = roll(d, 4);
        for (uint32_t i = 0; i < alternatives; i++) {
            append(t, "%s ::= ", lefts[left]);
            random_alternative(d, t, left == 4);
            append(t, "\n");
        }
    }
}

static inline void random_edges(dice *d, text *t) {
    static const char *const plain[] = {"a", "b", "c"};
    static const char *const indexed[] = {"f", "g"};
    uint32_t n = 1 + roll(d, roll(d, 8) ? 9 : 40);
    uint32_t edges = roll(d, 3 * n + 4);
    uint32_t step = roll(d, 50) ? 1 : 2600 / n; /* wide: rows of hash slots in place of bits */
    t->n = 0;
    append(t, "%u %u a", (n - 1) * step, 0);
    for (uint32_t e = 0; e < edges && t->n < TEXT - 64; e++) {
        uint32_t source = roll(d, n) * step, target = roll(d, n) * step;
        if (roll(d, 3)) {
            append(t, "; %u %u %s", source, target, plain[roll(d, 3)]);
        } else {
            append(t, "; %u %u %s[%u]", source, target, indexed[roll(d, 2)], roll(d, 4));
        }
    }
}

/* Begins a world with the pair. */
static inline void random_world(world *w, uint64_t seed) {
    dice d = {seed * UINT64_C(0x9e3779b97f4a7c15) + 1};
    text grammar, edges;
    world_begin(w, 1);
    random_grammar(&d, &grammar);
    random_edges(&d, &edges);
    world_grammar(w, grammar.at);
    world_graph(w, edges.at);
}

/* Every other grammar keeps only pairs of a symbol that a terminal has, too; where the symbol has
 * the empty path, that may not be asked for. */
static inline void filtered_world(world *w, uint64_t seed) {
    static const char *const left[] = {"A", "B", "C", "D"}, *const kept[] = {"a", "b", "c"};
    dice d = {seed * UINT64_C(0x9e3779b97f4a7c15) + 1};
    text grammar, edges;
    cflr_error error;
    world_begin(w, 1);
    random_grammar(&d, &grammar);
    random_edges(&d, &edges);
    size_t plain = grammar.n;
    append(&grammar, "%%filter %s %s\n", left[roll(&d, 4)], kept[roll(&d, 3)]);
    if (seed % 2 || test_grammar(w->context, grammar.at, &w->grammar, &error) != CFLR_OK) {
        grammar.at[plain] = '\0';
        world_grammar(w, grammar.at);
    }
    world_graph(w, edges.at);
}

#endif
