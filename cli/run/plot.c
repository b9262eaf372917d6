/* SPDX-License-Identifier: Apache-2.0
 *
 * plot.c: what a plot holds, and which format its file has.
 */
#include "cli/run/plot.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *end;
    void (*write)(FILE *file, const plot *p);
} formats[] = {{".svg", plot_write_svg}, {".vl.json", plot_write_vega}};

enum { N_FORMATS = sizeof formats / sizeof *formats };

int plot_check(const char *path) {
    for (size_t i = 0; i < N_FORMATS; i++)
        if (ends_with(path, formats[i].end)) return check_writable(path);
    return usage_error("--plot %s: the name ends in .svg, or in .vl.json for Vega-Lite",
                       shown(path));
}

plot_panel *plot_add(plot *p, plot_kind kind, const char *title, const char *x, const char *y) {
    plot_panel *panel = &p->panel[p->n++];
    *panel = (plot_panel){.kind = kind, .title = title, .x = x, .y = y};
    return panel;
}

static void add(plot_panel *panel, char *name, double x, double y) {
    if (!make_room(&panel->point, &panel->room, panel->n, sizeof *panel->point))
        exit(fail_memory());
    panel->point[panel->n++] = (plot_point){name, x, y};
}

void plot_bar(plot_panel *panel, const char *name, double value) {
    char *copy = strdup(name);
    if (!copy) exit(fail_memory());
    add(panel, copy, 0, value);
}

void plot_at(plot_panel *panel, double x, double y) {
    add(panel, NULL, x, y);
}

static int compare_bars(const void *left, const void *right) {
    const plot_point *a = left, *b = right;
    if (a->y != b->y) return a->y > b->y ? -1 : 1;
    return strcmp(a->name, b->name);
}

void plot_sort(plot_panel *panel, size_t most) {
    double rest = 0;
    if (panel->n) qsort(panel->point, panel->n, sizeof *panel->point, compare_bars);
    while (panel->n && panel->point[panel->n - 1].y <= 0) free(panel->point[--panel->n].name);
    if (panel->n <= most) return;
    for (size_t i = most; i < panel->n; i++) {
        rest += panel->point[i].y;
        free(panel->point[i].name);
    }
    char text[40];
    snprintf(text, sizeof text, "%zu others", panel->n - most);
    panel->n = most;
    plot_bar(panel, text, rest);
}

bool plot_is_log(const plot_panel *panel, bool of_y) {
    return panel->kind == PLOT_LOG || panel->kind == (of_y ? PLOT_LOG_Y : PLOT_LOG_X);
}

int plot_write(const plot *p, const char *path) {
    size_t i = 0;
    while (!ends_with(path, formats[i].end)) i++;
    FILE *file = open_file(path);
    if (file) formats[i].write(file, p);
    return finish_output(file, 0);
}

void plot_free(plot *p) {
    for (size_t i = 0; i < p->n; i++) {
        for (size_t k = 0; k < p->panel[i].n; k++) free(p->panel[i].point[k].name);
        free(p->panel[i].point);
    }
}
