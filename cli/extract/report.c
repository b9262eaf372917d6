/* SPDX-License-Identifier: Apache-2.0
 *
 * report.c: counts and notes of an extraction, as text and as JSON.
 */
#include <stdio.h>
#include <string.h>

#include "cli/extract/extraction.h"

typedef struct count_row {
    const char *key;
    uint64_t value;
    uint64_t least; /* that is worth a line of text */
} count_row;

enum { COUNT_ROWS = 22 };

static void count_rows(const cflr_extract_report *report, count_row rows[COUNT_ROWS]) {
    cflr_extract_counts c;
    cflr_extract_get_counts(report, &c);
    const count_row filled[COUNT_ROWS] = {{"units", c.units, 0},
                                          {"units_lost", c.units_lost, 1},
                                          {"units_limited", c.units_limited, 1},
                                          {"units_degraded", c.units_degraded, 1},
                                          {"units_left_out", c.left_out, 1},
                                          {"duplicate_entries", c.duplicates, 1},
                                          {"other_languages", c.other_languages, 1},
                                          {"programs", c.programs, 2},
                                          {"lines", c.lines, 0},
                                          {"functions", c.functions, 0},
                                          {"pointers", c.pointers, 0},
                                          {"calls_direct", c.calls_direct, 0},
                                          {"calls_indirect", c.calls_indirect, 0},
                                          {"calls_unmodelled", c.calls_unmodelled, 1},
                                          {"assumptions", c.assumptions, 1},
                                          {"clones", c.clones, 1},
                                          {"clone_limit_hit", c.clone_limit_hit, 1},
                                          {"redefined_names", c.redefined, 1},
                                          {"units_cached", c.units_cached, 1},
                                          {"entry_functions", c.functions_entered, 1},
                                          {"entry_variables", c.variables_entered, 1},
                                          {NULL, 0, 0}};
    memcpy(rows, filled, sizeof filled);
}

static json_t *note_json(const cflr_note *note) {
    static const char *const kinds[] = {"lost",      "degraded",  "unmodelled", "assumed",
                                        "limit",     "overruled", "unused",     "language",
                                        "redefined", "cache",     "open",       "changed"};
    json_t *object = json_object();
    json_set_text(object, "kind", kinds[note->kind]);
    json_set_text(object, "text", note->text);
    json_set_count(object, "count", note->count);
    json_set_text(object, "file", note->file);
    json_set_count(object, "line", note->line);
    return object;
}

static const char *aliasing_name(const cflr_extract_counts *counts) {
    return counts->text ? "text" : counts->strict ? "strict" : "any";
}

void extraction_json(const cflr_extract_report *report, json_t *object) {
    count_row rows[COUNT_ROWS];
    cflr_extract_counts counts;
    cflr_extract_get_counts(report, &counts);
    count_rows(report, rows);
    json_set_text(object, "world", counts.open ? "open" : "closed");
    json_set_text(object, "aliasing", aliasing_name(&counts));
    json_set_text(object, "callees", counts.callees_by_type ? "types" : "any");
    for (size_t i = 0; rows[i].key; i++) {
        json_set_count(object, rows[i].key, rows[i].value);
    }
    json_set(object, "targets", targets_json(report));
    json_t *notes = json_array();
    const cflr_note *note;
    for (size_t i = 0; (note = cflr_extract_note(report, i)); i++) {
        json_array_append_new(notes, note_json(note));
    }
    json_set(object, "notes", notes);
}

void extraction_text(const cflr_extract_report *report, FILE *file) {
    count_row rows[COUNT_ROWS];
    count_rows(report, rows);
    for (size_t i = 0; rows[i].key; i++) {
        if (rows[i].value < rows[i].least) continue;
        char words[32];
        snprintf(words, sizeof words, "%s", rows[i].key);
        for (char *c = words; *c; c++) *c = *c == '_' ? ' ' : *c;
        print_count(file, words, rows[i].value);
    }
    cflr_extract_counts counts;
    cflr_extract_get_counts(report, &counts);
    fprintf(file, "%-24s %14s\n", "aliasing", aliasing_name(&counts));
    fprintf(file, "%-24s %14s\n", "callees", counts.callees_by_type ? "types" : "any");
}
