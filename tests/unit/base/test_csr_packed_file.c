/* SPDX-License-Identifier: Apache-2.0
 *
 * test_csr_packed_file.c: graphs to files of packed rows and back, mapped or not; and files that
 * are damaged, or lie.
 */
#include <sys/stat.h>

#include "base/plain/csr_mapped.h"
#include "base/plain/csr_packed_layout.h"
#include "tests/support/fail_alloc.h"
#include "tests/support/support.h"

/* ---- graphs ---- */

typedef struct recipe {
    const char *rule;
    bool symmetric, parallel;
    int32_t least, most; /* of weights; least > most: none */
} recipe;

static cflr_csr *make(cflr_context *context, const recipe *k) {
    cflr_csr_opts opts;
    cflr_csr *csr;
    cflr_error error;
    cflr_csr_opts_init(&opts);
    opts.symmetric = k->symmetric;
    opts.keep_parallel = k->parallel;
    MUST(cflr_csr_generate(context, k->rule, &opts, &csr, &error));
    if (k->least <= k->most) MUST(cflr_csr_draw_weights(csr, k->least, k->most, 3, &error));
    return csr;
}

/* Edges by hand: loops, parallel ones of equal and of other weights, rows without edges. */
static cflr_csr *make_by_hand(cflr_context *context, cflr_weights weights, uint32_t n,
                              bool parallel) {
    static const uint32_t source[] = {0, 2, 2, 2, 2, 5, 2}, target[] = {5, 2, 2, 0, 0, 1, 0};
    static const float real[] = {-0.5F, 3, 3, 1e30F, -1e-30F, 0, 1e30F};
    static const int32_t whole[] = {7, INT32_MIN, INT32_MIN, 0, INT32_MAX, -1, 0};
    const uint64_t edges = sizeof source / sizeof *source;
    const bool is_real = weights == CFLR_WEIGHTS_FLOAT32;
    const cflr_edge_list list = {.n_vertices = n,
                                 .n_edges = n ? edges : 0,
                                 .source = source,
                                 .target = target,
                                 .weights = weights,
                                 .weight = is_real ? (const void *)real : whole};
    cflr_csr_opts opts;
    cflr_csr *csr;
    cflr_error error;
    cflr_csr_opts_init(&opts);
    opts.keep_parallel = parallel;
    MUST(cflr_csr_new(context, &list, &opts, &csr, &error));
    return csr;
}

static void check_same(const cflr_csr *a, const cflr_csr *b, const char *what) {
    cr_assert_eq(a->n_vertices, b->n_vertices, "%s", what);
    cr_assert_eq(a->n_edges, b->n_edges, "%s", what);
    cr_assert(a->weights == b->weights && a->symmetric == b->symmetric, "%s", what);
    cr_assert(a->has_parallel == b->has_parallel, "%s", what);
    cr_assert_eq(memcmp(a->start, b->start, (a->n_vertices + 1) * sizeof *a->start), 0, "%s", what);
    cr_assert_eq(memcmp(a->target, b->target, a->n_edges * sizeof *a->target), 0, "%s", what);
    cr_assert_eq(!a->weight, !b->weight, "%s", what);
    if (a->weight) cr_assert_eq(memcmp(a->weight, b->weight, a->n_edges * 4), 0, "%s", what);
}

/* ---- there and back ---- */

/* Every row, read from the mapped file. */
static void check_mapped(cflr_context *context, const char *path, const cflr_csr *csr) {
    cflri_mapped_rows rows;
    cflr_error error;
    uint64_t before = cflr_context_memory(context);
    MUST(cflri_mapped_open(context, path, &rows, &error));
    const cflri_packed_view *view = &rows.view;
    cr_assert_eq(cflr_context_memory(context), before);
    cr_assert_eq(view->n, csr->n_vertices);
    cr_assert_eq(view->m, csr->n_edges);
    cr_assert(view->weights == csr->weights && view->symmetric == csr->symmetric);
    MUST(cflri_mapped_check(&rows, &error));
    for (uint32_t v = 0; v < view->n; v++) {
        uint32_t target[CFLRI_PACKED_GROUP], n;
        uint64_t e = csr->start[v];
        cflri_packed_row row =
            cflri_packed_row_of(view->words + view->at[v], view->at[v + 1] - view->at[v],
                                view->start[v + 1] - view->start[v], view->n);
        for (; (n = cflri_packed_next(&view->code, &row, target, NULL)) > 0; e += n)
            cr_assert_eq(memcmp(target, csr->target + e, n * sizeof *target), 0);
        cr_assert_eq(e, csr->start[v + 1]);
    }
    cflri_mapped_close(&rows);
    cflri_mapped_close(&rows);
}

