/* SPDX-License-Identifier: Apache-2.0
 *
 * cmd_explain.c: `cflr explain RESULT QUESTION...`: why answers of a result hold; with
 * --imprecision by what they are large (explain_imprecision.c).
 *
 *     alias P Q         why may P and Q hold the same address?
 *     points-to P       why may P point to what it does: one object, the first
 *     points-to P O     why may P point to O?
 *     P calls F         why may the call at P, a place or a function that calls, enter F?
 *     flows A B         why may what A holds get to B?
 *     reaches A L B     why is the pair (A, B) in relation L?
 *
 * Names are those of `cflr query`. A yes is a derivation in the grammar (include/cflr/explain.h),
 * or several: of two pointers (explain_alias.c), and where code outside has a hand in it.
 *
 * "-" reads questions from standard input, one a line. A no is explained by the nearest miss
 * (explain_why_not.c).
 *
 * A result keeps no grammar. It is that of -g, or the shipped one with its symbols, by which the
 * same questions are answered.
 *
 * Of a graph without sources, and of `reaches`, a derivation is printed in symbols
 * (explain_symbols.c), otherwise in steps of the source (explain_print.c).
 */
#include <stdlib.h>
#include <string.h>

#include "cli/answer/loading.h"
#include "cli/answer/outside.h"
#include "cli/answer/relation.h"
#include "cli/explain/explaining.h"
#include "cli/extract/extraction.h"
#include "cli/run/writer.h"

enum { CAUSES = 3, MOST_CAUSES = 1000 };

static char *grammar_path, *most_causes;
static int as_dot, imprecision, show_all;

static struct poptOption table[] = {
    OPTION_VALUE("grammar", 'g', &grammar_path,
                 "grammar of the result (default: the shipped one with the same answers)",
                 "GRAMMAR"),
    OPTION_FLAG("all", '\0', &show_all,
                "all lines of long explanations, and all objects that two pointers point to"),
    OPTION_FLAG("dot", '\0', &as_dot, "print the edges for Graphviz"),
    OPTION_FLAG("imprecision", '\0', &imprecision,
                "say by what most points-to pairs come about, and what would be left without; no "
                "QUESTION"),
    OPTION_VALUE("causes", '\0', &most_causes, "with --imprecision: up to N causes (default: 3)",
                 "N"),
    COMMON_OPTIONS};

static const char notes[] =
    "\nQuestions, each one operand:\n"
    "  'alias P Q'             why may P and Q hold the same address?\n"
    "  'points-to P'           why may P point to an object: the first of them\n"
    "  'points-to P O'         why may P point to the object O?\n"
    "  'P calls F'             why may the call at P, file.c:line or a function, enter F?\n"
    "  'flows A B'             why may what A holds, a source of the grammar, get to B?\n"
    "  'reaches A L B'         why is the pair (A, B) in relation L?\n"
    "  -                       read questions from standard input, one a line\n"
    "P, Q, A, B and O are file.c:line:name, file.c:line:column, function::name or a vertex\n"
    "number; O may be a line that `cflr query RESULT 'points-to P'` prints.\n";

static const char *const verbs[] = {"alias", "points-to", "flows", "reaches", NULL};

enum { N_VERBS = sizeof verbs / sizeof *verbs - 1 };

enum { MOST_WORDS = 4, SYMBOL_SIZE = 256 };

/* ---- points-to ---- */

static bool first_target(const explaining *e, uint32_t label, uint32_t source, uint32_t *target) {
    cflr_row row = {0};
    read_row(e->result, label, 0, source, &row);
    bool found = row.count;
    if (found) *target = row.target[0];
    cflr_row_free(&row);
    return found;
}

/* The first pair of a pointer and an object that holds; any object where `objects` is NULL. */
static bool first_pair(const explaining *e, const place_set *pointers, const place_set *objects,
                       uint32_t pair[2]) {
    uint32_t label = cflr_result_find_label(e->result, e->points_to);
    for (size_t i = 0; i < pointers->n; i++) {
        pair[0] = pointers->vertex[i];
        if (!objects && first_target(e, label, pair[0], &pair[1])) return true;
        for (size_t k = 0; objects && k < objects->n; k++) {
            pair[1] = objects->vertex[k];
            if (cflr_result_has(e->result, label, pair[0], pair[1])) return true;
        }
    }
    return false;
}

