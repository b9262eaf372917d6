/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading, saving, loading and exporting results; files that are damaged, and files that are whole
 * but lie.
 */
#include "base/files/container.h"
#include "engine/results/result.h"
#include "support.h"

static const char dyck_graph[] = "0 1 call[a]; 1 2 e; 2 3 ret[a]; 2 4 ret[b]; 3 5 e; 6 1 call[b]";
static const char dyck_rules[] =
    "%answer flows S\n"
    "S ::= S S | e | O[i] ret[i]\n"
    "O[i] ::= call[i] S | call[i]\n";

static void dyck_world(world *w, cflr_model model) {
    world_begin(w, 2);
    world_graph(w, dyck_graph);
    world_grammar(w, dyck_rules);
    world_solve(w, model);
}

/* ---- reading ---- */

Test(result, names_counts_and_rows) {
    world w;
    dyck_world(&w, CFLR_MODEL_EDGE_INDEXED);
    uint32_t s = label_of(w.result, "S");
    cr_assert_eq(cflr_result_start(w.result), s);
    cr_assert_eq(cflr_result_find_label(w.result, "call[a]"), CFLR_NO_LABEL);
    cr_assert_eq(cflr_result_find_label(w.result, "a"), CFLR_NO_LABEL, "an index is no symbol");
    cr_assert_str_eq(cflr_result_answer(w.result, "flows"), "S");
    cr_assert_str_eq(cflr_result_answer(w.result, "alias"), "");
    /* S: 1-2, 3-5, 0-3 (matched by a), 0-5, 6-4 (matched by b) */
    cr_assert_eq(pairs_of(w.result, "S"), 5);
    cr_assert(cflr_result_has(w.result, s, 0, 5));
    cr_assert(cflr_result_has(w.result, s, 6, 4));
    cr_assert_not(cflr_result_has(w.result, s, 6, 3));
    cflr_row row = {0};
    cflr_error error;
    MUST(cflr_result_row(w.result, s, 0, 0, &row, &error));
    cr_assert(row.count == 2 && row.vertex == 0);
    cr_assert(row.target[0] == 3 && row.target[1] == 5);
    cr_assert_eq(cflr_result_count(w.result, s, 0, 0), 2);
    MUST(cflr_result_row(w.result, s, 0, UINT32_MAX, &row, &error));
    cr_assert_eq(row.count, 0);
    cr_assert_eq(cflr_result_count(w.result, s, 0, UINT32_MAX), 0);
    cflr_row_free(&row);

    uint32_t o = label_of(w.result, "O");
    cflr_result_label info;
    cflr_result_get_label(w.result, o, &info);
    cr_assert_eq(info.indexes, 2);
    cr_assert_eq(info.kind, CFLR_SYMBOL_NONTERMINAL);
    for (uint32_t i = 0; i < info.indexes; i++) {
        const char *index = cflr_result_label_index(w.result, o, i);
        uint32_t from = strcmp(index, "a") == 0 ? 0 : 6;
        uint64_t count = cflr_result_count(w.result, o, i, from);
        cr_assert_eq(count, 2, "O[%s] of %u has %" PRIu64 " targets", index, from, count);
    }
    cr_assert(cflr_result_complete(w.result));
    world_end(&w);
}

/* A symbol without pairs has no instance, and none of its functions finds a pair. */
Test(result, a_symbol_without_pairs) {
    world w;
    cflr_error error;
    cflr_result_label info;
    cflr_row row = {0};
    uint64_t cursor = 0, n = 1;
    world_begin(&w, 2);
    world_graph(&w, "0 1 a; 1 2 a");
    world_grammar(&w, "S ::= a a\nB ::= b S | S b\nC ::= a B | S\n");
    world_solve(&w, CFLR_MODEL_BATCH);
    uint32_t b = label_of(w.result, "B");
    cflr_result_get_label(w.result, b, &info);
    cr_assert_eq(info.indexes, 0);
    for (uint32_t v = 0; v < 4; v++) {
        MUST(cflr_result_row(w.result, b, 0, v, &row, &error));
        cr_expect(row.count == 0 && row.vertex == v);
        cr_expect_eq(cflr_result_count(w.result, b, 0, v), 0);
        cr_expect_not(cflr_result_has(w.result, b, v, 2));
    }
    MUST(cflr_result_next_row(w.result, b, 0, &cursor, &row, &error));
    cr_expect_eq(row.count, 0);
    MUST(cflr_result_pairs(w.result, b, 0, NULL, NULL, 0, &n, &error));
    cr_expect_eq(n, 0);
    world_end(&w);
}

Test(result, rows_walk_in_order) {
    world w;
    dyck_world(&w, CFLR_MODEL_EDGE);
    uint32_t s = label_of(w.result, "S"), last = 0;
    uint64_t cursor = 0, pairs = 0;
    cflr_row row = {0};
    cflr_error error;
    do {
        MUST(cflr_result_next_row(w.result, s, 0, &cursor, &row, &error));
        cr_assert(pairs == 0 || row.count == 0 || row.vertex > last);
        for (uint64_t k = 1; k < row.count; k++) cr_assert_lt(row.target[k - 1], row.target[k]);
        last = row.vertex;
        pairs += row.count;
    } while (row.count);
    cr_assert_eq(pairs, 5);
    cflr_row_free(&row);
    world_end(&w);
}

