/* SPDX-License-Identifier: Apache-2.0
 *
 * extraction.c: the options of the front end, and running it. absent.c is what runs in a build
 * without it.
 */
#include "cli/extract/extraction.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/answer/loading.h"
#include "cli/extract/share.h"

static char *database, *fields, *locals, *calls, *callees, *arrays, *contexts, *clone_limit,
    *max_lost, *cache, *programs, *world, *aliasing;
static char **summaries, **targets, **shares;
static int data_flow;

struct poptOption extraction_table[] = {
    OPTION_VALUE("database", 'p', &database,
                 "directory of compile_commands.json, or the file (default: the nearest upward)",
                 "DIR"),
    OPTION_VALUE("fields", '\0', &fields,
                 "members apart, or as their whole object (default: sensitive), one of: sensitive "
                 "insensitive",
                 "LEVEL"),
    OPTION_VALUE("locals", '\0', &locals,
                 "a local pointer as one for each definition, or as one (default: split), one of: "
                 "split whole",
                 "HOW"),
    OPTION_FLAG("data-flow", '\0', &data_flow,
                "keep numbers and text, what tests of local pointers show, and where the "
                "library may return null"),
    OPTION_VALUE("arrays", '\0', &arrays,
                 "an array as one element, or its first elements apart where an index is constant "
                 "(default: one), one of: one constant",
                 "HOW"),
    OPTION_LIST("summaries", '\0', &summaries,
                "what functions outside the program do with pointers (may be repeated)", "FILE"),
    OPTION_LIST("share", '\0', &shares,
                "rules and summaries that projects share: all of DIR/summaries, and DIR/rules by "
                "their names (may be repeated)",
                "DIR"),
    OPTION_VALUE("cache", '\0', &cache,
                 "keep what units say in DIR, and read only what has changed", "DIR"),
    POPT_TABLEEND};

struct poptOption linking_table[] = {
    OPTION_LIST("target", '\0', &targets,
                "link this target and what it needs only (may be repeated)", "NAME"),
    OPTION_VALUE("programs", '\0', &programs,
                 "what several programs call by one name is apart, or one thing (default: apart), "
                 "one of: apart merged",
                 "HOW"),
    OPTION_VALUE("calls", '\0', &calls,
                 "passing a value as an assignment, or as call[i] and ret[i] (default: assign), "
                 "one of: assign brackets",
                 "HOW"),
    OPTION_VALUE(
        "context", '\0', &contexts,
        "one copy of a function, of what returns fresh memory one for each type that is "
        "made of it, "
        "or one for each call, or of all one for each call path (default: types with strict "
        "aliasing, else none), one of: none types heap clone",
        "LEVEL"),
    OPTION_VALUE("clone-limit", '\0', &clone_limit, "most vertices that cloning may make", "N"),
    OPTION_VALUE("world", '\0', &world,
                 "is the program all the code that there is, or called and fed by code outside "
                 "(default: closed with a `main`, else open), one of: closed open",
                 "HOW"),
    OPTION_VALUE(
        "aliasing", '\0', &aliasing,
        "what a pointer may hold by its type: anything, or what C's rules of aliasing allow; with "
        "text, what is copied as characters holds no pointers (default: text for analyze and "
        "check, unless there are --rules, another grammar or -fno-strict-aliasing, else any), one "
        "of: any strict text",
        "HOW"),
    OPTION_VALUE(
        "callees", '\0', &callees,
        "which functions a call through a pointer may enter: all that reach it, or those of a "
        "type that is compatible with the call's (default: types for closed programs with strict "
        "aliasing, else any), one of: any types",
        "WHICH"),
    OPTION_VALUE("max-lost", '\0', &max_lost,
                 "end with exit code 3 when more units have errors or cannot be read, N or N%",
                 "N"),
    POPT_TABLEEND};

int linkable;
char **asked_rules;
check_names names_of_checks;
static bool aliasing_chosen; /* by what is extracted */

/* An option that takes one of a few words. */
typedef struct choice {
    const char *name;
    char **text;
    option_word words[5];
} choice;

