/* SPDX-License-Identifier: Apache-2.0
 *
 * mis.cu: maximal independent sets on a GPU.
 */
#include "gpu/traverse/primitive.cuh"

#include "engine/traverse/mis.h"

GPU_PRIMITIVE(MIS, mis, mis_run, GPU_NOT_SHARED)
