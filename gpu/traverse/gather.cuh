/* SPDX-License-Identifier: Apache-2.0
 *
 * gather.cuh: sums over the edges of rows, on a GPU: of all rows in equal shares, and of those of a
 * list.
 *
 * The edges of a row and then its end, row after row, are one sequence of n + m places; a share is
 * as many of them as a warp takes at a time. Whatever the degrees, each share has about the same to
 * do:
 *
 *     rows       0: a b c    1: -    2: d e f g h i j    3: k
 *     sequence   a b c 0 1 d | e f g h i j | 2 k 3
 *     shares         0             1           2
 *
 * What a share's edges say goes to shared memory first, many loads on their way at once; then each
 * lane adds up as many places, edges and ends of rows, as the others. A row that goes on behind the
 * share leaves its part in `tail`, one that has begun before it and ends in it leaves it in `head`;
 * after a barrier such rows are put together. A share within one row needs no places. All is added
 * up in the same order every time.
 *
 * Where all rows are short, a lane a row has as little to do, and nothing to put together.
 *
 * O((n + m) / shares at a time). Source: D. Merrill, M. Garland, "Merge-based parallel sparse
 * matrix-vector multiplication", SC 2016.
 */
#ifndef CFLRI_GPU_GATHER_CUH
#define CFLRI_GPU_GATHER_CUH

#include "gpu/traverse/operators.cuh"

/* ---- shares ---- */

static __host__ __device__ inline uint64_t gpu_shares(uint64_t n, uint64_t m) {
    return (n + m + GPU_SHARE - 1) / GPU_SHARE;
}

/* How many rows have ended at a place of the sequence. */
CFLRI_GPU uint32_t gpu_rows_ended(const uint64_t *start, uint64_t n, uint64_t m, uint64_t place) {
    uint64_t low = place > m ? place - m : 0, high = place < n ? place : n;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (start[middle + 1] <= place - middle - 1)
            low = middle + 1;
        else
            high = middle;
    }
    return (uint32_t)low;
}

/* ---- sums of all rows ---- */

enum {
    GPU_LOADS = 8,
    GPU_PLACES = GPU_SHARE / GPU_WARP
}; /* of a lane: on their way at once; of a share */

template <auto weigh>
CFLRI_GPU uint32_t gpu_weight_at(const cflri_rows *rows, uint64_t edge) {
    if constexpr (gpu_weighs<weigh>)
        return cflri_read_once(&rows->weight[edge]);
    else
        return 0;
}

/* Of edges i, i + 32, ... of a share; where there is none, its last one: no load waits for a
 * branch. */
template <auto f, auto weigh>
CFLRI_GPU void gpu_load_values(const cflri_rows *back, void *task, uint64_t edge, uint32_t i,
                               uint32_t edges, float value[GPU_LOADS]) {
    uint32_t target[GPU_LOADS], weight[GPU_LOADS];
#pragma unroll
    for (uint32_t j = 0; j < GPU_LOADS; j++) {
        uint32_t at = i + j * GPU_WARP < edges ? i + j * GPU_WARP : edges - 1;
        target[j] = cflri_read_once(&back->target[edge + at]);
        weight[j] = gpu_weight_at<weigh>(back, edge + at);
    }
#pragma unroll
    for (uint32_t j = 0; j < GPU_LOADS; j++) {
        uint32_t at = i + j * GPU_WARP < edges ? i + j * GPU_WARP : edges - 1;
        value[j] = *f(task, target[j], edge + at);
    }
#pragma unroll
    for (uint32_t j = 0; j < GPU_LOADS; j++)
        value[j] = gpu_weighted<weigh>(task, value[j], weight[j]);
}

/* Where place i of a share lies in shared memory: lanes that are GPU_PLACES apart each read
 * different banks. */
CFLRI_GPU uint32_t gpu_place(uint32_t i) {
    return i + i / GPU_WARP;
}

/* The shared memory of a share: the values of its edges, and behind them the ends of its rows, each
 * of which is later overwritten by the row's sum. */
