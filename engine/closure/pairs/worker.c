/* SPDX-License-Identifier: Apache-2.0
 *
 * worker.c: settling and joining on one partition.
 */
#include "engine/closure/pairs/worker.h"

#include <assert.h>
#include <string.h>

#include "base/context.h"

enum { CHECK_EVERY = 1 << 20, STEPS_LOOKED_UP = 4, HANDFUL = 64 };

void cflri_worker_init(cflri_worker *worker, cflri_team *team, uint32_t self) {
    memset(worker, 0, sizeof *worker);
    worker->team = team;
    worker->check_at = CHECK_EVERY;
    cflri_partition_init(&worker->part, &team->plan, team->problem->n_vertices);
    worker->part.deal = team->deal;
    worker->part.self = self;
    worker->part.out = team->out;
    worker->part.in = team->in;
}

void cflri_worker_free(cflri_worker *worker) {
    if (!worker->team) return;
    cflri_vec_free(worker->part.context, &worker->hits);
    cflri_partition_free(&worker->part);
    worker->team = NULL;
}

void cflri_worker_tell(cflri_worker *worker) {
    const cflri_partition *part = &worker->part;
    cflri_report *report = &worker->team->report[part->self];
    report->pairs = part->pairs;
    report->copies = part->copies;
    report->rows = part->rows.n;
    report->solving_bytes = cflri_partition_solving_bytes(part);
}

cflri_end cflri_end_of(cflr_status status) {
    if (status == CFLR_OK) return CFLRI_END_NONE;
    return status == CFLR_CANCELLED ? CFLRI_END_CANCELLED : CFLRI_END_TIME;
}

/* Memory was refused. */
static bool refused(cflri_worker *worker) {
    worker->end = CFLRI_END_REFUSED;
    return false;
}

static bool look_up(cflri_worker *worker) {
    worker->check_at = worker->work + CHECK_EVERY;
    worker->end = worker->check(worker);
    return worker->end == CFLRI_END_NONE;
}

/* ---- loading ---- */

static bool load_lists(cflri_partition *part, uint32_t symbol, const cflri_relation *input) {
    for (uint32_t r = 0; r < input->n_rows; r++) {
        for (uint64_t i = input->start[r]; i < input->start[r + 1]; i++) {
            uint32_t target = input->target[i];
            if (!cflri_partition_owns(part, target)) continue;
            if (!cflri_partition_append(part, symbol, target, input->row[r])) return false;
        }
    }
    return true;
}

static bool load_fixed(cflri_partition *part, uint32_t symbol, const cflri_relation *input) {
    const cflri_plan *plan = part->plan;
    if (plan->listed[symbol] && !load_lists(part, symbol, input)) return false;
    if (!plan->read[symbol] && !plan->busy[symbol]) return true;
    for (uint32_t r = 0; r < input->n_rows; r++) {
        uint64_t at = input->start[r];
        uint32_t n = (uint32_t)(input->start[r + 1] - at);
        if (!cflri_partition_owns(part, input->row[r])) continue;
        if (!cflri_partition_fixed_row(part, symbol, input->row[r], input->target + at, n)) {
            return false;
        }
        if (!plan->busy[symbol]) continue;
        if (!cflri_partition_enqueue(part, cflri_partition_row(part, part->rows.n - 1))) {
            return false;
        }
    }
    return true;
}

/* Adds the targets to a row: `what` is the partition. */
static bool load_targets(void *what, uint32_t symbol, uint32_t source, const uint32_t *ids,
                         uint32_t n) {
    cflri_partition *part = what;
    cflri_hashed_row *row = cflri_partition_make_row(part, symbol, source);
    return row && cflri_partition_add(part, row, ids, n);
}

/* Hands over, a handful at a time, the ids that the filter keeps as targets of the source. */
typedef bool (*take_ids)(void *what, uint32_t symbol, uint32_t source, const uint32_t *ids,
                         uint32_t n);
static bool each_kept(const cflri_problem *problem, uint32_t symbol, uint32_t source,
                      const uint32_t *ids, uint32_t n, take_ids take, void *what) {
    const cflri_filter *filter = cflri_problem_filter(problem, symbol);
    uint32_t kept[HANDFUL], n_kept = 0;
    if (!filter || !filter->mask_of[source]) return take(what, symbol, source, ids, n);
    for (uint32_t i = 0; i < n; i++) {
        if (cflri_filter_keeps(filter, source, ids[i])) kept[n_kept++] = ids[i];
        if (n_kept < HANDFUL && i + 1 < n) continue;
        if (n_kept && !take(what, symbol, source, kept, n_kept)) return false;
        n_kept = 0;
    }
    return true;
}

static bool load_derived(cflri_worker *worker, uint32_t symbol, const cflri_relation *input) {
    cflri_partition *part = &worker->part;
    for (uint32_t r = 0; r < input->n_rows; r++) {
        uint64_t at = input->start[r];
        uint32_t n = (uint32_t)(input->start[r + 1] - at);
        if (!cflri_partition_owns(part, input->row[r])) continue;
        if (!each_kept(worker->team->problem, symbol, input->row[r], input->target + at, n,
                       load_targets, part)) {
            return false;
        }
    }
    return true;
}

