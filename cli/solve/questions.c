/* SPDX-License-Identifier: Apache-2.0
 *
 * questions.c: --from, --to and --pairs.
 *
 *     # a comment
 *     main::p   list.c:21:got        two names a line, as `cflr query` takes them
 *     17        "p -> next"
 *
 * A name that has clones stands for all of them: a line is then a pair for each two of them, and
 * the answer is yes when it is for one.
 */
#include "cli/solve/questions.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 24 }; /* what a block takes beside its bytes, about */

/* ---- --from and --to ---- */

/* All that the names stand for. */
static int read_names(const cflr_graph *graph, char **names, place_set *all) {
    size_t capacity = 0;
    for (size_t i = 0; names && names[i]; i++) {
        place_set found;
        int code = find_places(graph, NULL, names[i], (name_place){"", 0, 0}, &found);
        for (size_t k = 0; !code && k < found.n; k++) {
            if (make_room(&all->vertex, &capacity, all->n, sizeof *all->vertex)) {
                all->vertex[all->n++] = found.vertex[k];
            } else {
                code = fail_memory();
            }
        }
        free(found.vertex);
        if (code) return code;
    }
    return 0;
}

/* ---- --pairs ---- */

/* Where names are looked up. */
typedef struct source {
    const cflr_graph *graph;
    cflr_finder *finder;
} source;

static int add_line(questions *q, asked_line line, const place_set *sources,
                    const place_set *targets) {
    for (size_t i = 0; i < sources->n; i++) {
        for (size_t k = 0; k < targets->n; k++) {
            if (!make_room(&q->pair, &q->pair_capacity, q->n_pairs, sizeof *q->pair)) {
                return fail_memory();
            }
            q->pair[q->n_pairs++] = (cflr_pair){sources->vertex[i], targets->vertex[k]};
        }
    }
    line.end = q->n_pairs;
    if (!make_room(&q->line, &q->line_capacity, q->n_lines, sizeof *q->line)) return fail_memory();
    q->line[q->n_lines++] = line;
    return 0;
}

static int refuse_line(name_place where, const char *why) {
    cflr_error error = {.code = CFLR_SYNTAX, .line = where.line, .column = where.column};
    snprintf(error.subject, sizeof error.subject, "%s", where.path);
    snprintf(error.message, sizeof error.message, "%s", why);
    return fail(&error);
}

/* The bytes of all questions: a stream of them may have no end. */
static uint64_t held(const questions *q) {
    return q->n_bytes + q->line_capacity * sizeof *q->line + q->pair_capacity * sizeof *q->pair;
}

static int refuse_size(name_place where) {
    complain("%s:%u: memory limit reached", input_name(where.path), where.line);
    return cflr_status_exit_code(CFLR_LIMIT);
}

/* The vertices of both names, and their pairs. */
static int find_pair(questions *q, const source *from, asked_line line, name_place where) {
    place_set set[2] = {{0}, {0}};
    int code = 0;
    for (int i = 0; i < 2 && !code; i++) {
        where.column = (uint32_t)(line.name[i] - line.text) + 1;
        code = find_places(from->graph, from->finder, line.name[i], where, &set[i]);
    }
    if (!code) code = add_line(q, line, &set[0], &set[1]);
    free(set[0].vertex);
    free(set[1].vertex);
    return code;
}

static int read_line(questions *q, const source *from, const char *text, name_place where) {
    asked_line line = {.text = strdup(text)};
    if (!line.text) return fail_memory();
    int words = cut_words(line.text, line.name, 2), code = 0;
    if (words < 0) {
        code = refuse_line(where, "a quote is not closed");
    } else if (words == 2) {
        code = find_pair(q, from, line, where);
    } else if (words != 0) {
        code = refuse_line(where, "a line is two names of vertices");
    }
    if (code || words == 0)
        free(line.text);
    else
        q->n_bytes += strlen(text) + BLOCK;
    return code;
}

