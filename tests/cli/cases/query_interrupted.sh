# Waiting for a question that does not come is ended by one interrupt.
cflr solve -q -g closure.cfg path.tsv -o r.cflr >/dev/null || exit
mkfifo questions
touch answers # which is looked at before its writer has begun
env --default-signal=INT cflr query r.cflr - <questions >answers &
exec 3>questions
echo 'reaches 0 S 1' >&3
until grep -q yes answers; do sleep 0.1; done
kill -INT $!
wait $!
echo "exit $?"
cat answers
