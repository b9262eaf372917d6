/* SPDX-License-Identifier: Apache-2.0
 *
 * readline.c: GNU Readline and History: functions in variables, lines, entries with data.
 *
 * What is used of the headers is said here, so that the program is analysed where they are not; it
 * is linked alone (tests/c/summaries/alone/main.c).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"

typedef struct {
    char *line, *timestamp;
    void *data;
} HIST_ENTRY;
typedef struct _keymap_entry *Keymap;

extern char **(*rl_attempted_completion_function)(const char *, int, int);
extern int (*rl_startup_hook)(void);
extern int (*rl_getc_function)(FILE *);
extern FILE *rl_instream, *rl_outstream;
extern char *rl_line_buffer;
extern const char *rl_readline_name;
char *readline(const char *), *tilde_expand(const char *);
char **rl_completion_matches(const char *, char *(*)(const char *, int));
int rl_bind_key(int, int (*)(int, int));
void rl_callback_handler_install(const char *, void (*)(char *)), rl_callback_read_char(void);
void rl_callback_handler_remove(void);
Keymap rl_get_keymap(void), rl_make_bare_keymap(void);
void rl_set_keymap(Keymap), using_history(void), add_history(const char *), clear_history(void);
HIST_ENTRY *history_get(int), *remove_history(int), **history_list(void), *current_history(void);
HIST_ENTRY *replace_history_entry(int, const char *, void *);
void *free_history_entry(HIST_ENTRY *);
int history_expand(char *, char **);
char **history_tokenize(const char *);

static const char *seen_prefix, *seen_match;
static char **seen_matches;
static char *seen_line;
static FILE *seen_stream;
static int started, bound;
static const char *input = "x\t\001\ny\n";

static char *generate(const char *prefix, int state) {
    seen_prefix = prefix;
    return state ? NULL : strdup("xyz");
}

static char **complete(const char *text, int begin, int end) {
    (void)begin, (void)end;
    seen_matches = rl_completion_matches(text, generate);
    if (seen_matches) seen_match = seen_matches[0]; /* Readline frees the list when it is done */
    return seen_matches;
}

static int on_start(void) {
    started = 1;
    return 0;
}

static int on_key(int count, int key) {
    (void)count, (void)key;
    bound = 1;
    return 0;
}

static int next_byte(FILE *stream) {
    seen_stream = stream;
    return *input ? *input++ : EOF;
}

static void on_line(char *line) {
    seen_line = line;
}

static void lines(void) {
    rl_instream = fopen("/dev/null", "r");
    rl_outstream = fopen("/dev/null", "w");
    FILE *stream = rl_instream;
    rl_attempted_completion_function = complete;
    rl_startup_hook = on_start;
    rl_getc_function = next_byte;
    rl_bind_key(1, on_key);
    char *line = readline("> ");
    FRESH(line);
    const char *a = seen_prefix;
    KNOWN(a);
    char **b = seen_matches;
    const char *match = seen_match;
    FRESH(b);
    KNOWN(match);
    FILE *c = seen_stream;
    SAME(c, stream);
    char *d = rl_line_buffer;
    const char *e = rl_readline_name;
    KNOWN(d);
    KNOWN(e);
    rl_callback_handler_install("> ", on_line);
    while (!seen_line && *input) rl_callback_read_char();
    rl_callback_handler_remove();
    char *f = seen_line;
    FRESH(f);
    APART(f, line);
    Keymap g = rl_get_keymap(), h = rl_make_bare_keymap();
    KNOWN(g);
    FRESH(h);
    rl_set_keymap(h);
    Keymap i = rl_get_keymap();
    SAME(i, h);
    char *j = tilde_expand("~/x");
    FRESH(j);
}

static void history(void) {
    static int tag;
    using_history();
    add_history("first");
    add_history("second");
    HIST_ENTRY *a = history_get(1), **list = history_list(), *b = list[0];
    FRESH(a);
    SAME(a, b);
    char *line = a->line;
    KNOWN(line);
    HIST_ENTRY *old = replace_history_entry(1, "other", &tag);
    KNOWN(old);
    HIST_ENTRY *c = history_get(2);
    void *d = c->data;
    POINTS_TO(d, tag);
    HIST_ENTRY *e = remove_history(1);
    SAME(e, c);
    void *f = free_history_entry(e);
    POINTS_TO(f, tag);
    char text[] = "!!", *out = NULL;
    history_expand(text, &out);
    FRESH(out);
    char **words = history_tokenize("a b"), *word = words[1];
    FRESH(words);
    FRESH(word);
    clear_history();
}

void run_readline(void);
void run_readline(void) {
    lines();
    history();
    int *done = started && bound ? &started : NULL;
    KNOWN(done);
}
