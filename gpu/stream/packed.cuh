/* SPDX-License-Identifier: Apache-2.0
 *
 * packed.cuh: rows in few bits, part of them on the GPU and the rest in the host's memory, read and
 * decoded by the kernel.
 *
 *     words    0 ........ | ........ | ........ | ...      chunks of 64 KB
 *     chunk    device       host       device              where each lies: its address
 *
 * A warp takes 32 rows, or groups of long ones (base/plain/csr_packed.h). Its lanes copy the words
 * of all of these into the block's memory, all loads on their way at once, and then decode 32 edges
 * at a time: the lane of an edge finds its difference from the widths before it, and a sum over the
 * lanes makes differences targets.
 *
 *     edges        a a a a b b c c c c c ...      32 at a time, of one row after the other
 *     differences  7 2 1 4 9 3 5 1 1 6 2          the first of a row: its target
 *     targets      7 9 10 14 9 12 5 6 7 13 15     sums, anew in each row; a row that goes on in the
 *                                                 next 32 hands its last one on
 *
 * The link between host and GPU answers many requests at once, and far more of them when they are
 * for the same pages: so rows that are not on the GPU are read in the order of the vertices, which
 * lists are not in. A list of many becomes a set of bits first.
 */
#ifndef CFLRI_GPU_PACKED_CUH
#define CFLRI_GPU_PACKED_CUH

#include "base/plain/csr_packed_format.h"
#include "gpu/peers/peers.cuh"
#include "gpu/stream/staged.cuh"

enum {
    GPU_STAGE_WORDS = 384,  /* of a warp */
    GPU_STAGE_PAD = 4,      /* behind them: read, and not used */
    GPU_HEAD_WORDS = 8,     /* of a row, where the first edges are likely enough */
    GPU_BATCH = 4,          /* edges of a lane at once */
    GPU_CHUNK_SHIFT = 14,   /* a chunk is 2^14 words */
    GPU_IN_ORDER = 1 << 15, /* members of a list that is worth putting in order */
};

/* The memory of a block, beside gpu_shared. */
struct gpu_packed_shared {
    uint32_t words[GPU_WARPS][GPU_STAGE_WORDS + GPU_STAGE_PAD];
    uint64_t row[GPU_WARPS][GPU_WARP]; /* what the lanes' rows add up to */
};

static __device__ __forceinline__ gpu_packed_shared *gpu_packed_memory() {
    extern __shared__ uint64_t gpu_dynamic[];
    return reinterpret_cast<gpu_packed_shared *>(gpu_dynamic);
}

static __device__ __forceinline__ const uint32_t *gpu_word_of(const cflri_rows *rows, uint64_t at) {
    return rows->packed.chunk[at >> GPU_CHUNK_SHIFT] + at;
}

/* ---- groups ---- */

/* One a lane; n is 0 where a lane has none. */
struct gpu_group {
    uint64_t at; /* its first word */
    uint32_t words, n;
};

static __device__ __forceinline__ gpu_group gpu_group_of(const cflri_rows *rows, uint32_t v,
                                                         uint64_t g) {
    uint64_t at = rows->packed.at[v], end = rows->packed.at[v + 1];
    uint64_t degree = rows->start[v + 1] - rows->start[v];
    uint64_t groups = (degree + CFLRI_PACKED_GROUP - 1) / CFLRI_PACKED_GROUP;
    if (groups <= 1) return gpu_group{at, (uint32_t)(end - at), (uint32_t)degree};
    uint64_t begin = at + *gpu_word_of(rows, at + g);
    if (g + 1 < groups) end = at + *gpu_word_of(rows, at + g + 1);
    uint64_t rest = degree - g * CFLRI_PACKED_GROUP;
    return gpu_group{begin, (uint32_t)(end - begin),
                     (uint32_t)(rest < CFLRI_PACKED_GROUP ? rest : CFLRI_PACKED_GROUP)};
}

/* ---- bits ---- */

