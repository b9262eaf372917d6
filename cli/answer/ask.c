/* SPDX-License-Identifier: Apache-2.0
 *
 * ask.c: questions to a result: read, answered, and told as text or JSON.
 *
 *     alias P Q        may P and Q hold the same address?
 *     aliases P        everything that may hold the same address as P
 *     points-to P      the objects that P may point to
 *     flows A B        may what A holds, a source of the grammar, get to B?
 *     reaches A L B    is the pair (A, B) in relation L?
 *
 * P is "file.c:line:name", "file.c:line:column", "function::name" or a vertex number. A name that
 * has clones (contexts) stands for all of them; that of an array or record means its address in the
 * first three (decay.c). Of a column the answer says what stands there; where several expressions
 * do, each is asked about (meant.c), and the question is refused unless they have one answer.
 *
 * Of an open program (docs/explanation/open-programs.md) a yes tells by whose doing it is, and
 * objects whether they escape. Where the value of a pointer is not followed the answer is
 * `unknown`, with the place and cause, which counts as a yes.
 */
#include "cli/answer/ask.h"

#include <stdlib.h>
#include <string.h>

#include "cli/answer/assumption.h"
#include "cli/answer/loading.h"
#include "cli/answer/lost.h"
#include "cli/answer/outside.h"
#include "cli/answer/relation.h"
#include "cli/answer/subject.h"

enum { MAX_WORDS = 4, CLOCK_EVERY = 256 /* vertices of a list between two looks at the clock */ };

typedef struct question {
    char *text; /* owns the words */
    char *word[MAX_WORDS];
    int n_words;
} question;

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

/* `spec` is a word of the question, and what stands at a place was chosen before (meant.c). */
static int find(const asking *a, const char *spec, place_set *set) {
    const operand *o = operands_find(&a->places, spec);
    if (o) return operand_meant(o, set);
    return find_places(a->graph, a->finder, spec, (name_place){"", 0, 0}, set);
}

static int find_asked(const asking *a, const char *spec, pointers *found) {
    const operand *o = operands_find(&a->places, spec);
    if (o) {
        int code = operand_meant(o, &found->places);
        if (code) return code;
        return find_addressed(a->graph, a->finder, spec, &found->places, &found->object);
    }
    return find_pointers(a->graph, a->finder, spec, &found->places, &found->object);
}

static void free_pointers(pointers *found) {
    free(found->places.vertex);
    free(found->object.vertex);
}

/* ---- answering ---- */

static void begin_answer(const asking *a, const char *text) {
    FILE *file = a->to.subject ? a->to.subject : a->to.file;
    if (a->to.headings && !a->to.list) fprintf(a->to.file, "# %s\n", shown(text));
    for (size_t i = 0; i < a->places.n && !a->to.list; i++)
        print_subject(file, a->graph, a->places.at[i].spec, &a->places.at[i].found);
}

static json_t *add_answer(asking *a, const char *text, json_t *answer) {
    json_t *object = json_object();
    json_set_text(object, "question", text);
    json_set(object, "answer", answer);
    for (size_t i = 0; i < a->places.n; i++)
        add_subject(object, a->graph, a->places.at[i].spec, &a->places.at[i].found);
    json_array_append_new(a->to.list, object);
    return object;
}

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

