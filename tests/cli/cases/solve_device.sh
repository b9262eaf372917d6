# The processor is always there. A GPU closes the same pairs when it is there, and exits with 6
# otherwise.
same() {
    cflr solve -g closure.cfg path.tsv --device cpu "$@" --export tsv --label S >expected || exit
    cflr solve -g closure.cfg path.tsv --device gpu "$@" --export tsv --label S >pairs 2>messages
    case $? in
    0) cmp expected pairs ;;
    6) grep -q '^cflr: no GPU: ..*' messages && [ ! -s pairs ] ;;
    *) false ;;
    esac || { echo "gpu: $*"; cat pairs messages; }
}
same
same --model batch
same --only S
same --only S --from 0 --to 2 --to 3
same --without guards

# What there is too little memory for is an error that says how much it takes.
cflr solve -g closure.cfg path.tsv --device gpu --device-memory 1K >report 2>messages
case $? in
5) grep -Eq 'rows take [0-9]+ MB of .*, 0 MB are allowed' messages && [ ! -s report ] ;;
6) grep -q '^cflr: no GPU: ..*' messages && [ ! -s report ] ;;
*) false ;;
esac || { echo "little memory:"; cat report messages; }

# The processor does not look at the memory of a GPU.
cflr solve -g closure.cfg path.tsv --device cpu --device-memory 1K
cflr solve -g closure.cfg path.tsv --model naive --device cpu --stats | grep '^all'
