/* SPDX-License-Identifier: Apache-2.0
 *
 * emulator.cpp: runs kernels on the processor, one thread after the other.
 *
 * Every thread of a block has a stack of its own. It runs until it has to wait for others: for the
 * lanes of a mask, or for its block. Then any thread is next that does not wait, of several blocks
 * that are under way side by side, so that every run takes the atomic accesses in another order. A
 * thread may be interrupted at atomic accesses, and nowhere else.
 *
 *     runnable   threads that do not wait; one of them is taken at random
 *     meeting    lanes of a warp that wait for the others of a mask
 *     barrier    threads of a block that wait for the others
 *
 * It finds what no test of results does: lanes that call different things together, threads that
 * wait for one that has ended (there is no runnable one, and it says so), and with AddressSanitizer
 * what lies behind an array. New memory has arbitrary words. Where kernels read without a barrier
 * what others write it finds little: that is what compute-sanitizer is for.
 *
 *     CFLR_EMULATOR_SEED    of the order of threads; by default the number of the process
 *     CFLR_EMULATOR_MEMORY  MB of the device (1,024)
 */
#include "tests/gpu/emulator/emulator.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

enum {
    LANES = 32,
    BLOCKS_AT_ONCE = 3,
    STACK = 128 << 10,
    PLACES = 64, /* where the top of a stack may be, so many bytes apart */
    PLACE = 320,
    YIELDS = 16, /* one of so many atomic accesses interrupts the thread */
};

static void fail(const char *what) {
    std::fprintf(stderr, "emulator: %s\n", what);
    std::abort();
}

/* Of xorshift64*. */
static uint32_t random_below(uint32_t n) {
    static uint64_t state = 0;
    if (!state) {
        const char *seed = std::getenv("CFLR_EMULATOR_SEED");
        state = (seed ? std::strtoull(seed, nullptr, 10) : (uint64_t)getpid()) * 2 + 1;
    }
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (uint32_t)((state * 0x2545f4914f6cdd1dull >> 32) * n >> 32);
}

/* ---- threads ---- */

struct emulated_block;
struct emulated_warp;

struct emulated_fiber : emulated_thread {
    void *stack_pointer;
    char *top; /* of its stack */
    emulated_block *of;
    emulated_warp *warp;
};

struct meeting {
    uint32_t lanes = 0, arrived = 0, left = 0; /* lanes == 0: unused */
    emulated_meeting how = EMULATED_SYNC;
    emulated_values values = {};
};

struct emulated_warp {
    emulated_fiber *fiber[LANES] = {};
    std::vector<emulated_fiber *> runnable;
    meeting at[LANES];
};

struct emulated_block {
    uint32_t living = 0;
    std::vector<emulated_fiber *> waiting; /* at the barrier */
    bool given = false, result = false;
    std::vector<emulated_warp> warp;
    std::unordered_map<uint32_t, std::vector<uint64_t>> shared;
};

emulated_thread *emulated_now;

static emulated_fiber *now() {
    return static_cast<emulated_fiber *>(emulated_now);
}

static std::vector<emulated_warp *> runnable; /* warps with threads that do not wait */
static std::vector<emulated_fiber *> idle;    /* threads that have ended */
static void *scheduler;                       /* its stack pointer */
static const std::function<void()> *body;

/* Pushes what a call keeps, changes the stack, and pops. */
extern "C" void emulated_switch(void **from, void *to);
#if defined __x86_64__
asm(".text\n"
    ".type emulated_switch, @function\n"
    "emulated_switch:\n"
    "  push %rbp; push %rbx; push %r12; push %r13; push %r14; push %r15\n"
    "  mov %rsp, (%rdi)\n"
    "  mov %rsi, %rsp\n"
    "  pop %r15; pop %r14; pop %r13; pop %r12; pop %rbx; pop %rbp\n"
    "  ret\n");
enum { KEPT = 6 }; /* words that it pushes */
#else
#error "threads are switched on x86-64 only"
#endif

static void to_scheduler() {
    emulated_switch(&now()->stack_pointer, scheduler);
}

static void wake(emulated_fiber *f) {
    if (f->warp->runnable.empty()) runnable.push_back(f->warp);
    f->warp->runnable.push_back(f);
}

/* All that have not ended are at the barrier. */
static void open_barrier(emulated_block *block) {
    block->result = block->given;
    block->given = false;
    for (emulated_fiber *f : block->waiting) wake(f);
    block->waiting.clear();
}

