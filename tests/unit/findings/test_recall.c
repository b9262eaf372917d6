/* SPDX-License-Identifier: Apache-2.0
 *
 * test_recall.c: findings that an earlier run has kept are those that are found anew, of the same
 * graph and no other, whatever bytes are in the file.
 */
#include <unistd.h>

#include "base/context.h"
#include "base/files/container.h"
#include "base/files/kept.h"
#include "findings/recall.h"
#include "tests/support/fail_alloc.h"
#include "tests/unit/findings/world.h"

enum { FLOWS = sizeof flows / sizeof *flows };

typedef struct recalling {
    findings_world w;
    test_dir dir;
    cflr_flow flows[FLOWS];
} recalling;

/* A world whose places are `lines` further down, with the directory or none. */
static void begin(recalling *r, const test_dir *dir, uint32_t lines) {
    moved_lines = lines;
    world_begin(&r->w);
    moved_lines = 0;
    memcpy(r->flows, flows, sizeof flows);
    for (size_t i = 0; i < FLOWS; i++) r->flows[i].place.line += lines;
    r->w.opts.flows = r->flows;
    r->w.opts.all_routes = true;
    r->w.opts.cache = dir ? dir->path : NULL;
}

static bool find(findings_world *w) {
    cflr_error error;
    cflr_findings_counts counts;
    cflr_findings_free(w->found);
    MUST(cflr_findings_new(w->graph, &w->opts, &w->found, &error));
    cflr_findings_get_counts(w->found, &counts);
    cr_expect(counts.complete);
    return counts.recalled;
}

/* ---- comparing ---- */

static bool same_place(cflr_place a, cflr_place b) {
    return strcmp(a.file, b.file) == 0 && a.line == b.line && a.column == b.column;
}

static bool same_step(const cflr_step *a, const cflr_step *b) {
    bool same = a->pair.source == b->pair.source && a->pair.target == b->pair.target &&
                a->pair.label == b->pair.label && strcmp(a->pair.symbol, b->pair.symbol) == 0 &&
                strcmp(a->pair.index, b->pair.index) == 0 && a->kind == b->kind &&
                same_place(a->place, b->place) && a->object == b->object &&
                a->n_route == b->n_route;
    for (size_t i = 0; i < a->n_route && same; i++) same = same_step(&a->route[i], &b->route[i]);
    return same;
}

static bool same_finding(const cflr_finding *a, const cflr_finding *b) {
    bool same = a->rule == b->rule && a->source == b->source && a->sink == b->sink &&
                a->followed == b->followed && same_place(a->place, b->place) &&
                a->rank == b->rank && a->likely == b->likely && a->n_sources == b->n_sources &&
                a->n_places == b->n_places && a->cause == b->cause && a->next == b->next &&
                a->n_steps == b->n_steps && strcmp(a->fingerprint, b->fingerprint) == 0 &&
                strcmp(a->fingerprint_any_file, b->fingerprint_any_file) == 0 &&
                same_place(a->origin, b->origin) && strcmp(a->function, b->function) == 0 &&
                strcmp(a->uncalled, b->uncalled) == 0 && a->n_further == b->n_further;
    for (size_t i = 0; i < a->n_steps && same; i++) same = same_step(&a->step[i], &b->step[i]);
    for (size_t i = 0; i < a->n_further && same; i++)
        same = a->further[i].source == b->further[i].source &&
               same_place(a->further[i].place, b->further[i].place);
    return same;
}

static void expect_same(const findings_world *a, const findings_world *b) {
    cflr_findings_counts x, y;
    cflr_findings_get_counts(a->found, &x);
    cflr_findings_get_counts(b->found, &y);
    cr_assert(x.findings > 0 && x.findings == y.findings && x.likely == y.likely &&
              x.lost == y.lost && x.a_lost == y.a_lost);
    for (size_t i = 0; i < x.findings; i++)
        cr_expect(same_finding(cflr_findings_at(a->found, i), cflr_findings_at(b->found, i)),
                  "finding %zu", i);
}

/* ---- the same graph ---- */

Test(recall, only_places_differ) {
    const test_dir dir = test_dir_begin();
    for (uint32_t lines = 0; lines < 9; lines += 4) {
        recalling kept, anew;
        begin(&kept, &dir, lines);
        begin(&anew, NULL, lines);
        cr_expect_eq(find(&kept.w), lines > 0);
        cr_expect(find(&kept.w));
        cr_expect_not(find(&anew.w));
        expect_same(&kept.w, &anew.w);
        world_end(&kept.w);
        world_end(&anew.w);
    }
    test_dir_end(&dir);
}

/* ---- another graph, other rules ---- */

static void remember(const test_dir *dir) {
    recalling r;
    begin(&r, dir, 0);
    find(&r.w);
    world_end(&r.w);
}

