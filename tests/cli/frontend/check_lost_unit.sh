# Checks of a unit that cannot be read are not seen, which is reported.
show cflr check checks.c lost.c missing.c --must-alias same
# That the whole input was asked for and is not there is reported last, and a failed check does not
# hide it.
cflr check -q --max-lost 2 checks.c lost.c missing.c --must-alias same
cflr check -q --max-lost 0 checks.c lost.c --no-alias same 2>&1
echo "exit $?"
