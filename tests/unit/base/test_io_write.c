/* SPDX-License-Identifier: Apache-2.0
 *
 * test_io_write.c: what each writer puts into its file, to the byte, and what it refuses.
 */
#include <criterion/criterion.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/unit/base/io_support.h"

/* Reads a graph from TSV, or a vertex of each kind of knowledge when text is NULL. */
static cflr_graph *from_text(cflr_context *context, const char *text) {
    cflr_graph *graph;
    cflr_error error = {0};
    MUST(io_read(context, text, strlen(text), CFLR_GRAPH_TSV, &graph, &error));
    return graph;
}

static cflr_graph *from_source(cflr_context *context) {
    static const cflr_vertex_info vertices[] = {
        {CFLR_VERTEX_VARIABLE, 4, 9, "p", "char *", "main", "a.c", ""},
        {CFLR_VERTEX_DEREFERENCE, 0, 0, "*p", "char", "", "", "main/f"},
        {CFLR_VERTEX_STRING, 7, 1, "\"a\\n\"\t", "", "", "dir/b.c", ""},
    };
    cflr_graph_builder *builder;
    cflr_graph *graph;
    cflr_error error = {0};
    uint32_t vertex, d, f;
    MUST(cflr_graph_builder_new(context, &builder, &error));
    for (size_t i = 0; i < 3; i++) {
        MUST(cflr_graph_builder_vertex(builder, &vertices[i], &vertex, &error));
    }
    MUST(cflr_graph_builder_label(builder, "f", "8", &f, &error));
    MUST(cflr_graph_builder_label(builder, "d", NULL, &d, &error));
    MUST(cflr_graph_builder_edge(builder, 2, 0, f, &error));
    MUST(cflr_graph_builder_edge(builder, 0, 1, d, &error));
    MUST(cflr_graph_builder_freeze(builder, &graph, &error));
    return graph;
}

/* The bytes of the graph in a format, freed with free. */
static char *written(const cflr_graph *graph, cflr_graph_format format, size_t *size) {
    test_dir dir = test_dir_begin();
    cflr_error error = {0};
    char path[512];
    test_path(&dir, "out", path);
    MUST(cflr_graph_save(graph, path, format, &error));
    char *text = test_read_file(path, size);
    test_dir_end(&dir);
    return text;
}

