/* SPDX-License-Identifier: Apache-2.0
 *
 * server.cu: mail and copies.
 */
#include "gpu/stream/server.cuh"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>

/* ---- pinned memory ---- */

enum { GPU_PIN_IN_PLACE = 1 << 26 }; /* bytes: less may share its pages with something else */

gpu_pinned::~gpu_pinned() {
    if (!host) return;
    if (made)
        cudaFreeHost(const_cast<void *>(host));
    else
        cudaHostUnregister(const_cast<void *>(host));
}

cudaError_t gpu_pinned::pin(const void *at, uint64_t bytes) {
    void *there = const_cast<void *>(at);
    if (bytes >= GPU_PIN_IN_PLACE &&
        cudaHostRegister(there, bytes, cudaHostRegisterMapped) == cudaSuccess) {
        host = at;
        return cudaHostGetDevicePointer(&device, there, 0);
    }
    cudaGetLastError();
    cudaError_t what = make(bytes);
    if (what == cudaSuccess && bytes) std::memcpy(this->at<char>(), at, bytes);
    return what;
}

cudaError_t gpu_pinned::make(uint64_t bytes) {
    void *there = nullptr;
    cudaError_t what = cudaHostAlloc(&there, bytes ? bytes : 1, cudaHostAllocMapped);
    if (what != cudaSuccess) return what;
    host = there;
    made = true;
    std::memset(there, 0, bytes);
    return cudaHostGetDevicePointer(&device, there, 0);
}

/* ---- copies ---- */

gpu_server::~gpu_server() {
    policy.reset();
    for (timed_copy &copy : timed) {
        if (copy.begin) cudaEventDestroy(copy.begin);
        if (copy.end) cudaEventDestroy(copy.end);
    }
    if (copies) cudaStreamDestroy(copies);
}

static cudaError_t add_time(gpu_server *s, gpu_server::timed_copy *copy) {
    float milliseconds = 0;
    if (!copy->is_sent) return cudaSuccess;
    copy->is_sent = false;
    GPU_PASS(cudaEventSynchronize(copy->end));
    GPU_PASS(cudaEventElapsedTime(&milliseconds, copy->begin, copy->end));
    s->traffic.copy_seconds += milliseconds / 1e3;
    return cudaSuccess;
}

cudaError_t gpu_server::send(void *to, const void *from, uint64_t bytes) {
    timed_copy *copy = &timed[sent_copies++ % TIMED_COPIES];
    if (!copy->begin) GPU_PASS(cudaEventCreate(&copy->begin));
    if (!copy->end) GPU_PASS(cudaEventCreate(&copy->end));
    GPU_PASS(add_time(this, copy));
    traffic.bytes_moved += bytes;
    GPU_PASS(cudaEventRecord(copy->begin, copies));
    GPU_PASS(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, copies));
    copy->is_sent = true;
    return cudaEventRecord(copy->end, copies);
}

void gpu_server::clear_traffic() {
    traffic = {};
    for (timed_copy &copy : timed) copy.is_sent = false;
}

void gpu_server::add_times() {
    for (timed_copy &copy : timed) (void)add_time(this, &copy);
    if (mail_memory.host) traffic.wait_seconds = (double)mail()->waited / 1e9;
}

static const uint32_t *before(const void *at, uint64_t edges) {
    return reinterpret_cast<const uint32_t *>(reinterpret_cast<uintptr_t>(at) - edges * 4);
}

cudaError_t gpu_server::copy_partition(uint32_t side, const gpu_partition &p, char *to) {
    uint64_t bytes = (p.high - p.low) * 4;
    const cflri_rows *from = &rows[side];
    traffic.loads++;
    GPU_PASS(send(to, from->target + p.low, bytes));
    return from->weight ? send(to + bytes, from->weight + p.low, bytes) : cudaSuccess;
}

gpu_piece gpu_server::partition_at(uint32_t side, const gpu_partition &p, const char *to) const {
    gpu_piece piece = {};
    piece.first = p.first;
    piece.last = p.last;
    piece.low = p.low;
    piece.high = p.high;
    piece.target = before(to, p.low);
    if (rows[side].weight) piece.weight = before(to + (p.high - p.low) * 4, p.low);
    return piece;
}

