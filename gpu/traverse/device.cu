/* SPDX-License-Identifier: Apache-2.0
 *
 * device.cu: traversals on a GPU, as the host sees them.
 *
 * One block of device memory holds all that a traversal needs: rows, columns, counters. It is asked
 * for at once, so that a graph that does not fit is an answer and not a crash in the middle. A run
 * is one cooperative kernel (team.cuh); the host looks from time to time whether it is still
 * wanted, and tells the kernel through a word of its own memory.
 */
#include <atomic>
#include <chrono>
#include <cinttypes>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <new>
#include <thread>

#include "engine/traverse/device.h"
#include "gpu/stream/server.cuh"
#include "gpu/traverse/primitive.cuh"

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

static cflr_status fail(cflr_error *error, cflr_status code, const char *format, ...) {
    if (!error) return code;
    std::memset(error, 0, sizeof *error);
    error->code = code;
    va_list rest;
    va_start(rest, format);
    std::vsnprintf(error->message, sizeof error->message, format, rest);
    va_end(rest);
    return code;
}

static cflr_status fail_cuda(cflr_error *error, cudaError_t what, const char *doing) {
    cudaGetLastError(); /* what can be forgotten is */
    cflr_status code = what == cudaErrorMemoryAllocation ? CFLR_NO_MEMORY : CFLR_UNAVAILABLE;
    return fail(error, code, "GPU: %s: %s", doing, cudaGetErrorString(what));
}

#define GPU_TRY(call, doing)                                             \
    do {                                                                 \
        cudaError_t what = (call);                                       \
        if (what != cudaSuccess) return fail_cuda(error, what, (doing)); \
    } while (0)

/* ---- what a traversal has on the device ---- */

struct gpu_run {
    char *arena;
    size_t size, used;
    alignas(16) char task[1024]; /* as the kernel gets it */
    gpu_state state;
    cflri_outcome *outcome;
    uint32_t *source;
    uint32_t source_room;
    uint32_t *stop; /* of the host, seen by the device */
    cudaStream_t stream;
    cudaEvent_t begin, end;
    const void *kernel;
    size_t shared_bytes; /* of a block, beside gpu_shared */
    uint32_t blocks;
    bool by_edge; /* the schedule asks for the sources of edges */
    char name[128];
    cflr_transfer transfer;
    gpu_server *server;    /* unless edges are copied whole */
    gpu_pinned words[2];   /* PACKED: rows as they are, and backwards */
    uint64_t long_groups;  /* of these, in rows of more than one group */
    void *managed[4];      /* UNIFIED and ADVISED: targets and weights of both sides */
    char *room, *tables;   /* of the server */
    uint64_t tables_bytes;
};

static bool is_staged(const gpu_run *r) {
    return r->transfer == CFLR_TRANSFER_PARTITIONS || r->transfer == CFLR_TRANSFER_AHEAD ||
           r->transfer == CFLR_TRANSFER_SUBWAY;
}

static bool is_packed(const gpu_run *r) {
    return r->transfer == CFLR_TRANSFER_PACKED;
}

static cflri_primitive_task *task_of(gpu_run *r) {
    return reinterpret_cast<cflri_primitive_task *>(r->task);
}

enum { GPU_ALIGN = 256 };

/* Counts while there is no arena. */
static void *take(gpu_run *r, uint64_t bytes) {
    void *at = r->arena ? r->arena + r->used : nullptr;
    r->used += (bytes + GPU_ALIGN - 1) / GPU_ALIGN * GPU_ALIGN;
    return at;
}

static uint64_t element_size(uint32_t type) {
    switch (type) {
        case CFLR_COLUMN_UINT8:
            return 1;
        case CFLR_COLUMN_UINT64:
        case CFLR_COLUMN_FLOAT64:
            return 8;
        default:
            return 4;
    }
}

static uint64_t column_bytes(const cflr_traversal *t, const cflri_column *c) {
    uint64_t n = t->task->out.n, m = t->csr->n_edges, length = n;
    switch (c->per) {
        case CFLRI_PER_VERTEX:
            break;
        case CFLRI_PER_HALF_EDGES:
            length = m / 2;
            break;
        case CFLRI_PER_WORD:
            length = (n + 63) / 64;
            break;
        case CFLRI_PER_LEVEL:
            length = n + 2;
            break;
        case CFLRI_PER_EDGE_WORD:
            length = (m + 63) / 64;
            break;
        case CFLRI_PER_CELL:
            length = CFLRI_CELLS;
            break;
    }
    return length * element_size(c->type);
}

static bool is_made(const cflr_traversal *t, const cflri_column *c) {
    return !c->when_pushing || t->opts.way == CFLR_WAY_PUSH;
}

static void place_rows(gpu_run *r, cflri_rows *rows, const cflri_rows *host) {
    *rows = *host;
    rows->start = static_cast<uint64_t *>(take(r, (host->n + 1ull) * sizeof *rows->start));
    rows->target = rows->weight = rows->source = nullptr;
    rows->share = nullptr;
    if (is_packed(r))
        rows->packed.at = static_cast<uint64_t *>(take(r, (host->n + 1ull) * sizeof(uint64_t)));
    if (is_staged(r) || is_packed(r)) return;
    rows->share =
        static_cast<uint32_t *>(take(r, (gpu_shares(host->n, host->m) + 1) * sizeof *rows->share));
    if (r->by_edge) rows->source = static_cast<uint32_t *>(take(r, host->m * sizeof *rows->source));
    if (r->transfer != CFLR_TRANSFER_WHOLE) return;
    rows->target = static_cast<uint32_t *>(take(r, host->m * sizeof *rows->target));
    if (host->weight)
        rows->weight = static_cast<uint32_t *>(take(r, host->m * sizeof *rows->weight));
}