Test(io_write, texts) {
    static const struct {
        cflr_graph_format format;
        const char *graph, *text;
    } cases[] = {
        {CFLR_GRAPH_TSV, "2 1 b\n1 0 b\n0 1 f[9]\n0 1 f[10]\n5 0 ~a\n# vertices 9",
         "# vertices 9\n0\t5\ta\n1\t0\tb\n2\t1\tb\n0\t1\tf[10]\n0\t1\tf[9]\n"},
        {CFLR_GRAPH_TSV, "", "# vertices 0\n"},
        {CFLR_GRAPH_TSV, "0 1\n", "# vertices 2\n0\t1\te\n"},
        /* names: as they are when reading them back numbers them alike, else declared */
        {CFLR_GRAPH_TSV, "p q a\nq r b\n", "# vertices 3\np\tq\ta\nq\tr\tb\n"},
        {CFLR_GRAPH_TSV, "p q b\nq r a\n", "# vertices 3\n#@ p\n#@ q\n#@ r\nq\tr\ta\np\tq\tb\n"},
        {CFLR_GRAPH_TSV, "#@ p\n#@ q\np p a\n", "# vertices 2\n#@ p\n#@ q\np\tp\ta\n"},
        {CFLR_GRAPH_TSV, "#@ 7\n7 q a\n", "# vertices 2\n#@ 7\n#@ q\n7\tq\ta\n"},
        {CFLR_GRAPH_POCR, "0 1 a\n2 3 f[8]\n1 2 a\n",
         "0\t1\ta\n1\t0\tabar\n1\t2\ta\n2\t1\tabar\n2\t3\tf_i\t8\n3\t2\tfbar_i\t8\n"},
        {CFLR_GRAPH_GRACFL, "0 1 a\n2 3 f[8]\n", "0\t1\ta\n1\t0\tabar\n2\t3\tf_8\n3\t2\tfbar_8\n"},
        {CFLR_GRAPH_CFPQ, "0 1 a\n2 3 f[8]\n2 3 f[x]\n", "0 1 a\n2 3 f_8\n2 3 f_i x\n"},
        {CFLR_GRAPH_MTX, "0 1 a\n2 0 a\n",
         "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n3 1\n"},
        {CFLR_GRAPH_DIMACS, "0 1 a\n2 0 a\n", "p sp 3 2\na 1 2 1\na 3 1 1\n"},
        {CFLR_GRAPH_NDJSON, "0 1 a\n2 3 f[8]\n",
         "{\"source\":0,\"target\":1,\"label\":\"a\"}\n"
         "{\"source\":2,\"target\":3,\"label\":\"f\",\"index\":\"8\"}\n"},
        {CFLR_GRAPH_NDJSON, "p q a\n",
         "{\"source\":0,\"target\":1,\"label\":\"a\","
         "\"source_vertex\":{\"kind\":\"other\",\"name\":\"p\"},"
         "\"target_vertex\":{\"kind\":\"other\",\"name\":\"q\"}}\n"},
        {CFLR_GRAPH_DOT, "0 1 a\n2 3 f[8]\n",
         "digraph cflr {\n  0 -> 1 [label=\"a\"];\n  2 -> 3 [label=\"f[8]\"];\n}\n"},
        {CFLR_GRAPH_DOT, "p q \"\\\n",
         "digraph cflr {\n  0 [label=\"p\"];\n  1 [label=\"q\"];\n"
         "  0 -> 1 [label=\"\\\"\\\\\"];\n}\n"},
    };
    cflr_context *context = test_context();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t size;
        cflr_graph *graph = from_text(context, cases[i].graph);
        char *text = written(graph, cases[i].format, &size);
        cr_expect_str_eq(text, cases[i].text, "'%s' gives '%s'", cases[i].graph, text);
        free(text);
        cflr_graph_free(graph);
    }
    test_context_end(context);
}

Test(io_write, places) {
    cflr_context *context = test_context();
    cflr_graph *graph = from_source(context);
    size_t size;
    char *text = written(graph, CFLR_GRAPH_NDJSON, &size);
    cr_expect_str_eq(
        text,
        "{\"source\":0,\"target\":1,\"label\":\"d\","
        "\"source_vertex\":{\"kind\":\"variable\",\"name\":\"p\",\"type\":\"char *\","
        "\"function\":\"main\",\"file\":\"a.c\",\"line\":4,\"column\":9},"
        "\"target_vertex\":{\"kind\":\"dereference\",\"name\":\"*p\",\"type\":\"char\","
        "\"context\":\"main/f\"}}\n"
        "{\"source\":2,\"target\":0,\"label\":\"f\",\"index\":\"8\","
        "\"source_vertex\":{\"kind\":\"string\",\"name\":\"\\\"a\\\\n\\\"\\t\","
        "\"file\":\"dir/b.c\",\"line\":7,\"column\":1},"
        "\"target_vertex\":{\"kind\":\"variable\",\"name\":\"p\",\"type\":\"char *\","
        "\"function\":\"main\",\"file\":\"a.c\",\"line\":4,\"column\":9}}\n");
    free(text);
    text = written(graph, CFLR_GRAPH_DOT, &size);
    cr_expect_str_eq(text,
                     "digraph cflr {\n"
                     "  0 [label=\"p\\na.c:4:9\"];\n"
                     "  1 [label=\"*p\"];\n"
                     "  2 [label=\"\\\"a\\\\n\\\"\\\\t\\ndir/b.c:7:1\"];\n"
                     "  0 -> 1 [label=\"d\"];\n"
                     "  2 -> 0 [label=\"f[8]\"];\n"
                     "}\n");
    free(text);
    /* tsv keeps edges; what it cannot keep makes it fall back to numbers */
    text = written(graph, CFLR_GRAPH_TSV, &size);
    cr_expect_str_eq(text, "# vertices 3\n0\t1\td\n2\t0\tf[8]\n");
    free(text);
    cflr_graph_free(graph);
    test_context_end(context);
}

