/* SPDX-License-Identifier: Apache-2.0
 *
 * cmd_merge.c: `cflr merge PART... -o OUT`: one result file out of its parts.
 */
#include "cli/answer/loading.h"

static struct poptOption table[] = {COMMON_OPTIONS};

static int print_report(const cflr_result *result, int parts) {
    cflr_result_stats stats;
    cflr_result_get_stats(result, &stats);
    json_t *object = json_object();
    json_set_count(object, "parts", (uint64_t)parts);
    json_set_text(object, "output", output_path());
    json_set(object, "complete", json_boolean(stats.complete));
    json_set_count(object, "pairs", stats.pairs);
    json_set(object, "labels", symbols_json(result));
    forget_output(); /* the result is written; the report goes to standard output */
    return print_json(object, 0);
}

static int write_result(const cflr_result *result, int parts) {
    cflr_error error;
    if (output_is_standard()) clear_progress();
    if (cflr_result_save(result, output_path(), &error) != CFLR_OK) return fail(&error);
    int code = wants_json() ? print_report(result, parts) : 0;
    if (code || cflr_result_complete(result)) return code;
    complain("a part is not complete, and so the result is partial");
    return cflr_status_exit_code(CFLR_LIMIT);
}

static int run(const cli_arguments *arguments) {
    cflr_error error;
    cflr_result *result = NULL;
    if (!common.output) return usage_error("merge needs -o OUT");
    if (wants_json() && output_is_standard()) {
        return usage_error("--format json: standard output is taken by the result");
    }
    int code = check_writable(output_path());
    if (!code) code = session_begin();
    if (code) return code;
    cflr_status st = cflr_result_load_parts(session(), arguments->operand,
                                            (size_t)arguments->n_operands, &result, &error);
    code = st == CFLR_OK ? write_result(result, arguments->n_operands) : fail(&error);
    cflr_result_free(result);
    return code;
}

const command command_merge = {.name = "merge",
                               .operands = "PART... -o OUT",
                               .summary = "put the parts of a result together",
                               .options = table,
                               .min_operands = 1,
                               .max_operands = -1,
                               .run = run};
