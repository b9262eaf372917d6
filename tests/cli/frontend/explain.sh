# Why answers hold: through memory, calls, code without model; and the nearest miss.
cflr analyze -q explained.c --aliasing any -o r.cflr >/dev/null
for question in 'points-to last x' 'alias last push::value' 'main calls show' 'main calls push' \
    'points-to main::given' 'alias main::given last' 'points-to main::copy y' \
    'alias main::other last' 'points-to main::one z'; do
    echo "# $question"
    cflr explain -q r.cflr "$question"
    echo "exit code $?"
done
echo '# many at once'
printf '# a comment\npoints-to main::other\n\nmain calls first\n' |
    cflr explain -q r.cflr - 'main calls show'
echo '# for Graphviz'
cflr explain -q r.cflr 'points-to main::other y' --dot
echo '# an open program'
cflr analyze -q open.c -o open.cflr >/dev/null
cflr explain -q open.cflr 'alias first_of::own first_of::key'
echo '# one answer, whatever the threads'
cflr explain -q -j 1 r.cflr 'points-to last x' --format json >one.json
cflr explain -q -j 3 r.cflr 'points-to last x' --format json | cmp - one.json
echo '# what cannot be asked'
cflr explain r.cflr 'main calls shwo'
echo "exit code $?"
cflr explain r.cflr 'nowhere.c:7 calls show'
echo "exit code $?"
cflr explain r.cflr 'why last x'
echo "exit code $?"
cflr explain -g pointer r.cflr 'points-to last x'
echo "exit code $?"
cflr solve -q -g pointer.cfg path.tsv -o t.cflr >/dev/null
cflr explain t.cflr 'alias 0 1'
echo "exit code $?"
