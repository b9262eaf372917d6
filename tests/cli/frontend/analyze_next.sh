# The last word of analyze is what to ask next, which can be asked as it stands; not with -q.
cflr analyze program.c other.c -o 'r.cflr' 2>messages >/dev/null || exit
grep ': ask: ' messages | tee /dev/stderr | sed 's/^cflr: ask: //' >ask.sh
sh ask.sh | short_paths
cflr analyze -q program.c other.c -o r.cflr 2>&1 >/dev/null | grep -c ': ask: '
echo 'int x;' >empty.c
cflr analyze empty.c -o r.cflr 2>&1 >/dev/null | grep -c ': ask: '
true
