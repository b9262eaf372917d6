/* SPDX-License-Identifier: Apache-2.0
 *
 * fuzz_cache.c: hostile entries of the cache of units, and what linking makes of the facts that
 * come out.
 *
 * The first byte is 'e' for an entry, 'c' for one whose checksums are put right first, 'p' for a
 * program whose checksums are put right, and 'f' for facts as they lie in an entry when it is
 * unpacked.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/context.h"
#include "frontend/facts/facts_io.h"
#include "frontend/graph/emit.h"
#include "frontend/graph/locations.h"
#include "frontend/store/cache_entry.h"
#include "frontend/store/cache_program.h"
#include "frontend/summaries/rules.h"
#include "tests/fuzz/checksums.h"
#include "tests/fuzz/fuzz.h"

enum { CLONES = 1000 };

/* Facts that were read are linked, twice, and become a graph. */
static void link_all(cflr_context *context, const cflri_summaries *summaries,
                     const cflri_facts *facts) {
    cflri_program program;
    cflri_contexts contexts = {0};
    cflr_graph_builder *builder = NULL;
    cflr_graph *graph = NULL;
    uint64_t pointers;
    cflr_error error = {0};
    cflr_status st =
        cflri_program_init(&program, context, CFLR_FIELDS_SENSITIVE, summaries, &error);
    for (int time = 0; st == CFLR_OK && time < 2; time++)
        st = cflri_program_add(&program, facts, NULL, 0, &error);
    program.strict = true;
    if (st == CFLR_OK) st = cflri_program_close(&program, &error);
    if (st == CFLR_OK)
        st = cflri_contexts_make(&contexts, &program, CFLR_CONTEXT_CLONE, CLONES, &error);
    if (st == CFLR_OK) st = cflri_emit(&contexts, CFLR_CALLS_BRACKETS, &builder, &pointers, &error);
    if (st == CFLR_OK) st = cflri_emit_locations(&contexts, builder, &error);
    if (st == CFLR_OK) st = cflr_graph_builder_freeze(builder, &graph, &error);
    if (graph) must(cflr_graph_validate(graph, &error) == CFLR_OK);
    cflr_graph_free(graph);
    if (program.kept) cflri_contexts_free(&contexts);
    cflri_program_free(&program);
}

static void read_entry(cflr_context *context, const cflri_summaries *summaries, char *data,
                       size_t size, bool right) {
    cflri_entry entry;
    cflri_facts facts = {0};
    cflr_error error = {0};
    if (right) put_checksums_right(data, size);
    cflr_status st = cflri_entry_read(context, data, size, &entry, &error);
    if (st == CFLR_OK) {
        cflri_digest digest;
        must(entry.paths.text.n > 0 && entry.outcome.state != CFLRI_UNIT_LOST);
        st = cflri_entry_said(context, &entry, summaries, &digest, &error);
    }
    if (st == CFLR_OK) {
        st = cflri_entry_facts(context, &entry, CFLR_FIELDS_SENSITIVE, &facts, &error);
    }
    must(st == CFLR_OK || (error.code == st && error.message[0]));
    if (st == CFLR_OK) link_all(context, summaries, &facts);
    cflri_facts_free(&facts);
    cflri_entry_free(context, &entry);
}

/* The key that the program says to have: any other is refused. */
static cflri_digest key_inside(cflr_context *context, const char *data, size_t size) {
    cflri_digest key = {0, 0};
    cflri_section *sections;
    size_t n;
    void *plain = NULL;
    if (cflri_container_open(context, data, size, NULL, &sections, &n, NULL) != CFLR_OK) return key;
    const cflri_section *what = cflri_container_find(sections, n, "WHAT");
    if (what && what->size == sizeof key &&
        cflri_container_unpack(context, what, NULL, &plain, NULL) == CFLR_OK)
        memcpy(&key, plain, sizeof key);
    cflri_free(context, plain);
    cflri_free(context, sections);
    return key;
}