/* Names that two vertices share, that are no words, or that would be comments are not written. */
Test(io_write, names_that_would_not_come_back) {
    static const char *const names[][2] = {{"p", "p"},       {"p", ""},     {"p", "two words"},
                                           {"#p", "q"},      {"p", "a\nb"}, {"p", "\x7f"},
                                           {"p", "\xc2\x9b"}};
    cflr_context *context = test_context();
    cflr_error error = {0};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        cflr_graph_builder *builder;
        cflr_graph *graph;
        uint32_t vertex, a;
        size_t size;
        MUST(cflr_graph_builder_new(context, &builder, &error));
        MUST(cflr_graph_builder_label(builder, "a", NULL, &a, &error));
        for (size_t v = 0; v < 2; v++) {
            cflr_vertex_info info = {.name = names[i][v]};
            MUST(cflr_graph_builder_vertex(builder, &info, &vertex, &error));
        }
        MUST(cflr_graph_builder_edge(builder, 0, 1, a, &error));
        MUST(cflr_graph_builder_freeze(builder, &graph, &error));
        char *text = written(graph, CFLR_GRAPH_TSV, &size);
        cr_expect_str_eq(text, "# vertices 2\n0\t1\ta\n", "case %zu: %s", i, text);
        free(text);
        cflr_graph_free(graph);
    }
    test_context_end(context);
}

/* A label that the format would read as another one is refused by name. */
Test(io_write, refused_labels) {
    static const struct {
        cflr_graph_format format;
        const char *graph, *part;
    } cases[] = {
        {CFLR_GRAPH_POCR, "0 1 xbar\n", "xbar"},
        {CFLR_GRAPH_POCR, "0 1 x_i\n", "x_i"},
        {CFLR_GRAPH_GRACFL, "0 1 f_12\n", "f_12"},
        {CFLR_GRAPH_GRACFL, "0 1 f[x]\n", "f[x]"},
        {CFLR_GRAPH_GRACFL, "0 1 -a\n", "-a"},
        {CFLR_GRAPH_CFPQ, "0 1 a_r\n", "a_r"},
        {CFLR_GRAPH_CFPQ, "0 1 load_7\n", "load_7"},
        {CFLR_GRAPH_MTX, "0 1 a\n0 1 b\n", "'a' and 'b'"},
        {CFLR_GRAPH_DIMACS, "0 1 f[1]\n0 1 f[2]\n", "more"},
        {CFLR_GRAPH_SOUFFLE, "0 1 a/b\n", "a/b"},
        {CFLR_GRAPH_SOUFFLE, "0 1 .a\n", ".a"},
    };
    cflr_context *context = test_context();
    test_dir dir = test_dir_begin();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char path[512];
        struct stat about;
        cflr_error error;
        cflr_graph *graph = from_text(context, cases[i].graph);
        test_path(&dir, "out", path);
        MUST_FAIL(cflr_graph_save(graph, path, cases[i].format, &error), CFLR_UNSUPPORTED);
        cr_expect(strstr(error.message, cases[i].part), "%s", error.message);
        cr_expect_str_eq(error.subject, path);
        cr_expect_neq(stat(path, &about), 0, "nothing is left behind");
        cflr_graph_free(graph);
    }
    cr_expect_eq(rmdir(dir.path), 0, "no temporary file either");
    test_context_end(context);
}

