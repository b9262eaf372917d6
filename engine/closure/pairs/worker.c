/* SPDX-License-Identifier: Apache-2.0
 *
 * worker.c: settling and joining on one partition, and what the workers of a solve share.
 */
#include "engine/closure/pairs/worker.h"

#include <assert.h>
#include <string.h>

#include "base/context.h"
#include "engine/closure/pairs/collect.h"

enum { CHECK_EVERY = 1 << 20, STEPS_LOOKED_UP = 4 };

/* ---- the team ---- */

static void worker_init(cflri_worker *worker, cflri_workers *team, uint32_t self) {
    worker->team = team;
    cflri_partition_init(&worker->part, &team->plan, team->problem->n_vertices, team->of);
    worker->part.split = team->split;
    worker->part.self = self;
}

cflr_status cflri_workers_init(cflri_workers *team, const cflri_problem *problem, uint32_t parts,
                               cflr_error *error) {
    cflr_context *context = problem->context;
    cflr_status st = CFLR_OK;
    *team = (cflri_workers){.problem = problem,
                            .split = cflri_source_split_of(problem->n_vertices, parts)};
    CFLR_TRY(cflri_plan_new(problem, &team->plan, error));
    bool made = true;
    for (int side = 0; side < CFLRI_SIDES; side++) {
        team->of[side] = cflri_alloc_array_zero(context, (size_t)problem->n_vertices + 1,
                                                sizeof *team->of[side]);
        made &= team->of[side] != NULL;
    }
    team->worker = cflri_alloc_array_zero(context, parts, sizeof *team->worker);
    if (!made || !team->worker) return cflri_fail_memory(context, error);
    for (uint32_t p = 0; p < parts; p++) worker_init(&team->worker[p], team, p);
    if (parts == 1) return CFLR_OK;
    CFLR_TRY(cflri_exchange_init(&team->next, context, parts, parts, error));
    CFLR_TRY(cflri_exchange_init(&team->possible, context, parts, parts, error));
out:
    return st;
}

static void end_solving(cflri_workers *team) {
    cflr_context *context = team->problem->context;
    for (uint32_t p = 0; team->worker && p < team->split.parts; p++) {
        cflri_vec_free(context, &team->worker[p].hits);
        cflri_partition_end_solving(&team->worker[p].part);
    }
    cflri_exchange_free(&team->next);
    cflri_exchange_free(&team->possible);
    cflri_free(context, team->of[CFLRI_FROM_LISTS]);
    team->of[CFLRI_FROM_LISTS] = NULL;
}

void cflri_workers_free(cflri_workers *team) {
    cflr_context *context = team->problem->context;
    end_solving(team);
    for (uint32_t p = 0; team->worker && p < team->split.parts; p++) {
        cflri_partition_free(&team->worker[p].part);
    }
    cflri_free(context, team->worker);
    cflri_free(context, team->of[CFLRI_FROM_ROWS]);
    cflri_plan_free(&team->plan);
}

cflr_status cflri_workers_collect(cflri_workers *team, cflri_closure *closure, cflr_error *error) {
    cflr_context *context = team->problem->context;
    cflr_status st = CFLR_OK;
    for (uint32_t p = 0; p < team->split.parts; p++) {
        const cflri_worker *worker = &team->worker[p];
        if (st == CFLR_OK) st = worker->st;
        if (worker->rounds > closure->rounds) closure->rounds = worker->rounds;
        closure->derivations += worker->derivations;
    }
    if (st == CFLR_NO_MEMORY) {
        st = cflri_fail_memory(context, error);
    } else if (st != CFLR_OK) {
        st = cflri_fail_interrupted(context, st, error);
    }
    if (st == CFLR_NO_MEMORY) return st;
    end_solving(team);
    cflri_return_pages(context); /* lists lay between items */
    cflri_model_rows found = {.problem = team->problem,
                              .rows = team->of[CFLRI_FROM_ROWS],
                              .plan = &team->plan,
                              .threads = (int)team->split.parts};
    return cflri_collect(&found, st, closure, error);
}

/* Memory was refused. */
static bool refused(cflri_worker *worker) {
    worker->st = CFLR_NO_MEMORY;
    return false;
}

/* Looks at clock and budget; the first worker also reports progress. */
static bool look_up(cflri_worker *worker) {
    cflr_context *context = worker->part.context;
    cflri_workers *team = worker->team;
    worker->check_at = worker->work + CHECK_EVERY;
    team->pairs += worker->part.pairs - worker->told;
    worker->told = worker->part.pairs;
    worker->gave_up = worker->work > team->problem->budget;
    worker->st = worker->part.self ? cflri_interrupted(context)
                                   : cflri_tick(context, "solve", team->pairs, 0);
    return worker->st == CFLR_OK && !worker->gave_up;
}

