# Each shipped grammar is listed with a summary and is without warnings.
cflr grammar list >names || exit
for name in $(cut -d ' ' -f 1 names); do
    cflr grammar check "$name" || exit
    grep -q "^$name  *[A-Za-z]" names || echo "$name has no summary"
done | grep -v ': no warnings'
grep -c '^pointer' names
