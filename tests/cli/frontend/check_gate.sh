# Options of the gate that do not go together, and files that are none.
cat >a.c <<'end'
int *f(int n) { return n ? &n : 0; }
int g(int *p) { return *p; }
int main(void) { return g(f(1)) + *f(2); }
end
show cflr check a.c --rules null --update-baseline
show cflr check a.c --rules null --baseline-base main
show cflr check a.c --rules null --fail-on new
show cflr check a.c --rules null --fail-on some
show cflr check a.c --rules null --fail-level worst
show cflr check a.c --rules null --baseline b --update-baseline --changed-files b
show cflr check a.c --rules null --baseline b --update-baseline --baseline-base main
show cflr check a.c --rules null --baseline b --baseline-base=-x
show cflr check a.c --rules null --baseline b
show cflr check a.c --rules null --baseline nosuch/b --update-baseline
show cflr check a.c --rules null --source-root nosuch
show cflr check a.c --rules null --source-root a.c
show cflr check a.c --rules null --changed-files nosuch
show cflr check a.c --rules null --sarif - --markdown -
show cflr check a.c --rules null --sarif nosuch/a.sarif
# Levels, and what is printed with none.
show cflr check -q a.c --rules null --fail-on none
show cflr check -q a.c --rules null --findings all --fail-level error
sed 's/^    cwe/    level warning\n&/' <<'end' >ours
rule ours "a level of its own"
    cwe 476
    source null
    sink dereference
end
show cflr check -q a.c --rules ours --fail-level error
show cflr check -q a.c --rules ours --fail-level warning
# A report alone on standard output; one there and text in a file.
cflr check -q a.c --rules null --code-quality - --source-root .
cflr check -q a.c --rules null --code-quality - --source-root . -o text | head -c 1; echo
head -n 1 text
# A run that a limit ends writes no baseline, and says so in its report.
show cflr check -q a.c --rules null --time 0.000001 --baseline b --update-baseline
ls b 2>&1 | wc -l
