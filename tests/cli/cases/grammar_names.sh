# A slip in the name of a shipped grammar; a file that is not there is no such slip.
show cflr solve -g pointer-sf path.tsv
show cflr grammar check reech
show cflr grammar check reech.cfg
show cflr grammar check ./reech
# Standard input has one name.
printf 'A ::= | )' | show cflr grammar check -
printf 'A ::= b\nA ::= b' | show cflr grammar check -
printf 'A ::= b' | show cflr grammar check -
printf 'A ::= a\nA ::= a' | show cflr solve -g - path.tsv
printf 'x y' | show cflr info - --graph-format mtx
