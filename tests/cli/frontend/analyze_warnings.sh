# Flags that do nothing are reported once each; what cannot matter is not.
show cflr analyze program.c -- --bogusflag -fnope extra.c -Wall -g -O2 -c -I . -x c -DX=1 >/dev/null
# --show where the grammar answers no alias; a grammar for other labels.
show cflr analyze program.c -g dataflow --show 3 >/dev/null
# A failure is reported once.
show cflr analyze gone.c
show cflr analyze -q gone.c 2>&1 | short_paths
