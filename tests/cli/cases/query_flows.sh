# `flows A B` is answered by the symbol that the grammar names.
cat >source.cfg <<'G'
%start Reach
%answer flows Reach
Reach ::= a+
G
cflr solve -q -g source.cfg names.tsv -o names.cflr >/dev/null
show cflr query names.cflr 'flows addr_x main::q'
show cflr query names.cflr 'flows main::q addr_x'
cflr query names.cflr 'flows addr_x main::q' --format json
cflr solve -q -g closure.cfg path.tsv -o path.cflr >/dev/null
show cflr query path.cflr 'flows 0 1'
