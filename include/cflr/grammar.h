/* SPDX-License-Identifier: Apache-2.0
 *
 * grammar.h: context-free grammars over labels.
 *
 * A grammar is read from text, expanded (EBNF, converses), checked and brought to a normal form
 * with at most two symbols on the right of a rule; each normal rule knows the user's rule that it
 * came from. Indexed symbols stay symbolic: they are instantiated when a graph says which indexes
 * there are. A grammar is frozen: many solvers may share it.
 *
 *     # value flow through memory                 `#` starts a comment
 *     %start    Alias                             what the grammar is for (default: first rule)
 *     %terminal a d f[i]                          optional: checks the spelling of labels
 *     %answer   alias Alias                       which symbol answers `cflr query alias`
 *     Alias  ::= ~Flow (~d Alias d)? Flow         ~x is x read backwards
 *     Flow   ::= (a Alias?)* | eps                | ? * + ( ) as usual
 *     G[i]   ::= ~f[i] Alias                      [i] stands for every index that the graph holds
 */
#ifndef CFLR_GRAMMAR_H
#define CFLR_GRAMMAR_H

#include "cflr/context.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cflr_grammar cflr_grammar;

/* X(name, number, command-line word, text) */
#define CFLR_GRAMMAR_FORMAT_LIST(X)                                                       \
    X(AUTO, 0, "auto", "by content")                                                      \
    X(CFLR, 1, "cflr", "A ::= b c | ~d e[i]")                                             \
    X(POCR, 2, "pocr", "left, right1, right2 with tabs; _i is the index; Count: section") \
    X(GRACFL, 3, "gracfl", "left right1 right2; all labels expanded; also Graspan's -a")  \
    X(SVF, 4, "svf", "Start:, Terminal:, Productions: with ->")                           \
    X(CFPQ, 5, "cfpq", "S -> a S b")

typedef enum cflr_grammar_format {
#define CFLR_GRAMMAR_FORMAT_ENUM(name, number, word, text) CFLR_GRAMMAR_##name = number,
    CFLR_GRAMMAR_FORMAT_LIST(CFLR_GRAMMAR_FORMAT_ENUM)
#undef CFLR_GRAMMAR_FORMAT_ENUM
} cflr_grammar_format;

CFLR_API cflr_status cflr_grammar_format_parse(const char *word, cflr_grammar_format *format,
                                               cflr_error *error);

/* Reads a grammar. `text` has `length` bytes and may hold any byte; `subject` names it in messages.
 * Errors carry line and column; warnings are kept with the grammar. */
CFLR_API cflr_status cflr_grammar_parse(cflr_context *context, const char *text, size_t length,
                                        const char *subject, cflr_grammar_format format,
                                        cflr_grammar **grammar, cflr_error *error);

/* Reads a grammar from a file ("-": standard input; .gz, .xz, .zst unpacked). A `path` that is no
 * file but the name of a shipped grammar ("pointer-fs") gives that grammar. */
CFLR_API cflr_status cflr_grammar_load(cflr_context *context, const char *path,
                                       cflr_grammar_format format, cflr_grammar **grammar,
                                       cflr_error *error);

CFLR_API void cflr_grammar_free(cflr_grammar *grammar);

/* Names of the shipped grammars: NULL past the last one; and the text of one, NULL for no such. */
CFLR_API const char *cflr_grammar_shipped(size_t i);
CFLR_API const char *cflr_grammar_shipped_text(const char *name);

/* ---- warnings ---- */

typedef struct cflr_diagnostic {
    uint32_t line; /* from 1; 0 when the whole grammar is meant */
    uint32_t column;
    char message[224]; /* "'M' cannot be reached from the start symbol 'V'" */
} cflr_diagnostic;

CFLR_API size_t cflr_grammar_diagnostics(const cflr_grammar *grammar);
CFLR_API const cflr_diagnostic *cflr_grammar_diagnostic(const cflr_grammar *grammar, size_t i);

/* ---- looking inside ---- */

/* X(name, number, command-line word, text) */
#define CFLR_GRAMMAR_STAGE_LIST(X)                                                           \
    X(RULES, 0, "rules", "the rules as read")                                                \
    X(EXPANDED, 1, "expanded", "without ( ) | ? * +")                                        \
    X(NORMAL, 2, "normal", "at most two symbols on the right, with the line each came from") \
    X(INDEX, 3, "index", "the right-hand-side indexes that the solvers use")                 \
    X(GROUND, 4, "ground", "normal form with indexes instantiated for a graph")              \
    X(PLAN, 5, "plan", "the equations between rows that the batch model solves for a graph")

