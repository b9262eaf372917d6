/* SPDX-License-Identifier: Apache-2.0
 *
 * text.c: appending, quoting, and the classes of characters that symbols are made of.
 */
#include "grammar/read/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void cflri_text_init(cflri_text *text, cflr_context *context) {
    *text = (cflri_text){.context = context};
}

void cflri_text_drop(cflri_text *text) {
    cflri_vec_free(text->context, &text->bytes);
}

void cflri_text_bytes(cflri_text *text, const char *added, size_t length) {
    if (text->failed) return;
    if (!cflri_vec_reserve(text->context, &text->bytes, length + 1)) {
        text->failed = true;
        return;
    }
    memcpy(text->bytes.at + text->bytes.n, added, length);
    text->bytes.n += length;
}

void cflri_text_add(cflri_text *text, const char *added) {
    cflri_text_bytes(text, added, strlen(added));
}

void cflri_text_printf(cflri_text *text, const char *format, ...) {
    if (text->failed) return;
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0 || !cflri_vec_reserve(text->context, &text->bytes, (size_t)length + 1)) {
        text->failed = true;
    } else {
        vsnprintf(text->bytes.at + text->bytes.n, (size_t)length + 1, format, again);
        text->bytes.n += (size_t)length;
    }
    va_end(again);
}

cflr_status cflri_text_take(cflri_text *text, char **taken, cflr_error *error) {
    cflri_text_bytes(text, "", 1);
    if (text->failed) {
        cflri_text_drop(text);
        return cflri_fail_memory(text->context, error);
    }
    *taken = text->bytes.at;
    cflri_text_init(text, text->context);
    return CFLR_OK;
}

cflr_status cflri_text_keep(cflri_text *text, cflri_arena *arena, const char **kept,
                            cflr_error *error) {
    char *copy = NULL;
    if (!text->failed) {
        copy = cflri_arena_copy_text(arena, text->bytes.n ? text->bytes.at : "", text->bytes.n);
    }
    if (!copy) return cflri_fail_memory(text->context, error);
    text->bytes.n = 0;
    *kept = copy;
    return CFLR_OK;
}

/* ---- characters ---- */

bool cflri_symbol_begins(char byte) {
    unsigned char b = (unsigned char)byte;
    return (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') || (b >= '0' && b <= '9') || b == '_' ||
           b == '$' || b == '@' || b >= 0x80;
}

bool cflri_symbol_goes_on(char byte) {
    return cflri_symbol_begins(byte) || byte == '-' || byte == '.' || byte == '\'';
}

bool cflri_is_empty_path(const char *text, size_t length) {
    static const char *const spellings[] = {"eps", "epsilon", "EPSILON", "\xCE\xB5"};
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++)
        if (length == strlen(spellings[i]) && !memcmp(text, spellings[i], length)) return true;
    return false;
}

bool cflri_is_auxiliary_name(const char *name, size_t length) {
    if (length < 2 || name[0] != '%') return false;
    for (size_t i = 1; i < length; i++) {
        if (name[i] < '0' || name[i] > '9') return false;
    }
    return true;
}

static bool is_plain_name(const char *name) {
    if (cflri_is_auxiliary_name(name, strlen(name))) return true;
    if (!cflri_symbol_begins(name[0])) return false;
    if (cflri_is_empty_path(name, strlen(name))) return false;
    for (const char *c = name + 1; *c; c++) {
        if (!cflri_symbol_goes_on(*c) || (*c == '-' && c[1] == '>')) return false;
    }
    return true;
}

void cflri_text_quoted(cflri_text *text, const char *bytes) {
    cflri_text_add(text, "\"");
    for (const char *c = bytes; *c; c++) {
        if (*c == '"' || *c == '\\') cflri_text_add(text, "\\");
        cflri_text_bytes(text, c, 1);
    }
    cflri_text_add(text, "\"");
}

void cflri_text_symbol(cflri_text *text, const char *name) {
    if (name[0] == '~') {
        cflri_text_add(text, "~");
        name++;
    }
    if (is_plain_name(name)) {
        cflri_text_add(text, name);
    } else {
        cflri_text_quoted(text, name);
    }
}
