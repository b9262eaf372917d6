/* SPDX-License-Identifier: Apache-2.0
 *
 * sources.c: digests of source files and of what their directives find.
 *
 * The meaning of a file to a compiler depends on its bytes, and on which file each `#include` in it
 * finds. Which directory it is found in first is not worked out here; a digest holds in how many of
 * the candidates the name exists, and in which:
 *
 *     src/a.c:  #include "list.h"     src/list.h  -            no
 *                                     -Iinclude   1            yes
 *                                     /usr/include 4           no       digest: ... "list.h" 1 ...
 *
 * So nothing needs to be known about the order of the search (which differs between "" and <>, and
 * for #include_next), and __has_include is answered too. Taken for a name is the operand of an
 * #include, #import or #embed, and what else stands between "" or <> on the line of a directive and
 * has a point: an operand of __has_include, or a macro that an #include will name. Directives that
 * the preprocessor skips are read as well: to look for too much costs a lookup. The file that an
 * #embed finds is part of the digest, since the compiler does not report that it was read; a file
 * with an #embed of a macro has no digest.
 *
 * Not seen: a name that a macro puts together from pieces, or that is defined in another directory
 * than the one that asks (those of flags count as the main file's); a directive behind a digraph or
 * trigraph. The files that were found by these are known from the compiler; only a new one in front
 * of them would be missed.
 *
 *     strings:  every path that was asked for -> number
 *     exists:   by that number: is there such a file, and may it be read?
 *     files:    (search, path) -> digests
 *
 * A lookup is a hash and a stat; a file of n bytes costs O(n + names * directories).
 */
#include "frontend/store/sources.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files/stream.h"
#include "base/intern.h"
#include "frontend/compdb/compdb_words.h"
#include "frontend/compdb/search.h"
#include "frontend/facts/facts_table.h"

typedef enum existence { UNASKED, MISSING, THERE } existence;

typedef struct digests {
    cflri_digest content, whole;
    bool readable; /* and nothing hidden */
} digests;

struct cflri_sources {
    cflr_context *context;
    pthread_mutex_t lock; /* of everything below */
    cflri_strings strings;
    CFLRI_VEC(existence) exists;       /* by string */
    CFLRI_VEC(cflri_numbers) searches; /* directories, in `strings` */
    CFLRI_VEC(digests) files;
    cflri_triples *known; /* (0, text of a list, 0) -> search; (1, search, path) -> file */
    bool refused;         /* memory was, in the current call */
};

enum { KNOWN_SEARCH, KNOWN_FILE };

/* ---- life ---- */

cflr_status cflri_sources_new(cflr_context *context, cflri_sources **sources, cflr_error *error) {
    *sources = NULL;
    cflri_sources *made = cflri_alloc_zero(context, sizeof *made);
    if (!made) return cflri_fail_memory(context, error);
    made->context = context;
    pthread_mutex_init(&made->lock, NULL);
    made->known = cflri_triples_new(context);
    cflr_status st = cflri_strings_init(&made->strings, context, error);
    if (st == CFLR_OK && !made->known) st = cflri_fail_memory(context, error);
    if (st == CFLR_OK)
        *sources = made;
    else
        cflri_sources_free(made);
    return st;
}

void cflri_sources_free(cflri_sources *sources) {
    if (!sources) return;
    cflr_context *context = sources->context;
    for (size_t i = 0; i < sources->searches.n; i++)
        cflri_vec_free(context, &sources->searches.at[i]);
    cflri_vec_free(context, &sources->searches);
    cflri_vec_free(context, &sources->files);
    cflri_vec_free(context, &sources->exists);
    cflri_triples_free(sources->known);
    cflri_strings_free(&sources->strings);
    pthread_mutex_destroy(&sources->lock);
    cflri_free(context, sources);
}

/* ---- is there a file? ---- */

/* The number of a path, with an entry in `exists`; 0 when memory is refused. */
static uint32_t number_of(cflri_sources *s, const char *path, size_t length) {
    uint32_t id = 0;
    s->refused |= cflri_intern(&s->strings, path, length, &id, NULL) != CFLR_OK;
    while (!s->refused && s->exists.n <= id)
        s->refused |= !cflri_vec_push(s->context, &s->exists, UNASKED);
    return s->refused ? 0 : id;
}

/* A regular file that may be read: reading anything else may never end. */
static bool is_file(const char *path) {
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode) && access(path, R_OK) == 0;
}

static bool is_there(cflri_sources *s, uint32_t path) {
    existence *known = &s->exists.at[path];
    if (*known == UNASKED) *known = is_file(cflri_string(&s->strings, path)) ? THERE : MISSING;
    return *known == THERE;
}

