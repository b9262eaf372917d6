# Some symbols alone: the same pairs, counted, checked, written and asked for; others are not there.
cflr solve -g fields.cfg fields.tsv --only G --verify || exit
cflr solve -q -g fields.cfg fields.tsv --only G --only F --model edge -o some.cflr || exit
show cflr query some.cflr 'reaches 0 F 1'
show cflr query some.cflr 'reaches 0 ~F 1'
cflr solve -q -g fields.cfg fields.tsv --only G --only F -o again.cflr >/dev/null || exit
cmp some.cflr again.cflr && cflr solve -g fields.cfg fields.tsv --only F --export tsv --label F
