/* SPDX-License-Identifier: Apache-2.0
 *
 * result.h: what a closure holds, and the questions that it answers.
 *
 * A result has one relation for each symbol instance of the grammar that holds a pair: terminals of
 * the graph, converses, nonterminals and auxiliaries, each with its name and index. Rows and
 * relations are sorted; numbers of relations are the same for every model and thread count.
 */
#ifndef CFLR_RESULT_H
#define CFLR_RESULT_H

#include "cflr/device.h"
#include "cflr/solve.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cflr_symbol_kind {
    CFLR_SYMBOL_TERMINAL = 0,
    CFLR_SYMBOL_NONTERMINAL = 1,
    CFLR_SYMBOL_AUXILIARY = 2, /* made by the normal form; its name starts with '%' */
    CFLR_SYMBOL_MEETING = 3,   /* an answer "S ~S": see cflr_result_answer */
} cflr_symbol_kind;

/* One symbol by name, all its indexes together. Strings live as long as the result. */
typedef struct cflr_result_label {
    const char *name; /* "V", "~a" */
    cflr_symbol_kind kind;
    uint32_t indexes; /* instances that hold a pair; 1 for a plain symbol */
    uint64_t pairs;   /* distinct (source, target, index) */
    uint64_t rows;    /* distinct (source, index) */
    uint32_t meets;   /* of an answer "S ~S" the label S; otherwise CFLR_NO_LABEL */
} cflr_result_label;

/* What a device did of a closure; all 0 of the processor. */
typedef struct cflr_result_device {
    cflr_device device;     /* CFLR_DEVICE_AUTO: not known */
    const char *name;       /* "cpu", or the GPU's; lives as long as the result */
    uint64_t memory;        /* bytes that were taken of a GPU */
    uint64_t host_memory;   /* bytes of rows that its host had when it was full */
    uint64_t copied;        /* bytes that were copied to it and back */
    double seconds_prepare; /* until it had the graph */
    double seconds_close;   /* from the first round to the last */
    double seconds_fetch;   /* until the host had the rows */
} cflr_result_device;

/* Of a result that was loaded only `complete` and `pairs` are known: its model is AUTO, the rest
 * 0. */
typedef struct cflr_result_stats {
    cflr_model model;
    int threads;
    bool complete;
    double seconds_solve; /* from the compiled grammar to the sorted result */
    uint64_t pairs;       /* of all labels, auxiliaries and input edges included */
    uint64_t peak_bytes;  /* of the context's accounting */
    uint64_t rounds;      /* iterations or barriers, by the model */
    uint64_t derivations; /* rule applications tried */
    cflr_result_device device;
} cflr_result_stats;

CFLR_API void cflr_result_free(cflr_result *result); /* NULL is a no-op */

/* From now on cflr_result_free frees the graph, too. */
CFLR_API void cflr_result_own_graph(cflr_result *result);

CFLR_API const cflr_graph *cflr_result_graph(const cflr_result *result);
CFLR_API bool cflr_result_complete(const cflr_result *result);
CFLR_API void cflr_result_get_stats_sized(const cflr_result *result, cflr_result_stats *stats,
                                          size_t struct_size);
static inline void cflr_result_get_stats(const cflr_result *result, cflr_result_stats *stats) {
    cflr_result_get_stats_sized(result, stats, sizeof *stats);
}

/* Experimental. The slice of targets that a part of a result has (cflr_result_load_parts). A part
 * is not complete: what other parts have is missing in it. */
typedef struct cflr_result_slice {
    uint32_t number, parts; /* from 1 to `parts`; 0 and 0: the result is no part */
    uint32_t first, end;    /* targets are from `first` to before `end`, but those of converses */
    bool complete;          /* it has all pairs of its slice */
} cflr_result_slice;
CFLR_EXPERIMENTAL void cflr_result_get_slice_sized(const cflr_result *result,
                                                   cflr_result_slice *slice, size_t struct_size);
static inline void cflr_result_get_slice(const cflr_result *result, cflr_result_slice *slice) {
    cflr_result_get_slice_sized(result, slice, sizeof *slice);
}

/* Does the result say whether (source, target) is a pair of its symbols? Only one that answers a
 * question (cflr_solve_opts.from, to, pairs) does not, of pairs that were not asked for: rows,
 * pairs and counts leave them out, which does not mean that there are none. CFLR_NO_VERTEX: with
 * every vertex. O(log). */
CFLR_API bool cflr_result_covers(const cflr_result *result, uint32_t source, uint32_t target);

