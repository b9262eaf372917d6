/* SPDX-License-Identifier: Apache-2.0
 *
 * dump.c: walks the option tables of all commands.
 */
#include "cli/dump.h"

#include "cli/run/run.h"

/* Tables include tables one level deep. */
static void dump_table(FILE *file, const char *name, const struct poptOption *table) {
    for (const struct poptOption *row = table; row->longName || row->shortName || row->arg; row++) {
        if ((row->argInfo & POPT_ARG_MASK) == POPT_ARG_INCLUDE_TABLE) {
            dump_table(file, name, row->arg);
            continue;
        }
        fprintf(file, "%s\t%s\t%c\t%s\t%s\n", name, row->longName,
                row->shortName ? row->shortName : '-', row->argDescrip ? row->argDescrip : "-",
                row->descrip);
    }
}

void dump_options(FILE *file) {
    for (size_t i = 0; commands[i]; i++) {
        const char *words = commands[i]->words;
        fprintf(file, "%s\t.\t-\t%s\t%s\n", commands[i]->name, words ? words : "-",
                commands[i]->summary);
        dump_table(file, commands[i]->name, commands[i]->options);
    }
}
