# As file_limit, for what is made of C: graphs, results, findings, and the cache, without which all
# goes on.
mkdir to
cflr extract -q program.c --linkable -o part.cflg
bounded() {
    name=to/$1
    shift
    echo old >"$name"
    { (ulimit -f 0; command cflr "$@" -o "$name"; echo "exit $?: $* $name") 2>&1; } | cat
    [ "$(cat "$name")" = old ] || echo "$name is not the older one"
    rm "$name"
    ls to
}
bounded a.cflg extract -q program.c
bounded a.cflg extract -q program.c --linkable
bounded a.cflg link -q part.cflg
bounded a.cflr analyze -q program.c
bounded a.txt check -q checks.c --must-alias same
bounded a.json check -q checks.c --must-alias same --format json
{ (ulimit -f 0; cflr extract -q program.c --cache kept --to cflg -o /dev/null; echo "exit $?") \
    2>&1; } | cat
find kept -type f -name "*.*"
