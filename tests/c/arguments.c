/* What the system hands to main, and has put in variables of the library: vectors of strings. */
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"

static char *kept;
static char own[] = "own", *mine[] = {own, own, 0};

static void keep(char *text) {
    kept = text;
}

int main(int argc, char *argv[], char **envp) {
    char *first = argv[0], *last = argv[argc - 1];
    SAME(first, last); /* run without arguments */
    SAME(first, program_invocation_name);
    SAME(environ, envp);
    char *variable = envp[0], *same = environ[0];
    SAME(variable, same);
    APART(first, variable);
    keep(first);
    SAME(kept, argv[0]);
    APART(kept, variable);
    char **rest = argv + 1, **all = argv;
    SAME(rest[-1], first);
    APART(all, envp);
    INTO(mine[0], own);
    APART(mine[0], first);
    char *home = getenv("HOME");
    APART(home, first);
    while (getopt(argc, argv, "x:") != -1) keep(optarg);
    all = mine; /* another vector: its strings are not the system's */
    APART(all[0], first);
    argv = mine;
    INTO(argv[0], own);
    return CHECKED;
}
