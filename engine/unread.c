/* SPDX-License-Identifier: Apache-2.0
 *
 * unread.c: facts that a grammar does not read.
 *
 * A label that no rule reads adds nothing to the closure, and nothing fails: with `assign` for `a`
 * two pointers are apart that are not. So labels that the grammar leaves out are reported,
 *
 *     edges 'assign' (2) are not read by grammar 'pointer'; it reads: a, alloc, d, ...
 *
 * but for those of the table below, of which each shipped grammar leaves out some on purpose. Two
 * spellings are the cause more often than a slip, and the message then ends with what to write:
 * other tools put an index into the name, `f_8` for f[8], and a word for the empty path is a label
 * in a graph, but in a grammar only with quotes. An answer to which no path of the graph's labels
 * leads is reported as well, where another front end has made the graph: a C program may have no
 * pointers.
 *
 * Shipped grammars take the index of f and b for a number of bytes, and know no way by less than
 * none: f[-8] would be a member of its own, apart from b[8].
 */
#include "engine/unread.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "base/fingerprint.h"
#include "grammar/read/text.h"

/* Those of docs/reference/labels.md; a test compares them. */
static const char *const shipped_labels[] = {
    "a",       "d",       "f",       "b",       "around",  "s",      "enters", "alloc",
    "null",    "data",    "nonnull", "source",  "bytes",   "sink",   "clean",  "if",
    "program", "escapes", "caller",  "unknown", "call",    "ret",    "store",  "any",
    "address", "member",  "slot",    "whole",   "in",      "reads",  "holds",  "of",
    "fits",    "is",      "text",    "held",    "foreign", "writes", "changes"};

enum { MOST_NAMED = 4, MOST_READ = 12, LIST_BYTES = 200, MESSAGE_BYTES = 768, MOST_MESSAGES = 3 };

/* A text that grows as far as there is room. */
typedef struct list {
    char text[LIST_BYTES];
    size_t length;
    uint32_t n; /* entries, those that are left out too */
} list;

typedef struct unread {
    const cflri_ground *ground;
    const cflr_graph *graph;
    const cflr_grammar *grammar;
    bool *read;    /* by string of the graph: the name of a symbol of the grammar */
    bool *present; /* by symbol of the grammar: the graph has edges of it */
    char message[MOST_MESSAGES][MESSAGE_BYTES];
    size_t n_messages;
} unread;

static void append(list *to, uint32_t most, const char *text) {
    if (to->n++ >= most || to->length + strlen(text) + 2 >= LIST_BYTES) return;
    char *at = to->text + to->length;
    if (to->length) at = stpcpy(at, ", ");
    to->length = (size_t)(stpcpy(at, text) - to->text);
}

static bool is_label(const cflri_symbol *symbol) {
    return symbol->kind == CFLRI_TERMINAL && symbol->converse_of == CFLRI_NO_SYMBOL;
}

static bool is_shipped(const char *name) {
    for (size_t i = 0; i < sizeof shipped_labels / sizeof *shipped_labels; i++)
        if (strcmp(name, shipped_labels[i]) == 0) return true;
    return false;
}

static const char *label_name(const unread *x, uint32_t label) {
    return cflri_string(&x->graph->strings, x->graph->label[label].name);
}

static bool is_read(const unread *x, uint32_t label) {
    return x->read[x->graph->label[label].name];
}

/* ---- which labels meet which symbols ---- */

static cflr_status meet(unread *x, cflr_error *error) {
    cflr_context *context = x->graph->context;
    x->read = cflri_alloc_array_zero(context, x->graph->strings.text.n + 1, sizeof *x->read);
    x->present =
        cflri_alloc_array_zero(context, (size_t)x->grammar->n_symbols + 1, sizeof *x->present);
    if (!x->read || !x->present) return cflri_fail_memory(context, error);
    for (uint32_t s = 0; s < x->grammar->n_symbols; s++) {
        const cflri_symbol *symbol = &x->grammar->symbol[s];
        if (symbol->kind == CFLRI_AUXILIARY || symbol->converse_of != CFLRI_NO_SYMBOL) continue;
        uint32_t id = cflri_strings_find(&x->graph->strings, symbol->name, strlen(symbol->name));
        if (id != CFLRI_NO_STRING) x->read[id] = true;
    }
    for (uint32_t i = 0; i < x->ground->n_symbols; i++)
        if (x->ground->symbol[i].label != CFLR_NO_LABEL)
            x->present[x->ground->symbol[i].symbol] = true;
    return CFLR_OK;
}

