/* SPDX-License-Identifier: Apache-2.0
 *
 * order.cu: what all edges read, where it is read most.
 *
 * A gather reads a column at the source of each edge: 4 bytes of the 32 that a cache moves. In many
 * graphs half of the edges come from a few vertices, hubs, which lie anywhere among the others. So
 * such a column has slots: those of hubs first, which then fit into the cache of each
 * multiprocessor, and the others behind them in their order.
 *
 *     vertex          0  1  2  3  4  5           hubs: 1 and 4
 *     slot of it      2  0  3  4  1  5
 *
 * The targets of the rows become slots once, when they have been copied; a vertex looks its own up
 * when it writes the column. Only a primitive that reads targets in gathers alone can have slots.
 *
 * O(vertices) on the host, O(edges) on the GPU. Source: hubs apart from others as in V. Balaji, B.
 * Lucia, "When is graph reordering an optimization?", IISWC 2018.
 */
#include <vector>

#include "gpu/traverse/run.cuh"

enum {
    HUBS = 32768,          /* values of 4 bytes that a multiprocessor's cache holds */
    MOST_DEGREE = 1 << 16, /* vertices of more edges than that are hubs, or there are none */
    LEAST_PART = 4,        /* hubs have 1 / 4 of the edges at least, or slots do not pay */
};

static uint64_t degree_of(const cflri_rows *rows, uint64_t v) {
    return rows->start[v + 1] - rows->start[v];
}

/* Are the first vertices those of that degree or more? */
static bool come_first(const cflri_rows *out, uint64_t hubs, uint64_t least) {
    uint64_t v = 0;
    while (v < hubs && degree_of(out, v) >= least) v++;
    return v == hubs;
}

/* The least degree of a hub; 0: there are no hubs that pay, or they come first as it is. */
static uint64_t find_hubs(const cflri_rows *out) {
    std::vector<uint32_t> vertices(MOST_DEGREE + 1);
    for (uint64_t v = 0; v < out->n; v++) {
        uint64_t degree = degree_of(out, v);
        vertices[degree < MOST_DEGREE ? degree : MOST_DEGREE]++;
    }
    uint64_t least = MOST_DEGREE + 1, hubs = 0, edges = 0;
    while (least > 1 && hubs + vertices[least - 1] <= HUBS) {
        least--;
        hubs += vertices[least];
        edges += vertices[least] * least; /* at least */
    }
    return edges < out->m / LEAST_PART || come_first(out, hubs, least) ? 0 : least;
}

static std::vector<uint32_t> make_slots(const cflri_rows *out, uint64_t least) {
    std::vector<uint32_t> slot(out->n);
    uint32_t hubs = 0, hub = 0, other = 0;
    for (uint64_t v = 0; v < out->n; v++) hubs += degree_of(out, v) >= least;
    for (uint64_t v = 0; v < out->n; v++)
        slot[v] = degree_of(out, v) >= least ? hub++ : hubs + other++;
    return slot;
}

static __global__ void gpu_targets_to_slots(const uint32_t *slot, uint64_t m, uint32_t *target) {
    uint64_t threads = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t e = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; e < m; e += threads)
        target[e] = slot[target[e]];
}

enum { SLOT_THREADS = 512, SLOT_BLOCKS = 4 }; /* of a multiprocessor */

cflr_status gpu_make_slots(gpu_run *r, cflr_error *error) {
    cflri_rows *in = &r->common()->in;
    uint64_t least = in->slot ? find_hubs(&r->rows[0]) : 0;
    if (!least) {
        in->slot = nullptr;
        return CFLR_OK;
    }
    std::vector<uint32_t> slot = make_slots(&r->rows[0], least);
    GPU_TRY(cudaMemcpyAsync(const_cast<uint32_t *>(in->slot), slot.data(),
                            slot.size() * sizeof(uint32_t), cudaMemcpyHostToDevice, r->stream),
            "copying slots");
    gpu_targets_to_slots<<<SLOT_BLOCKS * r->processors, SLOT_THREADS, 0, r->stream>>>(
        in->slot, r->rows[1].m, const_cast<uint32_t *>(in->target));
    GPU_TRY(cudaGetLastError(), "making slots");
    GPU_TRY(cudaStreamSynchronize(r->stream), "making slots");
    return CFLR_OK;
}
