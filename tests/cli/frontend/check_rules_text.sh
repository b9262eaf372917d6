# A finding and its path, through a list; the same for every number of threads, beside checks, and
# as JSON.
show cflr check -q flows.c --rules command --no-alias apart
cflr check -q flows.c --rules null --rules command -j 1 --format json >one
cflr check -q flows.c --rules null --rules command -j 3 --format json >three
cmp one three && grep -c '"fingerprint"' one
# Lines that move do not change fingerprints.
{ echo; cat flows.c; } >moved.c && mkdir moved && mv moved.c moved/flows.c
cflr check -q moved/flows.c --rules null --rules command --format json |
    grep '"fingerprint"' >moved/prints
grep '"fingerprint"' one | cmp - moved/prints && echo "same fingerprints"
# Copies of functions for contexts are one finding.
cflr check -q flows.c --rules command --context clone | grep -c '^flows'
# Rules of one's own; mistakes in them; nothing to check.
printf 'rule own "the environment in a check"\n    source getenv: *ret\n    sink apart: *arg0\n' \
    >own.txt
show cflr check -q flows.c --rules own.txt
printf 'rule own "m"\n    source getenv *ret\n' >wrong.txt
show cflr check -q flows.c --rules wrong.txt
show cflr check -q flows.c --rules nowhere.txt
show cflr check -q flows.c
show cflr check flows.c --rules format
