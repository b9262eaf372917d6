/* SPDX-License-Identifier: Apache-2.0
 *
 * cmd_query.c: `cflr query RESULT QUESTION...`: asks a stored result.
 *
 *     alias P Q        may P and Q hold the same address?
 *     aliases P        everything that may hold the same address as P
 *     points-to P      the objects that P may point to
 *     flows A B        may what A holds, a source of the grammar, get to B?
 *     reaches A L B    is the pair (A, B) in relation L?
 *
 * P is "file.c:line:name", "file.c:line:column", "function::name" or a vertex number. A name that
 * has clones (contexts) stands for all of them; that of an array or record means its address in the
 * first three (decay.c). "-" reads questions from standard input, one a line; no question at a
 * terminal is a shell (shell.c).
 *
 * Of an open program (docs/explanation/open-programs.md) a yes tells by whose doing it is, and
 * objects whether they escape. Where the value of a pointer is not followed the answer is
 * `unknown`, with the place and cause, which counts as a yes.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/answer/asking.h"
#include "cli/answer/assumption.h"
#include "cli/answer/loading.h"
#include "cli/answer/lost.h"
#include "cli/answer/member.h"
#include "cli/answer/outside.h"
#include "cli/answer/relation.h"
#include "cli/query/shell.h"
#include "cli/run/writer.h"

static struct poptOption table[] = {COMMON_OPTIONS};

static const char notes[] =
    "\nQuestions, each one operand:\n"
    "  'alias P Q'             may P and Q hold the same address?\n"
    "  'aliases P'             everything that may hold the same address as P\n"
    "  'points-to P'           the objects that P may point to\n"
    "  'flows A B'             may what A holds, a source of the grammar, get to B?\n"
    "  'reaches A L B'         is the pair (A, B) in relation L?\n"
    "  -                       read questions from standard input, one a line\n"
    "Without a question, a shell at a terminal, else as with -.\n"
    "P is file.c:line:name, file.c:line:column, function::name or a vertex number.\n"
    "Which function calls which: `cflr callgraph RESULT`.\n";

enum { MAX_WORDS = 4, CLOCK_EVERY = 256 /* vertices of a list between two looks at the clock */ };

typedef struct question {
    char *text; /* owns the words */
    char *word[MAX_WORDS];
    int n_words;
} question;

typedef struct asking {
    const cflr_result *result;
    const cflr_graph *graph;
    uint32_t outside;        /* of an open program, or CFLR_NO_VERTEX */
    cflr_assumption assumes; /* of what is not told apart without it */
    cflr_apart *apart;
    cflr_finder *finder; /* where lines are read; else NULL */
    answers to;
} asking;

/* ---- reading a question ---- */

/* 0, or the exit code after a message. */
static int cut_question(const char *text, question *q) {
    q->text = strdup(text);
    q->n_words = 0;
    if (!q->text) return fail_memory();
    q->n_words = cut_words(q->text, q->word, MAX_WORDS);
    if (q->n_words > MAX_WORDS) return usage_error("'%s': too many words", text);
    return q->n_words < 0 ? usage_error("'%s': a quote is not closed", text) : 0;
}

static int find(const asking *a, const char *spec, place_set *set) {
    return find_places(a->graph, a->finder, spec, (name_place){"", 0, 0}, set);
}

/* Pointers, and the object whose address they are, if the name is its name. */
typedef struct pointers {
    place_set places, object;
} pointers;

static int find_asked(const asking *a, const char *spec, pointers *found) {
    return find_pointers(a->graph, a->finder, spec, &found->places, &found->object);
}

static void free_pointers(pointers *found) {
    free(found->places.vertex);
    free(found->object.vertex);
}

/* ---- answering ---- */

static void begin_answer(const asking *a, const char *text) {
    if (a->to.headings && !a->to.list) fprintf(a->to.file, "# %s\n", shown(text));
}

