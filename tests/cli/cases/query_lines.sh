# "-" reads questions from standard input; one that fails does not keep the others from being asked.
sources_graph sources.cflg && cflr solve -q -g pointer.cfg sources.cflg -o r.cflr >/dev/null || exit
cflr query r.cflr - <<'end'
# which pointers have x?
alias first::p pick::arg

alias first::p nobody
points-to second::p
end