Test(result, targets_of_several_sources) {
    world w;
    dyck_world(&w, CFLR_MODEL_VERTEX_INDEXED);
    uint32_t sources[] = {0, 6, 3, 0, 77};
    cflr_vertex_list list;
    cflr_error error;
    MUST(cflr_result_targets(w.result, label_of(w.result, "S"), sources, 5, &list, &error));
    cr_assert_eq(list.count, 3);
    cr_assert(list.vertices[0] == 3 && list.vertices[1] == 4 && list.vertices[2] == 5);
    cflr_vertex_list_free(w.context, &list);
    MUST(cflr_result_targets(w.result, label_of(w.result, "O"), sources, 2, &list, &error));
    cr_assert_eq(list.count, 2, "all indexes together");
    cr_assert(list.vertices[0] == 1 && list.vertices[1] == 2);
    cflr_vertex_list_free(w.context, &list);
    MUST(cflr_result_targets(w.result, label_of(w.result, "S"), NULL, 0, &list, &error));
    cr_assert_eq(list.count, 0);
    cflr_vertex_list_free(w.context, &list);
    MUST_FAIL(cflr_result_targets(w.result, 999, sources, 3, &list, &error), CFLR_ARGUMENT);
    world_end(&w);
}

/* Rows that overlap, in no order: every target once, ascending. */
Test(result, targets_ascend) {
    enum { LENGTH = 300 };
    world w;
    world_begin(&w, 1);
    world_chains(&w, 4 * LENGTH, LENGTH);
    world_solve(&w, CFLR_MODEL_EDGE_INDEXED);
    for (size_t n = 0; n <= 40; n++) {
        uint32_t sources[40], lowest[4] = {LENGTH, LENGTH, LENGTH, LENGTH};
        cflr_vertex_list list;
        cflr_error error;
        size_t expected = 0;
        for (size_t i = 0; i < n; i++) {
            sources[i] = (uint32_t)((i * 7919 + n * 31) % (4 * LENGTH));
            uint32_t chain = sources[i] / LENGTH, place = sources[i] % LENGTH;
            if (place < lowest[chain]) lowest[chain] = place;
        }
        MUST(cflr_result_targets(w.result, label_of(w.result, "P"), sources, n, &list, &error));
        for (uint32_t chain = 0; chain < 4; chain++) {
            for (uint32_t v = lowest[chain] + 1; v < LENGTH; v++) {
                cr_assert_lt(expected, list.count);
                cr_assert_eq(list.vertices[expected++], chain * LENGTH + v);
            }
        }
        cr_assert_eq(list.count, expected);
        cflr_vertex_list_free(w.context, &list);
    }
    world_end(&w);
}

/* ---- saving and loading ---- */

static void must_be_same_file(const char *a, const char *b) {
    size_t n, m;
    char *x = test_read_file(a, &n), *y = test_read_file(b, &m);
    cr_assert(n == m && memcmp(x, y, n) == 0, "%s and %s differ", a, b);
    free(x);
    free(y);
}

Test(result, saved_and_loaded_is_the_same) {
    test_dir dir = test_dir_begin();
    char path[512], again[512];
    cflr_error error;
    world w;
    dyck_world(&w, CFLR_MODEL_PARALLEL);
    test_path(&dir, "a.cflr", path);
    test_path(&dir, "b.cflr", again);
    cflr_result *loaded;
    MUST(cflr_result_save(w.result, path, &error));
    MUST(cflr_result_load(w.context, path, &loaded, &error));
    must_be_equal(w.result, loaded, "loaded");
    cr_assert(cflr_result_complete(loaded));
    cr_assert_eq(cflr_result_start(loaded), cflr_result_start(w.result));
    cr_assert_str_eq(cflr_result_answer(loaded, "flows"), "S");
    cr_assert_eq(cflr_graph_edges(cflr_result_graph(loaded)), 6);
    MUST(cflr_result_save(loaded, again, &error));
    must_be_same_file(path, again);

    /* a graph can be read from a result file; a result not from a graph file */
    cflr_graph *graph;
    cflr_result *none;
    MUST(cflr_graph_load(w.context, path, CFLR_GRAPH_AUTO, &graph, &error));
    cr_assert_eq(cflr_graph_edges(graph), 6);
    MUST(cflr_graph_save(graph, again, CFLR_GRAPH_CFLG, &error));
    MUST_FAIL(cflr_result_load(w.context, again, &none, &error), CFLR_FORMAT);
    cr_assert_null(none);
    MUST_FAIL(cflr_result_load(w.context, "/no/such/file.cflr", &none, &error), CFLR_IO);
    cflr_graph_free(graph);
    cflr_result_free(loaded);
    test_dir_end(&dir);
    world_end(&w);
}

