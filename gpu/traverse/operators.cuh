/* SPDX-License-Identifier: Apache-2.0
 *
 * operators.cuh: the operators of engine/traverse/operators.h on a GPU.
 *
 * Same names, same meaning: macros hand the functor over as a template argument, so that it is
 * inlined into the operator. Operators that visit edges do so by the team's schedule.
 */
#ifndef CFLRI_GPU_OPERATORS_CUH
#define CFLRI_GPU_OPERATORS_CUH

#include "gpu/traverse/schedules.cuh"

/* ---- each ---- */

template <auto f, class Team>
CFLRI_GPU void gpu_each(Team *m, uint64_t n, void *task) {
    for (uint64_t base = (uint64_t)blockIdx.x * GPU_THREADS; base < n; base += m->threads()) {
        uint64_t v = base + threadIdx.x;
        /* warps stay together: what comes before a vertex is mostly done before it */
        __syncthreads();
        if (v < n) f(&m->tally, task, (uint32_t)v);
    }
    cflri_step_end(m);
}
#define cflri_each(m, n, task, f) gpu_each<f>(m, n, task)

template <auto f, class Team>
CFLRI_GPU void gpu_each_head(Team *m, const cflri_rows *rows, void *task) {
    for (uint64_t base = (uint64_t)blockIdx.x * GPU_THREADS; base < rows->n; base += m->threads()) {
        uint64_t v = base + threadIdx.x;
        __syncthreads(); /* as in each */
        if (v >= rows->n) continue;
        uint64_t e = rows->start[v], degree = rows->start[v + 1] - e;
        uint32_t head[2] = {CFLRI_NONE, CFLRI_NONE};
        for (uint32_t k = 0; k < 2 && k < degree; k++) {
            if constexpr (gpu_is_packed<typename Team::schedule>)
                head[k] = gpu_packed_head(rows, (uint32_t)v, k);
            else
                head[k] = cflri_read_once(&rows->target[e + k]);
        }
        f(&m->tally, task, (uint32_t)v, head[0], head[1]);
    }
    cflri_step_end(m);
}
#define cflri_each_head(m, rows, task, f) gpu_each_head<f>(m, rows, task)

template <auto f, class Team>
CFLRI_GPU void gpu_each_summed(Team *m, uint64_t n, void *task) {
    for (uint64_t v = m->self(); v < n; v += m->threads()) f(&m->tally, task, (uint32_t)v);
    gpu_keep_sums(m);
    cflri_step_end(m);
    gpu_add_up(m);
}
#define cflri_each_summed(m, n, task, f) gpu_each_summed<f>(m, n, task)

template <auto f, class Team>
CFLRI_GPU void gpu_each_of(Team *m, cflri_list in, void *task) {
    for (uint64_t i = m->self(); i < in.n; i += m->threads()) f(&m->tally, task, __ldcg(&in.at[i]));
    cflri_step_end(m);
}
#define cflri_each_of(m, in, task, f) gpu_each_of<f>(m, in, task)

/* ---- lists that grow ---- */

/* A warp's buffer for one list. All lanes call put together. Members that do not fit into the list
 * are counted and left out. */
template <class Team>
struct gpu_found {
    Team *m;
    const cflri_list *to;
    int k;
    uint32_t n;
    uint64_t most;

    __device__ __forceinline__ gpu_found(Team *team, const cflri_list *list, int number,
                                         uint64_t fit = UINT64_MAX)
        : m(team), to(list), k(number), n(0), most(fit) {}
    __device__ __forceinline__ uint32_t *room() const {
        return m->shared->room[m->warp_of_block()][k];
    }
    __device__ __forceinline__ void flush() {
        unsigned long long at = 0;
        if (n == 0) return;
        __syncwarp();
        if (m->lane() == 0) at = atomicAdd(&m->counters()->tail[k], (unsigned long long)n);
        at = __shfl_sync(~0u, at, 0) + to->n;
        for (uint32_t i = m->lane(); i < n && at + i < most; i += GPU_WARP)
            to->at[at + i] = room()[i];
        __syncwarp();
        n = 0;
    }
    __device__ __forceinline__ void put(bool on, uint32_t v) {
        uint32_t who = __ballot_sync(~0u, on);
        if (!who) return;
        if (on) room()[n + __popc(who & ((1u << m->lane()) - 1))] = v;
        n += __popc(who);
        if (n > GPU_ROOM - GPU_WARP) flush();
    }
};