static __device__ __forceinline__ uint32_t gpu_bits(const uint32_t *words, uint32_t at,
                                                    uint32_t width) {
    uint32_t bits = __funnelshift_r(words[at / 32], words[at / 32 + 1], at % 32);
    return width < 32 ? bits & ((1u << width) - 1) : bits;
}

/* The sum of eight numbers of four bits. */
static __device__ __forceinline__ uint32_t gpu_sum_nibbles(uint32_t bits, uint32_t sum) {
    sum = __dp4a(bits & 0x0f0f0f0fu, 0x01010101u, sum);
    return __dp4a(bits >> 4 & 0x0f0f0f0fu, 0x01010101u, sum);
}

static __device__ __forceinline__ uint32_t gpu_blocks(uint32_t n) {
    return (n + CFLRI_PACKED_BLOCK - 2) / CFLRI_PACKED_BLOCK;
}

/* Edge i of a group of n: the first target, or the difference from the one before. */
static __device__ __forceinline__ uint32_t gpu_difference(const cflri_packed_rows *p,
                                                          const uint32_t *words, uint32_t n,
                                                          uint32_t i) {
    if (i == 0) return gpu_bits(words, 0, p->first_bits);
    uint32_t block = (i - 1) / CFLRI_PACKED_BLOCK, blocks = gpu_blocks(n), sum = 0, width;
    uint32_t low = gpu_bits(words, p->first_bits, 32);
    if (block < 8) {
        sum = gpu_sum_nibbles(low & ((1u << 4 * block) - 1), 0);
        width = low >> 4 * block & 15;
    } else {
        uint32_t high = gpu_bits(words, p->first_bits + 32, 32);
        sum = gpu_sum_nibbles(high & ((1u << 4 * (block - 8)) - 1), gpu_sum_nibbles(low, 0));
        width = high >> 4 * (block - 8) & 15;
    }
    width *= p->step;
    uint32_t at = p->first_bits + 4 * blocks + n * p->weight_bits +
                  CFLRI_PACKED_BLOCK * p->step * sum + (i - 1) % CFLRI_PACKED_BLOCK * width;
    return gpu_bits(words, at, width);
}

static __device__ __forceinline__ uint32_t gpu_packed_weight(const cflri_packed_rows *p,
                                                             const uint32_t *words, uint32_t n,
                                                             uint32_t i) {
    uint32_t at = p->first_bits + 4 * gpu_blocks(n) + i * p->weight_bits;
    return p->least_weight + (p->weight_bits ? gpu_bits(words, at, p->weight_bits) : 0);
}

/* How many edges of a group are in its first `words` words. */
static __device__ uint32_t gpu_edges_within(const cflri_packed_rows *p, const uint32_t *stage,
                                            uint32_t n, uint32_t words) {
    uint32_t blocks = gpu_blocks(n);
    uint32_t at = p->first_bits + 4 * blocks + n * p->weight_bits, i = 1;
    if (at > 32 * words) return 0;
    for (uint32_t b = 0; b < blocks; b++) {
        uint32_t width = gpu_bits(stage, p->first_bits + 4 * b, 4) * p->step;
        uint32_t here = min((uint32_t)CFLRI_PACKED_BLOCK, n - i), left = 32 * words - at;
        if (here * width > left) return i + left / width;
        at += here * width;
        i += here;
    }
    return n;
}

/* The target of edge k of v's row, 0 or 1, by one lane. */
static __device__ __forceinline__ uint32_t gpu_packed_head(const cflri_rows *rows, uint32_t v,
                                                           uint32_t k) {
    const cflri_packed_rows *p = &rows->packed;
    gpu_group group = gpu_group_of(rows, v, 0);
    auto bits = [&](uint32_t at, uint32_t width) {
        uint32_t low = *gpu_word_of(rows, group.at + at / 32);
        uint32_t high = *gpu_word_of(rows, group.at + at / 32 + 1);
        uint32_t both = __funnelshift_r(low, high, at % 32);
        return width < 32 ? both & ((1u << width) - 1) : both;
    };
    uint32_t to = bits(0, p->first_bits);
    if (k == 0) return to;
    uint32_t width = bits(p->first_bits, 4) * p->step;
    return to + bits(p->first_bits + 4 * gpu_blocks(group.n) + group.n * p->weight_bits, width);
}

