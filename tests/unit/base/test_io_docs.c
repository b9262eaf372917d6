/* SPDX-License-Identifier: Apache-2.0
 *
 * test_io_docs.c: the examples of docs/reference/formats.md are what they say.
 *
 * A block begins with a line "```FORMAT VERTICES EDGES"; it is read as FORMAT, and where the format
 * is to be found by content it must give the same graph.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/unit/base/io_support.h"

static void check(cflr_context *context, const char *head, const char *text, size_t size) {
    char word[32];
    unsigned vertices, edges;
    cflr_graph_format format;
    cflr_graph *graph, *guessed;
    cflr_error error = {0};
    cr_assert_eq(sscanf(head, "```%31s %u %u", word, &vertices, &edges), 3, "%.40s", head);
    MUST(cflr_graph_format_parse(word, &format, &error));
    MUST(io_read(context, text, size, format, &graph, &error));
    cr_expect_eq(cflr_graph_vertices(graph), vertices, "%.*s", (int)size, text);
    cr_expect_eq(cflr_graph_edges(graph), edges, "%.*s", (int)size, text);
    MUST(io_read(context, text, size, CFLR_GRAPH_AUTO, &guessed, &error));
    io_assert_same(graph, guessed, word);
    cflr_graph_free(graph);
    cflr_graph_free(guessed);
}

Test(io_docs, examples) {
    size_t size;
    unsigned blocks = 0;
    cflr_context *context = test_context();
    char *page = test_read_file(CFLR_SOURCE_DIR "/docs/reference/formats.md", &size);
    for (char *at = strstr(page, "\n```"); at; at = strstr(at, "\n```"), blocks++) {
        char *text = strchr(at + 1, '\n') + 1;
        char *end = strstr(text - 1, "\n```");
        cr_assert(end != NULL, "a block without end");
        check(context, at + 1, text, (size_t)(end + 1 - text));
        at = end + 4;
    }
    cr_expect_geq(blocks, 10);
    free(page);
    test_context_end(context);
}
