/* SPDX-License-Identifier: Apache-2.0
 *
 * fuzz_rules.c: hostile rules.
 *
 * The input is read as rules. What can be read marks calls of every name that it knows, with and
 * without arguments.
 */
#include <stdlib.h>
#include <string.h>

#include "frontend/summaries/summary_language.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/values.h"

enum { ARGUMENTS = 4 };

static void mark_all(cflr_context *context, const cflri_summaries *summaries) {
    static const char *const keys[ARGUMENTS] = {"a", "b", "c", "d"};
    cflri_facts facts;
    cflri_node arguments[ARGUMENTS];
    must(cflri_facts_init(&facts, context, CFLR_FIELDS_SENSITIVE, NULL) == CFLR_OK);
    for (uint32_t k = 0; k < ARGUMENTS; k++) arguments[k] = root(&facts, keys[k]);
    for (uint32_t i = 1; i < summaries->names.n; i++) {
        const cflri_marked_call call = {.function = cflri_string(&summaries->strings, i),
                                        .place = {.line = 1, .offset = i},
                                        .call = CFLRI_NO_CALL,
                                        .arguments = arguments,
                                        .n_arguments = i % (ARGUMENTS + 1),
                                        .result = i % 2 ? root(&facts, "r") : CFLRI_NO_NODE};
        cflri_rules_mark(summaries, &facts, &call);
    }
    must(facts.status == CFLR_OK);
    for (size_t i = 0; i < facts.assigns.n; i++) {
        cflr_vertex_kind from = facts.nodes.at[facts.assigns.at[i].from].kind;
        cflr_vertex_kind to = facts.nodes.at[facts.assigns.at[i].to].kind;
        must((from == CFLR_VERTEX_SOURCE) != (to == CFLR_VERTEX_SINK));
    }
    cflri_facts_free(&facts);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static cflr_context *context;
    static const cflri_embedded nothing[] = {{NULL, NULL}};
    cflri_summaries *summaries;
    cflr_error error = {0};
    if (!context) must(cflr_context_new(NULL, &context, NULL) == CFLR_OK);
    char *copy = malloc(size + 1);
    must(copy != NULL);
    if (size) memcpy(copy, data, size);
    copy[size] = '\0';
    const cflri_summary_text text = {"rules", copy, CFLRI_SUMMARY_USER};
    must(cflri_summaries_read(context, nothing, NULL, 0, &summaries, NULL) == CFLR_OK);
    cflr_status st = cflri_summary_parse_members(summaries, &text, &error);
    if (st == CFLR_OK) st = cflri_rules_parse(summaries, &text, &error);
    must(st == CFLR_OK || (st == CFLR_SYNTAX && error.line && error.column && error.message[0]));
    if (st == CFLR_OK) mark_all(context, summaries);
    cflri_summaries_free(summaries);
    free(copy);
    must(cflr_context_memory(context) == 0);
    return 0;
}