typedef enum cflr_grammar_stage {
#define CFLR_GRAMMAR_STAGE_ENUM(name, number, word, text) CFLR_STAGE_##name = number,
    CFLR_GRAMMAR_STAGE_LIST(CFLR_GRAMMAR_STAGE_ENUM)
#undef CFLR_GRAMMAR_STAGE_ENUM
} cflr_grammar_stage;

CFLR_API cflr_status cflr_grammar_stage_parse(const char *word, cflr_grammar_stage *stage,
                                              cflr_error *error);

/* Text of a stage in the syntax of this page; *text is freed with cflr_text_free. `graph` is needed
 * by GROUND and PLAN only (NULL otherwise). */
struct cflr_graph;
CFLR_API cflr_status cflr_grammar_show(const cflr_grammar *grammar, cflr_grammar_stage stage,
                                       const struct cflr_graph *graph, char **text,
                                       cflr_error *error);

/* The same rules in another tool's format. POCR, GRACFL, SVF, CFPQ. `graph` is needed by formats
 * that have no indexes (GRACFL, CFPQ) when the grammar has. */
CFLR_API cflr_status cflr_grammar_export(const cflr_grammar *grammar, cflr_grammar_format format,
                                         const struct cflr_graph *graph, char **text,
                                         cflr_error *error);

CFLR_API void cflr_text_free(cflr_context *context, char *text);

/* What the batch model does to be fast; each can be left out (cflr_context_opts.without), to see
 * what it is worth. Results are the same. X(name, number, command-line word, text) */
#define CFLR_TECHNIQUE_LIST(X)                                                                 \
    X(INLINE, 1, "inline", "symbols that are read in one place are replaced by their rules")   \
    X(STARS, 2, "stars", "linear and transitive recursion is a closure of steps")              \
    X(MIRRORS, 4, "mirrors", "symbols with the same pairs, or these read backwards, are one")  \
    X(BETWEEN, 8, "between", "edge, set, edge are one join")                                   \
    X(STRATA, 16, "strata", "what does not recur is evaluated once, in order")                 \
    X(GUARDS, 32, "guards", "what recurs is kept only where the recursion looks")              \
    X(CONDENSE, 64, "condense", "rows that contain each other become one while they recur")    \
    X(SPLIT, 128, "split", "sets that are alike in most places share what they stand between") \
    X(ORDER, 256, "order", "rows that no cycle leads to are found once, one after the other")  \
    X(TOGETHER, 512, "together", "edges are followed for 64 sets at once")                     \
    X(NUMBERS, 1024, "numbers", "vertices that are close in the graph get numbers that are close")

typedef enum cflr_technique {
#define CFLR_TECHNIQUE_ENUM(name, number, word, text) CFLR_TECHNIQUE_##name = number,
    CFLR_TECHNIQUE_LIST(CFLR_TECHNIQUE_ENUM)
#undef CFLR_TECHNIQUE_ENUM
} cflr_technique;

/* One word of the list, as a number. */
CFLR_API cflr_status cflr_technique_parse(const char *word, cflr_technique *technique,
                                          cflr_error *error);

typedef struct cflr_grammar_stats {
    uint32_t terminals;
    uint32_t nonterminals;
    uint32_t auxiliaries; /* made by expansion and normal form */
    uint32_t user_rules;
    uint32_t epsilon_rules; /* of the normal form, from here on */
    uint32_t unary_rules;
    uint32_t binary_rules;
    uint32_t converse_rules; /* ~X ::= X read backwards */
    uint32_t indexed_symbols;
} cflr_grammar_stats;

CFLR_API void cflr_grammar_get_stats_sized(const cflr_grammar *grammar, cflr_grammar_stats *stats,
                                           size_t struct_size);
static inline void cflr_grammar_get_stats(const cflr_grammar *grammar, cflr_grammar_stats *stats) {
    cflr_grammar_get_stats_sized(grammar, stats, sizeof *stats);
}

/* The start symbol's name, and by what `%answer QUESTION` answers: a symbol "S", or "S ~S", two
 * vertices with a common target; "" when there is no such line. */
CFLR_API const char *cflr_grammar_start(const cflr_grammar *grammar);
CFLR_API const char *cflr_grammar_answer(const cflr_grammar *grammar, const char *question);

/* The symbol that has to be computed for it: "S" in both cases; "" when there is none. */
CFLR_API const char *cflr_grammar_needs(const cflr_grammar *grammar, const char *question);

/* Has the grammar a symbol of this name, without index, converse ("~a") or auxiliary included?
 * Those are the labels of its results. O(symbols). */
CFLR_API bool cflr_grammar_has_symbol(const cflr_grammar *grammar, const char *name);

#ifdef __cplusplus
}
#endif
#endif
