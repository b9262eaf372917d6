/* SPDX-License-Identifier: Apache-2.0
 *
 * progress.c: a line that rewrites itself on a terminal, with a bar where the end is known;
 * elsewhere one line a minute.
 *
 *     extract [######--------------] 260/800  14 s, 586 s left  0.12 GB
 */
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/run/run.h"

static const double quiet_first_seconds = 1, line_every_seconds = 60;

/* With what stands beside it, a line of less than 80 columns: one that wraps could not be
 * erased. */
enum { BAR_CELLS = 20 };

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

/* "[######--------------]" */
static void print_bar(const cflr_progress *progress) {
    char cells[BAR_CELLS + 1];
    double part = (double)progress->done / (double)progress->total;
    int full = part < 1 ? (int)(part * (double)BAR_CELLS) : BAR_CELLS;
    for (int i = 0; i < BAR_CELLS; i++) cells[i] = i < full ? '#' : '-';
    cells[BAR_CELLS] = '\0';
    fprintf(stderr, "[%s] ", cells);
}

static void print(const cflr_progress *progress, bool bar) {
    double gigabytes = (double)progress->memory / 1e9;
    fprintf(stderr, "%s ", progress->phase);
    if (bar && progress->total) print_bar(progress);
    bool counts = progress->done || progress->total; /* a loop counts its pairs at its end */
    if (counts) fprintf(stderr, "%" PRIu64, progress->done);
    if (progress->total) fprintf(stderr, "/%" PRIu64, progress->total);
    fprintf(stderr, "  %.0f s", progress->seconds);
    if (time_limit() > progress->seconds)
        fprintf(stderr, ", %.0f s left", time_limit() - progress->seconds);
    fprintf(stderr, "  %.2f GB", gigabytes);
}

bool show_progress(void *user, const cflr_progress *progress) {
    (void)user;
    static double last_line;
    if (on_terminal()) {
        if (progress->seconds < quiet_first_seconds) return true;
        fputs("\r\033[K", stderr);
        print(progress, true);
        fflush(stderr);
        line_shown = true;
    } else if (progress->seconds - last_line >= line_every_seconds) {
        last_line = progress->seconds;
        fputs("cflr: ", stderr);
        print(progress, false);
        fputc('\n', stderr);
    }
    return true;
}