static void check_round_trip(cflr_context *context, const test_dir *dir, cflr_csr *csr,
                             const char *what) {
    char path[512], again[512], packed[512];
    size_t size, size_again;
    cflr_error error;
    cflr_csr_opts opts;
    cflr_csr *back;
    cflr_csr_opts_init(&opts);
    opts.keep_parallel = true;
    test_path(dir, "a.cflp", path);
    test_path(dir, "b", again); /* known by its content */
    test_path(dir, "b.cflp.zst", packed);
    MUST(cflr_csr_save_packed(csr, path, &error));
    MUST(cflr_csr_load(context, path, NULL, &opts, &back, &error));
    check_same(csr, back, what);
    check_mapped(context, path, csr);
    context->threads = 1;
    MUST(cflr_csr_save_packed(back, again, &error));
    MUST(cflr_csr_save_packed(back, packed, &error));
    context->threads = 4;
    cflr_csr_free(back);
    char *data = test_read_file(path, &size), *data_again = test_read_file(again, &size_again);
    cr_assert(size == size_again && memcmp(data, data_again, size) == 0, "%s", what);
    MUST(cflr_csr_load(context, again, NULL, &opts, &back, &error));
    check_same(csr, back, what);
    cflr_csr_free(back);
    MUST(cflr_csr_load(context, packed, NULL, &opts, &back, &error));
    check_same(csr, back, what);
    cflr_csr_free(back);
    free(data);
    free(data_again);
    cflr_csr_free(csr);
}

Test(csr_packed_file, there_and_back) {
    static const char *const rule[] = {"chain:1",    "chain:2",   "chain:700",    "star:1000",
                                       "clique:300", "rmat:12:8", "grid:300:401", "uniform:9:9"};
    static const int32_t weights[][2] = {{1, 0}, {7, 7}, {-3, 63}, {INT32_MIN, INT32_MAX}};
    cflr_context *context = test_context();
    test_dir dir = test_dir_begin();
    for (size_t i = 0; i < sizeof rule / sizeof *rule; i++) {
        for (unsigned how = 0; how < 16; how++) {
            const recipe k = {rule[i], how & 1, how & 2, weights[how / 4][0], weights[how / 4][1]};
            check_round_trip(context, &dir, make(context, &k), rule[i]);
        }
    }
    for (unsigned how = 0; how < 12; how++)
        check_round_trip(context, &dir,
                         make_by_hand(context, (cflr_weights)(how / 4), how & 1 ? 6 : 0, how & 2),
                         "by hand");
    check_round_trip(context, &dir, make_by_hand(context, CFLR_WEIGHTS_NONE, 600000, false),
                     "blocks of start");
    test_dir_end(&dir);
    test_context_end(context);
}

/* Several blocks and pieces of words. */
Test(csr_packed_file, a_large_graph) {
    const recipe k = {"uniform:15:64", true, false, INT32_MIN, INT32_MAX};
    cflr_context *context = test_context();
    test_dir dir = test_dir_begin();
    check_round_trip(context, &dir, make(context, &k), k.rule);
    test_dir_end(&dir);
    test_context_end(context);
}

/* ---- graphs whose rows stay in their file ---- */

static cflr_csr *open_graph(cflr_context *context, const recipe *k, cflr_csr **csr) {
    test_dir dir = test_dir_begin();
    char path[512];
    cflr_error error;
    cflr_csr *opened;
    *csr = make(context, k);
    test_path(&dir, "a.cflp", path);
    MUST(cflr_csr_save_packed(*csr, path, &error));
    MUST(cflr_csr_open(context, path, &opened, &error));
    test_dir_end(&dir); /* the file has no name any more, and is open */
    return opened;
}

