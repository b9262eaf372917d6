/* SPDX-License-Identifier: Apache-2.0
 *
 * share.c: directories of rules and summaries that several projects share.
 *
 *     DIR/rules/NAME.txt          is meant by --rules NAME, if no shipped rule and no file is
 *     DIR/summaries/ANYTHING.txt  is read in any case, in the order of names; summaries of a later
 *                                 directory replace earlier ones, and those of --summaries all
 */
#include "cli/extract/share.h"

#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cflr/extract.h"
#include "cli/run/run.h"

typedef struct text_list {
    char **at;
    size_t n, capacity;
} text_list;

/* Takes the text over, and keeps a NULL behind it; 0, or the exit code after a message. */
static int add(text_list *list, char *text) {
    if (!text || !make_room(&list->at, &list->capacity, list->n + 1, sizeof *list->at)) {
        free(text);
        return fail_memory();
    }
    list->at[list->n++] = text;
    list->at[list->n] = NULL;
    return 0;
}

static bool is_shipped(const char *rule) {
    for (size_t i = 0; cflr_rule_shipped(i); i++)
        if (strcmp(cflr_rule_shipped(i), rule) == 0) return true;
    return false;
}

/* No rule is called so, and it is no path: a name that was meant. */
static int refuse_rule(const char *rule) {
    enum { MOST = 32 };
    const char *known[MOST];
    char there[256] = "";
    size_t n = 0, length = 0;
    if (strchr(rule, ' ')) return usage_error("--rules '%s': one rule for each --rules", rule);
    for (size_t i = 0; cflr_rule_shipped(i) && n < MOST && length < sizeof there; i++) {
        known[n++] = cflr_rule_shipped(i);
        length += (size_t)snprintf(there + length, sizeof there - length, " %s", known[n - 1]);
    }
    const char *meant = nearest(rule, known, n);
    return usage_error("--rules %s: no such rule or file; shipped:%s%s%s%s", rule, there,
                       meant ? "; did you mean '" : "", meant ? meant : "", meant ? "'?" : "");
}

/* Adds the rule, or the file of the last directory that has it. 0, or the exit code after a
 * message. */
static int add_rule(text_list *list, char *const *directories, const char *rule) {
    char *path = NULL;
    bool is_name = !is_shipped(rule) && !strchr(rule, '/') && access(rule, F_OK) != 0;
    for (size_t i = list_length(directories); is_name && i-- > 0;) {
        if (asprintf(&path, "%s/rules/%s.txt", directories[i], rule) < 0) return fail_memory();
        if (access(path, F_OK) == 0) return add(list, path);
        free(path);
    }
    return is_name && !strchr(rule, '.') ? refuse_rule(rule) : add(list, strdup(rule));
}

static int add_summaries(text_list *list, const char *directory) {
    glob_t found;
    char *pattern;
    struct stat about;
    int code = 0;
    if (stat(directory, &about) != 0 || !S_ISDIR(about.st_mode)) {
        complain("--share %s: no such directory", shown(directory));
        return EXIT_USAGE;
    }
    if (asprintf(&pattern, "%s/summaries/*.txt", directory) < 0) return fail_memory();
    int failure = glob(pattern, 0, NULL, &found);
    for (size_t i = 0; !failure && i < found.gl_pathc && !code; i++)
        code = add(list, strdup(found.gl_pathv[i]));
    if (!failure) globfree(&found);
    free(pattern);
    return failure == GLOB_NOSPACE ? fail_memory() : code;
}

int share_find(char *const *directories, char *const *rules, char *const *summaries,
               shared_files *found) {
    text_list rule_list = {0}, summary_list = {0};
    int code = 0;
    for (size_t i = 0; !code && i < list_length(rules); i++)
        code = add_rule(&rule_list, directories, rules[i]);
    for (size_t i = 0; !code && i < list_length(directories); i++)
        code = add_summaries(&summary_list, directories[i]);
    for (size_t i = 0; !code && i < list_length(summaries); i++)
        code = add(&summary_list, strdup(summaries[i]));
    *found = (shared_files){rule_list.at, summary_list.at};
    return code;
}

static void free_list(char **list) {
    for (size_t i = 0; list && list[i]; i++) free(list[i]);
    free(list);
}

void share_free(shared_files *found) {
    free_list(found->rules);
    free_list(found->summaries);
}
