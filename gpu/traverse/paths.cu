/* SPDX-License-Identifier: Apache-2.0
 *
 * paths.cu: least distances and greatest widths on a GPU.
 */
#include "gpu/traverse/primitive.cuh"

#include "engine/traverse/paths.h"

GPU_PRIMITIVE(SSSP, paths, sssp_run, GPU_SHARED(paths, sssp_run, 2))
GPU_PRIMITIVE(SSWP, paths, sswp_run, GPU_SHARED(paths, sswp_run, 2))
