/* SPDX-License-Identifier: Apache-2.0
 *
 * part.cu: distributes rows (part.cuh).
 */
#include "gpu/peers/part.cuh"

#include <cstring>

static bool is_of(uint32_t v, uint32_t self, uint32_t n) {
    return (v >> GPU_STRIPE_SHIFT) % n == self;
}

cflri_rows gpu_part::begin(int side, const cflri_rows *whole, uint32_t self, uint32_t n) {
    std::vector<uint64_t> &at = start[side];
    at.resize(whole->n + 1ull);
    at[0] = 0;
    for (uint32_t v = 0; v < whole->n; v++)
        at[v + 1] = at[v] + (is_of(v, self, n) ? whole->start[v + 1] - whole->start[v] : 0);
    cflri_rows rows = *whole;
    rows.start = at.data();
    rows.m = at[whole->n];
    rows.target = nullptr;
    return rows;
}

struct copies {
    const cflri_rows *whole, *part;
    uint32_t *target, *weight;
    uint32_t self, n;
};

/* Every so-many-th of the stripes. */
static void copy_stripes(void *what, uint32_t thread, uint32_t threads) {
    const copies *c = static_cast<const copies *>(what);
    uint64_t stripes = ((uint64_t)c->whole->n >> GPU_STRIPE_SHIFT) + 1;
    for (uint64_t k = c->self + (uint64_t)thread * c->n; k < stripes;
         k += (uint64_t)threads * c->n) {
        uint64_t first = k << GPU_STRIPE_SHIFT, last = (k + 1) << GPU_STRIPE_SHIFT;
        if (first > c->whole->n) first = c->whole->n;
        if (last > c->whole->n) last = c->whole->n;
        uint64_t from = c->whole->start[first], edges = c->whole->start[last] - from;
        uint64_t to = c->part->start[first];
        if (edges) std::memcpy(c->target + to, c->whole->target + from, edges * sizeof *c->target);
        if (edges && c->weight)
            std::memcpy(c->weight + to, c->whole->weight + from, edges * sizeof *c->weight);
    }
}

void gpu_part::fill(int side, const cflri_rows *whole, cflri_rows *rows, uint32_t self, uint32_t n,
                    const cflri_services *services, cflr_context *context) {
    target[side].reset(new uint32_t[rows->m + 1]); /* not cleared */
    if (whole->weight) weight[side].reset(new uint32_t[rows->m + 1]);
    copies c = {whole, rows, target[side].get(), weight[side].get(), self, n};
    services->run_by_all(context, copy_stripes, &c);
    rows->target = target[side].get();
    rows->weight = weight[side].get();
}

void gpu_part::drop() {
    for (int side = 0; side < 2; side++) {
        target[side].reset();
        weight[side].reset();
    }
}
