/* SPDX-License-Identifier: Apache-2.0
 *
 * peers.cuh: what the kernels of several GPUs tell each other.
 *
 * Vertices are dealt out in stripes: the rows of one are on one GPU, and are empty on the others.
 * Columns and lists are there on each of them, and what is done at vertices, all GPUs do. So only
 * what comes of edges has to be told: members of a list, what a gather has added up, the words of a
 * pull.
 *
 *     stripes      0 1 0 1 0 1 ...        whose rows are where
 *
 *     advance      own rows of the list   |  list of what was found  --> boxes of the others
 *                  meet
 *                  what came              |  joins the list, unless it is there
 *     gather       own rows               |  sums                    --> boxes of all
 *                  meet
 *                  sums of all rows       |  taken
 *
 * A GPU writes into the memory of the others and reads its own: writes need not wait. A meeting is
 * a barrier of all threads of all GPUs: within each a barrier of its grid, then one thread for each
 * of the others leaves word with it and waits for its word, then a barrier again.
 *
 *     box, by parity of the meeting and by sender     vertices, values
 *
 * What is written before meeting k is read between meetings k and k + 1. Who writes before meeting
 * k + 2 has met all others at k + 1, which they come to when they have read it: two parities are
 * enough.
 *
 * All GPUs decide alike, as all do the same with the same numbers: sums of a step are in the same
 * order on each, since their grids are alike. Whether the host wants a run to stop is told with the
 * word of a meeting, so that all hear of it at the same one.
 */
#ifndef CFLRI_GPU_PEERS_CUH
#define CFLRI_GPU_PEERS_CUH

#include "gpu/traverse/team.cuh"

template <class Team>
CFLRI_GPU constexpr bool cflri_has_peers(const Team *) {
    return gpu_has_peers<typename Team::schedule>;
}

/* ---- meetings ---- */

CFLRI_GPU void gpu_leave_word(unsigned long long *at, unsigned long long word) {
    asm volatile("st.release.sys.global.u64 [%0], %1;" ::"l"(at), "l"(word) : "memory");
}

CFLRI_GPU unsigned long long gpu_look_for_word(const unsigned long long *at) {
    unsigned long long word;
    asm volatile("ld.acquire.sys.global.u64 %0, [%1];" : "=l"(word) : "l"(at) : "memory");
    return word;
}

/* Where the same thing is on GPU q. */
template <class Team, class T>
CFLRI_GPU T *gpu_there(const Team *m, uint32_t q, T *here) {
    const gpu_peers *p = &m->state.peers;
    return (T *)(p->arena[q] + ((char *)here - p->arena[p->self]));
}

/* The box that `reader` has for what `sender` tells, as this GPU has the same one; `meetings` before
 * the one that it is told at. */
template <class Team>
CFLRI_GPU gpu_box gpu_box_of(const Team *m, uint32_t meetings, uint32_t reader, uint32_t sender) {
    const gpu_peers *p = &m->state.peers;
    uint64_t slot = meetings % 2 * (p->n - 1ull) + sender - (sender > reader);
    return gpu_box{p->vertex + slot * p->length, p->value + slot * p->length};
}

enum { GPU_LOOKS = 1 << 16 }; /* for the word of another GPU, before the host is asked */

/* The words of this meeting, by who left them. */
template <class Team>
CFLRI_GPU gpu_word *gpu_words(const Team *m) {
    return m->state.peers.word + m->meetings % 2 * GPU_MOST_PEERS;
}

/* Does GPU q want to stop? Waits for its word. */
template <class Team>
CFLRI_GPU bool gpu_wait_for(const Team *m, uint32_t q) {
    unsigned long long word = 0, wanted = m->meetings + 1ull;
    const gpu_word *at = &gpu_words(m)[q];
    for (uint32_t looks = 1; (word = gpu_look_for_word(&at->word)) >> 1 != wanted; looks++)
        if (looks % GPU_LOOKS == 0 && *m->state.stop == GPU_ABANDON) return true;
    return word & 1;
}

/* All threads of all GPUs: what one has written before, the others see afterwards. Each GPU has a
 * number to tell, which gpu_number_of gives to the others. */
