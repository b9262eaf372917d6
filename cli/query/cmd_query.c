/* SPDX-License-Identifier: Apache-2.0
 *
 * cmd_query.c: `cflr query RESULT QUESTION...`: asks a stored result (ask.c). "-" reads questions
 * from standard input, one a line; no question at a terminal is a shell (shell.c).
 */
#include "cli/answer/ask.h"
#include "cli/answer/loading.h"
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
    "P is file.c:line:name, file.c:line:column, function::name or a vertex number. Of a column\n"
    "the answer says what stands there; file.c:line:column:name is one of several.\n"
    "Which function calls which: `cflr callgraph RESULT`.\n";

/* Answers of questions, as operands, from standard input, or typed. */
static int ask_questions(asking *a, const cli_arguments *arguments) {
    if (arguments->n_operands == 1) {
        const shell_questions questions = {.path = arguments->operand[0],
                                           .graph = a->graph,
                                           .verbs = question_verbs,
                                           .to = &a->to,
                                           .answer = ask_question,
                                           .user = a};
        return shell_run(&questions);
    }
    writer w = writer_open();
    writer_list(&w, &answers_alone);
    a->to.file = w.file;
    a->to.list = w.list;
    return writer_close(&w, w.file || w.list ? ask_all(&a->to, arguments, ask_question, a) : 0);
}

static int ask_result(const cflr_result *result, const cli_arguments *arguments) {
    asking a;
    bool many = arguments->n_operands == 1 || list_has((char *const *)arguments->operand + 1, "-");
    int code = asking_begin(&a, result, many);
    if (!code) code = ask_questions(&a, arguments);
    asking_end(&a);
    return code;
}

static int run(const cli_arguments *given) {
    cflr_error error;
    cflr_result *result = NULL;
    const char *path = given->operand[0], *from_standard[] = {path, "-", NULL};
    cli_arguments lines = {.operand = from_standard, .n_operands = 2};
    const cli_arguments *arguments = given->n_operands > 1 || shell_can_run() ? given : &lines;
    int code = refuse_empty_questions(arguments);
    if (!code) code = refuse_words(arguments, question_verbs);
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