/* They take no memory until they are read, and are the same then. */
Test(csr_packed_file, opened_rows) {
    static const recipe kinds[] = {{"rmat:10:8", true, false, 1, 60},
                                   {"rmat:10:8", false, true, -3, 9},
                                   {"chain:1", true, false, 1, 0},
                                   {"star:500", false, false, 1, 0}};
    cflr_context *context = test_context();
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        cflr_csr *csr, *made;
        cflr_error error;
        cflr_csr *opened = open_graph(context, &kinds[i], &csr);
        uint32_t *vertex = calloc(csr->n_vertices + 1u, sizeof *vertex);
        cr_assert(cflr_csr_target(opened) == NULL && cflr_csr_weight(opened) == NULL);
        cr_assert_eq(cflr_csr_edges(opened), cflr_csr_edges(csr));
        cr_assert_eq(cflr_csr_weights(opened), cflr_csr_weights(csr));
        cr_assert_eq(cflr_csr_symmetric(opened), cflr_csr_symmetric(csr));
        MUST_FAIL(cflr_csr_reorder(opened, CFLR_ORDER_DEGREE, &made, vertex, &error),
                  CFLR_ARGUMENT);
        MUST_FAIL(cflr_csr_save_packed(opened, "unused", &error), CFLR_ARGUMENT);
        uint64_t before = cflr_context_memory(context);
        MUST(cflr_csr_read_rows(opened, &error));
        cr_assert(cflr_context_memory(context) > before || csr->n_edges == 0);
        check_same(csr, opened, kinds[i].rule);
        MUST(cflr_csr_read_rows(opened, &error));
        MUST(cflr_csr_reorder(opened, CFLR_ORDER_DEGREE, &made, vertex, &error));
        cflr_csr_free(made);
        free(vertex);
        cflr_csr_free(opened);
        cflr_csr_free(csr);
    }
    test_context_end(context);
}

/* What needs them reads them. */
Test(csr_packed_file, opened_rows_are_read_when_needed) {
    const recipe k = {"rmat:9:8", false, false, 1, 60};
    cflr_context *context = test_context();
    const cflr_csr *back, *other;
    cflr_csr *csr;
    cflr_error error;
    cflr_csr *opened = open_graph(context, &k, &csr);
    MUST(cflr_csr_reverse(opened, &back, &error));
    MUST(cflr_csr_reverse(csr, &other, &error));
    check_same(other, back, "backwards");
    cflr_csr_free(opened);
    cflr_csr_free(csr);
    opened = open_graph(context, &k, &csr);
    MUST(cflr_csr_draw_weights(opened, 5, 50, 7, &error));
    MUST(cflr_csr_draw_weights(csr, 5, 50, 7, &error));
    check_same(csr, opened, "weights");
    cflr_csr_free(opened);
    cflr_csr_free(csr);
    test_context_end(context);
}

/* ---- options ---- */

/* Options say of a file of packed rows what they say of any other. */
Test(csr_packed_file, options) {
    cflr_context *context = test_context();
    test_dir dir = test_dir_begin();
    char path[512];
    cflr_error error;
    cflr_csr *back, *expected;
    test_path(&dir, "a.cflp", path);
    cflr_csr *csr = make_by_hand(context, CFLR_WEIGHTS_FLOAT32, 6, true);
    MUST(cflr_csr_save_packed(csr, path, &error));
    for (unsigned how = 0; how < 8; how++) {
        cflr_csr_opts opts;
        cflr_csr_opts_init(&opts);
        opts.symmetric = how & 1;
        opts.drop_loops = how & 2;
        opts.keep_parallel = how & 4;
        MUST(cflri_csr_change(csr, &opts, &expected, &error));
        MUST(cflr_csr_load(context, path, NULL, &opts, &back, &error));
        check_same(expected, back, "options");
        cflr_csr_free(expected);
        cflr_csr_free(back);
    }
    MUST_FAIL(cflr_csr_load(context, path, "a", NULL, &back, &error), CFLR_ARGUMENT);
    cflr_csr_free(csr);
    test_dir_end(&dir);
    test_context_end(context);
}

