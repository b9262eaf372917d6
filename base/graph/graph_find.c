/* SPDX-License-Identifier: Apache-2.0
 *
 * graph_find.c: from a name in the source to vertices.
 *
 *     spec              where it is looked up
 *     17                the number itself, if the graph knows places; else first the name "17"
 *     p->next           names of vertices; without any, mentions anywhere
 *     list.c:42:p       mentions of that line; without any, vertices declared there
 *     list.c:42:7       what is mentioned in that column, or stands there (graph_places.c), when
 *                       nothing on that line is called 7
 *     list.c:42:7:p     the same, and called p
 *     push::p           vertices of function push that are named p; without any, so mentioned
 *
 * A spec that is a vertex's name as a whole means that vertex, whatever it looks like: graphs read
 * from text may have names such as "main::x". White space in names does not count.
 *
 * One reading of the strings marks which of them fit as name, file or function; vertices and
 * mentions are then matched by number. O(strings + vertices + mentions) a query, one byte a string
 * and one bit a vertex of memory.
 *
 * A finder, for many queries, knows which strings to read and which vertices to match:
 *
 *     name:    (hash of the text without white space, string)    ascending
 *     vertex:  (string that is its name, vertex)                 ascending
 *     file:    strings that name a file
 *     place:   (hash of a vertex's own place, vertex)            ascending
 */
#include "base/graph/graph_find.h"

#include <assert.h>
#include <string.h>

#include "base/context.h"
#include "base/ids.h"

struct cflr_finder {
    cflr_context *context;
    const cflr_graph *graph;
    uint64_t *name, *vertex;
    size_t n_names, n_vertices;
    uint32_t *file;
    size_t n_files;
    cflri_place_index places;
    uint8_t *fits; /* all zero between queries */
};

/* ---- reading the spec ---- */

static bool is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static cflri_piece trimmed(const char *text) {
    while (is_space(*text)) text++;
    size_t n = strlen(text);
    while (n && is_space(text[n - 1])) n--;
    return (cflri_piece){text, n};
}

/* The digits at `at`, and how many there are. */
static size_t read_number(cflri_piece text, size_t at, uint64_t *number) {
    size_t n = 0;
    *number = 0;
    for (; at + n < text.n && is_digit(text.at[at + n]); n++) {
        if (*number <= UINT32_MAX) *number = *number * 10 + (uint64_t)(text.at[at + n] - '0');
    }
    return n;
}

static cflri_piece rest(cflri_piece text, size_t at) {
    return (cflri_piece){text.at + at, text.n - at};
}

/* "file:digits:name", or "file:digits" alone. */
static bool read_line_spec(cflri_spec *spec) {
    cflri_piece text = spec->text;
    for (size_t i = 1; i < text.n; i++) {
        if (text.at[i] != ':') continue;
        size_t digits = read_number(text, i + 1, &spec->number);
        size_t behind = i + 1 + digits;
        if (!digits || (behind < text.n && text.at[behind] != ':')) continue;
        spec->kind = CFLRI_SPEC_LINE;
        spec->file = (cflri_piece){text.at, i};
        while (spec->file.n > 2 && memcmp(spec->file.at, "./", 2) == 0) {
            spec->file = rest(spec->file, 2);
        }
        spec->name = rest(text, behind < text.n ? behind + 1 : behind);
        return true;
    }
    return false;
}

/* A name that is "digits", or "digits:name", may be a column. */
static bool read_column(cflri_spec *spec) {
    size_t digits = read_number(spec->name, 0, &spec->column);
    if (!digits || (digits < spec->name.n && spec->name.at[digits] != ':')) return false;
    spec->name = rest(spec->name, digits + (digits < spec->name.n));
    spec->kind = CFLRI_SPEC_COLUMN;
    return true;
}

/* "function::name". */
static bool read_function_spec(cflri_spec *spec) {
    cflri_piece text = spec->text;
    for (size_t i = 1; i + 1 < text.n; i++) {
        if (text.at[i] != ':' || text.at[i + 1] != ':') continue;
        spec->kind = CFLRI_SPEC_FUNCTION;
        spec->function = (cflri_piece){text.at, i};
        spec->name = rest(text, i + 2);
        return true;
    }
    return false;
}

static void read_structure(cflri_spec *spec) {
    if (spec->text.n && read_number(spec->text, 0, &spec->number) == spec->text.n) {
        spec->kind = CFLRI_SPEC_NUMBER;
    } else if (!read_line_spec(spec)) {
        read_function_spec(spec);
    }
}

