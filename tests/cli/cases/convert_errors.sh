show cflr convert path.tsv out.unknown
show cflr convert broken.tsv out.cflg
ls out* 2>/dev/null
show cflr convert path.tsv out.cflg --to nothing 2>&1 | sed "s/auto tsv .* sqlite/.../"
show cflr convert path.tsv - --graph-format dot
