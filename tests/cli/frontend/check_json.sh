# The same as JSON: the verdicts, and one check in full.
show cflr check checks.c -q --no-alias apart --may-alias may --format json >found
tail -n 1 found
grep -e '"failed"' -e '"complete"' -e '"line": 2[0-9]' -e '"passed"' -e '"found"' -e '"problem"' \
    found
cflr check checks.c -q --must-alias same --context clone --format json |
    sed -n '/"checks"/,/^  ]/p' | short_paths
