/* SPDX-License-Identifier: Apache-2.0
 *
 * levels.c: the pairs of each level, as a grammar of their own.
 *
 * A symbol is copied for each level, and what it calls is of the level before:
 *
 *     V ::= Back | V Step        V@2    ::= Back@2 | V@2 Step@2
 *     M ::= ~d V d               M@2    ::= ~d V@1 d
 *     Step ::= a | a M           Step@2 ::= a | a M@2              Step@0 ::= a
 *
 * A filter holds for each copy. What is called because it is filtered, and does not recur, is of
 * the same level as the rule that reads it.
 *
 * No level needs a later one, so the batch model evaluates them in their order, each once and
 * with all that makes it fast: some levels take no longer than the closure itself.
 */
#include "engine/derivations/levels.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/context.h"
#include "engine/results/result.h"
#include "engine/unread.h"

/* ---- the grammar ---- */

typedef struct writing {
    const cflri_automaton *automaton;
    const cflr_grammar *grammar;
    bool *deeper; /* by symbol of the grammar */
    bool *ruled;  /* it has a rule at this level */
    cflri_word_loop *loop;
    bool *labelled; /* it has edges, too */
    CFLRI_VEC(char) text;
    bool failed;
} writing;

static void put(writing *w, const char *text) {
    size_t n = strlen(text);
    if (!cflri_vec_reserve(w->automaton->context, &w->text, n)) {
        w->failed = true;
        return;
    }
    memcpy(w->text.at + w->text.n, text, n);
    w->text.n += n;
}

static void put_escaped(writing *w, const char *text) {
    for (; *text; text++) {
        const char letter[] = {*text, '\0'};
        if (*text == '"' || *text == '\\') put(w, "\\");
        put(w, letter);
    }
}

/* "V@2", with quotes; a label has no level. */
static void put_name(writing *w, uint32_t symbol, uint32_t level) {
    char end[16];
    const cflri_symbol *s = &w->grammar->symbol[symbol];
    put(w, "\"");
    put_escaped(w, s->name);
    snprintf(end, sizeof end, "@%" PRIu32, level);
    if (level != UINT32_MAX) put(w, end);
    put(w, "\"");
}

static void put_index(writing *w, uint8_t use, uint32_t constant) {
    if (use == CFLRI_INDEX_NONE) return;
    if (use == CFLRI_INDEX_VARIABLE) {
        put(w, "[i]");
        return;
    }
    put(w, "[\"");
    put_escaped(w, w->grammar->constant[constant]);
    put(w, "\"]");
}

/* The symbol that a converse is about, and whether it is read backwards. */
static uint32_t plain(const cflr_grammar *grammar, uint32_t symbol, bool *back) {
    for (*back = false; grammar->symbol[symbol].converse_of != CFLRI_NO_SYMBOL; *back = !*back)
        symbol = grammar->symbol[symbol].converse_of;
    return symbol;
}

/* Is it what the rule's own symbol comes back by? */
static bool comes_back(const writing *w, const cflri_rule *rule, uint32_t position) {
    bool back;
    uint32_t symbol = plain(w->grammar, rule->right[position], &back);
    if (back || symbol != rule->left) return false;
    if (w->loop[symbol] == CFLRI_LOOP_LEFT) return position == 0;
    return w->loop[symbol] == CFLRI_LOOP_RIGHT && position + 1u == rule->n_right;
}

/* Is what it reads there of the level below? */
static bool is_deeper(const writing *w, const cflri_rule *rule, uint32_t position) {
    bool back;
    uint32_t symbol = plain(w->grammar, rule->right[position], &back);
    return w->deeper[symbol] && !comes_back(w, rule, position);
}

static void put_read(writing *w, const cflri_rule *rule, uint32_t position, uint32_t level) {
    bool back;
    uint32_t symbol = plain(w->grammar, rule->right[position], &back);
    bool label = w->grammar->symbol[symbol].kind == CFLRI_TERMINAL;
    put(w, back ? " ~" : " ");
    put_name(w, symbol, label ? UINT32_MAX : level - is_deeper(w, rule, position));
    put_index(w, rule->right_use[position], rule->constant[position + 1]);
}

static void put_rule(writing *w, const cflri_rule *rule, uint32_t level) {
    if (rule->is_converse) return;
    for (uint32_t i = 0; i < rule->n_right; i++)
        if (level == 0 && is_deeper(w, rule, i)) return;
    w->ruled[rule->left] = true;
    put_name(w, rule->left, level);
    put_index(w, rule->left_use, rule->constant[0]);
    put(w, " ::=");
    for (uint32_t i = 0; i < rule->n_right; i++) put_read(w, rule, i, level);
    put(w, rule->n_right ? "\n" : " eps\n");
}

