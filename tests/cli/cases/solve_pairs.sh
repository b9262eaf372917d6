# The start symbol, then chosen symbols; to a file the counts follow on standard output.
cflr solve -g fields.cfg fields.tsv --export tsv || exit
echo "--"
cflr solve -g fields.cfg fields.tsv --export ndjson --label F --label ~F -o pairs.ndjson || exit
cat pairs.ndjson
