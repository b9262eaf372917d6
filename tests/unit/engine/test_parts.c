/* SPDX-License-Identifier: Apache-2.0
 *
 * test_parts.c: results put together from the files of their parts.
 */
#include <stdlib.h>
#include <unistd.h>

#include "cut_result.h"
#include "random_pairs.h"
#include "tests/support/fail_alloc.h"

enum { MOST_PARTS = 5, WORLDS = TEST_SANITIZED ? 20 : 80 };

typedef struct stage {
    world w;
    test_dir dir;
    char whole[512], part[MOST_PARTS][512];
    const char *path[MOST_PARTS];
    uint32_t n;
} stage;

/* Writes a result and its n parts. */
static void stage_begin(stage *s, uint64_t seed, uint32_t n) {
    cflr_error error;
    *s = (stage){.n = n};
    s->dir = test_dir_begin();
    random_world(&s->w, seed);
    world_solve(&s->w, CFLR_MODEL_BATCH);
    test_path(&s->dir, "whole.cflr", s->whole);
    MUST(cflr_result_save(s->w.result, s->whole, &error));
    for (uint32_t i = 0; i < n; i++) {
        char name[32];
        cflr_result *result;
        snprintf(name, sizeof name, "part%u.cflr", i);
        test_path(&s->dir, name, s->part[i]);
        s->path[i] = s->part[i];
        MUST(cflr_result_load(s->w.context, s->whole, &result, &error));
        MUST(cut_result(result, i, n, &error));
        MUST(cflr_result_save(result, s->part[i], &error));
        cflr_result_free(result);
    }
}

static void stage_end(stage *s) {
    world_end(&s->w);
    test_dir_end(&s->dir);
}

static void must_be_same_file(const char *a, const char *b, uint64_t seed) {
    size_t n, m;
    char *x = test_read_file(a, &n), *y = test_read_file(b, &m);
    cr_assert(n == m && memcmp(x, y, n) == 0, "seed %" PRIu64, seed);
    free(x);
    free(y);
}

Test(parts, put_together_they_are_the_whole) {
    for (uint64_t seed = 1; seed <= WORLDS; seed++) {
        cflr_error error;
        stage s;
        stage_begin(&s, seed, 1 + (uint32_t)(seed % MOST_PARTS));
        cflr_result *made;
        char path[512];
        const char *swap = s.path[0];
        s.path[0] = s.path[s.n - 1];
        s.path[s.n - 1] = swap;
        MUST(cflr_result_load_parts(s.w.context, s.path, s.n, &made, &error));
        cr_assert(cflr_result_complete(made));
        must_be_equal(s.w.result, made, "parts");
        test_path(&s.dir, "made.cflr", path);
        MUST(cflr_result_save(made, path, &error));
        must_be_same_file(s.whole, path, seed);
        cflr_result_free(made);
        stage_end(&s);
    }
}

Test(parts, a_part_says_so) {
    cflr_error error;
    stage s;
    cflr_result *part;
    cflr_result_slice slice;
    stage_begin(&s, 3, 4);
    cflr_result_get_slice(s.w.result, &slice);
    cr_assert(!slice.number && !slice.parts && !slice.complete);
    MUST(cflr_result_load(s.w.context, s.part[2], &part, &error));
    cflr_result_get_slice(part, &slice);
    cr_assert(slice.number == 3 && slice.parts == 4 && slice.complete);
    cr_assert_lt(slice.first, slice.end);
    cr_assert_not(cflr_result_complete(part));
    cflr_result_free(part);
    stage_end(&s);
}

/* One of the parts stopped early. */
Test(parts, a_partial_part_makes_a_partial_result) {
    cflr_error error;
    stage s;
    cflr_result *part, *made;
    stage_begin(&s, 5, 3);
    MUST(cflr_result_load(s.w.context, s.part[1], &part, &error));
    part->sliced.complete = false;
    MUST(cflr_result_save(part, s.part[1], &error));
    cflr_result_free(part);
    MUST(cflr_result_load_parts(s.w.context, s.path, s.n, &made, &error));
    cr_assert_not(cflr_result_complete(made));
    must_be_equal(s.w.result, made, "partial");
    cflr_result_free(made);
    stage_end(&s);
}

