/* SPDX-License-Identifier: Apache-2.0
 *
 * traversal.c: what a caller sees of the graph engine.
 */
#include "engine/traverse/traversal.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "base/plain/csr_mapped.h"
#include "base/sized.h"
#include "engine/traverse/degree_order.h"
#include "engine/traverse/device.h"
#include "engine/traverse/team.h"

/* ---- options ---- */

void cflr_traverse_opts_init_sized(cflr_traverse_opts *opts, size_t struct_size) {
    const cflr_traverse_opts defaults = {
        .damping = 0.85, .tolerance = 1e-4, .most_iterations = 100};
    CFLRI_GIVE_OPTS(opts, struct_size, defaults);
}

static cflr_status take_opts(cflr_traverse_opts *chosen, const cflr_traverse_opts *opts,
                             cflr_error *error) {
    cflr_traverse_opts_init(chosen);
    cflr_status st = CFLRI_TAKE_OPTS(chosen, opts, "cflr_traverse_opts", error);
    if (st != CFLR_OK) return st;
    if (!(chosen->damping >= 0 && chosen->damping < 1))
        return cflri_fail(error, CFLR_ARGUMENT, NULL, "damping %g is not in [0, 1)",
                          chosen->damping);
    if (!(chosen->tolerance >= 0))
        return cflri_fail(error, CFLR_ARGUMENT, NULL, "a tolerance of %g", chosen->tolerance);
    if (chosen->split == 1)
        return cflri_fail(error, CFLR_ARGUMENT, NULL,
                          "vertices of one edge are split from nothing");
    if ((chosen->schedule != CFLR_SCHEDULE_AUTO || chosen->gpus > 1) &&
        chosen->device == CFLR_DEVICE_AUTO)
        chosen->device = CFLR_DEVICE_GPU;
    return CFLR_OK;
}

/* ---- is the graph what the primitive needs? ---- */

static double weight_of(const cflr_csr *csr, uint64_t edge) {
    if (csr->weights == CFLR_WEIGHTS_INT32) return ((const int32_t *)csr->weight)[edge];
    return ((const float *)csr->weight)[edge];
}

/* Rows in a file were looked at when it was opened. */
static cflr_status check_weights_of_file(cflr_traversal *t, const char *name, cflr_error *error) {
    const cflri_packed_facts *facts = &t->csr->mapped->facts;
    if (facts->negative)
        return cflri_fail(error, CFLR_ARGUMENT, NULL, "%s: there are edges of negative weight",
                          name);
    t->mean_weight = t->csr->n_edges ? facts->weight / (double)t->csr->n_edges : 0;
    return CFLR_OK;
}

static cflr_status check_weights(cflr_traversal *t, const char *name, cflr_error *error) {
    const cflr_csr *csr = t->csr;
    double sum = 0;
    if (cflri_csr_is_mapped(csr)) return check_weights_of_file(t, name, error);
    for (uint32_t v = 0; v < csr->n_vertices; v++) {
        for (uint64_t e = csr->start[v]; e < csr->start[v + 1]; e++) {
            double weight = weight_of(csr, e);
            if (weight < 0)
                return cflri_fail(error, CFLR_ARGUMENT, NULL,
                                  "%s: the edge from %u to %u has a negative weight", name, v,
                                  csr->target[e]);
            sum += weight;
        }
    }
    t->mean_weight = csr->n_edges ? sum / (double)csr->n_edges : 0;
    return CFLR_OK;
}

/* All together, so that no sum of some of them is too large. */
static cflr_status check_sum(const cflr_traversal *t, const char *name, cflr_error *error) {
    const cflr_csr *csr = t->csr;
    bool is_mapped = cflri_csr_is_mapped(csr);
    double sum = is_mapped ? csr->mapped->facts.weight : 0;
    for (uint64_t e = 0; !is_mapped && e < csr->n_edges; e++) sum += fabs(weight_of(csr, e));
    if (sum <= (double)FLT_MAX) return CFLR_OK;
    return cflri_fail(error, CFLR_UNSUPPORTED, NULL,
                      "%s adds weights up, and all of them are more than a float32 holds", name);
}

