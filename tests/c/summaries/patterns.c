/* SPDX-License-Identifier: Apache-2.0
 *
 * patterns.c: Oniguruma: regions, callbacks of names, matches and callouts.
 *
 * The library has functions of the names that <regex.h> declares, which other programs here call:
 * so this one is linked alone (tests/c/summaries/alone/main.c).
 */
#include <oniguruma.h>
#include <stddef.h>

#include "expect.h"

static int tag, other_tag;

static void *seen_scanned, *seen_named, *seen_matched;
static OnigRegion *seen_region;
static OnigRegex seen_regex;
static const OnigUChar *seen_name_text, *seen_string, *seen_subject;

static int on_scan(int n, int at, OnigRegion *region, void *argument) {
    (void)n, (void)at;
    seen_region = region;
    seen_scanned = argument;
    return 0;
}

static int on_name(const OnigUChar *name, const OnigUChar *end, int n, int *groups, OnigRegex regex,
                   void *argument) {
    (void)end, (void)n, (void)groups;
    seen_name_text = name;
    seen_regex = regex;
    seen_named = argument;
    return 0;
}

static int on_match(const OnigUChar *text, const OnigUChar *end, const OnigUChar *start,
                    OnigRegion *region, void *argument) {
    (void)end, (void)start, (void)region;
    seen_string = text;
    seen_matched = argument;
    return 0;
}

static int on_callout(OnigCalloutArgs *arguments, void *data) {
    (void)data;
    seen_subject = onig_get_string_by_callout_args(arguments);
    return ONIG_CALLOUT_SUCCESS;
}

static OnigUChar pattern[] = "(?<name>b+)(?{})", subject[] = "abbc";

static void search_with_callbacks(OnigRegex regex) {
    OnigMatchParam *param = onig_new_match_param();
    FRESH(param);
    onig_set_callout_user_data_of_match_param(param, &other_tag);
    onig_set_progress_callout_of_match_param(param, on_callout);
    onig_set_callback_each_match(on_match);
    OnigUChar *end = subject + 4;
    onig_search_with_param(regex, subject, end, subject, end, NULL,
                           ONIG_OPTION_CALLBACK_EACH_MATCH, param);
    const OnigUChar *a = seen_string, *b = seen_subject;
    POINTS_TO(a, subject);
    POINTS_TO(b, subject);
    void *c = seen_matched;
    POINTS_TO(c, other_tag);
    onig_free_match_param(param);
    onig_set_callback_each_match(NULL);
}

static void patterns(void) {
    OnigRegex regex = NULL;
    OnigErrorInfo mistake;
    OnigEncoding encodings[] = {ONIG_ENCODING_UTF8};
    onig_initialize(encodings, 1);
    OnigSyntaxType *syntax = ONIG_SYNTAX_ONIGURUMA;
    if (onig_new(&regex, pattern, pattern + sizeof pattern - 1, ONIG_OPTION_NONE,
                 ONIG_ENCODING_UTF8, syntax, &mistake) != ONIG_NORMAL)
        return;
    FRESH(regex);
    OnigRegion *region = onig_region_new();
    FRESH(region);
    OnigUChar *end = subject + 4;
    if (onig_search(regex, subject, end, subject, end, region, ONIG_OPTION_NONE) != 1) return;
    int *a = region->beg, *b = region->end;
    FRESH(a);
    FRESH(b);
    onig_scan(regex, subject, end, region, ONIG_OPTION_NONE, on_scan, &tag);
    OnigRegion *c = seen_region;
    void *d = seen_scanned;
    SAME(c, region);
    POINTS_TO(d, tag);
    onig_foreach_name(regex, on_name, &other_tag);
    OnigRegex e = seen_regex;
    void *f = seen_named;
    const OnigUChar *g = seen_name_text;
    SAME(e, regex);
    POINTS_TO(f, other_tag);
    KNOWN(g);
    int *groups = NULL;
    onig_name_to_group_numbers(regex, pattern + 3, pattern + 7, &groups);
    KNOWN(groups);
    OnigEncoding of_regex = onig_get_encoding(regex), utf8 = ONIG_ENCODING_UTF8;
    SAME(of_regex, utf8);
    OnigSyntaxType *default_syntax = ONIG_SYNTAX_DEFAULT;
    SAME(default_syntax, syntax);
    search_with_callbacks(regex);
    onig_region_free(region, 1);
    onig_free(regex);
    onig_end();
}

void run_patterns(void);
void run_patterns(void) {
    patterns();
}
