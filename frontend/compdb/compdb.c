/* SPDX-License-Identifier: Apache-2.0
 *
 * compdb.c: from a build to its units.
 *
 *     database --scan--> entries --words--> command --clean--> unit   \
 *                                                                      sort, drop equals
 *     files ------------------------------------clean--> unit          /
 *
 * Two entries are one unit when main file, working directory and kept flags are equal. The flags
 * that tell them apart in a build (-o, -fPIC, warnings, dependency files) are gone by then, except
 * for the target that the output names: a unit is part of the targets of all its entries.
 */
#include "frontend/compdb/compdb.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/context.h"
#include "base/files/stream.h"
#include "frontend/compdb/compdb_flags.h"
#include "frontend/compdb/compdb_json.h"
#include "frontend/compdb/compdb_output.h"
#include "frontend/compdb/compdb_target.h"

#define DATABASE_NAME "compile_commands.json"

typedef struct lister {
    cflr_context *context;
    const cflri_units_request *request;
    cflri_units *units;
    const char *current; /* working directory of the process */
    const char *base;    /* directory of the database, with a slash; NULL without one */
    cflr_error *error;
} lister;

static cflr_status no_memory(const lister *l) {
    return cflri_fail_memory(l->context, l->error);
}

/* ---- one unit ---- */

/* Appended to every command. Errors of newer C that older code has (an undeclared function, a
 * pointer for an integer) do not change the tree, so they must not hide the errors that do.
 * Fortified headers would replace memcpy and related functions by wrappers. */
static const char *const appended[] = {
    "-w",
    "-ferror-limit=0",
    "-Qunused-arguments",
    "-U_FORTIFY_SOURCE",
    "-Wno-error=implicit-int",
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-pointer-types",
    "-Wno-error=incompatible-function-pointer-types",
    "-Wno-error=return-type",
    "-Wno-error=return-mismatch",
};

static bool push(const lister *l, cflri_words *words, const char *word) {
    return cflri_vec_push(l->context, words, word);
}

/* Without -x, clang must be told only about headers, which it would precompile. */
static const char *language_of(const cflri_command *command, const char *path) {
    if (command->language) return command->language;
    size_t length = strlen(path);
    return length > 2 && strcmp(path + length - 2, ".h") == 0 ? "c" : NULL;
}

static bool build_arguments(const lister *l, const cflri_command *command, const cflri_unit *unit,
                            cflri_words *words) {
    const char *language = language_of(command, unit->path);
    bool good = push(l, words, "clang") &&
                cflri_target_flags(&l->units->arena, unit->directory, command->driver, words);
    for (size_t i = 0; i < command->flags.n; i++)
        good = good && push(l, words, command->flags.at[i]);
    for (size_t i = 0; i < sizeof appended / sizeof *appended; i++)
        good = good && push(l, words, appended[i]);
    if (language) good = good && push(l, words, "-x") && push(l, words, language);
    return good && push(l, words, "-working-directory") && push(l, words, unit->directory) &&
           push(l, words, unit->path);
}

static cflr_status add_unit(const lister *l, const cflri_command *command, cflri_unit unit) {
    cflr_status st = CFLR_OK;
    cflri_words words = {0};
    if (!build_arguments(l, command, &unit, &words)) CFLR_TRY(no_memory(l));
    const char **copy = cflri_arena_alloc(&l->units->arena, words.n * sizeof *copy);
    if (!copy) CFLR_TRY(no_memory(l));
    memcpy(copy, words.at, words.n * sizeof *copy);
    unit.arguments = copy;
    unit.n_arguments = (int)words.n;
    if (!cflri_vec_push(l->context, &l->units->list, unit)) st = no_memory(l);
out:
    cflri_vec_free(l->context, &words);
    return st;
}

static cflr_status add_foreign(const lister *l, const char *path, const char *language) {
    cflri_foreign foreign = {.path = path, .language = language, .entries = 1};
    l->units->other_languages++;
    return cflri_vec_push(l->context, &l->units->foreign, foreign) ? CFLR_OK : no_memory(l);
}

static bool name_target(const lister *l, cflri_unit *unit, const char *output) {
    unit->target = "";
    if (!l->base) return true;
    unit->target = cflri_output_target(&l->units->arena, unit->directory, output, unit->path);
    size_t base = strlen(l->base); /* with its slash */
    if (unit->target && strncmp(unit->target, l->base, base) == 0) unit->target += base;
    return unit->target != NULL;
}

