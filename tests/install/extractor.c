/* SPDX-License-Identifier: Apache-2.0
 *
 * extractor.c: an outside program: reads itself and finds its own variable.
 */
#include <cflr/cflr.h>
#include <cflr/extract.h>
#include <stdio.h>

int main(void) {
    const char *files[] = {__FILE__};
    const char *p = files[0];
    cflr_context *context = NULL;
    cflr_graph *graph = NULL;
    cflr_extract_report *report = NULL;
    cflr_extract_opts opts;
    cflr_extract_counts counts = {0};
    uint32_t vertex;
    size_t n = 0;
    cflr_extract_opts_init(&opts);
    opts.files = files;
    opts.n_files = 1;
    int ok = p && cflr_context_new(NULL, &context, NULL) == CFLR_OK &&
             cflr_extract(context, &opts, &graph, &report, NULL) == CFLR_OK;
    if (ok) {
        cflr_extract_get_counts(report, &counts);
        ok = cflr_graph_find(graph, "main::p", &vertex, 1, &n, NULL) == CFLR_OK;
        printf("%u unit, p is %s\n", counts.units, ok && n == 1 ? "there" : "missing");
    }
    cflr_extract_report_free(report);
    cflr_graph_free(graph);
    cflr_context_free(context);
    return ok ? 0 : 1;
}
