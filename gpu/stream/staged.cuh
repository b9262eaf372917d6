/* SPDX-License-Identifier: Apache-2.0
 *
 * staged.cuh: the schedule of rows that are delivered piece by piece (mail.cuh).
 *
 * Items become members of a set of bits, so that what is delivered can be visited in the order of
 * the vertices, whatever the order of the items. Within a delivery it is as `warp`
 * (schedules/warp.cuh): a warp takes 32 vertices, its lanes share their edges, and long rows are
 * left to all warps.
 *
 * A task's rows are each thread's own copy: while a piece is visited they point to its edges.
 */
#ifndef CFLRI_GPU_STAGED_CUH
#define CFLRI_GPU_STAGED_CUH

#include <cstddef>
#include <type_traits>

#include "gpu/traverse/schedules/warp.cuh"

/* ---- items ---- */

/* All rows from first to last - 1. */
struct gpu_range {
    uint64_t first, last;
};

/* Members that are marked already. */
struct gpu_marked {};

/* ---- mail ---- */

enum { GPU_TAKEN = 3 }; /* of gpu_stage.active: behind the counters of rounds */

static __device__ __forceinline__ uint64_t gpu_nanoseconds() {
    uint64_t now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    return now;
}

/* All blocks have visited what was delivered last, and see what the next delivery is: the first
 * block waits for it, and takes its pieces over. */
template <class Team>
static __device__ gpu_delivery gpu_await_delivery(Team *m) {
    const gpu_stage *s = &m->state.stage;
    gpu_barrier();
    if (blockIdx.x == 0) {
        volatile gpu_delivery *from = &s->mail->delivery[m->delivered % GPU_DELIVERIES];
        if (threadIdx.x == 0) {
            *(volatile uint32_t *)&s->mail->visited = m->delivered;
            uint64_t begin = gpu_nanoseconds();
            while (*(volatile uint32_t *)&s->mail->delivered == m->delivered) continue;
            __threadfence_system();
            m->waited += gpu_nanoseconds() - begin;
            *(volatile uint64_t *)&s->mail->waited = m->waited;
            s->delivery->units = from->units;
            s->delivery->pieces = from->pieces;
            s->delivery->last = from->last;
            s->delivery->again = from->again;
            s->delivery->all = from->all;
            s->delivery->rounds = from->rounds;
            s->delivery->piece = s->piece;
            for (int k = 0; k < GPU_TAKEN; k++) s->active[k] = 0;
            m->shared->word[0] = (uint64_t)from->piece;
            m->shared->word[1] = from->pieces;
        }
        __syncthreads();
        const volatile uint64_t *words = (const volatile uint64_t *)m->shared->word[0];
        uint64_t n = m->shared->word[1] * sizeof(gpu_piece) / sizeof(uint64_t);
        for (uint64_t i = threadIdx.x; i < n; i += GPU_THREADS)
            ((uint64_t *)s->piece)[i] = words[i];
    }
    gpu_barrier();
    m->delivered++;
    const volatile gpu_delivery *here = s->delivery;
    return gpu_delivery{here->units, s->piece,  here->pieces, here->last,
                        here->again, here->all, here->rounds};
}

template <class Team>
static __device__ void gpu_ask(Team *m, const gpu_request &request) {
    gpu_mail *mail = m->state.stage.mail;
    gpu_barrier();
    if (!cflri_is_first(m)) return;
    volatile gpu_request *to = &mail->request;
    to->backwards = request.backwards;
    to->relax = request.relax;
    to->all = request.all;
    to->first = request.first;
    to->last = request.last;
    to->vertices = request.vertices;
    to->edges = request.edges;
    __threadfence_system(); /* covers what the others wrote for the host before the barrier */
    *(volatile uint32_t *)&mail->requested = m->delivered + 1;
}

/* ---- members ---- */

template <class Team>
static __device__ void gpu_mark(Team *m, gpu_list items) {
    for (uint64_t i = m->self(); i < items.n; i += m->threads())
        cflri_add_bit(m->state.stage.member, items[i]);
    gpu_barrier();
}

