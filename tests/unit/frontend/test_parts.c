/* SPDX-License-Identifier: Apache-2.0
 *
 * test_parts.c: units that are extracted apart and linked give what one extraction of all gives, to
 * the byte; what is refused; what is reported.
 */
#include <criterion/criterion.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/files/container.h"
#include "extract_support.h"
#include "tests/support/fail_alloc.h"

static project p;

static void setup(void) {
    project_begin(&p);
}
static void teardown(void) {
    project_end(&p);
}

TestSuite(parts, .init = setup, .fini = teardown);

enum { MOST_PARTS = 8 };

/* Paths of files in the project's folder. */
typedef struct part_list {
    char text[MOST_PARTS][PROJECT_PATH * 2];
    const char *path[MOST_PARTS];
    size_t n;
} part_list;

/* Extracts the files (none: those of the options' database) as a part. */
static void extract_part(part_list *parts, const char *const *files, size_t n,
                         const cflr_extract_opts *opts) {
    char name[32];
    cflr_error error;
    cflr_extract_opts chosen;
    cflr_extract_opts_init(&chosen);
    if (opts) chosen = *opts;
    chosen.linkable = true;
    if (n) chosen.files = files;
    if (n) chosen.n_files = n;
    cr_assert_lt(parts->n, MOST_PARTS);
    snprintf(name, sizeof name, "part%zu.cflg", parts->n);
    project_extract(&p, &chosen);
    parts->path[parts->n] = project_path(&p, name, parts->text[parts->n]);
    cr_assert_eq(cflr_graph_save(p.graph, parts->path[parts->n], CFLR_GRAPH_AUTO, &error), CFLR_OK);
    parts->n++;
}

static void expect_ok(void) {
    cr_assert_eq(p.status, CFLR_OK, "%s: %s", p.error.subject, p.error.message);
}

/* Links, and extracts the files (none: the database) at once, under these options. */
static void expect_whole(const part_list *parts, const char *const *files, size_t n,
                         const cflr_extract_opts *chosen, const char *database, const char *when) {
    cflr_extract_opts opts = *chosen, linking = *chosen;
    size_t whole_size, linked_size;
    linking.fields = CFLR_FIELDS_SENSITIVE; /* the parts tell how they were read */
    linking.locals = CFLR_LOCALS_SPLIT;
    linking.arrays = CFLR_ARRAYS_ONE;
    linking.data_flow = false;
    opts.database = database;
    opts.files = files;
    opts.n_files = n;
    project_extract(&p, &opts);
    p.counts.duplicates = 0; /* of parts it tells something else */
    char *whole = project_told(&p, &whole_size);
    project_link(&p, parts->path, parts->n, &linking);
    expect_ok();
    p.counts.duplicates = 0;
    char *linked = project_told(&p, &linked_size);
    bool same = whole_size == linked_size && memcmp(whole, linked, whole_size) == 0;
    cr_expect(same, "%s:\n%s\ninstead of\n%s", when, linked, whole);
    free(whole);
    free(linked);
}

/* ---- the whole ---- */

static uint32_t draw(uint32_t *state, uint32_t below) {
    *state = *state * 1664525 + 1013904223;
    return (*state >> 8) % below;
}

/* Deals the files to parts; some go to two of them. */
static void deal(part_list *parts, const glob_t *all, size_t n_parts, uint32_t *state,
                 const cflr_extract_opts *opts) {
    const char **hand = calloc(all->gl_pathc, sizeof *hand);
    uint32_t *owner = calloc(all->gl_pathc, sizeof *owner),
             *other = calloc(all->gl_pathc, sizeof *other);
    parts->n = 0;
    for (size_t i = 0; i < all->gl_pathc; i++) {
        owner[i] = draw(state, (uint32_t)n_parts);
        other[i] = draw(state, 4) ? owner[i] : draw(state, (uint32_t)n_parts);
    }
    for (uint32_t k = 0; k < n_parts; k++) {
        size_t n = 0;
        for (size_t i = 0; i < all->gl_pathc; i++)
            if (owner[i] == k || other[i] == k) hand[n++] = all->gl_pathv[i];
        if (n) extract_part(parts, hand, n, opts);
    }
    free(hand);
    free(owner);
    free(other);
}

