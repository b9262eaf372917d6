/* SPDX-License-Identifier: Apache-2.0
 *
 * text.c: numbers from and places to text.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/run/run.h"

bool parse_count(const char *text, uint64_t most, uint64_t *count) {
    uint64_t value = 0;
    if (!*text) return false;
    for (; *text; text++) {
        uint64_t digit = (uint64_t)(unsigned char)*text - '0';
        if (digit > 9 || digit > most || value > (most - digit) / 10) return false;
        value = 10 * value + digit;
    }
    *count = value;
    return true;
}

/* A non-negative decimal number followed by at most one unit letter of `units`. */
static bool parse_scaled(const char *text, const char *units, const double *scales, double *value) {
    size_t length = strspn(text, "0123456789.");
    if (length == 0 || text[0] == '.') return false;
    char *end;
    *value = strtod(text, &end);
    if (end != text + length || !isfinite(*value)) return false;
    if (*end == '\0') return true;
    const char *unit = strchr(units, *end);
    if (!unit || end[1] != '\0') return false;
    *value *= scales[unit - units];
    return true;
}

bool parse_size(const char *text, uint64_t *bytes) {
    static const double scales[] = {0x1p10, 0x1p20, 0x1p30, 0x1p40, 0x1p10, 0x1p20, 0x1p30, 0x1p40};
    double value;
    if (!parse_scaled(text, "KMGTkmgt", scales, &value) || value > 0x1p62) return false;
    *bytes = (uint64_t)value;
    return true;
}

bool parse_duration(const char *text, double *seconds) {
    static const double scales[] = {1, 60, 3600};
    return parse_scaled(text, "smh", scales, seconds);
}

bool parse_real(const char *text, double *value) {
    char *end;
    if (!text[strspn(text, "+-.")] || text[strspn(text, "0123456789+-.eE")]) return false;
    *value = strtod(text, &end);
    return *end == '\0' && isfinite(*value);
}

const char *short_path(const char *path) {
    static char here[4096];
    if (!here[0] && !getcwd(here, sizeof here)) return path;
    size_t n = strlen(here);
    bool inside = strncmp(path, here, n) == 0 && path[n] == '/' && path[n + 1];
    return inside ? path + n + 1 : path;
}

const char *shown(const char *text) {
    enum { BUFFERS = 32 }; /* more than any message shows */
    static char *buffer[BUFFERS];
    static size_t next;
    size_t plain = strlen(text), length = cflr_escape(NULL, 0, text);
    if (length == plain) return text;
    char **at = &buffer[next++ % BUFFERS];
    char *larger = realloc(*at, length + 1);
    if (!larger) return "?";
    *at = larger;
    cflr_escape(larger, length + 1, text);
    return larger;
}

void print_place(FILE *file, const char *path, uint32_t line, uint32_t column) {
    fprintf(file, "%s:%" PRIu32 ":%" PRIu32, shown(short_path(path)), line, column);
}

void print_count(FILE *file, const char *name, uint64_t count) {
    fprintf(file, "%-24s %14" PRIu64 "\n", name, count);
}

void print_quoted(FILE *file, const char *text) {
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') fputc('\\', file);
        fputc(*text, file);
    }
}

int cut_words(char *text, char **word, int most) {
    int n = 0;
    for (char *at = text; *(at += strspn(at, " \t\r\n"));) {
        if (n == most) return most + 1;
        bool quoted = *at == '"';
        at += quoted;
        word[n++] = at;
        at += strcspn(at, quoted ? "\"" : " \t\r\n");
        if (quoted && !*at) return -1;
        if (*at) *at++ = '\0';
    }
    return n;
}
