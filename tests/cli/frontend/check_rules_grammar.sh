# What `cflr check` finds is what the grammars derive: the same sinks, from as many sources. The
# words that tool.c gives to `execvp` count for the grammar, which knows nothing of programs.
cp -R "$here/../../examples/bugs" bugs && cd bugs || exit 99
agree() { # RULE GRAMMAR FILE
    cflr extract -q --rules "$1" "$3" -o g.cflg
    cflr solve -q -g "$2" g.cflg --only Finding --export tsv | grep Finding >pairs
    cflr check -q --rules "$1" "$3" --format json >found
    echo "$3 $1: sinks $(cut -f 2 pairs | sort -u | wc -l), pairs $(wc -l <pairs)"
    # places that follow the same pointer are reported once, with their number
    sed -n 's/^      "places": \([0-9]*\).*/\1/p' found |
        awk '{ n += $1 } END { print "sinks told: " n + 0 }'
    sed -n '/"findings"/,/"extraction"/s/^      "sources": \([0-9]*\).*/\1/p' found |
        awk '{ n += $1 } END { print "sources told: " n + 0 }'
}
agree command taint jobs.c
agree command taint tool.c
agree format taint journal.c
agree null null watchers.c
cflr extract -q --rules null --rules command jobs.c --to tsv | cut -f 3 |
    grep -e '^source' -e '^sink' | sort | uniq -c
