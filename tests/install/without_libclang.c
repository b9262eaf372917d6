/* SPDX-License-Identifier: Apache-2.0
 *
 * without_libclang.c: an outside program on a machine that has no libclang: reading C fails, and
 * says what is missing.
 */
#include <cflr/cflr.h>
#include <cflr/extract.h>
#include <dlfcn.h>
#include <stdio.h>

/* The library calls this one instead of the system's. */
void *dlopen(const char *file, int mode) {
    (void)file;
    (void)mode;
    return NULL;
}

int main(void) {
    const char *files[] = {__FILE__};
    cflr_context *context = NULL;
    cflr_graph *graph = NULL;
    cflr_extract_opts opts;
    cflr_error error;
    cflr_extract_opts_init(&opts);
    opts.files = files;
    opts.n_files = 1;
    if (cflr_context_new(NULL, &context, NULL) != CFLR_OK) return 1;
    cflr_status st = cflr_extract(context, &opts, &graph, NULL, &error);
    if (st == CFLR_UNAVAILABLE) puts(error.message);
    cflr_graph_free(graph);
    cflr_context_free(context);
    return st == CFLR_UNAVAILABLE && !graph ? 0 : 1;
}