/* ---- marking strings ---- */

/* Equal but for white space. */
static bool same_name(const char *text, cflri_piece name) {
    size_t i = 0;
    for (;; text++, i++) {
        while (is_space(*text)) text++;
        while (i < name.n && is_space(name.at[i])) i++;
        if (i == name.n || !*text) return i == name.n && !*text;
        if (*text != name.at[i]) return false;
    }
}

/* Is `file` the path, or the end of it behind a '/'? */
static bool same_file(const char *path, cflri_piece file) {
    size_t n = strlen(path);
    if (!file.n || n < file.n || memcmp(path + n - file.n, file.at, file.n) != 0) return false;
    return n == file.n || path[n - file.n - 1] == '/';
}

static bool same_text(const char *text, cflri_piece piece) {
    return strlen(text) == piece.n && memcmp(text, piece.at, piece.n) == 0;
}

/* Of the bytes that are no white space (FNV-1a). */
static uint32_t hash_name(const char *text, size_t n) {
    uint32_t hash = UINT32_C(2166136261);
    for (size_t i = 0; i < n; i++) {
        if (!is_space(text[i])) hash = (hash ^ (unsigned char)text[i]) * UINT32_C(16777619);
    }
    return hash;
}

static bool mark(cflri_finder *finder, uint32_t string, uint8_t fit) {
    if (!finder->fits[string] && !cflri_vec_push(finder->graph->context, &finder->marked, string)) {
        return false;
    }
    finder->fits[string] |= fit;
    return true;
}

static bool mark_names(cflri_finder *finder) {
    const cflr_finder *index = finder->index;
    cflri_piece name = finder->spec.name;
    uint32_t hash = hash_name(name.at, name.n);
    for (size_t i = cflri_pairs_seek(index->name, index->n_names, cflri_pair(hash, 0));
         i < index->n_names && index->name[i] >> 32 == hash; i++) {
        uint32_t string = (uint32_t)index->name[i];
        if (!same_name(cflri_string(&finder->graph->strings, string), name)) continue;
        if (!mark(finder, string, CFLRI_FITS_NAME)) return false;
    }
    return true;
}

/* Marks what mark_strings marks, except files that contain no vertex and no mention. */
static bool mark_by_index(cflri_finder *finder) {
    const cflri_spec *spec = &finder->spec;
    const cflri_strings *strings = &finder->graph->strings;
    for (size_t i = 0; i < finder->marked.n; i++) finder->fits[finder->marked.at[i]] = 0;
    finder->marked.n = 0;
    if (spec->name.n && !mark_names(finder)) return false;
    if (spec->kind == CFLRI_SPEC_FUNCTION) {
        uint32_t function = cflri_strings_find(strings, spec->function.at, spec->function.n);
        return function == CFLRI_NO_STRING || mark(finder, function, CFLRI_FITS_FUNCTION);
    }
    for (size_t i = 0; cflri_spec_has_file(spec) && i < finder->index->n_files; i++) {
        uint32_t file = finder->index->file[i];
        if (!same_file(cflri_string(strings, file), spec->file)) continue;
        if (!mark(finder, file, CFLRI_FITS_FILE)) return false;
    }
    return true;
}

static void mark_strings(cflri_finder *finder) {
    const cflri_spec *spec = &finder->spec;
    const cflri_strings *strings = &finder->graph->strings;
    memset(finder->fits, 0, strings->text.n);
    for (uint32_t i = 1; i < strings->text.n; i++) {
        const char *text = cflri_string(strings, i);
        if (same_name(text, spec->name)) finder->fits[i] |= CFLRI_FITS_NAME;
        if (cflri_spec_has_file(spec) && same_file(text, spec->file)) {
            finder->fits[i] |= CFLRI_FITS_FILE;
        }
        if (spec->kind == CFLRI_SPEC_FUNCTION && same_text(text, spec->function)) {
            finder->fits[i] |= CFLRI_FITS_FUNCTION;
        }
    }
}

/* ---- matching vertices ---- */

static bool source_fits(const cflri_finder *finder, const cflri_source *s) {
    const uint8_t *fits = finder->fits;
    if (!(fits[s->name] & CFLRI_FITS_NAME)) return false;
    switch (finder->spec.kind) {
        case CFLRI_SPEC_LINE:
            return (fits[s->file] & CFLRI_FITS_FILE) && s->line == finder->spec.number;
        case CFLRI_SPEC_FUNCTION:
            return (fits[s->function] & CFLRI_FITS_FUNCTION) != 0;
        default:
            return true;
    }
}

