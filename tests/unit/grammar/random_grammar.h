/* SPDX-License-Identifier: Apache-2.0
 *
 * random_grammar.h: random grammars and graphs over the same labels: a, b and A plain, f and g
 * indexed. Many grammars are refused (an index is not bound, two cross), which is part of the test.
 */
#ifndef TEST_GRAMMAR_RANDOM_GRAMMAR_H
#define TEST_GRAMMAR_RANDOM_GRAMMAR_H

#include "tests/unit/grammar/relations.h"

typedef struct random_grammar {
    uint64_t *random; /* set by the caller */
    char text[4096];
    size_t n;
} random_grammar;

void random_grammar_write(random_grammar *grammar);

/* seeds: edges A too, which grammars derive. */
cflr_graph *random_graph(cflr_context *context, uint64_t *random, bool seeds);

#endif