/* Byte-identical files for every model and thread count. */
Test(result, files_do_not_depend_on_the_model) {
    test_dir dir = test_dir_begin();
    char first[512], path[512];
    cflr_error error;
    test_path(&dir, "first.cflr", first);
    test_path(&dir, "other.cflr", path);
    for (size_t m = 0; m < TEST_MODELS; m++) {
        for (int threads = 1; threads <= 3; threads++) {
            world w;
            world_begin(&w, threads);
            world_graph(&w, dyck_graph);
            world_grammar(&w, dyck_rules);
            world_solve(&w, test_models[m]);
            bool is_first = m == 0 && threads == 1;
            MUST(cflr_result_save(w.result, is_first ? first : path, &error));
            if (!is_first) must_be_same_file(first, path);
            world_end(&w);
        }
    }
    test_dir_end(&dir);
}

/* A result of several pieces, one of them cut within a row: P has 1 row of 500,000 targets, and
 * rows behind it. */
Test(result, pieces_are_put_together) {
    enum { FAN = 500000 };
    test_dir dir = test_dir_begin();
    char path[512], again[512];
    cflr_error error;
    cflr_graph_builder *builder;
    cflr_result *loaded;
    world w;
    uint32_t e;
    world_begin(&w, 1);
    MUST(cflr_graph_builder_new(w.context, &builder, &error));
    MUST(cflr_graph_builder_label(builder, "e", NULL, &e, &error));
    for (uint32_t v = 1; v <= FAN; v++) {
        MUST(cflr_graph_builder_edge(builder, 0, v, e, &error));
        if (v % 3 == 0) MUST(cflr_graph_builder_edge(builder, v, v / 2, e, &error));
    }
    MUST(cflr_graph_builder_freeze(builder, &w.graph, &error));
    world_grammar(&w, "P ::= e\n");
    world_solve(&w, CFLR_MODEL_EDGE_INDEXED);
    test_path(&dir, "a.cflr", path);
    test_path(&dir, "b.cflr", again);
    MUST(cflr_result_save(w.result, path, &error));
    MUST(cflr_result_load(w.context, path, &loaded, &error));
    must_be_equal(w.result, loaded, "pieces");
    MUST(cflr_result_save(loaded, again, &error));
    must_be_same_file(path, again);
    cflr_result_free(loaded);
    world_end(&w);
    test_dir_end(&dir);
}

/* Is what the file holds a part of the result? Returns its pairs. */
static uint64_t must_hold_a_part(const world *w, const char *path, cflr_status st) {
    cflr_error error;
    cflr_result *loaded;
    cr_assert(st == CFLR_OK || st == CFLR_LIMIT);
    MUST(cflr_result_load(w->context, path, &loaded, &error));
    cr_assert_eq(cflr_result_complete(loaded), st == CFLR_OK);
    uint32_t s = label_of(w->result, "S");
    uint64_t cursor = 0, pairs = pairs_of(loaded, "S");
    cflr_row row = {0}, whole = {0};
    cflr_result_label info;
    cflr_result_get_label(loaded, s, &info);
    while (info.indexes > 0) {
        MUST(cflr_result_next_row(loaded, s, 0, &cursor, &row, &error));
        if (!row.count) break;
        MUST(cflr_result_row(w->result, s, 0, row.vertex, &whole, &error));
        cr_assert(row.count == whole.count &&
                      memcmp(row.target, whole.target, row.count * sizeof *row.target) == 0,
                  "rows are whole");
    }
    cflr_row_free(&row);
    cflr_row_free(&whole);
    cr_assert_str_eq(cflr_result_answer(loaded, "flows"), "S");
    cflr_result_free(loaded);
    return pairs;
}

/* Writes with more and more time until all is written. Was a part written before? */
static bool writes_a_part(const world *w, const char *path, uint64_t all) {
    cflr_error error;
    bool some = false, whole = false;
    w->context->opts.time_limit = 1e-9; /* over, but for half of what is kept */
    for (double kept = 1e-9; !whole; kept *= 1.3) {
        w->result->time_kept = kept;
        cflr_status st = cflr_result_save(w->result, path, &error);
        w->context->opts.time_limit = 0;
        w->context->out_of_time = false;
        uint64_t pairs = must_hold_a_part(w, path, st);
        w->context->opts.time_limit = 1e-9;
        /* time may be over when the rows of S are written and the edges' are not */
        cr_assert(st != CFLR_OK || pairs == all, "%" PRIu64, pairs);
        some |= pairs > 0 && st != CFLR_OK;
        whole = st == CFLR_OK;
    }
    return some;
}

/* Time that is kept for writing and is not enough: nothing, something and all of it is written. A
 * machine that is busy may write all at once, so it has more than one chance. */
