# A relation may be asked for one index; without one, all are meant.
cflr solve -q -g fields.cfg fields.tsv -o fields.cflr >/dev/null
for question in 'reaches 0 f[8] 1' 'reaches 0 f[16] 1' 'reaches 0 f[99] 1' 'reaches 1 ~f[8] 0' \
    'reaches 0 F[8] 1' 'reaches 0 F 1' 'reaches 1 f 2' 'reaches 0 g[8] 1' 'reaches 0 f[8 1'; do
    show cflr query fields.cflr "$question"
done