/* Is it the record or array itself whose name was given, and whose address is meant? */
static bool is_itself(const place_set *itself, const place_set *objects) {
    for (size_t i = 0; i < itself->n; i++) {
        if (!objects) return true;
        for (size_t k = 0; k < objects->n; k++)
            if (itself->vertex[i] == objects->vertex[k]) return true;
    }
    return false;
}

static void say_why_not(const explaining *e, const place_set *pointers, const place_set *objects) {
    if (objects && pointers->n > 0 && !as_dot)
        explain_why_not(e->result, pointers->vertex[0], objects->vertex[0], false, e->to.file,
                        e->answer);
}

/* `line` is all of the question behind P, "" where nothing is; `word` the same if it is one
 * word. */
static int explain_points_to(explaining *e, const char *pointer, const char *line,
                             const char *word) {
    place_set pointers = {0}, itself = {0}, objects = {0};
    const place_set *wanted = line[0] ? &objects : NULL;
    uint32_t pair[2];
    int code = find_pointers(e->graph, NULL, pointer, &pointers, &itself);
    if (!code && wanted) code = find_objects(e->result, &pointers, line, word, &objects);
    if (!code) say_subject(e, pointer, &pointers, &itself);
    bool derived = !code && first_pair(e, &pointers, wanted, pair);
    bool meant = !code && !derived && is_itself(&itself, wanted);
    if (!code) say_answer(e, derived || meant, meant ? "its own address is meant" : "");
    if (derived) code = explain_pair(e, e->points_to, pair[0], pair[1]);
    if (!code && !derived && !meant) {
        say_why_not(e, &pointers, wanted);
        code = EXIT_NO;
    }
    free(pointers.vertex);
    free(itself.vertex);
    free(objects.vertex);
    return code;
}

/* ---- calls ---- */

/* Is it what one of these expressions, calls among them, begins as? */
static bool is_begun_by(const explaining *e, const cflr_call_info *call,
                        const place_set *standing) {
    cflr_vertex_info info;
    for (size_t i = 0; i < standing->n; i++) {
        cflr_graph_vertex(e->graph, standing->vertex[i], &info);
        size_t length = strlen(info.name);
        bool is_call = length > 2 && strcmp(info.name + length - 2, "()") == 0;
        if (is_call && info.line == call->line && info.column == call->column &&
            strcmp(info.file, call->file) == 0)
            return true;
    }
    return false;
}

/* Is the call at this place, where `standing` is, or in this function? */
static bool is_call_at(const explaining *e, const cflr_call_info *call, const char *spec,
                       const place_set *standing) {
    cflr_function_info caller;
    cflr_graph_function(e->graph, call->caller, &caller);
    return names_place(call->file, call->line, call->column, spec) ||
           (call->caller && names_function(&caller, spec)) || is_begun_by(e, call, standing);
}

static void say_call(explaining *e, const cflr_call_info *call, const char *how) {
    char text[1024];
    snprintf(text, sizeof text, "%s:%u:%u: called %s%s", shown(short_path(call->file)), call->line,
             call->column, how, shown(call->expression));
    say_answer(e, true, text);
}

/* The call enters the function, which is known: 0 or an exit code; -1: it does not. */
static int explain_call(explaining *e, const cflr_call_info *call, uint32_t function) {
    cflr_function_info info;
    cflr_graph_function(e->graph, function, &info);
    if (call->callee == function) {
        say_call(e, call, "by name");
        return 0;
    }
    for (size_t i = 0; i < call->n && info.vertex != CFLR_NO_VERTEX; i++) {
        if (!has_pair(e, e->points_to, call->vertex[i], info.vertex)) continue;
        say_call(e, call, call->expression[0] ? "through " : "by code without model");
        return explain_pair(e, e->points_to, call->vertex[i], info.vertex);
    }
    return -1;
}

