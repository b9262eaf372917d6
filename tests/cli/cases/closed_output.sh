# A closed standard output is an error; a reader that leaves early is one too, but a quiet one.
cflr info path.tsv >&-
echo "exit $?"
chain 100000 >long.tsv
{ cflr convert long.tsv -; echo "exit $?" >code; } | head -n 1
cat code
{ cflr solve -g closure.cfg path.tsv --export tsv <&-; echo "exit $?"; } | tail -n 1
