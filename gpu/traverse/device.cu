/* SPDX-License-Identifier: Apache-2.0
 *
 * device.cu: traversals on a GPU, as the host sees them.
 *
 * A run is one cooperative kernel (team.cuh); the host looks from time to time whether it is still
 * wanted, and tells the kernel through a word of its own memory. Meanwhile it delivers rows, where
 * these are not on the device (gpu/stream). Several GPUs have a kernel each, and these are one team
 * (gpu/peers).
 */
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <new>
#include <thread>
#include <vector>

#include "gpu/traverse/primitive.cuh"
#include "gpu/traverse/run.cuh"

extern const gpu_primitive gpu_bfs_idempotent;
#define DECLARE(name, number, word, text) extern const gpu_primitive gpu_##name;
CFLR_PRIMITIVE_LIST(DECLARE)
#undef DECLARE

/* By number: the list is in their order. */
static const gpu_primitive *const primitives[] = {
#define PRIMITIVE(name, number, word, text) &gpu_##name,
    CFLR_PRIMITIVE_LIST(PRIMITIVE)
#undef PRIMITIVE
};

/* ---- preparing ---- */

static cflr_status find_device(gpu_run *r, cflr_error *error) {
    int devices = 0, cooperative = 0;
    cflr_status st = gpu_count_devices(&devices, error);
    if (st != CFLR_OK) return st;
    if (r->device >= devices)
        return gpu_fail(error, CFLR_UNAVAILABLE, "%u GPUs were asked for, there are %d",
                        r->state.peers.n, devices);
    cudaDeviceProp properties;
    GPU_TRY(cudaSetDevice(r->device), "choosing it");
    GPU_TRY(cudaGetDeviceProperties(&properties, r->device), "asking what it is");
    std::snprintf(r->name, sizeof r->name, "%s", properties.name);
    GPU_TRY(cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, r->device),
            "asking");
    if (!cooperative)
        return gpu_fail(error, CFLR_UNAVAILABLE, "%s runs no cooperative kernels", r->name);
    r->processors = properties.multiProcessorCount;
    return CFLR_OK;
}

enum { EVEN_DEGREE = 5 };

/* After Gunrock: equal shares of edges are worth their scan where degrees are large. */
static cflr_schedule choose(const cflr_traversal *t, const gpu_run *r,
                            const gpu_primitive *primitive, const char **why) {
    uint64_t n = t->csr->n_vertices, m = t->csr->n_edges;
    *why = "all rows, always: no schedule makes a difference";
    if (primitive->kernel[CFLR_SCHEDULE_AUTO]) return CFLR_SCHEDULE_AUTO;
    *why = "as was asked for";
    if (t->opts.schedule != CFLR_SCHEDULE_AUTO) return t->opts.schedule;
    *why = "rows are read over a link: in whole lines";
    if (r->transfer == CFLR_TRANSFER_ZERO_COPY) return CFLR_SCHEDULE_ALIGNED;
    *why = "vertices have few edges: a thread each is enough";
    if (m < EVEN_DEGREE * n) return CFLR_SCHEDULE_THREAD;
    *why = "vertices have many edges, and not alike many: warps share those of 32 vertices";
    return CFLR_SCHEDULE_WARP;
}

static const gpu_primitive *primitive_of(const cflr_traversal *t) {
    return t->opts.idempotent ? &gpu_bfs_idempotent : primitives[t->primitive->which];
}

/* A warp for 32 vertices, whatever was said of schedules. */
static cflr_status choose_streaming_kernel(const cflr_traversal *t, gpu_run *r,
                                           const gpu_primitive *primitive, cflr_error *error) {
    if (!primitive->staged || t->opts.schedule != CFLR_SCHEDULE_AUTO)
        return gpu_fail(error, CFLR_UNSUPPORTED, "transfer '%s' has no %s of %s",
                        r->services->transfer_name(r->transfer),
                        primitive->staged ? "schedule" : "kernel", t->primitive->name);
    r->kernel = r->is_packed() ? primitive->packed : primitive->staged;
    if (r->has_peers()) r->kernel = primitive->packed_peers;
    r->by_edge = false;
    r->shared_bytes = r->is_packed() ? sizeof(gpu_packed_shared) : 0;
    if (r->shared_bytes)
        GPU_TRY(cudaFuncSetAttribute(r->kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     (int)r->shared_bytes),
                "asking for shared memory");
    return CFLR_OK;
}

