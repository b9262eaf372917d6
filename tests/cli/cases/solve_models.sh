# Every model gives the same pairs.
for model in naive vertex vertex-indexed edge edge-indexed parallel batch auto; do
    cflr solve -g fields.cfg fields.tsv --model $model --export tsv --label G -o $model.tsv \
        >/dev/null || exit
    cmp naive.tsv $model.tsv || exit
done
cat auto.tsv