Test(parts, random_deals_of_all_constructs) {
    static const struct {
        cflr_extract_opts opts;
        const char *when;
    } ways[] = {
        {{.struct_size = sizeof(cflr_extract_opts)}, "plain"},
        {{.struct_size = sizeof(cflr_extract_opts),
          .context = CFLR_CONTEXT_CLONE,
          .locals = CFLR_LOCALS_WHOLE},
         "cloned"},
        {{.struct_size = sizeof(cflr_extract_opts),
          .calls = CFLR_CALLS_BRACKETS,
          .world = CFLR_WORLD_OPEN,
          .arrays = CFLR_ARRAYS_CONSTANT,
          .data_flow = true},
         "open, with brackets, elements and data"},
        {{.struct_size = sizeof(cflr_extract_opts),
          .programs = CFLR_PROGRAMS_MERGED,
          .callees = CFLR_CALLEES_TYPES,
          .fields = CFLR_FIELDS_INSENSITIVE},
         "merged, by types"},
    };
    part_list parts;
    uint32_t state = 1;
    glob_t all;
    cr_assert_eq(glob(CFLR_SOURCE_DIR "/tests/c/*.c", 0, NULL, &all), 0);
    cr_assert_gt(all.gl_pathc, 40);
    const char *const *files = (const char *const *)all.gl_pathv;
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
        deal(&parts, &all, 2 + w, &state, &ways[w].opts);
        expect_whole(&parts, files, all.gl_pathc, &ways[w].opts, NULL, ways[w].when);
    }
    globfree(&all);
}

static void write_three(void) {
    project_write(&p, "shared.h",
                  "extern int *shared;\nstatic inline int *get(void) { return shared; }\n");
    project_write(&p, "a.c",
                  "#include \"shared.h\"\nstatic int one; static int *pick(void) { return &one; }\n"
                  "int *shared; int *f(void) { shared = pick(); return get(); }\n");
    project_write(&p, "b.c",
                  "#include \"shared.h\"\nstatic int two; static int *pick(void) { return &two; }\n"
                  "char *strdup(const char *); char *t; int *f(void);\n"
                  "int *g(char *s) { t = strdup(s); shared = pick(); f(); return get(); }\n");
    project_write(&p, "c.c",
                  "int *g(char *); char word[9]; char *strdup(const char *s) { return word; }\n"
                  "int *r; int main(void) { r = g(word); return 0; }\n");
}

Test(parts, names_mean_what_they_mean_in_one_program) {
    part_list parts = {.n = 0};
    cflr_extract_opts plain;
    cflr_extract_opts_init(&plain);
    write_three();
    for (size_t i = 0; i < 3; i++) extract_part(&parts, &p.source[i], 1, NULL);
    expect_whole(&parts, p.source, 3, &plain, NULL, "three parts");
    cr_expect_eq(project_named(&p, "one"), 1);
    cr_expect_eq(project_named(&p, "two"), 1);
    cr_expect_eq(project_named(&p, "shared"), 1);
    cr_expect(!p.counts.open, "c.c has main");
    cr_expect_eq(p.counts.functions, 7, "get is there once, pick twice, not %u",
                 p.counts.functions);
    cr_expect(project_has_edge(&p, "strdup::return -a-> g::temporary(strdup())"),
              "its body counts: %s", p.edges);
    project_link(&p, parts.path, 2, NULL);
    expect_ok();
    cr_expect(p.counts.open, "no main");
    cr_expect(!project_has_edge(&p, "strdup::return -a-> g::temporary(strdup())"),
              "its summary counts: %s", p.edges);
}