template <class Team>
CFLRI_GPU void gpu_lists_end(Team *m, cflri_list *first, cflri_list *second) {
    const volatile gpu_counters *counters = m->counters();
    cflri_step_end(m);
    if (first) first->n += counters->tail[0];
    if (second) second->n += counters->tail[1];
}

/* ---- what other GPUs have found ---- */

/* To place i of the inboxes that the others have for this GPU. */
template <class Team>
CFLRI_GPU void gpu_send_value(const Team *m, uint64_t i, uint64_t value) {
    gpu_each_peer(m, [&](uint32_t q) {
        gpu_inbox inbox = gpu_inbox_of(m, m->barriers, q, m->state.peers.self);
        __stcg(gpu_there(m, q, &inbox.value[i]), value);
    });
}

template <class Team>
CFLRI_GPU void gpu_send_vertex(const Team *m, uint64_t i, uint32_t v) {
    gpu_each_peer(m, [&](uint32_t q) {
        gpu_inbox inbox = gpu_inbox_of(m, m->barriers, q, m->state.peers.self);
        __stcg(gpu_there(m, q, &inbox.vertex[i]), v);
    });
}

template <auto send, auto receive, class Team>
CFLRI_GPU void gpu_exchange(Team *m, cflri_list *list, void *task) {
    if constexpr (gpu_has_peers<typename Team::schedule>) {
        uint64_t total[CFLRI_SUMS];
        for (int k = 0; k < CFLRI_SUMS; k++) total[k] = m->total[k];
        for (uint64_t i = m->self(); i < list->n; i += m->threads()) {
            uint32_t v = __ldcg(&list->at[i]);
            gpu_send_vertex(m, i, v);
            gpu_send_value(m, i, send(task, v));
        }
        gpu_barrier_of_all(m, list->n);
        gpu_found<Team> found(m, list, 0);
        gpu_read_inboxes(m, [&](uint32_t q, gpu_inbox inbox) {
            uint64_t n = gpu_number_of(m, q);
            for (uint64_t base = (uint64_t)m->warp() * GPU_WARP; base < n; base += m->threads()) {
                uint64_t i = base + m->lane();
                uint32_t v = i < n ? __ldcg(&inbox.vertex[i]) : 0;
                found.put(i < n && receive(&m->tally, task, v, __ldcg(&inbox.value[i])), v);
            }
        });
        found.flush();
        gpu_lists_end(m, list, nullptr);
        for (int k = 0; k < CFLRI_SUMS; k++) m->total[k] += total[k];
    }
}
#define cflri_exchange(m, list, task, send, receive) gpu_exchange<send, receive>(m, list, task)

template <auto send, auto receive, class Team>
CFLRI_GPU void gpu_exchange_all(Team *m, uint64_t n, void *task) {
    if constexpr (gpu_has_peers<typename Team::schedule>) {
        for (uint64_t v = m->self(); v < n; v += m->threads())
            gpu_send_value(m, v, send(task, (uint32_t)v));
        gpu_barrier_of_all(m, n);
        gpu_read_inboxes(m, [&](uint32_t, gpu_inbox inbox) {
            for (uint64_t v = m->self(); v < n; v += m->threads())
                receive(&m->tally, task, (uint32_t)v, __ldcg(&inbox.value[v]));
        });
        cflri_step_end(m);
    }
}
#define cflri_exchange_all(m, n, task, send, receive) gpu_exchange_all<send, receive>(m, n, task)

/* ---- advance ---- */

