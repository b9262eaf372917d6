/* SPDX-License-Identifier: Apache-2.0
 *
 * fuzz_csr.c: hostile files of plain graphs, and rules for making them.
 *
 * The first byte of the input says how the rest is read:
 *
 *     bits 0, 1    0 by its content, 1 and 2 pairs of numbers without and with weights, 3 a rule
 *     bits 2 to 4  symmetric, without loops, with parallel edges
 *     bit 5        a label is asked for; of rules and pairs, weights are left out
 *
 *     bits 6, 7    the order that it is looked at in afterwards; 3: the first line has titles
 *
 * Rows that come of it must be in order, and so must those backwards, which are as many. A name
 * leads to its vertex.
 */
#include <string.h>

#include "base/context.h"
#include "base/plain/csr.h"
#include "tests/fuzz/fuzz.h"

enum { MOST_MEMORY = 8 << 20 };

static void check_rows(const cflr_csr *csr) {
    const uint64_t *start = cflr_csr_start(csr);
    const uint32_t *target = cflr_csr_target(csr);
    uint32_t n = cflr_csr_vertices(csr);
    must(start[0] == 0 && start[n] == cflr_csr_edges(csr));
    must((cflr_csr_weights(csr) == CFLR_WEIGHTS_NONE) == (cflr_csr_weight(csr) == NULL));
    for (uint32_t v = 0; v < n; v++) {
        must(start[v] <= start[v + 1]);
        for (uint64_t e = start[v]; e < start[v + 1]; e++)
            must(target[e] < n && (e == start[v] || target[e - 1] <= target[e]));
    }
}

static cflr_status read_input(cflr_context *context, unsigned how, const char *text, size_t size,
                              cflr_csr **csr, cflr_error *error) {
    static const char *const paths[] = {"graph", "graph.el32", "graph.wel32"};
    const cflri_input input = {.context = context, .data = text, .size = size};
    cflr_csr_opts opts;
    cflr_csr_opts_init(&opts);
    opts.symmetric = how & 4;
    opts.drop_loops = how & 8;
    opts.keep_parallel = how & 16;
    opts.drop_weights = how & 3 && how & 32;
    opts.header = (how & 192) == 192;
    if ((how & 3) == 3) return cflr_csr_generate(context, text, &opts, csr, error);
    return cflri_csr_load_bytes(&input, paths[how & 3], how & 32 ? "a" : NULL, &opts, csr, error);
}

static void check_names(const cflr_csr *csr) {
    for (uint32_t v = 0; cflr_csr_has_names(csr) && v < cflr_csr_vertices(csr); v++)
        must(cflr_csr_find(csr, cflr_csr_name(csr, v)) == v);
}

static void look_backwards(cflr_csr *csr) {
    const cflr_csr *reverse;
    if (cflr_csr_reverse(csr, &reverse, NULL) != CFLR_OK) return;
    check_rows(reverse);
    must(cflr_csr_edges(reverse) == cflr_csr_edges(csr));
}

static void look_in_other_order(const cflr_csr *csr, cflr_order order) {
    cflr_csr *made;
    uint32_t *vertex = malloc((cflr_csr_vertices(csr) + 1) * sizeof *vertex);
    must(vertex != NULL);
    if (cflr_csr_reorder(csr, order, &made, vertex, NULL) == CFLR_OK) {
        check_rows(made);
        check_names(made);
        must(cflr_csr_edges(made) == cflr_csr_edges(csr));
        cflr_csr_free(made);
    }
    free(vertex);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static cflr_context *context;
    cflr_csr *csr;
    cflr_error error = {0};
    if (!context) {
        cflr_context_opts opts;
        cflr_context_opts_init(&opts);
        opts.threads = 2;
        must(cflr_context_new(&opts, &context, NULL) == CFLR_OK);
        context->memory_limit = MOST_MEMORY; /* of its own, whatever the process occupies */
    }
    if (size == 0) return 0;
    char *text = malloc(size);
    must(text != NULL);
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    cflr_status st = read_input(context, data[0], text, size - 1, &csr, &error);
    must((st == CFLR_OK) == (csr != NULL) && (st == CFLR_OK || error.message[0]));
    if (csr) check_rows(csr);
    if (csr) check_names(csr);
    if (csr) look_backwards(csr);
    if (csr) look_in_other_order(csr, (cflr_order)(data[0] / 64 % 3));
    cflr_csr_free(csr);
    free(text);
    must(cflr_context_memory(context) == 0);
    return 0;
}
