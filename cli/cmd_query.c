/* SPDX-License-Identifier: Apache-2.0
 *
 * cmd_query.c: `cflr query RESULT QUESTION...`: asks a stored result.
 *
 *     alias P Q        may P and Q hold the same address?
 *     aliases P        everything that may hold the same address as P
 *     points-to P      the objects that P may point to
 *     reaches A L B    is the pair (A, B) in relation L?
 *
 * P is "file.c:line:name", "function::name" or a vertex number. A name that has clones (contexts)
 * stands for all of them. "-" reads questions from standard input, one a line.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

static struct poptOption table[] = {COMMON_OPTIONS};

enum { MAX_WORDS = 4, MAX_VERTICES = 4096 };

typedef struct question {
    char *text; /* owns the words */
    char *word[MAX_WORDS];
    int n_words;
} question;

typedef struct place_set {
    uint32_t vertex[MAX_VERTICES];
    size_t n;
} place_set;

/* The answers of one run: JSON is collected, text is printed as it comes. */
typedef struct asking {
    const cflr_result *result;
    const cflr_graph *graph;
    FILE *file;
    json_t *answers; /* NULL for text */
    bool any_no;
} asking;

/* Cuts at white space; "double quotes" keep it together. False when there are too many words. */
static bool cut_words(const char *text, question *q) {
    q->text = strdup(text);
    q->n_words = 0;
    if (!q->text) return false;
    for (char *at = q->text; *(at += strspn(at, " \t\r\n"));) {
        if (q->n_words == MAX_WORDS) return false;
        bool quoted = *at == '"';
        q->word[q->n_words++] = at += quoted;
        at += strcspn(at, quoted ? "\"" : " \t\r\n");
        if (*at) *at++ = '\0';
    }
    return true;
}

static int find(const asking *a, const char *spec, place_set *set) {
    cflr_error error;
    cflr_status st = cflr_graph_find(a->graph, spec, set->vertex, MAX_VERTICES, &set->n, &error);
    if (set->n > MAX_VERTICES) set->n = MAX_VERTICES;
    if (st == CFLR_OK) return 0;
    int code = fail(&error);
    for (size_t i = 0; st == CFLR_AMBIGUOUS && i < set->n && i < 20; i++) {
        char buffer[512];
        fprintf(stderr, "      %u: %s\n", set->vertex[i],
                vertex_text(a->graph, set->vertex[i], buffer, sizeof buffer));
    }
    return code;
}

static int answer_label(const asking *a, const char *what, uint32_t *label) {
    const char *name = cflr_result_answer(a->result, what);
    *label = name[0] ? cflr_result_find_label(a->result, name) : CFLR_NO_LABEL;
    if (*label != CFLR_NO_LABEL) return 0;
    complain("the grammar of this result does not answer '%s' (it has no `%%answer %s`)", what,
             what);
    return EXIT_USAGE;
}

static void say_yes_or_no(asking *a, const char *text, bool yes) {
    if (!yes) a->any_no = true;
    if (!a->answers) {
        fprintf(a->file, "%s\n", yes ? "yes" : "no");
        return;
    }
    json_t *object = json_object();
    json_object_set_new(object, "question", json_string(text));
    json_object_set_new(object, "answer", json_boolean(yes));
    json_array_append_new(a->answers, object);
}

static void say_list(asking *a, const char *text, const cflr_vertex_list *list) {
    if (list->count == 0) a->any_no = true;
    json_t *vertices = a->answers ? json_array() : NULL;
    for (size_t i = 0; i < list->count; i++) {
        char buffer[1024];
        uint32_t v = list->vertices[i];
        if (vertices)
            json_array_append_new(vertices, vertex_json(a->graph, v));
        else
            fprintf(a->file, "%s\n", vertex_text(a->graph, v, buffer, sizeof buffer));
    }
    if (!vertices) return;
    json_t *object = json_object();
    json_object_set_new(object, "question", json_string(text));
    json_object_set_new(object, "answer", vertices);
    json_array_append_new(a->answers, object);
}