static cflr_status check_graph(cflr_traversal *t, cflr_error *error) {
    const cflr_primitive_needs *needs = &t->primitive->needs;
    const char *name = t->primitive->name;
    if (needs->symmetric && !t->csr->symmetric)
        return cflri_fail(error, CFLR_ARGUMENT, NULL,
                          "%s needs a graph that was asked for with each edge both ways", name);
    if (t->primitive->numbers_edges && t->csr->n_edges > UINT32_MAX)
        return cflri_fail(error, CFLR_UNSUPPORTED, NULL,
                          "%s: %" PRIu64 " edges are more than fit into 32 bits", name,
                          t->csr->n_edges);
    if (t->opts.split && !t->primitive->split)
        return cflri_fail(error, CFLR_ARGUMENT, NULL,
                          "%s counts edges or looks at neighbours, which vertices that are split "
                          "have others of",
                          name);
    if (t->opts.idempotent && !t->primitive->may_repeat)
        return cflri_fail(error, CFLR_ARGUMENT, NULL, "%s has no idempotent mode: only bfs has",
                          name);
    if (t->opts.hops && !t->primitive->has_levels)
        return cflri_fail(error, CFLR_ARGUMENT, NULL, "%s has no bound on hops: only bfs has",
                          name);
    if (t->opts.circle && !t->primitive->has_circle)
        return cflri_fail(error, CFLR_ARGUMENT, NULL, "%s has no circle of trust: only wtf has",
                          name);
    if (!needs->weights) return CFLR_OK;
    if (!t->csr->weights && t->csr->n_edges)
        return cflri_fail(error, CFLR_ARGUMENT, NULL, "%s needs weights, the graph has none", name);
    cflr_status st = t->primitive->any_weight ? CFLR_OK : check_weights(t, name, error);
    return st == CFLR_OK && t->primitive->adds_weights ? check_sum(t, name, error) : st;
}

/* ---- making ---- */

/* Weights that a primitive does not look at keep no two edges apart. */
static cflr_status leave_out_weights(cflr_traversal *t, cflr_error *error) {
    const cflr_csr *csr = t->csr;
    cflr_csr_opts opts;
    if (t->primitive->needs.weights || !t->primitive->counts_edges) return CFLR_OK;
    if (!csr->weights || !csr->has_parallel || csr->keeps_parallel) return CFLR_OK;
    cflr_status st = cflr_csr_read_rows(t->csr, error);
    if (st != CFLR_OK) return st;
    cflr_csr_opts_init(&opts);
    opts.drop_weights = true;
    st = cflri_csr_change(csr, &opts, &t->simple, error);
    if (st == CFLR_OK) t->csr = t->simple;
    return st;
}

static uint64_t element_size(uint32_t type) {
    static const uint8_t size[] = {
        [CFLR_COLUMN_UINT8] = 1,   [CFLR_COLUMN_UINT32] = 4,  [CFLR_COLUMN_UINT64] = 8,
        [CFLR_COLUMN_FLOAT32] = 4, [CFLR_COLUMN_FLOAT64] = 8, [CFLRI_COLUMN_OF_WEIGHT] = 4};
    return size[type];
}

static uint64_t column_length(const cflr_traversal *t, const cflri_column *column) {
    uint64_t n = t->task->out.n;
    switch (column->per) {
        case CFLRI_PER_VERTEX:
            return n;
        case CFLRI_PER_HALF_EDGES:
            return t->csr->n_edges / 2;
        case CFLRI_PER_WORD:
            return (n + 63) / 64;
        case CFLRI_PER_LEVEL:
            return n + 2;
        case CFLRI_PER_EDGE_WORD:
            return (t->csr->n_edges + 63) / 64;
        case CFLRI_PER_CELL:
            return CFLRI_CELLS;
    }
    return 0;
}

static void **column_of(const cflr_traversal *t, const cflri_column *column) {
    return (void **)((char *)t->task + column->offset);
}

