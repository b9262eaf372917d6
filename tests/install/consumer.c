/* SPDX-License-Identifier: Apache-2.0
 *
 * consumer.c: an outside program: the transitive closure of a path of four vertices.
 */
#include <cflr/cflr.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    static const char rules[] = "P ::= e | P e\n";
    cflr_context *context = NULL;
    cflr_graph_builder *builder = NULL;
    cflr_graph *graph = NULL;
    cflr_grammar *grammar = NULL;
    cflr_result *result = NULL;
    cflr_result_label info;
    uint32_t e;
    int ok = cflr_context_new(NULL, &context, NULL) == CFLR_OK &&
             cflr_graph_builder_new(context, &builder, NULL) == CFLR_OK &&
             cflr_graph_builder_label(builder, "e", NULL, &e, NULL) == CFLR_OK;
    for (uint32_t v = 0; ok && v < 3; v++) {
        ok = cflr_graph_builder_edge(builder, v, v + 1, e, NULL) == CFLR_OK;
    }
    ok = ok && cflr_graph_builder_freeze(builder, &graph, NULL) == CFLR_OK &&
         cflr_grammar_parse(context, rules, strlen(rules), "rules", CFLR_GRAMMAR_AUTO, &grammar,
                            NULL) == CFLR_OK &&
         cflr_solve(graph, grammar, NULL, &result, NULL) == CFLR_OK;
    if (ok) {
        cflr_result_get_label(result, cflr_result_find_label(result, "P"), &info);
        printf("P has %llu pairs, %s\n", (unsigned long long)info.pairs,
               cflr_result_complete(result) ? "complete" : "partial");
    }
    cflr_result_free(result);
    cflr_grammar_free(grammar);
    cflr_graph_free(graph);
    cflr_context_free(context);
    return ok ? 0 : 1;
}