/* Symbols by name, in the order of the grammar. Answers "S ~S" are not counted among them. */
CFLR_API uint32_t cflr_result_labels(const cflr_result *result);
CFLR_API void cflr_result_get_label_sized(const cflr_result *result, uint32_t label,
                                          cflr_result_label *info, size_t struct_size);
static inline void cflr_result_get_label(const cflr_result *result, uint32_t label,
                                         cflr_result_label *info) {
    cflr_result_get_label_sized(result, label, info, sizeof *info);
}
/* CFLR_NO_LABEL when the result has no such symbol, nor such an answer. */
CFLR_API uint32_t cflr_result_find_label(const cflr_result *result, const char *name);

/* What a label takes. Rows with the same targets are kept once, which labels may share: `bytes`
 * counts for each of them. O(pairs) where rows differ. */
typedef struct cflr_result_size {
    uint64_t distinct_rows; /* different sets of targets */
    uint64_t bytes;         /* in memory: rows and different targets */
} cflr_result_size;
CFLR_API cflr_status cflr_result_measure_sized(const cflr_result *result, uint32_t label,
                                               cflr_result_size *size, size_t struct_size,
                                               cflr_error *error);
static inline cflr_status cflr_result_measure(const cflr_result *result, uint32_t label,
                                              cflr_result_size *size, cflr_error *error) {
    return cflr_result_measure_sized(result, label, size, sizeof *size, error);
}

/* What each rule did, when cflr_solve_opts.stats asked for it; in the batch model rules are the
 * equations of its plan, those that differ only in their indexes together, and behind those of each
 * stratum what it does for all of them. Strings live as long as the result. */
typedef struct cflr_result_rule {
    const char *text; /* "V >= ~a . V" */
    uint64_t tried;   /* rows that it offered to others */
    uint64_t fresh;   /* those that were not there already, as far as could be seen */
    double seconds;
} cflr_result_rule;
CFLR_API size_t cflr_result_rules(const cflr_result *result);
CFLR_API void cflr_result_get_rule_sized(const cflr_result *result, size_t i,
                                         cflr_result_rule *rule, size_t struct_size);
static inline void cflr_result_get_rule(const cflr_result *result, size_t i,
                                        cflr_result_rule *rule) {
    cflr_result_get_rule_sized(result, i, rule, sizeof *rule);
}

/* Owners of memory while the batch model solves: X(name, number, command-line word, text) */
#define CFLR_OWNER_LIST(X)                                                              \
    X(GRAPH, 0, "graph", "the input graph")                                             \
    X(PLAN, 1, "plan", "the reduced problem, equations, ports, guards and filters")     \
    X(VALUES, 2, "values", "the set of each node")                                      \
    X(EXTRAS, 3, "extras", "family and vertex of nodes that are found by hashing")      \
    X(LOOPED, 4, "looped", "nodes of a stratum that loops")                             \
    X(FLOWS, 5, "flows", "flows between them")                                          \
    X(WAITING, 6, "waiting", "sets that wait at them, but for one a node")              \
    X(QUEUE, 7, "queue", "nodes that wait, by rank, and lists of nodes")                \
    X(CONDENSING, 8, "condensing", "the graph of which components are found")           \
    X(HEADERS, 9, "headers", "sets by number, with up to two ids each")                 \
    X(LISTS, 10, "lists", "ids of sets that are lists")                                 \
    X(TREES, 11, "trees", "nodes of sets that are trees")                               \
    X(TABLES, 12, "tables", "hash tables of sets, of tree nodes and of extras")         \
    X(OLDER, 13, "older", "hash tables that became too small while threads may read")   \
    X(ANSWERS, 14, "answers", "caches of unions, differences and steps")                \
    X(SUMS, 15, "sums", "bitmaps that collect the ids of a set")                        \
    X(SCRATCH, 16, "scratch", "free numbers and scratch of threads")                    \
    X(SEARCH, 17, "search", "equations by left side, converses and stacks of products") \
    X(RELATIONS, 18, "relations", "rows of the result, and targets that are no sets")   \
    X(REST, 19, "rest", "all else that the context counts")

typedef enum cflr_owner {
#define CFLR_OWNER_ENUM(name, number, word, text) CFLR_OWNER_##name = number,
    CFLR_OWNER_LIST(CFLR_OWNER_ENUM)
#undef CFLR_OWNER_ENUM
} cflr_owner;