enum { STREAMING_BLOCKS = 2 }; /* of a multiprocessor */

static cflr_status choose_kernel(cflr_traversal *t, gpu_run *r, cflr_error *error) {
    int blocks = 0;
    const gpu_primitive *primitive = primitive_of(t);
    bool streams = r->is_staged() || r->is_packed();
    const char *why = NULL;
    cflr_schedule schedule = choose(t, r, primitive, &why);
    if (!t->stats.why) t->stats.why = why;
    r->kernel = primitive->kernel[schedule];
    r->by_edge = schedule == CFLR_SCHEDULE_EDGES;
    if (r->has_peers()) {
        r->kernel = primitive->peers;
        r->by_edge = false;
        schedule = CFLR_SCHEDULE_WARP;
    }
    if (streams) {
        cflr_status st = choose_streaming_kernel(t, r, primitive, error);
        if (st != CFLR_OK) return st;
        schedule = CFLR_SCHEDULE_WARP;
    }
    GPU_TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, r->kernel, GPU_THREADS,
                                                          r->shared_bytes),
            "asking how many blocks it holds");
    if (blocks == 0)
        return gpu_fail(error, CFLR_UNAVAILABLE, "%s has no room for a block", r->name);
    int most_blocks = streams ? STREAMING_BLOCKS : primitive->blocks;
    if (blocks > most_blocks) blocks = most_blocks;
    /* a barrier costs less with fewer blocks, and there are more steps where rows are short */
    if (t->primitive->goes_far && t->csr->n_edges < (uint64_t)EVEN_DEGREE * t->csr->n_vertices)
        blocks = 1;
    /* and no more of them are of use than there are vertices and edges for */
    uint64_t useful = (t->task->out.n + t->task->out.m) / GPU_THREADS + 1;
    uint64_t most = (uint64_t)blocks * (uint64_t)r->processors;
    r->blocks = (uint32_t)(useful < most ? useful : most);
    t->stats.schedule = r->services->schedule_name(schedule);
    return CFLR_OK;
}

static bool has_row_of(const cflri_rows *rows, uint64_t edges) {
    for (uint32_t v = 0; v < rows->n; v++)
        if (rows->start[v + 1] - rows->start[v] > edges) return true;
    return false;
}

/* What can be known before there is any memory. */
static cflr_status choose_all(cflr_traversal *t, gpu_run *r, cflr_error *error) {
    const gpu_primitive *primitive = primitive_of(t);
    bool can_stream = primitive->staged && t->opts.schedule == CFLR_SCHEDULE_AUTO;
    t->stats.why = NULL;
    r->gathers = t->primitive->gathers && t->opts.way != CFLR_WAY_PUSH;
    GPU_TRY(cudaSetDevice(r->device), "choosing it");
    cflr_status st = gpu_choose_transfer(t, r, can_stream, error);
    return st == CFLR_OK ? choose_kernel(t, r, error) : st;
}

/* Memory of the device, and rows in it. */
static cflr_status fill_memory(cflr_traversal *t, gpu_run *r, cflr_error *error) {
    GPU_TRY(cudaStreamCreateWithFlags(&r->stream, cudaStreamNonBlocking), "making a stream");
    GPU_TRY(cudaEventCreate(&r->begin), "making an event");
    GPU_TRY(cudaEventCreate(&r->end), "making an event");
    GPU_TRY(
        cudaHostAlloc(reinterpret_cast<void **>(&r->stop), sizeof *r->stop, cudaHostAllocMapped),
        "sharing memory");
    uint64_t most = r->is_packed() ? (uint64_t)CFLRI_PACKED_GROUP : (uint64_t)GPU_PIECE;
    r->state.has_long_rows =
        has_row_of(&r->rows[0], most) || (r->has_both() && has_row_of(&r->rows[1], most));
    cflr_status st = gpu_make_arena(t, r, error);
    if (st != CFLR_OK) return st;
    void *stop = nullptr;
    GPU_TRY(cudaHostGetDevicePointer(&stop, r->stop, 0), "sharing memory");
    r->state.stop = static_cast<const volatile uint32_t *>(stop);
    st = gpu_prepare_transfer(t, r, error);
    return st == CFLR_OK ? gpu_copy_graph(r, error) : st;
}

