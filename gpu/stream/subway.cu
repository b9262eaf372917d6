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
 * Asynchronous (`subway-async`), a chunk is visited until none of its rows improves any more, and
 * the first time whole partitions are sent, so that what can be known of them at once is. For
 * primitives that come out the same in any order (cflri_relax).
 *
 * In the paper a chunk is sent when all of them have been gathered, and the host's threads have
 * equal shares of vertices.
 *
 * Source: A. Nodehi Sabet, Z. Zhao, R. Gupta, "Subway: minimizing data transfer during
 * out-of-GPU-memory graph processing", EuroSys 2020.
 */
#include <algorithm>

#include "gpu/stream/server.cuh"

namespace {

enum { CHUNK_BYTES = 1 << 25, CHUNKS = 4 };

struct subway : gpu_policy {
    std::unique_ptr<gpu_policy> whole; /* for when most edges are active */
    uint64_t chunk_bytes;
    gpu_pinned buffer[CHUNKS];
    uint32_t delivery[CHUNKS] = {}; /* that has the chunk */
    cudaEvent_t sent[CHUNKS] = {};

    bool async, is_first = true;

    subway(gpu_server *of, bool in_rounds)
        : gpu_policy(of), whole(gpu_make_partitions(of, false)), async(in_rounds) {
        wish = GPU_WISH_LIST;
        for (uint32_t side = 0; side < 2; side++) partition[side] = whole->partition[side];
        chunk_bytes = std::min<uint64_t>(CHUNK_BYTES, of->room_bytes / CHUNKS / 256 * 256);
    }

    ~subway() override {
        for (cudaEvent_t event : sent)
            if (event) cudaEventDestroy(event);
    }

    cudaError_t begin() override {
        is_first = true;
        for (int k = 0; k < CHUNKS; k++) {
            delivery[k] = 0;
            if (sent[k]) continue;
            GPU_PASS(buffer[k].make(chunk_bytes));
            GPU_PASS(cudaEventCreateWithFlags(&sent[k], cudaEventDisableTiming));
        }
        return cudaSuccess;
    }

    gpu_gathering gathering_of(const gpu_request &request) const {
        return gpu_gathering{&server->rows[request.backwards], server->vertex_memory.at<uint32_t>(),
                             server->begin_memory.at<uint64_t>(), request.vertices, nullptr};
    }

    cudaError_t send_chunk(const gpu_request &request, int k, uint64_t low, uint64_t high) {
        uint64_t bytes = (high - low) * server->side_bytes(request.backwards);
        char *to = server->room + k * chunk_bytes;
        server->traffic.loads++;
        GPU_PASS(server->send(to, buffer[k].host, bytes));
        return cudaEventRecord(sent[k], server->copies);
    }

    cudaError_t deliver_chunk(const gpu_request &request, int k, uint64_t low, uint64_t high) {
        std::vector<gpu_piece> pieces{
            gpu_gathered_piece(gathering_of(request), low, high, server->room + k * chunk_bytes,
                               server->stage.vertex, server->stage.begin)};
        GPU_PASS(server->deliver(pieces));
        delivery[k] = server->delivered;
        return cudaSuccess;
    }

    cudaError_t serve(const gpu_request &request) override {
        const cflri_rows *rows = &server->rows[request.backwards];
        bool sends_whole = request.all || request.edges > rows->m / 5 * 4 || (async && is_first);
        server->rounds = async ? 0 : 1;
        is_first = false;
        if (sends_whole) return whole->serve(request);
        uint64_t most = chunk_bytes / server->side_bytes(request.backwards), low_before = 0;
        int k = 0, before = -1;
        for (uint64_t low = 0; low < request.edges; low += most, k = (k + 1) % CHUNKS) {
            uint64_t high = std::min(request.edges, low + most);
            GPU_PASS(server->await_visited(delivery[k]));
            gpu_gather_rows(server, gathering_of(request), low, high, buffer[k].at<uint32_t>());
            GPU_PASS(send_chunk(request, k, low, high));
            if (before >= 0) GPU_PASS(deliver_sent(request, before, low_before, low));
            before = k;
            low_before = low;
        }
        if (before >= 0) GPU_PASS(deliver_sent(request, before, low_before, request.edges));
        return server->finish_request();
    }

    cudaError_t deliver_sent(const gpu_request &request, int k, uint64_t low, uint64_t high) {
        GPU_PASS(cudaEventSynchronize(sent[k]));
        return deliver_chunk(request, k, low, high);
    }
};

}  // namespace

std::unique_ptr<gpu_policy> gpu_make_subway(gpu_server *server, bool async) {
    return std::unique_ptr<gpu_policy>(new subway(server, async));
}
