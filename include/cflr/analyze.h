/* SPDX-License-Identifier: Apache-2.0
 *
 * analyze.h: from C source to answers in one call (library cflr_frontend): what `cflr analyze`
 * does.
 *
 *     cflr_analyze_opts opts;
 *     cflr_analyze_opts_init(&opts);
 *     opts.database = "build";
 *     st = cflr_analyze(context, &opts, &result, NULL, &error);
 *     if (result) st = cflr_result_ask_alias(result, "main::p", "list.c:21:got", &answer, &error);
 *     cflr_result_free(result);
 *
 * The steps are there one by one, with all their options: cflr_extract, cflr_grammar_load,
 * cflr_solve.
 */
#ifndef CFLR_ANALYZE_H
#define CFLR_ANALYZE_H

#include "cflr/extract.h"
#include "cflr/result.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Fill with cflr_analyze_opts_init, then change what you need. Exactly one input, as
 * cflr_extract_opts says. What is pointed to is read during the call only. */
typedef struct cflr_analyze_opts {
    uint32_t struct_size;
    const char *database;     /* compile_commands.json, or its directory; or NULL */
    const char *const *files; /* C files, n_files of them, in any order */
    size_t n_files;
    const char *const *flags; /* compiler flags, n_flags of them, in the compiler's order */
    size_t n_flags;
    const char *cache;   /* directory that keeps what was read; NULL: nothing is kept */
    const char *grammar; /* name of a shipped one, or a file; NULL: the one that fits the program */
    cflr_parsing parsing; /* default: CFLR_PARSING_WORKERS */
} cflr_analyze_opts;

CFLR_EXPERIMENTAL void cflr_analyze_opts_init_sized(cflr_analyze_opts *opts, size_t struct_size);
static inline void cflr_analyze_opts_init(cflr_analyze_opts *opts) {
    cflr_analyze_opts_init_sized(opts, sizeof *opts);
}

/* Reads the program and closes its graph. Aliasing, contexts and callees are chosen by what the
 * program is, as CFLR_ALIASING_AUTO and the related values say. *result answers `alias`,
 * `points-to` and `flows`, as far as the grammar does, and owns its graph: cflr_result_free frees
 * both. As with cflr_solve, it is partial on CFLR_LIMIT and CFLR_CANCELLED, and NULL on other
 * failures.
 *
 * *report is NULL or as cflr_extract leaves it, failure or not; with `report` NULL the caller does
 * not learn which units were lost. */
CFLR_EXPERIMENTAL cflr_status cflr_analyze(cflr_context *context, const cflr_analyze_opts *opts,
                                           cflr_result **result, cflr_extract_report **report,
                                           cflr_error *error);

#ifdef __cplusplus
}
#endif
#endif