/* ---- decoding ---- */

/* What body gets of one edge a lane: is there one, the lane that has its group, its target, what
 * it weighs. */
struct gpu_decoded {
    bool on;
    uint32_t lane, to, weight, at; /* `at`: in its group */
};

/* All edges of the lanes' groups, GPU_BATCH times 32 at a time: body(decoded[GPU_BATCH]). Of groups
 * of more than `head` words only the edges in these; *all: were these all of the lane's group? */
template <class Team, class Body>
static __device__ __forceinline__ void gpu_unpack(Team *m, const cflri_rows *rows, gpu_group group,
                                                  uint32_t head, bool *whole, Body body) {
    const cflri_packed_rows *p = &rows->packed;
    uint32_t *stage = gpu_packed_memory()->words[m->warp_of_block()];
    uint32_t lane = m->lane(), words = group.n ? min(group.words, head) : 0;
    uint32_t sum = gpu_warp_scan(m, words), base = 0;
    bool weighs = rows->weight != nullptr;
    *whole = words == group.words;
    for (uint32_t done = 0; done < GPU_WARP;) {
        uint32_t fit = __ballot_sync(~0u, lane >= done && sum - base <= GPU_STAGE_WORDS);
        uint32_t last = done + __popc(fit), all = __shfl_sync(~0u, sum, last - 1) - base;
        uint32_t begin = sum - words - base, end = lane < done ? 0 : sum - base;
        __syncwarp();
        for (uint32_t k = lane; k < all + lane; k += GPU_BATCH * GPU_WARP) {
            uint32_t word[GPU_BATCH];
#pragma unroll
            for (uint32_t j = 0; j < GPU_BATCH; j++) {
                uint32_t at = k + j * GPU_WARP, from = gpu_lane_of(end, at < all ? at : all - 1);
                uint64_t place =
                    __shfl_sync(~0u, group.at, from) + at - __shfl_sync(~0u, begin, from);
                word[j] = at < all ? *gpu_word_of(rows, place) : 0;
            }
#pragma unroll
            for (uint32_t j = 0; j < GPU_BATCH; j++)
                if (k + j * GPU_WARP < all) stage[k + j * GPU_WARP] = word[j];
        }
        __syncwarp();
        bool mine = lane >= done && lane < last;
        uint32_t n = mine ? group.n : 0;
        if (mine && n && !*whole) n = gpu_edges_within(p, stage + begin, group.n, words);
        uint32_t edges = gpu_warp_scan(m, n), all_edges = __shfl_sync(~0u, edges, GPU_WARP - 1);
        uint32_t carry = 0;
        for (uint32_t first = 0; first < all_edges; first += GPU_BATCH * GPU_WARP) {
            gpu_decoded decoded[GPU_BATCH];
#pragma unroll
            for (uint32_t j = 0; j < GPU_BATCH; j++) {
                decoded[j] = gpu_decoded{false, 0, 0, 0, 0};
                if (first + j * GPU_WARP >= all_edges) continue;
                uint32_t at = first + j * GPU_WARP + lane;
                bool on = at < all_edges;
                uint32_t from = gpu_lane_of(edges, on ? at : all_edges - 1);
                uint32_t i = at - (__shfl_sync(~0u, edges, from) - __shfl_sync(~0u, n, from));
                const uint32_t *bits = stage + __shfl_sync(~0u, begin, from);
                uint32_t of = __shfl_sync(~0u, group.n, from);
                uint32_t to = on ? gpu_difference(p, bits, of, i) : 0;
#pragma unroll
                for (uint32_t apart = 1; apart < GPU_WARP; apart *= 2) {
                    uint32_t before = __shfl_up_sync(~0u, to, apart);
                    if (apart <= i && apart <= lane) to += before;
                }
                if (i > lane) to += carry;
                carry = __shfl_sync(~0u, to, GPU_WARP - 1);
                decoded[j] = gpu_decoded{on, from, to, 0, i};
                if (weighs && on) decoded[j].weight = gpu_packed_weight(p, bits, of, i);
            }
            body(decoded);
        }
        m->inspected += n;
        done = last;
        base += all;
    }
}

