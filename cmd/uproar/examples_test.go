// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// exampled are the pages of which TestExamples carries out every command in a block without a name.
var exampled = []string{"docs/cli.md", "docs/http.md", "docs/catalog.md", "docs/operations.md"}

// An example is what is to be known of a command of a page, beside what stands there: by words that
// it has.
type example struct {
	words  string
	before string   // commands in front of it
	insert []string // words of it, and what stands in the place of each
	want   string   // what it prints, as a regular expression
	code   int      // it ends with
	not    string   // why it is not run
}

// examples say of commands what is needed for them. Those that no example names run as they stand,
// in the order of their pages, in one folder with the files and databases of world.
var examples = []example{
	{words: "go install", not: "fetches a release; the newcomer of .ci/run and scripts/first-contact build the clone"},
	{words: "jetstream2://", not: "the network of others; apps/graph/live's tests follow one of their own"},
	{words: "tap://", not: "the same"},
	{words: "import graph --dir network follows.csv", want: `(?m)follows`},
	{words: "query --dir network --count", want: `\A1\n\z`},
	{words: "query --dir network", want: `\A3\n\z`},
	{words: "query --dir people", before: "rm -rf people; uproar import audience --dir people --yes people.csv.gz",
		want: `(?s)bob.*ann`},
	{words: "query --url", want: `(?m)\t737$`},
	{words: "--words likes --values city", want: `(?m)^size\t2\t3\t`},
	{words: "--with 'sex = m'", want: `(?m)^compare\t2\t1\t`},
	{words: "--html report.html", want: `report\.png`},
	{words: "graph followers", want: `(?m)^1$`},
	{words: "graph follows", want: `\Atrue\n`},
	{words: "search --dir shop", want: `bulk`},
	{words: "uproar shell --url", insert: []string{"uproar shell", "echo 'follows(18)' | uproar shell"},
		want: `(?m)^3$`},
	{words: `\explain`, want: `follows\(18\)`},
	{words: "record read", before: "uproar index create --dir shop --field color:set " +
		"--field price:decimal:scale=2 wares; for key in cup pot; do uproar record put --dir shop --index wares $key price=1; done",
		want: `(?m)^cup\t\t1.00\npot\t\t1.00$`},
	{words: "record write", before: `echo '{"puts":[{"key":"cup","values":{"price":9}}]}' >changes.json`,
		want: `^commit `},
	{words: "index create --dir shop", before: "uproar index drop --dir shop wares", want: `2 fields`},
	{words: "check catalog", want: `ambiguous: bulk and trade`, code: 1},
	{words: "uproar cluster", before: `until uproar cluster --url $ONE | grep -q '^two '; do sleep 0.1; done`},
	{words: "--at 1200345", before: "rm -rf before", insert: []string{"1200345", "1"}},
	{words: "--sequence people=88122", before: `rm -rf before
until curl -sSL --fail --json '{"account":"1","target":"2"}' $TWO/v1/graph/follow; do sleep 0.1; done`,
		insert: []string{"people=88122", "accounts=1"}},
	{words: "index alias", before: "uproar index create --url $TWO --field city:set people_2026",
		insert: []string{"http://127.0.0.1:7070", "$TWO"}},
	{words: "bench write", insert: []string{"1m", "1s --accounts 500 --follows 5000", "30s", "0s"}, want: `events`},
	{words: "backup --dir network monday", before: "rm -f *.uproar"},
	{words: "restore --dir network monday", before: "rm -rf network"},
	{words: "move --dir network --to", before: "rm -rf network2"},
	{words: "move --dir network --from",
		before: "rm -rf network2; " + background("uproar serve --dir network --addr 127.0.0.1:0"),
		insert: []string{"http://127.0.0.1:7070", "$(grep -o 'http://127[0-9.:]*' said | head -n 1)",
			"bbolt", "bbolt 2>moved & moving=$!; until grep -q 'stop the server' moved; do kill -0 $moving; sleep 0.1; done; " +
				"kill $server; wait $server; wait $moving"}},
	{words: "salvage", before: "rm -rf network2"},
	{words: "catalog=discounts", want: `"records":5`},
	{words: "/v1/graph/import", want: `"follows":`},
	{words: "/v1/import?index=people", before: "uproar index drop --url $SERVED people", want: `"records":3`},
	{words: "search/bitmap/prices", want: `\A\{"id":"1","spec":"MRC","value":2320,"currency":""\}\n`},
	{words: "import catalog --dir shop --name discounts", want: `imported 5 records`},
}

// background returns commands that start a server or a demo, whose process is $server then, and
// wait until it serves.
func background(command string) string {
	return "rm -f said; " + command + " >said 2>&1 & server=$!; " +
		"until grep -sq 'http://127[0-9.:]*\\|serving' said; do kill -0 $server; sleep 0.1; done"
}

// world makes the files and the databases that the examples name.
const world = `
printf '1,18\n1,737\n3,18\n737,3\n2,3\n18,737\n18,3\n3,737\n' >follows.csv
printf '2\t18\n' | gzip >more.tsv.gz
gzip -k follows.csv
printf 'id,likes,city,age,sex\nann,tea|cake,Oslo,30,f\nbob,tea,Rome,40,m\ncid,jazz|sea,Rome,50,f\n' | gzip >people.csv.gz
printf '1,k1,post\n2,k2,post\n' | gzip >likes.csv.gz
gzip -c discounts.csv >prices.csv.gz
cp discounts.json prices.json
printf 'read dashboard dashboard-dashboard\nwrite ingest ingest-ingest-ingest\n' >tokens
chmod 600 tokens
echo 'dir = "network"' >uproar.toml
printf 'id,offering,group,spec,Term,value,currency\n1,o1,g1,MRC,18,2320,\n' >mrc.csv
echo '{"key":"id","attributes":[{"name":"offering"},{"name":"group"},{"name":"spec"},{"name":"Term"},
{"name":"value","type":"number","info":true},{"name":"currency","info":true}]}' >mrc.json
for dir in network served; do uproar import graph --dir $dir follows.csv; done
for dir in shop served; do
	uproar import catalog --dir $dir --name discounts --schema discounts.json discounts.csv
done
uproar import catalog --dir served --name prices --schema prices.json prices.csv.gz
uproar import catalog --dir served --name mrc --schema mrc.json mrc.csv
uproar check-storage --processes 2 --names 5 "file://$PWD/log"
`