/* The first of the calls at P that enters the function: 0 or an exit code; -1: none does. */
static int explain_calls_of(explaining *e, const char *spec, const place_set *standing,
                            uint32_t function, bool *any_call) {
    for (uint32_t i = 0; i < cflr_graph_calls(e->graph); i++) {
        cflr_call_info call;
        cflr_graph_call(e->graph, i, &call);
        if (!is_call_at(e, &call, spec, standing)) continue;
        *any_call = true;
        int code = explain_call(e, &call, function);
        if (code >= 0) return code;
    }
    return -1;
}

static int explain_calls(explaining *e, char *const *word) {
    bool any_call = false, any_function = false;
    place_set standing = {0};
    cflr_error ignored;
    int code = -1;
    if (place_length(word[0]) &&
        look_up(e->graph, NULL, word[0], &standing, &ignored) == CFLR_NO_MEMORY)
        code = fail_memory();
    for (uint32_t f = 1; f < cflr_graph_functions(e->graph) && code < 0; f++) {
        cflr_function_info info;
        cflr_graph_function(e->graph, f, &info);
        if (!names_function(&info, word[2])) continue;
        any_function = true;
        code = explain_calls_of(e, word[0], &standing, f, &any_call);
    }
    free(standing.vertex);
    if (code >= 0) return code;
    if (!any_function || !any_call) {
        complain("no %s '%s'", any_function ? "call at" : "function",
                 shown(any_function ? word[0] : word[2]));
        return cflr_status_exit_code(CFLR_NOT_FOUND);
    }
    say_answer(e, false, "");
    return EXIT_NO;
}

/* ---- reaches ---- */

/* The first of the pairs that the relation has. */
static bool find_pair(const explaining *e, named_relation wanted, const place_set *from,
                      const place_set *to, uint32_t pair[2]) {
    for (size_t i = 0; i < from->n; i++)
        for (size_t k = 0; k < to->n; k++) {
            pair[0] = from->vertex[i];
            pair[1] = to->vertex[k];
            if (relation_has(e->result, wanted, pair[0], pair[1])) return true;
        }
    return false;
}

/* Its name is cut at the index. An answer "S ~S" is the symbol that was made of it. */
static int explain_relation(explaining *e, const char *name, named_relation wanted,
                            const place_set *from, const place_set *to) {
    uint32_t pair[2];
    bool yes = find_pair(e, wanted, from, to, pair);
    say_answer(e, yes, "");
    if (!yes) return EXIT_NO;
    const char *index = relation_index(e->result, wanted, pair[0], pair[1]);
    bool answer = strcmp(name, e->answer_alias) == 0;
    return explain_symbol(e, answer ? e->alias : name, index ? index : "", pair[0], pair[1], NULL);
}

static int explain_reaches(explaining *e, char *const *word) {
    place_set from = {0}, to = {0};
    named_relation wanted;
    int code = relation_find(e->result, word[2], &wanted);
    if (!code) code = find_places(e->graph, NULL, word[1], (name_place){"", 0, 0}, &from);
    if (!code) code = find_places(e->graph, NULL, word[3], (name_place){"", 0, 0}, &to);
    if (!code) say_subject(e, word[1], &from, &(place_set){0});
    if (!code) say_subject(e, word[3], &to, &(place_set){0});
    if (!code) code = explain_relation(e, word[2], wanted, &from, &to);
    free(from.vertex);
    free(to.vertex);
    return code;
}

/* ---- flows ---- */

static int explain_flow_pair(explaining *e, named_relation flows, const uint32_t pair[2]) {
    const heading h = {pair[0], " may come to ", pair[1], ""};
    const char *index = relation_index(e->result, flows, pair[0], pair[1]);
    return explain_symbol(e, cflr_result_answer(e->result, "flows"), index ? index : "", pair[0],
                          pair[1], cflr_graph_has_sources(e->graph) ? &h : NULL);
}

