/* SPDX-License-Identifier: Apache-2.0
 *
 * alike.c: do all ends have the same problem? Each end makes a digest of the edges and equations of
 * its plan, and compares it with that of the first end.
 */
#include "engine/spine/alike.h"

#include <xxhash.h>

static uint64_t mix(uint64_t digest, const void *bytes, size_t size) {
    return XXH64(bytes, size, digest);
}

static uint64_t mix_edges(uint64_t digest, const cflri_relation *input) {
    digest = mix(digest, input->row, input->n_rows * sizeof *input->row);
    for (uint32_t r = 0; r < input->n_rows; r++) {
        digest = mix(digest, cflri_relation_targets(input, r),
                     cflri_relation_count(input, r) * sizeof(uint32_t));
    }
    return digest;
}

static uint64_t mix_equation(uint64_t digest, const cflri_equation *e) {
    uint32_t number[] = {e->kind,    e->left,  e->right,      e->by,
                         e->by_back, e->close, e->close_back, e->stratum};
    return mix(digest, number, sizeof number);
}

uint64_t cflri_spine_digest(const cflri_spine_plan *plan) {
    const cflri_problem *problem = &plan->reduced.problem;
    uint64_t digest = problem->n_vertices;
    for (uint32_t s = 0; s < problem->ground->n_symbols; s++) {
        digest = mix(digest, &s, sizeof s);
        if (problem->input[s]) digest = mix_edges(digest, problem->input[s]);
    }
    for (size_t e = 0; e < plan->equations->equation.n; e++) {
        digest = mix_equation(digest, &plan->equations->equation.at[e]);
    }
    return digest;
}

cflr_status cflri_spine_alike(cflri_box_carrier *carrier, const cflri_spine_plan *plan,
                              cflr_error *error) {
    uint64_t own = cflri_spine_digest(plan), first = own;
    int code = carrier->first == 0;
    carrier->settle(carrier, &code, &first, sizeof first);
    if (first == own) return CFLR_OK;
    return cflri_fail(error, CFLR_ARGUMENT, NULL,
                      "graph, grammar or options are not those of rank 0");
}
