/* What functions of the library may be given, and what they must not. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int words(char *line) {
    int n = 0;
    char *rest = NULL;
    for (char *word = strtok_r(line, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) n++;
    return n;
}

static int lengths(const char *text) {
    return snprintf(NULL, 0, "%s", text) + (int)strxfrm(NULL, text, 0) + system(NULL);
}

static int separators(char *line, const char *none) {
    char *rest = NULL;
    return strtok_r(line, none, &rest) != NULL; /* bug */
}

static int format(char *line, const char *none) {
    return snprintf(line, 2, none); /* bug */
}

int main(int n, char **argument) {
    char line[] = "a b";
    (void)argument;
    if (n == 2) return separators(line, NULL);
    if (n == 3) return format(line, NULL);
    return words(line) + lengths(line) == 0;
}
