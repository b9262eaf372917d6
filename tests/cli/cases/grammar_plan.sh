# What the batch model makes of three grammars: V is its own converse, A a closure, and neither FV
# nor DV is needed to find V; in the second a call is matched with its return in one join; in the
# third r has only edges from vertices to themselves, along which A need not go on.
printf '0 1 a\n1 2 f[8]\n1 2 f[16]\n2 3 d\n' >alias.tsv
cat >alias.cfg <<'END'
%start V
V     ::= ~A V | V A | FV[i] f[i] | M | eps
FV[i] ::= ~f[i] V
M     ::= DV d
DV    ::= ~d V
A     ::= A A | a M | a | eps
END
cflr grammar show alias.cfg --stage plan --graph alias.tsv || exit
printf '0 1 call[1]\n1 2 a\n2 3 ret[1]\n' >dyck.tsv
printf '%%start A\nA ::= A A | call[i] A ret[i] | a | eps\n' >dyck.cfg
cflr grammar show dyck.cfg --stage plan --graph dyck.tsv || exit
printf '0 1 a\n0 0 r\n1 1 r\n' >loops.tsv
printf '%%start A\nA ::= A A | a | r\n' >loops.cfg
cflr grammar show loops.cfg --stage plan --graph loops.tsv || exit
cflr grammar show dyck.cfg --stage plan
echo "exit $?"