/* ---- one file ---- */

/* A file being read. */
typedef struct scan {
    cflri_sources *sources;
    const cflri_numbers *search;
    const char *directory; /* of the file */
    size_t directory_length;
    bool hidden; /* it reads bytes of which nothing is known: an #embed of a macro */
    cflri_digester state;
} scan;

/* Names are seen from a directory, or from that of a file. */
static void see_from(scan *c, const char *path, bool file) {
    c->directory = path;
    c->directory_length = file ? (size_t)(cflri_path_base(path) - path) : strlen(path);
    if (file && c->directory_length > 1) c->directory_length--;
}

static void add_number(scan *c, uint32_t number) {
    cflri_digest_add(&c->state, &number, sizeof number);
}

/* The bytes of what an #embed finds. */
static void add_content(scan *c, const char *path) {
    cflri_input input = {0};
    cflri_digest content = {0, 0};
    if (cflri_input_open(c->sources->context, path, &input, NULL) == CFLR_OK)
        content = cflri_digest_of(input.data, input.size);
    cflri_input_close(&input);
    cflri_digest_add(&c->state, &content, sizeof content);
}

/* Candidate number i for a name: does it exist? */
static void add_candidate(scan *c, uint32_t i, const char *path, size_t length, bool embedded) {
    uint32_t id = length > 0 ? number_of(c->sources, path, length) : 0;
    if (id == 0 || !is_there(c->sources, id)) return;
    add_number(c, i);
    if (embedded) add_content(c, path);
}

static void add_name(scan *c, const char *name, size_t length, bool embedded) {
    char path[PATH_MAX];
    const cflri_sources *s = c->sources;
    if (length == 0 || memchr(name, '\0', length)) return;
    cflri_digest_add(&c->state, name, length);
    add_number(c, UINT32_MAX);
    add_candidate(c, 0, path,
                  cflri_search_join(c->directory, c->directory_length, name, length, path),
                  embedded);
    for (uint32_t i = 0; name[0] != '/' && i < c->search->n; i++) {
        const char *directory = cflri_string(&s->strings, c->search->at[i]);
        add_candidate(c, i + 1, path,
                      cflri_search_join(directory, strlen(directory), name, length, path),
                      embedded);
    }
    add_number(c, UINT32_MAX);
}

/* The end of the logical line: a newline without a backslash before it. */
static const char *end_of_line(const char *at, const char *end) {
    for (const char *line = at; (line = memchr(line, '\n', (size_t)(end - line))); line++) {
        const char *before = line > at && line[-1] == '\r' ? line - 1 : line;
        if (before == at || before[-1] != '\\') return line;
    }
    return end;
}

static bool begins(const char *at, const char *end, const char *word) {
    size_t length = strlen(word);
    return (size_t)(end - at) >= length && memcmp(at, word, length) == 0;
}

/* The character that ends the name which begins here: on the line, and no further than a path is
 * long. */
static const char *end_of_name(const char *name, const char *end, char close) {
    size_t length = (size_t)(end - name);
    return memchr(name, close, length < PATH_MAX ? length : PATH_MAX);
}

/* The names between "" and <> in a text: all, or those that have a point and no blank. Were there
 * any? */
static bool scan_names(scan *c, const char *at, const char *end, bool all, bool embedded) {
    bool named = false;
    while (at < end) {
        char close = *at == '"' ? '"' : *at == '<' ? '>' : '\0';
        const char *name = ++at;
        if (!close) continue;
        const char *last = end_of_name(name, end, close);
        if (!last) continue;
        size_t length = (size_t)(last - name);
        bool taken = all || (!memchr(name, ' ', length) && memchr(name, '.', length));
        if (taken) add_name(c, name, length, embedded);
        named = true;
        at = taken || close == '"' ? last + 1 : name;
    }
    return named;
}

static void scan_line(scan *c, const char *at, const char *end) {
    while (at < end && (*at == ' ' || *at == '\t')) at++;
    bool embedded = begins(at, end, "embed");
    bool include = embedded || begins(at, end, "include") || begins(at, end, "import");
    bool named = scan_names(c, at, end, include, embedded);
    c->hidden |= embedded && !named;
}

static void scan_text(scan *c, const char *at, const char *end) {
    while (!c->sources->refused && (at = memchr(at, '#', (size_t)(end - at)))) {
        const char *line = at + 1;
        at = end_of_line(line, end);
        scan_line(c, line, at);
    }
}

