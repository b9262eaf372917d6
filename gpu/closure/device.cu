/* SPDX-License-Identifier: Apache-2.0
 *
 * device.cu: closures on a GPU, as the host sees them.
 *
 *     open      the system is copied; addresses for nodes are reserved; first bits are set
 *     close     rounds of a stage, several in one launch of a graph of kernels, until one finds
 *               nothing: step.cu, unite.cu, pairs.cu, scatter.cu; then merge and clear (round.cu)
 *     measure   pack.cu
 *     fetch     pack.cu, piece by piece
 *
 * Kernels look for themselves whether there is something to do, so rounds that are launched in vain
 * cost some microseconds. The host looks at the counters after each launch. When nodes have run out
 * it grows them and has the round done again. When the run is not wanted any more, it tells the
 * kernels by a word of theirs; what the round has found until then is kept.
 *
 * All copies go through the stream of the kernels. A copy outside of it may be under way still when
 * it has returned, and kernels of the stream do not wait for it.
 */
#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>
#include <thread>
#include <unordered_map>

#include "gpu/closure/arena.cuh"
#include "gpu/closure/ordered.cuh"
#include "gpu/closure/pack.cuh"
#include "gpu/closure/reserve.cuh"
#include "gpu/closure/stages.cuh"
#include "gpu/device/errors.cuh"

static double now() {
    std::chrono::duration<double> since = std::chrono::steady_clock::now().time_since_epoch();
    return since.count();
}

/* ---- the state of a closure ---- */

struct gpu_closing {
    const cflri_bit_system *system;
    const cflri_bit_services *services;
    int device = 0;
    std::vector<gpu_place> place;                   /* of nodes: the device, other ones, the host */
    std::vector<uint64_t> most_of;                  /* bytes of each place; of the first, for all */
    std::vector<uint64_t> most_nodes;               /* in the places up to each */
    uint64_t claimed = 0;                           /* bytes of the host */
    cudaStream_t stream = nullptr, other = nullptr; /* `other`: while kernels run */
    cudaEvent_t event = nullptr;
    gpu_arena arena;
    gpu_reserve nodes, freed;
    gpu_closure p = {};
    std::vector<gpu_rule> rule; /* as the device has them */
    gpu_stages stages; /* and what the device has of matrices, for the stage that is closed */
    uint8_t *device_reads = nullptr;
    gpu_role *device_role = nullptr;
    const gpu_row_piece *device_piece = nullptr;
    gpu_closure_counters *seen = nullptr; /* a copy of the counters; pinned, as is `stop` */
    uint32_t *stop = nullptr;
    gpu_pack pack = {};
    cflri_bit_stats stats = {};

    ~gpu_closing() {
        device_kept kept;
        cudaSetDevice(device);
        gpu_pack_free(&pack);
        gpu_reserve_free(&nodes);
        gpu_reserve_free(&freed);
        services->unclaim(system->context, claimed);
        cudaFree(arena.base);
        cudaFreeHost(seen);
        cudaFreeHost(stop);
        if (event) cudaEventDestroy(event);
        if (stream) cudaStreamDestroy(stream);
        if (other) cudaStreamDestroy(other);
    }
};

static uint64_t bytes_on_device(const gpu_closing *g) {
    return g->arena.used + g->nodes.has[0] + g->freed.has[0];
}

static uint64_t bytes_on_all(const gpu_closing *g) {
    return g->arena.used + g->nodes.size + g->freed.size - g->claimed;
}

/* ---- placing ---- */

static gpu_edges put_edges(gpu_arena *a, const cflri_bit_edges &e) {
    uint64_t n = e.start ? e.start[e.n_sources] : 0;
    return {e.start ? e.n_sources : 0, a->put(e.source, e.n_sources),
            a->put(e.start, e.n_sources + 1ull), a->put(e.label, n), a->put(e.to, n)};
}

static void put_matrix(gpu_closing *g, const cflri_bit_matrix &from, gpu_matrix *to) {
    const cflri_bit_system *s = g->system;
    *to = {};
    to->n_rows = from.n_rows;
    to->n_columns = from.n_columns;
    to->first = from.first;
    to->chunks = std::max(1u, (from.n_columns + GPU_CHUNK_IDS - 1) / GPU_CHUNK_IDS);
    to->vertex = g->arena.put(from.vertex, from.n_rows);
    to->row = g->arena.put(from.row, s->n_vertices);
    to->guarded = from.guarded;
    to->passing = from.passing;
    to->mask_words = (from.n_columns + 31) / 32;
    to->mask_of = g->arena.put(from.masks.of, from.n_rows);
}