Test(result, time_for_writing_is_over) {
    enum { LENGTH = 1500, CHANCES = 50 };
    test_dir dir = test_dir_begin();
    char path[512];
    cflr_error error;
    world w;
    bool some = false;
    test_path(&dir, "a.cflr", path);
    world_begin(&w, 1);
    world_chain(&w, LENGTH);
    cflr_grammar_free(w.grammar);
    w.grammar = NULL;
    world_grammar(&w, "%answer flows S\nS ::= e | S e\n");
    world_solve(&w, CFLR_MODEL_BATCH);
    for (int chance = 0; chance < CHANCES && !some; chance++)
        some = writes_a_part(&w, path, (uint64_t)LENGTH * (LENGTH - 1) / 2);
    cr_assert(some);
    w.result->time_kept = 0;
    MUST(cflr_result_save(w.result, path, &error)); /* none is kept: it takes as long as it does */
    w.context->opts.time_limit = 0;
    w.context->out_of_time = false;
    test_dir_end(&dir);
    world_end(&w);
}

Test(result, every_damaged_byte_is_refused) {
    test_dir dir = test_dir_begin();
    char path[512];
    size_t size;
    cflr_error error;
    cflr_result *result;
    world w;
    dyck_world(&w, CFLR_MODEL_EDGE);
    test_path(&dir, "a.cflr", path);
    MUST(cflr_result_save(w.result, path, &error));
    char *data = test_read_file(path, &size);
    for (size_t i = 0; i < size; i++) {
        data[i] ^= 0x41;
        test_write_file(path, data, size);
        data[i] ^= 0x41;
        memset(&error, 0, sizeof error);
        cflr_status st = cflr_result_load(w.context, path, &result, &error);
        cr_assert(st == CFLR_FORMAT || st == CFLR_UNSUPPORTED, "byte %zu: %s", i,
                  cflr_status_name(st));
        cr_assert(error.message[0] && error.subject[0], "byte %zu: no message", i);
        cr_assert_null(result);
    }
    for (size_t length = 0; length < size; length += 3) {
        test_write_file(path, data, length);
        MUST_FAIL(cflr_result_load(w.context, path, &result, &error), CFLR_FORMAT);
    }
    free(data);
    test_dir_end(&dir);
    world_end(&w);
}

/* ---- files larger than memory ---- */

enum { CHAIN = 40000 };

/* The closure of a chain: each vertex reaches all that follow. Its sets take some pieces. */
static void save_chain(const char *path) {
    cflr_error error;
    world w;
    cflr_graph_builder *builder;
    uint32_t label;
    world_begin(&w, 1);
    MUST(cflr_graph_builder_new(w.context, &builder, &error));
    MUST(cflr_graph_builder_label(builder, "e", NULL, &label, &error));
    for (uint32_t v = 0; v + 1 < CHAIN; v++) {
        MUST(cflr_graph_builder_edge(builder, v, v + 1, label, &error));
    }
    MUST(cflr_graph_builder_freeze(builder, &w.graph, &error));
    MUST(cflr_grammar_parse(w.context, "S ::= S e | e", 13, "rules", CFLR_GRAMMAR_CFLR, &w.grammar,
                            &error));
    MUST(cflr_solve(w.graph, w.grammar, NULL, &w.result, &error));
    MUST(cflr_result_save(w.result, path, &error));
    world_end(&w);
}

static cflr_status read_chain(const cflr_result *result, uint32_t v, cflr_error *error) {
    cflr_row row = {0};
    cflr_status st = cflr_result_row(result, cflr_result_start(result), 0, v, &row, error);
    if (st == CFLR_OK) {
        cr_assert_eq(row.count, CHAIN - 1 - v);
        for (uint32_t i = 0; i < row.count; i++) cr_assert_eq(row.target[i], v + 1 + i);
    }
    cflr_row_free(&row);
    return st;
}

/* Sets are read from the file when they are asked for, in little memory; when the file is changed
 * meanwhile, each answer is right, or reported as a failure. */
Test(result, larger_than_memory) {
    enum { LITTLE = 7 << 20 };
    test_dir dir = test_dir_begin();
    char path[512];
    cflr_error error;
    cflr_result *result;
    size_t size;
    save_chain(test_path(&dir, "chain.cflr", path));
    cflr_context *context = test_context_limited(LITTLE);
    MUST(cflr_result_load(context, path, &result, &error));
    uint32_t start = cflr_result_start(result);
    for (uint32_t v = 0; v + 1 < CHAIN; v += 499) {
        MUST(read_chain(result, v, &error));
        cr_assert(cflr_result_has(result, start, v, CHAIN - 1));
        cr_assert_not(cflr_result_has(result, start, v + 1, v));
    }
    MUST(cflr_result_failure(result, &error));

    char *data = test_read_file(path, &size);
    memset(data + size / 4, 0, size / 2);
    FILE *file = fopen(path, "r+b");
    cr_assert(file && fwrite(data, 1, size, file) == size && fclose(file) == 0);
    uint32_t failed = 0, wrong = 0;
    for (uint32_t v = 0; v + 1 < CHAIN; v += 499) {
        cflr_status st = read_chain(result, v, &error);
        cr_assert(st == CFLR_OK || (st == CFLR_FORMAT && error.subject[0]), "%s", error.message);
        failed += st != CFLR_OK;
        wrong += !cflr_result_has(result, start, v, CHAIN - 1);
        cr_assert(!wrong || cflr_result_failure(result, NULL) == CFLR_FORMAT);
    }
    cr_assert_gt(failed, 0);
    cr_assert_gt(wrong, 0);
    free(data);
    cflr_result_free(result);
    test_context_end(context);

    context = test_context_limited(LITTLE / 8);
    save_chain(path);
    MUST_FAIL(cflr_result_load(context, path, &result, &error), CFLR_LIMIT);
    test_context_end(context);
    test_dir_end(&dir);
}

