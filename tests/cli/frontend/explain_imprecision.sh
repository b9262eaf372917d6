# By what answers become large, in programs of which it is known; of a graph, too.
for program in callbacks two bytes wrapper grown; do
    echo "# $program"
    cflr analyze -q --aliasing any imprecise/$program.c -o r.cflr >/dev/null
    cflr explain --imprecision r.cflr
done
echo '# without the causes'
cflr analyze -q --aliasing any imprecise/wrapper.c --context types -o r.cflr >/dev/null
cflr explain --imprecision r.cflr
echo 'override must: ret = new' >must.txt
cflr extract -q imprecise/wrapper.c --summaries must.txt -o g.cflg >/dev/null
cflr explain --imprecision g.cflg
echo '# as JSON'
cflr analyze -q --aliasing any imprecise/callbacks.c -o r.cflr >/dev/null
cflr explain --imprecision r.cflr --format json | grep -E '"(cause|name|line|places|complete)"'
echo '# what is no question'
cflr explain --imprecision r.cflr 'alias p q'
echo "exit $?"
cflr explain --imprecision r.cflr --causes 0
echo "exit $?"
cflr explain r.cflr --causes 3
echo "exit $?"
cflr solve -q -g ./closure.cfg path.tsv -o p.cflr >/dev/null
cflr explain --imprecision p.cflr
echo "exit $?"
cflr explain --imprecision