/* Matrices may share masks. */
static void put_masks(gpu_closing *g) {
    const cflri_bit_system *s = g->system;
    std::unordered_map<const uint32_t *, const uint32_t *> known;
    for (uint32_t i = 0; i < s->n_matrices; i++) {
        const cflri_bit_masks &masks = s->matrix[i].masks;
        gpu_matrix &m = g->stages.matrix[i];
        if (!masks.bits) continue;
        if (!known.count(masks.bits))
            known[masks.bits] = g->arena.put(masks.bits, (uint64_t)masks.n * m.mask_words);
        m.mask = known[masks.bits];
    }
}

static void put_rules(gpu_closing *g) {
    const cflri_bit_system *s = g->system;
    for (uint32_t i = 0; i < s->first_rule[s->n_stages]; i++) {
        const cflri_bit_rule &from = s->rule[i];
        g->rule[i] = {(uint32_t)from.kind,
                      from.left,
                      from.right,
                      from.by,
                      put_edges(&g->arena, from.edges),
                      put_edges(&g->arena, from.image)};
    }
}

static void place_changed(gpu_closing *g) {
    const cflri_bit_system *s = g->system;
    uint64_t words = (s->n_vertices + 31ull) / 32, leaves = s->n_vertices / GPU_CHUNK_IDS + 1;
    for (uint32_t i = 0; i < s->first_rule[s->n_stages]; i++) {
        gpu_matrix &m = g->stages.matrix[s->rule[i].right];
        if (s->rule[i].kind != CFLRI_BITS_PAIR || m.changed_at[1]) continue;
        for (uint32_t *&at : m.changed_at) at = g->arena.room<uint32_t>(words);
        for (uint32_t *&at : m.changed_leaf) at = g->arena.room<uint32_t>(leaves);
        if (!g->arena.base) m.changed_at[1] = reinterpret_cast<uint32_t *>(1); /* measured once */
    }
}

static uint64_t count_roots(gpu_closing *g) {
    uint64_t roots = 0;
    for (gpu_matrix &m : g->stages.matrix) {
        m.root = roots;
        roots += (uint64_t)m.n_rows * m.chunks;
    }
    return roots;
}

static uint32_t most_rows_of_a_stage(const cflri_bit_system *s) {
    uint32_t most = 0;
    for (uint32_t t = 0; t < s->n_stages; t++)
        most = std::max(most, s->first_row[t + 1] - s->first_row[t]);
    return most;
}

/* Copies of the system, then what begins as zero, which ends the arena. Returns where that
 * begins. */
static size_t place(gpu_closing *g, const std::vector<uint32_t> &matrix_of) {
    const cflri_bit_system *s = g->system;
    gpu_arena *a = &g->arena;
    gpu_closure *p = &g->p;
    uint32_t rows = s->first_row[s->n_stages];
    a->begin();
    for (uint32_t i = 0; i < s->n_matrices; i++) put_matrix(g, s->matrix[i], &g->stages.matrix[i]);
    put_masks(g);
    put_rules(g);
    p->guard_of = a->put(s->guard_of, s->n_vertices);
    p->matrix_of = a->put(matrix_of.data(), rows);
    g->device_piece = a->put(g->stages.piece.data(), g->stages.piece.size());
    p->matrix = a->room<gpu_matrix>(s->n_matrices);
    p->rule = a->room<gpu_rule>(g->rule.size());
    g->device_role = a->room<gpu_role>(2 * g->rule.size());
    g->device_reads = a->room<uint8_t>(s->n_matrices);
    p->role = g->device_role;
    for (uint32_t *&due : p->due) due = a->room<uint32_t>(most_rows_of_a_stage(s));
    for (uint32_t *&list : p->changed) list = a->room<uint32_t>(rows);
    p->lost = a->room<uint32_t>(GPU_MOST_LOST);
    size_t zero = a->used;
    uint64_t roots = count_roots(g);
    p->full = a->room<uint32_t>(roots);
    for (uint32_t *&delta : p->delta) delta = a->room<uint32_t>(roots);
    for (uint32_t *&bits : p->is_changed) bits = a->room<uint32_t>(rows / 32 + 1ull);
    p->count = a->room<gpu_closure_counters>(1);
    place_changed(g);
    p->n_vertices = s->n_vertices;
    return zero;
}

/* ---- opening ---- */

