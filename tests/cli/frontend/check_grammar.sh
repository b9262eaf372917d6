# Any grammar that answers alias will do; reasons need one that answers points-to.
cat >half.cfg <<'end'
%start     V
%terminal  a d alloc f[n] s[k]
%answer    alias V
V ::= ~a V | V a | eps
end
show cflr check -q checks.c --must-alias same --may-alias may -g half.cfg
show cflr check -q checks.c --no-alias apart --fields insensitive | grep 'first\.'
show cflr check -q checks.c --no-alias apart -g reach
show cflr check -q checks.c --no-alias apart -g nowhere.cfg
