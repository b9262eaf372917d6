/* SPDX-License-Identifier: Apache-2.0
 *
 * fuzz_result.c: hostile result files.
 *
 * A file of random bytes is refused by its checksums, and most random payloads by their first
 * number. So the input is a list of edits of a good result, eight bytes each,
 *
 *     section  operation  place (16 bits)  value (32 bits)
 *
 * which are applied to the unpacked sections, and the whole is packed again with right checksums.
 * A result that can be read must have every invariant; it is saved and read back, exported, asked
 * and verified against the grammar that the good one came from.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/context.h"
#include "base/files/container.h"
#include "cflr/cflr.h"
#include "engine/results/result.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);

enum { MOST_SECTIONS = 64, ROOM = 1 << 12, EDIT = 8 };

typedef struct section {
    char tag[5];
    size_t size;
    unsigned char data[ROOM];
} section;

typedef struct file {
    size_t n;
    section at[MOST_SECTIONS];
} file;

static cflr_context *context;
static cflr_grammar *grammar;
static file good;
static char directory[64];
static char path[96];

static const char *path_of(const char *name) {
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return path;
}

static void remove_files(void) {
    unlink(path_of("a.cflr"));
    unlink(path_of("b.cflr"));
    unlink(path_of("pairs"));
    rmdir(directory);
    cflr_grammar_free(grammar);
    cflr_context_free(context);
}

/* ---- the good result ---- */

static cflr_graph *make_graph(void) {
    static const struct {
        uint32_t source, target;
        const char *name, *index;
    } edges[] = {{0, 1, "call", "a"}, {1, 2, "e", NULL}, {2, 3, "ret", "a"},
                 {2, 4, "ret", "b"},  {3, 5, "e", NULL}, {6, 1, "call", "b"}};
    cflr_graph_builder *builder;
    cflr_graph *graph;
    uint32_t label;
    must(cflr_graph_builder_new(context, &builder, NULL) == CFLR_OK);
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) {
        must(cflr_graph_builder_label(builder, edges[i].name, edges[i].index, &label, NULL) ==
             CFLR_OK);
        must(cflr_graph_builder_edge(builder, edges[i].source, edges[i].target, label, NULL) ==
             CFLR_OK);
    }
    must(cflr_graph_builder_freeze(builder, &graph, NULL) == CFLR_OK);
    return graph;
}

