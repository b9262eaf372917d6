/* SPDX-License-Identifier: Apache-2.0
 *
 * progress.c: a line that rewrites itself on a terminal; elsewhere one line a minute.
 */
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

static const double quiet_first_seconds = 1, line_every_seconds = 60;

/* A message may come from any thread, and wipes the line first. */
static atomic_bool line_shown;

bool on_terminal(void) {
    const char *terminal = getenv("TERM");
    bool dumb = !terminal || strcmp(terminal, "dumb") == 0;
    return isatty(STDERR_FILENO) && !dumb && !getenv("CI");
}

void clear_progress(void) {
    if (atomic_exchange(&line_shown, false)) fputs("\r\033[K", stderr);
}

static void print(const cflr_progress *progress) {
    double gigabytes = (double)progress->memory / 1e9;
    fprintf(stderr, "%s %" PRIu64, progress->phase, progress->done);
    if (progress->total) fprintf(stderr, "/%" PRIu64, progress->total);
    fprintf(stderr, "  %.0f s  %.2f GB", progress->seconds, gigabytes);
}

bool show_progress(void *user, const cflr_progress *progress) {
    (void)user;
    static double last_line;
    if (on_terminal()) {
        if (progress->seconds < quiet_first_seconds) return true;
        fputs("\r\033[K", stderr);
        print(progress);
        fflush(stderr);
        line_shown = true;
    } else if (progress->seconds - last_line >= line_every_seconds) {
        last_line = progress->seconds;
        fputs("cflr: ", stderr);
        print(progress);
        fputc('\n', stderr);
    }
    return true;
}
