# A name that nothing calls is reported; when there is no check at all, that is an error.
show cflr check checks.c --must-alias same --no-alias apert
show cflr check checks.c --no-alias DISJOINT
show cflr check program.c -q --no-alias apart --may-alias may
show cflr check checks.c -q --no-alias ''