/* Those that are not there; on a device, those that come back from it. */
static cflr_status make_columns(cflr_traversal *t, cflr_error *error) {
    for (const cflri_column *c = t->primitive->column; c->offset; c++) {
        if (c->when_pushing && t->opts.way != CFLR_WAY_PUSH) continue;
        if (*column_of(t, c) || (t->device && !c->name)) continue;
        *column_of(t, c) =
            cflri_alloc_array(t->context, column_length(t, c), element_size(c->type));
        if (!*column_of(t, c)) return cflri_fail_memory(t->context, error);
    }
    return CFLR_OK;
}

/* Where the rows are in a file, `weight` only says, by not being NULL, that there are weights. */
static cflri_rows rows_of(const cflr_csr *csr) {
    const void *weight = csr->weight;
    if (cflri_csr_is_mapped(csr) && csr->weights) weight = csr->mapped->view.words;
    return (cflri_rows){.n = csr->n_vertices,
                        .m = csr->n_edges,
                        .start = csr->start,
                        .whole = csr->start,
                        .target = csr->target,
                        .weight = weight};
}

/* Can the device read rows where a file has them? */
static bool reads_files(const cflr_traversal *t) {
    const cflr_traverse_opts *opts = &t->opts;
    bool is_packed = opts->transfer == CFLR_TRANSFER_AUTO || opts->transfer == CFLR_TRANSFER_PACKED;
    bool one_way = t->primitive->form == CFLRI_AS_IT_IS ||
                   (t->primitive->form == CFLRI_BOTH_WAYS && t->csr->symmetric);
    return t->device && is_packed && one_way && opts->schedule == CFLR_SCHEDULE_AUTO &&
           opts->gpus <= 1 && !opts->split && !opts->idempotent;
}

static uint32_t split_weight(const cflr_traversal *t) {
    const float greatest = FLT_MAX;
    uint32_t bits = INT32_MAX;
    if (t->primitive->split != CFLRI_SPLIT_GREATEST) return 0;
    if (t->csr->weights == CFLR_WEIGHTS_FLOAT32) memcpy(&bits, &greatest, sizeof bits);
    return bits;
}

/* What it runs on, where that is not the graph itself. */
static cflr_status make_form(cflr_traversal *t, cflr_error *error) {
    if (t->primitive->form == CFLRI_BY_DEGREE)
        return cflri_degree_order(t->csr, t->device != NULL, &t->made, error);
    if (!t->opts.split) return CFLR_OK;
    return cflri_csr_split(t->csr, t->opts.split, split_weight(t), &t->made, error);
}

static cflr_status make_rows(cflr_traversal *t, cflr_error *error) {
    double begin = cflri_now();
    cflr_status st = reads_files(t) ? CFLR_OK : cflr_csr_read_rows(t->csr, error);
    if (st == CFLR_OK) st = make_form(t, error);
    cflr_csr *csr = t->made ? t->made : t->csr;
    const cflr_csr *back = csr;
    if (st == CFLR_OK && t->primitive->form == CFLRI_BOTH_WAYS)
        st = cflr_csr_reverse(csr, &back, error);
    t->stats.transform_seconds = cflri_now() - begin;
    if (st != CFLR_OK) return st;
    t->task->out = rows_of(csr);
    t->task->in = rows_of(back);
    if (!t->primitive->needs.weights) t->task->out.weight = t->task->in.weight = NULL;
    t->task->edges = csr->n_edges;
    t->task->n_named = t->csr->n_vertices;
    return CFLR_OK;
}

/* Vertices and edges that are worth a thread. */
enum { WORTH_A_THREAD = 1 << 14 };