/* The order of the files, a file named twice, and parts of parts. */
Test(parts, order_and_nesting) {
    part_list parts = {.n = 0};
    size_t first_size, size;
    write_three();
    for (size_t i = 0; i < 3; i++) extract_part(&parts, &p.source[i], 1, NULL);
    cflr_extract_opts linkable;
    cflr_extract_opts_init(&linkable);
    linkable.linkable = true;
    project_link(&p, parts.path, 3, &linkable);
    expect_ok();
    char *first = project_told(&p, &first_size);
    project_link(&p, parts.path, 2, &linkable);
    expect_ok();
    char middle[PROJECT_PATH * 2];
    cr_assert_eq(
        cflr_graph_save(p.graph, project_path(&p, "ab.cflg", middle), CFLR_GRAPH_AUTO, NULL),
        CFLR_OK);
    const char *orders[][4] = {{parts.path[2], parts.path[1], parts.path[0], parts.path[0]},
                               {parts.path[2], middle, middle, parts.path[1]}};
    for (size_t i = 0; i < 2; i++) {
        project_link(&p, orders[i], 4, &linkable);
        expect_ok();
        cr_expect_eq(p.counts.duplicates, i ? 3 : 1);
        p.counts.duplicates = 0;
        char *told = project_told(&p, &size);
        cr_expect(size == first_size && memcmp(told, first, size) == 0, "order %zu", i);
        free(told);
    }
    free(first);
}

/* With the cache a part is the same file. */
Test(parts, from_the_cache) {
    char cache[PROJECT_PATH * 2];
    part_list parts = {.n = 0};
    char *file[3];
    size_t size[3];
    cflr_extract_opts opts;
    write_three();
    cflr_extract_opts_init(&opts);
    for (size_t i = 0; i < 3; i++) {
        if (i > 0) opts.cache = project_path(&p, "kept", cache);
        extract_part(&parts, p.source, 3, &opts);
        cr_expect_eq(p.counts.units_cached, i == 2 ? 3 : 0);
        file[i] = project_read_bytes(parts.path[i], &size[i]);
    }
    for (size_t i = 1; i < 3; i++)
        cr_expect(size[i] == size[0] && memcmp(file[i], file[0], size[0]) == 0, "file %zu", i);
    for (size_t i = 0; i < 3; i++) free(file[i]);
}

/* A unit that cannot be read, one with errors, and files of other languages are reported again. */
Test(parts, what_was_lost_stays_lost) {
    part_list parts = {.n = 0};
    char missing[PROJECT_PATH * 2];
    project_write(&p, "a.c", "int *x; int f(void) { return }\n");
    project_write(&p, "b.c", "int *y;\n");
    const char *files[] = {p.source[0], p.source[1], project_path(&p, "missing.c", missing),
                           "/other/c++.cc"};
    cflr_extract_opts plain;
    cflr_extract_opts_init(&plain);
    extract_part(&parts, files, 1, NULL);
    extract_part(&parts, files + 1, 3, NULL);
    expect_whole(&parts, files, 4, &plain, NULL, "lost");
    cr_expect_eq(p.counts.units_lost, 1);
    cr_expect_eq(p.counts.units_degraded, 1);
    cr_expect_eq(p.counts.other_languages, 1);
}

/* Summaries of the user go with the units; what is said of them names their file. */
Test(parts, summaries_and_checks_come_along) {
    static const char *const may[] = {"may"}, *const no[] = {"no"};
    char path[PROJECT_PATH * 2];
    part_list parts = {.n = 0};
    cflr_extract_opts opts;
    project_write(&p, "mine.txt", "pick: ret = arg0\nhere: none\ngone: none\n");
    project_write(&p, "a.c",
                  "int *pick(int *), *here(int *), x, *y; void may(), no();\n"
                  "int main(void) { y = pick(&x); y = here(y); may(y, &x); no(y, &x); }\n");
    project_write(&p, "b.c", "int *here(int *v) { return v; }\n");
    const char *file = project_path(&p, "mine.txt", path);
    cflr_extract_opts_init(&opts);
    opts.summaries = &file;
    opts.n_summaries = 1;
    opts.may_alias = may;
    opts.no_alias = no;
    opts.n_may_alias = opts.n_no_alias = 1;
    for (size_t i = 0; i < 2; i++) extract_part(&parts, &p.source[i], 1, &opts);
    project_link(&p, parts.path, 2, NULL);
    expect_ok();
    cr_expect(project_has_edge(&p, "&x -a-> main::temporary(pick())"), "%s", p.edges);
    cr_expect(project_note(&p, CFLR_NOTE_OVERRULED, "here") != NULL);
    const cflr_note *unused = project_note(&p, CFLR_NOTE_UNUSED, "gone");
    cr_assert(unused && unused->line == 3);
    cr_expect_str_eq(unused->file, file);
    const cflr_check *check = cflr_extract_check(p.report, 1);
    cr_assert(check && check->n == 1 && check->kind == CFLR_CHECK_NO_ALIAS);
}

