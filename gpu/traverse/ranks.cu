/* SPDX-License-Identifier: Apache-2.0
 *
 * ranks.cu: PageRanks on a GPU.
 */
#include "gpu/traverse/primitive.cuh"

#include "engine/traverse/ranks.h"

GPU_GATHERING_PRIMITIVE(pagerank, ranks, ranks_run)
GPU_GATHERING_PRIMITIVE(pagerank_delta, ranks, ranks_delta_run)
GPU_GATHERING_PRIMITIVE(ppr, ranks, ranks_run)
