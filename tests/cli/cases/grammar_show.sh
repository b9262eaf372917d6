# Every stage, and every other format.
for stage in rules expanded normal index; do
    echo "-- $stage"
    cflr grammar show pointer.cfg --stage $stage || exit
done
echo "-- ground"
cflr grammar show fields.cfg --stage ground --graph fields.tsv || exit
for format in pocr gracfl svf cfpq; do
    echo "-- $format"
    cflr grammar show closure.cfg --to $format || exit
done
