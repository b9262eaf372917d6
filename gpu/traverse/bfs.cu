/* SPDX-License-Identifier: Apache-2.0
 *
 * bfs.cu: breadth-first search on a GPU.
 */
#include "gpu/traverse/primitive.cuh"

#include "engine/traverse/bfs.h"

GPU_PRIMITIVE(BFS, bfs, bfs_run, GPU_SHARED(bfs, bfs_run, 2))
GPU_PRIMITIVE_OF(bfs_idempotent, bfs, bfs_idempotent_run, 2, GPU_NOT_STREAMED, GPU_NOT_SHARED)
