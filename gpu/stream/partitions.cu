/* SPDX-License-Identifier: Apache-2.0
 *
 * partitions.cu: rows in partitions: each in its turn, or the active ones with the next on its way.
 *
 *     partitions   copy 0 | visit 0 | copy 1 | visit 1 | ...         one room, all partitions
 *     ahead        copy 0 | copy 1  | copy 3 | ...                   slots of the room; partitions
 *                         | visit 0 | visit 1 | visit 3 ...          without members are left out,
 *                                                                    what is there is not copied
 *
 * The first is the baseline of all papers, the second the one that Subway's authors call optimised
 * (as GraphReduce and Graphie do it). A slot is free again when its last delivery is visited; the
 * one that was asked for longest ago is taken first.
 *
 * Source: A. Nodehi Sabet, "Scalable graph processing on GPUs and CPUs", PhD thesis, UC Riverside
 * 2021, chapter 3.
 */
#include <algorithm>
#include <deque>

#include "gpu/stream/server.cuh"

namespace {

struct one_after_another : gpu_policy {
    explicit one_after_another(gpu_server *of) : gpu_policy(of) {
        for (uint32_t side = 0; side < 2; side++)
            partition[side] = gpu_cut_rows(&of->rows[side], of->room_bytes / of->side_bytes(side));
    }

    cudaError_t serve(const gpu_request &request) override {
        for (const gpu_partition &p : partition[request.backwards]) {
            if (p.last <= request.first || p.first >= request.last) continue;
            GPU_PASS(server->copy_partition(request.backwards, p, server->room));
            GPU_PASS(cudaStreamSynchronize(server->copies));
            std::vector<gpu_piece> pieces{server->partition_at(request.backwards, p, server->room)};
            GPU_PASS(server->deliver(pieces));
            GPU_PASS(server->await_visited(server->delivered));
        }
        return server->finish_request();
    }
};

/* Bytes of a slot, and how many slots there should be at least. */
enum { SLOT_BYTES = 1 << 25, FEWEST_SLOTS = 8 };

struct slot {
    uint32_t side = 0, partition = UINT32_MAX;
    uint32_t delivery = 0; /* the last one that has it */
    uint64_t request = 0;  /* the last one that wanted it */
    cudaEvent_t there = nullptr;
};

struct ahead : gpu_policy {
    uint64_t slot_bytes;
    std::vector<slot> slots;
    std::vector<int32_t> slot_of[2]; /* of a partition; -1: none */
    uint64_t requests = 0;

    explicit ahead(gpu_server *of) : gpu_policy(of) {
        wish = GPU_WISH_NEEDS;
        slot_bytes = std::min<uint64_t>(SLOT_BYTES, of->room_bytes / FEWEST_SLOTS / 256 * 256);
        slots.resize(of->room_bytes / slot_bytes);
        for (uint32_t side = 0; side < 2; side++) {
            partition[side] = gpu_cut_rows(&of->rows[side], slot_bytes / of->side_bytes(side));
            slot_of[side].assign(partition[side].size(), -1);
        }
    }

    ~ahead() override {
        for (slot &s : slots)
            if (s.there) cudaEventDestroy(s.there);
    }

    cudaError_t begin() override {
        for (slot &s : slots) s.delivery = 0;
        return cudaSuccess;
    }

    bool is_wanted(const gpu_request &request, uint32_t p) const {
        const gpu_partition &at = partition[request.backwards][p];
        if (request.all) return at.last > request.first && at.first < request.last;
        return server->need_memory.at<uint64_t>()[p] > 0;
    }

    char *place_of(size_t number) const { return server->room + number * slot_bytes; }

    /* One that nothing needs any more, and the longest so; -1 if there is none. */
    int32_t free_slot() const {
        int32_t best = -1;
        for (uint32_t i = 0; i < slots.size(); i++) {
            if (slots[i].delivery == UINT32_MAX || !server->is_visited(slots[i].delivery)) continue;
            if (best < 0 || slots[i].request < slots[best].request) best = (int32_t)i;
        }
        return best;
    }

    cudaError_t start_copy(uint32_t side, uint32_t p, uint32_t number) {
        slot *s = &slots[number];
        if (s->partition != UINT32_MAX) slot_of[s->side][s->partition] = -1;
        s->side = side;
        s->partition = p;
        s->request = requests;
        s->delivery = UINT32_MAX; /* not delivered yet */
        slot_of[side][p] = (int32_t)number;
        if (!s->there) GPU_PASS(cudaEventCreateWithFlags(&s->there, cudaEventDisableTiming));
        GPU_PASS(server->copy_partition(side, partition[side][p], place_of(number)));
        return cudaEventRecord(s->there, server->copies);
    }

    cudaError_t deliver(uint32_t side, const std::vector<uint32_t> &numbers) {
        std::vector<gpu_piece> pieces;
        if (numbers.empty()) return cudaSuccess;
        for (uint32_t number : numbers)
            pieces.push_back(server->partition_at(side, partition[side][slots[number].partition],
                                                  place_of(number)));
        GPU_PASS(server->deliver(pieces));
        for (uint32_t number : numbers) slots[number].delivery = server->delivered;
        return cudaSuccess;
    }

    cudaError_t serve(const gpu_request &request) override {
        uint32_t side = request.backwards;
        std::vector<uint32_t> here, missing;
        requests++;
        for (uint32_t p = 0; p < partition[side].size(); p++) {
            if (!is_wanted(request, p)) continue;
            if (slot_of[side][p] < 0) {
                missing.push_back(p);
                continue;
            }
            here.push_back((uint32_t)slot_of[side][p]);
            slots[here.back()].request = requests;
        }
        GPU_PASS(deliver(side, here));
        return stream(side, missing);
    }

    cudaError_t stream(uint32_t side, const std::vector<uint32_t> &missing) {
        std::deque<uint32_t> coming;
        size_t started = 0, looks = 0;
        while (started < missing.size() || !coming.empty()) {
            int32_t number = started < missing.size() ? free_slot() : -1;
            if (number >= 0) {
                GPU_PASS(start_copy(side, missing[started++], (uint32_t)number));
                coming.push_back((uint32_t)number);
            }
            std::vector<uint32_t> come;
            while (!coming.empty() && cudaEventQuery(slots[coming.front()].there) == cudaSuccess) {
                come.push_back(coming.front());
                coming.pop_front();
            }
            GPU_PASS(deliver(side, come));
            if (number < 0 && come.empty() && ++looks % (1 << 12) == 0) GPU_PASS(server->look());
        }
        return server->finish_request();
    }
};

}  // namespace

std::unique_ptr<gpu_policy> gpu_make_partitions(gpu_server *server, bool in_advance) {
    if (in_advance) return std::unique_ptr<gpu_policy>(new ahead(server));
    return std::unique_ptr<gpu_policy>(new one_after_another(server));
}
