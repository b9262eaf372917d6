# A technique less changes the plan, not the result.
all=$(cflr solve -q -g fields.cfg fields.tsv) || exit
techniques="inline stars mirrors between strata guards condense split order together numbers"
for technique in $techniques; do
    [ "$(cflr solve -q -g fields.cfg fields.tsv --without $technique)" = "$all" ] ||
        echo "$technique: differs"
done
cflr grammar show fields.cfg --stage plan --graph fields.tsv --without inline --without strata
show cflr solve -g fields.cfg fields.tsv --without nothing
show cflr grammar show fields.cfg --stage ground --graph fields.tsv --without inline
