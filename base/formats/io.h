/* SPDX-License-Identifier: Apache-2.0
 *
 * io.h: the table of graph formats, one reader and one writer each in io_<format>.c.
 *
 * Readers get the whole unpacked input and feed a builder; they never trust a byte. Writers get a
 * frozen graph. CONTRIBUTING.md has the steps that add a format.
 */
#ifndef CFLRI_IO_H
#define CFLRI_IO_H

#include "base/files/stream.h"
#include "base/files/text_scan.h"
#include "base/graph/graph.h"

typedef struct cflri_edge_sink cflri_edge_sink;     /* io_plain.h */
typedef struct cflri_edge_format cflri_edge_format; /* io_edges.h */

typedef cflr_status cflri_plain_reader(cflr_context *context, cflri_field text, const char *subject,
                                       cflri_edge_sink *sink, cflr_error *error);

typedef struct cflri_format {
    cflr_graph_format format;
    const char *endings[4]; /* of file names to be written in it, ended by NULL */
    bool any_name;          /* labels may be called anything */
    bool no_converses;      /* no label may begin with ~ */
    /* Is `data` of this format for sure? Looks at the first lines only. NULL: it has no mark. */
    bool (*recognise)(const char *data, size_t size);
    /* How it is read: at most one of these four. */
    const cflri_edge_format *edges; /* one edge a line: see there */
    cflri_plain_reader *read_plain; /* graphs without labels */
    cflr_status (*read)(cflr_context *context, const char *data, size_t size, const char *subject,
                        cflr_graph **graph, cflr_error *error);
    cflr_status (*read_path)(cflr_context *context, const char *path, cflr_graph **graph,
                             cflr_error *error); /* a directory */
    /* How it is written: one of these. */
    cflr_status (*write)(const cflr_graph *graph, cflri_output *output, cflr_error *error);
    cflr_status (*write_path)(const cflr_graph *graph, const char *path,
                              cflr_error *error); /* no stream of bytes: a directory, a database */
} cflri_format;

/* cflri_format_TSV and so on; each in its io_<format>.c. */
#define CFLRI_FORMAT(name, number, word, text) extern const cflri_format cflri_format_##name;
CFLR_GRAPH_WRITABLE_LIST(CFLRI_FORMAT)
#undef CFLRI_FORMAT

/* The command-line word of a format. */
const char *cflri_format_word(cflr_graph_format format);

/* NULL for AUTO and for numbers outside the list. */
const cflri_format *cflri_format_find(cflr_graph_format format);

/* The format that `path` is written in: the one that is named, or with AUTO the one whose ending
 * the name has, without `.zst`. NULL when there is none. */
const cflri_format *cflri_format_to_write(const char *path, cflr_graph_format format);

/* The format of the text or container in memory, CFLR_GRAPH_AUTO when none fits. */
cflr_graph_format cflri_format_of(const char *data, size_t size);

/* Reads a graph from bytes, as cflr_graph_load does once it has them; AUTO is allowed. */
cflr_status cflri_graph_read(cflr_context *context, const char *data, size_t size,
                             const char *subject, cflr_graph_format format, cflr_graph **graph,
                             cflr_error *error);

/* Does the file's name end so, perhaps before the ending of a packed file? */
bool cflri_path_ends(const char *path, const char *end);

/* As cflri_graph_read, for a file that was opened, whose name counts too: what is empty and called
 * .cflg is refused. */
cflr_status cflri_graph_load_bytes(const cflri_input *input, const char *path,
                                   cflr_graph_format format, cflr_graph **graph, cflr_error *error);

/* For formats that say how many vertices there are: isolated ones at the end have no edge to tell.
 * No effect on a graph whose vertices have names. */
void cflri_graph_raise_vertices(cflr_graph *graph, uint64_t n_vertices);

/* ---- walking what is to be written ---- */

/* All edges by (label name, index, source, target); texts are compared as bytes. The walk stops at
 * the end of the time.
 *
 *     CFLR_TRY(cflri_walk_begin(&walk, graph, error));
 *     while (cflri_walk_next(&walk)) use(walk.label, walk.source, walk.target);
 *     CFLR_TRY(cflri_walk_stopped(&walk, false, error));
 *     cflri_walk_end(&walk);
 */
typedef struct cflri_walk {
    const cflr_graph *graph;
    uint32_t *order; /* labels in the order of the walk */
    uint32_t at;     /* the current one */
    uint32_t row;
    uint64_t pair; /* the next one of the current label */
    uint32_t label, source, target;
    uint64_t done;
    cflr_row ids;     /* the current row */
    cflr_status st;   /* why it stopped before the last edge */
    cflr_error error; /* of a row that could not be read */
} cflri_walk;

cflr_status cflri_walk_begin(cflri_walk *walk, const cflr_graph *graph, cflr_error *error);
bool cflri_walk_next(cflri_walk *walk);
/* Did it stop early? That is a failure, unless a part is wanted, and the format can hold one. */
cflr_status cflri_walk_stopped(const cflri_walk *walk, bool part, cflr_error *error);
/* May writing go on? CFLR_LIMIT, CFLR_CANCELLED: no. To be asked now and then; `done` edges are
 * written. */
cflr_status cflri_write_on(const cflr_graph *graph, uint64_t done);
void cflri_walk_end(cflri_walk *walk); /* a zeroed walk may be ended, an ended one again */

/* CFLR_UNSUPPORTED when more than one label has edges: `word` is a format without labels. */
cflr_status cflri_only_label(const cflr_graph *graph, const char *word, cflr_error *error);

/* Name and index ("" when plain) of a label. */
static inline const char *cflri_label_name(const cflr_graph *graph, uint32_t label) {
    return cflri_string(&graph->strings, graph->label[label].name);
}

static inline const char *cflri_label_index(const cflr_graph *graph, uint32_t label) {
    return cflri_string(&graph->strings, graph->label[label].index);
}

/* ---- sections of a graph inside a container (used by .cflg and .cflr alike) ---- */

struct cflri_section;
/* stops: at the end of the time, see cflri_write_on. */
cflr_status cflri_graph_write_sections(const cflr_graph *graph, cflri_output *output, bool stops,
                                       cflr_error *error);
/* A .cflg file of the graph has the section behind those of the graph. The graph takes over its
 * packed block, if this succeeds. */
cflr_status cflri_graph_attach(cflr_graph *graph, const struct cflri_section *section,
                               cflr_error *error);
cflr_status cflri_graph_read_sections(cflr_context *context, const struct cflri_section *sections,
                                      size_t count, const char *subject, cflr_graph **graph,
                                      cflr_error *error);

#endif
