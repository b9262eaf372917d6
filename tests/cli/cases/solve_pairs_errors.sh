# A line that is wrong is named, and nothing is solved.
for line in '0' '0 1 2' '0 "1' '0 9' 'nowhere 0' '  0 "9 "'; do
    printf '# pairs\n0 1\n%s\n' "$line" >wrong.txt
    show cflr solve -g closure.cfg path.tsv --pairs wrong.txt
done
printf '0 1\n0 \0 1\n' >wrong.txt
show cflr solve -g closure.cfg path.tsv --pairs wrong.txt
printf '0\n' | show cflr solve -g closure.cfg path.tsv --pairs -
show cflr solve -g closure.cfg path.tsv --pairs no/such.txt
show cflr solve -g closure.cfg path.tsv --pairs .
sources_graph sources.cflg || exit
printf 'p 0\n' >wrong.txt
show cflr solve -g pointer.cfg sources.cflg --pairs wrong.txt
show cflr solve -g pointer.cfg sources.cflg --from p
show cflr solve -g pointer.cfg sources.cflg --from second::qq
