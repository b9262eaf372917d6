# Functions of the library that are called through pointers are found at their calls, and so are the
# steps that they take.
hide() { sed 's|/usr/[a-z/0-9_-]*\.h:[0-9]*:[0-9]*|HEADER|'; }
cat >ops.c <<'end'
#include <stdlib.h>
#include <string.h>
struct ops {
    int (*run)(const char *);
    char *(*get)(const char *);
    char *(*copy)(char *, const char *);
};
static const struct ops ops = {system, getenv, strcpy};
static void one(const struct ops *o) { o->run(o->get("A")); }
static int two(int (*f)(const char *), const char *c) { return f(c); }
static void copies(const struct ops *o) {
    char text[100];
    o->copy(text, getenv("B"));
    system(text);
}
int main(int n, char **v) {
    one(&ops);
    two(system, v[1]);
    copies(&ops);
    return 0;
}
end
cflr check -q ops.c --rules command | hide
cflr check -q ops.c --rules command --format json >found
python3 -c 'import json
def places(steps):
    for step in steps:
        yield step["file"]
        yield from places(step.get("route", []))
for f in json.load(open("found"))["findings"]:
    files = [f["file"], f["origin"]["file"], *places(f["path"][:-1])]
    print(f["line"], "in headers:", sum(file.startswith("/usr") for file in files))'
# The place of a summary is that of the call.
cat >calls.c <<'end'
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
int main(void) {
    char first[100], second[100];
    strncpy(first, getenv("A"),
            99);
    snprintf(second, 100, "ls %s", first);
    char *word = strtok(second, " ");
    word = strtok(NULL, " ");
    char *copy = strdup(word);
    return system(copy);
}
end
show cflr check -q calls.c --rules command
# A null pointer that the library follows.
cat >null.c <<'end'
#include <string.h>
#include <stdlib.h>
static size_t (*length)(const char *) = strlen;
static size_t call(size_t (*f)(const char *), const char *s) { return f(s); }
int main(void) {
    char *s = malloc(8);
    return (int)(length(s) + call(strlen, NULL));
}
end
cflr check -q null.c --rules null | hide
# Fingerprints name the function of the call, and stay when lines move.
cflr check -q ops.c --rules command --format json | grep '"fingerprint"' >before
mkdir moved && { echo; cat ops.c; } >moved/ops.c
cflr check -q moved/ops.c --rules command --format json | grep '"fingerprint"' | cmp - before &&
    echo "same fingerprints"
