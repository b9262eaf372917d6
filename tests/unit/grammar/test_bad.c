/* SPDX-License-Identifier: Apache-2.0
 *
 * test_bad.c: texts that are no grammars end in their documented status, with a place.
 *
 * The files of tests/bad/grammars with the table EXPECTED beside them, and good grammars that are
 * cut off or changed at every byte.
 */
#include <criterion/criterion.h>

#include "tests/unit/grammar/relations.h"

#define BAD_GRAMMARS CFLR_SOURCE_DIR "/tests/bad/grammars"

typedef struct expected {
    char file[100], format[20], status[20], part[100];
    unsigned line, column;
} expected;

static void check_file(cflr_context *context, const expected *e) {
    char path[512];
    cflr_grammar *grammar = NULL;
    cflr_error error = {0};
    cflr_grammar_format format;
    snprintf(path, sizeof path, "%s/%s", BAD_GRAMMARS, e->file);
    MUST(cflr_grammar_format_parse(e->format, &format, &error));
    cflr_status st = cflr_grammar_load(context, path, format, &grammar, &error);
    cr_expect_str_eq(cflr_status_name(st), e->status, "%s: %s: %s", e->file, cflr_status_name(st),
                     error.message);
    cr_expect_null(grammar, "%s", e->file);
    cr_expect_eq(error.code, st, "%s", e->file);
    cr_expect(error.line == e->line && error.column == e->column, "%s:%u:%u: %s", e->file,
              error.line, error.column, error.message);
    cr_expect(strstr(error.message, e->part), "%s: '%s' is not in '%s'", e->file, e->part,
              error.message);
    cr_expect_str_eq(error.subject, path);
    cr_expect_eq(cflr_context_memory(context), 0, "%s leaks", e->file);
}

Test(bad, corpus) {
    cflr_context *context = test_context();
    char line[512];
    unsigned cases = 0;
    FILE *table = fopen(BAD_GRAMMARS "/EXPECTED", "r");
    cr_assert(table != NULL);
    while (fgets(line, sizeof line, table)) {
        expected e = {0};
        if (line[0] == '#') continue;
        cr_assert_geq(sscanf(line, "%99[^\t]\t%19[^\t]\t%19[^\t]\t%u\t%u\t%99[^\n]", e.file,
                             e.format, e.status, &e.line, &e.column, e.part),
                      6, "%s", line);
        check_file(context, &e);
        cases++;
    }
    fclose(table);
    cr_assert_geq(cases, 50);
    test_context_end(context);
}

/* ---- changed and cut off ---- */

/* Whatever the bytes are: a grammar, or a status with a message and no grammar. */
static bool survives(cflr_context *context, const char *text, size_t size,
                     cflr_grammar_format format) {
    cflr_grammar *grammar = NULL;
    cflr_error error = {0};
    cflr_status st = cflr_grammar_parse(context, text, size, "x", format, &grammar, &error);
    cr_assert_eq(st == CFLR_OK, grammar != NULL);
    if (st != CFLR_OK) {
        cr_assert(st == CFLR_SYNTAX || st == CFLR_UNSUPPORTED, "%s", error.message);
        cr_assert(error.message[0] && error.line && error.column, "%s", error.message);
    }
    cflr_grammar_free(grammar);
    return st == CFLR_OK;
}

static const struct {
    const char *text;
    cflr_grammar_format format;
} good[] = {
    {"%start V\n%terminal a d f[i]\n%answer x V\nV ::= ~(A b)* V+ | F[i] f[i] | eps ; # c\n"
     "F[j] ::= ~f[j] \"q \\\" s\"\nA ::= (a (d|d)?)* f[\"8\"] ; %terminal b \"q \\\" s\"\n",
     CFLR_GRAMMAR_CFLR},
    {"V\tAbar\tV\nF_i\tfbar_i\tV\nA\ta\nV\n\nCount:\nV, A\n", CFLR_GRAMMAR_POCR},
    {"# n\n3\nV f_3 -a\nV fbar_12 V\nV\n", CFLR_GRAMMAR_GRACFL},
    {"Start:\nV\nTerminal:\na f_i\nProductions:\nV->(a|f_i abar)*b?;W -> epsilon;\n",
     CFLR_GRAMMAR_SVF},
    {"S -> a_r (S | load_4)* b+\nT -> S | epsilon\nCount:\nT\n", CFLR_GRAMMAR_CFPQ},
};

Test(bad, every_byte) {
    static const char bytes[] = "\0\n \t\"\\%~#[](|;:*_-0i\x80\xC3\xFF";
    cflr_context *context = test_context();
    unsigned refused = 0, accepted = 0;
    for (size_t g = 0; g < sizeof good / sizeof *good; g++) {
        size_t size = strlen(good[g].text);
        cr_assert(survives(context, good[g].text, size, good[g].format), "%zu", g);
        for (size_t at = 0; at < size; at++) {
            survives(context, good[g].text, at, good[g].format);
            survives(context, good[g].text, at, CFLR_GRAMMAR_AUTO);
            for (size_t b = 0; b < sizeof bytes - 1; b++) {
                char text[512];
                memcpy(text, good[g].text, size);
                text[at] = bytes[b];
                bool is_grammar = survives(context, text, size, good[g].format);
                accepted += is_grammar;
                refused += !is_grammar;
            }
        }
    }
    cr_expect(refused > 1000 && accepted > 1000, "%u and %u", refused, accepted);
    test_context_end(context);
}

Test(bad, files) {
    cflr_context *context = test_context();
    cflr_grammar *grammar;
    cflr_error error = {0};
    MUST_FAIL(cflr_grammar_load(context, "/no/such/file.cfg", CFLR_GRAMMAR_AUTO, &grammar, &error),
              CFLR_IO);
    MUST_FAIL(cflr_grammar_load(context, CFLR_SOURCE_DIR, CFLR_GRAMMAR_AUTO, &grammar, &error),
              CFLR_IO);
    cr_expect_null(grammar);
    test_context_end(context);
}