/* ---- conclusions ---- */

static bool conclude_kept(cflri_worker *worker, uint32_t left, uint32_t source, const uint32_t *ids,
                          uint32_t n) {
    cflri_partition *part = &worker->part;
    if (!n) return true;
    worker->derivations += n;
    worker->work += n;
    if (worker->work >= worker->check_at && !look_up(worker)) return false;
    if (!cflri_partition_owns(part, source)) {
        cflri_run run = {.label = left, .vertex = source, .n = n, .id = ids};
        worker->sent += n;
        return cflri_exchange_put(&worker->team->possible, cflri_source_owner(part->split, source),
                                  part->self, run) ||
               refused(worker);
    }
    cflri_hashed_row *row = worker->last;
    if (!row || row->vertex != source || row->label != left) {
        row = cflri_partition_make_row(part, left, source);
        if (!row) return refused(worker);
        worker->last = row;
    }
    if (cflri_hashed_row_has_at(row, ids)) return true; /* joined into itself: nothing new */
    return cflri_partition_add(part, row, ids, n) || refused(worker);
}

/* left(source, id) for those of the ids that the filter of `left` keeps. */
static bool conclude(cflri_worker *worker, uint32_t left, uint32_t source, const uint32_t *ids,
                     uint32_t n) {
    const cflri_filter *filter = cflri_problem_filter(worker->team->problem, left);
    if (!filter || !filter->mask_of[source]) return conclude_kept(worker, left, source, ids, n);
    uint32_t first = 0; /* of neighbours that are kept */
    for (uint32_t i = 0; i <= n; i++) {
        if (i < n && cflri_filter_keeps(filter, source, ids[i])) continue;
        if (!conclude_kept(worker, left, source, ids + first, i - first)) return false;
        first = i + 1;
    }
    return true;
}

/* ---- loading ---- */

/* A row of the graph, or what of it lives here. Pairs of fixed symbols are listed at once. */
static bool load_row(cflri_worker *worker, uint32_t symbol, uint32_t source, const uint32_t *ids,
                     uint32_t n) {
    cflri_partition *part = &worker->part;
    const cflri_plan *plan = part->plan;
    bool own = cflri_partition_owns(part, source);
    if (!plan->fixed[symbol]) return !own || conclude(worker, symbol, source, ids, n);
    for (uint32_t i = 0; plan->listed[symbol] && i < n; i++) {
        if (cflri_partition_owns(part, ids[i]) &&
            !cflri_partition_append(part, symbol, ids[i], source)) {
            return refused(worker);
        }
    }
    if (!own || (!plan->read[symbol] && !plan->busy[symbol])) return true;
    cflri_hashed_row *row = cflri_partition_fixed_row(part, symbol, source, ids, n);
    bool queued = row && (!plan->busy[symbol] || cflri_partition_enqueue(part, row));
    return queued || refused(worker);
}

bool cflri_worker_load(cflri_worker *worker) {
    const cflri_problem *problem = worker->team->problem;
    if (!look_up(worker)) return false;
    worker->check_at = UINT64_MAX;
    for (uint32_t s = 0; s < problem->ground->n_symbols; s++) {
        const cflri_relation *input = problem->input[s];
        for (uint32_t r = 0; input && r < input->n_rows; r++) {
            uint32_t n = (uint32_t)cflri_relation_count(input, r);
            if (!load_row(worker, s, input->row[r], input->target + input->start[r], n)) {
                return false;
            }
        }
    }
    worker->derivations = worker->work = 0; /* the graph follows from nothing */
    worker->check_at = problem->budget < CHECK_EVERY ? problem->budget + 1 : CHECK_EVERY;
    return true;
}

/* ---- partners ---- */

typedef struct span {
    const uint32_t *at;
    uint32_t n;
} span;

/* The settled ids behind a hit, reflexive ones of nullable symbols left out. To be asked anew after
 * every conclusion: items move when a row grows. */
static span span_of(const cflri_worker *worker, const cflri_hit *hit) {
    const cflri_hashed_row *row = hit->row;
    uint32_t n = cflri_hashed_row_fixed(row) ? row->count : row->settled;
    uint32_t skip = hit->side == CFLRI_FROM_ROWS && worker->part.plan->nullable[row->label];
    return (span){cflri_hashed_row_items(row) + skip, n - skip};
}

