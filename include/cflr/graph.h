/* SPDX-License-Identifier: Apache-2.0
 *
 * graph.h: labelled directed graphs.
 *
 * A graph has vertices 0 .. n-1 and a set of edges (source, target, label): no edge is there twice.
 * A label is a name and, for an indexed label such as `f[8]`, an index; both are strings, and each
 * (name, index) pair is one label number. Vertices may carry where they come from in C source.
 * A builder collects edges in any order and is consumed by freezing; the frozen graph never changes
 * and may be read by many threads.
 */
#ifndef CFLR_GRAPH_H
#define CFLR_GRAPH_H

#include "cflr/context.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cflr_graph cflr_graph;
typedef struct cflr_graph_builder cflr_graph_builder;

#define CFLR_NO_VERTEX UINT32_MAX
#define CFLR_NO_LABEL UINT32_MAX
#define CFLR_MAX_VERTICES (UINT32_MAX - 1)

/* One row that was read. Zero bytes are an empty row. It may be read into again, as often as the
 * caller likes, and is freed with cflr_row_free. */
typedef struct cflr_row {
    uint32_t vertex;
    uint64_t count;
    /* Ascending, each once; valid until this row is read into or freed, while its owner lives. */
    const uint32_t *target;
    uint32_t *room; /* the library's: memory for targets that have to be unpacked */
    uint64_t capacity;
    cflr_context *context;
} cflr_row;

CFLR_API void cflr_row_free(cflr_row *row);

/* What a vertex stands for. Numbers are part of the .cflg format: append only. */
#define CFLR_VERTEX_KIND_LIST(X)                                                                   \
    X(OTHER, 0, "other")         /* a vertex of a graph that did not come from C */                \
    X(VARIABLE, 1, "variable")   /* the content of a variable */                                   \
    X(PARAMETER, 2, "parameter") /* the content of a parameter */                                  \
    X(RETURN, 3, "return")       /* what a function returns */                                     \
    X(FUNCTION, 4, "function")   /* a function as an object */                                     \
    X(ADDRESS, 5, "address")     /* the value &x, or a reference to an allocation or function */   \
    X(DEREFERENCE, 6, "dereference") /* what a pointer points to: *p, p[i], p->f */                \
    X(FIELD, 7, "field")             /* the value &p->f */                                         \
    X(ALLOCATION, 8, "allocation")   /* a heap object, by its site */                              \
    X(STRING, 9, "string")           /* a string literal as an object */                           \
    X(TEMPORARY, 10, "temporary")    /* the value of an expression that has no name of its own */  \
    X(NULL_VALUE, 11, "null")        /* the null pointer at one place */                           \
    X(UNKNOWN, 12, "unknown")        /* whatever code outside the program may know or make */      \
    X(SOURCE, 13, "source")          /* where a rule's values come from: a call, by its place */   \
    X(SINK, 14, "sink")              /* where they must not come to: a call, or a pointer used */  \
    X(OUTSIDE, 15, "outside")        /* all code that is not in an open program, and its memory */ \
    X(LOST, 16, "lost")              /* a value that is not followed; its name tells why */        \
    X(TYPE, 17, "type")              /* of values and memory, with --aliasing strict */            \
    X(LOCATION, 18, "location")      /* a place in an object, with --aliasing strict */

typedef enum cflr_vertex_kind {
#define CFLR_VERTEX_KIND_ENUM(name, number, text) CFLR_VERTEX_##name = number,
    CFLR_VERTEX_KIND_LIST(CFLR_VERTEX_KIND_ENUM)
#undef CFLR_VERTEX_KIND_ENUM
} cflr_vertex_kind;

/* Where a vertex comes from. Strings are "" when unknown, numbers 0; line and column count from 1.
 * When read from a graph the strings live as long as the graph; when handed to a builder they are
 * copied (NULL reads as ""). */
