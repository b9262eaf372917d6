/* SPDX-License-Identifier: Apache-2.0
 *
 * markdown.c: a summary for the page of a pipeline or a comment: how many alerts there are, and a
 * table of the first ones, those that fail the run before others. Such pages have a limit (GitHub:
 * 1 MiB for a step, 64 KiB for a comment), so the table is short.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/alerts/gate.h"
#include "cli/alerts/reports.h"
#include "cli/alerts/tree.h"

enum { MOST_ROWS = 20, MOST_TEXT = 400 };

/* As it is: nothing in it is markup. Not more than `most` bytes. */
static void put_plain(FILE *file, const char *text, size_t most) {
    for (size_t n = 0; *text && n < most; text++, n++) {
        if (strchr("\\`*_{}[]<>()#+-.!|~&", *text)) fputc('\\', file);
        fputc(*text == '\n' || *text == '\r' ? ' ' : *text, file);
    }
    if (*text) fputs(" ...", file);
}

static void put_cell(FILE *file, const char *text) {
    put_plain(file, text, MOST_TEXT);
}

static void put_row(FILE *file, const alert *a) {
    fprintf(file, "| %s | ", cflr_level_name(a->level));
    put_cell(file, a->rule);
    fputs(" | ", file);
    put_cell(file, shown(tree_name(a->place.file)));
    fprintf(file, ":%u | ", a->place.line);
    put_cell(file, a->text);
    fputs(gate_has_baseline() ? a->known ? " | known |\n" : " | new |\n" : " |\n", file);
}

static size_t put_rows(FILE *file, const alerts *a, bool failing, size_t most) {
    size_t n = 0;
    for (size_t i = 0; i < a->n && n < most; i++) {
        const alert *at = &a->list[i];
        if (!at->asked || at->suppressed || gate_fails(at) != failing) continue;
        put_row(file, at);
        n++;
    }
    return n;
}

void markdown_write(FILE *file, const alerts *a) {
    size_t all = 0, failing = gate_failures(a);
    for (size_t i = 0; i < a->n; i++) all += a->list[i].asked && !a->list[i].suppressed;
    char *summary = gate_summary(a), *units = alerts_units(a);
    fprintf(file, "### cflr: %s\n\n", failing > 0 ? "failed" : "passed");
    fprintf(file, "%zu of %zu alerts fail the run%s. ", failing, all, summary ? summary : "");
    put_plain(file, units, strlen(units));
    fprintf(file, "%s.\n", a->complete ? "" : "; the run was stopped early");
    free(summary);
    free(units);
    if (all == 0) return;
    fprintf(file, "\n| level | rule | place | what |%s\n| --- | --- | --- | --- |%s\n",
            gate_has_baseline() ? " |" : "", gate_has_baseline() ? " --- |" : "");
    size_t n = put_rows(file, a, true, MOST_ROWS);
    n += put_rows(file, a, false, MOST_ROWS - n);
    if (n < all) fprintf(file, "\nand %zu more\n", all - n);
}
