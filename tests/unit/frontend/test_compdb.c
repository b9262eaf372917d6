/* SPDX-License-Identifier: Apache-2.0
 *
 * test_compdb.c: from databases and command lines to units.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "extract_support.h"
#include "frontend/compdb/compdb.h"
#include "frontend/compdb/compdb_flags.h"
#include "frontend/compdb/compdb_json.h"
#include "frontend/compdb/compdb_output.h"
#include "tests/support/fail_alloc.h"

#define BAD_DATABASES CFLR_SOURCE_DIR "/tests/bad/compdb"

static project p;
static cflri_units units;
static cflr_error error;

static void setup(void) {
    project_begin(&p);
    memset(&units, 0, sizeof units);
}
static void teardown(void) {
    cflri_units_free(&units);
    project_end(&p);
}

TestSuite(compdb, .init = setup, .fini = teardown);

static cflr_status list_with(const char *database, const char *const *files, size_t n_files,
                             const char *const *flags, size_t n_flags) {
    const cflri_units_request request = {.database = database,
                                         .files = files,
                                         .n_files = n_files,
                                         .flags = flags,
                                         .n_flags = n_flags};
    cflri_units_free(&units);
    memset(&error, 0, sizeof error);
    return cflri_units_list(p.context, &request, &units, &error);
}

/* Writes the database and lists it. %s in the text is the project's folder. */
static cflr_status list(const char *text) {
    char whole[8000];
    size_t at = 0;
    for (const char *c = text; *c; c++) {
        if (c[0] == '%' && c[1] == 's') {
            at += (size_t)snprintf(whole + at, sizeof whole - at, "%s", p.folder);
            c++;
        } else {
            whole[at++] = *c;
        }
        cr_assert_lt(at, sizeof whole - 1);
    }
    whole[at] = '\0';
    project_write(&p, "compile_commands.json", whole);
    return list_with(p.folder, NULL, 0, NULL, 0);
}

/* The arguments of unit i between the program and what is always appended, as one text. */
static const char *flags_of(size_t i) {
    static char text[2000];
    const cflri_unit *unit = &units.list.at[i];
    size_t at = 0;
    text[0] = '\0';
    for (int a = 1; a < unit->n_arguments && strcmp(unit->arguments[a], "-w") != 0; a++)
        at += (size_t)snprintf(text + at, sizeof text - at, "%s%s", at ? " " : "",
                               unit->arguments[a]);
    return text;
}

static bool has_argument(size_t i, const char *argument) {
    const cflri_unit *unit = &units.list.at[i];
    for (int a = 0; a < unit->n_arguments; a++)
        if (strcmp(unit->arguments[a], argument) == 0) return true;
    return false;
}

/* ---- words and paths ---- */