Test(io_write, format_by_name) {
    static const struct {
        const char *name;
        cflr_status st;
        const char *begins;
    } cases[] = {
        {"g.tsv", CFLR_OK, "# vertices"},
        {"g.cflg", CFLR_OK, "CFLR"},
        {"g.peg", CFLR_OK, "0\t1\te\n1"},
        {"g.vfg", CFLR_OK, "0\t1\te\n1"},
        {"g.csv", CFLR_OK, "0 1 e\n"},
        {"g.mtx", CFLR_OK, "%%Matrix"},
        {"g.dimacs", CFLR_OK, "p sp"},
        {"g.ndjson", CFLR_OK, "{\"source\""},
        {"g.jsonl", CFLR_OK, "{\"source\""},
        {"g.dot", CFLR_OK, "digraph"},
        {"g.db", CFLR_OK, "SQLite format 3"},
        {"g.sqlite", CFLR_OK, "SQLite format 3"},
        {"g.tsv.zst", CFLR_OK, "\x28\xb5\x2f\xfd"},
        {"g.txt", CFLR_ARGUMENT, NULL},
        {"g", CFLR_ARGUMENT, NULL},
        {"g.db.zst", CFLR_ARGUMENT, NULL},
        {"g.facts.zst", CFLR_ARGUMENT, NULL},
        {"g.zst", CFLR_ARGUMENT, NULL},
    };
    cflr_context *context = test_context();
    cflr_graph *graph = from_text(context, "0 1 e\n");
    test_dir dir = test_dir_begin();
    cflr_error error;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char path[512];
        test_path(&dir, cases[i].name, path);
        if (cases[i].st != CFLR_OK) {
            MUST_FAIL(cflr_graph_save(graph, path, CFLR_GRAPH_AUTO, &error), cases[i].st);
            continue;
        }
        MUST(cflr_graph_save(graph, path, CFLR_GRAPH_AUTO, &error));
        size_t size;
        char *text = test_read_file(path, &size);
        cr_expect(strncmp(text, cases[i].begins, strlen(cases[i].begins)) == 0, "%s",
                  cases[i].name);
        free(text);
    }
    MUST_FAIL(cflr_graph_save(graph, "-", CFLR_GRAPH_SQLITE, &error), CFLR_ARGUMENT);
    MUST_FAIL(cflr_graph_save(graph, "-", CFLR_GRAPH_SOUFFLE, &error), CFLR_ARGUMENT);
    MUST_FAIL(cflr_graph_save(graph, "x", (cflr_graph_format)77, &error), CFLR_ARGUMENT);
    cflr_graph_free(graph);
    test_dir_end(&dir);
    test_context_end(context);
}

/* ---- Soufflé directories ---- */

Test(io_write, souffle_directory) {
    cflr_context *context = test_context();
    cflr_graph *graph = from_text(context, "0 1 a\n1 2 a\n1 4 f[8]\n1 4 f[x]\n");
    cflr_graph *other = from_text(context, "7 8 b\n");
    test_dir dir = test_dir_begin();
    cflr_error error = {0};
    char facts[512], file[600];
    size_t size;
    struct stat about;
    test_path(&dir, "facts", facts);
    MUST(cflr_graph_save(graph, facts, CFLR_GRAPH_SOUFFLE, &error));
    snprintf(file, sizeof file, "%s/a.facts", facts);
    char *text = test_read_file(file, &size);
    cr_expect_str_eq(text, "0\t1\n1\t2\n");
    free(text);
    snprintf(file, sizeof file, "%s/f.facts", facts);
    text = test_read_file(file, &size);
    cr_expect_str_eq(text, "1\t4\t8\n1\t4\tx\n");
    free(text);
    /* a directory of facts is replaced as a whole, also through a name that ends in a slash */
    strcat(facts, "/");
    MUST(cflr_graph_save(other, facts, CFLR_GRAPH_AUTO, &error));
    cr_expect_neq(stat(file, &about), 0, "f.facts is gone");
    /* and left alone when something else is in it */
    snprintf(file, sizeof file, "%smine.txt", facts);
    test_write_file(file, "x", 1);
    MUST_FAIL(cflr_graph_save(graph, facts, CFLR_GRAPH_SOUFFLE, &error), CFLR_IO);
    text = test_read_file(file, &size);
    cr_expect_str_eq(text, "x");
    free(text);
    snprintf(file, sizeof file, "%sb.facts", facts);
    text = test_read_file(file, &size);
    cr_expect_str_eq(text, "7\t8\n");
    free(text);
    cflr_graph_free(graph);
    cflr_graph_free(other);
    test_dir_end(&dir);
    test_context_end(context);
}

