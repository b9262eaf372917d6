# The grammar does not say which symbol answers the question.
cflr solve -q -g closure.cfg path.tsv -o r.cflr >/dev/null || exit
cflr query r.cflr 'points-to 1'
