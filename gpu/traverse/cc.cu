/* SPDX-License-Identifier: Apache-2.0
 *
 * cc.cu: connected components on a GPU.
 */
#include "gpu/traverse/primitive.cuh"

#include "engine/traverse/cc.h"

GPU_PRIMITIVE(cc, cc, cc_run)