static bool add_hit(cflri_worker *worker, uint64_t step, const cflri_hashed_row *row,
                    cflri_side side) {
    cflri_hit hit = {.left = cflri_step_left(step), .side = side, .row = row};
    return cflri_vec_push(worker->part.context, &worker->hits, hit) || refused(worker);
}

/* The first of the steps whose partner is not below `partner`. */
static uint32_t first_step(cflri_steps steps, uint32_t partner) {
    uint32_t low = 0, high = steps.n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (cflri_step_partner(steps.at[middle]) < partner) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Adds to worker->hits the partners that the grammar asks for among the labels that the vertex has,
 * going through whichever are fewer. */
static bool meet(cflri_worker *worker, cflri_steps steps, uint32_t vertex, cflri_side side) {
    const cflri_directory *directory = &worker->part.at[side].of[vertex];
    const cflri_hashed_row *row;
    if (steps.n <= STEPS_LOOKED_UP || steps.n <= directory->n) {
        for (uint32_t i = 0; i < steps.n; i++) {
            row = cflri_directory_find(directory, cflri_step_partner(steps.at[i]));
            if (row && !add_hit(worker, steps.at[i], row, side)) return false;
        }
        return true;
    }
    for (uint32_t at = 0; (row = cflri_directory_next(directory, &at));) {
        for (uint32_t i = first_step(steps, row->label);
             i < steps.n && cflri_step_partner(steps.at[i]) == row->label; i++) {
            if (!add_hit(worker, steps.at[i], row, side)) return false;
        }
    }
    return true;
}

/* Fills worker->hits with the partners of `symbol` at an own vertex. */
static bool find_partners(cflri_worker *worker, uint32_t symbol, cflri_move move, uint32_t vertex) {
    const cflri_plan *plan = worker->part.plan;
    worker->hits.n = 0;
    cflri_steps rows = cflri_plan_joins(plan, symbol, move, CFLRI_FROM_ROWS);
    cflri_steps lists = cflri_plan_joins(plan, symbol, move, CFLRI_FROM_LISTS);
    return (!rows.n || meet(worker, rows, vertex, CFLRI_FROM_ROWS)) &&
           (!lists.n || meet(worker, lists, vertex, CFLRI_FROM_LISTS));
}

static bool has_joins(const cflri_plan *plan, uint32_t symbol, cflri_move move) {
    const uint64_t *start =
        plan->start + (uint64_t)symbol * CFLRI_SLOTS + (uint32_t)(move * CFLRI_SIDES);
    return start[CFLRI_SIDES] > start[0];
}

/* ---- moves ---- */

/* Pairs X(source, target[0..n)) of one row, settled together. `target` is a copy. */
typedef struct group {
    uint32_t symbol;
    uint32_t source;
    const uint32_t *target;
    uint32_t n;
} group;

static bool copy_and_swap(cflri_worker *worker, const group *g) {
    cflri_steps copies = cflri_plan_slot(worker->part.plan, g->symbol, CFLRI_SLOT_COPY);
    for (uint32_t c = 0; c < copies.n; c++) {
        uint32_t left = cflri_step_left(copies.at[c]);
        if (!conclude(worker, left, g->source, g->target, g->n)) return false;
    }
    cflri_steps swaps = cflri_plan_slot(worker->part.plan, g->symbol, CFLRI_SLOT_SWAP);
    for (uint32_t s = 0; s < swaps.n; s++) {
        uint32_t left = cflri_step_left(swaps.at[s]);
        for (uint32_t i = 0; i < g->n; i++) {
            if (!conclude(worker, left, g->target[i], &g->source, 1)) return false;
        }
    }
    return true;
}

/* The joins of a move at an own vertex, for pairs between it and the others: A(other, partners)
 * ahead, A(partner, others) behind (plan.h). */
static bool join_at(cflri_worker *worker, uint32_t symbol, cflri_move move, uint32_t vertex,
                    const uint32_t *others, uint32_t n) {
    bool is_ahead = move == CFLRI_AHEAD || move == CFLRI_MIRROR_AHEAD;
    if (!find_partners(worker, symbol, move, vertex)) return false;
    for (size_t h = 0; h < worker->hits.n; h++) {
        cflri_hit hit = worker->hits.at[h];
        uint32_t times = is_ahead ? n : span_of(worker, &hit).n;
        for (uint32_t i = 0; i < times; i++) {
            span partners = span_of(worker, &hit);
            bool concluded = is_ahead
                                 ? conclude(worker, hit.left, others[i], partners.at, partners.n)
                                 : conclude(worker, hit.left, partners.at[i], others, n);
            if (!concluded) return false;
        }
    }
    return true;
}

static bool join_at_source(cflri_worker *worker, const group *g, cflri_move move) {
    return !has_joins(worker->part.plan, g->symbol, move) ||
           join_at(worker, g->symbol, move, g->source, g->target, g->n);
}

static bool join_at_targets(cflri_worker *worker, const group *g, cflri_move move) {
    if (!has_joins(worker->part.plan, g->symbol, move)) return true;
    for (uint32_t i = 0; i < g->n; i++) {
        if (!join_at(worker, g->symbol, move, g->target[i], &g->source, 1)) return false;
    }
    return true;
}

/* ---- settling ---- */

/* The group at its targets, all of which live here. Fixed symbols were listed when loaded. */
static bool settle_at_targets(cflri_worker *worker, const group *g) {
    cflri_partition *part = &worker->part;
    if (part->plan->listed[g->symbol] && !part->plan->fixed[g->symbol]) {
        for (uint32_t i = 0; i < g->n; i++) {
            if (!cflri_partition_append(part, g->symbol, g->target[i], g->source)) {
                return refused(worker);
            }
        }
    }
    return join_at_targets(worker, g, CFLRI_AHEAD) &&
           join_at_targets(worker, g, CFLRI_MIRROR_BEHIND);
}

/* Keeps the targets that live here and sends the others to their owners. */
static bool send_away(cflri_worker *worker, group *g) {
    const cflri_partition *part = &worker->part;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < g->n; i++) {
        uint32_t target = g->target[i];
        if (cflri_partition_owns(part, target)) {
            worker->local[kept++] = target;
            continue;
        }
        cflri_run run = {.label = g->symbol, .vertex = g->source, .n = 1, .id = &target};
        worker->sent++;
        if (!cflri_exchange_put(&worker->team->next, cflri_source_owner(part->split, target),
                                part->self, run)) {
            return refused(worker);
        }
    }
    g->target = worker->local;
    g->n = kept;
    return true;
}

