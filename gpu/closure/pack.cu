/* SPDX-License-Identifier: Apache-2.0
 *
 * pack.cu: rows of a GPU as packed sets for the host.
 *
 *     rows -- counted, hashed --> those of more than one bit -- sorted by hash --> runs
 *          -- compared with the first of their run --> sets, each with a row that has it
 *          -- words of each, added up --> where they begin
 *
 * Rows with one hash that are not the same are sets of their own, so that a hash decides nothing.
 * The host gets the words of packed_format.h: a warp writes a set.
 */
#include <thrust/copy.h>
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/gather.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/scan.h>
#include <thrust/sort.h>

#include <algorithm>
#include <new>

#include "engine/sets/packed_format.h"
#include "gpu/closure/pack.cuh"

enum { PACK_THREADS = 256, PACK_WARPS = PACK_THREADS / GPU_LANES, MOST_BLOCKS = 2048 };

#define ONE_TARGET 0x80000000u /* CFLRI_ONE_TARGET of base/graph/relation.h */

/* Blocks for n threads. */
static uint32_t blocks_of(uint64_t n) {
    return (uint32_t)((n + PACK_THREADS - 1) / PACK_THREADS);
}

/* Blocks for n items, of which each warp takes one after another. */
static uint32_t blocks_of_warps(uint64_t n) {
    return (uint32_t)std::min<uint64_t>(n / PACK_WARPS + 1, MOST_BLOCKS);
}

/* ---- measuring ---- */

static __device__ __forceinline__ uint64_t mixed(uint64_t x) {
    x ^= x >> 32;
    x *= 0x9e3779b97f4a7c15ull;
    x ^= x >> 29;
    x *= 0xbf58476d1ce4e5b9ull;
    return x ^ x >> 32;
}

template <class number>
static __device__ __forceinline__ number sum_of_lanes(number n) {
    for (int other = GPU_LANES / 2; other; other /= 2)
        n += __shfl_xor_sync(GPU_ALL_LANES, n, other);
    return n;
}

/* Calls each(leaf's number, the lane's word) for the leaves of a row, ascending. By a warp. */
template <class visit>
static __device__ __forceinline__ void visit_row(const gpu_closure &p, uint32_t row, visit each) {
    const gpu_matrix &m = p.matrix[p.matrix_of[row]];
    uint64_t roots = gpu_roots_of(m, row - m.first);
    for (uint32_t c = 0; c < m.chunks; c++) {
        uint32_t chunk = p.full[roots + c];
        uint32_t leaf = chunk ? gpu_node(p, chunk)[gpu_lane()] : 0;
        for (uint32_t there = __ballot_sync(GPU_ALL_LANES, leaf); there; there &= there - 1) {
            uint32_t i = __ffs(there) - 1, at = __shfl_sync(GPU_ALL_LANES, leaf, i);
            each(c * GPU_LANES + i, gpu_node(p, at)[gpu_lane()]);
        }
    }
}

static __global__ void measure_rows(const __grid_constant__ gpu_closure p, const gpu_pack pack,
                                    uint64_t *hash) {
    uint32_t lane = gpu_lane(), warps = gridDim.x * blockDim.x / GPU_LANES;
    uint64_t first = (blockIdx.x * blockDim.x + threadIdx.x) / GPU_LANES;
    for (uint64_t i = first; i < pack.n_rows; i += warps) {
        uint32_t row = (uint32_t)i, n = 0, leaves = 0, column = 0;
        uint64_t sum = 0;
        if (!pack.wanted[p.matrix_of[row]]) {
            if (lane == 0) pack.set[row] = pack.count[row] = 0;
            continue;
        }
        visit_row(p, row, [&](uint32_t leaf, uint32_t word) {
            uint64_t at = ((uint64_t)leaf * GPU_LANES + lane) << 32 | word;
            if (word) sum += mixed(at);
            if (word) column = (leaf * GPU_LANES + lane) * 32 + __ffs(word) - 1;
            n += __popc(word);
            leaves += __any_sync(GPU_ALL_LANES, word) != 0;
        });
        uint32_t with = __ballot_sync(GPU_ALL_LANES, n);
        if (with) column = __shfl_sync(GPU_ALL_LANES, column, __ffs(with) - 1);
        n = sum_of_lanes(n);
        sum = sum_of_lanes((unsigned long long)sum);
        if (lane) continue;
        pack.count[row] = n;
        pack.leaves[row] = leaves;
        pack.set[row] = n == 1 ? ONE_TARGET | column : 0;
        hash[row] = sum;
    }
}

/* ---- equal rows ---- */

static __global__ void find_heads(const uint64_t *hash, uint32_t n, uint32_t *head) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) head[i] = i == 0 || hash[i] != hash[i - 1] ? i : 0;
}