/* ---- damage ---- */

static cflr_status read_bytes(cflr_context *context, const char *data, size_t size,
                              cflr_error *error) {
    cflr_csr *csr = NULL;
    char *block = malloc(size ? size : 1); /* of this size, so that a sanitizer sees what is read */
    cr_assert(block != NULL);
    if (size) memcpy(block, data, size);
    memset(error, 0, sizeof *error);
    cflr_status st = cflri_csr_of_packed(context, block, size, "test", NULL, &csr, error);
    cr_assert_eq(st == CFLR_OK, csr != NULL);
    cr_assert(st == CFLR_OK || (error->message[0] && strcmp(error->subject, "test") == 0));
    cflr_csr_free(csr);
    free(block);
    return st;
}

static char *file_of(cflr_csr *csr, size_t *size) {
    test_dir dir = test_dir_begin();
    char path[512];
    cflr_error error;
    MUST(cflr_csr_save_packed(csr, test_path(&dir, "a.cflp", path), &error));
    char *data = test_read_file(path, size);
    cflr_csr_free(csr);
    test_dir_end(&dir);
    return data;
}

Test(csr_packed_file, every_byte) {
    cflr_context *context = test_context();
    const recipe k = {"rmat:6", false, true, -3, 9};
    cflr_error error;
    size_t size;
    char *data = file_of(make(context, &k), &size);
    MUST(read_bytes(context, data, size, &error));
    for (size_t at = 0; at < size; at++) {
        char change = (char)(1 << at % 8);
        data[at] = (char)(data[at] ^ change);
        cflr_status st = read_bytes(context, data, size, &error);
        cr_assert(st == CFLR_FORMAT || st == CFLR_UNSUPPORTED, "byte %zu: %s", at,
                  cflr_status_name(st));
        data[at] = (char)(data[at] ^ change);
    }
    for (size_t cut = 0; cut < size; cut += cut < 100 || cut + 100 > size ? 1 : 61)
        MUST_FAIL(read_bytes(context, data, cut, &error), CFLR_FORMAT);
    free(data);
    test_context_end(context);
}

/* Checksums that are right, whatever else the file says. */
static void put_header_right(char *data) {
    uint64_t sum = XXH3_64bits(data, CFLRI_PACKED_PAGE - sizeof sum);
    memcpy(data + CFLRI_PACKED_PAGE - sizeof sum, &sum, sizeof sum);
}

/* Of sections of one block. */
static void put_sums_right(char *data) {
    cflri_packed_header h;
    memcpy(&h, data, sizeof h);
    cflri_packed_layout l = cflri_packed_layout_of(h.n_vertices, h.n_words);
    uint64_t sum[CFLRI_PACKED_SECTIONS + 1];
    for (int i = 0; i < CFLRI_PACKED_SECTIONS; i++)
        sum[i] = XXH3_64bits(data + l.begin[i], l.begin[i + 1] - l.begin[i]);
    sum[CFLRI_PACKED_SECTIONS] = XXH3_64bits(sum, CFLRI_PACKED_SECTIONS * sizeof *sum);
    memcpy(data + l.begin[CFLRI_PACKED_SECTIONS], sum, sizeof sum);
}

/* A change of the file of a clique of five that is symmetric: 20 edges, its rows at page 3. */
typedef struct lie {
    const char *what;
    size_t at;
    uint64_t value;
    unsigned bytes;
    const char *message;
} lie;

#define FIELD(name) offsetof(cflri_packed_header, name)
#define PAGE(i, element, bytes) ((i)*CFLRI_PACKED_PAGE + (element) * (bytes))