static json_t *add_answer(asking *a, const char *text, json_t *answer) {
    json_t *object = json_object();
    json_set_text(object, "question", text);
    json_set(object, "answer", answer);
    json_array_append_new(a->to.list, object);
    return object;
}

/* A list may tell more of its vertices than what they are. */
typedef struct listing {
    const place_set *of; /* the vertices that were asked about */
    bool objects;        /* that they point to; otherwise they are aliases */
    members members;     /* of objects */
} listing;

/* ---- what answers rest on ---- */

static bool assumes_anything(const asking *a) {
    return a->assumes.aliasing || a->assumes.callees;
}

/* Of a no: nothing where it holds whatever the types are. */
static cflr_assumption no_rests_on(asking *a, bool aliases, const place_set *from,
                                   const place_set *to) {
    bool holds = aliases && assumes_anything(a) &&
                 cflr_apart_are(a->apart, from->vertex, from->n, to->vertex, to->n);
    return holds ? (cflr_assumption){0} : a->assumes;
}

/* Of a list, in the same way: that there is nothing else. */
static cflr_assumption list_rests_on(asking *a, const listing *l, const cflr_vertex_list *list) {
    bool all = l->objects && assumes_anything(a) &&
               cflr_apart_has_all(a->apart, l->of->vertex, l->of->n, list->vertices, list->count);
    return all ? (cflr_assumption){0} : a->assumes;
}

static void put_assumption(json_t *object, cflr_assumption rests_on) {
    if (rests_on.aliasing || rests_on.callees)
        json_set(object, "assumes", assumption_json(rests_on));
}

/* Of a relation that says nothing of the outside a yes is the program's own, and goes without
 * saying. */
static void say_yes_or_no(asking *a, const char *text, cflr_through through,
                          cflr_assumption rests_on) {
    bool yes = through != CFLR_THROUGH_NOTHING;
    if (!yes) a->to.any_no = true;
    begin_answer(a, text);
    if (!a->to.list) {
        fprintf(a->to.file, "%s%s\n", yes ? "yes" : "no",
                yes ? through_condition(through) : assumption_condition(rests_on));
        return;
    }
    json_t *object = add_answer(a, text, json_boolean(yes));
    put_assumption(object, rests_on);
    if (yes && (a->outside != CFLR_NO_VERTEX || through != CFLR_THROUGH_PROGRAM))
        json_set_text(object, "through", through_word(through));
}

/* One of the pointers may be anything (LOST), or the result has no answer (UNANSWERED). */
static void say_unknown(asking *a, const char *text, cflr_through through, const place_set *from,
                        const place_set *to) {
    uint32_t lost = lost_among(a->result, from->vertex, from->n);
    if (lost == CFLR_NO_VERTEX) lost = lost_among(a->result, to->vertex, to->n);
    begin_answer(a, text);
    if (a->to.list) {
        json_t *object = add_answer(a, text, json_null());
        json_set_text(object, "through", through_word(through));
        if (lost != CFLR_NO_VERTEX) json_set(object, "lost", vertex_json(a->graph, lost));
        return;
    }
    fputs("unknown: ", a->to.file);
    if (through == CFLR_THROUGH_LOST)
        print_lost(a->to.file, a->graph, lost);
    else
        fputs(why_unanswered(a->result), a->to.file);
    fputc('\n', a->to.file);
}

static int say_outside(const asking *a, const listing *l, json_t *vertices) {
    if (!vertices) return print_outside(a->to.file, a->result, l->of);
    json_t *object = vertex_json(a->graph, a->outside);
    json_array_append_new(vertices, object);
    return outside_json(object, a->result, l->of);
}

