# A format is asked of the callers of functions that are declared to take one.
cat >say.c <<'end'
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#define PRINTF(a, b) __attribute__((format(printf, a, b)))
static void say(const char *f, ...) PRINTF(1, 2);
static void say(const char *f, ...) {
    va_list l;
    va_start(l, f);
    vprintf(f, l);
    va_end(l);
}
PRINTF(2, 0) static void vlog(int level, const char *f, va_list l) {
    vfprintf(level ? stderr : stdout, f, l);
}
PRINTF(2, 3) static void log_at(int level, const char *f, ...) {
    va_list l;
    va_start(l, f);
    vlog(level, f, l);
    va_end(l);
}
PRINTF(1, 2) static void changed(const char *f, ...) {
    va_list l;
    if (!*f) f = getenv("FALLBACK");
    va_start(l, f);
    vprintf(f, l); /* BUG */
    va_end(l);
}
PRINTF(1, 2) static void hooked(const char *f, ...) {
    va_list l;
    va_start(l, f);
    vprintf(f, l); /* BUG: by the hook */
    va_end(l);
}
static void plain(const char *f, ...) {
    va_list l;
    va_start(l, f);
    vprintf(f, l); /* BUG: for all of its callers */
    va_end(l);
}
void outside(int, const char *f, ...) PRINTF(2, 3);
static void by(const char *f) { say(f); /* BUG */ }
static void (*hook)(const char *, ...) = hooked;
int main(int n, char **v) {
    say("%s", v[1]);
    say(v[1]); /* BUG */
    say(getenv("A")); /* BUG */
    by(v[2]);
    log_at(1, "%d", n);
    log_at(1, v[1]); /* BUG */
    changed("%s", v[1]);
    hook(v[1]);
    plain(v[1]);
    plain(getenv("A"));
    plain(v[2]);
    outside(1, v[1]); /* BUG */
    printf(v[1]); /* BUG */
    return 0;
}
end
cflr check -q say.c --rules format | sed -n 's/^say.c:\([0-9]*\):.*: /\1 /p' >found
grep -n BUG say.c | sed 's/:.*//' >wanted
cut -d ' ' -f 1 found | sort -n | diff - wanted && echo "all bugs, and no others" && cat found
cflr check -q say.c --rules format | grep -A 99 'say.c:37' | sed '/^say.c:[^3]/,$d'