static const lie lies[] = {
    {"an older version", FIELD(version), 0, 4, "format 0, written by an older cflr"},
    {"a newer version", FIELD(version), 2, 4, "format 2, written by a newer cflr"},
    {"a much newer version", FIELD(version), UINT32_MAX, 4,
     "format 4294967295, written by a newer"},
    {"more vertices than there may be", FIELD(n_vertices), UINT32_MAX, 4, "its counts"},
    {"more words than bytes", FIELD(n_words), UINT64_MAX, 8, "its counts"},
    {"no pad", FIELD(n_words), 3, 8, "its counts"},
    {"more edges than words hold", FIELD(n_edges), UINT64_MAX, 8, "its counts"},
    {"other sizes", FIELD(n_vertices), 6, 4, "row 5"}, /* of the same pages */
    {"a longer file", FIELD(n_vertices), 8, 4, "row 5"},
    {"unknown flags", FIELD(flags), 4, 4, "its flags"},
    {"unknown weights", FIELD(weights), 3, 4, "its flags"},
    {"a field without meaning", FIELD(zero), 1, 4, "its flags"},
    {"another code", FIELD(first_bits), 4, 4, "the code of its rows"},
    {"another step", FIELD(step), 3, 4, "the code of its rows"},
    {"weights of no weights", FIELD(weight_bits), 1, 4, "the code of its rows"},
    {"least of no weights", FIELD(least_weight), 1, 4, "the code of its rows"},
    {"too many bits", FIELD(weight_bits), 33, 4, "the code of its rows"},
    {"fewer edges", FIELD(n_edges), 19, 8, "row 4"},
    {"more edges", FIELD(n_edges), 21, 8, "row 5"},
    {"parallel edges that are not there", FIELD(flags), 3, 4, "wrong about parallel"},
    {"rows that begin late", PAGE(1, 0, 8), 1, 8, "row 0"},
    {"rows that go back", PAGE(1, 2, 8), 3, 8, "row 1"},
    {"rows beyond the end", PAGE(1, 2, 8), 21, 8, "row 1"},
    {"edges of no word", PAGE(1, 1, 8), 4000, 8, "row 0"},
    {"an edge that moved", PAGE(1, 1, 8), 5, 8, "wrong about parallel"},
    {"words that begin late", PAGE(2, 0, 8), 1, 8, "row 0"},
    {"words beyond the end", PAGE(2, 2, 8), UINT64_MAX, 8, "row 1"},
    {"words that go back", PAGE(2, 2, 8), 0, 8, "row 1"},
    {"words of another row", PAGE(2, 1, 8), 2, 8, "row 1"},
    {"no words", PAGE(2, 1, 8), 0, 8, "row 0"},
    {"a target that is none", PAGE(3, 0, 4), 7, 4, "row 0"},
    {"a difference that goes too far", PAGE(3, 1, 4), UINT32_MAX, 4, "row 1"},
};

Test(csr_packed_file, lies) {
    cflr_context *context = test_context();
    const recipe k = {"clique:5", true, false, 1, 0};
    cflr_error error;
    size_t size;
    char *good = file_of(make(context, &k), &size);
    char *data = malloc(size);
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        const lie *l = &lies[i];
        memcpy(data, good, size);
        memcpy(data + l->at, &l->value, l->bytes);
        if (l->at < CFLRI_PACKED_PAGE)
            put_header_right(data);
        else
            put_sums_right(data);
        cflr_status st = read_bytes(context, data, size, &error);
        cr_expect_eq(st, strstr(l->what, "version") ? CFLR_UNSUPPORTED : CFLR_FORMAT, "%s: %s",
                     l->what, cflr_status_name(st));
        cr_expect(strstr(error.message, l->message), "%s: '%s'", l->what, error.message);
    }
    free(data);
    free(good);
    test_context_end(context);
}

/* Rows that no builder makes, in files whose checksums are right. */
static void check_refused(cflr_context *context, cflr_csr *csr, const char *message) {
    cflr_error error;
    size_t size;
    char *data = file_of(csr, &size);
    MUST_FAIL(read_bytes(context, data, size, &error), CFLR_FORMAT);
    cr_expect(strstr(error.message, message), "'%s', not '%s'", error.message, message);
    free(data);
}