static void expect_other(recalling *r, const char *what) {
    cr_expect_not(find(&r->w), "%s", what);
    world_end(&r->w);
}

Test(recall, what_findings_depend_on) {
    static const cflr_uncalled uncalled = {"sink", {"/a.c", 1, 1}, SYSTEM, SYSTEM + 1};
    cflr_rule other[2];
    const test_dir dir = test_dir_begin();
    recalling r;
    remember(&dir);
    begin(&r, &dir, 0);
    r.w.opts.all_routes = false;
    expect_other(&r, "routes");
    begin(&r, &dir, 0);
    r.w.opts.n_rules = 1;
    expect_other(&r, "fewer rules");
    begin(&r, &dir, 0);
    memcpy(other, rules, sizeof other);
    other[0].name = "runs";
    r.w.opts.rules = other;
    expect_other(&r, "a rule of another name");
    begin(&r, &dir, 0);
    r.w.opts.uncalled = &uncalled;
    r.w.opts.n_uncalled = 1;
    expect_other(&r, "a function that nothing enters");
    begin(&r, &dir, 0);
    r.w.opts.n_flows = FLOWS - 1;
    expect_other(&r, "fewer flows");
    begin(&r, &dir, 0);
    r.flows[0].place.line++; /* behind one that it stood in front of */
    r.flows[0].place.column = 1;
    expect_other(&r, "the order of places");
    begin(&r, &dir, 0);
    r.flows[0].place.line++; /* at no other place, but on another line */
    expect_other(&r, "what is on one line");
    x_type = "const char";
    begin(&r, &dir, 0);
    expect_other(&r, "a type");
    x_type = NULL;
    begin(&r, &dir, 0);
    memcpy(other, rules, sizeof other); /* what is only told */
    other[0].message = "another message";
    other[0].level = CFLR_LEVEL_NOTE;
    r.w.opts.rules = other;
    cr_expect(find(&r.w));
    cr_expect_eq(cflr_findings_at(r.w.found, 0)->rule, other);
    world_end(&r.w);
    test_dir_end(&dir);
}

/* ---- bytes ---- */

static void path_of_kept(findings_world *w, char path[PATH_MAX], cflri_digest *key) {
    cflri_recall recall;
    cr_assert(cflri_recall_begin(&recall, w->found));
    *key = recall.key;
    cr_assert(cflri_kept_path(w->opts.cache, recall.key, 0, path));
    cflri_recall_end(&recall);
}

Test(recall, damage) {
    const test_dir dir = test_dir_begin();
    recalling r, anew;
    char path[PATH_MAX];
    cflri_digest key;
    size_t size;
    begin(&r, &dir, 0);
    begin(&anew, NULL, 0);
    find(&r.w);
    find(&anew.w);
    path_of_kept(&r.w, path, &key);
    char *good = test_read_file(path, &size);
    for (size_t i = 0; i < size; i += 3) {
        char *bad = malloc(size);
        memcpy(bad, good, size);
        bad[i] ^= (char)(1 << i % 8);
        test_write_file(path, bad, size);
        cr_expect_not(find(&r.w), "byte %zu", i);
        expect_same(&r.w, &anew.w);
        test_write_file(path, good, i);
        cr_expect_not(find(&r.w), "%zu bytes", i);
        cr_expect(find(&r.w)); /* what was damaged is made anew */
        free(bad);
    }
    free(good);
    world_end(&r.w);
    world_end(&anew.w);
    test_dir_end(&dir);
}

/* Sections in order, whose numbers are nonsense. */
static void write_numbers(findings_world *w, const char *path, cflri_digest key,
                          const uint32_t *number, size_t n, const char *text, size_t n_text) {
    cflri_output *output;
    cflr_error error;
    MUST(cflri_output_open(w->context, path, &output, &error));
    cflri_container_begin(output);
    MUST(cflri_container_section(w->context, output, "KEY ", &key, sizeof key, &error));
    MUST(cflri_container_section(w->context, output, "NUMS", number, n * sizeof *number, &error));
    MUST(cflri_container_section(w->context, output, "TEXT", text, n_text, &error));
    cflri_container_end(output);
    MUST(cflri_output_close(output, &error));
}

static size_t read_all(const cflr_step *step, size_t n) {
    size_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += strlen(step[i].pair.symbol) + strlen(step[i].pair.index) +
               strlen(step[i].place.file) + read_all(step[i].route, step[i].n_route);
    return sum;
}

/* Everything that the list leads to can be read. */
static void expect_readable(const findings_world *w) {
    const cflr_finding *f;
    size_t sum = 0;
    for (size_t i = 0; (f = cflr_findings_at(w->found, i)); i++) {
        cr_assert(f->source < VERTICES && f->sink < VERTICES && f->followed < VERTICES);
        sum += read_all(f->step, f->n_steps) + strlen(f->rule->name) + strlen(f->function) +
               strlen(f->uncalled) + strlen(f->place.file) + strlen(f->origin.file);
        for (size_t k = 0; k < f->n_further; k++) sum += strlen(f->further[k].place.file);
    }
    cr_expect(sum > 0);
}