static void free_run(gpu_run *r) {
    cudaSetDevice(r->device);
    gpu_release_transfer(r);
    cudaFree(r->arena);
    cudaFree(r->source);
    cudaFreeHost(r->stop);
    if (r->begin) cudaEventDestroy(r->begin);
    if (r->end) cudaEventDestroy(r->end);
    if (r->stream) cudaStreamDestroy(r->stream);
    delete r;
}

static double now() {
    std::chrono::duration<double> since = std::chrono::steady_clock::now().time_since_epoch();
    return since.count();
}

/* The run of each GPU. */
struct member_group {
    std::vector<gpu_run *> member;

    ~member_group() {
        device_kept kept;
        for (gpu_run *r : member) free_run(r);
    }
};

static cflr_status make_member(const cflr_traversal *t, member_group *g, uint32_t self, uint32_t n,
                               const cflri_services *services, cflr_error *error) {
    gpu_run *r = new gpu_run();
    g->member.push_back(r);
    r->services = services;
    r->device = (int)self;
    r->state.peers.self = self;
    r->state.peers.n = n;
    r->rows[0] = t->task->out;
    r->rows[1] = t->task->in;
    cflr_status st = find_device(r, error);
    if (st != CFLR_OK || n == 1) return st;
    bool both = r->has_both();
    r->rows[0] = r->part.begin(0, &t->task->out, self, n);
    r->rows[1] = both ? r->part.begin(1, &t->task->in, self, n) : r->rows[0];
    return CFLR_OK;
}

/* Rows of one GPU after the other: those that are copied have to be there only so long. */
static cflr_status fill_member(cflr_traversal *t, gpu_run *r, cflr_error *error) {
    const gpu_peers *p = &r->state.peers;
    GPU_TRY(cudaSetDevice(r->device), "choosing it");
    if (r->has_peers()) {
        bool both = r->has_both();
        r->part.fill(0, &t->task->out, &r->rows[0], p->self, p->n, r->services, t->context);
        if (both)
            r->part.fill(1, &t->task->in, &r->rows[1], p->self, p->n, r->services, t->context);
        else
            r->rows[1] = r->rows[0];
    }
    cflr_status st = fill_memory(t, r, error);
    if (r->transfer != CFLR_TRANSFER_ZERO_COPY) r->part.drop();
    return st;
}

static cflr_status make_group(cflr_traversal *t, member_group *g, const cflri_services *services,
                              cflr_error *error) {
    uint64_t device_rows = 0;
    uint32_t n = t->opts.gpus ? t->opts.gpus : 1;
    bool has_kernel = primitive_of(t)->peers != nullptr;
    cflr_status st = n > 1 ? gpu_check_peers(t, has_kernel, n, services, error) : CFLR_OK;
    for (uint32_t self = 0; self < n && st == CFLR_OK; self++)
        st = make_member(t, g, self, n, services, error);
    for (size_t i = 0; i < g->member.size() && st == CFLR_OK; i++)
        st = choose_all(t, g->member[i], error);
    if (st == CFLR_OK && n > 1) st = gpu_make_alike(t, g->member.data(), choose_kernel, error);
    for (size_t i = 0; i < g->member.size() && st == CFLR_OK; i++) {
        gpu_run *r = g->member[i];
        st = fill_member(t, r, error);
        t->stats.memory += r->size + r->tables_bytes;
        device_rows += t->stats.device_rows;
    }
    if (st == CFLR_OK && n > 1) st = gpu_introduce(g->member.data(), error);
    if (st != CFLR_OK) return st;
    t->stats.device_rows = device_rows;
    if (g->member[0]->is_staged() || g->member[0]->is_packed()) t->stats.memory += device_rows;
    return CFLR_OK;
}

static void release(void *state) {
    delete static_cast<member_group *>(state);
}

