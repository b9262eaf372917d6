/* SPDX-License-Identifier: Apache-2.0
 *
 * memory.cu: where everything lies on the device.
 *
 * One block of memory, the arena, holds all that a traversal needs: columns, counters, where rows
 * begin, and the rows themselves when they are copied whole. It is asked for at once, so that a
 * graph that does not fit is an answer and not a crash in the middle.
 *
 *     columns | counters | inboxes of other GPUs | rows, and what depends on how many are here
 *
 * What GPUs that share a graph write for each other comes first: there it is at the same place on
 * all of them.
 */
#include <cinttypes>
#include <cstring>

#include "gpu/traverse/gather.cuh"
#include "gpu/traverse/run.cuh"

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

uint64_t gpu_column_bytes(const cflr_traversal *t, const cflri_column *c) {
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

static bool is_made(const cflr_traversal *t, const gpu_run *r, const cflri_column *c) {
    if (c->per == CFLRI_PER_HALF_EDGES && r->transfer != CFLR_TRANSFER_WHOLE) return false;
    return !c->when_pushing || t->opts.way == CFLR_WAY_PUSH;
}

static void place_rows(gpu_run *r, cflri_rows *rows, const cflri_rows *host) {
    *rows = *host;
    rows->start = static_cast<uint64_t *>(take(r, (host->n + 1ull) * sizeof *rows->start));
    rows->whole = rows->start;
    if (r->has_peers())
        rows->whole = static_cast<uint64_t *>(take(r, (host->n + 1ull) * sizeof *rows->whole));
    rows->target = rows->weight = rows->source = nullptr;
    rows->share = nullptr;
    if (r->is_packed())
        rows->packed.at = static_cast<uint64_t *>(take(r, (host->n + 1ull) * sizeof(uint64_t)));
    if (r->is_staged() || r->is_packed()) return;
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
    s->start = r->common()->out.start;
    s->member = static_cast<uint32_t *>(take(r, words * sizeof *s->member));
    s->sum = static_cast<unsigned long long *>(take(r, n * sizeof *s->sum));
    s->delivery = static_cast<gpu_delivery *>(take(r, sizeof *s->delivery));
    s->active = static_cast<uint32_t *>(take(r, 4 * sizeof *s->active));
    s->relaxes = r->relaxes();
    if (r->transfer != CFLR_TRANSFER_SUBWAY && r->transfer != CFLR_TRANSFER_SUBWAY_ASYNC) return;
    s->vertex = static_cast<uint32_t *>(take(r, n * sizeof *s->vertex));
    s->begin = static_cast<uint64_t *>(take(r, (n + 1) * sizeof *s->begin));
    r->state.offset = static_cast<uint64_t *>(take(r, (n + 1) * sizeof *r->state.offset));
}

/* Of other GPUs: their flags, and two inboxes for what each of them sends. */
static void place_inboxes(gpu_run *r, uint64_t n) {
    gpu_peers *p = &r->state.peers;
    uint64_t inboxes = 2 * (p->n - 1ull);
    p->length = n;
    p->flag = static_cast<gpu_flag *>(take(r, 2 * GPU_MOST_PEERS * sizeof *p->flag));
    p->vertex = static_cast<uint32_t *>(take(r, inboxes * n * sizeof *p->vertex));
    p->value = static_cast<uint64_t *>(take(r, inboxes * n * sizeof *p->value));
}

void gpu_place(const cflr_traversal *t, gpu_run *r) {
    cflri_primitive_task *task = r->common();
    uint64_t n = r->rows[0].n, m = r->rows[0].m;
    if (m < r->rows[1].m) m = r->rows[1].m;
    r->used = 0;
    std::memcpy(r->task, t->task, t->primitive->task_size);
    for (const cflri_column *c = t->primitive->column; c->offset; c++) {
        void **at = reinterpret_cast<void **>(r->task + c->offset);
        *at = is_made(t, r, c) ? take(r, gpu_column_bytes(t, c)) : nullptr;
    }
    r->outcome = static_cast<cflri_outcome *>(take(r, sizeof *r->outcome));
    task->outcome = r->outcome;
    r->state.counters = static_cast<gpu_counters *>(take(r, 3 * sizeof *r->state.counters));
    r->state.real = static_cast<double *>(take(r, 2ull * r->blocks * sizeof(cflri_step_tally)));
    r->state.block_sum = static_cast<uint64_t *>(take(r, r->blocks * sizeof(uint64_t)));
    r->state.inspected = static_cast<unsigned long long *>(take(r, sizeof(uint64_t)));
    r->state.stopped = static_cast<uint32_t *>(take(r, sizeof(uint32_t)));
    if (r->has_peers()) place_inboxes(r, n);
    place_rows(r, &task->out, &r->rows[0]);
    task->in = task->out;
    if (r->has_both()) place_rows(r, &task->in, &r->rows[1]);
    task->in.slot = nullptr;
    if (r->may_slot()) task->in.slot = static_cast<uint32_t *>(take(r, n * sizeof(uint32_t)));
    if (r->is_staged()) {
        place_stage(r, n);
        return;
    }
    if (r->is_packed()) {
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

cflr_status gpu_make_arena(const cflr_traversal *t, gpu_run *r, cflr_error *error) {
    size_t left = 0, all = 0;
    uint64_t most = t->opts.device_memory;
    gpu_place(t, r);
    r->size = r->used;
    if (most && r->size > most)
        return gpu_fail(error, CFLR_NO_MEMORY,
                        "the graph and its columns take %zu KB of %s, %" PRIu64 " KB are allowed",
                        (r->size >> 10) + 1, r->name, most >> 10);
    cudaError_t what = cudaMalloc(reinterpret_cast<void **>(&r->arena), r->size);
    if (what == cudaErrorMemoryAllocation) {
        cudaGetLastError();
        cudaMemGetInfo(&left, &all);
        return gpu_fail(error, CFLR_NO_MEMORY,
                        "the graph and its columns take %zu MB, %s has %zu MB left", r->size >> 20,
                        r->name, left >> 20);
    }
    if (what != cudaSuccess) return gpu_fail_cuda(error, what, "taking memory");
    gpu_place(t, r);
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
    if (what == cudaSuccess && to->whole != to->start)
        what = cudaMemcpyAsync(const_cast<uint64_t *>(to->whole), from->whole,
                               (from->n + 1ull) * sizeof *from->whole, cudaMemcpyHostToDevice,
                               r->stream);
    if (what != cudaSuccess || r->is_staged() || r->is_packed()) return what;
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

cflr_status gpu_copy_graph(gpu_run *r, cflr_error *error) {
    cflri_primitive_task *task = r->common();
    GPU_TRY(copy_rows(r, &task->out, &r->rows[0]), "copying the graph");
    if (r->has_both()) GPU_TRY(copy_rows(r, &task->in, &r->rows[1]), "copying the graph");
    GPU_TRY(cudaStreamSynchronize(r->stream), "copying the graph");
    return gpu_make_slots(r, error);
}
