/* SPDX-License-Identifier: Apache-2.0
 *
 * scc.cu: a place in the table for what the host's processor does (engine/traverse/scc.c): it has
 * no kernel, and no run of it comes here.
 */
#include "gpu/traverse/primitive.cuh"

extern const gpu_primitive gpu_SCC;
const gpu_primitive gpu_SCC = {};