/* What a server's kernel works with, but for what depends on the policy. */
static void place_stage(gpu_run *r, uint64_t n) {
    gpu_stage *s = &r->state.stage;
    uint64_t words = (n + CFLRI_WORD_BITS - 1) / CFLRI_WORD_BITS;
    s->start = task_of(r)->out.start;
    s->member = static_cast<uint32_t *>(take(r, words * sizeof *s->member));
    s->sum = static_cast<unsigned long long *>(take(r, n * sizeof *s->sum));
    s->delivery = static_cast<gpu_delivery *>(take(r, sizeof *s->delivery));
    if (r->transfer != CFLR_TRANSFER_SUBWAY) return;
    s->vertex = static_cast<uint32_t *>(take(r, n * sizeof *s->vertex));
    s->begin = static_cast<uint64_t *>(take(r, (n + 1) * sizeof *s->begin));
    r->state.offset = static_cast<uint64_t *>(take(r, (n + 1) * sizeof *r->state.offset));
}

static bool has_row_of(const cflri_rows *rows, uint64_t edges) {
    for (uint32_t v = 0; v < rows->n; v++)
        if (rows->start[v + 1] - rows->start[v] > edges) return true;
    return false;
}

static uint64_t long_groups_of(const cflri_rows *rows) {
    uint64_t n = 0;
    for (uint32_t v = 0; v < rows->n; v++) {
        uint64_t degree = rows->start[v + 1] - rows->start[v];
        if (degree > CFLRI_PACKED_GROUP)
            n += (degree + CFLRI_PACKED_GROUP - 1) / CFLRI_PACKED_GROUP;
    }
    return n;
}

/* Where everything lies; called twice: to measure, and with an arena. */
static void place(const cflr_traversal *t, gpu_run *r) {
    cflri_primitive_task *task = task_of(r);
    uint64_t n = t->task->out.n, m = t->task->out.m;
    if (m < t->task->in.m) m = t->task->in.m;
    r->used = 0;
    std::memcpy(r->task, t->task, t->primitive->task_size);
    place_rows(r, &task->out, &t->task->out);
    task->in = task->out;
    if (t->task->in.start != t->task->out.start) place_rows(r, &task->in, &t->task->in);
    for (const cflri_column *c = t->primitive->column; c->offset; c++) {
        void **at = reinterpret_cast<void **>(r->task + c->offset);
        *at = is_made(t, c) ? take(r, column_bytes(t, c)) : nullptr;
    }
    r->outcome = static_cast<cflri_outcome *>(take(r, sizeof *r->outcome));
    task->outcome = r->outcome;
    r->state.counters = static_cast<gpu_counters *>(take(r, 3 * sizeof *r->state.counters));
    r->state.real = static_cast<double *>(take(r, 2ull * r->blocks * sizeof(cflri_step_tally)));
    r->state.block_sum = static_cast<uint64_t *>(take(r, r->blocks * sizeof(uint64_t)));
    r->state.inspected = static_cast<unsigned long long *>(take(r, sizeof(uint64_t)));
    r->state.stopped = static_cast<uint32_t *>(take(r, sizeof(uint32_t)));
    if (is_staged(r)) {
        place_stage(r, n);
        return;
    }
    if (is_packed(r)) {
        uint64_t words = (n + CFLRI_WORD_BITS - 1) / CFLRI_WORD_BITS, pieces = r->long_groups + 1;
        r->state.stage.member = static_cast<uint32_t *>(take(r, words * sizeof(uint32_t)));
        r->state.piece = static_cast<uint64_t *>(take(r, pieces * sizeof(uint64_t)));
        r->state.part = static_cast<unsigned long long *>(take(r, pieces * sizeof(uint64_t)));
        return;
    }
    r->state.offset = static_cast<uint64_t *>(take(r, (n + 1) * sizeof *r->state.offset));
    r->state.piece = static_cast<uint64_t *>(take(r, (2 * m / GPU_PIECE + 1) * sizeof(uint64_t)));
    r->state.head = static_cast<float *>(take(r, (gpu_shares(n, m) + 1) * sizeof(float)));
    r->state.tail = static_cast<float *>(take(r, (gpu_shares(n, m) + 1) * sizeof(float)));
    uint64_t words = (n + CFLRI_WORD_BITS - 1) / CFLRI_WORD_BITS;
    if (r->by_edge)
        r->state.member =
            static_cast<cflri_shared_word *>(take(r, words * sizeof(cflri_shared_word)));
}

/* ---- preparing ---- */

