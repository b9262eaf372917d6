/* SPDX-License-Identifier: Apache-2.0
 *
 * group.cu: several GPUs that share a graph, as the host sees them.
 */
#include "gpu/traverse/run.cuh"

static bool is_for_several(cflr_transfer transfer) {
    return transfer == CFLR_TRANSFER_AUTO || transfer == CFLR_TRANSFER_WHOLE ||
           transfer == CFLR_TRANSFER_PACKED || transfer == CFLR_TRANSFER_ZERO_COPY;
}

static bool is_for_warps(cflr_schedule schedule) {
    return schedule == CFLR_SCHEDULE_AUTO || schedule == CFLR_SCHEDULE_WARP;
}

cflr_status gpu_check_peers(const cflr_traversal *t, bool has_kernel, uint32_t n,
                            const cflri_services *services, cflr_error *error) {
    const char *name = t->primitive->name;
    if (n > GPU_MOST_PEERS)
        return gpu_fail(error, CFLR_UNSUPPORTED, "%u GPUs are more than %d", n, GPU_MOST_PEERS);
    if (!has_kernel)
        return gpu_fail(error, CFLR_UNSUPPORTED, "%s%s runs on one GPU only", name,
                        t->opts.idempotent ? ", idempotent," : "");
    if (t->opts.way == CFLR_WAY_PUSH && !t->primitive->has_levels)
        return gpu_fail(error, CFLR_UNSUPPORTED, "%s that pushes runs on one GPU only", name);
    if (!is_for_several(t->opts.transfer))
        return gpu_fail(error, CFLR_UNSUPPORTED, "transfer '%s' is for one GPU only",
                        services->transfer_name(t->opts.transfer));
    if (!is_for_warps(t->opts.schedule))
        return gpu_fail(error, CFLR_UNSUPPORTED, "schedule '%s' is for one GPU only",
                        services->schedule_name(t->opts.schedule));
    return CFLR_OK;
}

/* Grids of as many blocks, so that sums are in the same order; and the same transfer. */
cflr_status gpu_make_alike(cflr_traversal *t, gpu_run **member,
                           cflr_status (*choose)(cflr_traversal *, gpu_run *, cflr_error *),
                           cflr_error *error) {
    uint32_t n = member[0]->state.peers.n, blocks = UINT32_MAX;
    bool packed = false;
    for (uint32_t q = 0; q < n; q++) packed |= member[q]->is_packed();
    for (uint32_t q = 0; q < n; q++) {
        gpu_run *r = member[q];
        if (packed && !r->is_packed()) {
            r->transfer = CFLR_TRANSFER_PACKED;
            r->long_groups = gpu_long_groups(r);
            t->stats.transfer = r->services->transfer_name(r->transfer);
            GPU_TRY(cudaSetDevice(r->device), "choosing it");
            cflr_status st = choose(t, r, error);
            if (st != CFLR_OK) return st;
        }
        if (r->blocks < blocks) blocks = r->blocks;
    }
    for (uint32_t q = 0; q < n; q++) member[q]->blocks = blocks;
    return CFLR_OK;
}

cflr_status gpu_introduce(gpu_run **member, cflr_error *error) {
    uint32_t n = member[0]->state.peers.n;
    for (uint32_t q = 0; q < n; q++) {
        gpu_run *r = member[q];
        GPU_TRY(cudaSetDevice(r->device), "choosing it");
        for (uint32_t other = 0; other < n; other++) {
            int can = 0;
            r->state.peers.arena[other] = member[other]->arena;
            if (other == q) continue;
            GPU_TRY(cudaDeviceCanAccessPeer(&can, r->device, member[other]->device), "asking");
            if (!can)
                return gpu_fail(error, CFLR_UNAVAILABLE,
                                "GPU %d has no access to the memory of GPU %d", r->device,
                                member[other]->device);
            cudaError_t enabled = cudaDeviceEnablePeerAccess(member[other]->device, 0);
            if (enabled == cudaErrorPeerAccessAlreadyEnabled)
                cudaGetLastError();
            else
                GPU_TRY(enabled, "asking for access to the memory of another one");
        }
    }
    return CFLR_OK;
}
