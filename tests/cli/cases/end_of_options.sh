# What follows "--" is an operand, whatever it looks like.
cp path.tsv ./-path.tsv
cflr info -- -path.tsv