static cflr_status find_device(gpu_run *r, int *processors, cflr_error *error) {
    int devices = 0, cooperative = 0;
    cudaError_t what = cudaGetDeviceCount(&devices);
    if (what != cudaSuccess || devices == 0) {
        cudaGetLastError();
        return fail(error, CFLR_UNAVAILABLE, "no GPU: %s",
                    what == cudaSuccess ? "the driver knows of none" : cudaGetErrorString(what));
    }
    cudaDeviceProp properties;
    GPU_TRY(cudaGetDeviceProperties(&properties, 0), "asking what it is");
    std::snprintf(r->name, sizeof r->name, "%s", properties.name);
    GPU_TRY(cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, 0), "asking");
    if (!cooperative)
        return fail(error, CFLR_UNAVAILABLE, "%s runs no cooperative kernels", r->name);
    *processors = properties.multiProcessorCount;
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

static cflr_status choose_kernel(cflr_traversal *t, gpu_run *r, const cflri_services *services,
                                 int processors, cflr_error *error) {
    int blocks = 0;
    const gpu_primitive *primitive =
        t->opts.idempotent ? &gpu_bfs_idempotent : primitives[t->primitive->which];
    cflr_schedule schedule = choose(t, primitive, &t->stats.why);
    r->kernel = primitive->kernel[schedule];
    r->by_edge = schedule == CFLR_SCHEDULE_EDGES;
    if (is_staged(r) || is_packed(r)) {
        if (!primitive->staged || t->opts.schedule != CFLR_SCHEDULE_AUTO)
            return fail(error, CFLR_UNSUPPORTED, "transfer '%s' has no %s of %s",
                        services->transfer_name(r->transfer),
                        primitive->staged ? "schedule" : "kernel", t->primitive->name);
        schedule = CFLR_SCHEDULE_WARP;
        r->kernel = is_packed(r) ? primitive->packed : primitive->staged;
        r->by_edge = false;
        t->stats.why = is_packed(r)
                           ? "warps decode the rows of 32 vertices, wherever these lie"
                           : "rows come piece by piece; warps share those of 32 vertices";
    }
    r->shared_bytes = is_packed(r) ? sizeof(gpu_packed_shared) : 0;
    if (r->shared_bytes)
        GPU_TRY(cudaFuncSetAttribute(r->kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     (int)r->shared_bytes),
                "asking for shared memory");
    GPU_TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, r->kernel, GPU_THREADS,
                                                          r->shared_bytes),
            "asking how many blocks it holds");
    if (blocks == 0) return fail(error, CFLR_UNAVAILABLE, "%s has no room for a block", r->name);
    int most_blocks = is_staged(r) || is_packed(r) ? 2 : primitive->blocks;
    if (blocks > most_blocks) blocks = most_blocks;
    /* a barrier costs less with fewer blocks, and there are more steps where rows are short */
    if (t->primitive->goes_far && t->csr->n_edges < (uint64_t)EVEN_DEGREE * t->csr->n_vertices)
        blocks = 1;
    /* and no more of them are of use than there are vertices and edges for */
    uint64_t useful = (t->task->out.n + t->task->out.m) / GPU_THREADS + 1;
    uint64_t most = (uint64_t)blocks * processors;
    r->blocks = (uint32_t)(useful < most ? useful : most);
    t->stats.schedule = services->schedule_name(schedule);
    return CFLR_OK;
}

static cflr_status make_arena(const cflr_traversal *t, gpu_run *r, cflr_error *error) {
    size_t left = 0, all = 0;
    uint64_t most = t->opts.device_memory;
    place(t, r);
    r->size = r->used;
    if (most && r->size > most)
        return fail(error, CFLR_NO_MEMORY,
                    "the graph and its columns take %zu KB of %s, %" PRIu64 " KB are allowed",
                    (r->size >> 10) + 1, r->name, most >> 10);
    cudaError_t what = cudaMalloc(reinterpret_cast<void **>(&r->arena), r->size);
    if (what == cudaErrorMemoryAllocation) {
        cudaGetLastError();
        cudaMemGetInfo(&left, &all);
        return fail(error, CFLR_NO_MEMORY,
                    "the graph and its columns take %zu MB, %s has %zu MB left", r->size >> 20,
                    r->name, left >> 20);
    }
    if (what != cudaSuccess) return fail_cuda(error, what, "taking memory");
    place(t, r);
    return CFLR_OK;
}

/* share[k]: the row that share k begins in; one more says where the last one ends. */
static __global__ void gpu_find_shares(const uint64_t *start, uint64_t n, uint64_t m,
                                       uint32_t *share) {
    uint64_t k = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x, last = gpu_shares(n, m);
    if (k > last) return;
    uint64_t place = k * GPU_SHARE < n + m ? k * GPU_SHARE : n + m;
    share[k] = gpu_rows_ended(start, n, m, place);
}

/* A warp a row. */
static __global__ void gpu_name_sources(const uint64_t *start, uint64_t n, uint32_t *source) {
    uint64_t v = ((uint64_t)blockIdx.x * blockDim.x + threadIdx.x) / GPU_WARP;
    if (v >= n) return;
    for (uint64_t e = start[v] + threadIdx.x % GPU_WARP; e < start[v + 1]; e += GPU_WARP)
        source[e] = (uint32_t)v;
}

enum { FIND_THREADS = 256, FIND_ROWS = FIND_THREADS / GPU_WARP };

