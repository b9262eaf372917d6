# SPDX-License-Identifier: Apache-2.0
#
# Functions for cases.

# What differs from run to run becomes 0: times, memory, and how the work was shared out.
mask() {
    sed -E 's/("(load|solve|write|peak_bytes|rounds|derivations|threads)": )[0-9.e+-]+/\10/'
}

# Places in source are printed with whole paths: those of the working directory become short.
short_paths() {
    sed "s|$(pwd -P)/||g"
}

# show COMMAND...: runs it and prints its exit code, for cases of several commands
show() {
    "$@"
    echo "exit $?"
}

# chain N: a path of N edges; under `S ::= a | S S` its closure has N * (N + 1) / 2 pairs of S
chain() {
    awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) printf "%d\t%d\ta\n", i, i + 1 }'
}
