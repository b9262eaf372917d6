/* SPDX-License-Identifier: Apache-2.0
 *
 * tc.cu: triangles on a GPU.
 */
#include "gpu/traverse/intersect.cuh"
#include "gpu/traverse/primitive.cuh"

#include "engine/traverse/tc.h"

GPU_PLAIN_PRIMITIVE(TC, tc, tc_run, 2, GPU_NOT_STREAMED, GPU_NOT_SHARED)
