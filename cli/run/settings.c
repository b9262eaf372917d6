/* SPDX-License-Identifier: Apache-2.0
 *
 * settings.c: options that a file or the environment gives.
 *
 * The file is `.cflr.json`, in the working directory or the nearest one upward, up to the root of
 * the repository if there is one; CFLR_CONFIG names another, or none if it is empty:
 *
 *     {"//": "for people",
 *      "check": {"rules": ["null", "command"], "baseline": "lint/cflr.baseline"},
 *      "all":   {"threads": 4}}
 *
 * Each setting becomes a word `--option=value` in front of those of the command line, unless a
 * stronger source gives the same option: then all values of the weaker one are hidden, also of an
 * option that may be repeated.
 *
 * A file that is found may be a stranger's. So it cannot say where output goes (-o), and other
 * files that are written must lie below it.
 */
#include "cli/run/settings.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/run/rows.h"

/* Paths that are read only, which may lie anywhere. */
static const char *const read_only[] = {
    "database",      "summaries", "rules",       "grammar", "suppressions",
    "changed-files", "share",     "source-root", "pairs",   NULL};

static struct {
    setting *at;
    size_t n, capacity;
    size_t n_of_file; /* the first ones */
    char **text;      /* that they own */
    size_t n_texts, text_capacity;
    char path[PATH_MAX]; /* of the file; "": none */
    bool named;          /* by CFLR_CONFIG */
} all;

static const char **merged;

/* Keeps a text; NULL after a message. */
static const char *keep(char *text) {
    if (text && make_room(&all.text, &all.text_capacity, all.n_texts, sizeof *all.text))
        return all.text[all.n_texts++] = text;
    free(text);
    fail_memory();
    return NULL;
}

/* Texts must live as long as the settings; 0, or the exit code after a message. */
static int add(const char *section, const struct poptOption *row, const char *value,
               const char *from) {
    if (!make_room(&all.at, &all.capacity, all.n, sizeof *all.at)) return fail_memory();
    all.at[all.n++] = (setting){section, row->longName, value, from};
    return 0;
}

/* ---- the words of a line ---- */

/* Calls `found` for each option of a line; words that are none are skipped. */
typedef int option_found(void *user, const struct poptOption *row, const char *value, bool no);

static int next_letters(const option_rows *rows, int argc, const char **argv, int *i,
                        option_found *found, void *user) {
    for (const char *at = argv[*i] + 1; *at; at++) {
        const struct poptOption *row = find_letter(rows, *at);
        if (!row) return 0;
        bool flag = row_is_flag(row), here = at[1] != '\0';
        const char *value = flag ? NULL : here ? at + 1 + (at[1] == '=') : argv[++*i];
        int code = flag || here || *i < argc ? found(user, row, value, false) : 0;
        if (code || !flag) return code;
    }
    return 0;
}

static int next_name(const option_rows *rows, int argc, const char **argv, int *i,
                     option_found *found, void *user) {
    const char *name = argv[*i] + 2;
    size_t length = strcspn(name, "=");
    const struct poptOption *row = find_row(rows, name, length);
    if (row && row_is_flag(row)) return found(user, row, NULL, false);
    if (row && name[length] == '=') return found(user, row, name + length + 1, false);
    if (row) return ++*i < argc ? found(user, row, argv[*i], false) : 0;
    if (length < 4 || strncmp(name, "no-", 3) != 0) return 0;
    row = find_row(rows, name + 3, length - 3);
    return row && row_is_flag(row) ? found(user, row, NULL, true) : 0;
}

/* Of the word at *i, which comes to its value where that is the next word. */
static int next_options(const option_rows *rows, int argc, const char **argv, int *i,
                        option_found *found, void *user) {
    if (argv[*i][0] != '-' || !argv[*i][1]) return 0;
    return argv[*i][1] == '-' ? next_name(rows, argc, argv, i, found, user)
                              : next_letters(rows, argc, argv, i, found, user);
}

