/* SPDX-License-Identifier: Apache-2.0
 *
 * test_io_damaged.c: files that are no graphs end in their documented status, with a place.
 *
 * Text: the files of tests/bad/graphs with the table EXPECTED beside them. Binary: every byte of a
 * good file changed, every length of it, and well packed sections that say nonsense.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "base/files/container.h"
#include "tests/unit/base/io_support.h"

#define BAD_GRAPHS CFLR_SOURCE_DIR "/tests/bad/graphs"

typedef struct expected {
    char file[100], format[20], status[20], part[100];
    unsigned line, column;
} expected;

static void check_file(cflr_context *context, const expected *e) {
    char path[512];
    cflr_graph *graph = NULL;
    cflr_error error = {0};
    cflr_graph_format format;
    snprintf(path, sizeof path, "%s/%s", BAD_GRAPHS, e->file);
    MUST(cflr_graph_format_parse(e->format, &format, &error));
    cflr_status st = cflr_graph_load(context, path, format, &graph, &error);
    cr_expect_str_eq(cflr_status_name(st), e->status, "%s: %s: %s", e->file, cflr_status_name(st),
                     error.message);
    cr_expect_eq(graph, NULL, "%s", e->file);
    cr_expect_eq(error.code, st, "%s", e->file);
    cr_expect(error.line == e->line && error.column == e->column, "%s:%u:%u: %s", e->file,
              error.line, error.column, error.message);
    cr_expect(strstr(error.message, e->part), "%s: '%s' is not in '%s'", e->file, e->part,
              error.message);
    cr_expect_eq(strncmp(error.subject, path, strlen(path)), 0, "%s: subject '%s'", e->file,
                 error.subject);
    cr_expect_eq(cflr_context_memory(context), 0, "%s leaks", e->file);
}

Test(io_damaged, corpus) {
    cflr_context *context = test_context();
    char line[512];
    unsigned cases = 0;
    FILE *table = fopen(BAD_GRAPHS "/EXPECTED", "r");
    cr_assert(table != NULL);
    while (fgets(line, sizeof line, table)) {
        expected e = {0};
        if (line[0] == '#') continue;
        cr_assert_geq(sscanf(line, "%99[^\t]\t%19[^\t]\t%19[^\t]\t%u\t%u\t%99[^\n]", e.file,
                             e.format, e.status, &e.line, &e.column, e.part),
                      5, "%s", line);
        check_file(context, &e);
        cases++;
    }
    fclose(table);
    cr_assert_geq(cases, 30);
    test_context_end(context);
}

/* ---- the binary form ---- */

/* A small graph with everything in it, as the bytes of a .cflg file. */
static char *good_file(cflr_context *context, size_t *size) {
    test_dir dir = test_dir_begin();
    cflr_error error = {0};
    cflr_graph_builder *builder;
    cflr_graph *graph;
    char path[512];
    uint32_t vertex, a, f;
    MUST(cflr_graph_builder_new(context, &builder, &error));
    MUST(cflr_graph_builder_label(builder, "a", NULL, &a, &error));
    MUST(cflr_graph_builder_label(builder, "f", "8", &f, &error));
    for (uint32_t i = 0; i < 5; i++) {
        cflr_vertex_info info = {
            .kind = CFLR_VERTEX_VARIABLE, .name = "p", .file = "a.c", .line = i};
        MUST(cflr_graph_builder_vertex(builder, &info, &vertex, &error));
        MUST(cflr_graph_builder_edge(builder, i, i * 3 % 5, i % 2 ? a : f, &error));
        MUST(cflr_graph_builder_mention(builder, i, &(cflr_mention){"b.c", i, 1, NULL}, &error));
    }
    MUST(cflr_graph_builder_freeze(builder, &graph, &error));
    test_path(&dir, "g.cflg", path);
    MUST(cflr_graph_save(graph, path, CFLR_GRAPH_CFLG, &error));
    cflr_graph_free(graph);
    char *data = test_read_file(path, size);
    test_dir_end(&dir);
    return data;
}