static cflr_status make_team(cflr_traversal *t, cflr_error *error) {
    uint64_t n = t->task->out.n, worth = (n + t->task->out.m) / WORTH_A_THREAD + 1;
    uint64_t sums = n / CFLRI_VERTICES_A_SUM + 1, most = (uint64_t)cflr_context_threads(t->context);
    cflri_team *team = t->team = cflri_alloc_zero(t->context, sizeof *team);
    if (!team) return cflri_fail_memory(t->context, error);
    t->threads = (uint32_t)(worth < most ? worth : most);
    team->context = t->context;
    team->words = (n + CFLRI_WORD_BITS - 1) / CFLRI_WORD_BITS;
    team->slot = cflri_alloc_array_zero(t->context, t->threads, sizeof *team->slot);
    team->real[0] = cflri_alloc_array(t->context, sums, sizeof *team->real[0]);
    team->real[1] = cflri_alloc_array(t->context, sums, sizeof *team->real[1]);
    bool marks = t->primitive->form == CFLRI_BY_DEGREE;
    if (marks)
        team->marks =
            cflri_alloc_array_zero(t->context, t->threads * team->words, sizeof *team->marks);
    if (!team->slot || !team->real[0] || !team->real[1] || (marks && !team->marks))
        return cflri_fail_memory(t->context, error);
    return CFLR_OK;
}

/* Widths: a share of all that there are. Those of many vertices are alike, so that the smallest
 * steps leave a processor enough to do, and in a grid any others look along most edges again and
 * again. */
static double choose_width(const cflr_traversal *t) {
    if (t->csr->weights == CFLR_WEIGHTS_FLOAT32) return t->device ? 1 << 22 : 1 << 17;
    return t->mean_weight / (t->device ? 4 : 128);
}

/* About as much as the edges of a vertex weigh, over the square of their number: a few of them are
 * near. A GPU wants more of them at once, and so do many threads where rows are short. The numbers
 * come from R-MAT graphs and grids. */
static double choose_delta(const cflr_traversal *t) {
    double degree = (double)t->csr->n_edges / (t->csr->n_vertices + 1.0) + 1;
    if (t->primitive->by_width) return choose_width(t);
    if (t->device) return 192 * t->mean_weight / (degree * degree);
    return t->mean_weight * (140 / pow(degree, 2.25) + 150 * t->threads / pow(degree, 4));
}

enum { USUAL_CIRCLE = 1000 };

static void set_parameters(cflr_traversal *t) {
    cflri_primitive_task *task = t->task;
    task->way = t->opts.way;
    task->circle = t->opts.circle ? t->opts.circle : USUAL_CIRCLE;
    task->hops = t->opts.hops ? t->opts.hops : UINT32_MAX;
    task->idempotent = t->opts.idempotent;
    task->damping = t->opts.damping;
    task->tolerance = t->opts.tolerance;
    task->most_iterations = t->opts.most_iterations;
    task->delta = t->opts.delta > 0 ? t->opts.delta : choose_delta(t);
    task->real_weights = t->csr->weights == CFLR_WEIGHTS_FLOAT32;
    task->outcome = &t->outcome;
}

/* ---- where it runs ---- */

/* Vertices and edges; to find a GPU and to copy the graph takes some tenths of a second. */
enum { WORTH_A_DEVICE = 1 << 22 };

static void choose_processor(cflr_traversal *t) {
    t->device = NULL;
    t->stats.device = CFLR_DEVICE_CPU;
    t->stats.device_name = "cpu";
    t->stats.schedule = "rows";
    t->stats.transfer = "-";
    t->stats.why = "rows are dealt out to the threads in handfuls";
}

