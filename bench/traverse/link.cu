/* SPDX-License-Identifier: Apache-2.0
 *
 * link.cu: what the link between host and GPU gives, as transfers of the graph engine use it.
 *
 *     link [GIGABYTES]      of host memory to read (4)
 *
 * Prints a JSON object: gigabytes (10^9) a second of copies, by their size; of reads by kernels, by
 * how many bytes lie together; of both at once; seconds a gigabyte to pin memory; and microseconds
 * between a word of the host and the answer of a kernel that waits for it.
 */
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

enum { THREADS = 512, WARP = 32, ROUNDS = 5, ANSWERS = 1000 };

#define TRY(call)                                                                            \
    do {                                                                                     \
        cudaError_t what = (call);                                                           \
        if (what != cudaSuccess) {                                                           \
            std::fprintf(stderr, "link: line %d: %s\n", __LINE__, cudaGetErrorString(what)); \
            std::exit(6);                                                                    \
        }                                                                                    \
    } while (0)

static double now() {
    std::chrono::duration<double> since = std::chrono::steady_clock::now().time_since_epoch();
    return since.count();
}

/* Pieces of 2^shift words, each at a place that looks random; lanes side by side in a piece. */
static __global__ void read_pieces(const uint32_t *at, uint64_t words, int shift, uint64_t reads,
                                   uint32_t *sum) {
    uint32_t own = 0;
    uint64_t pieces = words >> shift;
    for (uint64_t i = uint64_t(blockIdx.x) * THREADS + threadIdx.x; i < reads;
         i += 4ull * gridDim.x * THREADS) {
        uint32_t value[4];
#pragma unroll
        for (int k = 0; k < 4; k++) {
            uint64_t j = i + uint64_t(k) * gridDim.x * THREADS;
            uint64_t piece = (j >> shift) * 0x9e3779b97f4a7c15ull % pieces;
            value[k] = j < reads ? at[(piece << shift) + (j & ((1u << shift) - 1))] : 0;
        }
#pragma unroll
        for (int k = 0; k < 4; k++) own += value[k];
    }
    if (own == 12345) atomicAdd(sum, own);
}

/* Answers each word of the host with the same; ends after the last. */
static __global__ void answer(const volatile uint32_t *asked, volatile uint32_t *answered) {
    for (uint32_t i = 1; i <= ANSWERS; i++) {
        while (*asked != i) continue;
        *answered = i;
        __threadfence_system();
    }
}

/* As a traversal that waits for a copy: the flag comes by the same stream behind the bytes. */
static __global__ void await_copies(const volatile uint32_t *flag, const uint32_t *buffer,
                                    uint32_t words, volatile uint32_t *answered, uint32_t rounds,
                                    uint32_t *wrong) {
    for (uint32_t i = 1; i <= rounds; i++) {
        if (threadIdx.x == 0)
            while (*flag != i) continue;
        __syncthreads();
        __threadfence();
        for (uint32_t w = threadIdx.x; w < words; w += blockDim.x)
            if (__ldcg(&buffer[w]) != i) atomicAdd(wrong, 1);
        __syncthreads();
        if (threadIdx.x == 0) *answered = i;
        __threadfence_system();
    }
}

static float read_rate(const uint32_t *at, uint64_t words, int shift, uint32_t *sum, int blocks) {
    cudaEvent_t begin, end;
    float best = 0;
    uint64_t reads = std::min<uint64_t>(words, 1ull << 28);
    TRY(cudaEventCreate(&begin));
    TRY(cudaEventCreate(&end));
    for (int round = 0; round < ROUNDS; round++) {
        float took;
        TRY(cudaEventRecord(begin));
        read_pieces<<<blocks, THREADS>>>(at, words, shift, reads, sum);
        TRY(cudaEventRecord(end));
        TRY(cudaEventSynchronize(end));
        TRY(cudaEventElapsedTime(&took, begin, end));
        best = std::max(best, float(reads * 4 / took / 1e6));
    }
    return best;
}

static double copy_rate(void *device, const char *host, uint64_t bytes, uint64_t piece,
                        cudaStream_t stream) {
    double best = 0;
    for (int round = 0; round < ROUNDS; round++) {
        double begin = now();
        for (uint64_t at = 0; at + piece <= bytes; at += piece)
            TRY(cudaMemcpyAsync(device, host + at, piece, cudaMemcpyHostToDevice, stream));
        TRY(cudaStreamSynchronize(stream));
        best = std::max(best, double(bytes / piece * piece) / (now() - begin) / 1e9);
    }
    return best;
}

