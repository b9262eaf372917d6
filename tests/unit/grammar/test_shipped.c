/* SPDX-License-Identifier: Apache-2.0
 *
 * test_shipped.c: the grammars of grammars/: sound texts, and rules that mean what the textbook
 * form in their comments means, on random graphs. Worked examples are cases
 * (tests/cases/shipped-*).
 */
#include <criterion/criterion.h>

#include "tests/unit/grammar/relations.h"

Test(shipped, texts) {
    cflr_context *context = test_context();
    size_t n = 0;
    for (const char *name; (name = cflr_grammar_shipped(n)); n++) {
        cflr_grammar *grammar;
        cflr_error error = {0};
        const char *text = cflr_grammar_shipped_text(name);
        cr_assert_not_null(text, "%s", name);
        MUST(cflr_grammar_load(context, name, CFLR_GRAMMAR_AUTO, &grammar, &error));
        cr_expect_str_eq(grammar->subject, name);
        for (size_t i = 0; i < cflr_grammar_diagnostics(grammar); i++) {
            const cflr_diagnostic *d = cflr_grammar_diagnostic(grammar, i);
            cr_expect(false, "%s:%u:%u: %s", name, d->line, d->column, d->message);
        }
        cr_expect(
            strstr(text, "# Source: ") && strstr(text, "# Labels") && strstr(text, "# Example"),
            "%s", name);
        cflr_grammar_free(grammar);
    }
    cr_expect_geq(n, 6);
    cr_expect_null(cflr_grammar_shipped_text("no-such"));
    cr_expect_null(cflr_grammar_shipped_text(NULL));
    test_context_end(context);
}

/* The cases hold the shipped texts themselves, so that their expected pairs are those of today. */
Test(shipped, cases_are_current) {
    for (size_t i = 0; cflr_grammar_shipped(i); i++) {
        char path[512];
        size_t size;
        snprintf(path, sizeof path, "%s/tests/cases/shipped-%s/grammar.cfg", CFLR_SOURCE_DIR,
                 cflr_grammar_shipped(i));
        char *text = test_read_file(path, &size);
        cr_expect_str_eq(text, cflr_grammar_shipped_text(cflr_grammar_shipped(i)), "%s", path);
        free(text);
    }
}

Test(shipped, a_file_goes_first) {
    cflr_context *context = test_context();
    cflr_grammar *grammar;
    cflr_error error = {0};
    test_dir dir = test_dir_begin();
    cr_assert_eq(chdir(dir.path), 0);
    test_write_file("reach", "Mine ::= x\n", 11);
    MUST(cflr_grammar_load(context, "reach", CFLR_GRAMMAR_AUTO, &grammar, &error));
    cr_expect_str_eq(cflr_grammar_start(grammar), "Mine");
    cflr_grammar_free(grammar);
    cr_assert_eq(unlink("reach"), 0);
    MUST(cflr_grammar_load(context, "reach", CFLR_GRAMMAR_AUTO, &grammar, &error));
    cr_expect_str_eq(cflr_grammar_start(grammar), "P");
    cflr_grammar_free(grammar);
    MUST_FAIL(cflr_grammar_load(context, "raech", CFLR_GRAMMAR_AUTO, &grammar, &error), CFLR_IO);
    cr_assert_eq(chdir("/"), 0);
    test_dir_end(&dir);
    test_context_end(context);
}

/* ---- the textbook forms ---- */

/* Pairs of the shipped symbol and of the textbook's that must be equal. */
typedef struct same {
    const char *shipped, *textbook;
} same;

typedef struct textbook {
    const char *name, *text;
    same pairs[4];
} textbook;

