/* SPDX-License-Identifier: Apache-2.0
 *
 * parse.c: from tokens to the tree, by recursive descent.
 *
 *     grammar      = { directive | rule | ";" }
 *     directive    = "%start" symbol                    each ends at ';' or at the end of its line
 *                  | "%terminal" symbol [index] { symbol [index] }
 *                  | "%answer" question symbol [ "~" symbol ]
 *                  | "%filter" symbol { ["~"] label }
 *     rule         = symbol [index] "::=" alternatives  ends at ';', at the end of the text, at a
 *                                                       directive, or where a line begins a rule
 *     alternatives = sequence { "|" sequence }
 *     sequence     = { factor }                         none: the empty path
 *     factor       = { "~" } atom { "?" | "*" | "+" }
 *     atom         = symbol [index] | "eps" | "(" alternatives ")"
 *     index        = "[" variable "]" | "[" constant "]"
 *
 * Where a rule ends needs no newline token: a line begins a new rule exactly when its first tokens
 * are `symbol [index] ::=`, and nothing else may be followed by '::='. So a rule goes on over lines
 * without any sign, and a forgotten '|' or an early '::=' is still found at its place. An index
 * that begins with a digit or is quoted is a constant, any other is a variable.
 */
#include "grammar/read/parse.h"

#include <assert.h>
#include <string.h>

#include "grammar/read/lex.h"

enum { LONGEST_NAME = 4096 };

#define NO_CONVERSE_RULES "a converse has no rules of its own: write 'x ::= ~(...)' to define it"

typedef struct parser {
    cflr_context *context;
    struct cflri_ast *ast;
    const char *text;
    const char *subject;
    cflri_tokens tokens;
    size_t at;
    uint32_t depth; /* of open parentheses */
    cflri_rule_builder builder;
    char name[LONGEST_NAME]; /* a quoted name without its backslashes */
    cflr_error *error;
} parser;

static const cflri_token *look(const parser *p, size_t ahead) {
    size_t last = p->tokens.list.n - 1;
    return &p->tokens.list.at[p->at + ahead < last ? p->at + ahead : last];
}

static bool is(const parser *p, cflri_token_kind kind) {
    return look(p, 0)->kind == kind;
}

static cflri_place place_of(const cflri_token *token) {
    return (cflri_place){token->line, token->column};
}

static bool is_name(const cflri_token *token) {
    return token->kind == CFLRI_TOKEN_SYMBOL || token->kind == CFLRI_TOKEN_QUOTED;
}

static const char *kind_text(cflri_token_kind kind) {
    static const char *const text[] = {
#define CFLRI_TOKEN_TEXT(name, words) words,
        CFLRI_TOKEN_LIST(CFLRI_TOKEN_TEXT)
#undef CFLRI_TOKEN_TEXT
    };
    return text[kind];
}

/* "expected X, found 'Y'" at the current token. */
static cflr_status expected(const parser *p, const char *what) {
    const cflri_token *found = look(p, 0);
    if (is_name(found) || found->kind == CFLRI_TOKEN_DIRECTIVE) {
        int length = found->length > 60 ? 60 : (int)found->length;
        return cflri_fail_at(p->error, CFLR_SYNTAX, p->subject, found->line, found->column,
                             "expected %s, found '%.*s'", what, length, p->text + found->at);
    }
    return cflri_fail_at(p->error, CFLR_SYNTAX, p->subject, found->line, found->column,
                         "expected %s, found %s", what, kind_text(found->kind));
}

static cflr_status fault(const parser *p, const cflri_token *token, const char *message) {
    return cflri_fail_at(p->error, CFLR_SYNTAX, p->subject, token->line, token->column, "%s",
                         message);
}

/* The bytes of a symbol or quoted token; quoted ones lose their backslashes. */
static cflr_status token_name(parser *p, const cflri_token *token, const char **name,
                              size_t *length) {
    *name = p->text + token->at;
    *length = token->length;
    if (token->length >= LONGEST_NAME) {
        return cflri_fail_at(p->error, CFLR_UNSUPPORTED, p->subject, token->line, token->column,
                             "a name of more than %d bytes", LONGEST_NAME - 1);
    }
    if (token->kind != CFLRI_TOKEN_QUOTED) return CFLR_OK;
    size_t n = 0;
    for (size_t i = 0; i < token->length; i++) {
        if ((*name)[i] == '\\') i++;
        p->name[n++] = (*name)[i];
    }
    if (cflri_is_auxiliary_name(p->name, n)) {
        return fault(p, token, "names such as %1 are kept for auxiliaries");
    }
    *name = p->name;
    *length = n;
    return CFLR_OK;
}

