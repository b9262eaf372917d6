# A grammar of one's own, and a level of fields that picks another shipped one.
cat >mine.cfg <<'end'
%start Flow
Flow ::= a+
end
cflr analyze -q program.c other.c -g mine.cfg -o r.cflr | grep -c -e 'alias pairs' -e unresolved
cflr analyze -q program.c other.c --fields insensitive -o r.cflr >/dev/null &&
    cflr query r.cflr 'points-to main::result' | short_paths
cflr analyze program.c -g broken.cfg -o r.cflr
