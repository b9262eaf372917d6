/* SPDX-License-Identifier: Apache-2.0
 *
 * cc.cu: connected components on a GPU.
 */
#include "gpu/traverse/primitive.cuh"

#include "engine/traverse/cc.h"

/* A step or two through all edges, and nothing but waiting for memory. */
GPU_PRIMITIVE_OF(CC, cc, cc_run, 3, GPU_STREAMED(cc, cc_run, 2), GPU_SHARED(cc, cc_run, 3))
