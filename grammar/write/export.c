/* SPDX-License-Identifier: Apache-2.0
 *
 * export.c: the normal form in another tool's format.
 *
 * None of them has converses of nonterminals, so ~X becomes a nonterminal `Xbar` with the rules of
 * X reversed: X ::= B C gives Xbar ::= Cbar Bbar, and so on for what these rules need. The converse
 * of a terminal is a label of its own there, which `cflr convert` writes with the graph; so it does
 * for edges that carry a nonterminal's name.
 *
 *     ref    2 * symbol, + 1 when read backwards: ~X and X are refs of one symbol
 *
 * GraCFL and CFPQ have no index variables either: a grammar with indexes is written ground, for the
 * indexes of a graph. Auxiliaries are called Aux1, Aux2, ...
 *
 * Names are written as they are, and nothing in these formats can be quoted. So before a word is
 * written it is taken apart by the reader of the format, and a name that does not come back as it
 * was is refused: a label that happens to be called f_8 is not smuggled into a format that would
 * read an index. Linear in the rules that are written.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/context.h"
#include "grammar/compile/compile.h"
#include "grammar/equations/ground.h"
#include "grammar/read/import.h"

typedef struct plain_rule {
    uint32_t left; /* refs */
    uint32_t right[2];
    uint32_t n_right;
    uint32_t rule; /* of the compiled grammar; NO_RULE when made here */
} plain_rule;

#define NO_RULE UINT32_MAX

/* The state of a symbol's rules: turned rules are in the queue of turn_rules. */
typedef enum turning { NO_RULES, HAS_RULES, TURNED } turning;

/* The index that follows a symbol in a rule. */
typedef struct index_shown {
    cflri_index_use use;
    const char *text; /* "" for none */
} index_shown;

typedef struct exporter {
    const cflr_grammar *grammar;
    const cflri_ground *ground; /* NULL: symbols are those of the grammar */
    cflr_grammar_format format;
    const char *format_word;
    bool arrow; /* "->" between left and right */
    cflri_text text;
    cflri_text word;
    CFLRI_VEC(plain_rule) rules;
    uint8_t *state;   /* turning of each symbol */
    uint32_t *turned; /* symbols whose rules are turned, as they were met */
    uint32_t n_turned;
    cflri_spelling spelling;
    cflri_names_seen seen;
    cflri_memo owner;   /* a word without its index -> the ref that is spelled so */
    char auxiliary[32]; /* what stands for the '%' of auxiliaries */
    cflr_error *error;
} exporter;

static cflr_status no_memory(const exporter *x) {
    return cflri_fail_memory(x->grammar->context, x->error);
}

/* ---- refs ---- */

static uint32_t n_symbols(const exporter *x) {
    return x->ground ? x->ground->n_symbols : x->grammar->n_symbols;
}

static uint32_t ref_of(const exporter *x, uint32_t symbol) {
    uint32_t of =
        x->ground ? x->ground->symbol[symbol].converse_of : x->grammar->symbol[symbol].converse_of;
    return of == CFLRI_NO_SYMBOL ? 2 * symbol : 2 * of + 1;
}

/* The symbol of the grammar that a ref is an instance of. */
static uint32_t symbol_number(const exporter *x, uint32_t ref) {
    return x->ground ? x->ground->symbol[ref / 2].symbol : ref / 2;
}

static const cflri_symbol *symbol_of(const exporter *x, uint32_t ref) {
    return &x->grammar->symbol[symbol_number(x, ref)];
}

/* ---- collecting rules ---- */

static cflr_status add_rule(exporter *x, plain_rule rule) {
    return cflri_vec_push(x->grammar->context, &x->rules, rule) ? CFLR_OK : no_memory(x);
}

static cflr_status collect_grammar(exporter *x) {
    for (uint32_t r = 0; r < x->grammar->n_rules; r++) {
        const cflri_rule *rule = &x->grammar->rule[r];
        if (rule->is_converse) continue;
        plain_rule plain = {.left = ref_of(x, rule->left), .n_right = rule->n_right, .rule = r};
        for (uint32_t i = 0; i < rule->n_right; i++) plain.right[i] = ref_of(x, rule->right[i]);
        cflr_status st = add_rule(x, plain);
        if (st != CFLR_OK) return st;
    }
    return CFLR_OK;
}