/* Edges of the symbol's name. */
static void put_symbol(writing *w, uint32_t symbol, uint32_t level) {
    uint8_t use = w->grammar->symbol[symbol].indexed ? CFLRI_INDEX_VARIABLE : CFLRI_INDEX_NONE;
    w->ruled[symbol] = w->labelled[symbol];
    if (w->labelled[symbol]) {
        put_name(w, symbol, level);
        put_index(w, use, 0);
        put(w, " ::= ");
        put_name(w, symbol, UINT32_MAX);
        put_index(w, use, 0);
        put(w, "\n");
    }
}

/* Of a symbol that has rules at this level. */
static void put_filter(writing *w, const cflri_filter_rule *filter, uint32_t level) {
    if (!w->ruled[filter->symbol]) return;
    put(w, "%filter ");
    put_name(w, filter->symbol, level);
    for (uint32_t i = 0; i < filter->n; i++) {
        put(w, filter->back[i] ? " ~" : " ");
        put_name(w, filter->label[i], UINT32_MAX);
    }
    put(w, "\n");
}

static void look_at_symbols(writing *w) {
    const cflri_ground *ground = w->automaton->ground;
    for (uint32_t s = 0; s < ground->n_symbols; s++) {
        uint32_t of = ground->symbol[s].symbol;
        bool label = w->grammar->symbol[of].kind == CFLRI_TERMINAL;
        w->deeper[of] |= w->automaton->deeper[s];
        cflri_word_loop loop = w->automaton->loop[w->automaton->component[s]];
        if (w->automaton->called[s] && w->loop[of] == CFLRI_LOOP_NONE) w->loop[of] = loop;
        w->labelled[of] |= !label && ground->symbol[s].label != CFLR_NO_LABEL;
    }
}

static cflr_status write_grammar(const cflri_automaton *automaton, uint32_t n,
                                 cflr_grammar **grammar, cflr_error *error) {
    cflr_context *context = automaton->context;
    writing w = {.automaton = automaton, .grammar = automaton->ground->grammar};
    size_t symbols = (size_t)w.grammar->n_symbols + 1;
    cflr_status st = CFLR_OK;
    w.deeper = cflri_alloc_array_zero(context, symbols, sizeof *w.deeper);
    w.ruled = cflri_alloc_array_zero(context, symbols, sizeof *w.ruled);
    w.labelled = cflri_alloc_array_zero(context, symbols, sizeof *w.labelled);
    w.loop = cflri_alloc_array_zero(context, symbols, sizeof *w.loop);
    w.failed = !w.deeper || !w.ruled || !w.labelled || !w.loop;
    if (!w.failed) look_at_symbols(&w);
    for (uint32_t level = 0; level < n && !w.failed; level++) {
        for (uint32_t s = 0; s < w.grammar->n_symbols; s++) put_symbol(&w, s, level);
        for (uint32_t r = 0; r < w.grammar->n_rules; r++) put_rule(&w, &w.grammar->rule[r], level);
        for (size_t i = 0; i < w.grammar->filters.n; i++)
            put_filter(&w, &w.grammar->filters.at[i], level);
    }
    if (w.failed)
        st = cflri_fail_memory(context, error);
    else
        st = cflr_grammar_parse(context, w.text.at, w.text.n, "levels", CFLR_GRAMMAR_CFLR, grammar,
                                error);
    cflri_free(context, w.deeper);
    cflri_free(context, w.ruled);
    cflri_free(context, w.labelled);
    cflri_free(context, w.loop);
    cflri_vec_free(context, &w.text);
    return st;
}

/* ---- the closure ---- */

enum { NAME_SIZE = 256 };

/* "V@2"; false when it is too long. */
static bool spell(const cflri_levels *l, const cflri_automaton *automaton, uint32_t place,
                  uint32_t level, char name[NAME_SIZE]) {
    const cflri_ground *ground = automaton->ground;
    const char *of = ground->grammar->symbol[ground->symbol[l->called[place]].symbol].name;
    return snprintf(name, NAME_SIZE, "%s@%" PRIu32, of, level) < NAME_SIZE;
}

static cflr_status solve(cflri_levels *l, const cflri_automaton *automaton, cflr_error *error) {
    cflr_context *context = automaton->context;
    size_t many = (size_t)l->n * l->n_called, n = 0;
    char(*name)[NAME_SIZE] = cflri_alloc_array(context, many + 1, sizeof *name);
    const char **only = cflri_alloc_array(context, many + 1, sizeof *only);
    cflr_status st = name && only ? CFLR_OK : cflri_fail_memory(context, error);
    for (uint32_t level = 0; level < l->n && st == CFLR_OK; level++)
        for (uint32_t i = 0; i < l->n_called && st == CFLR_OK; i++) {
            only[n] = name[n];
            if (!spell(l, automaton, i, level, name[n]))
                st = cflri_fail(error, CFLR_UNSUPPORTED, NULL, "a symbol has too long a name");
            bool known = st == CFLR_OK && cflr_grammar_has_symbol(l->grammar, name[n]);
            n += known;
        }
    cflr_solve_opts opts;
    cflr_solve_opts_init(&opts);
    opts.model = CFLR_MODEL_BATCH;
    opts.only = only;
    opts.n_only = n;
    if (st == CFLR_OK)
        st = cflri_solve(automaton->ground->graph, l->grammar, &opts, &l->result, error);
    cflri_free(context, name);
    cflri_free(context, (void *)only);
    return st;
}

