/* SPDX-License-Identifier: Apache-2.0
 *
 * shell.c: questions to a result, typed at a terminal, with history and completion (libedit).
 *
 *     cflr> points-to main::p             a question, as of `cflr query`
 *       1  list.c:17:17: text (variable, in main)
 *     cflr> why 1                         why that is an answer, as of `cflr explain`
 *     cflr> next                          the next page of a long answer; `all` of it
 *
 * An answer is printed into memory first and then shown page by page. `why` starts this program
 * anew, as `cflr explain`: it loads the result, which takes no longer than a key press where
 * results are mapped, and a search that is stopped leaves the shell as it is.
 */
#include "cli/query/shell.h"

#include <errno.h>
#include <histedit.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/query/shell_names.h"

extern char **environ;

enum { HISTORY = 1000, MOST_SHOWN = 60, MOST_LINE = 4096 };

typedef struct shell {
    const shell_questions *questions;
    char *asked;  /* the last question that was answered */
    char *answer; /* lines of it */
    size_t shown; /* bytes of it that are on the screen */
    size_t n;     /* lines that are */
    shell_names names;
    bool has_names;
    bool over;
} shell;

static const char *const commands_of_shell[] = {"why", "next", "all", "help", "quit", NULL};

bool shell_can_run(void) {
    return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && !wants_json() && output_is_standard();
}

/* ---- pages ---- */

static size_t page_lines(void) {
    struct winsize size;
    bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 5;
    return known ? size.ws_row - 3u : 20;
}

/* An answer with one line, such as yes, has no numbers. */
static bool is_list(const shell *s) {
    return strncmp(s->asked, "aliases ", 8) == 0 || strncmp(s->asked, "points-to ", 10) == 0;
}

static void show_lines(shell *s, size_t most) {
    const char *at = s->answer + s->shown;
    for (size_t i = 0; *at && i < most; i++) {
        size_t length = strcspn(at, "\n");
        if (is_list(s)) printf("%4zu  ", ++s->n);
        printf("%.*s\n", (int)length, at);
        at += length + (at[length] == '\n');
    }
    s->shown = (size_t)(at - s->answer);
    size_t left = 0;
    for (; *at; at++) left += *at == '\n';
    if (left > 0) printf("%zu more: next, all\n", left);
}

/* ---- questions ---- */

static void ask(shell *s, const char *text) {
    const shell_questions *q = s->questions;
    char *answer = NULL;
    size_t size;
    FILE *file = open_memstream(&answer, &size);
    if (!file) {
        fail_memory();
        return;
    }
    q->to->file = file;
    q->to->subject = stdout;
    int code = q->answer(q->user, text);
    q->to->file = NULL;
    if (fclose(file) != 0 || code > EXIT_NO) { /* after a message */
        free(answer);
        return;
    }
    free(s->answer);
    free(s->asked);
    s->answer = answer;
    s->asked = strdup(text);
    s->shown = s->n = 0;
    if (s->asked) show_lines(s, page_lines());
}

/* Line `number` of the answer, which names a place, as a name for a question; to be freed. NULL:
 * there is no such line, or it names none. */
static char *name_on_line(const shell *s, uint64_t number) {
    const char *at = s->answer;
    char *name;
    while (--number > 0 && *at) at += strcspn(at, "\n") + (at[strcspn(at, "\n")] == '\n');
    int length = (int)strcspn(at, "\n");
    const char *colon = memmem(at, (size_t)length, ": ", 2);
    const char *end = at + length;
    for (const char *k = at; k + 1 < at + length; k++)
        if (k[0] == ' ' && k[1] == '(') end = k;
    if (!colon || colon > end) return NULL;
    int n =
        asprintf(&name, "\"%.*s:%.*s\"", (int)(colon - at), at, (int)(end - colon - 2), colon + 2);
    return n < 0 ? NULL : name;
}