static void *section_of(cflr_context *context, const char *data, size_t size, const char *tag,
                        size_t *n) {
    cflri_section *sections;
    cflr_error error;
    void *plain;
    size_t n_sections;
    MUST(cflri_container_open(context, data, size, "kept", &sections, &n_sections, &error));
    const cflri_section *section = cflri_container_find(sections, n_sections, tag);
    cr_assert_not_null(section);
    *n = section->size;
    MUST(cflri_container_unpack(context, section, "kept", &plain, &error));
    cflri_free(context, sections);
    return plain;
}

Test(recall, nonsense) {
    const test_dir dir = test_dir_begin();
    recalling r;
    char path[PATH_MAX];
    cflri_digest key;
    size_t size, n, n_text, recalled = 0;
    begin(&r, &dir, 0);
    find(&r.w);
    path_of_kept(&r.w, path, &key);
    char *good = test_read_file(path, &size);
    uint32_t *number = section_of(r.w.context, good, size, "NUMS", &n);
    char *text = section_of(r.w.context, good, size, "TEXT", &n_text);
    n /= sizeof *number;
    for (size_t i = 0; i < n; i++) {
        const uint32_t was = number[i];
        const uint32_t values[] = {0, 1, was + 1, was - 1, VERTICES, (uint32_t)n, UINT32_MAX};
        for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
            number[i] = values[k];
            write_numbers(&r.w, path, key, number, n, text, n_text);
            recalled += find(&r.w);
            expect_readable(&r.w);
        }
        number[i] = was;
        write_numbers(&r.w, path, key, number, i, text, n_text);
        cr_expect_not(find(&r.w), "%zu numbers", i);
    }
    cr_expect(recalled > n); /* many are numbers of something else */
    text[n_text - 1] = 'x';
    write_numbers(&r.w, path, key, number, n, text, n_text);
    cr_expect_not(find(&r.w));
    key.low++;
    write_numbers(&r.w, path, key, number, n, text, n_text - 1);
    cr_expect_not(find(&r.w));
    cflri_free(r.w.context, number);
    cflri_free(r.w.context, text);
    free(good);
    world_end(&r.w);
    test_dir_end(&dir);
}

/* ---- what cannot be kept ---- */

Test(recall, directory_that_is_a_file) {
    const test_dir dir = test_dir_begin();
    recalling r;
    char path[512];
    begin(&r, &dir, 0);
    r.w.opts.cache = test_path(&dir, "file", path);
    test_write_file(path, "x", 1);
    cr_expect_not(find(&r.w));
    cr_expect_not(find(&r.w));
    world_end(&r.w);
    test_dir_end(&dir);
}

typedef struct swept {
    test_dir dir;
    char path[PATH_MAX]; /* of what is kept */
    fail_alloc f;
    cflr_context *context;
    cflr_graph *graph;
} swept;

/* Anew, and then as they are kept, if they could be. */
static cflr_status find_twice(void *user, cflr_error *error) {
    swept *s = user;
    cflr_findings *found = NULL;
    cflr_findings_opts opts;
    cflr_findings_opts_init(&opts);
    opts.rules = rules;
    opts.n_rules = sizeof rules / sizeof *rules;
    opts.flows = flows;
    opts.n_flows = FLOWS;
    opts.cache = s->dir.path;
    unlink(s->path);
    cflr_status st = cflr_findings_new(s->graph, &opts, &found, error);
    cflr_findings_free(found);
    found = NULL;
    if (st == CFLR_OK) st = cflr_findings_new(s->graph, &opts, &found, error);
    cflr_findings_free(found);
    return st;
}

Test(recall, each_allocation_fails) {
    static swept s;
    recalling r;
    cflri_digest key;
    s.dir = test_dir_begin();
    begin(&r, &s.dir, 0);
    r.w.opts.all_routes = false;
    find(&r.w);
    path_of_kept(&r.w, s.path, &key);
    world_end(&r.w);
    cflr_allocator allocator = fail_alloc_allocator(&s.f);
    cflr_context_opts opts;
    cflr_error error = {0};
    cflr_context_opts_init(&opts);
    opts.allocator = &allocator;
    opts.threads = 1;
    MUST(cflr_context_new(&opts, &s.context, &error));
    MUST(make_graph(s.context, true, &s.graph, &error));
    fail_alloc_sweep_call(&s.f, find_twice, &s, "recalled findings");
    cflr_graph_free(s.graph);
    cflr_context_free(s.context);
    cr_assert_eq(s.f.blocks, 0);
    test_dir_end(&s.dir);
}
