# By what answers become large, in programs of which it is known; of a graph, too.
for aliasing in any strict; do
    for program in callbacks two bytes wrapper grown kept copied moved untyped; do
        echo "# $program, $aliasing"
        cflr analyze -q --aliasing $aliasing imprecise/$program.c -o r.cflr >/dev/null
        cflr explain --imprecision r.cflr
    done
done
echo '# exact: as many pairs as the closure of the graph without the edges of the cause'
for aliasing in any strict; do
    cflr extract -q --aliasing $aliasing imprecise/callbacks.c -o g.cflg
    cflr convert -q g.cflg g.ndjson
    vertex='"target_vertex":{"kind":"unknown","name":"each"'
    each=$(sed -n "s/.*\"target\":\([0-9]*\),.*$vertex.*/\1/p" g.ndjson | head -n 1)
    cflr convert -q g.cflg g.tsv
    awk -v each="$each" '$1 != each && $2 != each' g.tsv >without.tsv
    grammar=pointer-types
    test $aliasing = any && grammar=pointer-fs
    cflr solve -q -g $grammar --only PT without.tsv --format json -o w.cflr | grep '^ *"pairs": ' |
        head -n 1
    cflr explain --imprecision g.cflg --format json | grep '^ *"pointees": ' | tail -n 1
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
