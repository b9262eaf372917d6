# A result file gives the graph that was solved.
cflr solve -q -g closure.cfg path.tsv -o r.cflr >/dev/null && cflr convert r.cflr - --to tsv
