# A request to stop is passed on to the build, and waits for its end.
PATH=$PWD/bin:$PATH
echo 'cc program.c' >compiled
cat >bin/bear <<'end'
#!/bin/sh
output=$2
shift 3
trap 'echo "the build stops" >stopped' TERM
: >started
while [ ! -e stopped ]; do sleep 0.1; done
cp database "$output"
exit 1
end
echo "[{\"directory\": \"$PWD\", \"file\": \"program.c\", \"command\": \"cc program.c\"}]" >database
command cflr compdb -- true &
while [ ! -e started ]; do sleep 0.1; done
kill -TERM $!
wait $!
echo "exit $?"
cat stopped
grep -c program.c compile_commands.json
find . -name '.compdb-*'