/* ---- targets ---- */

/* One entry of a database in `folder`: the file, and its object. */
static void write_database(const char *folder, const char *const (*rows)[2], size_t n) {
    char text[2000] = "[", path[PROJECT_PATH];
    for (size_t i = 0; i < n; i++) {
        size_t at = strlen(text);
        snprintf(text + at, sizeof text - at,
                 "%s{\"directory\": \"%s/%s\", \"file\": \"%s\", \"output\": \"%s\", "
                 "\"arguments\": [\"cc\", \"%s\"]}",
                 i ? "," : "", p.folder, folder, rows[i][0], rows[i][1], rows[i][0]);
    }
    strcat(text, "]");
    snprintf(path, sizeof path, "%s/compile_commands.json", folder);
    project_write(&p, path, text);
}

static void write_programs(void) {
    project_write(&p, "all/a.c", "int *usage(void), *hook, *p; int main(void) { p = usage(); }\n");
    project_write(&p, "all/ua.c", "int x; int *usage(void) { return &x; }\n");
    project_write(&p, "all/b.c", "int *usage(void), *hook, *q; int main(void) { q = usage(); }\n");
    project_write(&p, "all/ub.c", "int y; int *usage(void) { return &y; }\n");
    project_write(&p, "all/lib.c", "extern int *hook; int *give(void) { return hook; }\n");
    project_write(&p, "all/more.c", "int *give(void), *z; void more(void) { z = give(); }\n");
}

static const char *const programs[][2] = {{"a.c", "a.p/a.o"},     {"ua.c", "a.p/ua.o"},
                                          {"b.c", "b.p/b.o"},     {"ub.c", "b.p/ub.o"},
                                          {"lib.c", "lib.p/l.o"}, {"more.c", "more.o"}};

/* By halves that cut through targets, whole targets, and one of them. */
Test(parts, programs_of_one_database_stay_apart) {
    char folder[PROJECT_PATH * 2];
    cflr_extract_opts opts;
    write_programs();
    write_database("all", programs, 6);
    const char *database = project_path(&p, "all", folder);
    cflr_extract_opts_init(&opts);
    opts.database = database;
    for (size_t cut = 1; cut < 6; cut++) {
        part_list parts = {.n = 0};
        cflr_extract_opts linking;
        cflr_extract_opts_init(&linking);
        extract_part(&parts, p.source, cut, &opts);
        extract_part(&parts, p.source + cut, 6 - cut, &opts);
        expect_whole(&parts, NULL, 0, &linking, database, "cut");
        cr_expect_eq(p.counts.programs, 2);
        cr_expect_eq(p.counts.redefined, 1, "hook alone");
        cr_expect_str_eq(cflr_extract_target(p.report, 0)->name, "a");
        const char *const wanted[] = {"b", "more.c"};
        for (linking.n_targets = 1; linking.n_targets < 3; linking.n_targets++) {
            linking.targets = wanted;
            expect_whole(&parts, NULL, 0, &linking, database, "targets");
            cr_expect_gt(p.counts.left_out, 0);
        }
    }
}

