# Warnings of a grammar go to standard error; -q is silent.
cflr solve -g warned.cfg path.tsv || exit
echo "--"
cflr solve -q -g warned.cfg path.tsv
