/* SPDX-License-Identifier: Apache-2.0
 *
 * primitive.cuh: a primitive's kernels, one for each schedule.
 */
#ifndef CFLRI_GPU_PRIMITIVE_CUH
#define CFLRI_GPU_PRIMITIVE_CUH

#include "gpu/traverse/gather.cuh"

/* By cflr_schedule; that of AUTO is the only one where there are no others. */
enum { GPU_SCHEDULES = 12 };

struct gpu_primitive {
    const void *kernel[GPU_SCHEDULES];
    int blocks;                  /* of a multiprocessor, at most */
    const void *staged, *packed; /* for rows that come so (gpu/stream); NULL: there is none */
    const void *peers,
        *packed_peers; /* for rows that are distributed over GPUs (gpu/peers); NULL */
};

/* So many blocks of it fit on a multiprocessor at once, whatever registers it would like to
 * have. */
template <class Task, class Schedule, void (*driver)(gpu_team<Schedule> *, Task *), int blocks>
__global__ void __launch_bounds__(GPU_THREADS, blocks) gpu_kernel(Task task, gpu_state state) {
    __shared__ gpu_shared shared;
    gpu_team<Schedule> team;
    gpu_team_begin(&team, state, &shared);
    driver(&team, &task);
    gpu_team_end(&team);
}

#define GPU_KERNEL(Task, schedule, driver, blocks) \
    (const void *)gpu_kernel<Task, schedule, driver<gpu_team<schedule>>, blocks>

#define GPU_STREAMED(Task, driver, blocks)                 \
    GPU_KERNEL(Task, gpu_staged_schedule, driver, blocks), \
        GPU_KERNEL(Task, gpu_packed_schedule, driver, blocks)
/* For a primitive that wants the numbers of edges. */
#define GPU_NUMBERED(Task, driver, blocks)                          \
    GPU_KERNEL(Task, gpu_numbered_staged_schedule, driver, blocks), \
        GPU_KERNEL(Task, gpu_numbered_packed_schedule, driver, blocks)
#define GPU_NOT_STREAMED nullptr, nullptr
#define GPU_SHARED(Task, driver, blocks)                  \
    GPU_KERNEL(Task, gpu_peers_schedule, driver, blocks), \
        GPU_KERNEL(Task, gpu_packed_peers_schedule, driver, 2)
#define GPU_NOT_SHARED nullptr, nullptr

#define GPU_PRIMITIVE_OF(name, Task, driver, blocks, ...)                \
    extern const gpu_primitive gpu_##name;                               \
    const gpu_primitive gpu_##name = {                                   \
        {nullptr, GPU_KERNEL(Task, gpu_thread_schedule, driver, blocks), \
         GPU_KERNEL(Task, gpu_twc_schedule, driver, blocks),             \
         GPU_KERNEL(Task, gpu_input_schedule, driver, blocks),           \
         GPU_KERNEL(Task, gpu_output_schedule, driver, blocks),          \
         GPU_KERNEL(Task, gpu_warp_schedule, driver, blocks),            \
         GPU_KERNEL(Task, gpu_virtual_schedule, driver, blocks),         \
         GPU_KERNEL(Task, gpu_strided_schedule, driver, blocks),         \
         GPU_KERNEL(Task, gpu_tiles_schedule, driver, blocks),           \
         GPU_KERNEL(Task, gpu_steal_schedule, driver, blocks),           \
         GPU_KERNEL(Task, gpu_edges_schedule, driver, blocks),           \
         GPU_KERNEL(Task, gpu_aligned_schedule, driver, blocks)},        \
        blocks,                                                          \
        __VA_ARGS__};

/* Most wait for memory, and more of them wait for more of it; but paths through sets are longer,
 * the more are at it, and a barrier costs more. */
#define GPU_PRIMITIVE(name, Task, driver, ...) \
    GPU_PRIMITIVE_OF(name, Task, driver, 2, GPU_STREAMED(Task, driver, 2), __VA_ARGS__)

/* One that gathers has many loads on their way as it is, and the registers for them are worth more
 * than more threads. */
#define GPU_GATHERING_PRIMITIVE(name, Task, driver, ...) \
    GPU_PRIMITIVE_OF(name, Task, driver, 1, GPU_STREAMED(Task, driver, 2), __VA_ARGS__)

/* One that looks along no lists: schedules make no difference. */
#define GPU_PLAIN_PRIMITIVE(name, Task, driver, blocks, ...) \
    extern const gpu_primitive gpu_##name;                   \
    const gpu_primitive gpu_##name = {                       \
        {GPU_KERNEL(Task, gpu_warp_schedule, driver, blocks)}, blocks, __VA_ARGS__};

#endif
