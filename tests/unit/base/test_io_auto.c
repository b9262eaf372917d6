/* SPDX-License-Identifier: Apache-2.0
 *
 * test_io_auto.c: which format a text is taken for, near its beginning and far behind it.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "base/formats/io_edges.h"
#include "tests/unit/base/io_support.h"

Test(io_auto, first_lines) {
    static const struct {
        const char *text;
        cflr_graph_format format;
    } cases[] = {
        {"", CFLR_GRAPH_TSV},
        {"0\t1\ta\n", CFLR_GRAPH_TSV},
        {"0 1\n1 2\n", CFLR_GRAPH_TSV},
        {"main foo call\n", CFLR_GRAPH_TSV},
        {"0 1 f[8]\n0 1 x_2\n", CFLR_GRAPH_TSV},
        {"0 1 a\n0 1 ~a\n1 0 abar\n", CFLR_GRAPH_TSV},
        {"# vertices 3\n0 1 f_1\n", CFLR_GRAPH_TSV},
        {"#@ x\nx x f_1\n", CFLR_GRAPH_TSV},
        /* no plain label to be the converse of */
        {"0 1 crowbar\n0 1 my_r\n", CFLR_GRAPH_TSV},
        {"0 1 bar\n", CFLR_GRAPH_TSV},
        {"0\t1\ta\n1\t0\tabar\n", CFLR_GRAPH_POCR},
        {"0\t1\tf_i\t3\n", CFLR_GRAPH_POCR},
        {"0\t1\ta\n0\t1\tcall_i\t3\n", CFLR_GRAPH_POCR},
        {"0 1 a\n1 0 -a\n", CFLR_GRAPH_GRACFL},
        {"2 2\n0 1 a\n1 0 b\n", CFLR_GRAPH_GRACFL},
        {"0\t1\tf_12\n", CFLR_GRAPH_GRACFL},
        {"0 1 f_12\n1 0 fbar_12\n", CFLR_GRAPH_GRACFL},
        {"0 1 a\n1 0 abar\n0 1 f_12\n", CFLR_GRAPH_GRACFL},
        {"0 a 1\n1 b 2\n", CFLR_GRAPH_CFPQ},
        {"0 1 load_73\n", CFLR_GRAPH_CFPQ},
        {"0 1 a\n1 0 a_r\n", CFLR_GRAPH_CFPQ},
        {"%%MatrixMarket matrix coordinate pattern general\n0 0 0\n", CFLR_GRAPH_MTX},
        {"c x\nc\np sp 2 1\na 1 2 3\n", CFLR_GRAPH_DIMACS},
        {"p sp 2 1\na 1 2 3\n", CFLR_GRAPH_DIMACS},
        {"c d e\np q e\n", CFLR_GRAPH_TSV},
        {"CFLR....", CFLR_GRAPH_CFLG},
        {"\x7f"
         "ELF\x02\x01\x01",
         CFLR_GRAPH_AUTO},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cflr_graph_format format = cflri_format_of(cases[i].text, strlen(cases[i].text));
        cr_expect_eq(format, cases[i].format, "'%s' is taken for %s, not %s", cases[i].text,
                     cflri_format_word(format), cflri_format_word(cases[i].format));
    }
}

/* A text of `lines` lines "0 1 a" in the middle of which `line` stands. */
static char *long_text(size_t lines, const char *line, size_t *size) {
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    cr_assert(out != NULL);
    for (size_t i = 0; i < lines; i++) fputs(i == lines / 2 ? line : "0\t1\ta\n", out);
    fclose(out);
    return text;
}

/* What marks a format may come long after the first lines; the choice must be the same. */
Test(io_auto, late_marks) {
    static const struct {
        const char *line, *graph;
    } cases[] = {
        {"1\t0\tabar\n", "2: 0 1 a"},
        {"1\t2\tf_i\t7\n", "3: 0 1 a; 1 2 f[7]"},
        {"1\t0\t-a\n", "2: 0 1 a"},
        {"1\t2\tload_4\n", "3: 0 1 a; 1 2 load[4]"},
        {"1\t0\ta_r\n", "2: 0 1 a"},
        {"1\t2\tf[4]\n", "3: 0 1 a; 1 2 f[4]"},
        {"1\t2\tcrowbar\n", "3: 0 1 a; 1 2 crowbar"},
        {"1\tx\ta\n", "3: 0 1 a; 1 x a"},
        {"1\t0\tabar\n1\t2\tg_4\n1\t2\tf[4]\n", "3: 0 1 a; 1 0 abar; 1 2 f[4]; 1 2 g_4"},
    };
    cflr_context *context = test_context();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t size;
        char *text = long_text(200000, cases[i].line, &size);
        cr_assert_gt(size, 1 << 20);
        cr_expect_eq(cflri_edges_guess(text, size), CFLR_GRAPH_TSV, "the head tells nothing");
        cflr_graph *graph;
        cflr_error error = {0};
        MUST(io_read(context, text, size, CFLR_GRAPH_AUTO, &graph, &error));
        char *shown = io_describe(graph);
        cr_expect_str_eq(shown, cases[i].graph, "'%s' gives '%s'", cases[i].line, shown);
        free(shown);
        cflr_graph_free(graph);
        free(text);
    }
    test_context_end(context);
}

Test(io_auto, words) {
    cflr_error error = {0};
    cflr_graph_format format = CFLR_GRAPH_DOT;
#define CHECK_WORD(name, number, word, text)              \
    MUST(cflr_graph_format_parse(word, &format, &error)); \
    cr_expect_eq(format, CFLR_GRAPH_##name);              \
    cr_expect_eq((int)format, number);                    \
    cr_expect_str_eq(cflri_format_word(CFLR_GRAPH_##name), word);
    CFLR_GRAPH_FORMAT_LIST(CHECK_WORD)
    MUST_FAIL(cflr_graph_format_parse("TSV", &format, &error), CFLR_ARGUMENT);
    cr_expect(strstr(error.message, "souffle") && strstr(error.message, "sqlite"), "%s",
              error.message);
    MUST_FAIL(cflr_graph_format_parse("", &format, &error), CFLR_ARGUMENT);
}

Test(io_auto, formats_that_do_not_fit_the_path) {
    cflr_context *context = test_context();
    cflr_graph *graph;
    cflr_error error;
    char path[512];
    test_dir dir = test_dir_begin();
    test_path(&dir, "g.tsv", path);
    test_write_file(path, "0 1 a\n", 6);
    MUST_FAIL(cflr_graph_load(context, path, CFLR_GRAPH_SOUFFLE, &graph, &error), CFLR_ARGUMENT);
    MUST_FAIL(cflr_graph_load(context, path, CFLR_GRAPH_DOT, &graph, &error), CFLR_UNSUPPORTED);
    MUST_FAIL(cflr_graph_load(context, path, (cflr_graph_format)99, &graph, &error), CFLR_ARGUMENT);
    MUST_FAIL(cflr_graph_load(context, dir.path, CFLR_GRAPH_TSV, &graph, &error), CFLR_ARGUMENT);
    MUST_FAIL(cflr_graph_load(context, dir.path, CFLR_GRAPH_AUTO, &graph, &error), CFLR_FORMAT);
    MUST_FAIL(cflr_graph_load(context, "/nonexistent/x", CFLR_GRAPH_AUTO, &graph, &error), CFLR_IO);
    cr_expect_str_eq(error.subject, "/nonexistent/x");
    cr_expect(graph == NULL);
    test_dir_end(&dir);
    test_context_end(context);
}