template <class Team>
static __device__ void gpu_unmark(Team *m, gpu_list items) {
    for (uint64_t i = m->self(); i < items.n; i += m->threads())
        m->state.stage.member[items[i] / CFLRI_WORD_BITS] = 0;
    gpu_barrier();
}

/* The first partition that ends behind row v. */
static __device__ __forceinline__ uint32_t gpu_partition_of(const gpu_partition *partition,
                                                            uint32_t n, uint64_t v) {
    uint32_t low = 0, high = n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (partition[middle].last <= v)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

template <class Team>
static __device__ __forceinline__ bool gpu_wants_needs(const Team *m) {
    return m->state.stage.wish == GPU_WISH_NEEDS ||
           m->state.stage.wish == GPU_WISH_NEEDS_AND_MEMBERS;
}

/* How many edges of members each partition has, for the host. */
template <class Team>
static __device__ void gpu_count_needs(Team *m, const cflri_rows *rows, uint32_t side) {
    const gpu_stage *s = &m->state.stage;
    const gpu_partition *partition = s->partition[side];
    uint32_t n = s->partitions[side];
    for (uint64_t p = m->self(); p < n; p += m->threads()) s->need[side][p] = 0;
    gpu_barrier();
    for (uint64_t base = (uint64_t)m->warp() * GPU_WARP; base < rows->n; base += m->threads()) {
        uint64_t v = base + m->lane();
        if (v >= rows->n || !(__ldcg(&s->member[base / GPU_WARP]) >> m->lane() & 1)) continue;
        uint64_t begin = rows->start[v], end = rows->start[v + 1];
        for (uint32_t p = gpu_partition_of(partition, n, v); p < n && partition[p].first <= v;
             p++) {
            uint64_t low = max(begin, partition[p].low), high = min(end, partition[p].high);
            if (low < high) atomicAdd(&s->need[side][p], (unsigned long long)(high - low));
        }
    }
    gpu_barrier();
    for (uint64_t p = m->self(); p < n; p += m->threads())
        s->need_of_host[p] = __ldcg(&s->need[side][p]);
    if (s->wish != GPU_WISH_NEEDS_AND_MEMBERS) return;
    uint64_t words = ((uint64_t)rows->n + GPU_WARP - 1) / GPU_WARP;
    for (uint64_t w = m->self(); w < words; w += m->threads())
        s->member_of_host[w] = __ldcg(&s->member[w]);
}

/* The members as a list, ascending, and where the edges of each begin when only theirs are laid
 * side by side (Subway's SubCSR). */
template <class Team>
static __device__ void gpu_list_members(Team *m, const cflri_rows *rows, gpu_request *request) {
    const gpu_stage *s = &m->state.stage;
    uint64_t words = ((uint64_t)rows->n + GPU_WARP - 1) / GPU_WARP;
    uint64_t n =
        gpu_number_parts(m, words, [&](uint64_t w) { return __popc(__ldcg(&s->member[w])); });
    for (uint64_t w = m->self(); w < words; w += m->threads()) {
        uint64_t at = __ldcg(&m->state.offset[w]);
        for (uint32_t left = __ldcg(&s->member[w]); left; left &= left - 1) {
            uint32_t v = (uint32_t)(w * GPU_WARP) + __ffs(left) - 1;
            s->vertex[at] = s->vertex_of_host[at] = v;
            at++;
        }
    }
    gpu_barrier();
    uint64_t edges = gpu_number_parts(m, n, [&](uint64_t i) {
        uint32_t v = __ldcg(&s->vertex[i]);
        return rows->start[v + 1] - rows->start[v];
    });
    for (uint64_t i = m->self(); i <= n; i += m->threads())
        s->begin[i] = s->begin_of_host[i] = i < n ? __ldcg(&m->state.offset[i]) : edges;
    request->vertices = n;
    request->edges = edges;
}

/* ---- visiting ---- */

/* The last piece whose units begin at or before u. */
static __device__ __forceinline__ const gpu_piece *gpu_piece_of(const gpu_delivery &delivery,
                                                                uint64_t u) {
    uint32_t low = 0, high = delivery.pieces;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (__ldcg(&delivery.piece[middle].unit) <= u)
            low = middle;
        else
            high = middle;
    }
    return &delivery.piece[low];
}