/* Tokens of an index at `ahead`: 3 when "[" name "]" is there, else 0. */
static size_t index_tokens(const parser *p, size_t ahead) {
    bool whole = look(p, ahead)->kind == CFLRI_TOKEN_INDEX_OPEN && is_name(look(p, ahead + 1)) &&
                 look(p, ahead + 2)->kind == CFLRI_TOKEN_INDEX_CLOSE;
    return whole ? 3 : 0;
}

/* Does `symbol [index] ::=` start here? */
static bool at_rule(const parser *p) {
    if (!is_name(look(p, 0))) return false;
    return look(p, 1 + index_tokens(p, 1))->kind == CFLRI_TOKEN_DEFINE;
}

static cflr_status parse_index(parser *p, cflri_item *item) {
    cflr_status st = CFLR_OK;
    item->use = CFLRI_INDEX_NONE;
    item->index = 0;
    if (!is(p, CFLRI_TOKEN_INDEX_OPEN)) return CFLR_OK;
    p->at++;
    const cflri_token *token = look(p, 0);
    if (!is_name(token)) return expected(p, "an index variable or constant");
    const char *name;
    size_t length;
    CFLR_TRY(token_name(p, token, &name, &length));
    bool constant = token->kind == CFLRI_TOKEN_QUOTED || (*name >= '0' && *name <= '9');
    item->use = constant ? CFLRI_INDEX_CONSTANT : CFLRI_INDEX_VARIABLE;
    CFLR_TRY(cflri_rule_index(&p->builder, item->use, name, length, place_of(token), &item->index,
                              p->error));
    p->at++;
    if (!is(p, CFLRI_TOKEN_INDEX_CLOSE)) return expected(p, "']'");
    p->at++;
out:
    return st;
}

static cflr_status parse_name(parser *p, uint32_t *symbol) {
    const cflri_token *token = look(p, 0);
    if (!is_name(token)) return expected(p, "a symbol");
    const char *name;
    size_t length;
    cflr_status st = token_name(p, token, &name, &length);
    if (st != CFLR_OK) return st;
    p->at++;
    return cflri_ast_symbol_add(p->ast, name, length, place_of(token), symbol, p->error);
}

/* ---- expressions ---- */

static cflr_status parse_alternatives(parser *p, cflri_node **node);

static cflr_status parse_group(parser *p, cflri_node **node) {
    const cflri_token *open = look(p, 0);
    if (++p->depth > CFLRI_MAX_DEPTH) {
        return cflri_fail_at(p->error, CFLR_UNSUPPORTED, p->subject, open->line, open->column,
                             "parentheses nested more than %d deep", CFLRI_MAX_DEPTH);
    }
    cflri_place place = place_of(open);
    p->at++;
    cflr_status st = parse_alternatives(p, node);
    if (st != CFLR_OK) return st;
    if (!is(p, CFLRI_TOKEN_CLOSE)) {
        const cflri_token *found = look(p, 0);
        return cflri_fail_at(p->error, CFLR_SYNTAX, p->subject, found->line, found->column,
                             "expected ')' for the '(' at %u:%u, found %s", place.line,
                             place.column, at_rule(p) ? "a new rule" : kind_text(found->kind));
    }
    p->at++;
    p->depth--;
    return CFLR_OK;
}

static cflr_status parse_atom(parser *p, cflri_node **node) {
    const cflri_token *token = look(p, 0);
    cflri_place place = place_of(token);
    if (token->kind == CFLRI_TOKEN_OPEN) return parse_group(p, node);
    if (token->kind == CFLRI_TOKEN_EPS) {
        p->at++;
        return cflri_node_make(p->ast, CFLRI_NODE_EMPTY, NULL, place, node, p->error);
    }
    cflr_status st = CFLR_OK;
    cflri_item item;
    if (!is_name(token)) return expected(p, "a symbol, 'eps' or '('");
    CFLR_TRY(parse_name(p, &item.symbol));
    CFLR_TRY(parse_index(p, &item));
    CFLR_TRY(cflri_node_symbol(p->ast, item, place, node, p->error));
out:
    return st;
}

