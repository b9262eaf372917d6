# With nothing named, the nearest database upward: in a directory first, then in its build/.
top=$(pwd)
database() { # database FILE SOURCE
    mkdir -p "${1%/*}"
    echo "[{\"directory\": \"$top\", \"file\": \"$2\", \"command\": \"cc -c $2\"}]" >"$1"
}
try() { # what is read in directory $1
    echo "-- $1"
    (cd "$1" && cflr extract -o "$top/graph.cflg" 2>&1 |
        grep -e '^cflr: reading' -e ': lost:' -e '^units' | short_names)
}
short_names() { sed "s|$(cd "$top" && pwd -P)|TOP|g; s/  */ /g"; }
mkdir -p project/src/deep project/build/sub
database "$top/project/build/compile_commands.json" program.c
try project
try project/src/deep
try project/build/sub
database "$top/project/compile_commands.json" other.c
try project/src
try project/build
database "$top/project/src/build/compile_commands.json" nowhere.c
try project/src/deep
echo "-- what is named counts"
cd project/src || exit
show cflr extract -q -o "$top/graph.cflg" "$top/program.c"
show cflr extract -q -p "$top/project" -o "$top/graph.cflg"
show cflr extract -q -p "$top/project/compile_commands.json" -o "$top/graph.cflg"
echo "-- silent"
cd "$top/project" && show cflr extract -q -o "$top/graph.cflg" 2>&1
