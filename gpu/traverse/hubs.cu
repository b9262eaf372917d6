/* SPDX-License-Identifier: Apache-2.0
 *
 * hubs.cu: hubs and authorities on a GPU.
 */
#include "gpu/traverse/primitive.cuh"

#include "engine/traverse/hubs.h"

GPU_PLAIN_PRIMITIVE(HITS, hubs, hits_run, 1, GPU_STREAMED(hubs, hits_run, 2),
                    GPU_SHARED(hubs, hits_run, 1))
GPU_PLAIN_PRIMITIVE(SALSA, hubs, salsa_run, 1, GPU_STREAMED(hubs, salsa_run, 2),
                    GPU_SHARED(hubs, salsa_run, 1))