Test(io_damaged, every_byte_of_a_binary_file) {
    cflr_context *context = test_context();
    cflr_error error;
    cflr_graph *graph;
    size_t size;
    char *data = good_file(context, &size);
    MUST(io_read(context, data, size, CFLR_GRAPH_CFLG, &graph, &error));
    cflr_graph_free(graph);
    for (size_t at = 0; at < size; at++) {
        static const unsigned char changes[] = {0x01, 0x80, 0xff};
        for (size_t i = 0; i < sizeof changes; i++) {
            data[at] = (char)(data[at] ^ changes[i]);
            cflr_status st = io_read(context, data, size, CFLR_GRAPH_CFLG, &graph, &error);
            cr_assert(st == CFLR_FORMAT || st == CFLR_UNSUPPORTED, "byte %zu: %s", at,
                      cflr_status_name(st));
            data[at] = (char)(data[at] ^ changes[i]);
        }
    }
    for (size_t cut = 0; cut < size; cut++) {
        MUST_FAIL(io_read(context, data, cut, CFLR_GRAPH_CFLG, &graph, &error), CFLR_FORMAT);
    }
    free(data);
    test_context_end(context);
}

/* A section whose checksum is right, whatever it says. */
typedef struct section_text {
    const char *tag;
    const char *bytes;
    size_t size;
} section_text;

#define SECTION(tag, bytes) \
    { tag, bytes, sizeof bytes - 1 }

static cflr_status read_sections(cflr_context *context, const section_text *sections, size_t n,
                                 cflr_error *error) {
    test_dir dir = test_dir_begin();
    char path[512];
    cflri_output *output;
    cflr_graph *graph = NULL;
    memset(error, 0, sizeof *error);
    test_path(&dir, "g.cflg", path);
    cr_assert_eq(cflri_output_open(context, path, &output, error), CFLR_OK);
    cflri_container_begin(output);
    for (size_t i = 0; i < n && sections[i].tag; i++) {
        cr_assert_eq(cflri_container_section(context, output, sections[i].tag, sections[i].bytes,
                                             sections[i].size, error),
                     CFLR_OK);
    }
    cflri_container_end(output);
    cr_assert_eq(cflri_output_close(output, error), CFLR_OK);
    cflr_status st = cflr_graph_load(context, path, CFLR_GRAPH_AUTO, &graph, error);
    cflr_graph_free(graph);
    test_dir_end(&dir);
    return st;
}

