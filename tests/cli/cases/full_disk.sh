# Each way to write notices that nothing was written.
for line in 'help' 'solve --help' '--version' '--version=json' '--dump-options' 'info path.tsv' \
    'info path.tsv --format json' 'solve -g closure.cfg path.tsv' \
    'solve -g closure.cfg path.tsv --format json' 'solve -g closure.cfg path.tsv --export tsv' \
    'graph bfs path.tsv' 'graph bfs path.tsv --format json' 'graph bfs path.tsv -o -' \
    'convert path.tsv -' 'grammar check closure.cfg' 'grammar list --format json'; do
    command cflr $line >/dev/full
    echo "exit $?: $line"
done
cflr solve -g closure.cfg path.tsv -o path.cflr >/dev/null
show cflr solve -g closure.cfg path.tsv -o /dev/full
show cflr info path.tsv -o /dev/full
show cflr graph bfs path.tsv -o /dev/full
cflr query path.cflr 'reaches 0 S 1' >/dev/full
