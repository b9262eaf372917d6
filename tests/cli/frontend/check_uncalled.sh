# What is in a function that nothing enters comes last, and says why.
cat >dead.c <<'end'
#include <stdlib.h>
#include <signal.h>
static void deeper(const char *c) { system(c); }
static void never(void) { deeper(getenv("A")); }
static void never_too(int n) { if (n) never_too(n - 1); system(getenv("B")); }
static void called(const char *c) { system(c); }
static void by_pointer(void) { system(getenv("C")); }
static void at_exit(void) { system(getenv("D")); }
static void on_signal(int s) { (void)s; system(getenv("E")); }
static void in_table(void) { system(getenv("F")); }
void exported(void) { system(getenv("G")); }
__attribute__((constructor)) static void begin(void) { system(getenv("H")); }
static void __attribute__((used)) from_assembly(void) { system(getenv("I")); }
static void clean(char **p) { system(*p); }
static inline void unused_inline(void) { system(getenv("J")); }
static void alias_target(void) { system(getenv("K")); }
void alias_name(void) __attribute__((alias("alias_target")));
static void (*const table[])(void) = {in_table};
void (*pointer)(void) = by_pointer;
int main(int n, char **v) {
    char *p __attribute__((cleanup(clean))) = getenv("L");
    called(v[1]);
    atexit(at_exit);
    signal(SIGINT, on_signal);
    pointer();
    table[n]();
    return 0;
}
end
show cflr check dead.c --rules command
cflr check -q dead.c --rules command --findings all | grep -e '^dead' -e uncalled
cflr check -q dead.c --rules command --format json >found
python3 -c 'import json
for f in json.load(open("found"))["findings"]:
    if "uncalled" in f: print(f["line"], f["rank"], f["level"], f["likely"], f["uncalled"])'
# A source in a function that nothing enters is none, if there is another.
cat >source.c <<'end'
#include <stdlib.h>
#include <string.h>
static char text[9], other[9];
static void never(void) { strcpy(text, getenv("A")); strcpy(other, getenv("B")); }
int main(int n, char **v) {
    strcpy(text, v[1]);
    system(text);
    return system(other);
}
end
show cflr check source.c --rules command --findings all
# Null pointers, and the same from the cache.
cat >null.c <<'end'
#include <stddef.h>
static int never(void) { int *p = NULL; return *p; }
int main(void) { int *p = NULL; return *p; }
end
show cflr check null.c --rules null --cache kept --findings all
show cflr check null.c --rules null --cache kept --findings all