/* GMET: vertices, labels, edges, strings, mentions, sources. */
Test(io_damaged, sections_that_lie) {
    enum { MOST = 6 };
    static const struct {
        const char *what;
        section_text sections[MOST];
    } cases[] = {
        {"nothing", {{NULL, NULL, 0}}},
        {"empty counts", {SECTION("GMET", "")}},
        {"counts cut off", {SECTION("GMET", "\3\1\1")}},
        {"counts too long", {SECTION("GMET", "\0\0\0\1\0\0\0"), SECTION("GSTR", "\0")}},
        {"a number without end", {SECTION("GMET", "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80")}},
        {"a number of 65 bits",
         {SECTION("GMET", "\0\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02\1\0\0")}},
        {"too many vertices", {SECTION("GMET", "\xff\xff\xff\xff\x0f\0\0\1\0\0")}},
        {"no strings", {SECTION("GMET", "\0\0\0\1\0\0")}},
        {"fewer strings than promised", {SECTION("GMET", "\0\0\0\2\0\0"), SECTION("GSTR", "\0")}},
        {"more strings than promised", {SECTION("GMET", "\0\0\0\1\0\0"), SECTION("GSTR", "\0a\0")}},
        {"string without end", {SECTION("GMET", "\0\0\0\2\0\0"), SECTION("GSTR", "\0a")}},
        {"string twice", {SECTION("GMET", "\0\0\0\3\0\0"), SECTION("GSTR", "\0a\0a\0")}},
        {"first string not empty", {SECTION("GMET", "\0\0\0\1\0\0"), SECTION("GSTR", "a\0")}},
        {"labels without records", {SECTION("GMET", "\3\1\1\2\0\0"), SECTION("GSTR", "\0a\0")}},
        {"billions of labels",
         {SECTION("GMET", "\3\xfe\xff\xff\xff\x0f\1\2\0\0"), SECTION("GSTR", "\0a\0"),
          SECTION("GLAB", "\2\0\1\1")}},
        {"label without a name",
         {SECTION("GMET", "\3\1\1\2\0\0"), SECTION("GSTR", "\0a\0"), SECTION("GLAB", "\x0c\0\1\1"),
          SECTION("GREL", "\0\0\0")}},
        {"label name of nothing",
         {SECTION("GMET", "\3\1\1\2\0\0"), SECTION("GSTR", "\0a\0"), SECTION("GLAB", "\0\0\1\1"),
          SECTION("GREL", "\0\0\0")}},
        {"negative string of a label",
         {SECTION("GMET", "\3\1\1\2\0\0"), SECTION("GSTR", "\0a\0"), SECTION("GLAB", "\1\0\1\1"),
          SECTION("GREL", "\0\0\0")}},
        {"label twice",
         {SECTION("GMET", "\3\2\2\2\0\0"), SECTION("GSTR", "\0a\0"),
          SECTION("GLAB", "\2\0\0\0\1\1\1\1"), SECTION("GREL", "\0\0\0\0\0\0")}},
        {"converse as a label",
         {SECTION("GMET", "\3\1\1\2\0\0"), SECTION("GSTR", "\0~a\0"), SECTION("GLAB", "\2\0\1\1"),
          SECTION("GREL", "\0\0\0")}},
        {"edges without bytes",
         {SECTION("GMET", "\3\1\1\2\0\0"), SECTION("GSTR", "\0a\0"), SECTION("GLAB", "\2\0\1\1")}},
        {"billions of edges",
         {SECTION("GMET", "\3\1\xff\xff\xff\xff\x3f\2\0\0"), SECTION("GSTR", "\0a\0"),
          SECTION("GLAB", "\2\0\1\xff\xff\xff\xff\x3f"), SECTION("GREL", "\0\0\0")}},
        {"the sum of edges wraps",
         {SECTION("GMET", "\3\2\0\2\0\0"), SECTION("GSTR", "\0a\0"),
          SECTION("GLAB", "\2\0\0\2\1\1\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\1"),
          SECTION("GREL", "\0\0\0")}},
        {"edges of another number",
         {SECTION("GMET", "\3\1\2\2\0\0"), SECTION("GSTR", "\0a\0"), SECTION("GLAB", "\2\0\1\1"),
          SECTION("GREL", "\0\0\0")}},
        {"edges left over",
         {SECTION("GMET", "\3\1\1\2\0\0"), SECTION("GSTR", "\0a\0"), SECTION("GLAB", "\2\0\1\1"),
          SECTION("GREL", "\0\0\0\0")}},
        {"edges left over in a piece",
         {SECTION("GMET", "\3\1\1\2\0\0"), SECTION("GSTR", "\0a\0"), SECTION("GLAB", "\2\0\1\1"),
          SECTION("GREL", "\0\0\0"), SECTION("GREL", "\0")}},
        {"edges without rows",
         {SECTION("GMET", "\3\1\1\2\0\0"), SECTION("GSTR", "\0a\0"), SECTION("GLAB", "\2\0\0\1"),
          SECTION("GREL", "\0\0\0")}},
        {"row outside",
         {SECTION("GMET", "\3\1\1\2\0\0"), SECTION("GSTR", "\0a\0"), SECTION("GLAB", "\2\0\1\1"),
          SECTION("GREL", "\3\0\0")}},
        {"row too long",
         {SECTION("GMET", "\3\1\1\2\0\0"), SECTION("GSTR", "\0a\0"), SECTION("GLAB", "\2\0\1\1"),
          SECTION("GREL", "\0\1\0\0")}},
        {"row too short",
         {SECTION("GMET", "\3\1\2\2\0\0"), SECTION("GSTR", "\0a\0"), SECTION("GLAB", "\2\0\1\2"),
          SECTION("GREL", "\0\0\0\0")}},
        {"target outside",
         {SECTION("GMET", "\3\1\1\2\0\0"), SECTION("GSTR", "\0a\0"), SECTION("GLAB", "\2\0\1\1"),
          SECTION("GREL", "\0\0\6")}},
        {"target below nothing",
         {SECTION("GMET", "\3\1\1\2\0\0"), SECTION("GSTR", "\0a\0"), SECTION("GLAB", "\2\0\1\1"),
          SECTION("GREL", "\0\0\1")}},
        {"second target outside",
         {SECTION("GMET", "\3\1\2\2\0\0"), SECTION("GSTR", "\0a\0"), SECTION("GLAB", "\2\0\1\2"),
          SECTION("GREL", "\0\1\0\2")}},
        {"sources cut off",
         {SECTION("GMET", "\3\0\0\1\0\1"), SECTION("GSTR", "\0"),
          SECTION("GSRC", "\0\0\0\0\0\0\0\0")}},
        {"sources not promised",
         {SECTION("GMET", "\1\0\0\1\0\0"), SECTION("GSTR", "\0"),
          SECTION("GSRC", "\0\0\0\0\0\0\0\0")}},
        {"kind unknown",
         {SECTION("GMET", "\1\0\0\1\0\1"), SECTION("GSTR", "\0"),
          SECTION("GSRC", "\x7e\0\0\0\0\0\0\0")}},
        {"source with a foreign string",
         {SECTION("GMET", "\1\0\0\1\0\1"), SECTION("GSTR", "\0"),
          SECTION("GSRC", "\0\2\0\0\0\0\0\0")}},
        {"mention of no vertex",
         {SECTION("GMET", "\1\0\0\2\1\0"), SECTION("GSTR", "\0a\0"),
          SECTION("GMEN", "\2\2\2\0\2")}},
        {"mentions out of order",
         {SECTION("GMET", "\1\0\0\2\2\0"), SECTION("GSTR", "\0a\0"),
          SECTION("GMEN", "\2\0\4\1\2\0\0\0\0\0")}},
        {"functions cut off",
         {SECTION("GMET", "\1\0\0\1\0\0"), SECTION("GSTR", "\0"), SECTION("GFUN", "\2\0\0")}},
        {"more functions than bytes",
         {SECTION("GMET", "\1\0\0\1\0\0"), SECTION("GSTR", "\0"),
          SECTION("GFUN", "\xff\xff\xff\xff\x0f\0\0\0\0\0")}},
        {"call of no function",
         {SECTION("GMET", "\1\0\0\1\0\0"), SECTION("GSTR", "\0"), SECTION("GFUN", "\1\0\0\0\0\0\0"),
          SECTION("GCAL", "\1\2\0\0\0\0\0\0")}},
        {"values of no call",
         {SECTION("GMET", "\1\0\0\1\0\0"), SECTION("GSTR", "\0"), SECTION("GVAL", "\1\0")}},
        {"calls that are too long",
         {SECTION("GMET", "\1\0\0\1\0\0"), SECTION("GSTR", "\0"),
          SECTION("GFUN", "\1\0\0\0\0\0\0\0")}},
        {"mentions without bytes",
         {SECTION("GMET", "\1\0\0\2\xff\xff\xff\xff\xff\xff\x7f\0"), SECTION("GSTR", "\0a\0")}},
    };
    cflr_context *context = test_context();
    cflr_error error;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cflr_status st = read_sections(context, cases[i].sections, MOST, &error);
        cr_expect_eq(st, CFLR_FORMAT, "%s: %s", cases[i].what, cflr_status_name(st));
        cr_expect(error.message[0] && error.subject[0], "%s", cases[i].what);
        cr_expect_eq(cflr_context_memory(context), 0, "%s", cases[i].what);
    }
    /* the shapes above are close to right: this one is */
    static const section_text right[] = {
        SECTION("GMET", "\3\1\2\2\0\0"), SECTION("GSTR", "\0a\0"), SECTION("GLAB", "\2\0\1\2"),
        SECTION("GREL", "\0\1"),         SECTION("GREL", ""),      SECTION("GREL", "\0\1")};
    cr_expect_eq(read_sections(context, right, 6, &error), CFLR_OK, "%s", error.message);
    test_context_end(context);
}
