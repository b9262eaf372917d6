/* SPDX-License-Identifier: Apache-2.0
 *
 * arena.cuh: arrays of the host, copied into one block of a GPU's memory.
 *
 * Everything is placed twice: first to measure, while there is no block, then to say where it is
 * and what is to be copied there. Thousands of small arrays are copied together.
 */
#ifndef CFLRI_GPU_ARENA_CUH
#define CFLRI_GPU_ARENA_CUH

#include <cstdint>
#include <cstring>
#include <vector>

class gpu_arena {
   public:
    char *base = nullptr;
    size_t used = 0, copied = 0;

    void begin() {
        used = copied = 0;
        copies.clear();
    }

    /* Room for n elements, which the caller fills. */
    template <class type>
    type *room(uint64_t n) {
        char *at = base ? base + used : nullptr;
        used += (n * sizeof(type) + ALIGN - 1) / ALIGN * ALIGN;
        return reinterpret_cast<type *>(at);
    }

    /* The same, filled by copy_all; NULL stays NULL. `from` lives until then. */
    template <class type>
    type *put(const type *from, uint64_t n) {
        if (!from) return nullptr;
        size_t at = used;
        type *to = room<type>(n);
        copied += n * sizeof(type);
        if (base && n) copies.push_back({from, at, n * sizeof(type)});
        return to;
    }

    /* Arrays of the caller may go when it has returned. */
    cudaError_t copy_all(cudaStream_t stream) const {
        std::vector<char> together;
        size_t first = 0; /* where they go */
        cudaError_t what = cudaSuccess;
        for (size_t i = 0; i < copies.size() && what == cudaSuccess; i++) {
            const copy &c = copies[i];
            bool large = c.bytes >= LARGE;
            if (large || c.at + c.bytes - first > TOGETHER) what = flush(first, &together, stream);
            if (large && what == cudaSuccess)
                what =
                    cudaMemcpyAsync(base + c.at, c.from, c.bytes, cudaMemcpyHostToDevice, stream);
            if (large) continue;
            if (together.empty()) first = c.at;
            together.resize(c.at + c.bytes - first);
            std::memcpy(together.data() + (c.at - first), c.from, c.bytes);
        }
        if (what == cudaSuccess) what = flush(first, &together, stream);
        cudaError_t ended = cudaStreamSynchronize(stream);
        return what == cudaSuccess ? ended : what;
    }

   private:
    enum : size_t { ALIGN = 256, LARGE = 1 << 18, TOGETHER = 4 << 20 };

    struct copy {
        const void *from;
        size_t at, bytes;
    };
    std::vector<copy> copies;

    cudaError_t flush(size_t first, std::vector<char> *together, cudaStream_t stream) const {
        if (together->empty()) return cudaSuccess;
        cudaError_t what = cudaMemcpyAsync(base + first, together->data(), together->size(),
                                           cudaMemcpyHostToDevice, stream);
        if (what == cudaSuccess) what = cudaStreamSynchronize(stream);
        together->clear();
        return what;
    }
};

#endif
