/* SPDX-License-Identifier: Apache-2.0
 *
 * plot_svg.c: a plot as SVG, light or dark as the reader likes it.
 *
 *     title
 *     name one   #############  12          |        .
 *     name two   ####  4                    |   . '
 *     name three ##  2                      |.____________
 */
#include <math.h>
#include <string.h>

#include "cli/run/plot.h"

enum { LONGEST = 44 /* bytes of a name */, TICKS = 4, MOST_DOTS = 200 };

/* Of the picture, of the title of a panel, of names and a bar, of a panel with a line. */
static const double wide = 760, margin = 16, title = 34, names = 300, bar = 20, left = 80,
                    high = 200, foot = 44;

static const char style[] =
    "<style>text{font:13px system-ui,sans-serif;fill:#1c2430}.dim{fill:#55606e}"
    ".head{font-weight:600}.back{fill:#fff}.bar{fill:#2a5bb5}.axis{stroke:#55606e}"
    ".line{fill:none;stroke:#2a5bb5;stroke-width:2}"
    "@media(prefers-color-scheme:dark){text{fill:#e3e8ee}.dim{fill:#a3aebb}.back{fill:#14181f}"
    ".bar{fill:#9cc2ff}.axis{stroke:#a3aebb}.line{stroke:#9cc2ff}}</style>\n";

/* As text of XML, at most so many bytes of it. */
static void put_text(FILE *file, const char *text, size_t most) {
    const char *seen = shown(text);
    for (size_t i = 0; seen[i] && (i < most || (seen[i] & 0xc0) == 0x80); i++) {
        const char *named = seen[i] == '<' ? "&lt;" : seen[i] == '&' ? "&amp;" : NULL;
        if (named)
            fputs(named, file);
        else
            fputc(seen[i], file);
    }
    if (strlen(seen) > most) fputs("...", file);
}

static void put_number(FILE *file, double number) {
    bool whole = fabs(number) < 0x1p53 && number == floor(number);
    fprintf(file, whole ? "%.0f" : "%.6g", number);
}

static void put_label(FILE *file, const char *kind, const char *anchor, double x, double y) {
    fprintf(file, "<text class=\"%s\" text-anchor=\"%s\" x=\"%.1f\" y=\"%.1f\">", kind, anchor, x,
            y);
}

/* ---- bars ---- */

static double greatest(const plot_panel *panel, bool of_y) {
    double most = 0;
    for (size_t i = 0; i < panel->n; i++)
        most = fmax(most, of_y ? panel->point[i].y : panel->point[i].x);
    return most;
}

static void put_bars(FILE *file, const plot_panel *panel, double top) {
    double most = greatest(panel, true), room = wide - names - 130;
    for (size_t i = 0; i < panel->n; i++) {
        const plot_point *at = &panel->point[i];
        double y = top + bar * (double)i, long_as = most > 0 ? at->y / most * room : 0;
        put_label(file, "name", "end", names, y + 14);
        put_text(file, at->name, LONGEST);
        fprintf(file,
                "</text><rect class=\"bar\" x=\"%.0f\" y=\"%.1f\" width=\"%.2f\" height=\"%.0f\"/>",
                names + 8, y + 3, fmax(long_as, 0.5), bar - 6);
        put_label(file, "dim", "start", names + 14 + long_as, y + 14);
        put_number(file, at->y);
        fputs("</text>\n", file);
    }
}

/* ---- lines ---- */

/* One axis: from `least` to `most`, which may be logarithms, over some units of the picture. */
typedef struct scale {
    bool log;
    double least, most;
} scale;

static scale scale_of(const plot_panel *panel, bool of_y) {
    scale s = {.log = plot_is_log(panel, of_y)};
    double most = greatest(panel, of_y), least = most;
    for (size_t i = 0; i < panel->n; i++)
        least = fmin(least, of_y ? panel->point[i].y : panel->point[i].x);
    s.least = s.log ? floor(log10(least)) : of_y ? 0 : least;
    s.most = s.log ? ceil(log10(most)) : most;
    if (s.most <= s.least) s.most = s.least + 1;
    return s;
}

/* From 0 to 1. */
static double share(const scale *s, double value) {
    return ((s->log ? log10(value) : value) - s->least) / (s->most - s->least);
}

