/* SPDX-License-Identifier: Apache-2.0
 *
 * fuzz_compdb.c: hostile compilation databases: the text, the words of commands, the flags.
 */
#include <stdlib.h>
#include <string.h>

#include "frontend/compdb/compdb_flags.h"
#include "frontend/compdb/compdb_json.h"
#include "frontend/compdb/compdb_target.h"
#include "tests/fuzz/fuzz.h"

static void clean(cflri_arena *arena, const cflri_compdb_entry *entry) {
    cflri_words words = {0};
    cflri_command command = {0};
    bool complete = true;
    if (entry->command)
        for (int quoting = CFLRI_QUOTING_SHELL; quoting <= CFLRI_QUOTING_FILE; quoting++)
            must(cflri_words_split(arena, entry->command, strlen(entry->command),
                                   (cflri_quoting)quoting, &words, &complete));
    for (size_t i = 0; i < entry->n_words; i++)
        must(cflri_vec_push(arena->context, &words, entry->words[i]));
    must(cflri_command_clean(arena, &words, &command));
    must(cflri_target_flags(arena, "/", command.driver, &command.flags));
    for (size_t i = 0; i < command.flags.n; i++)
        must(cflri_flag_weigh(command.flags.at[i]) <= CFLRI_FLAG_SOURCE);
    const char *path = cflri_path_absolute(arena, entry->directory, entry->file);
    must(path && path[0] == '/' && !strstr(path, "//"));
    const char *language = cflri_command_other_language(&command, path);
    must(!language || language[0]);
    cflri_vec_free(arena->context, &command.flags);
    cflri_vec_free(arena->context, &words);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static cflr_context *context;
    cflri_arena arena;
    cflri_compdb_entries entries = {0};
    cflr_error error = {0};
    if (!context) must(cflr_context_new(NULL, &context, &error) == CFLR_OK);
    cflri_arena_init(&arena, context);
    cflr_status st =
        cflri_compdb_parse(&arena, (const char *)data, size, "input", &entries, &error);
    must(st == CFLR_OK || (st == CFLR_FORMAT && error.line > 0 && error.column > 0));
    for (size_t i = 0; st == CFLR_OK && i < entries.n; i++) clean(&arena, &entries.at[i]);
    cflri_vec_free(context, &entries);
    cflri_arena_reset(&arena);
    must(cflr_context_memory(context) == 0);
    return 0;
}
