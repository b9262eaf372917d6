# Text that is no UTF-8 still makes valid JSON.
printf '0\t1\tcaf\351\n' >latin.tsv
cflr info latin.tsv --format json | od -A n -c | grep -e caf -e 357
