# A mistake in a file of summaries ends the run, with its place.
echo 'int *f(int *), x, *p; int *g(int *q) { return q; } void h(void) { p = f(g(&x)); }' >calls.c
printf 'f: ret = arg0\ng: ret = arg9->next\n' >member.txt
printf '# of the pool\nf g: ret = arg0\n  ret = arg1\n' >separator.txt
printf 'f: none\nf: ret = arg0\n' >twice.txt
printf 'f: none\n\0\n' >binary.txt
for file in member.txt separator.txt twice.txt binary.txt gone.txt .; do
    show cflr extract --unknown --summaries $file calls.c
done
show cflr analyze --summaries member.txt calls.c
# One that has a body, and those that nothing uses: the body counts.
printf 'f: none\nh: none\ng: ret = new\ngg pool_*: none\n' >mine.txt
show cflr extract --unknown --summaries mine.txt calls.c
show cflr extract -v --unknown --summaries mine.txt calls.c
show cflr extract --unknown --summaries mine.txt --format json calls.c -o out.cflg
# From standard input.
printf 'f: ret = arg1;\n' | show cflr extract --unknown --summaries - calls.c