/* A value that comes to code outside may come back from it. */
static int explain_flow_outside(explaining *e, named_relation flows, const place_set *from,
                                const place_set *to) {
    uint32_t outside = cflr_graph_outside(e->graph), in[2], out[2];
    const place_set between = {&outside, 1};
    if (outside == CFLR_NO_VERTEX || !find_pair(e, flows, from, &between, in) ||
        !find_pair(e, flows, &between, to, out)) {
        if (cflr_result_complete(e->result)) {
            say_answer(e, false, "");
            return EXIT_NO;
        }
        say_unknown(e);
        return 0;
    }
    say_answer(e, true, through_condition(CFLR_THROUGH_UNKNOWN) + strlen(", "));
    int code = explain_flow_pair(e, flows, in);
    return code ? code : explain_flow_pair(e, flows, out);
}

static int explain_flows(explaining *e, uint32_t label, char *const *word) {
    const named_relation flows = {.label = label};
    place_set from = {0}, to = {0};
    uint32_t pair[2];
    int code = find_places(e->graph, NULL, word[1], (name_place){"", 0, 0}, &from);
    if (!code) code = find_places(e->graph, NULL, word[2], (name_place){"", 0, 0}, &to);
    if (!code) say_subject(e, word[1], &from, &(place_set){0});
    if (!code) say_subject(e, word[2], &to, &(place_set){0});
    bool yes = !code && find_pair(e, flows, &from, &to, pair);
    if (yes) say_answer(e, true, "");
    if (yes)
        code = explain_flow_pair(e, flows, pair);
    else if (!code)
        code = explain_flow_outside(e, flows, &from, &to);
    free(from.vertex);
    free(to.vertex);
    return code;
}

/* ---- the command ---- */

static int refuse_question(const char *text) {
    return usage_error(
        "'%s' is no question: ask `alias P Q`, `points-to P`, `points-to P O`, `P calls F`, "
        "`flows A B` or `reaches A LABEL B`",
        text);
}

/* The question from its third word on, with the quote before that. */
static const char *behind_pointer(const char *text, size_t at) {
    return text + at - (text[at - 1] == '"');
}

/* What must be answered first; NULL: nothing, or it is no question. */
static const char *needed_answer(char *const *word, int n) {
    if (n == 3 && strcmp(word[0], "alias") == 0) return "alias";
    if (n == 3 && strcmp(word[0], "flows") == 0) return "flows";
    if (n > 1 && strcmp(word[0], "points-to") == 0) return "points-to";
    return n == 3 && strcmp(word[1], "calls") == 0 ? "points-to" : NULL;
}

static int answer_words(explaining *e, const char *text, const char *copy, char *const *word,
                        int n) {
    uint32_t label;
    const char *needed = needed_answer(word, n);
    const char *line = n > 2 ? behind_pointer(text, (size_t)(word[2] - copy)) : "";
    int code = needed ? find_answering(e->result, needed, &label) : 0;
    if (code) return code;
    if (n == 4 && strcmp(word[0], "reaches") == 0) return explain_reaches(e, word);
    if (!needed) return refuse_question(text);
    if (strcmp(needed, "flows") == 0) return explain_flows(e, label, word);
    if (strcmp(word[0], "points-to") == 0)
        return explain_points_to(e, word[1], line, n == 3 ? word[2] : NULL);
    return strcmp(needed, "alias") == 0 ? explain_alias(e, word) : explain_calls(e, word);
}

static int answer(explaining *e, const char *text) {
    char *copy = strdup(text), *word[MOST_WORDS] = {NULL};
    if (!copy) return fail_memory();
    int n = cut_words(copy, word, MOST_WORDS);
    int code = n < 0 ? usage_error("'%s': a quote is not closed", text)
                     : answer_words(e, text, copy, word, n);
    free(copy);
    return code;
}

/* Do the same symbols answer the questions? */
static bool answers_alike(const cflr_grammar *grammar, const cflr_result *result) {
    static const char *const questions[] = {"alias", "points-to", "flows"};
    bool same = true;
    for (size_t k = 0; k < sizeof questions / sizeof *questions; k++)
        same &= strcmp(cflr_grammar_answer(grammar, questions[k]),
                       cflr_result_answer(result, questions[k])) == 0;
    return same;
}

