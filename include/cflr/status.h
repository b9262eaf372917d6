/* SPDX-License-Identifier: Apache-2.0
 *
 * status.h: what every fallible call returns, and where the detail goes.
 *
 * A call returns CFLR_OK or one code of the list below. The numbers are stable: a code is never
 * renumbered, new ones are appended. The detail (which file, line, column, what was expected) is
 * written into a cflr_error of the caller at the place where the fact is known. The library never
 * prints, exits or aborts.
 *
 * Versions. A program that was built with older headers runs with this library, and one that was
 * built with newer ones does, as long as it asks for nothing new:
 *
 *   options       begin with struct_size, which NAME_init fills in: the library reads, and writes,
 *                 so many bytes. What an older caller lacks has its default, and what a newer one
 *                 has besides must be zero
 *   structs of    grow at their end. A call that fills or reads one is an inline function, which
 *   the caller    hands the caller's size to the function of the same name with _sized: bindings of
 *                 other languages call that one
 *   structs of    (`const cflr_note *`) grow at their end, too: no program may copy one by a size
 *   the library   of its own
 *   all others    never change: cflr_error, cflr_allocator, cflr_edge_list, cflr_vertex_list,
 *                 cflr_mention, cflr_place, cflr_assumption, cflr_call_type, cflr_verdict, and
 *                 what arrays are made of: cflr_pair, cflr_rule, cflr_flow, cflr_step,
 *                 cflr_witness_step, cflr_derivation_step
 *   enumerations  grow: a program must expect numbers that it does not know
 *
 * Arrays. Wherever a pointer comes with a count, the comment says whether the elements are sorted,
 * whether one may be there twice, and how long they live. What the caller hands over is read during
 * the call, unless a comment says more. The pointer of an empty array may be NULL.
 */
#ifndef CFLR_STATUS_H
#define CFLR_STATUS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define CFLR_API __attribute__((visibility("default")))
#else
#define CFLR_API
#endif

/* What is declared so may change or go in any version, whatever is said above. */
#define CFLR_EXPERIMENTAL CFLR_API

/* X(name, number, exit code of the cflr command, text) */
#define CFLR_STATUS_LIST(X)                                              \
    X(OK, 0, 0, "success")                                               \
    X(ARGUMENT, 1, 2, "invalid argument")                                \
    X(NOT_FOUND, 2, 2, "no such name")                                   \
    X(AMBIGUOUS, 3, 2, "ambiguous name")                                 \
    X(IO, 10, 3, "cannot read or write")                                 \
    X(SYNTAX, 11, 3, "malformed text")                                   \
    X(FORMAT, 12, 3, "malformed or damaged file")                        \
    X(UNSUPPORTED, 13, 3, "not supported")                               \
    X(LIMIT, 20, 4, "time or memory limit reached, partial result kept") \
    X(NO_MEMORY, 30, 5, "out of memory")                                 \
    X(NO_SPACE, 31, 5, "no space left on device")                        \
    X(UNAVAILABLE, 40, 6, "backend unavailable")                         \
    X(INTERNAL, 70, 70, "internal error")                                \
    X(CANCELLED, 130, 130, "interrupted, partial result kept")

typedef enum cflr_status {
#define CFLR_STATUS_ENUM(name, number, exit_code, text) CFLR_##name = number,
    CFLR_STATUS_LIST(CFLR_STATUS_ENUM)
#undef CFLR_STATUS_ENUM
} cflr_status;

/* Detail of one failure. A plain struct: copy it, keep it on the stack, nothing to free. `line` and
 * `column` count from 1; 0 means unknown. `subject` is what was being read (a path, a grammar's
 * name) as it is, to be opened or compared, empty when nothing was; `message` may quote what was
 * read and is escaped as cflr_escape does. */
typedef struct cflr_error {
    cflr_status code;
    int system_error; /* errno of the failed system call, or 0 */
    uint32_t line;
    uint32_t column;
    char subject[256];
    char message[256];
} cflr_error;

/* "NO_MEMORY" for CFLR_NO_MEMORY; "UNKNOWN" for a number outside the list. Static storage. */
CFLR_API const char *cflr_status_name(cflr_status status);

/* One short phrase for people. Static storage. */
CFLR_API const char *cflr_status_text(cflr_status status);

/* The exit code that the cflr command uses for `status`; embedders may use the same. */
CFLR_API int cflr_status_exit_code(cflr_status status);

/* Text from outside as one line that steers no terminal: bytes of control characters and those that
 * are no UTF-8 become \n, \t, \x1b and the like, all else stays. Writes what fits and a NUL;
 * returns the length of the whole, as snprintf. */
CFLR_API size_t cflr_escape(char *to, size_t room, const char *text);

#ifdef __cplusplus
}
#endif
#endif
