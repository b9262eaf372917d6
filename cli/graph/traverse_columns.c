/* SPDX-License-Identifier: Apache-2.0
 *
 * traverse_columns.c: what a primitive gives for each vertex: one line a vertex, as text, CSV or
 * NDJSON, and the vertices of greatest value.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/graph/traverse.h"

enum { FLOAT_DIGITS = 9, DOUBLE_DIGITS = 17, INT32_DIGITS = 10 };

/* ---- cells ---- */

static cell count_cell(uint64_t count) {
    return (cell){.kind = CELL_COUNT, .count = count};
}

static cell number_cell(double number, int digits) {
    cell_kind kind = isnan(number) ? CELL_NONE : isinf(number) ? CELL_ENDLESS : CELL_NUMBER;
    return (cell){.kind = kind, .number = number, .digits = digits};
}

/* Columns in which the greatest number says that nothing leads there. */
static bool counts_steps(const char *name) {
    return strcmp(name, "level") == 0 || strcmp(name, "distance") == 0;
}

static cell plain_cell(const cflr_column *column, uint64_t i) {
    const void *at = column->values;
    uint32_t count;
    switch (column->type) {
        case CFLR_COLUMN_UINT8:
            return count_cell(((const uint8_t *)at)[i]);
        case CFLR_COLUMN_UINT32:
            count = ((const uint32_t *)at)[i];
            return count == UINT32_MAX ? (cell){.kind = CELL_ENDLESS} : count_cell(count);
        case CFLR_COLUMN_UINT64:
            return count_cell(((const uint64_t *)at)[i]);
        case CFLR_COLUMN_FLOAT32:
            return number_cell((double)((const float *)at)[i], FLOAT_DIGITS);
        case CFLR_COLUMN_FLOAT64:
            return number_cell(((const double *)at)[i], DOUBLE_DIGITS);
    }
    return (cell){.kind = CELL_NONE};
}

cell cell_of(const cflr_column *column, uint64_t i) {
    cell value = plain_cell(column, i);
    if (value.kind == CELL_ENDLESS && counts_steps(column->name)) value.kind = CELL_NONE;
    return value;
}

static bool is_finite(cell value) {
    return value.kind == CELL_COUNT || value.kind == CELL_NUMBER;
}

cell vertex_cell(const traversing *t, uint32_t v) {
    bool is_vertex = v < cflr_csr_vertices(t->csr);
    if (!cflr_csr_has_names(t->csr) || !is_vertex) return count_cell(v);
    return (cell){.kind = CELL_NAME, .name = cflr_csr_name(t->csr, t->number ? t->number[v] : v)};
}

/* A column whose values are vertices. */
static bool has_vertices(const cflr_column *column) {
    return strcmp(column->name, "component") == 0;
}

cell column_cell(const traversing *t, uint32_t k, uint64_t i) {
    const cflr_column *column = &t->column[k];
    if (!has_vertices(column)) return cell_of(column, i);
    return vertex_cell(t, ((const uint32_t *)column->values)[i]);
}

void print_cell(FILE *file, cell value) {
    if (value.kind == CELL_COUNT)
        fprintf(file, "%" PRIu64, value.count);
    else if (value.kind == CELL_NUMBER)
        fprintf(file, "%.*g", value.digits, value.number);
    else if (value.kind == CELL_NAME)
        fputs(value.name, file);
    else
        fputs(value.kind == CELL_ENDLESS ? "inf" : "-", file);
}

json_t *cell_json(cell value) {
    if (value.kind == CELL_NAME) return json_text(value.name);
    if (!is_finite(value)) return json_null();
    if (value.kind == CELL_NUMBER) return json_real(value.number);
    return value.count <= INT64_MAX ? json_integer((json_int_t)value.count)
                                    : json_real((double)value.count);
}

/* ---- lines ---- */

enum { MOST_NAMES = MOST_COLUMNS + 1 };

