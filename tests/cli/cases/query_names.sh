# A graph from text has names but no places.
cflr solve -q -g names.cfg names.tsv -o r.cflr >/dev/null || exit
show cflr query r.cflr 'aliases main::p'
show cflr query r.cflr 'alias main::p g::p'
show cflr query --format json r.cflr 'points-to main::q'
