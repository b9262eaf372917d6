/* SPDX-License-Identifier: Apache-2.0
 *
 * fuzz_graph.c: hostile graph files.
 *
 * The first byte of the input picks what the rest is:
 *
 *     0      a .facts file of a directory
 *     1      sections of a container: tag number, two bytes of length, bytes. They are packed and
 *            checksummed here, because no fuzzer finds a checksum
 *     2      a packed file (.gz, .xz, .zst)
 *     3 + n  a text or container for the format of number n; 0 chooses by content
 *
 * A graph that can be read is written in every format that is a stream of bytes: writers may refuse
 * it and nothing else. It is also written as TSV and read back, which must give the same number of
 * vertices and edges.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/files/codec.h"
#include "base/files/container.h"
#include "base/formats/io.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);

/* A format joins by being in the list. */
static const cflr_graph_format formats[] = {
#define FORMAT(name, number, word, text) [number] = CFLR_GRAPH_##name,
    CFLR_GRAPH_FORMAT_LIST(FORMAT)
#undef FORMAT
};

enum { N_FORMATS = sizeof formats / sizeof formats[0] };
enum { FACTS, SECTIONS, PACKED, N_OTHERS };

static cflr_context *context;
static char directory[64];

static void remove_files(void) {
    char path[128];
    snprintf(path, sizeof path, "%s/f.facts", directory);
    unlink(path);
    snprintf(path, sizeof path, "%s/g.tsv", directory);
    unlink(path);
    rmdir(directory);
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    cflr_context_opts opts;
    (void)argc;
    (void)argv;
    cflr_context_opts_init(&opts);
    opts.memory_limit = UINT64_C(1) << 30;
    if (cflr_context_new(&opts, &context, NULL) != CFLR_OK) abort();
    const char *root = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    snprintf(directory, sizeof directory, "%s/cflr-fuzz-XXXXXX", root);
    if (!mkdtemp(directory)) abort();
    return atexit(remove_files);
}

static bool is_stream(cflr_graph_format format) {
    const cflri_format *known = cflri_format_find(format);
    return known && known->write;
}

/* What was read is written, and read back from our own text. */
static void write_all(const cflr_graph *graph) {
    char path[128];
    cflr_graph *again;
    if (graph->source && graph->n_vertices > 10000) return;
    for (size_t i = 0; i < N_FORMATS; i++) {
        if (!is_stream(formats[i])) continue;
        cflr_status st = cflr_graph_save(graph, "/dev/null", formats[i], NULL);
        must(st == CFLR_OK || st == CFLR_UNSUPPORTED);
    }
    snprintf(path, sizeof path, "%s/g.tsv", directory);
    FILE *file = fopen(path, "a"); /* a file that is there is replaced: less to create */
    if (file) fclose(file);
    must(cflr_graph_save(graph, path, CFLR_GRAPH_TSV, NULL) == CFLR_OK);
    must(cflr_graph_load(context, path, CFLR_GRAPH_AUTO, &again, NULL) == CFLR_OK);
    must(again->n_edges == graph->n_edges && again->n_vertices == graph->n_vertices);
    cflr_graph_free(again);
}

static void read_bytes(const uint8_t *data, size_t size, cflr_graph_format format) {
    cflr_graph *graph;
    cflr_error error = {0};
    cflr_status st =
        cflri_graph_read(context, (const char *)data, size, "input", format, &graph, &error);
    must((st == CFLR_OK) == (graph != NULL) && error.code == st);
    if (graph) write_all(graph);
    cflr_graph_free(graph);
}

static void read_facts(const uint8_t *data, size_t size) {
    char path[128];
    cflr_graph *graph;
    snprintf(path, sizeof path, "%s/f.facts", directory);
    FILE *file = fopen(path, "wb");
    if (!file) return;
    must(fwrite(data, 1, size, file) == size);
    fclose(file);
    if (cflr_graph_load(context, directory, CFLR_GRAPH_SOUFFLE, &graph, NULL) == CFLR_OK) {
        write_all(graph);
    }
    cflr_graph_free(graph);
}

/* ---- sections ---- */

enum { MOST_SECTIONS = 16 };

typedef struct bytes {
    char *at;
    size_t size;
} bytes;

static void collect(void *user, const void *data, size_t size) {
    bytes *b = user;
    b->at = realloc(b->at, b->size + size);
    must(b->at != NULL);
    memcpy(b->at + b->size, data, size);
    b->size += size;
}

static cflri_section make_section(const char *tag, const uint8_t *data, size_t size) {
    cflri_packer *packer;
    bytes packed = {0};
    must(cflri_packer_new(context, size, &packer, NULL) == CFLR_OK);
    must(cflri_packer_write(packer, data, size, true, collect, &packed, NULL) == CFLR_OK);
    cflri_packer_free(packer);
    cflri_section section = {.packed = packed.at, .packed_size = packed.size, .size = size};
    memcpy(section.tag, tag, sizeof section.tag);
    return section;
}

static void read_sections(const uint8_t *data, size_t size) {
    static const char *const tags[] = {"GMET", "GSTR", "GLAB", "GREL", "GSRC", "GMEN"};
    cflri_section sections[MOST_SECTIONS] = {0};
    cflr_graph *graph;
    size_t n = 0;
    while (size >= 3 && n < MOST_SECTIONS) {
        const char *tag = tags[data[0] % 6];
        size_t length = data[1] | (size_t)data[2] << 8;
        data += 3;
        size -= 3;
        if (length > size) length = size;
        sections[n++] = make_section(tag, data, length);
        data += length;
        size -= length;
    }
    if (cflri_graph_read_sections(context, sections, n, "input", &graph, NULL) == CFLR_OK &&
        cflr_graph_validate(graph, NULL) == CFLR_OK) {
        write_all(graph);
    }
    cflr_graph_free(graph);
    for (size_t i = 0; i < n; i++) free((void *)(uintptr_t)sections[i].packed);
}

static void unpack(const uint8_t *data, size_t size) {
    cflri_bytes plain = {0};
    if (cflri_packing_of((const char *)data, size) == CFLRI_PACKING_NONE) return;
    if (cflri_unpack(context, (const char *)data, size, "input", &plain, NULL) == CFLR_OK) {
        cflri_free(context, plain.data);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!size) return 0;
    unsigned what = data[0] % (N_OTHERS + N_FORMATS);
    data++;
    size--;
    switch (what) {
        case FACTS:
            read_facts(data, size);
            break;
        case SECTIONS:
            read_sections(data, size);
            break;
        case PACKED:
            unpack(data, size);
            break;
        default:
            read_bytes(data, size, formats[what - N_OTHERS]);
            break;
    }
    must(cflr_context_memory(context) == 0);
    return 0;
}