/* The rows, and where the shares of a gather begin in them. */
static cudaError_t copy_rows(gpu_run *r, const cflri_rows *to, const cflri_rows *from) {
    uint64_t shares = gpu_shares(from->n, from->m) + 1;
    cudaError_t what =
        cudaMemcpyAsync(const_cast<uint64_t *>(to->start), from->start,
                        (from->n + 1ull) * sizeof *from->start, cudaMemcpyHostToDevice, r->stream);
    if (what != cudaSuccess || is_staged(r) || is_packed(r)) return what;
    if (r->transfer == CFLR_TRANSFER_WHOLE)
        what = cudaMemcpyAsync(const_cast<uint32_t *>(to->target), from->target,
                               from->m * sizeof *from->target, cudaMemcpyHostToDevice, r->stream);
    if (what == cudaSuccess && from->weight && r->transfer == CFLR_TRANSFER_WHOLE)
        what = cudaMemcpyAsync(const_cast<uint32_t *>(to->weight), from->weight,
                               from->m * sizeof *from->weight, cudaMemcpyHostToDevice, r->stream);
    if (what != cudaSuccess) return what;
    gpu_find_shares<<<(uint32_t)((shares + FIND_THREADS - 1) / FIND_THREADS), FIND_THREADS, 0,
                      r->stream>>>(to->start, from->n, from->m, const_cast<uint32_t *>(to->share));
    if (to->source && from->m)
        gpu_name_sources<<<(uint32_t)((from->n + FIND_ROWS - 1) / FIND_ROWS), FIND_THREADS, 0,
                           r->stream>>>(to->start, from->n, const_cast<uint32_t *>(to->source));
    if (r->by_edge) {
        what = cudaMemsetAsync(
            r->state.member, 0,
            ((uint64_t)from->n + CFLRI_WORD_BITS - 1) / CFLRI_WORD_BITS * sizeof(cflri_shared_word),
            r->stream);
        if (what != cudaSuccess) return what;
    }
    return cudaGetLastError();
}

static cflr_status copy_graph(const cflr_traversal *t, gpu_run *r, cflr_error *error) {
    cflri_primitive_task *task = task_of(r);
    GPU_TRY(copy_rows(r, &task->out, &t->task->out), "copying the graph");
    if (task->in.start != task->out.start)
        GPU_TRY(copy_rows(r, &task->in, &t->task->in), "copying the graph");
    GPU_TRY(cudaStreamSynchronize(r->stream), "copying the graph");
    return CFLR_OK;
}

/* ---- edges that are not copied whole ---- */

static cflr_status pin_rows(const cflr_traversal *t, gpu_run *r, cflr_error *error) {
    gpu_server *s = r->server;
    bool both = t->task->in.start != t->task->out.start;
    s->rows[0] = t->task->out;
    s->rows[1] = t->task->in;
    for (int side = 0; side < 1 + both; side++) {
        cflri_rows *rows = &s->rows[side];
        gpu_pinned *at = &s->pinned[2 * side];
        GPU_TRY(at->pin(rows->target, rows->m * sizeof *rows->target), "pinning the graph");
        rows->target = at->at<uint32_t>();
        if (!rows->weight) continue;
        GPU_TRY(at[1].pin(rows->weight, rows->m * sizeof *rows->weight), "pinning the graph");
        rows->weight = at[1].at<uint32_t>();
    }
    if (!both) s->rows[1] = s->rows[0];
    return CFLR_OK;
}

/* The rows of a task, read where the host has them. */
static void point_to_host(gpu_run *r, const gpu_server *s) {
    cflri_primitive_task *task = task_of(r);
    bool both = task->in.start != task->out.start;
    for (int side = 0; side < 2; side++) {
        cflri_rows *rows = side ? &task->in : &task->out;
        const gpu_pinned *at = &s->pinned[both ? 2 * side : 0];
        rows->target = static_cast<const uint32_t *>(at->device);
        if (rows->m && s->rows[side].weight)
            rows->weight = static_cast<const uint32_t *>(at[1].device);
    }
}

static cudaError_t advise(void *at, uint64_t bytes, uint64_t here) {
    cudaMemLocation device = {cudaMemLocationTypeDevice, 0}, host = {cudaMemLocationTypeHost, 0};
    cudaError_t what = cudaMemAdvise(at, bytes, cudaMemAdviseSetReadMostly, device);
    if (what == cudaSuccess && here < bytes) {
        char *rest = static_cast<char *>(at) + here;
        what = cudaMemAdvise(rest, bytes - here, cudaMemAdviseUnsetReadMostly, device);
        if (what == cudaSuccess)
            what = cudaMemAdvise(rest, bytes - here, cudaMemAdviseSetPreferredLocation, host);
        if (what == cudaSuccess)
            what = cudaMemAdvise(rest, bytes - here, cudaMemAdviseSetAccessedBy, device);
    }
    if (what == cudaSuccess && here) what = cudaMemPrefetchAsync(at, here, device, 0, nullptr);
    return what;
}