typedef enum line_format {
    LINES_TSV,  /* # vertex<tab>level */
    LINES_CSV,  /* vertex,level; nothing for what has no value */
    LINES_JSON, /* an object each */
} line_format;

typedef struct writing {
    FILE *file;
    line_format format;
    bool cut; /* the time was over before the last line */
    uint32_t n;
    const char *name[MOST_NAMES];
} writing;

static bool goes_on(writing *w) {
    w->cut = out_of_time();
    return !w->cut;
}

static void write_head(const writing *w) {
    if (w->format == LINES_JSON) return;
    const char *first = w->format == LINES_CSV ? "" : "# ";
    const char *between = w->format == LINES_CSV ? "," : "\t";
    for (uint32_t k = 0; k < w->n; k++) fprintf(w->file, "%s%s", k ? between : first, w->name[k]);
    fputc('\n', w->file);
}

/* In quotes where it has to be. */
static void write_csv_name(FILE *file, const char *name) {
    if (!name[strcspn(name, ",\"#% ")]) {
        fputs(name, file);
        return;
    }
    fputc('"', file);
    for (; *name; name++) fputs(*name == '"' ? "\"\"" : (char[2]){*name}, file);
    fputc('"', file);
}

static void write_csv_cell(FILE *file, cell value) {
    if (value.kind == CELL_NAME)
        write_csv_name(file, value.name);
    else if (value.kind != CELL_NONE)
        print_cell(file, value);
}

static void write_json_cell(FILE *file, cell value) {
    if (value.kind == CELL_NAME) {
        json_t *text = json_text(value.name);
        json_dumpf(text, file, JSON_ENCODE_ANY);
        json_decref(text);
    } else if (is_finite(value)) {
        print_cell(file, value);
    } else {
        fputs("null", file);
    }
}

static void write_line(const writing *w, const cell *value) {
    for (uint32_t k = 0; k < w->n; k++) {
        if (w->format == LINES_JSON) {
            fprintf(w->file, "%s\"%s\":", k ? "," : "{", w->name[k]);
            write_json_cell(w->file, value[k]);
        } else if (w->format == LINES_CSV) {
            if (k) fputc(',', w->file);
            write_csv_cell(w->file, value[k]);
        } else {
            if (k) fputc('\t', w->file);
            print_cell(w->file, value[k]);
        }
    }
    fputs(w->format == LINES_JSON ? "}\n" : "\n", w->file);
}

/* ---- a value for each vertex ---- */

static void write_vertices(writing *w, const traversing *t) {
    cell value[MOST_NAMES];
    w->name[w->n++] = "vertex";
    for (uint32_t k = 0; k < t->n_columns; k++) w->name[w->n++] = t->column[k].name;
    write_head(w);
    for (uint64_t v = 0; v < t->column->n && goes_on(w); v++) {
        value[0] = vertex_cell(t, (uint32_t)v);
        for (uint32_t k = 0; k < t->n_columns; k++) value[k + 1] = column_cell(t, k, v);
        write_line(w, value);
    }
}

/* ---- edges by number ---- */

static cell weight_cell(const cflr_csr *csr, uint64_t edge) {
    const void *at = cflr_csr_weight(csr);
    return cflr_csr_weights(csr) == CFLR_WEIGHTS_FLOAT32
               ? number_cell((double)((const float *)at)[edge], FLOAT_DIGITS)
               : number_cell((double)((const int32_t *)at)[edge], INT32_DIGITS);
}

static uint32_t name_of(const traversing *t, uint32_t v) {
    return t->vertex ? t->vertex[v] : v;
}

/* An edge of the graph between vertices as they were named, the smaller one first. */
typedef struct named_edge {
    uint32_t source, target;
    uint64_t edge;
} named_edge;

