/* SPDX-License-Identifier: Apache-2.0
 *
 * hubs.cu: hubs and authorities on a GPU.
 */
#include "gpu/traverse/primitive.cuh"

#include "engine/traverse/hubs.h"

GPU_PRIMITIVE(hits, hubs, hits_run)
GPU_PRIMITIVE(salsa, hubs, salsa_run)
