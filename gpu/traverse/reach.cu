/* SPDX-License-Identifier: Apache-2.0
 *
 * reach.cu: reachability from many sources on a GPU.
 */
#include "gpu/traverse/primitive.cuh"

#include "engine/traverse/reach.h"

GPU_PRIMITIVE(REACH, reach, reach_run, GPU_SHARED(reach, reach_run, 2))