/* Cleans `words` (driver first) and adds the unit, or notes that it is not C. `output` is what the
 * database says beside the command, or NULL. */
static cflr_status add_command(const lister *l, const cflri_words *words, const char *directory,
                               const char *file, const char *output) {
    cflr_status st = CFLR_OK;
    cflri_arena *arena = &l->units->arena;
    cflri_command command = {0};
    cflri_unit unit = {.directory = directory,
                       .path = cflri_path_absolute(arena, directory, file),
                       .wanted = true};
    if (!unit.path || !cflri_command_clean(arena, words, &command)) CFLR_TRY(no_memory(l));
    if (command.output) output = command.output;
    if (!name_target(l, &unit, output)) CFLR_TRY(no_memory(l));
    const char *language = cflri_command_other_language(&command, unit.path);
    st = language ? add_foreign(l, unit.path, language) : add_unit(l, &command, unit);
out:
    cflri_vec_free(l->context, &command.flags);
    return st;
}

/* ---- from a database ---- */

static cflr_status entry_words(const lister *l, const cflri_compdb_entry *entry,
                               const char *subject, cflri_words *words) {
    bool complete = true;
    if (entry->words) {
        for (size_t i = 0; i < entry->n_words; i++)
            if (!push(l, words, entry->words[i])) return no_memory(l);
        return CFLR_OK;
    }
    if (!cflri_words_split(&l->units->arena, entry->command, strlen(entry->command),
                           CFLRI_QUOTING_SHELL, words, &complete))
        return no_memory(l);
    if (complete) return CFLR_OK;
    return cflri_fail_at(l->error, CFLR_FORMAT, subject, entry->line, entry->column,
                         "a quote in \"command\" does not end");
}

static cflr_status add_entry(const lister *l, const cflri_compdb_entry *entry,
                             const char *subject) {
    cflr_status st = CFLR_OK;
    cflri_arena *arena = &l->units->arena;
    cflri_words raw = {0}, words = {0};
    const char *directory = cflri_path_absolute(arena, l->base, entry->directory);
    if (!directory) CFLR_TRY(no_memory(l));
    CFLR_TRY(entry_words(l, entry, subject, &raw));
    CFLR_TRY(cflri_words_expand(arena, directory, &raw, &words, l->error));
    for (size_t i = 0; i < l->request->n_flags; i++)
        if (!push(l, &words, l->request->flags[i])) CFLR_TRY(no_memory(l));
    CFLR_TRY(add_command(l, &words, directory, entry->file, entry->output));
out:
    cflri_vec_free(l->context, &raw);
    cflri_vec_free(l->context, &words);
    return st;
}

static cflr_status no_database(const lister *l, const char *path) {
    return cflri_fail(l->error, CFLR_IO, path,
                      "no compilation database here; `cflr compdb -- make` writes one, and so does "
                      "`cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON`");
}

/* The file itself for a directory or a file. */
static cflr_status database_path(const lister *l, const char **path) {
    struct stat info;
    const char *given = l->request->database;
    if (stat(given, &info) != 0) return no_database(l, given);
    const char *tail = S_ISDIR(info.st_mode) ? "/" DATABASE_NAME : "";
    size_t length = strlen(given) + strlen(tail);
    char *whole = cflri_arena_alloc(&l->units->arena, length + 1);
    if (!whole) return no_memory(l);
    snprintf(whole, length + 1, "%s%s", given, tail);
    *path = cflri_path_absolute(&l->units->arena, l->current, whole);
    if (!*path) return no_memory(l);
    return access(*path, F_OK) == 0 ? CFLR_OK : no_database(l, given);
}

static const char *directory_of(cflri_arena *arena, const char *path) {
    size_t length = (size_t)(cflri_path_base(path) - path);
    return cflri_arena_copy_text(arena, path, length);
}

