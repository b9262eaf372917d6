/* SPDX-License-Identifier: Apache-2.0
 *
 * ordered.cuh: stages whose rows are only united with one another (ordered.cu).
 */
#ifndef CFLRI_GPU_ORDERED_CUH
#define CFLRI_GPU_ORDERED_CUH

#include "gpu/closure/closure.cuh"

/* The order of a stage (cflri_bit_order), and some panels of it. */
struct gpu_panels {
    uint32_t n, n_levels, n_rows;
    const uint32_t *level, *to, *first, *row;
    const uint64_t *start;
    uint32_t first_panel, n_panels;
    uint32_t *word; /* of panel, node and lane */
};

/* Bytes of a panel of n nodes. */
static inline uint64_t gpu_panel_bytes(uint64_t n) {
    return n * GPU_LANES * sizeof(uint32_t);
}

/* What the panels have of all nodes, from what the rows have. */
void gpu_launch_panels(const gpu_closure &p, const gpu_panels &o, const gpu_shape &shape,
                       cudaStream_t stream);
/* Adds it to the rows. Where nodes run out it is done again. */
void gpu_launch_panels_to_rows(const gpu_closure &p, const gpu_panels &o, const gpu_shape &shape,
                               cudaStream_t stream);

#endif
