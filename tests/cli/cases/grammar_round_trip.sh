# The rules that are shown are a grammar again, and mean the same.
cflr grammar show pointer.cfg --stage rules -o again.cfg && cflr grammar check again.cfg || exit
cflr grammar show pointer.cfg >one && cflr grammar show again.cfg >two || exit
sed 's/ *#.*//' one >one.bare
sed 's/ *#.*//' two | diff one.bare - && echo same
