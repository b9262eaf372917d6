# SPDX-License-Identifier: Apache-2.0
#
# Functions for cases.

# keep_json PROGRAM WORD...: runs it, and keeps what it prints as JSON, with the words, in $kept for
# valid.py
keep_json() (
    program=$1
    shift
    case " $* " in
    *" --format json "* | *=json*) ;;
    *) exec "$program" "$@" ;;
    esac
    answer=$(mktemp "$kept/XXXXXX")
    printf '%s\0' "$@" >"$answer.words"
    "$program" "$@" >"$answer"
    code=$?
    cat "$answer"
    exit $code
)

# What differs from run to run becomes 0: times, memory, and how the work was shared out. Of `cflr
# graph` both kinds of report are masked.
mask() {
    sed -E -e 's/("(load|solve|write|peak_bytes|rounds|derivations|threads)": )[0-9.e+-]+/\10/' \
        -e 's/("(transform|copy|run_[a-z]+|iteration|verify)": )[0-9.e+-]+/\10/' \
        -e 's/("(seconds|iterations)": )[0-9.e+-]+/\10/' \
        -e 's/("(state_bytes|edges_inspected|mteps_[a-z]+)": )[0-9.e+-]+/\10/' \
        -e 's/^((threads|state, bytes|iterations|edges inspected) +)[0-9.e+-]+$/\10/' \
        -e 's/^(([a-z /]+(, [a-z]+)?, s) +)[0-9.e+-]+$/\10/' \
        -e 's/^((MTEPS, [a-z /]+) +)[0-9.e+-]+$/\10/' \
        -e 's/^((schedule|why|transfer) +).*/\1?/' \
        -e 's/("(schedule|why|transfer)": )"[^"]*"/\1"?"/'
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

# start COMMAND...: runs it in the background, its output in `counts` and `messages`, until it says
# which model solves: what ends it then finds it at work, on any machine. (What runs in the
# background ignores SIGINT, unless that is undone.)
start() {
    : >messages
    env --default-signal=INT "$@" >counts 2>>messages &
    until grep -q 'model ' messages; do sleep 0.1; done
}
