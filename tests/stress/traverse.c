/* SPDX-License-Identifier: Apache-2.0
 *
 * The graph engine's primitives with several threads, for ThreadSanitizer (see parallel.c). On a
 * graph of hubs and on one of long ways, with more threads than processors, too; each run is
 * compared with a serial program.
 */
#include "cflr/traverse.h"
#include "cflr/context.h"
#include "cflr/csr.h"
#include "tests/stress/need.h"

static cflr_csr *make(cflr_context *context, const char *rule) {
    cflr_csr_opts opts;
    cflr_csr *csr;
    cflr_error error;
    cflr_csr_opts_init(&opts);
    opts.symmetric = true;
    NEED(cflr_csr_generate(context, rule, &opts, &csr, &error) == CFLR_OK, "%s", error.message);
    NEED(cflr_csr_draw_weights(csr, 1, 255, 1, &error) == CFLR_OK, "%s", error.message);
    return csr;
}

#define ITS_NUMBER(name, number, word, text) CFLR_##name,
static const cflr_primitive primitives[] = {CFLR_PRIMITIVE_LIST(ITS_NUMBER)};

/* `delta`: 0 for the primitive's own. */
static void try_primitive(const char *rule, cflr_primitive primitive, double delta, int threads) {
    cflr_context_opts context_opts;
    cflr_context *context;
    cflr_traverse_opts opts;
    cflr_traversal *t;
    cflr_traverse_report report;
    cflr_error error;
    const uint32_t source = 1;
    cflr_context_opts_init(&context_opts);
    context_opts.threads = threads;
    NEED(cflr_context_new(&context_opts, &context, &error) == CFLR_OK, "%s", error.message);
    cflr_csr *csr = make(context, rule);
    cflr_traverse_opts_init(&opts);
    opts.device = CFLR_DEVICE_CPU;
    if (delta > 0) opts.delta = delta;
    NEED(cflr_traversal_new(csr, primitive, &opts, &t, &error) == CFLR_OK, "%s", error.message);
    NEED(cflr_traversal_run(t, &source, cflr_primitive_asks(primitive).least_sources, &error) ==
             CFLR_OK,
         "%s", error.message);
    NEED(cflr_traversal_verify(t, &report, &error) == CFLR_OK, "%s", error.message);
    NEED(report.wrong == 0, "%s of %s with %d threads: %s", cflr_primitive_name(primitive), rule,
         threads, report.first_failure);
    cflr_traversal_free(t);
    cflr_csr_free(csr);
    cflr_context_free(context);
}

int main(void) {
    static const char *const rules[] = {"rmat:12", "grid:120:150"};
    for (size_t r = 0; r < sizeof rules / sizeof *rules; r++) {
        for (int threads = 2; threads <= 5; threads++) {
            for (size_t p = 0; p < sizeof primitives / sizeof *primitives; p++)
                try_primitive(rules[r], primitives[p], 0, threads);
            try_primitive(rules[r], CFLR_SSSP, 1000, threads);
        }
    }
    puts("stress: primitives with threads hold");
    return 0;
}