/* NULL for a number outside of the list: the numbers from 0 on have words. Static storage. */
CFLR_EXPERIMENTAL const char *cflr_owner_word(cflr_owner owner);
CFLR_EXPERIMENTAL const char *cflr_owner_text(cflr_owner owner);

/* The memory of each stratum of the batch model's plan, and of the result behind them, when
 * cflr_solve_opts.stats asked for it. Memory is looked at several times, at the end of a stratum
 * among them; the account is that of the time when most was in use. Zero for a stratum that was not
 * reached. Strings live as long as the result. */
typedef struct cflr_result_account {
    const char *text;    /* the line that begins the stratum; "result" */
    uint64_t bytes;      /* that the context counted, of all owners together */
    uint64_t peak;       /* the most at any time since the account before */
    uint64_t nodes;      /* nodes so far */
    uint64_t flows;      /* flows of the stratum */
    uint64_t sets;       /* sets of more than one id */
    uint64_t set_ids;    /* ids in them */
    uint64_t tree_nodes; /* nodes of trees, which sets share */
} cflr_result_account;
CFLR_EXPERIMENTAL size_t cflr_result_accounts(const cflr_result *result);
CFLR_EXPERIMENTAL void cflr_result_get_account_sized(const cflr_result *result, size_t i,
                                                     cflr_result_account *account,
                                                     size_t struct_size);
static inline void cflr_result_get_account(const cflr_result *result, size_t i,
                                           cflr_result_account *account) {
    cflr_result_get_account_sized(result, i, account, sizeof *account);
}
/* Bytes of one owner in account i; 0 for an owner outside of the list. */
CFLR_EXPERIMENTAL uint64_t cflr_result_account_bytes(const cflr_result *result, size_t i,
                                                     cflr_owner owner);

/* The grammar's start symbol, or CFLR_NO_LABEL. */
CFLR_API uint32_t cflr_result_start(const cflr_result *result);

/* Index strings of a label's instances: i < info.indexes; "" for a plain symbol. A symbol without
 * pairs has no instance; the next functions find no pair in one that is not there. */
CFLR_API const char *cflr_result_label_index(const cflr_result *result, uint32_t label, uint32_t i);

/* Reads the row of `vertex` in instance i of a label; it is empty when there is none. O(log rows +
 * targets). */
CFLR_API cflr_status cflr_result_row(const cflr_result *result, uint32_t label, uint32_t i,
                                     uint32_t vertex, cflr_row *row, cflr_error *error);

/* Reads the next row of an instance, by ascending vertex: *cursor begins with 0. An empty row is
 * the end. */
CFLR_API cflr_status cflr_result_next_row(const cflr_result *result, uint32_t label, uint32_t i,
                                          uint64_t *cursor, cflr_row *row, cflr_error *error);

/* The number of targets of `vertex` in instance i of a label. O(log rows). */
CFLR_API uint64_t cflr_result_count(const cflr_result *result, uint32_t label, uint32_t i,
                                    uint32_t vertex);

/* All pairs of instance i of a label: *count becomes their number. The first `capacity` of them,
 * sorted by source, then by target, each once, are written to source[k] and target[k], arrays of
 * the caller's; with capacity 0 none. O(rows + what is written). */
CFLR_API cflr_status cflr_result_pairs(const cflr_result *result, uint32_t label, uint32_t i,
                                       uint32_t *source, uint32_t *target, uint64_t capacity,
                                       uint64_t *count, cflr_error *error);

/* Many rows of instance i of a label at once, as compressed sparse rows in arrays of the caller: of
 * `n` vertices, in any order and as often as the caller likes; NULL: of the vertices from 0 on.
 * Sets that rows share are not looked at until cflr_result_fill writes their targets. The label is
 * one below cflr_result_labels, and i below its indexes. */

/* offset[k] becomes how many targets the rows before row k have, n + 1 numbers, the first 0.
 * O(n log rows). */
CFLR_API void cflr_result_offsets(const cflr_result *result, uint32_t label, uint32_t i,
                                  const uint32_t *vertices, uint64_t n, uint64_t *offset);

/* Writes the targets of row k, ascending, from target[offset[k]] on; the caller may add a number to
 * all offsets, to have rows of several instances in one array. Nothing is written outside of the
 * rows: CFLR_ARGUMENT when the difference of two offsets is not the number of targets. All threads
 * of the context work on it. The context's limit of time does not count, so that what it has cut
 * short can be read. After cflr_context_cancel it is CFLR_CANCELLED, as it may take long; calls
 * that read one row go on. O(targets). */
