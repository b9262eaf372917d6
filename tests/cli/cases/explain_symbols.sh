# Under any grammar, and of a graph without names: symbols and numbers.
cat >dyck.cfg <<'END'
%start D
D ::= D D | O[i] close[i] | epsilon
O[i] ::= open[i] D
END
printf '%s\n' '0 1 open[1]' '1 2 open[2]' '2 3 close[2]' '3 4 close[1]' '4 5 open[1]' \
    '5 6 close[1]' >dyck.tsv
cflr solve -q -g dyck.cfg dyck.tsv -o d.cflr >/dev/null || exit
show cflr explain -g dyck.cfg d.cflr 'reaches 0 D 6'
show cflr explain -g dyck.cfg d.cflr 'reaches 0 D 3' 'reaches 0 O[1] 3' 'reaches 0 O 3' \
    'reaches 0 O[2] 3' 'reaches 0 open 1' 'reaches 3 D 3'
show cflr explain -g dyck.cfg d.cflr 'reaches 4 D 6' --dot
show cflr explain -g dyck.cfg d.cflr 'reaches 4 D 6' 'reaches 0 D 3' 'reaches 0' --format json

# An answer of a grammar, backwards edges, and what a path goes through twice.
cat >alias.cfg <<'END'
%start V
%answer alias V
%answer points-to PT
PT ::= ~a PT | ~alloc
V ::= ~a V | V a | M | eps
M ::= ~d V d
END
printf '%s\n' '0 1 alloc' '1 2 a' '1 3 a' '2 4 d' '3 5 d' '5 6 a' '3 7 d' '7 8 a' >alias.tsv
cflr solve -q -g alias.cfg alias.tsv -o a.cflr >/dev/null || exit
show cflr explain -g alias.cfg a.cflr 'alias 4 6' 'alias 0 2' 'points-to 3' 'points-to 3 1' \
    'reaches 8 V 6'
show cflr explain -g alias.cfg a.cflr 'alias 4 6' --dot
show cflr explain -g names.cfg a.cflr 'alias 4 6'

# Names are printed where the graph has them.
cflr solve -q -g names.cfg names.tsv -o n.cflr >/dev/null || exit
show cflr explain -g names.cfg n.cflr 'reaches addr_x Flow main::q'

# What cannot be asked.
show cflr explain -g dyck.cfg d.cflr 'alias 0 6' 'points-to 0' '0 calls 1' 'reaches 0 X 6' \
    'reaches 0 D nowhere' 'reach 0 D 6' 'one two three four five' 'points-to "0'
show cflr explain -g dyck.cfg d.cflr reaches 0 D 6

# The grammar is guessed where a shipped one has all symbols.
show cflr explain d.cflr 'reaches 4 D 6'
cflr solve -q -g closure.cfg path.tsv -o c.cflr >/dev/null || exit
show cflr explain c.cflr 'reaches 0 S 1'
