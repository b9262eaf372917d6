cflr