static int ask_pair(asking *a, const char *text, uint32_t label, const char *from, const char *to) {
    static place_set sources, targets;
    int code = find(a, from, &sources);
    if (!code) code = find(a, to, &targets);
    if (code) return code;
    bool yes = false;
    for (size_t i = 0; !yes && i < sources.n; i++) {
        for (size_t k = 0; !yes && k < targets.n; k++) {
            yes = cflr_result_has(a->result, label, sources.vertex[i], targets.vertex[k]);
        }
    }
    say_yes_or_no(a, text, yes);
    return 0;
}

static int ask_list(asking *a, const char *text, const char *what, const char *spec) {
    static place_set sources;
    uint32_t label;
    int code = answer_label(a, what, &label);
    if (!code) code = find(a, spec, &sources);
    if (code) return code;
    cflr_vertex_list list;
    cflr_error error;
    if (cflr_result_targets(a->result, label, sources.vertex, sources.n, &list, &error) !=
        CFLR_OK) {
        return fail(&error);
    }
    say_list(a, text, &list);
    cflr_vertex_list_free(session(), &list);
    return 0;
}

static int ask_reaches(asking *a, const char *text, const question *q) {
    uint32_t label = cflr_result_find_label(a->result, q->word[2]);
    if (label == CFLR_NO_LABEL) {
        complain("the result has no relation '%s'", q->word[2]);
        return EXIT_USAGE;
    }
    return ask_pair(a, text, label, q->word[1], q->word[3]);
}

static int ask(asking *a, const char *text) {
    question q;
    int code = EXIT_USAGE;
    uint32_t label;
    if (!cut_words(text, &q)) {
        complain("'%s': too many words for a question", text);
    } else if (q.n_words == 0) {
        code = 0;
    } else if (q.n_words == 3 && strcmp(q.word[0], "alias") == 0) {
        code = answer_label(a, "alias", &label);
        if (!code) code = ask_pair(a, text, label, q.word[1], q.word[2]);
    } else if (q.n_words == 2 && strcmp(q.word[0], "aliases") == 0) {
        code = ask_list(a, text, "alias", q.word[1]);
    } else if (q.n_words == 2 && strcmp(q.word[0], "points-to") == 0) {
        code = ask_list(a, text, "points-to", q.word[1]);
    } else if (q.n_words == 4 && strcmp(q.word[0], "reaches") == 0) {
        code = ask_reaches(a, text, &q);
    } else {
        complain(
            "'%s' is no question: ask `alias P Q`, `aliases P`, `points-to P` or "
            "`reaches A LABEL B`",
            text);
    }
    free(q.text);
    return code;
}

static int ask_lines(asking *a) {
    char *line = NULL;
    size_t capacity = 0;
    int code = 0;
    while (!code && getline(&line, &capacity, stdin) >= 0) {
        line[strcspn(line, "\r\n")] = '\0';
        if (line[0] != '#') code = ask(a, line);
    }
    free(line);
    return code;
}

static int ask_all(asking *a, const cli_arguments *arguments) {
    int code = 0;
    for (int i = 1; !code && i < arguments->n_operands; i++) {
        const char *text = arguments->operand[i];
        code = strcmp(text, "-") == 0 ? ask_lines(a) : ask(a, text);
    }
    return code;
}

static int run(const cli_arguments *arguments) {
    cflr_error error;
    cflr_result *result = NULL;
    int code = session_begin();
    if (code) return code;
    if (cflr_result_load(session(), arguments->operand[0], &result, &error) != CFLR_OK) {
        return fail(&error);
    }
    if (!cflr_result_complete(result)) {
        remark("warning: %s is a partial result: a 'no' may be a 'yes'", arguments->operand[0]);
    }
    asking a = {.result = result, .graph = cflr_result_graph(result)};
    if (wants_json())
        a.answers = json_array();
    else
        a.file = open_output();
    if (!a.answers && !a.file) {
        code = cflr_status_exit_code(CFLR_IO);
    } else {
        code = ask_all(&a, arguments);
        int done = code ? code : a.any_no ? EXIT_NO : EXIT_YES;
        code = a.answers ? print_json(a.answers, done) : finish_output(a.file, done);
    }
    cflr_result_free(result);
    return code;
}

const command command_query = {.name = "query",
                               .operands = "RESULT QUESTION...",
                               .summary = "ask a result: alias, aliases, points-to, reaches",
                               .options = table,
                               .min_operands = 2,
                               .max_operands = -1,
                               .run = run};
