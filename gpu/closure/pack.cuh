/* SPDX-License-Identifier: Apache-2.0
 *
 * pack.cuh: rows of a GPU as packed sets for the host (pack.cu).
 */
#ifndef CFLRI_GPU_PACK_CUH
#define CFLRI_GPU_PACK_CUH

#include "gpu/closure/closure.cuh"

/* What was measured; memory of the device. */
struct gpu_pack {
    uint32_t n_rows, n_sets; /* sets of more than one bit */
    uint64_t n_words;
    uint32_t *set;   /* by row: as cflri_bit_device.fetch writes them */
    uint32_t *row;   /* of each set, from 0: one that has it */
    uint32_t *count; /* by row: bits, and leaves that have some */
    uint32_t *leaves;
    uint64_t *start; /* of each set, from 0, and the end */
    bool *wanted;
};

/* Bytes that measuring takes, for so many rows. */
uint64_t gpu_pack_bytes(uint64_t rows);

/* As cflri_bit_device.measure. Throws where memory is refused. Freed by the caller, then too. */
void gpu_pack_measure(const gpu_closure &p, const bool *wanted, uint32_t n_matrices,
                      uint32_t n_rows, gpu_pack *pack, cudaStream_t stream);
/* Writes sets `first` .. `end` - 1 one behind the other to words of the device. */
void gpu_pack_write(const gpu_closure &p, const gpu_pack *pack, uint32_t first, uint32_t end,
                    uint32_t *word, cudaStream_t stream);
void gpu_pack_free(gpu_pack *pack);

#endif
