# Files of other languages are named, one line a language; all with -v and in JSON.
here=$(pwd)
cat >compile_commands.json <<end
[{"directory": "$here", "file": "other.c", "command": "cc -c other.c"},
 {"directory": "$here", "file": "program.c", "command": "g++ -c program.c"},
 {"directory": "$here", "file": "one.cc", "command": "g++ -c one.cc"},
 {"directory": "$here", "file": "two.cc", "command": "g++ -c two.cc"},
 {"directory": "$here", "file": "two.cc", "command": "g++ -fPIC -c two.cc"},
 {"directory": "$here", "file": "start.S", "command": "cc -c start.S"},
 {"directory": "$here", "file": "kernel.cu", "command": "nvcc -c kernel.cu"}]
end
cflr extract -p . -o graph.cflg 2>messages || exit
grep 'not read' messages
echo "-- -v"
cflr extract -v -p . -o graph.cflg 2>&1 | grep 'not read'
echo "-- JSON"
cflr extract -q -p . -o graph.cflg --format json >report
grep other_languages report
grep -c '"kind": "language"' report
echo "-- told with each no"
cflr analyze -q -p . -o r.cflr >/dev/null 2>&1
cflr query r.cflr 'alias 0 1' 2>&1 | short_paths
echo "-- asked for"
show cflr extract -q -p . two.cc -o graph.cflg 2>&1
echo '[{"directory": "/", "file": "a.cc", "command": "c++ a.cc"}]' >cxx.json
show cflr extract -p cxx.json -o graph.cflg 2>&1