/* Of the room, each array has its share. */
static cflr_status manage_rows(const cflr_traversal *t, gpu_run *r, uint64_t room,
                               cflr_error *error) {
    cflri_primitive_task *task = task_of(r);
    bool both = task->in.start != task->out.start, weighs = t->task->out.weight != nullptr;
    uint64_t arrays = (1 + both) * (1 + weighs);
    for (int side = 0; side < 1 + both; side++) {
        const cflri_rows *from = side ? &t->task->in : &t->task->out;
        cflri_rows *to = side ? &task->in : &task->out;
        for (int k = 0; k < 1 + weighs; k++) {
            uint64_t bytes = from->m * 4 ? from->m * 4 : 4;
            void **at = &r->managed[2 * side + k];
            GPU_TRY(cudaMallocManaged(at, bytes), "taking unified memory");
            std::memcpy(*at, k ? from->weight : from->target, from->m * 4);
            uint64_t here = room / arrays < bytes ? room / arrays / 65536 * 65536 : bytes;
            if (r->transfer == CFLR_TRANSFER_ADVISED)
                GPU_TRY(advise(*at, bytes, here), "advising");
            (k ? to->weight : to->target) = static_cast<const uint32_t *>(*at);
        }
    }
    if (!both) task->in = task->out;
    return CFLR_OK;
}

enum { LEAST_ROOM = 1 << 14, TABLES = 1 << 16 };

/* Bytes of the device that edges may have, beside the state. */
static cflr_status find_room(const cflr_traversal *t, gpu_run *r, uint64_t *room,
                             cflr_error *error) {
    size_t left = 0, all = 0;
    GPU_TRY(cudaMemGetInfo(&left, &all), "asking how much memory is left");
    uint64_t most = left / 20 * 19, edges = t->task->out.m * (t->task->out.weight ? 8 : 4);
    if (t->task->in.start != t->task->out.start) edges *= 2;
    if (t->opts.device_memory && t->opts.device_memory - r->size < most)
        most = t->opts.device_memory - r->size;
    if (most < LEAST_ROOM + TABLES)
        return fail(error, CFLR_NO_MEMORY,
                    "the columns take %zu KB of %s, and there must be %d KB more for edges",
                    (r->size >> 10) + 1, r->name, (LEAST_ROOM + TABLES) >> 10);
    *room = (most - TABLES) / 16 * 15; /* a fifteenth of it: lists of long rows */
    if (t->opts.device_rows && t->opts.device_rows < *room) *room = t->opts.device_rows;
    if (*room > edges + LEAST_ROOM) *room = edges + LEAST_ROOM;
    if (*room < LEAST_ROOM) *room = LEAST_ROOM;
    *room = *room / GPU_ALIGN * GPU_ALIGN;
    return CFLR_OK;
}

static void *take_table(gpu_run *r, uint64_t bytes) {
    void *at = r->tables ? r->tables + r->tables_bytes : nullptr;
    r->tables_bytes += (bytes + GPU_ALIGN - 1) / GPU_ALIGN * GPU_ALIGN;
    return at;
}

static void place_tables(gpu_run *r) {
    gpu_stage *stage = &r->state.stage;
    const gpu_server *s = r->server;
    r->tables_bytes = 0;
    for (int side = 0; side < 2; side++) {
        stage->partitions[side] = (uint32_t)s->policy->partition[side].size();
        stage->partition[side] = static_cast<gpu_partition *>(
            take_table(r, stage->partitions[side] * sizeof(gpu_partition)));
        stage->need[side] = static_cast<unsigned long long *>(
            take_table(r, stage->partitions[side] * sizeof(uint64_t)));
    }
    stage->piece = static_cast<gpu_piece *>(take_table(r, s->most_pieces * sizeof(gpu_piece)));
    stage->long_piece = static_cast<gpu_long_piece *>(
        take_table(r, (s->room_bytes / 2 / GPU_PIECE + 64) * sizeof(gpu_long_piece)));
}

enum { MOST_PIECES = 4096 };

static cflr_status make_mail(gpu_run *r, uint64_t n, cflr_error *error) {
    gpu_server *s = r->server;
    gpu_stage *stage = &r->state.stage;
    size_t partitions = s->policy->partition[0].size();
    if (partitions < s->policy->partition[1].size()) partitions = s->policy->partition[1].size();
    s->most_pieces = (uint32_t)(partitions < MOST_PIECES ? partitions + 1 : MOST_PIECES);
    GPU_TRY(s->mail_memory.make(sizeof(gpu_mail)), "sharing memory");
    GPU_TRY(s->piece_memory.make(GPU_DELIVERIES * s->most_pieces * sizeof(gpu_piece)),
            "sharing memory");
    GPU_TRY(s->need_memory.make(partitions * sizeof(uint64_t)), "sharing memory");
    stage->mail = static_cast<gpu_mail *>(s->mail_memory.device);
    stage->need_of_host = static_cast<uint64_t *>(s->need_memory.device);
    stage->wish = s->policy->wish;
    if (stage->wish != GPU_WISH_LIST) return CFLR_OK;
    GPU_TRY(s->vertex_memory.make(n * sizeof(uint32_t)), "sharing memory");
    GPU_TRY(s->begin_memory.make((n + 1) * sizeof(uint64_t)), "sharing memory");
    stage->vertex_of_host = static_cast<uint32_t *>(s->vertex_memory.device);
    stage->begin_of_host = static_cast<uint64_t *>(s->begin_memory.device);
    return CFLR_OK;
}

