/* SPDX-License-Identifier: Apache-2.0
 *
 * reserve.cu: memory of a GPU that grows in place.
 *
 * A range of addresses is reserved once, which costs nothing; memory is mapped behind what is there
 * already when it is needed. So nothing is copied when rows grow, and no address changes. When the
 * device has no more, that of other devices is mapped behind, and then that of the host:
 *
 *     | this device        | another device  | the host      | no memory yet     |
 *     base                                                   size                reserved
 *
 * Kernels reach another device by its link, at a tenth of the speed, and the host over the bus, at
 * a hundredth. This is the driver's interface, which the runtime finds: nothing links to the
 * driver.
 */
#include "gpu/closure/reserve.cuh"

#include <cuda_runtime.h>

/* The driver's functions, found once. */
struct driver {
    decltype(&cuMemAddressReserve) reserve;
    decltype(&cuMemAddressFree) free;
    decltype(&cuMemCreate) create;
    decltype(&cuMemRelease) release;
    decltype(&cuMemMap) map;
    decltype(&cuMemUnmap) unmap;
    decltype(&cuMemSetAccess) set_access;
    decltype(&cuMemGetAllocationGranularity) grain;
    bool found;

    driver() {
        found = find("cuMemAddressReserve", &reserve) && find("cuMemAddressFree", &free) &&
                find("cuMemCreate", &create) && find("cuMemRelease", &release) &&
                find("cuMemMap", &map) && find("cuMemUnmap", &unmap) &&
                find("cuMemSetAccess", &set_access) &&
                find("cuMemGetAllocationGranularity", &grain);
    }

    template <class function>
    static bool find(const char *name, function *which) {
        enum { SINCE = 11000 };
        cudaDriverEntryPointQueryResult result;
        void *at = nullptr;
        cudaError_t what =
            cudaGetDriverEntryPointByVersion(name, &at, SINCE, cudaEnableDefault, &result);
        *which = reinterpret_cast<function>(at);
        return what == cudaSuccess && result == cudaDriverEntryPointSuccess;
    }
};

static const driver &the_driver() {
    static const driver one;
    return one;
}

static CUmemAllocationProp kind_of(const gpu_place &place) {
    CUmemAllocationProp kind = {};
    kind.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    kind.location.type =
        place.of_host ? CU_MEM_LOCATION_TYPE_HOST_NUMA : CU_MEM_LOCATION_TYPE_DEVICE;
    kind.location.id = place.id;
    return kind;
}

/* A place whose driver has no such thing gets no memory later. */
static bool find_grain(gpu_reserve *r, const gpu_place &place) {
    CUmemAllocationProp kind = kind_of(place);
    size_t grain = 0;
    if (the_driver().grain(&grain, &kind, CU_MEM_ALLOC_GRANULARITY_MINIMUM) != CUDA_SUCCESS)
        return false;
    if (grain > r->grain) r->grain = grain; /* each is a power of two */
    return true;
}

static size_t up_to(size_t bytes, size_t grain) {
    return (bytes + grain - 1) / grain * grain;
}

cudaError_t gpu_reserve_make(gpu_reserve *r, const std::vector<gpu_place> &place, size_t bytes) {
    const driver &d = the_driver();
    r->place = place;
    r->has.assign(place.size(), 0);
    if (!d.found || !find_grain(r, place[0])) return cudaErrorNotSupported;
    for (size_t i = 1; i < place.size(); i++) find_grain(r, place[i]);
    r->reserved = up_to(bytes, r->grain);
    if (d.reserve(&r->base, r->reserved, 0, 0, 0) == CUDA_SUCCESS) return cudaSuccess;
    r->reserved = 0;
    return cudaErrorMemoryAllocation;
}

cudaError_t gpu_reserve_grow(gpu_reserve *r, size_t bytes, size_t place) {
    const driver &d = the_driver();
    if (bytes <= r->size) return cudaSuccess;
    size_t more = up_to(bytes - r->size, r->grain), behind = 0;
    for (size_t i = place + 1; i < r->place.size(); i++) behind += r->has[i];
    if (r->size + more > r->reserved || behind) return cudaErrorMemoryAllocation;
    CUmemAllocationProp kind = kind_of(r->place[place]);
    CUmemAccessDesc access = {kind_of(r->place[0]).location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    CUmemGenericAllocationHandle piece;
    r->piece.reserve(r->piece.size() + 1);
    r->piece_bytes.reserve(r->piece.size() + 1);
    if (d.create(&piece, more, &kind, 0) != CUDA_SUCCESS) return cudaErrorMemoryAllocation;
    CUdeviceptr at = r->base + r->size;
    bool mapped = d.map(at, more, 0, piece, 0) == CUDA_SUCCESS;
    if (mapped && d.set_access(at, more, &access, 1) == CUDA_SUCCESS) {
        r->piece.push_back(piece);
        r->piece_bytes.push_back(more);
        r->size += more;
        r->has[place] += more;
        return cudaSuccess;
    }
    if (mapped) d.unmap(at, more);
    d.release(piece);
    return cudaErrorMemoryAllocation;
}

void gpu_reserve_free(gpu_reserve *r) {
    const driver &d = the_driver();
    CUdeviceptr at = r->base;
    for (size_t i = 0; i < r->piece.size(); i++) {
        d.unmap(at, r->piece_bytes[i]);
        d.release(r->piece[i]);
        at += r->piece_bytes[i];
    }
    if (r->reserved) d.free(r->base, r->reserved);
    *r = gpu_reserve();
}
