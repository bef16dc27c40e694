#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Uproar Authors
# SPDX-License-Identifier: Apache-2.0
#
# The memory of a server while it sends many records: as CSV, NDJSON, Parquet and Arrow, as they lie and sorted. Says for
# each how long it took, and the most memory that the process had meanwhile, without pages of files: its own code and what
# the system keeps of the data. Needs curl, awk, Go and Linux.
#
#   bench/ownindex/export.sh [RECORDS [MEMORY]]     # 10000000 and 64MiB
#
#   FORMS="csv arrow"   only these
#   SORTS=""            as they lie only; default: that, and by paid
#   FOLDER=1            the records are imported into the folder before it is served, which is faster
#   UPROAR=PROGRAM      this program, not one that is built
set -euo pipefail
records=${1:-10000000}
memory=${2:-64MiB}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
server= watcher=
finish() {
	local status=$?
	[ -z "$watcher" ] || kill "$watcher" 2>/dev/null || true
	[ -z "$server" ] || { kill "$server" 2>/dev/null && wait "$server" || true; }
	[ "$status" -eq 0 ] || tail -5 "$work/serve.log" 2>/dev/null || true
	rm -rf "$work"
	exit "$status"
}
trap finish EXIT
if [ -n "${UPROAR:-}" ]; then cp "$UPROAR" "$work/uproar"; else (cd "$here/../.." && go build -o "$work/uproar" ./cmd/uproar); fi
awk -v n="$records" 'BEGIN {
	print "id,city,age,paid"
	for (i = 0; i < n; i++) printf "p%d,city%d,%d,%d.%02d\n", i, i * 7919 % 400, i * 31 % 90, i * 104729 % 50000, i % 100
}' >"$work/people.csv"
if [ -n "${FOLDER:-}" ]; then
	"$work/uproar" import audience --dir "$work/data" --index people --yes "$work/people.csv" >"$work/imported"
fi
"$work/uproar" serve --dir "$work/data" --memory "$memory" --addr 127.0.0.1:0 --log-format json >"$work/serve.log" 2>&1 &
server=$!
url=
for _ in $(seq 300); do
	url=$(sed -n 's/.*"msg":"serving","url":"\([^"]*\)".*/\1/p' "$work/serve.log")
	[ -z "$url" ] || break
	sleep 0.1
done
[ -n "$url" ] || { echo "the server does not serve"; exit 1; }

# own says how much memory the server has of its own, in kB.
own() { sed -n 's/^RssAnon:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$server/status"; }
# watch notes the most from now on; most says it, and ends that.
watch() {
	(
		most=0
		while now=$(own); do
			[ "$now" -le "$most" ] || { most=$now && echo "$most" >"$work/most"; }
			sleep 0.05
		done
	) 2>/dev/null &
	watcher=$!
}
most() {
	kill "$watcher" && wait "$watcher" 2>/dev/null || true
	watcher=
	echo "at most $(($(cat "$work/most") / 1000)) MB"
}
watch
[ -n "${FOLDER:-}" ] || curl --fail-with-body -sS -o "$work/imported" -T "$work/people.csv" -X POST -H 'Content-Type: text/csv' "$url/v1/import?index=people" || {
	head -c 500 "$work/imported"
	exit 1
}
rm "$work/people.csv"
sleep 5
most >"$work/said"
echo "$records records, --memory $memory: $(($(own) / 1000)) MB when idle, $(cat "$work/said") before, imports over HTTP included"
send() {
	local form=$1 media=$2 sort=$3 sent
	watch
	sent=$(curl --fail-with-body -sS -o /dev/null -w '%{time_total} s, %{size_download} bytes' -H "Accept: $media" \
		--json '{"index":"people","q":"all","sort":['"${sort:+\"$sort\"}"']}' "$url/v1/records/find")
	most >"$work/said"
	echo "$form${sort:+, sorted by $sort}: $sent, $(cat "$work/said")"
}
for form in ${FORMS:-csv ndjson parquet arrow}; do
	case $form in
	csv) media=text/csv ;;
	ndjson) media=application/x-ndjson ;;
	parquet) media=application/vnd.apache.parquet ;;
	arrow) media=application/vnd.apache.arrow.stream ;;
	*) echo "$form is no form, want csv, ndjson, parquet or arrow" && exit 1 ;;
	esac
	for sort in '' ${SORTS-paid}; do send "$form" "$media" "$sort"; done
done