static cflr_status parse_factor(parser *p, cflri_node **node) {
    cflr_status st = CFLR_OK;
    cflri_place place = place_of(look(p, 0));
    const cflri_token *tilde = look(p, 0);
    bool converse = false;
    for (; is(p, CFLRI_TOKEN_TILDE); p->at++) converse = !converse;
    if (tilde != look(p, 0) && at_rule(p)) {
        return fault(p, tilde, NO_CONVERSE_RULES);
    }
    CFLR_TRY(parse_atom(p, node));
    if (converse) {
        CFLR_TRY(cflri_node_make(p->ast, CFLRI_NODE_CONVERSE, *node, place, node, p->error));
    }
    for (;; p->at++) {
        cflri_node_kind kind = is(p, CFLRI_TOKEN_QUESTION) ? CFLRI_NODE_OPTION
                               : is(p, CFLRI_TOKEN_STAR)   ? CFLRI_NODE_STAR
                               : is(p, CFLRI_TOKEN_PLUS)   ? CFLRI_NODE_PLUS
                                                           : CFLRI_NODE_EMPTY;
        if (kind == CFLRI_NODE_EMPTY) break;
        CFLR_TRY(cflri_node_make(p->ast, kind, *node, place, node, p->error));
    }
out:
    return st;
}

static bool begins_factor(const parser *p) {
    switch ((cflri_token_kind)look(p, 0)->kind) {
        case CFLRI_TOKEN_SYMBOL:
        case CFLRI_TOKEN_QUOTED:
            return !at_rule(p);
        case CFLRI_TOKEN_EPS:
        case CFLRI_TOKEN_OPEN:
        case CFLRI_TOKEN_TILDE:
            return true;
        default:
            return false;
    }
}

static cflr_status parse_sequence(parser *p, cflri_node **node) {
    cflr_status st = CFLR_OK;
    cflri_place place = place_of(look(p, 0));
    cflri_node *first = NULL, **next = &first;
    while (begins_factor(p)) {
        CFLR_TRY(parse_factor(p, next));
        next = &(*next)->next;
    }
    if (!first && p->at) place = place_of(look(p, 0) - 1); /* stay on the rule's own line */
    CFLR_TRY(cflri_node_make(p->ast, CFLRI_NODE_CONCAT, first, place, node, p->error));
out:
    return st;
}

static cflr_status parse_alternatives(parser *p, cflri_node **node) {
    cflr_status st = CFLR_OK;
    cflri_place place = place_of(look(p, 0));
    cflri_node *first = NULL, **next = &first;
    for (;;) {
        CFLR_TRY(parse_sequence(p, next));
        next = &(*next)->next;
        if (!is(p, CFLRI_TOKEN_BAR)) break;
        p->at++;
    }
    CFLR_TRY(cflri_node_make(p->ast, CFLRI_NODE_ALT, first, place, node, p->error));
out:
    return st;
}

/* ---- rules and directives ---- */

/* After a rule: ';', a directive, the end, or a line that begins a rule. */
static cflr_status end_rule(parser *p) {
    const cflri_token *token = look(p, 0);
    switch ((cflri_token_kind)token->kind) {
        case CFLRI_TOKEN_SEMICOLON:
            p->at++;
            return CFLR_OK;
        case CFLRI_TOKEN_END:
            return CFLR_OK;
        case CFLRI_TOKEN_DIRECTIVE:
            if (token->first) return CFLR_OK;
            return fault(p, token, "a directive must begin its line");
        case CFLRI_TOKEN_SYMBOL:
        case CFLRI_TOKEN_QUOTED:
            if (token->first) return CFLR_OK;
            return fault(p, token,
                         "a new rule must begin its line, or the rule before it end with ';'");
        case CFLRI_TOKEN_CLOSE:
            return fault(p, token, "')' without '('");
        default:
            return expected(p, "a symbol, '|', ';' or a new rule");
    }
}

static cflr_status parse_rule(parser *p) {
    cflr_status st = CFLR_OK;
    cflri_place place = place_of(look(p, 0));
    cflri_item left = {0};
    cflri_node *body;
    cflri_rule_begin(&p->builder, p->ast);
    CFLR_TRY(parse_name(p, &left.symbol));
    CFLR_TRY(parse_index(p, &left));
    if (!is(p, CFLRI_TOKEN_DEFINE)) {
        return expected(p, left.use ? "'::='" : "'::=' or an index");
    }
    p->at++;
    CFLR_TRY(cflri_rule_left(&p->builder, left, place, p->error));
    p->depth = 0;
    CFLR_TRY(parse_alternatives(p, &body));
    CFLR_TRY(end_rule(p));
    CFLR_TRY(cflri_rule_end(&p->builder, body, p->error));
out:
    return st;
}

/* Is there another word of this directive? */
static bool goes_on(const parser *p) {
    const cflri_token *token = look(p, 0);
    return !token->first && token->kind != CFLRI_TOKEN_SEMICOLON && token->kind != CFLRI_TOKEN_END;
}

static cflr_status directive_symbol(parser *p, const char *what, uint32_t *symbol) {
    if (!goes_on(p) || !is_name(look(p, 0))) return expected(p, what);
    return parse_name(p, symbol);
}