static void say_vertex(const asking *a, const listing *l, uint32_t v, json_t *vertices) {
    bool escapes = l->objects && object_escapes(a->result, v);
    const place_set one = {&v, 1};
    cflr_through through =
        l->objects ? CFLR_THROUGH_PROGRAM : places_alias(a->result, l->of, &one, NULL);
    char member[MEMBER_SIZE];
    bool at_member = l->objects && members_one(&l->members, v, member);
    if (!vertices) {
        print_vertex(a->to.file, a->graph, v);
        if (at_member) fprintf(a->to.file, ", at %s", member);
        fprintf(a->to.file, "%s%s\n", escapes ? ", escapes" : "", through_condition(through));
        return;
    }
    json_t *object = vertex_json(a->graph, v);
    json_array_append_new(vertices, object);
    if (at_member) json_set_text(object, "member", member);
    bool open = a->outside != CFLR_NO_VERTEX;
    if (l->objects && open) json_set(object, "escaped", json_boolean(escapes));
    if (!l->objects && (open || through != CFLR_THROUGH_PROGRAM))
        json_set_text(object, "through", through_word(through));
}

static int say_list(asking *a, const char *text, const listing *l, const cflr_vertex_list *list) {
    int code = 0;
    if (list->count == 0) a->to.any_no = true;
    begin_answer(a, text);
    json_t *vertices = a->to.list ? json_array() : NULL;
    bool outside = false; /* told last */
    for (size_t i = 0; i < list->count && !code; i++) {
        if (i % CLOCK_EVERY == 0 && out_of_time())
            code = fail_out_of_time("the answer is a part of the list");
        uint32_t v = list->vertices[i];
        bool is_outside = l->objects && v == a->outside;
        if (!is_outside) say_vertex(a, l, v, vertices);
        outside |= is_outside;
    }
    if (outside && !code) code = say_outside(a, l, vertices);
    uint32_t lost = l->objects ? CFLR_NO_VERTEX : lost_among(a->result, l->of->vertex, l->of->n);
    if (lost != CFLR_NO_VERTEX && !vertices) {
        fputs("or any other: ", a->to.file);
        print_lost(a->to.file, a->graph, lost);
        fputc('\n', a->to.file);
    }
    const cflr_assumption rests_on = list_rests_on(a, l, list);
    if (vertices)
        put_assumption(add_answer(a, text, vertices), rests_on);
    else if (assumption_condition(rests_on)[0])
        fprintf(a->to.file, "%s%s\n", list->count ? "no others" : "none",
                assumption_condition(rests_on));
    return code;
}

/* A relation, and the question that it answers; NULL: it was asked for by its name. */
typedef struct asked_relation {
    named_relation is;
    const char *question;
} asked_relation;

/* Does the result say whether the pair is there? Where rows meet, it must have both. */
static bool covers(const asking *a, asked_relation wanted, uint32_t from, uint32_t to) {
    cflr_result_label info;
    cflr_result_get_label(a->result, wanted.is.label, &info);
    if (info.kind != CFLR_SYMBOL_MEETING) return cflr_result_covers(a->result, from, to);
    return cflr_result_covers(a->result, from, CFLR_NO_VERTEX) &&
           cflr_result_covers(a->result, to, CFLR_NO_VERTEX);
}

/* Is one of the pairs there? *unasked: one is not covered by the result. */
static bool any_pair(const asking *a, asked_relation wanted, const place_set *from,
                     const place_set *to, bool *unasked) {
    *unasked = false;
    for (size_t i = 0; i < from->n; i++) {
        for (size_t k = 0; k < to->n; k++) {
            uint32_t source = from->vertex[i], target = to->vertex[k];
            if (relation_has(a->result, wanted.is, source, target)) return true;
            *unasked |= !covers(a, wanted, source, target);
        }
    }
    return false;
}

/* A value that flows to the outside may come back from it. */
static cflr_through flow(const asking *a, asked_relation wanted, const place_set *from,
                         const place_set *to) {
    bool unasked;
    uint32_t outside = a->outside;
    const place_set between = {&outside, 1};
    if (outside == CFLR_NO_VERTEX || !any_pair(a, wanted, from, &between, &unasked) ||
        !any_pair(a, wanted, &between, to, &unasked))
        return CFLR_THROUGH_NOTHING;
    return CFLR_THROUGH_UNKNOWN;
}