/* Where a thread begins. It does not return. */
static void run_thread() {
    (*body)();
    emulated_fiber *f = now();
    emulated_block *block = f->of;
    block->living--;
    if (block->living && block->waiting.size() == block->living) open_barrier(block);
    idle.push_back(f);
    to_scheduler();
}

static emulated_fiber *new_fiber() {
    static std::vector<std::unique_ptr<emulated_fiber>> all;
    if (idle.empty()) {
        emulated_fiber *f = new emulated_fiber();
        all.emplace_back(f);
        void *stack = mmap(nullptr, STACK, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (stack == MAP_FAILED) fail("no memory for a stack");
        /* at different places, or all would have one set of the cache */
        f->top = static_cast<char *>(stack) + STACK - all.size() % PLACES * PLACE;
        idle.push_back(f);
    }
    emulated_fiber *f = idle.back();
    idle.pop_back();
    /* as if it had been called: the stack begins 8 bytes before a multiple of 16 */
    void **top = reinterpret_cast<void **>(f->top) - 1;
    *--top = reinterpret_cast<void *>(run_thread);
    f->stack_pointer = top - KEPT;
    return f;
}

static std::unique_ptr<emulated_block> begin_block(uint32_t number, uint32_t grid, uint32_t size,
                                                   size_t shared) {
    std::unique_ptr<emulated_block> block(new emulated_block());
    block->living = size;
    block->warp.resize((size + LANES - 1) / LANES);
    block->shared[0].assign(shared / sizeof(uint64_t) + 1, 0xa5a5a5a5a5a5a5a5ull);
    for (uint32_t i = 0; i < size; i++) {
        emulated_fiber *f = new_fiber();
        f->thread = {i};
        f->block = {number};
        f->block_size = {size};
        f->grid = {grid};
        f->of = block.get();
        f->warp = &block->warp[i / LANES];
        f->warp->fiber[i % LANES] = f;
        wake(f);
    }
    return block;
}

/* The threads of a warp run one after the other, which is faster. */
static void run_some() {
    uint32_t at = random_below((uint32_t)runnable.size());
    emulated_warp *warp = runnable[at];
    runnable[at] = runnable.back();
    runnable.pop_back();
    std::vector<emulated_fiber *> threads;
    threads.swap(warp->runnable);
    while (!threads.empty()) {
        uint32_t i = random_below((uint32_t)threads.size());
        emulated_fiber *f = threads[i];
        threads[i] = threads.back();
        threads.pop_back();
        emulated_now = f;
        emulated_switch(&scheduler, f->stack_pointer);
        emulated_now = nullptr;
    }
}

static void run_grid(uint32_t grid, uint32_t size, size_t shared,
                     const std::function<void()> &kernel) {
    static std::mutex one;
    std::lock_guard<std::mutex> alone(one);
    std::vector<std::unique_ptr<emulated_block>> blocks;
    uint32_t begun = 0;
    body = &kernel;
    while (begun < grid || !blocks.empty()) {
        while (begun < grid && blocks.size() < BLOCKS_AT_ONCE)
            blocks.push_back(begin_block(begun++, grid, size, shared));
        if (runnable.empty()) fail("all threads wait for others");
        run_some();
        for (size_t i = 0; i < blocks.size(); i++) {
            if (blocks[i]->living) continue;
            blocks[i] = std::move(blocks.back());
            blocks.pop_back();
        }
    }
}

/* ---- threads that meet ---- */

uint32_t emulated_lane() {
    return emulated_now->thread.x % LANES;
}

static meeting *find_meeting(emulated_warp *warp, uint32_t lanes) {
    meeting *unused = nullptr;
    for (meeting &m : warp->at) {
        if (m.lanes == lanes) return &m;
        if (!m.lanes) unused = &m;
    }
    if (!unused) fail("a warp waits in too many ways");
    unused->lanes = lanes;
    return unused;
}

emulated_values emulated_meet(uint32_t lanes, emulated_meeting how, uint64_t value) {
    emulated_fiber *self = now();
    uint32_t lane = emulated_lane(), bit = 1u << lane;
    if (!(lanes & bit)) fail("a lane is not in its own mask");
    meeting *m = find_meeting(self->warp, lanes);
    while (m->arrived == lanes) { /* some have not left the one before */
        wake(self);
        to_scheduler();
        m = find_meeting(self->warp, lanes);
    }
    if (m->arrived && m->how != how) fail("lanes of a warp meet for different things");
    m->how = how;
    m->arrived |= bit;
    m->values.of[lane] = value;
    if (m->arrived == lanes) {
        for (uint32_t i = 0; i < LANES; i++)
            if (lanes >> i & 1 && i != lane) wake(self->warp->fiber[i]);
    } else {
        to_scheduler();
    }
    emulated_values all = m->values;
    m->left |= bit;
    if (m->left == lanes) *m = meeting();
    return all;
}

bool emulated_wait(bool value) {
    emulated_fiber *self = now();
    emulated_block *block = self->of;
    block->given |= value;
    if (block->waiting.size() + 1 < block->living) {
        block->waiting.push_back(self);
        to_scheduler();
        return block->result;
    }
    open_barrier(block);
    return block->result;
}

void emulated_yield() {
    if (random_below(YIELDS)) return;
    wake(now());
    to_scheduler();
}

void *emulated_shared(uint32_t id, size_t bytes) {
    std::vector<uint64_t> &room = now()->of->shared[id];
    if (room.empty()) room.assign(bytes / sizeof(uint64_t) + 1, 0xa5a5a5a5a5a5a5a5ull);
    return room.data();
}

/* ---- launches ---- */

struct emulated_graph {
    std::vector<std::function<void()>> launch;
};

static emulated_graph *capturing;

void emulated_launch(uint32_t grid, uint32_t block, size_t shared, std::function<void()> kernel) {
    auto launch = [=] { run_grid(grid, block, shared, kernel); };
    if (capturing)
        capturing->launch.push_back(launch);
    else
        launch();
}

cudaError_t cudaStreamBeginCapture(cudaStream_t, int) {
    capturing = new emulated_graph();
    return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t *graph) {
    *graph = capturing;
    capturing = nullptr;
    return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *to, cudaGraph_t graph, unsigned) {
    *to = new emulated_graph(*graph);
    return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    delete graph;
    return cudaSuccess;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph) {
    delete graph;
    return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t) {
    for (const std::function<void()> &launch : graph->launch) launch();
    return cudaSuccess;
}

/* ---- the device and its memory ---- */

static size_t device_bytes() {
    const char *mb = std::getenv("CFLR_EMULATOR_MEMORY");
    return (mb ? std::strtoull(mb, nullptr, 10) : 1024) << 20;
}

static size_t taken;
static std::unordered_map<void *, size_t> size_of;

static bool take(size_t bytes) {
    if (taken + bytes > device_bytes()) return false;
    taken += bytes;
    return true;
}

/* What nobody may rely on. */
static void fill(void *at, size_t bytes) {
    uint64_t word = (uint64_t)random_below(UINT32_MAX) << 32 | random_below(UINT32_MAX);
    for (size_t i = 0; i + sizeof word <= bytes; i += sizeof word)
        std::memcpy(static_cast<char *>(at) + i, &word, sizeof word);
}

cudaError_t emulated_malloc(void **at, size_t bytes) {
    *at = nullptr;
    if (!take(bytes)) return cudaErrorMemoryAllocation;
    *at = std::malloc(bytes ? bytes : 1);
    size_of[*at] = bytes;
    fill(*at, bytes);
    return cudaSuccess;
}

cudaError_t cudaFree(void *at) {
    if (!at) return cudaSuccess;
    auto found = size_of.find(at);
    if (found == size_of.end()) fail("memory is freed that was not taken");
    taken -= found->second;
    size_of.erase(found);
    std::free(at);
    return cudaSuccess;
}

cudaError_t cudaFreeHost(void *at) {
    return cudaFree(at);
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind,
                            cudaStream_t) {
    if (capturing) fail("only launches are captured");
    if (bytes) std::memcpy(to, from, bytes);
    return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void *at, int value, size_t bytes, cudaStream_t) {
    if (capturing) fail("only launches are captured");
    if (bytes) std::memset(at, value, bytes);
    return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int *n) {
    *n = 2;
    return cudaSuccess;
}

cudaError_t cudaGetDevice(int *device) {
    *device = 0;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int) {
    return cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer) {
    *can = device != peer;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int) {
    std::snprintf(properties->name, sizeof properties->name, "emulated GPU");
    properties->multiProcessorCount = 1;
    return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t *left, size_t *all) {
    *all = device_bytes();
    *left = *all - taken;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, int, int) {
    *value = 0;
    return cudaSuccess;
}

cudaError_t cudaGetLastError() {
    return cudaSuccess;
}

const char *cudaGetErrorString(cudaError_t what) {
    return what == cudaErrorMemoryAllocation ? "out of memory" : "not there";
}

/* What has no state needs an address alone. */
static char somewhere;

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned) {
    *stream = reinterpret_cast<cudaStream_t>(&somewhere);
    return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t) {
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t) {
    return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned) {
    *event = reinterpret_cast<cudaEvent_t>(&somewhere);
    return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t) {
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) {
    return cudaSuccess;
}

