/* SPDX-License-Identifier: Apache-2.0
 *
 * graph_suggest.c: what to say when a name means several things, or nothing.
 *
 *     'p' may be p (list.c:12:9, push), p (list.c:30:9, pop) and 3 more
 *     no 'p' at list.c:41; nearest p (line 40), p (line 44)
 *     no 'hed' in the graph; spelled alike: head, heap
 *
 * At most five candidates, and only as many as fit into the message whole. Names that are spelled
 * alike are those within two edits (letters added, lost or changed; case is no change), looked for
 * with a distance that is given up as soon as it passes two.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/graph/graph_find.h"
#include "base/letters.h"

enum { CANDIDATES = 5, EDITS = 2, TEXT = 40, ENDING = 24 };

/* ---- a message that grows by whole pieces ---- */

typedef struct message {
    char text[sizeof((cflr_error *)NULL)->message];
    size_t n;
    unsigned pieces;
} message;

/* The beginning. */
static void begin(message *m, const char *format, ...) CFLRI_PRINTF(2, 3);
static void begin(message *m, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(m->text, sizeof m->text, format, arguments);
    va_end(arguments);
    m->n = n < (int)sizeof m->text ? (size_t)n : sizeof m->text - 1;
    m->pieces = 0;
}

/* One candidate behind a comma; false when there are enough, or when it does not fit and leave room
 * for an ending. */
static bool add(message *m, const char *piece) {
    const char *comma = m->pieces ? ", " : " ";
    size_t n = strlen(comma) + strlen(piece);
    if (m->pieces == CANDIDATES || m->n + n + ENDING >= sizeof m->text) return false;
    m->n += (size_t)snprintf(m->text + m->n, sizeof m->text - m->n, "%s%s", comma, piece);
    m->pieces++;
    return true;
}

static cflr_status finish(const message *m, cflr_status code, uint64_t more, cflr_error *error) {
    if (!more) return cflri_fail(error, code, NULL, "%s", m->text);
    return cflri_fail(error, code, NULL, "%s and %llu more", m->text, (unsigned long long)more);
}

static const char *string(const cflri_finder *finder, uint32_t id) {
    return cflri_string(&finder->graph->strings, id);
}

/* The end of a long path says more than its beginning. */
static void shorten_path(const char *path, char text[TEXT]) {
    size_t n = strlen(path);
    if (n < TEXT) {
        snprintf(text, TEXT, "%s", path);
    } else {
        snprintf(text, TEXT, "...%s", path + n - (TEXT - 4));
    }
}

/* "p (list.c:12:9, push)", with the kind when it is not the content of a variable. */
static void describe(const cflri_finder *finder, uint32_t vertex, char *text, size_t size) {
    static const cflri_source none = {0};
    const cflri_source *s = finder->graph->source ? &finder->graph->source[vertex] : &none;
    char path[TEXT];
    shorten_path(string(finder, s->file), path);
    bool variable = s->kind == CFLR_VERTEX_VARIABLE || s->kind == CFLR_VERTEX_PARAMETER;
    const char *kind = variable ? "" : cflr_vertex_kind_name((cflr_vertex_kind)s->kind);
    const char *function = string(finder, s->function);
    if (!*path) {
        snprintf(text, size, "%.40s (vertex %u)", string(finder, s->name), vertex);
        return;
    }
    snprintf(text, size, "%.40s (%s%s%s:%u:%u%s%.30s)", string(finder, s->name), kind,
             *kind ? ", " : "", path, s->line, s->column, *function ? ", " : "", function);
}

/* Is an earlier one of these vertices the same thing? */
static bool told_before(const cflri_finder *finder, const uint32_t *told, unsigned n, uint32_t v) {
    for (unsigned i = 0; i < n; i++) {
        if (cflri_same_thing(finder->graph, told[i], v)) return true;
    }
    return false;
}

cflr_status cflri_fail_ambiguous(const cflri_finder *finder, cflr_error *error) {
    message m;
    uint32_t told[CANDIDATES];
    uint64_t more = 0;
    begin(&m, "'%.*s' may be", (int)(finder->spec.text.n < TEXT ? finder->spec.text.n : TEXT),
          finder->spec.text.at);
    for (size_t i = 0; i < finder->found.n; i++) {
        uint32_t v = (uint32_t)finder->found.at[i];
        char text[TEXT * 5];
        if (told_before(finder, told, m.pieces, v)) continue;
        describe(finder, v, text, sizeof text);
        if (!more && add(&m, text)) {
            told[m.pieces - 1] = v;
        } else {
            more++;
        }
    }
    return finish(&m, CFLR_AMBIGUOUS, more, error);
}

