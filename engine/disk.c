/* SPDX-License-Identifier: Apache-2.0
 *
 * disk.c: the disk of a call of cflr_solve: a work directory (ooc/work.h) that the caller has
 * named, or files without names, which are made when memory ends.
 *
 * A work directory belongs to one problem. Its digest is of all that decides which rows there are,
 * and how they are numbered: the edges, the ground grammar, its filters, the symbols that are asked
 * for, and the techniques; neither the number of threads nor that of slices.
 */
#include "engine/disk.h"

#include <string.h>

#include "base/context.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

static const double checkpoint_every = 60; /* seconds, when the caller has none */

/* ---- the digest ---- */

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

static void mix_filters(XXH3_state_t *hash, const cflri_problem *problem) {
    for (uint32_t s = 0; s < problem->ground->n_symbols; s++) {
        const cflri_filter *filter = cflri_problem_filter(problem, s);
        mix(hash, &s, sizeof s);
        if (!filter) continue;
        mix(hash, filter->mask_of, filter->n_vertices * sizeof *filter->mask_of);
        mix(hash, filter->start, (filter->n_masks + UINT64_C(1)) * sizeof *filter->start);
        mix(hash, filter->vertex, filter->start[filter->n_masks] * sizeof *filter->vertex);
    }
}

static void make_digest(const cflri_problem *problem, unsigned char digest[CFLRI_DIGEST]) {
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
    memcpy(digest, bytes.digest, CFLRI_DIGEST);
}

/* ---- the shelf ---- */

static cflr_status make(cflri_shelf_maker *maker, cflri_shelf **shelf, cflr_error *error) {
    cflri_disk *d = (cflri_disk *)maker;
    cflr_status st = CFLR_OK;
    *shelf = NULL;
    if (d->path) {
        CFLR_TRY(cflri_work_open(d->context, d->path, d->digest, &d->work, error));
    } else {
        CFLR_TRY(cflri_work_make(d->context, NULL, &d->work, error));
    }
    CFLR_TRY(cflri_disk_shelf_new(d->context, d->work, d->resume, &d->shelf, error));
    d->shelf->commits = d->path;
    d->shelf->save_every = d->save_every;
    *shelf = d->shelf;
out:
    return cflri_name_subject(st, d->path ? d->path : "", error);
}

void cflri_disk_init(cflri_disk *d, const cflri_problem *problem, const cflr_solve_opts *opts) {
    *d = (cflri_disk){.maker.make = make,
                      .context = problem->context,
                      .path = opts->work,
                      .resume = opts->resume,
                      .save_every = opts->checkpoint > 0 ? opts->checkpoint : checkpoint_every};
    if (d->path) make_digest(problem, d->digest);
}

void cflri_disk_free(cflri_disk *d, bool keep) {
    cflri_disk_shelf_free(d->shelf);
    cflri_work_close(d->work, keep && d->path);
    *d = (cflri_disk){0};
}
