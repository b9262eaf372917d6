/* SPDX-License-Identifier: Apache-2.0
 *
 * test_io_text.c: what each text format means: a text, and the graph that it is.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/unit/base/io_support.h"

typedef struct text_case {
    cflr_graph_format format;
    const char *text;
    const char *graph;
} text_case;

static void check(const text_case *cases, size_t n) {
    cflr_context *context = test_context();
    for (size_t i = 0; i < n; i++) {
        cflr_graph *graph;
        cflr_error error = {0};
        cflr_status st =
            io_read(context, cases[i].text, strlen(cases[i].text), cases[i].format, &graph, &error);
        cr_assert_eq(st, CFLR_OK, "'%s': %u:%u: %s", cases[i].text, error.line, error.column,
                     error.message);
        char *shown = io_describe(graph);
        cr_expect_str_eq(shown, cases[i].graph, "'%s' gives '%s'", cases[i].text, shown);
        free(shown);
        cflr_graph_free(graph);
    }
    test_context_end(context);
}

#define CHECK(cases) check(cases, sizeof cases / sizeof cases[0])

Test(io_text, tsv) {
    static const text_case cases[] = {
        {CFLR_GRAPH_TSV, "", "0:"},
        {CFLR_GRAPH_TSV, "# nothing\n\n", "0:"},
        {CFLR_GRAPH_TSV, "0\t1\ta\n1\t2\tf[8]\n", "3: 0 1 a; 1 2 f[8]"},
        {CFLR_GRAPH_TSV, "0 1 a\r\n  1\t 2 \ta  \r\n", "3: 0 1 a; 1 2 a"},
        {CFLR_GRAPH_TSV, "0 1 a\n0 1 a\n", "2: 0 1 a"},
        {CFLR_GRAPH_TSV, "0 1 ~a\n0 1 ~f[x]\n", "2: 1 0 a; 1 0 f[x]"},
        {CFLR_GRAPH_TSV, "0 1 a\n1 0 ~a\n", "2: 0 1 a"},
        {CFLR_GRAPH_TSV, "# vertices 9\n0 1 a\n", "9: 0 1 a"},
        {CFLR_GRAPH_TSV, "0 3 a\n#vertices 2\n", "4: 0 3 a"},
        {CFLR_GRAPH_TSV, "# vertices are counted from 0\n# vertices x\n0 3 a\n", "4: 0 3 a"},
        {CFLR_GRAPH_TSV, "7 7 a", "8: 7 7 a"},
        {CFLR_GRAPH_TSV, "4294967293 0 a", "4294967294: 4294967293 0 a"},
        {CFLR_GRAPH_TSV, "0 1\n2 1\n", "3: 0 1 e; 2 1 e"},
        {CFLR_GRAPH_TSV, "main foo call\nfoo bar call\n", "3: main foo call; foo bar call"},
        /* numbers are names once one vertex is named */
        {CFLR_GRAPH_TSV, "5 7 a\n7 x a\n", "3: 5 7 a; 7 x a"},
        {CFLR_GRAPH_TSV, "x x a\n", "1: x x a"},
        {CFLR_GRAPH_TSV, "p q\nq r\n", "3: p q e; q r e"},
        {CFLR_GRAPH_TSV, "#@ z\n#@ 1\n1 2 a\n", "3: 1 2 a"},
        {CFLR_GRAPH_TSV, "#@ q\n#@ p\n", "2:"},
        {CFLR_GRAPH_TSV, "# @ q\n0 1 a\n", "2: 0 1 a"},
        {CFLR_GRAPH_TSV, "# vertices 2\np q a\n", "2: p q a"},
        /* what other formats would take apart is a plain label here */
        {CFLR_GRAPH_TSV, "0 1 abar\n0 1 f_12\n0 1 -a\n0 1 x_r\n",
         "2: 0 1 -a; 0 1 abar; 0 1 f_12; 0 1 x_r"},
        {CFLR_GRAPH_TSV,
         "\xef\xbb\xbf"
         "0 1 a\n",
         "2: 0 1 a"},
        {CFLR_GRAPH_TSV, "0 1 \xc3\xa4[\xc3\xb6]\n", "2: 0 1 \xc3\xa4[\xc3\xb6]"},
    };
    CHECK(cases);
}

Test(io_text, pocr) {
    static const text_case cases[] = {
        {CFLR_GRAPH_POCR, "", "0:"},
        {CFLR_GRAPH_POCR, "0\t1\ta\n1\t0\tabar\n", "2: 0 1 a"},
        {CFLR_GRAPH_POCR, "1\t0\tabar\n", "2: 0 1 a"},
        {CFLR_GRAPH_POCR, "0\t1\tf_i\t3\n1\t0\tfbar_i\t3\n1\t0\tfbar_i\t4\n",
         "2: 0 1 f[3]; 0 1 f[4]"},
        {CFLR_GRAPH_POCR, "0\t1\tf\t3\n", "2: 0 1 f[3]"},
        {CFLR_GRAPH_POCR, "0\t1\ta\t\n", "2: 0 1 a"},
        {CFLR_GRAPH_POCR, "0\t1\tcall_i\tmain.c:3\n", "2: 0 1 call[main.c:3]"},
        /* an ending that would leave no name belongs to the name */
        {CFLR_GRAPH_POCR, "0 1 bar\n0 1 _i\n0 1 xbar\n", "2: 0 1 _i; 0 1 bar; 1 0 x"},
        {CFLR_GRAPH_POCR, "p q a\nq p abar\n", "2: p q a"},
        {CFLR_GRAPH_POCR, "# c\n\n0 1 a\n", "2: 0 1 a"},
    };
    CHECK(cases);
}

