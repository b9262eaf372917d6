/* SPDX-License-Identifier: Apache-2.0
 *
 * places.c: places of the client's text from those of the analysis, and back.
 *
 *     client     line 7, character 12       of the text as it is now, in units of the encoding
 *                  |  token, then the byte where its expression has its vertex (tokens.c)
 *                  |  line of the analysed text (alignment.c); a column of bytes of the file
 *     analysis   list.c:6:14
 */
#include <stdlib.h>
#include <string.h>

#include "cli/alerts/columns.h"
#include "cli/alerts/tree.h"
#include "cli/serve/server.h"

/* ---- from the client ---- */

static bool read_position(const json_t *object, position *at) {
    const json_t *line = json_object_get(object, "line");
    const json_t *character = json_object_get(object, "character");
    if (!json_is_integer(line) || !json_is_integer(character)) return false;
    if (json_integer_value(line) < 0 || json_integer_value(character) < 0) return false;
    *at = (position){(size_t)json_integer_value(line), (size_t)json_integer_value(character)};
    return true;
}

/* The line is equal in both texts, so its bytes are those of the analysed one. */
static bool find_source(asked_place *asked, const text_place *from) {
    size_t then = document_then(asked->at, from->line);
    if (then == NO_LINE || then >= UINT32_MAX) return false;
    piece line = text_line(&asked->at->now, from->line);
    size_t column = bytes_to_file(&asked->at->then, line, from->byte);
    asked->place = (code_place){asked->at->path, (uint32_t)then + 1, (uint32_t)column + 1};
    return true;
}

bool read_asked_place(server *s, const json_t *parameters, asked_place *asked, refusal *r) {
    position at;
    text_place from;
    const json_t *named = json_object_get(parameters, "textDocument");
    const char *uri = json_string_value(json_object_get(named, "uri"));
    *asked = (asked_place){.at = uri ? document_find(&s->documents, uri) : NULL};
    if (!asked->at || !read_position(json_object_get(parameters, "position"), &at)) {
        *r = (refusal){RPC_NO_PARAMETERS, asked->at ? "no position" : "no document that is open"};
        return false;
    }
    asked->line = at.line;
    piece line = text_line(&asked->at->now, at.line);
    size_t byte = units_to_bytes(line, at.character, s->documents.in);
    if (!token_at(line, byte, &asked->token)) return false;
    asked->name = (piece){line.at + asked->token.begin, asked->token.end - asked->token.begin};
    if (!token_place(&asked->at->now, at.line, asked->token, &from)) return false;
    asked->changed = !find_source(asked, &from);
    return true;
}

/* ---- to the client ---- */

json_t *position_json(size_t line, size_t character) {
    json_t *object = json_object();
    json_set_count(object, "line", line);
    json_set_count(object, "character", character);
    return object;
}

static json_t *range_json(size_t line, size_t begin, size_t end) {
    json_t *object = json_object();
    json_set(object, "start", position_json(line, begin));
    json_set(object, "end", position_json(line, end));
    return object;
}

char *uri_of(const server *s, const char *real) {
    const document *open = document_of_path(&s->documents, real);
    char *uri = open ? strdup(open->uri) : file_uri(real);
    if (!uri) exit(fail_memory());
    return uri;
}

static const column_unit units[] = {[ENCODING_UTF16] = COLUMN_UTF16,
                                    [ENCODING_UTF8] = COLUMN_BYTES,
                                    [ENCODING_UTF32] = COLUMN_CHARACTERS};

json_t *range_of(server *s, const char *real, uint32_t line, uint32_t column, size_t length) {
    document *open = document_of_path(&s->documents, real);
    encoding in = s->documents.in;
    size_t from = line ? line - 1 : 0, byte = column ? column - 1 : 0;
    size_t now = open ? document_now(open, from) : from;
    if (now == NO_LINE) return range_json(from, 0, 0);
    if (open) {
        piece text = text_line(&open->now, now);
        size_t at = file_to_bytes(&open->then, text, byte);
        return range_json(now, bytes_to_units(text, at, in), bytes_to_units(text, at + length, in));
    }
    size_t at = column_in_units(real, line, (uint32_t)byte + 1, COLUMN_BYTES, units[in]) - 1;
    return range_json(now, at, at + length);
}

json_t *location_of(server *s, const char *name, uint32_t line, uint32_t column, size_t length) {
    const char *real = program_real(s->program, name);
    char *uri = uri_of(s, real);
    json_t *object = json_object();
    json_set_text(object, "uri", uri);
    json_set(object, "range", range_of(s, real, line, column, length));
    free(uri);
    return object;
}
