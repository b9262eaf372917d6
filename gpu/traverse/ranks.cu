/* SPDX-License-Identifier: Apache-2.0
 *
 * ranks.cu: PageRanks on a GPU.
 */
#include "gpu/traverse/primitive.cuh"

#include "engine/traverse/ranks.h"

GPU_GATHERING_PRIMITIVE(PAGERANK, ranks, ranks_run, GPU_SHARED(ranks, ranks_run, 1))
GPU_GATHERING_PRIMITIVE(PAGERANK_DELTA, ranks, ranks_delta_run,
                        GPU_SHARED(ranks, ranks_delta_run, 1))
GPU_GATHERING_PRIMITIVE(PPR, ranks, ranks_run, GPU_SHARED(ranks, ranks_run, 1))
