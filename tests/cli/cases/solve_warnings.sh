# Warnings of a grammar go to standard error; -q is silent.
cflr solve -g warned.cfg path.tsv || exit
echo "--"
cflr solve -q -g warned.cfg path.tsv
# A label that no edge has, where the start symbol has no pairs; an index in the name of a label.
printf 'D ::= op D cl | nothing\n' >none.cfg
printf '0 1 op\n1 2 cl\n' | show cflr solve -g none.cfg -
printf '0 1 op\n1 2 cl\n' | show cflr solve -q -g none.cfg -
printf '0 1 op\n1 2 cl\n' | show cflr solve -g none.cfg - --from 0
printf 'D ::= op D cl | epsilon | nothing\n' >empty_path.cfg
printf '0 1 op\n1 2 cl\n' | show cflr solve -g empty_path.cfg -
printf '# vertices 4\n0 1 f_1\n1 2 g\n2 3 f_1\n' >index.tsv
printf 'S ::= f[i] g f[i]\n' >index.cfg
show cflr solve -g index.cfg index.tsv
printf 'S ::= f_1 g f_1 | f\n' >name.cfg
show cflr solve -g name.cfg index.tsv
# A label that is called as the empty path.
printf 'S ::= a epsilon\n' >word.cfg
printf '0 1 a\n1 2 epsilon\n' | show cflr solve -g word.cfg -
printf 'S ::= a "epsilon"\n' >quoted.cfg
printf '0 1 a\n1 2 epsilon\n' | show cflr solve -g quoted.cfg -