/* By whose doing, when the relation itself does not say yes. */
static cflr_through beyond(const asking *a, asked_relation wanted, const place_set *from,
                           const place_set *to) {
    if (!wanted.question) return CFLR_THROUGH_NOTHING;
    if (strcmp(wanted.question, "alias") == 0) return places_alias(a->result, from, to, NULL);
    return flow(a, wanted, from, to);
}

static int answer_pair(asking *a, const char *text, asked_relation wanted, const place_set *from,
                       const place_set *to) {
    bool unasked, yes = any_pair(a, wanted, from, to, &unasked);
    cflr_through through = yes ? CFLR_THROUGH_PROGRAM : beyond(a, wanted, from, to);
    if (through == CFLR_THROUGH_NOTHING && !cflr_result_complete(a->result))
        through = CFLR_THROUGH_UNANSWERED;
    if (through == CFLR_THROUGH_UNANSWERED && unasked) through = CFLR_THROUGH_NOTHING;
    if (through == CFLR_THROUGH_LOST || through == CFLR_THROUGH_UNANSWERED) {
        say_unknown(a, text, through, from, to);
        return 0;
    }
    if (through != CFLR_THROUGH_NOTHING || !unasked) {
        bool aliases = wanted.question && strcmp(wanted.question, "alias") == 0, no = !through;
        say_yes_or_no(a, text, through,
                      no ? no_rests_on(a, aliases, from, to) : (cflr_assumption){0});
        return 0;
    }
    complain("'%s': the result answers another question (solve --from, --to or --pairs)", text);
    return EXIT_USAGE;
}

static int ask_pair(asking *a, const char *text, asked_relation wanted, const char *from,
                    const char *to) {
    place_set sources, targets = {0};
    int code = find(a, from, &sources);
    if (!code) code = find(a, to, &targets);
    if (!code) code = answer_pair(a, text, wanted, &sources, &targets);
    free(sources.vertex);
    free(targets.vertex);
    return code;
}

static int ask_flows(asking *a, const char *text, const question *q) {
    asked_relation wanted = {.question = "flows"};
    int code = find_answering(a->result, "flows", &wanted.is.label);
    return code ? code : ask_pair(a, text, wanted, q->word[1], q->word[2]);
}

static int answer_alias(asking *a, const char *text, asked_relation wanted, const pointers *p,
                        const pointers *q) {
    bool one = p->object.n && q->object.n && p->object.vertex[0] == q->object.vertex[0];
    if (!one) return answer_pair(a, text, wanted, &p->places, &q->places);
    say_yes_or_no(a, text, CFLR_THROUGH_PROGRAM, (cflr_assumption){0});
    return 0;
}

static int ask_alias(asking *a, const char *text, const question *q) {
    asked_relation wanted = {.question = "alias"};
    pointers first = {{0}, {0}}, second = {{0}, {0}};
    int code = find_answering(a->result, "alias", &wanted.is.label);
    if (!code) code = find_asked(a, q->word[1], &first);
    if (!code) code = find_asked(a, q->word[2], &second);
    if (!code) code = answer_alias(a, text, wanted, &first, &second);
    free_pointers(&first);
    free_pointers(&second);
    return code;
}

/* Functions and the outside hold no value, though memory that is known there has them as
 * content. */
static bool holds_value(const asking *a, uint32_t vertex) {
    cflr_vertex_info info;
    cflr_graph_vertex(a->graph, vertex, &info);
    return info.kind != CFLR_VERTEX_FUNCTION && info.kind != CFLR_VERTEX_OUTSIDE;
}

/* All that may alias by whomever's doing; of a value that is not followed, all that is known of
 * it. */