typedef struct cflr_vertex_info {
    cflr_vertex_kind kind;
    uint32_t line;
    uint32_t column;
    const char *name;     /* as in the source: "p", "*p", "s->next", "malloc()" */
    const char *type;     /* the C type of what the vertex holds: "char *" */
    const char *function; /* enclosing function, "" at file scope */
    const char *file;
    const char *context; /* call string of a clone, "" for the original */
} cflr_vertex_info;

/* Text for a kind, and NULL for a number outside the list. Static storage. */
CFLR_API const char *cflr_vertex_kind_name(cflr_vertex_kind kind);

typedef enum cflr_direction { CFLR_OUT = 0, CFLR_IN = 1 } cflr_direction;

/* ---- building ---- */

CFLR_API cflr_status cflr_graph_builder_new(cflr_context *context, cflr_graph_builder **builder,
                                            cflr_error *error);
CFLR_API void cflr_graph_builder_free(cflr_graph_builder *builder);

/* The number of a label, the same for the same name and index. index: NULL for a plain label.
 * Neither may hold white space, control characters or brackets, and a name may not be empty. A name
 * that starts with '~' is refused: add the edge the other way round instead. */
CFLR_API cflr_status cflr_graph_builder_label(cflr_graph_builder *builder, const char *name,
                                              const char *index, uint32_t *label,
                                              cflr_error *error);

/* Adds one vertex with its source; numbers are given in order from 0, behind the vertices that
 * edges brought into being. */
CFLR_API cflr_status cflr_graph_builder_vertex_sized(cflr_graph_builder *builder,
                                                     const cflr_vertex_info *info,
                                                     size_t struct_size, uint32_t *vertex,
                                                     cflr_error *error);
static inline cflr_status cflr_graph_builder_vertex(cflr_graph_builder *builder,
                                                    const cflr_vertex_info *info, uint32_t *vertex,
                                                    cflr_error *error) {
    return cflr_graph_builder_vertex_sized(builder, info, sizeof *info, vertex, error);
}

/* Adds an edge; vertices up to the larger end come into being. Freezing drops duplicates. */
CFLR_API cflr_status cflr_graph_builder_edge(cflr_graph_builder *builder, uint32_t source,
                                             uint32_t target, uint32_t label, cflr_error *error);

/* Adds `n` edges, in any order and as often as the caller likes: the i-th one from source[i] to
 * target[i] with label[i]. After a failure those before the one that it is about are there. */
CFLR_API cflr_status cflr_graph_builder_edges(cflr_graph_builder *builder, uint64_t n,
                                              const uint32_t *source, const uint32_t *target,
                                              const uint32_t *label, cflr_error *error);

/* Where an expression is written whose value a vertex is. Lines and columns count from 1; the
 * column is that of the expression's own token: of a name or of a member's name, of the operator
 * before an operand, of the bracket that ends a subscript or a call. In an argument of a macro it
 * is where the argument is written. So no two expressions of a line share it, unless one macro
 * makes both. */
typedef struct cflr_mention {
    const char *file;
    uint32_t line;
    uint32_t column;  /* 0: not known */
    const char *name; /* as it is spelled; NULL: as the vertex is called */
} cflr_mention;

/* Records that `vertex` is written there; this is what lets "file.c:42:p" name a variable that is
 * declared elsewhere, and "file.c:42:7" what stands in a column. */
CFLR_API cflr_status cflr_graph_builder_mention(cflr_graph_builder *builder, uint32_t vertex,
                                                const cflr_mention *at, cflr_error *error);

/* Makes the frozen graph and frees the builder, on failure too. *graph is owned by the caller.
 * O(E) time, sorting by radix. */
CFLR_API cflr_status cflr_graph_builder_freeze(cflr_graph_builder *builder, cflr_graph **graph,
                                               cflr_error *error);

/* The same graph in another context, to be solved with the threads, limits and callbacks of that
 * one: nothing is copied. `graph` must outlive *shared, which is freed with cflr_graph_free. */
CFLR_API cflr_status cflr_graph_share(cflr_context *context, const cflr_graph *graph,
                                      cflr_graph **shared, cflr_error *error);