static void unpack_good(void) {
    cflri_input input;
    cflri_section *sections;
    must(cflri_input_open(context, path_of("a.cflr"), &input, NULL) == CFLR_OK);
    must(cflri_container_open(context, input.data, input.size, "a", &sections, &good.n, NULL) ==
         CFLR_OK);
    must(good.n <= MOST_SECTIONS / 2);
    for (size_t i = 0; i < good.n; i++) {
        void *plain;
        must(sections[i].size <= ROOM / 2);
        must(cflri_container_unpack(context, &sections[i], "a", &plain, NULL) == CFLR_OK);
        memcpy(good.at[i].tag, sections[i].tag, sizeof sections[i].tag);
        memcpy(good.at[i].data, plain, sections[i].size);
        good.at[i].size = sections[i].size;
        cflri_free(context, plain);
    }
    cflri_free(context, sections);
    cflri_input_close(&input);
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    static const char rules[] =
        "%answer flows S\n"
        "S ::= S S | e | O[i] ret[i]\n"
        "O[i] ::= call[i] S | call[i]\n";
    cflr_context_opts opts;
    cflr_result *result;
    (void)argc;
    (void)argv;
    cflr_context_opts_init(&opts);
    opts.threads = 1;
    must(cflr_context_new(&opts, &context, NULL) == CFLR_OK);
    context->memory_limit = UINT64_C(256) << 20;
    snprintf(directory, sizeof directory, "%s/cflr-fuzz-XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    must(mkdtemp(directory) != NULL);
    cflr_graph *graph = make_graph();
    must(cflr_grammar_parse(context, rules, strlen(rules), "rules", CFLR_GRAMMAR_CFLR, &grammar,
                            NULL) == CFLR_OK);
    must(cflr_solve(graph, grammar, NULL, &result, NULL) == CFLR_OK);
    must(cflr_result_save(result, path_of("a.cflr"), NULL) == CFLR_OK);
    cflr_result_free(result);
    cflr_graph_free(graph);
    unpack_good();
    return atexit(remove_files);
}

/* ---- editing ---- */

static void set_word(section *s, size_t at, uint32_t value, bool add) {
    uint32_t word;
    if (s->size < sizeof word) return;
    at %= s->size - sizeof word + 1;
    memcpy(&word, s->data + at, sizeof word);
    word = add ? word + value : value;
    memcpy(s->data + at, &word, sizeof word);
}

static void edit_bytes(section *s, uint8_t operation, uint16_t at, uint32_t value) {
    switch (operation) {
        case 0:
            if (s->size) s->data[at % s->size] = (unsigned char)value;
            break;
        case 1:
            set_word(s, at, value, false);
            break;
        case 2:
            set_word(s, (size_t)at * sizeof value, value, true);
            break;
        case 3:
            s->size = at % (s->size + 1);
            break;
        default:
            if (s->size + sizeof value > ROOM) break;
            memcpy(s->data + s->size, &value, sizeof value);
            s->size += sizeof value;
    }
}

static void edit(file *f, const uint8_t *bytes) {
    uint16_t at;
    uint32_t value;
    memcpy(&at, bytes + 2, sizeof at);
    memcpy(&value, bytes + 4, sizeof value);
    if (!f->n) return;
    section *s = &f->at[bytes[0] % f->n];
    enum { BYTES = 5, REMOVE, COPY, SWAP, OPERATIONS };
    uint8_t operation = bytes[1] % OPERATIONS;
    section *last = &f->at[f->n - 1];
    if (operation < BYTES) {
        edit_bytes(s, operation, at, value);
    } else if (operation == REMOVE) {
        *s = *last;
        f->n--;
    } else if (operation == COPY && f->n < MOST_SECTIONS) {
        f->at[f->n++] = *s;
    } else if (operation == SWAP) {
        section kept = *s;
        *s = *last;
        *last = kept;
    }
}

static void write_file(const file *f) {
    cflri_output *output;
    must(cflri_output_open(context, path_of("a.cflr"), &output, NULL) == CFLR_OK);
    cflri_container_begin(output);
    for (size_t i = 0; i < f->n; i++) {
        must(cflri_container_section(context, output, f->at[i].tag, f->at[i].data, f->at[i].size,
                                     NULL) == CFLR_OK);
    }
    cflri_container_end(output);
    must(cflri_output_close(output, NULL) == CFLR_OK);
}

/* ---- using what was read ---- */

static void ask(const cflr_result *result) {
    static const uint32_t sources[] = {0, 6, UINT32_MAX};
    cflr_vertex_list list;
    for (uint32_t l = 0; l < cflr_result_labels(result); l++) {
        cflr_result_label info;
        cflr_result_get_label(result, l, &info);
        must(cflr_result_find_label(result, info.name) == l);
        must(cflr_result_targets(result, l, sources, 3, &list, NULL) == CFLR_OK);
        cflr_vertex_list_free(context, &list);
    }
    cflr_status st = cflr_result_export(result, NULL, 0, path_of("pairs"), CFLR_GRAPH_TSV, NULL);
    must(st == CFLR_OK || st == CFLR_UNSUPPORTED);
    cflr_result_answer(result, "flows");
}

static void save_again(const cflr_result *result) {
    cflr_result *again;
    cflr_result_stats before, after;
    must(cflr_result_save(result, path_of("b.cflr"), NULL) == CFLR_OK);
    must(cflr_result_load(context, path_of("b.cflr"), &again, NULL) == CFLR_OK);
    cflr_result_get_stats(result, &before);
    cflr_result_get_stats(again, &after);
    must(before.pairs == after.pairs && before.complete == after.complete);
    cflr_result_free(again);
}

static void verify(const cflr_result *result) {
    cflr_verify_report report;
    for (uint64_t samples = 0; samples <= 8; samples += 8) {
        cflr_status st =
            cflr_verify(cflr_result_graph(result), grammar, result, samples, &report, NULL);
        must(st == CFLR_OK || st == CFLR_LIMIT || st == CFLR_UNSUPPORTED);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static file edited;
    cflr_result *result;
    cflr_error error = {0};
    edited = good;
    for (size_t at = 0; at + EDIT <= size; at += EDIT) edit(&edited, data + at);
    write_file(&edited);
    uint64_t held = cflr_context_memory(context);
    cflr_status st = cflr_result_load(context, path_of("a.cflr"), &result, &error);
    if (st == CFLR_OK) {
        must(cflri_result_validate(result, "read", NULL) == CFLR_OK);
        ask(result);
        save_again(result);
        if (cflr_graph_vertices(cflr_result_graph(result)) < 1000) verify(result);
        cflr_result_free(result);
    } else {
        must(!result && error.code == st && error.message[0]);
        must(st == CFLR_FORMAT || st == CFLR_UNSUPPORTED || st == CFLR_LIMIT);
    }
    must(cflr_context_memory(context) == held);
    return 0;
}
