# --show prints aliases of different functions, as text and as JSON.
cflr analyze -q program.c other.c --show 2 | grep -c ' may alias '
cflr analyze -q program.c other.c --show 2 --format json |
    sed -n '/"aliases"/,/^  \]/p' | grep -c '"vertex"'
