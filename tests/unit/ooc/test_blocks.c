/* SPDX-License-Identifier: Apache-2.0
 *
 * Blocks in segments of a work: written, found again by a run that resumes, damaged, and read as
 * sets.
 */
#include "engine/sets/paged_sets.h"
#include "engine/sets/set_writer.h"
#include "ooc/blocks.h"
#include "tests/support/support.h"

static const unsigned char digest[CFLRI_DIGEST] = "0123456789abcde";

enum { SETS = 200, UNIVERSE = 100000 };

/* Set i has each so many ids. */
static uint32_t step_of(uint32_t i) {
    return 1 + i * i % 1000;
}

static void write_sets(cflr_context *context, cflri_block_sink *sink, cflri_set_counts *counts) {
    cflr_error error;
    cflri_set_writer *writer;
    uint32_t *id = calloc(UNIVERSE, sizeof *id);
    MUST(cflri_set_writer_new(context, sink, 10000, &writer, &error));
    for (uint32_t i = 0; i < SETS; i++) {
        uint32_t number;
        cflr_row row = {.target = id};
        for (uint32_t v = i; v < UNIVERSE; v += step_of(i)) id[row.count++] = v;
        MUST(cflri_set_writer_put(writer, &row, true, &number, &error));
        cr_assert_eq(number, i);
    }
    MUST(cflri_set_writer_end(writer, counts, &error));
    cflri_set_writer_free(writer);
    free(id);
}

static void read_sets(const cflri_target_sets *sets) {
    cflr_error error;
    uint32_t *id = calloc(UNIVERSE, sizeof *id);
    for (uint32_t i = 0; i < SETS; i++) {
        uint32_t n, set = cflri_paged_set(sets, i, &n);
        cr_assert_eq(n, (UNIVERSE - i + step_of(i) - 1) / step_of(i));
        MUST(sets->write(sets, set, id, &error));
        for (uint32_t k = 0; k < n; k++) cr_assert_eq(id[k], i + k * step_of(i));
    }
    free(id);
}

/* The state of the checkpoint has the blocks. */
static void write_work(cflr_context *context, const char *path, cflri_set_counts *counts) {
    cflr_error error;
    cflri_work *work;
    cflri_spill *segment = NULL;
    void *state;
    size_t size;
    MUST(cflri_work_open(context, path, digest, &work, &error));
    MUST(cflri_work_resume(work, &state, &size, &error));
    cflri_work_sink sink = cflri_sink_of_work(context, work, &segment);
    write_sets(context, &sink.sink, counts);
    cr_assert_gt(sink.blocks.n, 4);
    MUST(cflri_work_commit(work, sink.blocks.at, sink.blocks.n * sizeof *sink.blocks.at, &error));
    cflri_vec_free(context, &sink.blocks);
    cflri_work_close(work, true);
}

static void damage(const char *path, long at) {
    char name[600];
    snprintf(name, sizeof name, "%s/segment-0000", path);
    FILE *file = fopen(name, "r+b");
    cr_assert(file != NULL);
    cr_assert_eq(fseek(file, at, SEEK_SET), 0);
    int byte = getc(file);
    cr_assert_eq(fseek(file, at, SEEK_SET), 0);
    putc(byte ^ 1, file);
    fclose(file);
}

Test(work_blocks, resumed) {
    cflr_context *context = test_context();
    cflr_error error;
    test_dir dir = test_dir_begin();
    char path[512];
    cflri_set_counts counts;
    cflri_work *work;
    cflri_target_sets *sets;
    void *state;
    size_t size;
    write_work(context, test_path(&dir, "work", path), &counts);
    MUST(cflri_work_open(context, path, digest, &work, &error));
    MUST(cflri_work_resume(work, &state, &size, &error));
    const cflri_work_block *block = state;
    size_t n = size / sizeof *block;
    const cflri_work_source source = cflri_source_of_work(work, block, n, path);
    cr_assert_gt(cflri_block_words(&source.source, CFLRI_NODES_TAG), 0);
    MUST(cflri_paged_sets_open(context, &source.source, &counts, UNIVERSE, 0, &sets, &error));
    read_sets(sets);

    /* damage that comes later is seen when the block is read again */
    uint32_t *id = calloc(UNIVERSE, sizeof *id), failed = 0, n_ids;
    damage(path, (long)block[n / 2].extent.offset + 10);
    for (uint32_t i = 0; i < SETS; i++) {
        cflr_status st = sets->write(sets, cflri_paged_set(sets, i, &n_ids), id, &error);
        cr_assert(st == CFLR_OK || st == CFLR_FORMAT);
        failed += st == CFLR_FORMAT;
    }
    cr_assert_gt(failed, 0);
    free(id);
    sets->free(context, sets);
    MUST_FAIL(cflri_paged_sets_open(context, &source.source, &counts, UNIVERSE, 0, &sets, &error),
              CFLR_FORMAT);
    cflri_free(context, state);
    cflri_work_close(work, false);
    test_dir_end(&dir);
    test_context_end(context);
}
