/* SPDX-License-Identifier: Apache-2.0
 *
 * primitive.cuh: a primitive's kernels, one for each schedule.
 */
#ifndef CFLRI_GPU_PRIMITIVE_CUH
#define CFLRI_GPU_PRIMITIVE_CUH

#include "gpu/traverse/gather.cuh"

/* By cflr_schedule; that of AUTO is none. */
enum { GPU_SCHEDULES = 6 };

struct gpu_primitive {
    const void *kernel[GPU_SCHEDULES];
};

template <class Task, class Schedule, void (*driver)(gpu_team<Schedule> *, Task *)>
__global__ void __launch_bounds__(GPU_THREADS) gpu_kernel(Task task, gpu_state state) {
    __shared__ gpu_shared shared;
    gpu_team<Schedule> team;
    gpu_team_begin(&team, state, &shared);
    driver(&team, &task);
    gpu_team_end(&team);
}

#define GPU_KERNEL(Task, schedule, driver) \
    (const void *)gpu_kernel<Task, schedule, driver<gpu_team<schedule>>>

#define GPU_PRIMITIVE(name, Task, driver)                                                      \
    extern const gpu_primitive gpu_##name;                                                     \
    const gpu_primitive gpu_##name = {{nullptr, GPU_KERNEL(Task, gpu_thread_schedule, driver), \
                                       GPU_KERNEL(Task, gpu_twc_schedule, driver),             \
                                       GPU_KERNEL(Task, gpu_input_schedule, driver),           \
                                       GPU_KERNEL(Task, gpu_output_schedule, driver),          \
                                       GPU_KERNEL(Task, gpu_warp_schedule, driver)}};

#endif
