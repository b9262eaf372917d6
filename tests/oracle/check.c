/* SPDX-License-Identifier: Apache-2.0
 *
 * check.c: is what was observed in the result?
 *
 *     check RESULT LOG...
 *
 * RESULT is what cflr analyze made of the preprocessed sources that instrument.c read; each LOG is
 * of a run (observe.c). Two kinds of facts are checked:
 *
 *     points   an expression pointed to an object: some vertex of the expression points to some
 *              vertex of the object, by whichever of the names that a function's address has
 *     same     two expressions held one address: some vertex of one is an alias of some vertex of
 *              the other
 *
 * Of an open program RESULT may be of some of the units only; the others are code outside. Facts
 * about expressions of theirs are not checked, and their objects are memory of the outside. What
 * the outside may give, and which objects it knows, is asked as any user asks it
 * (docs/explanation/open-programs.md).
 *
 * An expression has several vertices where contexts clone it, and where its value comes from
 * several places. It is found by file, line and column; one that the graph does not know is a miss,
 * and so is an object. Each fact counts once, however many runs saw it. Misses are printed, the
 * last line counts. Exit status 1: there are misses.
 */
#include <cflr/cflr.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 1 << 16, MOST_PRINTED = 2000 };

/* A line of a SITES file. */
typedef struct entry {
    const struct unit *unit;
    char *text;
    uint32_t *vertices; /* ascending */
    size_t n;
    bool resolved;
} entry;

typedef struct unit {
    char *sites;  /* path */
    char *source; /* as the graph calls it */
    uint32_t first, n;
    bool outside; /* of an open program */
} unit;

typedef struct pair {
    uint32_t a, b;
} pair;

typedef struct pairs {
    pair *at;
    size_t n, capacity;
} pairs;

/* Where a vertex comes from, for finding objects. */
typedef struct placed {
    cflr_vertex_info info;
    uint32_t vertex;
} placed;

static cflr_context *context;
static cflr_result *result;
static cflr_finder *finder;
static uint32_t outside; /* vertex; CFLR_NO_VERTEX of a closed program */
static entry *entries;
static uint32_t n_entries;
static unit **units;
static uint32_t n_units;
static placed *objects; /* by line */
static size_t n_objects;
static size_t n_missed;

static void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("check: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(2);
}

static void *checked(void *memory) {
    if (!memory) fail("out of memory");
    return memory;
}

/* ---- files ---- */

static FILE *opened(const char *path) {
    FILE *file = fopen(path, "r");
    if (!file) fail("%s cannot be read", path);
    return file;
}

static bool next_line(FILE *file, char line[LINE]) {
    if (!fgets(line, LINE, file)) return false;
    line[strcspn(line, "\n")] = '\0';
    return true;
}

/* Does the result know no vertex of this file? */
static bool is_outside(const char *source) {
    const cflr_graph *graph = cflr_result_graph(result);
    for (uint32_t v = 0; v < cflr_graph_vertices(graph); v++) {
        cflr_vertex_info info;
        cflr_graph_vertex(graph, v, &info);
        if (strcmp(info.file, source) == 0) return false;
    }
    return outside != CFLR_NO_VERTEX;
}

static const unit *read_unit(const char *path) {
    char line[LINE];
    for (uint32_t i = 0; i < n_units; i++)
        if (strcmp(units[i]->sites, path) == 0) return units[i];
    FILE *file = opened(path);
    unit *u = checked(calloc(1, sizeof *u));
    *u = (unit){.sites = checked(strdup(path)), .first = n_entries};
    if (!next_line(file, line) || strncmp(line, "source ", 7) != 0) fail("%s: no source", path);
    u->source = realpath(line + 7, NULL);
    if (!u->source) fail("%s: its source %s is not there", path, line + 7);
    u->outside = is_outside(u->source);
    for (; next_line(file, line); u->n++) {
        entries = checked(realloc(entries, (n_entries + 1) * sizeof *entries));
        entries[n_entries++] = (entry){.unit = u, .text = checked(strdup(line))};
    }
    fclose(file);
    units = checked(realloc(units, (n_units + 1) * sizeof *units));
    units[n_units++] = u;
    return u;
}

