/* SPDX-License-Identifier: Apache-2.0
 *
 * dialect.h: what primitives are written in, so that one source is C on the processor and CUDA on a
 * GPU.
 *
 * A primitive is a task (a struct of numbers and of pointers to columns), functors (what to do at
 * an edge, at a vertex) and a driver that calls operators with them. All threads run the driver
 * from its begin to its end, each with its own copy of the task: what a driver keeps in variables,
 * all threads keep alike, and only columns are shared. So a driver needs no word of threads, blocks
 * or launches. C has the operators in operators.h, CUDA those in gpu/traverse; whichever it is, it
 * is included before the primitive.
 *
 * Columns are written by several threads at once: through the atomic functions here where two may
 * write the same element, and plainly where only one does or all write the same value.
 */
#ifndef CFLRI_DIALECT_H
#define CFLRI_DIALECT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifdef __CUDACC__
#define CFLRI_FUNCTOR static __device__ __forceinline__
#define CFLRI_DRIVER            \
    template <class CFLRI_TEAM> \
    static __device__ void
typedef uint32_t cflri_shared_word; /* of a set of vertices by bits: one bit a lane of a warp */
#else
#define CFLRI_FUNCTOR static inline __attribute__((always_inline))
#define CFLRI_DRIVER static inline void
#define CFLRI_TEAM cflri_thread
typedef uint64_t cflri_shared_word;
#endif

enum { CFLRI_WORD_BITS = 8 * sizeof(cflri_shared_word) };

static const uint32_t CFLRI_NONE = UINT32_MAX;

/* ---- elements that two threads may write ----
 *
 * Relaxed, unless said otherwise: between two steps all is seen, within one nothing is promised.
 * Each returns what was there before. */

#ifdef __CUDACC__

CFLRI_FUNCTOR uint32_t cflri_look(const uint32_t *at) {
    return *(const volatile uint32_t *)at;
}

/* For values that only get better, and where an older one of this step does no harm: a GPU may have
 * it in a cache. */
CFLRI_FUNCTOR uint32_t cflri_glance(const uint32_t *at) {
    return __ldca(at);
}

/* What no thread writes, and none will ask for again: it need not be kept in a cache. */
CFLRI_FUNCTOR uint32_t cflri_read_once(const uint32_t *at) {
    return __ldcs(at);
}

CFLRI_FUNCTOR void cflri_put(uint32_t *at, uint32_t value) {
    *(volatile uint32_t *)at = value;
}

CFLRI_FUNCTOR uint32_t cflri_swap_if(uint32_t *at, uint32_t expected, uint32_t value) {
    return atomicCAS(at, expected, value);
}

CFLRI_FUNCTOR uint32_t cflri_least(uint32_t *at, uint32_t value) {
    return atomicMin(at, value);
}

CFLRI_FUNCTOR uint32_t cflri_most(uint32_t *at, uint32_t value) {
    return atomicMax(at, value);
}

CFLRI_FUNCTOR uint32_t cflri_less(uint32_t *at, uint32_t amount) {
    return atomicSub(at, amount);
}

CFLRI_FUNCTOR uint32_t cflri_more(uint32_t *at, uint32_t amount) {
    return atomicAdd(at, amount);
}

CFLRI_FUNCTOR uint64_t cflri_more_wide(uint64_t *at, uint64_t amount) {
    return atomicAdd((unsigned long long *)at, (unsigned long long)amount);
}

CFLRI_FUNCTOR uint64_t cflri_look_wide(const uint64_t *at) {
    return *(const volatile uint64_t *)at;
}

CFLRI_FUNCTOR uint64_t cflri_most_wide(uint64_t *at, uint64_t value) {
    return atomicMax((unsigned long long *)at, (unsigned long long)value);
}

CFLRI_FUNCTOR uint64_t cflri_least_wide(uint64_t *at, uint64_t value) {
    return atomicMin((unsigned long long *)at, (unsigned long long)value);
}

CFLRI_FUNCTOR uint64_t cflri_join_wide(uint64_t *at, uint64_t bits) {
    return atomicOr((unsigned long long *)at, (unsigned long long)bits);
}