struct gpu_share {
    float *value;
    uint32_t edges, rows;

    __device__ __forceinline__ float &of_edge(uint32_t i) const { return value[gpu_place(i)]; }
    __device__ __forceinline__ float &sum(uint32_t row) const {
        return value[gpu_place(edges + row)];
    }
    __device__ __forceinline__ uint32_t end(uint32_t row) const {
        return __float_as_uint(sum(row));
    }
    /* How many rows have ended at a place. */
    __device__ __forceinline__ uint32_t rows_ended(uint32_t place) const {
        uint32_t low = place > edges ? place - edges : 0, high = place < rows ? place : rows;
        while (low < high) {
            uint32_t middle = (low + high) / 2;
            if (end(middle) + middle < place)
                low = middle + 1;
            else
                high = middle;
        }
        return low;
    }
};

/* All of the edges are of one row: a lane's part of the sum. */
template <auto f, auto weigh>
CFLRI_GPU float gpu_sum_edges(const cflri_rows *back, void *task, uint32_t lane, uint64_t edge,
                              uint32_t edges) {
    float sum = 0;
    for (uint32_t i = lane; i < edges; i += GPU_LOADS * GPU_WARP) {
        float value[GPU_LOADS];
        gpu_load_values<f, weigh>(back, task, edge, i, edges, value);
#pragma unroll
        for (uint32_t j = 0; j < GPU_LOADS; j++) sum += i + j * GPU_WARP < edges ? value[j] : 0;
    }
    return sum;
}

template <auto f, auto weigh>
CFLRI_GPU void gpu_put_values(const cflri_rows *back, void *task, uint32_t lane, uint64_t edge,
                              gpu_share s) {
    for (uint32_t i = lane; i < s.edges; i += GPU_LOADS * GPU_WARP) {
        float value[GPU_LOADS];
        gpu_load_values<f, weigh>(back, task, edge, i, s.edges, value);
#pragma unroll
        for (uint32_t j = 0; j < GPU_LOADS; j++)
            if (i + j * GPU_WARP < s.edges) s.of_edge(i + j * GPU_WARP) = value[j];
    }
}

/* Lane by lane: what each has of a row that it does not end, added to what the lanes before have of
 * the same row. */
template <class Team>
CFLRI_GPU float gpu_carry(const Team *m, float rest, uint32_t ends) {
#pragma unroll
    for (uint32_t apart = 1; apart < GPU_WARP; apart *= 2) {
        float before = __shfl_up_sync(~0u, rest, apart);
        uint32_t ended = __shfl_up_sync(~0u, ends, apart);
        if (m->lane() >= apart && !ends) {
            rest += before;
            ends = ended;
        }
    }
    return rest;
}

/* Each lane goes through GPU_PLACES places, whatever they are. The sum of the row that goes on
 * behind the share, in the last lane. */
template <class Team>
CFLRI_GPU float gpu_sum_rows(const Team *m, gpu_share s) {
    uint32_t places = s.edges + s.rows, place = m->lane() * GPU_PLACES;
    if (place > places) place = places;
    uint32_t first = s.rows_ended(place), e = place - first, row = first;
    uint32_t last = __shfl_down_sync(~0u, first, 1), stop = __shfl_down_sync(~0u, place, 1);
    if (m->lane() == GPU_WARP - 1) {
        last = s.rows;
        stop = places;
    }
    float sum = 0, head = 0;
    uint32_t end = row < last ? s.end(row) : CFLRI_NONE;
    for (; place < stop; place++) {
        if (e < end) {
            sum += s.of_edge(e++);
        } else {
            if (row == first)
                head = sum; /* lanes before may have more of it */
            else
                s.sum(row) = sum;
            sum = 0;
            row++;
            end = row < last ? s.end(row) : CFLRI_NONE;
        }
    }
    float rest = gpu_carry(m, sum, first < last), before = __shfl_up_sync(~0u, rest, 1);
    if (first < last) s.sum(first) = m->lane() ? head + before : head;
    __syncwarp();
    return rest;
}