/* The labels of the grammar; `lacking`: only those of which the graph has no edges. */
static list list_labels(const unread *x, bool lacking) {
    list labels = {.n = 0};
    for (uint32_t s = 0; s < x->grammar->n_symbols; s++) {
        const cflri_symbol *symbol = &x->grammar->symbol[s];
        char name[48];
        snprintf(name, sizeof name, "%.40s%s", symbol->name, symbol->indexed ? "[]" : "");
        if (is_label(symbol) && !(lacking && x->present[s])) append(&labels, MOST_READ, name);
    }
    if (labels.n > MOST_READ) append(&labels, UINT32_MAX, "...");
    return labels;
}

/* ---- messages ---- */

static char *next_message(unread *x) {
    return x->message[x->n_messages++];
}

typedef struct named {
    uint32_t name; /* string */
    uint64_t edges;
} named;

static int by_name(const void *a, const void *b) {
    const named *x = a, *y = b;
    return (x->name > y->name) - (x->name < y->name);
}

/* Labels of one name become one. Returns how many are left. */
static size_t merge(named *names, size_t n) {
    size_t kept = 0;
    if (n) qsort(names, n, sizeof *names, by_name);
    for (size_t i = 0; i < n; i++) {
        if (kept > 0 && names[kept - 1].name == names[i].name)
            names[kept - 1].edges += names[i].edges;
        else
            names[kept++] = names[i];
    }
    return kept;
}

/* Has the grammar a label of this name that takes an index? */
static bool is_indexed(const unread *x, const char *name, size_t length) {
    for (uint32_t s = 0; s < x->grammar->n_symbols; s++) {
        const cflri_symbol *symbol = &x->grammar->symbol[s];
        bool same = strncmp(symbol->name, name, length) == 0 && symbol->name[length] == '\0';
        if (same && symbol->indexed && is_label(symbol)) return true;
    }
    return false;
}

/* What should be written for the first of the names of which that is known; "" for none. */
static void say_spelling(const unread *x, const named *names, size_t n, char *text, size_t size) {
    text[0] = '\0';
    for (size_t i = 0; i < n && !text[0]; i++) {
        const char *name = cflri_string(&x->graph->strings, names[i].name);
        const char *index = strrchr(name, '_');
        if (cflri_is_empty_path(name, strlen(name)))
            snprintf(text, size,
                     " (in a grammar that label is \"%s\": without quotes it is the empty path)",
                     name);
        else if (index && index[1] && is_indexed(x, name, (size_t)(index - name)))
            snprintf(text, size, " (in a graph '%.40s' is written %.*s[%.16s])", name,
                     (int)(index - name < 40 ? index - name : 40), name, index + 1);
    }
}

static void say_unread(unread *x, const named *names, size_t n) {
    list unknown = {.n = 0}, known = list_labels(x, false);
    char more[40] = "", spelling[200];
    for (size_t i = 0; i < n; i++) {
        char entry[80];
        snprintf(entry, sizeof entry, "'%.40s' (%" PRIu64 ")",
                 cflri_string(&x->graph->strings, names[i].name), names[i].edges);
        append(&unknown, MOST_NAMED, entry);
    }
    if (n > MOST_NAMED) snprintf(more, sizeof more, " and %zu more", n - MOST_NAMED);
    say_spelling(x, names, n, spelling, sizeof spelling);
    snprintf(next_message(x), MESSAGE_BYTES,
             "edges %s%s are not read by grammar '%.60s'; it reads: %s%s", unknown.text, more,
             x->grammar->subject, known.text, spelling);
}