static int list_aliases(const asking *a, const place_set *sources, place_set *all) {
    uint32_t n = cflr_graph_vertices(a->graph),
             lost = lost_among(a->result, sources->vertex, sources->n);
    all->vertex = malloc(((size_t)n + 1) * sizeof *all->vertex);
    if (!all->vertex) return fail_memory();
    for (uint32_t v = 0; v < n; v++) {
        if (v % CLOCK_EVERY == 0 && out_of_time())
            return fail_out_of_time("the aliases are not listed");
        const place_set one = {&v, 1};
        cflr_through through =
            holds_value(a, v) ? places_alias(a->result, sources, &one, NULL) : CFLR_THROUGH_NOTHING;
        bool told = through == CFLR_THROUGH_LOST ? lost == CFLR_NO_VERTEX
                                                 : through && through != CFLR_THROUGH_UNANSWERED;
        if (told) all->vertex[all->n++] = v;
    }
    return 0;
}

static int tell_targets(asking *a, const char *text, const listing *l, cflr_vertex_list *list) {
    place_set all = {0};
    cflr_vertex_list told = *list;
    size_t n_unknowns;
    cflr_graph_unknowns(a->graph, &n_unknowns);
    bool open = !l->objects && (a->outside != CFLR_NO_VERTEX || n_unknowns > 0);
    int code = open ? list_aliases(a, l->of, &all) : 0;
    if (!code && open) told = (cflr_vertex_list){all.vertex, all.n};
    if (!code) code = keep_things(a->graph, told.vertices, &told.count);
    if (!code) code = say_list(a, text, l, &told);
    free(all.vertex);
    return code;
}

static int ask_targets(asking *a, const char *text, uint32_t label, const listing *l) {
    cflr_vertex_list list;
    cflr_error error;
    if (cflr_result_targets(a->result, label, l->of->vertex, l->of->n, &list, &error) != CFLR_OK) {
        return fail(&error);
    }
    int code = tell_targets(a, text, l, &list);
    cflr_vertex_list_free(session(), &list);
    return code;
}

static int ask_list(asking *a, const char *text, const char *what, const char *spec) {
    pointers sources = {{0}, {0}};
    uint32_t label;
    int code = find_answering(a->result, what, &label);
    if (!code) code = find_asked(a, spec, &sources);
    listing list = {.of = &sources.places, .objects = strcmp(what, "points-to") == 0};
    const place_set *of = &sources.places;
    if (!code) code = members_find(a->result, of->vertex, list.objects ? of->n : 0, &list.members);
    cflr_vertex_list itself = {sources.object.vertex, sources.object.n};
    if (!code && list.objects && itself.count)
        code = tell_targets(a, text, &list, &itself);
    else if (!code)
        code = ask_targets(a, text, label, &list);
    members_free(&list.members);
    free_pointers(&sources);
    return code;
}

static int ask_reaches(asking *a, const char *text, const question *q) {
    asked_relation wanted = {.question = NULL};
    int code = relation_find(a->result, q->word[2], &wanted.is);
    return code ? code : ask_pair(a, text, wanted, q->word[1], q->word[3]);
}

static const char *const verbs[] = {"alias", "aliases", "points-to", "flows", "reaches", NULL};

enum { N_VERBS = sizeof verbs / sizeof *verbs - 1 };

/* Calls have a command of their own. */
static bool is_about_calls(const char *verb) {
    return strcmp(verb, "callers") == 0 || strcmp(verb, "callees") == 0;
}

static int refuse_question(const char *text, const question *q) {
    if (is_about_calls(q->word[0])) {
        complain("'%s' is no question: `cflr callgraph RESULT --%s F` answers it", text,
                 q->word[0]);
        return EXIT_USAGE;
    }
    const char *meant = nearest(q->word[0], verbs, N_VERBS);
    if (meant && strcmp(meant, q->word[0]) != 0) {
        complain("'%s' is no question; did you mean '%s'?", text, meant);
    } else {
        complain(
            "'%s' is no question: ask `alias P Q`, `aliases P`, `points-to P`, "
            "`flows A B` or `reaches A LABEL B`",
            text);
    }
    return EXIT_USAGE;
}

