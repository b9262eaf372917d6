/* SPDX-License-Identifier: Apache-2.0
 *
 * io_list.h: lists of edges as text, for plain graphs: `source target`, perhaps with a weight
 * behind, separated by blanks, commas, semicolons or tabs, with or without a first line of titles.
 */
#ifndef CFLRI_IO_LIST_H
#define CFLRI_IO_LIST_H

#include "base/formats/io_plain.h"
#include "base/intern.h"

/* What the head of a text (256 KiB of whole lines) looks like. */
typedef struct cflri_list_shape {
    char separator;    /* of the scanner; 0: blanks */
    bool titles;       /* the first line is one of titles */
    bool is_list;      /* two fields, or a number as the third one */
    unsigned columns;  /* of its first line; 0: there is none */
    char title[3][24]; /* as much of the titles as fits */
} cflri_list_shape;

/* `titles`: the caller knows that the first line is one. A name that ends in .csv says that commas
 * and semicolons separate where they can; NULL: the reader of labels asks. */
cflri_list_shape cflri_list_look(cflri_field text, const char *name, bool titles);

/* Reads a list. `names` is empty: vertices are numbers; or it holds "", and gets the name of vertex
 * v as string v + 1. When a name turns up among numbers, *name_at is its line, and the status is
 * CFLR_SYNTAX with the error untouched. */
cflr_status cflri_list_read(cflr_context *context, cflri_field text, const cflri_list_shape *shape,
                            const char *subject, cflri_edge_sink *sink, cflri_strings *names,
                            uint64_t *name_at, cflr_error *error);

#endif