template <class Team>
CFLRI_GPU void gpu_meet(Team *m, uint64_t number) {
    gpu_peers *p = &m->state.peers;
    gpu_barrier();
    if (m->warp() == 0) { /* its release is of what the barrier has made it see, too */
        uint32_t q = m->lane();
        bool stop = q == 0 && m->meetings % GPU_ASK_HOST == 0 && *m->state.stop;
        stop = __shfl_sync(~0u, stop, 0);
        bool other = q < p->n && q != p->self;
        if (other) {
            gpu_word *there = gpu_there(m, q, &gpu_words(m)[p->self]);
            *(volatile unsigned long long *)&there->number = number;
            gpu_leave_word(&there->word, (m->meetings + 1ull) << 1 | stop);
        }
        __syncwarp();
        stop = __any_sync(~0u, stop || (other && gpu_wait_for(m, q)));
        if (q == 0 && stop) *m->state.stopped = 1;
    }
    gpu_barrier();
    m->meetings++;
}

/* After a meeting. */
template <class Team>
CFLRI_GPU uint64_t gpu_number_of(const Team *m, uint32_t q) {
    const gpu_word *at = &m->state.peers.word[(m->meetings - 1) % 2 * GPU_MOST_PEERS + q];
    return *(const volatile unsigned long long *)&at->number;
}

/* f(sender, its box): what has come at the last meeting. */
template <class Team, class Call>
CFLRI_GPU void gpu_open_boxes(const Team *m, Call f) {
    uint32_t self = m->state.peers.self;
    for (uint32_t q = 0; q < m->state.peers.n; q++)
        if (q != self) f(q, gpu_box_of(m, m->meetings - 1, self, q));
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
    return (v >> GPU_STRIPE_SHIFT) % m->state.peers.n == m->state.peers.self;
}

/* ---- numbers that all agree on ---- */

template <class Team, class Join>
CFLRI_GPU uint64_t gpu_agree(Team *m, uint64_t value, Join join) {
    gpu_meet(m, value);
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

/* What a gather has for v. Of several GPUs one has the row; all have a place for its value, which
 * is that of the first box. */
template <auto take, class Team, class Value>
CFLRI_GPU void gpu_take(Team *m, void *task, uint32_t v, Value value) {
    if constexpr (gpu_has_peers<typename Team::schedule>) {
        const gpu_peers *p = &m->state.peers;
        if (!gpu_is_mine(m, v)) return;
        uint64_t *at = p->value + (m->meetings % 2) * (p->n - 1ull) * p->length + v;
        for (uint32_t q = 0; q < p->n; q++) __stcg(gpu_there(m, q, at), gpu_bits_of(value));
    } else {
        take(&m->tally, task, v, value);
    }
}

/* Of vertex v, after the meeting. */
template <auto take, class Value, class Team>
CFLRI_GPU void gpu_take_told(Team *m, void *task, uint32_t v) {
    const gpu_peers *p = &m->state.peers;
    Value value;
    uint64_t box = ((m->meetings - 1) % 2) * (p->n - 1ull) * p->length;
    gpu_of_bits(__ldcg(&p->value[box + v]), &value);
    take(&m->tally, task, v, value);
}

/* The values of vertices first .. last - 1. */
template <auto take, class Team>
CFLRI_GPU void gpu_take_all(Team *m, uint64_t first, uint64_t last, void *task) {
    if constexpr (gpu_has_peers<typename Team::schedule>) {
        gpu_meet(m, 0);
        for (uint64_t v = first + m->self(); v < last; v += m->threads())
            gpu_take_told<take, double>(m, task, (uint32_t)v);
    }
}

/* Those of a list. */
template <auto take, class Team>
CFLRI_GPU void gpu_take_listed(Team *m, cflri_list in, void *task) {
    if constexpr (gpu_has_peers<typename Team::schedule>) {
        gpu_meet(m, 0);
        for (uint64_t i = m->self(); i < in.n; i += m->threads())
            gpu_take_told<take, uint64_t>(m, task, __ldcg(&in.at[i]));
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
CFLRI_GPU void gpu_hear_words(Team *m, uint64_t n, const cflri_shared_word *next, void *task) {
    if constexpr (gpu_has_peers<typename Team::schedule>) {
        gpu_meet(m, 0);
        for (uint64_t w = m->warp(); w < (n + GPU_WARP - 1) / GPU_WARP; w += m->warps()) {
            if (gpu_is_mine(m, w * GPU_WARP)) continue;
            uint32_t come = __ldcg(&next[w]);
            if (come >> m->lane() & 1)
                arrive(&m->tally, task, (uint32_t)(w * GPU_WARP) + m->lane());
        }
    }
}

#endif