static const choice choices_of_linking[] = {
    {"programs", &programs, {{"apart", CFLR_PROGRAMS_APART}, {"merged", CFLR_PROGRAMS_MERGED}}},
    {"calls", &calls, {{"assign", CFLR_CALLS_ASSIGN}, {"brackets", CFLR_CALLS_BRACKETS}}},
    {"context",
     &contexts,
     {{"none", CFLR_CONTEXT_NONE},
      {"types", CFLR_CONTEXT_TYPES},
      {"heap", CFLR_CONTEXT_HEAP},
      {"clone", CFLR_CONTEXT_CLONE}}},
    {"callees", &callees, {{"any", CFLR_CALLEES_ANY}, {"types", CFLR_CALLEES_TYPES}}},
    {"aliasing",
     &aliasing,
     {{"any", CFLR_ALIASING_ANY}, {"strict", CFLR_ALIASING_STRICT}, {"text", CFLR_ALIASING_TEXT}}},
    {"world", &world, {{"closed", CFLR_WORLD_CLOSED}, {"open", CFLR_WORLD_OPEN}}},
    {NULL, NULL, {{NULL, 0}}}};

static const choice choices_of_reading[] = {
    {"fields",
     &fields,
     {{"sensitive", CFLR_FIELDS_SENSITIVE}, {"insensitive", CFLR_FIELDS_INSENSITIVE}}},
    {"locals", &locals, {{"split", CFLR_LOCALS_SPLIT}, {"whole", CFLR_LOCALS_WHOLE}}},
    {"arrays", &arrays, {{"one", CFLR_ARRAYS_ONE}, {"constant", CFLR_ARRAYS_CONSTANT}}},
    {NULL, NULL, {{NULL, 0}}}};

/* 0, or the exit code after a message. */
static int check_choices(const choice *c) {
    int code = 0, value;
    for (; c->name && !code; c++) code = read_word(c->name, *c->text, c->words, &value);
    return code;
}

/* The value of an option; `value` where it was not given. */
static int chosen(char *const *option, int value) {
    const choice *c = choices_of_linking;
    while (c->name && c->text != option) c++;
    if (!c->name) c = choices_of_reading;
    while (c->text != option) c++;
    read_word(c->name, *option, c->words, &value);
    return value;
}

/* Does the graph that is asked for have locations? */
static bool aliasing_strict(void) {
    return chosen(&aliasing, CFLR_ALIASING_ANY) != CFLR_ALIASING_ANY;
}

static bool fields_insensitive(void) {
    return chosen(&fields, CFLR_FIELDS_SENSITIVE) == CFLR_FIELDS_INSENSITIVE;
}

const char *default_grammar(const cflr_graph *graph) {
    if (fields_insensitive()) return "pointer";
    return has_locations(graph) ? "pointer-types" : "pointer-fs";
}

void extraction_default_aliasing(void) {
    aliasing_chosen = !aliasing && !rules_given() && !fields_insensitive();
}

bool rules_given(void) {
    return asked_rules && asked_rules[0];
}

const char *extraction_cache(void) {
    return cache;
}

void extraction_default_closed(void) {
    static char closed[] = "closed";
    if (!world) world = closed;
}

/* --max-lost: units, or percents of them; false when it is neither. */
static bool parse_max_lost(uint64_t *most, bool *percent) {
    char number[32];
    size_t length = strlen(max_lost);
    *percent = length > 0 && max_lost[length - 1] == '%';
    if (length >= sizeof number) return false;
    snprintf(number, sizeof number, "%.*s", (int)(length - *percent), max_lost);
    return parse_count(number, *percent ? 100 : UINT32_MAX, most);
}

/* With nothing named to read: 0, or the exit code after a message. */
static int choose_database(void) {
    static char path[PATH_MAX];
    if (!find_database(path)) {
        return usage_error(
            "nothing to read: give C files or -p DIR; there is no compile_commands.json here, in "
            "build/ or above (`cflr compdb -- make` makes one)");
    }
    database = path;
    remark("reading %s", short_path(path));
    return 0;
}

/* 0, or the exit code after a message. */
static int check_linking(void) {
    uint64_t limit;
    bool percent;
    int code = check_choices(choices_of_linking);
    if (code) return code;
    if (clone_limit && (!parse_count(clone_limit, UINT32_MAX, &limit) || limit == 0)) {
        return usage_error("--clone-limit %s: not a number of vertices", clone_limit);
    }
    if (clone_limit && chosen(&contexts, CFLR_CONTEXT_NONE) == CFLR_CONTEXT_NONE)
        return usage_error("--clone-limit goes with --context types, heap or clone");
    if (max_lost && !parse_max_lost(&limit, &percent)) {
        return usage_error("--max-lost %s: a number of units, or N%% of them", max_lost);
    }
    return 0;
}

