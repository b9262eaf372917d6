# Packed input is known by its content.
gzip -c path.tsv >packed.tsv
cflr solve -g closure.cfg packed.tsv
