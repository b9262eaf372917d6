sources_graph sources.cflg && cflr solve -q -g pointer.cfg sources.cflg -o r.cflr >/dev/null || exit
cflr query r.cflr --format json 'points-to pick::arg' 'alias first::p second::q' -o answers.json
echo "exit $?"
cat answers.json
