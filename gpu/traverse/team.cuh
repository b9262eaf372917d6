/* SPDX-License-Identifier: Apache-2.0
 *
 * team.cuh: the threads of a GPU, each of which runs the whole primitive.
 *
 * One cooperative kernel is the run: as many blocks as the GPU holds at once, all of which meet in
 * a barrier of the whole grid at the end of each operator. So a level of a grid or a road network
 * costs the barrier, two microseconds, not a launch and a question of the host; and a driver is the
 * same source as on the processor (engine/traverse/dialect.h).
 *
 * What a step counts in is there three times, as in engine/traverse/team.h: the step's own, the
 * last one's, which slower blocks may still read, and the next one's, which one thread puts back to
 * zero before the barrier.
 *
 * Counters that all threads would write are gathered first: sums in registers, then in the block's
 * shared memory, then one addition a block; what joins a list in a buffer of the warp, then one
 * reservation of room for all of it.
 */
#ifndef CFLRI_GPU_TEAM_CUH
#define CFLRI_GPU_TEAM_CUH

#include <cooperative_groups.h>

#include "engine/traverse/task.h"
#include "gpu/peers/inbox.cuh"
#include "gpu/stream/mail.cuh"

enum {
    GPU_THREADS = 512, /* of a block */
    GPU_WARP = 32,
    GPU_WARPS = GPU_THREADS / GPU_WARP,
    GPU_LISTS = 2,
    GPU_ROOMS = 3,
    GPU_ROOM = 128,             /* what a warp collects for a list before it takes room in it */
    GPU_TILE = 2048,            /* edges that a block takes at a time where shares are equal */
    GPU_SHARE = 512,            /* edges and rows that a warp takes at a time in a gather */
    GPU_PIECE = CFLRI_LONG_ROW, /* edges of a row that are too many for one warp */
    GPU_MARKS = 1 << 18,        /* the first vertices, of which a block has a set */
    GPU_HISTORY = 1024,         /* vertices that a block remembers to have put into a list */
    GPU_ASK_HOST = 64, /* steps between two looks at whether the host wants the run to stop */
};

struct gpu_counters {
    unsigned long long sum[CFLRI_SUMS];
    unsigned long long tail[GPU_LISTS];
    unsigned long long pieces; /* of long rows */
};

/* The state that the blocks share; on the device but for `stop`, which the host writes. */
struct gpu_state {
    gpu_counters *counters; /* three */
    double *real;           /* by parity of the step, by block */
    /* Of lists: where the edges of an item begin; as long as there are vertices, and one. */
    uint64_t *offset;
    uint64_t *block_sum;      /* by block */
    uint64_t *piece;          /* of rows longer than GPU_PIECE */
    unsigned long long *part; /* of packed rows: what is gathered of each piece */
    float *head,
        *tail; /* by share of a gather: sums of rows that begin before it or end behind it */
    bool has_long_rows;        /* is there one? */
    cflri_shared_word *member; /* of lists of schedules/edges.cuh; empty between two operators */
    unsigned long long *inspected;
    const volatile uint32_t *stop;
    uint32_t *stopped;
    gpu_stage stage; /* of schedules that have rows delivered (gpu/stream) */
    gpu_peers peers; /* of schedules that share a graph with other GPUs (gpu/peers) */
};

/* Of schedules/edges.cuh: sums by target. */
enum { GPU_SLOTS = 2 * GPU_THREADS };

struct gpu_table {
    double sum[GPU_SLOTS];
    uint32_t target[GPU_SLOTS];
};

/* Of schedules/turns.cuh: edges begin .. begin + n - 1 out of `from`. */
struct gpu_slice {
    uint64_t begin, n;
    uint32_t from;
};

enum { GPU_TILES = GPU_WARPS / 2 }; /* of a block, of two warps each or more */