static cflr_status find_device(gpu_closing *g, uint32_t gpus, cflr_error *error) {
    int devices = 0;
    cflr_status st = gpu_count_devices(&devices, error);
    if (st != CFLR_OK) return st;
    cudaDeviceProp properties;
    GPU_TRY(cudaSetDevice(g->device), "choosing it");
    GPU_TRY(cudaGetDeviceProperties(&properties, g->device), "asking what it is");
    std::snprintf(g->stats.name, sizeof g->stats.name, "%s", properties.name);
    if (gpus > (uint32_t)devices)
        return gpu_fail(error, CFLR_UNAVAILABLE, "the host has %d GPUs, not %u", devices, gpus);
    g->stages.shape.processors = properties.multiProcessorCount;
    return CFLR_OK;
}

static cflr_status make_streams(gpu_closing *g, cflr_error *error) {
    GPU_TRY(cudaStreamCreateWithFlags(&g->stream, cudaStreamNonBlocking), "making a stream");
    GPU_TRY(cudaStreamCreateWithFlags(&g->other, cudaStreamNonBlocking), "making a stream");
    GPU_TRY(cudaEventCreateWithFlags(&g->event, cudaEventDisableTiming), "making an event");
    GPU_TRY(cudaMallocHost(&g->seen, sizeof *g->seen), "taking memory of the host");
    GPU_TRY(cudaMallocHost(&g->stop, sizeof *g->stop), "taking memory of the host");
    *g->seen = gpu_closure_counters();
    *g->stop = 1;
    return CFLR_OK;
}

static cflr_status refuse(const gpu_closing *g, uint64_t bytes, cflr_error *error) {
    return gpu_fail(error, CFLR_NO_MEMORY,
                    "the rows take %" PRIu64 " MB of %s at least, %" PRIu64 " MB are allowed",
                    (bytes >> 20) + 1, g->stats.name, g->most_of[0] >> 20);
}

static void add_place(gpu_closing *g, bool of_host, int id, uint64_t bytes) {
    g->place.push_back({of_host, id});
    g->most_of.push_back(bytes);
}

/* The memory that may be taken of a device, of what is free there. */
static cflr_status find_memory_of(gpu_closing *g, int device, uint64_t most, cflr_error *error) {
    enum : size_t { KEPT_FREE = 256 << 20 };
    size_t left = 0, all = 0;
    GPU_TRY(cudaSetDevice(device), "choosing it");
    GPU_TRY(cudaMemGetInfo(&left, &all), "asking for its memory");
    uint64_t bytes = left > KEPT_FREE ? left - KEPT_FREE : 0;
    add_place(g, false, device, most ? std::min(most, bytes) : bytes);
    return CFLR_OK;
}

/* Other devices, which the first one reaches. */
static cflr_status find_others(gpu_closing *g, const cflri_bit_options *options,
                               cflr_error *error) {
    for (int device = 1; device < (int)options->gpus; device++) {
        int reaches = 0;
        GPU_TRY(cudaDeviceCanAccessPeer(&reaches, g->device, device), "asking what it reaches");
        if (!reaches)
            return gpu_fail(error, CFLR_UNAVAILABLE, "GPU %d does not reach GPU %d", g->device,
                            device);
        cflr_status st = find_memory_of(g, device, options->memory, error);
        if (st != CFLR_OK) return st;
    }
    GPU_TRY(cudaSetDevice(g->device), "choosing it");
    return CFLR_OK;
}

static cflr_status find_memory(gpu_closing *g, const cflri_bit_options *options,
                               cflr_error *error) {
    cflr_status st = find_memory_of(g, g->device, options->memory, error);
    if (st == CFLR_OK) st = find_others(g, options, error);
    if (st != CFLR_OK) return st;
    int host = -1;
    if (cudaDeviceGetAttribute(&host, cudaDevAttrHostNumaId, g->device) != cudaSuccess) host = -1;
    cudaGetLastError();
    if (host >= 0) add_place(g, true, host, options->host_memory);
    return CFLR_OK;
}

enum : uint64_t { NODE_BYTES = GPU_LANES * sizeof(uint32_t) };

/* Memory of the host is counted before it is taken. */
static bool grow_both(gpu_closing *g, uint64_t nodes, size_t place) {
    const cflri_bit_services *services = g->services;
    bool of_host = g->place[place].of_host;
    uint64_t had = g->nodes.has[place] + g->freed.has[place], bytes = 0;
    if (of_host)
        bytes = (nodes - g->p.capacity) * (NODE_BYTES + sizeof(uint32_t)) + 2 * g->nodes.grain;
    if (!services->claim(g->system->context, bytes)) return false;
    bool grown = gpu_reserve_grow(&g->nodes, nodes * NODE_BYTES, place) == cudaSuccess &&
                 gpu_reserve_grow(&g->freed, nodes * sizeof(uint32_t), place) == cudaSuccess;
    if (of_host) {
        uint64_t more = g->nodes.has[place] + g->freed.has[place] - had;
        services->unclaim(g->system->context, bytes - more);
        g->claimed += more;
    }
    if (grown) g->p.capacity = (uint32_t)nodes;
    return grown;
}