/* The word of leaf i in a row, for each lane. */
static __device__ bool are_equal(const gpu_closure &p, uint32_t row, uint32_t other) {
    const gpu_matrix &a = p.matrix[p.matrix_of[row]], &b = p.matrix[p.matrix_of[other]];
    uint64_t x = gpu_roots_of(a, row - a.first), y = gpu_roots_of(b, other - b.first);
    uint32_t lane = gpu_lane(), chunks = a.chunks > b.chunks ? a.chunks : b.chunks;
    for (uint32_t c = 0; c < chunks; c++) {
        uint32_t s = c < a.chunks ? p.full[x + c] : 0, t = c < b.chunks ? p.full[y + c] : 0;
        uint32_t leaf = s ? gpu_node(p, s)[lane] : 0, match = t ? gpu_node(p, t)[lane] : 0;
        uint32_t there = __ballot_sync(GPU_ALL_LANES, leaf | match);
        for (; there; there &= there - 1) {
            uint32_t i = __ffs(there) - 1;
            uint32_t u = __shfl_sync(GPU_ALL_LANES, leaf, i);
            uint32_t v = __shfl_sync(GPU_ALL_LANES, match, i);
            uint32_t word = u ? gpu_node(p, u)[lane] : 0, twin = v ? gpu_node(p, v)[lane] : 0;
            if (__any_sync(GPU_ALL_LANES, word != twin)) return false;
        }
    }
    return true;
}

/* leader[i]: the first of the run of row i. is_set[i]: 1 where row i has a set that no row before
 * it has. */
static __global__ void compare_rows(const __grid_constant__ gpu_closure p, const uint32_t *row,
                                    const uint32_t *leader, uint32_t n, uint32_t *is_set) {
    uint32_t warps = gridDim.x * blockDim.x / GPU_LANES;
    for (uint64_t i = (blockIdx.x * blockDim.x + threadIdx.x) / GPU_LANES; i < n; i += warps) {
        bool equal = leader[i] != i && are_equal(p, row[i], row[leader[i]]);
        if (gpu_lane() == 0) is_set[i] = !equal;
    }
}

/* number[i]: how many sets there are up to row i. */
static __global__ void number_sets(const gpu_pack pack, const uint32_t *row, const uint32_t *leader,
                                   const uint32_t *number, uint32_t n) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    bool is_set = i == 0 || number[i] != number[i - 1];
    pack.set[row[i]] = number[is_set ? i : leader[i]];
    if (!is_set) return;
    pack.row[number[i] - 1] = row[i];
    pack.start[number[i]] = cflri_packed_row_words(pack.count[row[i]], pack.leaves[row[i]]);
}

template <class type>
static type *take(uint64_t n) {
    void *at = nullptr;
    if (cudaMalloc(&at, n * sizeof(type) + sizeof(type)) != cudaSuccess) {
        cudaGetLastError();
        throw std::bad_alloc();
    }
    return static_cast<type *>(at);
}

/* Memory of the device that is needed only here. */
template <class type>
struct scratch {
    type *at;
    explicit scratch(uint64_t n) : at(take<type>(n)) {}
    scratch(const scratch &) = delete;
    scratch &operator=(const scratch &) = delete;
    ~scratch() { cudaFree(at); }
};

uint64_t gpu_pack_bytes(uint64_t rows) {
    enum { A_ROW = 5 * sizeof(uint32_t) + 4 * sizeof(uint64_t), AT_LEAST = 192 << 20 };
    return rows * 2 * A_ROW + AT_LEAST;
}

struct is_counted {
    const uint32_t *count;
    __device__ bool operator()(uint32_t row) const { return count[row] > 1; }
};

/* Lists the rows of more than one bit, equal ones together. */
static uint32_t list_rows(const gpu_pack *pack, const uint64_t *hash, uint32_t *row,
                          uint64_t *hash_of, cudaStream_t stream) {
    auto policy = thrust::cuda::par.on(stream);
    thrust::counting_iterator<uint32_t> all(0);
    is_counted counted = {pack->count};
    uint32_t n = (uint32_t)(thrust::copy_if(policy, all, all + pack->n_rows, row, counted) - row);
    thrust::gather(policy, row, row + n, hash, hash_of);
    thrust::stable_sort_by_key(policy, hash_of, hash_of + n, row);
    return n;
}