static cflr_status copy_partitions(gpu_run *r, cflr_error *error) {
    const gpu_stage *stage = &r->state.stage;
    for (int side = 0; side < 2; side++)
        GPU_TRY(cudaMemcpyAsync(const_cast<gpu_partition *>(stage->partition[side]),
                                r->server->policy->partition[side].data(),
                                stage->partitions[side] * sizeof(gpu_partition),
                                cudaMemcpyHostToDevice, r->stream),
                "copying partitions");
    return CFLR_OK;
}

static cflr_status make_policy(const cflr_traversal *t, gpu_run *r, uint64_t room,
                               cflr_error *error) {
    gpu_server *s = r->server;
    s->room_bytes = room;
    s->stop = r->stop;
    s->end = r->end;
    GPU_TRY(cudaStreamCreateWithFlags(&s->copies, cudaStreamNonBlocking), "making a stream");
    GPU_TRY(cudaMalloc(reinterpret_cast<void **>(&r->room), room), "taking memory for edges");
    s->room = r->room;
    s->policy = r->transfer == CFLR_TRANSFER_SUBWAY
                    ? gpu_make_subway(s)
                    : gpu_make_partitions(s, r->transfer == CFLR_TRANSFER_AHEAD);
    cflr_status st = make_mail(r, t->task->out.n, error);
    if (st != CFLR_OK) return st;
    place_tables(r);
    GPU_TRY(cudaMalloc(reinterpret_cast<void **>(&r->tables), r->tables_bytes),
            "taking memory for partitions");
    place_tables(r);
    s->stage = r->state.stage;
    return copy_partitions(r, error);
}

/* ---- packed rows ---- */

/* As many chunks of the rows as the room has place for come to it, those from the begin on; the
 * rest is read in the host's memory. */
static cflr_status place_chunks(gpu_run *r, int side, uint64_t words, char *room, uint64_t bytes,
                                const uint32_t **table, uint64_t *taken, cflr_error *error) {
    const uint64_t chunk = UINT64_C(4) << GPU_CHUNK_SHIFT;
    uint64_t all = (words * 4 + chunk - 1) / chunk, here = bytes / chunk;
    const gpu_pinned *at = &r->words[side];
    std::vector<const uint32_t *> base;
    if (words * 4 <= bytes) here = all;
    for (uint64_t c = 0; c < all; c++)
        base.push_back(c < here ? reinterpret_cast<const uint32_t *>(room)
                                : static_cast<const uint32_t *>(at->device));
    *taken = here * chunk < words * 4 ? here * chunk : words * 4;
    if (here < all) r->state.stage.is_far = true;
    GPU_TRY(cudaMemcpyAsync(room, at->host, *taken, cudaMemcpyHostToDevice, r->stream),
            "copying rows");
    GPU_TRY(cudaMemcpyAsync(table, base.data(), all * sizeof *table, cudaMemcpyHostToDevice,
                            r->stream),
            "copying the table of chunks");
    GPU_TRY(cudaStreamSynchronize(r->stream), "copying rows");
    return CFLR_OK;
}

static cflr_status pack_rows(const cflr_traversal *t, gpu_run *r, const cflri_services *services,
                             int side, cflri_row_code *how, uint64_t *words, cflr_error *error) {
    cflri_rows *to = side ? &task_of(r)->in : &task_of(r)->out;
    const cflri_rows *from = side ? &t->task->in : &t->task->out;
    int threads = services->threads(t->context);
    cflri_plain_rows rows = {from->n, from->start, from->target, from->weight};
    std::vector<uint64_t> at(from->n + 1ull);
    *how = services->row_code_of(&rows, t->csr->weights, threads);
    services->packed_measure(&rows, how, threads, at.data());
    *words = at[from->n] + CFLRI_PACKED_PAD;
    GPU_TRY(r->words[side].make(*words * sizeof(uint32_t)), "taking memory for packed rows");
    services->packed_write(&rows, how, threads, at.data(), r->words[side].at<uint32_t>());
    GPU_TRY(cudaMemcpy(const_cast<uint64_t *>(to->packed.at), at.data(), at.size() * sizeof at[0],
                       cudaMemcpyHostToDevice),
            "copying where rows begin");
    to->packed.first_bits = how->first_bits;
    to->packed.step = how->step;
    to->packed.weight_bits = how->weight_bits;
    to->packed.least_weight = how->least_weight;
    if (from->weight) to->weight = reinterpret_cast<const uint32_t *>(to->start);
    return CFLR_OK;
}

