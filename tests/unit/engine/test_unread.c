/* SPDX-License-Identifier: Apache-2.0
 *
 * Facts that a grammar does not read, and answers that are empty for want of them, are logged.
 */
#include "support.h"

enum { ROOM = 4096 };

static char logged[ROOM];

static void keep(void *user, cflr_log_level level, const char *message) {
    (void)user;
    size_t length = strlen(logged);
    cr_assert_eq(level, CFLR_LOG_WARNING);
    snprintf(logged + length, ROOM - length, "%s\n", message);
}

/* Solves `times` times, and expects the log to begin so; NULL: to be empty. */
static void solve(const char *edges, const char *grammar, unsigned times, const char *expected) {
    world w;
    logged[0] = '\0';
    world_begin(&w, 1);
    w.context->opts.log = keep;
    world_graph(&w, edges);
    world_grammar(
        &w, cflr_grammar_shipped_text(grammar) ? cflr_grammar_shipped_text(grammar) : grammar);
    for (; times > 0; times--) {
        world_solve(&w, CFLR_MODEL_AUTO);
        cflr_result_free(w.result);
        w.result = NULL;
    }
    if (expected)
        cr_expect_eq(strncmp(logged, expected, strlen(expected)), 0, "%s: %s", edges, logged);
    else
        cr_expect_str_eq(logged, "", "%s: %s", edges, logged);
    world_end(&w);
}

Test(unread, a_misspelt_label) {
    solve("0 1 alloc; 1 0 d; 1 2 assign; 1 3 assign", "pointer", 1,
          "edges 'assign' (2) are not read by grammar 'grammar'; it reads: a, nonnull, ");
    solve("0 1 al; 1 2 as", "P ::= a | P a\n", 1,
          "edges 'al' (1), 'as' (1) are not read by grammar 'grammar'; it reads: a\n");
}

Test(unread, the_list_is_bounded) {
    solve("0 1 a; 0 1 p; 0 1 q; 0 1 r; 0 1 s; 0 1 t; 0 1 u", "P ::= a | P a\n", 1,
          "edges 'p' (1), 'q' (1), 'r' (1), 't' (1) and 1 more are not read");
}

Test(unread, labels_that_are_left_out_on_purpose) {
    solve("0 1 alloc; 1 0 d; 1 2 a; 4 2 null; 2 3 data", "pointer", 1, NULL);
    solve("1 2 null; 2 3 data", "P ::= a | P a\n", 1, "edges 'null' (1), 'data' (1) are not read");
}

Test(unread, an_index_in_the_name) {
    solve("0 1 f_1; 1 2 g; 2 3 f_1", "S ::= f[i] g f[i]\n", 1,
          "edges 'f_1' (2) are not read by grammar 'grammar'; it reads: f[], g (in a graph 'f_1' "
          "is written f[1])\n");
    solve("0 1 x; 0 1 f_g_-8; 1 2 g", "S ::= f_g[i] g\n", 1,
          "edges 'x' (1), 'f_g_-8' (1) are not read by grammar 'grammar'; it reads: f_g[], g (in a "
          "graph 'f_g_-8' is written f_g[-8])\n");
    solve("0 1 f_1; 0 1 g_; 1 2 g", "S ::= f g\n", 1,
          "edges 'f_1' (1), 'g_' (1) are not read by grammar 'grammar'; it reads: f, g\n");
}

Test(unread, a_word_for_the_empty_path) {
    solve("0 1 a; 1 2 epsilon", "S ::= a epsilon\n", 1,
          "edges 'epsilon' (1) are not read by grammar 'grammar'; it reads: a (in a grammar that "
          "label is \"epsilon\": without quotes it is the empty path)\n");
    solve("0 1 a; 1 2 epsilon", "S ::= a \"epsilon\"\n", 1, NULL);
}

Test(unread, an_answer_without_labels) {
    solve("0 1 alloc; 1 0 d; 1 2 a", "pointer-types", 1,
          "every answer to alias, points-to is empty: the graph has no edges nonnull, ");
    cr_expect(strstr(logged, "plain facts are read by 'pointer' and 'pointer-fs'"), "%s", logged);
    solve("1 2 a", "pointer", 1, "every answer to points-to is empty: ");
}

Test(unread, a_negative_number_of_bytes) {
    solve("0 1 alloc; 1 0 d; 1 2 f[-8]; 1 3 b[8]; 1 4 f[0]", "pointer-fs", 1,
          "edges 'f[-8]': grammar 'grammar' reads them as a member of that name; a step by fewer "
          "than "
          "0 bytes is b[8]\n");
}

Test(unread, once_while_nothing_changes) {
    solve("1 2 e", "P ::= a | P a\n", 3, "edges 'e' (1) are not read by grammar");
    cr_expect_null(strstr(strchr(logged, '\n') + 1, "edges"), "%s", logged);
}
