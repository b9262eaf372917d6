/* SPDX-License-Identifier: Apache-2.0
 *
 * run.h: what the commands of `cflr` share. This room alone prints; it uses the public headers
 * only.
 *
 * A command is one file cmd_<name>.c with one option table; help and completion follow from the
 * table, and the man page is checked against it. Results go to standard output or -o, everything
 * else to standard error.
 */
#ifndef CFLR_CLI_RUN_RUN_H
#define CFLR_CLI_RUN_RUN_H

#include <jansson.h>
#include <popt.h>
#include <stdbool.h>
#include <stdio.h>

#include "cflr/cflr.h"

/* Exit codes that are not a status; the others are cflr_status_exit_code. */
enum { EXIT_YES = 0, EXIT_NO = 1, EXIT_USAGE = 2, EXIT_INTERRUPTED = 130 };

/* ---- options (options.c) ---- */

/* Rows of an option table. A value is text, checked by the command, and the last one given counts;
 * it lives as long as the program. A help text that ends in "one of: WORD WORD" tells completion
 * which words there are. */
#define OPTION_VALUE(name, letter, variable, help, what) \
    { name, letter, POPT_ARG_STRING, variable, OPTION_TAKEN, help, what }
#define OPTION_LIST(name, letter, variable, help, what) \
    { name, letter, POPT_ARG_ARGV, variable, 0, help, what }
#define OPTION_FLAG(name, letter, variable, help) \
    { name, letter, POPT_ARG_NONE, variable, 0, help, NULL }
#define OPTION_TABLE(table, title) \
    { NULL, '\0', POPT_ARG_INCLUDE_TABLE, table, 0, title, NULL }
/* popt hands control back after each value, so that its text can be kept. */
enum { OPTION_TAKEN = 1 };

/* For help texts made from the lists of the public headers. */
#define OPTION_WORD(name, number, word, text) " " word
#define OPTION_TEXT(name, number, word, text) word,
#define GRAMMAR_FORMAT_HELP "one of:" CFLR_GRAMMAR_FORMAT_LIST(OPTION_WORD)
#define MODEL_HELP "one of:" CFLR_MODEL_LIST(OPTION_WORD)
#define TECHNIQUE_HELP "one of:" CFLR_TECHNIQUE_LIST(OPTION_WORD)
#define GRAPH_READ_HELP "one of: auto" CFLR_GRAPH_READABLE_LIST(OPTION_WORD)
#define GRAPH_WRITE_HELP "one of:" CFLR_GRAPH_WRITABLE_LIST(OPTION_WORD)

typedef struct common_options {
    char *threads;
    char *memory;
    char *time;
    char *format;
    char *output;
    int quiet;
    int verbose;
    int help;
} common_options;

extern common_options common;

/* How many values an OPTION_LIST has; NULL: it was not given. */
size_t list_length(char *const *list);
bool list_has(char *const *list, const char *word);

/* A word that an option takes; the last one of a list is NULL. */
typedef struct option_word {
    const char *word;
    int value;
} option_word;

/* The value of `text`; *value stays where that is NULL. 0, or the exit code after a message with
 * the words that there are. */
int read_word(const char *option, const char *text, const option_word *words, int *value);
/* Likewise of a size, which is not 0, of a number from `least` to `most`, and of --device. */
int read_size(const char *option, const char *text, uint64_t *bytes);
int read_count(const char *option, const char *text, uint32_t least, uint32_t most,
               uint32_t *value);
int read_device(const char *text, cflr_device *device);

extern struct poptOption common_table[], plain_table[];

/* The last entries of a command's table: of most, and of one whose work the engine does not do. */
#define COMMON_OPTIONS OPTION_TABLE(common_table, "Common options:"), POPT_TABLEEND
#define PLAIN_OPTIONS OPTION_TABLE(plain_table, "Common options:"), POPT_TABLEEND

/* One line an option: command, long name, short name or '-', name of the value or '-' for a flag,
 * help; tabs between. A command itself is a line with the long name '.' and, for the name of the
 * value, the words that its first operand may be. Shell completion is made from it. */
void dump_options(FILE *file);

/* Is the word an option of the command that runs: "--fields", "--fields=x", "-q"? */
bool is_own_option(const char *word);

/* ---- commands ---- */

typedef struct cli_arguments {
    const char **operand; /* what is left after the options */
    int n_operands;
    const char **flag; /* what follows "--" */
    int n_flags;
} cli_arguments;

