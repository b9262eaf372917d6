# What units say is kept: the same graph, counts apart; a directory that cannot be is no failure.
cflr extract program.c other.c -o plain.ndjson -q
for run in cold warm; do
    cflr extract program.c other.c --cache kept/here -o $run.ndjson --format json -q |
        grep -e '"units"' -e units_cached
    cmp plain.ndjson $run.ndjson
done
echo 'int *added(int *p) { return p; }' >>other.c
cflr extract program.c other.c --cache kept/here -o changed.ndjson 2>&1 | grep cached
cflr analyze program.c other.c --cache kept/here -o r.cflr -q | grep cached
cflr extract program.c --cache program.c/here -o plain.ndjson -q 2>&1
cflr extract program.c --cache program.c/here -o plain.ndjson 2>&1 | grep cache |
    sed 's|here/.*[.]0|here/NAME|'
cflr extract program.c --cache program.c/here -o plain.ndjson --format json -q | grep '"cache"'
