/* SPDX-License-Identifier: Apache-2.0
 *
 * analyze.c: from C files to answers in one call, which chooses all options itself.
 *
 *     analyze P Q FILE.c...       may the pointers hold one address, and what may P point to?
 */
#include <cflr/analyze.h>
#include <cflr/cflr.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static void print_object(const cflr_graph *graph, uint32_t object) {
    cflr_vertex_info info;
    cflr_graph_vertex(graph, object, &info);
    const char *slash = strrchr(info.file, '/');
    printf("    %s:%" PRIu32 ": %s\n", slash ? slash + 1 : info.file, info.line, info.name);
}

static cflr_status ask(cflr_context *context, const cflr_result *result, const char *p,
                       const char *q, cflr_error *error) {
    cflr_through through;
    cflr_vertex_list objects;
    cflr_status st = cflr_result_ask_alias(result, p, q, &through, error);
    if (st == CFLR_OK) st = cflr_result_ask_points_to(result, p, &objects, error);
    if (st != CFLR_OK) return st;
    bool unknown = through == CFLR_THROUGH_LOST || through == CFLR_THROUGH_UNANSWERED;
    const char *answer = through == CFLR_THROUGH_NOTHING ? "no" : unknown ? "unknown" : "yes";
    printf("%s may alias %s: %s\n", p, q, answer);
    printf("%s may point to\n", p);
    for (size_t i = 0; i < objects.count; i++)
        print_object(cflr_result_graph(result), objects.vertices[i]);
    cflr_vertex_list_free(context, &objects);
    return CFLR_OK;
}

int main(int n, char **words) {
    cflr_error error;
    cflr_context *context = NULL;
    cflr_result *result = NULL;
    cflr_analyze_opts opts;
    if (n < 4) return cflr_status_exit_code(CFLR_ARGUMENT);
    cflr_analyze_opts_init(&opts);
    opts.files = (const char *const *)words + 3;
    opts.n_files = (size_t)n - 3;
    cflr_status st = cflr_context_new(NULL, &context, &error);
    if (st == CFLR_OK) st = cflr_analyze(context, &opts, &result, NULL, &error);
    if (st == CFLR_OK) st = ask(context, result, words[1], words[2], &error);
    if (st != CFLR_OK) fprintf(stderr, "%s: %s\n", cflr_status_text(st), error.message);
    cflr_result_free(result);
    cflr_context_free(context);
    return cflr_status_exit_code(st);
}
