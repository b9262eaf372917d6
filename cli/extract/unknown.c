/* SPDX-License-Identifier: Apache-2.0
 *
 * unknown.c: the functions that have no model, as JSON, or as a text that becomes a file of
 * summaries by editing:
 *
 *     # void *pool_get(struct pool *p, size_t n)
 *     # pool_get:    # 41 calls, 2 values, src/pool.h:30:12
 *
 * All of it is comment, so that the file can be read at any time; taking away the first `#` of a
 * second line and writing an effect after the colon makes a summary of it.
 */
#include <inttypes.h>

#include "cli/extract/extraction.h"
#include "cli/run/writer.h"

static void put_count(FILE *file, uint64_t count, const char *what) {
    if (count) fprintf(file, "%" PRIu64 " %s%s, ", count, what, count == 1 ? "" : "s");
}

static void put_function(FILE *file, const void *of, const void *row) {
    const cflr_unmodelled *function = row;
    (void)of;
    fputs("# ", file);
    fputs(shown(function->prototype), file);
    fprintf(file, "\n# %s:    # ", shown(function->name));
    put_count(file, function->calls, "call");
    put_count(file, function->values, "value");
    print_place(file, function->file, function->line, function->column);
    fputc('\n', file);
}

static json_t *function_json(const void *of, const void *row) {
    const cflr_unmodelled *function = row;
    (void)of;
    json_t *object = json_object();
    json_set_text(object, "name", function->name);
    json_set_text(object, "prototype", function->prototype);
    json_set_count(object, "calls", function->calls);
    json_set_count(object, "values", function->values);
    json_set_place(object, function->file, function->line, function->column);
    return object;
}

int unknown_print(const cflr_extract_report *report) {
    static const row_kind functions = {NULL, put_function, function_json};
    const cflr_unmodelled *function;
    forget_output(); /* the graph has it */
    writer w = writer_open();
    writer_list(&w, &functions);
    for (size_t i = 0; (function = cflr_extract_unmodelled(report, i)); i++)
        writer_row(&w, &functions, report, function);
    return writer_close(&w, 0);
}
