/* SPDX-License-Identifier: Apache-2.0
 *
 * kcore.cu: core numbers on a GPU.
 */
#include "gpu/traverse/primitive.cuh"

#include "engine/traverse/kcore.h"

GPU_PRIMITIVE(KCORE, kcore, kcore_run, GPU_NOT_SHARED)