/* ---- files that are whole but lie ---- */

typedef struct section_copy {
    char tag[5];
    unsigned char *data;
    size_t size;
} section_copy;

typedef struct forgery {
    section_copy section[32];
    size_t n;
    char path[512];
    cflr_context *context;
} forgery;

/* All sections of the file, unpacked. */
static void forgery_begin(forgery *f, cflr_context *context, const char *path) {
    cflri_section *sections;
    cflr_error error;
    size_t size;
    char *data = test_read_file(path, &size);
    f->context = context;
    MUST(cflri_container_open(context, data, size, path, &sections, &f->n, &error));
    cr_assert_leq(f->n, 32);
    for (size_t i = 0; i < f->n; i++) {
        void *plain;
        memcpy(f->section[i].tag, sections[i].tag, sizeof sections[i].tag);
        f->section[i].size = sections[i].size;
        MUST(cflri_container_unpack(context, &sections[i], path, &plain, &error));
        f->section[i].data = plain;
    }
    cflri_free(context, sections);
    free(data);
}

static void forgery_end(forgery *f) {
    for (size_t i = 0; i < f->n; i++) cflri_free(f->context, f->section[i].data);
}

static section_copy *forgery_find(forgery *f, const char *tag) {
    for (size_t i = 0; i < f->n; i++) {
        if (strcmp(f->section[i].tag, tag) == 0) return &f->section[i];
    }
    cr_assert_fail("no section %s", tag);
    return NULL;
}

/* Writes the sections with right checksums, without `left_out`, and loads what it wrote. */
static cflr_status forgery_load(const forgery *f, const char *left_out, cflr_error *error) {
    cflri_output *output;
    cflr_result *result;
    cr_assert_eq(cflri_output_open(f->context, f->path, &output, error), CFLR_OK);
    cflri_container_begin(output);
    for (size_t i = 0; i < f->n; i++) {
        const section_copy *s = &f->section[i];
        if (left_out && strcmp(s->tag, left_out) == 0) continue;
        cr_assert_eq(cflri_container_section(f->context, output, s->tag, s->data, s->size, error),
                     CFLR_OK);
    }
    cflri_container_end(output);
    cr_assert_eq(cflri_output_close(output, error), CFLR_OK);
    cflr_status st = cflr_result_load(f->context, f->path, &result, error);
    cr_assert((st == CFLR_OK) == (result != NULL));
    if (result) {
        cr_assert_eq(cflri_result_validate(result, "again", error), CFLR_OK, "%s", error->message);
    }
    cflr_result_free(result);
    return st;
}

static void forge_dyck(forgery *f, world *w, const test_dir *dir) {
    cflr_error error;
    dyck_world(w, CFLR_MODEL_EDGE_INDEXED);
    test_path(dir, "forged.cflr", f->path);
    MUST(cflr_result_save(w->result, f->path, &error));
    forgery_begin(f, w->context, f->path);
}

/* Every byte of every section of the result, set to other values under right checksums: the file is
 * refused, or what was read has all invariants. */
Test(result, forged_bytes_never_break_an_invariant) {
    static const unsigned char values[] = {0x00, 0x02, 0xff};
    test_dir dir = test_dir_begin();
    forgery f;
    world w;
    forge_dyck(&f, &w, &dir);
    size_t refused = 0, tried = 0;
    for (size_t i = 0; i < f.n; i++) {
        section_copy *s = &f.section[i];
        for (size_t at = 0; s->tag[0] == 'R' && at < s->size; at++) {
            unsigned char kept = s->data[at];
            for (size_t k = 0; k < sizeof values; k++) {
                cflr_error error = {0};
                s->data[at] = values[k];
                cflr_status st = forgery_load(&f, NULL, &error);
                cr_assert(st == CFLR_OK || (st == CFLR_FORMAT && error.message[0]),
                          "%s byte %zu: %s", s->tag, at, cflr_status_name(st));
                refused += st != CFLR_OK;
                tried++;
            }
            s->data[at] = kept;
        }
    }
    cr_assert_gt(tried, 500);
    cr_assert_gt(refused, tried / 4, "%zu of %zu", refused, tried);
    forgery_end(&f);
    test_dir_end(&dir);
    world_end(&w);
}

