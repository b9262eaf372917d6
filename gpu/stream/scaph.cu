/* SPDX-License-Identifier: Apache-2.0
 *
 * scaph.cu: partitions by their value (Scaph).
 *
 *     high   more than half of its edges are of active vertices, or more than three tenths and more
 *            than in the step before: it comes whole, and is visited again, later, while others
 *            are on their way
 *     low    any other: the host gathers the rows of its active vertices, which are visited once
 *
 *     level 1   come and not visited in this step      first
 *     level 2   visited once                           when there is none of level 1
 *     level 3   visited twice ...                      the fewer times, the sooner
 *
 * A partition that is visited again at once finds only what it has improved itself; later, others
 * have improved more of it. So visits are in the order of levels, and only while something is still
 * on its way: they use time that would be lost. The slot of a partition of the deepest level is
 * taken for the next one. Gathered rows take as many neighbouring tiles of a slot as they need, 32
 * of which a slot has, in slots that have some in use first.
 *
 * In the paper several kernels run at once, each on one partition, and each host node gathers what
 * it holds. Here all of the GPU visits one delivery, and all threads of the host gather.
 *
 * Source: L. Zheng, X. Li, Y. Zheng, Y. Huang, X. Liao, H. Jin, J. Xue, Z. Shao, Q. Hua, "Scaph:
 * scalable GPU-accelerated graph processing with value-driven differential scheduling", USENIX ATC
 * 2020.
 */
#include <algorithm>
#include <deque>

#include "gpu/stream/server.cuh"

namespace {

enum { SLOT_BYTES = 1 << 25, FEWEST_SLOTS = 8, TILES = 32, NONE = -1 };
/* Of edges of active vertices, to be of high value: enough; enough if there were fewer. */
const double ENOUGH = 0.5, GROWING = 0.3;

/* A whole partition on the device. */
struct slot {
    int64_t partition = NONE;
    uint32_t level = 0;    /* visits of this step, and one */
    uint32_t delivery = 0; /* the last one that has it */
    bool comes = false;
    cudaEvent_t there = nullptr;
};

/* Gathered rows in tiles first .. last - 1 of a slot of their own. */
struct packed_rows {
    gpu_piece piece;
    uint32_t slot, first, last, delivery;
    bool delivered;
    cudaEvent_t there;
};

struct scaph : gpu_policy {
    std::unique_ptr<gpu_policy> plain; /* of requests that do not relax */
    uint64_t slot_bytes;
    std::vector<slot> slots;
    std::vector<uint32_t> tiles; /* of the slots for gathered rows, behind the others: in use */
    std::vector<int64_t> slot_of[2];
    std::vector<uint64_t> before[2]; /* edges of active vertices in the step before */
    gpu_pinned buffer;               /* as large as the slots for gathered rows */
    std::deque<packed_rows> rows_there;
    std::vector<cudaEvent_t> events;
    std::deque<uint32_t> high, low; /* partitions that wait */
    uint32_t side = 0, waiting = 0; /* partitions that were not visited in this step */
    std::vector<uint32_t> vertex;
    std::vector<uint64_t> starts, from;

    explicit scaph(gpu_server *of) : gpu_policy(of), plain(gpu_make_partitions(of, false)) {
        wish = GPU_WISH_NEEDS_AND_MEMBERS;
        slot_bytes = std::min<uint64_t>(SLOT_BYTES, of->room_bytes / FEWEST_SLOTS / 256 * 256);
        size_t all = of->room_bytes / slot_bytes, for_rows = std::max<size_t>(1, all / 4);
        slots.resize(all - for_rows);
        tiles.resize(for_rows);
        for (uint32_t s = 0; s < 2; s++) {
            partition[s] = gpu_cut_rows(&of->rows[s], slot_bytes / of->side_bytes(s));
            slot_of[s].assign(partition[s].size(), NONE);
            before[s].assign(partition[s].size(), 0);
        }
    }

    ~scaph() override {
        for (slot &s : slots)
            if (s.there) cudaEventDestroy(s.there);
        for (packed_rows &p : rows_there) cudaEventDestroy(p.there);
        for (cudaEvent_t event : events) cudaEventDestroy(event);
    }

    void forget_slots() {
        for (slot &s : slots) {
            s.partition = NONE;
            s.delivery = 0;
            s.comes = false;
        }
        for (std::vector<int64_t> &all : slot_of) std::fill(all.begin(), all.end(), NONE);
    }

