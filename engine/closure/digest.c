/* SPDX-License-Identifier: Apache-2.0
 *
 * digest.c: a digest of a problem. Each array is digested behind its length.
 */
#include "engine/closure/digest.h"

#include <string.h>

#include "base/context.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

static void mix(XXH3_state_t *hash, const void *bytes, size_t size) {
    uint64_t length = size;
    XXH3_128bits_update(hash, &length, sizeof length);
    if (size) XXH3_128bits_update(hash, bytes, size);
}

static void mix_edges(XXH3_state_t *hash, const cflri_relation *input) {
    mix(hash, input->row, input->n_rows * sizeof *input->row);
    for (uint32_t r = 0; r < input->n_rows; r++) {
        mix(hash, cflri_relation_targets(input, r),
            cflri_relation_count(input, r) * sizeof(uint32_t));
    }
}

static void mix_grammar(XXH3_state_t *hash, const cflri_ground *ground) {
    for (uint32_t s = 0; s < ground->n_symbols; s++) {
        mix(hash, &ground->symbol[s].converse_of, sizeof ground->symbol[s].converse_of);
    }
    for (uint32_t r = 0; r < ground->n_rules; r++) {
        const cflri_ground_rule *rule = &ground->rule[r];
        const uint32_t word[] = {rule->left, rule->right[0], rule->right[1]};
        mix(hash, word, sizeof word);
    }
    mix(hash, ground->epsilon, ground->n_epsilon * sizeof *ground->epsilon);
}

static void mix_filter(XXH3_state_t *hash, const cflri_filter *filter) {
    mix(hash, filter->mask_of, filter->n_vertices * sizeof *filter->mask_of);
    mix(hash, filter->start, (filter->n_masks + UINT64_C(1)) * sizeof *filter->start);
    mix(hash, filter->class_of, filter->start[filter->n_masks] * sizeof *filter->class_of);
    mix(hash, &filter->single, sizeof filter->single);
    mix_edges(hash, &filter->classes);
}

/* Symbols by the number of their filter, and each filter once. */
static void mix_filters(XXH3_state_t *hash, const cflri_problem *problem) {
    const cflri_filters *filters = problem->filters;
    for (uint32_t s = 0; s < problem->ground->n_symbols; s++) {
        const cflri_filter *filter = cflri_problem_filter(problem, s);
        uint32_t number = filter ? (uint32_t)(filter - filters->filter) : UINT32_MAX;
        mix(hash, &number, sizeof number);
    }
    for (uint32_t i = 0; filters && i < filters->n; i++) mix_filter(hash, &filters->filter[i]);
}

void cflri_problem_digest(const cflri_problem *problem,
                          unsigned char digest[CFLRI_PROBLEM_DIGEST]) {
    XXH3_state_t hash;
    XXH128_canonical_t bytes;
    uint32_t symbols = problem->ground->n_symbols;
    XXH3_128bits_reset(&hash);
    mix(&hash, &problem->n_vertices, sizeof problem->n_vertices);
    mix(&hash, &problem->context->techniques, sizeof problem->context->techniques);
    mix(&hash, problem->wanted, problem->wanted ? symbols : 0);
    for (uint32_t s = 0; s < symbols; s++) {
        mix(&hash, &s, sizeof s);
        if (problem->input[s]) mix_edges(&hash, problem->input[s]);
    }
    mix_grammar(&hash, problem->ground);
    mix_filters(&hash, problem);
    XXH128_canonicalFromHash(&bytes, XXH3_128bits_digest(&hash));
    memcpy(digest, bytes.digest, CFLRI_PROBLEM_DIGEST);
}
