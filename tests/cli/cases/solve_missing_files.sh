show cflr solve -g nowhere.cfg path.tsv
show cflr solve -g closure.cfg nowhere.tsv
show cflr solve -g closure.cfg path.tsv -o no/such/dir/result.cflr
