/* SPDX-License-Identifier: Apache-2.0
 *
 * peers.cuh: what the kernels of several GPUs send each other.
 *
 * Vertices are distributed in stripes: the rows of a stripe are on one GPU, and are empty on the
 * others. Columns and lists are on every GPU, and what is done at vertices, all GPUs do. So only
 * what comes of edges has to be sent: members of a list, what a gather has added up, the words of a
 * pull.
 *
 *     stripes      0 1 0 1 0 1 ...        the GPU that has the rows
 *
 *     advance      own rows of the list   |  list of what was found  --> inboxes of the others
 *                  barrier of all GPUs
 *                  what came              |  joins the list, unless it is there
 *     gather       own rows               |  sums                    --> inboxes of all
 *                  barrier of all GPUs
 *                  sums of all rows       |  taken
 *
 * A GPU writes into the memory of the others and reads its own: writes need not wait. The barrier
 * of all GPUs is a barrier of each grid, then one lane for each of the other GPUs sets a flag there
 * and waits for the flag that this one sets here, then a barrier of the grid again.
 *
 *     inbox, by parity of the barrier and by sender     vertices, values
 *
 * What is written before barrier k is read between barriers k and k + 1. A GPU that writes before
 * barrier k + 2 has passed barrier k + 1, which the others reach when they have read it: two
 * parities are enough.
 *
 * All GPUs decide alike, as all do the same with the same numbers: sums of a step are in the same
 * order on each, since their grids are alike. Whether the host wants a run to stop is part of the
 * flag, so that all GPUs stop at the same barrier.
 */
#ifndef CFLRI_GPU_PEERS_CUH
#define CFLRI_GPU_PEERS_CUH

#include "gpu/traverse/team.cuh"

template <class Team>
CFLRI_GPU constexpr bool cflri_has_peers(const Team *) {
    return gpu_has_peers<typename Team::schedule>;
}

/* ---- barriers ---- */

CFLRI_GPU void gpu_set_flag(unsigned long long *at, unsigned long long flag) {
    asm volatile("st.release.sys.global.u64 [%0], %1;" ::"l"(at), "l"(flag) : "memory");
}

CFLRI_GPU unsigned long long gpu_read_flag(const unsigned long long *at) {
    unsigned long long flag;
    asm volatile("ld.acquire.sys.global.u64 %0, [%1];" : "=l"(flag) : "l"(at) : "memory");
    return flag;
}

/* Where the same thing is on GPU q. */
template <class Team, class T>
CFLRI_GPU T *gpu_there(const Team *m, uint32_t q, T *here) {
    const gpu_peers *p = &m->state.peers;
    return (T *)(p->arena[q] + ((char *)here - p->arena[p->self]));
}

/* The inbox of `reader` for what `sender` sends before the barrier that comes after so many: where
 * this GPU has the same one. */
template <class Team>
CFLRI_GPU gpu_inbox gpu_inbox_of(const Team *m, uint32_t barriers, uint32_t reader,
                                 uint32_t sender) {
    const gpu_peers *p = &m->state.peers;
    uint64_t slot = barriers % 2 * (p->n - 1ull) + sender - (sender > reader);
    return gpu_inbox{p->vertex + slot * p->length, p->value + slot * p->length};
}

enum { GPU_LOOKS = 1 << 16 }; /* at the flag of another GPU, for one at the host's word */

/* The flags of the next barrier, by sender. */
template <class Team>
CFLRI_GPU gpu_flag *gpu_flags(const Team *m) {
    return m->state.peers.flag + m->barriers % 2 * GPU_MOST_PEERS;
}

/* Waits for GPU q. Does it want to stop? */
template <class Team>
CFLRI_GPU bool gpu_wait_for(const Team *m, uint32_t q) {
    unsigned long long flag = 0, wanted = m->barriers + 1ull;
    const gpu_flag *at = &gpu_flags(m)[q];
    for (uint32_t looks = 1; (flag = gpu_read_flag(&at->flag)) >> 1 != wanted; looks++)
        if (looks % GPU_LOOKS == 0 && *m->state.stop == GPU_ABANDON) return true;
    return flag & 1;
}