typedef struct command {
    const char *name;
    const char *operands; /* for the usage line: "GRAPH" */
    const char *summary;  /* for `cflr help` */
    const char *words;    /* which the first operand may be, for completion; NULL: it is a name */
    const char *intro;    /* what its help says before the options, and */
    const char *notes;    /* behind them; NULL: nothing */
    struct poptOption *options;
    int min_operands, max_operands; /* max -1: any number */
    bool takes_flags;               /* compiler flags, or a command, after "--" */
    bool takes_ranks;               /* may be run by several processes together */
    int (*run)(const cli_arguments *arguments);
} command;

extern const command command_analyze, command_callgraph, command_check, command_compdb,
    command_convert, command_diff, command_explain, command_extract, command_grammar, command_graph,
    command_info, command_init, command_link, command_merge, command_query, command_report,
    command_serve, command_solve;
extern const command *const commands[];

/* Reads the options of a command and runs it. argv[0] is not looked at. */
int run_command(const command *chosen, int argc, const char **argv);

/* ---- the run (session.c) ---- */

/* Makes the context from the common options. Called by each command once its own options are
 * checked, so that usage errors come first. */
int session_begin(void); /* 0, or the exit code after a message */
/* The same, leaving out the techniques of the words, which end with NULL; NULL: none. */
int session_begin_without(char *const *words);
cflr_context *session(void);
double seconds_now(void);
/* Seconds of --time; 0: it was not given. */
double time_limit(void);
/* Of these, those that solving leaves for what comes after it: writing, searching, counting. */
double time_kept(void);
/* Is the run to end: is the time of --time over, or was it interrupted? For what the engine does
 * not do. */
bool out_of_time(void);
/* Says that what was found is not counted, or not printed, as a whole; the exit code of why. */
int fail_out_of_time(const char *what);
void session_end(void);
bool wants_json(void);

/* Read rows of a result. Where memory is refused the program ends, after a message. */
void read_row(const cflr_result *result, uint32_t label, uint32_t i, uint32_t vertex,
              cflr_row *row);
bool read_next_row(const cflr_result *result, uint32_t label, uint32_t i, uint64_t *cursor,
                   cflr_row *row); /* false at the end */

/* From now on SIGINT and SIGTERM ask the engine to stop, one that has no context yet as soon as it
 * has; one that comes a second later kills. */
void catch_signals(void);
/* Has one come? */
bool interrupted(void);
/* The file, "-" for standard input, to be read by next_line; a signal ends a read that waits. NULL:
 * errno says why. */
FILE *open_lines(const char *path);
/* The next line of questions with its newline, in a block that grows and the caller frees; its
 * length. -1 at the end, and when it cannot be read, which *why then tells (else NULL), or was
 * interrupted. A line has an end: at most 1 MiB are read of it. */
ssize_t next_line(FILE *file, char **line, size_t *capacity, const char **why);

/* Gets each line of a text, without its end, which it may change; numbers count from 1. 0, or an
 * exit code that ends the reading. */
typedef int line_taken(void *user, char *line, size_t number);
/* Reads a file of this name, or one that is open. 0, or the exit code after a message. (lines.c) */
int each_line(const char *path, line_taken *take, void *user);
int each_line_of(FILE *file, const char *name, line_taken *take, void *user);

/* Do the bytes, with what the library holds, pass --memory? */
bool over_memory(uint64_t bytes);
/* Has the library logged a warning? */
bool library_has_warned(void);

/* ---- several processes (ranks.c) ---- */

/* 0 for the first process, the only one that prints, and for one that is alone. */
uint32_t rank_number(void);
/* From now on only the first process has a standard output. */
void quiet_ranks(void);
/* 0, or the exit code after a message if the command is for one process. */
int check_ranks(const command *chosen);
/* Joins the processes that were started with this one, if there are any; needs the session. 0, or
 * the exit code after a message. */
int join_ranks(void);
/* Returns the code of the first process with one that is not 0; its message is printed. All
 * processes that have joined call it. */
int settle_ranks(int code);
/* The same, at the end. Needs the session. */
int leave_ranks(int code);
/* The end of a process; one that failed before it joined waits for the others. Returns the exit
 * code. */
int end_ranks(int code);
/* Remembers a message that this process may not print. */
void keep_complaint(const char *text);

/* ---- results (output.c) ---- */

