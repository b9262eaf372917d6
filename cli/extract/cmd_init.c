/* SPDX-License-Identifier: Apache-2.0
 *
 * cmd_init.c: `cflr init`: a first `.cflr.json` for the project in the working directory
 * (docs/reference/configuration.md). It says where the compilation database is, if there is one,
 * and asks for the shipped rules; all else stands there as a comment, to be taken over.
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/extract/extraction.h"

static int overwrite;

static struct poptOption table[] = {
    OPTION_FLAG("force", '\0', &overwrite, "replace a file that is there"), PLAIN_OPTIONS};

/* Two lines of the file: what an option is for, and the option, which is read unless it is a
 * `sample`. Keys are all different, as JSON asks for. */
static void put_option(FILE *file, bool sample, const char *name, const char *value,
                       const char *what) {
    fprintf(file, "    \"// %s\": \"%s\",\n    \"%s%s\": %s", name, what, sample ? "//" : "", name,
            value);
}

/* The path from the working directory to the database's directory, as JSON; false: there is none
 * below it. */
static bool describe_database(char *text, size_t size) {
    char path[PATH_MAX];
    if (!find_database(path)) return false;
    const char *below = short_path(path);
    if (below[0] == '/') return false;
    const char *slash = strrchr(below, '/');
    snprintf(text, size, "\"%.*s\"", slash ? (int)(slash - below) : 1, slash ? below : ".");
    return true;
}

/* What a list of suppressions is for: perhaps for the tests that are here. */
static const char *about_suppressions(void) {
    static const char *const folders[] = {"tests", "test"};
    static char text[160];
    const char *what = "rule, file and function that are left out, each with a reason";
    struct stat about;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        if (stat(folders[i], &about) != 0 || !S_ISDIR(about.st_mode)) continue;
        snprintf(text, sizeof text, "%s; a line for %s/: null %s/* -- tests", what, folders[i],
                 folders[i]);
        return text;
    }
    return what;
}

static void write_config(FILE *file) {
    const struct {
        const char *name, *value, *what;
        bool sample;
    } check[] = {
        {"rules", "[\"null\", \"command\", \"format\"]",
         "null pointers, text from outside that runs or is a format; files of rules, too", false},
        {"baseline", "\"cflr.baseline\"",
         "what is known does not fail; `cflr check --update-baseline` writes it", true},
        {"no-alias", "[\"assert_apart\"]",
         "calls of these functions say that their two arguments never alias", true},
        {"suppressions", "[\"cflr.suppressions\"]", about_suppressions(), true},
        {"summaries", "[\"cflr.summaries\"]",
         "what functions outside of the program do with pointers", true},
        {"max-lost", "0", "fail when more units cannot be read in full", true}};
    char database[PATH_MAX];
    bool found = describe_database(database, sizeof database);
    fputs(
        "{\n  \"//\": \"Options of cflr, by command or for all. Keys that begin with // are "
        "comments.\",\n  \"check\": {\n",
        file);
    put_option(file, !found, "database", found ? database : "\"build\"",
               "where compile_commands.json is; `cflr compdb -- make` makes one");
    for (size_t i = 0; i < sizeof check / sizeof *check; i++) {
        fputs(",\n", file);
        put_option(file, check[i].sample, check[i].name, check[i].value, check[i].what);
    }
    fputs("\n  },\n  \"all\": {\n", file);
    put_option(file, true, "memory", "\"16G\"", "a bound of every command");
    fputs(",\n", file);
    put_option(file, true, "time", "\"10m\"", "likewise");
    fputs("\n  }\n}\n", file);
}

static int run(const cli_arguments *arguments) {
    const char *path = output_is_standard() ? ".cflr.json" : output_path();
    (void)arguments;
    if (!overwrite && access(path, F_OK) == 0) {
        complain("%s is there already: --force replaces it", shown(path));
        return EXIT_USAGE;
    }
    int code = check_writable(path);
    if (!code) code = session_begin();
    if (code) return code;
    FILE *file = open_file(path);
    if (file) write_config(file);
    code = finish_output(file, 0);
    if (!code) remark("%s is written; `cflr info --config` shows what holds", shown(path));
    return code;
}

const command command_init = {.name = "init",
                              .operands = "",
                              .summary = "write a first .cflr.json for the project that is here",
                              .options = table,
                              .min_operands = 0,
                              .max_operands = 0,
                              .run = run};
