/* SPDX-License-Identifier: Apache-2.0
 *
 * errors.cuh: what a GPU says, as a status; which GPUs there are.
 */
#ifndef CFLRI_GPU_ERRORS_CUH
#define CFLRI_GPU_ERRORS_CUH

#include "cflr/status.h"

cflr_status gpu_fail(cflr_error *error, cflr_status code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* CFLR_NO_MEMORY where memory was refused, otherwise CFLR_UNAVAILABLE. */
cflr_status gpu_fail_cuda(cflr_error *error, cudaError_t what, const char *doing);

#define GPU_TRY(call, doing)                                                           \
    do {                                                                               \
        cudaError_t gpu_what_ = (call);                                                \
        if (gpu_what_ != cudaSuccess) return gpu_fail_cuda(error, gpu_what_, (doing)); \
    } while (0)

/* How many GPUs there are. CFLR_UNAVAILABLE, and why, where there is none. */
cflr_status gpu_count_devices(int *devices, cflr_error *error);

/* A thread has the device afterwards that it had before. */
struct device_kept {
    int before = 0;
    bool is_known = cudaGetDevice(&before) == cudaSuccess;
    ~device_kept() {
        if (is_known) cudaSetDevice(before);
    }
};

#endif
