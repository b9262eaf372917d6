/* SPDX-License-Identifier: Apache-2.0
 *
 * absent.c: in place of the front end, in a build without it. The commands that read C exist, and
 * say so; there is never a report.
 */
#include <string.h>

#include "cli/extract/extraction.h"

int extraction_run(const cli_arguments *arguments, bool linking, cflr_graph **graph,
                   cflr_extract_report **report) {
    (void)arguments, (void)linking;
    *graph = NULL;
    *report = NULL;
    complain("this cflr was built without the C front end (libclang 19 or newer)");
    return cflr_status_exit_code(CFLR_UNAVAILABLE);
}

int extraction_list(const cli_arguments *arguments, bool linking, cflr_extract_report **report) {
    cflr_graph *graph;
    return extraction_run(arguments, linking, &graph, report);
}

const cflr_target *cflr_extract_target(const cflr_extract_report *report, size_t i) {
    (void)report, (void)i;
    return NULL;
}

int extraction_verdict(const cflr_extract_report *report, int code) {
    (void)report;
    return code;
}

void extraction_json(const cflr_extract_report *report, json_t *object) {
    (void)report, (void)object;
}

void extraction_text(const cflr_extract_report *report, FILE *file) {
    (void)report, (void)file;
}

const cflr_unmodelled *cflr_extract_unmodelled(const cflr_extract_report *report, size_t i) {
    (void)report, (void)i;
    return NULL;
}

void cflr_extract_report_free(cflr_extract_report *report) {
    (void)report;
}

void cflr_extract_get_counts_sized(const cflr_extract_report *report, cflr_extract_counts *counts,
                                   size_t struct_size) {
    (void)report;
    memset(counts, 0, struct_size);
}

const cflr_check *cflr_extract_check(const cflr_extract_report *report, size_t i) {
    (void)report, (void)i;
    return NULL;
}

const char *cflr_extract_unit(const cflr_extract_report *report, size_t i) {
    (void)report;
    (void)i;
    return NULL;
}

const cflr_note *cflr_extract_note(const cflr_extract_report *report, size_t i) {
    (void)report, (void)i;
    return NULL;
}

const char *cflr_rule_shipped(size_t i) {
    (void)i;
    return NULL;
}

const cflr_rule *cflr_extract_rules(const cflr_extract_report *report, size_t *n) {
    (void)report;
    *n = 0;
    return NULL;
}

const cflr_uncalled *cflr_extract_uncalled(const cflr_extract_report *report, size_t *n) {
    (void)report;
    *n = 0;
    return NULL;
}

const cflr_flow *cflr_extract_flows(const cflr_extract_report *report, size_t *n) {
    (void)report;
    *n = 0;
    return NULL;
}