Test(io_write, souffle_reading) {
    static const struct {
        const char *a, *f, *graph;
    } cases[] = {
        {"0\t1\n", "1\t4\t8\r\n", "5: 0 1 a; 1 4 f[8]"},
        {"0\t1\n", "", "2: 0 1 a"},
        {"x y\tz\n", "z\t1\t8\n", "3: x y z a; z 1 f[8]"},
        {"0\t1", "1\tq\t8\n", "3: 0 1 a; 1 q f[8]"},
        {"#\t1\n", "1\t#\t8\n", "2: # 1 a; 1 # f[8]"},
    };
    cflr_context *context = test_context();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        test_dir dir = test_dir_begin();
        char path[512];
        cflr_graph *graph;
        cflr_error error = {0};
        test_write_file(test_path(&dir, "a.facts", path), cases[i].a, strlen(cases[i].a));
        test_write_file(test_path(&dir, "f.facts", path), cases[i].f, strlen(cases[i].f));
        test_write_file(test_path(&dir, "program.dl", path), "nothing\n", 8);
        MUST(cflr_graph_load(context, dir.path, CFLR_GRAPH_AUTO, &graph, &error));
        char *shown = io_describe(graph);
        cr_expect_str_eq(shown, cases[i].graph, "case %zu: %s", i, shown);
        free(shown);
        cflr_graph_free(graph);
        test_dir_end(&dir);
    }
    test_context_end(context);
}

/* ---- SQLite ---- */