/* Has another lane it now, or had a thread of this block a little before? */
template <class Team>
CFLRI_GPU bool gpu_is_copy(Team *m, bool on, uint32_t v) {
    uint32_t who = __ballot_sync(~0u, on);
    if (!on) return false;
    uint32_t same = __match_any_sync(who, v);
    if (same & ((1u << m->lane()) - 1)) return true;
    return atomicExch(&m->shared->history[v % GPU_HISTORY], v) == v;
}

template <auto f, class Team>
CFLRI_GPU void gpu_advance_within(Team *m, const cflri_rows *rows, gpu_list in, cflri_list *out,
                                  uint64_t room, void *task) {
    gpu_found<Team> found(m, out, 0, room);
    for (uint32_t i = threadIdx.x; i < GPU_HISTORY; i += GPU_THREADS)
        m->shared->history[i] = CFLRI_NONE;
    __syncthreads();
    Team::schedule::edges(m, rows, in, [&](bool on, uint32_t from, uint32_t to, cflri_row_edge e) {
        bool joins = on && f(&m->tally, task, from, to, e);
        bool copy = gpu_is_copy(m, joins, to);
        found.put(joins && !copy, to);
    });
    found.flush();
    gpu_lists_end(m, out, nullptr);
}
#define cflri_advance_within(m, rows, in, out, room, task, f) \
    gpu_advance_within<f>(m, rows, gpu_list{(in).at, (in).n}, out, room, task)

template <auto f, class Items, class Team>
CFLRI_GPU void gpu_advance(Team *m, const cflri_rows *rows, Items in, cflri_list *out, void *task) {
    gpu_found<Team> found(m, out, 0);
    Team::schedule::edges(m, rows, in, [&](bool on, uint32_t from, uint32_t to, cflri_row_edge e) {
        bool joins = on && f(&m->tally, task, from, to, e);
        if (out) found.put(joins, to);
    });
    if (out) found.flush();
    gpu_lists_end(m, out, nullptr);
}
#define cflri_advance(m, rows, in, out, task, f) \
    gpu_advance<f>(m, rows, gpu_list{(in).at, (in).n}, out, task)
#define cflri_advance_all(m, rows, out, task, f) \
    gpu_advance<f>(m, rows, gpu_all{(rows)->n}, out, task)

template <auto leave, auto f, class Team>
CFLRI_GPU void gpu_advance_split(Team *m, const cflri_rows *rows, cflri_list in, cflri_list *first,
                                 cflri_list *second, void *task) {
    gpu_found<Team> one(m, first, 0), two(m, second, 1);
    for (uint64_t i = m->self(); i < in.n; i += m->threads())
        leave(&m->tally, task, __ldcg(&in.at[i]));
    Team::schedule::edges(m, rows, gpu_list{in.at, in.n},
                          [&](bool on, uint32_t from, uint32_t to, cflri_row_edge e) {
                              cflri_turn turn = CFLRI_DROP;
                              if (on) turn = f(&m->tally, task, from, to, e);
                              one.put(turn == CFLRI_FIRST, to);
                              two.put(turn == CFLRI_SECOND, to);
                          });
    one.flush();
    two.flush();
    gpu_lists_end(m, first, second);
}
#define cflri_advance_split(m, rows, in, first, second, task, leave, again, f) \
    gpu_advance_split<leave, f>(m, rows, in, first, second, task)

/* ---- scatter ---- */

template <auto f, class Team>
CFLRI_GPU void gpu_scatter(Team *m, const cflri_rows *rows, void *task, double *into) {
    if constexpr (Team::schedule::by_edge)
        gpu_add_edges<f>(m, rows, task, into);
    else
        Team::schedule::edges(m, rows, gpu_all{rows->n},
                              [&](bool on, uint32_t from, uint32_t to, cflri_row_edge e) {
                                  double value = on ? *f(task, from, e.number) : 0;
                                  if (value != 0) cflri_add_real(&into[to], value);
                              });
    cflri_step_end(m);
}
#define cflri_scatter(m, rows, task, into, f) gpu_scatter<f>(m, rows, task, into)