/* That there is a library does not mean that there is a GPU, which shows when it prepares. */
static cflr_status find_device(cflr_traversal *t, cflr_error *error) {
    char why[160];
    if (t->opts.device == CFLR_DEVICE_CPU && t->opts.schedule != CFLR_SCHEDULE_AUTO)
        return cflri_fail(error, CFLR_ARGUMENT, NULL, "schedule '%s' is one of a GPU",
                          cflr_schedule_name(t->opts.schedule));
    if (t->opts.device == CFLR_DEVICE_CPU && t->opts.transfer != CFLR_TRANSFER_AUTO)
        return cflri_fail(error, CFLR_ARGUMENT, NULL, "transfer '%s' is one to a GPU",
                          cflr_transfer_name(t->opts.transfer));
    if (t->opts.device == CFLR_DEVICE_CPU && t->opts.gpus > 1)
        return cflri_fail(error, CFLR_ARGUMENT, NULL, "%u GPUs cannot share a run on the processor",
                          t->opts.gpus);
    bool on_host = t->primitive->which == CFLRI_OWN_PRIMITIVE || t->primitive->on_host;
    if (on_host && t->opts.device == CFLR_DEVICE_GPU)
        return cflri_fail(error, CFLR_UNSUPPORTED, NULL, "%s runs on the processor only",
                          t->primitive->name);
    if (on_host) return CFLR_OK;
    if (t->opts.device == CFLR_DEVICE_CPU || t->csr->n_vertices == 0) return CFLR_OK;
    if (t->opts.device == CFLR_DEVICE_AUTO && t->csr->n_vertices + t->csr->n_edges < WORTH_A_DEVICE)
        return CFLR_OK;
    t->device = cflri_device_load(why, sizeof why);
    if (t->device) return CFLR_OK;
    if (t->opts.device == CFLR_DEVICE_GPU)
        return cflri_fail(error, CFLR_UNAVAILABLE, NULL, "no GPU: %s", why);
    t->stats.why = "there is no GPU library; rows are dealt out to the threads in handfuls";
    return CFLR_OK;
}

/* Where no GPU was asked for, the processor does what it cannot do. */
static cflr_status prepare_device(cflr_traversal *t, cflr_error *error) {
    if (!t->device) return CFLR_OK;
    cflr_status st = t->device->prepare(t, &t->device_state, &cflri_device_services, error);
    if (st == CFLR_OK || t->opts.device == CFLR_DEVICE_GPU) return st;
    choose_processor(t);
    if (cflri_csr_is_mapped(t->csr)) {
        cflr_status read = make_rows(t, error);
        if (read != CFLR_OK) return read;
    }
    t->stats.why = st == CFLR_NO_MEMORY
                       ? "the graph does not fit into the GPU's memory; rows are dealt out to the "
                         "threads in handfuls"
                       : "there is no GPU; rows are dealt out to the threads in handfuls";
    return make_columns(t, error);
}

cflr_status cflri_traversal_new(cflr_csr *csr, const cflri_primitive *primitive,
                                const cflr_traverse_opts *opts, cflr_traversal **traversal,
                                cflr_error *error) {
    cflr_status st = CFLR_OK;
    cflr_context *context = csr->context;
    uint64_t before = cflr_context_memory(context);
    *traversal = NULL;
    cflr_traversal *t = cflri_alloc_zero(context, sizeof *t);
    if (!t) return cflri_fail_memory(context, error);
    t->context = context;
    t->csr = csr;
    t->primitive = primitive;
    CFLR_TRY(take_opts(&t->opts, opts, error));
    CFLR_TRY(check_graph(t, error));
    CFLR_TRY(leave_out_weights(t, error));
    choose_processor(t);
    CFLR_TRY(find_device(t, error));
    t->task = cflri_alloc_zero(context, t->primitive->task_size);
    if (!t->task) CFLR_TRY(cflri_fail_memory(context, error));
    CFLR_TRY(make_rows(t, error));
    CFLR_TRY(make_columns(t, error));
    CFLR_TRY(make_team(t, error));
    set_parameters(t);
    t->stats.memory = cflr_context_memory(context) - before;
    CFLR_TRY(prepare_device(t, error));
    *traversal = t;
    return CFLR_OK;
out:
    cflr_traversal_free(t);
    return st;
}

cflr_status cflr_traversal_new(cflr_csr *csr, cflr_primitive primitive,
                               const cflr_traverse_opts *opts, cflr_traversal **traversal,
                               cflr_error *error) {
    return cflri_traversal_new(csr, cflri_primitive_of(primitive), opts, traversal, error);
}