/* ---- nothing found: spelled alike ---- */

/* The part of a path that people spell. */
static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Edits between string `id` and `wanted`; only the last part of files counts. */
static unsigned distance(const cflri_finder *finder, uint32_t id, uint8_t use, cflri_piece wanted) {
    const char *text = string(finder, id);
    if (use == CFLRI_USED_AS_FILE) text = base_name(text);
    size_t n = strlen(text);
    /* two edits turn any two short names into each other */
    unsigned most = wanted.n > 5 ? EDITS : 1;
    unsigned d = n ? cflri_edits(text, n, wanted.at, wanted.n, most) : most + 1;
    return d <= most ? d : EDITS + 1;
}

/* Adds the strings of a use that are spelled alike, nearest first. */
static void add_alike(const cflri_finder *finder, message *m, uint8_t use, cflri_piece wanted) {
    size_t n = finder->graph->strings.text.n;
    for (unsigned d = 0; d <= EDITS; d++) {
        for (uint32_t i = 1; i < n; i++) {
            if (!(finder->fits[i] & use) || distance(finder, i, use, wanted) != d) continue;
            char text[TEXT * 2];
            snprintf(text, sizeof text, "%.60s", string(finder, i));
            if (!add(m, text)) return;
        }
    }
}

static void mark_uses(const cflri_finder *finder) {
    const cflr_graph *graph = finder->graph;
    for (uint32_t v = 0; graph->source && v < graph->n_vertices; v++) {
        finder->fits[graph->source[v].name] |= CFLRI_USED_AS_NAME;
        finder->fits[graph->source[v].file] |= CFLRI_USED_AS_FILE;
        finder->fits[graph->source[v].function] |= CFLRI_USED_AS_FUNCTION;
    }
    for (uint64_t i = 0; i < graph->n_mentions; i++) {
        finder->fits[graph->mention[i].name] |= CFLRI_USED_AS_NAME;
        finder->fits[graph->mention[i].file] |= CFLRI_USED_AS_FILE;
    }
}

static bool any_fits(const cflri_finder *finder, uint8_t fit, uint8_t use) {
    for (uint32_t i = 1; i < finder->graph->strings.text.n; i++) {
        if ((finder->fits[i] & fit) && (finder->fits[i] & use)) return true;
    }
    return false;
}

/* ---- nothing found: near the place ---- */

typedef struct near_lines {
    unsigned n;
    uint32_t line[CANDIDATES];
} near_lines;

static uint32_t lines_apart(uint32_t a, uint64_t b) {
    uint64_t apart = a > b ? a - b : b - a;
    return apart < UINT32_MAX ? (uint32_t)apart : UINT32_MAX;
}

/* Keeps the nearest distinct lines, nearest first. */
static void keep_line(near_lines *near, uint32_t line, uint64_t wanted) {
    unsigned at = 0;
    for (; at < near->n; at++) {
        if (near->line[at] == line) return;
        if (lines_apart(line, wanted) < lines_apart(near->line[at], wanted)) break;
    }
    if (at == CANDIDATES) return;
    if (near->n < CANDIDATES) near->n++;
    memmove(near->line + at + 1, near->line + at, (near->n - at - 1) * sizeof *near->line);
    near->line[at] = line;
}

/* Where else in the file the name is spelled. */
static void add_near_lines(const cflri_finder *finder, message *m) {
    const cflr_graph *graph = finder->graph;
    const uint8_t *fits = finder->fits;
    near_lines near = {0};
    for (uint64_t i = 0; i < graph->n_mentions; i++) {
        const cflri_mention *at = &graph->mention[i];
        if ((fits[at->file] & CFLRI_FITS_FILE) && (fits[at->name] & CFLRI_FITS_NAME)) {
            keep_line(&near, at->line, finder->spec.number);
        }
    }
    for (uint32_t v = 0; graph->source && v < graph->n_vertices; v++) {
        const cflri_source *s = &graph->source[v];
        if ((fits[s->file] & CFLRI_FITS_FILE) && (fits[s->name] & CFLRI_FITS_NAME)) {
            keep_line(&near, s->line, finder->spec.number);
        }
    }
    for (unsigned i = 0; i < near.n; i++) {
        char text[TEXT];
        snprintf(text, sizeof text, "line %u", near.line[i]);
        if (!add(m, text)) return;
    }
}

/* A name of the line; with its column where one was asked for. */
static bool add_name(const cflri_finder *finder, message *m, uint32_t name, uint32_t column) {
    char text[TEXT];
    bool by_column = finder->spec.kind == CFLRI_SPEC_COLUMN;
    snprintf(text, sizeof text, by_column ? "%.39s (column %u)" : "%.39s", string(finder, name),
             column);
    return add(m, text);
}