/* ---- CFLR_ARGS ---- */

static int add_of_environment(void *user, const struct poptOption *row, const char *value,
                              bool no) {
    size_t *n = user;
    if (no) return usage_error("CFLR_ARGS: --no-%s is for the command line", row->longName);
    ++*n;
    return add("all", row, value, "CFLR_ARGS");
}

static int read_environment(void) {
    enum { MOST = 256 };
    const char *given = getenv("CFLR_ARGS");
    char *word[MOST];
    const option_rows rows = rows_of_all();
    if (!given || !given[0]) return 0;
    if (!keep(strdup(given))) return cflr_status_exit_code(CFLR_NO_MEMORY);
    int n = cut_words(all.text[all.n_texts - 1], word, MOST), code = 0;
    if (n < 0 || n > MOST)
        return usage_error("CFLR_ARGS: a quote is not closed, or too many words");
    for (int i = 0; i < n && !code; i++) {
        size_t found = 0;
        const int first = i;
        code = next_options(&rows, n, (const char **)word, &i, add_of_environment, &found);
        if (!code && found == 0) return usage_error("CFLR_ARGS: no command has '%s'", word[first]);
    }
    return code;
}

/* ---- the file ---- */

static int refuse(const char *what, const char *key, const char *why) {
    complain("%s: %s%s%s%s%s", shown(short_path(all.path)), shown(what), key[0] ? "." : "",
             shown(key), what[0] ? ": " : "", why);
    return EXIT_USAGE;
}

static bool is_upward(const char *path) {
    size_t n;
    for (; *path; path += n + (path[n] == '/')) {
        n = strcspn(path, "/");
        if (n == 2 && strncmp(path, "..", 2) == 0) return true;
    }
    return false;
}

static bool is_read_only(const char *option) {
    for (size_t i = 0; read_only[i]; i++)
        if (strcmp(read_only[i], option) == 0) return true;
    return false;
}

/* A path of the file is below the file's directory; a name of a rule or a grammar is one if there
 * is such a file. NULL after a message. */
static const char *place_value(const struct poptOption *row, const char *value) {
    char *path;
    int directory = (int)(strrchr(all.path, '/') - all.path);
    bool may_be = is_read_only(row->longName) && !row_is_path(row);
    bool anywhere = value[0] == '/' || strcmp(value, "-") == 0;
    if ((!row_is_path(row) && !may_be) || anywhere) return keep(strdup(value));
    if (asprintf(&path, "%.*s/%s", directory, all.path, value) < 0) return keep(NULL);
    if (may_be && access(path, F_OK) != 0) {
        free(path);
        return keep(strdup(value));
    }
    const char *short_one = short_path(path);
    char *copy = strdup(short_one);
    free(path);
    return keep(copy);
}

