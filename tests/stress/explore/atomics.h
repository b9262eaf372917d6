/* SPDX-License-Identifier: Apache-2.0
 *
 * atomics.h: the compiler includes this ahead of a source file that is explored (explore.h). A step
 * ends before each atomic access, and after each that writes.
 *
 * Headers whose structures are not explored come first, so their accesses end no step. The
 * functions below contain the original macros.
 */
#ifndef CFLRI_EXPLORE_ATOMICS_H
#define CFLRI_EXPLORE_ATOMICS_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/crew.h"
#include "engine/sets/sets.h"
#include "tests/stress/explore/explore.h"

#define EXPLORED(type, name)                                                                  \
    static inline type explored_exchange_##name(_Atomic type *at, type with) {                \
        cflri_explore_point();                                                                \
        type before = atomic_exchange(at, with);                                              \
        cflri_explore_point();                                                                \
        return before;                                                                        \
    }                                                                                         \
    static inline bool explored_compare_##name(_Atomic type *at, type *expected, type with) { \
        cflri_explore_point();                                                                \
        bool changed = atomic_compare_exchange_strong(at, expected, with);                    \
        cflri_explore_point();                                                                \
        return changed;                                                                       \
    }                                                                                         \
    static inline type explored_add_##name(_Atomic type *at, type more) {                     \
        cflri_explore_point();                                                                \
        type before = atomic_fetch_add(at, more);                                             \
        cflri_explore_point();                                                                \
        return before;                                                                        \
    }                                                                                         \
    static inline type explored_sub_##name(_Atomic type *at, type less) {                     \
        cflri_explore_point();                                                                \
        type before = atomic_fetch_sub(at, less);                                             \
        cflri_explore_point();                                                                \
        return before;                                                                        \
    }                                                                                         \
    static inline type explored_or_##name(_Atomic type *at, type with) {                      \
        cflri_explore_point();                                                                \
        type before = atomic_fetch_or(at, with);                                              \
        cflri_explore_point();                                                                \
        return before;                                                                        \
    }                                                                                         \
    static inline type explored_and_##name(_Atomic type *at, type with) {                     \
        cflri_explore_point();                                                                \
        type before = atomic_fetch_and(at, with);                                             \
        cflri_explore_point();                                                                \
        return before;                                                                        \
    }
EXPLORED(uint32_t, 32)
EXPLORED(uint64_t, 64)
#undef EXPLORED

#undef atomic_load
#undef atomic_load_explicit
#undef atomic_store
#undef atomic_store_explicit
#undef atomic_exchange
#undef atomic_exchange_explicit
#undef atomic_compare_exchange_strong
#undef atomic_compare_exchange_strong_explicit
#undef atomic_compare_exchange_weak
#undef atomic_compare_exchange_weak_explicit
#undef atomic_fetch_add
#undef atomic_fetch_add_explicit
#undef atomic_fetch_sub
#undef atomic_fetch_sub_explicit
#undef atomic_fetch_or
#undef atomic_fetch_or_explicit
#undef atomic_fetch_and
#undef atomic_fetch_and_explicit

#define explored_by_size(at, what) \
    _Generic((at), _Atomic uint32_t *           \
             : explored_##what##_32, _Atomic uint64_t * \
             : explored_##what##_64)
#define atomic_load(at) (cflri_explore_point(), *(at))
#define atomic_store(at, value) \
    (cflri_explore_point(), (void)(*(at) = (value)), cflri_explore_point())
#define atomic_exchange(at, value) explored_by_size(at, exchange)(at, value)
#define atomic_compare_exchange_strong(at, expected, value) \
    explored_by_size(at, compare)(at, expected, value)
#define atomic_compare_exchange_weak atomic_compare_exchange_strong
#define atomic_fetch_add(at, value) explored_by_size(at, add)(at, value)
#define atomic_fetch_sub(at, value) explored_by_size(at, sub)(at, value)
#define atomic_fetch_or(at, value) explored_by_size(at, or)(at, value)
#define atomic_fetch_and(at, value) explored_by_size(at, and)(at, value)

#define atomic_load_explicit(at, order) atomic_load(at)
#define atomic_store_explicit(at, value, order) atomic_store(at, value)
#define atomic_compare_exchange_weak_explicit(at, expected, value, order, otherwise) \
    atomic_compare_exchange_strong(at, expected, value)
#define atomic_fetch_add_explicit(at, value, order) atomic_fetch_add(at, value)
#define atomic_fetch_sub_explicit(at, value, order) atomic_fetch_sub(at, value)
#define atomic_fetch_and_explicit(at, value, order) atomic_fetch_and(at, value)
#define atomic_fetch_or_explicit(at, value, order) atomic_fetch_or(at, value)
#define atomic_exchange_explicit(at, value, order) atomic_exchange(at, value)

/* The threads are one thread of the system, which must not sleep. */
#define pthread_mutex_lock(lock) cflri_explore_lock(lock)
#define pthread_cond_wait(changed, lock) cflri_explore_sleep(lock)

#endif
