/* SPDX-License-Identifier: Apache-2.0
 *
 * baseline.c: a baseline is text, one line for each alert, sorted, so that its changes read well:
 *
 *     cflr-baseline 1
 *     fingerprints cflr/v1
 *     rules null command
 *     findings likely
 *     units 12 of 12
 *     null 1f0c3a5b9d2e4f60-0 83ab4d3f20d5a11c-0 src/list.c main: null pointer dereference: f->m
 *
 * An entry has the rule, its two fingerprints, the file and what it was. The order of lines does
 * not count when it is read, and equal lines are one: a merge may leave both.
 *
 * An alert is known when rule and fingerprint agree. If none does, a file may have been renamed:
 * the fingerprint that has no files may agree with an entry whose file is no longer there. Both are
 * found by sorting: O((alerts + entries) log entries).
 */
#include "cli/alerts/baseline.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/alerts/tree.h"

static const char first_line[] = "cflr-baseline 1", recipe[] = "cflr/v1";

/* ---- reading ---- */

static int refuse(const char *name, size_t line, const char *why) {
    complain("%s:%zu: %s", shown(name), line, why);
    return EXIT_USAGE;
}

/* 16 hexadecimal digits, a minus and a number. */
static bool is_fingerprint(const char *word) {
    size_t hex = strspn(word, "0123456789abcdef");
    return hex == 16 && word[hex] == '-' && word[hex + 1] &&
           word[hex + 1 + strspn(word + hex + 1, "0123456789")] == '\0';
}

/* Cuts the next word off, at one blank; "" at the end. */
static char *next_word(char **at) {
    char *word = *at;
    size_t n = strcspn(word, " ");
    *at += n + (word[n] == ' ');
    word[n] = '\0';
    return word;
}

static int read_entry(baseline *b, const char *name, char *at, size_t line) {
    baseline_entry entry = {.rule = next_word(&at)};
    entry.fingerprint = next_word(&at);
    entry.fingerprint_any_file = next_word(&at);
    entry.uri = next_word(&at);
    entry.text = at;
    if (strspn(entry.rule, "<=>|") >= 7)
        return refuse(name, line, "a merge has left a conflict here: keep both sides");
    if (!is_fingerprint(entry.fingerprint) || !is_fingerprint(entry.fingerprint_any_file) ||
        !entry.uri[0])
        return refuse(name, line,
                      "not a line of a baseline: RULE FINGERPRINT FINGERPRINT FILE ...");
    if (!make_room(&b->list, &b->capacity, b->n, sizeof *b->list)) return fail_memory();
    b->list[b->n++] = entry;
    return 0;
}

static int read_version(const char *name, const char *text) {
    static const char word[] = "cflr-baseline ";
    const size_t n = sizeof word - 1;
    if (strcmp(text, first_line) == 0) return 0;
    const char *version = strncmp(text, word, n) == 0 ? text + n : "";
    bool number = version[0] && !version[strspn(version, "0123456789")];
    if (!number || (version[0] == '0' && version[1]))
        return refuse(name, 1, "not a baseline: its first line is not 'cflr-baseline 1'");
    complain(
        "%s:1: a baseline of version %s, written by %s cflr, and this one reads version 1: "
        "%sremove the file, and make it anew by --update-baseline",
        shown(name), version, version[0] == '0' ? "an older" : "a newer",
        version[0] == '0' ? "" : "use that one, or ");
    return EXIT_USAGE;
}

/* Line 1 and those that tell what was asked for; *header is false from the first entry on. */
static int read_text_line(baseline *b, const char *name, char *text, size_t line, bool *header) {
    if (line == 1) return read_version(name, text);
    if (!text[strspn(text, " \t")] || text[0] == '#') return 0;
    if (*header && strncmp(text, "fingerprints ", 13) == 0)
        return strcmp(text + 13, recipe) == 0
                   ? 0
                   : refuse(name, line,
                            "fingerprints are made in another way here: remove the "
                            "file, and make it anew by --update-baseline");
    if (*header && strncmp(text, "rules ", 6) == 0) {
        b->rules = text + 6;
        return 0;
    }
    if (*header && strncmp(text, "findings ", 9) == 0) {
        b->all = strcmp(text + 9, "all") == 0;
        return 0;
    }
    uint32_t whole, all;
    if (*header && sscanf(text, "units %" SCNu32 " of %" SCNu32, &whole, &all) == 2) {
        b->units = all;
        b->units_faulty = all > whole ? all - whole : 0;
        return 0;
    }
    *header = false;
    return read_entry(b, name, text, line);
}

/* A baseline that is read. */
typedef struct reading {
    baseline *to;
    const char *name;
    bool header; /* no entry has come yet */
} reading;

static int take_line(void *user, char *text, size_t line) {
    reading *r = user;
    baseline *b = r->to;
    if (!make_room(&b->line, &b->line_capacity, b->n_lines, sizeof *b->line)) return fail_memory();
    char *kept = b->line[b->n_lines] = strdup(text);
    if (!kept) return fail_memory();
    b->n_lines++;
    return read_text_line(b, r->name, kept, line, &r->header);
}