/* The numbers of one run: its units in the order of their first numbers. */
typedef struct numbering {
    uint32_t n;
    struct {
        uint32_t base;
        const unit *unit;
    } * at;
} numbering;

static uint32_t entry_of(const numbering *run, uint32_t number) {
    for (uint32_t i = run->n; i-- > 0;) {
        if (run->at[i].base > number) continue;
        uint32_t index = number - run->at[i].base;
        if (index >= run->at[i].unit->n) break;
        return run->at[i].unit->first + index;
    }
    fail("number %" PRIu32 " belongs to no unit", number);
    return 0;
}

static void add_pair(pairs *all, uint32_t a, uint32_t b) {
    if (all->n == all->capacity) {
        all->capacity = 2 * all->capacity + 64;
        all->at = checked(realloc(all->at, all->capacity * sizeof *all->at));
    }
    all->at[all->n++] = (pair){a, b};
}

static int compare_pairs(const void *left, const void *right) {
    const pair *a = left, *b = right;
    if (a->a != b->a) return a->a < b->a ? -1 : 1;
    return (a->b > b->b) - (a->b < b->b);
}

static void make_distinct(pairs *all) {
    size_t kept = 0;
    if (all->n) qsort(all->at, all->n, sizeof *all->at, compare_pairs);
    for (size_t i = 0; i < all->n; i++)
        if (!kept || compare_pairs(&all->at[i], &all->at[kept - 1]) != 0)
            all->at[kept++] = all->at[i];
    all->n = kept;
}

