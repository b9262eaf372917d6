/* SPDX-License-Identifier: Apache-2.0
 *
 * test_libclang.c: what libclang may answer, and what becomes of it.
 *
 * What its tree leaves out is in docs/explanation/libclang.md, with the test of each row. Here are
 * the rows that no file of tests/c can show: a parser that fails, or crashes, in each of its ways
 * loses one unit, and that is reported; and where libclang counts otherwise than cflr does.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "extract_support.h"
#include "frontend/clang/clang.h"

static project p;

static void setup(void) {
    project_begin(&p);
}
static void teardown(void) {
    project_end(&p);
}

TestSuite(libclang, .init = setup, .fini = teardown);

/* ---- lost units ---- */

static const char good[] = "int *p, x; void f(void) { p = &x; }\n";

static void expect_lost(const char *file, const char *why) {
    const cflr_note *note = cflr_extract_note(p.report, 0);
    cr_expect_eq(p.counts.units, 2);
    cr_expect_eq(p.counts.units_lost, 1, "%s", why);
    cr_assert(note && note->kind == CFLR_NOTE_LOST, "%s", why);
    cr_expect(strstr(note->file, file), "%s: %s", why, note->file);
    cr_expect(strstr(note->text, why), "%s: %s", why, note->text);
    cr_expect(project_has_edge(&p, "&x -a-> p"), "the other unit is read");
}

static enum CXErrorCode code;
static __typeof__(cflri_clang_parseTranslationUnit2FullArgv) real_parse;

/* Fails for b.c. */
static enum CXErrorCode parse(CXIndex index, const char *path, const char *const *arguments, int n,
                              struct CXUnsavedFile *files, unsigned n_files, unsigned options,
                              CXTranslationUnit *unit) {
    if (!strstr(arguments[n - 1], "b.c"))
        return real_parse(index, path, arguments, n, files, n_files, options, unit);
    *unit = NULL;
    return code;
}

static void with_errors_of(enum CXErrorCode of) {
    cr_assert_eq(cflri_clang_load(NULL), CFLR_OK);
    real_parse = cflri_clang_parseTranslationUnit2FullArgv;
    cflri_clang_parseTranslationUnit2FullArgv = parse;
    code = of;
}

static void without_errors(void) {
    cflri_clang_parseTranslationUnit2FullArgv = real_parse;
}

/* Also success without a unit, and codes that this release does not have. */
Test(libclang, every_code_loses_the_unit) {
    static const struct {
        int code;
        const char *why;
    } codes[] = {{CXError_Success, "refused"},      {CXError_Failure, "refused"},
                 {CXError_Crashed, "crashed"},      {CXError_InvalidArguments, "refused"},
                 {CXError_ASTReadError, "refused"}, {99, "refused"}};
    project_write(&p, "a.c", good);
    project_write(&p, "b.c", good);
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        with_errors_of((enum CXErrorCode)codes[i].code);
        project_extract(&p, NULL);
        without_errors();
        expect_lost("/b.c", codes[i].why);
    }
}

Test(libclang, none_is_left) {
    project_write(&p, "b.c", good);
    with_errors_of(CXError_Crashed);
    project_try(&p, NULL);
    without_errors();
    cr_expect_eq(p.status, CFLR_IO);
    cr_expect_eq(cflr_status_exit_code(p.status), 3);
    cr_expect(strstr(p.error.subject, "/b.c"), "%s", p.error.subject);
    cr_expect(strstr(p.error.message, "crashed"), "%s", p.error.message);
    cr_expect_eq(p.counts.units_lost, 1);
}

/* clang's own test of its crash handling. */
Test(libclang, a_crash_loses_the_unit) {
    project_write(&p, "a.c", good);
    project_write(&p, "b.c", "int y;\n#pragma clang __debug crash\n");
    project_extract(&p, NULL);
    expect_lost("/b.c", "crashed");
    project_extract(&p, NULL);
    expect_lost("/b.c", "crashed");
}

/* Deeper than any stack: 400,000 conversions of conversions. Ten thousand are read, see
 * test_walk.c. */
Test(libclang, too_deep_loses_the_unit) {
    enum { TIMES = 400000 };
    static const char part[] = "(int*)";
    size_t length = strlen(part);
    char *text = malloc(TIMES * length + 100), *at = text;
    cr_assert(text);
    at = stpcpy(at, "int *f(long n) { return ");
    for (int i = 0; i < TIMES; i++) at = stpcpy(at, part);
    stpcpy(at, "n; }\n");
    project_write(&p, "a.c", good);
    project_write(&p, "b.c", text);
    free(text);
    project_extract(&p, NULL);
    expect_lost("/b.c", "crashed");
}

/* ---- what is shown more than once ---- */

/* `a ?: b` shows a three times; (*f) and (&f) are f, whatever is between. */
Test(libclang, calls_are_counted_once) {
    project_write(&p, "a.c",
                  "int *get(int **to); int *g; int *(*h)(int **);\n"
                  "void f(void) { g = get(&g) ?: g; (*get)(&g); (&get)(&g); ((get))(&g); }\n"
                  "void k(int *own(int **)) { h(&g); (*h)(&g); own(&g); (**own)(&g); }\n");
    project_extract(&p, NULL);
    cr_expect_eq(p.counts.calls_direct, 4, "%u", p.counts.calls_direct);
    cr_expect_eq(p.counts.calls_indirect, 4, "%u", p.counts.calls_indirect);
}

/* ---- names and places ---- */