CFLR_API cflr_status cflr_result_fill(const cflr_result *result, uint32_t label, uint32_t i,
                                      const uint32_t *vertices, uint64_t n, const uint64_t *offset,
                                      uint32_t *target, cflr_error *error);

/* alike[k] becomes the first row that is known to have the same targets as row k, because both
 * share one set; k itself where there is none before. Rows whose numbers differ may have the same
 * targets nevertheless. O(n log rows + sets), with 4 bytes a set. */
CFLR_API cflr_status cflr_result_alike(const cflr_result *result, uint32_t label, uint32_t i,
                                       const uint32_t *vertices, uint64_t n, uint32_t *alike,
                                       cflr_error *error);

/* Is (source, target) in some instance of the label? O(indexes * log); of an answer "S ~S" O(both
 * rows of S), which the result must cover. */
CFLR_API bool cflr_result_has(const cflr_result *result, uint32_t label, uint32_t source,
                              uint32_t target);

/* By what `question` ("alias", "points-to", "flows") is answered, %answer of the grammar: a symbol
 * "S", or "S ~S", for which a pair is one of vertices whose rows of S have a target in common, or
 * of a vertex with itself; "" if there is none. An answer "S ~S" has a label of kind
 * CFLR_SYMBOL_MEETING and no rows: its pairs are found when cflr_result_has and cflr_result_targets
 * ask for them. */
CFLR_API const char *cflr_result_answer(const cflr_result *result, const char *question);

/* ---- questions about vertices; a set of start vertices, because a name may have clones ---- */

typedef struct cflr_vertex_list {
    /* The caller's, until cflr_vertex_list_free. Ascending, each once, unless a call says
     * otherwise. */
    uint32_t *vertices;
    size_t count;
} cflr_vertex_list;

/* Targets of any of the `n` sources, in any order and as often as the caller likes, along a label
 * (all instances). For `alias` and `points-to` pass the label that cflr_result_answer names.
 * CFLR_ARGUMENT when the result does not cover a source; of an answer "S ~S", when it does not
 * cover all. */
CFLR_API cflr_status cflr_result_targets(const cflr_result *result, uint32_t label,
                                         const uint32_t *sources, size_t n,
                                         cflr_vertex_list *targets, cflr_error *error);
CFLR_API void cflr_vertex_list_free(cflr_context *context, cflr_vertex_list *list);

/* ---- the outside of an open program (docs/explanation/open-programs.md) ---- */

/* The relations of alias and points-to hold what the program itself does. What code outside may do
 * besides, and what values that are not followed may be, follows from the two together, and is
 * asked for here. All of it needs a result that covers the vertices that are asked about,
 * cflr_graph_outside and cflr_graph_unknowns, and a grammar that answers `points-to` and follows
 * escapes, caller and unknown edges. */
typedef enum cflr_through {
    CFLR_THROUGH_NOTHING = 0, /* no */
    CFLR_THROUGH_PROGRAM = 1, /* yes, whatever code outside does */
    CFLR_THROUGH_CALLER = 2,  /* yes, if callers of the program make it so */
    CFLR_THROUGH_UNKNOWN = 3, /* yes, if they do or functions without model */
    CFLR_THROUGH_LOST = 4, /* unknown: the value of one is not followed, and may be any pointer */
    /* unknown: the result does not say. It has no relation that answers (cflr_result_answer), does
     * not cover the pair (cflr_result_covers), is partial (cflr_result_complete), or does
     * not cover the outside and the unknowns that the graph has. */
    CFLR_THROUGH_UNANSWERED = 5,
} cflr_through;

/* May p and q hold the same address, and by whose doing? O(objects of both * log). Only
 * CFLR_THROUGH_NOTHING is a no, also of two vertices of which the graph does not have one. That of
 * a graph that was made by rules of C's types holds for programs that keep to them:
 * cflr_graph_assumption (<cflr/findings.h>) says which. */
CFLR_API cflr_through cflr_result_alias(const cflr_result *result, uint32_t p, uint32_t q);

/* A vertex of kind LOST that `pointer` may point to: its name and place tell why and where its
 * value is not followed; CFLR_NO_VERTEX when there is none. */
CFLR_API uint32_t cflr_result_lost(const cflr_result *result, uint32_t pointer);

/* May the value of `pointer` come from outside? NOTHING, CALLER or UNKNOWN. It then points to
 * memory that is not the program's, or to any object whose address the outside knows: to which
 * cflr_graph_outside points. */