/* ---- filter ---- */

template <auto f, class Team>
CFLRI_GPU void gpu_split(Team *m, cflri_list in, cflri_list *first, cflri_list *second,
                         void *task) {
    gpu_found<Team> one(m, first, 0), two(m, second, 1);
    for (uint64_t base = (uint64_t)m->warp() * GPU_WARP; base < in.n; base += m->threads()) {
        uint64_t i = base + m->lane();
        uint32_t v = i < in.n ? __ldcg(&in.at[i]) : 0;
        cflri_turn turn = i < in.n ? f(&m->tally, task, v) : CFLRI_DROP;
        one.put(turn == CFLRI_FIRST, v);
        two.put(turn == CFLRI_SECOND, v);
    }
    one.flush();
    two.flush();
    gpu_lists_end(m, first, second);
}
#define cflri_split(m, in, first, second, task, f) gpu_split<f>(m, in, first, second, task)

template <auto f, class Items, class Team>
CFLRI_GPU void gpu_filter(Team *m, Items in, cflri_list *out, void *task) {
    gpu_found<Team> found(m, out, 0);
    for (uint64_t base = (uint64_t)m->warp() * GPU_WARP; base < in.size(); base += m->threads()) {
        uint64_t i = base + m->lane();
        uint32_t v = i < in.size() ? in[i] : 0;
        found.put(i < in.size() && f(&m->tally, task, v), v);
    }
    found.flush();
    gpu_lists_end(m, out, nullptr);
}
#define cflri_filter(m, in, out, task, f) gpu_filter<f>(m, gpu_list{(in).at, (in).n}, out, task)
#define cflri_filter_all(m, n, out, task, f) gpu_filter<f>(m, gpu_all{n}, out, task)

/* ---- sets by bits: a lane a bit ---- */

template <auto f, class Team>
CFLRI_GPU void gpu_bits_where(Team *m, uint64_t n, cflri_shared_word *bits, void *task) {
    for (uint64_t base = (uint64_t)m->warp() * GPU_WARP; base < n; base += m->threads()) {
        uint64_t v = base + m->lane();
        uint32_t word = __ballot_sync(~0u, v < n && f(&m->tally, task, (uint32_t)v));
        if (m->lane() == 0) bits[base / GPU_WARP] = word;
    }
    cflri_step_end(m);
}
#define cflri_bits_where(m, n, bits, task, f) gpu_bits_where<f>(m, n, bits, task)

template <class Team>
CFLRI_GPU void cflri_bits_of(Team *m, cflri_list in, uint64_t n, cflri_shared_word *bits) {
    for (uint64_t w = m->self(); w < (n + GPU_WARP - 1) / GPU_WARP; w += m->threads()) bits[w] = 0;
    cflri_step_end(m);
    for (uint64_t i = m->self(); i < in.n; i += m->threads()) cflri_add_bit(bits, in.at[i]);
    cflri_step_end(m);
}

template <class Team>
CFLRI_GPU void cflri_list_of(Team *m, const cflri_shared_word *bits, uint64_t n, cflri_list *out) {
    gpu_found<Team> found(m, out, 0);
    for (uint64_t base = (uint64_t)m->warp() * GPU_WARP; base < n; base += m->threads()) {
        uint64_t v = base + m->lane();
        uint32_t word = __ldcg(&bits[base / GPU_WARP]);
        found.put(v < n && (word >> m->lane() & 1), (uint32_t)v);
    }
    found.flush();
    gpu_lists_end(m, out, nullptr);
}

/* ---- relax ---- */

template <class Team>
CFLRI_GPU bool cflri_relaxes(const Team *m) {
    if constexpr (gpu_is_staged<typename Team::schedule>)
        return m->state.stage.relaxes;
    else
        return false;
}