/* The memory that the threads of a block share. */
struct gpu_shared {
    unsigned long long sum[CFLRI_SUMS];
    double real[GPU_WARPS][CFLRI_REAL_SUMS];
    double real_total[CFLRI_REAL_SUMS];
    uint64_t word[GPU_WARPS + 1];
    uint32_t chosen[2][GPU_TILES]; /* by turn and tile: a thread, CFLRI_NONE between two choices */
    gpu_slice taken[GPU_TILES];    /* what it has */
    uint32_t history[GPU_HISTORY]; /* of operators.cuh; each where its number says */
    union {
        struct {
            uint32_t room[GPU_WARPS][GPU_ROOMS][GPU_ROOM];
            uint64_t offset[GPU_THREADS + 1];
            uint32_t item[GPU_THREADS];
        };
        gpu_table table;
        float value[GPU_WARPS][GPU_SHARE + GPU_SHARE / GPU_WARP]; /* gather.cuh */
        uint32_t marks[GPU_MARKS / GPU_WARP]; /* intersect.cuh: a bit a vertex */
    };
};

template <class Schedule>
struct gpu_team {
    typedef Schedule schedule;
    uint64_t total[CFLRI_SUMS];
    double real_total[CFLRI_REAL_SUMS];
    bool stop;
    cflri_step_tally tally;
    gpu_state state;
    gpu_shared *shared;
    uint64_t inspected;
    uint64_t cut_before; /* of gpu/stream: long pieces of the deliveries before, in this step; */
    uint32_t delivered;  /* deliveries; */
    uint64_t waited;     /* nanoseconds of the first thread, for them */
    uint32_t barriers;   /* of gpu/peers */
    uint32_t step;

    __device__ __forceinline__ uint32_t threads() const { return gridDim.x * GPU_THREADS; }
    __device__ __forceinline__ uint32_t self() const {
        return blockIdx.x * GPU_THREADS + threadIdx.x;
    }
    __device__ __forceinline__ uint32_t lane() const { return threadIdx.x % GPU_WARP; }
    __device__ __forceinline__ uint32_t warp_of_block() const { return threadIdx.x / GPU_WARP; }
    __device__ __forceinline__ uint32_t warp() const {
        return blockIdx.x * GPU_WARPS + warp_of_block();
    }
    __device__ __forceinline__ uint32_t warps() const { return gridDim.x * GPU_WARPS; }
    __device__ __forceinline__ gpu_counters *counters() const { return &state.counters[step % 3]; }
};

#define CFLRI_GPU static __device__ __forceinline__

template <class T>
static __device__ __forceinline__ T gpu_warp_sum(T value) {
    for (int apart = GPU_WARP / 2; apart; apart /= 2) value += __shfl_down_sync(~0u, value, apart);
    return value;
}

template <class Team>
static __device__ __forceinline__ bool cflri_is_first(const Team *m) {
    return m->self() == 0;
}

static __device__ __forceinline__ void gpu_barrier() {
    cooperative_groups::this_grid().sync();
}

/* Waits for all threads, without the bookkeeping of a step. */
template <class Team>
static __device__ __forceinline__ void gpu_sums_to_block(Team *m) {
#pragma unroll
    for (int k = 0; k < CFLRI_SUMS; k++) {
        if (__any_sync(~0u, m->tally.sum[k] != 0)) {
            unsigned long long all = gpu_warp_sum((unsigned long long)m->tally.sum[k]);
            if (m->lane() == 0) atomicAdd(&m->shared->sum[k], all);
        }
        m->tally.sum[k] = 0;
    }
}

template <class Team>
static __device__ __forceinline__ void gpu_prepare_next(Team *m) {
    gpu_counters *next = &m->state.counters[(m->step + 1) % 3];
    for (int k = 0; k < CFLRI_SUMS; k++) next->sum[k] = 0;
    for (int k = 0; k < GPU_LISTS; k++) next->tail[k] = 0;
    next->pieces = 0;
    if constexpr (!gpu_has_peers<typename Team::schedule>) /* else gpu_barrier_of_all asks */
        if (m->step % GPU_ASK_HOST == 0 && *m->state.stop) m->state.stopped[0] = 1;
}