/* Runs this program as `cflr explain RESULT QUESTION`. */
static void explain(const shell *s, char *question) {
    char self[] = "/proc/self/exe", name[] = "explain";
    char *path = strdup(s->questions->path);
    char *words[] = {self, name, path, question, NULL};
    pid_t child;
    int status, failure = path ? posix_spawn(&child, self, NULL, NULL, words, environ) : ENOMEM;
    if (failure) complain("why: %s", strerror(failure));
    while (!failure && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    free(path);
}

static void explain_last(shell *s, const char *which) {
    uint64_t number;
    char *question = NULL, *name;
    if (!s->asked) {
        complain("why: there is no answer yet");
    } else if (!is_list(s)) {
        question = strdup(s->asked);
    } else if (!parse_count(which[0] ? which : "1", UINT32_MAX, &number) || number == 0 ||
               !(name = name_on_line(s, number))) {
        complain("why: a number of a line that names something, as `why 1`");
    } else {
        bool alias = strncmp(s->asked, "aliases", 7) == 0;
        const char *first = strchr(s->asked, ' ');
        if (asprintf(&question, "%s%s %s", alias ? "alias" : "points-to", first, name) < 0)
            question = NULL;
        free(name);
    }
    if (question) explain(s, question);
    free(question);
}

static void print_help(void) {
    fputs(
        "alias P Q        may P and Q hold the same address?\n"
        "aliases P        everything that may hold the same address as P\n"
        "points-to P      the objects that P may point to\n"
        "flows A B        may what A holds, a source of the grammar, get to B?\n"
        "reaches A L B    is the pair (A, B) in relation L?\n"
        "why, why N       why the last answer holds; of a list, its first line, or line N\n"
        "next, all        the next page of the last answer; the rest of it\n"
        "quit, q          leave, as the end of input does (^D)\n"
        "P is file.c:line:name, file.c:line:column, function::name or a vertex number; Tab\n"
        "completes names.\n",
        stdout);
}

static void obey(shell *s, char *line) {
    line[strcspn(line, "\r\n")] = '\0';
    line += strspn(line, " \t");
    size_t length = strcspn(line, " \t");
    const char *rest = line + length + strspn(line + length, " \t");
    bool alone = !*rest;
    if (!*line || *line == '#') return;
    if (alone && (!strcmp(line, "quit") || !strcmp(line, "q") || !strcmp(line, "exit")))
        s->over = true;
    else if (alone && !strcmp(line, "help"))
        print_help();
    else if (length == 3 && !strncmp(line, "why", 3))
        explain_last(s, rest);
    else if (alone && (!strcmp(line, "next") || !strcmp(line, "all")) && s->answer)
        show_lines(s, line[0] == 'a' ? SIZE_MAX : page_lines());
    else
        ask(s, line);
    fflush(stdout);
}

/* ---- completion ---- */

/* How many bytes all names of the range have in common. */
static size_t common_length(char *const *name, size_t n) {
    size_t length = strlen(name[0]);
    for (size_t i = 1; i < n; i++) {
        size_t k = 0;
        while (k < length && name[i][k] == name[0][k]) k++;
        length = k;
    }
    return length;
}

static void show_candidates(char *const *name, size_t n) {
    putchar('\n');
    for (size_t i = 0; i < n && i < MOST_SHOWN; i++) printf("%s%s", i ? "  " : "", name[i]);
    if (n > MOST_SHOWN) printf("  and %zu more", n - MOST_SHOWN);
    putchar('\n');
    fflush(stdout);
}

static unsigned char complete_from(EditLine *line, char *const *name, size_t n, size_t typed) {
    char rest[MOST_LINE];
    if (n == 0) return CC_REFRESH_BEEP;
    size_t length = common_length(name, n);
    bool whole = n == 1;
    if (length == typed && !whole) {
        show_candidates(name, n);
        return CC_REDISPLAY;
    }
    snprintf(rest, sizeof rest, "%.*s%s", (int)(length - typed), name[0] + typed, whole ? " " : "");
    return el_insertstr(line, rest) == 0 ? CC_REFRESH : CC_ERROR;
}

static unsigned char complete_word(EditLine *line, const shell_questions *q, const char *word,
                                   size_t typed) {
    char *found[16];
    size_t n = 0;
    for (int k = 0; k < 2; k++) {
        const char *const *list = k ? commands_of_shell : q->verbs;
        for (; *list && n < 16; list++)
            if (strncmp(*list, word, typed) == 0 && !(found[n++] = strdup(*list))) n--;
    }
    unsigned char done = complete_from(line, found, n, typed);
    while (n > 0) free(found[--n]);
    return done;
}

static unsigned char complete(EditLine *line, int key) {
    shell *s = NULL;
    (void)key;
    el_get(line, EL_CLIENTDATA, &s);
    const LineInfo *info = el_line(line);
    const char *word = info->cursor;
    while (word > info->buffer && word[-1] != ' ') word--;
    size_t typed = (size_t)(info->cursor - word), end;
    if (word == info->buffer) return complete_word(line, s->questions, word, typed);
    if (!s->has_names) shell_names_make(s->questions->graph, &s->names);
    s->has_names = true;
    size_t first = shell_names_find(&s->names, word, typed, &end);
    return complete_from(line, s->names.at + first, end - first, typed);
}

/* ---- lines ---- */

static const char *prompt(EditLine *line) {
    (void)line;
    return "cflr> ";
}

/* ~/.cflr_history, to be freed; NULL: there is no home. */
static char *history_path(void) {
    const char *home = getenv("HOME");
    char *path;
    return home && home[0] && asprintf(&path, "%s/.cflr_history", home) >= 0 ? path : NULL;
}

static void set_up(EditLine *line, History *past, shell *s) {
    HistEvent event;
    char *path = history_path();
    history(past, &event, H_SETSIZE, HISTORY);
    history(past, &event, H_SETUNIQUE, 1);
    if (path) history(past, &event, H_LOAD, path);
    free(path);
    el_set(line, EL_CLIENTDATA, s);
    el_set(line, EL_PROMPT, prompt);
    el_set(line, EL_EDITOR, "emacs");
    el_set(line, EL_HIST, history, past);
    el_wset(line, EL_ADDFN, L"cflr-complete", L"complete a word", complete); /* el_set leaks */
    el_set(line, EL_BIND, "^I", "cflr-complete", NULL);
    el_source(line, NULL); /* ~/.editrc */
}

static void read_lines(EditLine *line, History *past, shell *s) {
    HistEvent event;
    int n;
    const char *text;
    puts("`help` lists the questions; Tab completes.");
    fflush(stdout);
    while (!s->over && !interrupted() && (text = el_gets(line, &n)) && n > 0) {
        char *copy = strdup(text);
        if (!copy) break;
        if (text[0] != '\n') history(past, &event, H_ENTER, text);
        obey(s, copy);
        free(copy);
    }
    if (!s->over) putchar('\n');
    char *path = history_path();
    if (path) history(past, &event, H_SAVE, path);
    free(path);
}

int shell_run(const shell_questions *questions) {
    shell s = {.questions = questions};
    EditLine *line = el_init("cflr", stdin, stdout, stderr);
    History *past = history_init();
    if (line && past) {
        set_up(line, past, &s);
        read_lines(line, past, &s);
    }
    bool failed = !line || !past;
    if (past) history_end(past);
    if (line) el_end(line);
    free(s.asked);
    free(s.answer);
    shell_names_free(&s.names);
    return failed ? fail_memory() : interrupted() ? EXIT_INTERRUPTED : 0;
}