/* ---- mail ---- */

cudaError_t gpu_server::look() {
    if (services->tick(context) != CFLR_OK) *stop = 1;
    cudaError_t what = cudaEventQuery(end);
    return what == cudaErrorNotReady ? cudaSuccess : what == cudaSuccess ? cudaErrorUnknown : what;
}

bool gpu_server::is_visited(uint32_t number) const {
    uint32_t visited = *const_cast<volatile uint32_t *>(&mail()->visited);
    return (int32_t)(visited - number) >= 0;
}

enum { GPU_LOOKS = 1 << 16 }; /* at the mail, for one at the clock */

cudaError_t gpu_server::await_visited(uint32_t number) {
    for (uint32_t looks = 1; !is_visited(number); looks++) {
        cudaError_t what = looks % GPU_LOOKS ? cudaSuccess : look();
        if (what != cudaSuccess) return what;
    }
    return cudaSuccess;
}

static void post(gpu_server *s, const gpu_delivery &delivery) {
    gpu_mail *mail = s->mail();
    mail->delivery[s->delivered % GPU_DELIVERIES] = delivery;
    s->delivered++;
    __atomic_store_n(&mail->delivered, s->delivered, __ATOMIC_SEQ_CST);
}

/* So that its place in the mail, and in the memory of pieces, is free. */
static cudaError_t await_place(gpu_server *s) {
    if (s->delivered < GPU_DELIVERIES) return cudaSuccess;
    return s->await_visited(s->delivered - GPU_DELIVERIES + 1);
}

cudaError_t gpu_server::deliver(std::vector<gpu_piece> &pieces) {
    for (size_t done = 0; done < pieces.size();) {
        uint32_t n = (uint32_t)std::min<size_t>(pieces.size() - done, most_pieces);
        cudaError_t what = await_place(this);
        if (what != cudaSuccess) return what;
        size_t place = size_t(delivered % GPU_DELIVERIES) * most_pieces;
        gpu_piece *host = piece_memory.at<gpu_piece>() + place;
        uint64_t units = 0;
        for (uint32_t i = 0; i < n; i++) {
            host[i] = pieces[done + i];
            host[i].unit = units;
            units += (host[i].last - host[i].first + 31) / 32;
        }
        post(this, gpu_delivery{units, static_cast<gpu_piece *>(piece_memory.device) + place, n,
                                false, again, all, rounds});
        done += n;
    }
    return cudaSuccess;
}

cudaError_t gpu_server::finish_request() {
    cudaError_t what = await_place(this);
    if (what == cudaSuccess) post(this, gpu_delivery{0, nullptr, 0, true, false, false, 0});
    return what;
}

/* ---- partitions ---- */

std::vector<gpu_partition> gpu_cut_rows(const cflri_rows *rows, uint64_t most_edges) {
    std::vector<gpu_partition> all;
    uint32_t v = 0;
    while (v < rows->n) {
        uint64_t low = rows->start[v];
        uint32_t last = (uint32_t)(std::upper_bound(rows->start + v, rows->start + rows->n + 1,
                                                    low + most_edges) -
                                   rows->start) -
                        1;
        if (last > v) {
            all.push_back(gpu_partition{low, rows->start[last], v, last});
            v = last;
            continue;
        }
        uint64_t end = rows->start[v + 1];
        for (; low < end; low += most_edges)
            all.push_back(gpu_partition{low, std::min(end, low + most_edges), v, v + 1});
        v++;
    }
    return all;
}

/* ---- gathering ---- */

uint64_t gpu_item_of(const gpu_gathering &g, uint64_t edge) {
    return uint64_t(std::upper_bound(g.begin, g.begin + g.n + 1, edge) - g.begin) - 1;
}