/* ---- lists in order ---- */

/* Calls f(vertices) of up to 32 at a time, one a lane, CFLRI_NONE where a lane has none: those
 * whose bits are set, ascending. */
template <class Team, class Call>
static __device__ __forceinline__ void gpu_by_bits(Team *m, const cflri_shared_word *bits,
                                                   uint64_t n, Call f) {
    uint64_t words = (n + GPU_WARP - 1) / GPU_WARP;
    for (uint64_t base = (uint64_t)m->warp() * GPU_WARP; base < words; base += m->threads()) {
        uint64_t w = base + m->lane();
        uint32_t word = w < words ? __ldcg(&bits[w]) : 0, count = __popc(word);
        uint32_t sum = gpu_warp_scan(m, count), all = __shfl_sync(~0u, sum, GPU_WARP - 1);
        for (uint32_t at = 0; at < all; at += GPU_WARP) {
            uint32_t i = at + m->lane(), k = gpu_lane_of(sum, i < all ? i : all - 1);
            uint32_t rest = __shfl_sync(~0u, word, k);
            uint32_t skip = i - (__shfl_sync(~0u, sum, k) - __shfl_sync(~0u, count, k));
            uint32_t bit = i < all ? __fns(rest, 0, (int)skip + 1) : 0;
            f(i < all ? (uint32_t)((base + k) * GPU_WARP) + bit : CFLRI_NONE);
        }
    }
}

/* ---- the schedule ---- */

struct gpu_packed_schedule {
    static constexpr bool by_edge = false;

    /* The edges of a group of each lane, number g of v's row. */
    template <class Team, class Visit>
    static __device__ __forceinline__ void visit_groups(Team *m, const cflri_rows *rows, uint32_t v,
                                                        uint32_t g, gpu_group group, Visit visit) {
        bool whole;
        gpu_unpack(m, rows, group, UINT32_MAX, &whole, [&](const gpu_decoded *decoded) {
#pragma unroll
            for (uint32_t j = 0; j < GPU_BATCH; j++) {
                if (!__any_sync(~0u, decoded[j].on)) break;
                uint32_t from = __shfl_sync(~0u, v, decoded[j].lane);
                cflri_row_edge edge = {0, decoded[j].weight};
                if constexpr (gpu_numbers_edges<typename Team::schedule>) {
                    uint64_t group_of = __shfl_sync(~0u, g, decoded[j].lane);
                    if (decoded[j].on)
                        edge.number =
                            rows->start[from] + group_of * CFLRI_PACKED_GROUP + decoded[j].at;
                }
                visit(decoded[j].on, from, decoded[j].to, edge);
            }
        });
    }

    static __device__ __forceinline__ uint32_t groups_of(const cflri_rows *rows, uint32_t v) {
        uint64_t degree = rows->start[v + 1] - rows->start[v];
        return (uint32_t)((degree + CFLRI_PACKED_GROUP - 1) / CFLRI_PACKED_GROUP);
    }

    /* A vertex a lane, or CFLRI_NONE. */
    template <class Team, class Visit>
    static __device__ __forceinline__ void visit_rows(Team *m, const cflri_rows *rows, uint32_t v,
                                                      Visit visit) {
        uint32_t groups = v == CFLRI_NONE ? 0 : groups_of(rows, v);
        gpu_group group = {0, 0, 0};
        if (groups == 1) group = gpu_group_of(rows, v, 0);
        gpu_warp_schedule::cut(m, v, groups > 1 ? groups : 0);
        visit_groups(m, rows, v, 0, group, visit);
    }