/* Has the grammar all symbols of the result? */
static bool has_symbols(const cflr_grammar *grammar, const cflr_result *result) {
    bool all = true;
    for (uint32_t i = 0; i < cflr_result_labels(result) && all; i++) {
        cflr_result_label info;
        cflr_result_get_label(result, i, &info);
        bool plain = info.kind <= CFLR_SYMBOL_NONTERMINAL && info.name[0] != '~';
        all = !plain || cflr_grammar_has_symbol(grammar, info.name);
    }
    return all;
}

/* Is it a shipped grammar that was solved there? Those with the same answers read memory, as
 * locations or not. */
static bool fits(const cflr_grammar *grammar, const cflr_result *result) {
    bool locations = cflr_grammar_has_symbol(grammar, "address");
    return answers_alike(grammar, result) && has_symbols(grammar, result) &&
           locations == has_locations(cflr_result_graph(result));
}

/* The grammar of -g, or the first shipped one that fits; 0, or the exit code after a message. */
static int find_grammar(const cflr_result *result, const char *path, cflr_grammar **grammar) {
    const char *name;
    for (size_t i = 0; !grammar_path && (name = cflr_grammar_shipped(i)); i++) {
        int code = load_grammar(name, CFLR_GRAMMAR_AUTO, grammar);
        if (code || fits(*grammar, result)) return code;
        cflr_grammar_free(*grammar);
        *grammar = NULL;
    }
    if (!grammar_path)
        return usage_error("no shipped grammar has the symbols of %s: name its grammar, -g GRAMMAR",
                           input_name(path));
    int code = load_grammar(grammar_path, CFLR_GRAMMAR_AUTO, grammar);
    if (!code) code = check_locations(cflr_result_graph(result), *grammar);
    if (code || answers_alike(*grammar, result)) return code;
    return usage_error("-g %s: other symbols answer the questions in %s", grammar_path,
                       input_name(path));
}

/* An answer "S ~S" is no symbol, and has no derivation. Then the grammar gets a symbol of the rule
 * that the answer stands for, which is called as no other one is. 0, or the exit code after a
 * message. */
static int derive_answer(cflr_grammar **grammar, char symbol[SYMBOL_SIZE]) {
    const char *answer = cflr_grammar_answer(*grammar, "alias");
    const char *needs = cflr_grammar_needs(*grammar, "alias");
    cflr_error error;
    char *rules, *text = NULL;
    snprintf(symbol, SYMBOL_SIZE, "%s", answer);
    if (strcmp(answer, needs) == 0) return 0;
    snprintf(symbol, SYMBOL_SIZE, "Alias");
    for (int i = 1; cflr_grammar_has_symbol(*grammar, symbol); i++)
        snprintf(symbol, SYMBOL_SIZE, "Alias%d", i);
    if (cflr_grammar_show(*grammar, CFLR_STAGE_RULES, NULL, &rules, &error) != CFLR_OK)
        return fail(&error);
    int length = asprintf(&text, "%s\n%s ::= \"%s\" ~\"%s\" | eps\n", rules, symbol, needs, needs);
    cflr_text_free(session(), rules);
    if (length < 0) return fail_memory();
    cflr_grammar_free(*grammar);
    *grammar = NULL;
    cflr_status st =
        cflr_grammar_parse(session(), text, (size_t)length, "the grammar of the result",
                           CFLR_GRAMMAR_CFLR, grammar, &error);
    free(text);
    return st == CFLR_OK ? 0 : fail(&error);
}

static int ask(void *user, const char *text) {
    explaining *e = user;
    if (e->to.headings && !e->to.list && !as_dot) fprintf(e->to.file, "# %s\n", shown(text));
    if (e->to.list) {
        e->answer = json_object();
        e->parts = json_array();
        json_set_text(e->answer, "question", text);
    }
    int code = answer(e, text);
    if (!e->to.list) return code;
    json_set(e->answer, "explanations", e->parts);
    if (json_object_get(e->answer, "answer"))
        json_array_append_new(e->to.list, e->answer);
    else
        json_decref(e->answer);
    return code;
}