Test(compdb, words) {
    static const struct {
        const char *text, *shell, *file;
        bool complete;
    } rows[] = {
        {"", "", "", true},
        {"  a  b\tc\n", "a|b|c|", "a|b|c|", true},
        {"'a b' c", "a b|c|", "a b|c|", true},
        {"\"a b\"c", "a bc|", "a bc|", true},
        {"-DA=\\\"x\\\"", "-DA=\"x\"|", "-DA=\"x\"|", true},
        {"'-DA=\"x y\"'", "-DA=\"x y\"|", "-DA=\"x y\"|", true},
        {"\"a\\\"b\" \"a\\b\"", "a\"b|a\\b|", "a\"b|ab|", true},
        {"a\\ b", "a b|", "a b|", true},
        {"''", "|", "|", true},
        {"a''b", "ab|", "ab|", true},
        {"a\\\nb", "ab|", "ab|", true},
        {"'a b", "a b|", "a b|", false},
        {"\"a", "a|", "a|", false},
        {"a\\", "a\\|", "a\\|", true},
        {"'a\\'b", "a\\b|", "a'b|", true},
        {"'a\\\\b' \"c\\\\d\"", "a\\\\b|c\\d|", "a\\b|c\\d|", true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (int quoting = CFLRI_QUOTING_SHELL; quoting <= CFLRI_QUOTING_FILE; quoting++) {
            bool shell = quoting == CFLRI_QUOTING_SHELL;
            cflri_arena arena;
            cflri_words words = {0};
            bool complete;
            char found[200] = "";
            cflri_arena_init(&arena, p.context);
            cr_assert(cflri_words_split(&arena, rows[i].text, strlen(rows[i].text),
                                        (cflri_quoting)quoting, &words, &complete));
            for (size_t w = 0; w < words.n; w++) strcat(strcat(found, words.at[w]), "|");
            cr_expect_str_eq(found, shell ? rows[i].shell : rows[i].file, "%s", rows[i].text);
            if (shell) cr_expect_eq(complete, rows[i].complete, "%s", rows[i].text);
            cflri_vec_free(p.context, &words);
            cflri_arena_reset(&arena);
        }
    }
}

Test(compdb, paths) {
    static const char *const rows[][3] = {
        {"/a/b", "c.c", "/a/b/c.c"},
        {"/a/b", "/c.c", "/c.c"},
        {"/a/b", "../c.c", "/a/c.c"},
        {"/a/b", "./c.c", "/a/b/c.c"},
        {"/a//b/", "c.c", "/a/b/c.c"},
        {"/", "../../c.c", "/c.c"},
        {"/a", "..", "/"},
        {"/a", ".", "/a"},
        {"/a", "b/../../x/y", "/x/y"},
        {"/a", "..c", "/a/..c"},
        {"/a", "", "/a"},
        {"/a", "...", "/a/..."},
    };
    cflri_arena arena;
    cflri_arena_init(&arena, p.context);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        cr_expect_str_eq(cflri_path_absolute(&arena, rows[i][0], rows[i][1]), rows[i][2]);
    cflri_arena_reset(&arena);
}

/* ---- flags ---- */

/* What a command keeps. */
Test(compdb, flags) {
    static const char *const rows[][2] = {
        {"cc -c a.c -o a.o", ""},
        {"cc -DA -D B=1 -UC -U D -Ix -I y", "-DA -D B=1 -UC -U D -Ix -I y"},
        {"cc -isystem x -isystemx -iquote y -idirafter z",
         "-isystem x -isystemx -iquote y -idirafter z"},
        {"cc -include x.h -imacros y.h -include-pch z.pch", "-include x.h -imacros y.h"},
        {"cc -MD -MF a.d -MT a.o -MQ b.o -MMD -MP -MJ x", ""},
        {"cc -Werror -Wall -Wno-x -pedantic -w -g -ggdb3 -pipe -save-temps", ""},
        {"cc -Wp,-MD,a.d -Wp,-DA=1,-DB -Wl,-z,now", "-DA=1 -DB"},
        {"cc -fplugin=x.so -fplugin-arg-x-y=z -fno-lifetime-dse -fanalyzer", ""},
        {"cc -fPIC -fpic -fPIE -DPIC -fno-pie", ""},
        {"cc -funsigned-char -fshort-enums -ffreestanding",
         "-funsigned-char -fshort-enums -ffreestanding"},
        {"cc -fopenmp -DA", "-D_OPENMP=202011 -DA"},
        {"cc -fopenmp=libomp", "-D_OPENMP=202011"},
        {"cc -fopenmp-simd -fopenmp-version=51 -fno-openmp", ""},
        {"cc -m32 -march=native -mllvm -x -msse2", "-m32 -march=native -msse2"},
        {"cc --std=c99 -mtune=zen9 -ObjC -trigraphs -fno-unsigned-char -fno-hosted",
         "--std=c99 -trigraphs -fno-unsigned-char -fno-hosted"},
        {"cc -std=gnu99 -std=gnu++17 -ansi -O2", "-std=gnu99 -ansi -O2"},
        {"cc --param max=1 -Xlinker -y -Xclang -z -L lib -lfoo -l m", ""},
        {"cc --sysroot=/x --sysroot /y -nostdinc -pthread",
         "--sysroot=/x --sysroot /y -nostdinc -pthread"},
        {"cc -target x86_64-linux --target=arm", "-target x86_64-linux --target=arm"},
        {"cc -o", ""},
        {"cc -D", ""},
        {"cc -DA -- -DB", "-DA"},
        {"ccache gcc -DA", "-DA"},
        {"distcc ccache /usr/bin/gcc-12 -DA", "-DA"},
        {"env CCACHE_DIR=/x LANG=C gcc -DA", "-DA"},
        {"/bin/libtool --tag=CC --mode=compile gcc -DA -DPIC", "-DA"},
        {"ccache", ""},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cflri_arena arena;
        cflri_words words = {0};
        cflri_command command;
        bool complete;
        char found[400] = "";
        cflri_arena_init(&arena, p.context);
        cr_assert(cflri_words_split(&arena, rows[i][0], strlen(rows[i][0]), CFLRI_QUOTING_SHELL,
                                    &words, &complete));
        cr_assert(cflri_command_clean(&arena, &words, &command));
        for (size_t w = 0; w < command.flags.n; w++)
            strcat(strcat(found, w ? " " : ""), command.flags.at[w]);
        cr_expect_str_eq(found, rows[i][1], "%s: %s", rows[i][0], found);
        cflri_vec_free(p.context, &words);
        cflri_vec_free(p.context, &command.flags);
        cflri_arena_reset(&arena);
    }
}

/* What a command reads a file as. */
Test(compdb, languages) {
    static const struct {
        const char *command, *path, *language;
    } rows[] = {
        {"cc", "a.c", "C"},
        {"cc", "a.h", "C"},
        {"cc", "a.i", "C"},
        {"cc", "a.cc", "C++"},
        {"cc", "a.C", "C++"},
        {"cc", "a.cpp", "C++"},
        {"cc", "a.ii", "C++"},
        {"cc", "a.S", "assembler"},
        {"cc", "a.s", "assembler"},
        {"cc", "a.m", "Objective-C"},
        {"cc", "a.mm", "Objective-C++"},
        {"nvcc", "a.cu", "CUDA"},
        {"gfortran", "a.f90", "Fortran"},
        {"cc", "c", "unknown language"},
        {"cc", "a.d/c", "unknown language"},
        {"cc", "a.", "unknown language"},
        {"cc", "a.c h", "unknown language"},
        {"cc", "a.inc", "unknown language"},
        {"g++", "a.c", "C++"},
        {"g++", "a.h", "C++"},
        {"g++", "a.S", "assembler"},
        {"clang++-19", "a.c", "C++"},
        {"ccache x86_64-linux-gnu-g++-12", "a.c", "C++"},
        {"g++ -x c", "a.c", "C"},
        {"g++ -x c", "a.cc", "C"},
        {"cc -x c++", "a.c", "C++"},
        {"cc -xc++", "a.c", "C++"},
        {"cc -x cuda", "a.c", "CUDA"},
        {"cc -xc", "a.inc", "C"},
        {"cc -x c++ -x none", "a.c", "C"},
        {"cc -x assembler-with-cpp", "a.c", "assembler"},
        {"cc -x objective-c", "a.c", "Objective-C"},
        {"cc -x quux", "a.c", "unknown language"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cflri_arena arena;
        cflri_words words = {0};
        cflri_command command;
        bool complete;
        cflri_arena_init(&arena, p.context);
        cr_assert(cflri_words_split(&arena, rows[i].command, strlen(rows[i].command),
                                    CFLRI_QUOTING_SHELL, &words, &complete));
        cr_assert(cflri_command_clean(&arena, &words, &command));
        const char *other = cflri_command_other_language(&command, rows[i].path);
        cr_expect_str_eq(other ? other : "C", rows[i].language, "%s %s", rows[i].command,
                         rows[i].path);
        cflri_vec_free(p.context, &words);
        cflri_vec_free(p.context, &command.flags);
        cflri_arena_reset(&arena);
    }
}

/* ---- databases ---- */

Test(compdb, entries) {
    cr_assert_eq(
        list("[{\"directory\": \"%s\", \"file\": \"src/a.c\", \"output\": \"a.o\",\n"
             "  \"command\": \"gcc -DX=\\\\\\\"y\\\\\\\" -c src/a.c -o a.o\"},\n"
             " {\"directory\": \"%s/src\", \"file\": \"../b.c\", \"extra\": {\"a\": [1, {}]},\n"
             "  \"arguments\": [\"gcc\", \"-DZ=\\u00e9\\ud83d\\ude00 x\", \"b.c\"]},\n"
             " {\"directory\": \".\", \"file\": \"c.c\", \"command\": \"cc c.c\"}, ]\n"),
        CFLR_OK, "%s", error.message);
    cr_assert_eq(units.list.n, 3);
    char path[PROJECT_PATH * 2];
    cr_expect_str_eq(units.list.at[0].path, project_path(&p, "b.c", path));
    cr_expect_str_eq(units.list.at[1].path, project_path(&p, "c.c", path));
    cr_expect_str_eq(units.list.at[1].directory, p.folder, "relative to the database");
    cr_expect_str_eq(units.list.at[2].path, project_path(&p, "src/a.c", path));
    cr_expect_str_eq(flags_of(0), "-DZ=\xc3\xa9\xf0\x9f\x98\x80 x");
    cr_expect_str_eq(flags_of(2), "-DX=\"y\"");
    for (size_t i = 0; i < 3; i++) {
        const cflri_unit *unit = &units.list.at[i];
        cr_expect_str_eq(unit->arguments[0], "clang");
        cr_expect_str_eq(unit->arguments[unit->n_arguments - 1], unit->path);
        cr_expect(has_argument(i, "-U_FORTIFY_SOURCE"));
        cr_expect(has_argument(i, unit->directory));
    }
}

Test(compdb, duplicates) {
    cr_assert_eq(
        list("[{\"directory\": \"%s\", \"file\": \"a.c\", \"command\": \"cc -DA -c a.c -o 1.o\"},"
             "{\"directory\": \"%s\", \"file\": \"./a.c\", \"command\": \"gcc -fPIC -DA -c a.c -o "
             "2.o\"},"
             "{\"directory\": \"%s\", \"file\": \"a.c\", \"command\": \"cc -DB -c a.c\"},"
             "{\"directory\": \"%s\", \"file\": \"b.cc\", \"command\": \"c++ -c b.cc\"},"
             "{\"directory\": \"%s\", \"file\": \"c.s\", \"command\": \"cc -c c.s\"},"
             "{\"directory\": \"%s\", \"file\": \"a.c\", \"command\": \"ccache cc -Wall -DA "
             "a.c\"}]"),
        CFLR_OK, "%s", error.message);
    cr_expect_eq(units.list.n, 2);
    cr_expect_eq(units.duplicates, 2);
    cr_expect_eq(units.other_languages, 2);
    cr_expect_str_eq(flags_of(0), "-DA");
    cr_expect_str_eq(flags_of(1), "-DB");
}

/* Files of other languages are named, by language and path, each once. */
Test(compdb, other_languages_are_named) {
    static const char *const wanted[][2] = {
        {"C++", "a.c"}, {"C++", "b.cc"}, {"C++", "z.cc"}, {"assembler", "c.S"}};
    static const unsigned entries[] = {1, 2, 1, 1};
    char path[PROJECT_PATH * 2];
    cr_assert_eq(
        list("[{\"directory\": \"%s\", \"file\": \"z.cc\", \"command\": \"c++ -c z.cc\"},"
             "{\"directory\": \"%s\", \"file\": \"c.S\", \"command\": \"cc -c c.S\"},"
             "{\"directory\": \"%s\", \"file\": \"b.cc\", \"command\": \"c++ -c b.cc\"},"
             "{\"directory\": \"%s\", \"file\": \"a.c\", \"command\": \"g++ -c a.c\"},"
             "{\"directory\": \"%s\", \"file\": \"a.c\", \"command\": \"gcc -c a.c\"},"
             "{\"directory\": \"%s\", \"file\": \"./b.cc\", \"command\": \"c++ -fPIC b.cc\"}]"),
        CFLR_OK, "%s", error.message);
    cr_expect_eq(units.list.n, 1);
    cr_expect_eq(units.other_languages, 5);
    cr_assert_eq(units.foreign.n, 4);
    for (size_t i = 0; i < 4; i++) {
        cr_expect_str_eq(units.foreign.at[i].language, wanted[i][0]);
        cr_expect_str_eq(units.foreign.at[i].path, project_path(&p, wanted[i][1], path));
        cr_expect_eq(units.foreign.at[i].entries, entries[i]);
    }
    const char *cxx[] = {project_path(&p, "z.cc", path)};
    cr_expect_eq(list_with(p.folder, cxx, 1, NULL, 0), CFLR_NOT_FOUND);
    cr_expect(strstr(error.message, "C++"), "%s", error.message);
    const char *c[] = {project_path(&p, "a.c", path)};
    cr_expect_eq(list_with(p.folder, c, 1, NULL, 0), CFLR_OK);
    cr_expect_eq(units.list.n, 1);
    cr_expect_eq(units.foreign.n, 0, "not asked for, so no news");
}

/* The order in which a build ran does not show. */
Test(compdb, order_does_not_matter) {
    static const char *const entry[] = {
        "{\"directory\": \"%s\", \"file\": \"a.c\", \"command\": \"cc -fPIC -DA a.c\"}",
        "{\"directory\": \"%s\", \"file\": \"b.c\", \"command\": \"cc b.c\"}",
        "{\"directory\": \"%s\", \"file\": \"a.c\", \"command\": \"cc -DB a.c\"}"};
    static const int order[][3] = {{0, 1, 2}, {2, 1, 0}, {1, 2, 0}};
    char first[3000] = "";
    for (int o = 0; o < 3; o++) {
        char text[1000], found[3000] = "";
        snprintf(text, sizeof text, "[%s,%s,%s]", entry[order[o][0]], entry[order[o][1]],
                 entry[order[o][2]]);
        cr_assert_eq(list(text), CFLR_OK);
        for (size_t i = 0; i < units.list.n; i++) {
            strcat(strcat(found, units.list.at[i].path), " ");
            strcat(strcat(found, flags_of(i)), "\n");
        }
        if (o == 0) strcpy(first, found);
        cr_expect_str_eq(found, first);
    }
}

Test(compdb, response_files) {
    project_write(&p, "flags.rsp", "-DA \"-DB=1 2\"\n@more.rsp\n");
    project_write(&p, "more.rsp", "-DC '-DE=\\\"e f\\\"'");
    project_write(&p, "sub/flags.rsp", "-DS @more.rsp");
    project_write(&p, "sub/more.rsp", "-DT");
    project_write(&p, "loop.rsp", "-DL @loop.rsp @loop.rsp");
    cr_assert_eq(
        list("[{\"directory\": \"%s\", \"file\": \"a.c\",\n"
             "  \"command\": \"ccache gcc @flags.rsp -DD @missing.rsp -c a.c\"},\n"
             " {\"directory\": \"%s\", \"file\": \"b.c\", \"command\": \"gcc @loop.rsp b.c\"},\n"
             " {\"directory\": \"%s/sub\", \"file\": \"c.c\", \"arguments\": [\"gcc\", "
             "\"@flags.rsp\"]}]"),
        CFLR_OK, "%s", error.message);
    cr_assert_eq(units.list.n, 3);
    cr_expect_str_eq(flags_of(0), "-DA -DB=1 2 -DC -DE=\"e f\" -DD");
    cr_expect_eq(strncmp(flags_of(1), "-DL -DL", 7), 0, "a loop ends");
    cr_expect_str_eq(flags_of(2), "-DS -DT", "looked up where the command ran");
}

/* The target is read off a compiler's name; what the command says itself comes later and counts. */
Test(compdb, cross_compilers_name_their_target) {
    static const char *const rows[][2] = {
        {"gcc", ""},
        {"/usr/bin/cc", ""},
        {"gcc-12", ""},
        {"afl-gcc", ""},
        {"musl-gcc", ""},
        {"c99-gcc", ""},
        {"aarch64-linux-gnu-gcc", "--target=aarch64-linux-gnu"},
        {"aarch64-linux-gnu-gcc-12", "--target=aarch64-linux-gnu"},
        {"/none/bin/arm-none-eabi-gcc", "--target=arm-none-eabi"},
        {"arm-poky-linux-gnueabi-gcc --sysroot=/x", "--target=arm-poky-linux-gnueabi --sysroot=/x"},
        {"x86_64-w64-mingw32-gcc.exe", "--target=x86_64-w64-mingw32"},
        {"riscv64-unknown-elf-clang -m32", "--target=riscv64-unknown-elf -m32"},
        {"ccache avr-gcc -DA", "--target=avr -DA"},
        {"aarch64-linux-gnu-gcc-ar", "--target=aarch64-linux-gnu"},
        {"aarch64-linux-gnu-gccgo", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[300];
        snprintf(text, sizeof text,
                 "[{\"directory\": \"/\", \"file\": \"a.c\", \"command\": \"%s -c a.c\"}]",
                 rows[i][0]);
        cr_assert_eq(list(text), CFLR_OK, "%s", error.message);
        cr_expect_str_eq(units.list.at[0].arguments[0], "clang");
        cr_expect_str_eq(flags_of(0), rows[i][1], "%s", rows[i][0]);
    }
}

/* A toolchain with its own C library, in each of the places where these lie. */
Test(compdb, cross_compilers_have_their_headers) {
    static const char *const rows[][2] = {{"one/arm-none-eabi/include", "-idirafter"},
                                          {"two/arm-none-eabi/libc", "--sysroot="},
                                          {"six/arm-none-eabi/sysroot", "--sysroot="}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char header[100], text[300], path[PROJECT_PATH * 2], wanted[PROJECT_PATH * 3];
        snprintf(header, sizeof header, "%s/stdio.h", rows[i][0]);
        project_write(&p, header, "");
        snprintf(text, sizeof text,
                 "[{\"directory\": \"%%s/src\", \"file\": \"a.c\","
                 "\"command\": \"../%.3s/bin/arm-none-eabi-gcc -c a.c\"}]",
                 rows[i][0]);
        cr_assert_eq(list(text), CFLR_OK, "%s", error.message);
        snprintf(wanted, sizeof wanted, "--target=arm-none-eabi %s%s", rows[i][1],
                 project_path(&p, rows[i][0], path));
        cr_expect_str_eq(flags_of(0), wanted);
    }
}

Test(compdb, the_file_itself_may_be_named) {
    char path[PROJECT_PATH * 2];
    project_write(&p, "other-name.json",
                  "[{\"directory\": \"/x\", \"file\": \"a.c\", \"command\": \"cc a.c\"}]");
    cr_assert_eq(list_with(project_path(&p, "other-name.json", path), NULL, 0, NULL, 0), CFLR_OK);
    cr_expect_eq(units.list.n, 1);
}

Test(compdb, no_database_says_how_to_make_one) {
    char path[PROJECT_PATH * 2];
    const char *const places[] = {p.folder, project_path(&p, "nowhere", path)};
    for (int i = 0; i < 2; i++) {
        cr_expect_eq(list_with(places[i], NULL, 0, NULL, 0), CFLR_IO);
        cr_expect(strstr(error.message, "compdb -- make"), "%s", error.message);
        cr_expect(strstr(error.message, "CMAKE_EXPORT_COMPILE_COMMANDS"), "%s", error.message);
        cr_expect_str_eq(error.subject, places[i]);
    }
}

Test(compdb, restricted_to_files) {
    char a[PROJECT_PATH * 2], none[PROJECT_PATH * 2];
    cr_assert_eq(list("[{\"directory\": \"%s\", \"file\": \"a.c\", \"command\": \"cc -DA a.c\"},"
                      "{\"directory\": \"%s\", \"file\": \"a.c\", \"command\": \"cc -DB a.c\"},"
                      "{\"directory\": \"%s\", \"file\": \"b.c\", \"command\": \"cc b.c\"}]"),
                 CFLR_OK);
    project_path(&p, "x/../a.c", a);
    project_path(&p, "c.c", none);
    cr_expect_eq(list_with(p.folder, (const char *const[]){a}, 1, NULL, 0), CFLR_OK);
    cr_expect_eq(units.list.n, 2, "both configurations");
    cr_expect_eq(list_with(p.folder, (const char *const[]){a, none}, 2, NULL, 0), CFLR_NOT_FOUND);
    cr_expect_str_eq(error.subject, none);
    cr_expect_eq(units.list.n, 0);
}

Test(compdb, files_without_database) {
    const char *const files[] = {"/x/a.c", "/x/b.cc", "/x/a.c", "/x/h.h"};
    const char *const flags[] = {"-DA", "-Werror", "-Ix"};
    cr_assert_eq(list_with(NULL, files, 4, flags, 3), CFLR_OK);
    cr_expect_eq(units.list.n, 2);
    cr_expect_eq(units.duplicates, 1);
    cr_expect_eq(units.other_languages, 1);
    cr_expect_str_eq(flags_of(0), "-DA -Ix");
    cr_expect(has_argument(1, "c"), "a header is read as C, not precompiled");
    cr_expect_eq(list_with(NULL, files + 1, 1, NULL, 0), CFLR_ARGUMENT);
}

Test(compdb, flags_are_added_to_a_database) {
    const char *const flags[] = {"-DEXTRA"};
    cr_assert_eq(list("[{\"directory\": \"/x\", \"file\": \"a.c\", \"command\": \"cc -DA a.c\"}]"),
                 CFLR_OK);
    cr_assert_eq(list_with(p.folder, NULL, 0, flags, 1), CFLR_OK);
    cr_expect_str_eq(flags_of(0), "-DA -DEXTRA");
}

/* ---- damage ---- */

Test(compdb, corpus) {
    char line[512];
    unsigned cases = 0;
    FILE *table = fopen(BAD_DATABASES "/EXPECTED", "r");
    cr_assert(table != NULL);
    while (fgets(line, sizeof line, table)) {
        char file[100], status[20], part[100] = "", path[400];
        unsigned at_line, at_column;
        if (line[0] == '#') continue;
        cr_assert_geq(sscanf(line, "%99[^\t]\t%19[^\t]\t%u\t%u\t%99[^\n]", file, status, &at_line,
                             &at_column, part),
                      4, "%s", line);
        snprintf(path, sizeof path, BAD_DATABASES "/%s", file);
        cflr_extract_opts opts;
        cflr_extract_opts_init(&opts);
        opts.world = CFLR_WORLD_CLOSED;
        opts.database = path;
        project_try(&p, &opts);
        cr_expect_str_eq(cflr_status_name(p.status), status, "%s: %s", file, p.error.message);
        cr_expect(p.error.line == at_line && p.error.column == at_column, "%s:%u:%u: %s", file,
                  p.error.line, p.error.column, p.error.message);
        cr_expect(strstr(p.error.message, part), "%s: '%s' is not in '%s'", file, part,
                  p.error.message);
        cr_expect(strstr(p.error.subject, file), "%s: subject '%s'", file, p.error.subject);
        cases++;
    }
    fclose(table);
    cr_assert_geq(cases, 25);
}

static const char good[] =
    "[{\"directory\": \"/x\", \"file\": \"a.c\", \"command\": \"cc '-DA=\\\"\\u0041\\\"' a.c\"},\n"
    " {\"directory\": \"/y\", \"file\": \"b.c\", \"n\": [1.5e3, null, {\"k\": [[]]}], "
    "\"arguments\": "
    "[\"cc\", \"-DB\"]}]\n";

static void parse_bytes(const char *data, size_t size) {
    cflri_arena arena;
    cflri_compdb_entries entries = {0};
    cflri_arena_init(&arena, p.context);
    cflr_error why = {0};
    cflr_status st = cflri_compdb_parse(&arena, data, size, "x", &entries, &why);
    cr_assert(st == CFLR_OK || (st == CFLR_FORMAT && why.line > 0 && why.column > 0));
    cflri_vec_free(p.context, &entries);
    cflri_arena_reset(&arena);
}

/* Every length and every change of one byte: an answer, no crash, no leak. */
Test(compdb, every_byte_damaged) {
    size_t size = sizeof good - 1;
    for (size_t n = 0; n <= size; n++) {
        char *copy = malloc(n + 1);
        memcpy(copy, good, n);
        parse_bytes(copy, n);
        free(copy);
    }
    for (size_t i = 0; i < size; i++) {
        for (int byte = 0; byte < 256; byte++) {
            char *copy = malloc(size);
            memcpy(copy, good, size);
            copy[i] = (char)byte;
            parse_bytes(copy, size);
            free(copy);
        }
    }
}

/* ---- no memory ---- */

static cflr_status list_folder(cflr_context *context, void *user, cflr_error *why) {
    const cflri_units_request request = {.database = user};
    cflri_units listed;
    cflr_status st = cflri_units_list(context, &request, &listed, why);
    cflri_units_free(&listed);
    return st;
}

Test(compdb, every_allocation_may_fail) {
    project_write(&p, "flags.rsp", "-DA -DB");
    cr_assert_eq(
        list("[{\"directory\": \"%s\", \"file\": \"a.c\", \"command\": \"cc @flags.rsp -Wp,-DX "
             "a.c\"},"
             "{\"directory\": \"%s\", \"file\": \"b.c\", \"arguments\": "
             "[\"/x/bin/arm-none-eabi-gcc\"]},"
             "{\"directory\": \"%s\", \"file\": \"c.cc\", \"arguments\": [\"c++\"]}]"),
        CFLR_OK);
    cr_expect_gt(fail_alloc_sweep(list_folder, p.folder), 10);
}

/* ---- targets ---- */

Test(compdb, the_target_that_an_object_names) {
    static const struct {
        const char *output, *source, *target;
    } rows[] = {
        {NULL, "/s/x.c", ""},
        {"", "/s/x.c", ""},
        {"x.o", "/s/x.c", ""},
        {"sub/x.o", "/s/x.c", ""},
        /* CMake */
        {"CMakeFiles/app.dir/x.c.o", "/s/x.c", "/b/app"},
        {"src/CMakeFiles/app.dir/__/lib/x.c.o", "/s/x.c", "/b/src/app"},
        {"/other/src/CMakeFiles/my.app.dir/x.c.o", "/s/x.c", "/other/src/my.app"},
        {"CMakeFiles/app.dir/CMakeFiles/app.dir/made.c.o", "/s/made.c", "/b/app"},
        {"CMakeFiles/.dir/x.c.o", "/s/x.c", ""},
        {"CMakeFiles/x.c.o", "/s/x.c", ""},
        {"MyCMakeFiles/app.dir/x.c.o", "/s/x.c", ""},
        {"MyCMakeFiles/CMakeFiles/app.dir/x.c.o", "/s/x.c", "/b/MyCMakeFiles/app"},
        /* Meson */
        {"app.p/x.c.o", "/s/x.c", "/b/app"},
        {"src/libfoo.so.1.2.p/lib_x.c.o", "/s/lib/x.c", "/b/src/libfoo.so.1.2"},
        {"./src/../app.p/x.c.o", "/s/x.c", "/b/app"},
        {".p/x.c.o", "/s/x.c", ""},
        {"app.p/sub/x.c.o", "/s/x.c", ""},
        /* Automake */
        {"app-x.o", "/s/x.c", "/b/app"},
        {"src/app-x.o", "/s/x.c", "/b/app"},
        {".libs/libfoo_la-x.o", "/s/x.c", "/b/libfoo_la"},
        {"crypto/libcrypto-lib-x.o", "/s/x.c", "/b/libcrypto-lib"},
        {"-x.o", "/s/x.c", ""},
        {"app-y.o", "/s/x.c", ""},
        {"my-x.o", "/s/my-x.c", ""},
        {"app_x.o", "/s/x.c", ""},
        {"x", "/s/x", ""},
    };
    cflri_arena arena;
    cflri_arena_init(&arena, p.context);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *target = cflri_output_target(&arena, "/b", rows[i].output, rows[i].source);
        cr_assert(target != NULL);
        cr_expect_str_eq(target, rows[i].target, "%s: %s", rows[i].output, target);
    }
    cflri_arena_reset(&arena);
}

/* -o of the command counts before what the entry says beside it; of two the last, as for a
 * compiler. */
Test(compdb, where_the_output_stands) {
    cr_assert_eq(list("[{\"directory\":\"%s/d\",\"file\":\"a.c\",\"output\":\"one.p/a.o\","
                      "\"command\":\"cc a.c\"},"
                      "{\"directory\":\"%s/d\",\"file\":\"b.c\",\"output\":\"one.p/b.o\","
                      "\"command\":\"cc -o x.p/b.o -o two.p/b.o b.c\"},"
                      "{\"directory\":\"/else\",\"file\":\"c.c\","
                      "\"command\":\"cc c.c -o three.p/c.o\"}]"),
                 CFLR_OK);
    cr_assert_eq(units.targets.n, 3);
    cr_expect_str_eq(units.targets.at[0].name, "/else/three");
    cr_expect_str_eq(units.targets.at[1].name, "d/one");
    cr_expect_str_eq(units.targets.at[2].name, "d/two");
}
