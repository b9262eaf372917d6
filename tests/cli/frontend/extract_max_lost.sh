# A run ends with 3 when more was lost than allowed, after all that was asked for is written.
try() { # try LIMIT FILE...
    limit=$1
    shift
    rm -f graph.cflg
    cflr extract -q --max-lost "$limit" -o graph.cflg "$@" 2>&1
    echo "exit $?, $(ls graph.cflg)"
}
echo "-- none is lost"
try 0 program.c other.c
echo "-- one cannot be read, one has errors"
try 0 program.c other.c lost.c nowhere.c
try 1 program.c other.c lost.c nowhere.c
try 2 program.c other.c lost.c nowhere.c
echo "-- percents of four"
try 0% program.c other.c lost.c nowhere.c
try 49% program.c other.c lost.c nowhere.c
try 50% program.c other.c lost.c nowhere.c
echo "-- an analysis: the summary is there, and the last line says why"
cflr analyze --max-lost 0 program.c lost.c -o r.cflr >summary 2>messages
echo "exit $?"
grep -c '^result' summary
tail -n 1 messages
cflr query r.cflr 'points-to main::result' | short_paths
