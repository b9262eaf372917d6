# A file system without room: as a file that may not grow. Where none can be mounted, /dev/full is
# all that there is (full_disk).
unshare -m true 2>/dev/null || exit 77
mkdir full
cat >inside.sh <<'END'
mount -t tmpfs -o size=64k,nr_inodes=100 none full || exit 77
chain 20000 >long.tsv
for name in a.tsv a.dot a.ndjson a.db a.tsv.zst; do
    echo old >full/$name
    cflr convert long.tsv full/$name
    echo "exit $?, $(cat full/$name): $(ls full)"
    rm full/$name
done
mkdir full/facts
echo old >full/facts/old.facts
cflr convert long.tsv full/facts
echo "exit $?: $(cd full && echo facts/*)"
rm -r full/facts
echo old >full/levels
cflr graph bfs long.tsv -o full/levels
echo "exit $?, $(cat full/levels): $(ls full)"
END
{ echo '. "$0"'; cat inside.sh; } >whole.sh
unshare -m sh -c "$(cat whole.sh)" "$here/functions.sh"