static bool collect_sources_by_index(cflri_finder *finder) {
    const cflr_finder *index = finder->index;
    for (size_t m = 0; m < finder->marked.n; m++) {
        uint32_t name = finder->marked.at[m];
        if (!(finder->fits[name] & CFLRI_FITS_NAME)) continue;
        for (size_t i = cflri_pairs_seek(index->vertex, index->n_vertices, cflri_pair(name, 0));
             i < index->n_vertices && index->vertex[i] >> 32 == name; i++) {
            uint32_t v = (uint32_t)index->vertex[i];
            if (source_fits(finder, &finder->graph->source[v]) &&
                !cflri_vec_push(finder->graph->context, &finder->found, v)) {
                return false;
            }
        }
    }
    return true;
}

static bool collect_sources(cflri_finder *finder) {
    const cflr_graph *graph = finder->graph;
    if (finder->index) return collect_sources_by_index(finder);
    for (uint32_t v = 0; graph->source && v < graph->n_vertices; v++) {
        if (source_fits(finder, &graph->source[v]) &&
            !cflri_vec_push(graph->context, &finder->found, v)) {
            return false;
        }
    }
    return true;
}

bool cflri_vertex_named(const cflri_finder *finder, uint32_t vertex) {
    const cflri_source *source = finder->graph->source;
    if (!finder->spec.name.n) return true;
    return source && (finder->fits[source[vertex].name] & CFLRI_FITS_NAME);
}

/* In a column the expression may be called as it is spelled, or as its vertex is. */
static bool mention_fits(const cflri_finder *finder, const cflri_mention *m) {
    bool named = (finder->fits[m->name] & CFLRI_FITS_NAME) != 0;
    if (finder->spec.kind == CFLRI_SPEC_LINE) return named;
    return m->column == finder->spec.column && (named || cflri_vertex_named(finder, m->vertex));
}

static bool collect_mentions_of(cflri_finder *finder, uint32_t file) {
    const cflr_graph *graph = finder->graph;
    uint64_t n;
    const cflri_mention *m = cflri_mentions_of_line(graph, file, (uint32_t)finder->spec.number, &n);
    for (uint64_t i = 0; i < n; i++) {
        if (mention_fits(finder, &m[i]) &&
            !cflri_vec_push(graph->context, &finder->found, m[i].vertex)) {
            return false;
        }
    }
    return true;
}

static bool collect_mentions(cflri_finder *finder) {
    if (finder->spec.number > UINT32_MAX) return true;
    for (size_t m = 0; finder->index && m < finder->marked.n; m++) {
        uint32_t file = finder->marked.at[m];
        if ((finder->fits[file] & CFLRI_FITS_FILE) && !collect_mentions_of(finder, file)) {
            return false;
        }
    }
    if (finder->index) return true;
    for (uint32_t i = 1; i < finder->graph->strings.text.n; i++) {
        if ((finder->fits[i] & CFLRI_FITS_FILE) && !collect_mentions_of(finder, i)) return false;
    }
    return true;
}

/* An expression may be spelled in other ways than its vertex is called. */
static bool collect_spelled(cflri_finder *finder) {
    const cflr_graph *graph = finder->graph;
    if (finder->spec.kind == CFLRI_SPEC_LINE) return true;
    if (finder->index && !finder->marked.n) return true; /* no string is spelled so */
    for (uint64_t i = 0; i < graph->n_mentions; i++) {
        const cflri_mention *m = &graph->mention[i];
        if (!(finder->fits[m->name] & CFLRI_FITS_NAME)) continue;
        if (finder->spec.kind == CFLRI_SPEC_FUNCTION &&
            !(graph->source &&
              (finder->fits[graph->source[m->vertex].function] & CFLRI_FITS_FUNCTION))) {
            continue;
        }
        if (!cflri_vec_push(graph->context, &finder->found, m->vertex)) return false;
    }
    return true;
}

/* Besides the mentions in the column. */
static cflr_status collect_placed(cflri_finder *finder, cflr_error *error) {
    bool kept = cflri_collect_placed(finder, false);
    if (kept && !finder->found.n) kept = cflri_collect_placed(finder, true);
    return kept ? CFLR_OK : cflri_fail_memory(finder->graph->context, error);
}

