# A grammar in another tool's format, read by content and by force.
printf 'S a\nS S S\n' >plain.txt
cflr grammar stats --grammar-format gracfl plain.txt