static __device__ __forceinline__ void gpu_point_to(cflri_rows *rows, const gpu_piece *piece) {
    rows->target = (const uint32_t *)__ldcg((const unsigned long long *)&piece->target);
    rows->weight = (const uint32_t *)__ldcg((const unsigned long long *)&piece->weight);
}

struct gpu_staged_schedule {
    static constexpr bool by_edge = false;

    /* Leaves edges to all warps: of lanes that have more than one warp should. */
    template <class Team>
    static __device__ void cut(Team *m, uint32_t v, uint64_t begin, uint64_t apart, uint64_t n,
                               uint32_t piece) {
        uint32_t parts = (uint32_t)((n + GPU_PIECE - 1) / GPU_PIECE);
        uint32_t sum = gpu_warp_scan(m, parts), all = __shfl_sync(~0u, sum, GPU_WARP - 1);
        unsigned long long at = 0;
        if (all == 0) return;
        if (m->lane() == 0) at = atomicAdd(&m->counters()->pieces, (unsigned long long)all);
        at = __shfl_sync(~0u, at, 0) + sum - parts - m->cut_before;
        for (uint32_t left = __ballot_sync(~0u, parts > 0); left; left &= left - 1) {
            int who = __ffs(left) - 1;
            gpu_long_piece *to = m->state.stage.long_piece + __shfl_sync(~0u, at, who);
            uint32_t from = __shfl_sync(~0u, v, who), k_all = __shfl_sync(~0u, parts, who);
            uint64_t first = __shfl_sync(~0u, begin, who), edges = __shfl_sync(~0u, n, who);
            uint64_t number = __shfl_sync(~0u, apart, who);
            for (uint32_t k = m->lane(); k < k_all; k += GPU_WARP) {
                uint64_t gone = (uint64_t)k * GPU_PIECE, rest = edges - gone;
                to[k] = gpu_long_piece{first + gone, number, from,
                                       (uint32_t)(rest < GPU_PIECE ? rest : GPU_PIECE), piece};
            }
        }
    }

    template <class Team, class Visit>
    static __device__ void long_pieces(Team *m, cflri_rows *rows, const gpu_delivery &delivery,
                                       Visit visit) {
        gpu_barrier();
        uint64_t all = *(volatile unsigned long long *)&m->counters()->pieces - m->cut_before;
        for (uint64_t p = m->warp(); p < all; p += m->warps()) {
            const gpu_long_piece *piece = &m->state.stage.long_piece[p];
            uint64_t e = __ldcg((const unsigned long long *)&piece->begin), end;
            uint64_t apart = __ldcg((const unsigned long long *)&piece->apart);
            uint32_t from = __ldcg(&piece->from), n = __ldcg(&piece->n);
            gpu_point_to(rows, &delivery.piece[__ldcg(&piece->piece)]);
            m->inspected += m->lane() == 0 ? n : 0;
            for (end = e + n, e += m->lane(); __any_sync(~0u, e < end); e += GPU_WARP)
                visit(e < end, from, gpu_fetch(rows, e < end, e),
                      gpu_edge_of_lane(m, rows, e < end, e, 0, apart));
        }
        m->cut_before += all;
    }

    /* select(v, whole): does v, all of whose row is in the piece or not, take part? */
    template <class Team, class Select, class Visit>
    static __device__ void pieces(Team *m, cflri_rows *rows, const uint64_t *start,
                                  const gpu_delivery &delivery, Select select, Visit visit) {
        for (uint64_t u = m->warp(); u < delivery.units; u += m->warps()) {
            const gpu_piece *piece = gpu_piece_of(delivery, u);
            const uint32_t *vertex =
                (const uint32_t *)__ldcg((const unsigned long long *)&piece->vertex);
            const uint64_t *at =
                (const uint64_t *)__ldcg((const unsigned long long *)&piece->begin);
            uint64_t i = __ldcg(&piece->first) + (u - __ldcg(&piece->unit)) * GPU_WARP + m->lane();
            uint64_t begin = 0, n = 0, apart = 0;
            uint32_t v = 0;
            if (i < __ldcg(&piece->last)) {
                uint64_t low = __ldcg((const unsigned long long *)&piece->low);
                uint64_t high = __ldcg((const unsigned long long *)&piece->high);
                v = vertex ? __ldcg(&vertex[i]) : (uint32_t)i;
                if (!at) at = start;
                apart = start[v] - at[i];
                begin = max(at[i], low);
                uint64_t end = min(at[i + 1], high);
                bool whole = begin == at[i] && end == at[i + 1];
                n = end > begin && select(v, whole) ? end - begin : 0;
            }
            gpu_point_to(rows, piece);
            bool is_long = n > GPU_PIECE;
            cut(m, v, begin, apart, is_long ? n : 0, (uint32_t)(piece - delivery.piece));
            gpu_by_lanes(m, rows, v, begin, is_long ? 0 : (uint32_t)n, visit, apart);
        }
        long_pieces(m, rows, delivery, visit);
    }

