/* SPDX-License-Identifier: Apache-2.0
 *
 * settings_print.c: the options that hold without being given, and where they come from.
 *
 *     check      --baseline=cflr.baseline    (.cflr.json)
 *     all        --threads=4                 (CFLR_ARGS)
 */
#include "cli/run/settings.h"
#include "cli/run/writer.h"

static json_t *setting_json(const void *of, const void *row) {
    (void)of;
    const setting *s = row;
    json_t *object = json_object();
    json_set_text(object, "command", s->command);
    json_set_text(object, "option", s->option);
    if (s->value) json_set_text(object, "value", s->value);
    json_set_text(object, "from", s->from);
    return object;
}

static void print_setting(FILE *file, const void *of, const void *row) {
    (void)of;
    const setting *s = row;
    fprintf(file, "%-10s --%s%s%s    (%s)\n", s->command, s->option, s->value ? "=" : "",
            s->value ? shown(s->value) : "", shown(short_path(s->from)));
}

int settings_print(void) {
    static const row_kind rows = {NULL, print_setting, setting_json};
    const setting *list;
    size_t n;
    int code = session_begin();
    if (code) return code;
    settings_list(&list, &n);
    writer w = writer_open();
    writer_list(&w, &rows);
    for (size_t i = 0; i < n; i++) writer_row(&w, &rows, NULL, &list[i]);
    return writer_close(&w, 0);
}
