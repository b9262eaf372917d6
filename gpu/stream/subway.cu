/* SPDX-License-Identifier: Apache-2.0
 *
 * subway.cu: only the rows of active vertices, gathered by the host (Subway).
 *
 *     kernel   members 2 6 7, ascending, and where their edges begin in what is gathered: 0 2 4
 *     host     copies the rows of 2, 6 and 7 side by side, by all its threads, in equal shares of
 *              edges; sends them
 *     kernel   visits item i: vertex[i], edges begin[i] .. begin[i + 1] - 1
 *
 * What is gathered and does not fit into the room goes in chunks, a long row in several of them;
 * one chunk is gathered while the one before it is sent. Where more than four fifths of all edges
 * are active, gathering costs more than it saves, and whole partitions are sent.
 *
 * In the paper a chunk is sent when all of them have been gathered, and the host's threads have
 * equal shares of vertices.
 *
 * Source: A. Nodehi Sabet, Z. Zhao, R. Gupta, "Subway: minimizing data transfer during
 * out-of-GPU-memory graph processing", EuroSys 2020.
 */
#include <algorithm>
#include <chrono>
#include <cstring>

#include "gpu/stream/server.cuh"

#define GPU_TRY(call)                           \
    do {                                        \
        cudaError_t what_ = (call);             \
        if (what_ != cudaSuccess) return what_; \
    } while (0)

namespace {

enum { CHUNK_BYTES = 1 << 25, CHUNKS = 4, ALONE = 1 << 16 }; /* edges that one thread gathers */

/* The first item that ends behind this edge of what is gathered. */
uint64_t item_of(const uint64_t *begin, uint64_t n, uint64_t edge) {
    return uint64_t(std::upper_bound(begin, begin + n + 1, edge) - begin) - 1;
}

struct gathering {
    const cflri_rows *rows;
    const uint32_t *vertex;
    const uint64_t *begin;
    uint64_t n, low, high;
    uint32_t *target, *weight;
};

/* Edges low .. high - 1 of what is gathered. */
void gather(const gathering *g, uint64_t low, uint64_t high) {
    for (uint64_t i = item_of(g->begin, g->n, low); low < high; i++) {
        uint64_t end = std::min(high, g->begin[i + 1]);
        if (end <= low) continue;
        uint64_t from = g->rows->start[g->vertex[i]] + (low - g->begin[i]);
        uint64_t to = low - g->low;
        std::memcpy(g->target + to, g->rows->target + from, (end - low) * 4);
        if (g->weight) std::memcpy(g->weight + to, g->rows->weight + from, (end - low) * 4);
        low = end;
    }
}

void gather_share(void *what, uint32_t self, uint32_t threads) {
    const gathering *g = static_cast<const gathering *>(what);
    uint64_t all = g->high - g->low;
    gather(g, g->low + all * self / threads, g->low + all * (self + 1) / threads);
}

double now() {
    std::chrono::duration<double> since = std::chrono::steady_clock::now().time_since_epoch();
    return since.count();
}

struct subway : gpu_policy {
    std::unique_ptr<gpu_policy> whole; /* for when most edges are active */
    uint64_t chunk_bytes;
    gpu_pinned buffer[CHUNKS];
    uint32_t delivery[CHUNKS] = {}; /* that has the chunk */
    cudaEvent_t sent[CHUNKS] = {};

    explicit subway(gpu_server *of) : gpu_policy(of), whole(gpu_make_partitions(of, false)) {
        wish = GPU_WISH_LIST;
        for (uint32_t side = 0; side < 2; side++) partition[side] = whole->partition[side];
        chunk_bytes = std::min<uint64_t>(CHUNK_BYTES, of->room_bytes / CHUNKS / 256 * 256);
    }

    ~subway() override {
        for (cudaEvent_t event : sent)
            if (event) cudaEventDestroy(event);
    }

    cudaError_t begin() override {
        for (int k = 0; k < CHUNKS; k++) {
            delivery[k] = 0;
            if (sent[k]) continue;
            GPU_TRY(buffer[k].make(chunk_bytes));
            GPU_TRY(cudaEventCreateWithFlags(&sent[k], cudaEventDisableTiming));
        }
        return cudaSuccess;
    }

    void gather_chunk(const gpu_request &request, int k, uint64_t low, uint64_t high) {
        const cflri_rows *rows = &server->rows[request.backwards];
        gathering g = {rows,
                       server->vertex_memory.at<uint32_t>(),
                       server->begin_memory.at<uint64_t>(),
                       request.vertices,
                       low,
                       high,
                       buffer[k].at<uint32_t>(),
                       nullptr};
        if (rows->weight) g.weight = g.target + (high - low);
        double begin = now();
        if (high - low <= ALONE)
            gather(&g, low, high);
        else
            server->services->run_by_all(server->context, gather_share, &g);
        server->traffic.gather_seconds += now() - begin;
    }

    cudaError_t send_chunk(const gpu_request &request, int k, uint64_t low, uint64_t high) {
        uint64_t bytes = (high - low) * server->side_bytes(request.backwards);
        char *to = server->room + k * chunk_bytes;
        server->traffic.loads++;
        server->traffic.bytes_moved += bytes;
        GPU_TRY(cudaMemcpyAsync(to, buffer[k].host, bytes, cudaMemcpyHostToDevice, server->copies));
        return cudaEventRecord(sent[k], server->copies);
    }

    cudaError_t deliver_chunk(const gpu_request &request, int k, uint64_t low, uint64_t high) {
        const uint64_t *begin = server->begin_memory.at<uint64_t>();
        uintptr_t to = (uintptr_t)server->room + k * chunk_bytes;
        gpu_piece piece = {};
        piece.vertex = server->stage.vertex;
        piece.begin = server->stage.begin;
        piece.first = (uint32_t)item_of(begin, request.vertices, low);
        piece.last = (uint32_t)item_of(begin, request.vertices, high - 1) + 1;
        piece.low = low;
        piece.high = high;
        piece.target = (const uint32_t *)(to - low * 4);
        if (server->rows[request.backwards].weight)
            piece.weight = (const uint32_t *)(to + (high - low) * 4 - low * 4);
        std::vector<gpu_piece> pieces{piece};
        GPU_TRY(server->deliver(pieces));
        delivery[k] = server->delivered;
        return cudaSuccess;
    }

    cudaError_t serve(const gpu_request &request) override {
        const cflri_rows *rows = &server->rows[request.backwards];
        if (request.all || request.edges > rows->m / 5 * 4) return whole->serve(request);
        uint64_t most = chunk_bytes / server->side_bytes(request.backwards), low_before = 0;
        int k = 0, before = -1;
        for (uint64_t low = 0; low < request.edges; low += most, k = (k + 1) % CHUNKS) {
            uint64_t high = std::min(request.edges, low + most);
            GPU_TRY(server->await_visited(delivery[k]));
            gather_chunk(request, k, low, high);
            GPU_TRY(send_chunk(request, k, low, high));
            if (before >= 0) GPU_TRY(deliver_sent(request, before, low_before, low));
            before = k;
            low_before = low;
        }
        if (before >= 0) GPU_TRY(deliver_sent(request, before, low_before, request.edges));
        return server->finish_request();
    }

    cudaError_t deliver_sent(const gpu_request &request, int k, uint64_t low, uint64_t high) {
        GPU_TRY(cudaEventSynchronize(sent[k]));
        return deliver_chunk(request, k, low, high);
    }
};

}  // namespace

std::unique_ptr<gpu_policy> gpu_make_subway(gpu_server *server) {
    return std::unique_ptr<gpu_policy>(new subway(server));
}
