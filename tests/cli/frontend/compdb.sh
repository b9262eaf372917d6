# A database from a build that is watched, and what becomes of one that is there already. A bear of
# paper stands for the real one.
PATH=$PWD/bin:$PATH
build() { # build CODE: what it compiles is on standard input, a compiler and a file a line
    cat >list
    printf '#!/bin/sh\ncp list compiled\necho building\nexit %s\n' "$1" >build.sh
    chmod +x build.sh
}
units() { grep -c directory compile_commands.json; }

echo "-- a build of two files in C and one in C++"
printf 'cc program.c\ncc other.c\ncc other.c\nc++ x.cc\n' | build 0
show cflr compdb -- ./build.sh 2>&1
units
find . -name '.compdb-*'
cflr extract -q -o graph.cflg && echo "is read"

echo "-- nothing is compiled, or nothing in C: the database stays"
build 0 </dev/null
show cflr compdb -- ./build.sh 2>&1
echo 'c++ x.cc' | build 0
show cflr compdb -- ./build.sh 2>&1
units

echo "-- a build that fails does not replace it"
echo 'cc program.c' | build 7
show cflr compdb -- ./build.sh 2>&1
units
rm compile_commands.json
show cflr compdb -- ./build.sh 2>&1
units
rm compile_commands.json
build 7 </dev/null
show cflr compdb -- ./build.sh 2>&1
ls compile_commands.json 2>/dev/null

echo "-- a file or a directory of one's own; the words of the build are not cut"
printf 'cc program.c\n' | build 0
mkdir out
show cflr compdb -q -o out -- ./build.sh
show cflr compdb -q -o mine.json -- sh -c './build.sh; echo "$1"' sh 'two  words'
ls out mine.json
show cflr compdb -q -o no/such/place.json -- ./build.sh
show cflr compdb -q -o - -- ./build.sh

echo "-- a link stays, a device is left alone, a damaged list is told"
mv out/compile_commands.json out/real.json
ln -s out/real.json link.json
printf 'cc program.c\ncc other.c\n' | build 0
show cflr compdb -o link.json -- ./build.sh 2>&1 | short_paths
readlink link.json
show cflr compdb -o /dev/null -- ./build.sh 2>&1
printf '"\n' | build 0
cflr compdb -- ./build.sh 2>&1 | sed -n 's/.*compdb-......//p'
printf 'cc program.c\n' | build 0

echo "-- JSON: what the build prints goes to standard error"
cflr compdb --format json -- ./build.sh 2>messages | short_paths
cat messages

echo "-- no such build, no bear"
show cflr compdb -- ./biuld.sh
PATH=$(dirname "$(command -v cflr)") show cflr compdb -- ./build.sh