template <auto enter, auto look, class Team>
CFLRI_GPU uint64_t gpu_relax(Team *m, const cflri_rows *rows, cflri_shared_word *bits,
                             uint32_t *room, void *task) {
    uint64_t steps = 0, total[CFLRI_SUMS] = {0};
    if constexpr (gpu_is_staged<typename Team::schedule>) {
        steps = gpu_relax_staged<enter, look>(m, rows, bits, task, total);
    } else {
        for (;; steps++) {
            cflri_list active = {room, 0};
            cflri_list_of(m, bits, rows->n, &active);
            if (active.n == 0 || m->stop) break;
            gpu_each_of<enter>(m, active, task);
            for (int k = 0; k < CFLRI_SUMS; k++) total[k] += m->total[k];
            gpu_advance<look>(m, rows, gpu_list{active.at, active.n}, (cflri_list *)nullptr, task);
            for (int k = 0; k < CFLRI_SUMS; k++) total[k] += m->total[k];
        }
    }
    for (int k = 0; k < CFLRI_SUMS; k++) m->total[k] = total[k];
    return steps;
}
#define cflri_relax(m, rows, bits, room, task, enter, look) \
    gpu_relax<enter, look>(m, rows, bits, room, task)

/* ---- pull ---- */

enum { GPU_PULL_ALONE = 16 }; /* edges that a lane looks at before the warp helps */

/* Is one of edges e .. end-1 from the front? The whole warp looks, 32 edges at a time. */
template <class Team>
CFLRI_GPU bool gpu_warp_looks(Team *m, const cflri_rows *back, const cflri_shared_word *front,
                              uint64_t e, uint64_t end) {
    for (; e < end; e += GPU_WARP) {
        uint64_t at = e + m->lane();
        bool hit = at < end && cflri_has_bit(front, back->target[at]);
        m->inspected += at < end;
        if (__any_sync(~0u, hit)) return true;
    }
    return false;
}

/* A lane a vertex, then all lanes for those that looked in vain at a few edges and have more. */
template <class Team>
CFLRI_GPU bool gpu_is_reached(Team *m, const cflri_rows *back, const cflri_shared_word *front,
                              bool open, uint32_t v) {
    uint64_t e = open ? back->start[v] : 0, end = open ? back->start[v + 1] : 0;
    bool hit = false;
    for (int i = 0; i < GPU_PULL_ALONE && e < end && !hit; i++, e++) {
        hit = cflri_has_bit(front, back->target[e]);
        m->inspected++;
    }
    for (uint32_t left = __ballot_sync(~0u, !hit && e < end); left; left &= left - 1) {
        int who = __ffs(left) - 1;
        bool found =
            gpu_warp_looks(m, back, front, __shfl_sync(~0u, e, who), __shfl_sync(~0u, end, who));
        if (m->lane() == (uint32_t)who) hit = found;
    }
    return hit;
}

template <auto arrive, class Team>
CFLRI_GPU void gpu_pull_rows(Team *m, const cflri_rows *back, const cflri_shared_word *front,
                             cflri_shared_word *done, cflri_shared_word *next, void *task) {
    uint64_t words = ((uint64_t)back->n + GPU_WARP - 1) / GPU_WARP;
    for (uint64_t w = m->warp(); w < words; w += m->warps()) {
        if (!gpu_pulls_word(m, w)) continue;
        uint32_t there = done[w], come = 0, v = (uint32_t)(w * GPU_WARP) + m->lane();
        if (there != ~0u) {
            bool open = v < back->n && !(there >> m->lane() & 1);
            bool hit = gpu_is_reached(m, back, front, open, v);
            if (hit) arrive(&m->tally, task, v);
            come = __ballot_sync(~0u, hit);
            if (m->lane() == 0 && come) done[w] = there | come;
        }
        if (m->lane() == 0) gpu_put_word(m, &next[w], come);
    }
}