Test(csr_packed_file, graphs_that_are_none) {
    const uint32_t not_a_number = 0x7fc00000, infinite = 0xff800000;
    cflr_context *context = test_context();
    const recipe k = {"clique:5", false, false, 1, 0};
    cflr_csr *csr = make(context, &k);
    csr->symmetric = true;
    check_refused(context, csr, "not symmetric");
    csr = make_by_hand(context, CFLR_WEIGHTS_INT32, 6, true);
    csr->has_parallel = false;
    check_refused(context, csr, "wrong about parallel");
    csr = make_by_hand(context, CFLR_WEIGHTS_INT32, 6, true);
    cr_assert_eq(csr->target[1], csr->target[2]);
    ((int32_t *)csr->weight)[1] = INT32_MAX;
    check_refused(context, csr, "row 2");
    csr = make_by_hand(context, CFLR_WEIGHTS_FLOAT32, 6, true);
    ((uint32_t *)csr->weight)[0] = not_a_number;
    check_refused(context, csr, "row 0");
    csr = make_by_hand(context, CFLR_WEIGHTS_FLOAT32, 6, true);
    ((uint32_t *)csr->weight)[csr->n_edges - 1] = infinite;
    check_refused(context, csr, "row 5");
    const recipe both = {"chain:4", true, false, 1, 9};
    csr = make(context, &both);
    ((int32_t *)csr->weight)[0]++;
    check_refused(context, csr, "not symmetric");
    csr = make(context, &both);
    csr->target[1] = 2; /* of vertex 1, to 0 and 2 before */
    csr->target[2] = 0;
    check_refused(context, csr, "row 1");
    test_context_end(context);
}

/* ---- mapped files ---- */

static void check_not_mapped(cflr_context *context, const char *path, cflr_status expected) {
    cflri_mapped_rows rows;
    cflr_error error;
    MUST_FAIL(cflri_mapped_open(context, path, &rows, &error), expected);
    cr_assert_str_eq(error.subject, path);
    cflri_mapped_close(&rows);
}

/* What is damaged in the words is seen when these are checked, and where. */
Test(csr_packed_file, mapped_files_that_are_damaged) {
    cflr_context *context = test_context();
    test_dir dir = test_dir_begin();
    const recipe k = {"rmat:15:48", true, false, INT32_MIN, INT32_MAX};
    cflri_mapped_rows rows;
    cflri_packed_facts facts = {0};
    cflr_error error;
    char path[512];
    size_t size;
    char *data = file_of(make(context, &k), &size);
    test_path(&dir, "a.cflp", path);
    cflri_packed_header h;
    memcpy(&h, data, sizeof h);
    cflri_packed_layout l = cflri_packed_layout_of(h.n_vertices, h.n_words);
    cr_assert_gt(l.block[CFLRI_PACKED_SECTIONS], 3);
    uint64_t second = l.begin[CFLRI_PACKED_WORDS] + CFLRI_PACKED_FILE_BLOCK;
    data[second + 5] ^= 1;
    test_write_file(path, data, size);
    MUST(cflri_mapped_open(context, path, &rows, &error));
    MUST_FAIL(cflri_mapped_check(&rows, &error), CFLR_FORMAT);
    char place[64];
    snprintf(place, sizeof place, "bytes %llu to ", (unsigned long long)second);
    cr_assert(strstr(error.message, place), "%s", error.message);
    MUST(cflri_packed_check(&rows.view, 0, 100, NULL, NULL, &facts, &error));
    cflri_mapped_close(&rows);
    data[second + 5] ^= 1;
    data[l.begin[CFLRI_PACKED_AT] + 8] ^= 1;
    test_write_file(path, data, size);
    check_not_mapped(context, path, CFLR_FORMAT);
    data[l.begin[CFLRI_PACKED_AT] + 8] ^= 1;
    test_write_file(path, data, size - 1);
    check_not_mapped(context, path, CFLR_FORMAT);
    test_write_file(path, data, 0);
    check_not_mapped(context, path, CFLR_FORMAT);
    check_not_mapped(context, dir.path, CFLR_IO);
    check_not_mapped(context, "/dev/null", CFLR_IO);
    check_not_mapped(context, test_path(&dir, "none", path), CFLR_IO);
    free(data);
    test_dir_end(&dir);
    test_context_end(context);
}