static void free_team(cflr_traversal *t) {
    if (!t->team) return;
    cflri_free(t->context, t->team->slot);
    cflri_free(t->context, t->team->real[0]);
    cflri_free(t->context, t->team->real[1]);
    cflri_free(t->context, t->team->marks);
    cflri_free(t->context, t->team);
}

void cflr_traversal_free(cflr_traversal *t) {
    if (!t) return;
    if (t->device) t->device->release(t->device_state);
    free_team(t);
    for (const cflri_column *c = t->primitive->column; t->task && c->offset; c++)
        cflri_free(t->context, *column_of(t, c));
    if (t->task) cflri_free(t->context, (uint32_t *)t->task->source);
    cflri_free(t->context, t->edge);
    cflri_free(t->context, t->task);
    cflr_csr_free(t->made);
    cflr_csr_free(t->simple);
    cflri_free(t->context, t);
}

/* ---- running ---- */

static cflr_status take_sources(cflr_traversal *t, const uint32_t *sources, uint32_t n,
                                cflr_error *error) {
    const cflr_primitive_needs *needs = &t->primitive->needs;
    const char *name = t->primitive->name;
    if (n < needs->least_sources || n > needs->most_sources)
        return cflri_fail(error, CFLR_ARGUMENT, NULL, "%s takes %u to %u sources, not %u", name,
                          needs->least_sources, needs->most_sources, n);
    for (uint32_t i = 0; i < n; i++) {
        if (sources[i] >= t->csr->n_vertices)
            return cflri_fail(error, CFLR_ARGUMENT, NULL,
                              "%s: source %u, but the graph has %u vertices", name, sources[i],
                              t->csr->n_vertices);
    }
    uint32_t *kept = cflri_alloc_array(t->context, n, sizeof *kept);
    if (!kept) return cflri_fail_memory(t->context, error);
    if (n) memcpy(kept, sources, n * sizeof *kept);
    cflri_free(t->context, (uint32_t *)t->task->source);
    t->task->source = kept;
    t->task->n_sources = n;
    return CFLR_OK;
}

enum { MOST_TASK = 1024 };

/* One thread. Its copy of the task is its own. */
static void work(void *what, cflri_crew *crew, uint32_t self) {
    cflr_traversal *t = what;
    _Alignas(64) char task[MOST_TASK];
    cflri_thread m = {.team = t->team, .crew = crew, .self = self};
    memcpy(task, t->task, t->primitive->task_size);
    t->primitive->run(&m, task);
    t->team->slot[self].inspected = m.inspected;
}

static void begin_team(cflr_traversal *t) {
    memset(t->team->counters, 0, sizeof t->team->counters);
    t->team->stop[0] = t->team->stop[1] = false;
    for (uint32_t i = 0; i < t->threads; i++) t->team->slot[i].inspected = 0;
}

static void run_here(cflr_traversal *t) {
    begin_team(t);
    double begin = cflri_now();
    cflri_crew_run(t->threads, work, t);
    t->stats.run_seconds = cflri_now() - begin;
    for (uint32_t i = 0; i < t->threads; i++)
        t->stats.edges_inspected += t->team->slot[i].inspected;
}

static cflr_status judge(const cflr_traversal *t, cflr_error *error) {
    cflr_status st = cflri_interrupted(t->context);
    if (st != CFLR_OK) return cflri_fail_interrupted(t->context, st, error);
    if (t->outcome.refused) return cflri_fail_memory(t->context, error);
    if (t->outcome.overflow)
        return cflri_fail(error, CFLR_LIMIT, NULL, "%s: a distance does not fit into 32 bits",
                          t->primitive->name);
    return CFLR_OK;
}

/* ---- edges that were chosen ---- */

static const cflri_column *chosen_edges(const cflr_traversal *t) {
    for (const cflri_column *c = t->primitive->column; c->offset; c++)
        if (c->name && c->per == CFLRI_PER_EDGE_WORD) return c;
    return NULL;
}

