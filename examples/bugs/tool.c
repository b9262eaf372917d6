/* SPDX-License-Identifier: Apache-2.0
 *
 * tool.c: an argument of the program, through an array and a function pointer, to exec; and memory
 * that malloc may not have given.
 *
 * The seeded bugs: the editor that an argument names is run as it is, and the array of arguments is
 * filled without a look at what malloc returned. The twins take the editor from a table, and look.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef int runner(char **words);

static int run_words(char **words) {
    return execvp(words[0], words); /* bug: words from outside */
}

static int run_table(char **words) {
    static char *const vi[] = {"vi", NULL};
    (void)words;
    return execvp(vi[0], vi);
}

static char **make_words(char *program, char *file) {
    char **words = malloc(3 * sizeof *words);
    words[0] = program; /* bug: out of memory */
    words[1] = file;
    words[2] = NULL;
    return words;
}

static char **make_checked_words(char *program) {
    char **words = malloc(2 * sizeof *words);
    if (!words) exit(1);
    words[0] = program;
    words[1] = NULL;
    return words;
}

int main(int argc, char **argv) {
    runner *run = argc > 1 && strcmp(argv[1], "-t") == 0 ? run_table : run_words;
    char **words = argc > 2 ? make_words(argv[1], argv[2]) : make_checked_words("true");
    return run(words);
}
