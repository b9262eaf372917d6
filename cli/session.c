/* SPDX-License-Identifier: Apache-2.0
 *
 * session.c: the common options, the one context of a run, and its output.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

common_options common;

struct poptOption common_table[] = {
    {"threads", 'j', POPT_ARG_INT, &common.threads, 0, "threads (default: all)", "N"},
    {"memory", '\0', POPT_ARG_STRING, &common.memory, 0,
     "stop with a partial result at this size of the process", "16G"},
    {"time", '\0', POPT_ARG_STRING, &common.time, 0, "stop with a partial result after", "10m"},
    {"format", '\0', POPT_ARG_STRING, &common.format, 0, "text or json", "FORMAT"},
    {"output", 'o', POPT_ARG_STRING, &common.output, 0, "write to FILE", "FILE"},
    {"quiet", 'q', POPT_ARG_NONE, &common.quiet, 0, "no progress, no warnings", NULL},
    {"verbose", 'v', POPT_ARG_NONE, &common.verbose, 0, "say what is done and why", NULL},
    POPT_TABLEEND};

static cflr_context *context;

static void on_interrupt(int signal_number) {
    (void)signal_number;
    cflr_context_cancel(context);
}

static void on_log(void *user, cflr_log_level level, const char *message) {
    (void)user;
    clear_progress();
    if (level == CFLR_LOG_WARNING)
        remark("warning: %s", message);
    else
        complain("%s", message);
}

static int read_limits(cflr_context_opts *opts) {
    if (common.threads < 0 || common.threads > 4096) {
        return usage_error("-j %d: threads must be 1 to 4096", common.threads);
    }
    if (common.memory &&
        (!parse_size(common.memory, &opts->memory_limit) || opts->memory_limit == 0)) {
        return usage_error("--memory %s: a size is a number and K, M, G or T", common.memory);
    }
    if (common.time && (!parse_duration(common.time, &opts->time_limit) || opts->time_limit <= 0)) {
        return usage_error("--time %s: a duration is a number and s, m or h", common.time);
    }
    if (common.format && strcmp(common.format, "text") != 0 && strcmp(common.format, "json") != 0) {
        return usage_error("--format %s: there are text and json", common.format);
    }
    return 0;
}

int session_begin(void) {
    cflr_context_opts opts;
    cflr_context_opts_init(&opts);
    int code = read_limits(&opts);
    if (code) return code;
    opts.threads = common.threads;
    opts.log_level = common.verbose ? CFLR_LOG_INFO : CFLR_LOG_WARNING;
    opts.log = on_log;
    if (!common.quiet) opts.progress = show_progress;
    cflr_error error;
    if (cflr_context_new(&opts, &context, &error) != CFLR_OK) return fail(&error);
    struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = SA_RESTART | SA_RESETHAND};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    signal(SIGPIPE, SIG_IGN); /* a closed pipe is an output error, not a death */
    return 0;
}

cflr_context *session(void) {
    return context;
}

void session_end(void) {
    clear_progress();
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    cflr_context_free(context);
    context = NULL;
    free(common.memory);
    free(common.time);
    free(common.format);
    free(common.output);
}

bool wants_json(void) {
    return common.format && strcmp(common.format, "json") == 0;
}

void forget_output(void) {
    free(common.output);
    common.output = NULL;
}

const char *output_path(void) {
    return common.output ? common.output : "-";
}

FILE *open_output(void) {
    if (strcmp(output_path(), "-") == 0) return stdout;
    FILE *file = fopen(common.output, "w");
    if (!file) complain("%s: cannot write: %s", common.output, strerror(errno));
    return file;
}

int finish_output(FILE *file, int code) {
    if (!file) return cflr_status_exit_code(CFLR_IO);
    errno = 0;
    bool failed = ferror(file) != 0;
    failed |= (file == stdout ? fflush(file) : fclose(file)) != 0;
    if (!failed) return code;
    int reason = errno;
    if (reason != EPIPE) complain("%s: cannot write: %s", output_path(), strerror(reason));
    return cflr_status_exit_code(reason == ENOSPC ? CFLR_NO_SPACE : CFLR_IO);
}

int print_json(json_t *object, int code) {
    FILE *file = open_output();
    if (file && (json_dumpf(object, file, JSON_INDENT(2) | JSON_PRESERVE_ORDER) != 0 ||
                 fputc('\n', file) == EOF)) {
        json_decref(object);
        return finish_output(file, code);
    }
    json_decref(object);
    return finish_output(file, code);
}