static cflr_status list_edges(cflr_traversal *t, const uint64_t *bits, cflr_error *error) {
    uint64_t at = 0, words = (t->csr->n_edges + 63) / 64;
    double weight = 0;
    t->outcome.count = 0;
    for (uint64_t w = 0; w < words; w++)
        t->outcome.count += (unsigned)__builtin_popcountll(bits[w]);
    cflr_status st = cflr_csr_read_rows(t->csr, error); /* for the weights */
    if (st != CFLR_OK) return st;
    cflri_free(t->context, t->edge);
    t->edge = cflri_alloc_array(t->context, t->outcome.count, sizeof *t->edge);
    if (!t->edge) return cflri_fail_memory(t->context, error);
    for (uint64_t w = 0; w < words; w++) {
        for (uint64_t left = bits[w]; left; left &= left - 1) {
            t->edge[at] = w * 64 + (unsigned)__builtin_ctzll(left);
            weight += weight_of(t->csr, t->edge[at++]);
        }
    }
    t->outcome.number = weight;
    return CFLR_OK;
}

cflr_status cflr_traversal_run(cflr_traversal *t, const uint32_t *sources, uint32_t n_sources,
                               cflr_error *error) {
    t->done = false;
    cflr_status st = take_sources(t, sources, n_sources, error);
    if (st != CFLR_OK) return st;
    t->outcome = (cflri_outcome){0};
    t->stats.edges_inspected = 0;
    if (t->device)
        st = t->device->run(t, t->device_state, &cflri_device_services, error);
    else if (t->csr->n_vertices)
        run_here(t);
    t->stats.iterations = t->outcome.iterations;
    if (st == CFLR_OK) st = judge(t, error);
    const cflri_column *edges = chosen_edges(t);
    if (st == CFLR_OK && edges) st = list_edges(t, *column_of(t, edges), error);
    t->done = st == CFLR_OK;
    return st;
}

/* ---- looking ---- */

static cflr_column_type type_of(const cflr_traversal *t, const cflri_column *c) {
    if (c->type != CFLRI_COLUMN_OF_WEIGHT) return (cflr_column_type)c->type;
    return t->csr->weights == CFLR_WEIGHTS_FLOAT32 ? CFLR_COLUMN_FLOAT32 : CFLR_COLUMN_UINT32;
}

bool cflr_traversal_column_sized(const cflr_traversal *t, uint32_t i, cflr_column *column,
                                 size_t struct_size) {
    if (!t->done) return false;
    for (const cflri_column *c = t->primitive->column; c->offset; c++) {
        if (!c->name || i--) continue;
        cflr_column found = {c->name, type_of(t, c), t->csr->n_vertices, *column_of(t, c)};
        if (c->per == CFLRI_PER_EDGE_WORD) {
            found.n = t->outcome.count;
            found.values = t->edge;
        }
        CFLRI_GIVE(column, struct_size, found);
        return true;
    }
    return false;
}

bool cflr_traversal_value_sized(const cflr_traversal *t, uint32_t i, cflr_value *value,
                                size_t struct_size) {
    const cflri_primitive *p = t->primitive;
    const cflr_value count = {.name = p->count, .count = t->outcome.count};
    const cflr_value number = {.name = p->number, .real = true, .number = t->outcome.number};
    if (!t->done) return false;
    if (!p->count) i++;
    CFLRI_GIVE(value, struct_size, *(i == 0 ? &count : &number));
    return i == 0 || (i == 1 && p->number);
}

void cflr_traversal_statistics_sized(const cflr_traversal *t, cflr_traversal_stats *stats,
                                     size_t struct_size) {
    CFLRI_GIVE(stats, struct_size, t->stats);
}

cflr_status cflr_traversal_verify_sized(const cflr_traversal *t, cflr_traverse_report *report,
                                        size_t struct_size, cflr_error *error) {
    cflr_traverse_report made = {0};
    cflr_status st = t->done ? cflr_csr_read_rows(t->csr, error)
                             : cflri_fail(error, CFLR_ARGUMENT, NULL, "there is no run to verify");
    if (st == CFLR_OK) st = cflri_traversal_check(t, &made, error);
    CFLRI_GIVE(report, struct_size, made);
    return st;
}