static int compare_edges(const void *a, const void *b) {
    const named_edge *one = a, *other = b;
    if (one->source != other->source) return one->source < other->source ? -1 : 1;
    return (one->target > other->target) - (one->target < other->target);
}

/* By source and target, freed by the caller; 0, or the exit code after a message. */
static int sort_edges(const traversing *t, named_edge **sorted) {
    const uint64_t *start = cflr_csr_start(t->csr), *edge = t->column[0].values;
    uint64_t n = t->column[0].n;
    uint32_t row = 0; /* numbers ascend, and so do the rows that they lie in */
    named_edge *found = *sorted = calloc(n + 1, sizeof *found);
    if (!found) return fail_memory();
    for (uint64_t i = 0; i < n; i++) {
        while (start[row + 1] <= edge[i]) row++;
        uint32_t one = name_of(t, row), other = name_of(t, cflr_csr_target(t->csr)[edge[i]]);
        bool ascends = one < other;
        found[i] = (named_edge){ascends ? one : other, ascends ? other : one, edge[i]};
    }
    if (t->vertex) qsort(found, n, sizeof *found, compare_edges);
    return 0;
}

static int write_edges(writing *w, const traversing *t) {
    named_edge *edge;
    cflr_error error;
    if (cflr_csr_read_rows(t->csr, &error) != CFLR_OK) return fail(&error);
    int code = sort_edges(t, &edge);
    if (code) return code;
    w->n = 3;
    w->name[0] = "source";
    w->name[1] = "target";
    w->name[2] = "weight";
    write_head(w);
    for (uint64_t i = 0; i < t->column[0].n && goes_on(w); i++) {
        cell value[] = {vertex_cell(t, edge[i].source), vertex_cell(t, edge[i].target),
                        weight_cell(t->csr, edge[i].edge)};
        write_line(w, value);
    }
    free(edge);
    return 0;
}

/* ---- columns of vertices that were reordered ---- */

/* The one primitive whose column is no value of vertices; and the one that has no column. */
static bool lists_edges(const traversing *t) {
    return t->choices->primitive == CFLR_MST;
}

static bool only_counts(cflr_primitive primitive) {
    return primitive == CFLR_TC;
}

static size_t cell_size(uint32_t type) {
    switch (type) {
        case CFLR_COLUMN_UINT8:
            return sizeof(uint8_t);
        case CFLR_COLUMN_UINT64:
        case CFLR_COLUMN_FLOAT64:
            return sizeof(uint64_t);
        default:
            return sizeof(uint32_t);
    }
}

/* A component is called by the smallest of its vertices, as they were named. */
static int name_components(uint32_t *component, uint64_t n) {
    uint32_t *least = malloc((n + 1) * sizeof *least);
    if (!least) return fail_memory();
    memset(least, 0xff, n * sizeof *least);
    for (uint64_t v = 0; v < n; v++)
        if (v < least[component[v]]) least[component[v]] = (uint32_t)v;
    for (uint64_t v = 0; v < n; v++) component[v] = least[component[v]];
    free(least);
    return 0;
}

/* In place of the column's values: those of the vertices as they were named. */
static int restore(traversing *t, uint32_t k) {
    cflr_column *column = &t->column[k];
    size_t size = cell_size(column->type);
    const char *found = column->values;
    char *values = t->restored[k] = calloc(column->n + 1, size);
    if (!values) return fail_memory();
    for (uint64_t v = 0; v < column->n; v++)
        memcpy(values + v * size, found + t->number[v] * size, size);
    column->values = values;
    return has_vertices(column) ? name_components((uint32_t *)values, column->n) : 0;
}

/* ---- all ---- */

int take_columns(traversing *t) {
    int code = 0;
    uint32_t n = 0;
    while (n < MOST_COLUMNS && cflr_traversal_column(t->traversal, n, &t->column[n])) n++;
    t->n_columns = n;
    for (uint32_t k = 0; t->number && !lists_edges(t) && !code && k < n; k++) code = restore(t, k);
    return code;
}