static cflr_status make_packed(cflr_traversal *t, gpu_run *r, const cflri_services *services,
                               uint64_t room, cflr_error *error) {
    cflri_primitive_task *task = task_of(r);
    const uint64_t chunk = UINT64_C(4) << GPU_CHUNK_SHIFT;
    bool both = t->task->in.start != t->task->out.start;
    cflri_row_code how[2];
    uint64_t words[2] = {0, 0}, chunks = 0, taken = 0, all = 0;
    for (int side = 0; side < 1 + both; side++) {
        cflr_status st = pack_rows(t, r, services, side, &how[side], &words[side], error);
        if (st != CFLR_OK) return st;
        chunks += words[side] * 4 / chunk + 1;
    }
    r->tables_bytes = chunks * sizeof(uint32_t *);
    if (room > (words[0] + words[1]) * 4 + 2 * chunk) room = (words[0] + words[1]) * 4 + 2 * chunk;
    GPU_TRY(cudaMalloc(reinterpret_cast<void **>(&r->room), room), "taking memory for edges");
    GPU_TRY(cudaMalloc(reinterpret_cast<void **>(&r->tables), r->tables_bytes),
            "taking memory for the table of chunks");
    const uint32_t **table = reinterpret_cast<const uint32_t **>(r->tables);
    for (int side = 0; side < 1 + both; side++) {
        uint64_t share = side ? room - all : (uint64_t)((double)room * (double)words[0] /
                                                        (double)(words[0] + words[1]));
        share = both ? share / chunk * chunk : room;
        cflr_status st = place_chunks(r, side, words[side], r->room + all, share, table, &taken,
                                      error);
        if (st != CFLR_OK) return st;
        (side ? task->in : task->out).packed.chunk = table;
        table += words[side] * 4 / chunk + 1;
        all += (taken + GPU_ALIGN - 1) / GPU_ALIGN * GPU_ALIGN;
    }
    if (!both) task->in = task->out;
    t->stats.device_rows = all;
    return CFLR_OK;
}

static cflr_status make_server(cflr_traversal *t, gpu_run *r, const cflri_services *services,
                               cflr_error *error) {
    uint64_t room = 0;
    cflr_status st = find_room(t, r, &room, error);
    if (st != CFLR_OK) return st;
    t->stats.device_rows = room;
    if (r->transfer == CFLR_TRANSFER_UNIFIED || r->transfer == CFLR_TRANSFER_ADVISED)
        return manage_rows(t, r, room, error);
    if (is_packed(r)) return make_packed(t, r, services, room, error);
    r->server = new gpu_server();
    r->server->context = t->context;
    r->server->services = services;
    st = pin_rows(t, r, error);
    if (st != CFLR_OK) return st;
    if (is_staged(r)) return make_policy(t, r, room, error);
    point_to_host(r, r->server);
    t->stats.device_rows = 0;
    return CFLR_OK;
}

/* Whole where it fits. */
static cflr_status choose_transfer(const cflr_traversal *t, gpu_run *r,
                                   const cflri_services *services, int processors,
                                   cflr_error *error) {
    size_t left = 0, all = 0;
    r->transfer = t->opts.transfer;
    if (r->transfer != CFLR_TRANSFER_AUTO) return CFLR_OK;
    r->transfer = CFLR_TRANSFER_WHOLE;
    (void)services, (void)processors;
    GPU_TRY(cudaMemGetInfo(&left, &all), "asking how much memory is left");
    uint64_t most = t->opts.device_memory && t->opts.device_memory < left ? t->opts.device_memory
                                                                          : left;
    r->blocks = (uint32_t)processors;
    place(t, r);
    bool can_stream = t->opts.schedule == CFLR_SCHEDULE_AUTO && !t->opts.idempotent &&
                      primitives[t->primitive->which]->staged;
    if (r->used > most && can_stream) r->transfer = CFLR_TRANSFER_AHEAD;
    return CFLR_OK;
}

static cflr_status set_up(cflr_traversal *t, gpu_run *r, const cflri_services *services,
                          cflr_error *error) {
    int processors = 0;
    cflr_status st = find_device(r, &processors, error);
    if (st != CFLR_OK) return st;
    t->stats.device = CFLR_DEVICE_GPU;
    t->stats.device_name = r->name;
    st = choose_transfer(t, r, services, processors, error);
    if (st != CFLR_OK) return st;
    t->stats.transfer = services->transfer_name(r->transfer);
    st = choose_kernel(t, r, services, processors, error);
    if (st != CFLR_OK) return st;
    GPU_TRY(cudaStreamCreateWithFlags(&r->stream, cudaStreamNonBlocking), "making a stream");
    GPU_TRY(cudaEventCreate(&r->begin), "making an event");
    GPU_TRY(cudaEventCreate(&r->end), "making an event");
    GPU_TRY(
        cudaHostAlloc(reinterpret_cast<void **>(&r->stop), sizeof *r->stop, cudaHostAllocMapped),
        "sharing memory");
    bool both = t->task->in.start != t->task->out.start;
    uint64_t most = is_packed(r) ? (uint64_t)CFLRI_PACKED_GROUP : (uint64_t)GPU_PIECE;
    r->state.has_long_rows =
        has_row_of(&t->task->out, most) || (both && has_row_of(&t->task->in, most));
    if (is_packed(r)) {
        r->long_groups = long_groups_of(&t->task->out);
        if (both && long_groups_of(&t->task->in) > r->long_groups)
            r->long_groups = long_groups_of(&t->task->in);
    }
    st = make_arena(t, r, error);
    if (st != CFLR_OK) return st;
    void *stop = nullptr;
    GPU_TRY(cudaHostGetDevicePointer(&stop, r->stop, 0), "sharing memory");
    r->state.stop = static_cast<const volatile uint32_t *>(stop);
    if (r->transfer != CFLR_TRANSFER_WHOLE) st = make_server(t, r, services, error);
    return st == CFLR_OK ? copy_graph(t, r, error) : st;
}