static bool index_follows(const parser *p) {
    return is(p, CFLRI_TOKEN_INDEX_OPEN) && goes_on(p);
}

/* The symbol of %start or %answer, which stands for its pairs of all indexes. */
static cflr_status whole_symbol(parser *p, const char *what, uint32_t *symbol) {
    cflr_status st = directive_symbol(p, what, symbol);
    if (st != CFLR_OK || !index_follows(p)) return st;
    const cflri_token *open = look(p, 0);
    return cflri_fail_at(p->error, CFLR_SYNTAX, p->subject, open->line, open->column,
                         "'%.60s' takes no index here: it stands for all of them",
                         cflri_ast_name(p->ast, *symbol));
}

static cflr_status parse_start(parser *p, const cflri_token *directive) {
    struct cflri_ast *ast = p->ast;
    if (ast->start) {
        return cflri_fail_at(p->error, CFLR_SYNTAX, p->subject, directive->line, directive->column,
                             "a second %%start; the first is at %u:%u", ast->start_place.line,
                             ast->start_place.column);
    }
    ast->start_place = place_of(look(p, 0));
    return whole_symbol(p, "the start symbol", &ast->start);
}

/* Whether a label has an index here is checked like any other use of it. */
static cflr_status parse_terminals(parser *p) {
    cflr_status st = CFLR_OK;
    p->ast->has_terminals = true;
    do {
        cflri_place place = place_of(look(p, 0));
        uint32_t symbol;
        CFLR_TRY(directive_symbol(p, "a label", &symbol));
        bool indexed = index_follows(p);
        if (indexed) {
            cflri_item item;
            cflri_rule_begin(&p->builder, p->ast);
            CFLR_TRY(parse_index(p, &item));
        }
        CFLR_TRY(cflri_ast_shape(p->ast, symbol, indexed, place, p->error));
        cflri_place *declared = &p->ast->symbols.at[symbol].declared_at;
        if (!declared->line) *declared = place;
    } while (goes_on(p));
out:
    return st;
}

/* The second half of "S ~S". */
static cflr_status parse_meeting(parser *p, cflri_ast_answer *answer) {
    uint32_t symbol;
    const cflri_token *tilde = look(p, 0);
    p->at++;
    cflr_status st = whole_symbol(p, "the symbol that answers", &symbol);
    if (st != CFLR_OK) return st;
    answer->meets = true;
    if (symbol == answer->symbol) return CFLR_OK;
    return cflri_fail_at(p->error, CFLR_SYNTAX, p->subject, tilde->line, tilde->column,
                         "an answer is a symbol or a symbol and its converse, as '%.60s ~%.60s'",
                         cflri_ast_name(p->ast, answer->symbol),
                         cflri_ast_name(p->ast, answer->symbol));
}

static cflr_status parse_answer(parser *p) {
    cflr_status st = CFLR_OK;
    cflri_ast_answer answer = {0};
    const cflri_token *word = look(p, 0);
    const char *name;
    size_t length;
    if (!goes_on(p) || !is_name(word)) return expected(p, "a question, such as alias");
    CFLR_TRY(token_name(p, word, &name, &length));
    answer.question = cflri_arena_copy_text(&p->ast->grammar->arena, name, length);
    if (!answer.question) return cflri_fail_memory(p->context, p->error);
    for (size_t i = 0; i < p->ast->answers.n; i++) {
        if (strcmp(p->ast->answers.at[i].question, answer.question) != 0) continue;
        return cflri_fail_at(p->error, CFLR_SYNTAX, p->subject, word->line, word->column,
                             "a second %%answer for '%.60s'; the first is at %u:%u",
                             answer.question, p->ast->answers.at[i].place.line,
                             p->ast->answers.at[i].place.column);
    }
    p->at++;
    answer.place = place_of(look(p, 0));
    CFLR_TRY(whole_symbol(p, "the symbol that answers", &answer.symbol));
    if (goes_on(p) && is(p, CFLRI_TOKEN_TILDE)) CFLR_TRY(parse_meeting(p, &answer));
    if (!cflri_vec_push(p->context, &p->ast->answers, answer)) {
        CFLR_TRY(cflri_fail_memory(p->context, p->error));
    }
out:
    return st;
}