static void read_file(cflri_sources *s, uint32_t number, const char *path, digests *made) {
    cflri_input input = {0};
    scan c = {.sources = s, .search = &s->searches.at[number]};
    see_from(&c, path, true);
    made->readable = is_file(path) && cflri_input_open(s->context, path, &input, NULL) == CFLR_OK;
    if (made->readable) {
        made->content = cflri_digest_of(input.data, input.size);
        cflri_digest_begin(&c.state);
        cflri_digest_add(&c.state, &made->content, sizeof made->content);
        if (input.size) scan_text(&c, input.data, input.data + input.size);
        made->whole = cflri_digest_end(&c.state);
        made->readable = !c.hidden;
    }
    cflri_input_close(&input);
}

/* The file's entry, made on first use; NULL when memory is refused. */
static const digests *find_file(cflri_sources *s, uint32_t number, const char *path) {
    uint32_t id = number_of(s, path, strlen(path));
    if (id == 0) return NULL;
    const cflri_triple key = {KNOWN_FILE, number, id};
    uint32_t file = cflri_triples_find(s->known, key);
    if (file != CFLRI_NO_VALUE) return &s->files.at[file];
    digests made = {.readable = false};
    read_file(s, number, path, &made);
    if (s->refused || !cflri_vec_reserve(s->context, &s->files, 1) ||
        !cflri_triples_add(s->known, key, (uint32_t)s->files.n))
        return NULL;
    s->files.at[s->files.n] = made;
    return &s->files.at[s->files.n++];
}

bool cflri_sources_file(cflri_sources *sources, uint32_t search, const char *path,
                        cflri_digest *content, cflri_digest *whole) {
    pthread_mutex_lock(&sources->lock);
    sources->refused = false;
    const digests *found = find_file(sources, search, path);
    bool good = found && found->readable;
    if (good) {
        *content = found->content;
        *whole = found->whole;
    }
    pthread_mutex_unlock(&sources->lock);
    return good;
}

/* ---- a unit ---- */

/* The number of a list of directories, each ended by NUL; CFLRI_NO_VALUE when memory is refused. */
static uint32_t number_search(cflri_sources *s, const cflri_buffer *directories) {
    cflri_numbers list = {0};
    char text[40];
    cflri_digest digest = cflri_digest_of(directories->at, directories->n);
    int length = snprintf(text, sizeof text, "%016" PRIx64 "%016" PRIx64, digest.high, digest.low);
    const cflri_triple key = {KNOWN_SEARCH, number_of(s, text, (size_t)length), 0};
    uint32_t known = s->refused ? CFLRI_NO_VALUE : cflri_triples_find(s->known, key);
    if (s->refused || known != CFLRI_NO_VALUE) return known;
    for (const char *at = directories->at, *end = at + directories->n; at < end;
         at += strlen(at) + 1) {
        uint32_t id = number_of(s, at, strlen(at));
        s->refused |= id == 0 || !cflri_vec_push(s->context, &list, id);
    }
    if (!s->refused && cflri_vec_reserve(s->context, &s->searches, 1) &&
        cflri_triples_add(s->known, key, (uint32_t)s->searches.n)) {
        s->searches.at[s->searches.n] = list;
        return (uint32_t)s->searches.n++;
    }
    s->refused = true;
    cflri_vec_free(s->context, &list);
    return CFLRI_NO_VALUE;
}

/* Where the files are found that the command names: those of -include and -imacros, seen from the
 * unit's directory; and those in macros, which the main file may include, seen from there. */
static cflri_digest digest_named(cflri_sources *s, const cflri_unit *unit, uint32_t number) {
    static const char *const flags[] = {"-include", "-imacros", "-D"};
    scan c = {.sources = s, .search = &s->searches.at[number]};
    cflri_digest_begin(&c.state);
    for (int i = 0; i < unit->n_arguments; i++)
        for (int f = 0; f < 3; f++) {
            const char *text = cflri_search_argument(unit, i, flags[f]);
            bool macro = f == 2;
            if (!text) continue;
            see_from(&c, macro ? unit->path : unit->directory, macro);
            if (macro)
                scan_names(&c, text, text + strlen(text), false, false);
            else
                add_name(&c, text, strlen(text), false);
        }
    return cflri_digest_end(&c.state);
}

bool cflri_sources_search(cflri_sources *sources, const cflri_unit *unit, uint32_t *search,
                          cflri_digest *named) {
    cflri_buffer directories = {0};
    bool good = cflri_search_list(sources->context, unit, &directories);
    pthread_mutex_lock(&sources->lock);
    sources->refused = !good;
    if (good) *search = number_search(sources, &directories);
    if (!sources->refused) *named = digest_named(sources, unit, *search);
    good = !sources->refused;
    pthread_mutex_unlock(&sources->lock);
    cflri_vec_free(sources->context, &directories);
    return good;
}
