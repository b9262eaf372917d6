/* SPDX-License-Identifier: Apache-2.0
 *
 * compdb_flags.c: which compiler flags matter.
 *
 * One table, first match wins. A flag that is not in it is dropped, so that what gcc adds next year
 * does no harm; the `separate` column matters for dropped flags too, because their argument would
 * otherwise be taken for an input file. Flags that begin with -f and -m are too many to list: of -f
 * those are kept that change types, keywords, macros or visibility, of -m all are (word size,
 * vector types). clang answers an unknown one with an error that has no place, which unit.c does
 * not count; a value that it does not know (-mcpu=) makes it refuse the command, and unit.c tries
 * again without the flags that weigh least.
 *
 * OpenMP is left off: libclang does not show the statements under its directives, which without it
 * are plain statements around pragmas that are not read. Its macro is defined all the same.
 */
#include "frontend/compdb/compdb_flags.h"

#include <string.h>

#include "cflr/extract.h"

typedef enum match {
    EXACT,
    PREFIX,
} match;

typedef enum action {
    DROP,
    KEEP,
    OPENMP, /* the macro that it defines, see above */
} action;

typedef struct rule {
    const char *text;
    match match;
    action action;
    bool separate; /* written alone, the next word is its argument */
} rule;

static const rule rules[] = {
    /* macros and headers; -DPIC comes with the second compile of a file for a shared library */
    {"-DPIC", EXACT, DROP, false},
    {"-D", PREFIX, KEEP, true},
    {"-U", PREFIX, KEEP, true},
    {"-I", PREFIX, KEEP, true},
    {"-isystem", PREFIX, KEEP, true},
    {"-iquote", PREFIX, KEEP, true},
    {"-idirafter", PREFIX, KEEP, true},
    {"-include-pch", EXACT, DROP, true},
    {"-include", PREFIX, KEEP, true},
    {"-imacros", PREFIX, KEEP, true},
    {"-iprefix", PREFIX, KEEP, true},
    {"-iwithprefixbefore", PREFIX, KEEP, true},
    {"-iwithprefix", PREFIX, KEEP, true},
    {"-isysroot", PREFIX, KEEP, true},
    {"--sysroot=", PREFIX, KEEP, false},
    {"--sysroot", EXACT, KEEP, true},
    {"-nostdinc", EXACT, KEEP, false},
    {"-nostdlibinc", EXACT, KEEP, false},
    {"-undef", EXACT, KEEP, false},
    {"-pthread", EXACT, KEEP, false},
    /* language and target */
    {"-ansi", EXACT, KEEP, false},
    {"-std=c++", PREFIX, DROP, false},
    {"-std=gnu++", PREFIX, DROP, false},
    {"-std=", PREFIX, KEEP, false},
    {"--std=", PREFIX, KEEP, false},
    {"-trigraphs", EXACT, KEEP, false},
    {"--target=", PREFIX, KEEP, false},
    {"-target", EXACT, KEEP, true},
    {"-ObjC", EXACT, DROP, false},
    {"-O", PREFIX, KEEP, false}, /* __OPTIMIZE__ and related macros */
    {"-mtune=", PREFIX, DROP, false},
    {"-mllvm", EXACT, DROP, true},
    {"-m", PREFIX, KEEP, false},
    {"-fvisibility=", PREFIX, KEEP, false},
    {"-fstrict-aliasing", EXACT, KEEP, false}, /* both tell extract.c how memory is read */
    {"-fno-strict-aliasing", EXACT, KEEP, false},
    {"-fshort-enums", EXACT, KEEP, false},
    {"-fno-short-enums", EXACT, KEEP, false},
    {"-fshort-wchar", EXACT, KEEP, false},
    {"-fno-short-wchar", EXACT, KEEP, false},
    {"-fsigned-char", EXACT, KEEP, false},
    {"-fno-signed-char", EXACT, KEEP, false},
    {"-funsigned-char", EXACT, KEEP, false},
    {"-fno-unsigned-char", EXACT, KEEP, false},
    {"-fms-extensions", EXACT, KEEP, false},
    {"-fno-ms-extensions", EXACT, KEEP, false},
    {"-fplan9-extensions", EXACT, KEEP, false},
    {"-fgnu89-inline", EXACT, KEEP, false},
    {"-fno-gnu89-inline", EXACT, KEEP, false},
    {"-ffreestanding", EXACT, KEEP, false},
    {"-fno-freestanding", EXACT, KEEP, false},
    {"-fhosted", EXACT, KEEP, false},
    {"-fno-hosted", EXACT, KEEP, false},
    {"-fno-builtin", PREFIX, KEEP, false},
    {"-fopenmp-", PREFIX, DROP, false}, /* -simd, -targets=, -version= */
    {"-fopenmp", PREFIX, OPENMP, false},
    {"-fblocks", EXACT, KEEP, false},
    {"-fpack-struct", PREFIX, KEEP, false},
    {"-fasm", EXACT, KEEP, false},
    {"-fno-asm", EXACT, KEEP, false},
    {"-fdollars-in-identifiers", EXACT, KEEP, false},
    {"-fno-dollars-in-identifiers", EXACT, KEEP, false},
    {"-ffast-math", EXACT, KEEP, false},
    /* dropped with the word that follows */
    {"-o", EXACT, DROP, true},
    {"-MF", EXACT, DROP, true},
    {"-MT", EXACT, DROP, true},
    {"-MQ", EXACT, DROP, true},
    {"-MJ", EXACT, DROP, true},
    {"-L", EXACT, DROP, true},
    {"-l", EXACT, DROP, true},
    {"-u", EXACT, DROP, true},
    {"-z", EXACT, DROP, true},
    {"-T", EXACT, DROP, true},
    {"-e", EXACT, DROP, true},
    {"-B", EXACT, DROP, true},
    {"-G", EXACT, DROP, true},
    {"-A", EXACT, DROP, true},
    {"-Xlinker", EXACT, DROP, true},
    {"-Xassembler", EXACT, DROP, true},
    {"-Xclang", EXACT, DROP, true},
    {"-Xanalyzer", EXACT, DROP, true},
    {"-aux-info", EXACT, DROP, true},
    {"--param", EXACT, DROP, true},
    {"-wrapper", EXACT, DROP, true},
    {"-specs", EXACT, DROP, true},
    {"-dumpbase", EXACT, DROP, true},
    {"-dumpbase-ext", EXACT, DROP, true},
    {"-dumpdir", EXACT, DROP, true},
    {"-framework", EXACT, DROP, true},
    {"-arch", EXACT, DROP, true},
    {"-plugin", EXACT, DROP, true},
    {"-imultilib", EXACT, DROP, true},
    {"-serialize-diagnostics", EXACT, DROP, true},
    {"--serialize-diagnostics", EXACT, DROP, true},
    {"-index-store-path", EXACT, DROP, true},
    {"-install_name", EXACT, DROP, true},
    /* dropped without a note */
    {"-W", PREFIX, DROP, false},
    {"-w", EXACT, DROP, false},
    {"-g", PREFIX, DROP, false},
    {"-c", EXACT, DROP, false},
    {"-M", PREFIX, DROP, false},
    {"-pipe", EXACT, DROP, false},
};

