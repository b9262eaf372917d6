cflr convert fields.tsv - --to ndjson || exit
cflr convert fields.tsv fields.dot && cat fields.dot && cflr convert fields.tsv fields.sqlite &&
    od -A n -c -N 15 fields.sqlite
