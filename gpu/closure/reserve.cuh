/* SPDX-License-Identifier: Apache-2.0
 *
 * reserve.cuh: memory of a GPU that grows in place, and of its host behind it (reserve.cu).
 */
#ifndef CFLRI_GPU_RESERVE_CUH
#define CFLRI_GPU_RESERVE_CUH

#include <cuda.h>

#include <cstdint>
#include <vector>

/* Where memory can be. */
struct gpu_place {
    bool of_host;
    int id; /* of a device, or of a node of the host's memory */
};

struct gpu_reserve {
    CUdeviceptr base = 0;
    size_t reserved = 0, size = 0; /* addresses; bytes that have memory, from the first one on */
    size_t grain = 0;              /* growth is by multiples of it */
    std::vector<gpu_place> place;  /* in the order of addresses; the first is of the device that
                                    * uses them, and reaches the others */
    std::vector<size_t> has;       /* bytes of each place */
    std::vector<CUmemGenericAllocationHandle> piece;
    std::vector<size_t> piece_bytes;

    template <class type>
    type *as() const {
        return reinterpret_cast<type *>(base);
    }
};

/* Reserves addresses for so many bytes, without memory. cudaErrorNotSupported where the driver has
 * no such thing. */
cudaError_t gpu_reserve_make(gpu_reserve *r, const std::vector<gpu_place> &place, size_t bytes);
/* Has memory for so many bytes at least, more of it of the place with this number; what it has
 * stays where it is, and none of a place is behind that of a later one. cudaErrorMemoryAllocation
 * when there is no more, or the addresses end: it is as it was then. */
cudaError_t gpu_reserve_grow(gpu_reserve *r, size_t bytes, size_t place);
void gpu_reserve_free(gpu_reserve *r);

#endif
