/* SPDX-License-Identifier: Apache-2.0
 *
 * context.h: the surroundings of a run: memory, threads, limits, log, progress, cancellation.
 *
 * Every object is made in a context and must be freed before it. Two contexts share nothing that
 * changes. Objects that are frozen (graphs, grammars, results) may be read by many threads at once;
 * everything else belongs to one thread at a time, except cflr_context_cancel.
 */
#ifndef CFLR_CONTEXT_H
#define CFLR_CONTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cflr/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cflr_context cflr_context;

/* A replaceable allocator. All three functions must be set and thread-safe; `allocate` and
 * `reallocate` return NULL when they fail, memory is aligned for any type. The library counts every
 * byte that it asks for, whichever allocator is used. */
typedef struct cflr_allocator {
    void *user;
    void *(*allocate)(void *user, size_t size);
    void *(*reallocate)(void *user, void *block, size_t size);
    void (*release)(void *user, void *block);
} cflr_allocator;

typedef enum cflr_log_level {
    CFLR_LOG_WARNING = 0,
    CFLR_LOG_INFO = 1,
    CFLR_LOG_DEBUG = 2,
} cflr_log_level;

/* A report of work in progress. `total` is 0 when it cannot be known (a closure).
 *
 *     phase       units
 *     "extract"   translation units
 *     "load"      bytes of a text, pieces or labels of a binary file, edges being sorted, words of
 *                 packed rows
 *     "solve"     pairs found; while the reference solver checks a result, too
 *     "traverse"  steps
 *     "verify"    samples; of a traversal vertices, or edges
 *     "write"     pairs; of packed rows bytes
 */
typedef struct cflr_progress {
    const char *phase; /* one of those above; static storage */
    uint64_t done;     /* in units of the phase; a phase may begin again with other units */
    uint64_t total;
    uint64_t memory; /* bytes that the process and its workers occupy now */
    double seconds;  /* since the context was made */
} cflr_progress;

/* Fill with cflr_context_opts_init, then change what you need. */
typedef struct cflr_context_opts {
    uint32_t struct_size;
    int threads; /* at most 1024; 0: all processors that the process may use */
    /* Bytes that the process may occupy, what it does before the context is made included (a small
     * program some 3 MB); 0: no limit. At the limit a solver stops with what it has. */
    uint64_t memory_limit;
    double time_limit; /* seconds; 0: none. Counted from cflr_context_new, see below */
    const cflr_allocator *allocator; /* NULL: malloc. Copied */
    cflr_log_level log_level;        /* messages above it are not formatted at all */
    void *user;                      /* handed to the two callbacks */
    /* May be called from any thread, one call at a time; the message is escaped (cflr_escape).
     * NULL: silence. */
    void (*log)(void *user, cflr_log_level level, const char *message);
    /* Called a few times a second at most, from one thread. Return false to cancel. NULL: none. */
    bool (*progress)(void *user, const cflr_progress *progress);
    /* Experimental: numbers of cflr_technique, added up, that the batch model leaves out. */
    unsigned without;
} cflr_context_opts;

/* Limits belong to the context, not to one call. Once the time is over, every later long call of
 * the context stops with CFLR_LIMIT too; only cflr_result_save and cflr_result_export still write
 * what there is, and cflr_verify counts the time anew. Memory that is freed may be used again: a
 * call after one that met the memory limit fails only when it meets the limit itself. */
CFLR_API void cflr_context_opts_init_sized(cflr_context_opts *opts, size_t struct_size);
static inline void cflr_context_opts_init(cflr_context_opts *opts) {
    cflr_context_opts_init_sized(opts, sizeof *opts);
}

/* opts: NULL for the defaults. *context is owned by the caller, NULL on error. */
CFLR_API cflr_status cflr_context_new(const cflr_context_opts *opts, cflr_context **context,
                                      cflr_error *error);

/* All objects of the context must be gone. NULL is a no-op. */
CFLR_API void cflr_context_free(cflr_context *context);

/* Asks the running call of this context to stop soon with CFLR_CANCELLED. Safe from any thread and
 * from a signal handler. The flag stays up: every later long call of the context stops too. */
CFLR_API void cflr_context_cancel(cflr_context *context);

/* Bytes that the context's objects hold now, and the most they ever held. */
CFLR_API uint64_t cflr_context_memory(const cflr_context *context);
CFLR_API uint64_t cflr_context_memory_peak(const cflr_context *context);

/* The number of threads that a parallel call of this context uses. */
CFLR_API int cflr_context_threads(const cflr_context *context);

#ifdef __cplusplus
}
#endif
#endif