static const rule *find_rule(const char *word) {
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        const rule *r = &rules[i];
        bool same = r->match == EXACT ? strcmp(word, r->text) == 0
                                      : strncmp(word, r->text, strlen(r->text)) == 0;
        if (same) return r;
    }
    return NULL;
}

static bool is_one_of(const char *word, const char *const *list) {
    for (; *list; list++)
        if (strcmp(word, *list) == 0) return true;
    return false;
}

/* ---- the compiler ---- */

size_t cflri_command_driver(const cflri_words *words) {
    static const char *const wrappers[] = {"ccache",  "distcc",   "sccache", "icecc",
                                           "gomacc",  "nice",     "time",    "env",
                                           "libtool", "colorgcc", "goma",    NULL};
    size_t i = 0;
    while (i < words->n && is_one_of(cflri_path_base(words->at[i]), wrappers)) {
        i++;
        /* the wrapper's own options and settings */
        while (i < words->n && (words->at[i][0] == '-' || strchr(words->at[i], '='))) i++;
    }
    return i;
}

/* ---- flags ---- */

typedef struct cleaner {
    cflri_arena *arena;
    const cflri_words *words;
    size_t at;
    cflri_command *command;
} cleaner;

static bool keep(cleaner *c, const char *word) {
    return cflri_vec_push(c->arena->context, &c->command->flags, word);
}

/* -Wp,-DA,-MD,x: options for the preprocessor, of which macros count. */
static bool preprocessor_options(cleaner *c, const char *list) {
    while (*list) {
        size_t length = strcspn(list, ",");
        if (length > 2 && list[0] == '-' && (list[1] == 'D' || list[1] == 'U')) {
            const char *word = cflri_arena_copy_text(c->arena, list, length);
            if (!word || !keep(c, word)) return false;
        }
        list += length + (list[length] == ',');
    }
    return true;
}

/* -x LANGUAGE: of several, the last one before the end counts. */
static void language(cleaner *c, const char *word) {
    c->command->language = word;
    if (strcmp(word, "none") == 0) c->command->language = NULL;
}

