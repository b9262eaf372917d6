/* SPDX-License-Identifier: Apache-2.0
 *
 * signals.cu: circuits and networks of neurons on a GPU.
 */
#include "gpu/traverse/primitive.cuh"

#include "engine/traverse/signals.h"

GPU_PLAIN_PRIMITIVE(GCS, signals, circuit_run, 1, GPU_STREAMED(signals, circuit_run, 2),
                    GPU_SHARED(signals, circuit_run, 1))
GPU_PLAIN_PRIMITIVE(NNDR, signals, neurons_run, 1, GPU_STREAMED(signals, neurons_run, 2),
                    GPU_SHARED(signals, neurons_run, 1))