/* A part that was extracted with --target has the units of that, and no others. */
Test(parts, of_targets) {
    char folder[PROJECT_PATH * 2];
    static const char *const wanted[] = {"a", "lib", "b"};
    part_list parts = {.n = 0};
    cflr_extract_opts opts, linking;
    write_programs();
    write_database("all", programs, 6);
    cflr_extract_opts_init(&opts);
    opts.database = project_path(&p, "all", folder);
    opts.n_targets = 1;
    for (size_t i = 0; i < 3; i++) {
        opts.targets = &wanted[i];
        extract_part(&parts, NULL, 0, &opts);
    }
    cflr_extract_opts_init(&linking);
    project_link(&p, parts.path, 3, &linking);
    expect_ok();
    cr_expect_eq(p.counts.units, 5, "more.c is in no part: %u", p.counts.units);
    cr_expect_eq(p.counts.programs, 2);
    cr_expect_eq(p.counts.left_out, 0);
}

/* Two databases with a target of one name: their directories tell them apart. */
Test(parts, databases_have_their_own_targets) {
    static const char *const rows[][2] = {{"main.c", "test.p/m.o"}, {"u.c", "test.p/u.o"}};
    char folders[2][PROJECT_PATH * 2];
    part_list parts = {.n = 0};
    cflr_extract_report *report;
    project_write(&p, "x/main.c", "int *usage(void), *p; int main(void) { p = usage(); }\n");
    project_write(&p, "x/u.c", "int x; int *usage(void) { return &x; }\n");
    project_write(&p, "y/main.c", "int *usage(void), *q; int main(void) { q = usage(); }\n");
    project_write(&p, "y/u.c", "int y; int *usage(void) { return &y; }\n");
    write_database("x", rows, 2);
    write_database("y", rows, 2);
    for (size_t i = 0; i < 2; i++) {
        cflr_extract_opts opts;
        cflr_extract_opts_init(&opts);
        opts.database = project_path(&p, i ? "y" : "x", folders[i]);
        extract_part(&parts, NULL, 0, &opts);
    }
    project_link(&p, parts.path, 2, NULL);
    expect_ok();
    cr_expect_eq(p.counts.programs, 2);
    cr_expect_eq(p.counts.redefined, 0);
    cr_expect_str_eq(cflr_extract_target(p.report, 0)->name, "x/test");
    cr_expect_str_eq(cflr_extract_target(p.report, 1)->name, "y/test");
    cflr_extract_opts opts;
    cflr_extract_opts_init(&opts);
    cr_assert_eq(cflr_link_list(p.context, parts.path, 2, &opts, &report, NULL), CFLR_OK);
    cr_expect_str_eq(cflr_extract_target(report, 1)->name, "y/test");
    cflr_extract_report_free(report);
    static const char *const both[] = {"test"}, *const neither[] = {"tes"};
    opts.targets = both;
    opts.n_targets = 1;
    project_link(&p, parts.path, 2, &opts);
    expect_ok();
    cr_expect_eq(p.counts.left_out, 0);
    opts.targets = neither;
    project_link(&p, parts.path, 2, &opts);
    cr_expect_eq(p.status, CFLR_NOT_FOUND);
}

/* ---- what is refused, and what is reported ---- */

static void expect_refused(const part_list *parts, cflr_status st, const char *message) {
    project_link(&p, parts->path, parts->n, NULL);
    cr_expect_eq(p.status, st, "%s: %s", cflr_status_name(p.status), p.error.message);
    cr_expect(strstr(p.error.message, message), "'%s' instead of '%s'", p.error.message, message);
    cr_expect_str_not_empty(p.error.subject);
    cr_expect_null(p.graph);
}