    /* The rows are in a thread's copy of the task. */
    template <class Team, class Visit>
    static __device__ void visit_all(Team *m, const cflri_rows *of_task, gpu_request request,
                                     Visit visit) {
        cflri_rows *rows = const_cast<cflri_rows *>(of_task);
        const cflri_rows before = *rows;
        const cflri_shared_word *member = m->state.stage.member;
        request.backwards = rows->start != m->state.stage.start;
        m->cut_before = 0;
        if (!request.all && gpu_wants_needs(m)) gpu_count_needs(m, rows, request.backwards);
        if (!request.all && m->state.stage.wish == GPU_WISH_LIST)
            gpu_list_members(m, rows, &request);
        gpu_ask(m, request);
        for (;;) {
            gpu_delivery delivery = gpu_await_delivery(m);
            if (delivery.last) break;
            pieces(
                m, rows, before.start, delivery,
                [&](uint32_t v, bool) {
                    if (request.all) return v >= request.first && v < request.last;
                    return (__ldcg(&member[v / GPU_WARP]) >> v % GPU_WARP & 1) != 0;
                },
                visit);
        }
        rows->target = before.target;
        rows->weight = before.weight;
    }

    template <class Team, class Visit>
    static __device__ void edges(Team *m, const cflri_rows *rows, gpu_list items, Visit visit) {
        gpu_mark(m, items);
        visit_all(m, rows, gpu_request{0, 0, 0, rows->n, 0, 0}, visit);
        gpu_unmark(m, items);
    }

    template <class Team, class Visit>
    static __device__ void edges(Team *m, const cflri_rows *rows, gpu_all, Visit visit) {
        visit_all(m, rows, gpu_request{0, 1, 0, rows->n, 0, 0}, visit);
    }

    template <class Team, class Visit>
    static __device__ void edges(Team *m, const cflri_rows *rows, gpu_range range, Visit visit) {
        visit_all(m, rows, gpu_request{0, 1, (uint32_t)range.first, (uint32_t)range.last, 0, 0},
                  visit);
    }

    template <class Team, class Visit>
    static __device__ void edges(Team *m, const cflri_rows *rows, gpu_marked, Visit visit) {
        visit_all(m, rows, gpu_request{0, 0, 0, rows->n, 0, 0}, visit);
    }
};

/* ---- relax ---- */

/* The vertices whose bits are set become members, and lose their bits. Are there any? */
template <auto enter, class Team>
static __device__ bool gpu_take_active(Team *m, uint64_t n, cflri_shared_word *bits, void *task) {
    cflri_shared_word *member = m->state.stage.member;
    bool taken = false;
    for (uint64_t base = (uint64_t)m->warp() * GPU_WARP; base < n; base += m->threads()) {
        uint32_t word = __ldcg(&bits[base / GPU_WARP]);
        __syncwarp();
        if (m->lane() == 0) {
            member[base / GPU_WARP] = word;
            taken |= word != 0;
        }
        if (word >> m->lane() & 1) enter(&m->tally, task, (uint32_t)base + m->lane());
    }
    if (taken) *(volatile uint32_t *)&m->state.stage.active[GPU_TAKEN] = 1;
    gpu_barrier();
    taken = *(volatile uint32_t *)&m->state.stage.active[GPU_TAKEN];
    gpu_barrier();
    return taken;
}