    /* f(row, group, its number among all): 32 at a time, a lane with none has CFLRI_NONE. */
    template <class Team, class Call>
    static __device__ __forceinline__ void by_groups(Team *m, Call f) {
        if (!m->state.has_long_rows) return;
        gpu_barrier();
        uint64_t n = *(volatile unsigned long long *)&m->counters()->pieces;
        uint64_t take = (n + m->warps() - 1) / m->warps();
        if (take > GPU_WARP) take = GPU_WARP;
        for (uint64_t base = m->warp() * take; base < n; base += m->warps() * take) {
            uint64_t i = base + m->lane();
            bool on = m->lane() < take && i < n;
            uint64_t piece = on ? __ldcg(&m->state.piece[i]) : 0;
            f(on ? (uint32_t)(piece >> 32) : CFLRI_NONE, (uint32_t)piece, i);
        }
    }

    template <class Team, class Visit>
    static __device__ __forceinline__ void visit_long_rows(Team *m, const cflri_rows *rows,
                                                           Visit visit) {
        by_groups(m, [&](uint32_t v, uint32_t g, uint64_t) {
            gpu_group group = {0, 0, 0};
            if (v != CFLRI_NONE) group = gpu_group_of(rows, v, g);
            visit_groups(m, rows, v, g, group, visit);
        });
    }

    template <class Team, class Items, class Call>
    static __device__ __forceinline__ void by_items(Team *m, Items items, Call f) {
        uint64_t n = items.size(), take = (n + m->warps() - 1) / m->warps();
        if (take > GPU_WARP) take = GPU_WARP; /* few vertices are spread over all warps */
        for (uint64_t base = m->warp() * take; base < n; base += m->warps() * take) {
            uint64_t i = base + m->lane();
            f(m->lane() < take && i < n ? items[i] : CFLRI_NONE);
        }
    }

    /* A list: in order, if it is long and rows are far away. */
    template <class Team, class Call>
    static __device__ __forceinline__ void by_list(Team *m, const cflri_rows *rows, gpu_list items,
                                                   Call f) {
        if (items.n < GPU_IN_ORDER || !m->state.stage.is_far) {
            by_items(m, items, f);
            return;
        }
        gpu_mark(m, items);
        gpu_by_bits(m, m->state.stage.member, rows->n, f);
        gpu_barrier();
        gpu_unmark(m, items);
    }

    template <class Team, class Visit>
    static __device__ void edges(Team *m, const cflri_rows *rows, gpu_list items, Visit visit) {
        by_list(m, rows, items, [&](uint32_t v) { visit_rows(m, rows, v, visit); });
        visit_long_rows(m, rows, visit);
    }

    template <class Team, class Visit>
    static __device__ void edges(Team *m, const cflri_rows *rows, gpu_all items, Visit visit) {
        by_items(m, items, [&](uint32_t v) { visit_rows(m, rows, v, visit); });
        visit_long_rows(m, rows, visit);
    }
};

/* ---- gather ---- */

/* Adds what f says of the edges of each lane's group. */
template <auto f, auto weigh, class Team>
static __device__ __forceinline__ double gpu_sum_groups(Team *m, const cflri_rows *rows, void *task,
                                                        gpu_group group) {
    double *row = (double *)gpu_packed_memory()->row[m->warp_of_block()];
    bool whole;
    row[m->lane()] = 0;
    gpu_unpack(m, rows, group, UINT32_MAX, &whole, [&](const gpu_decoded *decoded) {
        float value[GPU_BATCH];
#pragma unroll
        for (uint32_t j = 0; j < GPU_BATCH; j++)
            value[j] = decoded[j].on ? gpu_weighted<weigh>(task, *f(task, decoded[j].to, 0),
                                                           decoded[j].weight)
                                     : 0;
#pragma unroll
        for (uint32_t j = 0; j < GPU_BATCH; j++) {
            uint32_t here = decoded[j].on ? decoded[j].lane : GPU_WARP, from = m->lane();
            if (!__any_sync(~0u, decoded[j].on)) break;
            uint32_t before = __shfl_up_sync(~0u, here, 1);
            float sum = value[j];
#pragma unroll
            for (uint32_t apart = 1; apart < GPU_WARP; apart *= 2) {
                float other = __shfl_down_sync(~0u, sum, apart);
                uint32_t there = __shfl_down_sync(~0u, here, apart);
                if (from + apart < GPU_WARP && there == here) sum += other;
            }
            if (decoded[j].on && (from == 0 || before != here)) row[here] += sum;
            __syncwarp();
        }
    });
    __syncwarp();
    double sum = row[m->lane()];
    __syncwarp();
    return sum;
}