static void handshakes(uint32_t *device, cudaStream_t copies) {
    volatile uint32_t *word;
    uint32_t *mapped, *flags, *data, *wrong, host_wrong = 0;
    enum { WORDS = 1 << 16, COPIES = 200 };
    TRY(cudaHostAlloc((void **)&word, 256, cudaHostAllocMapped));
    TRY(cudaHostGetDevicePointer((void **)&mapped, (void *)word, 0));
    TRY(cudaHostAlloc((void **)&flags, 4 * (COPIES + 1), 0));
    TRY(cudaHostAlloc((void **)&data, 4ull * WORDS * 2, 0));
    word[0] = word[32] = 0;
    cudaStream_t stream;
    TRY(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    answer<<<1, 1, 0, stream>>>(mapped, mapped + 32);
    double begin = now();
    for (uint32_t i = 1; i <= ANSWERS; i++) {
        word[0] = i;
        while (word[32] != i) continue;
    }
    std::printf("\"answer_us\": %.2f, ", (now() - begin) / ANSWERS * 1e6);
    TRY(cudaStreamSynchronize(stream));
    /* device: the flag, a counter, then two buffers in turns as one */
    wrong = device + 1;
    TRY(cudaMemset(device, 0, 256));
    word[32] = 0;
    for (uint32_t i = 0; i <= COPIES; i++) flags[i] = i;
    await_copies<<<1, 512, 0, stream>>>(device, device + 64, WORDS, mapped + 32, COPIES, wrong);
    begin = now();
    for (uint32_t i = 1; i <= COPIES; i++) {
        for (uint32_t w = 0; w < WORDS; w++) data[w] = i;
        TRY(cudaMemcpyAsync(device + 64, data, 4ull * WORDS, cudaMemcpyHostToDevice, copies));
        TRY(cudaMemcpyAsync(device, &flags[i], 4, cudaMemcpyHostToDevice, copies));
        while (word[32] != i) continue;
    }
    double took = now() - begin;
    TRY(cudaStreamSynchronize(stream));
    TRY(cudaMemcpy(&host_wrong, wrong, 4, cudaMemcpyDeviceToHost));
    std::printf("\"copy_answer_us\": %.2f, \"copy_wrong\": %u, ", took / COPIES * 1e6, host_wrong);
}

int main(int argc, char **argv) {
    uint64_t bytes = uint64_t(argc > 1 ? std::atof(argv[1]) * 1e9 : 4e9) / 4096 * 4096;
    cudaDeviceProp properties;
    uint32_t *device, *mapped;
    cudaStream_t stream;
    char *host;
    TRY(cudaGetDeviceProperties(&properties, 0));
    TRY(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    TRY(cudaMalloc(&device, 1 << 28));
    host = static_cast<char *>(std::aligned_alloc(1 << 21, (bytes + (1 << 21)) >> 21 << 21));
    if (!host) return 5;
    double begin = now();
    std::memset(host, 1, bytes);
    double filled = now() - begin;
    begin = now();
    TRY(cudaHostRegister(host, bytes, cudaHostRegisterMapped));
    std::printf("{\"device\": \"%s\", \"fill_s_gb\": %.3f, \"pin_s_gb\": %.3f, ", properties.name,
                filled / bytes * 1e9, (now() - begin) / bytes * 1e9);
    TRY(cudaHostGetDevicePointer((void **)&mapped, host, 0));
    for (uint64_t size = 1 << 16; size <= 1 << 28; size *= 4)
        std::printf("\"copy_%lluk\": %.1f, ", (unsigned long long)size >> 10,
                    copy_rate(device, host, std::min<uint64_t>(bytes, size * 4096), size, stream));
    int blocks = properties.multiProcessorCount * 4;
    for (int shift = 0; shift <= 12; shift += shift < 6 ? 1 : 3)
        std::printf("\"read_%db\": %.1f, ", 4 << shift,
                    read_rate(mapped, bytes / 4, shift, device, blocks));
    std::printf("\"read_4kb_1_block\": %.1f, ", read_rate(mapped, bytes / 4, 10, device, 1));
    std::printf("\"read_4kb_16_blocks\": %.1f, ", read_rate(mapped, bytes / 4, 10, device, 16));
    std::printf("\"read_4kb_66_blocks\": %.1f, ", read_rate(mapped, bytes / 4, 10, device, 66));
    handshakes(device, stream);
    std::printf("\"processors\": %d}\n", properties.multiProcessorCount);
    return 0;
}
