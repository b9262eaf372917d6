# Reading many units shows on a terminal how many are done, and in a file nothing.
command -v script >/dev/null || { echo "SKIP: no script(1)" >&2; exit 77; }
script -qec true /dev/null >/dev/null 2>&1 </dev/null || { echo "SKIP: no pseudo-terminal" >&2; exit 77; }
# more than can be read in the two seconds, at the end of which nothing is written
awk -v here="$PWD" 'BEGIN {
    for (i = 0; i < 20000; i++)
        printf "%s{\"directory\": \"%s\", \"file\": \"program.c\", \"command\": \"cc -DN=%d program.c\"}\n",
            i ? "," : "[", here, i
    print "]"
}' >compile_commands.json
export TERM=xterm
read_some='cflr extract -p . -o graph.cflg --time 2 -j1'
script -qec "$read_some" /dev/null </dev/null | tr '\r' '\n' | grep '/20000' >seen
# as it should look, and never backwards
grep -vE '^(.\[K)?extract \[#*-*\] [0-9]+/20000  [0-9]+ s(, [0-9]+ s left)?  [0-9.]+ GB' seen
sed -E 's|.* ([0-9]+)/20000.*|\1|' seen >counts
sort -n counts | cmp - counts && [ "$(wc -l <counts)" -ge 2 ] && echo "goes on"
$read_some 2>messages
echo "exit $?"
grep -c '/20000' messages
cat messages
