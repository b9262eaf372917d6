# -v adds messages on standard error only.
cflr solve -g closure.cfg path.tsv >quiet && cflr solve -v -g closure.cfg path.tsv 2>/dev/null |
    cmp - quiet
