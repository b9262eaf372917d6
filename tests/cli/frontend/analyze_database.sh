# A compilation database; and one that is not there.
here=$(pwd)
cat >compile_commands.json <<end
[{"directory": "$here", "file": "program.c", "command": "cc -c program.c"},
 {"directory": "$here", "file": "other.c", "arguments": ["cc", "-O2", "-c", "other.c"]}]
end
cflr analyze -p . -q --format json -o r.cflr | grep -e '"units"' -e '"functions"' -e '"complete"'
mkdir empty
cflr analyze -p empty -o r.cflr 2>messages
echo "exit $?"
grep -c 'empty' messages
cflr analyze -p no-such-directory -o r.cflr 2>messages
echo "exit $?"
grep -c 'no-such-directory' messages
echo '# directories instead of files'
mkdir -p here/build && cp compile_commands.json here/build
for directory in . empty empty/ here; do
    cflr analyze $directory -o r.cflr
    echo "exit $?"
done
cflr analyze program.c empty -o r.cflr
echo "exit $?"