/* The row to go on with: the one at hand for as long as joins keep giving it pairs, which then meet
 * a row that is in the cache; after that the first of the queue. */
static cflri_hashed_row *pending_row(cflri_worker *worker) {
    cflri_hashed_row *row = worker->current;
    if (row && row->settled < row->count) return row;
    if (row) row->queued = false;
    worker->current = cflri_partition_dequeue(&worker->part);
    return worker->current;
}

bool cflri_worker_pending(const cflri_worker *worker) {
    const cflri_hashed_row *row = worker->current;
    return (row && row->settled < row->count) || worker->part.queue_head < worker->part.queue.n;
}

bool cflri_worker_step(cflri_worker *worker, bool *idle) {
    cflri_partition *part = &worker->part;
    cflri_hashed_row *row = pending_row(worker);
    *idle = !row;
    if (!row) return true;
    group g = {.symbol = row->label, .source = row->vertex, .target = worker->slice};
    g.n = row->count - row->settled < CFLRI_SLICE ? row->count - row->settled : CFLRI_SLICE;
    memcpy(worker->slice, cflri_hashed_row_items(row) + row->settled, g.n * sizeof *worker->slice);
    row->settled += g.n;
    worker->work += g.n;

    group there = g;
    bool apart = part->plan->at_target[g.symbol];
    if (apart && part->split.parts > 1 && !send_away(worker, &there)) return false;
    return (!apart || settle_at_targets(worker, &there)) && copy_and_swap(worker, &g) &&
           join_at_source(worker, &g, CFLRI_BEHIND) &&
           join_at_source(worker, &g, CFLRI_MIRROR_AHEAD);
}

bool cflri_worker_receive_next(cflri_worker *worker, const cflri_run *run) {
    group g = {.symbol = run->label, .source = run->vertex, .target = run->id, .n = run->n};
    worker->work += g.n;
    return settle_at_targets(worker, &g);
}

bool cflri_worker_receive_possible(cflri_worker *worker, const cflri_run *run) {
    cflri_partition *part = &worker->part;
    cflri_hashed_row *row = cflri_partition_make_row(part, run->label, run->vertex);
    if (!row) return refused(worker);
    worker->work += run->n;
    return cflri_partition_add(part, row, run->id, run->n) || refused(worker);
}