static cflr_status list_database(lister *l) {
    cflr_status st = CFLR_OK;
    cflri_input input = {0};
    cflri_compdb_entries entries = {0};
    const char *path = NULL;
    CFLR_TRY(database_path(l, &path));
    CFLR_TRY(cflri_input_open(l->context, path, &input, l->error));
    CFLR_TRY(
        cflri_compdb_parse(&l->units->arena, input.data, input.size, path, &entries, l->error));
    l->base = directory_of(&l->units->arena, path);
    if (!l->base) CFLR_TRY(no_memory(l));
    l->units->base = l->base;
    for (size_t i = 0; i < entries.n; i++) CFLR_TRY(add_entry(l, &entries.at[i], path));
out:
    cflri_vec_free(l->context, &entries);
    cflri_input_close(&input);
    return path ? cflri_name_subject(st, path, l->error) : st;
}

/* ---- from files ---- */

static bool is_directory(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* Files are asked for, and databases by -p: the message says which of them there is to take. */
static cflr_status refuse_directory(const lister *l, const char *path) {
    static const char *const below[] = {"", "/build"};
    const char *slash = path + strlen(path);
    while (slash > path + 1 && slash[-1] == '/') slash--;
    for (size_t i = 0; i < sizeof below / sizeof *below; i++) {
        char database[PATH_MAX];
        int length = snprintf(database, sizeof database, "%.*s%s/" DATABASE_NAME,
                              (int)(slash - path), path, below[i]);
        if (length < 0 || (size_t)length >= sizeof database || access(database, F_OK) != 0)
            continue;
        return cflri_fail(l->error, CFLR_ARGUMENT, path,
                          "a directory, not a C file: `-p %.*s%s` reads what its compilation "
                          "database lists",
                          (int)(slash - path), path, below[i]);
    }
    return cflri_fail(l->error, CFLR_ARGUMENT, path,
                      "a directory, not a C file, and without compilation database: name its "
                      "files (*.c), or write a database with `cflr compdb -- make`");
}

static cflr_status list_files(const lister *l) {
    cflr_status st = CFLR_OK;
    cflri_words words = {0};
    bool good = push(l, &words, "clang");
    for (size_t i = 0; i < l->request->n_flags; i++)
        good = good && push(l, &words, l->request->flags[i]);
    if (!good) CFLR_TRY(no_memory(l));
    for (size_t i = 0; i < l->request->n_files; i++)
        if (is_directory(l->request->files[i])) CFLR_TRY(refuse_directory(l, l->request->files[i]));
    for (size_t i = 0; i < l->request->n_files; i++)
        CFLR_TRY(add_command(l, &words, l->current, l->request->files[i], NULL));
    if (l->units->list.n == 0)
        st = cflri_fail(l->error, CFLR_ARGUMENT, l->request->files[0],
                        "not a C file (-x c after -- makes it one)");
out:
    cflri_vec_free(l->context, &words);
    return st;
}

/* ---- the list as a whole ---- */

int cflri_unit_compare(const cflri_unit *a, const cflri_unit *b) {
    int order = strcmp(a->path, b->path);
    for (int i = 0; order == 0 && i < a->n_arguments && i < b->n_arguments; i++)
        order = strcmp(a->arguments[i], b->arguments[i]);
    return order ? order : (a->n_arguments > b->n_arguments) - (a->n_arguments < b->n_arguments);
}

/* The same unit in two targets follows itself. */
static int compare_entries(const void *x, const void *y) {
    const cflri_unit *a = x, *b = y;
    int order = cflri_unit_compare(a, b);
    return order ? order : strcmp(a->target, b->target);
}

static int compare_targets(const void *x, const void *y) {
    return strcmp(((const cflri_target *)x)->name, ((const cflri_target *)y)->name);
}

/* The targets of all entries, each once. */
static bool list_targets(const lister *l) {
    cflri_units *units = l->units;
    for (size_t i = 0; i < units->list.n; i++) {
        const cflri_target target = {.name = units->list.at[i].target, .wanted = true};
        if (*target.name && !cflri_vec_push(l->context, &units->targets, target)) return false;
    }
    if (units->targets.n == 0) return true;
    qsort(units->targets.at, units->targets.n, sizeof *units->targets.at, compare_targets);
    size_t kept = 1;
    for (size_t i = 1; i < units->targets.n; i++)
        if (compare_targets(&units->targets.at[i], &units->targets.at[kept - 1]) != 0)
            units->targets.at[kept++] = units->targets.at[i];
    units->targets.n = kept;
    return true;
}

/* Adds the unit to the target that one of its entries names. The targets of a unit come one after
 * the other, sorted. */
static bool join_target(const lister *l, cflri_unit *unit, const char *name) {
    cflri_units *units = l->units;
    if (!*name) return true;
    const cflri_target wanted = {.name = name};
    const cflri_target *target = bsearch(&wanted, units->targets.at, units->targets.n,
                                         sizeof *units->targets.at, compare_targets);
    uint32_t number = (uint32_t)(target - units->targets.at);
    if (unit->n_targets && units->members.at[units->members.n - 1] == number) return true;
    unit->n_targets++;
    return cflri_vec_push(l->context, &units->members, number);
}

static cflr_status sort_and_drop_equals(const lister *l) {
    cflri_units *units = l->units;
    if (!list_targets(l)) return no_memory(l);
    if (units->list.n == 0) return CFLR_OK;
    qsort(units->list.at, units->list.n, sizeof *units->list.at, compare_entries);
    size_t kept = 0;
    for (size_t i = 0; i < units->list.n; i++) {
        const cflri_unit unit = units->list.at[i];
        bool equal = kept > 0 && cflri_unit_compare(&unit, &units->list.at[kept - 1]) == 0;
        units->duplicates += equal;
        if (!equal) {
            units->list.at[kept] = unit;
            units->list.at[kept++].first_target = (uint32_t)units->members.n;
        }
        if (!join_target(l, &units->list.at[kept - 1], unit.target)) return no_memory(l);
    }
    units->list.n = kept;
    return CFLR_OK;
}

static int compare_foreign(const void *x, const void *y) {
    const cflri_foreign *a = x, *b = y;
    int order = strcmp(a->language, b->language);
    return order ? order : strcmp(a->path, b->path);
}

/* A file that is compiled several times is named once, with its entries: all that are said of it
 * together (`add`), or the most. */
static void sort_and_join_foreign(cflri_units *units, bool add) {
    if (units->foreign.n == 0) return;
    cflri_foreign *all = units->foreign.at;
    qsort(all, units->foreign.n, sizeof *all, compare_foreign);
    size_t kept = 1;
    for (size_t i = 1; i < units->foreign.n; i++) {
        cflri_foreign *last = &all[kept - 1];
        if (compare_foreign(&all[i], last) != 0)
            all[kept++] = all[i];
        else if (add)
            last->entries += all[i].entries;
        else if (last->entries < all[i].entries)
            last->entries = all[i].entries;
    }
    units->foreign.n = kept;
}

static int compare_path(const void *path, const void *unit) {
    return strcmp(path, ((const cflri_unit *)unit)->path);
}

/* A file that is asked for is no C unit of the database. */
static cflr_status refuse_file(const lister *l, const char *file, const char *path) {
    const cflri_foreign *foreign = l->units->foreign.at;
    for (size_t i = 0; i < l->units->foreign.n; i++)
        if (strcmp(foreign[i].path, path) == 0)
            return cflri_fail(l->error, CFLR_NOT_FOUND, file,
                              "not C in the compilation database: %s", foreign[i].language);
    return cflri_fail(l->error, CFLR_NOT_FOUND, file,
                      "this file is not in the compilation database");
}

/* Keeps the units whose main file is one of the request's; what else the database has is then no
 * news. */
static cflr_status restrict_to_files(const lister *l) {
    cflri_units *units = l->units;
    cflr_status st = CFLR_OK;
    bool *wanted = cflri_alloc_array_zero(l->context, units->list.n, sizeof *wanted);
    if (!wanted) return no_memory(l);
    for (size_t i = 0; i < l->request->n_files; i++) {
        const char *path = cflri_path_absolute(&units->arena, l->current, l->request->files[i]);
        if (!path) CFLR_TRY(no_memory(l));
        cflri_unit *found =
            bsearch(path, units->list.at, units->list.n, sizeof *units->list.at, compare_path);
        if (!found) CFLR_TRY(refuse_file(l, l->request->files[i], path));
        size_t first = (size_t)(found - units->list.at), last = first;
        while (first > 0 && compare_path(path, &units->list.at[first - 1]) == 0) first--;
        while (last < units->list.n && compare_path(path, &units->list.at[last]) == 0)
            wanted[last++] = true;
        while (first < last) wanted[first++] = true;
    }
    size_t kept = 0;
    for (size_t i = 0; i < units->list.n; i++)
        if (wanted[i]) units->list.at[kept++] = units->list.at[i];
    units->list.n = kept;
    units->foreign.n = 0;
    units->other_languages = 0;
out:
    cflri_free(l->context, wanted);
    return st;
}

/* ---- targets ---- */

/* Is `name` the path, or the end of it after a slash? */
static bool is_named(const char *path, const char *name) {
    size_t length = strlen(path), n = strlen(name);
    if (n == 0 || n > length || strcmp(path + length - n, name) != 0) return false;
    return n == length || path[length - n - 1] == '/';
}

/* True when there is such a target. */
static bool want_target(cflri_units *units, const char *name) {
    bool found = false;
    for (size_t t = 0; t < units->targets.n; t++) {
        bool named = is_named(units->targets.at[t].name, name);
        units->targets.at[t].wanted |= named;
        found |= named;
    }
    for (size_t i = 0; i < units->list.n; i++) {
        cflri_unit *unit = &units->list.at[i];
        bool named = unit->n_targets == 0 && is_named(unit->path, name);
        unit->wanted |= named;
        found |= named;
    }
    return found;
}

static cflr_status choose_targets(const lister *l) {
    cflri_units *units = l->units;
    for (size_t t = 0; t < units->targets.n; t++) units->targets.at[t].wanted = false;
    for (size_t i = 0; i < units->list.n; i++) units->list.at[i].wanted = false;
    for (size_t i = 0; i < l->request->n_targets; i++)
        if (!want_target(units, l->request->targets[i]))
            return cflri_fail(l->error, CFLR_NOT_FOUND, l->request->targets[i],
                              "no target of this name, and no C file without a target "
                              "(`cflr extract --list-targets` tells which there are)");
    return CFLR_OK;
}

/* Counts the members that are left after files were chosen. */
static void count_members(cflri_units *units) {
    for (size_t i = 0; i < units->list.n; i++) {
        const cflri_unit *unit = &units->list.at[i];
        for (uint32_t k = 0; k < unit->n_targets; k++)
            units->targets.at[units->members.at[unit->first_target + k]].units++;
    }
}

static cflr_status current_directory(lister *l) {
    char path[PATH_MAX];
    if (!getcwd(path, sizeof path))
        return cflri_fail_errno(l->error, ".", errno, "cannot name the working directory");
    l->current = cflri_arena_copy_text(&l->units->arena, path, strlen(path));
    return l->current ? CFLR_OK : no_memory(l);
}

/* A whole list, sorted, and what is wanted of it. */
static cflr_status settle(const lister *l) {
    cflr_status st = CFLR_OK;
    CFLR_TRY(sort_and_drop_equals(l));
    if (l->request->database && l->request->n_files > 0) CFLR_TRY(restrict_to_files(l));
    count_members(l->units);
    if (l->request->n_targets > 0) st = choose_targets(l);
out:
    return st;
}

cflr_status cflri_units_settle(cflr_context *context, const cflri_units_request *request,
                               cflri_units *units, cflr_error *error) {
    const lister l = {.context = context, .request = request, .units = units, .error = error};
    sort_and_join_foreign(units, false);
    for (size_t i = 0; i < units->foreign.n; i++)
        units->other_languages += units->foreign.at[i].entries;
    return settle(&l);
}

cflr_status cflri_units_list(cflr_context *context, const cflri_units_request *request,
                             cflri_units *units, cflr_error *error) {
    cflr_status st = CFLR_OK;
    lister l = {.context = context, .request = request, .units = units, .error = error};
    memset(units, 0, sizeof *units);
    cflri_arena_init(&units->arena, context);
    units->base = "";
    CFLR_TRY(current_directory(&l));
    CFLR_TRY(request->database ? list_database(&l) : list_files(&l));
    sort_and_join_foreign(units, true);
    CFLR_TRY(settle(&l));
out:
    if (st != CFLR_OK) cflri_units_free(units);
    return st;
}

void cflri_units_free(cflri_units *units) {
    cflr_context *context = units->arena.context;
    if (!context) return;
    cflri_vec_free(context, &units->list);
    cflri_vec_free(context, &units->foreign);
    cflri_vec_free(context, &units->targets);
    cflri_vec_free(context, &units->members);
    cflri_arena_reset(&units->arena);
    memset(units, 0, sizeof *units);
}
