/* SPDX-License-Identifier: Apache-2.0
 *
 * part.cuh: the rows that one of several GPUs has, as rows of all vertices.
 *
 * Vertices are distributed in stripes (inbox.cuh), so that the first ones, which have most edges in
 * many graphs, are everywhere, and so are those of any range that an operator goes through.
 */
#ifndef CFLRI_GPU_PART_CUH
#define CFLRI_GPU_PART_CUH

#include <memory>
#include <vector>

#include "engine/traverse/device.h"
#include "gpu/peers/inbox.cuh"

struct gpu_part {
    std::vector<uint64_t> start[2];
    std::unique_ptr<uint32_t[]> target[2], weight[2];

    /* Rows of `self`, one of n GPUs, without targets yet. Throws std::bad_alloc. */
    cflri_rows begin(int side, const cflri_rows *whole, uint32_t self, uint32_t n);
    /* And targets and weights, copied by the threads of the context. Throws std::bad_alloc. */
    void fill(int side, const cflri_rows *whole, cflri_rows *rows, uint32_t self, uint32_t n,
              const cflri_services *services, cflr_context *context);
    /* Frees targets and weights. */
    void drop();
};

#endif
