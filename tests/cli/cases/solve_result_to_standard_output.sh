# `-o -` leaves no room for counts, so there are none.
cflr solve -g closure.cfg path.tsv -o - >path.cflr && cflr info path.cflr