    cudaError_t begin() override {
        forget_slots();
        for (packed_rows &p : rows_there) events.push_back(p.there);
        rows_there.clear();
        std::fill(tiles.begin(), tiles.end(), 0);
        for (std::vector<uint64_t> &all : before) std::fill(all.begin(), all.end(), 0);
        for (slot &s : slots)
            if (!s.there) GPU_PASS(cudaEventCreateWithFlags(&s.there, cudaEventDisableTiming));
        return buffer.host ? cudaSuccess : buffer.make(tiles.size() * slot_bytes);
    }

    /* ---- which partitions, and how ---- */

    bool is_high(uint32_t p) const {
        const gpu_partition &at = partition[side][p];
        uint64_t need = server->need_memory.at<uint64_t>()[p];
        double share = (double)need / (double)(at.high - at.low);
        return share > ENOUGH || (need > before[side][p] && share > GROWING);
    }

    void sort_out() {
        const uint64_t *need = server->need_memory.at<uint64_t>();
        high.clear();
        low.clear();
        waiting = 0;
        for (uint32_t p = 0; p < partition[side].size(); p++) {
            if (need[p]) {
                int64_t where = slot_of[side][p];
                waiting++;
                if (where != NONE)
                    slots[(size_t)where].level = 1;
                else
                    (is_high(p) ? high : low).push_back(p);
            }
            before[side][p] = need[p];
        }
    }

    /* ---- whole partitions ---- */

    char *place_of(size_t number) const { return server->room + number * slot_bytes; }

    /* An empty one, or the one of the deepest level, but for those that wait for their visit. */
    int64_t slot_to_take() const {
        int64_t best = NONE;
        for (size_t i = 0; i < slots.size(); i++) {
            const slot &s = slots[i];
            if (s.comes || !server->is_visited(s.delivery)) continue;
            if (s.partition == NONE) return (int64_t)i;
            if (s.level == 1) continue;
            if (best == NONE || s.level > slots[(size_t)best].level) best = (int64_t)i;
        }
        return best;
    }

    cudaError_t start_copy(uint32_t p, size_t number, bool *started) {
        slot *s = &slots[number];
        if (s->partition != NONE) slot_of[side][(size_t)s->partition] = NONE;
        s->partition = p;
        s->level = 1;
        s->comes = true;
        slot_of[side][p] = (int64_t)number;
        *started = true;
        GPU_PASS(server->copy_partition(side, partition[side][p], place_of(number)));
        return cudaEventRecord(s->there, server->copies);
    }

    cudaError_t visit_slot(size_t number) {
        slot *s = &slots[number];
        server->again = s->level > 1;
        if (s->level == 1) waiting--;
        std::vector<gpu_piece> pieces{
            server->partition_at(side, partition[side][(size_t)s->partition], place_of(number))};
        GPU_PASS(server->deliver(pieces));
        s->delivery = server->delivered;
        s->level++;
        return cudaSuccess;
    }

    /* The one of the lowest level that has come; none above `most`. */
    int64_t slot_to_visit(uint32_t most) {
        int64_t best = NONE;
        for (size_t i = 0; i < slots.size(); i++) {
            slot &s = slots[i];
            if (s.comes && cudaEventQuery(s.there) == cudaSuccess) s.comes = false;
            if (s.partition == NONE || s.comes || s.level == 0 || s.level > most) continue;
            if (best == NONE || s.level < slots[(size_t)best].level) best = (int64_t)i;
        }
        return best;
    }

    /* ---- gathered rows ---- */

    /* Active vertices of a partition, and where their edges in it are. */
    gpu_gathering list_active(uint32_t p) {
        const gpu_partition &at = partition[side][p];
        const cflri_rows *rows = &server->rows[side];
        const uint32_t *member = server->member_memory.at<uint32_t>();
        uint64_t edges = 0;
        vertex.clear();
        starts.clear();
        from.clear();
        for (uint64_t w = at.first / 32; w <= (at.last - 1) / 32; w++) {
            for (uint32_t left = member[w]; left; left &= left - 1) {
                uint32_t v = (uint32_t)(w * 32) + (uint32_t)__builtin_ctz(left);
                if (v < at.first || v >= at.last) continue;
                uint64_t begin = std::max(rows->start[v], at.low);
                uint64_t end = std::min(rows->start[v + 1], at.high);
                if (begin >= end) continue;
                vertex.push_back(v);
                from.push_back(begin);
                starts.push_back(edges);
                edges += end - begin;
            }
        }
        starts.push_back(edges);
        return gpu_gathering{rows, vertex.data(), starts.data(), vertex.size(), from.data()};
    }

