/* SPDX-License-Identifier: Apache-2.0
 *
 * io_edges.h: what the formats with one edge a line have in common: reading vertices that are
 * numbers or names, reading labels once each, and telling these formats apart.
 *
 * A format says how its label fields are spelled (cflri_edge_format); the rest is shared. Used by
 * io_tsv.c, io_pocr.c, io_gracfl.c, io_cfpq.c and io_souffle.c.
 */
#ifndef CFLRI_IO_EDGES_H
#define CFLRI_IO_EDGES_H

#include "base/formats/io.h"
#include "base/seen.h"

/* The meaning of a label field. The parts point into the field. */
typedef struct cflri_label_text {
    cflri_field name;
    cflri_field index; /* size 0: a plain label */
    bool converse;     /* the edge runs from target to source */
} cflri_label_text;

/* How one format spells edges. */
struct cflri_edge_format {
    cflr_graph_format format;
    bool index_column; /* an index may follow the label */
    bool two_columns;  /* a file whose first line is `source target` has label e throughout */
    bool directives;   /* "# vertices N" and "#@ name" */
    bool header;       /* the first line may be `edges vertices` */
    bool middle_label; /* `source label target` when the first lines say so */
    /* Takes a label (and an index, size 0 when there is none) apart; what is wrong with it, or
     * NULL. */
    const char *(*decode)(cflri_field label, cflri_field index, cflri_label_text *text);
};

extern const cflri_edge_format cflri_edges_tsv;
extern const cflri_edge_format cflri_edges_pocr;
extern const cflri_edge_format cflri_edges_gracfl;
extern const cflri_edge_format cflri_edges_cfpq;

/* Reads a whole text in one of these formats. */
cflr_status cflri_edges_read(cflr_context *context, const cflri_edge_format *format,
                             cflri_field text, const char *subject, cflr_graph **graph,
                             cflr_error *error);

/* The same when the caller named no format: docs/reference/formats.md has the rules. All labels of
 * the file count, not those of the first lines only. */
cflr_status cflri_edges_read_auto(cflr_context *context, cflri_field text, const char *subject,
                                  cflr_graph **graph, cflr_error *error);

/* Which of these formats the first lines look like; CFLR_GRAPH_AUTO when they are no text. */
cflr_graph_format cflri_edges_guess(const char *data, size_t size);

/* Is each of the first lines `number label number`, with labels that are no numbers? */
bool cflri_edges_middle_label(cflri_field text);

/* ---- writing ---- */

/* How a writer spells labels. */
typedef struct cflri_speller {
    const cflri_edge_format *format;
    /* Writes the spelling of a label, or of its converse, to `text` of `size` bytes: enough for the
     * name, the index and 16 more. Returns what the index column holds, "" for nothing. */
    const char *(*spell)(const char *name, const char *index, bool converse, char *text,
                         size_t size);
    char separator;
    bool converses; /* each edge is followed by its converse */
} cflri_speller;

/* Writes all edges with numbers for vertices. A spelling that the format would read as another
 * label is refused (CFLR_UNSUPPORTED, naming the label). */
cflr_status cflri_edges_write(const cflr_graph *graph, const cflri_speller *speller,
                              cflri_output *output, cflr_error *error);

/* ---- labels met so far ---- */

/* A spelling and what it stands for. Fields point into the text that is read. */
typedef struct cflri_spelling {
    cflri_field label;
    cflri_field index;
    uint32_t id; /* of the builder */
    bool used;
    bool converse;
} cflri_spelling;

/* Open addressing with linear probing; capacity is a power of two, at most half of it in use. */
typedef struct cflri_spelling_table {
    cflri_spelling *slot;
    size_t capacity, n;
} cflri_spelling_table;

/* The slot that holds this spelling, or the free one where it belongs. Expected O(length). */
cflri_spelling *cflri_spelling_find(const cflri_spelling_table *table, cflri_field label,
                                    cflri_field index);

/* ---- names of vertices ---- */

/* Names and their numbers from 0, in order of first appearance. Fields point into the text that is
 * read, so a name costs no copy: 16 bytes and 16 to 32 for its slot. */
typedef struct cflri_name_table {
    CFLRI_VEC(cflri_field) names; /* fields of the text that is read */
    cflri_seen seen;
} cflri_name_table;

/* The number of a name; *is_new when it was not there before. False when memory is refused. */
bool cflri_name_find(cflr_context *context, cflri_name_table *table, cflri_field name,
                     uint32_t *number, bool *is_new);
void cflri_name_table_free(cflr_context *context, cflri_name_table *table);

/* ---- a graph in the making ---- */

typedef struct cflri_edge_reader {
    cflr_context *context;
    const cflri_edge_format *format;
    cflr_graph_builder *builder;
    bool names;          /* vertices are named */
    bool names_wanted;   /* a name came where numbers were expected: begin again with names */
    bool index_seen;     /* some line had an index column */
    bool unquotes;       /* the text has a separator, and names in quotes */
    bool directive_seen; /* some comment was a directive */
    uint64_t lines;      /* with an edge */
    uint64_t vertices;   /* asked for by a directive or a header; 0 for none */
    uint32_t asking[2];  /* the line and column that asks for them */
    uint32_t highest;    /* number that a vertex may have */
    cflri_name_table name_table; /* when `names`: number i is vertex i */
    CFLRI_VEC(char) name;        /* a name with a NUL behind it */
    cflri_spelling_table labels;
    cflri_spelling *last; /* of the last edge, or NULL */
    unsigned place;       /* field of the label, for messages */
} cflri_edge_reader;

/* Starts, or starts over. A zeroed reader may be freed. */
cflr_status cflri_edge_reader_begin(cflri_edge_reader *reader, cflr_context *context,
                                    const cflri_edge_format *format, bool names, cflr_error *error);
void cflri_edge_reader_free(cflri_edge_reader *reader);

/* Which fields of a line are what; `label` is where messages about the label point to. */
typedef struct cflri_edge_columns {
    unsigned source, target, label;
} cflri_edge_columns;

/* Adds the edge of the scan's current line. A label with its index (size 0 for none) is taken apart
 * by the format. When a name turns up among numbers, names_wanted is set and CFLR_SYNTAX returned
 * with the error untouched. */
cflr_status cflri_edge_reader_add(cflri_edge_reader *reader, const cflri_scan *scan,
                                  cflri_edge_columns columns, cflri_field label, cflri_field index);

/* To be called before the texts of the labels go; they may be met again. */
void cflri_edge_reader_forget_labels(cflri_edge_reader *reader);

/* Freezes and gives the graph the vertices that were asked for. */
cflr_status cflri_edge_reader_finish(cflri_edge_reader *reader, const char *subject,
                                     cflr_graph **graph, cflr_error *error);

/* Reads a text to its end into a reader that has begun. Failing with names_wanted as above. */
cflr_status cflri_edge_reader_text(cflri_edge_reader *reader, cflri_field text, const char *subject,
                                   cflr_error *error);

/* Both, once more with names when that is needed. The fields of the reader may be read afterwards,
 * on failure too. The caller frees the reader. */
cflr_status cflri_edge_reader_all(cflri_edge_reader *reader, cflr_context *context,
                                  const cflri_edge_format *format, cflri_field text,
                                  const char *subject, cflr_graph **graph, cflr_error *error);

#endif
