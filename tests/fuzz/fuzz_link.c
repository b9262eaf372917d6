/* SPDX-License-Identifier: Apache-2.0
 *
 * fuzz_link.c: hostile linkable graphs: lists of units, and facts of several units that were not
 * made for each other.
 *
 *     choices   1 byte: contexts, calls, programs, linked twice
 *     sizes     2 bytes each, little endian: of the list, of the facts of all units but the last
 *     list      "UNTS", whose identity is put right
 *     facts     "UNIT" of each, three in all
 *
 * They are packed, put into a file, and linked as `cflr link` does.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/context.h"
#include "base/files/stream.h"
#include "cflr/extract.h"
#include "frontend/store/cache.h"
#include "tests/fuzz/fuzz.h"

enum { PIECES = 4, HEAD = 1 + 2 * (PIECES - 1) };

typedef struct piece {
    const uint8_t *data;
    size_t size;
} piece;

/* False when the input is too short. */
static bool cut(const uint8_t *data, size_t size, piece pieces[PIECES]) {
    size_t at = HEAD;
    if (size < HEAD) return false;
    for (int i = 0; i < PIECES; i++) {
        size_t wanted = size - at;
        if (i < PIECES - 1) wanted = data[1 + 2 * i] | (size_t)data[2 + 2 * i] << 8;
        if (wanted > size - at) return false;
        pieces[i] = (piece){data + at, wanted};
        at += wanted;
    }
    return true;
}

static char path[64];

static void remove_file(void) {
    unlink(path);
}

static void make_file(void) {
    snprintf(path, sizeof path, "%s/cflr-fuzz-XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    int fd = mkstemp(path);
    must(fd >= 0 && atexit(remove_file) == 0);
    close(fd);
}

static void write_list(cflr_context *context, cflri_output *output, const piece *list) {
    cflri_digest own = cflri_digest_of(cflri_frontend_identity, strlen(cflri_frontend_identity));
    char *copy = malloc(list->size + 1);
    must(copy != NULL);
    memcpy(copy, list->data, list->size);
    if (list->size >= sizeof own) memcpy(copy, &own, sizeof own);
    must(cflri_container_section(context, output, "UNTS", copy, list->size, NULL) == CFLR_OK);
    free(copy);
}

static void write_file(cflr_context *context, const piece pieces[PIECES]) {
    cflri_output *output;
    must(cflri_output_open(context, path, &output, NULL) == CFLR_OK);
    cflri_output_unsynced(output);
    cflri_container_begin(output);
    write_list(context, output, &pieces[0]);
    for (int i = 1; i < PIECES; i++)
        must(cflri_container_section(context, output, "UNIT", pieces[i].data, pieces[i].size,
                                     NULL) == CFLR_OK);
    cflri_container_end(output);
    must(cflri_output_close(output, NULL) == CFLR_OK);
}

static void link_file(cflr_context *context, uint8_t choices) {
    const char *const paths[] = {path, path};
    cflr_extract_opts opts;
    cflr_graph *graph;
    cflr_extract_report *report;
    cflr_error error = {0};
    cflr_extract_opts_init(&opts);
    opts.context = (cflr_contexts)(choices % 3);
    opts.clone_limit = 1000;
    opts.calls = choices & 4 ? CFLR_CALLS_BRACKETS : CFLR_CALLS_ASSIGN;
    opts.programs = choices & 8 ? CFLR_PROGRAMS_MERGED : CFLR_PROGRAMS_APART;
    opts.linkable = choices & 16;
    size_t n = choices & 32 ? 2 : 1;
    cflr_status st = cflr_link(context, paths, n, &opts, &graph, &report, &error);
    must((st == CFLR_OK) == (graph != NULL));
    must(st == CFLR_OK || (error.code == st && error.message[0]));
    if (graph) must(cflr_graph_validate(graph, &error) == CFLR_OK);
    cflr_graph_free(graph);
    cflr_extract_report_free(report);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static cflr_context *context;
    piece pieces[PIECES];
    if (!cut(data, size, pieces)) return 0;
    if (!context) {
        cflr_context_opts opts;
        cflr_context_opts_init(&opts);
        opts.threads = 1;
        must(cflr_context_new(&opts, &context, NULL) == CFLR_OK);
        context->memory_limit = cflr_context_memory(context) + (UINT64_C(256) << 20);
        make_file();
    }
    uint64_t memory = cflr_context_memory(context);
    write_file(context, pieces);
    link_file(context, data[0]);
    must(cflr_context_memory(context) == memory);
    return 0;
}
