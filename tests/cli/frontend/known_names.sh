# What the system gives to main has a name for people, and another one in JSON and graphs.
analyze() {
    printf '#include <stdio.h>\n' >argv.c
    printf 'int main(int n, char **argv) { char *a = argv[n]; %s; }\n' "$1" >>argv.c
    cflr analyze -q argv.c -o $2 >/dev/null
}
analyze 'return puts(a)' r.cflr
analyze 'char *b = a; return puts(b)' other.cflr
show cflr query -q r.cflr 'points-to main::argv' 'points-to main::a'
cflr query -q r.cflr 'points-to main::argv' --format json | grep '"name"'
show cflr explain -q r.cflr 'points-to main::argv static:argv_vector'
show cflr explain -q r.cflr 'points-to main::argv the argument vector'
cflr report -q r.cflr -o page.html
grep -c 'static:argv' page.html
grep -c '"the argument vector"' page.html
echo '# points-to sets'
show cflr diff r.cflr other.cflr
