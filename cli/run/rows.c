/* SPDX-License-Identifier: Apache-2.0
 *
 * rows.c: the options of a command, to be found and listed.
 */
#include "cli/run/rows.h"

#include <assert.h>
#include <string.h>

static void collect_rows(const struct poptOption *row, option_rows *rows) {
    for (; row->longName || row->shortName || row->arg; row++) {
        if ((row->argInfo & POPT_ARG_MASK) == POPT_ARG_INCLUDE_TABLE) {
            collect_rows(row->arg, rows);
        } else {
            assert(rows->n < MOST_ROWS);
            rows->at[rows->n++] = row;
        }
    }
}

option_rows rows_of(const command *chosen) {
    option_rows rows = {.n = 0};
    collect_rows(chosen->options, &rows);
    return rows;
}

option_rows rows_of_all(void) {
    option_rows rows = {.n = 0};
    for (size_t i = 0; commands[i]; i++) {
        const option_rows own = rows_of(commands[i]);
        for (size_t k = 0; k < own.n; k++) {
            if (find_row(&rows, own.at[k]->longName, strlen(own.at[k]->longName))) continue;
            assert(rows.n < MOST_ROWS);
            rows.at[rows.n++] = own.at[k];
        }
    }
    return rows;
}

const struct poptOption *find_row(const option_rows *rows, const char *name, size_t length) {
    for (size_t i = 0; i < rows->n; i++) {
        const char *here = rows->at[i]->longName;
        if (strlen(here) == length && strncmp(here, name, length) == 0) return rows->at[i];
    }
    return NULL;
}

const struct poptOption *find_letter(const option_rows *rows, char letter) {
    for (size_t i = 0; i < rows->n; i++)
        if (rows->at[i]->shortName && rows->at[i]->shortName == letter) return rows->at[i];
    return NULL;
}

const char *nearest_row(const option_rows *rows, const char *name) {
    const char *names[MOST_ROWS];
    for (size_t i = 0; i < rows->n; i++) names[i] = rows->at[i]->longName;
    return nearest(name, names, rows->n);
}

bool row_is_flag(const struct poptOption *row) {
    return (row->argInfo & POPT_ARG_MASK) == POPT_ARG_NONE;
}

bool row_is_list(const struct poptOption *row) {
    return (row->argInfo & POPT_ARG_MASK) == POPT_ARG_ARGV;
}

bool row_is_path(const struct poptOption *row) {
    return row->argDescrip &&
           (strcmp(row->argDescrip, "FILE") == 0 || strcmp(row->argDescrip, "DIR") == 0);
}

void dump_options(FILE *file) {
    for (size_t i = 0; commands[i]; i++) {
        const command *c = commands[i];
        const option_rows rows = rows_of(c);
        fprintf(file, "%s\t.\t-\t%s\t%s\n", c->name, c->words ? c->words : "-", c->summary);
        for (size_t k = 0; k < rows.n; k++) {
            const struct poptOption *row = rows.at[k];
            fprintf(file, "%s\t%s\t%c\t%s\t%s\n", c->name, row->longName,
                    row->shortName ? row->shortName : '-', row->argDescrip ? row->argDescrip : "-",
                    row->descrip);
        }
    }
}