static bool clean_word(cleaner *c) {
    const char *word = c->words->at[c->at];
    const char *next = c->at + 1 < c->words->n ? c->words->at[c->at + 1] : NULL;
    if (word[0] != '-' || !word[1]) return true; /* an input */
    if (strncmp(word, "-Wp,", 4) == 0) return preprocessor_options(c, word + 4);
    if (strncmp(word, "-x", 2) == 0) {
        if (word[2])
            language(c, word + 2);
        else if (next)
            language(c, c->words->at[++c->at]);
        return true;
    }
    const rule *r = find_rule(word);
    if (!r) return true;
    bool with_next = r->separate && strcmp(word, r->text) == 0;
    if (with_next) c->at++;
    if (strcmp(r->text, "-o") == 0) c->command->output = next;
    if (r->action == DROP || (with_next && !next)) return true;
    if (r->action == OPENMP) return keep(c, "-D_OPENMP=202011");
    return keep(c, word) && (!with_next || keep(c, next));
}

bool cflri_command_clean(cflri_arena *arena, const cflri_words *words, cflri_command *command) {
    cleaner c = {.arena = arena, .words = words, .command = command};
    memset(command, 0, sizeof *command);
    c.at = cflri_command_driver(words);
    command->driver = c.at < words->n ? words->at[c.at] : "cc";
    for (c.at++; c.at < words->n; c.at++) {
        if (strcmp(words->at[c.at], "--") == 0) break; /* inputs only from here */
        if (!clean_word(&c)) return false;
    }
    return true;
}

size_t cflr_extract_unknown_flags(const char *const *flags, size_t n_flags, size_t *unknown) {
    size_t n = 0;
    for (size_t i = 0; i < n_flags; i++) {
        const rule *r = flags[i][0] == '-' && flags[i][1] ? find_rule(flags[i]) : NULL;
        bool language = strncmp(flags[i], "-x", 2) == 0;
        if (!r && !language) unknown[n++] = i;
        if (language ? !flags[i][2] : r && r->separate && strcmp(flags[i], r->text) == 0) i++;
    }
    return n;
}

/* ---- languages ---- */

typedef struct language_row {
    const char *name;       /* NULL: C */
    const char *options;    /* of -x */
    const char *extensions; /* case counts: .C is C++ */
} language_row;

static const language_row languages[] = {
    {NULL, "c c-header cpp-output", "c h i"},
    {"C++", "c++ c++-header c++-cpp-output c++-module c++-system-header c++-user-header",
     "cc cp cpp CPP cxx CXX c++ C hh H hp hpp HPP hxx h++ ii tcc ixx cppm ccm cxxm"},
    {"assembler", "assembler assembler-with-cpp", "s S sx asm"},
    {"Objective-C", "objective-c objective-c-header objective-c-cpp-output", "m mi"},
    {"Objective-C++", "objective-c++ objective-c++-header objective-c++-cpp-output", "mm M mii"},
    {"CUDA", "cuda cu cuda-cpp-output", "cu cuh cui"},
    {"HIP", "hip hip-cpp-output", "hip"},
    {"OpenCL", "cl clcpp", "cl clcpp"},
    {"Fortran", "f77 f77-cpp-input f95 f95-cpp-input",
     "f F for FOR ftn FTN fpp FPP f90 F90 f95 F95 f03 F03 f08 F08"},
    {"Ada", "ada", "adb ads"},
    {"D", "d", "d di"},
    {"Go", "go", "go"},
    {"LLVM code", "ir", "ll bc"},
};

/* Is `word` in a list with blanks between? */
static bool has_word(const char *list, const char *word) {
    size_t length = strlen(word);
    for (; *list; list += strspn(list, " ")) {
        size_t n = strcspn(list, " ");
        if (n == length && strncmp(list, word, n) == 0) return true;
        list += n;
    }
    return false;
}

const char *cflri_command_other_language(const cflri_command *command, const char *path) {
    const char *dot = strrchr(cflri_path_base(path), '.');
    for (size_t i = 0; i < sizeof languages / sizeof *languages; i++) {
        const language_row *row = &languages[i];
        if (command->language ? has_word(row->options, command->language)
                              : dot && has_word(row->extensions, dot + 1)) {
            bool as_cxx =
                !row->name && !command->language && strstr(cflri_path_base(command->driver), "++");
            return as_cxx ? "C++" : row->name;
        }
    }
    return "unknown language";
}

/* ---- flags that clang may refuse ---- */

cflri_flag_weight cflri_flag_weigh(const char *flag) {
    static const char *const sizes[] = {"-m16", "-m32", "-m64", "-mx32", NULL};
    static const char *const prefixes[] = {"-m", "-f", "-O", "-std=", "--std=", "--target=", NULL};
    if (strncmp(flag, "-ferror-limit", 13) == 0) return CFLRI_FLAG_SOURCE;
    if (strncmp(flag, "-m", 2) == 0 && !is_one_of(flag, sizes)) return CFLRI_FLAG_PROCESSOR;
    for (const char *const *prefix = prefixes; *prefix; prefix++)
        if (strncmp(flag, *prefix, strlen(*prefix)) == 0) return CFLRI_FLAG_MACHINE;
    return CFLRI_FLAG_SOURCE;
}
