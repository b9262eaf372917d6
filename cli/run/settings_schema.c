/* SPDX-License-Identifier: Apache-2.0
 *
 * settings_schema.c: the JSON schema of .cflr.json, made of the tables of options, for editors and
 * for docs/reference/cflr.schema.json.
 *
 *     flag   true, false        value   text or number, one of its words if it has a list of them
 *     list   the same, or an array of them
 */
#include <string.h>

#include "cli/run/rows.h"
#include "cli/run/settings.h"

static json_t *type(const char *word) {
    json_t *object = json_object();
    json_set_text(object, "type", word);
    return object;
}

static json_t *text_or_number(void) {
    json_t *object = json_object(), *types = json_array();
    json_array_append_new(types, json_string("string"));
    json_array_append_new(types, json_string("number"));
    json_set(object, "type", types);
    return object;
}

/* The words behind "one of:", at the end of a help text; NULL: there are none. */
static json_t *words_of(const struct poptOption *row) {
    static const char mark[] = "one of:";
    const char *at = strstr(row->descrip, mark);
    if (!at || row_is_list(row)) return NULL; /* of a list, there may be files besides */
    json_t *object = json_object(), *words = json_array();
    for (at += sizeof mark - 1; *(at += strspn(at, " "));) {
        size_t n = strcspn(at, " ");
        json_array_append_new(words, json_stringn(at, n));
        at += n;
    }
    json_set(object, "enum", words);
    return object;
}

static json_t *value_schema(const struct poptOption *row) {
    if (row_is_flag(row)) return type("boolean");
    json_t *one = words_of(row);
    if (!one) one = text_or_number();
    if (!row_is_list(row)) return one;
    json_t *array = type("array"), *either = json_object(), *both = json_array();
    json_set(array, "items", json_incref(one));
    json_array_append_new(both, one);
    json_array_append_new(both, array);
    json_set(either, "anyOf", both);
    return either;
}

static json_t *comments(void) {
    json_t *patterns = json_object();
    json_set(patterns, "^//", json_object());
    return patterns;
}

static json_t *section_schema(const option_rows *rows, const char *about) {
    json_t *section = type("object"), *options = json_object();
    json_set_text(section, "description", about);
    for (size_t i = 0; i < rows->n; i++) {
        const struct poptOption *row = rows->at[i];
        if (!strcmp(row->longName, "output") || !strcmp(row->longName, "help")) continue;
        json_t *schema = value_schema(row);
        json_set_text(schema, "description", row->descrip);
        json_set(options, row->longName, schema);
    }
    json_set(section, "properties", options);
    json_set(section, "patternProperties", comments());
    json_set(section, "additionalProperties", json_false());
    return section;
}

int settings_schema_print(void) {
    json_t *schema = type("object"), *sections = json_object();
    int code = session_begin();
    if (code) return code;
    json_set_text(schema, "$schema", "http://json-schema.org/draft-07/schema#");
    json_set_text(schema, "title", ".cflr.json: options of cflr for a project");
    for (size_t i = 0; commands[i]; i++) {
        const option_rows rows = rows_of(commands[i]);
        json_set(sections, commands[i]->name, section_schema(&rows, commands[i]->summary));
    }
    const option_rows every = rows_of_all();
    json_set(sections, "all", section_schema(&every, "every command that has the option"));
    json_set(sections, "$schema", type("string"));
    json_set(schema, "properties", sections);
    json_set(schema, "patternProperties", comments());
    json_set(schema, "additionalProperties", json_false());
    return print_json(schema, 0);
}
