# An option given twice: the last one counts, as when a script adds to a line.
cflr solve -g nowhere.cfg -g closure.cfg --model naive --model edge-indexed path.tsv --format=json \
    --format text