static cflr_status collect_ground(exporter *x) {
    cflr_status st = CFLR_OK;
    for (uint32_t e = 0; e < x->ground->n_epsilon; e++) {
        plain_rule plain = {.left = ref_of(x, x->ground->epsilon[e]), .rule = NO_RULE};
        CFLR_TRY(add_rule(x, plain));
    }
    for (uint32_t r = 0; r < x->ground->n_rules; r++) {
        const cflri_ground_rule *rule = &x->ground->rule[r];
        if (x->grammar->rule[rule->rule].is_converse) continue;
        plain_rule plain = {.left = ref_of(x, rule->left), .n_right = 1, .rule = rule->rule};
        plain.right[0] = ref_of(x, rule->right[0]);
        if (rule->right[1] != CFLRI_NO_SYMBOL) {
            plain.right[1] = ref_of(x, rule->right[1]);
            plain.n_right = 2;
        }
        CFLR_TRY(add_rule(x, plain));
    }
out:
    return st;
}

/* ---- turning rules round ---- */

/* Rules by the symbol on the left: those of s are list[start[s]] to list[start[s + 1] - 1]. */
typedef struct rules_by_left {
    size_t *start; /* n_symbols + 1 */
    size_t *list;
} rules_by_left;

static cflr_status sort_by_left(const exporter *x, rules_by_left *by) {
    cflr_context *context = x->grammar->context;
    uint32_t n = n_symbols(x);
    by->start = cflri_alloc_array_zero(context, (size_t)n + 1, sizeof *by->start);
    by->list = cflri_alloc_array(context, x->rules.n, sizeof *by->list);
    if (!by->start || !by->list) return no_memory(x);
    for (size_t r = 0; r < x->rules.n; r++) by->start[x->rules.at[r].left / 2]++;
    for (uint32_t s = 0; s < n; s++) by->start[s + 1] += by->start[s]; /* where s ends */
    for (size_t r = x->rules.n; r-- > 0;) { /* from behind, until it is where s starts */
        by->list[--by->start[x->rules.at[r].left / 2]] = r;
    }
    return CFLR_OK;
}

/* Queues the symbols with rules that a rule reads backwards. */
static void need_right(exporter *x, const plain_rule *rule) {
    for (uint32_t i = 0; i < rule->n_right; i++) {
        uint32_t symbol = rule->right[i] / 2;
        if (rule->right[i] % 2 == 0 || x->state[symbol] != HAS_RULES) continue;
        x->state[symbol] = TURNED;
        x->turned[x->n_turned++] = symbol;
    }
}

static plain_rule turn(const plain_rule *rule) {
    plain_rule turned = {.left = rule->left ^ 1, .n_right = rule->n_right, .rule = rule->rule};
    for (uint32_t i = 0; i < rule->n_right; i++) {
        turned.right[i] = rule->right[rule->n_right - 1 - i] ^ 1;
    }
    return turned;
}

/* Turns the rules of all needed symbols, which may make others needed, until none is left. Each
 * symbol is queued once, so each rule is turned once at most. */
static cflr_status turn_rules(exporter *x) {
    cflr_status st = CFLR_OK;
    rules_by_left by = {0};
    CFLR_TRY(sort_by_left(x, &by));
    for (size_t r = 0; r < x->rules.n; r++) need_right(x, &x->rules.at[r]);
    for (uint32_t i = 0; i < x->n_turned; i++) {
        uint32_t symbol = x->turned[i];
        for (size_t k = by.start[symbol]; k < by.start[symbol + 1]; k++) {
            plain_rule turned = turn(&x->rules.at[by.list[k]]);
            CFLR_TRY(add_rule(x, turned));
            need_right(x, &turned);
        }
    }
    assert(x->n_turned <= n_symbols(x));
out:
    cflri_free(x->grammar->context, by.start);
    cflri_free(x->grammar->context, by.list);
    return st;
}