/* Labels that are no mistake, where the grammar reads some at all. */
static cflr_status find_unread(unread *x, cflr_error *error) {
    uint32_t n_labels = x->graph->n_labels, n_read = 0;
    size_t n = 0;
    named *names = cflri_alloc_array(x->graph->context, (size_t)n_labels + 1, sizeof *names);
    if (!names) return cflri_fail_memory(x->graph->context, error);
    for (uint32_t l = 0; l < n_labels; l++) n_read += is_read(x, l) && x->graph->out[l].n_pairs;
    for (uint32_t l = 0; l < n_labels; l++) {
        uint64_t edges = x->graph->out[l].n_pairs;
        bool meant = is_read(x, l) || (n_read > 0 && is_shipped(label_name(x, l)));
        if (edges > 0 && !meant) names[n++] = (named){x->graph->label[l].name, edges};
    }
    n = merge(names, n);
    if (n > 0)
        say_unread(x, names, n);
    else if (x->graph->n_edges == 0)
        snprintf(next_message(x), MESSAGE_BYTES, "the graph has no edges");
    cflri_free(x->graph->context, names);
    return CFLR_OK;
}

static bool has_instance(const unread *x, uint32_t symbol) {
    uint32_t i = 0;
    while (i < x->ground->n_symbols && x->ground->symbol[i].symbol != symbol) i++;
    return i < x->ground->n_symbols;
}

static void find_empty(unread *x) {
    list answers = {.n = 0};
    if (x->graph->n_edges == 0 || cflr_graph_functions(x->graph) > 0) return;
    for (size_t i = 0; i < x->grammar->answers.n; i++) {
        const struct cflri_answer *answer = &x->grammar->answers.at[i];
        if (!has_instance(x, answer->symbol)) append(&answers, MOST_NAMED, answer->question);
    }
    if (answers.n == 0) return;
    const list lacking = list_labels(x, true);
    bool places = cflr_grammar_has_symbol(x->grammar, "address");
    snprintf(
        next_message(x), MESSAGE_BYTES,
        "every answer to %s is empty: the graph has no edges %s, which grammar '%.60s' reads%s",
        answers.text, lacking.text, x->grammar->subject,
        places ? "; plain facts are read by 'pointer' and 'pointer-fs'" : "");
}

static void find_negative(unread *x) {
    bool bytes =
        cflr_grammar_has_symbol(x->grammar, "f") && cflr_grammar_has_symbol(x->grammar, "b");
    for (uint32_t l = 0; bytes && l < x->graph->n_labels; l++) {
        const char *name = label_name(x, l);
        const char *index = cflri_string(&x->graph->strings, x->graph->label[l].index);
        bool member = strcmp(name, "f") == 0 || strcmp(name, "b") == 0;
        if (!member || index[0] != '-' || x->graph->out[l].n_pairs == 0) continue;
        snprintf(next_message(x), MESSAGE_BYTES,
                 "edges '%s[%.40s]': grammar '%.60s' reads them as a member of that name; a step "
                 "by fewer than 0 bytes is %s[%.40s]",
                 name, index, x->grammar->subject, name[0] == 'f' ? "b" : "f", index + 1);
        return;
    }
}

/* ---- all ---- */

static bool is_new(const unread *x) {
    uint64_t hash = CFLRI_FINGERPRINT_BEGIN;
    for (size_t i = 0; i < x->n_messages; i++) hash = cflri_fingerprint_text(hash, x->message[i]);
    return atomic_exchange(&x->graph->context->told, hash) != hash;
}

cflr_status cflri_tell_unread(const cflri_ground *ground, cflr_error *error) {
    cflr_status st = CFLR_OK;
    cflr_context *context = ground->context;
    unread x = {.ground = ground, .graph = ground->graph, .grammar = ground->grammar};
    if (!context->opts.log) return CFLR_OK;
    CFLR_TRY(meet(&x, error));
    CFLR_TRY(find_unread(&x, error));
    find_empty(&x);
    find_negative(&x);
    bool new = is_new(&x);
    for (size_t i = 0; new &&i < x.n_messages; i++)
        cflri_log(context, CFLR_LOG_WARNING, "%s", x.message[i]);
out:
    cflri_free(context, x.read);
    cflri_free(context, x.present);
    return st;
}