static uint32_t *words_of(forgery *f, const char *tag) {
    return (uint32_t *)(void *)forgery_find(f, tag)->data;
}

/* Puts `value` at a place and sees that it is refused. */
#define MUST_REFUSE(place, value)                               \
    do {                                                        \
        uint32_t kept_ = (place);                               \
        (place) = (value);                                      \
        MUST_FAIL(forgery_load(&f, NULL, &error), CFLR_FORMAT); \
        (place) = kept_;                                        \
        cr_assert_eq(forgery_load(&f, NULL, &error), CFLR_OK);  \
    } while (0)

Test(result, lies_are_refused) {
    test_dir dir = test_dir_begin();
    cflr_error error;
    forgery f;
    world w;
    forge_dyck(&f, &w, &dir);
    uint32_t *meta = words_of(&f, "RMET"), *labels = words_of(&f, "RLAB");
    uint32_t *instances = words_of(&f, "RINS"), *answers = words_of(&f, "RANS");
    uint32_t *sets = words_of(&f, "RSET"), *rows = words_of(&f, "RROW");
    /* counts: labels, instances, strings, answers; then the start symbol, complete */
    for (int i = 0; i < 4; i++) {
        MUST_REFUSE(meta[i], 0);
        MUST_REFUSE(meta[i], meta[i] + 1);
        MUST_REFUSE(meta[i], UINT32_MAX);
    }
    MUST_REFUSE(meta[4], meta[0]);
    MUST_REFUSE(meta[5], 2);
    /* a label: name, kind, instances */
    MUST_REFUSE(labels[0], 0);
    MUST_REFUSE(labels[0], labels[3]);
    MUST_REFUSE(labels[0], UINT32_MAX);
    MUST_REFUSE(labels[1], 3);
    MUST_REFUSE(labels[2], labels[2] + 1);
    MUST_REFUSE(labels[2], UINT32_MAX);
    /* an instance: pairs (64 bits), rows, index */
    MUST_REFUSE(instances[0], 0);
    MUST_REFUSE(instances[0], instances[0] + 1);
    MUST_REFUSE(instances[1], UINT32_MAX);
    MUST_REFUSE(instances[2], 0);
    MUST_REFUSE(instances[2], UINT32_MAX);
    MUST_REFUSE(instances[3], UINT32_MAX);
    MUST_REFUSE(answers[0], UINT32_MAX);
    MUST_REFUSE(answers[1], UINT32_MAX);
    /* sets, nodes, 1 of some symbols or 2 of some pairs */
    for (int i = 6; i < 8; i++) {
        MUST_REFUSE(meta[i], meta[i] + 1);
        MUST_REFUSE(meta[i], UINT32_MAX);
    }
    MUST_REFUSE(meta[8], 2);
    /* a piece of sets: words, sets, difference[], number and length of each */
    uint32_t n = sets[1], *difference = sets + 2, *head = difference + sets[0];
    MUST_REFUSE(sets[0], sets[0] + 1);
    MUST_REFUSE(sets[0], UINT32_MAX);
    MUST_REFUSE(sets[1], UINT32_MAX);
    MUST_REFUSE(head[0], 1);
    MUST_REFUSE(head[2 * n - 2], n);
    MUST_REFUSE(head[1], 0);
    MUST_REFUSE(head[2 * n - 1], UINT32_MAX);
    MUST_REFUSE(difference[0], UINT32_MAX);
    /* a piece of rows: instance, rows, row[], set[] */
    uint32_t *row = rows + 2, *set = row + rows[1];
    MUST_REFUSE(rows[0], meta[1]);
    MUST_REFUSE(rows[0], 1);
    MUST_REFUSE(rows[1], UINT32_MAX);
    MUST_REFUSE(row[0], UINT32_MAX);
    MUST_REFUSE(set[0], n);
    forgery_end(&f);
    test_dir_end(&dir);
    world_end(&w);
}