static int explain(const cflr_result *result, const cflr_grammar *grammar, const char *alias,
                   const cli_arguments *arguments) {
    cflr_error error;
    explaining e = {.result = result,
                    .graph = cflr_result_graph(result),
                    .answer_alias = cflr_result_answer(result, "alias"),
                    .alias = alias,
                    .points_to = cflr_result_answer(result, "points-to"),
                    .as_dot = as_dot,
                    .all = show_all};
    if (cflr_explainer_new(grammar, result, &e.explainer, &error) != CFLR_OK) return fail(&error);
    writer w = writer_open();
    writer_list(&w, &answers_alone);
    e.to.file = w.file;
    e.to.list = w.list;
    if (as_dot && w.file) fputs("digraph explanation {\n", w.file);
    int code = w.file || w.list ? ask_all(&e.to, arguments, ask, &e) : 0;
    if (as_dot && w.file) fputs("}\n", w.file);
    code = writer_close(&w, code);
    cflr_explainer_free(e.explainer);
    return code;
}

static bool is_whole(const cflr_result *result) {
    return cflr_result_complete(result) &&
           cflr_result_covers(result, CFLR_NO_VERTEX, CFLR_NO_VERTEX);
}

/* The closure of a graph that is not solved is that of -g, or what `cflr analyze` takes. */
static int profile(const cflr_result *result, const cflr_graph *graph, const char *path,
                   uint32_t most) {
    cflr_grammar *grammar = NULL;
    const char *name = grammar_path ? grammar_path : default_grammar(graph);
    int code = result ? find_grammar(result, path, &grammar)
                      : load_grammar(name, CFLR_GRAMMAR_AUTO, &grammar);
    if (!code) code = check_locations(graph, grammar);
    if (!code && result && !is_whole(result)) result = NULL;
    if (!code) code = explain_imprecision(graph, grammar, result, most);
    cflr_grammar_free(grammar);
    return code;
}

static int run_imprecision(const cli_arguments *arguments) {
    uint64_t most = CAUSES;
    cflr_error error;
    cflr_result *result = NULL;
    cflr_graph *graph = NULL;
    const char *path = arguments->operand[0];
    if (as_dot || show_all)
        return usage_error("--%s shows derivations, and --imprecision has none",
                           as_dot ? "dot" : "all");
    if (most_causes && (!parse_count(most_causes, MOST_CAUSES, &most) || most == 0))
        return usage_error("--causes %s: a number from 1 to %d", most_causes, MOST_CAUSES);
    if (arguments->n_operands > 1)
        return usage_error("unexpected '%s': --imprecision takes no question",
                           arguments->operand[1]);
    int code = session_begin();
    if (code) return code;
    if (cflr_result_or_graph_load(session(), path, &result, &graph, &error) != CFLR_OK)
        return fail_reading(&error, path, INPUT_GRAPH);
    code = profile(result, result ? cflr_result_graph(result) : graph, path, (uint32_t)most);
    cflr_graph_free(graph);
    return end_result(result, code);
}

static int run(const cli_arguments *arguments) {
    cflr_error error;
    cflr_result *result = NULL;
    cflr_grammar *grammar = NULL;
    const char *path = arguments->operand[0];
    if (imprecision) return run_imprecision(arguments);
    if (most_causes) return usage_error("--causes is an option of --imprecision");
    if (arguments->n_operands < 2) return usage_error("missing QUESTION");
    if (as_dot && wants_json()) return usage_error("--dot and --format json: one of the two");
    int code = refuse_empty_questions(arguments);
    if (!code) code = refuse_words(arguments, verbs);
    if (!code) code = session_begin();
    if (code) return code;
    if (cflr_result_load(session(), path, &result, &error) != CFLR_OK)
        return fail_reading(&error, path, INPUT_RESULT);
    code = find_grammar(result, path, &grammar);
    if (!code) warn_of_result(result, path, "a pair that it does not have is unknown");
    char alias[SYMBOL_SIZE] = "";
    if (!code) code = derive_answer(&grammar, alias);
    if (!code) code = explain(result, grammar, alias, arguments);
    cflr_grammar_free(grammar);
    return end_result(result, code);
}

const command command_explain = {.name = "explain",
                                 .operands = "RESULT QUESTION...",
                                 .summary = "why an answer holds, in steps of the source",
                                 .notes = notes,
                                 .options = table,
                                 .min_operands = 1,
                                 .max_operands = -1,
                                 .run = run};