static int read_lines(questions *q, const source *from, const char *path, FILE *file) {
    char *line = NULL;
    size_t capacity = 0;
    int code = 0;
    const char *why = NULL;
    ssize_t length = 0;
    for (uint32_t number = 1; !code; number++) {
        length = next_line(file, &line, &capacity, &why);
        if (length < 0) break;
        name_place where = {path, number, (uint32_t)strspn(line, " \t\r\n") + 1};
        if (strlen(line) < (size_t)length) {
            code = refuse_line(where, "a NUL byte");
        } else if (line[where.column - 1] != '#') {
            code = read_line(q, from, line, where);
        }
        if (!code && over_memory(held(q))) code = refuse_size(where);
    }
    free(line);
    if (interrupted()) return EXIT_INTERRUPTED;
    if (code || !why) return code;
    complain("%s: cannot read: %s", input_name(path), why);
    return cflr_status_exit_code(CFLR_IO);
}

static int read_pairs(questions *q, const cflr_graph *graph, const char *path) {
    FILE *file = open_lines(path);
    if (!file) {
        complain("%s: cannot open: %s", path, strerror(errno));
        return cflr_status_exit_code(CFLR_IO);
    }
    cflr_error error;
    source from = {.graph = graph};
    /* a file without pairs asks for none, which is not the same as not asking */
    int code = make_room(&q->pair, &q->pair_capacity, 0, sizeof *q->pair) ? 0 : fail_memory();
    if (!code && cflr_finder_new(graph, &from.finder, &error) != CFLR_OK) code = fail(&error);
    if (!code) code = read_lines(q, &from, path, file);
    cflr_finder_free(from.finder);
    fclose(file);
    return code;
}

/* ---- all ---- */

int questions_read(questions *q, const cflr_graph *graph, char **from, char **to,
                   const char *pairs) {
    *q = (questions){0};
    int code = read_names(graph, from, &q->from);
    if (!code) code = read_names(graph, to, &q->to);
    if (!code && pairs) code = read_pairs(q, graph, pairs);
    return code;
}

void questions_free(questions *q) {
    for (size_t i = 0; i < q->n_lines; i++) free(q->line[i].text);
    free(q->line);
    free(q->pair);
    free(q->from.vertex);
    free(q->to.vertex);
    *q = (questions){0};
}

void questions_put(const questions *q, cflr_solve_opts *opts) {
    opts->from = q->from.vertex;
    opts->n_from = q->from.n;
    opts->to = q->to.vertex;
    opts->n_to = q->to.n;
    opts->pairs = q->pair;
    opts->n_pairs = q->n_pairs;
}

/* ---- answers ---- */

typedef enum verdict { NO, YES, UNKNOWN } verdict;

/* An incomplete result has no certain no. */
static verdict answer_line(const questions *q, size_t i, const cflr_result *result,
                           uint32_t label) {
    for (size_t p = i ? q->line[i - 1].end : 0; label != CFLR_NO_LABEL && p < q->line[i].end; p++) {
        if (cflr_result_has(result, label, q->pair[p].source, q->pair[p].target)) return YES;
    }
    return cflr_result_complete(result) ? NO : UNKNOWN;
}

void questions_print(const questions *q, const cflr_result *result, uint32_t label, FILE *file) {
    static const char *const words[] = {"no", "yes", "unknown"};
    for (size_t i = 0; i < q->n_lines; i++) {
        fprintf(file, "%s\t%s\t%s\n", shown(q->line[i].name[0]), shown(q->line[i].name[1]),
                words[answer_line(q, i, result, label)]);
    }
}

json_t *questions_json(const questions *q, const cflr_result *result, uint32_t label) {
    json_t *answers = json_array();
    for (size_t i = 0; i < q->n_lines; i++) {
        verdict answer = answer_line(q, i, result, label);
        json_t *object = json_object();
        json_set_text(object, "source", q->line[i].name[0]);
        json_set_text(object, "target", q->line[i].name[1]);
        json_set(object, "answer", answer == UNKNOWN ? json_null() : json_boolean(answer == YES));
        json_array_append_new(answers, object);
    }
    return answers;
}
