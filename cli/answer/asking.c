/* SPDX-License-Identifier: Apache-2.0
 *
 * asking.c: questions to a result, from operands and from standard input.
 */
#include "cli/answer/asking.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/answer/loading.h"
#include "cli/answer/lost.h"
#include "cli/answer/outside.h"

int refuse_empty_questions(const cli_arguments *arguments) {
    int from_standard = 0;
    for (int i = 0; i < arguments->n_operands; i++) {
        const char *text = arguments->operand[i];
        if (i > 0 && !text[strspn(text, " \t\r\n")]) return usage_error("an empty question");
        from_standard += strcmp(text, "-") == 0;
    }
    return from_standard > 1 ? usage_error("standard input can be read once only: one '-'") : 0;
}

/* `query r.cflr reaches 0 S 1`: words that were to be one question. */
static bool lacks_quotes(const cli_arguments *arguments, const char *const *verbs, size_t n) {
    bool begins = false;
    if (arguments->n_operands < 3) return false;
    for (size_t i = 0; i < n; i++) begins |= !strcmp(arguments->operand[1], verbs[i]);
    for (int i = 2; i < arguments->n_operands; i++) {
        if (strpbrk(arguments->operand[i], " \t")) return false;
    }
    return begins;
}

int refuse_words(const cli_arguments *arguments, const char *const *verbs, size_t n_verbs) {
    char joined[256] = "";
    size_t n = 0;
    if (!lacks_quotes(arguments, verbs, n_verbs)) return 0;
    for (int i = 1; i < arguments->n_operands && n < sizeof joined; i++) {
        n += (size_t)snprintf(joined + n, sizeof joined - n, "%s%s", i > 1 ? " " : "",
                              arguments->operand[i]);
    }
    return usage_error("a question is one operand: quote it, as '%s'", joined);
}

void warn_of_result(const cflr_result *result, const char *path, const char *partial) {
    char slice[SLICE_TEXT];
    if (describe_slice(result, slice, sizeof slice)) {
        remark("warning: %s is %s of a result: %s", input_name(path), slice, partial);
    } else if (!cflr_result_complete(result)) {
        remark("warning: %s is a partial result: %s", input_name(path), partial);
    }
    warn_unfollowed_outside(result);
    warn_lost(result);
}

static void ask(answers *a, const char *text, answer_question *answer, void *user) {
    int code = answer(user, text);
    a->any_no |= code == EXIT_NO;
    if (code != EXIT_NO && !a->failure) a->failure = code;
}

/* A line that is blank or begins with '#' is no question. A reader that waits for one answer before
 * it asks the next gets each answer at once. 0, or the exit code after a message. */
static int ask_lines(answers *a, answer_question *answer, void *user) {
    char *line = NULL;
    size_t capacity = 0;
    const char *why = NULL;
    FILE *lines = open_lines("-");
    if (!lines) {
        complain("standard input: cannot open: %s", strerror(errno));
        return cflr_status_exit_code(CFLR_IO);
    }
    while (!out_of_time() && next_line(lines, &line, &capacity, &why) >= 0) {
        line[strcspn(line, "\r\n")] = '\0';
        if (line[0] != '#' && line[strspn(line, " \t")]) ask(a, line, answer, user);
        if (a->file) fflush(a->file);
    }
    free(line);
    fclose(lines);
    if (interrupted()) return EXIT_INTERRUPTED;
    if (!why) return 0;
    complain("standard input: cannot read: %s", why);
    return cflr_status_exit_code(CFLR_IO);
}

/* Is there no time for a further question? Said once, if not by the question before. */
static bool ends_asking(answers *a) {
    if (!out_of_time()) return false;
    if (!a->failure) a->failure = fail_out_of_time("not all questions are answered");
    return true;
}

int ask_all(answers *a, const cli_arguments *arguments, answer_question *answer, void *user) {
    a->headings = arguments->n_operands > 2 || strcmp(arguments->operand[1], "-") == 0;
    for (int i = 1; i < arguments->n_operands && !ends_asking(a); i++) {
        if (strcmp(arguments->operand[i], "-") != 0) {
            ask(a, arguments->operand[i], answer, user);
            continue;
        }
        int code = ask_lines(a, answer, user);
        if (code == EXIT_INTERRUPTED || !a->failure) a->failure = code;
        if (!code) ends_asking(a);
    }
    if (a->failure) return a->failure;
    return a->any_no ? EXIT_NO : EXIT_YES;
}