/* The relation of one level of a called symbol, which has an index perhaps. */
static const cflri_relation *find_pairs(const cflri_levels *l, const cflri_automaton *automaton,
                                        uint32_t place, uint32_t level) {
    static const cflri_relation none;
    char name[NAME_SIZE];
    const char *index = cflri_ground_index_text(automaton->ground, l->called[place]);
    spell(l, automaton, place, level, name);
    uint32_t label = cflr_result_find_label(l->result, name);
    if (label == CFLR_NO_LABEL) return &none;
    const cflri_result_label *record = &l->result->label[label];
    for (uint32_t i = 0; i < record->n_instances; i++)
        if (strcmp(cflr_result_label_index(l->result, label, i), index) == 0)
            return &l->result->instance[record->first_instance + i];
    return &none;
}

/* All levels of a symbol stand together. */
static size_t place_of(const cflri_levels *l, uint32_t level, uint32_t place) {
    return (size_t)place * l->n + level;
}

static cflr_status find_all_pairs(cflri_levels *l, const cflri_automaton *automaton,
                                  cflr_error *error) {
    cflr_context *context = automaton->context;
    uint32_t n_vertices = automaton->ground->graph->n_vertices;
    cflr_status st = CFLR_OK;
    size_t n = (size_t)l->n * l->n_called + 1;
    l->relation = cflri_alloc_array_zero(context, n, sizeof *l->relation);
    l->turned = cflri_alloc_array_zero(context, (size_t)l->n_called + 1, sizeof *l->turned);
    if (!l->relation || !l->turned) return cflri_fail_memory(context, error);
    l->all = l->n > 1;
    for (uint32_t i = 0; i < l->n_called && st == CFLR_OK; i++) {
        const cflri_relation **level = &l->relation[place_of(l, 0, i)];
        for (uint32_t k = 0; k < l->n; k++) level[k] = find_pairs(l, automaton, i, k);
        if (l->all) l->all = level[l->n - 1]->n_pairs == level[l->n - 2]->n_pairs;
        st = cflri_turned_make(context, level, l->n, n_vertices, &l->turned[i], error);
    }
    return st;
}

cflr_status cflri_levels_make(const cflri_automaton *automaton, uint32_t n, cflri_levels *levels,
                              cflr_error *error) {
    cflr_status st = CFLR_OK;
    cflr_context *context = automaton->context;
    *levels = (cflri_levels){.n = n};
    levels->called = cflri_alloc_array_zero(context, (size_t)automaton->ground->n_symbols + 1,
                                            sizeof *levels->called);
    if (!levels->called) return cflri_fail_memory(context, error);
    for (uint32_t s = 0; s < automaton->ground->n_symbols; s++)
        if (automaton->called[s]) levels->called[levels->n_called++] = s;
    CFLR_TRY(write_grammar(automaton, n, &levels->grammar, error));
    CFLR_TRY(solve(levels, automaton, error));
    CFLR_TRY(find_all_pairs(levels, automaton, error));
out:
    return st;
}

void cflri_levels_free(cflr_context *context, cflri_levels *levels) {
    for (uint32_t i = 0; i < levels->n_called && levels->turned; i++)
        cflri_turned_free(context, &levels->turned[i]);
    cflr_result_free(levels->result);
    cflr_grammar_free(levels->grammar);
    cflri_free(context, levels->called);
    cflri_free(context, levels->turned);
    cflri_free(context, (void *)levels->relation);
    *levels = (cflri_levels){0};
}

/* ---- questions ---- */

static uint32_t find_called(const cflri_levels *l, uint32_t symbol) {
    uint32_t low = 0, high = l->n_called;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (l->called[middle] <= symbol)
            low = middle;
        else
            high = middle;
    }
    return low;
}

const cflri_relation *cflri_levels_pairs(const cflri_levels *l, uint32_t level, uint32_t symbol) {
    return l->relation[place_of(l, level, find_called(l, symbol))];
}

const cflri_turned_rows *cflri_levels_turned(const cflri_levels *l, uint32_t symbol) {
    return &l->turned[find_called(l, symbol)];
}

uint32_t cflri_levels_find(const cflri_levels *l, uint32_t symbol, uint32_t source, uint32_t target,
                           cflri_failure *failure) {
    uint32_t level = 0;
    while (level < l->n &&
           !cflri_relation_has(cflri_levels_pairs(l, level, symbol), source, target, failure))
        level++;
    return level;
}