CFLRI_FUNCTOR cflri_shared_word cflri_join_word(cflri_shared_word *at, cflri_shared_word bits) {
    return atomicOr(at, bits);
}

CFLRI_FUNCTOR cflri_shared_word cflri_meet_word(cflri_shared_word *at, cflri_shared_word bits) {
    return atomicAnd(at, bits);
}

CFLRI_FUNCTOR cflri_shared_word cflri_look_word(const cflri_shared_word *at) {
    return *at;
}

CFLRI_FUNCTOR void cflri_clear_word(cflri_shared_word *at) {
    *at = 0;
}

CFLRI_FUNCTOR void cflri_add_float(float *at, float value) {
    atomicAdd(at, value);
}

CFLRI_FUNCTOR double cflri_add_real(double *at, double value) {
    return atomicAdd(at, value);
}

/* Leaves 0. */
CFLRI_FUNCTOR double cflri_take_real(double *at) {
    return __longlong_as_double((long long)atomicExch((unsigned long long *)at, 0ull));
}

#else

CFLRI_FUNCTOR uint32_t cflri_look(const uint32_t *at) {
    return __atomic_load_n(at, __ATOMIC_RELAXED);
}

CFLRI_FUNCTOR uint32_t cflri_glance(const uint32_t *at) {
    return cflri_look(at);
}

CFLRI_FUNCTOR uint32_t cflri_read_once(const uint32_t *at) {
    return *at;
}

CFLRI_FUNCTOR void cflri_put(uint32_t *at, uint32_t value) {
    __atomic_store_n(at, value, __ATOMIC_RELAXED);
}