/* Grows the nodes to so many, or as many as there is memory for in a place. */
static bool grow_within(gpu_closing *g, uint64_t nodes, size_t place) {
    while (nodes > g->p.capacity) {
        if (grow_both(g, nodes, place)) return true;
        uint64_t more = nodes - g->p.capacity;
        nodes = g->p.capacity + more / 2;
    }
    return false;
}

/* The same, to more than there are. A place is taken when those before it have no more. */
static bool grow(gpu_closing *g, uint64_t nodes) {
    for (size_t i = 0; i < g->place.size(); i++) {
        if (grow_within(g, std::min(nodes, g->most_nodes[i]), i)) return true;
        g->most_nodes[i] = std::min<uint64_t>(g->most_nodes[i], g->p.capacity);
    }
    return false;
}

/* Addresses for the nodes of all places. */
static cflr_status reserve_nodes(gpu_closing *g, uint64_t fixed, cflr_error *error) {
    uint64_t node = NODE_BYTES + sizeof(uint32_t), nodes = 0;
    for (size_t i = 0; i < g->place.size(); i++) {
        nodes += (g->most_of[i] - (i ? 0 : fixed)) / node;
        g->most_nodes.push_back(std::min<uint64_t>(nodes, UINT32_MAX - 1));
    }
    uint64_t most = g->most_nodes.back();
    GPU_TRY(gpu_reserve_make(&g->nodes, g->place, most * NODE_BYTES), "reserving");
    GPU_TRY(gpu_reserve_make(&g->freed, g->place, most * sizeof(uint32_t)), "reserving");
    g->p.node = g->nodes.as<uint32_t>();
    g->p.freed = g->freed.as<uint32_t>();
    return CFLR_OK;
}

static cflr_status make_memory(gpu_closing *g, cflr_error *error) {
    const cflri_bit_system *s = g->system;
    uint32_t rows = s->first_row[s->n_stages];
    std::vector<uint32_t> matrix_of(rows);
    for (uint32_t i = 0; i < s->n_matrices; i++)
        std::fill_n(matrix_of.begin() + s->matrix[i].first, s->matrix[i].n_rows, i);
    g->rule.resize(s->first_rule[s->n_stages]);
    gpu_stages_make(&g->stages, s);
    place(g, matrix_of);
    uint64_t fixed = g->arena.used + gpu_pack_bytes(rows);
    if (fixed >= g->most_of[0]) return refuse(g, fixed, error);
    GPU_TRY(cudaMalloc(&g->arena.base, g->arena.used), "taking memory");
    size_t zero = place(g, matrix_of);
    GPU_TRY(cudaMemsetAsync(g->arena.base + zero, 0, g->arena.used - zero, g->stream),
            "clearing memory");
    GPU_TRY(g->arena.copy_all(g->stream), "copying the system");
    GPU_TRY(cudaMemcpyAsync(const_cast<gpu_rule *>(g->p.rule), g->rule.data(),
                            g->rule.size() * sizeof(gpu_rule), cudaMemcpyHostToDevice, g->stream),
            "copying rules");
    g->stats.copied += g->arena.copied;
    return reserve_nodes(g, fixed, error);
}

#ifndef GPU_FIRST_NODES /* a test has few of them, so that they grow */
#define GPU_FIRST_NODES (1ull << 19)
#endif

