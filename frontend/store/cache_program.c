/* SPDX-License-Identifier: Apache-2.0
 *
 * cache_program.c: graph and report in a container (base/files/container.h).
 *
 *     "WHAT"   key, 4 numbers of 32 bits, little endian
 *     "REPT"   report_io.c
 *     G...     the graph (base/formats/io_cflg.c)
 */
#include "frontend/store/cache_program.h"

#include "base/formats/io.h"
#include "frontend/report/report_io.h"

static const char key_tag[] = "WHAT", report_tag[] = "REPT";

cflr_status cflri_extracted_write(cflr_context *context, cflri_output *output, cflri_digest key,
                                  const cflri_extracted *extracted, cflr_error *error) {
    cflr_status st = CFLR_OK;
    cflri_buffer report = {0};
    if (!cflri_report_write(extracted->report, &report))
        CFLR_TRY(cflri_fail_memory(context, error));
    cflri_container_begin(output);
    CFLR_TRY(cflri_container_section(context, output, key_tag, &key, sizeof key, error));
    CFLR_TRY(cflri_container_section(context, output, report_tag, report.at, report.n, error));
    CFLR_TRY(cflri_graph_write_sections(extracted->graph, output, false, error));
    cflri_container_end(output);
out:
    cflri_vec_free(context, &report);
    return st;
}

static cflr_status no_program(cflr_error *error) {
    return cflri_fail(error, CFLR_FORMAT, NULL, "not a program of the cache");
}

static cflr_status check_key(cflr_context *context, const cflri_section *section, cflri_digest key,
                             cflr_error *error) {
    void *plain = NULL;
    if (section->size != sizeof key) return no_program(error);
    cflr_status st = cflri_container_unpack(context, section, NULL, &plain, error);
    if (st == CFLR_OK && memcmp(plain, &key, sizeof key) != 0) st = no_program(error);
    cflri_free(context, plain);
    return st;
}

cflr_status cflri_extracted_read(cflr_context *context, const void *data, size_t size,
                                 cflri_digest key, cflri_extracted *extracted, cflr_error *error) {
    cflr_status st = CFLR_OK;
    cflri_section *sections = NULL;
    size_t n;
    void *plain = NULL;
    *extracted = (cflri_extracted){NULL, NULL};
    CFLR_TRY(cflri_container_open(context, data, size, NULL, &sections, &n, error));
    const cflri_section *what = cflri_container_find(sections, n, key_tag);
    const cflri_section *report = cflri_container_find(sections, n, report_tag);
    if (!what || !report) CFLR_TRY(no_program(error));
    CFLR_TRY(check_key(context, what, key, error));
    CFLR_TRY(cflri_graph_read_sections(context, sections, n, NULL, &extracted->graph, error));
    CFLR_TRY(cflr_graph_validate(extracted->graph, error));
    CFLR_TRY(cflri_container_unpack(context, report, NULL, &plain, error));
    CFLR_TRY(cflri_report_new(context, &extracted->report, error));
    st = cflri_report_read(extracted->report, plain, report->size,
                           cflr_graph_vertices(extracted->graph), error);
out:
    cflri_free(context, plain);
    cflri_free(context, sections);
    if (st != CFLR_OK) {
        cflr_graph_free(extracted->graph);
        cflr_extract_report_free(extracted->report);
        *extracted = (cflri_extracted){NULL, NULL};
    }
    return st;
}
