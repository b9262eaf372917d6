/* SPDX-License-Identifier: Apache-2.0
 *
 * mutate_c.h: C text into other C text, by tokens.
 *
 * Bytes changed at random stop the parser at the first of them. Changed tokens keep more of a file
 * whole:
 *
 *     int *p = &s.b;    another token of its kind       int *p = &t.b;
 *                       a piece of another file         int *p = (a ? b : c);
 *                       left out, doubled, moved        int *p = &s;
 *                       wrapped, perhaps many times     int *p = ((((&s.b))));
 *
 * A piece is a token, or what a pair of brackets holds, or what ends with a semicolon. All changes
 * are one: tokens [from, to) of the file give way to some text. Space belongs to the token that
 * follows it, so that lines, and with them directives, stay what they are. O(size) for each change.
 */
#ifndef CFLR_MUTATE_C_H
#define CFLR_MUTATE_C_H

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { MUTATE_MOST_TOKENS = 8192, MUTATE_MOST_TEXT = 16384 };

typedef struct mutate_token {
    char kind; /* 'a' word, '0' number, '"' literal, '(' opens, ')' closes, ';', '+' else */
    uint32_t start, begin, end; /* with the space before it, without it */
} mutate_token;

typedef struct mutate_text {
    const char *at;
    uint32_t size;
    uint32_t n;
    mutate_token tokens[MUTATE_MOST_TOKENS];
} mutate_text;

typedef struct mutate_range { /* of tokens */
    uint32_t from, to;
} mutate_range;

static uint32_t mutate_random(uint32_t *state, uint32_t below) {
    *state ^= *state << 13; /* Marsaglia's xorshift */
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return below ? *state % below : 0;
}

/* ---- tokens ---- */

static uint32_t mutate_skip_space(const char *at, uint32_t i, uint32_t size) {
    for (;;) {
        if (i < size && (isspace((unsigned char)at[i]) || at[i] == '\\' || at[i] == '\0')) {
            i++;
        } else if (i + 1 < size && at[i] == '/' && at[i + 1] == '*') {
            for (i += 2; i < size && !(at[i - 1] == '*' && at[i] == '/');) i++;
            i += i < size;
        } else {
            return i;
        }
    }
}

static bool mutate_in_word(char c) {
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 128;
}

static uint32_t mutate_token_end(const char *at, uint32_t i, uint32_t size, char kind) {
    char first = at[i++];
    if (kind == 'a' || kind == '0') {
        while (i < size && (mutate_in_word(at[i]) || (kind == '0' && at[i] == '.'))) i++;
    } else if (kind == '"') {
        while (i < size && at[i] != first && at[i] != '\n')
            i += at[i] == '\\' && i + 1 < size ? 2 : 1;
        i += i < size;
    } else if (kind == '+') {
        while (i < size && at[i] && strchr("+-*/%&|^<>=!.#", at[i])) i++;
    }
    return i < size ? i : size;
}

static char mutate_kind(char first) {
    if (isdigit((unsigned char)first)) return '0';
    if (mutate_in_word(first)) return 'a';
    if (first == '"' || first == '\'') return '"';
    if (strchr("([{", first)) return '(';
    if (strchr(")]}", first)) return ')';
    return first == ';' ? ';' : '+';
}

static void mutate_read(mutate_text *text, const char *at, size_t size) {
    text->at = at;
    text->size = (uint32_t)size;
    text->n = 0;
    for (uint32_t i = 0; text->n < MUTATE_MOST_TOKENS;) {
        uint32_t begin = mutate_skip_space(at, i, text->size);
        if (begin >= text->size) return;
        char kind = mutate_kind(at[begin]);
        uint32_t end = mutate_token_end(at, begin, text->size, kind);
        text->tokens[text->n++] = (mutate_token){kind, i, begin, end};
        i = end;
    }
}

/* ---- pieces ---- */

/* To the end of the pair of brackets, or of the statement, that begins at `from`; not beyond the
 * brackets around it. */
