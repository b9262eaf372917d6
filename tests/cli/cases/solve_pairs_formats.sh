cflr solve -g closure.cfg path.tsv --export dot || exit
cflr solve -g closure.cfg path.tsv --export souffle -o facts >/dev/null || exit
ls facts && cat facts/*
cflr solve -g closure.cfg path.tsv --export sqlite -o pairs.db >/dev/null || exit
od -A n -c -N 15 pairs.db