static double value_at(const scale *s, double part) {
    double value = s->least + part * (s->most - s->least);
    return s->log ? pow(10, value) : value;
}

static void put_ticks(FILE *file, const scale *x, const scale *y, double top) {
    for (int i = 0; i <= TICKS; i++) {
        double part = (double)i / (double)TICKS, at = left + part * (wide - left - 2 * margin);
        put_label(file, "dim", "middle", at, top + high + 18);
        fprintf(file, "%.3g</text>", value_at(x, part));
        put_label(file, "dim", "end", left - 8, top + high * (1 - part) + 4);
        fprintf(file, "%.3g</text>\n", value_at(y, part));
    }
    fprintf(file, "<path class=\"axis\" fill=\"none\" d=\"M%.0f,%.1f V%.1f H%.0f\"/>\n", left, top,
            top + high, wide - 2 * margin);
}

static void put_line(FILE *file, const plot_panel *panel, double top) {
    if (!panel->n) return;
    scale x = scale_of(panel, false), y = scale_of(panel, true);
    put_ticks(file, &x, &y, top);
    fputs("<polyline class=\"line\" points=\"", file);
    for (size_t i = 0; i < panel->n; i++)
        fprintf(file, "%.1f,%.1f ",
                left + share(&x, panel->point[i].x) * (wide - left - 2 * margin),
                top + high * (1 - share(&y, panel->point[i].y)));
    fputs("\"/>\n", file);
    for (size_t i = 0; i < panel->n && panel->n <= MOST_DOTS; i++) {
        fprintf(file, "<circle class=\"bar\" r=\"3\" cx=\"%.1f\" cy=\"%.1f\"><title>",
                left + share(&x, panel->point[i].x) * (wide - left - 2 * margin),
                top + high * (1 - share(&y, panel->point[i].y)));
        put_number(file, panel->point[i].x);
        fputs(": ", file);
        put_number(file, panel->point[i].y);
        fputs("</title></circle>\n", file);
    }
    put_label(file, "dim", "end", wide - 2 * margin, top + high + 36);
    put_text(file, panel->x, LONGEST);
    fputs("</text>\n", file);
}

/* ---- all panels ---- */

static double height_of(const plot_panel *panel) {
    return title + margin + (panel->kind == PLOT_BARS ? bar * (double)panel->n : high + foot);
}

/* For readers that hear the picture. */
static void put_description(FILE *file, const plot *p) {
    fputs("<desc>", file);
    for (size_t i = 0; i < p->n; i++) {
        const plot_panel *panel = &p->panel[i];
        put_text(file, panel->title, SIZE_MAX);
        fprintf(file, " (%s), %zu numbers%s", panel->y, panel->n,
                panel->n ? ", the greatest " : "");
        if (panel->n) put_number(file, greatest(panel, true));
        fputs(". ", file);
    }
    fputs("</desc>\n", file);
}

void plot_write_svg(FILE *file, const plot *p) {
    double tall = title + margin, top = title + margin;
    for (size_t i = 0; i < p->n; i++) tall += height_of(&p->panel[i]);
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"%.0f\" height=\"%.0f\" "
            "viewBox=\"0 0 %.0f %.0f\">\n<title>",
            wide, tall, wide, tall);
    put_text(file, p->title, SIZE_MAX);
    fputs("</title>\n", file);
    put_description(file, p);
    fputs(style, file);
    fputs("<rect class=\"back\" width=\"100%\" height=\"100%\"/>\n", file);
    put_label(file, "head", "start", margin, 24);
    put_text(file, p->title, LONGEST * 2);
    fputs("</text>\n", file);
    for (size_t i = 0; i < p->n; i++) {
        const plot_panel *panel = &p->panel[i];
        put_label(file, "head", "start", margin, top);
        put_text(file, panel->title, LONGEST * 2);
        fprintf(file, "</text>");
        put_label(file, "dim", "end", wide - 2 * margin, top);
        put_text(file, panel->y, LONGEST);
        fputs("</text>\n", file);
        (panel->kind == PLOT_BARS ? put_bars : put_line)(file, panel, top + margin);
        top += height_of(panel);
    }
    fputs("</svg>\n", file);
}
