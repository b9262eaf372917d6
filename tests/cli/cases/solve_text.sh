# Operands may stand before options; --option=value and --option value mean the same.
cflr solve path.tsv -g closure.cfg --model=edge-indexed
