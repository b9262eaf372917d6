cflr convert fields.tsv fields.cflg --format json
