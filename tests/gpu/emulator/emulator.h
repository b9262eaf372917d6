/* SPDX-License-Identifier: Apache-2.0
 *
 * emulator.h: what CUDA code needs of the compiler and the runtime, on a processor
 * (emulator.cpp).
 *
 * translate.py puts this into every file that it translates. Only what these files use is here; and
 * no copy outside of a stream, which kernels of the stream would not wait for.
 */
#ifndef EMULATOR_H
#define EMULATOR_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

/* ---- the language ---- */

#define __device__
#define __global__
#define __grid_constant__
#define __forceinline__ inline
#define __launch_bounds__(...)

struct uint2 {
    uint32_t x, y;
};

struct emulated_index {
    uint32_t x;
};

/* The thread that runs. */
struct emulated_thread {
    emulated_index thread, block, block_size, grid;
};

extern emulated_thread *emulated_now;

#define threadIdx (emulated_now->thread)
#define blockIdx (emulated_now->block)
#define blockDim (emulated_now->block_size)
#define gridDim (emulated_now->grid)

using std::min;

static inline int __popc(uint32_t x) {
    return __builtin_popcount(x);
}
static inline int __ffs(uint32_t x) {
    return __builtin_ffs((int)x);
}

/* ---- threads that meet ---- */

enum emulated_meeting {
    EMULATED_SHUFFLE,
    EMULATED_VOTE,
    EMULATED_REDUCE,
    EMULATED_MATCH,
    EMULATED_SYNC
};

/* Waits for the lanes of the mask, which call it alike. Returns what each has given. */
struct emulated_values {
    uint64_t of[32];
};
emulated_values emulated_meet(uint32_t lanes, emulated_meeting how, uint64_t value);
/* Waits for all threads of the block that have not ended. Returns whether one has given true. */
bool emulated_wait(bool value);
/* Others may run. */
void emulated_yield();
uint32_t emulated_lane();
/* Memory that the threads of a block share, by the number of a variable; 0: what the launch asks
 * for. */
void *emulated_shared(uint32_t id, size_t bytes);

template <class type>
static inline type &emulated_variable(uint32_t id) {
    return *static_cast<type *>(emulated_shared(id, sizeof(type)));
}

template <class type>
static type emulated_value(uint64_t from) {
    type to;
    std::memcpy(&to, &from, sizeof to);
    return to;
}

template <class type>
static uint64_t emulated_word(type from) {
    uint64_t to = 0;
    static_assert(sizeof from <= sizeof to, "a lane gives eight bytes at most");
    std::memcpy(&to, &from, sizeof from);
    return to;
}

template <class type>
static type __shfl_sync(uint32_t lanes, type value, uint32_t from) {
    emulated_values all = emulated_meet(lanes, EMULATED_SHUFFLE, emulated_word(value));
    return emulated_value<type>(all.of[from % 32]);
}

template <class type>
static type __shfl_up_sync(uint32_t lanes, type value, uint32_t by) {
    emulated_values all = emulated_meet(lanes, EMULATED_SHUFFLE, emulated_word(value));
    uint32_t lane = emulated_lane();
    return emulated_value<type>(all.of[lane < by ? lane : lane - by]);
}

template <class type>
static type __shfl_xor_sync(uint32_t lanes, type value, uint32_t other) {
    emulated_values all = emulated_meet(lanes, EMULATED_SHUFFLE, emulated_word(value));
    return emulated_value<type>(all.of[(emulated_lane() ^ other) % 32]);
}

static inline uint32_t __ballot_sync(uint32_t lanes, bool value) {
    emulated_values all = emulated_meet(lanes, EMULATED_VOTE, value);
    uint32_t with = 0;
    for (uint32_t lane = 0; lane < 32; lane++)
        if (lanes >> lane & 1 && all.of[lane]) with |= 1u << lane;
    return with;
}

static inline int __any_sync(uint32_t lanes, bool value) {
    return __ballot_sync(lanes, value) != 0;
}

static inline uint32_t __reduce_add_sync(uint32_t lanes, uint32_t value) {
    emulated_values all = emulated_meet(lanes, EMULATED_REDUCE, value);
    uint64_t sum = 0;
    for (uint32_t lane = 0; lane < 32; lane++) sum += lanes >> lane & 1 ? all.of[lane] : 0;
    return (uint32_t)sum;
}