static cflr_status set_seeds(gpu_closing *g, cflr_error *error) {
    const cflri_bit_system *s = g->system;
    uint64_t seeds = 0, most = 0;
    for (uint32_t i = 0; i < s->n_matrices; i++) {
        seeds += s->matrix[i].n_seeds;
        most = std::max(most, s->matrix[i].n_seeds);
    }
    /* a bit takes a leaf and a chunk at most, and as much may be lost between warps */
    uint64_t nodes = std::max<uint64_t>(GPU_FIRST_NODES, 4 * seeds + 1);
    while (g->p.capacity <= 4 * seeds && grow(g, nodes)) continue;
    if (g->p.capacity <= 4 * seeds) return refuse(g, g->arena.used + 4 * seeds * NODE_BYTES, error);
    gpu_closure_counters first = {};
    first.bump = 1;
    GPU_TRY(cudaMemcpyAsync(g->p.count, &first, sizeof first, cudaMemcpyHostToDevice, g->stream),
            "beginning");
    GPU_TRY(cudaMemcpyAsync(g->p.matrix, g->stages.matrix.data(),
                            g->stages.matrix.size() * sizeof(gpu_matrix), cudaMemcpyHostToDevice,
                            g->stream),
            "copying matrices");
    if (!seeds) return CFLR_OK;
    uint64_t *seed = nullptr;
    GPU_TRY(cudaMalloc(&seed, most * sizeof *seed), "taking memory");
    cudaError_t what = cudaSuccess;
    for (uint32_t i = 0; i < s->n_matrices && what == cudaSuccess; i++) {
        const cflri_bit_matrix &m = s->matrix[i];
        if (!m.n_seeds) continue;
        what = cudaMemcpyAsync(seed, m.seed, m.n_seeds * sizeof *seed, cudaMemcpyHostToDevice,
                               g->stream);
        gpu_launch_seed(g->p, i, seed, m.n_seeds, g->stream);
        g->stats.copied += m.n_seeds * sizeof *seed;
    }
    if (what == cudaSuccess) what = cudaStreamSynchronize(g->stream);
    cudaFree(seed);
    GPU_TRY(what, "setting first bits");
    return CFLR_OK;
}

static cflr_status open_all(gpu_closing *g, const cflri_bit_options *options, cflr_error *error) {
    cflr_status st = find_device(g, options->gpus, error);
    if (st == CFLR_OK) st = make_streams(g, error);
    if (st == CFLR_OK) st = find_memory(g, options, error);
    if (st == CFLR_OK) st = make_memory(g, error);
    return st == CFLR_OK ? set_seeds(g, error) : st;
}

static cflr_status open_closure(const cflri_bit_system *system, const cflri_bit_options *options,
                                const cflri_bit_services *services, void **state,
                                cflr_error *error) {
    device_kept kept;
    double begin = now();
    *state = nullptr;
    try {
        std::unique_ptr<gpu_closing> g(new gpu_closing());
        g->system = system;
        g->services = services;
        cflr_status st = open_all(g.get(), options, error);
        if (st != CFLR_OK) return st;
        g->stats.prepared = now() - begin;
        *state = g.release();
        return CFLR_OK;
    } catch (const std::bad_alloc &) {
        return gpu_fail(error, CFLR_NO_MEMORY, "out of memory");
    }
}

/* ---- a stage ---- */

static cflr_status begin_stage(gpu_closing *g, uint32_t stage, cflr_error *error) {
    const cflri_bit_system *s = g->system;
    gpu_stages_begin(&g->stages, stage);
    g->p.first_row = s->first_row[stage];
    g->p.end_row = s->first_row[stage + 1];
    g->p.piece = g->device_piece + g->stages.first_piece[stage];
    g->p.n_pieces = g->stages.first_piece[stage + 1] - g->stages.first_piece[stage];
    GPU_TRY(cudaMemcpyAsync(g->p.matrix, g->stages.matrix.data(),
                            g->stages.matrix.size() * sizeof(gpu_matrix), cudaMemcpyHostToDevice,
                            g->stream),
            "copying matrices");
    GPU_TRY(cudaMemcpyAsync(g->device_role, g->stages.role.data(),
                            g->stages.role.size() * sizeof(gpu_role), cudaMemcpyHostToDevice,
                            g->stream),
            "copying rules");
    GPU_TRY(cudaMemcpyAsync(g->device_reads, g->stages.reads.data(), g->stages.reads.size(),
                            cudaMemcpyHostToDevice, g->stream),
            "copying rules");
    gpu_launch_wake(g->p, g->stages.shape, g->device_reads, g->stream);
    return CFLR_OK;
}

static void launch_round(gpu_closing *g) {
    gpu_launch_steps(g->p, g->stages.shape, g->stream);
    gpu_launch_unite(g->p, g->stages.shape, g->stream);
    gpu_launch_pairs(g->p, g->stages.shape, g->stream);
    gpu_launch_scatter(g->p, g->stages.shape, g->stream);
    gpu_launch_merge(g->p, g->stages.shape, g->stream);
}

/* Waits until the stream is done; asks meanwhile whether the run is wanted, and has kernels stop
 * when it is not: *wanted becomes why. */