/* ---- spelling ---- */

static const index_shown no_index = {CFLRI_INDEX_NONE, ""};
static const index_shown variable_index = {CFLRI_INDEX_VARIABLE, "i"};

/* The index of symbol `at` of a rule (0: left). */
static index_shown index_in_rule(const exporter *x, const plain_rule *rule, uint32_t ref,
                                 uint32_t at) {
    if (!symbol_of(x, ref)->indexed) return no_index;
    if (x->ground) {
        const char *text = cflri_ground_index_text(x->ground, ref / 2);
        return (index_shown){CFLRI_INDEX_CONSTANT, text};
    }
    const cflri_rule *from = &x->grammar->rule[rule->rule];
    bool turned = rule->left % 2 == 1;
    uint32_t place = at && turned ? from->n_right + 1u - at : at;
    uint8_t use = place ? from->right_use[place - 1] : from->left_use;
    assert(use != CFLRI_INDEX_NONE);
    if (use == CFLRI_INDEX_VARIABLE) return variable_index;
    return (index_shown){CFLRI_INDEX_CONSTANT, x->grammar->constant[from->constant[place]]};
}

/* The index of a symbol that stands in no rule: in a list of symbols. */
static index_shown index_in_list(const cflri_symbol *symbol) {
    return symbol->indexed ? variable_index : no_index;
}

/* Spells the word into x->word; returns the length of its part without index and converse. */
static size_t spell(exporter *x, uint32_t ref, const char *index) {
    const char *name = symbol_of(x, ref)->name;
    bool made = symbol_of(x, ref)->kind == CFLRI_AUXILIARY;
    bool backwards = ref % 2 == 1, trailing = x->spelling.converse_suffix[0] == '_';
    x->word.bytes.n = 0;
    if (made) cflri_text_add(&x->word, x->auxiliary);
    cflri_text_add(&x->word, made ? name + 1 : name); /* 12 of %12 */
    size_t stem = x->word.bytes.n;
    if (backwards && !trailing) cflri_text_add(&x->word, x->spelling.converse_suffix);
    if (*index) cflri_text_printf(&x->word, "_%s", index);
    if (backwards && trailing) cflri_text_add(&x->word, x->spelling.converse_suffix);
    return stem;
}

/* Checks that the part of a ref's name without its index, `fbar` of fbar_8 or `load_r` of load_8_r,
 * names no other. */
static cflr_status check_owner(exporter *x, uint32_t ref) {
    cflr_status st = CFLR_OK;
    uint32_t *owner, key = 2 * symbol_number(x, ref) + ref % 2;
    spell(x, ref, "");
    if (x->word.failed) return no_memory(x);
    CFLR_TRY(cflri_memo_find(&x->owner, x->word.bytes.at, x->word.bytes.n, &owner, x->error));
    if (*owner == CFLRI_NO_SYMBOL) *owner = key;
    if (*owner == key) return CFLR_OK;
    return cflri_fail(x->error, CFLR_UNSUPPORTED, x->grammar->subject,
                      "two symbols would be called '%.*s' in %s", (int)x->word.bytes.n,
                      x->word.bytes.at, x->format_word);
out:
    return st;
}

/* Would the format's reader cut this text into more or less than one word, or take it for
 * something else? */
static bool is_no_word(const exporter *x, const cflri_word *word) {
    static const char *const headings[] = {
        "Count:", "Production:", "Insert:", "Follow:", "Start:", "Terminal:", "Productions:"};
    bool digits = true;
    if (word->at[0] == '#' || cflri_word_is_epsilon(word)) return true;
    for (size_t i = 0; i < word->length; i++) {
        char c = word->at[i];
        if (c == ' ' || (c == ',' && x->format == CFLR_GRAMMAR_POCR)) return true;
        if (x->arrow && strchr("()|*+?;", c)) return true;
        if (x->arrow && c == '-' && i + 1 < word->length && word->at[i + 1] == '>') return true;
        digits &= c >= '0' && c <= '9';
    }
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++) {
        if (cflri_word_is(word, headings[i])) return true;
    }
    return digits && !x->arrow; /* the number of rules */
}

