/* SPDX-License-Identifier: Apache-2.0
 *
 * notes.c: what people read of an extraction's notes.
 *
 * Notes about units are printed by their reason: one header that is not there may cost hundreds of
 * units, and then is one line that names the first of them. The reasons with most units come first.
 *
 *     src/a.c:3: error: 'config.h' file not found (412 units)
 *     src/gone.c: lost: No such file or directory
 *     src/x.cc: not read: C++ (17 files)
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/extract/extraction.h"

enum { SHOWN_OF_KIND = 5 };

/* Notes of one kind that are printed in one line. */
typedef struct note_group {
    const cflr_note *first;
    size_t position; /* of the first, in the report */
    uint64_t notes;
} note_group;

typedef struct note_style {
    const char *word;
    const char *counted; /* what cflr_note.count is a number of */
    const char *grouped; /* by text: what the notes are about; NULL: one by one */
    size_t shown;        /* most lines without -v */
} note_style;

static const note_style styles[] = {
    [CFLR_NOTE_LOST] = {"lost", "times", "units", SIZE_MAX},
    [CFLR_NOTE_DEGRADED] = {"error", "errors", "units", SHOWN_OF_KIND},
    [CFLR_NOTE_UNMODELLED] = {"no model of", "times", NULL, SHOWN_OF_KIND},
    [CFLR_NOTE_ASSUMED] = {"assumed", "times", NULL, SHOWN_OF_KIND},
    [CFLR_NOTE_LIMIT] = {"limit", "times", NULL, SHOWN_OF_KIND},
    [CFLR_NOTE_OVERRULED] = {"a body overrules the summary of", "times", NULL, SHOWN_OF_KIND},
    /* one file of summaries may serve many programs: that one does not use all of them is no
     * news */
    [CFLR_NOTE_UNUSED] = {"nothing uses the summary of", "times", NULL, 0},
    [CFLR_NOTE_LANGUAGE] = {"not read", "times", "files", SIZE_MAX},
    [CFLR_NOTE_REDEFINED] = {"redefined", "times", NULL, SHOWN_OF_KIND},
    [CFLR_NOTE_CACHE] = {"cache", "times", NULL, SIZE_MAX},
    [CFLR_NOTE_OPEN] = {"open program", "times", NULL, SIZE_MAX},
    [CFLR_NOTE_CHANGED] = {"changed", "times", NULL, SHOWN_OF_KIND},
};

static void print_group(const note_group *group) {
    const cflr_note *note = group->first;
    const note_style *style = &styles[note->kind];
    uint64_t count = group->notes > 1 ? group->notes : note->count;
    char place[300] = "", times[48] = "";
    if (note->line)
        snprintf(place, sizeof place, "%s:%" PRIu32 ": ", short_path(note->file), note->line);
    else if (note->file[0])
        snprintf(place, sizeof place, "%s: ", short_path(note->file));
    if (count > 1)
        snprintf(times, sizeof times, " (%" PRIu64 " %s)", count,
                 group->notes > 1 ? style->grouped : style->counted);
    remark("%s%s: %s%s", place, style->word, note->text, times);
}

static int by_text(const void *x, const void *y) {
    const note_group *a = x, *b = y;
    int order = strcmp(a->first->text, b->first->text);
    return order ? order : (a->position > b->position) - (a->position < b->position);
}

static int by_size(const void *x, const void *y) {
    const note_group *a = x, *b = y;
    if (a->notes != b->notes) return a->notes > b->notes ? -1 : 1;
    return (a->position > b->position) - (a->position < b->position);
}

/* Joins groups of equal text; how many are left. */
static size_t join_equal_texts(note_group *group, size_t n) {
    size_t kept = 1;
    qsort(group, n, sizeof *group, by_text);
    for (size_t i = 1; i < n; i++) {
        if (strcmp(group[i].first->text, group[kept - 1].first->text) == 0)
            group[kept - 1].notes++;
        else
            group[kept++] = group[i];
    }
    qsort(group, kept, sizeof *group, by_size);
    return kept;
}

/* Prints the groups of one kind; how many notes are left out. */
static uint64_t print_kind(note_group *group, size_t n) {
    const note_style *style = &styles[group->first->kind];
    uint64_t left = 0;
    if (style->grouped && !common.verbose) n = join_equal_texts(group, n);
    for (size_t i = 0; i < n; i++) {
        if (common.verbose || i < style->shown)
            print_group(&group[i]);
        else
            left += group[i].notes;
    }
    return left;
}

void notes_print(const cflr_extract_report *report) {
    size_t n = 0;
    uint64_t left = 0;
    while (cflr_extract_note(report, n)) n++;
    note_group *group = calloc(n + 1, sizeof *group);
    if (!group) return;
    for (size_t i = 0; i < n; i++)
        group[i] = (note_group){.first = cflr_extract_note(report, i), .position = i, .notes = 1};
    for (size_t begin = 0, end; begin < n; begin = end) {
        cflr_note_kind kind = group[begin].first->kind;
        for (end = begin; end < n && group[end].first->kind == kind;) end++;
        left += print_kind(group + begin, end - begin);
    }
    if (left) remark("%" PRIu64 " more notes: -v shows them", left);
    free(group);
}
