# Yes or no for each line, in their order; a name with clones stands for all of them.
show cflr solve -g closure.cfg path.tsv --pairs pairs.txt --verify
show cflr solve -g closure.cfg path.tsv --pairs pairs.txt --only a --model naive
printf '3 0\r\n0 3' | show cflr solve -g closure.cfg path.tsv --pairs - --format json | mask
show cflr solve -g closure.cfg path.tsv --pairs /dev/null
show cflr solve -g closure.cfg path.tsv --pairs pairs.txt --export tsv
show cflr solve -g closure.cfg path.tsv --pairs pairs.txt -o asked.cflr
show cflr query asked.cflr 'reaches 0 S 1' 'reaches 0 S 3'
sources_graph sources.cflg || exit
printf '"second::q" pick::arg\nmain.c:4:p 0\n' |
    show cflr solve -g pointer.cfg sources.cflg --pairs -
# no certain no when time ends
chain 20000 >long.tsv
printf '5 0\n' | show cflr solve -q -g closure.cfg long.tsv --pairs - --model parallel --time 4s