/* One delivery: its rows, and again those of them that improve meanwhile, as often as the policy
 * says. Rows that are not whole in their piece are visited once, or the other parts of them would
 * miss what they are visited for. */
template <auto enter, class Team, class Visit>
static __device__ void gpu_relax_delivery(Team *m, cflri_rows *rows, const uint64_t *start,
                                          const gpu_delivery &delivery, cflri_shared_word *bits,
                                          void *task, Visit visit) {
    const cflri_shared_word *member = m->state.stage.member;
    uint32_t *active = m->state.stage.active;
    for (uint32_t round = delivery.again ? 1 : 0, rounds = 0;; round++) {
        uint32_t visited = 0;
        Team::schedule::pieces(
            m, rows, start, delivery,
            [&](uint32_t v, bool whole) {
                bool on = round == 0 && (__ldcg(&member[v / GPU_WARP]) >> v % GPU_WARP & 1);
                if (round > 0 && whole && cflri_sees_bit(bits, v)) {
                    enter(&m->tally, task, v);
                    __threadfence(); /* what improves it from now on sets its bit again */
                    on = true;
                }
                visited += on;
                return on || delivery.all;
            },
            visit);
        visited = gpu_warp_sum(visited);
        if (m->lane() == 0 && visited) atomicAdd(&active[round % 3], visited);
        if (cflri_is_first(m)) active[(round + 1) % 3] = 0;
        gpu_barrier();
        if (++rounds == delivery.rounds) break;
        if (round > 0 && *(volatile uint32_t *)&active[round % 3] == 0) break;
    }
}

template <auto enter, auto look, class Team>
static __device__ uint64_t gpu_relax_staged(Team *m, const cflri_rows *of_task,
                                            cflri_shared_word *bits, void *task,
                                            uint64_t total[CFLRI_SUMS]) {
    static_assert(!gpu_numbers_edges<typename Team::schedule>, "policies gather parts of rows");
    cflri_rows *rows = const_cast<cflri_rows *>(of_task);
    const cflri_rows before = *rows;
    uint32_t side = rows->start != m->state.stage.start;
    uint64_t steps = 0;
    auto visit = [&](bool on, uint32_t from, uint32_t to, cflri_row_edge e) {
        if (on) look(&m->tally, task, from, to, e);
    };
    while (gpu_take_active<enter>(m, rows->n, bits, task) && !m->stop) {
        gpu_request request = {side, 0, 0, rows->n, 0, 0, 1};
        m->cut_before = 0;
        if (cflri_is_first(m)) m->state.stage.active[GPU_TAKEN] = 0;
        if (gpu_wants_needs(m)) gpu_count_needs(m, rows, side);
        if (m->state.stage.wish == GPU_WISH_LIST) gpu_list_members(m, rows, &request);
        gpu_ask(m, request);
        for (;;) {
            gpu_delivery delivery = gpu_await_delivery(m);
            if (delivery.last) break;
            gpu_relax_delivery<enter>(m, rows, before.start, delivery, bits, task, visit);
        }
        rows->target = before.target;
        rows->weight = before.weight;
        cflri_step_end(m);
        for (int k = 0; k < CFLRI_SUMS; k++) total[k] += m->total[k];
        steps++;
    }
    return steps;
}

/* ---- operators that read rows otherwise where these are at hand ---- */

/* By `join`, what the lanes of the same row have, which are side by side; true for the first lane
 * of each row. */
template <class Join>
static __device__ __forceinline__ bool gpu_join_rows(uint32_t lane, bool on, uint32_t from,
                                                     uint64_t *value, Join join) {
    uint32_t before = __shfl_up_sync(~0u, on ? from : CFLRI_NONE, 1);
    if (!on) from = CFLRI_NONE;
    for (uint32_t apart = 1; apart < GPU_WARP; apart *= 2) {
        uint64_t other = __shfl_down_sync(~0u, *value, apart);
        uint32_t row = __shfl_down_sync(~0u, from, apart);
        if (lane + apart < GPU_WARP && row == from) *value = join(*value, other);
    }
    return on && (lane == 0 || before != from);
}

