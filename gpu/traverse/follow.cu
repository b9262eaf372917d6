/* SPDX-License-Identifier: Apache-2.0
 *
 * follow.cu: what to follow on a GPU.
 */
#include "gpu/traverse/primitive.cuh"

#include "engine/traverse/follow.h"

GPU_GATHERING_PRIMITIVE(WTF, follow, follow_run, GPU_NOT_SHARED)