/* ---- reading ---- */

CFLR_API void cflr_graph_free(cflr_graph *graph);
CFLR_API uint32_t cflr_graph_vertices(const cflr_graph *graph);
CFLR_API uint32_t cflr_graph_labels(const cflr_graph *graph);
CFLR_API uint64_t cflr_graph_edges(const cflr_graph *graph);

/* Name and index ("" when plain) of a label; edges that carry it. label < cflr_graph_labels. */
CFLR_API const char *cflr_graph_label_name(const cflr_graph *graph, uint32_t label);
CFLR_API const char *cflr_graph_label_index(const cflr_graph *graph, uint32_t label);
CFLR_API uint64_t cflr_graph_label_edges(const cflr_graph *graph, uint32_t label);

/* The label's number, or CFLR_NO_LABEL. */
CFLR_API uint32_t cflr_graph_find_label(const cflr_graph *graph, const char *name,
                                        const char *index);

/* The neighbours of `vertex` along `label`: *count of them, ascending, each once; they live as long
 * as the graph. O(log rows of the label). */
CFLR_API const uint32_t *cflr_graph_row(const cflr_graph *graph, uint32_t label,
                                        cflr_direction direction, uint32_t vertex, uint64_t *count);

/* Walks the non-empty rows of a label in ascending order of their vertex: start with *cursor = 0;
 * returns NULL at the end. Rows are as above. */
CFLR_API const uint32_t *cflr_graph_next_row(const cflr_graph *graph, uint32_t label,
                                             cflr_direction direction, uint64_t *cursor,
                                             uint32_t *vertex, uint64_t *count);

/* The edges of a label as compressed sparse rows, as they lie in memory: targets of vertex[r] are
 * those from target[start[r]] to before target[start[r + 1]]. All arrays live as long as the
 * graph. */
typedef struct cflr_graph_rows {
    uint64_t n_rows;
    const uint32_t *vertex; /* n_rows, ascending, each once */
    const uint64_t *start;  /* n_rows + 1, the first 0; NULL when there are no rows */
    const uint32_t *target; /* in a row ascending, each once */
} cflr_graph_rows;

/* Fills *rows for label < cflr_graph_labels. O(1). */
CFLR_API void cflr_graph_get_rows_sized(const cflr_graph *graph, uint32_t label,
                                        cflr_direction direction, cflr_graph_rows *rows,
                                        size_t struct_size);
static inline void cflr_graph_get_rows(const cflr_graph *graph, uint32_t label,
                                       cflr_direction direction, cflr_graph_rows *rows) {
    cflr_graph_get_rows_sized(graph, label, direction, rows, sizeof *rows);
}

/* Does the graph know where its vertices come from? */
CFLR_API bool cflr_graph_has_sources(const cflr_graph *graph);

/* The vertex that stands for all code outside of an open program
 * (docs/explanation/open-programs.md); CFLR_NO_VERTEX in any other graph. O(labels). */
CFLR_API uint32_t cflr_graph_outside(const cflr_graph *graph);

/* The vertices, ascending, each once, that stand for what is not known: of kind UNKNOWN a function
 * or variable without model, of kind LOST a value that is not followed. A pointer that may point to
 * one of them may point to more than the result says (cflr_result_alias). They live as long as the
 * graph. */
CFLR_API const uint32_t *cflr_graph_unknowns(const cflr_graph *graph, size_t *n);

/* Fills *info for vertex < cflr_graph_vertices; a graph without sources gives kind OTHER and, when
 * it was read from a file with names, the name. */
CFLR_API void cflr_graph_vertex_sized(const cflr_graph *graph, uint32_t vertex,
                                      cflr_vertex_info *info, size_t struct_size);
static inline void cflr_graph_vertex(const cflr_graph *graph, uint32_t vertex,
                                     cflr_vertex_info *info) {
    cflr_graph_vertex_sized(graph, vertex, info, sizeof *info);
}

/* The order of what a reader sees of vertices: by place first, then kind, name and function. 0:
 * they look the same, whatever their contexts and types. */