/* All rows of a query, columns by '|', rows by '/'. */
static char *query(const char *path, const char *sql) {
    sqlite3 *db;
    sqlite3_stmt *statement;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    cr_assert_eq(sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    cr_assert_eq(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK, "%s: %s", sql,
                 sqlite3_errmsg(db));
    while (sqlite3_step(statement) == SQLITE_ROW) {
        for (int i = 0; i < sqlite3_column_count(statement); i++) {
            fprintf(out, "%s%s", i ? "|" : "", (const char *)sqlite3_column_text(statement, i));
        }
        fputc('/', out);
    }
    sqlite3_finalize(statement);
    sqlite3_close(db);
    fclose(out);
    return text;
}

static void expect_query(const char *path, const char *sql, const char *expected) {
    char *text = query(path, sql);
    cr_expect_str_eq(text, expected, "%s gives %s", sql, text);
    free(text);
}

Test(io_write, sqlite) {
    cflr_context *context = test_context();
    cflr_graph *graph = from_source(context);
    test_dir dir = test_dir_begin();
    cflr_error error = {0};
    char path[512], again[512];
    test_path(&dir, "g.db", path);
    test_path(&dir, "h.db", again);
    MUST(cflr_graph_save(graph, path, CFLR_GRAPH_AUTO, &error));
    expect_query(path, "SELECT * FROM graph", "3|2|2/");
    expect_query(path, "SELECT * FROM label ORDER BY id", "0|d|/1|f|8/");
    expect_query(path,
                 "SELECT l.name, l.\"index\", s.name, t.name, s.file, s.line, s.\"column\""
                 " FROM edge e JOIN label l ON l.id = e.label JOIN vertex s ON s.id = e.source"
                 " JOIN vertex t ON t.id = e.target ORDER BY e.label",
                 "d||p|*p|a.c|4|9/f|8|\"a\\n\"\t|p|dir/b.c|7|1/");
    expect_query(path, "SELECT kind, type, function, context FROM vertex ORDER BY id",
                 "variable|char *|main|/dereference|char||main/f/string|||/");
    expect_query(path, "PRAGMA integrity_check", "ok/");
    MUST(cflr_graph_save(graph, again, CFLR_GRAPH_SQLITE, &error));
    size_t n, m;
    char *first = test_read_file(path, &n), *second = test_read_file(again, &m);
    cr_expect(n == m && memcmp(first, second, n) == 0, "the same graph gives the same bytes");
    free(first);
    free(second);
    cflr_graph_free(graph);

    graph = from_text(context, "# vertices 4000000000\n3000000000 1 a\n1 2 a\n");
    MUST(cflr_graph_save(graph, path, CFLR_GRAPH_AUTO, &error));
    expect_query(path, "SELECT * FROM graph", "4000000000|1|2/");
    expect_query(path, "SELECT id, kind, name FROM vertex ORDER BY id",
                 "1|other|/2|other|/3000000000|other|/");
    expect_query(path, "SELECT * FROM edge ORDER BY source", "0|1|2/0|3000000000|1/");
    MUST_FAIL(cflr_graph_save(graph, "/nonexistent/g.db", CFLR_GRAPH_AUTO, &error), CFLR_IO);
    cflr_graph_free(graph);
    test_dir_end(&dir);
    test_context_end(context);
}

/* Names that steer a terminal or forge a line are escaped, or told by the bytes that a database
 * keeps apart anyway. */
Test(io_write, hostile_names) {
    static const cflr_vertex_info vertices[] = {
        {CFLR_VERTEX_VARIABLE, 1, 2, "p\x1b[31m\n", "int\x7f", "f\x01", "a\n.c", "c\xc2\x9b"},
        {CFLR_VERTEX_VARIABLE, 1, 3, "q\xff", "", "", "", ""}};
    cflr_context *context = test_context();
    cflr_graph_builder *builder;
    cflr_graph *graph;
    cflr_error error = {0};
    uint32_t vertex, a;
    size_t size;
    MUST(cflr_graph_builder_new(context, &builder, &error));
    for (size_t i = 0; i < 2; i++)
        MUST(cflr_graph_builder_vertex(builder, &vertices[i], &vertex, &error));
    MUST(cflr_graph_builder_label(builder, "a", NULL, &a, &error));
    MUST(cflr_graph_builder_edge(builder, 0, 1, a, &error));
    MUST(cflr_graph_builder_freeze(builder, &graph, &error));
    char *text = written(graph, CFLR_GRAPH_DOT, &size);
    cr_expect_str_eq(text,
                     "digraph cflr {\n"
                     "  0 [label=\"p\\\\x1b[31m\\\\n\\na\\\\n.c:1:2\"];\n"
                     "  1 [label=\"q\\\\xff\"];\n"
                     "  0 -> 1 [label=\"a\"];\n"
                     "}\n");
    free(text);
    text = written(graph, CFLR_GRAPH_NDJSON, &size);
    cr_expect_str_eq(text,
                     "{\"source\":0,\"target\":1,\"label\":\"a\","
                     "\"source_vertex\":{\"kind\":\"variable\",\"name\":\"p\\u001b[31m\\n\","
                     "\"type\":\"int\\u007f\","
                     "\"function\":\"f\\u0001\",\"context\":\"c\\u009b\",\"file\":\"a\\n.c\","
                     "\"line\":1,\"column\":2},"
                     "\"target_vertex\":{\"kind\":\"variable\",\"name\":\"q\xef\xbf\xbd\",\"line\":"
                     "1,\"column\":3}}\n");
    free(text);
    text = written(graph, CFLR_GRAPH_TSV, &size);
    cr_expect_str_eq(text, "# vertices 2\n0\t1\ta\n");
    free(text);
    test_dir dir = test_dir_begin();
    char path[512];
    MUST(cflr_graph_save(graph, test_path(&dir, "g.db", path), CFLR_GRAPH_AUTO, &error));
    expect_query(path, "SELECT hex(name), hex(file) FROM vertex WHERE id = 0",
                 "701B5B33316D0A|610A2E63/");
    test_dir_end(&dir);
    cflr_graph_free(graph);
    test_context_end(context);
}
