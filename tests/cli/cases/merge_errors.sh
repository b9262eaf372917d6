# A message names the part that is missing, given twice or of something else; nothing is written.
cflr solve -q -g closure.cfg path.tsv -o path.cflr >/dev/null
cflr solve -q -g fields.cfg fields.tsv -o fields.cflr >/dev/null
cut_result path.cflr 3 p
cut_result path.cflr 4 q
cut_result fields.cflr 3 f
show cflr merge p1.cflr p3.cflr -o out.cflr
show cflr merge p3.cflr -o out.cflr
show cflr merge p1.cflr p2.cflr p3.cflr p2.cflr -o out.cflr
show cflr merge p1.cflr p2.cflr f3.cflr -o out.cflr
show cflr merge p1.cflr q2.cflr p3.cflr -o out.cflr
show cflr merge p1.cflr path.cflr p3.cflr -o out.cflr
show cflr merge p1.cflr path.tsv -o out.cflr
show cflr merge p1.cflr none.cflr -o out.cflr
show cflr merge p1.cflr p2.cflr p3.cflr
show cflr merge p1.cflr p2.cflr p3.cflr -o - --format json
ls out.cflr 2>/dev/null
true