/* A label of %filter, forwards or backwards, without an index. */
static cflr_status parse_step(parser *p) {
    cflr_status st = CFLR_OK;
    cflri_ast_step step = {.place = place_of(look(p, 0))};
    step.back = is(p, CFLRI_TOKEN_TILDE) && goes_on(p);
    p->at += step.back;
    CFLR_TRY(directive_symbol(p, "a label of the filter", &step.symbol));
    if (index_follows(p)) return fault(p, look(p, 0), "labels of a filter have no index");
    CFLR_TRY(cflri_ast_shape(p->ast, step.symbol, false, step.place, p->error));
    p->ast->symbols.at[step.symbol].on_right = true;
    if (!cflri_vec_push(p->context, &p->ast->steps, step)) {
        CFLR_TRY(cflri_fail_memory(p->context, p->error));
    }
out:
    return st;
}

static cflr_status parse_filter(parser *p) {
    cflr_status st = CFLR_OK;
    struct cflri_ast *ast = p->ast;
    cflri_ast_filter filter = {.place = place_of(look(p, 0)), .first_step = (uint32_t)ast->steps.n};
    CFLR_TRY(whole_symbol(p, "the symbol that is filtered", &filter.symbol));
    for (size_t i = 0; i < ast->filters.n; i++) {
        if (ast->filters.at[i].symbol != filter.symbol) continue;
        return cflri_fail_at(p->error, CFLR_SYNTAX, p->subject, filter.place.line,
                             filter.place.column, "a second %%filter for '%.60s'",
                             cflri_ast_name(ast, filter.symbol));
    }
    do {
        CFLR_TRY(parse_step(p));
        filter.n_steps++;
    } while (goes_on(p));
    if (!cflri_vec_push(p->context, &ast->filters, filter)) {
        CFLR_TRY(cflri_fail_memory(p->context, p->error));
    }
out:
    return st;
}

static bool token_is(const parser *p, const cflri_token *token, const char *word) {
    return strlen(word) == token->length && !memcmp(p->text + token->at, word, token->length);
}

static cflr_status parse_directive(parser *p) {
    cflr_status st = CFLR_OK;
    const cflri_token *directive = look(p, 0);
    if (!directive->first && p->at && look(p, 0)[-1].kind != CFLRI_TOKEN_SEMICOLON) {
        return fault(p, directive, "a directive must begin its line");
    }
    p->at++;
    if (token_is(p, directive, "%start")) {
        CFLR_TRY(parse_start(p, directive));
    } else if (token_is(p, directive, "%terminal")) {
        CFLR_TRY(parse_terminals(p));
    } else if (token_is(p, directive, "%answer")) {
        CFLR_TRY(parse_answer(p));
    } else if (token_is(p, directive, "%filter")) {
        CFLR_TRY(parse_filter(p));
    } else {
        int length = directive->length > 60 ? 60 : (int)directive->length;
        return cflri_fail_at(
            p->error, CFLR_SYNTAX, p->subject, directive->line, directive->column,
            "unknown directive '%.*s'; there are %%start, %%terminal, %%answer and "
            "%%filter",
            length, p->text + directive->at);
    }
    if (goes_on(p)) return expected(p, "the end of the line");
out:
    return st;
}

static cflr_status parse_all(parser *p) {
    cflr_status st = CFLR_OK;
    while (!is(p, CFLRI_TOKEN_END)) {
        switch ((cflri_token_kind)look(p, 0)->kind) {
            case CFLRI_TOKEN_SEMICOLON:
                p->at++;
                break;
            case CFLRI_TOKEN_DIRECTIVE:
                CFLR_TRY(parse_directive(p));
                break;
            case CFLRI_TOKEN_SYMBOL:
            case CFLRI_TOKEN_QUOTED:
                CFLR_TRY(parse_rule(p));
                break;
            case CFLRI_TOKEN_TILDE:
                return fault(p, look(p, 0), NO_CONVERSE_RULES);
            case CFLRI_TOKEN_EPS:
                return fault(p, look(p, 0), "the empty path has no rules");
            default:
                return expected(p, "a rule such as 'A ::= b c', or a directive");
        }
    }
out:
    return st;
}

cflr_status cflri_parse_cflr(const char *text, size_t length, struct cflri_ast *ast,
                             cflr_error *error) {
    cflr_status st = CFLR_OK;
    cflr_context *context = ast->context;
    parser *p = cflri_alloc_zero(context, sizeof *p);
    if (!p) return cflri_fail_memory(context, error);
    p->context = context;
    p->ast = ast;
    p->text = text;
    p->subject = ast->grammar->subject;
    p->error = error;
    CFLR_TRY(cflri_lex(context, text, length, p->subject, &p->tokens, error));
    assert(p->tokens.list.n > 0);
    CFLR_TRY(parse_all(p));
out:
    cflri_tokens_free(context, &p->tokens);
    cflri_free(context, p);
    return st;
}