static void read_program(cflr_context *context, char *data, size_t size) {
    cflri_extracted extracted;
    cflr_error error = {0};
    const cflr_note *note;
    const cflr_check *check;
    const cflr_unmodelled *function;
    size_t n;
    put_checksums_right(data, size);
    cflri_digest key = key_inside(context, data, size);
    cflr_status st = cflri_extracted_read(context, data, size, key, &extracted, &error);
    must((st == CFLR_OK) == (extracted.graph != NULL));
    must((st == CFLR_OK) == (extracted.report != NULL));
    must(st == CFLR_OK || (error.code == st && error.message[0]));
    if (st != CFLR_OK) return;
    must(cflr_graph_validate(extracted.graph, &error) == CFLR_OK);
    cflri_report_finish(extracted.report);
    for (size_t i = 0; (note = cflr_extract_note(extracted.report, i)); i++)
        must(note->kind <= CFLR_NOTE_OPEN && note->kind != CFLR_NOTE_CACHE && note->file &&
             note->text);
    for (size_t i = 0; (function = cflr_extract_unmodelled(extracted.report, i)); i++)
        must(function->name && function->prototype && function->file);
    for (size_t i = 0; (check = cflr_extract_check(extracted.report, i)); i++)
        for (size_t k = 0; k < 2 * check->n; k++)
            must(check->vertex[k % 2][k / 2] < cflr_graph_vertices(extracted.graph));
    const cflr_flow *flow = cflr_extract_flows(extracted.report, &n);
    for (size_t i = 0; i < n; i++)
        must(flow[i].source < cflr_graph_vertices(extracted.graph) &&
             flow[i].target < cflr_graph_vertices(extracted.graph) && flow[i].place.file);
    cflr_graph_free(extracted.graph);
    cflr_extract_report_free(extracted.report);
}

static void read_facts(cflr_context *context, const cflri_summaries *summaries, const char *data,
                       size_t size) {
    cflri_facts facts;
    cflr_error error = {0};
    cflr_status st = cflri_facts_read(&facts, context, CFLR_FIELDS_SENSITIVE, data, size, &error);
    must(st == CFLR_OK || (error.code == st && error.message[0]));
    if (st == CFLR_OK) link_all(context, summaries, &facts);
    cflri_facts_free(&facts);
}

/* With a file of the user and rules, which make entries be asked for their names. */
static void make_summaries(cflr_context *context, cflri_summaries **summaries) {
    static const char *const rules[] = {"null", "command"};
    static const char text[] = "mystery: ret = arg0\npool_*: ret = new\n";
    static char path[] = "/tmp/cflr-fuzz-XXXXXX";
    static const char *const files[] = {path};
    int fd = mkstemp(path);
    must(fd >= 0 && write(fd, text, sizeof text - 1) == sizeof text - 1);
    close(fd);
    must(cflri_summaries_new(context, files, 1, summaries, NULL) == CFLR_OK);
    must(cflri_rules_read(*summaries, rules, 2, NULL) == CFLR_OK);
    unlink(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static cflr_context *context;
    static cflri_summaries *summaries;
    static uint64_t memory;
    if (!size) return 0;
    if (!context) {
        must(cflr_context_new(NULL, &context, NULL) == CFLR_OK);
        make_summaries(context, &summaries);
        memory = cflr_context_memory(context);
        context->memory_limit = memory + (UINT64_C(256) << 20);
    }
    char *copy = malloc(size - 1 ? size - 1 : 1); /* no longer, so that reading behind it shows */
    must(copy != NULL);
    memcpy(copy, data + 1, size - 1);
    if (data[0] == 'f')
        read_facts(context, summaries, copy, size - 1);
    else if (data[0] == 'p')
        read_program(context, copy, size - 1);
    else
        read_entry(context, summaries, copy, size - 1, data[0] == 'c');
    must(cflr_context_memory(context) == memory);
    free(copy);
    return 0;
}
