cflr info fields.tsv && cflr info fields.tsv --by-index && sources_graph s.cflg && cflr info s.cflg
