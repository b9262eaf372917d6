/* SPDX-License-Identifier: Apache-2.0
 *
 * stages.cuh: what the host finds out about the stages of a system, for kernels (stages.cu).
 */
#ifndef CFLRI_GPU_STAGES_CUH
#define CFLRI_GPU_STAGES_CUH

#include <vector>

#include "gpu/closure/closure.cuh"

struct gpu_stages {
    const cflri_bit_system *system = nullptr;
    std::vector<gpu_row_piece> piece; /* of long rows, by stage: from first_piece of the stage */
    std::vector<uint32_t> first_piece;
    /* Of the stage that has begun: */
    std::vector<gpu_matrix> matrix;
    std::vector<gpu_role> role;
    std::vector<uint8_t> reads; /* by matrix: the stage reads it */
    gpu_shape shape = {};       /* `processors` is the caller's */
};

/* Finds what is the same for all stages. It throws std::bad_alloc. */
void gpu_stages_make(gpu_stages *g, const cflri_bit_system *system);
void gpu_stages_begin(gpu_stages *g, uint32_t stage);

#endif
