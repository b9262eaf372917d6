# A unit that crashes the parser, or that is too deep for it, is lost; the others are read, and
# nothing but cflr reports it.
printf '#pragma clang __debug crash\nint x;\n' >crash.c
{
    printf 'int *f(long n) { return '
    printf '(int *)%.0s' $(seq 400000)
    printf 'n; }\n'
} >deep.c
cause() { sed 's/\(crash.c: lost: the parser crashed\) on it (SIG[A-Z]*)/\1/'; }
cflr extract -o graph.cflg --max-lost 2 program.c crash.c deep.c 2>&1 | cause
cflr extract -q -o graph.cflg --max-lost 0 program.c crash.c 2>&1
echo "exit $?"
cflr extract -o none.cflg crash.c 2>messages
echo "exit $?"
cause <messages
[ ! -e none.cflg ]