/* clang's own name for a static is that of its file, without the folder, and its own name. */
Test(libclang, variables_of_two_files_with_one_name) {
    static const char text[] = "static int x; static int *p = &x; int *NAME(void) { return p; }\n";
    project_write_named(&p, "a/same.c", text, "at_a");
    project_write_named(&p, "b/same.c", text, "at_b");
    project_extract(&p, NULL);
    cr_expect_eq(project_named(&p, "x"), 2);
    cr_expect_eq(project_named(&p, "p"), 2);
}

/* A macro of a header, also one of clang's own, is reported where it is used. */
Test(libclang, places_are_those_of_the_use) {
    project_write(&p, "h.h", "#define GIVE(x) (give(x))\nvoid *give(void *);\n");
    project_write(&p, "a.c",
                  "#include <stddef.h>\n#include \"h.h\"\n"
                  "void *p;\nvoid f(void) {\n    p = NULL;\n    p = GIVE(p);\n}\n");
    project_extract(&p, NULL);
    bool found = false;
    for (uint32_t v = 0; v < cflr_graph_vertices(p.graph); v++) {
        cflr_vertex_info info;
        cflr_graph_vertex(p.graph, v, &info);
        if (info.kind != CFLR_VERTEX_NULL_VALUE) continue;
        found = true;
        cr_expect(strstr(info.file, "/a.c") && info.line == 5, "%s:%u", info.file, info.line);
    }
    cr_expect(found);
    const cflr_unmodelled *function = cflr_extract_unmodelled(p.report, 0);
    cr_assert(function);
    cr_expect(strstr(function->file, "/a.c") && function->line == 6, "%s:%u", function->file,
              function->line);
}

/* The name of the only thing that a place means; "" where it is none or several. */
static const char *standing_at(const char *spec) {
    uint32_t found[8];
    size_t n;
    cflr_error error;
    cflr_vertex_info info;
    if (cflr_graph_find(p.graph, spec, found, 8, &n, &error) != CFLR_OK) return "";
    cflr_graph_vertex(p.graph, found[0], &info);
    return info.name;
}

/* What is written as an argument of a macro is asked for where it is written, also through macros
 * in macros, and so are the ends of calls. What the macro itself makes is at its use. */
Test(libclang, arguments_of_macros_stand_where_they_are_written) {
    static const char *const places[][2] = {
        {"a.c:7:14:give()", "give()"}, {"a.c:7:24", "take()"}, {"a.c:7:27", "one"},
        {"a.c:7:30", "give()"},        {"a.c:8:12", "two"},    {"a.c:8:7", "give()"},
        {"a.c:9:18", "r->in"},         {"a.c:7:14", ""},       {"a.c:7:13", ""},
    };
    project_write(&p, "a.c",
                  "struct s { void *in; };\n"
                  "void *give(void *, void *);\nvoid *take(void);\n"
                  "#define GIVE(x, y) (give(give(x, x), y))\n"
                  "void *all[3];\n"
                  "void f(void *one, void *two, struct s *r) {\n"
                  "    all[0] = GIVE(take(), one), all[1] =\n"
                  "      GIVE(two, r);\n"
                  "    all[2] = (r->in);\n}\n");
    project_extract(&p, NULL);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        cr_expect_str_eq(standing_at(places[i][0]), places[i][1], "%s", places[i][0]);
}

/* ---- how often it is asked ---- */

static uint64_t n_offsets, n_sizes;
static __typeof__(cflri_clang_Cursor_getOffsetOfField) real_offset;
static __typeof__(cflri_clang_Type_getSizeOf) real_size;

static long long count_offset(CXCursor member) {
    n_offsets++;
    return real_offset(member);
}

static long long count_size(CXType type) {
    n_sizes++;
    return real_size(type);
}

static void count_questions(void) {
    cr_assert_eq(cflri_clang_load(NULL), CFLR_OK);
    real_offset = cflri_clang_Cursor_getOffsetOfField;
    real_size = cflri_clang_Type_getSizeOf;
    cflri_clang_Cursor_getOffsetOfField = count_offset;
    cflri_clang_Type_getSizeOf = count_size;
    n_offsets = n_sizes = 0;
    project_extract(&p, NULL);
    cflri_clang_Cursor_getOffsetOfField = real_offset;
    cflri_clang_Type_getSizeOf = real_size;
}

/* For the offset of a member libclang looks at all members. */
Test(libclang, members_are_placed_once) {
    enum { MEMBERS = 3000 };
    static char text[MEMBERS * 60], *at = text;
    at = stpcpy(at, "struct s {");
    for (int i = 0; i < MEMBERS; i++) at += sprintf(at, "int *m%d;", i);
    at = stpcpy(at, "}; void f(struct s *p, struct s *q) { *p = *q;");
    for (int i = 0; i < MEMBERS; i++) at += sprintf(at, "p->m%d = q->m%d;", i, i);
    stpcpy(at, "}\n");
    project_write(&p, "a.c", text);
    count_questions();
    cr_expect_eq(n_offsets, 0);
    cr_expect_leq(n_sizes, 4 * MEMBERS);
}

/* And at all members of these: twice as many with each record. */
Test(libclang, records_in_records_are_placed_once) {
    enum { RECORDS = 40 };
    static char text[RECORDS * 60], *at = text;
    at = stpcpy(at, "struct s0 { int *p, *q; };");
    for (int i = 1; i < RECORDS; i++)
        at += sprintf(at, "struct s%d { struct s%d a, b; };", i, i - 1);
    sprintf(at, "struct s%d *f(struct s%d *p) { return &p->b; }\n", RECORDS - 2, RECORDS - 1);
    project_write(&p, "a.c", text);
    count_questions();
    cr_expect_eq(n_offsets, 0);
    cr_expect_leq(n_sizes, 100 * RECORDS);
}
