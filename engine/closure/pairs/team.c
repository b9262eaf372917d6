/* SPDX-License-Identifier: Apache-2.0
 *
 * team.c: what the workers of one solve share, and what they have found in the end.
 */
#include "base/context.h"
#include "engine/closure/pairs/collect.h"
#include "engine/closure/pairs/worker.h"

/* Bytes of relations that are there whatever is derived. */
static uint64_t fixed_bytes(const cflri_team *team) {
    const cflri_problem *problem = team->problem;
    uint64_t bytes = 0;
    for (uint32_t s = 0; s < team->plan.n_symbols; s++) {
        const cflri_relation *input = problem->input[s];
        uint64_t ids = 0;
        if (team->plan.fixed[s] && input) ids += input->n_pairs + 3 * (uint64_t)input->n_rows;
        if (team->plan.nullable[s]) ids += 4 * (uint64_t)problem->n_vertices;
        bytes += ids * sizeof(uint32_t) * team->plan.copies[s];
    }
    return bytes;
}

cflr_status cflri_team_init(cflri_team *team, const cflri_problem *problem, uint32_t parts,
                            cflr_error *error) {
    cflr_context *context = problem->context;
    size_t room = (size_t)problem->n_vertices + 1;
    cflr_status st = CFLR_OK;
    *team = (cflri_team){.problem = problem, .deal = cflri_deal_out(problem->n_vertices, parts)};
    CFLR_TRY(cflri_plan_new(problem, &team->plan, error));
    team->out = cflri_alloc_array_zero(context, room, sizeof *team->out);
    team->in = cflri_alloc_array_zero(context, room, sizeof *team->in);
    team->report = cflri_alloc_array_zero(context, parts, sizeof *team->report);
    if (!team->out || !team->in || !team->report) {
        st = cflri_fail_memory(context, error);
        goto out;
    }
    if (parts > 1) {
        CFLR_TRY(cflri_exchange_init(&team->next, context, parts, error));
        CFLR_TRY(cflri_exchange_init(&team->possible, context, parts, error));
    }
    team->fixed_bytes = fixed_bytes(team);
    for (uint32_t s = 0; s < team->plan.n_symbols; s++) {
        team->mirrors |= team->plan.mirror[s] != CFLRI_NO_SYMBOL;
    }
out:
    if (st != CFLR_OK) cflri_team_free(team);
    return st;
}

static void end_solving(cflri_team *team) {
    cflri_exchange_free(&team->next);
    cflri_exchange_free(&team->possible);
    cflri_free(team->problem->context, team->in);
    team->in = NULL;
}

void cflri_team_free(cflri_team *team) {
    if (!team->problem) return;
    end_solving(team);
    cflri_free(team->problem->context, team->out);
    cflri_free(team->problem->context, team->report);
    if (team->plan.context) cflri_plan_free(&team->plan);
    *team = (cflri_team){0};
}

/* Bytes that reading relations backwards needs beside them: base/graph/relation.c. */
static uint64_t mirror_bytes(const cflri_team *team, uint64_t copies) {
    uint64_t vertices = team->problem->n_vertices;
    if (!team->mirrors) return 0;
    uint64_t mirrored = copies / 2 < 8 * vertices ? copies / 2 : 8 * vertices;
    return mirrored * 2 * sizeof(uint64_t) + vertices * sizeof(uint64_t);
}

bool cflri_team_short_of_memory(cflri_team *team) {
    cflr_context *context = team->problem->context;
    uint64_t pairs = 0, copies = 0, rows = 0, freed = 0;
    for (uint32_t p = 0; p < team->deal.parts; p++) {
        pairs += team->report[p].pairs;
        copies += team->report[p].copies;
        rows += team->report[p].rows;
        freed += team->report[p].solving_bytes;
    }
    team->pairs = pairs;
    if (context->memory_limit == UINT64_MAX) return false;
    /* a row: its number and start, twice with a mirror, and a place among the sorters' bits */
    uint64_t need = team->fixed_bytes + copies * sizeof(uint32_t) + rows * 32 +
                    team->problem->n_vertices * (uint64_t)team->deal.parts / 7;
    need += mirror_bytes(team, copies);
    uint64_t used = cflr_context_memory(context);
    if (used > team->used) need += 2 * (used - team->used);
    team->used = used;
    return need > cflri_memory_left(context) + freed;
}

/* ---- the end ---- */

/* Why the workers ended, told in *error. */
static cflr_status reason(const cflri_team *team, const cflri_worker *workers, cflr_error *error) {
    cflr_context *context = team->problem->context;
    for (uint32_t p = 0; p < team->deal.parts; p++) {
        switch (workers[p].end) {
            case CFLRI_END_NONE:
            case CFLRI_END_BUDGET: /* was not collected */
                continue;
            case CFLRI_END_REFUSED:
                return cflri_fail_memory(context, error);
            case CFLRI_END_FULL:
                return cflri_fail(error, CFLR_LIMIT, NULL,
                                  "memory limit reached: the result would not fit any more");
            case CFLRI_END_CANCELLED:
                return cflri_fail_interrupted(context, CFLR_CANCELLED, error);
            case CFLRI_END_TIME:
                return cflri_fail_interrupted(context, CFLR_LIMIT, error);
        }
    }
    return CFLR_OK;
}

/* What the workers have found. */
typedef struct finding {
    cflri_found found;
    const cflri_team *team;
    const cflri_worker *workers;
} finding;

/* A row that holds pairs of its own. */
static bool next_row(const cflri_found *found, uint32_t vertex, uint32_t *at,
                     cflri_found_row *row) {
    const finding *f = (const finding *)found;
    const cflri_partition *owner = &f->workers[cflri_owner(f->team->deal, vertex)].part;
    const cflri_entry *entry;
    while ((entry = cflri_directory_next(&f->team->out[vertex], at))) {
        const cflri_hashed_row *own = cflri_partition_row(owner, entry->id);
        if (cflri_hashed_row_fixed(own) || !own->count) continue;
        *row = (cflri_found_row){own->label, own->count, cflri_hashed_row_items(own), NULL};
        return true;
    }
    return false;
}

static finding sum_up(const cflri_team *team, const cflri_worker *workers, int threads) {
    const cflri_problem *problem = team->problem;
    cflri_found found = {.problem = problem, .plan = &team->plan, .next = next_row};
    found.threads = threads;
    found.fixed_bytes = team->fixed_bytes;
    if (team->mirrors) found.fixed_bytes += problem->n_vertices * sizeof(uint64_t);
    for (uint32_t p = 0; p < team->deal.parts; p++) {
        const cflri_worker *worker = &workers[p];
        found.targets += worker->part.copies;
        found.rows += worker->part.rows.n * UINT64_C(2);
        found.rounds = worker->rounds > found.rounds ? worker->rounds : found.rounds;
        found.derivations += worker->derivations;
    }
    return (finding){found, team, workers};
}

cflr_status cflri_team_collect(cflri_team *team, cflri_worker *workers, int threads,
                               cflri_closure *closure, cflr_error *error) {
    cflr_status st = reason(team, workers, error);
    if (st != CFLR_OK && st != CFLR_LIMIT && st != CFLR_CANCELLED) return st;
    end_solving(team);
    for (uint32_t p = 0; p < team->deal.parts; p++) cflri_partition_end_solving(&workers[p].part);
    cflri_return_pages(team->problem->context); /* lists lay between items */
    finding f = sum_up(team, workers, threads);
    return cflri_collect(&f.found, st, closure, error);
}