CFLRI_FUNCTOR uint32_t cflri_swap_if(uint32_t *at, uint32_t expected, uint32_t value) {
    __atomic_compare_exchange_n(at, &expected, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return expected;
}

CFLRI_FUNCTOR uint32_t cflri_least(uint32_t *at, uint32_t value) {
    uint32_t there = cflri_look(at);
    while (value < there && !__atomic_compare_exchange_n(at, &there, value, true, __ATOMIC_SEQ_CST,
                                                         __ATOMIC_RELAXED)) {
    }
    return there;
}

CFLRI_FUNCTOR uint32_t cflri_most(uint32_t *at, uint32_t value) {
    uint32_t there = cflri_look(at);
    while (value > there && !__atomic_compare_exchange_n(at, &there, value, true, __ATOMIC_RELAXED,
                                                         __ATOMIC_RELAXED)) {
    }
    return there;
}

CFLRI_FUNCTOR uint32_t cflri_less(uint32_t *at, uint32_t amount) {
    return __atomic_fetch_sub(at, amount, __ATOMIC_RELAXED);
}

CFLRI_FUNCTOR uint32_t cflri_more(uint32_t *at, uint32_t amount) {
    return __atomic_fetch_add(at, amount, __ATOMIC_RELAXED);
}

CFLRI_FUNCTOR uint64_t cflri_more_wide(uint64_t *at, uint64_t amount) {
    return __atomic_fetch_add(at, amount, __ATOMIC_RELAXED);
}

CFLRI_FUNCTOR uint64_t cflri_look_wide(const uint64_t *at) {
    return __atomic_load_n(at, __ATOMIC_RELAXED);
}

CFLRI_FUNCTOR uint64_t cflri_most_wide(uint64_t *at, uint64_t value) {
    uint64_t there = cflri_look_wide(at);
    while (value > there && !__atomic_compare_exchange_n(at, &there, value, true, __ATOMIC_RELAXED,
                                                         __ATOMIC_RELAXED)) {
    }
    return there;
}

CFLRI_FUNCTOR uint64_t cflri_least_wide(uint64_t *at, uint64_t value) {
    uint64_t there = cflri_look_wide(at);
    while (value < there && !__atomic_compare_exchange_n(at, &there, value, true, __ATOMIC_RELAXED,
                                                         __ATOMIC_RELAXED)) {
    }
    return there;
}

CFLRI_FUNCTOR uint64_t cflri_join_wide(uint64_t *at, uint64_t bits) {
    return __atomic_fetch_or(at, bits, __ATOMIC_RELAXED);
}

CFLRI_FUNCTOR cflri_shared_word cflri_join_word(cflri_shared_word *at, cflri_shared_word bits) {
    return __atomic_fetch_or(at, bits, __ATOMIC_RELAXED);
}

/* These two and cflri_least are in one order for all threads: one puts a value and looks for a bit,
 * another drops the bit and looks for the value, and one of them finds what the other has done. */
CFLRI_FUNCTOR cflri_shared_word cflri_meet_word(cflri_shared_word *at, cflri_shared_word bits) {
    return __atomic_fetch_and(at, bits, __ATOMIC_SEQ_CST);
}

CFLRI_FUNCTOR cflri_shared_word cflri_look_word(const cflri_shared_word *at) {
    return __atomic_load_n(at, __ATOMIC_SEQ_CST);
}

CFLRI_FUNCTOR void cflri_clear_word(cflri_shared_word *at) {
    __atomic_store_n(at, 0, __ATOMIC_RELAXED);
}

/* No processor adds numbers of this kind at once, so it is tried until no other thread came
 * between. */
CFLRI_FUNCTOR void cflri_add_float(float *at, float value) {
    float there, sum;
    __atomic_load(at, &there, __ATOMIC_RELAXED);
    do {
        sum = there + value;
    } while (
        !__atomic_compare_exchange(at, &there, &sum, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}

CFLRI_FUNCTOR double cflri_add_real(double *at, double value) {
    double there, sum;
    __atomic_load(at, &there, __ATOMIC_RELAXED);
    do {
        sum = there + value;
    } while (
        !__atomic_compare_exchange(at, &there, &sum, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return there;
}

/* Leaves 0. */
CFLRI_FUNCTOR double cflri_take_real(double *at) {
    double there, none = 0;
    __atomic_exchange(at, &none, &there, __ATOMIC_SEQ_CST);
    return there;
}

#endif

/* ---- the bits of numbers ---- */

CFLRI_FUNCTOR float cflri_real_of_bits(uint32_t bits) {
    float real;
    memcpy(&real, &bits, sizeof real);
    return real;
}

CFLRI_FUNCTOR uint32_t cflri_bits_of_real(float real) {
    uint32_t bits;
    memcpy(&bits, &real, sizeof bits);
    return bits;
}

CFLRI_FUNCTOR double cflri_double_of_bits(uint64_t bits) {
    double real;
    memcpy(&real, &bits, sizeof real);
    return real;
}

CFLRI_FUNCTOR uint64_t cflri_bits_of_double(double real) {
    uint64_t bits;
    memcpy(&bits, &real, sizeof bits);
    return bits;
}

/* ---- sets by bits ---- */

CFLRI_FUNCTOR bool cflri_has_bit(const cflri_shared_word *bits, uint32_t v) {
    return bits[v / CFLRI_WORD_BITS] >> v % CFLRI_WORD_BITS & 1;
}

/* The same, after all that this thread has changed before. */
CFLRI_FUNCTOR bool cflri_sees_bit(const cflri_shared_word *bits, uint32_t v) {
    return cflri_look_word(&bits[v / CFLRI_WORD_BITS]) >> v % CFLRI_WORD_BITS & 1;
}

CFLRI_FUNCTOR cflri_shared_word cflri_bit(uint32_t v) {
    return (cflri_shared_word)1 << v % CFLRI_WORD_BITS;
}

CFLRI_FUNCTOR void cflri_drop_bit(cflri_shared_word *bits, uint32_t v) {
    cflri_meet_word(&bits[v / CFLRI_WORD_BITS], ~cflri_bit(v));
}

/* Was it there? What a thread does next only if so, it does after it. */
CFLRI_FUNCTOR bool cflri_take_bit(cflri_shared_word *bits, uint32_t v) {
    return (cflri_meet_word(&bits[v / CFLRI_WORD_BITS], ~cflri_bit(v)) & cflri_bit(v)) != 0;
}

/* Was it there before? */
CFLRI_FUNCTOR bool cflri_add_bit(cflri_shared_word *bits, uint32_t v) {
    return (cflri_join_word(&bits[v / CFLRI_WORD_BITS], cflri_bit(v)) & cflri_bit(v)) != 0;
}

#endif
