# On a terminal messages have colour and long work shows progress; not with NO_COLOR, TERM=dumb, -q,
# and never in a file.
command -v script >/dev/null || { echo "SKIP: no script(1)" >&2; exit 77; }
script -qec true /dev/null >/dev/null 2>&1 </dev/null ||
    { echo "SKIP: no pseudo-terminal" >&2; exit 77; }
chain 20000 >long.tsv
names() { # escape sequences by name
    tr -d '\r' | sed 's/\x1b\[1m/<bold>/g; s/\x1b\[0m/<plain>/g; s/\x1b\[K/<erase>/g'
}
tell() { # what was printed
    grep -o -e '<bold>cflr:<plain>' -e '<erase>solve' | sort | uniq -c | sed 's/^ *[0-9]*/N/'
    echo "--"
}
look() { # what it prints on a terminal
    script -qec "$1" /dev/null </dev/null | names | tell
}
export TERM=xterm
look 'cflr info nowhere'
look 'NO_COLOR=1 cflr info nowhere'
look 'TERM=dumb cflr info nowhere'
# until progress is seen
script -qefc 'echo $$ >pid; exec cflr solve -g closure.cfg long.tsv --model edge-indexed -j1 \
    >/dev/null' seen </dev/null >output &
until [ -f seen ] && names <seen | grep -q '<erase>solve'; do sleep 0.1; done
kill -TERM "$(cat pid)"
wait
names <seen | tell
look 'CI=1 cflr solve -g closure.cfg long.tsv --model edge-indexed --time 2 -j1 >/dev/null'
look 'cflr solve -q -g closure.cfg long.tsv --model edge-indexed --time 2 -j1 >/dev/null'