// TestExamples carries out every command of the pages that stands in a block without a name, on
// small data.
func TestExamples(t *testing.T) {
	if testing.Short() {
		t.Skip("starts the program eighty times: left out by -short")
	}
	dir := t.TempDir()
	cert, key, err := certificate()
	people, err2 := os.ReadFile("../../apps/audience/parquet/testdata/people.parquet")
	page, err3 := os.ReadFile("../../docs/catalog.md")
	if err := errors.Join(err, err2, err3); err != nil {
		t.Fatal(err)
	}
	tables := regexp.MustCompile("(?ms)^```[a-z]*\n(.*?)^```").FindAllSubmatch(page, 2)
	for name, text := range map[string][]byte{"cert.pem": cert, "key.pem": key, "people.parquet": people,
		"discounts.csv": tables[0][1], "discounts.json": tables[1][1]} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	env := append(os.Environ(), "UPROAR_ADDR=127.0.0.1:0")
	run := func(script string) (stdout, stderr string, err error) {
		var out, said strings.Builder
		ctx, stop := context.WithTimeout(t.Context(), 3*time.Minute) // some wait for a server
		defer stop()
		shell := exec.CommandContext(ctx, "bash", "-ec", script)
		shell.WaitDelay = 10 * time.Second // what it has left behind may hold its output
		shell.Dir, shell.Env, shell.Stdout, shell.Stderr = dir, env, &out, &said
		err = shell.Run()
		return out.String(), said.String(), err
	}
	if out, said, err := run(world); err != nil {
		t.Fatalf("got %v after\n%s%s", err, out, said)
	}
	for _, s := range []struct{ variable, flags string }{
		{"SERVED", "--dir served --prices mrc"},
		{"ONE", "--dir one --log file://$PWD/log --node one"}, {"TWO", "--dir two --log file://$PWD/log --node two"},
	} {
		server := exec.Command("bash", "-c", "exec uproar serve --log-format json --addr 127.0.0.1:0 "+s.flags)
		server.Dir, server.Env = dir, env
		env = append(env, s.variable+"="+served(t, server))
		t.Cleanup(func() { _ = server.Process.Kill(); _ = server.Wait() })
		if s.variable == "ONE" {
			_, said, err := run(`until uproar cluster --url $ONE | grep -q '^one  *leads'; do sleep 0.1; done`)
			if err != nil {
				t.Fatalf("got %v: %s", err, said)
			}
		}
	}
	carried, used := 0, make(map[string]bool)
	for _, page := range exampled {
		text, err := os.ReadFile("../../" + page)
		if err != nil {
			t.Fatal(err)
		}
		for _, command := range exampleCommands(string(text)) {
			var e example
			for _, known := range examples {
				if strings.Contains(command, known.words) {
					e, used[known.words] = known, true
					break
				}
			}
			if e.not != "" {
				continue
			}
			carried++
			out, said, err := run(e.script(command))
			code := 0
			if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
				code = exit.ExitCode()
			}
			if code != e.code || !regexp.MustCompile(e.want).MatchString(out) {
				t.Errorf("%s: %s: got %v and\n%s%swant the code %d and %s", page, command, err, out, said, e.code,
					e.want)
			}
		}
	}
	for _, e := range examples {
		if !used[e.words] {
			t.Errorf("no command has %q any more", e.words)
		}
	}
	if carried < 60 {
		t.Errorf("carried %d commands out, want all of them", carried)
	}
}

// exampleCommands returns the commands in blocks without a name, but those with answers of
// localhost:7070, which server's tests compare.
func exampleCommands(page string) (commands []string) {
	for _, block := range codeBlock.FindAllStringSubmatch(page, -1) {
		if block[1] != "" || askedThere.MatchString(block[2]) {
			continue
		}
		for line := range strings.Lines(block[2]) {
			if line = strings.TrimSuffix(line, "\n"); commandLine.MatchString(line) {
				commands = append(commands, strings.TrimPrefix(line, "$ "))
			}
		}
	}
	return commands
}

// script returns the commands that carry an example out, on addresses and logs that are there.
func (e *example) script(command string) string {
	run := command
	for i := 0; i+1 < len(e.insert); i += 2 {
		run = strings.ReplaceAll(run, e.insert[i], e.insert[i+1])
	}
	run = strings.NewReplacer("http://10.0.0.5:7070", "$ONE", "'http://localhost:7070", "$SERVED'",
		"http://127.0.0.1:7070", "$SERVED", "http://localhost:7070", "$SERVED", "10.0.0.5:7070", "0.0.0.0:0",
		"127.0.0.1:7070", "127.0.0.1:0", "127.0.0.1:7171", "127.0.0.1:0",
		"s3://bucket/prefix?region=eu-central-1", "file://$PWD/checked", "s3://bucket/prefix",
		"file://$PWD/log").Replace(run)
	if serves.MatchString(run) {
		run = background(run) + "; kill $server; wait $server"
	}
	return e.before + "\n" + run
}

// serves matches what does not end by itself.
var serves = regexp.MustCompile(`\buproar (?:serve .*|demo)$`)