static cflr_status refuse_word(const exporter *x, const char *name, const cflri_word *word) {
    return cflri_fail(x->error, CFLR_UNSUPPORTED, x->grammar->subject,
                      "'%.60s' cannot be written in %s: '%.*s' would read as something else", name,
                      x->format_word, (int)(word->length > 60 ? 60 : word->length), word->at);
}

/* Spells a ref and sees that it reads back. */
static cflr_status spell_checked(exporter *x, uint32_t ref, index_shown index) {
    size_t stem = spell(x, ref, index.text);
    if (x->word.failed) return no_memory(x);
    cflri_word word = {.at = x->word.bytes.at, .length = x->word.bytes.n};
    cflri_parts p = cflri_word_parts(&x->spelling, &x->seen, &word);
    bool own_rules = x->state[ref / 2] != NO_RULES; /* then Xbar is a name like any other */
    bool trailing = x->spelling.converse_suffix[0] == '_';
    size_t name = own_rules && ref % 2 == 1 ? stem + strlen(x->spelling.converse_suffix) : stem;
    bool turned_index = own_rules && ref % 2 == 1 && trailing && index.use; /* X_8_r is no index */
    bool same = p.converse == (!own_rules && ref % 2 == 1) && p.use == index.use &&
                p.name.size == name && cflri_field_is(p.index, index.text);
    if (turned_index) same = !p.converse && !p.use && p.name.size == word.length;
    if (same && !is_no_word(x, &word)) return CFLR_OK;
    return refuse_word(x, symbol_of(x, ref)->name, &word);
}

/* Auxiliaries must not be mistaken for the author's symbols. */
static void choose_auxiliary(exporter *x) {
    snprintf(x->auxiliary, sizeof x->auxiliary, "Aux");
    for (uint32_t s = 0; s < x->grammar->n_symbols; s++) {
        size_t n = strlen(x->auxiliary);
        if (strncmp(x->grammar->symbol[s].name, x->auxiliary, n) != 0) continue;
        if (n + 2 > sizeof x->auxiliary) return; /* check_owner sees to the rest */
        memmove(x->auxiliary + 1, x->auxiliary, n + 1);
        x->auxiliary[0] = 'X';
        s = UINT32_MAX; /* once more from the beginning */
    }
}

/* ---- writing ---- */

static cflr_status look_at(exporter *x, uint32_t ref, index_shown index, bool left) {
    cflr_status st = CFLR_OK;
    CFLR_TRY(check_owner(x, ref));
    spell(x, ref, index.text);
    if (x->word.failed) return no_memory(x);
    cflri_word word = {.at = x->word.bytes.at, .length = x->word.bytes.n};
    CFLR_TRY(cflri_names_seen_add(&x->seen, &word, left, x->error));
out:
    return st;
}

static cflr_status look_at_rules(exporter *x) {
    cflr_status st = CFLR_OK;
    for (size_t r = 0; r < x->rules.n; r++) {
        const plain_rule *rule = &x->rules.at[r];
        CFLR_TRY(look_at(x, rule->left, index_in_rule(x, rule, rule->left, 0), true));
        for (uint32_t i = 0; i < rule->n_right; i++) {
            uint32_t ref = rule->right[i];
            CFLR_TRY(look_at(x, ref, index_in_rule(x, rule, ref, i + 1), false));
        }
    }
out:
    return st;
}

static cflr_status write_ref(exporter *x, uint32_t ref, index_shown index) {
    cflr_status st = spell_checked(x, ref, index);
    if (st == CFLR_OK) cflri_text_bytes(&x->text, x->word.bytes.at, x->word.bytes.n);
    return st;
}

static cflr_status write_rule(exporter *x, const plain_rule *rule) {
    cflr_status st = CFLR_OK;
    CFLR_TRY(write_ref(x, rule->left, index_in_rule(x, rule, rule->left, 0)));
    if (x->arrow) cflri_text_add(&x->text, " ->");
    for (uint32_t i = 0; i < rule->n_right; i++) {
        uint32_t ref = rule->right[i];
        cflri_text_add(&x->text, x->arrow ? " " : "\t");
        CFLR_TRY(write_ref(x, ref, index_in_rule(x, rule, ref, i + 1)));
    }
    if (x->arrow && rule->n_right == 0) cflri_text_add(&x->text, " epsilon");
    cflri_text_add(&x->text, x->format == CFLR_GRAMMAR_SVF ? ";\n" : "\n");
out:
    return st;
}

