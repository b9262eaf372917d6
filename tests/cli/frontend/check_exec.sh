# What runs as a command: a text that a shell reads, the name of a program; not the words of another
# program, and not a number.
cat >exec.c <<'end'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <spawn.h>
#include <string.h>
extern char **environ;
static void number(const char *text) {
    char b[100];
    snprintf(b, 100, "kill %d", atoi(text));
    system(b);
    snprintf(b, 100, "kill %ld %f", strtol(text, NULL, 10), strtod(text, NULL));
    popen(b, "r");
}
static void end_of_number(const char *text) {
    char *end;
    strtol(text, &end, 10);
    system(end); /* BUG */
}
static void digits(const char *text) {
    char b[100];
    for (int i = 0; text[i]; i++) b[i] = text[i];
    system(b); /* BUG */
}
static void words(char *text) { execlp("ls", "ls", text, NULL); }
static void shell(char *text) { execlp("sh", "sh", "-c", text, NULL); /* BUG */ }
static void shell_by_path(char *text) {
    execl("/usr/bin/env", "env", "bash", "-c", text, NULL); /* BUG */
}
static void shell_in_variable(char *text) {
    const char *program = "/bin/sh";
    if (text[0]) program = "/bin/bash";
    execl(program, program, "-c", text, NULL); /* BUG */
}
static void tool_in_variable(char *text) {
    const char *program = text[0] ? "/bin/ls" : "/bin/cat";
    execl(program, program, text, NULL);
}
static void program(char **v) { execvp(v[1], v + 1); /* BUG */ }
static void vector(char *text) {
    char *w[] = {"ls", text, 0};
    execv("/bin/ls", w);
}
static void shell_vector(char *text) {
    char *w[] = {"sh", "-c", text, 0};
    execve("/bin/sh", w, environ); /* BUG */
}
static void spawned(char *text) {
    char *w[] = {"ls", text, 0};
    posix_spawn(NULL, "/bin/ls", NULL, NULL, w, environ);
}
static void spawned_shell(char *text) {
    pid_t id;
    char *w[] = {"sh", "-c", text, 0};
    posix_spawnp(&id, "sh", NULL, NULL, w, environ); /* BUG */
}
static void through_pointer(char *text) {
    int (*run)(const char *, char *const *) = execvp;
    char *w[] = {"ls", text, 0};
    run("ls", w);
}
int main(int n, char **v) {
    char *text = v[1];
    number(text); end_of_number(text); digits(text); words(text); shell(text); shell_by_path(text);
    shell_in_variable(text); tool_in_variable(text); program(v); vector(text); shell_vector(text);
    spawned(text); spawned_shell(text); through_pointer(text);
    return n;
}
end
cflr check -q exec.c --rules command --findings all |
    sed -n 's/^exec.c:\([0-9]*\):.*: /\1 /p' >found
grep -n BUG exec.c | sed 's/:.*//' >wanted
cut -d ' ' -f 1 found | sort -n | diff - wanted && echo "all bugs, and no others" && cat found
# Rules of one's own: numbers count unless the rule says otherwise.
cat >size.txt <<'end'
rule size "a size from outside"
    source getenv: *ret
    sink malloc: arg0
rule clean-size "a size from outside that nothing has looked at"
    source getenv: *ret
    sink malloc: arg0
    clean checked: ret
end
cat >size.c <<'end'
#include <stdlib.h>
size_t checked(size_t n) { return n < 100 ? n : 100; }
int main(void) {
    size_t n = strtoul(getenv("SIZE"), NULL, 10);
    return malloc(n) && malloc(checked(n));
}
end
show cflr check -q size.c --rules size.txt
# Programs that a rule of one's own names, and a condition.
cat >tools.txt <<'end'
rule ssh "text from outside is a word of ssh"
    programs "ssh
        scp"
    source getenv: *ret
    sink run: *arg1... if arg0
    clean quoted: *ret
end
cat >tools.c <<'end'
#include <stdlib.h>
int run(const char *program, ...);
char *quoted(const char *text);
int main(void) {
    run("ls", getenv("A"));
    run("/usr/bin/scp", quoted(getenv("B")));
    return run("/usr/bin/scp", getenv("C"), 0);
}
end
show cflr check -q tools.c --rules tools.txt