int baseline_read(FILE *file, const char *name, baseline *b) {
    reading r = {.to = b, .name = name, .header = true};
    *b = (baseline){0};
    int code = each_line_of(file, name, take_line, &r);
    if (!code && b->n_lines == 0) return refuse(name, 1, "the baseline is empty");
    if (!code && !b->rules) return refuse(name, b->n_lines, "the line 'rules ...' is missing");
    return code;
}

void baseline_free(baseline *b) {
    for (size_t i = 0; i < b->n_lines; i++) free(b->line[i]);
    free(b->line);
    free(b->list);
    *b = (baseline){0};
}

/* ---- is it of this run ---- */

static bool has_word(const char *words, const char *word) {
    size_t n = strlen(word);
    for (const char *at = words; at; at = strchr(at, ' ')) {
        at += *at == ' ';
        if (strncmp(at, word, n) == 0 && (at[n] == ' ' || !at[n])) return true;
    }
    return false;
}

int baseline_check(const baseline *b, const char *name, const alerts *a) {
    for (size_t i = 0; i < a->n_rules; i++) {
        if (has_word(b->rules, a->rule[i])) continue;
        complain(
            "%s: the baseline is not about '%s', which is asked for: make it anew by "
            "--update-baseline",
            shown(name), shown(a->rule[i]));
        return EXIT_USAGE;
    }
    if (!a->all || b->all || a->n_findings_rules == 0) return 0;
    complain(
        "%s: the baseline has likely findings only, and all are asked for: make it anew by "
        "--update-baseline",
        shown(name));
    return EXIT_USAGE;
}

/* ---- comparing ---- */

enum { WHOLE = 24, HASH = 16 }; /* of a fingerprint */

/* Entries and alerts in one order: by rule and fingerprint, or by rule and hash without files. */
typedef struct comparison {
    baseline *old;
    alert **now; /* sorted */
    size_t n;
    bool renamed;
} comparison;

static int compare_keys(const char *rule, const char *fingerprint, const char *other_rule,
                        const char *other_fingerprint, size_t n) {
    int order = strcmp(rule, other_rule);
    return order ? order : strncmp(fingerprint, other_fingerprint, n);
}

static int entries_by_fingerprint(const void *a, const void *b) {
    const baseline_entry *x = a, *y = b;
    return compare_keys(x->rule, x->fingerprint, y->rule, y->fingerprint, WHOLE);
}

static int entries_by_hash(const void *a, const void *b) {
    const baseline_entry *x = a, *y = b;
    return compare_keys(x->rule, x->fingerprint_any_file, y->rule, y->fingerprint_any_file, HASH);
}

static int alerts_by_fingerprint(const void *a, const void *b) {
    const alert *x = *(const alert *const *)a, *y = *(const alert *const *)b;
    return compare_keys(x->rule, x->fingerprint, y->rule, y->fingerprint, WHOLE);
}

static int alerts_by_hash(const void *a, const void *b) {
    const alert *x = *(const alert *const *)a, *y = *(const alert *const *)b;
    return compare_keys(x->rule, x->fingerprint_any_file, y->rule, y->fingerprint_any_file, HASH);
}

static int compare_both(const comparison *c, const baseline_entry *entry, const alert *a) {
    return c->renamed
               ? compare_keys(entry->rule, entry->fingerprint_any_file, a->rule,
                              a->fingerprint_any_file, HASH)
               : compare_keys(entry->rule, entry->fingerprint, a->rule, a->fingerprint, WHOLE);
}

static bool file_is_there(const char *uri) {
    char path[4096];
    return tree_of_uri(uri, path, sizeof path) && access(path, F_OK) == 0;
}

static void know(alert *a, baseline_entry *entry) {
    a->known = true;
    entry->state = BASELINE_THERE;
}

static void match(const comparison *c) {
    baseline *old = c->old;
    qsort(old->list, old->n, sizeof *old->list,
          c->renamed ? entries_by_hash : entries_by_fingerprint);
    qsort(c->now, c->n, sizeof(alert *), c->renamed ? alerts_by_hash : alerts_by_fingerprint);
    for (size_t i = 0, k = 0; i < c->n && k < old->n;) {
        baseline_entry *entry = &old->list[k];
        alert *a = c->now[i];
        int order = compare_both(c, entry, a);
        if (order == 0 && c->renamed && !a->known && entry->state != BASELINE_THERE &&
            !file_is_there(entry->uri))
            know(a, entry);
        else if (order == 0 && !c->renamed)
            know(a, entry);
        if (order > 0 || (order == 0 && c->renamed && a->known))
            i++;
        else
            k++; /* of equal entries, which a merge may leave, all are there */
    }
}

/* Is the file of the entry as this run has read it, or no longer there? Entries of one file often
 * follow each other: `last` is the one before. */
