/* SPDX-License-Identifier: Apache-2.0
 *
 * bandwidth.cu: how many bytes a second a GPU's memory gives to a kernel that reads much and writes
 * little, as the graph engine does. Prints gigabytes (10^9) a second, the median of some runs.
 */
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

enum { THREADS = 512, BLOCKS = 1056, RUNS = 11 };
static const size_t WORDS = size_t(1) << 28; /* of 16 bytes: far more than any cache holds */

static __global__ void read_all(const uint4 *at, size_t n, uint32_t *sum) {
    uint32_t own = 0;
    for (size_t i = size_t(blockIdx.x) * THREADS + threadIdx.x; i < n;
         i += size_t(gridDim.x) * THREADS) {
        uint4 word = at[i];
        own += word.x ^ word.y ^ word.z ^ word.w;
    }
    if (own == 12345) atomicAdd(sum, own);
}

static int fail(cudaError_t what) {
    std::fprintf(stderr, "bandwidth: %s\n", cudaGetErrorString(what));
    return 6;
}

int main() {
    uint4 *at = nullptr;
    cudaEvent_t begin, end;
    std::vector<float> milliseconds;
    cudaError_t what = cudaMalloc(&at, WORDS * sizeof *at);
    if (what != cudaSuccess) return fail(what);
    cudaMemset(at, 0, WORDS * sizeof *at);
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    for (int i = 0; i < RUNS; i++) {
        float took = 0;
        cudaEventRecord(begin);
        read_all<<<BLOCKS, THREADS>>>(at, WORDS, reinterpret_cast<uint32_t *>(at));
        cudaEventRecord(end);
        what = cudaEventSynchronize(end);
        if (what != cudaSuccess) return fail(what);
        cudaEventElapsedTime(&took, begin, end);
        milliseconds.push_back(took);
    }
    std::sort(milliseconds.begin(), milliseconds.end());
    std::printf("%.1f\n", double(WORDS * sizeof *at) / milliseconds[RUNS / 2] / 1e6);
    cudaFree(at);
    return 0;
}
