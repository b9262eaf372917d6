/* SPDX-License-Identifier: Apache-2.0
 *
 * plot_vega.c: a plot as a specification of Vega-Lite 5, with its data in it.
 */
#include "cli/run/plot.h"

static json_t *axis_json(const char *field, const char *type, const char *title, bool log) {
    json_t *axis = json_pack("{ss ss ss}", "field", field, "type", type, "title", title);
    if (log) json_object_set_new(axis, "scale", json_pack("{ss}", "type", "log"));
    return axis;
}

static json_t *values_json(const plot_panel *panel) {
    json_t *values = json_array();
    for (size_t i = 0; i < panel->n; i++) {
        const plot_point *at = &panel->point[i];
        json_t *value = json_object();
        if (at->name)
            json_set_text(value, "name", at->name);
        else
            json_set(value, "x", json_real(at->x));
        json_set(value, "y", json_real(at->y));
        json_array_append_new(values, value);
    }
    return values;
}

static json_t *panel_json(const plot_panel *panel) {
    bool bars = panel->kind == PLOT_BARS;
    json_t *object = json_object(), *encoding = json_object();
    json_t *value = axis_json("y", "quantitative", panel->y, plot_is_log(panel, true));
    json_t *what = axis_json(bars ? "name" : "x", bars ? "nominal" : "quantitative", panel->x,
                             plot_is_log(panel, false));
    if (bars) json_object_set_new(what, "sort", json_null()); /* as the data comes */
    json_set(encoding, bars ? "y" : "x", what);
    json_set(encoding, bars ? "x" : "y", value);
    json_set_text(object, "title", panel->title);
    json_set(object, "width", json_integer(480));
    json_set(object, "data", json_pack("{so}", "values", values_json(panel)));
    json_set(object, "mark",
             bars ? json_pack("{ss sb}", "type", "bar", "tooltip", 1)
                  : json_pack("{ss sb sb}", "type", "line", "point", 1, "tooltip", 1));
    json_set(object, "encoding", encoding);
    return object;
}

void plot_write_vega(FILE *file, const plot *p) {
    json_t *object = json_object(), *panels = json_array();
    json_set_text(object, "$schema", "https://vega.github.io/schema/vega-lite/v5.json");
    json_set_text(object, "title", p->title);
    for (size_t i = 0; i < p->n; i++) json_array_append_new(panels, panel_json(&p->panel[i]));
    json_set(object, "vconcat", panels);
    json_dumpf(object, file, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
    fputc('\n', file);
    json_decref(object);
}