CFLR_API int cflr_vertex_compare(const cflr_vertex_info *a, const cflr_vertex_info *b);

/* Vertices that `spec` names: "file.c:line:name", "file.c:line:column", "file.c:line:column:name",
 * "function::name", a plain name, or a number. A column means what is mentioned there, what is
 * declared there, and what is mentioned anywhere and has that place itself, where it begins; where
 * there is none of these, whatever has that place. A name behind it is as it is spelled, or as the
 * vertex is called.
 * `file.c` matches a path that ends in it at a '/' boundary; white space in names does not count. A
 * spec that is the whole name of a vertex means that vertex, whatever it looks like; only a number
 * is a number first where the graph has sources. The first `capacity` ids are written, ascending,
 * each once; *count is how many there are. Clones of one vertex (contexts) are all listed.
 * CFLR_NOT_FOUND with the nearest candidates in the message when nothing matches; CFLR_AMBIGUOUS
 * when the matches are different things (not clones of one), with *count and the ids filled in. */
CFLR_API cflr_status cflr_graph_find(const cflr_graph *graph, const char *spec, uint32_t *vertices,
                                     size_t capacity, size_t *count, cflr_error *error);

/* The same for many names: made once in O(strings + vertices + mentions), it finds most names in
 * O(log vertices). It refers to the graph. One thread at a time. */
typedef struct cflr_finder cflr_finder;

CFLR_API cflr_status cflr_finder_new(const cflr_graph *graph, cflr_finder **finder,
                                     cflr_error *error);
CFLR_API void cflr_finder_free(cflr_finder *finder); /* NULL is a no-op */
CFLR_API cflr_status cflr_finder_find(cflr_finder *finder, const char *spec, uint32_t *vertices,
                                      size_t capacity, size_t *count, cflr_error *error);

/* The first place of the source where both vertices are written in one line, the place of the
 * second one there: where one is assigned to the other, mostly. False when there is none.
 * O(mentions). */
CFLR_API bool cflr_graph_common_line(const cflr_graph *graph, uint32_t first, uint32_t second,
                                     cflr_mention *at);

/* ---- calls ---- */

/* A graph of a C program knows its functions and calls, which have numbers from 0 on. One of
 * another origin, and one that an older version has written, has none of either. */
typedef enum cflr_body {
    CFLR_BODY_HERE = 0,    /* in the program */
    CFLR_BODY_SUMMARY = 1, /* its summary counts */
    CFLR_BODY_UNKNOWN = 2, /* of neither: it may call what it is given */
} cflr_body;

/* A function that is defined, called or used as a value. Number 0 is no function: it is all code
 * outside of the program, and has no name. */
typedef struct cflr_function_info {
    const char *name; /* texts live as long as the graph */
    const char *file; /* of its body, or of the first declaration */
    uint32_t line;
    uint32_t column;
    cflr_body body;
    uint32_t vertex; /* it as an object; CFLR_NO_VERTEX: its address is not used */
} cflr_function_info;

/* A call by name has a callee. Any other enters what its vertices point to, which the closure
 * finds; and so does a call by name of a function whose summary calls what it is given (qsort),
 * besides. What code without model, or outside, may call is a call without expression. */
typedef struct cflr_call_info {
    uint32_t caller;        /* functions */
    uint32_t callee;        /* 0: none by name */
    const char *expression; /* what is called, as cflr spells it; "" of a call by name */
    const char *type; /* by which it enters functions, the index of their label `enters`; "": all */
    const char *file; /* where the call is seen: outside macros */
    uint32_t line;
    uint32_t column;
    /* In all copies of the caller, in their order, each once; a mere number has none, and what
     * nothing flows to. They live as long as the graph. */
    const uint32_t *vertex;
    size_t n;
} cflr_call_info;

/* Calls are sorted by place. All O(1). */
CFLR_API uint32_t cflr_graph_functions(const cflr_graph *graph);
CFLR_API void cflr_graph_function_sized(const cflr_graph *graph, uint32_t i,
                                        cflr_function_info *info, size_t struct_size);
