/* SPDX-License-Identifier: Apache-2.0
 *
 * stats_plot.h: the figures of `cflr solve --stats` as a picture.
 */
#ifndef CFLR_CLI_SOLVE_STATS_PLOT_H
#define CFLR_CLI_SOLVE_STATS_PLOT_H

#include "cli/run/run.h"

/* 0, or the exit code after a message. */
int stats_plot(const cflr_result *result, const char *path);

#endif