/* Rows from `first` to before `last` are those that are asked for. */
template <auto f, auto weigh, auto take, class Team>
CFLRI_GPU void gpu_gather_share(Team *m, const cflri_rows *back, uint64_t k, uint64_t first,
                                uint64_t last, void *task) {
    uint64_t begin = k * GPU_SHARE, end = begin + GPU_SHARE, all = back->n + back->m;
    uint64_t row = back->share[k], stop = back->share[k + 1], edge = begin - row;
    gpu_share s = {m->shared->value[m->warp_of_block()],
                   (uint32_t)((end < all ? end : all) - stop - edge), (uint32_t)(stop - row)};
    if (s.rows == 0) { /* all of it is within one row */
        float sum = gpu_warp_sum(gpu_sum_edges<f, weigh>(back, task, m->lane(), edge, s.edges));
        if (m->lane() == 0) m->state.tail[k] = sum;
        return;
    }
    gpu_put_values<f, weigh>(back, task, m->lane(), edge, s);
    for (uint32_t r = m->lane(); r < s.rows; r += GPU_WARP)
        s.sum(r) = __uint_as_float((uint32_t)(back->start[row + r + 1] - edge));
    __syncwarp();
    float rest = gpu_sum_rows(m, s);
    if (m->lane() == GPU_WARP - 1) m->state.tail[k] = rest;
    for (uint32_t r = m->lane(); r < s.rows; r += GPU_WARP) {
        if (r == 0 && back->start[row] < edge)
            m->state.head[k] = s.sum(r);
        else if (row + r >= first && row + r < last)
            gpu_take<take>(m, task, (uint32_t)(row + r), (double)s.sum(r));
    }
    __syncwarp();
}

enum { GPU_FEW_SHARES = 4 };

/* Rows that end in another share than they begin in. */
template <auto take, class Team>
CFLRI_GPU void gpu_close_rows(Team *m, const cflri_rows *back, uint64_t share, uint64_t shares,
                              uint64_t first, uint64_t last, void *task) {
    for (uint64_t base = share + (uint64_t)m->warp() * GPU_WARP; base < shares;
         base += m->threads()) {
        uint64_t k = base + m->lane(), row = 0, since = k;
        bool on = k < shares;
        if (on) {
            row = back->share[k];
            on = row >= first && row < last && row < back->share[k + 1] &&
                 back->start[row] < k * GPU_SHARE - row;
            if (on) since = (row + back->start[row]) / GPU_SHARE;
        }
        double sum = 0;
        bool large = on && k - since > GPU_FEW_SHARES;
        for (uint32_t left = __ballot_sync(~0u, large); left; left &= left - 1) {
            int who = __ffs(left) - 1;
            uint64_t end = __shfl_sync(~0u, k, who);
            double part = 0;
            for (uint64_t i = __shfl_sync(~0u, since, who) + m->lane(); i < end; i += GPU_WARP)
                part += m->state.tail[i];
            part = __shfl_sync(~0u, gpu_warp_sum(part), 0);
            if (m->lane() == (uint32_t)who) sum = part;
        }
        if (on && !large)
            for (uint64_t i = since; i < k; i++) sum += m->state.tail[i];
        if (on) gpu_take<take>(m, task, (uint32_t)row, sum + m->state.head[k]);
    }
}

template <auto f, auto weigh, auto take, class Team>
CFLRI_GPU void gpu_gather_shares(Team *m, const cflri_rows *back, uint64_t first, uint64_t last,
                                 void *task) {
    uint64_t share = (first + back->start[first]) / GPU_SHARE;
    uint64_t shares = (last + back->start[last] + GPU_SHARE - 1) / GPU_SHARE;
    for (uint64_t k = share + m->warp(); k < shares; k += m->warps())
        gpu_gather_share<f, weigh, take>(m, back, k, first, last, task);
    gpu_barrier();
    gpu_close_rows<take>(m, back, share, shares, first, last, task);
}

/* ---- sums of all rows, where they are short ---- */

enum { GPU_SHORT_ROWS = 8, GPU_AT_ONCE = 4 };