static uint32_t mutate_piece_end(const mutate_text *text, uint32_t from, bool statement) {
    int depth = 0;
    uint32_t to = from;
    while (to < text->n) {
        char kind = text->tokens[to].kind;
        depth += (kind == '(') - (kind == ')');
        if (depth < 0) break;
        to++;
        if (depth == 0 && (kind == ')' || (kind == ';' && statement))) break;
    }
    return to > from ? to : from + 1;
}

static mutate_range mutate_any_piece(const mutate_text *text, uint32_t *state) {
    enum { FAR = 64 };
    uint32_t from = mutate_random(state, text->n);
    uint32_t how = mutate_random(state, 4);
    if (how == 0) return (mutate_range){from, from + 1};
    bool statement = how > 1;
    for (uint32_t i = 0; i < FAR && text->tokens[from].kind != (statement ? ';' : '('); i++)
        from = (from + 1) % text->n;
    if (statement && from + 1 < text->n) from++;
    return (mutate_range){from, mutate_piece_end(text, from, statement)};
}

/* A token of that kind, if there is one. */
static mutate_range mutate_like(const mutate_text *text, char kind, uint32_t *state) {
    uint32_t at = mutate_random(state, text->n);
    for (uint32_t i = 0; i < text->n && text->tokens[at].kind != kind; i++) at = (at + 1) % text->n;
    return (mutate_range){at, at + 1};
}

/* ---- texts ---- */

typedef struct mutate_put {
    char at[MUTATE_MOST_TEXT];
    uint32_t n;
} mutate_put;

static void mutate_append(mutate_put *put, const char *text, size_t n) {
    if (n > sizeof put->at - put->n) return;
    memcpy(put->at + put->n, text, n);
    put->n += (uint32_t)n;
}

static void mutate_append_range(mutate_put *put, const mutate_text *text, mutate_range range) {
    if (range.from >= range.to) return;
    uint32_t start = text->tokens[range.from].start;
    mutate_append(put, " ", 1);
    mutate_append(put, text->at + start, text->tokens[range.to - 1].end - start);
}

static void mutate_append_word(mutate_put *put, uint32_t *state) {
    /* clang-format off */
    static const char *const words[] = {
        "0", "-1", "1", "0x7fffffff", "4294967296", "18446744073709551615", "1e308", "'\\0'",
        "\"a\"", "NULL", "+", "-", "*", "&", "=", "+=", "^=", "?", "? :", ":", ",", ".", "->", "==",
        "!", "~", "&&", "++", "...", "#", "\n#define p", "\n#if 0\n", "\n#endif\n", "[]", "[0]",
        "[1 ... 3] =", ".b =", "()", "{}", "const", "volatile", "static", "extern", "inline",
        "restrict", "register", "_Atomic", "_Thread_local", "_Noreturn", "void", "char", "short",
        "int", "long", "unsigned", "_Bool", "float", "double", "_Complex", "__int128", "struct",
        "union", "enum", "struct s", "typedef", "typeof(p)", "__auto_type", "sizeof", "_Alignof",
        "_Alignas(16)", "_Generic(p, default: p)", "__builtin_va_arg(p, int *)",
        "__builtin_offsetof(struct s, b)", "__builtin_choose_expr(1, p, q)", "__builtin_alloca(4)",
        "__builtin_expect(p, 1)", "__builtin_types_compatible_p(int, long)", "__func__",
        "__extension__", "({ p; })", "(int *)", "(struct s){0}",
        "asm(\"\" : \"+r\"(p) : \"m\"(q) : \"memory\");", "__attribute__((cleanup(f)))",
        "__attribute__((packed))", "__attribute__((vector_size(16)))", "__attribute__((noreturn))",
        "__attribute__((transparent_union))", "goto l; l:", "&&l", "return", "if (p)", "else",
        "while (p)", "for (;;)", "do", "switch (1)", "case 1:", "default:", "break;", "continue;",
        "memcpy(p, q, sizeof *p);", "malloc(8)", "free(p);", "realloc(p, 1)", "longjmp(p, 1);",
        "pthread_create(p, q, f, p);", "qsort(p, 1, 2, f);", "system(p);", "getenv(p)",
        "printf(p, q);", ": 3", ": 0",
    };
    /* clang-format on */
    const char *word = words[mutate_random(state, sizeof words / sizeof *words)];
    mutate_append(put, " ", 1);
    mutate_append(put, word, strlen(word));
}

