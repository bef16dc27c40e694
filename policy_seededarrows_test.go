// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestPolicyFindsArrows checks the table against the arrows that the design names one by one. So it
// notices when the table loses or mistypes a rule.
func TestPolicyFindsArrows(t *testing.T) {
	const (
		allowed    = 0
		forbidden  = 1
		inTests    = 2 // forbidden in _test.go files
		everywhere = forbidden | inTests
	)
	pebble, badger := "github.com/cockroachdb/pebble/v2", "github.com/dgraph-io/badger/v4"
	clean := cleanTree().load(t)
	broken := make(map[string]bool) // by some arrow: the text of a rule
	for _, arrow := range []struct {
		from, to string
		want     int
	}{
		{"bitmap", "golang.org/x/sys/cpu", forbidden},
		{"bitmap", "store", forbidden},
		{"internal/trace", "server/tracing", everywhere},
		{"internal/posting", "go.opentelemetry.io/otel", everywhere},
		{"internal/posting", "internal/trace", allowed},
		{"server", "go.opentelemetry.io/otel/trace", everywhere},
		{"server/tracing", "go.opentelemetry.io/otel/trace", allowed},
		{"bitmap", "internal/roaring", allowed},
		{"bitmap", "internal/roaring/kernel/run", forbidden},
		{"bitmap", "bitmap/bsi", forbidden},
		{"bitmap/bsi", "bitmap", allowed},
		{"bitmap/bsi", "bitmap/interop", forbidden},
		{"bitmap/interop", "store", forbidden},
		{"internal/roaring", "bitmap", forbidden},
		{"internal/roaring", "internal/roaring/kernel/run", allowed},
		{"internal/roaring/view", "internal/roaring", forbidden},
		{"internal/roaring/view", "internal/roaring/container", allowed},
		{"internal/roaring/view", "internal/roaring/pack", forbidden},
		{"internal/roaring/pack", "internal/roaring/mutable", everywhere},
		{"internal/roaring/mutable", "internal/roaring", forbidden},
		{"internal/roaring/mutable", "internal/roaring/pair", forbidden},
		{"internal/roaring/pair", "internal/roaring", forbidden},
		{"internal/roaring/mutable", "internal/roaring/pack", allowed},
		{"internal/roaring/roaringtest", "internal/roaring", everywhere},
		{"bitmap", "slices", allowed},
		{"internal/roaring/kernel/run", "golang.org/x/sys/cpu", everywhere},
		{"internal/roaring/container", "bitmap", everywhere},
		{"internal/roaring/kernel/run", "query", everywhere},
		{"internal/roaring/kernel/run", "bitmap", everywhere},
		{"internal/roaring/kernel/run", "internal/roaring/container", everywhere},
		{"internal/roaring/kernel/run", "internal/roaring/cpu", allowed},
		{"internal/roaring/cpu", "internal/roaring/kernel/run", everywhere},
		{"internal/roaring/cpu", "golang.org/x/sys/cpu", everywhere},
		{"internal/roaring/kernel/run", "math/bits", allowed},
		{"internal/roaring/kernel/run", "internal/roaring/kernel/array", allowed},
		{"internal/roaring/kernel/array", "internal/roaring/kernel/run", everywhere},
		{"internal/roaring/kernel/bitset", "internal/roaring/kernel/array", everywhere},
		{"internal/roaring/kernel/swar", "internal/roaring/kernel/bitset", forbidden},
		{"internal/roaring/kernel/sorted", "internal/roaring/kernel/array", forbidden},
		{"internal/roaring/kernel/column", "internal/roaring/kernel/swar", allowed},
		{"internal/roaring/kernel/array", "internal/roaring/eliasfano", everywhere},
		{"internal/roaring/kernel/array", "internal/roaring/kernel/kerneltest", forbidden},
		{"internal/roaring/kernel/kerneltest", "internal/roaring/kernel/swar", everywhere},
		{"internal/roaring/eliasfano", "internal/roaring/kernel/run", allowed},
		{"internal/roaring/eliasfano", "internal/roaring/container", everywhere},
		{"store", "bitmap", forbidden},
		{"store", "store/memstore", forbidden},
		{"store", "github.com/tidwall/btree", forbidden},
		{"store/groupcommit", "store/bboltstore", forbidden},
		{"store/bboltstore", "store/groupcommit", allowed},
		{"store/storetest", "store/memstore", forbidden},
		{"store/storetest", "testing", allowed},
		{"store/storetest", "store", allowed},
		{"store/ship", "store/pebblestore", forbidden},
		{"server/replica", "store/ship/blob", forbidden},
		{"server/resp/wire", ".", everywhere},
		{"server/resp/names", "query", forbidden},
		{"server/resp/expiry", "server/resp/keyspace", forbidden},
		{"server/resp/keyspace", "server/resp/wire", forbidden},
		{"server/resp/keyspace", "query", allowed},
		{"server/resp", "server/call", forbidden},
		{"server/resp", "server/resp/wire", allowed},
		{"internal/posting/manifest", "internal/posting/wal", forbidden},
		{"internal/posting/exported", "internal/schema", forbidden},
		{"store/ship/shiptest", "store/memstore", everywhere},
		{"store/ship/check", "golang.org/x/sync/errgroup", forbidden},
		{"store/ship/check", "store/ship/shiptest", forbidden},
		{"store/ship/folder", "golang.org/x/sys/unix", forbidden},
		{"store/ship/blob", "gocloud.dev/blob", allowed},
		{"store/ship/blob", "store/ship/check", forbidden},
		{"store/ship/cql", "github.com/apache/cassandra-gocql-driver/v2", allowed},
		{"store/ship/cql", "store/ship/folder", forbidden},
		{"store/ship/cql", "github.com/aws/aws-sdk-go-v2/aws", everywhere},
		{"server", "store/ship/blob", forbidden},
		{"store/memstore", "store/pebblestore", everywhere},
		{"store/pebblestore", "internal/posting", everywhere},
		{"store/pebblestore", "bitmap", forbidden},
		{"store/pebblestore", pebble, allowed},
		{"store/pebblestore", "store/pebblestore/internal/inspect", allowed},
		{"store/pebblestore/internal/disk", pebble, allowed},
		{"store/pebblestore/internal/disk", "store/pebblestore", forbidden},
		{"store/pebblestore/internal/disk", "store/pebblestore/internal/inspect", forbidden},
		{"store/pebblestore/internal/inspect", "store/pebblestore/internal/disk", allowed},
		{"store/pebblestore/internal/inspect", "store/pebblestore", forbidden},
		{"store/pebblestore/internal/inspect", "store/groupcommit", forbidden},
		{"store/memstore", pebble, everywhere},
		{"store/memstore", badger, everywhere},
		{"store/memstore", "github.com/tidwall/btree", allowed},
		{"store/memstore", "go.etcd.io/bbolt", everywhere},
		{"store/bboltstore", "go.etcd.io/bbolt", allowed},
		{"store/bboltstore", "store/pebblestore", everywhere},
		{"cmd/uproar", "store/bboltstore", allowed},
		{"cmd/uproar", pebble, everywhere},
		{"cmd/uproar", "go.etcd.io/bbolt", everywhere},
		{"internal/seal", "store", everywhere},
		{"internal/table", "store", everywhere},
		{"internal/value", "query", everywhere},
		{"internal/descriptor", "store", forbidden},
		{"internal/posting/load", "sync.Mutex", forbidden},
		{"internal/posting/load", "sync/atomic", allowed},
		{"internal/posting/format", "os", forbidden},
		{"internal/posting/format", "net/http", forbidden},
		{"internal/posting/model", "context", forbidden},
		{"internal/posting/wal", "sync/atomic", forbidden},
		{"internal/posting/merge", "sync/atomic", forbidden},
		{"internal/posting/merge", "chan", forbidden},
		{"internal/posting/merge", "context", allowed},
		{"server", "github.com/RoaringBitmap/roaring/v2", everywhere},
		{"cmd/uproar", "github.com/parquet-go/parquet-go", everywhere},
		{"server/transport", "api", forbidden},
		{"store/memstore", "github.com/gocql/gocql", everywhere},
		{"internal/posting/model", "bitmap", everywhere},
		{"internal/posting/model", "internal/posting", everywhere},
		{"internal/posting/format", "store", everywhere},
		{"internal/posting/format", "internal/posting", everywhere},
		{"internal/posting/wal", "store/memstore", everywhere},
		{"internal/posting/wal", "internal/posting", everywhere},
		{"internal/posting/pagecache", "store", everywhere},
		{"internal/posting/memory", "internal/posting", everywhere},
		{"internal/posting/intern", "internal/posting/model", everywhere},
		{"internal/posting/delta", "internal/posting/format", everywhere},
		{"internal/posting/delta", "sync", allowed},
		{"internal/posting/delta", "context", forbidden},
		{"internal/posting/overlay", "store", everywhere},
		{"internal/posting/overlay", "context", forbidden},
		{"internal/posting/versions", "internal/posting/reader", forbidden},
		{"internal/posting/reader", "internal/posting/wal", forbidden},
		{"internal/posting/reader", "internal/posting", forbidden},
		{"internal/posting/merge", "internal/posting/wal", forbidden},
		{"internal/posting/merge", "internal/posting", forbidden},
		{"internal/posting/load", "store", forbidden},
		{"internal/posting/load", "internal/posting", forbidden},
		{"internal/posting/verify", "store", forbidden},
		{"internal/posting/verify", "internal/posting", forbidden},
		{"internal/posting", "internal/posting/model", allowed},
		{"internal/posting", "store/memstore", forbidden},
		{"internal/posting", pebble, everywhere},
		{"internal/posting", "query", forbidden},
		{"internal/posting", "net/http", forbidden},
		{"internal/posting", "flag", forbidden},
		{"internal/posting", "github.com/tidwall/btree", allowed},
		{"internal/posting", "store", allowed},
		{"query", "bitmap", everywhere},
		{"query", "store", everywhere},
		{"query", "internal/posting", everywhere},
		{"query", "golang.org/x/text", everywhere},
		{"internal/eval/rowcount", "query", forbidden},
		{"internal/eval/rowcount", "internal/eval", forbidden},
		{"internal/eval/rowcount", "internal/eval/ranking", forbidden},
		{"internal/eval/ranking", "query", forbidden},
		{"internal/eval/ranking", "internal/eval/crosstab", forbidden},
		{"internal/eval/ranking", "internal/eval/rowcount", allowed},
		{"internal/eval/crosstab", "query", forbidden},
		{"internal/eval/crosstab", "internal/eval", forbidden},
		{"internal/eval/crosstab", "internal/eval/ranking", allowed},
		{"internal/eval/evaltest", "internal/eval", everywhere},
		{"internal/eval", "store", forbidden},
		{"internal/eval", "store/memstore", forbidden},
		{"internal/eval", ".", forbidden},
		{"internal/eval", "golang.org/x/sync/errgroup", forbidden},
		{"internal/eval", "internal/posting", forbidden},
		{"internal/eval", "internal/posting/reader", allowed},
		{"internal/eval", "query", allowed},
		{"internal/schema", ".", forbidden},
		{"internal/schema", "internal/posting", forbidden},
		{"internal/schema", "internal/posting/model", allowed},
		{"internal/binding", ".", forbidden},
		{"internal/binding", "store", forbidden},
		{"internal/binding", "internal/schema", allowed},
		{"internal/listing", "query", forbidden},
		{"internal/listing", "internal/eval", allowed},
		{"internal/dump", ".", forbidden},
		{"internal/dump", "internal/eval", forbidden},
		{"internal/dump", "internal/schema", allowed},
		{"internal/salvage", "internal/eval", forbidden},
		{"internal/salvage", "store/bboltstore", forbidden},
		{"internal/salvage", "internal/posting/reader", allowed},
		{"internal/salvage", ".", allowed},
		{".", "store/pebblestore", forbidden},
		{".", pebble, everywhere},
		{".", "net/http", forbidden},
		{".", "flag", forbidden},
		{".", "server", forbidden},
		{".", "apps/graph", forbidden},
		{".", "internal/posting", allowed},
		{".", "internal/eval", allowed},
		{".", "store", allowed},
		{"apps/graph", "store", forbidden},
		{"apps/graph", "store/memstore", forbidden},
		{"apps/graph", "server", forbidden},
		{"apps/graph", ".", allowed},
		{"apps/graph", "query", allowed},
		{"apps/graph/likes", "apps/graph/live", forbidden},
		{"apps/graph/likes", "apps/graph", allowed},
		{"apps/graph/live", "query", forbidden},
		{"apps/graph/live", "apps/graph", allowed},
		{"apps/graph/live/wire", "apps/graph", forbidden},
		{"apps/graph/live/wire", "github.com/coder/websocket", allowed},
		{"apps/graph/live/livetest", "apps/graph/live", everywhere},
		{"server", "github.com/coder/websocket", everywhere},
		{"api", "query", everywhere},
		{"api", "github.com/x/y", everywhere},
		{"client", "server", forbidden},
		{"client", ".", forbidden},
		{"client", "api", allowed},
		{"server/call", "server", forbidden},
		{"server/call", "server/transport", forbidden},
		{"server/call", "server/graphapi", forbidden},
		{"server/upload", "server/transport", forbidden},
		{"server/upload", "server/graphapi", forbidden},
		{"server/graphapi", "server/transport", forbidden},
		{"server/graphapi", "server", forbidden},
		{"server/likesapi", "server/graphapi", forbidden},
		{"server/likesapi", "apps/graph/likes", allowed},
		{"server/graphapi", "server/catalogapi", forbidden},
		{"server/graphapi", "server/call", allowed},
		{"server/audienceapi", "server/transport", forbidden},
		{"server/audienceapi", "server/upload", 0},
		{"server/catalogapi", "server/transport", forbidden},
		{"server/catalogapi", "server/upload", allowed},
		{"server/recordapi", "apps/graph", forbidden},
		{"server/recordapi", "server", forbidden},
		{"server/console", "server/call", allowed},
		{"server/console", ".", forbidden},
		{"server/standingapi", "apps/graph", forbidden},
		{"server/standingapi", "server/transport", forbidden},
		{"server/standingapi", "apps/standing", allowed},
		{"internal/export", "query", forbidden},
		{"internal/dependents", "store", forbidden},
		{"internal/spelling", "query", forbidden},
		{"server/recordapi", "server/streaming", allowed},
		{"server/streaming", "server/transport", forbidden},
		{"server/indexapi", "server/transport", forbidden},
		{"server/indexapi", "apps/graph", forbidden},
		{"server/compat/graphd", "server/transport", forbidden},
		{"server/compat/graphd", "server/graphapi", forbidden},
		{"server/compat/graphd", "server/call", allowed},
		{"server/compat/prices", "server/transport", forbidden},
		{"server/compat/rsky", "server/graphapi", forbidden},
		{"server/compat/constellation", "server/compat/rsky", forbidden},
		{"server/compat/rsky", "apps/graph", allowed},
		{"server", "store/pebblestore", forbidden},
		{"server", "api", allowed},
		{"server", ".", allowed},
		{"server", "apps/graph", allowed},
		{"server", "net/http", allowed},
		{"server", "cmd/uproar", everywhere},
		{"cmd/uproar", "store/pebblestore", allowed},
		{"cmd/uproar", badger, everywhere},
		{"cmd/uproar", "server", allowed},
		{"cmd/uproar", "cmd/uproar/terminal", allowed},
		{"cmd/uproar", "bench", everywhere},
		{"server", "C", everywhere},
	} {
		imports := []string{arrow.to}
		if first, _, _ := strings.Cut(arrow.to, "/"); slices.Contains([]string{".", "bitmap", "store", "internal",
			"query", "api", "apps", "server", "cmd", "bench"}, first) {
			imports[0] = importPath(arrow.to)
		}
		for file, bit := range map[string]int{"made_up.go": forbidden, "made_up_test.go": inTests} {
			p := path.Join(arrow.from, file)
			made, err := clean.parse(p, goFile("", "made", imports, ""))
			if err != nil {
				t.Fatal(err)
			}
			with := *clean
			with.sources = append(slices.Clone(clean.sources), made)
			findings := checkArrows(&with, arrows)
			mentioned := slices.ContainsFunc(findings, func(f string) bool {
				return strings.HasPrefix(f, p+":5: "+arrow.from+" → "+arrow.to+"\n") &&
					strings.Contains(f, "\n\tbecause ")
			})
			for _, f := range findings {
				if m := brokenRule.FindStringSubmatch(f); m != nil {
					broken[m[1]] = true
				}
			}
			if want := arrow.want&bit != 0; mentioned != want || len(findings) > 0 != want {
				t.Errorf("%s imports %s: forbidden = %v, want %v; findings: %q", p, arrow.to, mentioned, want, findings)
			}
		}
	}
	rules, _, err := parseArrows(arrows)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rules {
		if !broken[r.text] {
			t.Errorf("no arrow above breaks %q", r.text)
		}
	}
}

// brokenRule is the rule that a finding names.
var brokenRule = regexp.MustCompile(`\n\tbreaks "(.+)"\n`)

func TestPolicyFindsPlanned(t *testing.T) {
	const table = "planned: store/made\nstore/made imports only: std\n\tbecause it is made up\n"
	made := cleanTree().with(sourceTree{"store/made/doc.go": goFile("", "made", nil, "")})
	findings := checkSubjects(made.load(t), table)
	if len(findings) != 1 || !strings.Contains(findings[0], "package store/made exists now") {
		t.Errorf("with a planned package: got findings %q, want one that says so", findings)
	}
	if findings := checkSubjects(cleanTree().load(t), table); len(findings) > 0 {
		t.Errorf("without it: got findings %q, want none", findings)
	}
}

func TestPolicyFindsMissingSubject(t *testing.T) {
	tree := cleanTree()
	delete(tree, "query/doc.go")
	delete(tree, "query/example_test.go")
	findings := checkSubjects(tree.load(t), arrows)
	if len(findings) != 1 || !strings.Contains(findings[0], "there is no package query") {
		t.Errorf("without package query: got findings %q, want one that says so", findings)
	}
}