/* ---- what goes wrong meanwhile ---- */

typedef struct told {
    uint64_t calls, done, total;
    bool stop;
} told;

static bool tell(void *user, const cflr_progress *progress) {
    told *t = user;
    cr_assert_leq(progress->done, progress->total);
    t->calls++;
    t->done = progress->done;
    t->total = progress->total;
    return !t->stop;
}

Test(csr_packed_file, interrupted) {
    cflr_context *context = test_context();
    test_dir dir = test_dir_begin();
    const recipe k = {"grid:300:400", true, false, 1, 0};
    char path[512], full[] = "/dev/full";
    cflr_error error;
    cflr_csr *back, *csr = make(context, &k);
    test_path(&dir, "a.cflp", path);
    MUST_FAIL(cflr_csr_save_packed(csr, "/nowhere/a.cflp", &error), CFLR_IO);
    cr_assert(strstr(error.subject, "/nowhere/a.cflp"));
    MUST_FAIL(cflr_csr_save_packed(csr, full, &error), CFLR_NO_SPACE);
    cflr_context_cancel(context);
    MUST_FAIL(cflr_csr_save_packed(csr, path, &error), CFLR_CANCELLED);
    cr_assert_neq(access(path, F_OK), 0);
    context->cancelled = false;
    MUST(cflr_csr_save_packed(csr, path, &error));
    cflr_context_cancel(context);
    MUST_FAIL(cflr_csr_load(context, path, NULL, NULL, &back, &error), CFLR_CANCELLED);
    context->cancelled = false;
    told t = {0};
    context->opts.progress = tell;
    context->opts.user = &t;
    context->next_report = 0;
    MUST(cflr_csr_save_packed(csr, path, &error));
    cr_assert_gt(t.calls, 0);
    context->opts.progress = NULL;
    cflr_csr_free(csr);
    test_dir_end(&dir);
    test_context_end(context);
}

typedef struct places {
    const char *path, *parallel;
} places;

static cflr_status save_and_load(cflr_context *context, void *user, cflr_error *error) {
    const places *p = user;
    const recipe k = {"star:300", true, false, 1, 9};
    cflr_status st = CFLR_OK;
    cflr_csr_opts opts;
    cflr_csr *csr = NULL, *back = NULL, *other = NULL, *opened = NULL;
    cflri_mapped_rows rows = {.size = 0};
    context->threads = 1;
    cflr_csr_opts_init(&opts);
    opts.symmetric = true;
    CFLR_TRY(cflr_csr_generate(context, k.rule, &opts, &csr, error));
    CFLR_TRY(cflr_csr_save_packed(csr, p->path, error));
    CFLR_TRY(cflr_csr_load(context, p->path, NULL, NULL, &back, error));
    CFLR_TRY(cflr_csr_load(context, p->parallel, NULL, &opts, &other, error));
    CFLR_TRY(cflri_mapped_open(context, p->path, &rows, error));
    CFLR_TRY(cflri_mapped_check(&rows, error));
    CFLR_TRY(cflr_csr_open(context, p->parallel, &opened, error));
    CFLR_TRY(cflr_csr_read_rows(opened, error));
out:
    cflri_mapped_close(&rows);
    cflr_csr_free(opened);
    cflr_csr_free(csr);
    cflr_csr_free(back);
    cflr_csr_free(other);
    return st;
}

Test(csr_packed_file, memory_runs_out) {
    cflr_context *context = test_context();
    test_dir dir = test_dir_begin();
    char path[512], parallel[512];
    cflr_error error;
    cflr_csr *csr = make_by_hand(context, CFLR_WEIGHTS_INT32, 6, true);
    places p = {test_path(&dir, "a.cflp", path), test_path(&dir, "b.cflp", parallel)};
    MUST(cflr_csr_save_packed(csr, parallel, &error));
    cflr_csr_free(csr);
    cr_expect_gt(fail_alloc_sweep(save_and_load, &p), 12);
    test_dir_end(&dir);
    test_context_end(context);
}