static cflr_status prepare(cflr_traversal *t, void **state, const cflri_services *services,
                           cflr_error *error) {
    double begin = now();
    member_group *g = new (std::nothrow) member_group();
    device_kept kept;
    *state = nullptr;
    if (!g) return gpu_fail(error, CFLR_NO_MEMORY, "out of memory");
    cflr_status st = CFLR_OK;
    t->stats.memory = 0;
    try {
        st = make_group(t, g, services, error);
    } catch (const std::bad_alloc &) {
        st = gpu_fail(error, CFLR_NO_MEMORY, "out of memory");
    }
    if (st != CFLR_OK) {
        release(g);
        return st;
    }
    t->stats.device = CFLR_DEVICE_GPU;
    t->stats.device_name = g->member[0]->name;
    t->stats.copy_seconds = now() - begin;
    t->stats.gpus = (uint32_t)g->member.size();
    *state = g;
    return CFLR_OK;
}

/* ---- running ---- */

static cflr_status send_sources(const cflr_traversal *t, gpu_run *r, cflr_error *error) {
    uint32_t n = t->task->n_sources;
    if (n > r->source_room) {
        cudaFree(r->source);
        r->source = nullptr;
        GPU_TRY(cudaMalloc(reinterpret_cast<void **>(&r->source), n * sizeof *r->source),
                "taking memory for sources");
        r->source_room = n;
    }
    if (n)
        GPU_TRY(cudaMemcpyAsync(r->source, t->task->source, n * sizeof *r->source,
                                cudaMemcpyHostToDevice, r->stream),
                "copying sources");
    r->common()->source = r->source;
    r->common()->n_sources = n;
    return CFLR_OK;
}

static void stop_all(const member_group *g, uint32_t how) {
    for (gpu_run *r : g->member) *const_cast<volatile uint32_t *>(r->stop) = how;
}