/* Looks the spec up as finder->spec.kind says. */
static cflr_status collect(cflri_finder *finder, cflr_error *error) {
    cflr_context *context = finder->graph->context;
    if (!finder->index) {
        mark_strings(finder);
    } else if (!mark_by_index(finder)) {
        return cflri_fail_memory(context, error);
    }
    if (cflri_spec_has_file(&finder->spec) && !collect_mentions(finder)) {
        return cflri_fail_memory(context, error);
    }
    if (finder->spec.kind == CFLRI_SPEC_COLUMN) return collect_placed(finder, error);
    if (!finder->found.n && !collect_sources(finder)) return cflri_fail_memory(context, error);
    if (!finder->found.n && !collect_spelled(finder)) return cflri_fail_memory(context, error);
    return CFLR_OK;
}

static cflr_status collect_number(cflri_finder *finder, cflr_error *error) {
    const cflr_graph *graph = finder->graph;
    if (finder->spec.number >= graph->n_vertices) return CFLR_OK;
    bool kept = cflri_vec_push(graph->context, &finder->found, finder->spec.number);
    return kept ? CFLR_OK : cflri_fail_memory(graph->context, error);
}

static cflr_status collect_all(cflri_finder *finder, cflr_error *error) {
    cflr_status st = CFLR_OK;
    cflri_spec parsed = finder->spec;
    read_structure(&parsed);
    bool by_number = parsed.kind == CFLRI_SPEC_NUMBER;
    if (!(by_number && finder->graph->has_sources)) st = collect(finder, error);
    if (st != CFLR_OK || finder->found.n) return st;
    finder->spec = parsed;
    if (by_number) return collect_number(finder, error);
    if (parsed.kind == CFLRI_SPEC_NAME) return CFLR_OK;
    st = collect(finder, error);
    if (st != CFLR_OK || finder->found.n || parsed.kind != CFLRI_SPEC_LINE) return st;
    if (read_column(&finder->spec)) st = collect(finder, error);
    return st;
}

bool cflri_same_thing(const cflr_graph *graph, uint32_t a, uint32_t b) {
    if (a == b || !graph->source) return a == b;
    cflri_source left = graph->source[a], right = graph->source[b];
    left.context = right.context = 0;
    return memcmp(&left, &right, sizeof left) == 0;
}

static bool all_one_thing(const cflri_finder *finder) {
    for (size_t i = 1; i < finder->found.n; i++) {
        if (!cflri_same_thing(finder->graph, (uint32_t)finder->found.at[0],
                              (uint32_t)finder->found.at[i])) {
            return false;
        }
    }
    return true;
}

static cflr_status sort_found(cflri_finder *finder, cflr_error *error) {
    uint64_t *at = finder->found.at;
    size_t n = finder->found.n;
    cflr_status st = cflri_sort_pairs(finder->graph->context, at, n, NULL, error);
    if (st != CFLR_OK || !n) return st;
    size_t kept = 1;
    for (size_t i = 1; i < n; i++) {
        if (at[i] != at[kept - 1]) at[kept++] = at[i];
    }
    finder->found.n = kept;
    return CFLR_OK;
}

/* `fits` and the index are there. */
static cflr_status find(cflri_finder *finder, const char *spec, uint32_t *vertices, size_t capacity,
                        size_t *count, cflr_error *error) {
    cflr_status st = CFLR_OK;
    *count = 0;
    finder->spec = (cflri_spec){.kind = CFLRI_SPEC_NAME, .text = trimmed(spec)};
    finder->spec.name = finder->spec.text;
    CFLR_TRY(collect_all(finder, error));
    CFLR_TRY(sort_found(finder, error));
    *count = finder->found.n;
    for (size_t i = 0; i < finder->found.n && i < capacity; i++) {
        vertices[i] = (uint32_t)finder->found.at[i];
    }
    if (!finder->found.n) {
        st = cflri_fail_not_found(finder, error);
    } else if (!all_one_thing(finder)) {
        st = cflri_fail_ambiguous(finder, error);
    }
out:
    cflri_vec_free(finder->graph->context, &finder->found);
    return st;
}

cflr_status cflr_graph_find(const cflr_graph *graph, const char *spec, uint32_t *vertices,
                            size_t capacity, size_t *count, cflr_error *error) {
    cflri_finder finder = {.graph = graph};
    *count = 0;
    finder.fits = cflri_alloc(graph->context, graph->strings.text.n);
    if (!finder.fits) return cflri_fail_memory(graph->context, error);
    cflr_status st = find(&finder, spec, vertices, capacity, count, error);
    cflri_place_index_free(graph, &finder.places);
    cflri_free(graph->context, finder.fits);
    return st;
}

