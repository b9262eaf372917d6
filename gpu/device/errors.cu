/* SPDX-License-Identifier: Apache-2.0
 *
 * errors.cu: what a GPU says, as a status; which GPUs there are.
 */
#include "gpu/device/errors.cuh"

#include <cstdarg>
#include <cstdio>
#include <cstring>

cflr_status gpu_fail(cflr_error *error, cflr_status code, const char *format, ...) {
    if (!error) return code;
    std::memset(error, 0, sizeof *error);
    error->code = code;
    va_list rest;
    va_start(rest, format);
    std::vsnprintf(error->message, sizeof error->message, format, rest);
    va_end(rest);
    return code;
}

cflr_status gpu_fail_cuda(cflr_error *error, cudaError_t what, const char *doing) {
    cudaGetLastError(); /* what can be forgotten is */
    cflr_status code = what == cudaErrorMemoryAllocation ? CFLR_NO_MEMORY : CFLR_UNAVAILABLE;
    return gpu_fail(error, code, "GPU: %s: %s", doing, cudaGetErrorString(what));
}

cflr_status gpu_count_devices(int *devices, cflr_error *error) {
    cudaError_t what = cudaGetDeviceCount(devices);
    if (what == cudaSuccess && *devices > 0) return CFLR_OK;
    cudaGetLastError();
    return gpu_fail(error, CFLR_UNAVAILABLE, "no GPU: %s",
                    what == cudaSuccess ? "the driver knows of none" : cudaGetErrorString(what));
}
