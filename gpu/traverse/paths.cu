/* SPDX-License-Identifier: Apache-2.0
 *
 * paths.cu: least distances and greatest widths on a GPU.
 */
#include "gpu/traverse/primitive.cuh"

#include "engine/traverse/paths.h"

GPU_PRIMITIVE(sssp, paths, sssp_run)
GPU_PRIMITIVE(sswp, paths, sswp_run)
