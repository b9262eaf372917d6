# Units that are lost or have errors are reported by the reason, the most units first; each with -v.
for i in 1 2 3; do printf '#include "config.h"\nint *p%d;\n' $i >missing$i.c; done
printf '#include "other.h"\n' >another.c
files="another.c gone1.c gone2.c missing1.c missing2.c missing3.c other.c"
cflr extract $files -o graph.cflg 2>&1 | grep '^cflr'
echo "-- -v"
cflr extract -v $files -o graph.cflg 2>&1 | grep '^cflr'
echo "-- at most five reasons, but all that cost whole units"
for i in 1 2 3 4 5 6 7; do printf '#include "header%d.h"\n' $i >h$i.c; done
cflr extract h?.c gone1.c missing?.c -o graph.cflg 2>&1 | grep '^cflr'
echo "-- -q"
cflr extract -q $files -o graph.cflg 2>&1
