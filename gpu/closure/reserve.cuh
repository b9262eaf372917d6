/* SPDX-License-Identifier: Apache-2.0
 *
 * reserve.cuh: memory of a GPU that grows in place, and of its host behind it (reserve.cu).
 */
#ifndef CFLRI_GPU_RESERVE_CUH
#define CFLRI_GPU_RESERVE_CUH

#include <cuda.h>

#include <cstdint>
#include <vector>

struct gpu_reserve {
    CUdeviceptr base = 0;
    size_t reserved = 0, size = 0; /* addresses; bytes that have memory, from the first one on */
    size_t on_host = 0;            /* of these, the last ones */
    size_t grain = 0;              /* growth is by multiples of it */
    int device = 0, host = -1;     /* the host's node of memory, where the device can reach it */
    std::vector<CUmemGenericAllocationHandle> piece;
    std::vector<size_t> piece_bytes;

    template <class type>
    type *as() const {
        return reinterpret_cast<type *>(base);
    }
};

/* Reserves addresses for so many bytes, without memory. cudaErrorNotSupported where the driver has
 * no such thing. */
cudaError_t gpu_reserve_make(gpu_reserve *r, int device, size_t bytes);
/* Has memory for so many bytes at least, of the device or of the host; what it has stays where it
 * is, and none of the device is behind that of the host. cudaErrorMemoryAllocation when there is no
 * more, or the addresses end: it is as it was then. */
cudaError_t gpu_reserve_grow(gpu_reserve *r, size_t bytes, bool of_host);
void gpu_reserve_free(gpu_reserve *r);

#endif
