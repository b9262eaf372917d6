# A unit that crashes the parser, or that is too deep for it, is lost; the others are read. libclang prints about a crash,
# too: those lines do not begin with our name. What a parse that crashed leaves in memory is its loss, not ours.
export LSAN_OPTIONS=detect_leaks=0
printf '#pragma clang __debug crash\nint x;\n' >crash.c
{
    printf 'int *f(long n) { return '
    printf '(int *)%.0s' $(seq 400000)
    printf 'n; }\n'
} >deep.c
cflr extract -o graph.cflg --max-lost 2 program.c crash.c deep.c 2>messages
echo "exit $?"
grep '^cflr' messages
grep '^units' messages
cflr extract -q -o graph.cflg --max-lost 0 program.c crash.c 2>&1 | grep '^cflr'
cflr extract -o none.cflg crash.c 2>messages
echo "exit $?"
grep '^cflr' messages | short_paths
[ ! -e none.cflg ]