static void release(void *state) {
    gpu_run *r = static_cast<gpu_run *>(state);
    if (!r) return;
    delete r->server;
    for (void *managed : r->managed) cudaFree(managed);
    cudaFree(r->room);
    cudaFree(r->tables);
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
    if (!r) return fail(error, CFLR_NO_MEMORY, "out of memory");
    cflr_status st = CFLR_OK;
    try {
        st = set_up(t, r, services, error);
    } catch (const std::bad_alloc &) {
        st = fail(error, CFLR_NO_MEMORY, "out of memory");
    }
    if (st != CFLR_OK) {
        release(r);
        return st;
    }
    t->stats.copy_seconds = now() - begin;
    t->stats.memory = r->size + r->tables_bytes;
    if (is_staged(r) || is_packed(r)) t->stats.memory += t->stats.device_rows;
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
    task_of(r)->source = r->source;
    task_of(r)->n_sources = n;
    return CFLR_OK;
}

/* Rows, as long as the kernel asks for them. When a copy fails the kernel is told that there is
 * nothing more, and to stop. */
static cflr_status serve(gpu_run *r, const cflri_services *services, cflr_error *error) {
    gpu_server *s = r->server;
    gpu_mail *mail = s->mail();
    cudaError_t failed = cudaSuccess;
    (void)services;
    for (uint32_t looks = 1;; looks++) {
        uint32_t requested = *const_cast<volatile uint32_t *>(&mail->requested);
        if (requested == s->delivered + 1) {
            std::atomic_thread_fence(std::memory_order_seq_cst);
            gpu_request request = mail->request;
            cudaError_t what = failed == cudaSuccess ? s->policy->serve(request) : failed;
            if (what != cudaSuccess && failed == cudaSuccess) {
                failed = what;
                *s->stop = 1;
            }
            if (what != cudaSuccess && s->finish_request() != cudaSuccess) break;
            looks = 0;
            continue;
        }
        if (looks % 256) continue;
        cudaError_t what = cudaEventQuery(r->end);
        if (what != cudaErrorNotReady) break;
        if (looks % (1 << 16) == 0) s->look();
    }
    return failed == cudaSuccess ? CFLR_OK : fail_cuda(error, failed, "moving edges");
}

/* Looks at the clock only now and then: most runs are over before. */
static cflr_status wait(const cflr_traversal *t, gpu_run *r, const cflri_services *services,
                        cflr_error *error) {
    cudaError_t what;
    for (uint64_t looks = 0; (what = cudaEventQuery(r->end)) == cudaErrorNotReady; looks++) {
        if (looks < 10000) continue;
        if (services->tick(t->context) != CFLR_OK) *const_cast<volatile uint32_t *>(r->stop) = 1;
        std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    return what == cudaSuccess ? CFLR_OK : fail_cuda(error, what, "running");
}

static cflr_status launch(const cflr_traversal *t, gpu_run *r, cflr_error *error) {
    void *arguments[] = {r->task, &r->state};
    *r->stop = 0;
    GPU_TRY(cudaMemsetAsync(r->state.counters, 0, 3 * sizeof *r->state.counters, r->stream),
            "clearing counters");
    GPU_TRY(cudaMemsetAsync(r->state.inspected, 0, sizeof(uint64_t), r->stream), "clearing");
    GPU_TRY(cudaMemsetAsync(r->state.stopped, 0, sizeof(uint32_t), r->stream), "clearing");
    GPU_TRY(cudaMemsetAsync(r->outcome, 0, sizeof *r->outcome, r->stream), "clearing");
    if (is_packed(r))
        GPU_TRY(cudaMemsetAsync(r->state.stage.member, 0,
                                ((uint64_t)t->task->out.n + CFLRI_WORD_BITS - 1) /
                                    CFLRI_WORD_BITS * sizeof(uint32_t),
                                r->stream),
                "clearing");
    if (is_staged(r)) {
        gpu_server *s = r->server;
        uint64_t n = t->task->out.n, words = (n + CFLRI_WORD_BITS - 1) / CFLRI_WORD_BITS;
        std::memset(s->mail(), 0, sizeof(gpu_mail));
        s->delivered = 0;
        s->traffic = {};
        GPU_TRY(cudaMemsetAsync(r->state.stage.member, 0, words * sizeof(uint32_t), r->stream),
                "clearing");
        GPU_TRY(cudaMemsetAsync(r->state.stage.sum, 0, n * sizeof(uint64_t), r->stream),
                "clearing");
        GPU_TRY(s->policy->begin(), "preparing to move edges");
    }
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
        GPU_TRY(
            cudaMemcpyAsync(host, device, column_bytes(t, c), cudaMemcpyDeviceToHost, r->stream),
            "copying columns");
    }
    GPU_TRY(cudaStreamSynchronize(r->stream), "copying columns");
    return CFLR_OK;
}

static cflr_status run(cflr_traversal *t, void *state, const cflri_services *services,
                       cflr_error *error) {
    gpu_run *r = static_cast<gpu_run *>(state);
    float milliseconds = 0;
    cflr_status st = send_sources(t, r, error);
    if (st == CFLR_OK) st = launch(t, r, error);
    if (st == CFLR_OK && is_staged(r)) st = serve(r, services, error);
    if (st == CFLR_OK) st = wait(t, r, services, error);
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