/* Is it spelled on the line, so that it was told? */
static bool is_spelled(const cflri_finder *finder, uint32_t file, uint32_t name) {
    uint64_t n;
    const cflri_mention *at =
        cflri_mentions_of_line(finder->graph, file, (uint32_t)finder->spec.number, &n);
    for (uint64_t i = 0; i < n; i++) {
        if (at[i].name == name) return true;
    }
    return false;
}

/* Adds the names that are declared on the line. */
static void add_declared_of_line(const cflri_finder *finder, message *m) {
    const cflr_graph *graph = finder->graph;
    bool by_column = finder->spec.kind == CFLRI_SPEC_COLUMN;
    uint32_t told[CANDIDATES];
    unsigned n = 0;
    for (uint32_t v = 0; graph->source && v < graph->n_vertices && n < CANDIDATES; v++) {
        const cflri_source *s = &graph->source[v];
        if (s->line != finder->spec.number || !(finder->fits[s->file] & CFLRI_FITS_FILE)) continue;
        if (!s->column || !s->name || s->kind == CFLR_VERTEX_RETURN || !cflri_is_declared(s))
            continue;
        if (!by_column && is_spelled(finder, s->file, s->name)) continue;
        if (told_before(finder, told, n, v)) continue;
        if (!add_name(finder, m, s->name, s->column)) return;
        told[n++] = v;
    }
}

/* Adds the names that occur on the line, and then those that are declared there. */
static void add_names_of_line(const cflri_finder *finder, message *m) {
    bool by_column = finder->spec.kind == CFLRI_SPEC_COLUMN;
    if (finder->spec.number > UINT32_MAX) return;
    for (uint32_t file = 1; file < finder->graph->strings.text.n; file++) {
        if (!(finder->fits[file] & CFLRI_FITS_FILE)) continue;
        uint64_t n;
        const cflri_mention *at =
            cflri_mentions_of_line(finder->graph, file, (uint32_t)finder->spec.number, &n);
        for (uint64_t i = 0; i < n; i++) {
            bool told = i && at[i].name == at[i - 1].name;
            if (told && (!by_column || at[i].column == at[i - 1].column)) continue;
            if (!add_name(finder, m, at[i].name, at[i].column)) return;
        }
    }
    add_declared_of_line(finder, m);
}

/* Vertices of that name in other places. */
static void add_elsewhere(const cflri_finder *finder, message *m) {
    const cflr_graph *graph = finder->graph;
    uint32_t told[CANDIDATES];
    for (uint32_t v = 0; graph->source && v < graph->n_vertices; v++) {
        if (!(finder->fits[graph->source[v].name] & CFLRI_FITS_NAME)) continue;
        char text[TEXT * 5];
        if (told_before(finder, told, m->pieces, v)) continue;
        describe(finder, v, text, sizeof text);
        if (!add(m, text)) return;
        told[m->pieces - 1] = v;
    }
}

/* Where the name is spelled, which no vertex has: each as a name that can be asked for. */
static void add_spelled_elsewhere(const cflri_finder *finder, message *m) {
    const cflr_graph *graph = finder->graph;
    const cflri_mention *last = NULL;
    for (uint64_t i = 0; i < graph->n_mentions; i++) {
        const cflri_mention *at = &graph->mention[i];
        char text[TEXT * 3], path[TEXT];
        if (!(finder->fits[at->name] & CFLRI_FITS_NAME)) continue;
        if (last && last->file == at->file && last->line == at->line) continue;
        shorten_path(string(finder, at->file), path);
        snprintf(text, sizeof text, "%s:%u:%.40s", path, at->line, string(finder, at->name));
        if (!add(m, text)) return;
        last = at;
    }
}

/* ---- the kinds ---- */

#define SHOW(piece) (int)((piece).n < TEXT ? (piece).n : TEXT), (piece).at

/* Tries one kind of candidates; true when the message has some. */
typedef void (*adder)(const cflri_finder *finder, message *m);

static bool tried(const cflri_finder *finder, message *m, adder add_them) {
    add_them(finder, m);
    return m->pieces > 0;
}

static bool knows_file(const cflri_finder *finder) {
    return any_fits(finder, CFLRI_FITS_FILE, CFLRI_USED_AS_FILE);
}