static inline void cflr_graph_function(const cflr_graph *graph, uint32_t i,
                                       cflr_function_info *info) {
    cflr_graph_function_sized(graph, i, info, sizeof *info);
}
CFLR_API uint32_t cflr_graph_calls(const cflr_graph *graph);
CFLR_API void cflr_graph_call_sized(const cflr_graph *graph, uint32_t i, cflr_call_info *info,
                                    size_t struct_size);
static inline void cflr_graph_call(const cflr_graph *graph, uint32_t i, cflr_call_info *info) {
    cflr_graph_call_sized(graph, i, info, sizeof *info);
}

/* Every invariant of the frozen form, in O(V + E). Loading a file already does this. */
CFLR_API cflr_status cflr_graph_validate(const cflr_graph *graph, cflr_error *error);

/* ---- files ---- */

/* X(name, number, command-line word, text): formats that are read and written; with those that are
 * written only; and all words. Numbers are stable. */
#define CFLR_GRAPH_READABLE_LIST(X)                                                          \
    X(TSV, 1, "tsv", "source, target, label[index]; names or numbers")                       \
    X(CFLG, 2, "cflg", "binary: checksummed, compressed, with source locations")             \
    X(POCR, 3, "pocr", "source, target, label, index; converses end in bar")                 \
    X(GRACFL, 4, "gracfl", "source target label with white space; -a or abar is a converse") \
    X(CFPQ, 5, "cfpq", "source label target, or source target label")                        \
    X(SOUFFLE, 6, "souffle", "a directory with one .facts file for each label")              \
    X(MTX, 7, "mtx", "Matrix Market coordinate; label e")                                    \
    X(DIMACS, 8, "dimacs", "DIMACS arcs; label e")
#define CFLR_GRAPH_WRITABLE_LIST(X)                                \
    CFLR_GRAPH_READABLE_LIST(X)                                    \
    X(NDJSON, 9, "ndjson", "one JSON object a line; written only") \
    X(DOT, 10, "dot", "Graphviz; written only")                    \
    X(SQLITE, 11, "sqlite", "SQLite database; written only")
#define CFLR_GRAPH_FORMAT_LIST(X)                                            \
    X(AUTO, 0, "auto", "by content when reading, by file name when writing") \
    CFLR_GRAPH_WRITABLE_LIST(X)

typedef enum cflr_graph_format {
#define CFLR_GRAPH_FORMAT_ENUM(name, number, word, text) CFLR_GRAPH_##name = number,
    CFLR_GRAPH_FORMAT_LIST(CFLR_GRAPH_FORMAT_ENUM)
#undef CFLR_GRAPH_FORMAT_ENUM
} cflr_graph_format;

/* *format for its command-line word; CFLR_ARGUMENT when there is none. */
CFLR_API cflr_status cflr_graph_format_parse(const char *word, cflr_graph_format *format,
                                             cflr_error *error);

/* Reads a graph from a file ("-": standard input); .gz, .xz and .zst are unpacked as they are read.
 * The loaded graph is validated. A result file (.cflr) gives the graph that was solved. */
CFLR_API cflr_status cflr_graph_load(cflr_context *context, const char *path,
                                     cflr_graph_format format, cflr_graph **graph,
                                     cflr_error *error);

/* Writes a graph ("-": standard output). A file appears whole or not at all. Output is sorted and a
 * function of the graph only. A name that ends in .zst is compressed. */
CFLR_API cflr_status cflr_graph_save(const cflr_graph *graph, const char *path,
                                     cflr_graph_format format, cflr_error *error);

/* Could a graph be saved so, as far as path and format tell? CFLR_ARGUMENT with the reason if not.
 * Lets a long run fail before it begins. */
CFLR_API cflr_status cflr_graph_check_target(const char *path, cflr_graph_format format,
                                             cflr_error *error);

#ifdef __cplusplus
}
#endif
#endif
