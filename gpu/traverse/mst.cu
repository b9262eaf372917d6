/* SPDX-License-Identifier: Apache-2.0
 *
 * mst.cu: lightest spanning forests on a GPU.
 */
#include "gpu/traverse/primitive.cuh"

#include "engine/traverse/mst.h"

GPU_PRIMITIVE_OF(MST, mst, mst_run, 2, GPU_NUMBERED(mst, mst_by_vertices, 2), GPU_NOT_SHARED)
