/* SPDX-License-Identifier: Apache-2.0
 *
 * schedules.cuh: how the edges of a set of vertices are assigned to threads.
 *
 *     thread   a thread a vertex                                 even degrees; nothing to prepare
 *     twc      a thread, a warp or a block a vertex, by its      no lane waits long; three passes
 *              degree
 *     input    a block takes as many vertices as it has          equal within blocks
 *              threads, and these share the edges of all
 *     output   edges are numbered through, each block takes      equal everywhere; a scan before
 *              equal shares
 *     warp     a warp takes 32 vertices, its lanes share the     equal within warps, and no block
 *              edges of all of these; long rows are cut into     waits for itself; a barrier where
 *              pieces first                                      there are long rows
 *     virtual  a thread ten edges of a vertex, one after         equal within ten edges; a scan
 *              another                                           before
 *     strided  the same, but the threads of a vertex take turns  and neighbours read side by side
 *     tiles    a block's threads halved and halved again, for    every round full; as input, equal
 *              rows that fill what is left of it                 within blocks
 *     steal    the same tiles, numbered through for all blocks   equal everywhere; a scan before
 *     edges    a thread an edge, all edges                       equal everywhere; looks at all,
 *                                                                always
 *     aligned  a warp a vertex, whole lines of memory            few requests for rows that are
 *                                                                read over a link
 *
 * Each is a type with one function, `edges` (schedules/items.cuh). `auto` takes one of the first
 * five.
 *
 * Source of all as one model: Y. Wang, "Gunrock: a programming model and implementation for graph
 * analytics on GPUs", PhD thesis, UC Davis 2016.
 */
#ifndef CFLRI_GPU_SCHEDULES_CUH
#define CFLRI_GPU_SCHEDULES_CUH

#include "gpu/stream/packed.cuh"
#include "gpu/traverse/schedules/aligned.cuh"
#include "gpu/traverse/schedules/edges.cuh"
#include "gpu/traverse/schedules/input.cuh"
#include "gpu/traverse/schedules/output.cuh"
#include "gpu/traverse/schedules/thread.cuh"
#include "gpu/traverse/schedules/tiles.cuh"
#include "gpu/traverse/schedules/twc.cuh"
#include "gpu/traverse/schedules/virtual.cuh"
#include "gpu/traverse/schedules/warp.cuh"

/* Rows that are distributed over several GPUs (gpu/peers): each has its own, by warps or packed. */
struct gpu_peers_schedule : gpu_warp_schedule {};
struct gpu_packed_peers_schedule : gpu_packed_schedule {};
template <>
constexpr bool gpu_has_peers<gpu_peers_schedule> = true;
template <>
constexpr bool gpu_has_peers<gpu_packed_peers_schedule> = true;

/* With the numbers of edges. */
struct gpu_numbered_staged_schedule : gpu_staged_schedule {};
struct gpu_numbered_packed_schedule : gpu_packed_schedule {};
template <>
constexpr bool gpu_numbers_edges<gpu_numbered_staged_schedule> = true;
template <>
constexpr bool gpu_numbers_edges<gpu_numbered_packed_schedule> = true;

/* Are rows delivered piece by piece, so that operators can't read them otherwise? */
template <class Schedule>
static constexpr bool gpu_is_staged = false;
template <>
constexpr bool gpu_is_staged<gpu_staged_schedule> = true;
template <>
constexpr bool gpu_is_staged<gpu_numbered_staged_schedule> = true;

/* Are they packed? */
template <class Schedule>
static constexpr bool gpu_is_packed = false;
template <>
constexpr bool gpu_is_packed<gpu_packed_schedule> = true;
template <>
constexpr bool gpu_is_packed<gpu_packed_peers_schedule> = true;
template <>
constexpr bool gpu_is_packed<gpu_numbered_packed_schedule> = true;

template <class Schedule>
static constexpr bool gpu_is_streamed = gpu_is_staged<Schedule> || gpu_is_packed<Schedule>;

/* Does the driver ask for rows, or read their heads, instead of reading them as it likes? */
template <class Team>
static __device__ __forceinline__ constexpr bool cflri_is_staged(const Team *) {
    return gpu_is_staged<typename Team::schedule>;
}

template <class Team>
static __device__ __forceinline__ bool cflri_is_far(const Team *m) {
    return gpu_is_packed<typename Team::schedule> && m->state.stage.is_far;
}

#endif
