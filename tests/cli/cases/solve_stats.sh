# What symbols take, what equations do, and what owners have of memory; other models have neither
# equations nor owners. Times and bytes are masked.
cflr solve -q -g fields.cfg fields.tsv --stats -j1 >stats || exit
sed 's/[0-9]*\.[0-9]*$/TIME/; /^memory/,$s/  *[0-9]*$/ BYTES/; s/peak [0-9]*/peak BYTES/' stats
cflr solve -q -g fields.cfg fields.tsv --stats -j1 --format json >stats || exit
sed -n '/^  "memory"/,$s/: [0-9][0-9]*/: NUMBER/p' stats | sort -u
cflr solve -q -g fields.cfg fields.tsv --stats --model edge