int extraction_check(const cli_arguments *arguments, bool linking) {
    int code = check_linking();
    if (linking) return code;
    if (!code) code = check_choices(choices_of_reading);
    if (code) return code;
    if (aliasing_strict() && rules_given())
        return usage_error("--aliasing %s goes without --rules, whose grammars have no locations",
                           aliasing);
    if (aliasing_strict() && fields_insensitive())
        return usage_error("--aliasing %s tells members apart: no --fields insensitive", aliasing);
    if (linkable && rules_given()) return usage_error("--linkable goes without --rules");
    bool files = arguments->n_operands > 0;
    if (arguments->n_flags && (database || !files)) {
        return usage_error("flags after -- go with files that no compilation database lists");
    }
    return database || files ? 0 : choose_database();
}

#if CFLR_WITH_FRONTEND

/* Has a note said so? The only unit is lost, and that is the failure. */
static bool told(const cflr_extract_report *report, const cflr_error *error) {
    const cflr_note *note = report ? cflr_extract_note(report, 0) : NULL;
    return note && note->kind == CFLR_NOTE_LOST && !common.quiet &&
           strcmp(note->file, error->subject) == 0 && strcmp(note->text, error->message) == 0;
}

static int refuse_flag(const char *flag, const char *value) {
    return usage_error("after --, '%s%s%s' goes to the compiler: options of cflr come before --",
                       flag, *value ? " " : "", value);
}

/* `-o out.cflr` is no object file of a compiler. */
static int check_output_flag(const cli_arguments *arguments, int i) {
    const char *value = i + 1 < arguments->n_flags ? arguments->flag[i + 1] : "";
    if (strcmp(arguments->flag[i], "-o") != 0) return 0;
    if (ends_with(value, ".cflr") || ends_with(value, ".cflg")) return refuse_flag("-o", value);
    if (!ends_with(value, ".o"))
        remark("warning: after --, '-o %s' has no effect: options of cflr come before --", value);
    return 0;
}

/* Flags that were typed and do nothing may be slips of the pen; or they are options of this
 * command. */
static int check_unknown_flags(const cli_arguments *arguments, const size_t *unknown, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const char *flag = arguments->flag[unknown[i]];
        bool is_long = strncmp(flag, "--", 2) == 0;
        if (is_long && is_own_option(flag)) return refuse_flag(flag, "");
    }
    for (size_t i = 0; i < n; i++) {
        const char *flag = arguments->flag[unknown[i]];
        const char *why = flag[0] != '-'        ? "is no flag; files come before --"
                          : is_own_option(flag) ? "has no effect: options of cflr come before --"
                                                : "has no effect";
        remark("warning: after --, '%s' %s", flag, why);
    }
    return 0;
}

/* 0, or the exit code after a message. */
static int check_flags(const cli_arguments *arguments) {
    int code = 0;
    size_t *unknown = calloc((size_t)arguments->n_flags + 1, sizeof *unknown);
    if (!unknown) return fail_memory();
    size_t n = cflr_extract_unknown_flags(arguments->flag, (size_t)arguments->n_flags, unknown);
    for (int i = 0; i < arguments->n_flags && !code; i++) code = check_output_flag(arguments, i);
    if (!code) code = check_unknown_flags(arguments, unknown, n);
    free(unknown);
    return code;
}

static void put_check_names(cflr_extract_opts *opts) {
    const check_names *names = &names_of_checks;
    opts->may_alias = (const char *const *)names->may_alias;
    opts->n_may_alias = list_length(names->may_alias);
    opts->must_alias = (const char *const *)names->must_alias;
    opts->n_must_alias = list_length(names->must_alias);
    opts->no_alias = (const char *const *)names->no_alias;
    opts->n_no_alias = list_length(names->no_alias);
}