/* Looks at the clock only now and then: most runs are over before. */
static cflr_status wait(const cflr_traversal *t, const member_group *g, gpu_run *r,
                        cflr_error *error) {
    cudaError_t what;
    for (uint64_t looks = 0; (what = cudaEventQuery(r->end)) == cudaErrorNotReady; looks++) {
        if (looks < 10000) continue;
        if (r->services->tick(t->context) != CFLR_OK && !*r->stop) stop_all(g, 1);
        std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    return what == cudaSuccess ? CFLR_OK : gpu_fail_cuda(error, what, "running");
}

/* All that has to be so before any of the kernels begins. */
static cflr_status clear(gpu_run *r, cflr_error *error) {
    *r->stop = 0;
    GPU_TRY(cudaMemsetAsync(r->state.counters, 0, 3 * sizeof *r->state.counters, r->stream),
            "clearing counters");
    GPU_TRY(cudaMemsetAsync(r->state.inspected, 0, sizeof(uint64_t), r->stream), "clearing");
    GPU_TRY(cudaMemsetAsync(r->state.stopped, 0, sizeof(uint32_t), r->stream), "clearing");
    GPU_TRY(cudaMemsetAsync(r->outcome, 0, sizeof *r->outcome, r->stream), "clearing");
    cflr_status st = gpu_begin_transfer(r, error);
    if (st != CFLR_OK || !r->has_peers()) return st;
    GPU_TRY(
        cudaMemsetAsync(r->state.peers.flag, 0, 2 * GPU_MOST_PEERS * sizeof(gpu_flag), r->stream),
        "clearing");
    GPU_TRY(cudaStreamSynchronize(r->stream), "clearing");
    return CFLR_OK;
}

static cflr_status launch(gpu_run *r, cflr_error *error) {
    void *arguments[] = {r->task, &r->state};
    GPU_TRY(cudaSetDevice(r->device), "choosing it");
    GPU_TRY(cudaEventRecord(r->begin, r->stream), "timing");
    GPU_TRY(cudaLaunchCooperativeKernel(r->kernel, dim3(r->blocks), dim3(GPU_THREADS), arguments,
                                        r->shared_bytes, r->stream),
            "launching");
    GPU_TRY(cudaEventRecord(r->end, r->stream), "timing");
    return CFLR_OK;
}

/* Columns are alike on all GPUs. */
static cflr_status bring_columns(const cflr_traversal *t, gpu_run *r, cflr_error *error) {
    for (const cflri_column *c = t->primitive->column; c->offset; c++) {
        if (!c->name) continue;
        void *host = *reinterpret_cast<void **>(reinterpret_cast<char *>(t->task) + c->offset);
        void *device = *reinterpret_cast<void **>(r->task + c->offset);
        GPU_TRY(cudaMemcpyAsync(host, device, gpu_column_bytes(t, c), cudaMemcpyDeviceToHost,
                                r->stream),
                "copying columns");
    }
    GPU_TRY(cudaStreamSynchronize(r->stream), "copying columns");
    return CFLR_OK;
}

/* What each GPU has done. */
static cflr_status add_outcome(cflr_traversal *t, gpu_run *r, cflr_error *error) {
    cflri_outcome outcome;
    uint64_t inspected = 0;
    float milliseconds = 0;
    GPU_TRY(cudaSetDevice(r->device), "choosing it");
    GPU_TRY(cudaEventElapsedTime(&milliseconds, r->begin, r->end), "timing");
    GPU_TRY(
        cudaMemcpyAsync(&outcome, r->outcome, sizeof outcome, cudaMemcpyDeviceToHost, r->stream),
        "copying the outcome");
    GPU_TRY(cudaMemcpyAsync(&inspected, r->state.inspected, sizeof inspected,
                            cudaMemcpyDeviceToHost, r->stream),
            "copying the outcome");
    GPU_TRY(cudaStreamSynchronize(r->stream), "copying the outcome");
    if (r->state.peers.self == 0)
        t->outcome = outcome;
    else
        t->outcome.overflow |= outcome.overflow;
    t->stats.edges_inspected += inspected;
    t->stats.run_seconds = std::max(t->stats.run_seconds, milliseconds / 1e3);
    return CFLR_OK;
}

/* All GPUs, or none: one that is alone would wait for the others. */
static cflr_status run_all(cflr_traversal *t, member_group *g, cflr_error *error) {
    cflr_status st = CFLR_OK;
    for (size_t i = 0; i < g->member.size() && st == CFLR_OK; i++) {
        GPU_TRY(cudaSetDevice(g->member[i]->device), "choosing it");
        st = send_sources(t, g->member[i], error);
        if (st == CFLR_OK) st = clear(g->member[i], error);
    }
    for (size_t i = 0; i < g->member.size() && st == CFLR_OK; i++) st = launch(g->member[i], error);
    if (st == CFLR_OK && g->member[0]->is_staged()) st = gpu_serve(g->member[0], error);
    for (size_t i = 0; i < g->member.size() && st == CFLR_OK; i++)
        st = wait(t, g, g->member[i], error);
    if (st == CFLR_OK || g->member.size() == 1) return st;
    stop_all(g, GPU_ABANDON);
    for (gpu_run *r : g->member)
        if (cudaSetDevice(r->device) == cudaSuccess) cudaStreamSynchronize(r->stream);
    return st;
}

static cflr_status run(cflr_traversal *t, void *state, const cflri_services *services,
                       cflr_error *error) {
    member_group *g = static_cast<member_group *>(state);
    gpu_run *first = g->member[0];
    device_kept kept;
    for (gpu_run *r : g->member) r->services = services;
    cflr_status st = run_all(t, g, error);
    if (st != CFLR_OK) return st;
    t->stats.edges_inspected = 0;
    t->stats.run_seconds = 0;
    for (gpu_run *r : g->member) {
        st = add_outcome(t, r, error);
        if (st != CFLR_OK) return st;
    }
    GPU_TRY(cudaSetDevice(first->device), "choosing it");
    st = bring_columns(t, first, error);
    t->stats.moved = {};
    if (first->server) {
        first->server->add_times();
        t->stats.moved = first->server->traffic;
    }
    if (first->transfer != CFLR_TRANSFER_WHOLE)
        t->stats.moved.bytes_needed = t->stats.edges_inspected * (t->task->out.weight ? 8 : 4);
    return st;
}

extern "C" __attribute__((visibility("default"))) const cflri_device cflr_cuda_device;
const cflri_device cflr_cuda_device = {CFLRI_DEVICE_VERSION, prepare, run, release};
