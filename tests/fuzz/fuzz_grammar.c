/* SPDX-License-Identifier: Apache-2.0
 *
 * fuzz_grammar.c: hostile grammars.
 *
 * The first byte picks the format. What can be read is shown in every stage, which (but for the
 * index) must read back; it is grounded on a graph with some of the labels that seeds use, and
 * written in the formats of other tools, which must read back too.
 */
#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "grammar/equations/ground.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);

static cflr_context *context;
static cflr_graph *graph;
static uint64_t memory_at_rest;

static void make_graph(void) {
    static const char *const names[] = {"a", "b", "d", "A", "V", "f", "f", "g", "call", "ret"};
    static const char *const indexes[] = {NULL, NULL, NULL, NULL, NULL, "8", "16", "8", "1", "1"};
    cflr_graph_builder *builder;
    must(cflr_graph_builder_new(context, &builder, NULL) == CFLR_OK);
    for (uint32_t i = 0; i < 10; i++) {
        uint32_t label;
        must(cflr_graph_builder_label(builder, names[i], indexes[i], &label, NULL) == CFLR_OK);
        must(cflr_graph_builder_edge(builder, i, i * 3 % 10, label, NULL) == CFLR_OK);
    }
    must(cflr_graph_builder_freeze(builder, &graph, NULL) == CFLR_OK);
}

static void free_all(void) {
    cflr_graph_free(graph);
    cflr_context_free(context);
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    cflr_context_opts opts;
    (void)argc;
    (void)argv;
    cflr_context_opts_init(&opts);
    opts.memory_limit = UINT64_C(1) << 30;
    must(cflr_context_new(&opts, &context, NULL) == CFLR_OK);
    make_graph();
    memory_at_rest = cflr_context_memory(context);
    return atexit(free_all);
}

static void read_back(const char *text, cflr_grammar_format format) {
    cflr_grammar *again;
    must(cflr_grammar_parse(context, text, strlen(text), "again", format, &again, NULL) == CFLR_OK);
    cflr_grammar_free(again);
}

static void show_all(const cflr_grammar *grammar, bool grounds) {
    for (int stage = CFLR_STAGE_RULES; stage <= CFLR_STAGE_GROUND; stage++) {
        char *text = NULL;
        if (stage == CFLR_STAGE_GROUND && !grounds) continue;
        must(cflr_grammar_show(grammar, (cflr_grammar_stage)stage, graph, &text, NULL) == CFLR_OK);
        if (stage != CFLR_STAGE_INDEX) read_back(text, CFLR_GRAMMAR_CFLR);
        cflr_text_free(context, text);
    }
}

static void export_all(const cflr_grammar *grammar) {
    for (int format = CFLR_GRAMMAR_POCR; format <= CFLR_GRAMMAR_CFPQ; format++) {
        char *text = NULL;
        cflr_status st =
            cflr_grammar_export(grammar, (cflr_grammar_format)format, graph, &text, NULL);
        must(st == CFLR_OK || st == CFLR_UNSUPPORTED);
        if (text) read_back(text, (cflr_grammar_format)format);
        cflr_text_free(context, text);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    cflr_grammar *grammar;
    cflri_ground *ground;
    cflr_error error = {0};
    if (!size) return 0;
    cflr_grammar_format format = (cflr_grammar_format)(data[0] % 6);
    cflr_status st = cflr_grammar_parse(context, (const char *)data + 1, size - 1, "input", format,
                                        &grammar, &error);
    must((st == CFLR_OK) == (grammar != NULL) && error.code == st);
    if (st == CFLR_OK) {
        st = cflri_ground_new(grammar, graph, &ground, &error);
        must(st == CFLR_OK || st == CFLR_UNSUPPORTED);
        cflri_ground_free(ground);
        show_all(grammar, st == CFLR_OK);
        export_all(grammar);
    } else {
        must(st == CFLR_SYNTAX || st == CFLR_UNSUPPORTED);
        must(error.line && error.column && error.message[0]);
    }
    cflr_grammar_free(grammar);
    must(cflr_context_memory(context) == memory_at_rest);
    return 0;
}