cudaError_t cudaEventQuery(cudaEvent_t) {
    return cudaSuccess;
}

/* ---- the driver ---- */

CUresult cuMemAddressReserve(CUdeviceptr *at, size_t bytes, size_t, CUdeviceptr,
                             unsigned long long) {
    void *room =
        mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    *at = reinterpret_cast<CUdeviceptr>(room);
    return room == MAP_FAILED ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
}

CUresult cuMemAddressFree(CUdeviceptr at, size_t bytes) {
    munmap(reinterpret_cast<void *>(at), bytes);
    return CUDA_SUCCESS;
}

/* A handle is the number of bytes of the device, and one more for the second device; 1: those of
 * the host. A device has few pages to map, so that most closures need some of the host. */
static size_t mapped[2];

CUresult cuMemCreate(CUmemGenericAllocationHandle *handle, size_t bytes,
                     const CUmemAllocationProp *kind, unsigned long long) {
    enum { MOST = 64 << 10 };
    bool of_host = kind->location.type == CU_MEM_LOCATION_TYPE_HOST_NUMA;
    int device = of_host ? 0 : kind->location.id;
    *handle = of_host ? 1 : bytes + device;
    if (of_host) return CUDA_SUCCESS;
    if (mapped[device] + bytes > MOST || !take(bytes)) return CUDA_ERROR_OUT_OF_MEMORY;
    mapped[device] += bytes;
    return CUDA_SUCCESS;
}

CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
    if (handle == 1) return CUDA_SUCCESS;
    size_t device = handle & 1, bytes = handle - device; /* bytes are whole pages */
    taken -= bytes;
    mapped[device] -= bytes;
    return CUDA_SUCCESS;
}

CUresult cuMemMap(CUdeviceptr, size_t, size_t, CUmemGenericAllocationHandle, unsigned long long) {
    return CUDA_SUCCESS;
}

CUresult cuMemUnmap(CUdeviceptr at, size_t bytes) {
    mprotect(reinterpret_cast<void *>(at), bytes, PROT_NONE);
    return CUDA_SUCCESS;
}

CUresult cuMemSetAccess(CUdeviceptr at, size_t bytes, const CUmemAccessDesc *, size_t) {
    void *room = reinterpret_cast<void *>(at);
    if (mprotect(room, bytes, PROT_READ | PROT_WRITE)) return CUDA_ERROR_OUT_OF_MEMORY;
    fill(room, bytes);
    return CUDA_SUCCESS;
}

CUresult cuMemGetAllocationGranularity(size_t *grain, const CUmemAllocationProp *, int) {
    *grain = 4096;
    return CUDA_SUCCESS;
}

cudaError_t cudaGetDriverEntryPointByVersion(const char *name, void **at, unsigned,
                                             unsigned long long,
                                             cudaDriverEntryPointQueryResult *result) {
    static const std::unordered_map<std::string, void *> all = {
        {"cuMemAddressReserve", reinterpret_cast<void *>(cuMemAddressReserve)},
        {"cuMemAddressFree", reinterpret_cast<void *>(cuMemAddressFree)},
        {"cuMemCreate", reinterpret_cast<void *>(cuMemCreate)},
        {"cuMemRelease", reinterpret_cast<void *>(cuMemRelease)},
        {"cuMemMap", reinterpret_cast<void *>(cuMemMap)},
        {"cuMemUnmap", reinterpret_cast<void *>(cuMemUnmap)},
        {"cuMemSetAccess", reinterpret_cast<void *>(cuMemSetAccess)},
        {"cuMemGetAllocationGranularity", reinterpret_cast<void *>(cuMemGetAllocationGranularity)},
    };
    auto found = all.find(name);
    *result = cudaDriverEntryPointSuccess;
    *at = found == all.end() ? nullptr : found->second;
    return *at ? cudaSuccess : cudaErrorNotSupported;
}
