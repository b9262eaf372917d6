# Reading many units shows on a terminal how many are done, and in a file nothing.
command -v script >/dev/null || { echo "SKIP: no script(1)" >&2; exit 77; }
script -qec true /dev/null >/dev/null 2>&1 </dev/null ||
    { echo "SKIP: no pseudo-terminal" >&2; exit 77; }
# more than can be read in two seconds
awk -v here="$PWD" 'BEGIN {
    for (i = 0; i < 20000; i++)
        printf "%s{\"directory\": \"%s\", \"file\": \"program.c\", " \
            "\"command\": \"cc -DN=%d program.c\"}\n", i ? "," : "[", here, i
    print "]"
}' >compile_commands.json
export TERM=xterm
progress() { tr '\r' '\n' <seen | grep '/20000'; }
script -qefc 'echo $$ >pid; exec cflr extract -p . -o graph.cflg -j1' seen </dev/null >output &
until [ -f seen ] && [ "$(progress | wc -l)" -ge 4 ]; do sleep 0.1; done
kill -TERM "$(cat pid)"
wait
# as it should look, and never backwards
rest='(, (about|some) [a-z0-9 ]+ left)?'
progress | grep -vE "^(.\[K)?extract \[#*-*\] [0-9]+/20000  [0-9]+ s$rest  [0-9.]+ GB"
progress | sed -E 's|.* ([0-9]+)/20000.*|\1|' >counts
sort -n counts | cmp - counts && echo "goes on"
cflr extract -p . -o graph.cflg --time 2 -j1 2>messages
echo "exit $?"
grep -c '/20000' messages
cat messages