bool cflri_worker_load(cflri_worker *worker) {
    cflri_partition *part = &worker->part;
    const cflri_problem *problem = worker->team->problem;
    for (uint32_t s = 0; s < part->plan->n_symbols; s++) {
        const cflri_relation *input = problem->input[s];
        if (!input || !input->n_pairs) continue;
        bool loaded =
            part->plan->fixed[s] ? load_fixed(part, s, input) : load_derived(worker, s, input);
        if (!loaded) return refused(worker);
    }
    return true;
}

/* ---- conclusions ---- */

static bool within(const uint32_t *ids, const cflri_hashed_row *row) {
    uintptr_t items = (uintptr_t)cflri_hashed_row_items(row), at = (uintptr_t)ids;
    return at >= items && at < items + row->capacity * sizeof *ids;
}

static bool conclude_kept(void *what, uint32_t left, uint32_t source, const uint32_t *ids,
                          uint32_t n) {
    cflri_worker *worker = what;
    cflri_partition *part = &worker->part;
    if (!n) return true;
    worker->derivations += n;
    worker->work += n;
    if (worker->work >= worker->check_at && !look_up(worker)) return false;
    if (!cflri_partition_owns(part, source)) {
        cflri_run run = {.label = left, .vertex = source, .n = n, .id = ids};
        worker->sent += n;
        return cflri_exchange_put(&worker->team->possible, cflri_owner(part->deal, source),
                                  part->self, run) ||
               refused(worker);
    }
    cflri_hashed_row *row = worker->last;
    if (!row || row->vertex != source || row->label != left) {
        row = cflri_partition_make_row(part, left, source);
        if (!row) return refused(worker);
        worker->last = row;
    }
    if (within(ids, row)) return true; /* a row joined into itself: nothing new */
    return cflri_partition_add(part, row, ids, n) || refused(worker);
}

static bool conclude(cflri_worker *worker, uint32_t left, uint32_t source, const uint32_t *ids,
                     uint32_t n) {
    return each_kept(worker->team->problem, left, source, ids, n, conclude_kept, worker);
}

/* ---- partners ---- */

typedef struct span {
    const uint32_t *at;
    uint32_t n;
} span;

/* The settled ids behind a hit, reflexive ones of nullable symbols left out. To be asked anew after
 * every conclusion: items move when a row grows. */
static span span_of(const cflri_worker *worker, const cflri_hit *hit) {
    const cflri_partition *part = &worker->part;
    if (hit->side == CFLRI_FROM_LISTS) {
        const cflri_list *list = cflri_partition_list(part, hit->id);
        return (span){cflri_list_items(list), list->count};
    }
    const cflri_hashed_row *row = cflri_partition_row(part, hit->id);
    uint32_t n = cflri_hashed_row_fixed(row) ? row->count : row->settled;
    uint32_t skip = part->plan->nullable[row->label];
    return (span){cflri_hashed_row_items(row) + skip, n - skip};
}

static bool add_hit(cflri_worker *worker, uint64_t step, uint32_t id, cflri_side side) {
    cflri_hit hit = {.left = cflri_step_left(step), .id = id, .side = side};
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

/* Meets the partners that the grammar asks for with the labels that the vertex has, going through
 * whichever are fewer. */
static bool meet(cflri_worker *worker, cflri_steps steps, const cflri_directory *directory,
                 cflri_side side) {
    if (steps.n <= STEPS_LOOKED_UP || steps.n <= directory->n) {
        for (uint32_t i = 0; i < steps.n; i++) {
            const cflri_entry *entry =
                cflri_directory_find(directory, cflri_step_partner(steps.at[i]));
            if (entry && !add_hit(worker, steps.at[i], entry->id, side)) return false;
        }
        return true;
    }
    const cflri_entry *entry;
    for (uint32_t at = 0; (entry = cflri_directory_next(directory, &at));) {
        for (uint32_t i = first_step(steps, entry->label);
             i < steps.n && cflri_step_partner(steps.at[i]) == entry->label; i++) {
            if (!add_hit(worker, steps.at[i], entry->id, side)) return false;
        }
    }
    return true;
}

/* Fills worker->hits with the partners of `symbol` at an own vertex. */
static bool find_partners(cflri_worker *worker, uint32_t symbol, cflri_move move, uint32_t vertex) {
    const cflri_partition *part = &worker->part;
    worker->hits.n = 0;
    cflri_steps rows = cflri_plan_joins(part->plan, symbol, move, CFLRI_FROM_ROWS);
    cflri_steps lists = cflri_plan_joins(part->plan, symbol, move, CFLRI_FROM_LISTS);
    if (rows.n && !meet(worker, rows, &part->out[vertex], CFLRI_FROM_ROWS)) {
        return false;
    }
    return !lists.n || meet(worker, lists, &part->in[vertex], CFLRI_FROM_LISTS);
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
        if (!cflri_exchange_put(&worker->team->next, cflri_owner(part->deal, target), part->self,
                                run)) {
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
    if (apart && part->deal.parts > 1 && !send_away(worker, &there)) return false;
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