template <auto f, auto weigh, auto take, class Team>
static __device__ void gpu_gather_packed(Team *m, const cflri_rows *back, uint64_t first,
                                         uint64_t last, void *task) {
    typedef gpu_packed_schedule schedule;
    for (uint64_t base = first + (uint64_t)m->warp() * GPU_WARP; base < last;
         base += m->threads()) {
        uint64_t v = base + m->lane();
        uint32_t groups = v < last ? schedule::groups_of(back, (uint32_t)v) : 0;
        gpu_group group = {0, 0, 0};
        if (groups == 1) group = gpu_group_of(back, (uint32_t)v, 0);
        gpu_warp_schedule::cut(m, (uint32_t)v, groups > 1 ? groups : 0);
        double sum = gpu_sum_groups<f, weigh>(m, back, task, group);
        if (v < last && groups <= 1) gpu_take<take>(m, task, (uint32_t)v, sum);
    }
    if (!m->state.has_long_rows) return;
    schedule::by_groups(m, [&](uint32_t v, uint32_t g, uint64_t number) {
        gpu_group group = {0, 0, 0};
        if (v != CFLRI_NONE) group = gpu_group_of(back, v, g);
        double sum = gpu_sum_groups<f, weigh>(m, back, task, group);
        if (v != CFLRI_NONE) m->state.part[number] = __double_as_longlong(sum);
    });
    schedule::by_groups(m, [&](uint32_t v, uint32_t g, uint64_t number) {
        if (v == CFLRI_NONE || g) return;
        uint32_t groups = schedule::groups_of(back, v);
        double sum = 0;
        for (uint32_t k = 0; k < groups; k++)
            sum += __longlong_as_double(__ldcg(&m->state.part[number + k]));
        gpu_take<take>(m, task, v, sum);
    });
}

/* ---- gather of a list ---- */

template <auto f, auto join, class Team>
static __device__ __forceinline__ uint64_t gpu_join_groups(Team *m, const cflri_rows *rows,
                                                           void *task, uint32_t v, gpu_group group,
                                                           uint64_t none) {
    static_assert(!gpu_numbers_edges<typename Team::schedule>, "lanes are visited, not vertices");
    uint64_t *row = gpu_packed_memory()->row[m->warp_of_block()];
    row[m->lane()] = none;
    gpu_packed_schedule::visit_groups(
        m, rows, m->lane(), 0, group, [&](bool on, uint32_t from, uint32_t to, cflri_row_edge e) {
            uint32_t vertex = __shfl_sync(~0u, v, from);
            uint64_t value = on ? f(task, vertex, to, e) : none;
            bool is_first = gpu_join_rows(m->lane(), on, from, &value,
                                          [](uint64_t a, uint64_t b) { return join(a, b); });
            if (is_first) row[from] = join(row[from], value);
            __syncwarp();
        });
    __syncwarp();
    uint64_t all = row[m->lane()];
    __syncwarp();
    return all;
}

template <auto f, auto join, auto take, class Team>
static __device__ void gpu_gather_of_packed(Team *m, const cflri_rows *back, cflri_list in,
                                            void *task, uint64_t none) {
    typedef gpu_packed_schedule schedule;
    schedule::by_list(m, back, gpu_list{in.at, in.n}, [&](uint32_t v) {
        uint32_t groups = v == CFLRI_NONE ? 0 : schedule::groups_of(back, v);
        gpu_group group = {0, 0, 0};
        if (groups == 1) group = gpu_group_of(back, v, 0);
        gpu_warp_schedule::cut(m, v, groups > 1 ? groups : 0);
        uint64_t all = gpu_join_groups<f, join>(m, back, task, v, group, none);
        if (v != CFLRI_NONE && groups <= 1) gpu_take<take>(m, task, v, all);
    });
    if (!m->state.has_long_rows) return;
    schedule::by_groups(m, [&](uint32_t v, uint32_t g, uint64_t number) {
        gpu_group group = {0, 0, 0};
        if (v != CFLRI_NONE) group = gpu_group_of(back, v, g);
        uint64_t all = gpu_join_groups<f, join>(m, back, task, v, group, none);
        if (v != CFLRI_NONE) m->state.part[number] = all;
    });
    schedule::by_groups(m, [&](uint32_t v, uint32_t g, uint64_t number) {
        if (v == CFLRI_NONE || g) return;
        uint32_t groups = schedule::groups_of(back, v);
        uint64_t all = none;
        for (uint32_t k = 0; k < groups; k++) all = join(all, __ldcg(&m->state.part[number + k]));
        gpu_take<take>(m, task, v, all);
    });
}

