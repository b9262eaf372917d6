# Why answers hold with --aliasing strict: places in memory, and what types keep from arriving.
cflr analyze -q explained.c --aliasing strict -o r.cflr >/dev/null
for question in 'points-to last x' 'alias last push::value' 'main calls show' \
        'points-to main::given' \
    'alias main::given last' 'points-to main::copy y' 'points-to main::one z'; do
    echo "# $question"
    cflr explain -q r.cflr "$question"
    echo "exit code $?"
done
cflr analyze -q places.c --aliasing strict -o places.cflr >/dev/null
for question in 'points-to b n' 'points-to c1 x' 'points-to c2 y' 'points-to t' 'alias b p' \
    'points-to base n' 'points-to base l' 'alias p n' 'points-to p l' 'alias q p' \
    'points-to held l' 'points-to c1 y'; do
    echo "# $question"
    cflr explain -q places.cflr "$question"
    echo "exit code $?"
done
echo '# as JSON'
cflr explain -q places.cflr 'points-to p l' --format json | grep -A 1 -E 'barrier|reads'
cflr explain -q places.cflr 'points-to held l' --format json | grep one_place
cflr explain -q places.cflr 'points-to p n' --format json | grep '"symbol"'
echo '# for Graphviz'
cflr explain -q places.cflr 'points-to p n' --dot
echo '# other grammars'
cflr explain -g pointer-fs places.cflr 'points-to p n'
echo "exit code $?"
cflr grammar show pointer-types --stage rules |
    sed 's/^LF\[n\] .*/LF[n] ::= FL[n] L; FL[n] ::= ~f[n]/' >other.cfg
cflr explain -q -g other.cfg places.cflr 'points-to c1 x' | head -4