static bool is_of_start(const exporter *x, const plain_rule *rule) {
    return rule->left % 2 == 0 && symbol_number(x, rule->left) == x->grammar->start;
}

/* A start symbol that is left without rules gets one that says nothing. */
static cflr_status write_empty_start(exporter *x) {
    const cflri_symbol *start = &x->grammar->symbol[x->grammar->start];
    index_shown index = x->ground ? no_index : index_in_list(start);
    size_t length = strlen(start->name);
    uint32_t *owner;
    cflr_status st = CFLR_OK;
    CFLR_TRY(cflri_memo_find(&x->owner, start->name, length, &owner, x->error));
    /* in a ground grammar a plain S would make S_8 plain too */
    bool own = *owner == 2 * x->grammar->start && !(x->ground && start->indexed);
    x->word.bytes.n = 0;
    cflri_text_add(&x->word, start->name);
    if (index.use) cflri_text_printf(&x->word, "_%s", index.text);
    if (x->word.failed) return no_memory(x);
    cflri_word word = {.at = x->word.bytes.at, .length = x->word.bytes.n};
    cflri_parts p = cflri_word_parts(&x->spelling, &x->seen, &word);
    bool whole = p.name.size == length && p.use == index.use && !p.converse;
    if (!whole || (*owner != CFLRI_NO_SYMBOL && !own) || is_no_word(x, &word)) {
        return refuse_word(x, start->name, &word);
    }
    cflri_text_printf(&x->text, "%.*s%s%.*s%s", (int)word.length, word.at, x->arrow ? " -> " : "\t",
                      (int)word.length, word.at, x->format == CFLR_GRAMMAR_SVF ? ";\n" : "\n");
out:
    return st;
}

/* Rules of the start symbol first, because CFPQ and others start with the first left side. */
static cflr_status write_rules(exporter *x) {
    cflr_status st = CFLR_OK;
    bool any = false;
    for (int rest = 0; rest < 2; rest++) {
        for (size_t r = 0; r < x->rules.n; r++) {
            bool of_start = is_of_start(x, &x->rules.at[r]);
            if (of_start != (rest == 0)) continue;
            any |= of_start;
            CFLR_TRY(write_rule(x, &x->rules.at[r]));
        }
        if (!any && !rest) CFLR_TRY(write_empty_start(x));
    }
out:
    return st;
}

/* The start symbol as the headings name it. */
static cflr_status write_start(exporter *x) {
    const cflri_symbol *start = &x->grammar->symbol[x->grammar->start];
    cflr_status st = write_ref(x, 2 * x->grammar->start, index_in_list(start));
    cflri_text_add(&x->text, "\n");
    return st;
}

static cflr_status write_terminals(exporter *x) {
    cflr_status st = CFLR_OK;
    const char *between = "";
    for (uint32_t s = 0; s < x->grammar->n_symbols; s++) {
        const cflri_symbol *symbol = &x->grammar->symbol[s];
        if (symbol->kind != CFLRI_TERMINAL || symbol->converse_of != CFLRI_NO_SYMBOL) continue;
        cflri_text_add(&x->text, between);
        CFLR_TRY(write_ref(x, 2 * s, index_in_list(symbol)));
        between = " ";
    }
    cflri_text_add(&x->text, "\n");
out:
    return st;
}

static cflr_status write_grammar(exporter *x) {
    cflr_status st = CFLR_OK;
    if (x->format == CFLR_GRAMMAR_SVF) {
        cflri_text_add(&x->text, "Start:\n");
        CFLR_TRY(write_start(x));
        cflri_text_add(&x->text, "Terminal:\n");
        CFLR_TRY(write_terminals(x));
        cflri_text_add(&x->text, "Productions:\n");
    }
    CFLR_TRY(write_rules(x));
    if (x->format == CFLR_GRAMMAR_POCR) {
        cflri_text_add(&x->text, "\nCount:\n");
        CFLR_TRY(write_start(x));
    }
out:
    return st;
}

