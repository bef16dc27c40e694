#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Uproar Authors
# SPDX-License-Identifier: Apache-2.0
#
# The memory of a server while it sends many records: as CSV, NDJSON, Parquet and Arrow, and sorted. Says for each how long
# it took, and the most memory that the process had meanwhile. Needs curl, awk, Go and Linux.
#
#   bench/ownindex/export.sh [RECORDS [MEMORY]]     # 10000000 and 32MiB
#
#   FORMS="csv sorted"  only these
set -euo pipefail
records=${1:-10000000}
memory=${2:-32MiB}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
server=
finish() {
	local status=$?
	[ -z "$server" ] || { kill "$server" 2>/dev/null && wait "$server" || true; }
	[ "$status" -eq 0 ] || tail -5 "$work/serve.log" 2>/dev/null || true
	rm -rf "$work"
	exit "$status"
}
trap finish EXIT
(cd "$here/../.." && go build -o "$work/uproar" ./cmd/uproar)
"$work/uproar" serve --dir "$work/data" --memory "$memory" --addr 127.0.0.1:0 --log-format json >"$work/serve.log" 2>&1 &
server=$!
url=
for _ in $(seq 300); do
	url=$(sed -n 's/.*"msg":"serving","url":"\([^"]*\)".*/\1/p' "$work/serve.log")
	[ -z "$url" ] || break
	sleep 0.1
done
[ -n "$url" ] || { echo "the server does not serve"; exit 1; }

megabytes() { awk -v of="$1:" '$1 == of {printf "%d MB", $2 / 1000}' "/proc/$server/status"; }
awk -v n="$records" 'BEGIN {
	print "id,city,age,paid"
	for (i = 0; i < n; i++) printf "p%d,city%d,%d,%d.%02d\n", i, i * 7919 % 400, i * 31 % 90, i * 104729 % 50000, i % 100
}' | curl --fail-with-body -sS -o "$work/imported" -T - -X POST -H 'Content-Type: text/csv' "$url/v1/import?index=people"
sleep 5
echo "$records records, --memory $memory: $(megabytes VmRSS) when idle, at most $(megabytes VmHWM) while they were imported"
send() {
	local form=$1 media=$2 sort=$3 sent
	echo 5 >"/proc/$server/clear_refs" # VmHWM begins anew
	sent=$(curl --fail-with-body -sS -o /dev/null -w '%{time_total} s, %{size_download} bytes' -H "Accept: $media" \
		--json '{"index":"people","q":"all","sort":['"$sort"']}' "$url/v1/records/find")
	echo "$form: $sent, at most $(megabytes VmHWM)"
}
for form in ${FORMS:-csv ndjson parquet arrow sorted}; do
	case $form in
	csv) send csv text/csv '' ;;
	ndjson) send ndjson application/x-ndjson '' ;;
	parquet) send parquet application/vnd.apache.parquet '' ;;
	arrow) send arrow application/vnd.apache.arrow.stream '' ;;
	sorted) send 'csv, sorted by paid' text/csv '"paid"' ;;
	esac
done
