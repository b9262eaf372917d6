/* SPDX-License-Identifier: Apache-2.0
 *
 * fuzz_summaries.c: hostile summaries.
 *
 * The input is read as two texts, cut at its first form feed: the second replaces what the first
 * says. What can be read is applied to calls of every function that it describes, with and without
 * arguments, and to the variables.
 */
#include <stdlib.h>
#include <string.h>

#include "frontend/summaries/summary_language.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/values.h"

enum { ARGUMENTS = 4 };

static void apply(const cflri_summaries *summaries, cflri_facts *facts, size_t entry) {
    static const char *const keys[ARGUMENTS] = {"a", "b", "c", "d"};
    cflri_node arguments[ARGUMENTS];
    for (uint32_t k = 0; k < ARGUMENTS; k++) arguments[k] = root(facts, keys[k]);
    const cflri_call place = {.place = {.line = 1}};
    const char *name = cflri_string(&summaries->strings, summaries->entries.at[entry].name);
    const cflri_external_call call = {.call = cflri_facts_call(facts, &place),
                                      .function = name,
                                      .arguments = arguments,
                                      .n_arguments = (uint32_t)(entry % (ARGUMENTS + 1)),
                                      .result = entry % 2 ? root(facts, "r") : CFLRI_NO_NODE};
    must(cflri_summary_apply(summaries, facts, &call));
}

static void fill(const cflri_summaries *summaries, cflri_facts *facts, size_t entry) {
    const char *name = cflri_string(&summaries->strings, summaries->entries.at[entry].name);
    const cflri_external_variable variable = {
        .name = name, .place = {.line = 1}, .content = root(facts, name)};
    cflri_summary_fill(summaries, facts, &variable);
}

static void apply_all(cflr_context *context, const cflri_summaries *summaries) {
    cflri_facts facts;
    must(cflri_facts_init(&facts, context, CFLR_FIELDS_SENSITIVE, NULL) == CFLR_OK);
    for (size_t i = 1; i < summaries->entries.n; i++)
        (summaries->entries.at[i].variable ? fill : apply)(summaries, &facts, i);
    must(facts.status == CFLR_OK);
    cflri_facts_free(&facts);
}

/* The two texts, as C strings in one block. */
static char *cut(const uint8_t *data, size_t size) {
    char *text = malloc(size + 2);
    must(text != NULL);
    if (size) memcpy(text, data, size);
    text[size] = text[size + 1] = '\0';
    char *end = memchr(text, '\f', size);
    if (end) *end = '\0';
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static cflr_context *context;
    static const cflri_embedded nothing[] = {{NULL, NULL}};
    cflri_summaries *summaries;
    cflr_error error = {0};
    if (!context) must(cflr_context_new(NULL, &context, NULL) == CFLR_OK);
    char *first = cut(data, size), *second = first + strlen(first) + 1;
    const cflri_summary_text texts[] = {{"first", first, CFLRI_SUMMARY_SHIPPED},
                                        {"second", second, CFLRI_SUMMARY_USER}};
    must(cflri_summaries_read(context, nothing, NULL, 0, &summaries, NULL) == CFLR_OK);
    cflr_status st = CFLR_OK;
    for (size_t i = 0; i < 2 && st == CFLR_OK; i++) {
        st = cflri_summary_parse_members(summaries, &texts[i], &error);
        if (st == CFLR_OK) st = cflri_summary_parse_functions(summaries, &texts[i], &error);
    }
    must(st == CFLR_OK || (st == CFLR_SYNTAX && error.line && error.column && error.message[0]));
    if (st == CFLR_OK) apply_all(context, summaries);
    cflri_summaries_free(summaries);
    free(first);
    must(cflr_context_memory(context) == 0);
    return 0;
}