CFLR_API cflr_through cflr_result_given(const cflr_result *result, uint32_t pointer);

/* The parameters and results by which values of the outside enter the program and that are aliases
 * of `pointer`: first those that callers give, then those of functions without model. Not sorted,
 * each once; empty where its value is read from memory of the outside. */
CFLR_API cflr_status cflr_result_entries(const cflr_result *result, uint32_t pointer,
                                         cflr_vertex_list *entries, cflr_error *error);

/* ---- questions about names (cflr_graph_find) ---- */

/* Experimental. May p and q hold the same address, and by whose doing, in any of the copies that
 * the names stand for? The answer is the one that takes least for granted. CFLR_ARGUMENT when the
 * result does not answer `alias`, otherwise what cflr_graph_find says of the names. */
CFLR_EXPERIMENTAL cflr_status cflr_result_ask_alias(const cflr_result *result, const char *p,
                                                    const char *q, cflr_through *answer,
                                                    cflr_error *error);

/* Experimental. The objects to which p may point, in any of its copies; cflr_result_given and
 * cflr_result_lost tell whether there may be others. CFLR_ARGUMENT when the result does not answer
 * `points-to`. */
CFLR_EXPERIMENTAL cflr_status cflr_result_ask_points_to(const cflr_result *result, const char *p,
                                                        cflr_vertex_list *objects,
                                                        cflr_error *error);

/* ---- files ---- */

/* Writes the result with its graph as one .cflr file: checksummed, compressed, the same bytes for
 * the same closure. A file appears whole or not at all. CFLR_LIMIT when the result was made with
 * time_kept (cflr_solve_opts) and the context's time was over before all was written: then the file
 * holds a part, and says that it is not complete. Half of time_kept is there for writing in any
 * case. After cflr_context_cancel there is a twentieth of the time spent so far, and a quarter of a
 * second; CFLR_CANCELLED when that was not enough. */
CFLR_API cflr_status cflr_result_save(const cflr_result *result, const char *path,
                                      cflr_error *error);

/* Reads it back, validated; cflr_result_free also frees the graph that came with it. Sets of
 * targets stay in the file, which is open until then, and are read when they are asked for. All of
 * them are kept where three quarters of the memory that is left are enough, and otherwise some.
 * Replacing the file, or removing it, changes nothing. */
CFLR_API cflr_status cflr_result_load(cflr_context *context, const char *path, cflr_result **result,
                                      cflr_error *error);

/* Experimental. Reads all parts of a result, n files in any order, and puts them together: saved,
 * it has the bytes of a result that was computed at once. It is complete when all parts have all
 * pairs of their slices. CFLR_FORMAT, with the name of a file, when a part is given twice or is of
 * another graph, grammar or question; without one when parts are missing. */
CFLR_EXPERIMENTAL cflr_status cflr_result_load_parts(cflr_context *context,
                                                     const char *const *paths, size_t n,
                                                     cflr_result **result, cflr_error *error);

/* Reads a file that holds a graph in any format, or a result; its content tells which. Of *result
 * and *graph one is made, the other is NULL. */
CFLR_API cflr_status cflr_result_or_graph_load(cflr_context *context, const char *path,
                                               cflr_result **result, cflr_graph **graph,
                                               cflr_error *error);

/* CFLR_OK, or the first failure of cflr_result_has, cflr_result_alias, cflr_result_lost and
 * cflr_result_given, which have no status: since then some of their answers may be wrong. They can
 * fail for a result that was read from a file, when that was changed or cannot be read any more
 * (CFLR_FORMAT, CFLR_IO), or memory is refused. All other calls tell of their own failures. */
CFLR_API cflr_status cflr_result_failure(const cflr_result *result, cflr_error *error);

/* Writes the pairs of the labels in `labels` (n of them, in any order, each once; NULL: the start
 * symbol) as TSV, NDJSON, DOT, SQLite or Soufflé facts, sorted, with names and places where the
 * graph has them. It has as much time as cflr_result_save. CFLR_LIMIT and CFLR_CANCELLED when that
 * was not enough: the file holds a part of the pairs; of formats that cannot hold a part (cflg,
 * mtx, dimacs, sqlite) nothing is written. */
CFLR_API cflr_status cflr_result_export(const cflr_result *result, const uint32_t *labels, size_t n,
                                        const char *path, cflr_graph_format format,
                                        cflr_error *error);

#ifdef __cplusplus
}
#endif
#endif