static int add_value(const char *section, const struct poptOption *row, const json_t *value) {
    char number[40];
    const char *text = json_string_value(value);
    if (json_is_integer(value)) {
        snprintf(number, sizeof number, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        text = number;
    } else if (json_is_real(value)) {
        snprintf(number, sizeof number, "%.17g", json_real_value(value));
        text = number;
    }
    if (row_is_flag(row)) {
        if (!json_is_boolean(value))
            return refuse(section, row->longName, "a flag is true or false");
        return json_is_true(value) ? add(section, row, NULL, all.path) : 0;
    }
    if (!text) return refuse(section, row->longName, "a text or a number is needed");
    bool written = row_is_path(row) && !is_read_only(row->longName);
    if (written && !all.named && (text[0] == '/' || is_upward(text)))
        return refuse(section, row->longName, "what is written must be below the file");
    const char *kept = place_value(row, text);
    return kept ? add(section, row, kept, all.path) : cflr_status_exit_code(CFLR_NO_MEMORY);
}

static int add_values(const char *section, const struct poptOption *row, const json_t *value) {
    size_t i;
    const json_t *member;
    int code = 0;
    if (!json_is_array(value)) return add_value(section, row, value);
    if (!row_is_list(row)) return refuse(section, row->longName, "only one value");
    json_array_foreach(value, i, member) {
        if (!code) code = add_value(section, row, member);
    }
    return code;
}

static int read_option(const char *section, const option_rows *rows, const char *name,
                       const json_t *value) {
    char why[160];
    const struct poptOption *row = find_row(rows, name, strlen(name));
    if (strcmp(name, "output") == 0 || strcmp(name, "help") == 0)
        return refuse(section, name, "is for the command line");
    if (row) return add_values(section, row, value);
    const char *meant = nearest_row(rows, name);
    snprintf(why, sizeof why, "there is no such option%s%s%s", meant ? "; did you mean '" : "",
             meant ? meant : "", meant ? "'?" : "");
    return refuse(section, name, why);
}

static bool is_comment(const char *key) {
    return strncmp(key, "//", 2) == 0 || strcmp(key, "$schema") == 0;
}

static int read_section(const char *name, const json_t *section) {
    const char *key;
    json_t *value;
    int code = 0;
    size_t i = 0;
    while (commands[i] && strcmp(commands[i]->name, name) != 0) i++;
    bool every = strcmp(name, "all") == 0;
    if (!commands[i] && !every) return refuse(name, "", "neither a command nor 'all'");
    if (!json_is_object(section)) return refuse(name, "", "an object with options is needed");
    const option_rows rows = every ? rows_of_all() : rows_of(commands[i]);
    const char *kept = keep(strdup(name));
    if (!kept) return cflr_status_exit_code(CFLR_NO_MEMORY);
    json_object_foreach((json_t *)section, key, value) {
        if (!code && !is_comment(key)) code = read_option(kept, &rows, key, value);
    }
    return code;
}

static int read_file(void) {
    json_error_t error;
    const char *key;
    json_t *section, *file = json_load_file(all.path, JSON_REJECT_DUPLICATES, &error);
    int code = 0;
    if (!file) {
        complain("%s:%d:%d: %s", shown(short_path(all.path)), error.line, error.column, error.text);
        return EXIT_USAGE;
    }
    if (!json_is_object(file)) code = refuse("", "", "an object with commands is needed");
    json_object_foreach(file, key, section) {
        if (!code && !is_comment(key)) code = read_section(key, section);
    }
    json_decref(file);
    return code;
}

/* Writes the path of the file, or "". 0, or the exit code after a message. */
static int find_file(void) {
    const char *named = getenv("CFLR_CONFIG");
    all.named = named != NULL;
    all.path[0] = '\0';
    if (named && !named[0]) return 0;
    if (named) {
        if (realpath(named, all.path)) return 0;
        complain("CFLR_CONFIG=%s: %s", shown(named), strerror(errno));
        return EXIT_USAGE;
    }
    char directory[PATH_MAX - 16], repository[PATH_MAX];
    if (!getcwd(directory, sizeof directory)) return 0;
    for (;;) {
        snprintf(all.path, sizeof all.path, "%s/.cflr.json", directory);
        snprintf(repository, sizeof repository, "%s/.git", directory);
        if (access(all.path, F_OK) == 0) return 0;
        char *slash = strrchr(directory, '/');
        if (!slash || access(repository, F_OK) == 0) break;
        *slash = '\0';
    }
    all.path[0] = '\0';
    return 0;
}

static int load(void) {
    int code = find_file();
    if (!code && all.path[0]) code = read_file();
    all.n_of_file = all.n;
    return code ? code : read_environment();
}

void settings_list(const setting **list, size_t *n) {
    *list = all.at;
    *n = all.n;
}

int settings_reload(void) {
    settings_free();
    return load();
}

/* ---- what holds ---- */

/* The options that the command line gives. */
typedef struct given_options {
    const struct poptOption *row[MOST_ROWS];
    size_t n;
} given_options;

static int note_given(void *user, const struct poptOption *row, const char *value, bool no) {
    given_options *given = user;
    (void)value;
    (void)no;
    for (size_t i = 0; i < given->n; i++)
        if (given->row[i] == row) return 0;
    if (given->n < MOST_ROWS) given->row[given->n++] = row;
    return 0;
}

static bool is_given(const given_options *given, const struct poptOption *row) {
    for (size_t i = 0; i < given->n; i++)
        if (given->row[i] == row) return true;
    return false;
}

/* Is there a stronger setting of the same option for the command: of the environment, or in the
 * file in its own section? */
static bool is_hidden(size_t i, const command *chosen) {
    const setting *s = &all.at[i];
    bool of_all = strcmp(s->command, "all") == 0;
    for (size_t k = 0; k < all.n; k++) {
        const setting *other = &all.at[k];
        bool stronger = (k >= all.n_of_file) > (i >= all.n_of_file) ||
                        ((k >= all.n_of_file) == (i >= all.n_of_file) && of_all &&
                         strcmp(other->command, chosen->name) == 0);
        bool applies =
            strcmp(other->command, "all") == 0 || strcmp(other->command, chosen->name) == 0;
        if (stronger && applies && strcmp(other->option, s->option) == 0) return true;
    }
    return false;
}

const char *setting_value(const command *of, const char *option) {
    const char *value = NULL;
    for (size_t i = 0; i < all.n; i++) {
        const setting *s = &all.at[i];
        bool applies = strcmp(s->command, of->name) == 0 || strcmp(s->command, "all") == 0;
        if (applies && strcmp(s->option, option) == 0 && !is_hidden(i, of))
            value = s->value ? s->value : "";
    }
    return value;
}

static const char *word_of(const setting *s) {
    char *word;
    int n = s->value ? asprintf(&word, "--%s=%s", s->option, s->value)
                     : asprintf(&word, "--%s", s->option);
    return keep(n < 0 ? NULL : word);
}

/* Is the word `--no-FLAG`? */
static bool takes_back(const option_rows *rows, const char *word) {
    if (strncmp(word, "--no-", 5) != 0 || find_row(rows, word + 2, strlen(word + 2))) return false;
    const struct poptOption *row = find_row(rows, word + 5, strlen(word + 5));
    return row && row_is_flag(row);
}

int settings_merge(const command *chosen, int *argc, const char ***argv) {
    const option_rows rows = rows_of(chosen);
    given_options given = {.n = 0};
    int code = load(), n = 0;
    if (code) return code;
    for (int i = 1; i < *argc && strcmp((*argv)[i], "--") != 0; i++)
        next_options(&rows, *argc, *argv, &i, note_given, &given);
    merged = malloc((all.n + (size_t)*argc + 1) * sizeof *merged);
    if (!merged) return fail_memory();
    merged[n++] = (*argv)[0];
    for (size_t i = 0; i < all.n; i++) {
        const setting *s = &all.at[i];
        const struct poptOption *row = find_row(&rows, s->option, strlen(s->option));
        bool own = strcmp(s->command, chosen->name) == 0 || strcmp(s->command, "all") == 0;
        if (!row || !own || is_given(&given, row) || is_hidden(i, chosen)) continue;
        merged[n] = word_of(s);
        if (!merged[n++]) return cflr_status_exit_code(CFLR_NO_MEMORY);
    }
    for (int i = 1; i < *argc; i++)
        if (!takes_back(&rows, (*argv)[i])) merged[n++] = (*argv)[i];
    merged[n] = NULL;
    *argc = n;
    *argv = merged;
    return 0;
}

void settings_free(void) {
    for (size_t i = 0; i < all.n_texts; i++) free(all.text[i]);
    free(all.text);
    free(all.at);
    free(merged);
    memset(&all, 0, sizeof all);
    merged = NULL;
}