namespace {

enum { ALONE = 1 << 16 }; /* edges that one thread gathers */

struct gather_job {
    const gpu_gathering *g;
    uint64_t low, high; /* all of it */
    uint32_t *target, *weight;
};

void gather(const gather_job *job, uint64_t low, uint64_t high) {
    const gpu_gathering *g = job->g;
    for (uint64_t i = low < high ? gpu_item_of(*g, low) : 0; low < high; i++) {
        uint64_t end = std::min(high, g->begin[i + 1]);
        if (end <= low) continue;
        uint64_t first = g->from ? g->from[i] : g->rows->start[g->vertex[i]];
        uint64_t from = first + (low - g->begin[i]);
        uint64_t to = low - job->low;
        std::memcpy(job->target + to, g->rows->target + from, (end - low) * 4);
        if (job->weight) std::memcpy(job->weight + to, g->rows->weight + from, (end - low) * 4);
        low = end;
    }
}

void gather_share(void *what, uint32_t self, uint32_t threads) {
    const gather_job *job = static_cast<const gather_job *>(what);
    uint64_t all = job->high - job->low;
    gather(job, job->low + all * self / threads, job->low + all * (self + 1) / threads);
}

}  // namespace

void gpu_gather_rows(gpu_server *server, const gpu_gathering &g, uint64_t low, uint64_t high,
                     uint32_t *to) {
    gather_job job = {&g, low, high, to, g.rows->weight ? to + (high - low) : nullptr};
    auto begin = std::chrono::steady_clock::now();
    if (high - low <= ALONE)
        gather(&job, low, high);
    else
        server->services->run_by_all(server->context, gather_share, &job);
    std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    server->traffic.gather_seconds += took.count();
}

gpu_piece gpu_gathered_piece(const gpu_gathering &g, uint64_t low, uint64_t high, const char *to,
                             const uint32_t *vertex, const uint64_t *begin) {
    gpu_piece piece = {};
    piece.vertex = vertex;
    piece.begin = begin;
    piece.first = (uint32_t)gpu_item_of(g, low);
    piece.last = (uint32_t)gpu_item_of(g, high - 1) + 1;
    piece.low = low;
    piece.high = high;
    piece.target = before(to, low);
    if (g.rows->weight) piece.weight = before(to + (high - low) * 4, low);
    return piece;
}

static uint64_t items_of(const gpu_gathering &g, uint64_t low, uint64_t high) {
    return gpu_item_of(g, high - 1) + 1 - gpu_item_of(g, low);
}

/* Of the list: as begins are of 8 bytes, they come first. */
static uint64_t list_bytes(uint64_t items) {
    return (items + 1) * sizeof(uint64_t) + (items + 1) / 2 * 2 * sizeof(uint32_t);
}

uint64_t gpu_chunk_bytes(const gpu_gathering &g, uint64_t low, uint64_t high) {
    return list_bytes(items_of(g, low, high)) + (high - low) * (g.rows->weight ? 8 : 4);
}

uint64_t gpu_chunk_end(const gpu_gathering &g, uint64_t low, uint64_t room) {
    uint64_t fits = low, above = g.begin[g.n] + 1;
    while (above - fits > 1) {
        uint64_t middle = fits + (above - fits) / 2;
        if (gpu_chunk_bytes(g, low, middle) <= room)
            fits = middle;
        else
            above = middle;
    }
    return fits;
}

gpu_piece gpu_pack_chunk(gpu_server *server, const gpu_gathering &g, uint64_t low, uint64_t high,
                         char *host, const char *device) {
    uint64_t first = gpu_item_of(g, low), items = items_of(g, low, high), bytes = list_bytes(items);
    std::memcpy(host, g.begin + first, (items + 1) * sizeof(uint64_t));
    std::memcpy(host + (items + 1) * sizeof(uint64_t), g.vertex + first, items * sizeof(uint32_t));
    gpu_gather_rows(server, g, low, high, reinterpret_cast<uint32_t *>(host + bytes));
    uintptr_t at = reinterpret_cast<uintptr_t>(device);
    return gpu_gathered_piece(g, low, high, device + bytes,
                              reinterpret_cast<const uint32_t *>(
                                  at + (items + 1) * sizeof(uint64_t) - first * sizeof(uint32_t)),
                              reinterpret_cast<const uint64_t *>(at - first * sizeof(uint64_t)));
}