static inline uint32_t __reduce_or_sync(uint32_t lanes, uint32_t value) {
    emulated_values all = emulated_meet(lanes, EMULATED_REDUCE, value);
    uint64_t with = 0;
    for (uint32_t lane = 0; lane < 32; lane++) with |= lanes >> lane & 1 ? all.of[lane] : 0;
    return (uint32_t)with;
}

static inline uint32_t __reduce_max_sync(uint32_t lanes, uint32_t value) {
    emulated_values all = emulated_meet(lanes, EMULATED_REDUCE, value);
    uint64_t most = 0;
    for (uint32_t lane = 0; lane < 32; lane++)
        if (lanes >> lane & 1) most = std::max(most, all.of[lane]);
    return (uint32_t)most;
}

static inline uint32_t __match_any_sync(uint32_t lanes, uint64_t value) {
    emulated_values all = emulated_meet(lanes, EMULATED_MATCH, value);
    uint32_t equal = 0;
    for (uint32_t lane = 0; lane < 32; lane++)
        if (lanes >> lane & 1 && all.of[lane] == value) equal |= 1u << lane;
    return equal;
}

/* Threads need not run side by side: this one is alone. */
static inline uint32_t __activemask() {
    return 1u << emulated_lane();
}

static inline void __syncwarp() {
    emulated_meet(UINT32_MAX, EMULATED_SYNC, 0);
}
static inline void __syncthreads() {
    emulated_wait(false);
}
static inline bool __syncthreads_or(bool value) {
    return emulated_wait(value);
}
static inline void __threadfence() {}

/* ---- atomics ---- */

static inline uint32_t atomicAdd(uint32_t *at, uint32_t by) {
    emulated_yield();
    uint32_t before = *at;
    *at = before + by;
    return before;
}

static inline uint32_t atomicOr(uint32_t *at, uint32_t bits) {
    emulated_yield();
    uint32_t before = *at;
    *at = before | bits;
    return before;
}

static inline uint32_t atomicAnd(uint32_t *at, uint32_t bits) {
    emulated_yield();
    uint32_t before = *at;
    *at = before & bits;
    return before;
}

static inline uint32_t atomicCAS(uint32_t *at, uint32_t expected, uint32_t wanted) {
    emulated_yield();
    uint32_t before = *at;
    if (before == expected) *at = wanted;
    return before;
}

/* ---- streams: each call is over when it returns ---- */

typedef enum cudaError {
    cudaSuccess = 0,
    cudaErrorMemoryAllocation = 2,
    cudaErrorNotReady = 600,
    cudaErrorNotSupported = 801,
} cudaError_t;

struct emulated_graph;
typedef struct emulated_stream *cudaStream_t;
typedef struct emulated_event *cudaEvent_t;
typedef emulated_graph *cudaGraph_t;
typedef emulated_graph *cudaGraphExec_t;

enum { cudaStreamNonBlocking = 1, cudaEventDisableTiming = 2 };
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost };
enum { cudaStreamCaptureModeThreadLocal = 1, cudaFuncAttributeMaxDynamicSharedMemorySize = 8 };

struct cudaDeviceProp {
    char name[256];
    int multiProcessorCount;
};

cudaError_t cudaGetDeviceCount(int *n);
cudaError_t cudaGetDevice(int *device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device);
cudaError_t cudaMemGetInfo(size_t *left, size_t *all);
cudaError_t cudaGetLastError();
const char *cudaGetErrorString(cudaError_t what);

cudaError_t emulated_malloc(void **at, size_t bytes);
template <class type>
static cudaError_t cudaMalloc(type **at, size_t bytes) {
    return emulated_malloc(reinterpret_cast<void **>(at), bytes);
}
template <class type>
static cudaError_t cudaMallocHost(type **at, size_t bytes) {
    return emulated_malloc(reinterpret_cast<void **>(at), bytes);
}
cudaError_t cudaFree(void *at);
cudaError_t cudaFreeHost(void *at);
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream);
cudaError_t cudaMemsetAsync(void *at, int value, size_t bytes, cudaStream_t stream);

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
cudaError_t cudaEventQuery(cudaEvent_t event);

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, int mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *to, cudaGraph_t graph, unsigned flags);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph);
cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream);

template <class function>
static cudaError_t cudaFuncSetAttribute(function *, int, int) {
    return cudaSuccess;
}
template <class function>
static cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, function *, int,
                                                                 size_t) {
    *blocks = 4;
    return cudaSuccess;
}

/* Runs it at once, or when the graph is launched that is being made. */
void emulated_launch(uint32_t grid, uint32_t block, size_t shared, std::function<void()> body);