/* Gathers that weigh have a function to do it; nullptr: an edge weighs nothing. */
template <auto weigh>
constexpr bool gpu_weighs = !std::is_same_v<decltype(weigh), std::nullptr_t>;

template <auto weigh>
static __device__ __forceinline__ float gpu_weighted(void *task, float value, uint32_t weight) {
    if constexpr (gpu_weighs<weigh>)
        return weigh(task, value, weight);
    else
        return value;
}

template <auto f, auto weigh, auto take, class Team>
static __device__ void gpu_gather_staged(Team *m, const cflri_rows *back, uint64_t first,
                                         uint64_t last, void *task) {
    double *sum = (double *)m->state.stage.sum;
    Team::schedule::edges(
        m, back, gpu_range{first, last},
        [&](bool on, uint32_t from, uint32_t to, cflri_row_edge e) {
            double says = on ? gpu_weighted<weigh>(task, *f(task, to, e.number), e.weight) : 0;
            uint64_t bits = cflri_bits_of_double(says);
            bool is_first = gpu_join_rows(m->lane(), on, from, &bits, [](uint64_t a, uint64_t b) {
                return cflri_bits_of_double(cflri_double_of_bits(a) + cflri_double_of_bits(b));
            });
            if (is_first) atomicAdd(&sum[from], cflri_double_of_bits(bits));
        });
    for (uint64_t v = first + m->self(); v < last; v += m->threads()) {
        double all = __ldcg(&sum[v]);
        sum[v] = 0;
        take(&m->tally, task, (uint32_t)v, all);
    }
}

template <auto f, auto join, auto take, class Team>
static __device__ void gpu_gather_of_staged(Team *m, const cflri_rows *back, cflri_list in,
                                            void *task, uint64_t none) {
    unsigned long long *sum = m->state.stage.sum;
    for (uint64_t i = m->self(); i < in.n; i += m->threads()) sum[__ldcg(&in.at[i])] = none;
    Team::schedule::edges(
        m, back, gpu_list{in.at, in.n}, [&](bool on, uint32_t from, uint32_t to, cflri_row_edge e) {
            uint64_t value = on ? f(task, from, to, e) : none;
            bool is_first = gpu_join_rows(m->lane(), on, from, &value,
                                          [](uint64_t a, uint64_t b) { return join(a, b); });
            unsigned long long there = is_first ? *(volatile unsigned long long *)&sum[from] : 0;
            while (is_first) {
                unsigned long long seen = atomicCAS(&sum[from], there, join(there, value));
                if (seen == there) break;
                there = seen;
            }
        });
    for (uint64_t i = m->self(); i < in.n; i += m->threads()) {
        uint32_t v = __ldcg(&in.at[i]);
        uint64_t all = __ldcg(&sum[v]);
        sum[v] = 0;
        take(&m->tally, task, v, all);
    }
}

template <auto arrive, class Team>
static __device__ void gpu_pull_staged(Team *m, const cflri_rows *back,
                                       const cflri_shared_word *front, cflri_shared_word *done,
                                       cflri_shared_word *next, void *task) {
    uint64_t words = ((uint64_t)back->n + GPU_WARP - 1) / GPU_WARP;
    cflri_shared_word *member = m->state.stage.member;
    for (uint64_t w = m->self(); w < words; w += m->threads()) {
        bool is_last = w == words - 1 && back->n % GPU_WARP;
        member[w] = ~done[w] & (is_last ? (1u << back->n % GPU_WARP) - 1 : ~0u);
        next[w] = 0;
    }
    gpu_barrier();
    Team::schedule::edges(m, back, gpu_marked{},
                          [&](bool on, uint32_t from, uint32_t to, cflri_row_edge) {
                              if (on && cflri_has_bit(front, to)) cflri_add_bit(next, from);
                          });
    for (uint64_t w = m->warp(); w < words; w += m->warps()) {
        uint32_t come = __ldcg(&next[w]);
        if (come >> m->lane() & 1) arrive(&m->tally, task, (uint32_t)(w * GPU_WARP) + m->lane());
        if (m->lane() == 0) {
            done[w] |= come;
            member[w] = 0;
        }
    }
}

#endif