/* All threads of all GPUs: what one has written before, the others see afterwards. Each GPU has a
 * number for the others, which gpu_number_of gives them. */
template <class Team>
CFLRI_GPU void gpu_barrier_of_all(Team *m, uint64_t number) {
    gpu_peers *p = &m->state.peers;
    gpu_barrier();
    if (m->warp() == 0) { /* its release is of what the barrier has made it see, too */
        uint32_t q = m->lane();
        bool stop = q == 0 && m->barriers % GPU_ASK_HOST == 0 && *m->state.stop;
        stop = __shfl_sync(~0u, stop, 0);
        bool other = q < p->n && q != p->self;
        if (other) {
            gpu_flag *there = gpu_there(m, q, &gpu_flags(m)[p->self]);
            *(volatile unsigned long long *)&there->number = number;
            gpu_set_flag(&there->flag, (m->barriers + 1ull) << 1 | stop);
        }
        __syncwarp();
        stop = __any_sync(~0u, stop || (other && gpu_wait_for(m, q)));
        if (q == 0 && stop) *m->state.stopped = 1;
    }
    gpu_barrier();
    m->barriers++;
}

/* After the barrier. */
template <class Team>
CFLRI_GPU uint64_t gpu_number_of(const Team *m, uint32_t q) {
    const gpu_flag *at = &m->state.peers.flag[(m->barriers - 1) % 2 * GPU_MOST_PEERS + q];
    return *(const volatile unsigned long long *)&at->number;
}

/* f(sender, inbox): what has come before the last barrier. */
template <class Team, class Call>
CFLRI_GPU void gpu_read_inboxes(const Team *m, Call f) {
    uint32_t self = m->state.peers.self;
    for (uint32_t q = 0; q < m->state.peers.n; q++)
        if (q != self) f(q, gpu_inbox_of(m, m->barriers - 1, self, q));
}

/* f(q): for each of the others. */
template <class Team, class Call>
CFLRI_GPU void gpu_each_peer(const Team *m, Call f) {
    const gpu_peers *p = &m->state.peers;
    for (uint32_t q = 0; q < p->n; q++)
        if (q != p->self) f(q);
}

/* ---- whose rows ---- */

template <class Team>
CFLRI_GPU bool gpu_is_mine(const Team *m, uint64_t v) {
    return (uint32_t)(v >> GPU_STRIPE_SHIFT) % m->state.peers.n == m->state.peers.self;
}

/* ---- numbers that all agree on ---- */

template <class Team, class Join>
CFLRI_GPU uint64_t gpu_agree(Team *m, uint64_t value, Join join) {
    gpu_barrier_of_all(m, value);
    gpu_each_peer(m, [&](uint32_t q) { value = join(value, gpu_number_of(m, q)); });
    return value;
}

template <class Team>
CFLRI_GPU uint64_t cflri_least_of_peers(Team *m, uint64_t value) {
    if constexpr (!gpu_has_peers<typename Team::schedule>) return value;
    return gpu_agree(m, value, [](uint64_t a, uint64_t b) { return a < b ? a : b; });
}

template <class Team>
CFLRI_GPU uint64_t cflri_most_of_peers(Team *m, uint64_t value) {
    if constexpr (!gpu_has_peers<typename Team::schedule>) return value;
    return gpu_agree(m, value, [](uint64_t a, uint64_t b) { return a > b ? a : b; });
}

/* ---- values of rows ---- */

