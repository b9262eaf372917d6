/* SPDX-License-Identifier: Apache-2.0
 *
 * wolfgraph.cu: equal partitions of the edges, each with rows of earlier ones that it leads to
 * (WolfGraph's concatenated edge list).
 *
 *     partition 0   2>3 2>1 0>2 1>3 4>5
 *     partition 1   0>1 2>4 3>5 5>4      with it: 1>3 4>5, of partition 0, out of its targets
 *
 * A step goes through all partitions in order, and visits each with all of its edges until nothing
 * improves. What a partition improves may lead on in an earlier one, which comes again in the next
 * step only: so the rows of its targets that lie in earlier partitions come with it. When they are
 * too many, they come in pieces, one after another. For primitives to which an edge may be visited
 * twice.
 *
 *     host   rows for 0 | rows for 1      | rows for 2
 *     link   copy 0     | copy 1, rows    | copy 2, rows
 *     kernel            | visit 0 ... 0   | visit 1 ... 1
 *
 * In the paper edges are in the order of the file, and a list for each vertex finds those out of
 * it; here they are in the order of rows, which are these lists.
 *
 * Source: H. Zhu, L. He, M. Leeke, R. Mao, "WolfGraph: the edge-centric graph processing on GPU",
 * Future Generation Computer Systems 2020.
 */
#include <algorithm>

#include "gpu/stream/server.cuh"

namespace {

/* A job of all threads: the targets of edges low .. high - 1 below `below` get their bits. */
struct marking {
    const cflri_rows *rows;
    uint64_t low, high;
    uint32_t below;
    uint64_t *bits;
};

void mark_share(void *what, uint32_t self, uint32_t threads) {
    const marking *j = static_cast<const marking *>(what);
    uint64_t all = j->high - j->low, end = j->low + all * (self + 1) / threads;
    for (uint64_t e = j->low + all * self / threads; e < end; e++) {
        uint32_t to = j->rows->target[e];
        uint64_t bit = UINT64_C(1) << to % 64;
        if (to < j->below && !(__atomic_load_n(&j->bits[to / 64], __ATOMIC_RELAXED) & bit))
            __atomic_fetch_or(&j->bits[to / 64], bit, __ATOMIC_RELAXED);
    }
}

enum { PARTS = 2 }; /* partitions on the device at once */

struct wolfgraph : gpu_policy {
    std::unique_ptr<gpu_policy> plain; /* of requests that do not relax */
    uint64_t part_bytes, rest_bytes;   /* of a partition; of the rows that come with one */
    gpu_pinned buffer;                 /* these rows */
    cudaEvent_t sent = nullptr;
    uint32_t rest_delivery = 0, part_delivery[PARTS] = {}; /* that have what is there */
    std::vector<uint64_t> bits, starts;
    std::vector<uint32_t> vertex;

    explicit wolfgraph(gpu_server *of) : gpu_policy(of), plain(gpu_make_partitions(of, false)) {
        part_bytes = of->room_bytes / 4 / 256 * 256;
        rest_bytes = of->room_bytes / 2 / 256 * 256;
        for (uint32_t side = 0; side < 2; side++)
            partition[side] = gpu_cut_rows(&of->rows[side], part_bytes / of->side_bytes(side));
        bits.resize((of->rows[0].n + 63ull) / 64);
    }

    ~wolfgraph() override {
        if (sent) cudaEventDestroy(sent);
    }

    cudaError_t begin() override {
        rest_delivery = 0;
        for (uint32_t &d : part_delivery) d = 0;
        if (sent) return cudaSuccess;
        GPU_PASS(buffer.make(rest_bytes));
        return cudaEventCreateWithFlags(&sent, cudaEventDisableTiming);
    }

    /* The rows that come with a partition: of its targets, in earlier partitions. */
    gpu_gathering find_rows(uint32_t side, const gpu_partition &p) {
        const cflri_rows *rows = &server->rows[side];
        marking job = {rows, p.low, p.high, p.first, bits.data()};
        uint64_t edges = 0;
        std::fill(bits.begin(), bits.end(), 0);
        server->services->run_by_all(server->context, mark_share, &job);
        vertex.clear();
        starts.clear();
        for (uint64_t w = 0; w < (p.first + 63ull) / 64; w++) {
            for (uint64_t left = bits[w]; left; left &= left - 1) {
                uint32_t v = (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(left);
                if (rows->start[v] == rows->start[v + 1]) continue;
                vertex.push_back(v);
                starts.push_back(edges);
                edges += rows->start[v + 1] - rows->start[v];
            }
        }
        starts.push_back(edges);
        return gpu_gathering{rows, vertex.data(), starts.data(), vertex.size(), nullptr};
    }

    char *part_at(size_t number) { return server->room + number % PARTS * part_bytes; }

    cudaError_t send_part(uint32_t side, size_t number) {
        GPU_PASS(server->await_visited(part_delivery[number % PARTS]));
        return server->copy_partition(side, partition[side][number], part_at(number));
    }

    /* The partition alone, or with its rows, as many at a time as there is room for. */
    cudaError_t deliver(uint32_t side, size_t number) {
        gpu_piece part = server->partition_at(side, partition[side][number], part_at(number));
        gpu_gathering g = find_rows(side, partition[side][number]);
        char *to = server->room + PARTS * part_bytes;
        uint64_t low = 0, all = g.begin[g.n];
        do {
            std::vector<gpu_piece> pieces{part};
            GPU_PASS(server->await_visited(rest_delivery));
            uint64_t high = low < all ? gpu_chunk_end(g, low, rest_bytes) : low;
            if (high > low) {
                uint64_t bytes = gpu_chunk_bytes(g, low, high);
                pieces.push_back(gpu_pack_chunk(server, g, low, high, buffer.at<char>(), to));
                GPU_PASS(server->send(to, buffer.host, bytes));
            }
            GPU_PASS(cudaEventRecord(sent, server->copies));
            GPU_PASS(cudaEventSynchronize(sent));
            GPU_PASS(server->deliver(pieces));
            rest_delivery = part_delivery[number % PARTS] = server->delivered;
            if (high == low) break;
            low = high;
        } while (low < all);
        return cudaSuccess;
    }

    cudaError_t serve(const gpu_request &request) override {
        uint32_t side = request.backwards;
        size_t n = partition[side].size();
        if (!request.relax) return plain->serve(request);
        server->all = true;
        server->rounds = 0;
        for (size_t s = 0; s < n; s++) {
            GPU_PASS(send_part(side, s));
            GPU_PASS(deliver(side, s));
        }
        return server->finish_request();
    }
};

}  // namespace

std::unique_ptr<gpu_policy> gpu_make_wolfgraph(gpu_server *server) {
    return std::unique_ptr<gpu_policy>(new wolfgraph(server));
}