static const textbook textbooks[] = {
    {"pointer",
     "VF ::= ((a | nonnull | f[n] | b[n] | call[n] | ret[n]) MA?)*\n"
     "MA ::= ~d VA d\n"
     "VA ::= ~VF (MA | ~s[k] VA s[k])? VF\n"
     "PT ::= ~VF ~alloc\n",
     {{"VA", "VA"}, {"MA", "MA"}, {"PT", "PT"}}},
    {"pointer-fs",
     "V ::= ~A V | V A | FV[i] f[i] | ~(b[i] | around[i]) V (b[i] | around[i]) | SV[k] s[k] | M | "
     "eps\n"
     "FV[i] ::= ~f[i] V\n"
     "SV[k] ::= ~s[k] V\n"
     "M ::= ~d V d\n"
     "S ::= a | nonnull | call[i] | ret[i]\n"
     "A ::= A A | S M | S | f[i] V (b[i] | around[i]) | b[i] V f[i] | eps\n"
     "PT ::= ~A (~f[i] ~A)* ~alloc\n",
     {{"V", "V"}, {"M", "M"}, {"FV", "FV"}, {"PT", "PT"}}},
    {"nullflow",
     "V ::= ~A V | V A | FV[i] f[i] | ~(b[i] | around[i]) V (b[i] | around[i]) | SV[k] s[k] | M | "
     "eps\n"
     "FV[i] ::= ~f[i] V\n"
     "SV[k] ::= ~s[k] V\n"
     "M ::= ~d V d\n"
     "A ::= ((a | nonnull | call[i] | ret[i]) M? | f[i] V (b[i] | around[i]) | b[i] V f[i])*\n"
     "N ::= null M? ((a | call[i] | ret[i]) M? | f[i])*\n",
     {{"Null", "N"}, {"V", "V"}, {"M", "M"}}},
    {"valueflow",
     "A ::= A A | CA[i] ret[i] | a | nonnull | data | eps\n"
     "CA[i] ::= call[i] A\n"
     "F ::= (A | ret[i])* (A | call[j])*\n",
     {{"A", "A"}, {"Flow", "F"}, {"CA", "CA"}}},
    {"dataflow", "N ::= n e*\n", {{"N", "N"}}},
    {"reach", "T ::= T T | e\n", {{"P", "T"}}},
    {"dyck", "E ::= (open[i] E close[i])*\n", {{"D", "E"}}},
};

static cflr_graph *random_program(cflr_context *context, uint64_t *random) {
    static const char *const labels[] = {
        "a",      "a",     "a",       "d",    "d",       "f[8]",    "f[16]",    "s[0]",
        "s[ret]", "alloc", "null",    "n",    "e",       "call[1]", "call[2]",  "ret[1]",
        "ret[2]", "e",     "nonnull", "data", "open[1]", "open[2]", "close[1]", "close[2]"};
    char text[512];
    size_t at = 0;
    uint32_t n = 3 + test_random_below(random, 12), vertices = 2 + test_random_below(random, 7);
    text[0] = '\0';
    for (uint32_t i = 0; i < n; i++) {
        at += (size_t)sprintf(text + at, "%u %u %s;", test_random_below(random, vertices),
                              test_random_below(random, vertices),
                              labels[test_random_below(random, 20)]);
    }
    return graph_of(context, text);
}

static relation all_indexes(const closure *c, const char *name) {
    relation r = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        if (!strcmp(c->at[i].name, name)) r |= c->at[i].pairs;
    }
    return r;
}

static uint32_t compare(const textbook *book, const closure *shipped, const closure *theirs) {
    uint32_t pairs = 0;
    for (const same *s = book->pairs; s < book->pairs + 4 && s->shipped; s++) {
        relation found = all_indexes(shipped, s->shipped);
        cr_assert_eq(found, all_indexes(theirs, s->textbook), "%s: %s", book->name, s->shipped);
        pairs += (uint32_t)__builtin_popcountll(found);
    }
    return pairs;
}

Test(shipped, textbook_forms) {
    cflr_context *context = test_context();
    uint64_t random = 4;
    static closure by_ours, by_theirs;
    for (size_t i = 0; i < sizeof textbooks / sizeof *textbooks; i++) {
        cflr_error error = {0};
        cflr_grammar *ours, *theirs = grammar_of(context, textbooks[i].text);
        uint32_t pairs = 0;
        MUST(cflr_grammar_load(context, textbooks[i].name, CFLR_GRAMMAR_AUTO, &ours, &error));
        for (int k = 0; k < 700; k++) {
            cflr_graph *graph = random_program(context, &random);
            closure_by_rules(ours, graph, &by_ours);
            closure_by_rules(theirs, graph, &by_theirs);
            pairs += compare(&textbooks[i], &by_ours, &by_theirs);
            cflr_graph_free(graph);
        }
        cr_expect_gt(pairs, 300, "%s: %u", textbooks[i].name, pairs);
        cflr_grammar_free(ours);
        cflr_grammar_free(theirs);
    }
    test_context_end(context);
}