static void explain_file(const cflri_finder *finder, message *m) {
    const cflri_spec *spec = &finder->spec;
    begin(m, "the graph knows no file '%.*s'; spelled alike:", SHOW(spec->file));
    cflri_piece last = spec->file;
    for (size_t i = 0; i < spec->file.n; i++) {
        if (spec->file.at[i] == '/')
            last = (cflri_piece){spec->file.at + i + 1, spec->file.n - i - 1};
    }
    add_alike(finder, m, CFLRI_USED_AS_FILE, last);
}

static void explain_column(const cflri_finder *finder, message *m) {
    const cflri_spec *spec = &finder->spec;
    const char *none = spec->name.n ? "no '" : "nothing";
    begin(m, "%s%.*s%s at %.*s:%llu:%llu; on that line:", none, SHOW(spec->name),
          spec->name.n ? "'" : "", SHOW(spec->file), (unsigned long long)spec->number,
          (unsigned long long)spec->column);
    add_names_of_line(finder, m);
}

static void explain_line(const cflri_finder *finder, message *m) {
    const cflri_spec *spec = &finder->spec;
    unsigned long long line = (unsigned long long)spec->number;
    if (!spec->name.n) {
        begin(m, "%.*s:%llu is a line, and a name or a column of it is missing; on that line:",
              SHOW(spec->file), line);
        add_names_of_line(finder, m);
        return;
    }
    begin(m, "no '%.*s' at %.*s:%llu; nearest in the file:", SHOW(spec->name), SHOW(spec->file),
          line);
    if (tried(finder, m, add_near_lines)) return;
    begin(m, "no '%.*s' at %.*s:%llu; on that line:", SHOW(spec->name), SHOW(spec->file), line);
    if (tried(finder, m, add_names_of_line)) return;
    begin(m, "no '%.*s' at %.*s:%llu; elsewhere:", SHOW(spec->name), SHOW(spec->file), line);
    add_elsewhere(finder, m);
}

static void explain_function(const cflri_finder *finder, message *m) {
    const cflri_spec *spec = &finder->spec;
    if (!any_fits(finder, CFLRI_FITS_FUNCTION, CFLRI_USED_AS_FUNCTION)) {
        begin(m, "the graph knows no function '%.*s'; spelled alike:", SHOW(spec->function));
        add_alike(finder, m, CFLRI_USED_AS_FUNCTION, spec->function);
        return;
    }
    if (!spec->name.n) {
        begin(m, "a name is missing behind '%.*s'", SHOW(spec->text));
        return;
    }
    begin(m, "no '%.*s' in function '%.*s'; elsewhere:", SHOW(spec->name), SHOW(spec->function));
    if (tried(finder, m, add_elsewhere) || tried(finder, m, add_spelled_elsewhere)) return;
    begin(m, "no '%.*s' in function '%.*s'; spelled alike:", SHOW(spec->name),
          SHOW(spec->function));
    add_alike(finder, m, CFLRI_USED_AS_NAME, spec->name);
}

/* Cuts the promise of candidates off when there are none. */
static void cut_promise(message *m) {
    char *semicolon = m->pieces ? NULL : strrchr(m->text, ';');
    if (semicolon) *semicolon = '\0';
}

cflr_status cflri_fail_not_found(const cflri_finder *finder, cflr_error *error) {
    const cflri_spec *spec = &finder->spec;
    const cflr_graph *graph = finder->graph;
    message m;
    if (spec->kind == CFLRI_SPEC_NUMBER) {
        return cflri_fail(error, CFLR_NOT_FOUND, NULL, "no vertex %.*s: the graph has %u",
                          SHOW(spec->text), graph->n_vertices);
    }
    if (spec->text.n && !graph->source && !graph->n_mentions) {
        return cflri_fail(error, CFLR_NOT_FOUND, NULL,
                          "no '%.*s': the graph has no names, only numbers below %u",
                          SHOW(spec->text), graph->n_vertices);
    }
    mark_uses(finder);
    if (cflri_spec_has_file(spec) && !knows_file(finder)) {
        explain_file(finder, &m);
    } else if (spec->kind == CFLRI_SPEC_LINE) {
        explain_line(finder, &m);
    } else if (spec->kind == CFLRI_SPEC_COLUMN) {
        explain_column(finder, &m);
    } else if (spec->kind == CFLRI_SPEC_FUNCTION) {
        explain_function(finder, &m);
    } else if (!spec->name.n) {
        begin(&m, "a name is empty");
    } else {
        begin(&m, "no '%.*s' in the graph; spelled alike:", SHOW(spec->name));
        add_alike(finder, &m, CFLRI_USED_AS_NAME, spec->name);
    }
    cut_promise(&m);
    return finish(&m, CFLR_NOT_FOUND, 0, error);
}
