/* SPDX-License-Identifier: Apache-2.0
 *
 * server.cuh: the host's side of a run whose rows are delivered piece by piece (mail.cuh).
 *
 * A server has the mail, the room on the device that rows are copied into, the stream of copies and
 * a count of what was moved. A policy decides which rows are copied, when, and in which form; there
 * is one file for each (partitions.cu, subway.cu).
 */
#ifndef CFLRI_GPU_SERVER_CUH
#define CFLRI_GPU_SERVER_CUH

#include <memory>
#include <vector>

#include "engine/traverse/device.h"
#include "gpu/stream/mail.cuh"

/* Hands an error of CUDA on. */
#define GPU_PASS(call)                          \
    do {                                        \
        cudaError_t what_ = (call);             \
        if (what_ != cudaSuccess) return what_; \
    } while (0)

/* Memory of the host that the device can read. */
struct gpu_pinned {
    const void *host = nullptr;
    void *device = nullptr; /* the same bytes, as a kernel addresses them */

    gpu_pinned() = default;
    gpu_pinned(const gpu_pinned &) = delete;
    gpu_pinned &operator=(const gpu_pinned &) = delete;
    ~gpu_pinned();
    /* Pins `bytes` bytes where they are, or makes a copy of them that is. */
    cudaError_t pin(const void *at, uint64_t bytes);
    /* New ones, zero. */
    cudaError_t make(uint64_t bytes);
    template <class T>
    T *at() const {
        return static_cast<T *>(const_cast<void *>(host));
    }

   private:
    bool made = false;
};

struct gpu_policy;

struct gpu_server {
    /* What it has to do with. */
    cflr_context *context = nullptr;
    const cflri_services *services = nullptr;
    cflri_rows rows[2] = {}; /* the host's: as they are, and backwards; pinned */
    char *room = nullptr;    /* on the device */
    uint64_t room_bytes = 0;
    gpu_stage stage = {}; /* what the kernel knows: pointers of the device */
    cudaStream_t copies = nullptr;
    volatile uint32_t *stop = nullptr; /* set when the run is not wanted any more */
    cudaEvent_t end = nullptr;         /* of the kernel */

    /* Its own. */
    gpu_pinned pinned[4]; /* targets and weights of both */
    gpu_pinned mail_memory, piece_memory, need_memory, member_memory, vertex_memory, begin_memory;
    uint32_t most_pieces = 0; /* of a delivery */
    /* How deliveries of requests to relax are to be visited (mail.cuh). */
    bool again = false, all = false;
    uint32_t rounds = 1;
    uint32_t delivered = 0;
    std::unique_ptr<gpu_policy> policy;
    cflr_transfer_stats traffic = {};

    /* The last copies, each with its begin and its end on the stream. */
    struct timed_copy {
        cudaEvent_t begin = nullptr, end = nullptr;
        bool is_sent = false;
    };
    enum { TIMED_COPIES = 64 };
    timed_copy timed[TIMED_COPIES];
    uint64_t sent_copies = 0;

    ~gpu_server();
    gpu_mail *mail() const { return mail_memory.at<gpu_mail>(); }
    uint32_t side_bytes(uint32_t side) const { return rows[side].weight ? 8 : 4; } /* an edge's */
    /* A copy, on the stream of copies; counted and timed. */
    cudaError_t send(void *to, const void *from, uint64_t bytes);
    /* Before a run, and when all copies of one are done. */
    void clear_traffic();
    void add_times();
    /* The edges of a partition to `to`: targets, then weights. */
    cudaError_t copy_partition(uint32_t side, const gpu_partition &p, char *to);
    /* The piece that it is there. */
    gpu_piece partition_at(uint32_t side, const gpu_partition &p, const char *to) const;
    /* Tells the kernel of pieces; what they point to is there. Waits while too many are on their
     * way. */
    cudaError_t deliver(std::vector<gpu_piece> &pieces);
    cudaError_t finish_request();
    bool is_visited(uint32_t number) const;
    cudaError_t await_visited(uint32_t number);
    /* A look at whether the run is wanted, and whether the kernel is still there. */
    cudaError_t look();
};

struct gpu_policy {
    gpu_server *server;
    std::vector<gpu_partition> partition[2];
    gpu_wish wish = GPU_WISH_NOTHING;

    explicit gpu_policy(gpu_server *of) : server(of) {}
    virtual ~gpu_policy() {}
    /* Before every run: nothing of the last one is of use where it says so. */
    virtual cudaError_t begin() { return cudaSuccess; }
    virtual cudaError_t serve(const gpu_request &request) = 0;
};

/* Each side's rows in partitions of at most so many edges; longer rows are cut. */
std::vector<gpu_partition> gpu_cut_rows(const cflri_rows *rows, uint64_t most_edges);

/* The policies that have rows delivered. */
std::unique_ptr<gpu_policy> gpu_make_partitions(gpu_server *server, bool ahead);
std::unique_ptr<gpu_policy> gpu_make_subway(gpu_server *server, bool async);
std::unique_ptr<gpu_policy> gpu_make_scaph(gpu_server *server);
std::unique_ptr<gpu_policy> gpu_make_wolfgraph(gpu_server *server);

/* ---- rows that the host gathers ---- */

/* Rows of vertices side by side: edge begin[i] is the first one of vertex[i]'s, that is edge
 * from[i] of the rows; the first of its row where `from` is NULL. */
struct gpu_gathering {
    const cflri_rows *rows;
    const uint32_t *vertex;
    const uint64_t *begin;
    uint64_t n;
    const uint64_t *from;
};

/* The item that has this edge of what is gathered. */
uint64_t gpu_item_of(const gpu_gathering &g, uint64_t edge);
/* Edges low .. high - 1 of what is gathered, targets and then weights, by all threads of the
 * context. */
void gpu_gather_rows(gpu_server *server, const gpu_gathering &g, uint64_t low, uint64_t high,
                     uint32_t *to);
/* The same with their list, one after the other: vertices, where their edges begin, edges. Bytes of
 * edges low .. high - 1; the largest `high` with which they fit into `room` bytes (`low` when none
 * does); and the chunk itself, at `host`, which the piece says of where it will be at `device`. */
uint64_t gpu_chunk_bytes(const gpu_gathering &g, uint64_t low, uint64_t high);
uint64_t gpu_chunk_end(const gpu_gathering &g, uint64_t low, uint64_t room);
gpu_piece gpu_pack_chunk(gpu_server *server, const gpu_gathering &g, uint64_t low, uint64_t high,
                         char *host, const char *device);
/* A piece of these, which lie at `to` on the device; vertex and begin there, too. */
gpu_piece gpu_gathered_piece(const gpu_gathering &g, uint64_t low, uint64_t high, const char *to,
                             const uint32_t *vertex, const uint64_t *begin);

#endif
