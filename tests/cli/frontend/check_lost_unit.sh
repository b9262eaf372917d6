# Checks of a unit that cannot be read are not seen, which is told.
show cflr check checks.c lost.c missing.c --must-alias same
