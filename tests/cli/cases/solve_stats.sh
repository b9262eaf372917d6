# What symbols take and what equations do; other models have no equations. Times are masked.
cflr solve -q -g fields.cfg fields.tsv --stats >stats || exit
sed 's/[0-9]*\.[0-9]*$/TIME/' stats
cflr solve -q -g fields.cfg fields.tsv --stats --model edge
