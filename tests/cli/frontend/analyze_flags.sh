# Behind -- are flags of the compiler: what is an option of cflr there is an error, or a warning
# where it may be a flag.
for flags in '-I. -o out.cflr' '-o out.cflg' '--fields insensitive' '--format=json' '-o program' \
        '-c -o program.o' '-p' '-q' '--bogus'; do
    echo "$flags"
    echo "# $flags" >&2
    cflr analyze program.c other.c -o r.cflr -- $flags >/dev/null 2>messages
    echo "exit $?"
    grep 'after --' messages >&2
done
true
