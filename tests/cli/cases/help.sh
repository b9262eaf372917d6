cflr --help && cflr help query && cflr solve --help
