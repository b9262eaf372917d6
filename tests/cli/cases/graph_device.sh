# The processor is always there. A GPU is used when it is there, and exits with 6 otherwise.
cflr graph bfs path.tsv --device cpu | grep '^device' || exit
cflr graph bfs path.tsv --device gpu >report 2>messages
case $? in
0) ! grep -q '^device  *cpu$' report ;;
6) [ -s messages ] && [ ! -s report ] ;;
*) false ;;
esac || { echo "gpu:"; cat report messages; }
cflr graph bfs path.tsv --gpus 2 >report 2>messages
case $? in
0) grep -q '^GPUs  *2$' report ;;
6) [ -s messages ] && [ ! -s report ] ;;
*) false ;;
esac || { echo "two GPUs:"; cat report messages; }
cflr graph mis path.tsv --undirected --gpus 2 >report 2>messages
case $? in
3) grep -q 'one GPU only' messages ;;
6) ;;
*) false ;;
esac || { echo "what one GPU does alone:"; cat report messages; }
cflr graph bfs path.tsv >report && grep -q '^why  *[a-z]' report
