/* SPDX-License-Identifier: Apache-2.0
 *
 * colour.cu: colours on a GPU.
 */
#include "gpu/traverse/primitive.cuh"

#include "engine/traverse/colour.h"

GPU_PRIMITIVE(COLOUR, colour, colour_run, GPU_NOT_SHARED)
