# A directory of facts may be named with a slash, and is replaced.
show cflr convert path.tsv facts/
show cflr convert fields.tsv facts/
ls facts
show cflr solve -q -g closure.cfg path.tsv --export souffle -o pairs//
ls pairs
# What cannot be written is refused before the work.
mkdir full
echo kept >full/other
for line in 'path.tsv -o full' 'path.tsv -o new/' 'path.tsv -o fields.tsv/x.cflr' \
    'path.tsv --export souffle -o full' 'path.tsv --export souffle -o fields.tsv' \
    'path.tsv --export tsv -o full' 'path.tsv --export souffle -o no/such'; do
    show cflr solve -g broken.cfg $line
done
show cflr solve -g broken.cfg path.tsv -o ''
show cflr convert broken.tsv full
show cflr convert broken.tsv ''
# A device is written as it is, and a symbolic link stays one.
ln -s real.cflr link.cflr
cp path.tsv real.cflr
show cflr solve -q -g closure.cfg path.tsv -o link.cflr
cflr info real.cflr | tail -n 2
test -L link.cflr && show cflr solve -q -g closure.cfg path.tsv -o /dev/null
