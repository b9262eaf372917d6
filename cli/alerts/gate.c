/* SPDX-License-Identifier: Apache-2.0
 *
 * gate.c: which alerts fail a run.
 *
 *     asked for?  --findings       suppressed?  comments, --suppressions      known?  --baseline
 *     elsewhere?  --changed-files  severe?      --fail-level
 *
 * Without any of these options each alert that is asked for fails the run. Text has the alerts that
 * would fail it, whatever their level; with --fail-on none as well.
 */
#include "cli/alerts/gate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/alerts/baseline.h"
#include "cli/alerts/changed.h"
#include "cli/alerts/revision.h"
#include "cli/alerts/suppressions.h"
#include "cli/alerts/tree.h"

static char *baseline_path, *base_revision, *fail_on, *fail_level, *changed_files, *source_root;
static char **suppression_lists;
static int update_baseline;

struct poptOption gate_table[] = {
    OPTION_VALUE("baseline", '\0', &baseline_path,
                 "what an earlier run found, which is known and does not fail this one", "FILE"),
    OPTION_FLAG("update-baseline", '\0', &update_baseline,
                "write to the file of --baseline what this run finds"),
    OPTION_VALUE("baseline-base", '\0', &base_revision,
                 "known is what the baseline has at this revision of git, too", "REVISION"),
    OPTION_VALUE(
        "fail-on", '\0', &fail_on,
        "what is printed and fails the run (default: new with --baseline, else all), one of: "
        "new all none",
        "WHICH"),
    OPTION_VALUE("fail-level", '\0', &fail_level,
                 "what is less severe does not fail the run (default: note), one of: error warning "
                 "note",
                 "LEVEL"),
    OPTION_LIST("suppressions", '\0', &suppression_lists,
                "what is to be left out, besides what comments suppress (may be repeated)", "FILE"),
    OPTION_VALUE("changed-files", '\0', &changed_files,
                 "only what has to do with these files, one a line", "FILE"),
    OPTION_VALUE("source-root", '\0', &source_root,
                 "what paths in reports and baselines begin below (default: the repository)",
                 "DIR"),
    POPT_TABLEEND};

enum { FAIL_ON_ALL, FAIL_ON_NEW, FAIL_ON_NONE };

static int fails_on, worst_level;
static baseline known, base;

bool gate_has_baseline(void) {
    return baseline_path != NULL;
}

/* ---- options ---- */

static int check_words(void) {
    static const option_word which[] = {
        {"new", FAIL_ON_NEW}, {"all", FAIL_ON_ALL}, {"none", FAIL_ON_NONE}, {NULL, 0}};
    static const option_word levels[] = {
#define LEVEL(name, number, word, text) {word, number},
        CFLR_LEVEL_LIST(LEVEL)
#undef LEVEL
            {NULL, 0}};
    fails_on = baseline_path ? FAIL_ON_NEW : FAIL_ON_ALL;
    worst_level = CFLR_LEVEL_NOTE;
    int code = read_word("fail-on", fail_on, which, &fails_on);
    if (!code) code = read_word("fail-level", fail_level, levels, &worst_level);
    return code;
}

static int check_options(void) {
    int code = check_words();
    if (code) return code;
    if (!baseline_path && update_baseline)
        return usage_error("--update-baseline goes with --baseline");
    if (!baseline_path && base_revision) return usage_error("--baseline-base goes with --baseline");
    if (!baseline_path && fails_on == FAIL_ON_NEW)
        return usage_error("--fail-on new goes with --baseline");
    if (base_revision && base_revision[0] == '-')
        return usage_error("--baseline-base %s: not a revision", base_revision);
    if (update_baseline && (base_revision || changed_files))
        return usage_error("--update-baseline goes without --%s",
                           base_revision ? "baseline-base" : "changed-files");
    return update_baseline ? check_writable(baseline_path) : 0;
}

/* ---- files ---- */

static int read_baseline(void) {
    FILE *file = open_lines(baseline_path);
    if (!file && errno == ENOENT && update_baseline) return 0; /* the first one */
    if (!file) {
        complain("%s: cannot open: %s%s", shown(baseline_path), strerror(errno),
                 errno == ENOENT ? " (--update-baseline makes one)" : "");
        return cflr_status_exit_code(CFLR_IO);
    }
    int code = baseline_read(file, baseline_path, &known);
    fclose(file);
    return code;
}

static int read_base(void) {
    FILE *file = base_revision ? revision_open(base_revision, baseline_path) : NULL;
    if (!base_revision) return 0;
    if (!file) return EXIT_USAGE;
    int code = baseline_read(file, baseline_path, &base);
    fclose(file);
    return code;
}

int gate_open(void) {
    int code = check_options();
    if (!code) code = tree_open(source_root);
    if (!code && baseline_path) code = read_baseline();
    if (!code) code = read_base();
    for (size_t i = 0; !code && suppression_lists && suppression_lists[i]; i++)
        code = suppressions_read(suppression_lists[i]);
    if (!code && changed_files) code = changed_read(changed_files);
    return code;
}

void gate_close(void) {
    baseline_free(&known);
    baseline_free(&base);
    suppressions_free();
    changed_free();
    tree_close();
}

/* ---- judging ---- */

int gate_check(const alerts *a) {
    int code = 0;
    if (update_baseline) return 0; /* it is made anew */
    if (baseline_path) code = baseline_check(&known, baseline_path, a);
    if (!code && base_revision) code = baseline_check(&base, baseline_path, a);
    return code;
}

