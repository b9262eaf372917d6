# Lists with commas, semicolons and tabs; titles; quotes.
cat >roads.csv <<'END'
source,target,km
Paris,"New York, NY",5837.5
"a ""q""", Paris ,3

END
show cflr graph sssp roads.csv --source 'New York, NY' --undirected -o -
cflr graph sssp roads.csv -q --source Paris -o out.csv && cat out.csv || exit
cflr graph sssp roads.csv -q --source Paris -o out.ndjson && cat out.ndjson || exit
distances() { cflr graph sssp - --source 0 -o - || exit; }
printf '0;1;4\n1;2;5\n' | distances
printf '0, 1, 4\n1, 2, 5\n' | distances
printf '"0","1","4"\r\n"1","2","5"\r\n' | distances
printf 'u\tv\tweight\n0\t1\t4\n1\t2\t5\n' | distances
printf 'x,y\nz,x\n' >letters.csv
cflr graph bfs letters.csv -q --header --source z -o - || exit
cflr graph bfs letters.csv -q --source z -o - || exit
# Names of functions may hold commas, names of cities blanks.
printf 'f(int,int) g(int,int)\ng(int,int) h(int,int)\n' >functions.txt
cflr graph bfs functions.txt -q --source 'f(int,int)' -o - || exit
printf 'New York\tSan Jose\nSan Jose\tBath\n' >cities.tsv
cflr graph bfs cities.tsv -q --source 'New York' -o - || exit
# With labels.
printf 'source,target,label\na,"b c",x\n"b c",d,y\n' >labels.csv
cflr graph bfs labels.csv --label y -q --source 'b c' -o - || exit
cflr convert labels.csv - || exit
cflr info labels.csv || exit
# What is wrong.
wrong() { printf "$1" >wrong.csv && show cflr graph sssp wrong.csv -q; }
wrong '0,1,2\n0,"1,3\n'
wrong '0,1,2\n0,1"2",3\n'
wrong '0,1,2\n0,"1"2,3\n'
wrong '0,1,2\n0,1\n'
wrong '0,1,2\n0,,3\n'
wrong '0,1,2\n0,1,\n'
wrong '0,1,2\n-1,1,3\n'
wrong '0,1,x\n0,2,y\n'
