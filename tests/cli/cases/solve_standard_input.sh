# Either input may come from standard input.
cflr solve -g closure.cfg - <path.tsv || exit
cflr solve -g - path.tsv <closure.cfg