static void put_linking(cflr_extract_opts *opts) {
    cflr_extract_opts_init(opts);
    opts->targets = (const char *const *)targets;
    opts->n_targets = list_length(targets);
    opts->programs = (cflr_programs)chosen(&programs, CFLR_PROGRAMS_APART);
    opts->calls = (cflr_calls)chosen(&calls, CFLR_CALLS_ASSIGN);
    opts->context = (cflr_contexts)chosen(&contexts, CFLR_CONTEXT_AUTO);
    if (clone_limit) parse_count(clone_limit, UINT32_MAX, &opts->clone_limit);
    opts->callees = (cflr_callees)chosen(&callees, CFLR_CALLEES_AUTO);
    opts->aliasing = (cflr_aliasing)chosen(&aliasing, CFLR_ALIASING_ANY);
    if (aliasing_chosen) opts->aliasing = CFLR_ALIASING_AUTO;
    opts->world = (cflr_world)chosen(&world, CFLR_WORLD_AUTO);
    opts->linkable = linkable != 0;
}

static shared_files shared;

static void free_shared(void) {
    share_free(&shared);
}

/* 0, or the exit code after a message. */
static int find_shared(bool linking) {
    static bool registered;
    share_free(&shared);
    shared = (shared_files){0};
    if (!registered) registered = atexit(free_shared) == 0;
    return linking ? 0 : share_find(shares, asked_rules, summaries, &shared);
}

static void put_opts(const cli_arguments *arguments, bool linking, cflr_extract_opts *opts) {
    put_linking(opts);
    if (linking) return;
    opts->database = database;
    opts->files = arguments->operand;
    opts->n_files = (size_t)arguments->n_operands;
    opts->flags = arguments->flag;
    opts->n_flags = (size_t)arguments->n_flags;
    opts->data_flow = data_flow != 0;
    opts->fields = (cflr_fields)chosen(&fields, CFLR_FIELDS_SENSITIVE);
    opts->locals = (cflr_locals)chosen(&locals, CFLR_LOCALS_SPLIT);
    opts->arrays = (cflr_arrays)chosen(&arrays, CFLR_ARRAYS_ONE);
    put_check_names(opts);
    opts->summaries = (const char *const *)shared.summaries;
    opts->n_summaries = list_length(shared.summaries);
    opts->cache = cache;
    opts->parsing = CFLR_PARSING_WORKERS;
    opts->rules = (const char *const *)shared.rules;
    opts->n_rules = list_length(shared.rules);
}

int extraction_list(const cli_arguments *arguments, bool linking, cflr_extract_report **report) {
    cflr_extract_opts opts;
    cflr_error error;
    size_t n = (size_t)arguments->n_operands;
    int code = find_shared(linking);
    if (code) return code;
    put_opts(arguments, linking, &opts);
    cflr_status st = linking
                         ? cflr_link_list(session(), arguments->operand, n, &opts, report, &error)
                         : cflr_extract_list(session(), &opts, report, &error);
    return st == CFLR_OK ? 0 : fail(&error);
}

int extraction_run(const cli_arguments *arguments, bool linking, cflr_graph **graph,
                   cflr_extract_report **report) {
    cflr_extract_opts opts;
    cflr_error error;
    size_t n = (size_t)arguments->n_operands;
    int code = linking ? 0 : check_flags(arguments);
    if (!code) code = find_shared(linking);
    if (code) return code;
    put_opts(arguments, linking, &opts);
    cflr_status st = linking
                         ? cflr_link(session(), arguments->operand, n, &opts, graph, report, &error)
                         : cflr_extract(session(), &opts, graph, report, &error);
    if (*report) notes_print(*report);
    if (st == CFLR_OK) return 0;
    return told(*report, &error) ? cflr_status_exit_code(st) : fail(&error);
}

int extraction_verdict(const cflr_extract_report *report, int code) {
    cflr_extract_counts c;
    uint64_t most;
    bool percent;
    if (!report || code > EXIT_NO) return code;
    cflr_extract_get_counts(report, &c);
    if (c.units_limited > 0) code = cflr_status_exit_code(CFLR_LIMIT);
    if (!max_lost || !parse_max_lost(&most, &percent)) return code;
    uint64_t lost = (uint64_t)c.units_lost + c.units_degraded;
    bool within = percent ? 100 * lost <= most * c.units : lost <= most;
    if (within) return code;
    complain("of %" PRIu32 " units, %" PRIu32 " lost and %" PRIu32
             " with errors: more than --max-lost %s allows",
             c.units, c.units_lost, c.units_degraded, max_lost);
    return cflr_status_exit_code(CFLR_IO);
}

#endif