static int answer(asking *a, const char *text, const question *q) {
    if (q->n_words == 0) return 0;
    if (q->n_words == 3 && strcmp(q->word[0], "alias") == 0) return ask_alias(a, text, q);
    if (q->n_words == 3 && strcmp(q->word[0], "flows") == 0) return ask_flows(a, text, q);
    if (q->n_words == 4 && strcmp(q->word[0], "reaches") == 0) return ask_reaches(a, text, q);
    if (q->n_words == 2 && strcmp(q->word[0], "aliases") == 0) {
        return ask_list(a, text, "alias", q->word[1]);
    }
    if (q->n_words == 2 && strcmp(q->word[0], "points-to") == 0) {
        return ask_list(a, text, "points-to", q->word[1]);
    }
    return refuse_question(text, q);
}

static int ask(void *user, const char *text) {
    asking *a = user;
    question q;
    int code = cut_question(text, &q);
    if (!code) code = answer(a, text, &q);
    free(q.text);
    return code;
}

/* Answers of questions, as operands, from standard input, or typed. */
static int ask_questions(asking *a, const cli_arguments *arguments) {
    if (arguments->n_operands == 1) {
        const shell_questions questions = {.path = arguments->operand[0],
                                           .graph = a->graph,
                                           .verbs = verbs,
                                           .to = &a->to,
                                           .answer = ask,
                                           .user = a};
        return shell_run(&questions);
    }
    writer w = writer_open();
    writer_list(&w, &answers_alone);
    a->to.file = w.file;
    a->to.list = w.list;
    return writer_close(&w, w.file || w.list ? ask_all(&a->to, arguments, ask, a) : 0);
}

static int ask_result(const cflr_result *result, const cli_arguments *arguments) {
    cflr_error error;
    const cflr_graph *graph = cflr_result_graph(result);
    asking a = {.result = result,
                .graph = graph,
                .outside = cflr_graph_outside(graph),
                .assumes = cflr_graph_assumption(graph)};
    cflr_status st = cflr_apart_new(graph, &a.apart, &error);
    bool many = arguments->n_operands == 1 || list_has((char *const *)arguments->operand + 1, "-");
    if (st == CFLR_OK && many) st = cflr_finder_new(graph, &a.finder, &error);
    int code = st == CFLR_OK ? ask_questions(&a, arguments) : fail(&error);
    cflr_finder_free(a.finder);
    cflr_apart_free(a.apart);
    return code;
}

static int run(const cli_arguments *given) {
    cflr_error error;
    cflr_result *result = NULL;
    const char *path = given->operand[0], *from_standard[] = {path, "-", NULL};
    cli_arguments lines = {.operand = from_standard, .n_operands = 2};
    const cli_arguments *arguments = given->n_operands > 1 || shell_can_run() ? given : &lines;
    int code = refuse_empty_questions(arguments);
    if (!code) code = refuse_words(arguments, verbs, N_VERBS);
    if (!code) code = session_begin();
    if (code) return code;
    if (cflr_result_load(session(), path, &result, &error) != CFLR_OK)
        return fail_reading(&error, path, INPUT_RESULT);
    warn_of_result(result, path, "a pair that it does not have is unknown");
    code = ask_result(result, arguments);
    return end_result(result, code);
}

const command command_query = {.name = "query",
                               .operands = "RESULT [QUESTION...]",
                               .summary = "ask a result: alias, aliases, points-to, flows, reaches",
                               .notes = notes,
                               .options = table,
                               .min_operands = 1,
                               .max_operands = -1,
                               .run = run};
