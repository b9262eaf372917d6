# Standard input to standard output; a name that ends in .zst is packed.
cflr convert - - --to gracfl <fields.tsv || exit
cflr convert fields.tsv fields.tsv.zst && cflr convert fields.tsv.zst - --to tsv
