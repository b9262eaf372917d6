# Checks of a unit that cannot be read are not seen, which is told.
show cflr check checks.c lost.c missing.c --must-alias same
# Whoever insists on the whole input is told last, and a failed check does not hide it.
cflr check -q --max-lost 2 checks.c lost.c missing.c --must-alias same
cflr check -q --max-lost 0 checks.c lost.c --no-alias same 2>&1
echo "exit $?"
