/* SPDX-License-Identifier: Apache-2.0
 *
 * fuzz_unit.c: hostile C: a file that is parsed, walked, linked, cloned and made a graph.
 *
 * The input is the file, and its digest chooses the options, so that the file alone tells of a
 * finding. It is changed by tokens (mutate_c.h), with the constructs of tests/c to take pieces
 * from, and now and then it is one of these again. What libclang says of a file is not the matter
 * here: a parser that crashes loses the unit, which is an error as any other.
 */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/digest.h"
#include "cflr/cflr.h"
#include "cflr/extract.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/mutate_c.h"

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t n_a, const uint8_t *b, size_t n_b,
                                 uint8_t *out, size_t room, unsigned seed);
int LLVMFuzzerInitialize(int *argc, char ***argv);
const char *__lsan_default_suppressions(void);

enum { MOST_FILES = 256, MOST_BYTES = 16384, CLONES = 2000 };

/* A parse that crashed leaves its memory behind; what is ours is counted. */
const char *__lsan_default_suppressions(void) {
    return "leak:libclang";
}

/* ---- the files to take pieces from ---- */

typedef struct donor {
    uint8_t text[MOST_BYTES];
    size_t n;
} donor;

static donor *donors;
static size_t n_donors;

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    glob_t found;
    must(glob(CFLR_SOURCE_DIR "/tests/c/*.c", 0, NULL, &found) == 0);
    must(glob(CFLR_SOURCE_DIR "/tests/c/*/*.c", GLOB_APPEND, NULL, &found) == 0);
    donors = calloc(MOST_FILES, sizeof *donors);
    for (size_t i = 0; donors && i < found.gl_pathc && n_donors < MOST_FILES; i++) {
        FILE *file = fopen(found.gl_pathv[i], "rb");
        must(file != NULL);
        donors[n_donors].n = fread(donors[n_donors].text, 1, MOST_BYTES, file);
        n_donors++;
        fclose(file);
    }
    globfree(&found);
    must(n_donors > 0);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed) {
    enum { AGAIN = 50 };
    const donor *from = &donors[seed / AGAIN % n_donors];
    if (seed % AGAIN == 0 && from->n <= room) {
        memcpy(data, from->text, from->n);
        size = from->n;
    }
    return mutate_c(data, size, room, from->text, from->n, seed);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t n_a, const uint8_t *b, size_t n_b,
                                 uint8_t *out, size_t room, unsigned seed) {
    size_t n = n_a < room ? n_a : room;
    memcpy(out, a, n);
    return mutate_c(out, n, room, b, n_b, seed);
}

/* ---- the extraction ---- */

static char path[] = "/tmp/cflr-fuzz-XXXXXX.c";

static void write_file(const uint8_t *data, size_t size) {
    FILE *file = fopen(path, "wb");
    must(file != NULL);
    must(fwrite(data, 1, size, file) == size);
    must(fclose(file) == 0);
}

static void remove_file(void) {
    unlink(path);
}

/* The next of a row of choices, each of which takes its part of *bits. */
static unsigned choose(uint64_t *bits, unsigned of) {
    unsigned chosen = (unsigned)(*bits % of);
    *bits /= of;
    return chosen;
}

static void choose_options(cflr_extract_opts *opts, uint64_t bits) {
    static const char *const files[] = {path};
    static const char *const flags[] = {"-std=gnu11", "-fms-extensions",
                                        "-I" CFLR_SOURCE_DIR "/tests/c", "-m32"};
    static const char *const rules[] = {"null", "command", "format"};
    static const char *const checks[] = {"SAME", "same"};
    cflr_extract_opts_init(opts);
    opts->files = files;
    opts->n_files = 1;
    opts->flags = flags;
    opts->n_flags = 3 + (choose(&bits, 16) == 0);
    opts->fields = (cflr_fields)choose(&bits, 2);
    opts->calls = (cflr_calls)choose(&bits, 2);
    opts->context = (cflr_contexts)choose(&bits, 3);
    opts->clone_limit = CLONES;
    opts->locals = (cflr_locals)choose(&bits, 2);
    opts->world = (cflr_world)choose(&bits, 3);
    opts->data_flow = choose(&bits, 2);
    opts->rules = rules;
    opts->n_rules = choose(&bits, 2) * 3;
    opts->may_alias = checks;
    opts->n_may_alias = choose(&bits, 2) * 2;
}

static void read_report(const cflr_extract_report *report, const cflr_graph *graph) {
    const cflr_note *note;
    const cflr_check *check;
    const cflr_unmodelled *function;
    cflr_extract_counts counts;
    cflr_extract_get_counts(report, &counts);
    must(counts.units == 1 && counts.units_lost + counts.units_degraded <= 1);
    must((graph == NULL) == (counts.units_lost == 1));
    unsigned told = 0;
    for (size_t i = 0; (note = cflr_extract_note(report, i)); i++) {
        must(note->count > 0 && note->file && note->text && note->text[0]);
        told += note->kind == CFLR_NOTE_LOST || note->kind == CFLR_NOTE_DEGRADED;
    }
    must(told == counts.units_lost + counts.units_degraded);
    for (size_t i = 0; (function = cflr_extract_unmodelled(report, i)); i++)
        must(function->name && function->name[0] && function->prototype && function->file);
    for (size_t i = 0; (check = cflr_extract_check(report, i)); i++)
        for (size_t k = 0; k < 2 * check->n; k++)
            must(check->vertex[k % 2][k / 2] < cflr_graph_vertices(graph));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static cflr_context *context;
    cflr_extract_opts opts;
    cflr_graph *graph = NULL;
    cflr_extract_report *report = NULL;
    cflr_error error = {0};
    if (!context) {
        int fd = mkstemps(path, 2);
        must(fd >= 0 && close(fd) == 0);
        atexit(remove_file);
        must(cflr_context_new(NULL, &context, NULL) == CFLR_OK);
    }
    write_file(data, size);
    choose_options(&opts, cflri_digest_of(data, size).low);
    cflr_status st = cflr_extract(context, &opts, &graph, &report, &error);
    must(st == CFLR_OK || (st == CFLR_IO && error.code == st && error.message[0]));
    must((st == CFLR_OK) == (graph != NULL) && report);
    if (graph) must(cflr_graph_validate(graph, &error) == CFLR_OK);
    read_report(report, graph);
    cflr_graph_free(graph);
    cflr_extract_report_free(report);
    must(cflr_context_memory(context) == 0);
    return 0;
}