Test(parts, that_were_read_in_other_ways) {
    static const char *const names[] = {"may"}, *const others[] = {"must"};
    char path[PROJECT_PATH * 2];
    project_write(&p, "a.c", "int *x;\n");
    project_write(&p, "b.c", "int *y;\n");
    project_write(&p, "mine.txt", "pick: ret = arg0\n");
    const char *file = project_path(&p, "mine.txt", path);
    cflr_extract_opts plain;
    cflr_extract_opts_init(&plain);
    cflr_extract_opts other[7] = {plain, plain, plain, plain, plain, plain, plain};
    static const char *const told[] = {"--fields", "--locals",    "--data-flow", "names",
                                       "names",    "--summaries", "--arrays"};
    other[0].fields = CFLR_FIELDS_INSENSITIVE;
    other[1].locals = CFLR_LOCALS_WHOLE;
    other[2].data_flow = true;
    other[3].may_alias = names;
    other[3].n_may_alias = 1;
    other[4].no_alias = others;
    other[4].n_no_alias = 1;
    other[5].summaries = &file;
    other[5].n_summaries = 1;
    other[6].arrays = CFLR_ARRAYS_CONSTANT;
    for (size_t i = 0; i < 7; i++) {
        part_list parts = {.n = 0};
        extract_part(&parts, &p.source[0], 1, &plain);
        extract_part(&parts, &p.source[1], 1, &other[i]);
        expect_refused(&parts, CFLR_FORMAT, told[i]);
        project_link(&p, parts.path + 1, 1, NULL); /* alone it tells how */
        expect_ok();
    }
}