template <auto f, auto weigh>
CFLRI_GPU double gpu_sum_row(const cflri_rows *back, void *task, uint64_t e, uint64_t end) {
    float sum = 0;
    for (; e < end; e += GPU_AT_ONCE) {
        uint32_t target[GPU_AT_ONCE], weight[GPU_AT_ONCE];
        float says[GPU_AT_ONCE];
#pragma unroll
        for (int j = 0; j < GPU_AT_ONCE; j++) {
            uint64_t at = e + j < end ? e + j : end - 1;
            target[j] = back->target[at];
            weight[j] = gpu_weight_at<weigh>(back, at);
        }
#pragma unroll
        for (int j = 0; j < GPU_AT_ONCE; j++)
            says[j] = gpu_weighted<weigh>(task, *f(task, target[j], e + j), weight[j]);
#pragma unroll
        for (int j = 0; j < GPU_AT_ONCE; j++) sum += e + j < end ? says[j] : 0;
    }
    return sum;
}

/* A lane a row; rows that are long none the less have the warp. */
template <auto f, auto weigh, auto take, class Team>
CFLRI_GPU void gpu_gather_rows(Team *m, const cflri_rows *back, uint64_t first, uint64_t last,
                               void *task) {
    for (uint64_t base = first + (uint64_t)m->warp() * GPU_WARP; base < last;
         base += m->threads()) {
        uint64_t v = base + m->lane(), e = 0, end = 0;
        if (v < last) {
            e = back->start[v];
            end = back->start[v + 1];
        }
        double sum = 0;
        bool large = end - e > GPU_WARP_ROW;
        for (uint32_t left = __ballot_sync(~0u, large); left; left &= left - 1) {
            int who = __ffs(left) - 1;
            uint64_t stop = __shfl_sync(~0u, end, who);
            float part = 0;
            for (uint64_t at = __shfl_sync(~0u, e, who) + m->lane(); at < stop; at += GPU_WARP)
                part += gpu_weighted<weigh>(task, *f(task, back->target[at], at),
                                            gpu_weight_at<weigh>(back, at));
            double all = __shfl_sync(~0u, gpu_warp_sum((double)part), 0);
            if (m->lane() == (uint32_t)who) sum = all;
        }
        if (!large) sum = gpu_sum_row<f, weigh>(back, task, e, end);
        if (v < last) gpu_take<take>(m, task, (uint32_t)v, sum);
    }
}

template <auto f, auto weigh, auto take, class Team>
CFLRI_GPU void gpu_gather(Team *m, const cflri_rows *back, uint64_t first, uint64_t last,
                          void *task) {
    if constexpr (gpu_is_packed<typename Team::schedule>)
        gpu_gather_packed<f, weigh, take>(m, back, first, last, task);
    else if constexpr (gpu_is_staged<typename Team::schedule>)
        gpu_gather_staged<f, weigh, take>(m, back, first, last, task);
    else if (back->m < (uint64_t)GPU_SHORT_ROWS * back->n && !m->state.has_long_rows)
        gpu_gather_rows<f, weigh, take>(m, back, first, last, task);
    else
        gpu_gather_shares<f, weigh, take>(m, back, first, last, task);
    if (m->self() == 0 && !gpu_is_streamed<typename Team::schedule>)
        m->inspected += back->start[last] - back->start[first];
    gpu_take_all<take>(m, first, last, task);
    gpu_keep_sums(m);
    cflri_step_end(m);
    gpu_add_up(m);
}
#define cflri_gather_weighted(m, back, first, last, task, f, weigh, take) \
    gpu_gather<f, weigh, take>(m, back, first, last, task)
#define cflri_gather(m, back, first, last, task, f, take) \
    gpu_gather<f, nullptr, take>(m, back, first, last, task)

/* ---- of the rows of a list ---- */

/* By `join`, over the lanes of a warp. */
template <auto join>
CFLRI_GPU uint64_t gpu_warp_join(uint64_t value) {
    for (int apart = GPU_WARP / 2; apart; apart /= 2)
        value = join(value, __shfl_xor_sync(~0u, value, apart));
    return value;
}

