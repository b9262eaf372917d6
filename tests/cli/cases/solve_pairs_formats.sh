cflr solve -g closure.cfg path.tsv --pairs dot || exit
cflr solve -g closure.cfg path.tsv --pairs souffle -o facts >/dev/null || exit
ls facts && cat facts/*
cflr solve -g closure.cfg path.tsv --pairs sqlite -o pairs.db >/dev/null || exit
od -A n -c -N 15 pairs.db
