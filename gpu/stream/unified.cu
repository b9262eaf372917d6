/* SPDX-License-Identifier: Apache-2.0
 *
 * unified.cu: edges in memory that host and device share, page by page.
 *
 *     unified   the driver moves a page when one side asks for it, and back when there is no room
 *     advised   pages that fit are copied to the device once, and stay; the others stay with the
 *               host and are read from there
 *
 * Without advice nothing bounds what the device takes, and reads of the host's pages stop a warp
 * for tens of microseconds. With advice no page moves during a run.
 */
#include <cstring>

#include "gpu/traverse/run.cuh"

static cudaError_t advise(void *at, uint64_t bytes, uint64_t here) {
    cudaMemLocation device = {cudaMemLocationTypeDevice, 0}, host = {cudaMemLocationTypeHost, 0};
    cudaError_t what = cudaMemAdvise(at, bytes, cudaMemAdviseSetReadMostly, device);
    if (what == cudaSuccess && here < bytes) {
        char *rest = static_cast<char *>(at) + here;
        what = cudaMemAdvise(rest, bytes - here, cudaMemAdviseUnsetReadMostly, device);
        if (what == cudaSuccess)
            what = cudaMemAdvise(rest, bytes - here, cudaMemAdviseSetPreferredLocation, host);
        if (what == cudaSuccess)
            what = cudaMemAdvise(rest, bytes - here, cudaMemAdviseSetAccessedBy, device);
    }
    if (what == cudaSuccess && here) what = cudaMemPrefetchAsync(at, here, device, 0, nullptr);
    return what;
}

/* Of the room, each array has its share. */
cflr_status gpu_prepare_unified(cflr_traversal *t, gpu_run *r, uint64_t room, cflr_error *error) {
    cflri_primitive_task *task = r->common();
    bool both = r->has_both(), weighs = r->rows[0].weight != nullptr;
    uint64_t arrays = (1 + both) * (1 + weighs);
    for (int side = 0; side < 1 + both; side++) {
        const cflri_rows *from = &r->rows[side];
        cflri_rows *to = side ? &task->in : &task->out;
        for (int k = 0; k < 1 + weighs; k++) {
            uint64_t bytes = from->m * 4 ? from->m * 4 : 4;
            void **at = &r->managed[2 * side + k];
            GPU_TRY(cudaMallocManaged(at, bytes), "taking unified memory");
            std::memcpy(*at, k ? from->weight : from->target, from->m * 4);
            uint64_t here = room / arrays < bytes ? room / arrays / 65536 * 65536 : bytes;
            if (r->transfer == CFLR_TRANSFER_ADVISED) GPU_TRY(advise(*at, bytes, here), "advising");
            (k ? to->weight : to->target) = static_cast<const uint32_t *>(*at);
        }
    }
    if (!both) task->in = task->out;
    return CFLR_OK;
}
