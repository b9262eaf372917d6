# tsv on standard output; by name to a file, with the counts on standard error.
cflr extract -q other.c >graph.tsv && cflr extract other.c -o graph.cflg 2>counts || exit
sed 's/  */ /g' counts | grep -e units -e functions
cflr info graph.cflg | grep sources
cflr convert graph.cflg converted.tsv && cmp graph.tsv converted.tsv && echo same
cflr extract -q other.c --to dot | head -n 1
cflr extract -q other.c -o graph.xyz