    /* So many tiles side by side: in a slot that has some in use, else in one that has none. */
    bool take_tiles(uint32_t n, uint32_t *number, uint32_t *first) {
        for (int empty = 0; empty < 2; empty++) {
            for (uint32_t i = 0; i < tiles.size(); i++) {
                if ((tiles[i] == 0) != (empty == 1)) continue;
                for (uint32_t at = 0; at + n <= TILES; at++) {
                    uint32_t mask = (n < 32 ? (1u << n) - 1 : ~0u) << at;
                    if (tiles[i] & mask) continue;
                    tiles[i] |= mask;
                    *number = i;
                    *first = at;
                    return true;
                }
            }
        }
        return false;
    }

    void free_tiles() {
        while (!rows_there.empty() && rows_there.front().delivered &&
               server->is_visited(rows_there.front().delivery)) {
            const packed_rows &p = rows_there.front();
            uint32_t n = p.last - p.first;
            tiles[p.slot] &= ~((n < 32 ? (1u << n) - 1 : ~0u) << p.first);
            events.push_back(p.there);
            rows_there.pop_front();
        }
    }

    /* The rows of the next partition of low value. One whose list makes it larger than a slot is
     * sent whole. */
    cudaError_t start_rows(bool *started) {
        uint32_t p = low.front(), number, first;
        gpu_gathering g = list_active(p);
        uint64_t bytes = gpu_chunk_bytes(g, 0, g.begin[g.n]), tile = slot_bytes / TILES / 8 * 8;
        if (bytes > tile * TILES) {
            low.pop_front();
            high.push_back(p);
            return cudaSuccess;
        }
        uint32_t n = (uint32_t)((bytes + tile - 1) / tile);
        if (!take_tiles(n, &number, &first)) return cudaSuccess;
        low.pop_front();
        *started = true;
        uint64_t at = number * slot_bytes + first * tile;
        char *to = place_of(slots.size()) + at;
        packed_rows rows = {{}, number, first, first + n, 0, false, nullptr};
        if (events.empty()) {
            GPU_PASS(cudaEventCreateWithFlags(&rows.there, cudaEventDisableTiming));
        } else {
            rows.there = events.back();
            events.pop_back();
        }
        rows.piece = gpu_pack_chunk(server, g, 0, g.begin[g.n], buffer.at<char>() + at, to);
        rows_there.push_back(rows);
        server->traffic.loads++;
        GPU_PASS(server->send(to, buffer.at<char>() + at, bytes));
        return cudaEventRecord(rows.there, server->copies);
    }

    cudaError_t visit_rows(bool *visited) {
        for (packed_rows &p : rows_there) {
            if (p.delivered) continue;
            if (cudaEventQuery(p.there) != cudaSuccess) return cudaSuccess;
            server->again = false;
            std::vector<gpu_piece> pieces{p.piece};
            GPU_PASS(server->deliver(pieces));
            p.delivery = server->delivered;
            p.delivered = *visited = true;
            waiting--;
            return cudaSuccess;
        }
        return cudaSuccess;
    }

    /* ---- a step ---- */

    /* One delivery is visited, and one more waits. */
    bool is_busy() const {
        return server->delivered >= 2 && !server->is_visited(server->delivered - 1);
    }

    cudaError_t move(bool *moved) {
        int64_t number = high.empty() ? NONE : slot_to_take();
        free_tiles();
        if (number != NONE) {
            uint32_t p = high.front();
            high.pop_front();
            GPU_PASS(start_copy(p, (size_t)number, moved));
        }
        if (!low.empty()) GPU_PASS(start_rows(moved));
        return cudaSuccess;
    }

    cudaError_t visit(bool *visited) {
        int64_t number = slot_to_visit(1);
        if (is_busy()) return cudaSuccess;
        if (number == NONE) {
            GPU_PASS(visit_rows(visited));
            if (*visited || waiting == 0) return cudaSuccess;
            number = slot_to_visit(UINT32_MAX);
        }
        if (number == NONE) return cudaSuccess;
        *visited = true;
        return visit_slot((size_t)number);
    }

    cudaError_t serve(const gpu_request &request) override {
        if (!request.relax) {
            forget_slots();
            return plain->serve(request);
        }
        if (side != request.backwards) forget_slots();
        side = request.backwards;
        server->rounds = 1;
        sort_out();
        for (uint32_t looks = 1; waiting > 0; looks++) {
            bool moved = false, visited = false;
            GPU_PASS(move(&moved));
            GPU_PASS(visit(&visited));
            if (!moved && !visited && looks % (1 << 14) == 0) GPU_PASS(server->look());
        }
        return server->finish_request();
    }
};

}  // namespace

std::unique_ptr<gpu_policy> gpu_make_scaph(gpu_server *server) {
    return std::unique_ptr<gpu_policy>(new scaph(server));
}