template <auto arrive, class Team>
CFLRI_GPU void gpu_pull(Team *m, const cflri_rows *back, const cflri_shared_word *front,
                        cflri_shared_word *done, cflri_shared_word *next, void *task) {
    if constexpr (gpu_is_packed<typename Team::schedule>)
        gpu_pull_packed<arrive>(m, back, front, done, next, task);
    else if constexpr (gpu_is_staged<typename Team::schedule>)
        gpu_pull_staged<arrive>(m, back, front, done, next, task);
    else
        gpu_pull_rows<arrive>(m, back, front, done, next, task);
    gpu_receive_words<arrive>(m, back->n, next, task);
    cflri_step_end(m);
}
#define cflri_pull(m, back, front, done, next, task, arrive) \
    gpu_pull<arrive>(m, back, front, done, next, task)

/* ---- lists of edges ---- */

/* A warp's buffer for a list of edges. All lanes call put together. */
template <class Team>
struct gpu_edges_found {
    Team *m;
    const cflri_edge_frontier *to;
    uint32_t n;

    __device__ __forceinline__ gpu_edges_found(Team *team, const cflri_edge_frontier *list)
        : m(team), to(list), n(0) {}
    __device__ __forceinline__ void flush() {
        const auto *room = m->shared->room[m->warp_of_block()];
        unsigned long long at = 0;
        if (n == 0) return;
        __syncwarp();
        if (m->lane() == 0) at = atomicAdd(&m->counters()->tail[0], (unsigned long long)n);
        at = __shfl_sync(~0u, at, 0) + to->n;
        for (uint32_t i = m->lane(); i < n; i += GPU_WARP) {
            to->edge[at + i] = room[0][i];
            to->one[at + i] = room[1][i];
            to->other[at + i] = room[2][i];
        }
        __syncwarp();
        n = 0;
    }
    __device__ __forceinline__ void put(bool on, uint32_t edge, uint32_t one, uint32_t other) {
        auto *room = m->shared->room[m->warp_of_block()];
        uint32_t who = __ballot_sync(~0u, on), at = n + __popc(who & ((1u << m->lane()) - 1));
        if (on) {
            room[0][at] = edge;
            room[1][at] = one;
            room[2][at] = other;
        }
        n += __popc(who);
        if (n > GPU_ROOM - GPU_WARP) flush();
    }
};

template <class Team>
CFLRI_GPU void gpu_edges_end(Team *m, cflri_edge_frontier *to) {
    const volatile gpu_counters *counters = m->counters();
    cflri_step_end(m);
    if (to) to->n += counters->tail[0];
}

template <auto f, class Team>
CFLRI_GPU void gpu_advance_to_edges(Team *m, const cflri_rows *rows, cflri_edge_frontier *out,
                                    void *task) {
    gpu_edges_found<Team> found(m, out);
    Team::schedule::edges(m, rows, gpu_all{rows->n},
                          [&](bool on, uint32_t from, uint32_t to, cflri_row_edge e) {
                              bool joins = on && f(&m->tally, task, &from, &to, (uint32_t)e.number);
                              found.put(joins, (uint32_t)e.number, from, to);
                          });
    found.flush();
    gpu_edges_end(m, out);
}
#define cflri_advance_to_edges(m, rows, out, task, f) gpu_advance_to_edges<f>(m, rows, out, task)

template <auto f, class Team>
CFLRI_GPU void gpu_filter_edges(Team *m, cflri_edge_frontier in, cflri_edge_frontier *out,
                                void *task) {
    gpu_edges_found<Team> found(m, out);
    for (uint64_t base = (uint64_t)m->warp() * GPU_WARP; base < in.n; base += m->threads()) {
        uint64_t i = base + m->lane();
        uint32_t edge = 0, one = 0, other = 0;
        bool stays = false;
        if (i < in.n) {
            edge = __ldcg(&in.edge[i]);
            one = __ldcg(&in.one[i]);
            other = __ldcg(&in.other[i]);
            stays = f(&m->tally, task, &one, &other, edge);
            m->inspected++;
        }
        if (out) found.put(stays, edge, one, other);
    }
    if (out) found.flush();
    gpu_edges_end(m, out);
}
#define cflri_filter_edges(m, in, out, task, f) gpu_filter_edges<f>(m, in, out, task)

#endif
