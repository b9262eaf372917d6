cflr solve -q -g names.cfg names.tsv -o r.cflr >/dev/null || exit
show cflr query r.cflr 'point-to main::p'
show cflr query r.cflr 'alias main::p'
show cflr query r.cflr 'one two three four five'
show cflr query r.cflr ''