/* ---- pull ---- */

/* Which lanes' groups have an edge from the front? */
template <class Team>
static __device__ __forceinline__ uint32_t gpu_groups_reached(Team *m, const cflri_rows *back,
                                                              const cflri_shared_word *front,
                                                              gpu_group group, uint32_t head,
                                                              bool *whole) {
    uint32_t hits = 0;
    gpu_unpack(m, back, group, head, whole, [&](const gpu_decoded *decoded) {
        uint32_t own = 0;
#pragma unroll
        for (uint32_t j = 0; j < GPU_BATCH; j++)
            if (decoded[j].on && cflri_has_bit(front, decoded[j].to)) own |= 1u << decoded[j].lane;
        hits |= __reduce_or_sync(~0u, own);
    });
    return hits;
}

/* One long row: 32 groups at a time. */
template <class Team>
static __device__ bool gpu_row_reached(Team *m, const cflri_rows *back,
                                       const cflri_shared_word *front, uint32_t v) {
    uint32_t groups = gpu_packed_schedule::groups_of(back, v);
    bool whole;
    for (uint32_t base = 0; base < groups; base += GPU_WARP) {
        gpu_group group = {0, 0, 0};
        if (base + m->lane() < groups) group = gpu_group_of(back, v, base + m->lane());
        if (gpu_groups_reached(m, back, front, group, UINT32_MAX, &whole)) return true;
    }
    return false;
}

/* Heads first: most vertices that are reached have an edge from the front there. */
template <auto arrive, class Team>
static __device__ void gpu_pull_packed(Team *m, const cflri_rows *back,
                                       const cflri_shared_word *front, cflri_shared_word *done,
                                       cflri_shared_word *next, void *task) {
    uint64_t words = ((uint64_t)back->n + GPU_WARP - 1) / GPU_WARP;
    for (uint64_t w = m->warp(); w < words; w += m->warps()) {
        if (!gpu_pulls_word(m, w)) continue;
        uint32_t there = done[w], come = 0, v = (uint32_t)(w * GPU_WARP) + m->lane();
        if (there != ~0u) {
            bool open = v < back->n && !(there >> m->lane() & 1), whole = true;
            uint32_t groups = open ? gpu_packed_schedule::groups_of(back, v) : 0;
            gpu_group group = {0, 0, 0};
            if (groups == 1) group = gpu_group_of(back, v, 0);
            if (__any_sync(~0u, group.n)) {
                come = gpu_groups_reached(m, back, front, group, GPU_HEAD_WORDS, &whole);
                if (whole || come >> m->lane() & 1) group.n = 0;
                if (__any_sync(~0u, group.n))
                    come |= gpu_groups_reached(m, back, front, group, UINT32_MAX, &whole);
            }
            for (uint32_t left = __ballot_sync(~0u, groups > 1); left; left &= left - 1) {
                int who = __ffs(left) - 1;
                if (gpu_row_reached(m, back, front, __shfl_sync(~0u, v, who))) come |= 1u << who;
            }
            if (come >> m->lane() & 1) arrive(&m->tally, task, v);
            if (m->lane() == 0 && come) done[w] = there | come;
        }
        if (m->lane() == 0) gpu_put_word(m, &next[w], come);
    }
}

#endif
