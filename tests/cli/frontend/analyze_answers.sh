# From source to answers in source terms.
cflr analyze program.c other.c -q -o program.cflr >/dev/null || exit
cflr query program.cflr 'points-to main::result' | short_paths
show cflr query program.cflr 'alias program.c:18:found other.c:2:argument'
show cflr query program.cflr 'alias push::item main::result'