static cflr_status wait(gpu_closing *g, cflr_status *wanted, cflr_error *error) {
    const double spin = 200e-6, ask = 5e-3;
    double begin = now(), asked = begin;
    GPU_TRY(
        cudaMemcpyAsync(g->seen, g->p.count, sizeof *g->seen, cudaMemcpyDeviceToHost, g->stream),
        "looking at counters");
    GPU_TRY(cudaEventRecord(g->event, g->stream), "running");
    for (;;) {
        cudaError_t what = cudaEventQuery(g->event);
        if (what == cudaSuccess) return CFLR_OK;
        if (what != cudaErrorNotReady) return gpu_fail_cuda(error, what, "running");
        double time = now();
        if (time - begin > spin) std::this_thread::sleep_for(std::chrono::microseconds(20));
        if (time - asked < ask || *wanted != CFLR_OK) continue;
        asked = time;
        *wanted = g->services->tick(g->system->context, 0);
        if (*wanted == CFLR_OK) continue;
        GPU_TRY(cudaMemcpyAsync(&g->p.count->stop, g->stop, sizeof *g->stop, cudaMemcpyHostToDevice,
                                g->other),
                "stopping");
    }
}

/* Rounds that are launched together. */
struct gpu_rounds {
    cudaGraphExec_t graph = nullptr;
    void forget() {
        if (graph) cudaGraphExecDestroy(graph);
        graph = nullptr;
    }
    ~gpu_rounds() { forget(); }
};

static cflr_status make_rounds(gpu_closing *g, gpu_rounds *rounds, uint32_t n, cflr_error *error) {
    cudaGraph_t graph = nullptr;
    rounds->forget();
    GPU_TRY(cudaStreamBeginCapture(g->stream, cudaStreamCaptureModeThreadLocal), "making a graph");
    for (uint32_t i = 0; i < n; i++) launch_round(g);
    GPU_TRY(cudaStreamEndCapture(g->stream, &graph), "making a graph");
    cudaError_t what = cudaGraphInstantiate(&rounds->graph, graph, 0);
    cudaGraphDestroy(graph);
    GPU_TRY(what, "making a graph");
    return CFLR_OK;
}

enum { AT_FIRST = 2, TOGETHER = 8 }; /* rounds: launched one by one; in a graph */

static cflr_status launch(gpu_closing *g, gpu_rounds *rounds, uint32_t done, double round,
                          cflr_error *error) {
    const double long_round = 10e-3;
    bool one = done < AT_FIRST || round > long_round;
    if (one) {
        launch_round(g);
        GPU_TRY(cudaGetLastError(), "running");
        return CFLR_OK;
    }
    if (!rounds->graph) {
        cflr_status st = make_rounds(g, rounds, TOGETHER, error);
        if (st != CFLR_OK) return st;
    }
    GPU_TRY(cudaGraphLaunch(rounds->graph, g->stream), "running");
    return CFLR_OK;
}

/* What was found before kernels halted is added to the rows. */
static cflr_status end_early(gpu_closing *g, cflr_status wanted, cflr_error *error) {
    gpu_launch_resume(g->p, g->p.capacity, g->stream);
    gpu_launch_rescue(g->p, g->stages.shape, g->stream);
    GPU_TRY(cudaStreamSynchronize(g->stream), "running");
    if (wanted != CFLR_OK) return gpu_fail(error, wanted, "the run was stopped");
    return gpu_fail(error, CFLR_NO_MEMORY,
                    "%s is full: rows take more than %" PRIu64 " MB of it and %" PRIu64
                    " MB of the host",
                    g->stats.name, bytes_on_all(g) >> 20, g->claimed >> 20);
}

/* Waits for kernels. Where nodes have run out and there are more now, *again says that they are to
 * be launched once more. Fails where the run is not wanted any more, or there are no more nodes. */
static cflr_status look(gpu_closing *g, bool *again, cflr_error *error) {
    cflr_status wanted = CFLR_OK, st = wait(g, &wanted, error);
    uint32_t capacity = g->p.capacity;
    *again = false;
    if (st != CFLR_OK) return st;
    if (wanted == CFLR_OK) wanted = g->services->tick(g->system->context, 0);
    if (g->seen->halt == GPU_FULL && wanted == CFLR_OK && grow(g, 2ull * capacity)) {
        gpu_launch_resume(g->p, capacity, g->stream);
        *again = true;
        return CFLR_OK;
    }
    bool whole = !g->seen->halt && (wanted == CFLR_OK || g->seen->done);
    return whole ? CFLR_OK : end_early(g, wanted, error);
}

/* Runs rounds until one finds nothing, or so many. */
static cflr_status run_rounds(gpu_closing *g, uint32_t most, cflr_error *error) {
    gpu_rounds rounds;
    uint32_t first = g->seen->round, before = first;
    double round = 0;
    for (uint32_t launches = 0;; launches++) {
        double begin = now();
        bool again = false;
        cflr_status st = launch(g, &rounds, most == 1 ? 0 : launches, round, error);
        if (st == CFLR_OK) st = look(g, &again, error);
        if (st != CFLR_OK) return st;
        uint32_t done = g->seen->round - before;
        round = (now() - begin) / (done ? done : 1);
        before = g->seen->round;
        if (again) rounds.forget(); /* it knows the old capacity */
        if (!again && (g->seen->done || before - first >= most)) return CFLR_OK;
    }
}