static void rewrite(const char *name, const char *text) {
    char path[PROJECT_PATH * 2];
    FILE *file = fopen(project_path(&p, name, path), "w");
    cr_assert(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

Test(parts, a_unit_at_two_states) {
    part_list parts = {.n = 0};
    project_write(&p, "a.c", "int *x;\n");
    project_write(&p, "b.c", "int *y;\n");
    extract_part(&parts, p.source, 2, NULL);
    rewrite("a.c", "/* nothing else */ int *x;\n");
    extract_part(&parts, p.source, 1, NULL);
    expect_refused(&parts, CFLR_FORMAT, "at different states");
}

Test(parts, a_header_at_two_states) {
    part_list parts = {.n = 0};
    project_write(&p, "h.h", "extern int *x;\n");
    project_write(&p, "same.h", "extern int *y;\n");
    project_write(&p, "a.c", "#include \"h.h\"\n#include \"same.h\"\nint *x;\n");
    project_write(&p, "b.c", "#include \"h.h\"\n#include \"same.h\"\nint *y;\n");
    extract_part(&parts, &p.source[0], 1, NULL);
    rewrite("h.h", "extern int *x, *z;\n");
    extract_part(&parts, &p.source[1], 1, NULL);
    project_link(&p, parts.path, 2, NULL);
    expect_ok();
    const cflr_note *note = project_note(&p, CFLR_NOTE_CHANGED, "part1.cflg");
    cr_assert_not_null(note);
    cr_expect(strstr(note->file, "h.h") && strstr(note->text, "part0.cflg"));
    cr_expect_null(project_note(&p, CFLR_NOTE_CHANGED, "same.h"));
}

/* Writes a container with one section. */
static const char *write_section(const char *tag, const void *data, size_t size,
                                 char path[PROJECT_PATH * 2]) {
    cflri_output *output;
    project_path(&p, "made.cflg", path);
    cr_assert_eq(cflri_output_open(p.context, path, &output, NULL), CFLR_OK);
    cflri_container_begin(output);
    cr_assert_eq(cflri_container_section(p.context, output, tag, data, size, NULL), CFLR_OK);
    cflri_container_end(output);
    cr_assert_eq(cflri_output_close(output, NULL), CFLR_OK);
    return path;
}

Test(parts, that_are_none) {
    part_list parts = {.n = 1};
    char path[PROJECT_PATH * 2];
    project_write(&p, "a.c", "int *x;\n");
    project_extract(&p, NULL);
    parts.path[0] = project_path(&p, "plain.cflg", parts.text[0]);
    cr_assert_eq(cflr_graph_save(p.graph, parts.path[0], CFLR_GRAPH_AUTO, NULL), CFLR_OK);
    expect_refused(&parts, CFLR_FORMAT, "--linkable");
    parts.path[0] = p.source[0];
    expect_refused(&parts, CFLR_FORMAT, "not a cflr file");
    parts.path[0] = "/no/such.cflg";
    expect_refused(&parts, CFLR_IO, "");
    parts.path[0] = write_section("UNTS", "of another time", 16, path);
    expect_refused(&parts, CFLR_UNSUPPORTED, "another build of cflr");
    parts.path[0] = write_section("UNTS", "", 0, path);
    expect_refused(&parts, CFLR_UNSUPPORTED, "another build of cflr");
}

/* Every number of the list of units is changed, and every cut of it tried: what is linked then is a
 * graph, all else is refused. */
Test(parts, damaged_lists) {
    part_list parts = {.n = 0};
    char path[PROJECT_PATH * 2];
    cflri_input input;
    cflri_section *sections;
    size_t n, refused = 0;
    void *plain;
    project_write(&p, "a.c", "#include \"h.h\"\nint *x;\n");
    project_write(&p, "h.h", "extern int *x;\n");
    extract_part(&parts, p.source, 1, NULL);
    cr_assert_eq(cflri_input_open(p.context, parts.path[0], &input, NULL), CFLR_OK);
    cr_assert_eq(cflri_container_open(p.context, input.data, input.size, NULL, &sections, &n, NULL),
                 CFLR_OK);
    const cflri_section *units = cflri_container_find(sections, n, "UNTS");
    const cflri_section *unit = cflri_container_find(sections, n, "UNIT");
    cr_assert(units && unit);
    cr_assert_eq(cflri_container_unpack(p.context, units, NULL, &plain, NULL), CFLR_OK);
    uint32_t *number = plain;
    size_t numbers = units->size / sizeof *number;
    parts.path[0] = project_path(&p, "made.cflg", path);
    for (size_t i = 0; i < 4 * numbers; i++) {
        static const uint32_t changes[] = {1, 1u << 16, UINT32_MAX};
        bool cut = i >= 3 * numbers;
        uint32_t before = number[i % numbers];
        cflri_output *output;
        if (!cut) number[i % numbers] += changes[i / numbers];
        cr_assert_eq(cflri_output_open(p.context, path, &output, NULL), CFLR_OK);
        cflri_container_begin(output);
        cr_assert_eq(
            cflri_container_section(p.context, output, "UNTS", plain,
                                    cut ? i % numbers * sizeof *number : units->size, NULL),
            CFLR_OK);
        cflri_container_put(output, unit);
        cflri_container_end(output);
        cr_assert_eq(cflri_output_close(output, NULL), CFLR_OK);
        project_link(&p, parts.path, 1, NULL);
        cr_expect(p.status == CFLR_OK || p.status == CFLR_FORMAT || p.status == CFLR_UNSUPPORTED,
                  "%zu: %s", i, p.error.message);
        cr_expect(p.status == CFLR_OK || (p.error.subject[0] && p.error.message[0]));
        cr_expect(!cut || p.status != CFLR_OK);
        refused += p.status != CFLR_OK;
        number[i % numbers] = before;
    }
    cr_expect_gt(refused, numbers + 30);
    cflri_free(p.context, plain);
    cflri_free(p.context, sections);
    cflri_input_close(&input);
}

Test(parts, damaged_facts) {
    static const char text[] = "these are no facts at all...";
    part_list parts = {.n = 0};
    char path[PROJECT_PATH * 2];
    cflri_input input;
    cflri_section *sections, none;
    size_t n;
    cflri_output *output;
    project_write(&p, "a.c", "int *x;\n");
    extract_part(&parts, p.source, 1, NULL);
    cr_assert_eq(cflri_input_open(p.context, parts.path[0], &input, NULL), CFLR_OK);
    cr_assert_eq(cflri_container_open(p.context, input.data, input.size, NULL, &sections, &n, NULL),
                 CFLR_OK);
    cr_assert_eq(cflri_container_pack(p.context, "UNIT", text, sizeof text, &none, NULL), CFLR_OK);
    for (int with = 0; with < 2; with++) {
        parts.path[0] = project_path(&p, "made.cflg", path);
        cr_assert_eq(cflri_output_open(p.context, path, &output, NULL), CFLR_OK);
        cflri_container_begin(output);
        cflri_container_put(output, cflri_container_find(sections, n, "UNTS"));
        if (with) cflri_container_put(output, &none);
        cflri_container_end(output);
        cr_assert_eq(cflri_output_close(output, NULL), CFLR_OK);
        expect_refused(&parts, CFLR_FORMAT, with ? "what it says of" : "list of its units");
    }
    cflri_free(p.context, (void *)(uintptr_t)none.packed);
    cflri_free(p.context, sections);
    cflri_input_close(&input);
}

Test(parts, options_of_the_wrong_kind) {
    static const char *const text[] = {"text"};
    const char *path = "whatever.cflg";
    cflr_extract_opts plain, opts;
    cflr_extract_opts_init(&plain);
    cflr_extract_opts wrong[11];
    for (size_t i = 0; i < 11; i++) wrong[i] = plain;
    wrong[0].database = ".";
    wrong[1].files = text, wrong[1].n_files = 1;
    wrong[2].fields = CFLR_FIELDS_INSENSITIVE;
    wrong[3].data_flow = true;
    wrong[4].summaries = text, wrong[4].n_summaries = 1;
    wrong[5].cache = "kept";
    wrong[6].rules = text, wrong[6].n_rules = 1;
    wrong[7].may_alias = text, wrong[7].n_may_alias = 1;
    wrong[8].n_targets = 1;
    wrong[9].world = (cflr_world)9;
    wrong[10].arrays = CFLR_ARRAYS_CONSTANT;
    for (size_t i = 0; i < 11; i++) {
        project_link(&p, &path, 1, &wrong[i]);
        cr_expect_eq(p.status, CFLR_ARGUMENT, "%zu: %s", i, p.error.message);
    }
    project_link(&p, &path, 0, &plain);
    cr_expect_eq(p.status, CFLR_ARGUMENT);
    project_write(&p, "a.c", "int *x;\n");
    static const char *const rules[] = {"null"};
    opts = plain;
    opts.linkable = true;
    opts.rules = rules;
    opts.n_rules = 1;
    project_try(&p, &opts);
    cr_expect_eq(p.status, CFLR_ARGUMENT);
}

/* ---- memory ---- */

typedef struct sweep_input {
    part_list parts;
    cflr_extract_opts opts;
    char saved[PROJECT_PATH * 2];
} sweep_input;

static cflr_status link_all(cflr_context *context, void *user, cflr_error *error) {
    const sweep_input *in = user;
    cflr_graph *graph;
    cflr_extract_report *report;
    cflr_status st =
        cflr_link(context, in->parts.path, in->parts.n, &in->opts, &graph, &report, error);
    if (st == CFLR_OK) st = cflr_graph_save(graph, in->saved, CFLR_GRAPH_AUTO, error);
    cflr_graph_free(graph);
    cflr_extract_report_free(report);
    return st;
}

static cflr_status extract_linkable(cflr_context *context, void *user, cflr_error *error) {
    const sweep_input *in = user;
    cflr_graph *graph;
    cflr_status st = cflr_extract(context, &in->opts, &graph, NULL, error);
    cflr_graph_free(graph);
    return st;
}

Test(parts, failing_allocations) {
    static const char *const wanted[] = {"a", "lib"};
    char folder[PROJECT_PATH * 2], path[PROJECT_PATH * 2];
    sweep_input in = {.parts.n = 0};
    write_programs();
    write_database("all", programs, 6);
    project_write(&p, "mine.txt", "pick: ret = arg0\n");
    const char *file = project_path(&p, "mine.txt", path);
    cflr_extract_opts_init(&in.opts);
    project_path(&p, "whole.cflg", in.saved);
    in.opts.database = project_path(&p, "all", folder);
    in.opts.summaries = &file;
    in.opts.n_summaries = 1;
    extract_part(&in.parts, p.source, 3, &in.opts);
    extract_part(&in.parts, p.source + 2, 4, &in.opts);
    in.opts.linkable = true;
    in.opts.files = p.source;
    in.opts.n_files = 2;
    fail_alloc_sweep(extract_linkable, &in);
    cflr_extract_opts_init(&in.opts);
    in.opts.linkable = true;
    in.opts.targets = wanted;
    in.opts.n_targets = 2;
    fail_alloc_sweep(link_all, &in);
}
