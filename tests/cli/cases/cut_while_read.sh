# A file that is cut while it is read: an input error, or it was read before. What the library does
# is tested exactly (tests/unit/base/test_stream.c); this is the whole command.
chain 200000 >whole.tsv
cflr convert whole.tsv whole.cflg
cut_during() {
    name=$1
    shift
    for wait in 0 0.01; do
        cp "whole.$name" "cut.$name"
        command cflr "$@" -q >out.txt 2>err.txt &
        child=$!
        sleep $wait
        truncate -s 100 "cut.$name"
        wait $child
        case $? in
        0 | 3) ;;
        *) echo "exit $?: $*: $(cat err.txt)" ;;
        esac
    done
}
for name in tsv cflg; do
    cut_during $name info cut.$name
    cut_during $name graph cc cut.$name
    cut_during $name convert cut.$name copy.cflg
    cut_during $name grammar check cut.$name
    cut_during $name query cut.$name 'reaches 0 S 1'
done