template <class... types>
struct emulated_kernel {
    void (*kernel)(types...);
    uint32_t grid, block;
    size_t shared;

    void operator()(std::remove_const_t<types>... arguments) const {
        void (*run)(types...) = kernel;
        emulated_launch(grid, block, shared, [=] { run(arguments...); });
    }
};

/* kernel<<<grid, block, shared, stream>>>(...) */
template <class... types>
static emulated_kernel<types...> emulated_prepare(void (*kernel)(types...), uint32_t grid,
                                                  uint32_t block, size_t shared = 0,
                                                  cudaStream_t = nullptr) {
    return {kernel, grid, block, shared};
}

/* ---- the driver: memory that is mapped behind addresses ---- */

typedef unsigned long long CUdeviceptr;
typedef size_t CUmemGenericAllocationHandle;
typedef int CUresult;
enum { CUDA_SUCCESS = 0, CUDA_ERROR_OUT_OF_MEMORY = 2 };
enum { CU_MEM_ALLOCATION_TYPE_PINNED = 1 };
enum { CU_MEM_LOCATION_TYPE_DEVICE = 1, CU_MEM_LOCATION_TYPE_HOST_NUMA = 3 };
enum { CU_MEM_ACCESS_FLAGS_PROT_READWRITE = 3, CU_MEM_ALLOC_GRANULARITY_MINIMUM = 0 };
struct CUmemLocation {
    int type, id;
};
struct CUmemAllocationProp {
    int type;
    CUmemLocation location;
};
struct CUmemAccessDesc {
    CUmemLocation location;
    int flags;
};

CUresult cuMemAddressReserve(CUdeviceptr *at, size_t bytes, size_t align, CUdeviceptr where,
                             unsigned long long flags);
CUresult cuMemAddressFree(CUdeviceptr at, size_t bytes);
CUresult cuMemCreate(CUmemGenericAllocationHandle *handle, size_t bytes,
                     const CUmemAllocationProp *kind, unsigned long long flags);
CUresult cuMemRelease(CUmemGenericAllocationHandle handle);
CUresult cuMemMap(CUdeviceptr at, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle,
                  unsigned long long flags);
CUresult cuMemUnmap(CUdeviceptr at, size_t bytes);
CUresult cuMemSetAccess(CUdeviceptr at, size_t bytes, const CUmemAccessDesc *access, size_t n);
CUresult cuMemGetAllocationGranularity(size_t *grain, const CUmemAllocationProp *kind, int which);

enum { cudaEnableDefault = 0, cudaDevAttrHostNumaId = 134 };
cudaError_t cudaDeviceGetAttribute(int *value, int which, int device);
typedef enum { cudaDriverEntryPointSuccess } cudaDriverEntryPointQueryResult;
cudaError_t cudaGetDriverEntryPointByVersion(const char *name, void **at, unsigned version,
                                             unsigned long long flags,
                                             cudaDriverEntryPointQueryResult *result);

/* ---- thrust ---- */

namespace thrust {
namespace cuda {
struct policy {
    policy on(cudaStream_t) const { return {}; }
};
static const policy par;
}  // namespace cuda

template <class number>
struct counting_iterator {
    number at;
    explicit counting_iterator(number first) : at(first) {}
    counting_iterator operator+(number n) const { return counting_iterator(at + n); }
};

template <class number>
struct maximum {
    number operator()(number a, number b) const { return a > b ? a : b; }
};

template <class number, class test>
static number *copy_if(cuda::policy, counting_iterator<number> from, counting_iterator<number> end,
                       number *to, test wanted) {
    for (; from.at < end.at; from.at++)
        if (wanted(from.at)) *to++ = from.at;
    return to;
}

template <class number, class value>
static void gather(cuda::policy, const number *at, const number *end, const value *from,
                   value *to) {
    while (at < end) *to++ = from[*at++];
}

template <class key, class value>
static void stable_sort_by_key(cuda::policy, key *first, key *end, value *with) {
    std::vector<std::pair<key, value>> all;
    for (size_t i = 0; first + i < end; i++) all.push_back({first[i], with[i]});
    std::stable_sort(all.begin(), all.end(),
                     [](const auto &a, const auto &b) { return a.first < b.first; });
    for (size_t i = 0; i < all.size(); i++) first[i] = all[i].first, with[i] = all[i].second;
}

template <class number, class function = std::plus<number>>
static void inclusive_scan(cuda::policy, const number *first, const number *end, number *to,
                           function join = function()) {
    std::partial_sum(first, end, to, join);
}
}  // namespace thrust

#endif