/* What lies some bytes further than the expression is in the same object, but not its alias. */
static void add_class(const numbering *run, char *numbers, pairs *same) {
    uint32_t sites[1024];
    size_t n = 0;
    for (char *end; n < 1024; numbers = end) {
        unsigned long number = strtoul(numbers, &end, 10);
        if (end == numbers) break;
        uint32_t site = entry_of(run, (uint32_t)number);
        if (strncmp(entries[site].text, "site", 4) == 0) sites[n++] = site;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            add_pair(same, sites[i] < sites[j] ? sites[i] : sites[j],
                     sites[i] < sites[j] ? sites[j] : sites[i]);
}

/* Behind the object of a `points`. */
static void add_names(const numbering *run, const char *numbers, uint32_t object, pairs *names) {
    uint32_t number;
    for (int at = 0; sscanf(numbers, "%" SCNu32 "%n", &number, &at) == 1; numbers += at)
        add_pair(names, object, entry_of(run, number));
}

static void read_log(const char *path, pairs *points, pairs *same, pairs *names) {
    static char line[LINE];
    numbering run = {0};
    FILE *file = opened(path);
    while (next_line(file, line)) {
        uint32_t a, b;
        int at = 0;
        if (sscanf(line, "unit %" SCNu32 " %n", &a, &at) == 1 && at) {
            run.at = checked(realloc(run.at, (run.n + 1) * sizeof *run.at));
            run.at[run.n].base = a;
            run.at[run.n++].unit = read_unit(line + at);
        } else if (sscanf(line, "points %" SCNu32 " %" SCNu32 "%n", &a, &b, &at) == 2) {
            add_pair(points, entry_of(&run, a), entry_of(&run, b));
            add_names(&run, line + at, entry_of(&run, b), names);
        } else if (strncmp(line, "same", 4) == 0) {
            add_class(&run, line + 4, same);
            if (same->n > 1 << 22) make_distinct(same);
        } else if (strncmp(line, "counts", 6) != 0) {
            fail("%s: what is '%s'?", path, line);
        }
    }
    fclose(file);
    free(run.at);
}

/* ---- vertices ---- */

static int compare_placed(const void *left, const void *right) {
    const placed *a = left, *b = right;
    if (a->info.line != b->info.line) return a->info.line < b->info.line ? -1 : 1;
    return (a->vertex > b->vertex) - (a->vertex < b->vertex);
}

static bool is_object(cflr_vertex_kind kind) {
    return kind == CFLR_VERTEX_VARIABLE || kind == CFLR_VERTEX_PARAMETER ||
           kind == CFLR_VERTEX_FUNCTION || kind == CFLR_VERTEX_ALLOCATION;
}

static void find_objects(const cflr_graph *graph) {
    uint32_t n = cflr_graph_vertices(graph);
    objects = checked(malloc((n + 1) * sizeof *objects));
    for (uint32_t v = 0; v < n; v++) {
        cflr_vertex_info info;
        cflr_graph_vertex(graph, v, &info);
        if (is_object(info.kind)) objects[n_objects++] = (placed){info, v};
    }
    qsort(objects, n_objects, sizeof *objects, compare_placed);
}

static void add_vertex(entry *e, uint32_t vertex) {
    e->vertices = checked(realloc(e->vertices, (e->n + 1) * sizeof *e->vertices));
    e->vertices[e->n++] = vertex;
}

static int compare_vertices(const void *left, const void *right) {
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

static bool fits(cflr_vertex_kind kind, const char *what) {
    if (strcmp(what, "variable") == 0)
        return kind == CFLR_VERTEX_VARIABLE || kind == CFLR_VERTEX_PARAMETER;
    if (strcmp(what, "literal") == 0) return kind == CFLR_VERTEX_VARIABLE;
    return kind == (strcmp(what, "heap") == 0 ? CFLR_VERTEX_ALLOCATION : CFLR_VERTEX_FUNCTION);
}

/* The first object at this line or below; n_objects when there is none. */
static size_t first_object_at(unsigned line) {
    size_t low = 0, high = n_objects;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (objects[middle].info.line < line)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void resolve_by_place(entry *e, const char *what, unsigned line, unsigned column) {
    for (size_t i = first_object_at(line); i < n_objects && objects[i].info.line == line; i++) {
        const cflr_vertex_info *info = &objects[i].info;
        if (!fits(info->kind, what) || info->column != column) continue;
        if (strcmp(info->file, e->unit->source) == 0) add_vertex(e, objects[i].vertex);
    }
}

/* `name` is NULL for any. Functions have one name in all units, variables when they are in no
 * function. */
static void resolve_by_name(entry *e, const char *what, const char *name) {
    for (size_t i = 0; i < n_objects; i++) {
        const cflr_vertex_info *info = &objects[i].info;
        if (!fits(info->kind, what)) continue;
        bool global = !*info->function || info->kind == CFLR_VERTEX_FUNCTION;
        if (!name || (global && strcmp(info->name, name) == 0)) add_vertex(e, objects[i].vertex);
    }
}

/* By place; what has external linkage may be declared elsewhere, and is found by name. What a
 * library function makes that was called through a pointer stands at no place of the program. */
static void resolve_object(entry *e) {
    char what[16], name[1024];
    unsigned line, column;
    if (sscanf(e->text, "object %15s %u:%u %1023s", what, &line, &column, name) != 4)
        fail("what is '%s'?", e->text);
    resolve_by_place(e, what, line, column);
    if (e->n) return;
    if (strcmp(what, "variable") == 0 || strcmp(what, "function") == 0)
        resolve_by_name(e, what, name);
    else if (strcmp(what, "heap") == 0 && strcmp(name, "?") == 0)
        resolve_by_name(e, what, NULL);
}

/* Behind the first word. */
static const char *places(const entry *e) {
    return e->text + strcspn(e->text, " ") + 1;
}

static void resolve_site(entry *e) {
    char spec[5000];
    char *text = checked(strdup(places(e))), *rest = text;
    for (char *place; (place = strtok_r(rest, " ", &rest));) {
        cflr_error error;
        size_t n;
        snprintf(spec, sizeof spec, "%s:%s", e->unit->source, place);
        cflr_status st = cflr_finder_find(finder, spec, NULL, 0, &n, &error);
        if (st != CFLR_OK && st != CFLR_AMBIGUOUS) continue;
        uint32_t *found = checked(malloc(n * sizeof *found));
        cflr_finder_find(finder, spec, found, n, &n, &error);
        for (size_t i = 0; i < n; i++) add_vertex(e, found[i]);
        free(found);
    }
    free(text);
}

static const entry *resolved(uint32_t number) {
    entry *e = &entries[number];
    if (e->resolved) return e;
    e->resolved = true;
    if (strncmp(e->text, "object", 6) == 0)
        resolve_object(e);
    else
        resolve_site(e);
    if (e->n) qsort(e->vertices, e->n, sizeof *e->vertices, compare_vertices);
    return e;
}

/* An object gets the vertices of its other names. */
static void join_names(const pairs *names) {
    for (size_t i = 0; i < names->n; i++) {
        const entry *name = resolved(names->at[i].b);
        resolved(names->at[i].a);
        entry *e = &entries[names->at[i].a];
        for (size_t k = 0; k < name->n; k++) add_vertex(e, name->vertices[k]);
        if (e->n) qsort(e->vertices, e->n, sizeof *e->vertices, compare_vertices);
    }
}

/* ---- checking ---- */

static bool holds(uint32_t label, const entry *a, const entry *b) {
    for (size_t i = 0; i < a->n; i++)
        for (size_t k = 0; k < b->n; k++)
            if (cflr_result_has(result, label, a->vertices[i], b->vertices[k])) return true;
    return false;
}

static uint32_t answering(const char *question) {
    uint32_t label = cflr_result_find_label(result, cflr_result_answer(result, question));
    if (label == CFLR_NO_LABEL) fail("the result does not answer %s", question);
    return label;
}

static bool points(const entry *a, const entry *b) {
    uint32_t label = answering("points-to");
    const entry code = {.vertices = &outside, .n = outside != CFLR_NO_VERTEX};
    if (holds(label, a, b)) return true;
    return holds(label, a, &code) && (b->unit->outside || holds(label, &code, b));
}

static bool same_address(const entry *a, const entry *b) {
    if (holds(answering("alias"), a, b)) return true;
    for (size_t i = 0; i < a->n && outside != CFLR_NO_VERTEX; i++)
        for (size_t k = 0; k < b->n; k++)
            if (cflr_result_alias(result, a->vertices[i], b->vertices[k])) return true;
    return false;
}

/* Both of an alias, and what points, are in the program. */
static bool is_checked(const pair *fact) {
    const entry *a = &entries[fact->a], *b = &entries[fact->b];
    bool alias = strncmp(b->text, "site", 4) == 0;
    return !a->unit->outside && !(alias && b->unit->outside);
}

static void check_all(const pairs *facts, bool (*found)(const entry *, const entry *),
                      const char *what) {
    for (size_t i = 0; i < facts->n; i++) {
        const entry *a = resolved(facts->at[i].a), *b = resolved(facts->at[i].b);
        if (!is_checked(&facts->at[i]) || found(a, b)) continue;
        if (n_missed++ >= MOST_PRINTED) continue;
        printf("missed: %s %s:%s%s, %s%s%s\n", what, a->unit->source, places(a),
               a->n ? "" : " (unknown)", b->text, b->n ? "" : " (unknown)",
               b->unit == a->unit ? "" : " of another unit");
    }
}

/* Those of code outside are not. */
static size_t count_checked(const pairs *facts) {
    size_t n = 0;
    for (size_t i = 0; i < facts->n; i++) n += is_checked(&facts->at[i]);
    return n;
}

int main(int argc, char **argv) {
    cflr_error error;
    pairs pointing = {0}, same = {0}, names = {0};
    if (argc < 3) fail("usage: check RESULT LOG...");
    if (cflr_context_new(NULL, &context, &error) != CFLR_OK ||
        cflr_result_load(context, argv[1], &result, &error) != CFLR_OK ||
        cflr_finder_new(cflr_result_graph(result), &finder, &error) != CFLR_OK)
        fail("%s: %s", argv[1], error.message);
    if (!cflr_result_complete(result)) fail("%s is partial", argv[1]);
    outside = cflr_graph_outside(cflr_result_graph(result));
    for (int i = 2; i < argc; i++) read_log(argv[i], &pointing, &same, &names);
    make_distinct(&pointing);
    make_distinct(&same);
    make_distinct(&names);
    find_objects(cflr_result_graph(result));
    join_names(&names);
    check_all(&pointing, points, "points");
    check_all(&same, same_address, "same");
    printf("points %zu same %zu missed %zu\n", count_checked(&pointing), count_checked(&same),
           n_missed);
    return n_missed != 0;
}
