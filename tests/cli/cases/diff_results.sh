# Two results: sets by names, of the start symbol where nothing answers points-to.
cat >paths.cfg <<'EOF'
%start P
P ::= e | P e
EOF
printf 'a b e\nb c e\n' >old.tsv
printf 'a b e\nb "c\342\200\256 e\nb d e\nx y e\n' >new.tsv
for version in old new; do cflr solve -q -g paths.cfg $version.tsv -o $version.cflr >/dev/null; done
show cflr diff old.cflr new.cflr
show cflr diff old.cflr new.cflr --only new
show cflr diff new.cflr old.cflr --only gone --fail-on new
show cflr diff old.cflr new.cflr --only counts --fail-on none
show cflr diff old.cflr new.cflr --only counts --format json -q
show cflr diff new.cflr new.cflr -q
# By numbers, where the graph is the same.
printf '%%start P\nP ::= e | P P P\n' >odd.cfg
printf '0 1 e\n1 2 e\n2 3 e\n' >numbers.tsv
cflr solve -q -g paths.cfg numbers.tsv -o numbers.cflr >/dev/null
cflr solve -q -g odd.cfg numbers.tsv -o odd.cflr >/dev/null
show cflr diff numbers.cflr odd.cflr
printf '0 1 e\n' | cflr solve -q -g paths.cfg - -o other.cflr >/dev/null
show cflr diff numbers.cflr other.cflr
show cflr diff numbers.cflr old.cflr
# What is not compared.
sed 's/P/Q/g' paths.cfg >other.cfg
cflr solve -q -g other.cfg old.tsv -o other.cflr >/dev/null
show cflr diff old.cflr other.cflr
cflr solve -q -g paths.cfg old.tsv --from a -o asked.cflr >/dev/null
show cflr diff old.cflr asked.cflr
cut_result old.cflr 2 part
show cflr diff old.cflr part1.cflr
head -c 200 old.cflr >short.cflr
show cflr diff old.cflr short.cflr
echo '{"version": "2.1.0", "runs": []}' >empty.sarif
show cflr diff old.cflr empty.sarif
show cflr diff empty.sarif old.cflr
show cflr diff old.cflr new.cflr --sarif new.sarif
show cflr diff old.cflr old.tsv
cflr convert -q old.tsv old.cflg
show cflr diff old.cflr old.cflg
