#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Every argument line of the table ends with its exit code and its message, prints no result and
# leaves no file.
#
#     arguments.sh CFLR TABLE FRONTEND
set -u
cflr=$1
table=$2
frontend=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -R "$(dirname "$0")/data" "$work/in"
cd "$work/in" || exit 1
before=$(ls)
tab=$(printf '\t')
n=0
failed=0

complain() {
    failed=$((failed + 1))
    echo "cflr $arguments: $1"
    cat "$work/messages"
}

while IFS= read -r line; do
    case $line in '#'* | '') continue ;; esac
    wanted=${line%%"$tab"*}
    rest=${line#*"$tab"}
    arguments=${rest%%"$tab"*}
    message=${rest#*"$tab"}
    case $wanted in
        *'*') [ "$frontend" = 1 ] && wanted=${wanted%?} || continue ;;
    esac
    n=$((n + 1))
    eval "\"\$cflr\" $arguments" >"$work/results" 2>"$work/messages" </dev/null
    code=$?
    [ "$code" = "$wanted" ] || complain "exit code $code, expected $wanted"
    grep -qF -e "$message" "$work/messages" || complain "no message with: $message"
    [ ! -s "$work/results" ] || complain "printed a result"
    [ "$before" = "$(ls)" ] || complain "left a file"
done <"$table"
echo "$n argument lines, $failed failures"
[ "$failed" = 0 ] && [ "$n" -ge 20 ]