/* ---- stages with an order ---- */

/* Memory for panels of a stage; none where not even one fits. */
static void find_room(const gpu_closing *g, gpu_panels *o, uint32_t most) {
    uint64_t taken = bytes_on_device(g);
    uint64_t left = g->most_of[0] > taken ? g->most_of[0] - taken : 0;
    uint64_t fit = left / 2 / gpu_panel_bytes(o->n);
    o->n_panels = (uint32_t)std::min<uint64_t>(most, fit);
    while (o->n_panels &&
           cudaMalloc(&o->word, o->n_panels * gpu_panel_bytes(o->n)) != cudaSuccess) {
        cudaGetLastError();
        o->n_panels /= 2;
    }
}

/* What panels take of the device. */
struct gpu_panel_memory {
    gpu_arena arena;
    gpu_panels panels = {};
    ~gpu_panel_memory() {
        cudaFree(arena.base);
        cudaFree(panels.word);
    }
};

static void place_order(gpu_panel_memory *memory, const cflri_bit_order &order, uint32_t rows) {
    gpu_panels *o = &memory->panels;
    gpu_arena *a = &memory->arena;
    a->begin();
    o->n = order.n;
    o->n_levels = order.n_levels;
    o->n_rows = rows;
    o->level = a->put(order.level, order.n_levels + 1ull);
    o->start = a->put(order.start, order.n + 1ull);
    o->to = a->put(order.to, order.start[order.n]);
    o->first = a->put(order.first, order.n + 1ull);
    o->row = a->put(order.row, rows);
}

static uint32_t most_leaves(const gpu_closing *g, uint32_t stage) {
    const cflri_bit_system *s = g->system;
    uint32_t words = 0;
    for (uint32_t i = 0; i < s->n_matrices; i++)
        if (s->matrix[i].stage == stage) words = std::max(words, g->stages.matrix[i].mask_words);
    return (words + GPU_LANES - 1) / GPU_LANES;
}

static cflr_status close_panels(gpu_closing *g, gpu_panels *o, uint32_t leaves, cflr_error *error) {
    uint32_t at_once = o->n_panels;
    for (o->first_panel = 0; o->first_panel < leaves; o->first_panel += at_once) {
        bool again = true;
        o->n_panels = std::min(at_once, leaves - o->first_panel);
        gpu_launch_panels(g->p, *o, g->stages.shape, g->stream);
        while (again) {
            gpu_launch_panels_to_rows(g->p, *o, g->stages.shape, g->stream);
            cflr_status st = look(g, &again, error);
            if (st != CFLR_OK) return st;
        }
    }
    gpu_launch_clear(g->p, g->stages.shape, g->stream);
    return CFLR_OK;
}

/* One round applies the rules that read other stages; then rows are united in order. */
static cflr_status run_in_order(gpu_closing *g, uint32_t stage, cflr_error *error) {
    const cflri_bit_system *s = g->system;
    const cflri_bit_order &order = s->order[stage];
    uint32_t rows = s->first_row[stage + 1] - s->first_row[stage], leaves = most_leaves(g, stage);
    gpu_panel_memory memory;
    cflr_status st = run_rounds(g, 1, error);
    if (st != CFLR_OK || g->seen->done) return st;
    place_order(&memory, order, rows);
    if (cudaMalloc(&memory.arena.base, memory.arena.used) == cudaSuccess) {
        place_order(&memory, order, rows);
        GPU_TRY(memory.arena.copy_all(g->stream), "copying the order of a stage");
        find_room(g, &memory.panels, leaves);
        g->stats.copied += memory.arena.copied;
    }
    cudaGetLastError();
    if (!memory.panels.n_panels) return run_rounds(g, UINT32_MAX, error);
    return close_panels(g, &memory.panels, leaves, error);
}

static cflr_status close_stage(void *state, uint32_t stage, cflr_error *error) {
    gpu_closing *g = static_cast<gpu_closing *>(state);
    const cflri_bit_system *s = g->system;
    device_kept kept;
    double begin = now();
    if (s->first_rule[stage] == s->first_rule[stage + 1]) return CFLR_OK;
    cudaSetDevice(g->device);
    try {
        cflr_status st = begin_stage(g, stage, error);
        bool in_order = s->order[stage].n_levels > 1;
        if (st == CFLR_OK)
            st = in_order ? run_in_order(g, stage, error) : run_rounds(g, UINT32_MAX, error);
        if (g->seen) g->stats.rounds = g->seen->round;
        g->stats.closed += now() - begin;
        return st;
    } catch (const std::bad_alloc &) {
        return gpu_fail(error, CFLR_NO_MEMORY, "out of memory");
    }
}

