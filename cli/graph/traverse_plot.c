/* SPDX-License-Identifier: Apache-2.0
 *
 * traverse_plot.c: what a primitive found, as a picture: how many vertices have which value.
 *
 *     level          vertices by hops: the frontier of each round
 *     component      components by the vertices that they have
 *     small numbers  vertices by value
 *     others         vertices by power of two of their value
 *
 * With --trials, the time of each besides. O(vertices).
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/graph/traverse.h"
#include "cli/run/plot.h"

enum { SMALL = 256, POWERS = 2200, LOWEST = -1080 /* of a double */ };

/* Vertices by value, and by power of two. */
typedef struct tally {
    uint64_t small[SMALL], power[POWERS];
    uint64_t not_above, none; /* vertices whose value is not above 0, and without a value */
    double most;
    bool whole; /* all values are whole numbers */
} tally;

static void count(tally *t, double value) {
    bool whole = value == floor(value);
    t->whole &= whole;
    t->most = fmax(t->most, value);
    if (whole && value >= 0 && value < (double)SMALL) t->small[(size_t)value]++;
    if (value > 0)
        t->power[(int)floor(log2(value)) - LOWEST]++;
    else
        t->not_above++;
}

static double number_of(cell value) {
    return value.kind == CELL_COUNT ? (double)value.count : value.number;
}

/* Cells of a column; of `component`, how many vertices have each. */
static int tally_column(const cflr_column *column, tally *t) {
    bool sizes = strcmp(column->name, "component") == 0;
    uint64_t *size = sizes ? calloc(column->n + 1, sizeof *size) : NULL;
    if (sizes && !size) return fail_memory();
    for (uint64_t i = 0; i < column->n; i++) {
        cell value = cell_of(column, i);
        if (value.kind != CELL_COUNT && value.kind != CELL_NUMBER)
            t->none++;
        else if (sizes)
            size[value.count]++;
        else
            count(t, number_of(value));
    }
    for (uint64_t i = 0; sizes && i < column->n; i++)
        if (size[i]) count(t, (double)size[i]);
    free(size);
    return 0;
}

/* What is drawn, and how many vertices cannot be: logarithms leave out what is not above 0. */
static void describe(const tally *t, const char *column, bool small, char *title, size_t size) {
    bool sizes = strcmp(column, "component") == 0, levels = strcmp(column, "level") == 0;
    const char *by = sizes    ? "Components by size"
                     : levels ? "Vertices by level: each frontier"
                     : small  ? "Vertices by value"
                              : "Vertices by power of two of their value";
    size_t n = (size_t)snprintf(title, size, "%s", by);
    if (t->none && n < size)
        n += (size_t)snprintf(title + n, size - n, "; %" PRIu64 " have none", t->none);
    if (!small && t->not_above && n < size)
        snprintf(title + n, size - n, "; %" PRIu64 " are not above 0", t->not_above);
}

static void add_tally(plot *p, const tally *t, const cflr_column *column, char *title,
                      size_t size) {
    bool small = t->whole && t->most < (double)SMALL,
         sizes = strcmp(column->name, "component") == 0;
    describe(t, column->name, small, title, size);
    plot_panel *panel = plot_add(p, small ? PLOT_LOG_Y : PLOT_LOG, title,
                                 sizes ? "vertices of a component" : column->name,
                                 sizes ? "components" : "vertices");
    for (int i = 0; small && i < SMALL; i++)
        if (t->small[i]) plot_at(panel, i, (double)t->small[i]);
    for (int i = 0; !small && i < POWERS; i++)
        if (t->power[i]) plot_at(panel, ldexp(1, i + LOWEST), (double)t->power[i]);
}

static void add_trials(plot *p, const traversing *t) {
    plot_panel *panel = plot_add(p, PLOT_LINE, "Time of each trial", "trial", "seconds");
    for (uint32_t i = 0; i < t->choices->trials; i++) plot_at(panel, i + 1, t->trial[i].seconds);
}

int traverse_plot(const traversing *t) {
    char title[80], panel_title[160];
    plot p = {.title = title};
    const cflr_column *column = first_vertex_column(t);
    tally *found = calloc(1, sizeof *found);
    if (!found) return fail_memory();
    found->whole = true;
    snprintf(title, sizeof title, "cflr graph %s", cflr_primitive_name(t->choices->primitive));
    int code = tally_column(column, found);
    if (!code) {
        add_tally(&p, found, column, panel_title, sizeof panel_title);
        if (t->choices->trials > 1) add_trials(&p, t);
        code = plot_write(&p, t->choices->plot);
    }
    free(found);
    plot_free(&p);
    return code;
}