/* Every target of a chain is a set of its own, and large ones are trees. */
Test(result, forged_trees_are_refused) {
    enum { LENGTH = 3000, LEAF = 17 };
    test_dir dir = test_dir_begin();
    cflr_error error;
    forgery f;
    world w;
    world_begin(&w, 1);
    world_chain(&w, LENGTH);
    world_solve(&w, CFLR_MODEL_BATCH);
    test_path(&dir, "forged.cflr", f.path);
    MUST(cflr_result_save(w.result, f.path, &error));
    forgery_begin(&f, w.context, f.path);
    cr_assert_eq(forgery_load(&f, NULL, &error), CFLR_OK);
    uint32_t *meta = words_of(&f, "RMET"), *nodes = words_of(&f, "RNOD");
    uint32_t *sets = words_of(&f, "RSET");
    cr_assert_gt(meta[7], 2 * LENGTH / 512);
    MUST_REFUSE(meta[7], meta[7] - 1);
    MUST_REFUSE(meta[7], meta[7] + 1);
    /* a piece of nodes: words, nodes; then nodes, the first one a leaf */
    MUST_REFUSE(nodes[0], nodes[0] - 1);
    MUST_REFUSE(nodes[1], nodes[1] - 1);
    MUST_REFUSE(nodes[1], UINT32_MAX);
    MUST_REFUSE(nodes[2], 1);
    uint32_t *inner = nodes + 2, number = 0;
    for (; !*inner; number++) inner += LEAF;
    cr_assert_eq(*inner & 0xffff, 1);
    MUST_REFUSE(inner[0], inner[0] + 1);
    MUST_REFUSE(inner[0], 9 | (inner[0] & 0xffff0000));
    MUST_REFUSE(inner[1], 0);
    MUST_REFUSE(inner[1], number + 1);
    MUST_REFUSE(inner[1], UINT32_MAX);
    /* the words of a tree: node, level, key */
    uint32_t *word = sets + 2, *head = word + sets[0], i = 0;
    for (; !(head[2 * i + 1] & 0x80000000); i++) word += head[2 * i + 1];
    cr_assert_eq(head[2 * i + 1], 0x80000003);
    MUST_REFUSE(head[2 * i + 1], 3);
    MUST_REFUSE(head[2 * i + 1], 0x80000002);
    MUST_REFUSE(word[0], meta[7]);
    MUST_REFUSE(word[0], UINT32_MAX);
    MUST_REFUSE(word[1], word[1] + 1);
    MUST_REFUSE(word[1], UINT32_MAX);
    MUST_REFUSE(word[2], word[2] + 1);
    MUST_REFUSE(word[2], UINT32_MAX);
    forgery_end(&f);
    test_dir_end(&dir);
    world_end(&w);
}

/* What was asked: lists that there are, their lengths, from, to, sources and targets of pairs. */
Test(result, forged_questions_are_refused) {
    static const uint32_t from[] = {1, 3}, to[] = {2, 4};
    static const cflr_pair pairs[] = {{1, 2}, {3, 4}};
    test_dir dir = test_dir_begin();
    cflr_error error;
    cflr_solve_opts opts;
    world w;
    dyck_world(&w, CFLR_MODEL_BATCH);
    for (int by_pairs = 0; by_pairs < 2; by_pairs++) {
        forgery f;
        cflr_solve_opts_init(&opts);
        if (by_pairs) opts.pairs = pairs, opts.n_pairs = 2;
        if (!by_pairs) opts.from = from, opts.n_from = 2, opts.to = to, opts.n_to = 2;
        world_forget_result(&w);
        MUST(cflr_solve(w.graph, w.grammar, &opts, &w.result, &error));
        test_path(&dir, "forged.cflr", f.path);
        MUST(cflr_result_save(w.result, f.path, &error));
        forgery_begin(&f, w.context, f.path);
        uint32_t *asked = words_of(&f, "RASK"), *meta = words_of(&f, "RMET");
        MUST_REFUSE(meta[8], 3);
        MUST_REFUSE(asked[0], 0);
        MUST_REFUSE(asked[0], asked[0] | (by_pairs ? 1 : 4));
        MUST_REFUSE(asked[0], 8);
        for (int i = 1; i < 4; i++) {
            MUST_REFUSE(asked[i], asked[i] + 1);
            MUST_REFUSE(asked[i], UINT32_MAX);
        }
        for (int i = 4; i < 8; i++) MUST_REFUSE(asked[i], UINT32_MAX);
        MUST_REFUSE(asked[5], 0); /* does not ascend */
        MUST_FAIL(forgery_load(&f, "RASK", &error), CFLR_FORMAT);
        forgery_find(&f, "RASK")->size -= 3;
        MUST_FAIL(forgery_load(&f, NULL, &error), CFLR_FORMAT);
        forgery_find(&f, "RASK")->size = 12;
        MUST_FAIL(forgery_load(&f, NULL, &error), CFLR_FORMAT);
        forgery_end(&f);
    }
    world_end(&w);
    test_dir_end(&dir);
}

Test(result, missing_sections_are_refused) {
    static const char *const tags[] = {"RMET", "RSTR", "RLAB", "RINS", "RANS", "RSET",
                                       "RROW", "GMET", "GSTR", "GLAB", "GREL"};
    test_dir dir = test_dir_begin();
    cflr_error error;
    forgery f;
    world w;
    forge_dyck(&f, &w, &dir);
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
        MUST_FAIL(forgery_load(&f, tags[i], &error), CFLR_FORMAT);
        cr_assert_str_not_empty(error.subject);
    }
    forgery_end(&f);
    test_dir_end(&dir);
    world_end(&w);
}

/* ---- exporting ---- */

