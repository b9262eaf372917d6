/* SPDX-License-Identifier: Apache-2.0
 *
 * device.cu: traversals on a GPU, as the host sees them.
 *
 * A run is one cooperative kernel (team.cuh); the host looks from time to time whether it is still
 * wanted, and tells the kernel through a word of its own memory. Meanwhile it delivers rows, where
 * these are not on the device (gpu/stream).
 */
#include <chrono>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <new>
#include <thread>

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

/* ---- errors ---- */

cflr_status gpu_fail(cflr_error *error, cflr_status code, const char *format, ...) {
    if (!error) return code;
    std::memset(error, 0, sizeof *error);
    error->code = code;
    va_list rest;
    va_start(rest, format);
    std::vsnprintf(error->message, sizeof error->message, format, rest);
    va_end(rest);
    return code;
}

cflr_status gpu_fail_cuda(cflr_error *error, cudaError_t what, const char *doing) {
    cudaGetLastError(); /* what can be forgotten is */
    cflr_status code = what == cudaErrorMemoryAllocation ? CFLR_NO_MEMORY : CFLR_UNAVAILABLE;
    return gpu_fail(error, code, "GPU: %s: %s", doing, cudaGetErrorString(what));
}

/* ---- preparing ---- */

static cflr_status find_device(gpu_run *r, cflr_error *error) {
    int devices = 0, cooperative = 0;
    cudaError_t what = cudaGetDeviceCount(&devices);
    if (what != cudaSuccess || devices == 0) {
        cudaGetLastError();
        return gpu_fail(
            error, CFLR_UNAVAILABLE, "no GPU: %s",
            what == cudaSuccess ? "the driver knows of none" : cudaGetErrorString(what));
    }
    cudaDeviceProp properties;
    GPU_TRY(cudaGetDeviceProperties(&properties, 0), "asking what it is");
    std::snprintf(r->name, sizeof r->name, "%s", properties.name);
    GPU_TRY(cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, 0), "asking");
    if (!cooperative)
        return gpu_fail(error, CFLR_UNAVAILABLE, "%s runs no cooperative kernels", r->name);
    r->processors = properties.multiProcessorCount;
    return CFLR_OK;
}

enum { EVEN_DEGREE = 5 };