/* An alert that the change has added to its own baseline is not known. */
static int compare_with_base(alerts *a) {
    bool *in_file = malloc(a->n + 1);
    if (!in_file) return fail_memory();
    for (size_t i = 0; i < a->n; i++) {
        in_file[i] = a->list[i].known;
        a->list[i].known = false;
    }
    int code = baseline_compare(&base, a);
    for (size_t i = 0; i < a->n; i++) {
        a->list[i].added = in_file[i] && !a->list[i].known;
        a->list[i].known &= in_file[i];
    }
    free(in_file);
    return code;
}

int gate_judge(alerts *a) {
    int code = alerts_list_files(a);
    if (!code) code = suppressions_apply(a);
    if (!code) code = baseline_compare(&known, a);
    if (!code && base_revision) code = compare_with_base(a);
    if (!code && changed_files) changed_apply(a);
    return code;
}

bool gate_tells(const alert *a) {
    bool left_out = a->suppressed || a->elsewhere || (fails_on == FAIL_ON_NEW && a->known);
    return a->asked && !left_out;
}

bool gate_fails(const alert *a) {
    return gate_tells(a) && fails_on != FAIL_ON_NONE && (int)a->level <= worst_level;
}

size_t gate_failures(const alerts *a) {
    size_t n = 0;
    for (size_t i = 0; i < a->n; i++) n += gate_fails(&a->list[i]);
    return n;
}

/* ---- telling ---- */

void gate_explain(FILE *file, const alert *a) {
    if (a->added)
        fprintf(file, "    in %s, but not at revision %s\n", shown(baseline_path),
                shown(base_revision));
}

typedef struct tally {
    size_t known, suppressed, elsewhere, gone, unread;
} tally;

static tally count(const alerts *a) {
    tally t = {0};
    for (size_t i = 0; i < a->n; i++) {
        const alert *at = &a->list[i];
        if (!at->asked) continue;
        t.suppressed += at->suppressed != NULL;
        t.known += !at->suppressed && at->known;
        t.elsewhere += !at->suppressed && !at->known && at->elsewhere;
    }
    t.gone = baseline_count(&known, BASELINE_GONE);
    t.unread = baseline_count(&known, BASELINE_UNREAD);
    return t;
}

char *gate_summary(const alerts *a) {
    char *text = NULL;
    size_t size;
    const tally t = count(a);
    const struct {
        const char *name;
        size_t n;
    } part[] = {{"known", t.known},
                {"suppressed", t.suppressed},
                {"elsewhere", t.elsewhere},
                {"gone", t.gone},
                {"unread", t.unread}};
    const char *before = "; ";
    FILE *file = open_memstream(&text, &size);
    for (size_t i = 0; file && i < sizeof part / sizeof *part; i++) {
        if (part[i].n == 0) continue;
        fprintf(file, "%s%s: %zu", before, part[i].name, part[i].n);
        before = ", ";
    }
    if (file && fclose(file) == 0 && text) return text;
    fail_memory();
    return NULL;
}

static json_t *gone_json(void) {
    json_t *list = json_array();
    for (size_t i = 0; i < known.n; i++) {
        const baseline_entry *entry = &known.list[i];
        if (entry->state != BASELINE_GONE) continue;
        json_t *object = json_object();
        json_set_text(object, "rule", entry->rule);
        json_set_text(object, "fingerprint", entry->fingerprint);
        json_set_text(object, "uri", entry->uri);
        json_set_text(object, "text", entry->text);
        json_array_append_new(list, object);
    }
    return list;
}

void alert_json(const alert *a, json_t *object) {
    json_set_text(object, "level", cflr_level_name(a->level));
    json_set(object, "fails", json_boolean(gate_fails(a)));
    if (baseline_path) json_set(object, "known", json_boolean(a->known));
    if (a->suppressed) json_set_text(object, "suppressed", a->suppressed->reason);
}

void gate_json(const alerts *a, json_t *object) {
    json_set_count(object, "failing", gate_failures(a));
    if (baseline_path) json_set(object, "gone", gone_json());
    json_set(object, "suppressions", suppressions_json(a));
}

/* Has this run read much less than the one of the baseline? */
static bool reads_little(const alerts *a) {
    return 2 * (uint64_t)a->units < known.units;
}

/* Of a run that has read something else than the one of the baseline. */
static void warn_units(const alerts *a) {
    const char *name = shown(baseline_path);
    if (a->units < known.units && baseline_count(&known, BASELINE_UNREAD) > 0)
        remark(
            "%s: warning: it was made of %u units, this run reads %u: what it does not find may "
            "only be unread",
            name, known.units, a->units);
    if (a->units_faulty <= known.units_faulty) return;
    if (known.units == 0)
        remark("%s: warning: %u of %u units were not read in full: what is in them is not known",
               name, a->units_faulty, a->units);
    else
        remark("%s: warning: %u units were not read in full, %u were not when it was made", name,
               a->units_faulty, known.units_faulty);
}

static int update(const alerts *a) {
    size_t kept = baseline_count(&known, BASELINE_UNREAD);
    if (reads_little(a)) {
        complain(
            "%s: not updated: it was made of %u units, and this run reads %u (if that is right, "
            "remove the file first)",
            shown(baseline_path), known.units, a->units);
        return cflr_status_exit_code(CFLR_IO);
    }
    int code = baseline_write(baseline_path, a, &known);
    if (!code && kept > 0)
        remark("%s: updated; %zu of files that were not read are kept", shown(baseline_path), kept);
    else if (!code)
        remark("%s: updated", shown(baseline_path));
    return code;
}

int gate_finish(const alerts *a, int code) {
    bool whole = code == EXIT_YES || code == EXIT_NO;
    suppressions_audit(a);
    if (baseline_path && whole) warn_units(a);
    if (!update_baseline) return code;
    if (whole) return update(a);
    complain("%s: not updated, as the run is not complete", shown(baseline_path));
    return code;
}
