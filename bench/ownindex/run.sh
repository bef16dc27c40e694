#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Uproar Authors
# SPDX-License-Identifier: Apache-2.0
#
# An index of one's own with curl alone, from an empty folder on: imports people from Parquet, asks, sorts, writes, follows
# a standing query, exports. DuckDB and pandas, which made the people, compare all of it. Exits with 1 if anything differs.
#
#   bench/ownindex/run.sh [PEOPLE]
#
#   PYTHON=python3      has the packages duckdb, pandas and pyarrow; if not: python3 -m venv X && X/bin/pip install duckdb pandas pyarrow
#   KEEP=FOLDER         keeps what was made and answered there
#   ADDR=127.0.0.1:0    where to serve; 0: any free port
set -euo pipefail
people=${1:-1000000}
python=${PYTHON:-python3}
here=$(cd "$(dirname "$0")" && pwd)
work=${KEEP:-$(mktemp -d)}
mkdir -p "$work"
server= follower=
finish() {
	local status=$?
	[ -z "$follower" ] || kill "$follower" 2>/dev/null || true
	[ -z "$server" ] || { kill "$server" 2>/dev/null && wait "$server" || true; }
	[ "$status" -eq 0 ] || tail -5 "$work/serve.log" 2>/dev/null || true
	[ -n "${KEEP:-}" ] || rm -rf "$work"
	exit "$status"
}
trap finish EXIT

"$python" -c 'import duckdb, pandas, pyarrow' || {
	echo "$python lacks duckdb, pandas or pyarrow; try: python3 -m venv X && X/bin/pip install duckdb pandas pyarrow, and PYTHON=X/bin/python"
	exit 1
}
echo "making $people people of ten fields"
"$python" "$here/people.py" make "$work" "$people"
(cd "$here/../.." && go build -o "$work/uproar" ./cmd/uproar)

[ ! -e "$work/new" ] || { echo "$work/new is there already"; exit 1; }
"$work/uproar" serve --dir "$work/new" --addr "${ADDR:-127.0.0.1:0}" --log-format json >"$work/serve.log" 2>&1 &
server=$!
url=
for _ in $(seq 300); do
	url=$(sed -n 's/.*"msg":"serving","url":"\([^"]*\)".*/\1/p' "$work/serve.log")
	[ -z "$url" ] || break
	sleep 0.1
done
[ -n "$url" ] || { echo "the server does not serve"; exit 1; }

# ask WHAT FILE ARGUMENTS... asks with curl, keeps the answer, and prints how long it took.
ask() {
	local what=$1 file=$2 took
	shift 2
	took=$(curl --fail-with-body -sS -o "$work/$file" -w '%{time_total} s, %{size_download} bytes' "$@") || {
		echo "$what: refused: $(head -c 500 "$work/$file")"
		exit 1
	}
	printf '%-44s %s\n' "$what" "$took"
}
tea='age between 30 and 39 and likes = tea'

ask "import of $(stat -c %s "$work/people.parquet") bytes of Parquet" imported.json \
	-T "$work/people.parquet" -X POST -H 'Content-Type: application/vnd.apache.parquet' "$url/v1/import?index=people"
"$python" -c 'import json, sys
for c in json.load(sys.stdin)["schema"]["columns"]: print("   ", c["name"], c["type"], c.get("scale", ""))' <"$work/imported.json"

ask 'how many' count.json --get --data-urlencode "q=$tea" "$url/v1/query?index=people&answer=count"
ask 'top, groups, numbers and histogram of these' answers.json --json '{"index":"people","q":"'"$tea"'","answers":[
	{"name":"likes","answer":"top","field":"likes","limit":100}, {"name":"plans","answer":"groups","fields":["plan","country"]},
	{"name":"paid","answer":"numbers","field":"paid"}, {"name":"seen","answer":"histogram","field":"seen by month"}]}' "$url/v1/answers"
find() { echo '{"index":"people","q":"'"$1"'",'"$2"'}'; }
ask 'the ten oldest of these' oldest.json --json "$(find "$tea" '"sort":["born","key"],"limit":10')" "$url/v1/records/find"
ask 'the ten who paid most' spenders.json --json "$(find "$tea" '"sort":["-paid","key"],"limit":10')" "$url/v1/records/find"

wanted='plan = pro and age >= 60 and likes = tea'
ask 'standing query' standing.json --json '{"index":"people","name":"tea","q":"'"$wanted"'"}' "$url/v1/standing/set"

# caught_up COMMIT waits until the query is that of a commit.
caught_up() {
	for _ in $(seq 600); do
		curl --fail -sS "$url/v1/standing?index=people" >"$work/standing.json"
		[ "$(field as_of <"$work/standing.json")" -lt "$1" ] || return 0
		sleep 0.1
	done
	echo "the query has not caught up with commit $1: $(cat "$work/standing.json")"
	exit 1
}
# field NAME prints the last number of that name in JSON.
field() { grep -o "\"$1\":[0-9]*" | tail -1 | cut -d: -f2; }
# behind POSITION FILE reads all events behind one, and prints the position to go on behind.
behind() {
	local at=$1
	curl --fail -sS "$url/v1/standing/events?index=people&name=tea&after=$at&limit=10000" >"$work/$2"
	while grep -q '"more":true' "$work/$2"; do
		at=$(field last <"$work/$2")
		curl --fail -sS "$url/v1/standing/events?index=people&name=tea&after=$at&limit=10000" >"$work/$2"
	done
	field last <"$work/$2"
}
caught_up 1
last=$(behind 0 start.json)
ask 'its records, as NDJSON' before.ndjson -H 'Accept: application/x-ndjson' --json "$(find "$wanted" '"fields":["age"]')" "$url/v1/records/find"
"$python" -c 'import json, sys; print(json.dumps({"records": [json.loads(x) for x in sys.stdin]}))' <"$work/before.ndjson" >"$work/before.json"

curl -sSN -H 'Accept: text/event-stream' "$url/v1/standing/events?index=people&name=tea&after=$last" >"$work/events.txt" &
follower=$!
start=$(date +%s.%N)
for body in "$work"/write*.json; do
	curl --fail-with-body -sS --json "@$body" "$url/v1/records/write" >"$work/written.json" || { cat "$work/written.json"; exit 1; }
done
printf '%-44s %s s\n' "20 writes of 1 000 records, live" "$(echo "$(date +%s.%N) $start" | awk '{printf "%.3f", $1-$2}')"
caught_up "$(field sequence <"$work/written.json")"
behind "$last" ended.json >/dev/null
position=$(field position <"$work/ended.json")
for _ in $(seq 300); do # until the stream has all of it
	! grep -q "^id: $position\$" "$work/events.txt" || break
	sleep 0.1
done
kill "$follower" && wait "$follower" || true
follower=

for kind in parquet csv; do
	media=$([ $kind = csv ] && echo text/csv || echo application/vnd.apache.parquet)
	ask "export of all as $kind" "exported.$kind" -H "Accept: $media" --json '{"index":"people","q":"all"}' "$url/v1/records/find"
done
"$python" "$here/people.py" check "$work"
