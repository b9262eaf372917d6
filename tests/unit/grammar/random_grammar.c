/* SPDX-License-Identifier: Apache-2.0
 *
 * random_grammar.c: texts of grammars with every operator; see random_grammar.h.
 */
#include "tests/unit/grammar/random_grammar.h"

static void put(random_grammar *w, const char *text) {
    cr_assert_lt(w->n + strlen(text), sizeof w->text);
    w->n += (size_t)sprintf(w->text + w->n, "%s", text);
}

static uint32_t pick(random_grammar *w, uint32_t n) {
    return test_random_below(w->random, n);
}

static void put_index(random_grammar *w) {
    static const char *const index[] = {"[i]", "[i]", "[i]", "[j]", "[\"1\"]", "[2]"};
    put(w, index[pick(w, 6)]);
}

static void put_leaf(random_grammar *w) {
    static const char *const plain[] = {"a", "b", "A", "B", "C", "a", "b"};
    static const char *const indexed[] = {"f", "g", "P", "Q"};
    if (pick(w, 5) == 0) put(w, "~");
    if (pick(w, 3)) {
        put(w, plain[pick(w, 7)]);
    } else {
        put(w, indexed[pick(w, 4)]);
        put_index(w);
    }
}

static void put_expression(random_grammar *w, uint32_t depth) {
    static const char *const signs[] = {"?", "*", "+"};
    uint32_t kind = depth ? pick(w, 8) : 0;
    if (kind < 2) {
        put_leaf(w);
    } else if (kind < 5) {
        uint32_t n = 1 + pick(w, 4);
        for (uint32_t i = 0; i < n; i++) {
            put(w, i ? " " : "");
            put_expression(w, depth - 1);
        }
    } else {
        put(w, pick(w, 6) ? "(" : "~(");
        uint32_t n = 1 + pick(w, 3);
        for (uint32_t i = 0; i < n; i++) {
            put(w, i ? " | " : "");
            put_expression(w, depth - 1);
        }
        put(w, ")");
        if (kind > 5) put(w, signs[pick(w, 3)]);
    }
}

void random_grammar_write(random_grammar *w) {
    static const char *const left[] = {"A", "B", "C", "P[i]", "Q[i]", "P[\"1\"]", "A", "P[i]"};
    uint32_t n = 2 + pick(w, 5);
    w->n = 0;
    for (uint32_t r = 0; r < n; r++) {
        const char *name = left[pick(w, 8)];
        bool open = strstr(name, "[i]") != NULL; /* must be bound on the right */
        put(w, name);
        put(w, open ? pick(w, 2) ? " ::= f[i] " : " ::= ~P[i] (" : " ::= ");
        bool closes = w->text[w->n - 1] == '(';
        put_expression(w, 1 + pick(w, 3));
        if (closes) put(w, ") ");
        if (!open && pick(w, 4) == 0) put(w, " | eps");
        put(w, pick(w, 2) ? "\n" : ";\n");
    }
}

cflr_graph *random_graph(cflr_context *context, uint64_t *random, bool seeds) {
    static const char *const labels[] = {"a", "b", "a", "b", "f[1]", "f[2]", "g[1]", "g[x]", "A"};
    char text[512];
    uint32_t n = test_random_below(random, 12), vertices = 1 + test_random_below(random, 8);
    size_t at = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < n; i++) {
        at += (size_t)sprintf(text + at, "%u %u %s;", test_random_below(random, vertices),
                              test_random_below(random, vertices),
                              labels[test_random_below(random, seeds ? 9 : 8)]);
    }
    return graph_of(context, text);
}
