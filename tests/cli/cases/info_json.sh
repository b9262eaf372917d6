cflr info fields.tsv --format json && cflr info fields.tsv --by-index --format json -o info.json &&
    cat info.json