/* ---- the entry ---- */

static bool has_indexes(const cflr_grammar *grammar) {
    for (uint32_t s = 0; s < grammar->n_symbols; s++) {
        if (grammar->symbol[s].indexed) return true;
    }
    return false;
}

static cflr_status set_up(exporter *x) {
    cflr_status st = CFLR_OK;
    cflr_context *context = x->grammar->context;
    x->spelling = cflri_spelling_of(x->format);
    x->arrow = x->format == CFLR_GRAMMAR_SVF || x->format == CFLR_GRAMMAR_CFPQ;
    x->state = cflri_alloc_zero(context, n_symbols(x));
    x->turned = cflri_alloc_array(context, n_symbols(x), sizeof *x->turned);
    if (!x->state || !x->turned) return no_memory(x);
    cflri_text_init(&x->text, context);
    cflri_text_init(&x->word, context);
    CFLR_TRY(cflri_names_seen_init(&x->seen, context, x->error));
    CFLR_TRY(cflri_memo_init(&x->owner, context, x->error));
    choose_auxiliary(x);
out:
    return st;
}

static void tear_down(exporter *x) {
    cflr_context *context = x->grammar->context;
    cflri_free(context, x->state);
    cflri_free(context, x->turned);
    cflri_vec_free(context, &x->rules);
    cflri_vec_free(context, &x->text.bytes);
    cflri_vec_free(context, &x->word.bytes);
    cflri_names_seen_free(&x->seen);
    cflri_memo_free(&x->owner);
}

static cflr_status export_rules(exporter *x, char **text) {
    cflr_status st = CFLR_OK;
    CFLR_TRY(set_up(x));
    CFLR_TRY(x->ground ? collect_ground(x) : collect_grammar(x));
    for (size_t r = 0; r < x->rules.n; r++) x->state[x->rules.at[r].left / 2] = HAS_RULES;
    CFLR_TRY(turn_rules(x));
    CFLR_TRY(look_at_rules(x));
    CFLR_TRY(write_grammar(x));
    CFLR_TRY(cflri_text_take(&x->text, text, x->error));
out:
    tear_down(x);
    return st;
}

cflr_status cflr_grammar_export(const cflr_grammar *grammar, cflr_grammar_format format,
                                const cflr_graph *graph, char **text, cflr_error *error) {
    static const char *const words[] = {
#define FORMAT_WORD(name, number, word, text) [number] = word,
        CFLR_GRAMMAR_FORMAT_LIST(FORMAT_WORD)
#undef FORMAT_WORD
    };
    cflri_ground *ground = NULL;
    cflr_status st = CFLR_OK;
    *text = NULL;
    if (format < CFLR_GRAMMAR_POCR || format > CFLR_GRAMMAR_CFPQ) {
        return cflri_fail(error, CFLR_ARGUMENT, NULL,
                          "a grammar is written as pocr, gracfl, svf or cfpq");
    }
    if (grammar->filters.n) {
        return cflri_fail(error, CFLR_UNSUPPORTED, grammar->subject,
                          "%s has no filters, and '%.60s' has one", words[format],
                          grammar->symbol[grammar->filters.at[0].symbol].name);
    }
    bool instantiates = format == CFLR_GRAMMAR_GRACFL || format == CFLR_GRAMMAR_CFPQ;
    if (instantiates && has_indexes(grammar)) {
        if (!graph) {
            return cflri_fail(error, CFLR_ARGUMENT, NULL,
                              "%s has no index variables: a graph must say which indexes there are",
                              words[format]);
        }
        CFLR_TRY(cflri_ground_new(grammar, graph, &ground, error));
    }
    exporter x = {.grammar = grammar,
                  .ground = ground,
                  .format = format,
                  .format_word = words[format],
                  .error = error};
    CFLR_TRY(export_rules(&x, text));
out:
    cflri_ground_free(ground);
    return st;
}
