# Lists of words come from the public headers.
(cflr --help && cflr help query && cflr solve --help) |
    sed -Ez 's/one of:([a-z \n]|[a-z]-[a-z])*\n/one of: ...\n/g'