const cflr_column *first_vertex_column(const traversing *t) {
    return t->n_columns && !lists_edges(t) ? &t->column[0] : NULL;
}

int check_columns(const traverse_choices *c) {
    const char *name = cflr_primitive_name(c->primitive), *asks = c->top    ? "top"
                                                                  : c->plot ? "plot"
                                                                            : NULL;
    if (asks && (only_counts(c->primitive) || c->primitive == CFLR_MST)) {
        return usage_error("--%s: %s gives no value for each vertex", asks, name);
    }
    if (common.output && only_counts(c->primitive)) {
        return usage_error("-o %s: %s gives nothing to write: its number is in the report",
                           output_path(), name);
    }
    return 0;
}

int traverse_write(traversing *t) {
    double begin = seconds_now();
    writing w = {.file = open_output(),
                 .format = ends_with(output_path(), ".ndjson") ? LINES_JSON
                           : ends_with(output_path(), ".csv")  ? LINES_CSV
                                                               : LINES_TSV};
    int code = 0;
    if (w.file && lists_edges(t))
        code = write_edges(&w, t);
    else if (w.file)
        write_vertices(&w, t);
    if (!code && w.cut) code = fail_out_of_time("not all lines are written");
    code = finish_output(w.file, code);
    t->seconds_write = seconds_now() - begin;
    return code;
}

/* ---- the vertices of greatest value ----
 *
 * The vertices found so far lie in a heap whose first element is the one to give way. */

typedef struct heap {
    const cflr_column *column;
    uint32_t *at, n;
} heap;

/* The order of numbers; what is endless is greater than all. */
static int compare_cells(cell a, cell b) {
    if (a.kind != b.kind) return a.kind == CELL_ENDLESS ? 1 : -1;
    if (a.kind == CELL_NUMBER) return (a.number > b.number) - (a.number < b.number);
    return (a.count > b.count) - (a.count < b.count);
}

static bool comes_first(const heap *h, uint32_t a, uint32_t b) {
    int order = compare_cells(cell_of(h->column, a), cell_of(h->column, b));
    return order > 0 || (order == 0 && a < b);
}

static void swap(heap *h, uint32_t i, uint32_t k) {
    uint32_t kept = h->at[i];
    h->at[i] = h->at[k];
    h->at[k] = kept;
}

static void sink(heap *h, uint32_t i) {
    for (;;) {
        uint32_t last = i, child = 2 * i + 1;
        for (uint32_t k = child; k < child + 2 && k < h->n; k++) {
            if (comes_first(h, h->at[last], h->at[k])) last = k;
        }
        if (last == i) return;
        swap(h, i, last);
        i = last;
    }
}

static void rise(heap *h, uint32_t i) {
    while (i && comes_first(h, h->at[(i - 1) / 2], h->at[i])) {
        swap(h, i, (i - 1) / 2);
        i = (i - 1) / 2;
    }
}

static void offer(heap *h, uint32_t room, uint32_t v) {
    if (h->n < room) {
        h->at[h->n++] = v;
        rise(h, h->n - 1);
    } else if (comes_first(h, v, h->at[0])) {
        h->at[0] = v;
        sink(h, 0);
    }
}

uint32_t *greatest_vertices(const cflr_column *column, uint32_t *n) {
    uint32_t room = *n < column->n ? *n : (uint32_t)column->n;
    heap h = {.column = column, .at = calloc((size_t)room + 1, sizeof *h.at)};
    if (!h.at) {
        fail_memory();
        return NULL;
    }
    for (uint32_t v = 0; v < column->n; v++) {
        if (cell_of(column, v).kind != CELL_NONE) offer(&h, room, v);
    }
    *n = h.n;
    while (h.n > 1) { /* the last of all goes behind the others */
        swap(&h, 0, --h.n);
        sink(&h, 0);
    }
    return h.at;
}