CFLRI_GPU uint64_t gpu_bits_of(double value) {
    return (uint64_t)__double_as_longlong(value);
}
CFLRI_GPU uint64_t gpu_bits_of(uint64_t value) {
    return value;
}
CFLRI_GPU void gpu_of_bits(uint64_t bits, double *value) {
    *value = __longlong_as_double((long long)bits);
}
CFLRI_GPU void gpu_of_bits(uint64_t bits, uint64_t *value) {
    *value = bits;
}

/* By vertex: the first inbox of what is sent before the barrier that comes after so many. */
template <class Team>
CFLRI_GPU uint64_t *gpu_values(const Team *m, uint32_t barriers) {
    return gpu_inbox_of(m, barriers, 1, 0).value;
}

/* What a gather has for v. Of several GPUs one has the row; all have a place for its value, which
 * is in the first inbox. */
template <auto take, class Team, class Value>
CFLRI_GPU void gpu_take(Team *m, void *task, uint32_t v, Value value) {
    if constexpr (gpu_has_peers<typename Team::schedule>) {
        if (!gpu_is_mine(m, v)) return;
        uint64_t *at = gpu_values(m, m->barriers) + v;
        for (uint32_t q = 0; q < m->state.peers.n; q++)
            __stcg(gpu_there(m, q, at), gpu_bits_of(value));
    } else {
        take(&m->tally, task, v, value);
    }
}

/* Of vertex v, after the barrier. */
template <auto take, class Value, class Team>
CFLRI_GPU void gpu_take_received(Team *m, void *task, uint32_t v) {
    Value value;
    gpu_of_bits(__ldcg(&gpu_values(m, m->barriers - 1)[v]), &value);
    take(&m->tally, task, v, value);
}

/* The values of vertices first .. last - 1. */
template <auto take, class Team>
CFLRI_GPU void gpu_take_all(Team *m, uint64_t first, uint64_t last, void *task) {
    if constexpr (gpu_has_peers<typename Team::schedule>) {
        gpu_barrier_of_all(m, 0);
        for (uint64_t v = first + m->self(); v < last; v += m->threads())
            gpu_take_received<take, double>(m, task, (uint32_t)v);
    }
}

/* Those of a list. */
template <auto take, class Team>
CFLRI_GPU void gpu_take_listed(Team *m, cflri_list in, void *task) {
    if constexpr (gpu_has_peers<typename Team::schedule>) {
        gpu_barrier_of_all(m, 0);
        for (uint64_t i = m->self(); i < in.n; i += m->threads())
            gpu_take_received<take, uint64_t>(m, task, __ldcg(&in.at[i]));
    }
}

/* ---- words of a pull ---- */

/* Are the rows of the vertices of word w here? */
template <class Team>
CFLRI_GPU bool gpu_pulls_word(const Team *m, uint64_t w) {
    if constexpr (gpu_has_peers<typename Team::schedule>)
        return gpu_is_mine(m, w * CFLRI_WORD_BITS);
    else
        return true;
}

/* One lane: which of its vertices have been reached. */
template <class Team>
CFLRI_GPU void gpu_put_word(const Team *m, cflri_shared_word *at, cflri_shared_word come) {
    *at = come;
    if constexpr (gpu_has_peers<typename Team::schedule>)
        gpu_each_peer(m, [&](uint32_t q) { __stcg(gpu_there(m, q, at), come); });
}

/* What the others have reached. */
template <auto arrive, class Team>
CFLRI_GPU void gpu_receive_words(Team *m, uint64_t n, const cflri_shared_word *next, void *task) {
    if constexpr (gpu_has_peers<typename Team::schedule>) {
        gpu_barrier_of_all(m, 0);
        for (uint64_t w = m->warp(); w < (n + GPU_WARP - 1) / GPU_WARP; w += m->warps()) {
            if (gpu_is_mine(m, w * GPU_WARP)) continue;
            uint32_t come = __ldcg(&next[w]);
            if (come >> m->lane() & 1)
                arrive(&m->tally, task, (uint32_t)(w * GPU_WARP) + m->lane());
        }
    }
}

#endif