Test(result, export_writes_the_pairs) {
    test_dir dir = test_dir_begin();
    char path[512];
    cflr_error error;
    cflr_graph *graph;
    world w;
    dyck_world(&w, CFLR_MODEL_EDGE_INDEXED);
    test_path(&dir, "pairs.tsv", path);
    MUST(cflr_result_export(w.result, NULL, 0, path, CFLR_GRAPH_TSV, &error));
    MUST(cflr_graph_load(w.context, path, CFLR_GRAPH_TSV, &graph, &error));
    cr_assert_eq(cflr_graph_edges(graph), 5);
    uint32_t s = cflr_graph_find_label(graph, "S", NULL);
    uint64_t count;
    const uint32_t *row = cflr_graph_row(graph, s, CFLR_OUT, 0, &count);
    cr_assert(count == 2 && row[0] == 3 && row[1] == 5);
    cflr_graph_free(graph);
    uint32_t twice[] = {0, 0}, wrong[] = {77};
    MUST_FAIL(cflr_result_export(w.result, twice, 2, path, CFLR_GRAPH_TSV, &error), CFLR_ARGUMENT);
    MUST_FAIL(cflr_result_export(w.result, wrong, 1, path, CFLR_GRAPH_TSV, &error), CFLR_ARGUMENT);
    test_dir_end(&dir);
    world_end(&w);
}

/* Indexed symbols, names that the graph does not know, in a format that is read back whole. */
Test(result, export_keeps_indexes) {
    test_dir dir = test_dir_begin();
    char path[512];
    cflr_error error;
    cflr_graph *graph;
    world w;
    dyck_world(&w, CFLR_MODEL_EDGE_INDEXED);
    test_path(&dir, "pairs.cflg", path);
    uint32_t labels[] = {label_of(w.result, "O"), label_of(w.result, "call")};
    MUST(cflr_result_export(w.result, labels, 2, path, CFLR_GRAPH_AUTO, &error));
    MUST(cflr_graph_load(w.context, path, CFLR_GRAPH_CFLG, &graph, &error));
    cr_assert_eq(cflr_graph_edges(graph), 6);
    uint32_t label = cflr_graph_find_label(graph, "O", "b");
    cr_assert_neq(label, CFLR_NO_LABEL);
    uint64_t count;
    const uint32_t *row = cflr_graph_row(graph, label, CFLR_OUT, 6, &count);
    cr_assert(count == 2 && row[0] == 1 && row[1] == 2);
    cflr_graph_free(graph);
    test_dir_end(&dir);
    world_end(&w);
}

/* What a format cannot hold is refused before anything is written. */
Test(result, export_refuses_names_that_a_format_cannot_hold) {
    test_dir dir = test_dir_begin();
    char path[512];
    cflr_error error;
    world w;
    world_begin(&w, 1);
    world_graph(&w, "0 1 e; 1 2 e");
    world_grammar(&w, "%start P\nP ::= ~e \"two words\"\n\"two words\" ::= e\n");
    world_solve(&w, CFLR_MODEL_EDGE_INDEXED);
    uint32_t converse = label_of(w.result, "~e"), words = label_of(w.result, "two words");
    test_path(&dir, "pairs.cflg", path);
    MUST_FAIL(cflr_result_export(w.result, &converse, 1, path, CFLR_GRAPH_AUTO, &error),
              CFLR_UNSUPPORTED);
    MUST_FAIL(cflr_result_export(w.result, &converse, 1, path, CFLR_GRAPH_CFLG, &error),
              CFLR_UNSUPPORTED);
    MUST_FAIL(cflr_result_export(w.result, &words, 1, path, CFLR_GRAPH_TSV, &error),
              CFLR_UNSUPPORTED);
    cr_assert_eq(access(path, F_OK), -1);
    test_path(&dir, "pairs.cflg.zst", path);
    MUST_FAIL(cflr_result_export(w.result, &converse, 1, path, CFLR_GRAPH_AUTO, &error),
              CFLR_UNSUPPORTED);
    cr_assert_eq(access(path, F_OK), -1);
    test_path(&dir, "pairs.ndjson", path);
    MUST(cflr_result_export(w.result, &words, 1, path, CFLR_GRAPH_AUTO, &error));
    test_path(&dir, "pairs.ndjson.zst", path);
    MUST(cflr_result_export(w.result, &words, 1, path, CFLR_GRAPH_AUTO, &error));
    test_path(&dir, "pairs.tsv", path);
    MUST(cflr_result_export(w.result, &converse, 1, path, CFLR_GRAPH_AUTO, &error));
    cflr_graph *graph;
    uint64_t count;
    MUST(cflr_graph_load(w.context, path, CFLR_GRAPH_AUTO, &graph, &error));
    cflr_graph_row(graph, cflr_graph_find_label(graph, "e", NULL), CFLR_OUT, 0, &count);
    cr_assert_eq(count, 1, "a converse that is read again is the edge itself");
    cflr_graph_free(graph);

    /* the result itself holds any name */
    cflr_result *loaded;
    test_path(&dir, "any.cflr", path);
    MUST(cflr_result_save(w.result, path, &error));
    MUST(cflr_result_load(w.context, path, &loaded, &error));
    must_be_equal(w.result, loaded, "odd names");
    cflr_result_free(loaded);
    test_dir_end(&dir);
    world_end(&w);
}