void gpu_pack_measure(const gpu_closure &p, const bool *wanted, uint32_t n_matrices,
                      uint32_t n_rows, gpu_pack *pack, cudaStream_t stream) {
    auto policy = thrust::cuda::par.on(stream);
    *pack = gpu_pack();
    pack->n_rows = n_rows;
    pack->wanted = take<bool>(n_matrices);
    pack->set = take<uint32_t>(n_rows);
    pack->count = take<uint32_t>(n_rows);
    pack->leaves = take<uint32_t>(n_rows);
    cudaMemcpyAsync(pack->wanted, wanted, n_matrices, cudaMemcpyHostToDevice, stream);
    scratch<uint64_t> hash(n_rows), hash_of(n_rows);
    scratch<uint32_t> row(n_rows), leader(n_rows), number(n_rows);
    measure_rows<<<blocks_of_warps(n_rows), PACK_THREADS, 0, stream>>>(p, *pack, hash.at);
    uint32_t n = list_rows(pack, hash.at, row.at, hash_of.at, stream);
    if (n) {
        find_heads<<<blocks_of(n), PACK_THREADS, 0, stream>>>(hash_of.at, n, leader.at);
        thrust::inclusive_scan(policy, leader.at, leader.at + n, leader.at,
                               thrust::maximum<uint32_t>());
        compare_rows<<<blocks_of_warps(n), PACK_THREADS, 0, stream>>>(p, row.at, leader.at, n,
                                                                      number.at);
        thrust::inclusive_scan(policy, number.at, number.at + n, number.at);
        cudaMemcpyAsync(&pack->n_sets, number.at + n - 1, sizeof pack->n_sets,
                        cudaMemcpyDeviceToHost, stream);
        cudaStreamSynchronize(stream);
    }
    pack->row = take<uint32_t>(pack->n_sets);
    pack->start = take<uint64_t>(pack->n_sets + 1ull);
    cudaMemsetAsync(pack->start, 0, sizeof *pack->start, stream);
    if (n)
        number_sets<<<blocks_of(n), PACK_THREADS, 0, stream>>>(*pack, row.at, leader.at, number.at,
                                                               n);
    thrust::inclusive_scan(policy, pack->start, pack->start + pack->n_sets + 1, pack->start);
    cudaMemcpyAsync(&pack->n_words, pack->start + pack->n_sets, sizeof pack->n_words,
                    cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
}

/* ---- writing ---- */

static __device__ void write_few(const gpu_closure &p, uint32_t row, uint32_t n, uint32_t *to) {
    uint32_t at = CFLRI_PACKED_FEW_HEAD;
    if (gpu_lane() == 0) to[0] = n;
    visit_row(p, row, [&](uint32_t leaf, uint32_t word) {
        uint32_t all, place = at + gpu_sum_before(__popc(word), &all);
        for (; word; word &= word - 1)
            to[place++] = (leaf * GPU_LANES + gpu_lane()) * 32 + __ffs(word) - 1;
        at += all;
    });
}

static __device__ void write_blocks(const gpu_closure &p, uint32_t row, uint32_t n, uint32_t k,
                                    uint32_t *to) {
    uint32_t *number = to + CFLRI_PACKED_BLOCKS_HEAD, *before = number + k, *bits = before + k;
    uint32_t at = 0, ids = 0;
    if (gpu_lane() == 0) {
        to[0] = n | CFLRI_PACKED_BY_BLOCKS;
        to[1] = k;
    }
    visit_row(p, row, [&](uint32_t leaf, uint32_t word) {
        uint32_t here = sum_of_lanes((uint32_t)__popc(word));
        if (!here) return;
        if (gpu_lane() == 0) {
            number[at] = leaf;
            before[at] = ids;
        }
        bits[at * CFLRI_PACKED_BLOCK_WORDS + gpu_lane()] = word;
        ids += here;
        at++;
    });
}

static __global__ void write_sets(const __grid_constant__ gpu_closure p, const gpu_pack pack,
                                  uint32_t first, uint32_t end, uint32_t *word) {
    static_assert((int)GPU_LEAF_IDS == (int)CFLRI_PACKED_BLOCK_IDS, "a leaf is a block");
    uint64_t base = pack.start[first];
    uint32_t warps = gridDim.x * blockDim.x / GPU_LANES;
    uint64_t at = first + (uint64_t)(blockIdx.x * blockDim.x + threadIdx.x) / GPU_LANES;
    for (; at < end; at += warps) {
        uint32_t row = pack.row[at], n = pack.count[row], k = pack.leaves[row];
        uint32_t *to = word + (pack.start[at] - base);
        if (cflri_packed_row_is_few(n, k))
            write_few(p, row, n, to);
        else
            write_blocks(p, row, n, k, to);
    }
}

void gpu_pack_write(const gpu_closure &p, const gpu_pack *pack, uint32_t first, uint32_t end,
                    uint32_t *word, cudaStream_t stream) {
    write_sets<<<blocks_of_warps(end - first), PACK_THREADS, 0, stream>>>(p, *pack, first, end,
                                                                          word);
}

void gpu_pack_free(gpu_pack *pack) {
    cudaFree(pack->wanted);
    cudaFree(pack->set);
    cudaFree(pack->count);
    cudaFree(pack->leaves);
    cudaFree(pack->row);
    cudaFree(pack->start);
    *pack = gpu_pack();
}
