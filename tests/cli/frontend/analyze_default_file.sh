cflr analyze -q program.c other.c >/dev/null && cflr info analysis.cflr --format json |
    grep '"complete"'