static void mutate_wrap(mutate_put *put, const mutate_text *text, mutate_range range,
                        uint32_t *state) {
    static const char *const pairs[][2] = {
        {"(", ")"},        {"{", "}"},       {"({", ";})"}, {"(int *)", ""},  {"*", ""},
        {"&", ""},         {"- ", ""},       {"f(", ")"},   {"sizeof(", ")"}, {"(0,", ")"},
        {"{ if (n)", "}"}, {"p ? q : ", ""}, {"", "[0]"},   {"", "->b"},      {"!", ""}};
    uint32_t which = mutate_random(state, sizeof pairs / sizeof *pairs);
    uint32_t times = mutate_random(state, 8) ? 1 : 1u << mutate_random(state, 10);
    for (uint32_t i = 0; i < times; i++)
        mutate_append(put, pairs[which][0], strlen(pairs[which][0]));
    mutate_append_range(put, text, range);
    for (uint32_t i = 0; i < times; i++)
        mutate_append(put, pairs[which][1], strlen(pairs[which][1]));
}

/* ---- changes ---- */

static mutate_range mutate_choose(mutate_put *put, const mutate_text *text,
                                  const mutate_text *donor, uint32_t *state) {
    const mutate_text *other = mutate_random(state, 3) ? donor : text;
    mutate_range piece = mutate_any_piece(text, state);
    switch (mutate_random(state, 8)) {
        case 0:
        case 1: /* a token for one of its kind: mostly another name */
            piece = mutate_like(text, "aaaa0\"+("[mutate_random(state, 8)], state);
            mutate_append_range(put, other,
                                mutate_like(other, text->tokens[piece.from].kind, state));
            break;
        case 2: /* a piece for another */
            mutate_append_range(put, other, mutate_any_piece(other, state));
            break;
        case 3: /* one more */
            mutate_append_range(put, other, mutate_any_piece(other, state));
            piece.to = piece.from;
            break;
        case 4: /* none */
            break;
        case 5:
            mutate_wrap(put, text, piece, state);
            break;
        case 6:
            mutate_append_word(put, state);
            break;
        default:
            mutate_append_word(put, state);
            piece.to = piece.from;
            break;
    }
    return piece;
}

/* Changes the `size` bytes at `data`, where `room` bytes fit, in a way that `seed` decides;
 * `donor` is another file. Returns the new size. */
static inline size_t mutate_c(uint8_t *data, size_t size, size_t room, const uint8_t *donor,
                              size_t n_donor, unsigned seed) {
    static mutate_text text, other;
    static mutate_put put;
    uint32_t state = seed * 2654435761u + 1;
    mutate_read(&other, (const char *)donor, n_donor);
    for (uint32_t changes = 1 + mutate_random(&state, 3); changes > 0; changes--) {
        put.n = 0;
        mutate_read(&text, (const char *)data, size);
        if (text.n == 0 || other.n == 0) return size;
        mutate_range gone = mutate_choose(&put, &text, &other, &state);
        mutate_append(&put, " ", 1);
        uint32_t from = text.tokens[gone.from].start;
        uint32_t to = gone.to > gone.from ? text.tokens[gone.to - 1].end : from;
        if (size - (to - from) + put.n > room) continue;
        memmove(data + from + put.n, data + to, size - to);
        memcpy(data + from, put.at, put.n);
        size = size - (to - from) + put.n;
    }
    return size;
}

#endif