/* ---- many queries ---- */

static cflr_status index_names(cflr_finder *f, cflr_error *error) {
    const cflri_strings *strings = &f->graph->strings;
    f->name = cflri_alloc_array(f->context, strings->text.n, sizeof *f->name);
    if (!f->name) return cflri_fail_memory(f->context, error);
    for (uint32_t i = 1; i < strings->text.n; i++) {
        const char *text = cflri_string(strings, i);
        f->name[f->n_names++] = cflri_pair(hash_name(text, strlen(text)), i);
    }
    return cflri_sort_pairs(f->context, f->name, f->n_names, NULL, error);
}

static cflr_status index_vertices(cflr_finder *f, cflr_error *error) {
    const cflr_graph *graph = f->graph;
    f->n_vertices = graph->source ? graph->n_vertices : 0;
    f->vertex = cflri_alloc_array(f->context, f->n_vertices, sizeof *f->vertex);
    if (!f->vertex) return cflri_fail_memory(f->context, error);
    for (uint32_t v = 0; v < f->n_vertices; v++) {
        f->vertex[v] = cflri_pair(graph->source[v].name, v);
    }
    return cflri_sort_pairs(f->context, f->vertex, f->n_vertices, NULL, error);
}

/* f->fits marks files for a while. */
static cflr_status index_files(cflr_finder *f, cflr_error *error) {
    const cflr_graph *graph = f->graph;
    size_t n = graph->strings.text.n;
    for (uint32_t v = 0; graph->source && v < graph->n_vertices; v++) {
        f->fits[graph->source[v].file] = 1;
    }
    for (uint64_t i = 0; i < graph->n_mentions; i++) f->fits[graph->mention[i].file] = 1;
    for (size_t i = 1; i < n; i++) f->n_files += f->fits[i];
    f->file = cflri_alloc_array(f->context, f->n_files, sizeof *f->file);
    if (!f->file) return cflri_fail_memory(f->context, error);
    f->n_files = 0;
    for (uint32_t i = 1; i < n; i++) {
        if (f->fits[i]) f->file[f->n_files++] = i;
    }
    memset(f->fits, 0, n);
    return CFLR_OK;
}

cflr_status cflr_finder_new(const cflr_graph *graph, cflr_finder **finder, cflr_error *error) {
    cflr_context *context = graph->context;
    cflr_status st = CFLR_OK;
    *finder = NULL;
    cflr_finder *f = cflri_alloc_zero(context, sizeof *f);
    if (!f) return cflri_fail_memory(context, error);
    *f = (cflr_finder){.context = context, .graph = graph};
    f->fits = cflri_alloc_array_zero(context, graph->strings.text.n, sizeof *f->fits);
    if (!f->fits) {
        st = cflri_fail_memory(context, error);
        goto out;
    }
    CFLR_TRY(index_names(f, error));
    CFLR_TRY(index_vertices(f, error));
    CFLR_TRY(index_files(f, error));
    CFLR_TRY(cflri_place_index_make(graph, &f->places, error));
    *finder = f;
    f = NULL;
out:
    cflr_finder_free(f);
    return st;
}

void cflr_finder_free(cflr_finder *finder) {
    if (!finder) return;
    cflri_free(finder->context, finder->name);
    cflri_free(finder->context, finder->vertex);
    cflri_free(finder->context, finder->file);
    cflri_place_index_free(finder->graph, &finder->places);
    cflri_free(finder->context, finder->fits);
    cflri_free(finder->context, finder);
}

cflr_status cflr_finder_find(cflr_finder *finder, const char *spec, uint32_t *vertices,
                             size_t capacity, size_t *count, cflr_error *error) {
    cflri_finder query = {
        .graph = finder->graph, .index = finder, .places = finder->places, .fits = finder->fits};
    cflr_status st = find(&query, spec, vertices, capacity, count, error);
    if (st == CFLR_OK) {
        for (size_t i = 0; i < query.marked.n; i++) finder->fits[query.marked.at[i]] = 0;
    } else { /* explaining may have marked any */
        memset(finder->fits, 0, finder->graph->strings.text.n);
    }
    cflri_vec_free(finder->context, &query.marked);
    return st;
}
