# Some symbols alone: the same pairs, counted, checked, written and asked for; others are not there.
cflr solve -g fields.cfg fields.tsv --only G --verify || exit
cflr solve -q -g fields.cfg fields.tsv --only G --only F --model edge -o some.cflr || exit
show cflr query some.cflr 'reaches 0 F 1'
show cflr query some.cflr 'reaches 0 ~F 1'
cflr solve -q -g fields.cfg fields.tsv --only G --only F -o again.cflr >/dev/null || exit
cmp some.cflr again.cflr && cflr solve -g fields.cfg fields.tsv --only F --export tsv --label F

# A symbol of which nothing can be derived is there as well, with no pairs.
printf 'S ::= a\nE ::= b S\nD[i] ::= e[i] S\n' >empty.cfg
for question in '' '--from 0' '--to 1' '--from 0 --to 1'; do
    cflr solve -g empty.cfg path.tsv -q --only E --only D $question --export tsv --label E \
        --label D || exit
done
for model in naive edge-indexed batch; do
    cflr solve -g empty.cfg path.tsv -q --only E --model $model -o empty.cflr || exit
    show cflr query empty.cflr 'reaches 0 E 1'
done
cflr solve -g empty.cfg path.tsv -q --only D --from 0 --verify || exit
printf 'E ::= b b\n' >empty.cfg
cflr solve -g empty.cfg path.tsv -q --from 0 -o empty.cflr || exit
show cflr query empty.cflr 'reaches 0 E 1'
