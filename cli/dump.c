/* SPDX-License-Identifier: Apache-2.0
 *
 * dump.c: walks the option tables of all commands.
 */
#include "cli/dump.h"

#include "cli/cli.h"

static void dump_table(FILE *file, const char *name, const struct poptOption *table) {
    for (const struct poptOption *o = table; o->longName || o->shortName || o->arg; o++) {
        int kind = o->argInfo & POPT_ARG_MASK;
        if (kind == POPT_ARG_INCLUDE_TABLE) {
            if (o->arg != poptHelpOptions) dump_table(file, name, o->arg);
            continue;
        }
        fprintf(file, "%s\t%s\t%c\t%s\t%s\n", name, o->longName ? o->longName : "-",
                o->shortName ? o->shortName : '-', kind == POPT_ARG_NONE ? "flag" : "value",
                o->descrip ? o->descrip : "");
    }
}

void dump_options(FILE *file) {
    for (size_t i = 0; commands[i]; i++) {
        fprintf(file, "%s\t.\t-\t-\t%s\n", commands[i]->name, commands[i]->summary);
        dump_table(file, commands[i]->name, commands[i]->options);
    }
}
