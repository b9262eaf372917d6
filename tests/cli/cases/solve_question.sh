# Only what is asked for: rows, columns, both; of the start symbol, or of others; kept in the file.
for question in '--from 0' '--from 0 --from 2' '--to 3' '--from 0 --from 1 --to 3 --to 0'; do
    echo "## $question"
    cflr solve -q -g closure.cfg path.tsv $question --export tsv || exit
done
cflr solve -g closure.cfg path.tsv --from 1 --only S --only a --verify || exit
cflr solve -g names.cfg names.tsv --to main::q --export tsv || exit
cflr solve -q -g closure.cfg path.tsv --from 1 -o asked.cflr || exit
show cflr query asked.cflr 'reaches 1 S 3' 'reaches 1 S 0'
show cflr query asked.cflr 'reaches 0 S 3'
show cflr info asked.cflr
show cflr solve -q -g names.cfg names.tsv --to main::q -o asked.cflr
show cflr query asked.cflr 'aliases main::p'
show cflr query asked.cflr 'alias main::p main::q'
for model in batch edge naive; do
    cflr solve -q -g fields.cfg fields.tsv --from 0 --only F --model $model -o $model.cflr \
        >/dev/null || exit
done
cflr solve -q -g fields.cfg fields.tsv --from 0 --only F -o demand.cflr >/dev/null || exit
cmp demand.cflr batch.cflr && cmp demand.cflr edge.cflr && cmp demand.cflr naive.cflr
