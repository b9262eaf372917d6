# Two pointers to one object: which, and how its address comes to each. Long explanations are
# shortened.
for aliasing in strict any; do
    echo "## $aliasing"
    cflr analyze -q common.c --aliasing $aliasing -o r.cflr >/dev/null
    for question in 'alias main::q mk::p' 'alias main::same main::other' 'alias main::q main::q' \
        'alias main::second main::again' 'alias main::apart main::second' \
        'alias main::copy main::unset' 'points-to main::argv' 'points-to far two'; do
        echo "# $question"
        cflr explain -q r.cflr "$question"
        echo "exit code $?"
    done
    echo '# all of it'
    cflr explain -q --all r.cflr 'alias main::same main::other'
    cflr explain -q --all r.cflr 'points-to far two' >all.txt
    cflr explain -q r.cflr 'points-to far two' --format json | grep -c '"symbol"'
    [ "$(cflr explain -q r.cflr 'points-to far two' | tail -1 | sed 's/.* of \([0-9]*\) .*/\1/')" \
        -eq "$(($(wc -l <all.txt) - 2))" ] && echo 'as many lines as it says'
    cflr explain -q r.cflr 'alias main::same main::other' --format json |
        grep -A 30 '"common"' | grep '"name"'
    echo '# for Graphviz'
    cflr explain -q r.cflr 'alias main::same main::other' --dot
done