Test(io_text, gracfl_and_graspan) {
    static const text_case cases[] = {
        {CFLR_GRAPH_GRACFL, "0 1 a\n1 0 abar\n", "2: 0 1 a"},
        {CFLR_GRAPH_GRACFL, "0\t1\ta\n1\t0\t-a\n", "2: 0 1 a"},
        {CFLR_GRAPH_GRACFL, "0 1 f_12\n1 0 fbar_12\n", "2: 0 1 f[12]"},
        {CFLR_GRAPH_GRACFL, "1 0 -f_12\n", "2: 0 1 f[12]"},
        {CFLR_GRAPH_GRACFL, "0 1 f_007\n0 1 _7\n0 1 f_x\n0 1 f_\n0 1 -\n",
         "2: 0 1 -; 0 1 _7; 0 1 f[007]; 0 1 f_; 0 1 f_x"},
        {CFLR_GRAPH_GRACFL, "# edges, vertices\n2 9\n# edges\n0 1 a\n1 8 a\n", "9: 0 1 a; 1 8 a"},
        {CFLR_GRAPH_GRACFL, "0 0\n", "0:"},
        {CFLR_GRAPH_GRACFL, "1 2\np q a\n", "2: p q a"},
    };
    CHECK(cases);
}

Test(io_text, cfpq) {
    static const text_case cases[] = {
        {CFLR_GRAPH_CFPQ, "0 1 alloc\n1 2 load_73\n", "3: 0 1 alloc; 1 2 load[73]"},
        {CFLR_GRAPH_CFPQ, "0 alloc 1\n1 load_73 2\n", "3: 0 1 alloc; 1 2 load[73]"},
        {CFLR_GRAPH_CFPQ, "1 0 a_r\n2 1 load_73_r\n2 1 store_r_4\n",
         "3: 0 1 a; 1 2 load[73]; 1 2 store[4]"},
        {CFLR_GRAPH_CFPQ, "0 1 load_i 73\n2 1 load_r_i x\n2 1 load_i_r y\n",
         "3: 0 1 load[73]; 1 2 load[x]; 1 2 load[y]"},
        {CFLR_GRAPH_CFPQ, "0 load_i 1 73\n", "2: 0 1 load[73]"},
        {CFLR_GRAPH_CFPQ, "a b c\n", "2: a b c"},
        {CFLR_GRAPH_CFPQ, "0 1 2\n", "2: 0 1 2"},
        {CFLR_GRAPH_CFPQ, "0 1 _r\n0 1 _4\n0 1 x_2_3\n", "2: 0 1 _4; 0 1 _r; 0 1 x_2[3]"},
    };
    CHECK(cases);
}

Test(io_text, matrix_market) {
    static const text_case cases[] = {
        {CFLR_GRAPH_MTX,
         "%%MatrixMarket matrix coordinate pattern general\n% c\n\n3 3 2\n1 2\n3 1\n",
         "3: 0 1 e; 2 0 e"},
        {CFLR_GRAPH_MTX, "%%matrixmarket MATRIX Coordinate Real General\n2 5 1\n1 5 -0.5e3\n",
         "5: 0 4 e"},
        {CFLR_GRAPH_MTX,
         "%%MatrixMarket matrix coordinate integer symmetric\n3 3 2\n2 1 7\n3 3 1\n",
         "3: 0 1 e; 1 0 e; 2 2 e"},
        {CFLR_GRAPH_MTX, "%%MatrixMarket matrix coordinate real skew-symmetric\r\n2 2 1\r\n2 1 3",
         "2: 0 1 e; 1 0 e"},
        {CFLR_GRAPH_MTX, "%%MatrixMarket matrix coordinate pattern general\n0 0 0\n", "0:"},
        {CFLR_GRAPH_MTX, "%%MatrixMarket matrix coordinate pattern general\n4 4 0\n", "4:"},
    };
    CHECK(cases);
}

Test(io_text, dimacs) {
    static const text_case cases[] = {
        {CFLR_GRAPH_DIMACS, "c hello\np sp 4 2\na 1 2 17\na 4 1 -3.5\n", "4: 0 1 e; 3 0 e"},
        {CFLR_GRAPH_DIMACS, "p edge 3 2\ne 1 2\ne 3 2\n", "3: 0 1 e; 1 0 e; 1 2 e; 2 1 e"},
        {CFLR_GRAPH_DIMACS, "c\np col 3 2\ne 1 2\n", "3: 0 1 e; 1 0 e"},
        {CFLR_GRAPH_DIMACS, "p sp 0 0\n", "0:"},
    };
    CHECK(cases);
}
