# A file that may not grow, whatever writes it: code 5, the older one stays whole, nothing is left
# beside it.
cflr solve -q -g closure.cfg path.tsv -o path.cflr >/dev/null
mkdir to
bounded() {
    name=to/$1
    shift
    echo old >"$name"
    { (ulimit -f 0; command cflr "$@" -o "$name"; echo "exit $?: $* $name") 2>&1; } | cat
    [ "$(cat "$name")" = old ] || echo "$name is not the older one"
    rm "$name"
    ls to
}
for name in a.tsv a.cflg a.peg a.gracfl a.csv a.mtx a.gr a.ndjson a.dot a.db a.tsv.zst; do
    bounded $name convert path.tsv
done
bounded a.cflr solve -q -g closure.cfg path.tsv
bounded a.tsv solve -q -g closure.cfg path.tsv --export tsv
bounded a.tsv graph bfs path.tsv
bounded a.ndjson graph bfs path.tsv
bounded a.txt info path.tsv
bounded a.json info path.tsv --format json
bounded a.txt grammar show closure.cfg
bounded a.txt query path.cflr 'reaches 0 S 1'
bounded a.json query path.cflr 'reaches 0 S 1' --format json
# A directory of facts.
mkdir facts
echo old >facts/old.facts
{ (ulimit -f 0; cflr convert path.tsv facts; echo "exit $?") 2>&1; } | cat
find . -name '*facts*' | sort
# What is not limited is written whole.
show cflr graph bfs path.tsv -o to/a.tsv >/dev/null
show cflr info path.tsv -o to/b.txt.zst
ls to