/* "-" unless -o was given. */
const char *output_path(void);
bool output_is_standard(void);
/* The file of -o has been written: all that follows goes to standard output. */
void forget_output(void);
/* Standard output, or the file of -o, of which there is one at a time; closed by finish_output,
 * which returns the exit code to use: `code`, or 3 or 5 when the output could not be written. The
 * file takes the place of an older one then, and not when the code tells of an interruption or of
 * memory that ran out. */
FILE *open_output(void);
int finish_output(FILE *file, int code);
/* The same of another file than that of -o, or of standard output for "-"; closed likewise. */
FILE *open_file(const char *path);

/* Prints the object to the output, its keys in the order they were made, and frees it. */
int print_json(json_t *object, int code);

/* ---- targets of long work (writable.c) ---- */

/* 0 when a file of the name `path` can be written, as far as can be told before, or the exit code
 * after a message. */
int check_writable(const char *path);
/* The same for a graph, which may be a directory. */
int check_graph_target(const char *path, cflr_graph_format format);
bool ends_with(const char *path, const char *end);

/* ---- messages (message.c): always to standard error ---- */

void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Silent with -q. */
void remark(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Prints the error with its place, for text input also the line and a caret; returns its exit code.
 */
int fail(const cflr_error *error);
int fail_memory(void);
/* "cflr: ..." and a hint at --help; returns EXIT_USAGE. */
int usage_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The name of a file that was read, for messages: `-` is standard input. */
const char *input_name(const char *path);
/* The candidate nearest to `word` if one is near enough to be meant, else NULL. */
const char *nearest(const char *word, const char *const *candidates, size_t n);

/* ---- what a file is instead (mistaken.c) ---- */

typedef enum input { INPUT_GRAPH, INPUT_RESULT, INPUT_GRAMMAR } input;

/* Like fail(), of a file that was to be read as such; where it looks like another kind of file,
 * that is printed instead, and what can be done with it. */
int fail_reading(const cflr_error *error, const char *path, input wanted);

/* ---- progress (progress.c) ---- */

/* Is standard error a terminal that can move its cursor? */
bool on_terminal(void);
bool show_progress(void *user, const cflr_progress *progress);
void clear_progress(void);

/* ---- arrays (room.c) ---- */

/* Makes an array of `n` elements, each of so many bytes, large enough for one more; `at` is the
 * address of the pointer to them. False when out of memory; all is as it was then. */
bool make_room(void *at, size_t *capacity, size_t n, size_t size);

/* ---- text (text.c) ---- */

/* "8" up to `most`; false when it is no whole number or too large. */
bool parse_count(const char *text, uint64_t most, uint64_t *count);
/* "16G", "512M", "1.5G", "4096"; false when it is no size. */
bool parse_size(const char *text, uint64_t *bytes);
/* "90", "90s", "10m", "2h"; false when it is no duration. */
bool parse_duration(const char *text, double *seconds);
/* "0.85", "1e-6": a finite decimal number. */
bool parse_real(const char *text, double *value);
/* A path as people want to read it: without the working directory, when it lies below that. JSON
 * and files keep whole paths. */
const char *short_path(const char *path);

/* Text from a file or a command line as it may be seen: itself, or escaped (cflr_escape) in one of
 * some buffers that are used again. */
const char *shown(const char *text);

/* "file.c:12:5", the path as people want to read it. */
void print_place(FILE *file, const char *path, uint32_t line, uint32_t column);

/* A line of a table: a name and a number. */
void print_count(FILE *file, const char *name, uint64_t count);

/* Inside double quotes, where a quote and a backslash are escaped. */
void print_quoted(FILE *file, const char *text);

/* Cuts in place at white space; "double quotes" keep it together. How many words there are, `most`
 * + 1 when there are more, or -1 when a quote is not closed. */
int cut_words(char *text, char **word, int most);

/* ---- JSON (json.c) ---- */

/* From here on an allocation of the JSON library that fails ends the program with exit code 5; what
 * was written before stays. */
void json_begin(void);
/* Like json_string and json_object_set_new, for text that may hold any bytes: those that are not
 * UTF-8 become U+FFFD. */
json_t *json_text(const char *text);
void json_set(json_t *object, const char *key, json_t *value);
void json_set_text(json_t *object, const char *key, const char *text);
void json_set_count(json_t *object, const char *key, uint64_t count);
/* The members "file", "line" and "column". */
void json_set_place(json_t *object, const char *file, uint32_t line, uint32_t column);

#endif
