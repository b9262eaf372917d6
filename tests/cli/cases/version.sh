cflr --version | sed 's/ [0-9.]*/ N/; s/ (without the C front end)//' || exit
cflr --version=json | sed 's/: .*[^,]/: X/'