/* Combines the values of the edges at .. stop-1 in steps of `apart`. */
template <auto f, auto join>
CFLRI_GPU uint64_t gpu_join_edges(const cflri_rows *back, void *task, uint32_t v, uint64_t at,
                                  uint64_t stop, uint32_t apart, uint64_t none) {
    uint64_t all = none;
    for (; at < stop; at += apart)
        all = join(all, f(task, v, back->target[at], gpu_edge_at(back, true, at)));
    return all;
}

/* Rows that were left to blocks. */
template <auto f, auto join, auto take, class Team>
CFLRI_GPU void gpu_gather_long(Team *m, const cflri_rows *back, void *task, uint64_t none) {
    gpu_barrier();
    uint64_t rows = *(volatile unsigned long long *)&m->counters()->pieces;
    for (uint64_t i = blockIdx.x; i < rows; i += gridDim.x) {
        uint32_t v = (uint32_t)__ldcg(&m->state.piece[i]);
        uint64_t all = gpu_join_edges<f, join>(back, task, v, back->start[v] + threadIdx.x,
                                               back->start[v + 1], GPU_THREADS, none);
        all = gpu_warp_join<join>(all);
        if (m->lane() == 0) m->shared->word[m->warp_of_block()] = all;
        __syncthreads();
        if (m->warp_of_block() == 0) {
            all = gpu_warp_join<join>(m->lane() < GPU_WARPS ? m->shared->word[m->lane()] : none);
            if (m->lane() == 0) gpu_take<take>(m, task, v, all);
        }
        __syncthreads();
    }
}

/* A lane, a warp or a block a row. */
template <auto f, auto join, auto take, class Team>
CFLRI_GPU void gpu_gather_listed(Team *m, const cflri_rows *back, cflri_list in, void *task,
                                 uint64_t none) {
    for (uint64_t base = (uint64_t)m->warp() * GPU_WARP; base < in.n; base += m->threads()) {
        uint64_t i = base + m->lane(), e = 0, end = 0, all = none;
        uint32_t v = 0;
        bool on = i < in.n;
        if (on) {
            v = __ldcg(&in.at[i]);
            e = back->start[v];
            end = back->start[v + 1];
        }
        m->inspected += end - e;
        if (end - e > GPU_PIECE) {
            m->state.piece[atomicAdd(&m->counters()->pieces, 1ull)] = v;
            on = false;
        }
        bool large = on && end - e > GPU_PULL_ALONE;
        for (uint32_t left = __ballot_sync(~0u, large); left; left &= left - 1) {
            int who = __ffs(left) - 1;
            uint64_t part = gpu_join_edges<f, join>(back, task, __shfl_sync(~0u, v, who),
                                                    __shfl_sync(~0u, e, who) + m->lane(),
                                                    __shfl_sync(~0u, end, who), GPU_WARP, none);
            part = gpu_warp_join<join>(part);
            if (m->lane() == (uint32_t)who) all = part;
        }
        if (on && !large) all = gpu_join_edges<f, join>(back, task, v, e, end, 1, none);
        if (on) gpu_take<take>(m, task, v, all);
    }
    if (m->state.has_long_rows) gpu_gather_long<f, join, take>(m, back, task, none);
}

template <auto f, auto join, auto take, class Team>
CFLRI_GPU void gpu_gather_of(Team *m, const cflri_rows *back, cflri_list in, void *task,
                             uint64_t none) {
    if constexpr (gpu_is_packed<typename Team::schedule>)
        gpu_gather_of_packed<f, join, take>(m, back, in, task, none);
    else if constexpr (gpu_is_staged<typename Team::schedule>)
        gpu_gather_of_staged<f, join, take>(m, back, in, task, none);
    else
        gpu_gather_listed<f, join, take>(m, back, in, task, none);
    gpu_take_listed<take>(m, in, task);
    cflri_step_end(m);
}
#define cflri_gather_of(m, back, in, task, none, f, join, take) \
    gpu_gather_of<f, join, take>(m, back, in, task, none)

#endif
