# Out of time while something is written: of pairs a part is, and the message says so; nothing where
# a part would be none, or where no process reads.
chain 20000 >long.tsv
solve() {
    timeout 60 cflr solve -q -j1 -g closure.cfg long.tsv --time 2s "$@" 2>messages
    echo "exit $?"
    tail -n 1 messages
}
for format in tsv ndjson dot pocr; do solve --export $format -o /dev/null; done
echo old >old.db
solve --export sqlite -o old.db
solve --export mtx -o old.db
cat old.db
solve --export tsv -o part.tsv
cflr info part.tsv | grep -c '^vertices *20001$'

echo '-- pipes'
mkfifo pipe
solve --export tsv -o pipe
mkfifo unread
exec 3<>unread # open to read, and never read
timeout 60 cflr solve -q -j1 -g closure.cfg long.tsv --time 2s --export tsv >unread
echo "exit $?" >&2
exec 3<&-
timeout 60 cflr convert long.tsv pipe --to tsv --time 2s
echo "exit $?"
cat pipe >read &
cflr convert long.tsv pipe --to tsv && wait && tail -n +2 read | cmp - long.tsv
[ "$(find . -name '*.tmp*')" = "" ]
