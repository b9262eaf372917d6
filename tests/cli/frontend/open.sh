# A library is open: what its callers give, what escapes, and by whose doing an alias is.
cflr analyze open.c -o open.cflr 2>&1 >/dev/null | short_paths
for question in 'alias first_of::found first_of::own->first' 'alias first_of::own first_of::key' \
    'alias first_of::other first_of::own' 'points-to first_of::own' 'points-to first_of::found' \
    'points-to first_of::other' 'points-to outside' 'points-to kept'; do
    echo "# $question"
    show cflr query open.cflr "$question" | short_paths
done
cflr query open.cflr 'aliases first_of::own' | short_paths
echo '-- closed, as it was'
cflr analyze -q --world closed open.c -o closed.cflr | grep entry
show cflr query closed.cflr 'alias first_of::own first_of::key'
show cflr query closed.cflr 'points-to first_of::other' | short_paths
echo '-- errors'
show cflr analyze --world half open.c
echo '-- a grammar that does not follow the outside'
cat >plain.cfg <<'end'
%terminal a
%answer alias V
V ::= a V | eps
end
show cflr analyze open.c -g plain.cfg -o plain.cflr >/dev/null
show cflr query plain.cflr 'alias first_of::own first_of::key'
