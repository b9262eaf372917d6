/* SPDX-License-Identifier: Apache-2.0
 *
 * deliver.cu: what a run has on the device while its rows are delivered, and the loop that answers
 * the kernel.
 */
#include <atomic>
#include <cstring>

#include "gpu/traverse/run.cuh"

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
    if (stage->wish == GPU_WISH_NEEDS_AND_MEMBERS) {
        GPU_TRY(s->member_memory.make((n + 31) / 32 * sizeof(uint32_t)), "sharing memory");
        stage->member_of_host = static_cast<uint32_t *>(s->member_memory.device);
    }
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

static std::unique_ptr<gpu_policy> make_policy(gpu_server *s, cflr_transfer transfer) {
    switch (transfer) {
        case CFLR_TRANSFER_SUBWAY:
        case CFLR_TRANSFER_SUBWAY_ASYNC:
            return gpu_make_subway(s, transfer == CFLR_TRANSFER_SUBWAY_ASYNC);
        case CFLR_TRANSFER_SCAPH:
            return gpu_make_scaph(s);
        case CFLR_TRANSFER_WOLFGRAPH:
            return gpu_make_wolfgraph(s);
        default:
            return gpu_make_partitions(s, transfer == CFLR_TRANSFER_AHEAD);
    }
}

cflr_status gpu_prepare_deliveries(cflr_traversal *t, gpu_run *r, uint64_t room,
                                   cflr_error *error) {
    gpu_server *s = r->server;
    s->room_bytes = room;
    s->stop = r->stop;
    s->end = r->end;
    GPU_TRY(cudaStreamCreateWithFlags(&s->copies, cudaStreamNonBlocking), "making a stream");
    GPU_TRY(cudaMalloc(reinterpret_cast<void **>(&r->room), room), "taking memory for edges");
    s->room = r->room;
    s->policy = make_policy(s, r->transfer);
    cflr_status st = make_mail(r, r->rows[0].n, error);
    if (st != CFLR_OK) return st;
    place_tables(r);
    GPU_TRY(cudaMalloc(reinterpret_cast<void **>(&r->tables), r->tables_bytes),
            "taking memory for partitions");
    place_tables(r);
    s->stage = r->state.stage;
    return copy_partitions(r, error);
}

/* Rows, as long as the kernel asks for them. After a copy that failed each request is answered with
 * nothing, and the kernel is to stop. */
cflr_status gpu_serve(gpu_run *r, cflr_error *error) {
    gpu_server *s = r->server;
    gpu_mail *mail = s->mail();
    cudaError_t failed = cudaSuccess;
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
    return failed == cudaSuccess ? CFLR_OK : gpu_fail_cuda(error, failed, "moving edges");
}
