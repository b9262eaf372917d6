# One line a check, sorted by place; exit 1 when one fails, 0 when none does.
show cflr check checks.c --may-alias may --must-alias same --no-alias apart
show cflr check checks.c -q --must-alias same -o same.txt
cat same.txt