/* After Gunrock: equal shares of edges are worth their scan where degrees are large. */
static cflr_schedule choose(const cflr_traversal *t, const gpu_primitive *primitive,
                            const char **why) {
    uint64_t n = t->csr->n_vertices, m = t->csr->n_edges;
    *why = "all rows, always: no schedule makes a difference";
    if (primitive->kernel[CFLR_SCHEDULE_AUTO]) return CFLR_SCHEDULE_AUTO;
    *why = "as was asked for";
    if (t->opts.schedule != CFLR_SCHEDULE_AUTO) return t->opts.schedule;
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
    cflr_schedule schedule = choose(t, primitive, &why);
    if (!t->stats.why) t->stats.why = why;
    r->kernel = primitive->kernel[schedule];
    r->by_edge = schedule == CFLR_SCHEDULE_EDGES;
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

static cflr_status set_up(cflr_traversal *t, gpu_run *r, cflr_error *error) {
    cflr_status st = find_device(r, error);
    if (st != CFLR_OK) return st;
    t->stats.device = CFLR_DEVICE_GPU;
    t->stats.device_name = r->name;
    t->stats.why = NULL;
    bool can_stream = primitive_of(t)->staged && t->opts.schedule == CFLR_SCHEDULE_AUTO;
    st = gpu_choose_transfer(t, r, can_stream, error);
    if (st == CFLR_OK) st = choose_kernel(t, r, error);
    if (st != CFLR_OK) return st;
    GPU_TRY(cudaStreamCreateWithFlags(&r->stream, cudaStreamNonBlocking), "making a stream");
    GPU_TRY(cudaEventCreate(&r->begin), "making an event");
    GPU_TRY(cudaEventCreate(&r->end), "making an event");
    GPU_TRY(
        cudaHostAlloc(reinterpret_cast<void **>(&r->stop), sizeof *r->stop, cudaHostAllocMapped),
        "sharing memory");
    uint64_t most = r->is_packed() ? (uint64_t)CFLRI_PACKED_GROUP : (uint64_t)GPU_PIECE;
    r->state.has_long_rows = has_row_of(&t->task->out, most) ||
                             (gpu_has_both(t->task) && has_row_of(&t->task->in, most));
    st = gpu_make_arena(t, r, error);
    if (st != CFLR_OK) return st;
    void *stop = nullptr;
    GPU_TRY(cudaHostGetDevicePointer(&stop, r->stop, 0), "sharing memory");
    r->state.stop = static_cast<const volatile uint32_t *>(stop);
    st = gpu_prepare_transfer(t, r, error);
    return st == CFLR_OK ? gpu_copy_graph(t, r, error) : st;
}

static void release(void *state) {
    gpu_run *r = static_cast<gpu_run *>(state);
    if (!r) return;
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

static cflr_status prepare(cflr_traversal *t, void **state, const cflri_services *services,
                           cflr_error *error) {
    double begin = now();
    gpu_run *r = new (std::nothrow) gpu_run();
    *state = nullptr;
    if (!r) return gpu_fail(error, CFLR_NO_MEMORY, "out of memory");
    cflr_status st = CFLR_OK;
    r->services = services;
    try {
        st = set_up(t, r, error);
    } catch (const std::bad_alloc &) {
        st = gpu_fail(error, CFLR_NO_MEMORY, "out of memory");
    }
    if (st != CFLR_OK) {
        release(r);
        return st;
    }
    t->stats.copy_seconds = now() - begin;
    t->stats.memory = r->size + r->tables_bytes;
    if (r->is_staged() || r->is_packed()) t->stats.memory += t->stats.device_rows;
    *state = r;
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

/* Looks at the clock only now and then: most runs are over before. */
static cflr_status wait(const cflr_traversal *t, gpu_run *r, cflr_error *error) {
    cudaError_t what;
    for (uint64_t looks = 0; (what = cudaEventQuery(r->end)) == cudaErrorNotReady; looks++) {
        if (looks < 10000) continue;
        if (r->services->tick(t->context) != CFLR_OK) *const_cast<volatile uint32_t *>(r->stop) = 1;
        std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    return what == cudaSuccess ? CFLR_OK : gpu_fail_cuda(error, what, "running");
}

static cflr_status launch(const cflr_traversal *t, gpu_run *r, cflr_error *error) {
    void *arguments[] = {r->task, &r->state};
    *r->stop = 0;
    GPU_TRY(cudaMemsetAsync(r->state.counters, 0, 3 * sizeof *r->state.counters, r->stream),
            "clearing counters");
    GPU_TRY(cudaMemsetAsync(r->state.inspected, 0, sizeof(uint64_t), r->stream), "clearing");
    GPU_TRY(cudaMemsetAsync(r->state.stopped, 0, sizeof(uint32_t), r->stream), "clearing");
    GPU_TRY(cudaMemsetAsync(r->outcome, 0, sizeof *r->outcome, r->stream), "clearing");
    cflr_status st = gpu_begin_transfer(t, r, error);
    if (st != CFLR_OK) return st;
    GPU_TRY(cudaEventRecord(r->begin, r->stream), "timing");
    GPU_TRY(cudaLaunchCooperativeKernel(r->kernel, dim3(r->blocks), dim3(GPU_THREADS), arguments,
                                        r->shared_bytes, r->stream),
            "launching");
    GPU_TRY(cudaEventRecord(r->end, r->stream), "timing");
    return CFLR_OK;
}

static cflr_status bring_back(cflr_traversal *t, gpu_run *r, cflr_error *error) {
    GPU_TRY(cudaMemcpyAsync(&t->outcome, r->outcome, sizeof t->outcome, cudaMemcpyDeviceToHost,
                            r->stream),
            "copying the outcome");
    GPU_TRY(cudaMemcpyAsync(&t->stats.edges_inspected, r->state.inspected, sizeof(uint64_t),
                            cudaMemcpyDeviceToHost, r->stream),
            "copying the outcome");
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

static cflr_status run(cflr_traversal *t, void *state, const cflri_services *services,
                       cflr_error *error) {
    gpu_run *r = static_cast<gpu_run *>(state);
    float milliseconds = 0;
    r->services = services;
    cflr_status st = send_sources(t, r, error);
    if (st == CFLR_OK) st = launch(t, r, error);
    if (st == CFLR_OK && r->is_staged()) st = gpu_serve(r, error);
    if (st == CFLR_OK) st = wait(t, r, error);
    if (st != CFLR_OK) return st;
    GPU_TRY(cudaEventElapsedTime(&milliseconds, r->begin, r->end), "timing");
    t->stats.run_seconds = milliseconds / 1e3;
    st = bring_back(t, r, error);
    t->stats.moved = {};
    if (r->server) t->stats.moved = r->server->traffic;
    if (r->transfer != CFLR_TRANSFER_WHOLE)
        t->stats.moved.bytes_needed = t->stats.edges_inspected * (t->task->out.weight ? 8 : 4);
    return st;
}

extern "C" __attribute__((visibility("default"))) const cflri_device cflr_cuda_device;
const cflri_device cflr_cuda_device = {CFLRI_DEVICE_VERSION, prepare, run, release};
