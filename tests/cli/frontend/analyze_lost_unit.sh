# A unit with errors is reported and does not stop the run; one that is not there is lost.
cflr analyze program.c lost.c nowhere.c -o r.cflr --format json 2>messages >summary
echo "exit $?"
grep -e '"units' -e '"complete"' summary
grep -c -e nowhere.c messages
show cflr analyze nowhere.c -o none.cflr 2>/dev/null
[ ! -e none.cflr ]
