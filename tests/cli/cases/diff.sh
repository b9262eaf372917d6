# Reports of any tool: by a fingerprint of both, without one by place and text.
show cflr diff old.sarif new.sarif
show cflr diff old.sarif new.sarif --only gone --fail-on none
show cflr diff new.sarif new.sarif
cflr diff -q old.sarif new.sarif --sarif only.sarif >/dev/null
grep -c '"ruleId"' only.sarif
show cflr diff only.sarif new.sarif
# No reports.
echo '{"version": "2.1.0"}' >bad
show cflr diff old.sarif bad
echo '{"version": "2.0.0", "runs": []}' >bad
show cflr diff old.sarif bad
echo '{"version": "2.1.0", "runs": [{}]}' >bad
show cflr diff bad new.sarif
sed 's/"results"/"invocations": [{"executionSuccessful": false}], &/' old.sarif >bad
show cflr diff bad new.sarif
show cflr diff path.tsv new.sarif
show cflr diff nosuch new.sarif
show cflr diff old.sarif
printf 'cflr-baseline 1\nrules null\n' >base
show cflr diff new.sarif base --sarif only.sarif
show cflr diff old.sarif base --fail-on some