template <class Team>
static __device__ __forceinline__ void cflri_step_end(Team *m) {
    gpu_sums_to_block(m);
    __syncthreads();
    if (threadIdx.x == 0) {
#pragma unroll
        for (int k = 0; k < CFLRI_SUMS; k++) {
            if (m->shared->sum[k]) atomicAdd(&m->counters()->sum[k], m->shared->sum[k]);
            m->shared->sum[k] = 0;
        }
        if (blockIdx.x == 0) gpu_prepare_next(m);
    }
    gpu_barrier();
    const volatile gpu_counters *counters = m->counters();
#pragma unroll
    for (int k = 0; k < CFLRI_SUMS; k++) m->total[k] = counters->sum[k];
    m->stop = *(volatile uint32_t *)m->state.stopped != 0;
    m->step++;
}

/* ---- sums of numbers that are not integers: in the order of lanes, warps, blocks ---- */

template <class Team>
static __device__ __forceinline__ void gpu_keep_sums(Team *m) {
#pragma unroll
    for (int k = 0; k < CFLRI_REAL_SUMS; k++) {
        double all = gpu_warp_sum(m->tally.real[k]);
        if (m->lane() == 0) m->shared->real[m->warp_of_block()][k] = all;
        m->tally.real[k] = 0;
    }
    __syncthreads();
    if (threadIdx.x < CFLRI_REAL_SUMS) {
        double all = 0;
        for (int w = 0; w < GPU_WARPS; w++) all += m->shared->real[w][threadIdx.x];
        m->state.real[((m->step % 2) * gridDim.x + blockIdx.x) * CFLRI_REAL_SUMS + threadIdx.x] =
            all;
    }
}

/* After the step. */
template <class Team>
static __device__ __forceinline__ void gpu_add_up(Team *m) {
    const double *real =
        m->state.real + (uint64_t)((m->step - 1) % 2) * gridDim.x * CFLRI_REAL_SUMS;
    if (m->warp_of_block() < CFLRI_REAL_SUMS) {
        double all = 0;
        for (uint32_t b = m->lane(); b < gridDim.x; b += GPU_WARP)
            all += __ldcg(&real[b * CFLRI_REAL_SUMS + m->warp_of_block()]);
        all = gpu_warp_sum(all);
        if (m->lane() == 0) m->shared->real_total[m->warp_of_block()] = all;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < CFLRI_REAL_SUMS; k++) m->real_total[k] = m->shared->real_total[k];
}

/* ---- the begin and the end of a run ---- */

template <class Team>
static __device__ __forceinline__ void gpu_team_begin(Team *m, gpu_state state,
                                                      gpu_shared *shared) {
    m->state = state;
    m->shared = shared;
    m->step = 0;
    m->inspected = 0;
    m->delivered = 0;
    m->waited = 0;
    m->barriers = 0;
    m->stop = false;
#pragma unroll
    for (int k = 0; k < CFLRI_SUMS; k++) m->total[k] = m->tally.sum[k] = 0;
#pragma unroll
    for (int k = 0; k < CFLRI_REAL_SUMS; k++) m->real_total[k] = m->tally.real[k] = 0;
    if (threadIdx.x < CFLRI_SUMS) shared->sum[threadIdx.x] = 0;
    if (threadIdx.x < 2 * GPU_TILES) (&shared->chosen[0][0])[threadIdx.x] = CFLRI_NONE;
    __syncthreads();
}

template <class Team>
static __device__ __forceinline__ void gpu_team_end(Team *m) {
    unsigned long long all = gpu_warp_sum((unsigned long long)m->inspected);
    if (m->lane() == 0 && all) atomicAdd(m->state.inspected, all);
}

#endif
