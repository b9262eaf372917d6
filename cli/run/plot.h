/* SPDX-License-Identifier: Apache-2.0
 *
 * plot.h: numbers as pictures, one below the other: a file of SVG, or of Vega-Lite with the data in
 * it, as its name ends.
 *
 *     plot p = {.title = "solve"};
 *     plot_panel *panel = plot_add(&p, PLOT_BARS, "Time by rule", "rule", "seconds");
 *     for each rule: plot_bar(panel, text, seconds);
 *     plot_sort(panel);
 *     code = plot_write(&p, "stats.svg");
 *     plot_free(&p);
 *
 * Where memory is refused the program ends, after a message.
 */
#ifndef CFLR_CLI_RUN_PLOT_H
#define CFLR_CLI_RUN_PLOT_H

#include "cli/run/run.h"

typedef enum plot_kind {
    PLOT_BARS,  /* a bar for each name */
    PLOT_LINE,  /* points in the order of x */
    PLOT_LOG_X, /* the same, with logarithms on the first or both axes: all numbers are above 0 */
    PLOT_LOG_Y,
    PLOT_LOG,
} plot_kind;

typedef struct plot_point {
    char *name; /* of a bar */
    double x, y;
} plot_point;

typedef struct plot_panel {
    plot_kind kind;
    const char *title, *x, *y; /* what the axes are of; they live as long as the plot */
    plot_point *point;
    size_t n, room;
} plot_panel;

enum { MOST_PANELS = 4 };

typedef struct plot {
    const char *title;
    plot_panel panel[MOST_PANELS];
    size_t n;
} plot;

/* 0 when a plot of this name can be written, or the exit code after a message. */
int plot_check(const char *path);

plot_panel *plot_add(plot *p, plot_kind kind, const char *title, const char *x, const char *y);
void plot_bar(plot_panel *panel, const char *name, double value);
void plot_at(plot_panel *panel, double x, double y);
/* Long bars first, those of 0 left out, and no more than `most`; the sum of others is one bar. */
void plot_sort(plot_panel *panel, size_t most);

/* The exit code to use, as of finish_output. */
int plot_write(const plot *p, const char *path);
void plot_free(plot *p);

/* ---- one format each (plot_svg.c, plot_vega.c) ---- */

void plot_write_svg(FILE *file, const plot *p);
void plot_write_vega(FILE *file, const plot *p);
bool plot_is_log(const plot_panel *panel, bool of_y);

#endif
