# Through each format that can be read back, and to the same text again.
cflr convert path.tsv expected.tsv || exit
for format in cflg pocr gracfl cfpq souffle; do
    cflr convert path.tsv there.$format --to $format || exit
    cflr convert there.$format back.$format.tsv --graph-format $format || exit
    cmp expected.tsv back.$format.tsv && echo "$format: same"
done
for format in mtx dimacs; do
    cflr convert path.tsv there.$format --to $format || exit
    cflr convert there.$format - --to tsv
done