static void must_refuse(stage *s, uint32_t n, const char *subject, const char *message) {
    cflr_error error;
    cflr_result *made;
    cr_assert_eq(cflr_result_load_parts(s->w.context, s->path, n, &made, &error), CFLR_FORMAT);
    cr_assert_null(made);
    cr_assert_not_null(strstr(error.message, message), "%s", error.message);
    cr_assert_not_null(strstr(error.subject, subject), "%s", error.subject);
}

Test(parts, those_that_do_not_fit_are_refused) {
    stage s, other;
    stage_begin(&s, 7, 3);
    stage_begin(&other, 8, 3);
    must_refuse(&s, 2, "", "part 3 of 3 is missing");
    must_refuse(&s, 1, "", "2 of 3 parts are missing, the first is 2");
    s.path[2] = s.part[0];
    must_refuse(&s, 3, "part0", "part 1 of 3");
    s.path[2] = other.part[2];
    must_refuse(&s, 3, "part2", "are not those of");
    s.path[2] = s.whole;
    must_refuse(&s, 3, "whole", "not a part");
    stage_end(&other);
    stage_begin(&other, 7, 4);
    s.path[2] = other.part[2];
    must_refuse(&s, 3, "part2", "one of 4 parts");
    stage_end(&other);
    stage_end(&s);
}

static cflr_status put_together(cflr_context *context, void *user, cflr_error *error) {
    const stage *s = user;
    cflr_result *made;
    cflr_status st = cflr_result_load_parts(context, s->path, s->n, &made, error);
    cr_assert_eq(made != NULL, st == CFLR_OK);
    cflr_result_free(made);
    return st;
}

Test(parts, memory_runs_out) {
    stage s;
    stage_begin(&s, 2, 3);
    fail_alloc_sweep(put_together, &s);
    stage_end(&s);
}

/* ---- made by solving ---- */

/* Solves in n runs, one for each slice, and puts their results together. */
static void try_slices(world *w, uint32_t n, uint64_t seed) {
    cflr_error error;
    test_dir dir = test_dir_begin();
    char whole[512], made[512], part[MOST_PARTS][512];
    const char *path[MOST_PARTS];
    cflr_result *result;
    world_solve(w, CFLR_MODEL_BATCH);
    MUST(cflr_result_save(w->result, test_path(&dir, "whole.cflr", whole), &error));
    for (uint32_t i = 0; i < n; i++) {
        char name[32];
        cflr_solve_opts opts;
        cflr_solve_opts_init(&opts);
        opts.parts = n;
        opts.slice = i + 1;
        snprintf(name, sizeof name, "part%u.cflr", i);
        path[i] = test_path(&dir, name, part[i]);
        MUST(cflr_solve(w->graph, w->grammar, &opts, &result, &error));
        cr_assert_not(cflr_result_complete(result));
        MUST(cflr_result_save(result, path[i], &error));
        cflr_result_free(result);
    }
    MUST(cflr_result_load_parts(w->context, path, n, &result, &error));
    MUST(cflr_result_save(result, test_path(&dir, "made.cflr", made), &error));
    must_be_same_file(whole, made, seed);
    cflr_result_free(result);
    test_dir_end(&dir);
}

/* Small graphs have empty slices. */
Test(parts, slices_are_parts) {
    for (uint64_t seed = 1; seed <= WORLDS / 4; seed++) {
        world w;
        random_world(&w, seed);
        try_slices(&w, 1 + (uint32_t)(seed % MOST_PARTS), seed);
        world_end(&w);
    }
}

Test(parts, slices_of_a_large_graph_are_parts) {
    for (uint32_t n = 2; n <= MOST_PARTS; n++) {
        world w;
        world_begin(&w, 1);
        world_chains(&w, 5 * 8192, 17);
        try_slices(&w, n, n);
        world_end(&w);
    }
}

/* Parts on disk give the result that is made in memory. */
Test(parts, on_disk) {
    for (uint32_t n = 2; n <= 9; n++) {
        cflr_error error;
        world w;
        cflr_result *result;
        cflr_solve_opts opts;
        world_begin(&w, 1 + (int)(n % 2));
        world_chains(&w, 7 * 8192, 19);
        world_solve(&w, CFLR_MODEL_BATCH);
        cflr_solve_opts_init(&opts);
        opts.parts = n;
        MUST(cflr_solve(w.graph, w.grammar, &opts, &result, &error));
        cr_assert(cflr_result_complete(result));
        must_be_equal(w.result, result, "on disk");
        cflr_result_free(result);
        world_end(&w);
    }
}
