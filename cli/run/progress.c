/* SPDX-License-Identifier: Apache-2.0
 *
 * progress.c: a line that rewrites itself on a terminal, with a bar where the end is known;
 * elsewhere one line a minute.
 *
 *     extract [###---------] 260/800  14 s, about 30 s left  0.12 GB
 *     solve 14000000  14 s, limit in 586 s  0.12 GB
 */
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/run/estimate.h"
#include "cli/run/run.h"

static const double quiet_first_seconds = 1, line_every_seconds = 60;

/* With what stands beside it, a line of less than 80 columns: one that wraps could not be
 * erased. */
enum { BAR_CELLS = 12 };

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

/* What comes first: the end of the work, as far as it can be told, or that of --time. */
static void print_rest(const cflr_progress *progress, double left) {
    double limit = time_limit() - progress->seconds;
    char text[ESTIMATE_TEXT];
    estimate_text(left, text);
    if (left >= 0 && (time_limit() <= 0 || left < limit))
        fprintf(stderr, ", %s", text);
    else if (limit > 0)
        fprintf(stderr, ", limit in %.0f s", limit);
}

static void print(const cflr_progress *progress, bool bar, double left) {
    double gigabytes = (double)progress->memory / 1e9;
    fprintf(stderr, "%s ", progress->phase);
    if (bar && progress->total) print_bar(progress);
    bool counts = progress->done || progress->total; /* a loop counts its pairs at its end */
    if (counts) fprintf(stderr, "%" PRIu64, progress->done);
    if (progress->total) fprintf(stderr, "/%" PRIu64, progress->total);
    fprintf(stderr, "  %.0f s", progress->seconds);
    print_rest(progress, left);
    fprintf(stderr, "  %.2f GB", gigabytes);
}

bool show_progress(void *user, const cflr_progress *progress) {
    (void)user;
    static double last_line;
    static estimate end;
    double left = estimate_left(&end, progress);
    if (on_terminal()) {
        if (progress->seconds < quiet_first_seconds) return true;
        fputs("\r\033[K", stderr);
        print(progress, true, left);
        fflush(stderr);
        line_shown = true;
    } else if (progress->seconds - last_line >= line_every_seconds) {
        last_line = progress->seconds;
        fputs("cflr: ", stderr);
        print(progress, false, left);
        fputc('\n', stderr);
    }
    return true;
}