cflr_assumption list_rests_on(asking *a, const listing *l, const cflr_vertex_list *list) {
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

/* What a list says of a vertex besides what it is. */
typedef struct particulars {
    bool escapes, at_member;
    cflr_through through; /* of aliases */
    char member[MEMBER_SIZE];
} particulars;

static particulars look_closer(const asking *a, const listing *l, uint32_t v) {
    const place_set one = {&v, 1};
    particulars p = {.escapes = l->objects && object_escapes(a->result, v),
                     .through = CFLR_THROUGH_PROGRAM};
    if (!l->objects) p.through = places_alias(a->result, l->of, &one, NULL);
    p.at_member = l->objects && members_one(&l->members, v, p.member);
    return p;
}

void print_particulars(const asking *a, const listing *l, uint32_t v, FILE *file) {
    const particulars p = look_closer(a, l, v);
    if (p.at_member) fprintf(file, ", at %s", p.member);
    fprintf(file, "%s%s", p.escapes ? ", escapes" : "", through_condition(p.through));
}

static json_t *vertex_of_list(const asking *a, const listing *l, uint32_t v) {
    const particulars p = look_closer(a, l, v);
    json_t *object = vertex_json(a->graph, v);
    bool open = a->outside != CFLR_NO_VERTEX;
    if (p.at_member) json_set_text(object, "member", p.member);
    if (l->objects && open) json_set(object, "escaped", json_boolean(p.escapes));
    if (!l->objects && (open || p.through != CFLR_THROUGH_PROGRAM))
        json_set_text(object, "through", through_word(p.through));
    return object;
}

static void say_vertex(const asking *a, const listing *l, uint32_t v, json_t *vertices) {
    if (vertices) {
        json_array_append_new(vertices, vertex_of_list(a, l, v));
        return;
    }
    print_vertex(a->to.file, a->graph, v);
    print_particulars(a, l, v, a->to.file);
    fputc('\n', a->to.file);
}

static int say_list(asking *a, const char *text, const listing *l, const cflr_vertex_list *list) {
    int code = 0;
    if (list->count == 0) a->to.any_no = true;
    begin_answer(a, text);
    json_t *vertices = a->to.list ? json_array() : NULL;
    bool outside = false; /* printed last */
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
    if (!code) code = a->tell ? a->tell(a, l, &told) : say_list(a, text, l, &told);
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

/* `what` is "alias" or "points-to", which `label` answers. */
static int list_of(asking *a, const char *text, const char *what, uint32_t label,
                   const pointers *sources) {
    listing list = {.of = &sources->places, .objects = strcmp(what, "points-to") == 0};
    const place_set *of = &sources->places;
    int code = members_find(a->result, of->vertex, list.objects ? of->n : 0, &list.members);
    cflr_vertex_list itself = {sources->object.vertex, sources->object.n};
    if (!code && list.objects && itself.count)
        code = tell_targets(a, text, &list, &itself);
    else if (!code)
        code = ask_targets(a, text, label, &list);
    members_free(&list.members);
    return code;
}

int ask_list(asking *a, const char *text, const char *what, const pointers *sources) {
    uint32_t label;
    int code = find_answering(a->result, what, &label);
    return code ? code : list_of(a, text, what, label, sources);
}

static int ask_named_list(asking *a, const char *text, const char *what, const char *spec) {
    pointers sources = {{0}, {0}};
    uint32_t label;
    int code = find_answering(a->result, what, &label);
    if (!code) code = find_asked(a, spec, &sources);
    if (!code) code = list_of(a, text, what, label, &sources);
    free_pointers(&sources);
    return code;
}

static int ask_aliases(asking *a, const char *text, const question *q) {
    return ask_named_list(a, text, "alias", q->word[1]);
}

static int ask_points_to(asking *a, const char *text, const question *q) {
    return ask_named_list(a, text, "points-to", q->word[1]);
}

static int ask_reaches(asking *a, const char *text, const question *q) {
    asked_relation wanted = {.question = NULL};
    int code = relation_find(a->result, q->word[2], &wanted.is);
    return code ? code : ask_pair(a, text, wanted, q->word[1], q->word[3]);
}

/* ---- the questions ---- */

typedef struct verb {
    const char *word;
    int n_words;
    int label; /* the word that is no name but of a relation; 0: none */
    int (*ask)(asking *a, const char *text, const question *q);
} verb;

static const verb verbs[] = {{"alias", 3, 0, ask_alias},
                             {"aliases", 2, 0, ask_aliases},
                             {"points-to", 2, 0, ask_points_to},
                             {"flows", 3, 0, ask_flows},
                             {"reaches", 4, 2, ask_reaches}};

enum { N_VERBS = sizeof verbs / sizeof *verbs };

const char *const question_verbs[] = {"alias", "aliases", "points-to", "flows", "reaches", NULL};

/* Calls have commands of their own. */
static bool is_about_calls(const question *q) {
    static const char *const words[] = {"callers", "callees", "calls", "call", "called", NULL};
    bool about = q->n_words > 1 && strcmp(q->word[1], "calls") == 0;
    for (size_t i = 0; words[i]; i++) about |= strcmp(q->word[0], words[i]) == 0;
    return about;
}

static int refuse_question(const char *text, const question *q) {
    if (is_about_calls(q)) {
        complain(
            "'%s' is no question here: `cflr callgraph RESULT --callers F`, or --callees F, lists "
            "calls, and `cflr explain RESULT 'P calls F'` tells why one enters F",
            text);
        return EXIT_USAGE;
    }
    const char *meant = nearest(q->word[0], question_verbs, N_VERBS);
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

static const verb *verb_of(const question *q) {
    for (size_t i = 0; i < N_VERBS; i++)
        if (q->n_words == verbs[i].n_words && strcmp(q->word[0], verbs[i].word) == 0)
            return &verbs[i];
    return NULL;
}

/* ---- places where several expressions stand ---- */

/* A question that is being answered. */
typedef struct answering {
    asking *asking;
    const char *text;
    const verb *verb;
    const question *question;
} answering;

static int look_up_places(const answering *w) {
    int code = 0;
    asking *a = w->asking;
    const question *q = w->question;
    for (int i = 1; i < q->n_words && !code; i++)
        if (i != w->verb->label) code = operands_add(&a->places, a->graph, a->finder, q->word[i]);
    return code;
}

static int answer_question_of(const answering *w) {
    return w->verb->ask(w->asking, w->text, w->question);
}

/* An answer_choice: without what it is about. */
static int answer_into(void *user, FILE *file) {
    const answering *w = user;
    const answers to = w->asking->to;
    char *about = NULL;
    size_t size;
    FILE *subject = open_memstream(&about, &size);
    if (!subject) return fail_memory();
    w->asking->to = (answers){.file = file, .subject = subject};
    int code = answer_question_of(w);
    w->asking->to = to;
    if (fclose(subject) != 0 && !code) code = fail_memory();
    free(about);
    return code;
}

static int answer_meant(answering *w) {
    asking *a = w->asking;
    bool alike = true;
    int code = look_up_places(w);
    if (!code) code = operands_choose(&a->places, a->graph, answer_into, w, &alike);
    if (!code && !alike) code = operands_refuse(&a->places, a->graph);
    if (!code) code = answer_question_of(w);
    operands_free(&a->places);
    return code;
}

int ask_question(void *user, const char *text) {
    asking *a = user;
    question q;
    int code = cut_question(text, &q);
    const verb *v = code || q.n_words == 0 ? NULL : verb_of(&q);
    answering w = {a, text, v, &q};
    if (v)
        code = answer_meant(&w);
    else if (!code && q.n_words > 0)
        code = refuse_question(text, &q);
    free(q.text);
    return code;
}

/* ---- a result that is asked ---- */

int asking_begin(asking *a, const cflr_result *result, bool many) {
    cflr_error error;
    const cflr_graph *graph = cflr_result_graph(result);
    *a = (asking){.result = result,
                  .graph = graph,
                  .outside = cflr_graph_outside(graph),
                  .assumes = cflr_graph_assumption(graph)};
    cflr_status st = cflr_apart_new(graph, &a->apart, &error);
    if (st == CFLR_OK && many) st = cflr_finder_new(graph, &a->finder, &error);
    return st == CFLR_OK ? 0 : fail(&error);
}

void asking_end(asking *a) {
    cflr_finder_free(a->finder);
    cflr_apart_free(a->apart);
}
