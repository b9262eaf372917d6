/* SPDX-License-Identifier: Apache-2.0
 *
 * shortest.cu: numbers of shortest paths and betweenness on a GPU.
 */
#include "gpu/traverse/primitive.cuh"

#include "engine/traverse/shortest.h"

GPU_PRIMITIVE(SSNSP, shortest, ssnsp_run, GPU_SHARED(shortest, ssnsp_run, 2))
GPU_PRIMITIVE(BC, shortest, bc_run, GPU_SHARED(shortest, bc_run, 2))
