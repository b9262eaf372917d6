/* SPDX-License-Identifier: Apache-2.0
 *
 * steps.c: what several commands do alike.
 */
#include <string.h>
#include <time.h>

#include "cli/cli.h"

double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void loading_free(cli_loading *loading) {
    cflr_result_free(loading->result);
    cflr_grammar_free(loading->grammar);
    cflr_graph_free(loading->graph);
}

void print_diagnostics(const cflr_grammar *grammar, const char *subject) {
    for (size_t i = 0; i < cflr_grammar_diagnostics(grammar); i++) {
        const cflr_diagnostic *d = cflr_grammar_diagnostic(grammar, i);
        if (d->line)
            remark("%s:%u:%u: warning: %s", subject, d->line, d->column, d->message);
        else
            remark("%s: warning: %s", subject, d->message);
    }
}

static json_t *labels_json(const cflr_result *result) {
    json_t *labels = json_object();
    for (uint32_t i = 0; i < cflr_result_labels(result); i++) {
        cflr_result_label label;
        cflr_result_get_label(result, i, &label);
        json_t *object = json_object();
        json_object_set_new(object, "pairs", json_integer((json_int_t)label.pairs));
        json_object_set_new(object, "rows", json_integer((json_int_t)label.rows));
        json_object_set_new(labels, label.name, object);
    }
    return labels;
}

json_t *solve_json(const cli_loading *loading) {
    cflr_result_stats stats;
    cflr_result_get_stats(loading->result, &stats);
    json_t *seconds = json_object();
    json_object_set_new(seconds, "load", json_real(loading->seconds_load));
    json_object_set_new(seconds, "solve", json_real(stats.seconds_solve));
    json_object_set_new(seconds, "write", json_real(loading->seconds_write));
    json_t *object = json_object();
    json_object_set_new(object, "complete", json_boolean(stats.complete));
    json_object_set_new(object, "model", json_string(cflr_model_name(stats.model)));
    json_object_set_new(object, "threads", json_integer(stats.threads));
    json_object_set_new(object, "pairs", json_integer((json_int_t)stats.pairs));
    json_object_set_new(object, "rounds", json_integer((json_int_t)stats.rounds));
    json_object_set_new(object, "derivations", json_integer((json_int_t)stats.derivations));
    json_object_set_new(object, "peak_bytes", json_integer((json_int_t)stats.peak_bytes));
    json_object_set_new(object, "seconds", seconds);
    json_object_set_new(object, "labels", labels_json(loading->result));
    return object;
}
