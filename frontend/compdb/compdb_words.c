/* SPDX-License-Identifier: Apache-2.0
 *
 * compdb_words.c: words of command lines and the paths among them.
 *
 * Response files nest. They are replaced in place by a stack of word lists: the list on top is read
 * until it names a file, whose words become the new top. A bound on the number of files read for
 * one command stops cycles, which no depth bound would do in reasonable time for a file that names
 * itself twice.
 */
#include "frontend/compdb/compdb_words.h"

#include <string.h>
#include <sys/stat.h>

#include "base/context.h"
#include "base/files/stream.h"

enum { FILES_MAX = 64, NESTING_MAX = 16 };

/* ---- quoting ---- */

typedef struct splitter {
    const char *at, *end;
    CFLRI_VEC(char) word;
    cflr_context *context;
    cflri_quoting quoting;
    bool complete;
} splitter;

static bool blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool put(splitter *s, char c) {
    return cflri_vec_push(s->context, &s->word, c);
}

static bool put_escaped(splitter *s) {
    if (s->at == s->end) return put(s, '\\');
    char c = *s->at++;
    return c == '\n' ? true : put(s, c);
}

/* Does the backslash that was just read make the next character literal, inside such quotes? */
static bool escapes(const splitter *s, char quote) {
    if (s->at == s->end) return false;
    if (s->quoting == CFLRI_QUOTING_FILE) return true;
    return quote == '"' && *s->at && strchr("\"\\$`\n", *s->at);
}

static bool quoted(splitter *s, char quote) {
    while (s->at < s->end && *s->at != quote) {
        char c = *s->at++;
        if (c == '\\' && escapes(s, quote) ? !put_escaped(s) : !put(s, c)) return false;
    }
    s->complete = s->complete && s->at < s->end;
    if (s->at < s->end) s->at++;
    return true;
}

/* Reads one word, which begins at s->at. */
static bool word(splitter *s) {
    s->word.n = 0;
    while (s->at < s->end && !blank(*s->at)) {
        char c = *s->at++;
        bool good = c == '\'' || c == '"' ? quoted(s, c) : c == '\\' ? put_escaped(s) : put(s, c);
        if (!good) return false;
    }
    return true;
}

bool cflri_words_split(cflri_arena *arena, const char *text, size_t length, cflri_quoting quoting,
                       cflri_words *words, bool *complete) {
    splitter s = {.at = text,
                  .end = text + length,
                  .context = arena->context,
                  .quoting = quoting,
                  .complete = true};
    bool good = true;
    for (;;) {
        while (s.at < s.end && blank(*s.at)) s.at++;
        if (s.at == s.end) break;
        good = word(&s);
        if (!good) break;
        const char *copy = cflri_arena_copy_text(arena, s.word.at ? s.word.at : "", s.word.n);
        good = copy && cflri_vec_push(s.context, words, copy);
        if (!good) break;
    }
    cflri_vec_free(s.context, &s.word);
    *complete = s.complete;
    return good;
}

/* ---- response files ---- */

typedef struct level {
    cflri_words words;
    size_t next;
} level;

typedef struct expansion {
    cflri_arena *arena;
    const char *directory;
    level stack[NESTING_MAX];
    int depth;
    int files;
    cflr_error *error;
} expansion;

/* Puts the words of a response file on the stack. */
static cflr_status enter_file(expansion *e, const char *name) {
    cflr_context *context = e->arena->context;
    cflri_input input = {0};
    const char *path = cflri_path_absolute(e->arena, e->directory, name);
    if (!path) return cflri_fail_memory(context, e->error);
    if (e->depth == NESTING_MAX || e->files++ >= FILES_MAX) {
        cflri_log(context, CFLR_LOG_WARNING, "%s: too many response files in one command", path);
        return CFLR_OK;
    }
    cflr_error why = {0};
    struct stat about;
    bool endless = stat(path, &about) == 0 && !S_ISREG(about.st_mode);
    cflr_status st = endless ? CFLR_IO : cflri_input_open(context, path, &input, &why);
    if (st == CFLR_IO) {
        cflri_log(context, CFLR_LOG_WARNING, "%s: response file cannot be read", path);
        return CFLR_OK;
    }
    if (st != CFLR_OK) {
        if (e->error) *e->error = why;
        return st;
    }
    bool complete;
    level *top = &e->stack[e->depth++];
    memset(top, 0, sizeof *top);
    bool good = cflri_words_split(e->arena, input.data, input.size, CFLRI_QUOTING_FILE, &top->words,
                                  &complete);
    cflri_input_close(&input);
    return good ? CFLR_OK : cflri_fail_memory(context, e->error);
}

cflr_status cflri_words_expand(cflri_arena *arena, const char *directory, const cflri_words *from,
                               cflri_words *words, cflr_error *error) {
    cflr_status st = CFLR_OK;
    cflr_context *context = arena->context;
    expansion e = {.arena = arena, .directory = directory, .error = error};
    for (size_t i = 0; i < from->n; i++) {
        const char *next = from->at[i];
        while (next) {
            if (next[0] == '@' && next[1])
                CFLR_TRY(enter_file(&e, next + 1));
            else if (!cflri_vec_push(context, words, next))
                CFLR_TRY(cflri_fail_memory(context, error));
            next = NULL;
            while (e.depth > 0 && !next) {
                level *top = &e.stack[e.depth - 1];
                if (top->next < top->words.n) {
                    next = top->words.at[top->next++];
                } else {
                    cflri_vec_free(context, &top->words);
                    e.depth--;
                }
            }
        }
    }
out:
    while (e.depth > 0) {
        e.depth--;
        cflri_vec_free(context, &e.stack[e.depth].words);
    }
    return st;
}

/* ---- paths ---- */

const char *cflri_path_base(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Normalises an absolute path in place: components are copied down over "." and "..". */
static void normalise(char *path) {
    char *out = path;
    const char *at = path;
    while (*at) {
        while (*at == '/') at++;
        size_t length = strcspn(at, "/");
        if (length == 2 && at[0] == '.' && at[1] == '.') {
            while (out > path && *--out != '/') {
            }
        } else if (length > 0 && !(length == 1 && at[0] == '.')) {
            *out++ = '/';
            memmove(out, at, length);
            out += length;
        }
        at += length;
    }
    if (out == path) *out++ = '/';
    *out = '\0';
}

const char *cflri_path_absolute(cflri_arena *arena, const char *directory, const char *path) {
    size_t head = path[0] == '/' ? 0 : strlen(directory);
    size_t tail = strlen(path);
    char *whole = cflri_arena_alloc(arena, head + tail + 3);
    if (!whole) return NULL;
    whole[0] = '/';
    memcpy(whole + 1, directory, head);
    whole[head + 1] = '/';
    memcpy(whole + head + 2, path, tail + 1);
    normalise(whole);
    return whole;
}
