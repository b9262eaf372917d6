/* SPDX-License-Identifier: Apache-2.0
 *
 * settings.h: options that a file or the environment gives (docs/reference/configuration.md).
 *
 *     .cflr.json, found upward   <   CFLR_ARGS   <   the command line
 */
#ifndef CFLR_CLI_RUN_SETTINGS_H
#define CFLR_CLI_RUN_SETTINGS_H

#include "cli/run/run.h"

/* One value of an option. Texts live until settings_free. */
typedef struct setting {
    const char *command; /* a command's name; "all": of those that have the option */
    const char *option;  /* long name */
    const char *value;   /* NULL: a flag */
    const char *from;    /* "CFLR_ARGS", or the path of the file */
} setting;

/* The words of the command line with those that hold besides in front, and without `--no-FLAG`,
 * which takes back a flag. 0, or the exit code after a message. To be freed in any case. */
int settings_merge(const command *chosen, int *argc, const char ***argv);

/* All of them for all commands, the weaker source first. */
void settings_list(const setting **list, size_t *n);

/* Reads file and environment anew, from where the process is now. 0, or the exit code after a
 * message. */
int settings_reload(void);
/* The value that they give an option of a command, "" for a flag; NULL: none. Until they are read
 * anew, or freed. */
const char *setting_value(const command *of, const char *option);

/* Prints them in the format of --format (docs/reference/json.md). The exit code. */
int settings_print(void);
/* Prints the JSON schema of the file. The exit code. */
int settings_schema_print(void);

void settings_free(void);

#endif