/* ---- rows ---- */

static cflr_status measure(void *state, const bool *wanted, uint32_t *n_sets, uint64_t *n_words,
                           cflr_error *error) {
    gpu_closing *g = static_cast<gpu_closing *>(state);
    const cflri_bit_system *s = g->system;
    device_kept kept;
    double begin = now();
    cudaSetDevice(g->device);
    try {
        gpu_pack_free(&g->pack);
        gpu_pack_measure(g->p, wanted, s->n_matrices, s->first_row[s->n_stages], &g->pack,
                         g->stream);
    } catch (const std::exception &what) {
        gpu_pack_free(&g->pack);
        cudaGetLastError();
        return gpu_fail(error, CFLR_NO_MEMORY, "GPU: measuring rows: %s", what.what());
    }
    GPU_TRY(cudaStreamSynchronize(g->stream), "measuring rows");
    *n_sets = g->pack.n_sets;
    *n_words = g->pack.n_words;
    g->stats.fetched += now() - begin;
    return CFLR_OK;
}

enum : uint64_t { PIECE_WORDS = 32 << 20 };

/* Copies sets piece by piece. A set is smaller than a piece, or is one alone. */
static cflr_status fetch_words(gpu_closing *g, const uint64_t *start, uint32_t *word,
                               cflr_error *error) {
    const gpu_pack *pack = &g->pack;
    uint64_t room = 0;
    uint32_t *piece = nullptr;
    cudaError_t what = cudaSuccess;
    for (uint32_t first = 0, end; first < pack->n_sets && what == cudaSuccess; first = end) {
        end = (uint32_t)(std::upper_bound(start + first + 1, start + pack->n_sets + 1,
                                          start[first] + PIECE_WORDS) -
                         start - 1);
        if (end == first) end++;
        uint64_t words = start[end] - start[first];
        if (words > room) {
            cudaFree(piece);
            room = std::max<uint64_t>(words, std::min<uint64_t>(PIECE_WORDS, pack->n_words));
            piece = nullptr;
            what = cudaMalloc(&piece, room * sizeof *piece);
            if (what != cudaSuccess) break;
        }
        gpu_pack_write(g->p, pack, first, end, piece, g->stream);
        what = cudaMemcpyAsync(word + start[first], piece, words * sizeof *word,
                               cudaMemcpyDeviceToHost, g->stream);
        if (what == cudaSuccess) what = cudaStreamSynchronize(g->stream);
    }
    cudaFree(piece);
    GPU_TRY(what, "fetching rows");
    return CFLR_OK;
}

static cflr_status fetch(void *state, uint32_t *set, uint64_t *start, uint32_t *word,
                         cflr_error *error) {
    gpu_closing *g = static_cast<gpu_closing *>(state);
    const gpu_pack *pack = &g->pack;
    device_kept kept;
    double begin = now();
    cudaSetDevice(g->device);
    start[0] = 0;
    GPU_TRY(cudaMemcpyAsync(set, pack->set, (uint64_t)pack->n_rows * sizeof *set,
                            cudaMemcpyDeviceToHost, g->stream),
            "fetching rows");
    GPU_TRY(cudaMemcpyAsync(start + 1, pack->start, (pack->n_sets + 1ull) * sizeof *start,
                            cudaMemcpyDeviceToHost, g->stream),
            "fetching rows");
    GPU_TRY(cudaStreamSynchronize(g->stream), "fetching rows");
    cflr_status st = fetch_words(g, start + 1, word, error);
    g->stats.copied += pack->n_words * sizeof *word + pack->n_rows * sizeof *set;
    g->stats.fetched += now() - begin;
    return st;
}

static void get_stats(const void *state, cflri_bit_stats *stats) {
    const gpu_closing *g = static_cast<const gpu_closing *>(state);
    *stats = g->stats;
    stats->memory = bytes_on_all(g);
    stats->host_memory = g->claimed;
}

static void free_closure(void *state) {
    delete static_cast<gpu_closing *>(state);
}

/* extern, or a const has internal linkage */
extern "C" {
extern __attribute__((visibility("default"))) const cflri_bit_device cflr_cuda_closure;
}

const cflri_bit_device cflr_cuda_closure = {
    CFLRI_BIT_DEVICE_VERSION, open_closure, close_stage, measure, fetch, get_stats, free_closure};