static bool is_settled(const baseline_entry *entry, const baseline_entry *last, const alerts *a) {
    char path[4096], *name = NULL;
    if (last && strcmp(last->uri, entry->uri) == 0) return last->state == BASELINE_GONE;
    if (!tree_of_uri(entry->uri, path, sizeof path)) return false;
    name = strdup(tree_name(path));
    if (!name) exit(fail_memory());
    bool settled = access(path, F_OK) != 0 || alerts_have_read(a, name);
    free(name);
    return settled;
}

static void find_gone(baseline *b, const alerts *a) {
    const baseline_entry *last = NULL;
    bool whole = a->complete && a->units_faulty <= b->units_faulty;
    for (size_t i = 0; i < b->n; i++) {
        baseline_entry *entry = &b->list[i];
        if (entry->state == BASELINE_THERE) continue;
        if (alerts_rule(a, entry->rule) == a->n_rules)
            entry->state = BASELINE_OTHER;
        else if (whole && is_settled(entry, last, a))
            entry->state = BASELINE_GONE;
        if (entry->state != BASELINE_OTHER) last = entry;
    }
}

static int compare_uris(const void *a, const void *b) {
    const baseline_entry *x = a, *y = b;
    return strcmp(x->uri, y->uri);
}

int baseline_compare(baseline *b, alerts *a) {
    comparison c = {.old = b, .n = a->n};
    if (b->n == 0) return 0;
    c.now = malloc((a->n + 1) * sizeof(alert *));
    if (!c.now) return fail_memory();
    for (size_t i = 0; i < a->n; i++) c.now[i] = &a->list[i];
    match(&c);
    c.renamed = true;
    match(&c);
    free(c.now);
    qsort(b->list, b->n, sizeof *b->list, compare_uris);
    find_gone(b, a);
    return 0;
}

size_t baseline_count(const baseline *b, int state) {
    size_t n = 0;
    for (size_t i = 0; i < b->n; i++) n += (int)b->list[i].state == state;
    return n;
}

/* ---- writing ---- */

/* A line, of an alert or of an entry that is kept. */
typedef struct line {
    const char *rule, *fingerprint, *fingerprint_any_file;
    char *uri, *text; /* its own */
} line;

static int compare_lines(const void *a, const void *b) {
    const line *x = a, *y = b;
    int order = strcmp(x->rule, y->rule);
    if (!order) order = strcmp(x->uri, y->uri);
    if (!order) order = strcmp(x->text, y->text);
    return order ? order : strcmp(x->fingerprint, y->fingerprint);
}

static line line_of_alert(const alert *a) {
    line made = {.rule = a->rule,
                 .fingerprint = a->fingerprint,
                 .fingerprint_any_file = a->fingerprint_any_file,
                 .uri = tree_uri(a->place.file)};
    if (asprintf(&made.text, "%s: %s", shown(a->function), a->text) < 0) exit(fail_memory());
    return made;
}

static line line_of_entry(const baseline_entry *entry) {
    line made = {.rule = entry->rule,
                 .fingerprint = entry->fingerprint,
                 .fingerprint_any_file = entry->fingerprint_any_file,
                 .uri = strdup(entry->uri),
                 .text = strdup(entry->text)};
    if (!made.uri || !made.text) exit(fail_memory());
    return made;
}

/* Of a part of what the old one is about, the larger number of units is kept. */
static void write_header(FILE *file, const alerts *a, const baseline *old) {
    bool keeps = baseline_count(old, BASELINE_UNREAD) > 0;
    uint32_t units = keeps && old->units > a->units ? old->units : a->units;
    fprintf(file, "%s\nfingerprints %s\nrules", first_line, recipe);
    for (size_t i = 0; i < a->n_rules; i++) fprintf(file, " %s", shown(a->rule[i]));
    fprintf(file, "\nfindings %s\n", a->all ? "all" : "likely");
    fprintf(file, "units %" PRIu32 " of %" PRIu32 "\n", units - a->units_faulty, units);
}

int baseline_write(const char *path, const alerts *a, const baseline *old) {
    size_t n = 0;
    line *lines = malloc((a->n + old->n + 1) * sizeof *lines);
    if (!lines) return fail_memory();
    for (size_t i = 0; i < a->n; i++)
        if (a->list[i].asked && !a->list[i].suppressed) lines[n++] = line_of_alert(&a->list[i]);
    for (size_t i = 0; i < old->n; i++)
        if (old->list[i].state == BASELINE_UNREAD) lines[n++] = line_of_entry(&old->list[i]);
    qsort(lines, n, sizeof *lines, compare_lines);
    FILE *file = open_file(path);
    if (file) write_header(file, a, old);
    for (size_t i = 0; i < n; i++) {
        const line *l = &lines[i];
        if (file)
            fprintf(file, "%s %s %s %s %s\n", l->rule, l->fingerprint, l->fingerprint_any_file,
                    l->uri, l->text);
        free(l->uri);
        free(l->text);
    }
    free(lines);
    return finish_output(file, 0);
}
